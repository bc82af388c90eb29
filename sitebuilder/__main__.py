"""`python -m sitebuilder` builds the site; `python -m sitebuilder numbers` computes the committed numbers anew."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from sitebuilder.places import SITE


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m sitebuilder", description=__doc__)
    parser.add_argument("what", nargs="?", choices=("build", "numbers"), default="build")
    parser.add_argument("-o", "--output", type=Path, default=SITE, help="the folder of the site")
    parser.add_argument("only", nargs="*", help="numbers: only of these protocols")
    given = parser.parse_args()
    if given.what == "numbers":
        from sitebuilder.numbers import write_numbers

        write_numbers(given.only)
        return 0
    from sitebuilder.building import build

    return build(given.output)


if __name__ == "__main__":
    sys.exit(main())

"""`python -m sitebuilder` builds the site; `numbers` computes the committed numbers anew, `torn` those of torn interactions."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from sitebuilder.places import SITE


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m sitebuilder", description=__doc__)
    parser.add_argument("what", nargs="?", choices=("build", "numbers", "torn"), default="build")
    parser.add_argument("-o", "--output", type=Path, default=SITE, help="the folder of the site")
    parser.add_argument("only", nargs="*", help="numbers, torn: only of these protocols")
    given = parser.parse_args()
    if given.what == "numbers":
        from sitebuilder.numbers import write_numbers

        write_numbers(given.only)
        return 0
    if given.what == "torn":
        from sitebuilder.torn import write_torn

        write_torn(given.only)
        return 0
    from sitebuilder.building import build

    return build(given.output)


if __name__ == "__main__":
    sys.exit(main())

"""Find the proofs of the library's lemmas anew and keep their certificates: python verification/certificates.py [NAME ...]

The tests check what is kept with the second solver and search for nothing.
"""

from __future__ import annotations

import sys

from princeps.model import registry
from princeps.proofs.kept import keep
from princeps.proofs.prove import Context, prove_one, statements_of
from princeps.proofs.verdicts import Verdict


def main(names: list[str]) -> None:
    for name in names or registry.names("population"):
        cls = registry.find(name)
        context, found = Context(cls), list[Verdict]()
        for statement in statements_of(cls):
            verdict = prove_one(statement, context)
            print(
                f"{name} {statement.id}: {verdict.verdict} ({verdict.seconds:.1f} s) {verdict.certificate}", flush=True
            )
            found.append(verdict)
        keep(cls, found)


if __name__ == "__main__":
    main(sys.argv[1:])

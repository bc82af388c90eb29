"""What the papers claim of a protocol, and the recorded verdicts."""

from __future__ import annotations

import ast
import re

from princeps.model import registry
from princeps.papers.catalogue import find_papers
from princeps.papers.claims import Paper
from sitebuilder.places import SOURCE
from sitebuilder.writing import page, paragraphs, table, text

OTHERS = {"a_k": r"\bB_k\b", "b_k": r"\bA_k\b"}  # claims of their paper that name the other one alone
REPAIRED = re.compile(r"\bprinted\b")


def papers_of(name: str) -> list[Paper]:
    return [paper for paper in find_papers([]) if name in paper.protocols]


def claims_table(name: str, folder: str = "../papers") -> str:
    rows = []
    for paper in papers_of(name):
        for claim in paper:
            if name in OTHERS and re.search(OTHERS[name], claim.says) and not _names(claim.says, name):
                continue
            link = f'<a href="{folder}/{paper.id}.html#c-{claim.id}">{claim.id}</a>'
            rows.append([link, text(claim.says), claim.kind, f"**{claim.recorded}**"])
    return table(["claim", "what it says", "kind", "verdict"], rows)


def _names(says: str, name: str) -> bool:
    return name in says.lower()


def docstring(name: str) -> str:
    return ast.get_docstring(ast.parse((SOURCE / "protocols" / f"{name}.py").read_text())) or ""


def repairs(name: str) -> list[str]:
    """What the file of a protocol says about the printed text."""
    return [one for one in paragraphs(docstring(name)) if REPAIRED.search(one)]


def errata_page() -> str:
    """Everything that cannot be meant as printed, paper by paper."""
    parts = [
        "# Where papers cannot be meant as printed",
        "A protocol is run as its paper prints it wherever that is possible. Where it is not, the library runs the "
        "reading that the paper's prose and proofs ask for, and keeps the printed one (`-p printed=1`) if the difference "
        "is worth measuring. This page is made from the files of the library and of the papers' claims, which say so "
        "first.",
    ]
    for paper in find_papers([]):
        parts += [f"## {text(paper.title)}", f'{text(paper.source)}. <a href="papers/{paper.id}.html">All claims</a>.']
        parts.append("\n".join(f"- {text(sentence)}" for sentence in paper.errata))
        parts += [
            f"### {text(name)}: what its file says\n\n" + "\n\n".join(repairs(name))
            for name in paper.protocols
            if repairs(name)
        ]
    others = [name for name in registry.names() if not papers_of(name) and repairs(name)]
    if others:
        parts.append("## Protocols whose papers are not executed")
        parts += [f"### {text(name)}\n\n" + "\n\n".join(repairs(name)) for name in others]
    return page(*parts)

"""Finds papers and claims by what a user types: 003, 003.L9, ./mine_claims.py."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path

from princeps.errors import ProtocolError, UnknownName
from princeps.model.modules import module_of
from princeps.papers.claims import Paper

CATALOGUE = {
    "000": "princeps.papers.p_rl",
    "001": "princeps.papers.rings",
    "002": "princeps.papers.numbered",
    "003": "princeps.papers.p_ll",
    "004": "princeps.papers.p_pl",
}


def find_papers(words: Sequence[str | Paper]) -> list[Paper]:
    """Papers with the claims that are meant, or given themselves; without any word, all papers of the catalogue."""
    chosen: dict[str, Paper] = {}
    wanted: dict[str, list[str]] = {}
    for word in words or list(CATALOGUE):
        if isinstance(word, Paper):
            chosen[word.id], wanted[word.id] = _given(word), []
            continue
        if word.endswith(".py") or "/" in word:
            paper = _from_file(word)
            chosen[paper.id], wanted[paper.id] = paper, []
            continue
        id, _, claim = word.partition(".")
        if id not in CATALOGUE:
            raise UnknownName("paper", word, CATALOGUE)
        paper = _ours(id)
        chosen[id] = paper
        if not claim:
            wanted[id] = []
        elif wanted.get(id) != []:  # the whole paper is asked for already
            if word not in (one.id for one in paper):
                raise UnknownName("claim", word, [one.id for one in paper])
            wanted.setdefault(id, []).append(word)
    return [_only(paper, wanted[id]) for id, paper in chosen.items()]


def _only(paper: Paper, claims: Sequence[str]) -> Paper:
    if not claims:
        return paper
    return replace(paper, claims=[one for one in paper if one.id in claims], contents=(), exhibits=[])


def _ours(id: str) -> Paper:
    found: Paper = import_module(CATALOGUE[id]).paper
    return found


def _from_file(word: str) -> Paper:
    path = Path(word).expanduser().resolve()
    if not path.is_file():
        raise ProtocolError(f"there is no file {word!r}: give a Python file with `paper = Paper(...)` in it.")
    paper = getattr(module_of(path), "paper", None)
    if not isinstance(paper, Paper):
        raise ProtocolError("there is no `paper = Paper(...)` in this file.", word)
    return replace(_checked(paper, word), file=word)


def _given(paper: Paper) -> Paper:
    """One that was given itself: whether some file has it as well is not known."""
    reason = f"the paper {paper.id!r} was given itself; put it into a file, and give that"
    return replace(_checked(paper, None), no_command=reason)


def _checked(paper: Paper, file: str | None) -> Paper:
    if not paper.claims:
        raise ProtocolError("the paper in this file has no claims: declare them with @paper.claim(...).", file)
    if paper.id in CATALOGUE:
        raise ProtocolError(f"paper {paper.id!r} has the id of one of ours: choose another.", file)
    return paper

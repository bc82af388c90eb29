"""Why the engines are exact: the arguments with which their files begin, as one page."""

from __future__ import annotations

import ast

from sitebuilder.places import SOURCE
from sitebuilder.staging import Stage
from sitebuilder.writing import page, paragraphs

ENGINES = {  # file -> heading
    "reference": "The engine reference: the definition",
    "agents": "The engine agents: the same pairs, as machine code",
    "events": "The engine events: only what changes something",
    "events_kernel": "The engine events: the next interaction that changes something",
    "counts": "The engine counts: a whole batch at once",
    "choosing_counts": "The engine counts, for rules with coins or an oracle",
}
INTRODUCTION = """\
A run is defined by the engine `reference`: a plain Python loop that draws one ordered pair after the other and applies
the rule as its file states it. Every other engine must have the same law, not nearly the same: the steps of its first
hits are distributed as those of the loop, for every population size, and no result is rounded to a grid on which goals
are tested. `agents` even draws the same pairs from the same seed, so that its runs are equal, step for step.

The arguments below open the files of the engines. They are not taken on trust: [trust](trust.md) compares every engine
on every protocol with the exact law of the first hit, which the [exact analysis](small-populations.md) computes without
any engine."""


def write_why_exact(stage: Stage) -> None:
    parts = ["# Why the engines are exact", INTRODUCTION]
    for name, heading in ENGINES.items():
        path = SOURCE / "engines" / f"{name}.py"
        file = f"src/princeps/engines/{name}.py"
        stage.files.add(file)
        doc = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        parts += [f"## {heading}", *paragraphs(doc), f"From [{file}](files/{file}.md)."]
    stage.write("why-exact.md", page(*parts))

"""One page for each protocol and ring algorithm of the library, made from its file."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

from princeps.cli.show_verb import describe_population, describe_ring
from princeps.errors import PrincepsError
from princeps.model import registry
from princeps.model.options import RING
from sitebuilder.claims import claims_table, docstring, papers_of, repairs
from sitebuilder.measured import exact_section, growth_section
from sitebuilder.places import SOURCE
from sitebuilder.rules import as_html, rule_of
from sitebuilder.staging import Stage
from sitebuilder.stories import story_section
from sitebuilder.torn import torn_sentence
from sitebuilder.writing import code, page, paragraphs, raw, table, text

EXAMPLE = 1000  # parameters and domains are shown for this size
SIZES = (10, 100, 1_000, 10**6)


def write_protocol_pages(stage: Stage) -> list[str]:
    """The names of the pages: population protocols, then ring algorithms."""
    names = [*registry.names("population"), *registry.names(RING)]
    for name in names:
        stage.write(f"protocols/{name}.md", protocol_page(stage, name))
    return [f"protocols/{name}" for name in names]


def link_library(stage: Stage) -> None:
    """The tables of docs/library.md lead to the pages of the protocols that they name."""
    names = "|".join(registry.names())
    path = stage.folder / "library.md"
    lines = [
        re.sub(rf"`({names})`", r"[`\1`](protocols/\1.md)", line) if line.startswith("| `") else line
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def protocol_page(stage: Stage, name: str) -> str:
    cls: Any = registry.find_any(name)
    is_ring = registry.kind_of(cls) == RING
    file = f"src/princeps/protocols/{name}.py"
    stage.files.add(file)
    facts = describe_ring(cls) if is_ring else describe_population(cls(EXAMPLE))
    doc = [one for one in paragraphs(docstring(name)) if one not in repairs(name)]  # these have a section
    papers = "; ".join(f'<a href="../papers/{one.id}.html">{one.id}</a>' for one in papers_of(name))
    return page(
        f"# {text(name)}",
        f"**{text(facts['title'])}**",
        *doc,
        about(facts, papers, file, is_ring),
        story_section(stage, name),
        "## The rule",
        rule(name, cls, is_ring),
        "## Variables and messages" if is_ring else "## Fields and states",
        ring_variables(facts) if is_ring else fields(facts),
        "" if is_ring else state_counts(cls),
        parameters(facts),
        "" if is_ring else named("Starts", facts["starts"], facts["default_start"], "start"),
        "" if is_ring else named("Goals", facts["goals"], facts["default_goal"], "goal"),
        "" if is_ring else named("Predicates", facts["predicates"], "", "predicate"),
        "" if is_ring else named("Invariants", facts["invariants"], "", "invariant"),
        bounds(name) if is_ring else lemmas(cls),
        exact_section(name, is_ring),
        "" if is_ring else torn_sentence(name),
        growth_section(name),
        repaired(name),
        claims(name),
    )


def about(facts: dict[str, Any], papers: str, file: str, is_ring: bool) -> str:
    graph = facts["topology"] if facts["topology"] != "any" else "any, complete by default"
    rows = [
        ["paper", text(facts["paper"]) or "-"],
        ["ring" if is_ring else "graph", text(graph)],
        ["guarantee", text(facts["guarantee"])],
        ["try it", code(f"princeps run {facts['protocol']} -n {'8' if is_ring else '100'} --seed 1")],
        ["file", f"[{Path(file).name}](../files/{file}.md)"],
        *([["executed", f"claims of paper {papers}"]] if papers else []),
    ]
    return table(["", ""], rows)


def rule(name: str, cls: Any, is_ring: bool) -> str:
    html = rule_html(name, cls, is_ring)
    numbers = " The numbers at the left are the paper's lines." if "paper-line" in html else ""
    return page(f"As the file states it, with everything that it calls.{numbers}", raw(html)).strip()


def rule_html(name: str, cls: Any, is_ring: bool) -> str:
    source = (SOURCE / "protocols" / f"{name}.py").read_text(encoding="utf-8")
    return as_html(rule_of(source, [action.name for action in cls.actions] if is_ring else ["interact"]))


def fields(facts: dict[str, Any]) -> str:
    rows = [[code(name), "unbounded" if size is None else f"0..{size - 1:,}"] for name, size in facts["fields"].items()]
    return f"With the parameters of n = {EXAMPLE:,}:\n\n" + table(["field", "values"], rows)


def ring_variables(facts: dict[str, Any]) -> str:
    variables = [[code(name), text(domain)] for name, domain in facts["variables"].items()]
    messages = "Messages: " + ", ".join(code(one) for one in facts["messages"]) + "."
    actions = [[code(name), text(reading)] for name, reading in facts["actions"].items()]
    return page(table(["variable", "values"], variables), messages, table(["action", "when"], actions)).strip()


def bounds(name: str) -> str:
    """What the paper of a ring algorithm promises, as the file computes it."""
    tree = ast.parse((SOURCE / "protocols" / f"{name}.py").read_text(encoding="utf-8"))
    rows = [
        [text(ast.literal_eval(key)), code(ast.unparse(value.body))]
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
        and ast.unparse(node.targets[0]) == "bounds"
        and isinstance(node.value, ast.Dict)
        for key, value in zip(node.value.keys, node.value.values, strict=True)
        if key is not None and isinstance(value, ast.Lambda)
    ]
    return (
        page("## Bounds of its paper", table(["at most", "of a ring and the parameters c"], rows)).strip()
        if rows
        else ""
    )


def lemmas(cls: Any) -> str:
    rows = [[code(name), text(lemma.says)] for name, lemma in cls.lemmas.items()]
    if not rows:
        return ""
    return page(
        "## Lemmas",
        f"What its file states, which `princeps exact {cls.name} -n 3 --lemmas` proves or refutes over all configurations.",
        table(["lemma", "what it says"], rows),
    ).strip()


def state_counts(cls: Any) -> str:
    """How many states an agent may be in, with the default parameters of several sizes."""
    rows = []
    for n in SIZES:
        try:
            count = cls(n).state_count
        except PrincepsError:
            continue
        rows.append([f"{n:,}", "unbounded" if count is None else f"{count:,}"])
    return table(["n", "states"], rows)


def parameters(facts: dict[str, Any]) -> str:
    rows = [
        [code(name), text(one["range"]), text(one["default"]), text(one["doc"])]
        for name, one in facts["params"].items()
    ]
    constants = [[code(name), f"{value:,}"] for name, value in facts.get("constants", {}).items()]
    if not rows and not constants:
        return ""
    derived = f"Derived from them, at n = {EXAMPLE:,}:" if constants else ""
    return page(
        "## Parameters",
        table(["parameter", "values", "default", "meaning"], rows),
        derived,
        table(["constant", "value"], constants),
    ).strip()


def named(title: str, items: dict[str, str], default: str, column: str) -> str:
    rows = [[code(name) + (" (default)" if name == default else ""), text(doc)] for name, doc in items.items()]
    return page(f"## {title}", table([column, "meaning"], rows)).strip() if rows else ""


def repaired(name: str) -> str:
    sentences = [text(one) for paper in papers_of(name) for one in paper.errata]
    if not sentences and not repairs(name):
        return ""
    return page(
        "## How the printed text is read",
        *repairs(name),
        "\n".join(f"- {one}" for one in sentences),
        "All of them: [errata](../errata.md).",
    ).strip()


def claims(name: str) -> str:
    found = claims_table(name)
    if not found:
        return ""
    return page(
        "## Claims of its paper",
        "The recorded verdicts, which `princeps paper` repeats. Kinds of evidence: X exact or exhaustive at small n, "
        "S by simulation, P asserted on every step of runs, C by counting.",
        found,
    ).strip()

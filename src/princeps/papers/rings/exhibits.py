"""The paper's page: time and messages beside their bounds, how tight these are, and what a too small k does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from princeps.papers.exhibits import Chart, Line, Table
from princeps.papers.judging import number
from princeps.papers.laboratory import Lab
from princeps.papers.rings.asking import MAX_K, OUTSIDE, RUN, costs_of, outside_of, random_cases, random_rings
from princeps.papers.rings.bounds import BOUNDS, EXACT, SHARP, WORDS, shares
from princeps.papers.rings.elections import one_too_many
from princeps.papers.rings.limits import impossibilities
from princeps.papers.rings.paper import paper
from princeps.papers.rings.surveys import RING_COSTS, Case, added, extremes, tallied

TITLES = {"a_k": "A_k", "b_k": "B_k"}


def chart(lab: Lab, name: str, what: str, power: int, bound: str) -> Chart:
    """Divided by n^power: what is claimed to grow so is flat."""
    drawn = list(zip(random_cases(lab, name), random_rings(lab, name).parts, strict=True))
    sizes, ks = sorted({n for (_, n, _), _ in drawn}), sorted({k for (_, _, k), _ in drawn})
    lines = []
    for k in ks:
        limit = [BOUNDS[name][what](n, k, 1) / n**power for n in sizes]
        lines.append(Line(f"bound, k = {k}", sizes, limit, style="dashed"))
        for kind in ("distinct", "homonyms") if k > 1 else ("distinct",):
            own = [(n, answer[what]) for (x, n, c), answer in drawn if (x, c) == (kind, k)]
            lines.append(
                Line(
                    f"{kind}, k = {k}",
                    [n for n, _ in own],
                    [sum(values) / len(values) / n**power for n, values in own],
                    [min(values) / n**power for n, values in own],
                    [max(values) / n**power for n, values in own],
                )
            )
    rings = len(drawn[0][1]["time"])
    unit = "n" if power == 1 else f"n^{power}"
    far = ", ".join(f"{number(line.y[-1])} {unit} for {line.label}" for line in lines if "homonyms" in line.label)
    command = f"princeps run {name} --random n=96,labels=48,max=2 -p k=2 --trials {rings}"
    caption = (
        f"Mean, smallest and largest of {rings} random rings: distinct labels in random order, and homonyms, every label "
        f"k times. Dashed: {bound}. Ours: {_distinct(name, what, drawn)}and at n = {sizes[-1]} {far}. {command}"
    )
    title = f"{TITLES[name]}: {WORDS[what]} beside the bound"
    return Chart(title, caption, "n", f"{WORDS[what]} / {unit}", lines, log_x=True)


def _distinct(name: str, what: str, drawn: Sequence[tuple[Case, Mapping[str, Any]]]) -> str:
    """The closed form, as far as these rings bear it out."""
    text, form = SHARP[name, what]
    found = [(v, form(n, k, 1)) for (kind, n, k), answer in drawn if kind == "distinct" for v in answer[what]]
    if all(value == wanted for value, wanted in found):
        return f"distinct labels take exactly {text}, "
    return f"distinct labels take at most {text}, " if all(value <= wanted for value, wanted in found) else ""


@paper.exhibit
def a_k_time(lab: Lab) -> Chart:
    return chart(lab, "a_k", "time", 1, "Theorem 2's (2k+2)n")


@paper.exhibit
def a_k_messages(lab: Lab) -> Chart:
    return chart(lab, "a_k", "messages", 2, "Theorem 2's n^2(2k+1)")


@paper.exhibit
def b_k_time(lab: Lab) -> Chart:
    return chart(lab, "b_k", "time", 2, "(k+1)^2 n^2, the proof of Theorem 4 at its word")


@paper.exhibit
def b_k_messages(lab: Lab) -> Chart:
    return chart(lab, "b_k", "messages", 2, "(k+1)^2 n^2, the proof of Theorem 4 at its word")


@paper.exhibit
def tightness(lab: Lab) -> Table:
    asked = {name: costs_of(lab, name) for name in BOUNDS}
    rows = []
    for name, found in asked.items():
        worst, sums = extremes(found.parts), added(found.parts)
        for what in RING_COSTS:
            for k in sorted({k for _, k, _ in worst}):
                mine = {key: entry for key, entry in worst.items() if key[1] == k}
                share, n, _, cost, limit, ring = shares(mine, what, BOUNDS[name][what])[0]
                formula = f"{sums['cases'] - sums[f'other_{what}']:,} of {sums['cases']:,}"
                texts = (f"{k}", f"{n}", ring, f"{cost:,}", number(limit), f"{share:.1%}", formula)
                rows.append((TITLES[name], WORDS[what], *texts))
    most = max(lab.pick(*RUN))
    caption = (
        f"The ring that comes nearest to the paper's bound, of all asymmetric rings with n <= {most} and k <= {MAX_K}, and "
        f"on how many of them the exact formula holds: A_k {EXACT['a_k', 'time']}, {EXACT['a_k', 'messages']} and "
        f"{EXACT['a_k', 'max_bits']}; B_k {EXACT['b_k', 'time']}, {EXACT['b_k', 'messages']} and "
        f"{EXACT['b_k', 'max_bits']}. {asked['a_k'].command}"
    )
    columns = ("algorithm", "what", "k", "n", "ring", "measured", "bound", "share", "formula exact on")
    return Table("How tight the bounds are", caption, columns, rows, ours=True)


@paper.exhibit
def too_frequent(lab: Lab) -> Table:
    asked = {name: outside_of(lab, name) for name in BOUNDS}
    tallies = {name: tallied(found.parts) for name, found in asked.items()}
    rows = [
        (TITLES[name], f"{k}", f"{k + excess}", f"{rings:,}", f"{right:,}", f"{right / rings:.1%}")
        for name, tally in tallies.items()
        for (k, excess), (rings, right) in sorted(tally.items())
    ]
    most = max(lab.pick(*OUTSIDE))
    caption = (
        f"All rings with n <= {most} on which some label occurs more often than k allows, and on how many of them the true "
        f"leader is elected all the same. {'; '.join(one_too_many(name, tally, most) for name, tally in tallies.items())}. "
        f"princeps run b_k --labels 1,1,1,2 -p k=2 --force"
    )
    columns = ("algorithm", "k", "multiplicity", "rings", "elected", "share")
    return Table("What a too small k does", caption, columns, rows, ours=True)


@paper.exhibit
def two_leaders(lab: Lab) -> Table:
    asked = impossibilities(lab)
    rows = []
    for name, found in asked.items():
        for row in found.parts:
            if not row["breach"]:
                k = "-" if row["k"] is None else f"{row['k']}"
                numbers = (row[key] for key in ("n", "steps", "copies", "large", "leaders", "same"))
                rows.append((name, k, *(f"{value:,}" for value in numbers)))
    caption = (
        "n distinct labels, repeated and followed by one more, on which an algorithm that trusts its k, or that all labels "
        "are distinct, elects two or more. princeps impossible a_k -n 3 -p k=2"
    )
    columns = ("algorithm", "k", "n", "steps on n labels", "copies", "large ring", "leaders", "states found equal")
    return Table("Lemma 1's ring", caption, columns, rows)

"""Claims about all configurations of P_RL: the lemmas that its file states, over every size that fits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from typing import Any

from princeps.model import registry
from princeps.papers.claims import Planted, ProvedBy
from princeps.papers.judging import exhaustive, number
from princeps.papers.laboratory import Lab
from princeps.papers.measures import exact_command, exactly
from princeps.papers.p_rl.paper import paper
from princeps.papers.verdicts import PROVED, SUPPORTED, VIOLATED, Outcome, Part, together

SMALL = [(2, 2), (2, 3), (3, 3)]
QUICK = [(2, 2), (2, 3), (2, 4), (2, 5), (3, 3), (3, 4), (3, 5)]
FULL = [*QUICK, (4, 4), (4, 5)]


def analysed(lab: Lab, sketch: Sequence[tuple[int, int]] = SMALL) -> list[tuple[int, int, dict[str, Any]]]:
    """n, N and what the exact analysis says of every lemma there."""
    pairs = lab.pick(QUICK, FULL, sketch)
    sizes = [(n, {"N": N}) for n, N in pairs]
    found = lab.measure(exactly, parts=len(sizes), protocol="p_rl", sizes=sizes, target="s_rl", lemmas=True)
    return [(n, N, report) for (n, N), report in zip(pairs, found.parts, strict=True)]


def lemma(lab: Lab, key: str, sketch: Sequence[tuple[int, int]] = SMALL) -> list[Part]:
    """Proved at all sizes, or refuted at one of them. Of an order (O of something) the multiples are told."""
    found = []
    for n, N, report in analysed(lab, sketch):
        one = next(item for item in report["lemmas"] if item["id"] == key)
        found.append((n, N, report, one))
    refuted = [(n, N, one) for n, N, _, one in found if one["verdict"] == "refuted"]
    cases = sum(int(report["configurations"]) for _, _, report, _ in found)
    sizes = ", ".join(f"({n},{N})" for n, N, _, _ in found)
    commands = tuple(exact_command("p_rl", n, {"N": N}, "--lemmas") for n, N, _, _ in found[-1:])
    if refuted:
        n, N, one = refuted[0]
        return [Part(VIOLATED, f"refuted at n = {n}, N = {N}: {one['detail']}", 1, 0, f"{cases:,} configurations")]
    measured = [(n, N, one) for n, N, _, one in found if one["measured"] is not None]
    says = f"(n,N) = {sizes}"
    if not measured:
        return [exhaustive(0, cases, says, commands=commands)]
    ratios = [(one["measured"] / one["bound"], n, N) for n, N, one in measured if one["bound"]]
    worst, n, N = max(ratios)
    verdict = PROVED if all(one["verdict"] == "proved" for *_, one in found) else SUPPORTED
    text = f"worst start at most {number(worst)} of the bound, at (n,N) = ({n},{N}), over {says}"
    return [
        Part(
            verdict,
            text,
            worst,
            1 if verdict == PROVED else "a constant",
            f"{cases:,} configurations",
            commands=commands,
        )
    ]


def worst_within(
    lab: Lab, key: str, factor: float, bound: str, sketch: Sequence[tuple[int, int]] = SMALL
) -> tuple[Part, str]:
    """The exact worst start is within a constant times the order of the lemma, at all sizes; and the multiples."""
    found = [
        (n, N, int(report["configurations"]), next(item for item in report["lemmas"] if item["id"] == key))
        for n, N, report in analysed(lab, sketch)
    ]
    ratios = [(item["measured"] / item["bound"] if item["verdict"] == "measured" else inf) for *_, item in found]
    cases = f"{sum(cases for _, _, cases, _ in found):,} configurations"
    worst = max(ratios)
    n, N, _, item = found[ratios.index(worst)]
    commands = (exact_command("p_rl", n, {"N": N}, "--lemmas"),)
    says = (
        f"all configurations of {len(found)} sizes, exactly: the worst start takes at most {number(worst)} of the order"
    )
    says += f", at (n,N) = ({n},{N}), and the bound is {bound}"
    if worst > factor:
        more = f": {item['detail']}" if worst == inf else ""
        return Part(VIOLATED, f"{says}{more}", worst, factor, cases, commands=commands), ""
    text = ", ".join(f"{number(ratio)} at ({n},{N})" for (n, N, *_), ratio in zip(found, ratios, strict=True))
    return Part(PROVED, says, worst, factor, cases, commands=commands), text


def unshielded(says: str = "a leader that fires a live bullet stays unshielded (line 7)") -> Planted:
    edit = ("p_rl", "l.bullet, l.shield, l.signal = LIVE, 1, 0", "l.bullet, l.shield, l.signal = LIVE, 0, 0")
    return Planted(says, edit)


@paper.claim(
    "000.T1a",
    "self-stabilizing on every ring of n <= N agents: a safe configuration is reachable from every configuration",
    kind="X",
    recorded=PROVED,
    planted=Planted("nobody becomes a leader (line 3)", ("p_rl", "if r.distL == p.N:", "if r.distL > p.N:")),
)
def self_stabilizing(lab: Lab) -> Outcome:
    parts = lemma(lab, "000.T1a")
    if lab.effort == "full":
        report = lab.measure(exactly, protocol="p_rl", sizes=[(5, {"N": 5})], target="safe").only
        command = exact_command("p_rl", 5, {"N": 5}, "--target safe")
        cases = int(report["configurations"])
        parts.append(exhaustive(int(not report["reachable"]), cases, "(n,N) = (5,5)", commands=(command,)))
    return together(parts)


@paper.claim(
    "000.T1c",
    "O(N) states",
    kind="C",
    recorded=PROVED,
    planted=Planted(
        "distL counts to N squared",
        ("p_rl", "distL = Range(lambda p: p.N + 1)", "distL = Range(lambda p: p.N * p.N + 1)"),
    ),
)
def states(lab: Lab) -> Outcome:
    counts = lab.measure(counted_states, protocol="p_rl", bounds=[*range(2, 200), 10**3, 10**6]).only
    wrong = [(N, count) for N, count in counts if count != 24 * (N + 1)]
    breach = f"{wrong[0][1]} states at N = {wrong[0][0]}" if wrong else ""
    part = exhaustive(len(wrong), len(counts), "exactly 24(N + 1) states", "values of N", breach=breach)
    return together([part], [] if wrong else ["the number of states is exactly 24(N + 1)"])


def counted_states(part: int, seed: int, *, protocol: str, bounds: list[int]) -> list[tuple[int, int | None]]:
    cls: Any = registry.find(protocol)
    return [(N, cls(N=N).state_count) for N in bounds]


@paper.claim(
    "000.L6",
    "C_NI is closed",
    kind="X",
    recorded=PROVED,
    proved_by=ProvedBy("p_rl", "000.L6", without=PROVED),
    planted=unshielded(),
)
def no_insecurity(lab: Lab) -> Outcome:
    return together(lemma(lab, "000.L6"))


@paper.claim(
    "000.L8",
    "S_RL is closed and safe",
    kind="X",
    recorded=PROVED,
    proved_by=ProvedBy("p_rl", "000.L8", "safe", without=PROVED),
    planted=unshielded(),
)
def safe_set(lab: Lab) -> Outcome:
    shares = [(n, _share(report)) for n, N, report in analysed(lab) if n == N]
    text = ", ".join(f"{share} at n = N = {n}" for n, share in shares if share)
    return together(lemma(lab, "000.L8"), [f"S_RL is only a part of the largest safe set: {text}"] if text else [])


def _share(report: Mapping[str, Any]) -> str:
    detail = next(item for item in report["lemmas"] if item["id"] == "000.L8")["detail"]
    return detail.partition(", ")[2].partition(" of ")[0] if " of the largest" in detail else ""

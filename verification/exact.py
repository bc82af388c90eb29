"""Small populations without error bars, each number found a second way: `make exact` writes docs/exact.md.

`--quick` takes two minutes and writes nothing.
"""

from __future__ import annotations

import argparse
import sys
from fractions import Fraction
from math import isfinite
from pathlib import Path

from exact_checks import RANKING, SILENT, exact, second_program, simulation
from journal import Journal

import princeps
from princeps import __version__
from princeps.model.formatting import fraction_text

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
SHORT_CLOCK = f"{ROOT / 'verification' / 'short_clock.py'}:ShortClock"

PREFACE = """# Small populations, exactly

What `princeps exact` finds, and every number found a second way: by a direct solve of the exported files with a program
that shares no code with it, by Storm where it is installed, by simulation with the fast engines. Repeat it with
`make exact`. princeps {version}; everything is determined by seeds.

How it works: agent states that no execution can tell apart are merged (the coarsest congruence of delta that respects
outputs and whatever the target reads), configurations that the graph cannot tell apart are listed once, and all counts and
means are weighted back to the original space. Times are solved component by component, and certified: with f the computed
times and g(x) = f(x) - E[f after one step], which should be 1, the true time of every configuration lies between f / max g
and f / min g, all roundings taken outwards. `--rational` solves the same equations in exact fractions.

"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="smaller sizes, nothing is written")
    parser.add_argument("--trials", type=int, default=20_000, help="runs of each comparison with simulation")
    arguments = parser.parse_args()
    quick, journal = arguments.quick, Journal()
    rings(journal, quick)
    lemmas(journal, quick)
    literature(journal, quick)
    clock(journal, quick)
    holding(journal)
    closed_forms(journal, quick)
    second_program(journal)
    simulation(journal, arguments.trials)
    if not quick:
        text = PREFACE.format(version=__version__) + "\n".join(s.markdown() for s in journal.sections)
        (DOCS / "exact.md").write_text(text, encoding="utf-8")
    print(f"\n{journal.failures} checks failed")
    return 1 if journal.failures else 0


def short(fraction: Fraction | None, value: float) -> str:
    text = "" if fraction is None else fraction_text(fraction)
    return text if text and len(text) <= 30 else f"{value:.10g}"


def rings(journal: Journal, quick: bool) -> None:
    sizes = [(n, N) for n in (2, 3, 4) for N in range(n, 6) if not quick or n < 4] + ([] if quick else [(5, 5)])
    journal.section(
        "P_RL on every ring that fits",
        "`princeps exact p_rl -n 4 -p N=4`, with `--rational` up to n = 3, and `--target s_rl` for the paper's set. "
        "Expected steps to the largest safe set; the mean is over all configurations.",
        (
            "n, N",
            "configurations",
            "listed",
            "safe",
            "S_RL",
            "S_RL / safe",
            "worst",
            "mean",
            "worst to S_RL",
            "certified to",
        ),
    )
    proved = closed = contained = True
    for n, N in sizes:
        safe = princeps.exact("p_rl", n, N=N, rational=n <= 3)
        paper = None if n == 5 else princeps.exact("p_rl", n, N=N, target="s_rl")
        proved &= safe.reachable
        width = (safe.worst_interval[1] - safe.worst_interval[0]) / safe.worst
        if paper is not None:
            closed &= bool(paper.target_closed)
            contained &= bool(paper.target_safe)
        journal.row(
            f"{n}, {N}",
            f"{safe.configurations:,}",
            f"{safe.reduced:,}",
            f"{safe.target_size:,}",
            "-" if paper is None else f"{paper.target_size:,}",
            "-" if paper is None else f"{paper.target_size / safe.target_size:.4f}",
            short(safe.worst_exact, safe.worst),
            short(safe.mean_exact, safe.mean),
            "-" if paper is None else f"{paper.worst:.10g}",
            f"{width:.0e}",
        )
        if (n, N) == (2, 2):
            journal.check(
                (safe.worst_exact, safe.mean_exact) == (Fraction(6), Fraction(3409, 1728)),
                "(2,2): worst 6, mean 3409/1728",
            )
        if (n, N) == (2, 3):
            journal.check(
                (safe.worst_exact, safe.mean_exact) == (Fraction(8), Fraction(227, 96)), "(2,3): worst 8, mean 227/96"
            )
    journal.check(
        proved, "self-stabilization (a safe configuration is reachable from every configuration) at all these sizes"
    )
    journal.check(closed and contained, "S_RL is closed and safe at all sizes where it was asked")


def lemmas(journal: Journal, quick: bool) -> None:
    journal.section(
        "The lemmas of P_RL over all configurations",
        "`princeps exact p_rl -n 3 -p N=3 --lemmas`. An order (O of something) is measured: the worst start, as a multiple.",
        ("n, N", "claim", "verdict", "what was found"),
    )
    for n, N in [(2, 2), (2, 4), (3, 3), (3, 4)] + ([] if quick else [(4, 4)]):
        found = princeps.exact("p_rl", n, N=N, lemmas=True)
        proved = found.lemmas or []
        for one in proved:
            journal.row(f"{n}, {N}", one.id, one.verdict, f"{one.says}: {one.detail}")
        journal.check(
            bool(proved) and all(one.verdict != "refuted" for one in proved), f"({n},{N}): no lemma is refuted"
        )


def literature(journal: Journal, quick: bool) -> None:
    journal.section(
        "Two silent self-stabilizing rankings",
        "`princeps exact silent_ranking -n 5 --rational` (Cai, Izumi, Wada 2012) and "
        "`princeps exact optimal_silent -n 3 -p r_max=1 -p d_max=1 -p e_max=1` (Burman, Chen, "
        "Chen, Doty, Nowak, Severson, Xu 2021). Expected steps to the largest safe set, and whether the set that the "
        "file names is smaller.",
        ("protocol", "n", "constants", "configurations", "safe", "ranked", "worst", "mean"),
    )
    cases: list[tuple[str, int, dict[str, int]]] = [(RANKING, n, {}) for n in range(2, 6 if quick else 9)]
    cases += [
        (SILENT, n, {"r_max": r, "d_max": d, "e_max": e})
        for n, r, d, e in [(2, 1, 1, 1), (3, 1, 1, 1), (3, 2, 2, 2), (3, 2, 4, 8), (4, 1, 1, 1), (4, 2, 4, 8)]
        + ([] if quick else [(5, 2, 4, 8), (5, 3, 10, 20)])
    ]
    proved = True
    for name, n, params in cases:
        small = (n <= 5 and name == RANKING) or n <= 3
        safe = exact(name, n, rational=small, **params)
        ranked = exact(name, n, target="ranked", **params)
        proved &= safe.reachable and ranked.reachable
        journal.row(
            safe.protocol,
            n,
            ", ".join(f"{key} {value}" for key, value in params.items()) or "-",
            f"{safe.configurations:,}",
            f"{safe.target_size:,}",
            f"{ranked.target_size:,}",
            short(safe.worst_exact, safe.worst),
            short(safe.mean_exact, safe.mean),
        )
    journal.check(proved, "both are self-stabilizing at all these sizes")


def clock(journal: Journal, quick: bool) -> None:
    journal.section(
        "P_LL's Tournament as printed and as repaired",
        "`princeps exact verification/short_clock.py:ShortClock -n 5 -p cap=12 -p printed=1 --target 'some:epoch == 3' "
        "--leaders`: the probability that somebody enters epoch 3 while several lead. The paper's clock, c_max = 41 m, "
        "has too many configurations at n = 5; c_max is smaller here. With n = 4 there is no follower among the "
        "candidates who could relay a nonce, so that the two readings agree; with n = 5 they part.",
        ("n", "c_max", "configurations", "several leaders, printed", "repaired", "printed / repaired"),
    )
    worse = []
    for n, cap in [(4, 6), (4, 12), (5, 6), (5, 9)] + ([] if quick else [(5, 12), (5, 16), (6, 6)]):
        found = [
            exact(SHORT_CLOCK, n, cap=cap, printed=printed, target="some:epoch == 3", leaders=True)
            for printed in (1, 0)
        ]
        several = [sum(p for k, (p, _) in (one.leaders_at_target or {}).items() if k > 1) for one in found]
        worse.append((n, several[0] / several[1]))
        size = f"{found[1].configurations:,}"
        journal.row(n, cap, size, f"{several[0]:.8f}", f"{several[1]:.8f}", f"{several[0] / several[1]:.4f}")
    journal.check(all(abs(ratio - 1) < 1e-6 for n, ratio in worse if n == 4), "n = 4: no difference")
    journal.check(all(ratio > 1.05 for n, ratio in worse if n > 4), "n > 4: the printed Tournament leaves more leaders")


def holding(journal: Journal) -> None:
    journal.section(
        "How long loosely-stabilizing protocols hold their leader",
        "`princeps exact timer -n 4 -p t_max=8 --hold`: expected steps until the unique leader is lost, the shortest over "
        "all configurations of the target and the mean over them. The constants are scaled down.",
        ("protocol", "n", "constants", "target", "shortest", "mean"),
    )
    cases: list[tuple[str, int, dict[str, int]]] = [
        ("timer", n, {"t_max": t}) for n in (3, 4, 5) for t in (2, 4, 8, 16)
    ]
    cases += [("p_pl", n, {"N": 3, "virus_factor": 1, "emit_factor": 1}) for n in (2, 3)]
    longer = True
    last: tuple[str, int, float] | None = None
    for name, n, params in cases:
        found = exact(name, n, hold=True, **params)
        held = found.holding
        assert held is not None
        journal.row(
            name,
            n,
            ", ".join(f"{key} {value}" for key, value in params.items()),
            found.target,
            f"{held.shortest:.10g}" if isfinite(held.shortest) else "infinite",
            f"{held.mean:.10g}" if isfinite(held.mean) else "infinite",
        )
        if name == "timer" and last is not None and last[:2] == (name, n):
            longer &= held.mean > last[2]
        last = (name, n, held.mean)
    journal.check(longer, "a longer timer holds its leader longer")


def closed_forms(journal: Journal, quick: bool) -> None:
    n = 1000 if quick else 10_000
    journal.section(
        "Closed forms",
        f"`princeps exact fratricide -n {n} --rational`, `princeps exact epidemic -n {n} --rational`.",
        ("protocol", "n", "expected steps", "seconds"),
    )
    for name, truth in (
        ("fratricide", Fraction((n - 1) ** 2)),
        ("epidemic", (n - 1) * sum((Fraction(1, k) for k in range(1, n)), Fraction())),
    ):
        found = exact(name, n, rational=True)
        journal.row(name, n, short(found.mean_exact, found.mean), f"{found.seconds:.1f}")
        formula = "(n-1)^2" if name == "fratricide" else "(n-1) H(n-1)"
        journal.check(found.mean_exact == truth, f"{name}: {formula} as a fraction")


if __name__ == "__main__":
    sys.exit(main())

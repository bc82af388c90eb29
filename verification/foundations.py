"""Measure what the library claims: `make verify`, or with --quick a first impression in about a minute.

Every number is determined by fixed seeds. The full run also writes docs/verification.md and its figures.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from elections import Growth, Sizes, exact_times, numbered, p_ll, p_ll_symmetric, p_rl
from journal import Journal
from measure import JOBS, SEED, Mean
from safe_sets import GOALS, Finding, examine_all, examine_merged

from princeps import __version__

DOCS = Path(__file__).resolve().parent.parent / "docs"

PREFACE = """# Verification

What the library's protocols must do, measured. Repeat it with `make verify` (some minutes on two cores), or in about a
minute with fewer runs: `python verification/foundations.py --quick`, which writes nothing.

princeps {version}, engine `agents`, seed {seed}, trials numbered from 0: the numbers are determined by the seed and do
not depend on the machine. One run of a table is repeated by `princeps run PROTOCOL -n N --seed {seed} --trial I`, with the
parameters that the table names. "Standard error" is that of the mean, from the spread of the trials.

"""


@dataclass(frozen=True)
class Plan:
    """Sizes with their trials, and how sharp the slope test can be with them."""

    repaired: Sizes
    printed: Sizes
    symmetric: Sizes
    rings: Sizes
    exact: Sizes
    numbered_trials: int
    all_configurations: tuple[tuple[int, int], ...]
    merged_configurations: tuple[tuple[int, int], ...]
    both_judges: bool


QUICK = Plan(
    repaired={1 << 6: 250, 1 << 13: 250},
    printed={1 << 6: 250, 1 << 13: 250},
    symmetric={1 << 6: 120, 1 << 12: 80},
    rings={25: 60, 100: 60, 200: 40},
    exact={100: 200},
    numbered_trials=200,
    all_configurations=((2, 2), (2, 3), (3, 3)),
    merged_configurations=((4, 4),),
    both_judges=False,
)

FULL = Plan(
    repaired={1 << k: 800 if k <= 10 else 500 if k <= 13 else 300 for k in range(6, 17)},
    printed={1 << k: 400 if k <= 10 else 250 if k <= 13 else 150 for k in range(6, 17)},
    symmetric={1 << 6: 600, 1 << 8: 600, 1 << 10: 600, 1 << 12: 400, 1 << 14: 300},
    rings={25: 500, 50: 500, 100: 400, 200: 300, 400: 150},
    exact={10: 500, 100: 1000, 1000: 500},
    numbered_trials=2000,
    all_configurations=((2, 2), (2, 3), (2, 4), (2, 5), (3, 3), (3, 4)),
    merged_configurations=((3, 3), (4, 4), (4, 5), (4, 6), (5, 5)),
    both_judges=True,
)


def safe_sets(journal: Journal, plan: Plan) -> None:
    journal.section(
        "P_RL: the largest safe set, by brute force",
        "For each n and N all configurations with one leader are reduced to the largest set that no interaction leaves and "
        "in which the leader never changes (a greatest fixed point, computed from the rule alone). The goal `safe` states "
        "this set in closed form, and must accept exactly its members; the paper's S_RL (`s_rl`) is smaller. The last "
        "column leaves out what is only a matter of the leader's own distL, which S_RL asks to be 0 and nothing ever "
        'reads. "All": every configuration is enumerated, whatever its number of leaders. "Merged": states that differ only '
        "in a leader's distL or a follower's shield are taken as one, which is checked to commute with the rule; the "
        "counts are still those of unmerged configurations.",
        ("n", "N", "states", "one leader", "safe", "s_rl", "safe, not s_rl", "... distL 0"),
    )
    findings: list[Finding] = []
    jobs = [(n, N, "all") for n, N in plan.all_configurations]
    jobs += [(n, N, "merged") for n, N in plan.merged_configurations]
    for n, N, kind in jobs:
        both = plan.both_judges and n == N
        finding = examine_all(n, N, both) if kind == "all" else examine_merged(n, N)
        findings.append(finding)
        counts = (finding.one_leader, finding.safe, finding.s_rl, finding.outside, finding.outside_dist_0)
        journal.row(n, N, kind, *(f"{count:,}".replace(",", " ") for count in counts))
    rings = sorted({(finding.n, finding.N) for finding in findings})
    sizes = ", ".join(f"({n}, {N})" for n, N in rings)
    wrong = sum(finding.mismatches for finding in findings)
    journal.check(wrong == 0, f"`safe` is the largest safe set: {wrong} differences; (n, N) = {sizes}")
    journal.check(
        all(finding.stray == 0 and finding.outside_dist_0 > 0 for finding in findings),
        f"`s_rl` is a strict subset of it everywhere: {sum(finding.stray for finding in findings)} members are not safe",
    )
    tested = [finding for finding in findings if finding.leaks]
    largest = max(finding.n for finding in tested)
    for goal in GOALS:
        leaks = sum(finding.leaks[goal] for finding in tested)
        journal.check(
            leaks == 0, f"`{goal}` is closed: {leaks} interactions lead out of it, in rings up to n = {largest}"
        )
    errors = sum(finding.merge_errors for finding in findings)
    journal.check(errors == 0, f"merging states commutes with the rule: {errors} exceptions")
    counts_found = {(f.n, f.N, f.one_leader, f.safe, f.s_rl, f.outside, f.outside_dist_0) for f in findings}
    if len(rings) < len(findings):
        same = len(counts_found) == len(rings)
        journal.check(same, "merged and unmerged states give the same counts where both were enumerated")
    judged = [finding.disagreements for finding in findings if finding.disagreements is not None]
    if judged:
        journal.check(sum(judged) == 0, f"goals in plain Python and compiled agree: {sum(judged)} differences")


def write(journal: Journal, growth: Growth, symmetric: dict[int, Mean], rings: dict[int, Mean]) -> None:
    from figures import p_ll_growth, p_rl_steps

    (DOCS / "figures").mkdir(parents=True, exist_ok=True)
    p_ll_growth(DOCS / "figures", growth, symmetric)
    p_rl_steps(DOCS / "figures", rings)
    page = PREFACE.format(version=__version__, seed=SEED)
    page += "\n".join(section.markdown() for section in journal.sections)
    (DOCS / "verification.md").write_text(page, encoding="utf-8")
    print("\nwritten: docs/verification.md, docs/figures/", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer runs, about a minute; writes nothing")
    parser.add_argument("--write", action="store_true", help="write the page and the figures with --quick, too")
    arguments = parser.parse_args()
    plan = QUICK if arguments.quick else FULL
    began = time.monotonic()
    print(f"princeps {__version__}, seed {SEED}, {JOBS} worker processes", flush=True)
    journal = Journal()
    growth = p_ll(journal, plan.repaired, plan.printed)
    journal.sections[-1].figure = ("p_ll_growth.svg", "P_LL: mean parallel time / lg n against n, repaired and printed")
    symmetric = p_ll_symmetric(journal, plan.symmetric)
    numbered(journal, 1000, plan.numbered_trials)
    rings = p_rl(journal, plan.rings)
    journal.sections[-1].figure = ("p_rl_steps.svg", "P_RL: mean steps / n^2 against n")
    exact_times(journal, plan.exact)
    safe_sets(journal, plan)
    if arguments.write or not arguments.quick:
        write(journal, growth, symmetric, rings)
    total = sum(len(section.checks) for section in journal.sections)
    print(f"\n{total - journal.failures} of {total} checks OK, {time.monotonic() - began:.0f} s")
    return 1 if journal.failures else 0


if __name__ == "__main__":
    sys.exit(main())

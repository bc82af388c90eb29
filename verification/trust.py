"""Do all engines obey the scheduler's law? `make trust`, or with --quick a first impression from fewer runs.

Every number is determined by fixed seeds. The full run writes docs/trust.md and its figure.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from dataclasses import replace
from math import sqrt
from pathlib import Path
from typing import Any

from laws import Verdict, hits_against_law
from scipy.special import digamma, polygamma, zeta
from scipy.stats import norm
from trust_cells import (
    CONFIGURATION_TRIALS,
    CONFIGURATIONS,
    ENGINES,
    EVENTS_WAYS,
    GRAPHS,
    HIT_BY_WRONG,
    LARGER,
    MEANS,
    ON_GRAPHS,
    PROTOCOLS,
    STEPS_OF_WRONG,
    STOPS,
    law_of,
)
from trust_samples import FAMILY, Verdicts
from ways import ELSEWHERE, WRONG, Cell, listing, skipped

from princeps import __version__, library

DOCS = Path(__file__).resolve().parent.parent / "docs"
FARTHEST = 6.0  # standard errors that a mean may be off
PREFACE = """# Trust

`reference` is the definition: plain Python, one uniformly random ordered pair after the other. `agents` draws the same
pairs from the same seed. `events` and `counts` skip what changes nothing or draw many interactions at once; they claim
the same law. Here the claim is tested: repeat it with `make trust` (some six minutes on two cores).

princeps {version}. Each sample has its own seed, the CRC-32 of what it is (verification/ways.py), and trials numbered
from 0: the numbers do not depend on the machine. The exact laws come from the rule alone: all configurations that can
be reached are enumerated in plain Python, and their distribution is iterated step by step (verification/laws.py).
Tests are chi-square tests with at least 10 expected in every bin; what takes longer than the law is known for is one
bin, "later". There are {tests} tests of engines that should be right: with Bonferroni's correction a p-value below
{alpha:.1e} = {family:g} / {tests} rejects, so that the chance of any false alarm is below {family:g}. The same threshold must
reject every engine that is wrong on purpose.

Which way `counts` goes is decided by cost, and `events` begins to skip only after some thousand steps. So that small
populations see everything, they are also forced: `counts:skip` goes from one effective interaction to the next,
`counts:matrix` and `counts:list` always draw batches, in their two manners; `events:skip` always skips, and
`events:switch` judges every few steps anew whether to. Unforced, `events` would be `agents` here, pair for pair.

"""


class Trust(Verdicts):
    """The sections of the page."""

    def engines_by_protocols(self) -> None:
        self.journal.section(
            "Engines and protocols: when the goal is first met",
            "p-values of the whole distribution of the first step at which the goal holds, against the exact law; in brackets "
            "the number of runs in each cell of the column. The law is exact up to `horizon`; `later` is the probability of what it does not reach. "
            "`events` gets the complete graph as a list of all arcs. p_rl at n = 2 and timer start in random states, whose "
            "uniform product is part of the law. The last three are examples: coin_lottery (lottery.py) and dice toss coins, phoenix reads an "
            "oracle as well. A dash: `counts` is for anonymous agents on the complete graph and goals on counts, and lists no pairs that toss.",
            ("protocol", "n", "horizon", "later", *(f"{way} ({self.trials(way)})" for way in ENGINES)),
        )
        for what in PROTOCOLS:
            law = law_of(what)
            texts = [self.text(("hit", what, way)) for way in ENGINES]
            self.journal.row(label(what), what.n, len(law) - 2, f"{law[-1]:.3g}", *texts)
        covered = {what.protocol for what in PROTOCOLS} - {*ELSEWHERE}
        self.journal.check(
            covered == set(library("population")), f"every protocol of the library is here: {len(covered)}"
        )
        self.check([key for key in self.verdicts if key[0] == "hit"], "all engines obey the exact laws")

    def text(self, key: Any) -> str:
        return shown(self.verdicts[key].p) if key in self.verdicts else "-"

    def larger_populations(self) -> None:
        self.journal.section(
            "Larger populations, against the agents engine",
            "Where the chain is too large to enumerate: two samples of the same size, one by `agents`, and the chi-square of "
            "a table with two rows. All but P_LL start in random states.",
            ("protocol", "n", "way", "trials", "bins", "p"),
        )
        for what in LARGER:
            for way in self.larger_ways(what)[1:]:
                found = self.verdicts["larger", what, way]
                self.journal.row(label(what), what.n, way, found.trials, found.bins, f"{found.p:.2g}")
        self.check([key for key in self.verdicts if key[0] == "larger"], "the engines agree")

    def whole_configurations(self) -> None:
        self.journal.section(
            "Whole configurations after t steps",
            "p-values of the distribution of the multiset of all states after exactly t steps: the chain itself, not only "
            "its goal. `one go`: a run of its own for each t. `in pieces`: one run that is stopped at each of these steps, "
            "so that batches and waits are cut. "
            f"{int(self.scale * CONFIGURATION_TRIALS)} runs each.",
            ("protocol", "n", "way", "manner", *(f"t = {step}" for step in STOPS)),
        )
        for what in CONFIGURATIONS:
            for way in self.configuration_ways(what):
                for pieces in (False, True):
                    texts = [self.text(("stop", what, way, pieces, step)) for step in STOPS]
                    self.journal.row(label(what), what.n, way, "in pieces" if pieces else "one go", *texts)
        self.check([key for key in self.verdicts if key[0] == "stop"], "all configurations obey the exact laws")
        for way, wanted in {"matrix": (0, 0), "list": (200, 0), "skip": (0, 200)}.items():
            found = listing(replace(CONFIGURATIONS[0], way=f"counts:{way}", horizon=6))
            sentence = f"counts:{way}: of 200 runs {found[0]} drew lists and {found[1]} skipped (asked: {wanted})"
            self.journal.check(found == wanted, sentence)

    def graphs(self) -> None:
        self.journal.section(
            "Events on sparse graphs",
            f"p-values of the first step at the goal on graphs of 6 agents, {self.trials('events')} runs each. On graphs "
            "fratricide often ends with several leaders that never meet: these runs are in the bin `later`. phoenix starts in "
            "random states, tosses coins and reads an oracle.",
            ("graph", "protocol", "horizon", "later", *EVENTS_WAYS),
        )
        for graph in GRAPHS:
            for name in ON_GRAPHS:
                law = self.hit(self.on(graph, name), EVENTS_WAYS[0])[1]
                texts = [self.text(("graph", graph, name, way)) for way in EVENTS_WAYS]
                self.journal.row(graph, name, len(law) - 2, f"{law[-1]:.3g}", *texts)
        self.check([key for key in self.verdicts if key[0] == "graph"], "events obeys the exact laws")
        for where in (None, *GRAPHS):
            forced = {way: skipped(Cell("epidemic", 6, way=way, graph=where, horizon=25)) for way in EVENTS_WAYS}
            always, (somewhere, everywhere) = forced["events:skip"][1], forced["events:switch"]
            self.journal.check(
                always == 200 and somewhere >= 150 and everywhere < 50,
                f"on {where or 'all pairs'} {always} of 200 runs of events:skip skipped at every step, "
                f"of events:switch {somewhere} at some step and {everywhere} at every one",
            )

    def wrong_engines(self) -> None:
        columns = [f"{what.protocol}, n = {what.n}" for what in HIT_BY_WRONG]
        columns += [f"{CONFIGURATIONS[0].protocol} after {step}" for step in STEPS_OF_WRONG]
        self.journal.section(
            "Wrong on purpose",
            "The same tests at the same sample sizes must reject engines that are wrong: the kernel of `counts` with one line "
            "changed (verification/ways.py), and samples of the right one that are moved by one step or come from one agent "
            "more. p-values; the right ways stand first. The first columns are first steps at the goal, the last ones whole "
            "configurations of 7 agents.",
            ("engine", *columns),
        )
        for way in ("counts:matrix", "counts:list", "counts:skip"):
            verdicts = [self.verdicts["hit", what, way] for what in HIT_BY_WRONG]
            verdicts += [self.verdicts["stop", CONFIGURATIONS[0], way, False, step] for step in STEPS_OF_WRONG]
            self.journal.row(way, *(shown(verdict.p) for verdict in verdicts))
        rows: dict[str, list[Verdict]] = {}
        for name in WRONG:
            rows[name] = [self.hit_verdict(what, f"counts:{name}") for what in HIT_BY_WRONG]
            own = self.stops(CONFIGURATIONS[0], f"counts:{name}", False, STEPS_OF_WRONG)
            rows[name] += self.configuration_verdicts(own).values()
        rows["one step too many"] = [self.one_step_more(what) for what in HIT_BY_WRONG]
        more = [(self.samples.seen[self.more_agents(what)], law_of(what)) for what in HIT_BY_WRONG]
        rows["one agent too many"] = [hits_against_law(seen, law) for seen, law in more]
        for name, verdicts in rows.items():
            self.journal.row(name, *(shown(verdict.p) for verdict in verdicts), *["-"] * (len(columns) - len(verdicts)))
        for name, verdicts in rows.items():
            least = min(verdict.p for verdict in verdicts)
            self.journal.check(
                least < self.alpha,
                f"{name}: rejected, its smallest p-value is {shown(least)} (asked: below {self.alpha:.1e})",
            )

    def one_step_more(self, what: Cell) -> Verdict:
        own, law = self.hit(what, "counts")
        moved: Counter[int] = Counter()
        for step, times in self.samples.seen[own].items():
            moved[min(step + 1, len(law) - 1)] += times
        return hits_against_law(moved, law)

    def closed_forms(self) -> None:
        self.journal.section(
            "Closed forms",
            "fratricide takes (n-1)^2 steps in expectation, an epidemic (n-1) H(n-1). The mean over all trials, over the "
            "expectation; its standard error follows from the exact variance (sums of independent geometric waits). With few "
            f"trials a mean is not quite normal: asked is |z| < {FARTHEST:g}.",
            ("protocol", "engine", "n", "trials", "mean / exact", "std error", "z"),
        )
        farthest = 0.0
        for name in ("fratricide", "epidemic"):
            for way, sizes in MEANS.items():
                for n in sizes:
                    seen = self.samples.seen[self.mean(name, way, n)]
                    trials = sum(seen.values())
                    expected, variance = moments(name, n)
                    mean = sum(step * times for step, times in seen.items()) / trials / expected
                    error = sqrt(variance / trials) / expected
                    z = (mean - 1) / error
                    farthest = max(farthest, abs(z))
                    self.journal.row(
                        name, way, f"{n:,}".replace(",", " "), trials, f"{mean:.5f}", f"{error:.5f}", f"{z:+.2f}"
                    )
        self.journal.check(
            farthest < FARTHEST,
            f"the farthest mean is {farthest:.2f} standard errors off (p = {2 * norm.sf(farthest):.2g})",
        )


def shown(p: float) -> str:
    """A p-value; below the smallest double it is only bounded."""
    return f"{p:.2g}" if p > 1e-300 else "< 1e-300"


def label(what: Cell) -> str:
    """The protocol with what distinguishes it."""
    words = [f"{name}={value}" for name, value in what.params]
    words += [what.start] if what.start else []
    return " ".join([what.protocol, *words, *([f"until {what.until}"] if what.until else [])])


def moments(name: str, n: int) -> tuple[float, float]:
    """Expectation and variance of the steps: sums of (1/q, (1-q)/q^2) over the waits."""
    if name == "fratricide":  # q = k(k-1)/(n(n-1)), k = 2..n; the sum of 1/(k(k-1))^2 converges like k^-3
        pairs = n * (n - 1)
        squares = sum(1 / (k * (k - 1)) ** 2 for k in range(2, min(n, 10**5) + 1))
        return float((n - 1) ** 2), pairs**2 * squares - (n - 1) ** 2
    first, second = digamma(n) + 0.5772156649015329, zeta(2) - polygamma(1, n)  # harmonic numbers of n - 1
    mean = (n - 1) * first  # q = 2k(n-k)/(n(n-1)), k = 1..n-1, so that 1/q = (n-1)/2 (1/k + 1/(n-k))
    return float(mean), float((n - 1) ** 2 / 2 * (second + 2 * first / n) - mean)


def write(trust: Trust) -> None:
    from trust_figure import draw

    chosen = [
        (PROTOCOLS[1], "counts:matrix"), (PROTOCOLS[4], "counts:list"), (PROTOCOLS[13], "counts:skip"),
        (Trust.on("ring", "infection"), "events:skip"), (PROTOCOLS[12], "events:switch"),
        (PROTOCOLS[0], "counts:goal seen at the end of a batch"),
    ]  # fmt: skip
    panels = []
    for what, way in chosen:
        own, law = trust.hit(what, way)
        verdict = trust.hit_verdict(what, way)
        on = f" on a {what.graph}" if what.graph else ""
        title = f"{what.protocol}{on}, n = {what.n}"
        panels.append((title, way, law, trust.samples.seen[own], verdict))
    (DOCS / "figures").mkdir(parents=True, exist_ok=True)
    draw(DOCS / "figures", panels)
    trust.journal.sections[0].figure = (
        "trust_laws.svg", "first steps at the goal: exact laws and samples; the last panel is wrong on purpose",
    )  # fmt: skip
    page = PREFACE.format(version=__version__, tests=len(trust.right), alpha=trust.alpha, family=FAMILY)
    page += "\n".join(section.markdown() for section in trust.journal.sections)
    (DOCS / "trust.md").write_text(page, encoding="utf-8")
    print("\nwritten: docs/trust.md, docs/figures/", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a third of the runs; writes nothing")
    arguments = parser.parse_args()
    began = time.monotonic()
    trust = Trust(0.1 if arguments.quick else 0.3)
    print(f"princeps {__version__}: exact laws", flush=True)
    trust.plan()
    trust.samples.collect()
    trust.judge()
    trust.engines_by_protocols()
    trust.larger_populations()
    trust.whole_configurations()
    trust.graphs()
    trust.wrong_engines()
    trust.closed_forms()
    if not arguments.quick:
        write(trust)
    total = sum(len(section.checks) for section in trust.journal.sections)
    print(f"\n{total - trust.journal.failures} of {total} checks OK, {time.monotonic() - began:.0f} s")
    return 1 if trust.journal.failures else 0


if __name__ == "__main__":
    sys.exit(main())

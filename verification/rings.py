"""What ring algorithms really cost, and whether they keep their promises: `make rings` writes docs/rings.md.

`--quick` takes a minute and writes nothing; the full run explores all interleavings of every ring up to seven processes.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from journal import Journal
from ring_classics import classics

import princeps
from princeps import __version__
from princeps.analysis.rings.costs import Costs, costs_of_a_k, costs_of_b_k
from princeps.analysis.rings.interleavings import all_interleavings
from princeps.engines.rings.survey import asymmetric_rings, survey
from princeps.model import registry
from princeps.model.rings.result import RingResult
from princeps.model.rings.ring import Ring
from princeps.model.rings.specification import SECOND_LEADER, SENTENCES

DOCS = Path(__file__).resolve().parent.parent / "docs"
FORMULAS = {"a_k": costs_of_a_k, "b_k": costs_of_b_k}
LETTERS, MAX_K = 3, 4

PREFACE = """# Rings of homonyms, measured

A_k and B_k on every small ring, what they cost as exact formulas, how far the paper's bounds are from that, and the
classics beside their known values. Repeat it with `make rings`. princeps {version}; everything is determined by seeds.

n processes, labels at most k times each, b bits a label, L the true leader. Time is in units of the longest message
delay; the start takes none.

## The formulas

**A_k.** Let m be the length of the shortest prefix of LLabels(L) in which some label occurs 2k+1 times. Then, under every
schedule, A_k sends exactly **n m + n(n-1)/2** messages, the longest string grows to m + n - 2 labels, so that a process needs
**(m + n - 2) b + 2b + 3** bits, and the synchronous execution, which is the slowest, takes **m - 1 + n** units.
m is largest, 2kn + 1, if all labels are different: time (2k+1)n, messages n^2 (2k + 1/2) + n/2.

- The time bound (2k+2)n is at least n too large, just n for distinct labels. The string begins with the process's own label, so 2k more copies suffice.
- Theorem 2's n^2 (2k+1) messages is right as stated, the n^2 (2k+1) + n of its proof needlessly large: the worst case is
  smaller by n(n-1)/2, because FINISH catches up with the tokens at a different moment at every process.
- The bits are right to within one label: (2k+1)n - 1 labels at most, not (2k+1)n.

**B_k.** Let X be the position of the (k+1)-th copy of L's label in LLabels(L). B_k runs X - 1 phases; in each of them every
link carries exactly k tokens of the smallest guest, however many processes hold it, and one PHASE_SHIFT. With W the hops
of the tokens of processes that drop out (each goes on to the next active process with a smaller guest) the messages are
exactly **n ((k+1)(X-1) + 1) + W**, under every schedule. The bits are the paper's, exactly: 2 ceil(lg k) + 3b + 5.
The synchronous time is **n + D_1 + ... + D_(X-1)**, where D_i is the distance from a survivor of phase i to the
(k+1)-th survivor on its left, followed back from L: (k+1)n once L is alone.

- If L's label is unique, X = kn + 1: the worst case. With distinct labels time is k(k+1)n^2 + n and messages
  k(k+1)n^2 + n + W with W at most n(n-1)/2, reached if the labels ascend clockwise; on average over all orders of the
  labels W = n H_n - n. The O(k^2 n^2) of Theorem 4 is right, with a leading constant of 1 + 1/k.
- Homonyms make B_k faster: while d processes survive, a phase takes about (k+1)n/d units, and its messages stay the same.

Why the schedule does not matter in a unidirectional ring: a process has one input link and its guards exclude one another, so what it does is a
function of the sequence of messages on that link, which is a function of its left neighbour's, and so on round the ring.
Under any schedule the j-th event of a process happens no later than in the synchronous execution, by induction over the
events: its message was sent no later, and travels for at most one unit.

`srp(s) = LW(srp(s))`, half of the test that A_k makes at every message, needs neither srp nor LW: it holds if and only if s
is a prefix of a power of a Lyndon word, which Duval's algorithm decides letter by letter with one comparison. And
LW(srp(s))[1] is the smallest letter of s.

"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="smaller rings, nothing is written")
    quick = parser.parse_args().quick
    journal = Journal()
    every_ring(journal, 5 if quick else 7)
    every_interleaving(journal, 5 if quick else 7)
    formulas(journal, 5 if quick else 7)
    looseness(journal, 5 if quick else 7)
    distinct(journal, (10, 50) if quick else (10, 100, 1000))
    printed_table(journal, 3 if quick else 4)
    impossibility(journal)
    classics(journal, 100 if quick else 1000, (16, 64) if quick else (16, 128, 1024))
    if not quick:
        text = PREFACE.format(version=__version__) + "\n".join(section.markdown() for section in journal.sections)
        (DOCS / "rings.md").write_text(text)
    print(f"\n{journal.failures} checks failed")
    return 1 if journal.failures else 0


def every_ring(journal: Journal, most: int) -> None:
    journal.section(
        "Every small ring, every schedule",
        f"Every asymmetric labeling over {LETTERS} labels, up to rotation, and every k up to {MAX_K} for which it is legal: "
        f"synchronous, random, adversarial, and each link in turn the slow one. The whole specification is checked after "
        f"every action. `princeps rings a_k -n 2..{most}` prints the worst cases.",
        (
            "algorithm",
            "n",
            "rings x k",
            "runs",
            "true leader elected",
            "messages and bits fixed",
            "slower than synchronous",
        ),
    )
    wrong, varying = list[str](), 0
    for name in FORMULAS:
        for n in range(2, most + 1):
            found = list(survey(name, [n], LETTERS, MAX_K))
            runs, kept = sum(s.runs for s in found), sum(s.elected for s in found)
            fixed, slower = all(s.schedule_free for s in found), sum(s.slower for s in found)
            journal.row(
                name, n, sum(s.rings for s in found), f"{runs:,}", f"{kept:,}", "yes" if fixed else "no", slower
            )
            wrong += [text for s in found for text in s.failures_text()]
            varying += slower + (not fixed)
    journal.check(not wrong, f"every run keeps the specification and elects the true leader {wrong[:3] or ''}")
    journal.check(
        not varying, "messages and bits never depend on the schedule, and none is slower than the synchronous one"
    )


def every_interleaving(journal: Journal, most: int) -> None:
    journal.section(
        "Every small ring, every interleaving",
        "The whole graph of configurations from the initial one: any process that can act may act next. One terminal "
        "configuration, the same number of messages on every path, and the specification kept on every step.",
        ("algorithm", "n", "rings x k", "configurations", "steps", "largest graph", "not confluent"),
    )
    failures = []
    for name in FORMULAS:
        cls = registry.find_ring(name)
        for n in range(2, most + 1):
            found = []
            for ring in asymmetric_rings(n, LETTERS):
                for k in legal(name, ring):
                    found.append(all_interleavings(cls(ring, k=k), ring))
            wrong = [f for f in found if not f.confluent]
            sizes = [f.configurations for f in found]
            steps = sum(f.steps for f in found)
            journal.row(name, n, len(found), f"{sum(sizes):,}", f"{steps:,}", f"{max(sizes):,}", len(wrong))
            failures += wrong
    journal.check(not failures, f"one ending and one number of messages on every ring {failures[:1] or ''}")


def legal(name: str, ring: Ring) -> range:
    return range(registry.find_ring(name).smallest_k(ring) or 1, MAX_K + 1)


def measured(name: str, ring: Ring, k: int) -> Costs:
    result = princeps.run(name, labels=ring, k=k, seed=1, engine="compiled")
    assert isinstance(result, RingResult)
    assert result.converged, result.violations
    return Costs(result.time, result.messages, result.max_bits)


def formulas(journal: Journal, most: int) -> None:
    journal.section(
        "The formulas hold",
        "Time (synchronous), messages and bits against princeps.analysis.rings.costs, on every ring of the first table.",
        ("algorithm", "n", "rings x k", "time", "messages", "bits"),
    )
    total = 0
    for name, formula in FORMULAS.items():
        for n in range(2, most + 1):
            pairs = [
                (measured(name, ring, k), formula(ring, k))
                for ring in asymmetric_rings(n, LETTERS)
                for k in legal(name, ring)
            ]
            equal = [
                sum(getattr(a, what) == getattr(b, what) for a, b in pairs) for what in ("time", "messages", "max_bits")
            ]
            total += sum(len(pairs) - count for count in equal)
            journal.row(name, n, len(pairs), *(f"{count} equal" for count in equal))
    journal.check(total == 0, "all three formulas are exact on every ring")


def looseness(journal: Journal, n: int) -> None:
    journal.section(
        "How far the bounds are",
        f"The largest share of the paper's bound that any ring with n = {n} over {LETTERS} labels takes, and over distinct "
        "labels. For B_k the bound of time and messages, (k+1)^2 n^2, is ours: Theorem 4 says O(k^2 n^2) only, and this is "
        "its proof taken at its word.",
        ("algorithm", "k", "time", "messages", "bits", "time, distinct", "messages, distinct", "bits, distinct"),
    )
    exceeded = False
    for name in FORMULAS:
        for k in range(2, MAX_K + 1):
            shares: list[float | None] = []
            for rings in (asymmetric_rings(n, LETTERS), [Ring(tuple(range(1, n + 1)))]):
                costs = [(ring, measured(name, ring, k)) for ring in rings if k in legal(name, ring)]
                shares += [share(name, costs, k, what) for what in ("time", "messages", "max_bits")]
            exceeded = exceeded or any(value is not None and value > 1 for value in shares)
            journal.row(name, k, *("no such ring" if value is None else f"{value:.1%}" for value in shares))
    journal.check(not exceeded, "no bound is exceeded")


def share(name: str, costs: list[tuple[Ring, Costs]], k: int, what: str) -> float | None:
    cls = registry.find_ring(name)
    return max((getattr(cost, what) / cls(ring, k=k).promised(ring)[what] for ring, cost in costs), default=None)


def distinct(journal: Journal, sizes: tuple[int, ...]) -> None:
    journal.section(
        "Distinct labels, larger rings",
        "Labels 1..n ascending clockwise (the most messages of B_k), beside the closed forms: A_k (2k+1)n and "
        "n^2(2k+1/2) + n/2, B_k k(k+1)n^2 + n and k(k+1)n^2 + n + n(n-1)/2; and the lower bound 1+(k-2)n of Lemma 1, in "
        "synchronous steps (units and the start).",
        (
            "algorithm",
            "n",
            "k",
            "time",
            "closed form",
            "messages",
            "closed form",
            "bits",
            "lower bound",
            "steps / lower bound",
        ),
    )
    ok = True
    for name in FORMULAS:
        for n in sizes if name == "a_k" else [size for size in sizes if size <= 100]:
            for k in (2, 3, 4):
                cost = measured(name, Ring(tuple(range(1, n + 1))), k)
                if name == "a_k":
                    time, messages = (2 * k + 1) * n, n * n * 2 * k + n * (n + 1) // 2
                else:
                    time, messages = k * (k + 1) * n * n + n, k * (k + 1) * n * n + n + n * (n - 1) // 2
                ok = ok and (cost.time, cost.messages) == (time, messages)
                lower = 1 + (k - 2) * n
                ok = ok and cost.time + 1 >= lower
                numbers = (cost.time, time, cost.messages, messages, cost.max_bits, lower)
                journal.row(name, n, k, *(f"{number:,}" for number in numbers), f"{(cost.time + 1) / lower:,.1f}")
    journal.check(ok, "the closed forms are exact, and no execution is shorter than the lower bound")


def printed_table(journal: Journal, most: int) -> None:
    journal.section(
        "Table 1 as printed",
        "A2 lacks the conjunct that p does not lead. After A3 the leader no longer appends, so a token that is smaller than "
        "the letter that would continue its string makes Leader(string . x) false: A2 and A5 are both enabled, and A2 sends "
        "the token on to processes that have halted. Two findings, to be kept apart: Theorem 2 holds as printed, for in every "
        "interleaving the true leader is elected, and everybody knows it and halts; the remark in its proof that all messages "
        "are received does not: `princeps run a_k --labels 1,2,3 -p k=1 -p printed=1` shows one that is not. The prose (the "
        "leader consumes every token) is what `a_k` runs by default, and both hold of it.",
        ("reading", "n", "rings x k", "rings where an election fails", "rings where messages are left"),
    )
    cls, wrong, left = registry.find_ring("a_k"), {}, {}
    for printed in (1, 0):
        for n in range(2, most + 1):
            rings = [(ring, k) for ring in asymmetric_rings(n, LETTERS) for k in legal("a_k", ring)]
            found = [all_interleavings(cls(ring, k=k, printed=printed), ring, all_received=False) for ring, k in rings]
            wrong[printed, n], left[printed, n] = sum(not f.agreed for f in found), sum(f.left_over > 0 for f in found)
            reading = "printed" if printed else "repaired"
            journal.row(reading, n, len(rings), wrong[printed, n], left[printed, n])
    journal.check(not any(wrong.values()), "Theorem 2 holds in both readings")
    journal.check(left[1, 3] > 0, "the remark fails as printed, on some ring with three processes")
    journal.check(not any(left[0, n] for n in range(2, most + 1)), "repaired, every message is received")


def impossibility(journal: Journal) -> None:
    journal.section(
        "Without a bound on the multiplicity",
        "Lemma 1's ring: three distinct labels K times and one more, on which an algorithm that trusts its k elects two "
        "leaders. `princeps impossible a_k -p k=2` shows the execution. All states that the lemma says are equal are compared.",
        ("algorithm", "k", "steps on 3 labels", "lower bound", "K", "large ring", "leaders", "states compared"),
    )
    two = True
    plans = [("a_k", k) for k in (1, 2, 3, 4)] + [("b_k", k) for k in (2, 3)] + [("chang_roberts", 0), ("peterson", 0)]
    for name, k in plans:
        found = princeps.impossible(name, 3, params={"k": k} if k else {})
        forced = princeps.run(name, labels=found.large_ring, seed=0, force=True, params=found.params)
        assert isinstance(forced, RingResult)
        second = [broken for broken in forced.violations if broken.rule == SENTENCES[SECOND_LEADER]]
        two = two and bool(second) and max(found.elected_at) <= found.steps
        leaders = f"{found.first} and {found.second}"
        lower = "-" if found.lower_bound is None else found.lower_bound
        journal.row(name, k or "-", found.steps, lower, found.copies, found.large_n, leaders, f"{found.same_states:,}")
    journal.check(two, "two processes elect themselves within the steps that one took on the small ring")


if __name__ == "__main__":
    sys.exit(main())

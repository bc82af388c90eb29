"""Coins: fair and independent, in QuickElimination, in the Tournament, and in the symmetric version."""

from __future__ import annotations

from collections.abc import Sequence

from princeps.model.reading import make_run
from princeps.model.starts import starting_states
from princeps.papers.claims import Planted
from princeps.papers.judging import POWER, SIGNIFICANCE, number
from princeps.papers.laboratory import Lab
from princeps.papers.p_ll.laws import uniform_test, uniform_test_power
from princeps.papers.p_ll.paper import paper
from princeps.papers.p_ll.watchers import remembered
from princeps.papers.verdicts import AS_PRINTED, INCONCLUSIVE, SUPPORTED, VIOLATED, Outcome, Part, readings

BIAS = 0.05
FIRST = 2
CELLS = ("head head", "head tail", "tail head", "tail tail")


def flips_of_levels(part: int, seed: int, *, protocol: str, n: int, runs: int, steps: int) -> list[int]:
    """Every toss of QuickElimination, in the order of time: 0 is a head, which raises the level, 1 a tail, which ends it.

    FIRST more in the interaction that makes the leader: there it has initiated already.
    """
    found = []
    for trial in range(part * runs, (part + 1) * runs):
        run = make_run(protocol, n, seed=seed, trial=trial)
        states, delta = starting_states(run), remembered(run.protocol)
        names = run.protocol.space.names
        leader, status, level, done = (names.index(name) for name in ("leader", "status", "levelQ", "done"))
        pairs = run.meetings()
        for _ in range(steps):
            i, j = next(pairs)
            before = states[i], states[j]
            after = delta(*before)
            states[i], states[j] = after
            for old, new in zip(before, after, strict=True):
                if not old[leader] or old[done] or (new[status] != old[status] and not new[leader]):
                    continue
                own = FIRST if new[status] != old[status] else 0
                if new[done] > old[done]:  # it may have fallen at once
                    found.append(own + 1)
                elif new[level] > old[level]:
                    found.append(own)
    return found


def flips_of_nonces(part: int, seed: int, *, protocol: str, n: int, m: int, runs: int) -> list[int]:
    """The bits of the nonces that leaders make in the Tournament, leader by leader; a quarter of all begin as leaders."""
    found = []
    for trial in range(part * runs, (part + 1) * runs):
        run = make_run(protocol, n, seed=seed, trial=trial, params={"m": m})
        made, nonce = run.protocol.agent, run.protocol.constants.nonce
        common = {"status": 1, "epoch": 2, "init": 2, "color": 1}
        rows = [{**common, "leader": int(k < n // 4), "rand": 1 if k < n // 4 else nonce} for k in range(n)]
        names = run.protocol.space.names
        states = [tuple(row.get(name, 0) for name in names) for row in rows]
        delta, place = remembered(run.protocol), names.index("rand")
        bits: dict[int, list[int]] = {k: [] for k in range(n // 4)}
        pairs = run.meetings()
        while any(made(states[k]).rand < nonce for k in bits):  # type: ignore[call-arg]
            i, j = next(pairs)
            before = states[i], states[j]
            states[i], states[j] = delta(*before)
            for k, old in ((i, before[0]), (j, before[1])):
                if k in bits and old[place] < nonce and states[k][place] != old[place]:
                    bits[k].append(states[k][place] % 2)
        found += [bit for own in bits.values() for bit in own]
    return found


def fair_pairs(flips: Sequence[int], what: str) -> Part:
    """Tosses taken two by two: four outcomes, equally likely if and only if each is fair and no matter for the next."""
    pairs = list(zip(flips[::2], flips[1::2], strict=False))
    counts = [sum(2 * first + second == cell for first, second in pairs) for cell in range(4)]
    statistic, p = uniform_test(counts)
    text = ", ".join(f"{count:,} {cell}" for count, cell in zip(counts, CELLS, strict=True))
    seen = f"{what}: {text}; chi-square {number(statistic)}, p = {number(p)}"
    sample = f"{len(pairs):,} pairs of tosses, significance {SIGNIFICANCE}"
    if p < SIGNIFICANCE:
        return Part(VIOLATED, seen, statistic, "chi-square with 3 degrees of freedom", sample)
    heads = 0.5 + BIAS
    power = uniform_test_power(
        len(pairs), [heads * heads, heads * (1 - heads), heads * (1 - heads), (1 - heads) ** 2], SIGNIFICANCE
    )
    noticed = f"a bias of {BIAS} would be noticed with probability {power:.4f}"
    verdict = SUPPORTED if power >= POWER else INCONCLUSIVE
    return Part(verdict, seen, statistic, "chi-square with 3 degrees of freedom", sample, noticed)


@paper.claim(
    "003.coin",
    "tosses are fair and independent",
    recorded=AS_PRINTED,
    planted=Planted(
        "a leader that meets a timer sees head, whoever initiates (line 36)",
        ("p_ll", "if i == 0:  # 36", "if i == 0 or b.status == B:  # 36"),
    ),
)
def coin(lab: Lab) -> Outcome:
    runs = lab.pick(60, 300, 30)
    levels = lab.measure(flips_of_levels, parts=4, protocol="p_ll", n=100, runs=runs, steps=600)
    nonces = lab.measure(flips_of_nonces, parts=4, protocol="p_ll", n=64, m=32, runs=lab.pick(24, 100, 10))
    other = lab.measure(
        flips_of_levels, parts=4, protocol="p_ll_symmetric", n=100, runs=runs, steps=lab.pick(900, 900, 300)
    )
    all_flips, bits, others = (
        [flip for answer in measured.parts for flip in answer] for measured in (levels, nonces, other)
    )
    later = [flip for flip in all_flips if flip < FIRST]
    first = [flip - FIRST for flip in all_flips if flip >= FIRST]
    printed = [fair_pairs([flip % FIRST for flip in all_flips], "all levels in QuickElimination")]
    repaired = [
        fair_pairs(later, "levels in QuickElimination, without a leader's first toss"),
        fair_pairs(bits, "bits of nonces"),
        fair_pairs(others, "levels in the symmetric version"),
    ]
    ours = [
        f"a leader's first toss is no coin: in the interaction that makes it, it initiates and meets a follower, and line "
        f"36 counts a head ({first.count(0):,} of {len(first):,} first tosses). It lifts all players alike, so that the "
        "lottery's law does not change"
    ]
    return readings(printed, repaired, ours)

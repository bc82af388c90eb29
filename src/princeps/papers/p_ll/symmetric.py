"""The symmetric version: nobody asks who initiates, and coins come in equal numbers."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from princeps.model import registry
from princeps.model.fields import Agent
from princeps.model.randomness import Stream
from princeps.model.states import State
from princeps.papers.answers import SweepTrials
from princeps.papers.claims import Planted, ProvedBy
from princeps.papers.judging import exhaustive, watched
from princeps.papers.judging_growth import grows_at_most
from princeps.papers.laboratory import Lab
from princeps.papers.p_ll.paper import paper
from princeps.papers.p_ll.times import constants
from princeps.papers.sources import place_of
from princeps.papers.verdicts import SUPPORTED, Outcome, Part, together
from princeps.papers.walks import Config, Watcher, joined, walk

F0, F1 = 3, 4
SIZES = ((3, 2), (5, 3), (8, 3), (12, 4))
SCHEDULERS = ("uniform", "bursts", "forwards", "cliques")
SHORT = 8  # values of a field that are all taken; of more, the first two and the last two


class EqualCoins(Watcher):
    """As many followers with coin F0 as with F1."""

    def look(self, u: Config, i: int, j: int, a: Agent, b: Agent) -> str | None:
        heads, tails = (sum(agent.coin == value for agent in u) for value in (F0, F1))
        self.cases += heads > 0
        return None if heads == tails else f"{heads} followers with F0 and {tails} with F1"


def representatives(groups: Sequence[Sequence[range | None]], names: Sequence[str]) -> list[State]:
    """Legal states with init = epoch, as all are that occur; of long ranges only the ends, where alone a rule looks."""
    found = []
    for group in groups:
        own = [list(values) if values is not None else [0] for values in group]
        ends = [values if len(values) <= SHORT else [*values[:2], *values[-2:]] for values in own]
        found += [state for state in product(*ends) if state[names.index("init")] == state[names.index("epoch")]]
    return found


def asymmetric(
    part: int, seed: int, *, protocol: str, m: int, every: int, random: int
) -> tuple[tuple[int, int, str], tuple[int, int, str]]:
    """Pairs of states, those that depend on who initiates, and the first of them: of representatives, of random legal ones.

    Of the pairs of representatives each `every`-th is taken, beginning with the part's number.
    """
    cls = registry.find(protocol)
    own = cls(m=m)
    space = own.space
    states = representatives(space.groups, space.names)
    pairs = [(a, b) for k, a in enumerate(states) for b in states[k:]][part::every]
    stream = Stream.of(seed, part, "pairs")
    blank = tuple(0 for _ in space.names)
    others = [(space.random_state(stream, blank), space.random_state(stream, blank)) for _ in range(random)]

    def looked_at(pairs: Sequence[tuple[State, State]]) -> tuple[int, int, str]:
        wrong = [(a, b) for a, b in pairs if own.step(a, b) != own.step(b, a)[::-1]]
        first = f"{space.name_values(wrong[0][0])} and {space.name_values(wrong[0][1])}" if wrong else ""
        return len(pairs), len(wrong), first

    return looked_at(pairs), looked_at(others)


def timed(lab: Lab) -> SweepTrials:
    sizes = lab.pick([64, 256, 1024, 4096, 16384], [64, 256, 1024, 4096, 16384, 65536], [16, 32, 64])
    return lab.sweep("p_ll_symmetric", sizes, trials=lab.pick(300, 500, 50), until="leader")


def turned_round(answers: Sequence[tuple[int, int, str]], states: str, whole: bool) -> list[Part]:
    """All pairs of these states prove it of them; some of them support it."""
    looked, wrong = sum(answer[0] for answer in answers), sum(answer[1] for answer in answers)
    breach = next((answer[2] for answer in answers if answer[2]), "")
    what = f"delta(q, p) is delta(p, q) turned round, on {'all' if whole else 'some'} pairs of {states}"
    if whole:
        return [exhaustive(wrong, looked, what, "pairs", breach=breach)]
    return [watched(wrong, looked, looked, what, breach=breach)]


@paper.claim(
    "003.sym",
    "the symmetric version is symmetric, keeps as many F0 as F1, and elects in O(log n) parallel time",
    kind="C, P, S",
    recorded=SUPPORTED,
    proved_by=ProvedBy("p_ll_symmetric", "symmetric", "coins"),
    planted=Planted("J and K both become F0", ("p_ll_symmetric", "a.coin, b.coin = F0, F1", "a.coin, b.coin = F0, F0")),
)
def symmetric(lab: Lab) -> Outcome:
    share = lab.pick(1, 1, 200)  # of the pairs of representatives
    random = lab.pick(2000, 10_000, 500)
    pairs = lab.measure(asymmetric, parts=4, protocol="p_ll_symmetric", m=2, every=4 * share, random=random)
    cases = [
        {"n": n, "params": {"m": m}, "scheduler": scheduler, "steps": 3 * 41 * m * n // 2, "times": times}
        for times in (lab.pick(1, 10, 1),)
        for n, m in lab.pick(SIZES, SIZES, SIZES[1:2])
        for scheduler in SCHEDULERS
    ]
    walks = lab.measure(walk, parts=len(cases), protocol="p_ll_symmetric", cases=cases, watchers=[place_of(EqualCoins)])
    runs = timed(lab)
    parts = [
        *turned_round([answer[0] for answer in pairs.parts], "representative states at m = 2", whole=share == 1),
        *turned_round([answer[1] for answer in pairs.parts], "random legal states at m = 2", whole=False),
        watched(**joined(walks.parts, place_of(EqualCoins)), what="as many F0 as F1 at every step", least=100),
    ]
    parts.append(grows_at_most(runs.fit("parallel_time"), 0, 1, "until leader", commands=(runs.command,)))
    return together(parts, [f"the mean parallel time is, in multiples of lg n: {constants(runs)}"])

"""Every execution of B_k on a small ring, with the phases of processes and messages: where its lemmas are asserted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from princeps.engines.rings.reference import Network
from princeps.errors import PrincepsError
from princeps.model import registry
from princeps.model.randomness import Stream
from princeps.model.rings.algorithm import LEFT, Local, RingAlgorithm, Sent
from princeps.model.rings.reading import make_ring_run
from princeps.model.rings.ring import Ring
from princeps.papers.rings.labelings import Labels, rings_of
from princeps.papers.rings.phases import LEMMAS, Delivery, Facts, LemmaTally, deliveries, phase_after, phase_of_sending
from princeps.papers.rings.surveys import drawn, legal

MESSAGE_LIMIT_FACTOR = (
    20  # a faulty algorithm may never end: it is given up after this multiple of the messages promised
)
NOTHING = -1

Numbers = tuple[int, ...]
NumberedConfiguration = tuple[
    Numbers, tuple[Numbers, ...]
]  # processes and links, head first, by numbers of what they hold


class Explorer:
    """All configurations that are reachable, depth first. A delivery that differs in nothing is looked at once."""

    def __init__(self, algorithm: RingAlgorithm, ring: Ring, tally: LemmaTally, most: int) -> None:
        self.algorithm, self.ring, self.tally, self.most = algorithm, ring, tally, most
        self.locals: list[tuple[Local, int]] = []  # with the phase of the process
        self.contents: list[tuple[Sent, int]] = []  # with the phase in which it was sent
        self.numbers: dict[Any, int] = {}
        self.moves: dict[tuple[int, int, int], list[tuple[int, Numbers]]] = {}
        self.farthest = 0  # the largest difference between the phases of two processes at one time
        self.configurations = 0

    def explore(self) -> None:
        n = self.ring.n
        first: NumberedConfiguration = ((self._number(self.locals, (self.algorithm.initial(), 0)),) * n, ((),) * n)
        known, waiting = {first}, [first]
        while waiting and len(known) < self.most:
            here = waiting.pop()
            phases = [self.locals[number][1] for number in here[0]]
            self.farthest = max(self.farthest, max(phases) - min(phases))
            following = self._following(here)
            if not following:
                self.tally.end(phases, sum(map(len, here[1])))
            for configuration in following:
                if configuration not in known:
                    known.add(configuration)
                    waiting.append(configuration)
        self.configurations = len(known)
        if waiting:
            self.tally.note("L12", f"no end within {self.most:,} configurations")

    def _following(self, here: NumberedConfiguration) -> list[NumberedConfiguration]:
        locals_, links = here
        n, found = self.ring.n, []
        for p in range(n):
            started = self.locals[locals_[p]][0].started
            if started and not links[p]:
                continue
            for local, sent in self._moves(p, locals_[p], links[p][0] if started else NOTHING):
                now = list(links)
                if started:
                    now[p] = now[p][1:]
                now[(p + 1) % n] += sent
                found.append(((*locals_[:p], local, *locals_[p + 1 :]), tuple(now)))
        return found

    def _moves(self, p: int, local: int, content: int) -> list[tuple[int, Numbers]]:
        key = (p, local, content)
        if key not in self.moves:
            self.moves[key] = [self._taken(seen, sent) for seen, sent in self._deliveries(p, local, content)]
        return self.moves[key]

    def _deliveries(self, p: int, local: int, content: int) -> list[tuple[Delivery, list[Sent]]]:
        """What may happen, each of it looked at; nothing can follow where no action is enabled."""
        before, phase = self.locals[local]
        message, sent_in = (None, 0) if content == NOTHING else self.contents[content]
        following, label = phase_after(phase, message), self.ring.boxed[p]
        found: list[tuple[Delivery, list[Sent]]] = []
        try:
            if message is None:
                actions = [self.algorithm.start_action]
            else:
                actions = self.algorithm.enabled(before, label, LEFT, message.message, message.values)
            for action in actions:
                after, sent = self.algorithm.fire(action, before, label, message.values if message else ())
                found.append((Delivery(p, before, phase, message, sent_in, action.name, after, following), sent))
        except PrincepsError:  # a faulty algorithm leaves the domain of a variable: it cannot go on
            found = []
        stuck = Delivery(p, before, phase, message, sent_in, "", before, following)
        for seen in [seen for seen, _ in found] or [stuck]:
            self.tally.look(seen)
        return found

    def _taken(self, seen: Delivery, sent: Sequence[Sent]) -> tuple[int, Numbers]:
        after = self._number(self.locals, (seen.after, seen.next_phase))
        return after, tuple(self._number(self.contents, (one, phase_of_sending(one, seen))) for one in sent)

    def _number(self, table: list[Any], item: Any) -> int:
        key = (id(table), item)
        if key not in self.numbers:
            self.numbers[key] = len(table)
            table.append(item)
        return self.numbers[key]


# -- measurements ------------------------------------------------------------------------------------------------------


def lemmas_everywhere(
    part: int, seed: int, *, protocol: str, pieces: Sequence[Sequence[int]], most_k: int, most: int
) -> dict[str, Any]:
    """Every delivery in every execution on a piece of the rings; `most` configurations of a ring."""
    cls = registry.find_ring(protocol)
    found = _nothing()
    for ring, k in legal(cls, rings_of(pieces[part]), most_k):
        algorithm = cls(ring, k=k)
        facts = Facts(algorithm, _labels(ring), k)
        explorer = Explorer(algorithm, ring, LemmaTally(facts), most)
        explorer.explore()
        _add(found, explorer.tally, explorer.configurations)
        found["farthest"] = max(found["farthest"], explorer.farthest)
        found["longest"] = max(found["longest"], (facts.X - 1) / (k * ring.n))
    return found


def lemmas_at_random(
    part: int, seed: int, *, protocol: str, cases: Sequence[tuple[int, int]], schedules: Sequence[str]
) -> dict[str, Any]:
    """Every delivery in some executions on one larger ring: n and k."""
    n, k = cases[part]
    ring = drawn("homonyms", n, k, Stream.of(seed, part, "ring"))
    found = _nothing()
    for schedule in schedules:
        run = make_ring_run(
            protocol, labels=ring, schedule=schedule, seed=seed, engine="reference", params={"k": k}, force=True
        )
        network = Network(run)
        tally = LemmaTally(Facts(run.algorithm, _labels(ring), k))
        phases = [0] * n
        limit = MESSAGE_LIMIT_FACTOR * run.algorithm.promised(ring)["messages"]
        for seen in deliveries(network):
            tally.look(seen)
            phases[seen.process] = seen.next_phase
            if network.steps > limit:
                tally.note("L12", f"no end within {network.steps:,} steps")
                break
        tally.end(phases, sum(map(len, network.links)))
        _add(found, tally, 0)
    return found


def _labels(ring: Ring) -> Labels:
    return tuple(int(label) for label in ring.labels)


def _nothing() -> dict[str, Any]:
    counts: dict[str, Any] = {key: dict.fromkeys(LEMMAS, 0) for key in ("cases", "breaches")}
    return {
        **counts,
        "first": dict.fromkeys(LEMMAS, ""),
        "rings": 0,
        "configurations": 0,
        "farthest": 0,
        "longest": 0.0,
    }


def _add(found: dict[str, Any], tally: LemmaTally, configurations: int) -> None:
    found["rings"] += 1
    found["configurations"] += configurations
    for key in LEMMAS:
        found["cases"][key] += tally.cases[key]
        found["breaches"][key] += tally.breaches[key]
        found["first"][key] = found["first"][key] or tally.first[key]

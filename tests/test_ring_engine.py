"""The plain ring engine beside its transcriptions and definitions, the compiled one beside the plain one."""

from __future__ import annotations

import random
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from types import ModuleType
from typing import Any

import pytest

import princeps
from princeps.engines import ring_survey
from princeps.engines.ring_compiled import Compiled
from princeps.engines.ring_reference import Network
from princeps.engines.ring_survey import asymmetric_rings, schedules
from princeps.engines.rings import simulate_ring, trace_ring
from princeps.errors import ProtocolError, TooLarge
from princeps.exact.interleavings import Interleavings, all_interleavings
from princeps.exact.ring_costs import Costs, costs_of_a_k, costs_of_b_k
from princeps.model import registry
from princeps.model.ring import Label, Ring
from princeps.model.ring_algorithm import LEFT, Local, RingAlgorithm, Sent
from princeps.model.ring_run import RingResult, RingRun, make_ring_run
from princeps.model.specification import SENTENCES
from princeps.model.trace import Event
from princeps.model.words import Word
from tests import faulty_ring as faulty
from tests.test_engines import chi_square_p
from tests.transcription import a_k, b_k
from tests.transcription.links import FINISH, PHASE_SHIFT, TOKEN, Message, State, Stuck

TRANSCRIBED: dict[str, ModuleType] = {"a_k": a_k, "b_k": b_k}
COSTS: dict[str, Callable[[Ring, int], Costs]] = {"a_k": costs_of_a_k, "b_k": costs_of_b_k}
LIBRARY = princeps.library("ring")
SMALLEST_K = {"a_k": 1, "b_k": 2}
ABOUT_THE_RUN = ("seconds", "engine", "why", "command")


def planned(name: str | type[RingAlgorithm], labels: Any, engine: str = "reference", **more: Any) -> RingRun:
    return make_ring_run(name, labels=labels, engine=engine, **more)


def elected(name: str | type[RingAlgorithm], labels: Any, engine: str = "compiled", **more: Any) -> RingResult:
    return simulate_ring(planned(name, labels, engine, **more))


def traced(run: RingRun) -> tuple[list[Event], RingResult]:
    events: list[Event] = []
    return events, trace_ring(run, events.append)


def rings_of_class(most_n: int, most_k: int, smallest_k: int) -> Iterator[tuple[Ring, int]]:
    """Every asymmetric ring over three labels, with every k that is large enough."""
    for n in range(2, most_n + 1):
        for ring in asymmetric_rings(n, 3):
            for k in range(max(smallest_k, ring.multiplicity), most_k + 1):
                yield ring, k


def random_asymmetric(n: int, labels: int, draw: random.Random) -> Ring:
    while (ring := Ring(tuple(draw.randrange(labels) for _ in range(n)))).symmetric:
        pass
    return ring


# -- the transcriptions -------------------------------------------------------------------------------------------


def plain(value: Any) -> Any:
    """A label as the number it is, a word as a tuple."""
    if isinstance(value, Word):
        return tuple(map(plain, value.letters))
    return value.text if isinstance(value, Label) else value


def as_tuple(content: Sent) -> Message:
    return content.message.name, *map(plain, content.values)


def state_of(run: RingRun, local: Local) -> State:
    state = {name: plain(value) for name, value in zip(run.algorithm.variables_, local.values, strict=True)}
    if "state" in state:
        state["state"] = run.algorithm.show(local)["state"]
    assert state.pop("INIT", 0) == 0  # everyone who acts has started
    return {**state, "halted": local.halted}


def follow(run: RingRun) -> list[Event]:
    """The transcription, on links of its own, does what the engine shows, event by event."""
    rules, n, params = TRANSCRIBED[run.spec], run.ring.n, run.algorithm.given
    states: list[State] = [{}] * n
    links: list[deque[Message]] = [deque() for _ in range(n)]
    events, result = traced(run)
    for event in events:
        i = event.process
        if not event.action:  # a deadlock: the transcription knows no action either, there and then
            assert event.received is not None
            assert links[i][0] == as_tuple(event.received)
            with pytest.raises(Stuck):
                rules.receive(states[i], links[i][0])
            continue
        if event.received is None:
            states[i], sent = rules.start(run.ring.labels[i], **params)
        else:
            assert links[i][0] == as_tuple(event.received)
            states[i], sent = rules.receive(states[i], links[i].popleft())
        links[(i + 1) % n].extend(sent)
        assert [as_tuple(content) for content in event.sent] == sent, event
        shown = {name: value for name, value in states[i].items() if name not in ("id", *params)}
        assert state_of(run, event.local) == shown, event
    for i in (port for port in range(n) if links[port]):  # what nobody can take
        with pytest.raises(Stuck):
            rules.receive(states[i], links[i][0])
    assert any(links) == ("links not empty" in [violation.rule for violation in result.violations])
    return events


@pytest.mark.parametrize("name", TRANSCRIBED)
def test_every_small_ring_goes_through_the_states_of_the_transcription(name: str) -> None:
    fired = set()
    for ring, k in rings_of_class(4, 3, SMALLEST_K[name]):
        for schedule in ("synchronous", "random", "adversarial", f"slow:{ring.n - 1}"):
            fired |= {event.action for event in follow(planned(name, ring, schedule=schedule, params={"k": k}))}
    assert fired == {action.name for action in registry.find_ring(name).actions}


@pytest.mark.parametrize("name", TRANSCRIBED)
def test_larger_rings_go_through_the_states_of_the_transcription(name: str) -> None:
    draw = random.Random(5)
    for seed in range(12):
        ring = random_asymmetric(draw.randint(5, 9), draw.randint(2, 9), draw)
        k = max(SMALLEST_K[name], ring.multiplicity) + draw.randint(0, 1)
        follow(planned(name, ring, schedule="random", seed=seed, params={"k": k}))


@pytest.mark.parametrize("name", TRANSCRIBED)
def test_rings_outside_the_class_go_wrong_as_the_transcription_does(name: str) -> None:
    draw = random.Random(6)
    for seed in range(40):
        labels = [draw.randrange(3) for _ in range(draw.randint(2, 8))]
        more = {"printed": seed % 2} if name == "a_k" else {}
        run = planned(name, labels, schedule="random", seed=seed, force=True, params={"k": SMALLEST_K[name], **more})
        follow(run)


def test_the_names_of_messages_are_those_of_the_transcriptions() -> None:
    assert [message.name for message in registry.find_ring("a_k").messages_] == [TOKEN, FINISH]
    assert [message.name for message in registry.find_ring("b_k").messages_] == [TOKEN, PHASE_SHIFT, FINISH]


# -- the compiled engine ------------------------------------------------------------------------------------------


def outcome(run: RingRun) -> dict[str, Any]:
    """Everything but how it was computed; or that the algorithm's file is to blame."""
    try:
        return {key: value for key, value in simulate_ring(run).as_json().items() if key not in ABOUT_THE_RUN}
    except ProtocolError:
        return {"violations": [{"rule": "a mistake"}]}


def agreed(name: str | type[RingAlgorithm], labels: Any, **more: Any) -> dict[str, Any]:
    """The outcome, on which both engines agree."""
    first, second = (outcome(planned(name, labels, engine, **more)) for engine in ("reference", "compiled"))
    assert first == second, (name, labels, more)
    return first


def legal_ring(name: str, n: int, draw: random.Random) -> Ring:
    """With repeated labels, if the algorithm allows them."""
    cls = registry.find_ring(name)
    ring = random_asymmetric(n, max(2, n // 2), draw)
    if cls.demands(ring, cls(ring).constants) is None:
        return ring
    return Ring(tuple(draw.sample(range(n), n)))


@pytest.mark.parametrize("name", LIBRARY)
def test_both_engines_agree_on_every_schedule(name: str) -> None:
    draw = random.Random(7)
    for n in (2, 3, 4, 6, 9, 12):
        ring = legal_ring(name, n, draw)
        edges = [f"slow:{edge}" for edge in range(n)]
        for schedule, seed in [(s, n) for s in ("synchronous", "adversarial", *edges)] + [
            ("random", s) for s in range(4)
        ]:
            found = agreed(name, ring, schedule=schedule, seed=seed)
            assert found["converged"], (ring, schedule)


@pytest.mark.parametrize("name", LIBRARY)
def test_both_engines_agree_on_what_goes_wrong(name: str) -> None:
    """Symmetric rings, repeated labels, k and n that are wrong: who cares may insist."""
    draw = random.Random(8)
    wrong: Counter[str] = Counter()
    for seed in range(60):
        n = draw.randint(2, 10)
        labels = [draw.randrange(draw.choice((1, 2, 3, 5))) for _ in range(n)]
        params = {"k": SMALLEST_K[name] + seed % 2} if name in SMALLEST_K else {}
        params |= {"printed": seed // 2 % 2} if name == "a_k" else {}
        params |= {"size": (2, n, n + 1)[seed % 3]} if name == "itai_rodeh" else {}
        schedule = draw.choice(["random", *schedules(n)])
        found = agreed(name, labels, schedule=schedule, seed=seed, params=params, force=True, max_steps=3000)
        wrong.update(violation["rule"] for violation in found["violations"])
    assert wrong["a second process elects itself"] > 0
    assert wrong["no action is enabled"] + wrong["a mistake"] > 0


@pytest.mark.parametrize("name", LIBRARY)
def test_both_engines_stop_alike(name: str) -> None:
    ring = legal_ring(name, 5, random.Random(9))
    for schedule in ("random", "synchronous"):
        whole = agreed(name, ring, schedule=schedule, seed=2)
        for limit in (0, 1, 4, 5, 6, whole["steps"] // 2, whole["steps"] - 1):
            cut = agreed(name, ring, schedule=schedule, seed=2, max_steps=limit)
            assert (cut["steps"], cut["limited"], cut["converged"]) == (limit, True, False)
        for limit in (whole["steps"], whole["steps"] + 1):
            assert agreed(name, ring, schedule=schedule, seed=2, max_steps=limit) == whole


def test_a_limit_that_stops_a_run_in_the_middle_of_a_slice_changes_nothing() -> None:
    run = planned("b_k", "1,2,2,3,1,4", "compiled", schedule="random")
    whole, parts = Compiled(run), Compiled(run)
    while not whole.over:
        whole.advance(10**6)
    while not parts.over:
        parts.advance(7)
    assert (whole.now, whole.steps, whole.kinds) == (parts.now, parts.steps, parts.kinds)
    assert (whole.rows == parts.rows).all()


@pytest.mark.parametrize("schedule", ["synchronous", "slow:0", "adversarial", "random"])
def test_messages_may_be_many(schedule: str) -> None:
    """Seven times the room that the compiled engine begins with, in every kind of queue."""
    found = agreed(faulty.Faulty, list(range(60)), schedule=schedule, params={"chaff": 4})
    assert found["converged"]
    assert found["kinds"]["CHAFF"] == 60 * (2**5 - 1)


@pytest.mark.parametrize("name", [name for name in LIBRARY if name != "b_k"])
def test_sixty_processes_agree_as_well(name: str) -> None:
    ring = Ring(tuple(random.Random(3).sample(range(60), 60)))
    assert agreed(name, ring, schedule="slow:0")["converged"]


@pytest.mark.parametrize("name", ["a_k", "b_k"])
def test_long_runs_agree(name: str) -> None:
    ring = random_asymmetric(30, 9, random.Random(4))
    found = agreed(name, ring, schedule="random", seed=3)
    assert found["converged"]
    assert found["steps"] > (2_000 if name == "a_k" else 10_000)


def test_labels_may_be_words() -> None:
    found = agreed("a_k", "ANNA,OTTO,ANNA,EVA")
    assert (found["leader"], found["leader_label"]) == (0, "ANNA")


# -- time ---------------------------------------------------------------------------------------------------------


def slowest_times(events: list[Event], under_way: list[int]) -> list[int]:
    """The largest times in the order of events, starts at 0, no message under way for more than one unit.

    `under_way`: the steps that sent what is never received; it is received after everything else.
    """
    senders = [event.sent_in for event in events] + under_way
    times: list[float] = [float("inf") if sender >= 0 else 0 for sender in senders]
    settled = False
    while not settled:
        settled = True
        for i in reversed(range(len(times))):
            latest = [times[senders[i]] + 1] if senders[i] >= 0 else []
            best = min([times[i], *times[i + 1 : i + 2], *latest])
            settled &= best == times[i]
            times[i] = best
    return [int(time) for time in times[: len(events)]]


@pytest.mark.parametrize("name", LIBRARY)
def test_time_is_the_slowest_that_the_order_of_events_allows(name: str) -> None:
    draw = random.Random(10)
    for seed in range(4):
        ring = legal_ring(name, draw.randint(2, 6), draw)
        for schedule in ("random", "adversarial", f"slow:{seed % ring.n}"):
            events, result = traced(planned(name, ring, schedule=schedule, seed=seed))
            times = slowest_times(events, [])
            assert [event.time for event in events] == times
            assert result.time == times[-1]
            assert all(event.sent_at == times[event.sent_in] for event in events if event.received)


def test_a_run_that_is_cut_has_the_same_times() -> None:
    for seed in range(5):
        whole, _ = traced(planned("b_k", "1,2,2,3", schedule="random", seed=seed))
        for limit in (5, 9, 20, 33):
            network = Network(planned("b_k", "1,2,2,3", schedule="random", seed=seed, max_steps=limit))
            events = list(islice(network.events(), limit))
            waiting = [travelling.step for link in network.links for travelling in link]
            waiting += [-1] * network.unstarted
            assert [event.time for event in events] == slowest_times(events, waiting)
            assert [event.time for event in events] == [event.time for event in whole[:limit]]


@pytest.mark.parametrize("name", LIBRARY)
def test_synchronous_time_counts_rounds(name: str) -> None:
    """In round t everything is received that was sent in round t-1."""
    ring = legal_ring(name, 6, random.Random(11))
    events, result = traced(planned(name, ring))
    for event in events:
        assert event.time == (event.sent_at + 1 if event.received else 0)
    assert [event.time for event in events] == sorted(event.time for event in events)
    assert {event.time for event in events} == set(range(result.time + 1))


# -- links --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", LIBRARY)
def test_links_are_fifo_and_lose_nothing(name: str) -> None:
    draw = random.Random(12)
    for seed in range(3):
        ring = legal_ring(name, draw.randint(2, 8), draw)
        for schedule in ("random", *schedules(ring.n)):
            events, result = traced(planned(name, ring, schedule=schedule, seed=seed))
            sent, received = defaultdict(list), defaultdict(list)
            for event in events:
                for content in event.sent:
                    target = event.process + (-1 if content.side == LEFT else 1)
                    sent[target % ring.n, content.side].append((event.step, content))
                if event.received is not None:
                    received[event.process, event.received.side].append((event.sent_in, event.received))
            assert received == sent
            assert sum(map(len, sent.values())) == result.messages
            starts = [event.process for event in events if event.received is None]
            firsts = list(dict.fromkeys(event.process for event in events))
            assert starts == firsts
            assert sorted(starts) == list(range(ring.n))
            assert [event.step for event in events] == list(range(result.steps))


# -- the specification --------------------------------------------------------------------------------------------

BREACHES: dict[int, list[tuple[str, int | None, str]]] = {
    faulty.FLAWLESS: [],
    faulty.SILENT: [("nobody leads", None, ""), ("not done", None, ""), ("not halted", None, "")],
    faulty.FALLS: [("isLeader falls back to false", 1, "C6")],
    faulty.SECOND: [("a second process elects itself", 2, "C5"), ("several lead", None, "")],
    faulty.UNDONE: [("done falls back to false", 1, "C6")],
    faulty.WAVERS: [("leader changes after done", 1, "C6")],
    faulty.CHANGES: [("leader changes after done", 2, "C7"), ("misled", None, "")],
    faulty.EARLY: [("done, but leader is not the label of a process that leads", 1, "C4")],
    faulty.WRONG: [
        ("done, but leader is not the label of a process that leads", 2, "C5"),
        ("misled", None, ""),
    ],
    faulty.HASTY: [("halts before done", 2, "C7"), ("not done", None, "")],
    faulty.MUTE: [("no action is enabled", 2, ""), ("not halted", None, ""), ("links not empty", None, "")],
    faulty.TALKS: [("no action is enabled", 2, ""), ("links not empty", None, "")],
    faulty.WAKES: [("not halted", None, "")],
}


@pytest.mark.parametrize(("fault", "breaches"), BREACHES.items())
@pytest.mark.parametrize("schedule", ["synchronous", "random", "slow:2"])
def test_a_broken_rule_is_reported(fault: int, breaches: list[tuple[str, int | None, str]], schedule: str) -> None:
    found = agreed(faulty.Faulty, "2,5,3,1", schedule=schedule, params={"fault": fault})
    assert [(v["rule"], v["process"], v["action"]) for v in found["violations"]] == breaches
    assert found["converged"] == (not breaches)


def test_every_rule_that_is_watched_is_broken_above() -> None:
    seen = {rule for breaches in BREACHES.values() for rule, _, _ in breaches}
    assert set(SENTENCES.values()) <= seen


def test_another_leader_than_promised_is_reported() -> None:
    found = agreed(faulty.Hopeful, "2,5,3,1")
    (violation,) = found["violations"]
    assert violation["sentence"] == "in the end process 1 leads instead of 3"


def test_a_deadlock_is_told_with_the_state_of_that_moment() -> None:
    """The process hears the other side later."""
    found = agreed(faulty.Deaf, "1,2,3")
    first = found["violations"][0]
    assert (first["process"], first["time"]) == (1, 1)
    assert first["sentence"].endswith(
        "no action is enabled for <PING> there; it is in state (isLeader = 0, leader = -, done = 0, heard = 0)"
    )
    assert found["violations"][-1]["sentence"] == "in the end 3 messages are never received"


def test_kinds_of_one_name_are_counted_together() -> None:
    assert agreed(faulty.Deaf, "1,2,3")["kinds"] == {"PING": 6}


def test_a_label_that_is_not_there_yet_is_no_label() -> None:
    for engine, line in (("reference", "'first' is read before it has a value"), ("compiled", "reads a label before")):
        with pytest.raises(ProtocolError, match=line):
            elected("peterson", "3,4,4,3,1", engine, schedule="random", seed=354, force=True)


# -- schedules ----------------------------------------------------------------------------------------------------


def test_the_first_choice_is_uniform() -> None:
    n, runs = 7, 3500
    run = planned("b_k", "1,2,3,4,5,6,7", schedule="random")
    seen = Counter(next(Network(replace(run, seed=seed)).events()).process for seed in range(runs))
    assert chi_square_p([seen[i] for i in range(n)], [runs / n] * n) > 1e-6


def test_the_compiled_engine_makes_the_same_first_choice() -> None:
    for seed in range(50):
        run = planned("b_k", "1,2,3,4,5,6,7", "compiled", schedule="random", seed=seed)
        engine = Compiled(run)
        engine.advance(1)
        (first,) = engine.rows[:, -3].nonzero()[0]
        assert first == next(Network(run).events()).process


def choices(seeds: range) -> Counter[tuple[int, int]]:
    """How many ports could act, and which of them did, in the order of their numbers."""
    n, seen = 5, Counter[tuple[int, int]]()
    for seed in seeds:
        waiting = dict.fromkeys(range(n), 1)  # all could start
        for event in traced(planned("franklin", "3,1,4,5,2", schedule="random", seed=seed))[0]:
            ports = [port for port in range(2 * n) if waiting.get(port)]
            from_right = event.received is not None and event.received.side == LEFT
            port = event.process + n * from_right
            if event.received is None:
                waiting[event.process] -= 1
            else:
                seen[len(ports), ports.index(port)] += 1
                waiting[port] -= 1
            for content in event.sent:
                target = (event.process + (-1 if content.side == LEFT else 1)) % n + n * (content.side == LEFT)
                waiting[target] = waiting.get(target, 0) + 1
    return seen


def test_every_choice_is_uniform_over_the_ports() -> None:
    """Choices between both sides of processes that have all started."""
    seen = choices(range(400))
    tested = 0
    for size in {size for size, _ in seen}:
        observed = [seen[size, place] for place in range(size)]
        if size > 1 and sum(observed) > 300:
            assert chi_square_p(observed, [sum(observed) / size] * size) > 1e-6
            tested += 1
    assert tested >= 5
    observed = [seen[4, place] for place in range(4)]
    swapped = [observed[0] + observed[1] // 2, observed[1] - observed[1] // 2, *observed[2:]]  # power: half as likely
    assert chi_square_p(swapped, [sum(observed) / 4] * 4) < 1e-6


def test_a_given_order_is_followed_as_far_as_it_goes() -> None:
    order = [2, 2, 0, 1, 2, 1, 0]
    events, result = traced(planned("chang_roberts", "3,1,2", schedule="order:" + ",".join(map(str, order))))
    assert [event.process for event in events[:4]] == [2, 0, 1, 2]  # at first 2 had nothing to receive
    assert result.converged
    assert [event.action for event in events[:3]] == ["C1"] * 3
    done, again = traced(
        planned("chang_roberts", "3,1,2", schedule=f"order:{','.join(str(e.process) for e in events)}")
    )
    assert done == events
    assert again.time == result.time


def test_an_interrupt_ends_a_survey(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is no failure of the algorithm."""
    result = replace(elected("a_k", "1,2", "reference"), interrupted=True, converged=False)
    monkeypatch.setattr(ring_survey, "simulate_ring", lambda run: result)
    with pytest.raises(KeyboardInterrupt):
        next(ring_survey.survey("a_k", [2], alphabet=2, most_k=1))


def test_any_run_can_be_repeated_by_its_order() -> None:
    for name in ("a_k", "b_k", "peterson"):
        events, result = traced(planned(name, "2,4,1,3", schedule="random", seed=1))
        order = ",".join(str(event.process) for event in events)
        repeated, again = traced(planned(name, "2,4,1,3", schedule=f"order:{order}"))
        assert repeated == events
        assert (again.time, again.messages) == (result.time, result.messages)


# -- exact costs --------------------------------------------------------------------------------------------------


def measured(name: str, ring: Ring, k: int, **more: Any) -> Costs:
    result = elected(name, ring, params={"k": k}, **more)
    assert result.converged
    return Costs(result.time, result.messages, result.max_bits)


@pytest.mark.parametrize("name", COSTS)
def test_the_formulas_are_exact_on_every_small_ring(name: str) -> None:
    draw = random.Random(13)
    for ring, k in rings_of_class(6, 4, SMALLEST_K[name]):
        turn = draw.randrange(ring.n)
        turned = Ring((*ring.labels[turn:], *ring.labels[:turn]))
        assert measured(name, turned, k) == COSTS[name](turned, k) == COSTS[name](ring, k)


@pytest.mark.parametrize("name", COSTS)
def test_messages_and_bits_are_those_of_every_schedule(name: str) -> None:
    draw = random.Random(14)
    for seed in range(60):
        ring = random_asymmetric(draw.randint(2, 20), draw.randint(2, 20), draw)
        k = max(SMALLEST_K[name], ring.multiplicity)
        costs, exact = measured(name, ring, k, schedule="random", seed=seed), COSTS[name](ring, k)
        assert (costs.messages, costs.max_bits) == (exact.messages, exact.max_bits)
        assert measured(name, ring, k) == exact


@pytest.mark.parametrize("name", COSTS)
def test_distinct_labels_give_closed_forms(name: str) -> None:
    draw = random.Random(15)
    for n in (2, 3, 7, 20, 41):
        for k in range(SMALLEST_K[name], 5):
            ring = Ring(tuple(draw.sample(range(n), n)))
            costs = measured(name, ring, k)
            assert costs == COSTS[name](ring, k)
            if name == "a_k":
                assert (costs.time, 2 * costs.messages) == ((2 * k + 1) * n, n * n * (4 * k + 1) + n)
            else:
                assert costs.time == k * (k + 1) * n * n + n


# -- all interleavings --------------------------------------------------------------------------------------------


def explored(name: str | type[RingAlgorithm], ring: Ring, **more: Any) -> Interleavings:
    cls = registry.find_ring(name) if isinstance(name, str) else name
    most = more.pop("most", 10**5)
    return all_interleavings(cls(ring, **more), ring, most)


@pytest.mark.parametrize("name", COSTS)
def test_every_interleaving_of_a_small_ring_ends_alike(name: str) -> None:
    for ring, k in rings_of_class(4, 3, SMALLEST_K[name]):
        found = explored(name, ring, k=k)
        assert found.confluent
        assert found.endings == 1
        assert found.leaders == (ring.true_leader,)
        assert found.messages == (measured(name, ring, k, schedule="random").messages,)
        assert found.messages == (COSTS[name](ring, k).messages,)
        assert found.steps > found.configurations  # there is more than one way


def test_interleavings_of_two_processes_are_counted_by_hand() -> None:
    """Silent processes only start, in either order."""
    found = explored(faulty.Faulty, Ring((1, 2)), fault=faulty.SILENT)
    assert (found.configurations, found.steps) == (4, 4)
    assert found.broken == "in the end nobody leads"
    assert found.schedule == (0, 1)


def test_the_printed_table_can_be_led_into_a_deadlock() -> None:
    found = explored("a_k", Ring((0, 1, 2)), k=1, printed=1)
    assert not found.confluent
    assert found.broken is not None
    assert "no action is enabled" in found.broken
    assert found.schedule is not None
    order = f"order:{','.join(map(str, found.schedule))}"
    result = elected("a_k", "0,1,2", "auto", schedule=order, params={"k": 1, "printed": 1})
    assert (result.engine, result.converged) == ("reference", False)
    assert result.violations[0].rule == "no action is enabled"
    assert found.broken.partition(": ")[2] in result.violations[0].sentence
    mended = elected("a_k", "0,1,2", "auto", schedule=order, params={"k": 1})
    assert mended.converged


@pytest.mark.parametrize(("fault", "breaches"), BREACHES.items())
def test_a_broken_rule_is_found_among_the_interleavings(
    fault: int, breaches: list[tuple[str, int | None, str]]
) -> None:
    found = explored(faulty.Faulty, Ring((2, 5, 3)), fault=fault)
    if not breaches:
        assert found.confluent
        return
    assert found.broken is not None
    assert found.schedule is not None
    rule, process, action = breaches[0]
    where = f"process {process} by {action}".removesuffix(" by ")
    assert found.broken.startswith("in the end" if process is None else f"{where}: {rule}")
    order = f"order:{','.join(map(str, found.schedule))}"
    assert not elected(faulty.Faulty, "2,5,3", "reference", schedule=order, params={"fault": fault}).converged


def test_two_endings_are_found() -> None:
    found = explored(faulty.Moody, Ring((2, 3, 1)))
    assert found.broken is None
    assert not found.confluent
    assert found.endings == 4  # each of two processes chooses
    base = elected(faulty.Faulty, "2,3,1").messages
    assert found.messages == (base, base + 1, base + 2)
    assert found.leaders == (1,)


def test_too_many_interleavings_are_refused() -> None:
    ring = Ring((1, 2, 3))
    everything = explored("a_k", ring, k=2).configurations
    assert explored("a_k", ring, k=2, most=everything).confluent
    with pytest.raises(TooLarge, match=f"the ring 1,2,3 has more than {everything - 1:,} configurations"):
        explored("a_k", ring, k=2, most=everything - 1)


def test_coins_cannot_be_explored() -> None:
    with pytest.raises(ProtocolError, match="itai_rodeh tosses coins"):
        explored("itai_rodeh", Ring((0, 0, 0)))

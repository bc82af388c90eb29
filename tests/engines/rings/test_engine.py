"""The compiled ring engine beside the plain one; time, links, specification and schedules by their definitions."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest

from princeps.engines.rings import survey as ring_survey
from princeps.engines.rings.compiled import Compiled
from princeps.engines.rings.reference import Network
from princeps.engines.rings.simulate import simulate_ring
from princeps.engines.rings.survey import schedules
from princeps.errors import ProtocolError
from princeps.model import registry
from princeps.model.rings.algorithm import LEFT, RingAlgorithm
from princeps.model.rings.event import Event
from princeps.model.rings.ring import Ring
from princeps.model.rings.run import RingRun
from princeps.model.rings.specification import SENTENCES
from tests.engines.rings import faulty_ring as faulty
from tests.engines.test_engines import chi_square_p
from tests.ring_tools import (
    ABOUT_THE_RUN,
    LIBRARY,
    SMALLEST_K,
    compiled,
    elected,
    planned,
    random_asymmetric,
    traced,
)
from tests.tables import in_one_test

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


@pytest.mark.medium
@pytest.mark.parametrize("name", compiled())
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


@pytest.mark.parametrize("name", compiled())
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


@pytest.mark.parametrize("name", compiled())
def test_both_engines_stop_alike(name: str) -> None:
    ring = legal_ring(name, 5, random.Random(9))
    for schedule in ("random", "synchronous"):
        whole = agreed(name, ring, schedule=schedule, seed=2)
        for limit in (0, 1, 4, 5, 6, whole["steps"] // 2, whole["steps"] - 1):
            cut = agreed(name, ring, schedule=schedule, seed=2, max_steps=limit)
            assert (cut["steps"], cut["limited"], cut["converged"]) == (limit, True, False)
        for limit in (whole["steps"], whole["steps"] + 1):
            assert agreed(name, ring, schedule=schedule, seed=2, max_steps=limit) == whole


@pytest.mark.parametrize("name", ["a_k", pytest.param("b_k", marks=pytest.mark.slow)])
def test_a_limit_that_stops_a_run_in_the_middle_of_a_slice_changes_nothing(name: str) -> None:
    run = planned(name, "1,2,2,3,1,4", "compiled", schedule="random")
    whole, parts = Compiled(run), Compiled(run)
    while not whole.over:
        whole.advance(10**6)
    while not parts.over:
        parts.advance(7)
    assert (whole.now, whole.steps, whole.kinds) == (parts.now, parts.steps, parts.kinds)
    assert (whole.rows == parts.rows).all()


@pytest.mark.slow
@pytest.mark.parametrize("schedule", ["synchronous", "slow:0", "adversarial", "random"])
def test_messages_may_be_many(schedule: str) -> None:
    """Seven times the room that the compiled engine begins with, in every kind of queue."""
    found = agreed(faulty.Faulty, list(range(60)), schedule=schedule, params={"chaff": 4})
    assert found["converged"]
    assert found["kinds"]["CHAFF"] == 60 * (2**5 - 1)


@pytest.mark.medium
@pytest.mark.parametrize("name", compiled("b_k"))
def test_sixty_processes_agree_as_well(name: str) -> None:
    ring = Ring(tuple(random.Random(3).sample(range(60), 60)))
    assert agreed(name, ring, schedule="slow:0")["converged"]


@pytest.mark.parametrize("name", ["a_k", pytest.param("b_k", marks=pytest.mark.slow)])
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


@pytest.mark.medium
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


@in_one_test(("fault", "breaches"), faulty.BREACHES.items())
@pytest.mark.parametrize("schedule", ["synchronous", "random", "slow:2"])
def test_a_broken_rule_is_reported(fault: int, breaches: list[tuple[str, int | None, str]], schedule: str) -> None:
    found = agreed(faulty.Faulty, "2,5,3,1", schedule=schedule, params={"fault": fault})
    assert [(v["rule"], v["process"], v["action"]) for v in found["violations"]] == breaches
    assert found["converged"] == (not breaches)


def test_every_rule_that_is_watched_is_broken_above() -> None:
    seen = {rule for breaches in faulty.BREACHES.values() for rule, _, _ in breaches}
    assert set(SENTENCES.values()) <= seen


def test_another_leader_than_promised_is_reported() -> None:
    found = agreed(faulty.Hopeful, "2,5,3,1")
    (violation,) = found["violations"]
    assert violation["sentence"] == "in the end process 1 leads instead of 3"


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_label_that_is_not_there_yet_is_no_label() -> None:
    for engine in ("reference", "compiled"):
        with pytest.raises(ProtocolError, match=r"peterson\.py:59: 'first' is read before it has a value"):
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


@pytest.mark.medium
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

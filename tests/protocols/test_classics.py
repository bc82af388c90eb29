"""The classical ring algorithms: who leads and what it costs, counted here without actions, messages or schedules."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import permutations
from math import comb, sqrt
from statistics import fmean

import pytest

from princeps.engines.rings.reference import Network
from princeps.errors import ParameterError, RingError
from princeps.model import registry
from princeps.model.rings.algorithm import Sent
from princeps.model.rings.reading import make_ring_run
from princeps.model.rings.specification import SECOND_LEADER
from tests.protocols.classics import (
    KNOWN,
    LABELED,
    Labels,
    ended,
    events,
    forced,
    franklin,
    itai_rodeh,
    outcome,
    rings,
    schedules,
)
from tests.tables import in_one_test


@pytest.mark.medium
@pytest.mark.parametrize("name", LABELED)
def test_every_schedule_elects_the_known_leader_with_the_known_messages(name: str) -> None:
    """Only Hirschberg-Sinclair may save messages: a larger probe may be quicker than the last reply."""
    fired: set[str] = set()
    for labels in (ring for n in range(2, 7) for ring in rings(n, 4)):
        leader, messages = KNOWN[name](labels)
        for schedule, seed in schedules(len(labels)):
            found, counted = outcome(ended(name, fired, labels=labels, schedule=schedule, seed=seed))
            thrifty = name == "hirschberg_sinclair" and schedule != "synchronous" and counted < messages
            assert found == leader, (labels, schedule, seed)
            assert thrifty or counted == messages, (labels, schedule, seed)
    assert fired == {action.name for action in registry.find_ring(name).actions}


@pytest.mark.parametrize("name", LABELED)
def test_larger_rings_as_well(name: str) -> None:
    for n in (16, 27):
        for labels in rings(n, 2):
            assert outcome(ended(name, labels=labels)) == KNOWN[name](labels)


@pytest.mark.parametrize("name", [*LABELED, "itai_rodeh"])
def test_in_the_end_all_but_the_leader_are_passive(name: str) -> None:
    network = ended(name, n=6, seed=2)
    for process, local in enumerate(network.locals):
        shown = network.algorithm.show(local)
        assert shown.get("INIT", "0") == "0"
        assert shown.get("state") != "INIT"
        assert (shown.get("state") == "PASSIVE") == ("state" in shown and process not in network.leaders)


@pytest.mark.parametrize("name", [*LABELED, "itai_rodeh"])
@in_one_test("schedule", ["synchronous", "adversarial", "random", "slow:1"])
def test_who_elects_itself_knows_the_leader_at_once(name: str, schedule: str) -> None:
    network = Network(make_ring_run(name, n=4, schedule=schedule))
    for event in events(network):
        shown = network.algorithm.show(event.local)
        if shown["isLeader"] == "1":
            assert shown["leader"] == str(network.ring.labels[event.process])


@pytest.mark.parametrize("name", [*LABELED, "itai_rodeh"])
def test_at_most_one_action_is_enabled(name: str) -> None:
    """Guards exclude one another, whatever arrives next."""
    for seed, labels in enumerate(rings(4)):
        network = Network(make_ring_run(name, labels=labels, schedule="random", seed=seed))
        for _ in events(network):
            for port, link in enumerate(network.links):
                process, side = port % 4, ("left", "right")[port // 4]
                for message in (travelling.content for travelling in list(link)[:1]):
                    local, label = network.locals[process], network.ring.boxed[process]
                    found = network.algorithm.enabled(local, label, side, message.message, message.values)
                    assert len(found) == local.started, (labels, message, found)


# -- what the papers say of them ----------------------------------------------------------------------------------


@in_one_test("n", range(2, 7))
def test_chang_roberts_takes_n_times_a_harmonic_number_of_messages_on_average(n: int) -> None:
    """Over all arrangements; turning the ring changes nothing, so the largest label stands first."""
    tokens = [ended("chang_roberts", labels=(n, *rest)).kinds["token"] for rest in permutations(range(1, n))]
    assert Fraction(sum(tokens), len(tokens)) == n * sum(Fraction(1, i) for i in range(1, n + 1))
    assert (min(tokens), max(tokens)) == (2 * n - 1, n * (n + 1) // 2)
    assert ended("chang_roberts", labels=range(1, n + 1)).kinds["token"] == 2 * n - 1
    assert ended("chang_roberts", labels=range(n, 0, -1)).kinds["token"] == n * (n + 1) // 2


def test_le_lann_sends_every_label_all_the_way_round() -> None:
    for n in range(2, 9):
        assert ended("lelann", n=n, seed=n, schedule="random").kinds == {"token": n * n, "FINISH": n}


def test_le_lann_may_know_the_leader_long_before_it_leads() -> None:
    """Which is why it needs an announcement."""
    network = Network(make_ring_run("lelann", labels="1,2,3", schedule="slow:1"))
    early = {event.process for event in events(network) if event.action == "L3" and not network.leaders}
    assert early == {0, 1}


def test_peterson_never_elects_the_largest_label() -> None:
    """Its process becomes passive in the first phase, and another becomes its host."""
    for labels in (ring for n in range(2, 7) for ring in rings(n)):
        leader, _ = outcome(ended("peterson", labels=labels))
        assert labels[leader] != max(labels)


@pytest.mark.parametrize("name", ["peterson", "franklin"])
@in_one_test("n", range(2, 7))
def test_the_bounds_of_peterson_and_franklin_are_met(name: str, n: int) -> None:
    worst = max(permutations(range(1, n + 1)), key=lambda labels: KNOWN[name](labels)[1])
    network = ended(name, labels=worst)
    assert network.messages == network.algorithm.promised(network.ring)["messages"]


@pytest.mark.parametrize("name", ["chang_roberts", "lelann", "hirschberg_sinclair"])
def test_in_rounds_they_take_exactly_the_time_that_bounds_all_schedules(name: str) -> None:
    for n in (2, 3, 4, 5, 8, 13):
        network = ended(name, n=n)
        assert network.now == network.algorithm.promised(network.ring)["time"]


def test_franklin_keeps_the_label_of_a_side_that_is_ahead() -> None:
    """5 loses its second phase to one side only, whose label may arrive during the first."""
    for labels in ((4, 1, 5, 2, 6, 3), (3, 6, 2, 5, 1, 4)):
        for seed in range(20):
            assert outcome(ended("franklin", labels=labels, schedule="random", seed=seed)) == franklin(labels)


@pytest.mark.parametrize("labels", [(9, 1, 2, 7, 3, 4, 8, 5, 6), (9, 1, 2, 8, 3, 4, 7, 5, 6)])
def test_who_passes_a_larger_probe_gives_up_and_hears_the_announcement_from_both_sides(labels: Labels) -> None:
    for schedule, seed in schedules(9):
        network = Network(make_ring_run("hirschberg_sinclair", labels=labels, schedule=schedule, seed=seed))
        heard = set()
        for event in events(network):
            if event.received is None:
                continue
            kind, larger = event.received.message.name, event.received.values[0] > network.ring.boxed[event.process]
            if kind == "PROBE" and larger:
                assert network.algorithm.show(event.local)["state"] == "PASSIVE"
            if kind == "FINISH":
                heard.add((event.process, event.received.side))
        assert len(heard) == 2 * 9, (schedule, seed)


class Held:
    """A schedule that holds messages back, stage by stage: the next stage begins when nothing else can happen."""

    def __init__(self, network: Network, *stages: Callable[[int, Sent], bool]) -> None:
        self.network, self.stages = network, list(stages)

    def next(self) -> int | None:
        for process, local in enumerate(self.network.locals):
            if not local.started:
                return process
        while self.stages:
            for port, link in enumerate(self.network.links):
                if link and not self.network.dead[port] and not self.stages[0](port, link[0].content):
                    return port
            del self.stages[0]
        return None

    def sent(self, port: int) -> None: ...

    def settled(self, port: int, ready: bool) -> None: ...


def test_hirschberg_sinclair_must_announce_both_ways() -> None:
    """13 is so slow that a reply to it meets a process which the announcement has reached clockwise."""
    network = Network(make_ring_run("hirschberg_sinclair", labels="14,1,2,3,4,13,5,6,7,8,9,10,11,12"))

    def reach(process: int) -> int:
        found: int = network.locals[process].values[list(network.algorithm.variables_).index("reach")]
        return found

    def reply_to_13(port: int, sent: Sent) -> bool:
        return str(sent) == "<REPLY, 13>"

    def last_reply_to_13(port: int, sent: Sent) -> bool:
        return reach(5) == 4 and port % 14 == 5 and reply_to_13(port, sent)

    def probe_of_14(port: int, sent: Sent) -> bool:
        return port == 1 and str(sent) == "<PROBE, 14, 8>"

    def probe_of_13(port: int, sent: Sent) -> bool:
        return port == 9 and str(sent) == "<PROBE, 13, 5>"

    network.chooser = Held(  # type: ignore[assignment]
        network,
        lambda port, sent: last_reply_to_13(port, sent) or probe_of_14(port, sent),
        lambda port, sent: probe_of_14(port, sent) or probe_of_13(port, sent),
        probe_of_13,
        reply_to_13,
        lambda port, sent: False,
    )
    at_12 = [event.received.message.name for event in events(network) if event.process == 12 and event.received]
    assert at_12[-3:] == ["FINISH", "REPLY", "FINISH"]
    assert not network.violations
    assert not network.ending().violations(network.now)


# -- coins --------------------------------------------------------------------------------------------------------


@pytest.mark.medium
def test_itai_rodeh_is_decided_by_its_coins_alone() -> None:
    fired: set[str] = set()
    for n in range(2, 8):
        for seed in range(15):
            expected = itai_rodeh(n, seed)
            for schedule in ("synchronous", "adversarial", "random", f"slow:{seed % n}"):
                network = ended("itai_rodeh", fired, n=n, seed=seed, schedule=schedule)
                assert outcome(network) == expected, (n, seed, schedule)
    assert fired == {action.name for action in registry.find_ring("itai_rodeh").actions}


def expected_rounds(n: int) -> float:
    """Of k active processes m remain if m of them toss the largest number."""
    rounds = {1: Fraction(0)}
    for k in range(2, n + 1):
        chance = {m: Fraction(comb(k, m) * sum(j ** (k - m) for j in range(n)), n**k) for m in range(1, k + 1)}
        rounds[k] = (1 + sum(chance[m] * rounds[m] for m in range(2, k))) / (1 - chance[k])
    return float(rounds[n])


@pytest.mark.medium
@pytest.mark.parametrize(("n", "rounds"), [(2, 2), (3, 27 / 16), (4, 8 / 5)])
def test_itai_rodeh_takes_the_expected_rounds_and_favours_nobody(n: int, rounds: float) -> None:
    """Within five standard errors; a round fails with probability at most 1/2."""
    runs = 120
    networks = [ended("itai_rodeh", n=n, seed=seed) for seed in range(runs)]
    place = list(networks[0].algorithm.variables_).index("round")
    taken = [max(local.values[place] for local in network.locals) for network in networks]
    assert expected_rounds(n) == pytest.approx(rounds)
    assert abs(fmean(taken) - rounds) < 5 * sqrt(2 / runs)
    for process in range(n):
        share = sum(network.leaders == [process] for network in networks) / runs
        assert abs(share - 1 / n) < 5 * sqrt((n - 1) / n**2 / runs)


def test_itai_rodeh_announces_the_label_of_the_winner_if_there_are_labels() -> None:
    network = ended("itai_rodeh", labels="7,8,9,8", seed=3)
    assert outcome(network) == itai_rodeh(4, 3)


@pytest.mark.parametrize("size", [2, 4, 6])
def test_itai_rodeh_must_know_the_size(size: int) -> None:
    with pytest.raises(RingError, match=f"size = {size}, but the ring has 5 processes: .* exactly\\."):
        make_ring_run("itai_rodeh", n=5, params={"size": size})
    with pytest.raises(ParameterError, match="an integer >= 2"):
        make_ring_run("itai_rodeh", n=5, params={"size": 1})


def test_too_small_a_size_may_elect_two_and_too_large_a_size_nobody() -> None:
    sizes = {2: set[int](), 6: set[int]()}
    for size, elected in sizes.items():
        for seed in range(20):
            elected.add(len(forced("itai_rodeh", n=5, seed=seed, params={"size": size}).leaders))
    assert sizes == {2: {1, 2}, 6: {0}}


# -- what they refuse ---------------------------------------------------------------------------------------------


@in_one_test(
    ("name", "title"),
    [
        ("chang_roberts", "Chang-Roberts"),
        ("lelann", "Le Lann"),
        ("peterson", "Peterson"),
        ("franklin", "Franklin"),
        ("hirschberg_sinclair", "Hirschberg-Sinclair"),
    ],
)
def test_repeated_labels_are_refused_and_may_elect_two(name: str, title: str) -> None:
    with pytest.raises(RingError, match=f"label 2 occurs 3 times: {title} needs distinct labels\\. "):
        make_ring_run(name, labels="1,2,1,2,2")
    assert SECOND_LEADER in forced(name, labels="1,2,1,2").violations

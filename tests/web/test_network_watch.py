"""A network run on the page: followed, paused, rewound, followed again; attacked in its past; saved. In virtual time."""

from __future__ import annotations

from typing import Any

import pytest

import princeps
from princeps.api.net_batches import session_of
from princeps.api.net_page import saved_page
from princeps.errors import RunError
from princeps.network.onlooking import Order
from princeps.web.actions import Actions
from princeps.web.network_serving import NetworkActions, NetworkServing
from princeps.web.network_watch import NetworkWatch
from princeps.web.series import FAULT, LEADERS
from princeps.web.watch import Watch
from tests.web.decoding import arrays_of
from tests.web.network_runs import CHAOS, Heard, feed, heard_of, watched
from tests.web.pages import Page

RUN = {"duration": "3s", "chaos": CHAOS}


@pytest.fixture(scope="module")
def heard() -> Heard:
    return heard_of("p_rl", 6, net=RUN)


def texts_of(watch: NetworkWatch, kind: str = FAULT) -> list[str]:
    return [text for _, marked, text in watch.tape.branch.series.marks if marked == kind]


def test_who_looks_on_changes_nothing(heard: Heard) -> None:
    alone = princeps.net("p_rl", 6, seed=1, transport="memory", **RUN)
    assert isinstance(alone, type(heard.result))
    assert alone.history == heard.result.history
    assert alone.counters == heard.result.counters


def test_the_tape_is_the_order_that_the_replay_judged(heard: Heard) -> None:
    watch = watched(heard)
    feed(watch, [*heard.batches, heard.ended])
    session = watch.session
    assert session.steps == heard.result.all_interactions
    assert (session.leaders, session.leader) == (heard.result.leaders, heard.result.leader)
    again = princeps.net("p_rl", 6, seed=1, transport="memory", **RUN)
    assert isinstance(again, type(heard.result))
    for _, step, leaders in again.history:
        assert session.goto(step).leaders == leaders
    assert watch.status()["network"]["result"]["verdict"] == "agrees"


def test_a_live_run_is_followed_paused_rewound_and_followed_again(heard: Heard) -> None:
    watch, half = watched(heard), len(heard.batches) // 2
    feed(watch, heard.batches[:half])
    told = watch.status()
    assert [told["playing"], told["network"]["following"], told["network"]["running"]] == [True] * 3
    assert told["step"] == told["end"] == str(watch.tape.session.steps) != "0"
    watch.pause()
    here = watch.session.steps
    watch.goto(here - 20)
    before = dict(watch.session.configuration.items())
    feed(watch, heard.batches[half : half + 10])
    assert watch.session.steps == here - 20
    assert all((before[name] == values).all() for name, values in watch.session.configuration.items())
    assert int(watch.status()["end"]) == watch.tape.session.steps > here
    watch.goto(here + 1)
    assert watch.session.steps == here + 1  # of what came while it stood
    watch.follow()
    assert watch.status()["step"] == str(watch.tape.session.steps)
    feed(watch, heard.batches[half + 10 :])
    assert watch.status()["step"] == str(watch.tape.session.steps)


def test_playing_the_past_leads_to_the_present_and_never_beyond(heard: Heard) -> None:
    watch = watched(heard)
    feed(watch, heard.batches[:20])
    watch.goto(3)
    watch.set_speed(None)
    watch.play()
    while not watch.following:
        watch.tick()
    assert watch.session.steps == watch.tape.session.steps
    feed(watch, [*heard.batches[20:], heard.ended])
    end = heard.result.all_interactions
    for move in (watch.play, lambda: watch.step(5), lambda: watch.seek("change"), lambda: watch.seek("goal")):
        move()
        while watch.tick() is not None:
            pass
        assert watch.session.steps == end
    assert not watch.playing


def test_seeking_goes_along_what_has_happened(heard: Heard) -> None:
    watch = watched(heard)
    feed(watch, heard.batches)
    watch.goto(0)
    watch.seek("leaders")
    watch.tick()
    assert (watch.found, watch.session.steps) == (True, heard.result.history[1][1])
    watch.goto(0)
    watch.seek("goal")
    watch.tick()
    assert (watch.found, watch.session.holds()) == (True, True)


def test_deaths_pauses_and_cuts_are_marked_and_shown_at_their_steps(heard: Heard) -> None:
    watch = watched(heard)
    feed(watch, heard.batches)
    said = texts_of(watch)
    killed = heard.result.recoveries[0]["agent"]
    assert [text for text in said if "killed" in text] == [f"agent {killed} is killed"]
    assert f"agent {killed} comes back in another state" in said
    stops = ["agent 3 is stopped", "agent 3 goes on"]
    assert [text for text in said if text in stops] == stops
    assert [text for text in said if "cut" in text] == ["2 arcs are cut", "nothing is cut any more"]
    stopped = next(step for step, _, text in watch.tape.branch.series.marks if text == "agent 3 is stopped")
    watch.goto(stopped)
    assert watch.status()["network"]["paused"] == watch.beside_frame()["paused"] == [3]
    assert 1.5 <= watch.status()["network"]["seconds"] <= 1.8
    cut = next(step for step, _, text in watch.tape.branch.series.marks if text == "2 arcs are cut")
    watch.goto(cut)
    assert watch.beside_frame()["cuts"] == [[2, 3], [5, 0]]
    watch.goto(0)
    assert watch.beside_frame() == {"dead": [], "paused": [], "cuts": []}


def test_agents_that_stay_dead_are_shown_dead() -> None:
    found = heard_of("timer", 6, net={"duration": "2s", "chaos": "1s: kill 4", "restart": "none"})
    watch = watched(found)
    feed(watch, [*found.batches, found.ended])
    assert watch.beside_frame()["dead"] == [4]


def test_a_leader_that_stays_dead_does_not_lead_on_the_page() -> None:
    """As in the result, which is shown on the same page."""
    found = heard_of("fratricide", 5, net={"duration": "4s", "chaos": "2s: kill leader", "restart": "none"})
    (gone,) = found.result.recoveries
    watch = watched(found)
    feed(watch, [*found.batches, found.ended])
    assert (found.result.leaders, watch.session.leaders, watch.session.holds()) == (0, 0, False)
    assert texts_of(watch, LEADERS)[-1] == "0 leaders"
    made = saved_page(found.run, found.told, found.batches, found.result).recording
    assert [event[1:] for event in made["events"]] == [["dead", gone["agent"]], ["killed", gone["agent"]]]
    back = heard_of("fratricide", 5, net={"duration": "4s", "chaos": "2s: kill leader", "restart": "initial"})
    made = saved_page(back.run, back.told, back.batches, back.result).recording
    assert "dead" not in [event[1] for event in made["events"]], "who comes back was never away"


def test_the_past_is_attacked_in_a_branch_and_the_network_goes_on(heard: Heard) -> None:
    watch = watched(heard)
    actions = NetworkActions(watch)
    feed(watch, heard.batches[:40])
    with pytest.raises(RunError, match="goes on by itself"):
        actions.perform("attack", {"kind": "corrupt", "count": 1})
    watch.goto(10)
    actions.perform("attack", {"kind": "corrupt", "count": 1})
    assert watch.status()["branch"] == 1
    watch.step(100)
    assert watch.session.steps == 110  # simulated
    feed(watch, heard.batches[40:])
    assert watch.session.steps == 110
    watch.follow()
    assert watch.status()["branch"] == 0
    feed(watch, [heard.ended])
    assert watch.session.steps == heard.result.all_interactions
    actions.perform("attack", {"kind": "corrupt", "count": 1})  # at the end, too
    assert watch.status()["branch"] == 2
    assert watch.tape.session.last_step == heard.result.all_interactions
    assert not watch.tape.session.in_the_past


def test_orders_go_to_the_launcher_and_are_refused_when_there_is_none(heard: Heard) -> None:
    orders: list[Any] = []
    watch = watched(heard, orders)
    actions = NetworkActions(watch)
    actions.perform("order", {"kind": "kill", "agent": 2, "seconds": 2.0})
    with pytest.raises(RunError, match=r"there are 0\.\.5"):
        actions.perform("order", {"kind": "kill", "agent": 6, "seconds": 2.0})
    feed(watch, [heard.ended])
    with pytest.raises(RunError, match="has ended"):
        actions.perform("order", {"kind": "pause", "agent": 2, "seconds": 2.0})
    assert orders == [["kill", 2, 2.0]]
    with pytest.raises(RunError, match="one network run"):
        actions.perform("open", {"code": "princeps1.x"})


def test_an_order_really_kills_and_stops() -> None:
    orders = {1.0: Order("kill", 2), 1.5: Order("pause", 4, 0.2)}
    found = heard_of("timer", 6, orders, net={"duration": "2s"})
    assert [one["agent"] for one in found.result.recoveries] == [2]
    watch = watched(found)
    feed(watch, found.batches)
    assert {"agent 2 is killed", "agent 4 is stopped", "agent 4 goes on"} <= set(texts_of(watch))
    assert found.result.replay == "agrees"


def test_a_conducted_run_takes_no_orders() -> None:
    found = heard_of("fratricide", 5, net={"mode": "conducted"})
    watch = watched(found)
    with pytest.raises(RunError, match="that of the seed"):
        watch.command("kill", 1, 2.0)
    feed(watch, [*found.batches, found.ended])
    assert watch.session.steps == princeps.run("fratricide", 5, seed=1, engine="reference").steps


def test_a_ring_algorithm_is_watched_too() -> None:
    labels = {"labels": "3,1,1,2,4,2", "k": 2}
    found = heard_of("a_k", net={"chaos": "reset 20/s; 20ms: kill 1", "restart": "durable"}, **labels)
    watch = watched(found)
    feed(watch, [*found.batches, found.ended])
    assert watch.session.leader == found.result.leader == princeps.run("a_k", seed=1, **labels).leader
    assert "process 1 is killed" in texts_of(watch)
    assert watch.status()["goals"] == {"leader": True}
    page = saved_page(found.run, found.told, found.batches, found.result)
    assert page.recording["kind"] == "messages"
    assert page.recording["network"]["result"]["agrees"] is True


def test_the_server_shows_it_live(heard: Heard) -> None:
    with (
        NetworkServing(lambda: session_of(heard.run), heard.told, lambda order: None) as serving,
        Page(serving) as page,
    ):
        assert page.about is not None or page.status() is not None
        for batch in heard.batches[:30]:
            serving.append(batch)
        page.do("pause")
        stands = page.do("back", count=5)["step"]
        for batch in [*heard.batches[30:], heard.ended]:
            serving.append(batch)
        while not (told := page.status())["network"]["result"]:
            pass
        assert told["step"] == stands
        assert page.about is not None
        assert (page.about["engine"], page.about["network"]["transport"]) == ("network over memory", "memory")
        page.do("live")
        header, _ = page.frame(again=True)
        assert header["step"] == str(heard.result.all_interactions)
        assert page.ask("choose", protocol="p_rl")["error"].startswith("this page shows one network run")
        refused = page.ask("order", kind="explode", agent=1)
        assert '"kill" or "pause"' in refused["error"]


def test_a_saved_page_has_times_faults_and_the_verdict(heard: Heard) -> None:
    found = saved_page(heard.run, heard.told, heard.batches, heard.result).recording
    assert found["kind"] == "meetings"
    assert found["steps"] == heard.result.all_interactions
    kinds = [event[1] for event in found["events"]]
    assert [kinds.count(kind) for kind in ("paused", "resumed", "cut", "heal")] == [1, 1, 2, 2]
    steps = [event[0] for event in found["events"]]
    assert steps == sorted(steps)
    clock = found["network"]["clock"]
    assert clock[-1] == [heard.result.all_interactions, 3.0]
    assert found["network"]["result"]["rows"] == [list(row) for row in heard.result.report().rows]
    assert len(arrays_of(found)["i"]) == heard.result.all_interactions
    assert sum(mark[1] == FAULT for mark in found["marks"]) < 10  # interactions are no attacks
    assert found["about"]["command"] == "princeps net p_rl"


def test_the_script_of_a_network_run_is_opened_without_a_mark_for_every_pair(heard: Heard) -> None:
    tape = watched(heard)
    feed(tape, heard.batches)
    opened = Watch()
    opened.begin(tape.tape.session.fork())
    assert opened.branches is not None
    marks = opened.branches.current.series.marks
    kinds = [kind for _, kind, _ in marks]
    assert 0 < kinds.count(FAULT) < 5
    assert kinds.count(LEADERS) >= len(heard.result.history) - 2


def test_the_script_of_a_network_run_is_watched(heard: Heard) -> None:
    watch = Watch()
    assert Actions(watch).open_script(heard.result.script, is_own=True) is False
    assert (watch.session.steps, watch.session.leader) == (heard.result.all_interactions, heard.result.leader)
    assert watch.branches is not None
    marks = watch.branches.current.series.marks
    assert 0 < sum(kind == FAULT for _, kind, _ in marks) < 5


def test_words_of_a_network_are_refused_elsewhere() -> None:
    actions = Actions(Watch())
    with pytest.raises(RunError, match="no network run"):
        actions.perform("live", {})
    with pytest.raises(RunError, match="has no process"):
        actions.perform("order", {"kind": "kill", "agent": 1, "seconds": 2.0})

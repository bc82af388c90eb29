"""A watch without threads and sockets: its clock is ours, and every run that it plays is compared with the plain one."""

from __future__ import annotations

from itertools import pairwise
from threading import Thread
from time import thread_time
from typing import Any

import pytest

import princeps
from princeps.engines.session import Session
from princeps.errors import RunError, TooLarge
from princeps.model.description import describe, with_seed
from princeps.model.run import Run
from princeps.model.script_codes import code_of
from princeps.web import branches, safe_set
from princeps.web.actions import Actions
from princeps.web.advancing import Advancing
from princeps.web.judging import Judging
from princeps.web.safe_set import SafeSet, elects
from princeps.web.series import FAULT, GOAL, LEADERS, MAX_EVENT_MARKS, MAX_LEADER_MARKS, MAX_POINTS, Series
from princeps.web.shares import Share
from princeps.web.shown_engine import with_numbers
from princeps.web.watch import Watch


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def opened(name: str, n: int, clock: Clock | None = None, **given: Any) -> Watch:
    watch = Watch(clock or Clock())
    watch.open(describe(name, n, **{"seed": 1, **given}))
    return watch


def marks(watch: Watch, kind: str) -> list[int]:
    assert watch.branches is not None
    return [step for step, found, _ in watch.branches.current.series.marks if found == kind]


@pytest.mark.medium
@pytest.mark.parametrize(
    ("name", "n", "options"),
    [
        ("fratricide", 12, {"engine": "agents"}),  # a goal on leaders
        ("fratricide", 12, {"engine": "reference"}),
        ("fratricide", 3000, {"engine": "counts"}),  # batches
        ("p_rl", 12, {"engine": "agents"}),  # a goal on the whole configuration
        ("p_rl", 40, {"engine": "events"}),
        ("p_rl", 12, {"engine": "agents", "until": "led", "start": "no_leader"}),
        ("p_rl", 12, {"engine": "agents", "until": "leaders == 1 and count(bullet > 0) == 0", "start": "all_leaders"}),
    ],
)
def test_a_run_that_is_played_is_the_run_and_its_marks_are_exact(name: str, n: int, options: dict[str, Any]) -> None:
    result = princeps.run(name, n, seed=1, **options)
    watch = opened(name, n, **options)
    watch.set_speed(None)
    watch.play()
    while watch.playing and watch.session.steps < result.steps + 10**7:
        watch.tick()
    session = watch.session
    assert isinstance(session, Session)
    assert (session.steps, watch.note) == (result.steps, "the goal is met")
    assert marks(watch, GOAL) == [result.steps]
    plain = princeps.session(name, n, seed=1, **options)
    assert isinstance(plain, Session)
    plain.run_until()
    assert plain.counts == session.counts
    if not session.cut_free:
        return
    expected = []
    plain.goto(0)
    while plain.next_leader_change(max_steps=result.steps - plain.steps):
        expected.append(plain.steps)
    assert watch.branches is not None
    series = watch.branches.current.series
    assert set(marks(watch, LEADERS)) <= set(expected)
    assert marks(watch, LEADERS) == expected or not series.is_complete


def test_speed_is_kept_by_the_clock() -> None:
    clock = Clock()
    watch = opened("p_rl", 12, clock, engine="agents")
    watch.set_speed(4)
    watch.play()
    assert watch.tick() == pytest.approx(0.25)
    clock.now = 0.26
    wait = watch.tick()
    assert watch.session.steps == 1
    assert wait is not None
    assert wait <= 0.25
    clock.now = 1.01
    watch.tick()
    assert watch.session.steps == 4
    watch.set_speed(1000)
    clock.now = 1.11
    while watch.tick() == 0:
        pass
    assert 103 <= watch.session.steps <= 104
    watch.pause()
    clock.now = 9
    assert watch.tick() is None
    watch.play()  # what was slept is not made up for
    watch.tick()
    assert watch.session.steps <= 105


def test_a_billion_agents_are_played_at_the_speed_that_is_chosen() -> None:
    """An engine that draws batches would go to the end of the run in one call; the script repeats what was played."""
    clock = Clock()
    watch = opened("fratricide", 10**9, clock, engine="counts")
    assert watch.status()["speed"] == 1e9  # one unit of parallel time a second

    def play(speed: float, seconds: float) -> int:
        watch.set_speed(speed)
        watch.play()
        before, clock.now = watch.session.steps, clock.now + seconds
        while watch.tick() == 0.0 and watch.playing:
            pass
        return watch.session.steps - before

    assert play(1e9, 0.1) == pytest.approx(1e8, rel=1e-6)
    assert play(1e12, 0.1) == pytest.approx(1e11, rel=1e-6)
    session = watch.session
    assert isinstance(session, Session)
    assert princeps.replay(code_of(session.script)).counts == session.counts
    play(1e18, 0.2)
    assert 10**17 < watch.session.steps < 3 * 10**17
    play(1e18, 0.2)
    play(1e18, 0.2)
    while watch.playing and watch.session.steps < 10**20:
        clock.now += 0.2
        watch.tick()
    assert watch.note == "the goal is met"


def test_a_past_that_is_played_is_followed_and_then_new_steps_come() -> None:
    watch = opened("p_rl", 12, engine="agents")
    watch.step(300)
    watch.goto(100)
    watch.set_speed(None)
    watch.play()
    while watch.session.steps <= 400 and watch.playing:
        watch.tick()
    plain = princeps.session("p_rl", 12, seed=1, engine="agents")
    assert isinstance(plain, Session)
    assert isinstance(watch.session, Session)
    assert watch.session.counts == plain.step(watch.session.steps).counts
    assert watch.branches is not None
    assert len(watch.branches.all) == 1


def test_what_is_refused_in_the_past_makes_no_branch() -> None:
    watch = opened("p_rl", 12, engine="agents")
    watch.step(300)
    watch.goto(100)
    with pytest.raises(RunError):
        watch.act("x", lambda one: one.meet(0, 0))
    assert watch.branches is not None
    assert len(watch.branches.all) == 1
    assert watch.session.last_step == 300


def test_branches_that_were_left_long_ago_are_replayed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(branches, "MAX_LIVE", 2)
    watch = opened("p_rl", 12, engine="agents")
    watch.step(300)
    states = {}
    for number in range(1, 6):
        watch.goto(100)
        watch.act("corrupt", lambda one: one.corrupt(2))
        watch.step(20 * number)
        assert isinstance(watch.session, Session)
        states[number] = watch.session.counts
    assert watch.branches is not None
    assert sum(branch.session is not None for branch in watch.branches.all) == 2
    for number, counts in states.items():
        watch.switch(number)
        watch.goto(watch.session.last_step)
        assert isinstance(watch.session, Session)
        assert watch.session.counts == counts
    watch.switch(0)
    watch.goto(100)
    assert (watch.session.steps, watch.session.last_step) == (100, 300)
    monkeypatch.setattr(branches, "MAX_BRANCHES", 6)
    with pytest.raises(RunError, match="6 branches already"):
        watch.act("corrupt", lambda one: one.corrupt(1))


def test_branches_that_are_compared_are_retired_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(branches, "MAX_LIVE", 2)
    watch = opened("p_rl", 12, engine="agents")
    watch.step(300)
    for _ in range(4):
        watch.goto(100)
        watch.act("corrupt", lambda one: one.corrupt(2))
        watch.step(20)
    act = Actions(watch).perform
    first = act("compare", {"number": 1})
    assert watch.branches is not None
    for number in (0, 2, 3, 1):
        said = act("compare", {"number": number})
        live = [branch.number for branch in watch.branches.all if branch.session is not None]
        assert live == sorted([number, 4])
    assert said == first
    monkeypatch.setattr(branches, "MAX_LIVE", 9)
    monkeypatch.setattr(branches, "LIVE_BYTES", 3 * watch.session.held_bytes // 2)
    for number in (0, 2, 3):
        watch.switch(number)
    assert sum(branch.session is not None for branch in watch.branches.all) == 2


def test_an_attack_starts_the_search_for_the_goal_again() -> None:
    watch = opened("p_rl", 12, engine="agents")
    watch.set_speed(None)
    for _ in range(2):
        watch.play()
        while watch.playing and watch.session.steps < 10**7:
            watch.tick()
        watch.act("all lead", lambda one: [one.set(agent, leader=1) for agent in range(12)])
    assert len(marks(watch, GOAL)) == 2
    assert marks(watch, FAULT)[0] == marks(watch, GOAL)[0]


def test_series_are_thinned_and_marks_bounded() -> None:
    series = Series()
    for step in range(5000):
        series.add((step, 1, (1,)))
        series.mark(step, LEADERS, f"{step}")
        if step % 50 == 0:
            series.mark(step, FAULT, f"{step}")
    assert len(series.points) <= MAX_POINTS
    assert (series.points[0][0], series.points[-1][0]) == (0, 4999)
    gaps = {b[0] - a[0] for a, b in zip(series.points, series.points[1:], strict=False)}
    assert max(gaps) <= 16
    marked = [step for step, kind, _ in series.marks if kind == LEADERS]
    assert MAX_LEADER_MARKS / 4 < len(marked) <= MAX_LEADER_MARKS
    assert (marked[0], marked[-1]) == (0, 4999)
    assert max(b - a for a, b in pairwise(marked)) <= 16
    assert [step for step, kind, _ in series.marks if kind == FAULT] == list(range(0, 5000, 50))
    assert not series.is_complete
    series.mark(6000, GOAL, "goal")
    assert series.marks[-1][1] == GOAL
    for step in range(3 * MAX_EVENT_MARKS):
        series.mark(step, FAULT, f"{step}")
    assert len(series.marks) <= MAX_EVENT_MARKS + MAX_LEADER_MARKS + 1


def test_few_enough_agents_get_numbers() -> None:
    def engine(n: int, name: str = "fratricide", **given: Any) -> str:
        return with_numbers(with_seed(describe(name, n, **given))).options.engine

    assert engine(10**6) == "agents"
    assert engine(10**9) == "auto"
    assert engine(10**6, engine="counts") == "counts"
    assert engine(500, "p_rl") == "agents"  # every meeting is shown, and saved
    assert engine(500, "p_rl", engine="events") == "events"
    assert engine(20_000, "p_rl") == "auto"


def largest_safe(name: str, n: int, **given: Any) -> list[tuple[Any, bool | None]]:
    """Along a run: the configuration, and what is said of it."""
    watch = opened(name, n, engine="reference", **given)
    session = watch.session
    assert isinstance(session, Session)
    assert isinstance(session.run, Run)
    safe, found = SafeSet(session.run), []
    for _ in range(200):
        found.append((session.leaders, safe.holds(session)))
        session.step(3)
    return found


def test_the_safe_set_is_what_reachability_says() -> None:
    said = largest_safe("fratricide", 6)
    assert all(safe == (leaders == 1) for leaders, safe in said)  # one leader that nobody can defeat
    timer = largest_safe("timer", 4, t_max=3)  # any leader may time out: nothing is safe
    assert {safe for leaders, safe in timer if leaders == 1} == {False}
    stated = opened("p_rl", 6, engine="reference", start="all_leaders")
    assert isinstance(stated.session, Session)
    assert SafeSet(stated.session.run).holds(stated.session) is False
    stated.session.run_until()
    assert SafeSet(stated.session.run).holds(stated.session) is True
    stated.session.dead(2)
    assert SafeSet(stated.session.run).holds(stated.session) is None


def test_what_is_known_of_the_safe_set_is_bounded_and_a_failing_rule_tells_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    session = opened("fratricide", 6, engine="reference").session
    assert isinstance(session, Session)
    session.run_until()
    safe = SafeSet(session.run)
    assert safe.holds(session) is True
    monkeypatch.setattr(safe_set, "MAX_MEETINGS", 0)
    safe._meetings[7, 7] = (False, ())
    assert safe.holds(session) is True
    assert (7, 7) not in safe._meetings

    def fails(*_: Any) -> Any:
        raise RunError("the rule fails.")

    monkeypatch.setattr(type(session.run.protocol), "step", fails)
    judging = Judging(session)
    assert judging.judged(session, steadily=False, hurries=False)["safe"] is None


def test_a_run_that_cannot_be_opened_leaves_the_one_that_is_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    watch = opened("p_rl", 12, engine="agents")
    watch.step(100)
    before, shown = watch.session, watch.status()

    def fails(*_: Any) -> None:
        raise MemoryError

    monkeypatch.setattr("princeps.web.watch.recall", fails)
    with pytest.raises(MemoryError):
        watch.begin(princeps.session("fratricide", 5, seed=1).step(10))
    assert watch.session is before
    assert watch.status() == shown


def test_nothing_is_safe_or_unsafe_where_nobody_is_elected() -> None:
    for name in ("majority", "epidemic"):
        assert {safe for _, safe in largest_safe(name, 6)} == {None}
    for name in ("fratricide", "timer", "p_ll"):
        session = opened(name, 6).session
        assert isinstance(session, Session)
        assert elects(session.run)


def test_a_goal_that_holds_at_the_start_is_marked_once() -> None:
    watch = opened("fratricide", 5, engine="reference", start="states:1;0;0;0;0")
    assert marks(watch, GOAL) == [0]
    assert watch.status()["hit"] == "0"
    Advancing(watch.branches.current, again=True)
    assert marks(watch, GOAL) == [0]


def test_the_run_of_a_story_has_its_whole_future() -> None:
    watch = Watch()
    actions = Actions(watch)
    assert actions.perform("choose", {"protocol": "p_rl", "n": None, "params": None, "seed": None}) == {"step": "0"}
    from princeps.web.story import captions_for, story_of

    story = story_of("p_rl")
    assert story is not None
    assert captions_for(watch.session) == story.as_json()
    for caption in story.captions:
        assert actions.perform("goto", {"step": caption["step"]}) == {"step": str(caption["step"])}
    assert watch.branches is not None
    assert len(watch.branches.all) == 1


def test_invariants_are_promised_after_the_first_step_until_somebody_attacks() -> None:
    watch = opened("p_ll", 8, engine="agents")

    def told() -> dict[str, tuple[bool, bool]]:
        return {one["name"]: (one["holds"], one["promised"]) for one in watch.status()["invariants"]}

    assert told() == {"L4": (False, False), "L5": (True, False), "L11": (True, False)}  # nobody is a timer yet
    watch.step(1)
    assert set(told().values()) == {(True, True)}
    watch.act("", lambda session: session.meet(0, 1))
    assert set(told().values()) == {(True, True)}  # forced meetings are meetings
    watch.act("", lambda session: session.set(0, leader=0))
    assert not any(promised for _, promised in told().values())


@pytest.mark.medium
def test_steps_of_an_engine_that_draws_batches_are_done_call_by_call() -> None:
    """So that `pause` ends them; the run is the one that a session makes with as many steps."""
    watch = opened("p_ll", 10**9, engine="counts")
    plain = princeps.session("p_ll", 10**9, seed=1, engine="counts")
    assert isinstance(plain, Session)
    watch.step(4 * 10**8)
    ticks = 0
    while watch.seeking is not None:
        watch.tick()
        ticks += 1
    plain.step(4 * 10**8)
    session = watch.session
    assert isinstance(session, Session)
    assert ticks >= 3
    assert (session.steps, session.counts) == (4 * 10**8, plain.counts)
    assert princeps.replay(code_of(session.script)).counts == plain.counts
    watch.step(10**10)
    watch.tick()
    watch.pause()
    assert 4 * 10**8 < watch.session.steps < 10**10
    assert watch.found is False


def test_work_of_another_thread_delays_none_of_this_one() -> None:
    share = Share(0.5)
    with share:
        end = thread_time() + 0.01
        while thread_time() < end:
            pass
    assert not share.may(hurries=True)
    answers: list[bool] = []
    other = Thread(target=lambda: answers.append(share.may(hurries=True)))
    other.start()
    other.join()
    assert answers == [True]


def test_branches_are_compared_at_the_same_step_also_where_one_is_shorter() -> None:
    """Against states that two sessions of their own compute."""
    watch = opened("p_rl", 12, engine="agents")
    act = Actions(watch).perform
    act("step", {"count": 500})
    act("goto", {"step": 200})
    act("attack", {"kind": "corrupt", "count": 4})
    act("step", {"count": 60})

    def states(session: Session) -> list[Any]:
        return [session.state(agent) for agent in range(12)]

    def expected(step: int) -> dict[str, Any]:
        plain = princeps.session("p_rl", 12, seed=1, engine="agents").step(step)
        hit = princeps.session("p_rl", 12, seed=1, engine="agents").step(200).corrupt(4).step(step - 200)
        assert isinstance(plain, Session)
        assert isinstance(hit, Session)
        differing = sum(a != b for a, b in zip(states(plain), states(hit), strict=True))
        return {"differing": str(differing), "same": differing == 0, "step": str(step), "of": [plain, hit]}

    wanted = expected(260)
    plain, hit = wanted.pop("of")
    assert wanted["differing"] != "0"
    assert act("compare", {"number": 0}) == {**wanted, "leaders": [str(hit.leaders), str(plain.leaders)]}
    act("branch", {"number": 0})
    act("goto", {"step": 500})  # further than the other branch has come
    assert act("compare", {"number": 1}) == {**wanted, "leaders": [str(plain.leaders), str(hit.leaders)]}
    assert (watch.session.steps, watch.session.last_step) == (500, 500)
    act("branch", {"number": 1})
    assert isinstance(watch.session, Session)
    assert (watch.session.steps, states(watch.session)) == (260, states(hit))
    act("goto", {"step": 230})
    between = expected(230)
    assert act("compare", {"number": 0})["differing"] == between["differing"]
    assert act("compare", {"number": 1})["same"] is True


def test_a_run_that_is_over_at_once_has_a_curve_and_it_is_true() -> None:
    watch = opened("p_ll", 2000, engine="agents")
    watch.set_speed(None)
    watch.play()
    while watch.playing:
        watch.tick()
    assert watch.branches is not None
    points = watch.branches.current.series.points
    assert len(points) > 100
    plain = princeps.session("p_ll", 2000, seed=1, engine="agents")
    for step, leaders, _ in points:
        assert plain.step(step - plain.steps).leaders == leaders


def test_a_ring_that_is_too_large_to_be_drawn_is_refused() -> None:
    with pytest.raises(TooLarge, match=r"20,000 processes is too large .* at most 2,000"):
        opened("chang_roberts", 20_000)


def test_a_large_ring_is_played_in_small_portions() -> None:
    """Who leads is not looked for among all processes after every event."""
    watch = opened("chang_roberts", 2000)
    watch.set_speed(None)
    watch.play()
    times = []
    while watch.session.steps < 3000:
        began = thread_time()
        watch.tick()
        times.append(thread_time() - began)
    assert sorted(times)[len(times) // 2] < 0.2
    assert sum(times) < 3

"""The words of a page, against a real server."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import princeps
from princeps.engines.session import Session
from princeps.web.server import Serving
from tests.web.pages import Page, get, served

N = 20


@pytest.fixture(scope="module")
def server() -> Iterator[Serving]:
    with served("p_rl", N, seed=3, engine="agents") as serving:
        yield serving


@pytest.fixture
def watcher(server: Serving) -> Iterator[Page]:
    """The run anew, at its start."""
    with Page(server) as made:
        made.do("choose", protocol="p_rl", n=N, seed=3, engine="agents")
        made.do("speed", value=10)
        yield made


def reference(**options: Any) -> Session:
    made = princeps.session("p_rl", N, seed=3, engine="agents", **options)
    assert isinstance(made, Session)
    return made


def shown(watcher: Page) -> dict[str, list[int]]:
    """The configuration that a frame shows, by fields."""
    header, payload = watcher.frame(again=True)
    assert header["kind"] == "agents"
    assert header["ids"] == "u16"
    ids = np.frombuffer(payload, "<u2")
    assert watcher.about is not None
    names = [field["name"] for field in watcher.about["fields"]]
    return {name: [watcher.states[k]["f"][place] for k in ids] for place, name in enumerate(names)}


def held(session: Session) -> dict[str, list[int]]:
    return {name: values.tolist() for name, values in session.configuration.items()}


def test_frames_show_the_true_configuration_at_every_step_tried(watcher: Page) -> None:
    plain = reference()
    for count in (1, 1, 5, 100, 4000, 20000):
        watcher.do("step", count=count)
        plain.step(count)
        assert shown(watcher) == held(plain)
        header, _ = watcher.frame(again=True)
        assert (header["step"], header["leaders"], header["pair"]) == (
            str(plain.steps),
            str(plain.leaders),
            list(plain.last_pair or ()),
        )
        bars = {tuple(watcher.states[number]["f"]): int(size) for number, size in header["bars"]}
        assert bars == dict(plain.counts)
    watcher.do("back", count=3)
    assert shown(watcher) == held(plain.back(3))
    assert watcher.do("goto", step="77")["step"] == "77"
    assert shown(watcher) == held(plain.goto(77))


def test_an_untouched_run_that_is_played_is_the_run(watcher: Page) -> None:
    result = princeps.run("p_rl", N, seed=3, engine="agents")
    watcher.do("speed", value=None)
    watcher.do("play")
    status = watcher.status(playing=False, note="the goal is met")
    assert (status["step"], status["hit"], status["goals"]["s_rl"]) == (str(result.steps), str(result.steps), True)
    assert status["command"] == result.command
    plain = reference()
    plain.run_until()
    assert shown(watcher) == held(plain)
    (branch,) = watcher.do("series")["branches"]
    marks = {kind: [int(step) for step, name, _ in branch["marks"] if name == kind] for kind in ("leaders", "goal")}
    assert marks["goal"] == [result.steps]
    plain.goto(0)
    changes = []
    while plain.next_leader_change(max_steps=result.steps - plain.steps):
        changes.append(plain.steps)
    assert set(marks["leaders"]) <= set(changes)
    assert not branch["complete"] or marks["leaders"] == changes
    watcher.do("play")  # and on, past the goal
    watcher.do("pause")


def test_next_change_next_leaders_next_goal(watcher: Page) -> None:
    plain = reference()
    for what, go in (("change", plain.next_change), ("leaders", plain.next_leader_change)):
        for _ in range(3):
            assert (
                watcher.do("next", what=what)
                == {"reply": watcher.number, "ok": True, "found": True, "step": str(plain.steps)}
                if go()
                else True
            )
    assert watcher.do("next", what="goal")["found"]
    plain.run_until()
    assert shown(watcher) == held(plain)
    watcher.do("goto", step=5)
    assert watcher.do("next", what="goal")["step"] == str(plain.steps)


def test_an_attack_in_the_past_makes_a_branch_and_the_old_future_stays(watcher: Page) -> None:
    watcher.do("step", count=500)
    watcher.do("goto", step=200)
    answer = watcher.do("attack", kind="set", agent=3, fields={"leader": 1, "bullet": 0})
    assert answer["branch"] == 1
    watcher.do("attack", kind="corrupt", count=2)
    watcher.do("attack", kind="meet", i=4, j=5)
    watcher.do("step", count=100)
    code = watcher.do("link")["code"]
    touched = reference().step(200).set(3, leader=1, bullet=0).corrupt(2).meet(4, 5).step(100)
    assert shown(watcher) == held(touched)
    assert held(princeps.replay(code)) == held(touched)
    one, two = watcher.do("series")["branches"]
    assert (one["end"], two["parent"], two["at"], two["end"]) == ("500", 0, "200", "301")
    assert [kind for _, kind, _ in two["marks"] if kind == "fault"] == ["fault"] * 3
    compared = watcher.do("compare", number=0)
    differing = sum(
        a != b
        for a, b in zip(
            zip(*held(touched).values(), strict=True),
            zip(*held(reference().step(301)).values(), strict=True),
            strict=True,
        )
    )
    assert (compared["differing"], compared["same"], compared["step"]) == (str(differing), differing == 0, "301")
    watcher.do("branch", number=0)
    assert shown(watcher) == held(reference().step(200))
    watcher.do("step", count=300)
    assert shown(watcher) == held(reference().step(500))
    assert len(watcher.do("series")["branches"]) == 2  # following the old future is no new branch
    watcher.do("open", code=code)
    assert shown(watcher) == held(touched)


def test_every_kind_of_attack(watcher: Page) -> None:
    plain = reference()
    attacks: list[tuple[str, dict[str, Any]]] = [
        ("dead", {"agent": 3}),
        ("cut", {"i": 7, "j": 8}),
        ("torn", {"i": 10, "j": 11, "side": "initiator"}),
        ("corrupt_leaders", {}),
        ("alive", {"agent": 3}),
        ("heal", {"i": 7, "j": 8}),
    ]
    for kind, given in attacks:
        watcher.do("step", count=50)
        plain.step(50)
        watcher.do("attack", kind=kind, **given)
        if kind == "corrupt_leaders":
            living = [agent for agent in range(N) if agent not in plain.dead_agents]
            plain.corrupt([agent for agent in living if plain.state(agent)["leader"]])
        else:
            getattr(plain, kind)(*given.values())
        header, _ = watcher.frame(again=True)
        assert (header["dead"], header["cuts"]) == (sorted(plain.dead_agents), sorted(map(list, plain.cut_arcs)))
        assert shown(watcher) == held(plain)
    watcher.do("attack", kind="start", name="all_leaders")
    assert set(shown(watcher)["leader"]) == {1}
    assert held(princeps.replay(watcher.do("link")["code"])) == shown(watcher)
    for given in ({"agent": 99}, {"agent": 3, "fields": {"leader": 7}}, {"agent": 3, "fields": {"wings": 1}}):
        before = shown(watcher)
        assert "error" in watcher.ask("attack", kind="set", **{"fields": {"leader": 1}, **given})
        assert shown(watcher) == before
    assert "is not for this kind of protocol" in watcher.ask("attack", kind="reset", process=1)["error"]


def test_the_run_so_far_is_saved_as_a_page(server: Serving, watcher: Page) -> None:
    watcher.do("step", count=40)
    code, headers, body = get(server, f"/{server.guard.token}/save")
    assert (code, headers["content-disposition"]) == (200, 'attachment; filename="princeps.html"')
    assert b'id="recording"' in body
    assert get(server, "/save")[0] == 403


def test_cards_and_lines(watcher: Page) -> None:
    watcher.do("step", count=300)
    plain = reference().step(300)
    i, j = plain.last_pair or (0, 0)
    card = watcher.do("card", agent=i)
    assert card["fields"] == plain.state(i)
    assert (card["meetings"][0]["step"], card["meetings"][0]["with"], card["meetings"][0]["role"]) == (
        "300",
        j,
        "initiator",
    )
    lines = watcher.do("lines")
    assert lines["pair"] == [i, j]
    assert lines["lines"]
    assert watcher.about is not None
    numbers = {line["number"] for line in watcher.about["rule"]["lines"]}
    assert set(lines["lines"]) <= numbers
    assert "is no agent" in watcher.ask("card", agent=N)["error"]


def test_a_steady_speed_and_two_pages_on_one_run(server: Serving, watcher: Page) -> None:
    with Page(server) as other:
        watcher.do("speed", value=200)
        watcher.do("play")
        assert other.status(playing=True)["speed"] == 200
        other.do("pause")
        status = watcher.status(playing=False)
        watcher.v = other.v = -1
        assert shown(watcher) == shown(other)
        assert watcher.frame(again=True)[0]["step"] == other.frame(again=True)[0]["step"]
        assert int(status["step"]) >= 0


def test_the_library_and_another_run(server: Serving, watcher: Page) -> None:
    listed = watcher.do("library")["protocols"]
    assert {"p_rl", "p_ll", "peterson"} <= {entry["name"] for entry in listed}
    assert all(entry["sentence"] and entry["title"] for entry in listed)
    watcher.do("choose", protocol="peterson", labels="3,1,4,2", schedule="random", seed=5)
    header, payload = watcher.frame(again=True)
    assert header["kind"] == "messages"
    assert payload == b""
    assert watcher.about is not None
    assert watcher.about["kind"] == "ring"
    watcher.do("step", count=6)
    plain = princeps.session("peterson", labels="3,1,4,2", schedule="random", seed=5).step(6)
    process, side, text = plain.under_way[0]
    header, _ = watcher.frame(again=True)
    assert header["messages"][0] == {"to": process, "side": side, "text": text}
    watcher.do("attack", kind="deliver", process=process, side=side)
    watcher.do("attack", kind="reset", process=2)
    plain.deliver(process, side).reset(2)
    header, _ = watcher.frame(again=True)
    assert [one["values"] for one in header["processes"]] != []
    assert header["step"] == str(plain.steps)
    assert watcher.do("card", agent=1)["process"]["label"] == 1
    assert watcher.do("lines")["action"]
    for word, given in [
        ("attack", {"kind": "corrupt", "count": 1}),
        ("branch", {"number": 7}),
    ]:
        assert "error" in watcher.ask(word, **given)
    for refused in ("./mine.py:Mine", "/etc/passwd", "no_such"):
        assert "not in the library" in watcher.ask("choose", protocol=refused)["error"]
    for option in ({"start": "file:/etc/passwd"}, {"graph": "/etc/passwd"}, {"schedule": "./x.py:Y"}):
        assert "would read a file" in watcher.ask("choose", protocol="p_rl", n=5, **option)["error"]
    assert watcher.do("step")["step"] == str(plain.steps + 1)  # the run is still there


@pytest.mark.slow
def test_a_million_agents_as_pixels_and_a_billion_as_counts(watcher: Page) -> None:
    from princeps.web.pixels import from_nibbles

    watcher.do("choose", protocol="fratricide", n=30_000, seed=1)
    watcher.do("step", count=20_000)
    header, payload = watcher.frame(choice="leader")
    assert (header["kind"], header["bits"], header["width"]) == ("pixels", 4, 174)
    plain = princeps.session("fratricide", 30_000, seed=1, engine="agents").step(20_000)
    assert from_nibbles(payload, 30_000).tolist() == plain.configuration["leader"].tolist()
    watcher.do("choose", protocol="fratricide", n="1e9", seed=1)
    watcher.do("speed", value=None)
    watcher.do("play")
    while int(watcher.frame()[0]["step"]) < 10**6:
        pass
    watcher.do("pause")
    header, payload = watcher.frame(again=True)
    assert (header["kind"], payload) == ("counts", b"")
    assert sum(int(size) for _, size in header["bars"]) + int(header["others"]) == 10**9
    assert "draws interactions in batches" in watcher.ask("next", what="change")["error"]
    code = watcher.do("link")["code"]
    again = princeps.replay(code)
    assert (str(again.steps), str(again.leaders)) == (header["step"], header["leaders"])
    watcher.do("goto", step=str(int(header["step"]) // 2))  # to where it stood
    assert int(watcher.frame(again=True)[0]["step"]) <= int(header["step"]) // 2

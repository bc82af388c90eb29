"""A small attack of every category, and wrong results that are planted into the engines."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.fuzz import planted

ROOT = Path(__file__).parents[2]
rules: Any = __import__("fuzz.random_rules").random_rules
run_checks: Any = __import__("fuzz.run_checks").run_checks
event_checks: Any = __import__("fuzz.event_checks").event_checks
law_checks: Any = __import__("fuzz.law_checks").law_checks
brute_checks: Any = __import__("fuzz.brute_checks").brute_checks
rings: Any = __import__("fuzz.random_rings").random_rings
assert planted

SWAP = """from princeps.model import Bit, Blocks, Counted, PopulationProtocol, Range


def q(a, p):
    return a.x == 2


def goal_some(c, p):
    return c.q >= 1


def start_first(a, i, n, p):
    a.leader = i % 2


class Random(PopulationProtocol):
    leader, x = Bit(), Range(3)
    starts = {"first": start_first, "blocks": Blocks(lambda n, p: [(1, {"leader": 1}), (n - 1, {})])}
    predicates = {"q": q}
    goals = {"some": Counted(goal_some)}

    @staticmethod
    def interact(a, b, p):
        if a.leader == 1:
            a.x = min(a.x + 1, 2)
            a.leader, b.leader = b.leader, a.leader
"""


@pytest.fixture
def protocol(tmp_path: Path) -> Any:
    from princeps.model import registry

    (tmp_path / "swap.py").write_text(SWAP)
    return registry.find(str(tmp_path / "swap.py"))


def late(self: Any, a: Any, b: Any, *given: Any, **named: Any) -> Any:
    """The rule of SWAP, but the responder stays as it was."""
    return (b[0] if a[0] else a[0], min(a[1] + 1, 2) if a[0] else a[1]), b


WRITTEN = rules.Written(SWAP, 6)


@pytest.mark.slow
@pytest.mark.parametrize("check", [run_checks.pairs_agree, run_checks.runs_agree, law_checks.laws_agree])
def test_a_rule_with_two_meanings_is_noticed(check: Any, protocol: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert check(protocol, WRITTEN, Random(1)) == []
    monkeypatch.setattr(protocol, "step", late)
    found = check(protocol, WRITTEN, Random(1))
    assert [trouble.kind for trouble in found] == ["wrong"]


@pytest.mark.slow
def test_an_arc_that_is_not_listed_is_noticed(protocol: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine `events` skips in this check, and what it takes for null interactions is compared with Python."""
    from princeps.engines.events import Events

    seen: list[bool] = []
    listing = Events._list_active

    def forgetful(self: Any) -> None:
        listing(self)
        seen.append(self.skipping)

    monkeypatch.setattr(Events, "_list_active", forgetful)
    assert event_checks.events_agree(protocol, WRITTEN, Random(1)) == []
    assert any(seen)
    monkeypatch.setattr(protocol, "step", late)
    assert [trouble.kind for trouble in event_checks.events_agree(protocol, WRITTEN, Random(1))] == ["wrong"]


@pytest.mark.slow
def test_a_session_that_is_not_the_run_is_noticed(protocol: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from princeps.engines.session import Session

    assert run_checks.sessions_equal_runs(protocol, WRITTEN, Random(1)) == []
    monkeypatch.setattr(Session, "leaders", 7)
    assert run_checks.sessions_equal_runs(protocol, WRITTEN, Random(1))


def test_a_wrong_expectation_is_noticed(protocol: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.analysis import brute_force

    assert brute_checks.exact_agrees(protocol, WRITTEN, Random(1)) == []
    right = brute_force.brute_times
    for off in (lambda time: time * 1.001, lambda time: time + 1):
        monkeypatch.setattr(
            brute_force,
            "brute_times",
            lambda *given, off=off: {config: off(time) for config, time in right(*given).items()},
        )
        assert brute_checks.exact_agrees(protocol, WRITTEN, Random(1))


@pytest.mark.medium
def test_random_protocols_are_well_formed(tmp_path: Path) -> None:
    """Read as a user's file; nearly all of the runs that are chosen do not begin at their goal."""
    from princeps.model import registry

    begins = 0
    for seed in range(40):
        path = tmp_path / f"random{seed}.py"
        path.write_text(rules.random_protocol(Random(seed)).text)
        run = run_checks.chosen_run(registry.find(str(path)), Random(seed))
        begins += run_checks._begins_at_goal(run)
    assert begins <= 2


@pytest.mark.medium
def test_random_ring_algorithms_run(tmp_path: Path) -> None:
    import princeps

    ended = 0
    for seed in range(20):
        path = tmp_path / f"ring{seed}.py"
        path.write_text(rings.Writer(Random(seed)).text())
        given = rings._run(Random(seed), 4)
        ended += not princeps.run(str(path), engine="reference", **given).limited
    assert ended >= 5


@pytest.mark.slow
def test_a_small_attack_finds_nothing(tmp_path: Path) -> None:
    """What it finds is printed."""
    words = ["--inputs", "300", "--protocols", "2", "--seconds", "900", "--findings", str(tmp_path / "found.md")]
    line = [sys.executable, "-m", "fuzz", *words]
    done = subprocess.run(line, cwd=ROOT / "verification", capture_output=True, text=True, timeout=1200)
    found = (tmp_path / "found.md").read_text() if (tmp_path / "found.md").exists() else ""
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr[-2000:]}\n{found}"
    assert "together" in done.stdout

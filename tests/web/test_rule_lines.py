"""Which lines of the rule a meeting executes."""

from __future__ import annotations

import sys
from typing import Any

import princeps
from princeps.web.about import about
from princeps.web.rule_lines import lines_of_meeting, rule_of


def texts(protocol: Any, before: Any, after: Any = None) -> str:
    rule = rule_of(protocol)
    assert rule is not None
    shown = {line["number"]: line["text"] for line in rule["lines"]}
    return "\n".join(shown[line] for line in lines_of_meeting(protocol, before, after).lines)


def test_branches_of_p_rl() -> None:
    protocol = princeps.protocol("p_rl", n=6)
    follower, leader, ready = (0, 0, 0, 0, 3), (1, 0, 0, 0, 0), (1, 0, 0, 1, 0)
    assert lines_of_meeting(protocol, (follower, follower)).paper == ("1", "2", "3", "6", "8", "10", "13", "16")
    assert lines_of_meeting(protocol, (ready, follower)).paper[3:6] == ("6", "7", "8")
    assert lines_of_meeting(protocol, (follower, ready)).paper[3:6] == ("6", "8", "9")
    assert "4" in lines_of_meeting(protocol, ((0, 0, 0, 0, 5), follower)).paper
    hit = lines_of_meeting(protocol, ((0, 2, 0, 0, 1), leader))
    assert ("11" in hit.paper, "14" in hit.paper) == (True, False)


def test_helpers_are_part_of_the_rule() -> None:
    protocol = princeps.protocol("p_ll", n=16)
    start = tuple(princeps.session("p_ll", n=16, seed=1, engine="reference").population.state(0))
    found = lines_of_meeting(protocol, (start, start))
    assert {"1", "2", "3", "23", "24", "35", "36"} <= set(found.paper)  # Algorithms 1, 2 and 3
    assert "37" not in found.paper
    assert "def quick_elimination" in "\n".join(line["text"] for line in rule_of(protocol)["lines"])


def test_coins_show_what_they_must_have_shown() -> None:
    session: Any = princeps.session("examples/lottery.py", n=5, seed=1, engine="reference")
    protocol = session.run.protocol
    before = tuple(session.population.state(0)), tuple(session.population.state(1))
    seen = set()
    for _, after, draws in protocol.branches(*before):
        found = lines_of_meeting(protocol, before, after)
        assert found.draws == draws
        assert protocol.step(*before, _Given(draws)) == after
        seen.add(found.lines)
    assert len(seen) > 1  # heads and tails execute different lines


class _Given:
    def __init__(self, draws: Any) -> None:
        self.draws = list(draws)

    def below(self, bound: int) -> int:
        return int(self.draws.pop(0))


def test_entry_of_a_table() -> None:
    protocol = princeps.protocol("examples/opinions.py", n=3)
    names = protocol.fields_["state"].names
    a, b, q = ((names.index(name),) for name in ("A", "B", "?"))
    assert '("A", "B"): ' in texts(protocol, (a, b))
    assert '("A", "B"): ' in texts(protocol, (b, a))  # the table is symmetric
    assert '("B", "?"): ' in texts(protocol, (b, q))
    assert texts(protocol, (a, a)) == ""


def test_nothing_is_left_behind() -> None:
    tracing = sys.gettrace()
    session: Any = princeps.session("p_rl", n=6, seed=1, engine="reference").step(30)
    twin: Any = princeps.session("p_rl", n=6, seed=1, engine="reference").step(30)
    for agent in range(5):
        lines_of_meeting(session.run.protocol, (session.population.state(agent), session.population.state(agent + 1)))
    about(session)
    assert sys.gettrace() is tracing
    assert session.step(50).population.states == twin.step(50).population.states


def test_actions_of_a_ring_algorithm() -> None:
    session = princeps.session("b_k", labels="1,2,2", seed=1)
    rule = about(session)["rule"]
    lines = {line["number"]: line["text"] for line in rule["lines"]}
    for action in rule["actions"]:
        assert lines[action["first"]].startswith("@")
        assert f"def {action['name']}(" in lines[action["first"] + 1]
        assert action["last"] in lines

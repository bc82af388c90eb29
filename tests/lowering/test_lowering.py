"""The compiled form means what Python means: corners of the language, compared on all pairs of states."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

import princeps
from princeps.errors import ProtocolError
from princeps.model import (
    Agent,
    Bit,
    Closed,
    Config,
    Counted,
    Counts,
    Natural,
    Param,
    Params,
    PopulationProtocol,
    Range,
)
from tests.protocols.kernel_check import assert_kernel_agrees

SIX = 6


def initial(a: Agent, i: int, n: int, p: Params) -> None:
    i = i * 5 % 7  # names of arguments are the rule's own
    n = 3
    a.x, a.leader = i % 6, i // n % 2


def doubled(value: int) -> int:
    return 2 * value


def assigns_its_argument(a: Agent, value: int) -> None:
    value = value + 1
    a.x = value % SIX


def old_value(a: Agent, b: Agent, x: int) -> None:
    """`x` was a field of `a` when the call was made."""
    a.x = 0
    b.x = x


def early(a: Agent, b: Agent) -> None:
    if a.x > b.x:
        return
    a.x = b.x


class Corners(PopulationProtocol):
    """One rule a case, chosen by the parameter."""

    case = Param(min=0, default=0)
    k = Param(min=1, default=4)
    leader, x, y = Bit(), Range(6), Range(lambda p: p.k)
    starts = {"initial": initial}

    @staticmethod
    def interact(a: Agent, b: Agent, p: Params) -> None:
        if p.case == 0:  # simultaneous assignment
            a.x, b.x = b.x, a.x
            a.y, b.y = 0, a.y
        elif p.case == 1:  # a chain is assigned from left to right, one value
            a.x = b.x = (a.x + b.x) % 6
        elif p.case == 2:  # modulo and division of negative numbers
            a.x = (a.x - b.x) % 6
            b.x = (b.x - 7) // 2 % 6
            b.y = (a.y - 3) % p.k
        elif p.case == 3:  # helpers: arguments are values, locals are their own
            t = a.x
            assigns_its_argument(b, t)
            assigns_its_argument(a, t + 1)
            a.y = t % p.k
        elif p.case == 4:
            old_value(a, b, a.x)
        elif p.case == 5:  # an early return leaves the helper, not the rule
            early(a, b)
            early(b, a)
            a.leader = 1
        elif p.case == 6:  # break leaves the innermost loop over the roles
            for u, v in ((a, b), (b, a)):
                for i, w in ((0, u), (1, v)):
                    if w.x > i + 2:
                        w.x = i
                        break
                    w.y = min(w.y + 1, p.k - 1)
                if u.leader == 1:
                    v.leader = 0
                    break
        elif p.case == 7:  # truth values are numbers
            t = a.x > b.x
            a.leader = t or b.leader == 1
            b.leader = not t
            a.x = (a.x == 3) + (b.x == 3)
        elif p.case == 8:  # chained comparisons, conditional expressions, bit operations
            a.x = (a.x ^ 1) % 6 if 1 <= b.x < 4 else (a.x << 1 | 1) % 6
            b.y = abs(a.x - b.x) % p.k
            b.x = max(doubled(a.y) % 6, min(a.x, b.x))
        elif p.case == 9:  # a loop's tuple is evaluated before its first round
            for u, value in ((a, b.x), (b, a.x)):
                u.x = value
        elif p.case == 10:  # fields passed on through a loop keep their old value
            x = a.x
            for u, value in ((a, x), (b, x + 1)):
                x = 0
                u.x = value % 6
            a.y = x % p.k


@pytest.mark.medium
@pytest.mark.parametrize("case", range(11))
def test_python_and_machine_code_agree(case: int) -> None:
    protocol = Corners(case=case)
    states = list(product(range(2), range(6), range(4)))
    before = [state for pair in product(states, states) for state in pair]
    after = [state for pair in product(states, states) for state in protocol.step(*pair)]
    assert before != after
    assert_kernel_agrees(protocol, before, after)


@pytest.mark.slow
def test_the_rules_differ() -> None:
    """No case falls through: each does something else to the same pairs."""
    states = list(product(range(2), range(6), range(4)))
    images = {tuple(Corners(case=case).step(*pair) for pair in product(states, states)) for case in range(11)}
    assert len(images) == 11


def test_a_start_may_assign_its_arguments(monkeypatch: pytest.MonkeyPatch) -> None:
    from princeps.engines import starting
    from princeps.engines.agents import Agents
    from princeps.model.reading import make_run
    from princeps.model.starts import starting_states

    run = make_run(Corners, 50)
    monkeypatch.setattr(starting, "IN_PYTHON", 0)
    population = Agents(run)
    assert [population.state(i) for i in range(50)] == starting_states(run)


def tallest(cfg: Config, size: int, params: Params) -> int:
    best = 0
    for i in range(size):
        best = max(best, cfg[i].x)
    return min(best, params.top)


def level(ring: Config, size: int, params: Params) -> int:
    """everyone is as tall as the tallest"""
    top = tallest(ring, size, params)
    i = 0
    while i < size:
        if ring[i].x != top:
            return 0
        i += 1
    return 1


def grown(a: Agent, p: Params) -> int:
    return a.x == p.top


def all_grown(c: Counts, p: Params) -> int:
    """everyone has grown"""
    return c.grown == c.n and p.top > 0


class Growing(PopulationProtocol):
    top = Param(min=1, default=5)
    leader, x = Bit(), Range(lambda p: p.top + 1)
    starts = {"initial": initial}
    predicates = {"grown": grown}
    goals = {"level": Closed(level), "all_grown": Counted(all_grown)}

    @staticmethod
    def interact(a: Agent, b: Agent, p: Params) -> None:
        a.x = b.x = max(a.x, b.x)


@pytest.mark.parametrize("until", ["level", "all_grown"])
def test_goals_may_name_their_arguments_as_they_like(until: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from princeps.engines import starting

    wanted = princeps.run(Growing, n=20, seed=1, until=until, engine="reference").steps
    monkeypatch.setattr(starting, "IN_PYTHON", 0)
    assert princeps.run(Growing, n=20, seed=1, until=until, engine="agents").steps == wanted


def calls_itself(a: Agent) -> None:
    calls_itself(a)


def test_a_rule_that_never_ends_is_refused() -> None:
    class Endless(Corners):
        @staticmethod
        def interact(a: Agent, b: Agent, p: Params) -> None:
            calls_itself(a)

    with pytest.raises(ProtocolError, match="calls itself"):
        princeps.run(Endless, n=5, seed=1)


def test_a_division_by_zero_is_told() -> None:
    class Dividing(Corners):
        @staticmethod
        def interact(a: Agent, b: Agent, p: Params) -> None:
            a.x = a.x // b.x

    for engine in ("agents", "reference"):
        with pytest.raises(ProtocolError, match="zero"):
            princeps.run(Dividing, n=5, seed=1, engine=engine, until="leader", max_steps=1000)


def zero(a: Agent, i: int, n: int, p: Params) -> None:
    a.total = 0


class Counting(PopulationProtocol):
    """More bits than one word has, and an unbounded field beside them."""

    big = Param(min=2, default=2**40)
    leader = Bit()
    u, v = Range(lambda p: p.big), Range(lambda p: p.big)
    total = Natural(random_below=10)
    starts = {"initial": zero}

    @staticmethod
    def interact(a: Agent, b: Agent, p: Params) -> None:
        a.u = (a.u * 5 + b.v + 1) % p.big
        b.v = (b.v + 3 * a.u) % p.big
        a.total += 1


def test_states_wider_than_a_word_are_held_in_several() -> None:
    from princeps.lowering.layout import make_layout

    protocol = Counting()
    assert make_layout(protocol).words == 3
    states = [(0, 1, 2, 3), (1, 2**40 - 1, 5, 9), (0, 2**39 + 7, 2**40 - 1, 2**40)]
    before = [state for pair in product(states, states) for state in pair]
    after = [state for pair in product(states, states) for state in protocol.step(*pair)]
    assert_kernel_agrees(protocol, before, after)


REFUSED = {
    "another name for the loop": "for a, b in ((a, b), (b, a)):\n            a.x = 0",
    "not assigned on every way": "if a.x == 1:\n            t = 1\n        a.x = t",
    "cannot be compiled": "a.x = ~a.x",
}


@pytest.mark.parametrize("sentence", REFUSED)
def test_what_would_mean_something_else_is_refused(sentence: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "from princeps.model import *\n"
        "def initial(a, i, n, p):\n    a.x = 1\n"
        "class Mine(PopulationProtocol):\n    leader, x = Bit(), Range(4)\n    starts = {'initial': initial}\n"
        f"    @staticmethod\n    def interact(a, b, p):\n        {REFUSED[sentence]}\n"
    )
    with pytest.raises(ProtocolError, match=f"mine.py:[0-9]+: .*{sentence}"):
        princeps.run(f"{file}:Mine", n=5, seed=1)


def beyond(u: Config, n: int, p: Params) -> int:
    """looks one agent too far"""
    for i in range(n):
        if u[i + 1].x > 5:
            return 1
    return 0


@pytest.mark.parametrize("in_python", [0, 10**6])
def test_an_agent_that_does_not_exist_is_not_read(in_python: int, monkeypatch: pytest.MonkeyPatch) -> None:
    from princeps.engines import starting

    class Looking(Growing):
        goals = {"beyond": Closed(beyond)}
        default_goal = "beyond"

    monkeypatch.setattr(starting, "IN_PYTHON", in_python)
    with pytest.raises(ProtocolError, match=r"test_lowering.py:[0-9]+: IndexError: list index out of range"):
        princeps.run(Looking, n=20, seed=1, max_steps=100)

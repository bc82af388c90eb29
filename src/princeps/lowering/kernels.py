"""Kernels with their arguments: what an engine calls, without knowing how code is generated."""

from __future__ import annotations

import ast
from collections.abc import Callable, Hashable, Sequence
from typing import Any, NoReturn

import numpy as np

from princeps.errors import ProtocolError, TooLarge
from princeps.lowering import callables, chance, choice_code, judging
from princeps.lowering.cache import load_kernel
from princeps.lowering.codegen import Writer, check_language
from princeps.lowering.guards import Guards
from princeps.lowering.layout import Layout, make_layout
from princeps.lowering.memory import Remembered, remembered
from princeps.lowering.trees import function_tree
from princeps.model.coins import Chance
from princeps.model.fields import constants_of
from princeps.model.protocol import Closed, Counted, PopulationProtocol, Predicate, StartRule, Uniform
from princeps.model.randomness import WORD, seed_words
from princeps.model.states import State

LARGEST = (1 << 63) - 1
LANGUAGE = ("the language",)
OWN_KERNELS = "its kernels"  # the key among a protocol's attributes, which none of them could have
MAX_STATE_TABLES = 16  # goals whose state tables are kept for the next trial


class Kernels:
    """The compiled side of one protocol: packing, starting, advancing, counting, testing."""

    def __init__(self, protocol: PopulationProtocol) -> None:
        self.protocol = protocol
        self.layout: Layout = make_layout(protocol)
        self.writer = Writer(protocol, self.layout)
        self._known = remembered(
            type(protocol), "compiled"
        )  # asked for once: that everything is what it was takes 3 us
        self._once(LANGUAGE, lambda: check_language(self.writer))
        constants = constants_of(protocol.constants)
        too_large = next((name for name, value in constants.items() if abs(value) > LARGEST), None)
        if too_large is not None:
            raise TooLarge(
                f"{too_large} = {constants[too_large]} exceeds 2^63 - 1, the largest number that compiled engines hold: "
                f"use --engine reference."
            )
        self.constants = np.array([constants[name] for name in self.writer.constant_names], dtype=np.int64)
        self.state_tables = Remembered(MAX_STATE_TABLES)  # what the agents engine keeps from one trial to the next,
        self.starting_configurations = Remembered(MAX_STATE_TABLES)  # and how agents begin in them
        self.choice_tables = Remembered(MAX_STATE_TABLES)  # what the counts engine keeps, if the rule has choices
        self.tops = np.array([(size or 0) - 1 for size in protocol.space.sizes], dtype=np.int64)

    def _once(self, question: tuple[Hashable, ...], answer: Callable[[], Any]) -> Any:
        """Code depends on the protocol's class and the layout, not on parameters: write and load it once."""
        key = (self.layout.key, self.writer.parameter, *question)
        if key not in self._known:
            self._known.keep(key, answer())
        return self._known[key]

    def _load(self, source: str) -> Any:
        """A generated module, which is kept as long as the protocol's class."""
        return load_kernel(source, type(self.protocol))

    def pack(self, states: Sequence[State]) -> Any:
        names = self.protocol.space.names
        rows = np.array([self.layout.pack(names, state) for state in states], dtype=np.int64).astype(self.layout.dtype)
        return rows.reshape(-1) if self.layout.words == 1 else rows

    def unpack(self, agents: Any, index: int) -> State:
        words = [agents[index]] if self.layout.words == 1 else agents[index]
        return self.layout.unpack(self.protocol.space.names, words)

    def blank(self, n: int) -> Any:
        shape = n if self.layout.words == 1 else (n, self.layout.words)
        return np.zeros(shape, dtype=self.layout.dtype)

    def advance(self, goal: Counted | None) -> tuple[Any, list[str]]:
        def answer() -> tuple[Any, list[str]]:
            source, tracked = self.writer.advance(goal)
            return self._load(source).advance, tracked

        found: tuple[Any, list[str]] = self._once(("advance", goal), answer)
        return found

    def explain(
        self,
        a: State,
        b: State,
        predicates: Sequence[Predicate],
        chance: Chance | None = None,
        oracle: int = 0,
    ) -> NoReturn:
        """A kernel stopped before these two met: do it in Python, which tells what is wrong, and in which line."""
        protocol = self.protocol
        for state in protocol.step(a, b, chance, oracle):
            for predicate in predicates:
                protocol.ask(predicate, protocol.agent(state), protocol.constants)  # type: ignore[call-arg]
        raise self.overflow()

    def overflow(self) -> ProtocolError:
        """What to say when the rule or a predicate has left 64 bits."""
        return ProtocolError(
            f"a value exceeds 2^63 - 1{_places(self._guards().lines)}, the largest number of compiled engines: keep it "
            f"smaller, as by `%` after each product, or use --engine reference.",
            self.protocol.file(),
        )

    def undefined(self) -> ProtocolError:
        """What to say when the rule or a predicate has divided by zero, or shifted by a negative number."""
        return ProtocolError(
            f"the rule divides by zero, or shifts by a negative number{_places(self._guards().undefined)}: test for it "
            f"before, or use --engine reference to learn when it happens.",
            self.protocol.file(),
        )

    def _guards(self) -> Guards:
        """What had to be guarded in the rule and the predicates."""
        writer = self.writer
        guards = writer.guards()
        writer.guarded_rule(guards)
        for predicate in type(self.protocol).all_predicates().values():
            writer.guarded_predicate(predicate, guards)
        return guards

    def census(self, agents: Any, predicates: Sequence[Predicate]) -> list[int]:
        out = np.zeros(len(predicates), dtype=np.int64)
        kernel = self._once(("census", *predicates), lambda: self._load(self.writer.census(predicates)).census)
        kernel(agents, self.constants, out)
        return [int(value) for value in out]

    def goal_test(self, goal: Closed) -> Any:
        return self._once(("holds", goal), lambda: self._load(self.writer.holds(goal)).goal_holds)

    def judge(self, goal: Closed) -> Any:
        """The goal, asked of many configurations at once."""
        return self._once(("judge", goal), lambda: self._load(judging.judge_source(self.writer, goal)))

    def fields_read(self, goal: Closed) -> list[str]:
        return judging.fields_read(self.writer, goal)

    # -- functions with an address, for the kernels that serve every protocol ------------------------------------

    def choice_cells(self) -> int:
        """How many words follow those of the agents in the memory that a rule with choices works on (choices.py)."""
        if not self.protocol.has_choices:
            return 0
        return int(self._once(("draws",), lambda: choice_code.choice_cells(self.writer)))

    def rule_at(self) -> int:
        return int(self._once(("meet",), lambda: self._load(callables.rule_source(self.writer)).meet).address)

    def marks_at(self, predicates: Sequence[Predicate]) -> int:
        """Where the function is that gives a state a bit for each predicate it satisfies."""

        def answer() -> Any:
            return self._load(callables.marks_source(self.writer, predicates)).mark

        return int(self._once(("mark", *predicates), answer).address)

    def goal_at(self, goal: Counted, tracked: Sequence[str]) -> int:
        def answer() -> Any:
            return self._load(callables.goal_source(self.writer, goal, tracked)).met

        return int(self._once(("met", goal, *tracked), answer).address)

    def reach_at(self, goal: Counted, tracked: Sequence[str], fails: bool = False) -> int:
        """Where the function is that says whether the goal can be true, or can fail, between bounds of the counts."""

        def answer() -> Any:
            return self._load(callables.reach_source(self.writer, goal, tracked, fails)).within

        return int(self._once(("within", goal, fails, *tracked), answer).address)

    def tracked(self, goal: Counted | None) -> list[str]:
        """The names of the counts that a goal needs, and the oracle; the number of leaders is always the first."""
        names: list[str] = self._once(("tracked", goal), lambda: self.writer.goal(goal, self.writer.guards())[1])
        return names

    # -- starts -------------------------------------------------------------------------------------------------

    def is_uniform(self, rule: StartRule | Uniform) -> bool:
        """Every agent gets the same state: nothing is random, numbered, or depends on the position."""
        if isinstance(rule, Uniform) or self.protocol.input_field is not None:
            return False

        def answer() -> bool:
            tree = function_tree(rule)[0]
            position = tree.args.args[1].arg
            return not any(isinstance(node, ast.Name) and node.id == position for node in ast.walk(tree))

        return bool(self._once(("uniform", rule), answer))

    def can_draw(self) -> bool:
        return self.protocol.space.random_count < WORD // 2

    def random_agents(self, n: int, seed: int, trial: int, inputs: Any) -> Any:
        """n uniformly random legal states with these identifiers, if any: the compiled twin of Space.random_state."""
        space, bit_fields = self.protocol.space, self.layout.bit_fields
        groups = space.random_groups
        lows = np.array([[values.start for values in group] for group in groups], dtype=np.int64)
        lengths = np.array([[len(values) for values in group] for group in groups], dtype=np.int64)
        sizes = lengths.prod(axis=1)
        word_of = np.array([bit_fields[name].word for name in space.names], dtype=np.int64)
        shift = np.array([bit_fields[name].shift for name in space.names], dtype=np.int64)
        agents = self.blank(n)
        rows = agents.reshape(n, self.layout.words)
        rng = np.array(seed_words(seed, trial, "start"), dtype=np.uint64)
        chance.random_words(rng, np.uint64(space.random_count), sizes, lows, lengths, word_of, shift, rows)
        if self.protocol.input_field is not None:  # it has a word of its own
            rows[:, bit_fields[self.protocol.input_field].word] = inputs
        return agents

    def fill(self, rule: StartRule, n: int, inputs: Any) -> tuple[Any, int]:
        """A start that depends on the position or the identifier; second the first agent that went wrong, or -1."""
        agents = self.blank(n)
        kernel = self._once(("fill", rule), lambda: self._load(self.writer.fill(rule)).fill)
        return agents, int(kernel(agents, self.constants, self.tops, n, inputs))


def _places(lines: set[int]) -> str:
    return f" (line {', '.join(map(str, sorted(lines)))})" if lines else ""


def kernels_of(protocol: PopulationProtocol) -> Kernels:
    """Made once for a protocol with its parameters, however many runs it serves."""
    found: Kernels | None = vars(protocol).get(OWN_KERNELS)
    if found is None:
        found = Kernels(protocol)
        vars(protocol)[OWN_KERNELS] = found
    return found


def shuffled_identifiers(n: int, seed: int, trial: int) -> Any:
    """1..n in random order: the compiled twin of Stream.shuffle."""
    numbers = np.arange(1, n + 1, dtype=np.int64)
    chance.shuffle(np.array(seed_words(seed, trial, "ids"), dtype=np.uint64), numbers)
    return numbers

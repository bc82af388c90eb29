"""The rule executed on symbols is the rule: compared with plain Python on random pairs of legal states."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from princeps.errors import NotCompiled
from princeps.lowering.symbolic import CONFIGURATION, PARAMS, Interaction, SymbolicCounts, Symbols
from princeps.lowering.symbolic_terms import cvc5_library, z3_library
from princeps.model import registry
from princeps.model.coins import RecordedDraws
from princeps.model.fields import Agent, Counts, Params, constants_of
from princeps.model.protocol import PopulationProtocol
from princeps.model.randomness import Stream
from princeps.model.states import State

pytest.importorskip("z3")
pytest.importorskip("cvc5")

POPULATIONS = registry.names("population")
PAIRS = 120  # of states, for each protocol
SIZES = (3, 5, 40)  # from which parameters have their defaults
MORE_PARAMS: dict[str, list[dict[str, int]]] = {
    "p_ll": [{"printed": 1, "m": 3}, {"m": 7}],
    "p_ll_symmetric": [{"printed": 1, "m": 3}, {"m": 7}],
    "p_pl": [{"virus_factor": 1, "emit_factor": 1}, {"t_virus": 2, "t_max": 3, "t_emit": 2}],
    "numbered": [{"printed": 1, "m": 1, "min_interactions": 2}],
    "p_rl": [{"N": 7}],
    "lottery": [{"m": 200}],
    "timer": [{"t_max": 1}, {"t_max": 2}],
}


def instances(name: str) -> list[PopulationProtocol]:
    cls = registry.find(name)
    found = []
    for n in SIZES:
        for more in ({}, *MORE_PARAMS.get(name, [])):
            try:
                protocol = cls(n, **more)
            except Exception:  # parameters that this n does not allow
                continue
            found.append(protocol.with_inputs(range(1, n + 1)) if cls.of_inputs_ else protocol)
    assert found
    return found


class Substitution:
    """Terms of one `Symbols` evaluated for one protocol with its parameters."""

    def __init__(self, symbols: Symbols, protocol: PopulationProtocol) -> None:
        z3 = z3_library()
        self.z3, self.symbols = z3, symbols
        known: dict[str, int | None] = {**constants_of(protocol.constants)}
        known |= {f"size_{name}": size for name, size in protocol.fields.items()}
        self.params = [(self._symbol(name), z3.IntVal(value)) for name, value in known.items() if value is not None]

    def _symbol(self, name: str) -> Any:
        """A parameter may have another name in formulas than in the file."""
        found = self.symbols.params.get(name)
        return found if self.z3.is_const(found) else self.z3.Int(name)

    def of(self, term: Any, *pairs: tuple[Any, int]) -> int:
        return self.all_of([term], *pairs)[0]

    def all_of(self, terms: Sequence[Any], *pairs: tuple[Any, int]) -> list[int]:
        """Truth values as 0 and 1. All at once, as arguments of one function: the terms share most of their parts."""
        z3, number = self.z3, self.symbols.terms.number
        numbers = [number(term) if not isinstance(term, int) else z3.IntVal(int(term)) for term in terms]
        together = z3.Function("together", *[z3.IntSort()] * (len(numbers) + 1))(*numbers)
        values = [(name, z3.IntVal(value)) for name, value in pairs]
        found = z3.simplify(z3.substitute(together, *self.params, *values))
        return [int(found.arg(k).as_long()) for k in range(len(numbers))]


def states_of(symbols: Symbols, name: str, state: State) -> list[tuple[Any, int]]:
    return list(zip(symbols.agent(name).values(), state, strict=True))


def drawn_pairs(at: Substitution, met: Interaction, pairs: list[tuple[Any, int]], drawn: list[int]) -> list[Any]:
    """The symbols of draws with the values that plain Python drew, in its order."""
    waiting, found = list(drawn), list(pairs)
    for draw in met.draws:
        found.append((draw.value, waiting.pop(0) if at.of(draw.guard, *found) else 0))
    assert not waiting
    return found


@pytest.mark.medium
@pytest.mark.parametrize("name", POPULATIONS)
def test_the_rule_on_symbols_is_the_plain_rule(name: str) -> None:
    cls = registry.find(name)
    symbols = Symbols(cls)
    a, b = symbols.agent("a"), symbols.agent("b")
    met, legal = symbols.interact(a, b), symbols.legal(a)
    predicates = {label: symbols.value(rule, a, PARAMS) for label, rule in cls.all_predicates().items()}
    protocols = instances(name)
    for number, protocol in enumerate(protocols):
        at, stream = Substitution(symbols, protocol), Stream.of(7, number, name)
        assert all(at.all_of(symbols.facts)) if symbols.facts else True
        for _ in range(PAIRS // len(protocols)):
            inputs = [tuple(1 + stream.below(3) for _ in protocol.fields) for _ in "ab"]
            one, other = (protocol.space.random_state(stream, given) for given in inputs)
            oracle, chance = stream.below(2), RecordedDraws(stream)
            expected = protocol.step(one, other, chance, oracle)
            pairs = states_of(symbols, "a", one) + states_of(symbols, "b", other)
            if met.oracle is not None:
                pairs.append((met.oracle, oracle))
            pairs = drawn_pairs(at, met, pairs, chance.values)
            terms = [*met.left.values(), *met.right.values()]
            found = at.all_of([*terms, legal, *met.needed, *met.assumed, *predicates.values()], *pairs)
            marks = len(found) - len(predicates)
            assert tuple(found[: len(terms)]) == (*expected[0], *expected[1]), (protocol.params, one, other)
            assert all(found[len(terms) : marks])
            for rule, value in zip(cls.all_predicates().values(), found[marks:], strict=True):
                assert value == protocol.ask(rule, protocol.agent(one), protocol.constants)  # type: ignore[call-arg]


@pytest.mark.parametrize("name", ["p_ll", "p_ll_symmetric", "tokens", "michail", "leader_minion", "optimal_silent"])
def test_legal_states_on_symbols_are_the_groups(name: str) -> None:
    """Of all values of the fields, not only of legal states."""
    symbols = Symbols(registry.find(name))
    protocol = registry.find(name)(3)
    at, stream, seen = Substitution(symbols, protocol), Stream.of(8, 0, name), set()
    legal = symbols.legal(symbols.agent("a"))
    sizes = [size for size in protocol.fields.values() if size is not None]
    for _ in range(400):
        state = tuple(stream.below(min(size, 4)) for size in sizes)
        if stream.below(2):
            state = protocol.space.random_state(stream, state)
        seen.add(protocol.space.is_legal(state))
        assert at.of(legal, *states_of(symbols, "a", state)) == protocol.space.is_legal(state)
    assert seen == {True, False}


def test_what_a_remainder_needs_is_asked_for() -> None:
    """silent_ranking's (rank + 1) % size is a term only below 2 * size: rank = 5 at size = 3 is outside."""
    symbols = Symbols(registry.find("silent_ranking"))
    met = symbols.interact(symbols.agent("a"), symbols.agent("b"))
    at = Substitution(symbols, registry.find("silent_ranking")(3))
    for rank, fine in ((2, True), (5, False)):
        pairs = states_of(symbols, "a", (rank,)) + states_of(symbols, "b", (rank,))
        assert all(at.all_of(met.needed, *pairs)) == fine


def test_a_value_outside_its_domain_is_asked_for() -> None:
    """A rule may leave the domain for a moment only if it does not write it into a field."""
    symbols = Symbols(Doubling)
    met = symbols.interact(symbols.agent("a"), symbols.agent("b"))
    at = Substitution(symbols, Doubling())
    for level, fine in ((1, True), (2, False)):
        pairs = states_of(symbols, "a", (0, level)) + states_of(symbols, "b", (0, 0))
        assert all(at.all_of(met.needed, *pairs)) == fine


def test_conditions_on_counts_have_terms() -> None:
    cls = registry.find("p_ll")
    symbols, n = Symbols(cls), z3_library().Int("n")
    counts = {name: z3_library().Int(f"#{name}") for name in cls.all_predicates()} | {"n": n}
    term = symbols.truth(cls.invariants["L5"], SymbolicCounts(counts), PARAMS)
    at = Substitution(symbols, cls(4))
    stream = Stream.of(3, 0, "counts")
    for _ in range(100):
        values = {name: stream.below(5) for name in counts}
        pairs = [(counts[name], value) for name, value in values.items()]
        assert at.of(term, *pairs) == bool(cls.invariants["L5"](Counts(values), Params()))


def test_the_second_solver_reads_the_rule_by_itself() -> None:
    """Executed on cvc5's terms: two followers never make a leader."""
    library = cvc5_library()
    symbols = Symbols(registry.find("fratricide"), library)
    a, b = symbols.agent("a"), symbols.agent("b")
    met, terms = symbols.interact(a, b), symbols.terms
    for start, found in ((0, "unsat"), (1, "sat")):
        solver = library.Solver()
        for agent in (a, b):
            solver.add(terms.formula(terms.equal(agent["leader"], start)))
        solver.add(terms.formula(terms.equal(met.left["leader"], 1)))
        assert str(solver.check()) == found


def test_a_function_on_the_whole_configuration_is_refused() -> None:
    cls, n = registry.find("p_rl"), z3_library().Int("n")
    symbols = Symbols(cls)
    with pytest.raises(NotCompiled, match="for a proof: it asks for the whole configuration"):
        symbols.value(cls.goals["c_pb"].rule, CONFIGURATION, n, PARAMS)


class Doubling(PopulationProtocol):
    from princeps.model import Bit, Range

    leader, level = Bit(), Range(4)
    del Bit, Range

    @staticmethod
    def interact(a: Agent, b: Agent, p: Params) -> None:
        twice = 2 * a.level
        if twice != 6:
            a.level = twice
        a.level = min(a.level, 3)

"""Marks of agents in plain Python: the loop of the file itself, made to go on where it returns 0.

A twin of the function is executed in which `return 0` notes the agent that the round of the loop has asked, and goes on with
the next round; outside of loops `return 0` does nothing. So no term of a solver has a say in what refutes a `Marked` fact.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

from princeps.errors import PrincepsError, ProtocolError
from princeps.lowering.trees import function_tree, names_around, plain_function
from princeps.model.goals import Closed
from princeps.model.protocol import PopulationProtocol
from princeps.model.states import State
from princeps.model.step_facts import Marked


class CannotJudge(PrincepsError):
    """The loop cannot be executed agent by agent."""


class Watched(list[Any]):
    """A configuration that notes which agent was asked last, and at which ones the loop would have returned 0."""

    def __init__(self, agents: Sequence[Any]) -> None:
        super().__init__(agents)
        self.last: int | None = None
        self.rejected: set[int] = set()

    def __getitem__(self, index: Any) -> Any:
        self.last = index
        return super().__getitem__(index)

    def begin(self) -> None:
        self.last = None

    def reject(self) -> None:
        if self.last is None:
            raise CannotJudge("a round returns 0 without having asked an agent.")
        self.rejected.add(self.last)


def rejected_at(protocol: PopulationProtocol, goal: str, loop: str, states: Sequence[State]) -> set[int]:
    """The agents at which the loop returns 0, in a configuration with a leader."""
    rule: Any = type(protocol).goals[goal]
    assert isinstance(rule, Closed)
    name, _, number = loop.rpartition(".")
    function = _called(plain_function(rule.rule), name, set())
    if function is None:
        raise CannotJudge(f"{goal} calls no function {name}.")
    agent: Any = protocol.agent
    watched = Watched([agent(state) for state in states])
    protocol.ask(_twin(function, int(number)), watched, len(states), protocol.constants)
    return watched.rejected


def _called(function: Any, name: str, seen: set[Any]) -> Any:
    """The function of this name among this one and those that it calls."""
    if function.__name__ == name:
        return function
    seen.add(function)
    scope = names_around(function)
    for other in function.__code__.co_names:
        found = scope.get(other)
        if callable(found) and hasattr(found, "__code__") and found not in seen:
            inner = _called(found, name, seen)
            if inner is not None:
                return inner
    return None


def _twin(function: Any, number: int) -> Callable[..., Any]:
    tree, file, _ = function_tree(function)
    tree.decorator_list, tree.returns, tree.name = [], None, "twin"
    if len(tree.args.args) != 3:
        raise CannotJudge(f"{function.__name__} takes other arguments than u, n, p.")
    config = tree.args.args[0].arg
    for argument in tree.args.args:
        argument.annotation = None
    body: list[ast.stmt] = []
    loops = 0
    for statement in tree.body:
        is_scan = isinstance(statement, ast.For) and _is_scan(statement, config)
        loops += is_scan
        body.append(_GoesOn(config, in_loop=False, noted=is_scan and loops == number).visit(statement))
        if is_scan and loops == number:
            break
    if loops != number:
        raise CannotJudge(f"{function.__name__} has no loop {number}.")
    tree.body = body
    scope = dict(names_around(function))
    exec(compile(ast.fix_missing_locations(ast.Module([tree], [])), file, "exec"), scope)
    twin: Callable[..., Any] = scope["twin"]
    return twin


def _is_scan(loop: ast.For, config: str) -> bool:
    """Unlike a loop that asks every agent by its number, in order to find or count leaders."""
    assert isinstance(loop.target, ast.Name)
    asked = [
        node.slice
        for node in ast.walk(loop)
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == config
    ]
    return not all(isinstance(one, ast.Name) and one.id == loop.target.id for one in asked)


class _GoesOn(ast.NodeTransformer):
    def __init__(self, config: str, in_loop: bool, noted: bool) -> None:
        self.config, self.in_loop, self.noted = config, in_loop, noted

    def visit_For(self, node: ast.For) -> ast.For:
        if self.in_loop:
            raise CannotJudge("a loop stands in a loop.")
        inner = _GoesOn(self.config, in_loop=True, noted=self.noted)
        body: list[Any] = [inner.visit(one) for one in node.body]
        flat = [part for one in body for part in (one if isinstance(one, list) else [one])]
        node.body = [self._call("begin"), *flat]
        return node

    def visit_While(self, node: ast.While) -> ast.AST:
        raise CannotJudge("a loop has no fixed number of rounds.")

    def visit_Return(self, node: ast.Return) -> ast.AST | list[ast.stmt]:
        if not isinstance(node.value, ast.Constant) or node.value.value != 0:
            return node
        if not self.in_loop:
            return ast.copy_location(ast.Pass(), node)
        return [*([self._call("reject")] if self.noted else []), ast.Continue()]

    def _call(self, name: str) -> ast.stmt:
        return ast.Expr(ast.Call(ast.Attribute(ast.Name(self.config, ast.Load()), name, ast.Load()), [], []))


def breaks_marked(
    fact: Marked,
    protocol: PopulationProtocol,
    before: Sequence[State],
    after: Sequence[State],
    pair: tuple[int, int],
) -> bool:
    """Is this interaction `bad`, or does it make a third agent so, by the functions of the file?"""
    try:
        if any(_led(protocol, before) and rejected_at(protocol, fact.of, loop, before) for loop in fact.known):
            return False
        old, new = (_marked(fact, protocol, states) for states in (before, after))
    except (CannotJudge, ProtocolError):
        return False
    i, j = pair
    if protocol.ask(fact.bad, old[i], old[j], new[i], new[j], protocol.constants):
        return True
    others = [k for k in range(len(before)) if k not in pair]
    elsewhere = fact.bad_elsewhere
    return elsewhere is not None and any(protocol.ask(elsewhere, old[k], new[k], protocol.constants) for k in others)


def _led(protocol: PopulationProtocol, states: Sequence[State]) -> bool:
    return any(protocol.leads(state) for state in states)


def _marked(fact: Marked, protocol: PopulationProtocol, states: Sequence[State]) -> list[Any]:
    """Agents with their fields and marks."""
    found = [SimpleNamespace(**dict(zip(protocol.space.names, state, strict=True))) for state in states]
    for mark, loop in fact.marks.items():
        rejected = rejected_at(protocol, fact.of, loop, states) if _led(protocol, states) else set(range(len(states)))
        for k, agent in enumerate(found):
            setattr(agent, mark, int(k not in rejected))
    return found

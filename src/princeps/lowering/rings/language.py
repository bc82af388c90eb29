"""Actions of ring algorithms on local scalars: the small language of protocol files, plus words, sends and coins.

A variable `guest` of the process becomes the local `me_guest`; a word becomes a few numbers (lowering/rings/words.py).
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from princeps.lowering.language import Flattener
from princeps.lowering.rings.words import COLUMNS
from princeps.lowering.status import OTHER_LETTER, OUTSIDE_DOMAIN
from princeps.lowering.trees import AnAgent, Meaning, TheParams, Vocabulary, function_tree, is_docstring, once
from princeps.model.rings.algorithm import NUMBER, WORD, Action, Message, Variable

# What locals of the kernel begin with: variables of the process, parts of its words, and values of the message received.
ME, A_WORD, RECEIVED = "me", "word", "received"
TOSS = "tossed(coins[j]"  # how the kernel begins to ask for a coin


@dataclass(frozen=True)
class AWord:
    """A word variable, perhaps with one more letter at its end."""

    name: str
    letter: ast.expr | None = None


@dataclass
class RingVocabulary(Vocabulary):
    """What an action may name."""

    variables: Mapping[str, Variable] = field(default_factory=dict)
    messages: Sequence[Message] = ()
    bidirectional: bool = False
    unset: set[str] = field(default_factory=set)  # labels that may not have a value yet


def ring_vocabulary(variables: Mapping[str, Variable], messages: Sequence[Message], params: Sequence[str]) -> Any:
    sizes: dict[str, int | None] = {"id": None}
    for name, v in variables.items():
        sizes[name] = v.high + 1 if v.kind == NUMBER and v.low == 0 and isinstance(v.high, int) else None
    return RingVocabulary(
        fields=sizes, scratch=(), params=params, inputs=["id"], variables=variables, messages=messages
    )


def column(name: str, part: str | None = None) -> str:
    """The local that holds a variable of the process, or a part of a word."""
    return f"{ME}_{name}" if part is None else f"{A_WORD}_{name}_{part}"


def columns(variables: Mapping[str, Variable]) -> list[str]:
    """The locals that hold a process, in the order of its row."""
    found: list[str] = []
    for name, variable in variables.items():
        found += [column(name, part) for part in (COLUMNS if variable.kind == WORD else (None,))]
    return found


def assigned_first(start: Action) -> set[str]:
    """The variables that the start assigns in any case: they have a value ever after."""
    tree = function_tree(start.body)[0]
    found: set[str] = set()
    for statement in tree.body:
        if any(isinstance(node, ast.Return) for node in ast.walk(statement)):
            break
        targets = statement.targets if isinstance(statement, ast.Assign) else []
        found |= {node.attr for target in targets for node in ast.walk(target) if isinstance(node, ast.Attribute)}
    return found


class RingFlattener(Flattener):
    """Translates one action into its guard and its statement."""

    words: RingVocabulary

    def action(self, action: Action) -> tuple[ast.expr, list[ast.stmt]]:
        values = len(action.message.values) if action.message is not None else 0
        arguments: list[ast.expr] = [ast.Name(f"{RECEIVED}_{k}", ast.Load()) for k in range(values)]
        env = self._bind([AnAgent(ME), *arguments, TheParams()], self.tree)
        body = [s for s in self.tree.body if not is_docstring(s)]
        yields = [node for node in ast.walk(self.tree) if isinstance(node, (ast.Yield, ast.YieldFrom))]
        first = body[0].value if body and isinstance(body[0], ast.Expr) else None
        if not isinstance(first, ast.Yield) or first.value is None or len(yields) != 1:
            raise self._fail(self.tree, f"{action.name} must begin with `yield GUARD`, and yield nothing else.")
        guard = self._expr(first.value, env)
        if TOSS in ast.unparse(guard):
            raise self._fail(first, f"the guard of {action.name} tosses a coin: toss it in the statement.")
        early = any(isinstance(node, ast.Return) for node in ast.walk(self.tree))
        statement = self._block(body[1:], env)
        return guard, [once(statement)] if early else statement

    def _attribute(self, node: ast.Attribute, env: Mapping[str, Meaning]) -> ast.expr:
        cell = super()._attribute(node, env)
        if self._is_me(node.value, env) and node.attr in self.words.unset:
            return _expression(f"defined({ME}_{node.attr}, unset)")
        if self._word(node, env) is not None:
            raise self._fail(node, f"`{ast.unparse(node)}` is a word: append a label to it, or ask for mlty().")
        return cell

    # -- words ---------------------------------------------------------------------------------------------------

    def _word(self, node: ast.expr, env: Mapping[str, Meaning]) -> AWord | None:
        if isinstance(node, ast.Name):
            meaning: Any = env.get(node.id)
            return meaning if isinstance(meaning, AWord) else None
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            base = self._word(node.left, env)
            if base is None:
                return None
            if base.letter is not None:
                raise self._fail(node, f"`{ast.unparse(node)}` cannot be compiled: append one label at a time.")
            return AWord(base.name, self._expr(node.right, env))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            variable = self.words.variables.get(node.attr)
            if isinstance(env.get(node.value.id), AnAgent) and variable is not None and variable.kind == WORD:
                return AWord(node.attr)
        return None

    def _meaning(self, node: ast.expr, env: Mapping[str, Meaning]) -> Meaning:
        word: Any = self._word(node, env)
        return word if word is not None else super()._meaning(node, env)

    def _call_expr(self, node: ast.Call, env: Mapping[str, Meaning]) -> ast.expr:
        if isinstance(node.func, ast.Attribute):
            word = self._word(node.func.value, env)
            if word is not None:
                return self._ask(node, node.func.attr, word)
            if self._is_me(node.func.value, env) and node.func.attr == "toss" and len(node.args) == 1:
                bound = ast.unparse(self._expr(node.args[0], env))
                return _expression(f"{TOSS}, {bound})")
        return super()._call_expr(node, env)

    def _ask(self, node: ast.Call, question: str, word: AWord) -> ast.expr:
        cell = column(word.name, "")
        if question == "mlty":
            if word.letter is None:
                return _expression(f"{cell}copies")
            return _expression(_copies(cell, word.letter))
        if question == "srp_is_lyndon":
            if word.letter is None:
                return _expression(f"{cell}lyndon")
            letter = ast.unparse(word.letter)
            return _expression(
                f"({cell}length == 0 or ({cell}lyndon != 0 and ({letter}) >= labels[uint64({cell}back)]))"
            )
        if question == "first_of_LW_srp" and word.letter is None:
            return _expression(f"{cell}smallest")
        raise self._fail(node, f"`{ast.unparse(node)}` cannot be compiled: see docs/writing-protocols.md.")

    def _assign(
        self, s: ast.stmt, targets: Sequence[ast.expr], value: ast.expr, env: dict[str, Meaning]
    ) -> list[ast.stmt]:
        target = self._word(targets[0], env)
        if target is None:
            return super()._assign(s, targets, value, env)
        source = self._word(value, env)
        if source is None or source.letter is None or source.name != target.name or len(targets) > 1:
            raise self._fail(
                s, f"a word only grows: write `{ast.unparse(targets[0])} = {ast.unparse(targets[0])} + x`."
            )
        return _append(column(target.name, ""), source.letter)

    def _domain_check(
        self, target: ast.expr, source: ast.expr, bound: tuple[int, int] | None, env: Mapping[str, Meaning]
    ) -> list[ast.stmt]:
        if not isinstance(target, ast.Attribute):
            return []
        name = target.attr
        variable = self.words.variables.get(name)
        if variable is None or variable.kind != NUMBER:
            return []
        if (
            bound is not None
            and bound[0] >= variable.low
            and isinstance(variable.high, int)
            and bound[1] <= variable.high
        ):
            return []
        return ast.parse(f"if {ME}_{name} < low_{name} or {ME}_{name} > high_{name}:\n    bad = {OUTSIDE_DOMAIN}").body

    # -- what a process does -------------------------------------------------------------------------------------

    def _is_me(self, node: ast.expr, env: Mapping[str, Meaning]) -> bool:
        return isinstance(node, ast.Name) and isinstance(env.get(node.id), AnAgent)

    def _call(self, node: ast.Call, env: dict[str, Meaning]) -> list[ast.stmt]:
        if isinstance(node.func, ast.Attribute) and self._is_me(node.func.value, env):
            verb = node.func.attr
            if verb == "halt" and not node.args:
                return ast.parse("halts = 1").body
            if verb in ("send", "send_right", "send_left"):
                message = self.scope[node.args[0].id]  # type: ignore[attr-defined]
                if message not in self.words.messages:
                    raise self._fail(node, f"{message} is sent, but no action receives it.")
                if verb == "send_left" and not self.words.bidirectional:
                    raise self._fail(node, "nothing can be sent to the left: set bidirectional = True.")
                values = [ast.unparse(self._expr(arg, env)) for arg in node.args[1:]]
                port = "left_port" if verb == "send_left" else "right_port"
                cells = [port, str(self.words.messages.index(message)), *values]  # TO, SENT_KIND, SENT_VALUES
                lines = [f"outbox[sends, {k}] = {cell}" for k, cell in enumerate(cells)]
                return ast.parse("\n".join([*lines, "sends += 1"])).body
        return super()._call(node, env)


def _expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def _copies(cell: str, letter: ast.expr) -> str:
    x = ast.unparse(letter)
    return f"copies_with(labels, first, positions, j, {cell}length, {cell}turns, {cell}position, {cell}copies, {x})"


def _append(cell: str, letter: ast.expr) -> list[ast.stmt]:
    """The word with one more letter, which must be the next of LLabels(j)."""
    x = f"({ast.unparse(letter)})"
    return ast.parse(
        f"if {cell}length == 0:\n"
        f"    {cell}position, {cell}back, {cell}lyndon, {cell}smallest = j, j, 1, {x}\n"
        f"elif {cell}lyndon != 0:\n"
        f"    if {x} < labels[uint64({cell}back)]:\n"
        f"        {cell}lyndon = 0\n"
        f"    elif {x} > labels[uint64({cell}back)]:\n"
        f"        {cell}back = j\n"
        f"    else:\n"
        f"        {cell}back = {cell}back - 1 if {cell}back > 0 else n - 1\n"
        f"if {x} != labels[uint64({cell}position)]:\n"
        f"    bad = {OTHER_LETTER}\n"
        f"{cell}copies = {_copies(cell, letter)}\n"
        f"{cell}smallest = min({cell}smallest, {x})\n"
        f"{cell}length += 1\n"
        f"{cell}turns += int64({cell}length == ({cell}turns + 1) * n)\n"
        f"{cell}position = {cell}position - 1 if {cell}position > 0 else n - 1"
    ).body

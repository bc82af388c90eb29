"""Where may a rule leave 64 bits? Interval arithmetic over its straight code; there the operation is a checked one.

A variable has an interval in which its value lies: a field's comes from its bits, a parameter's from PARAMETER, and
every assignment gives a new one. Whatever fits into 64 bits on all of its interval stays a plain machine operation,
which is nearly everything; the rest becomes a call of checked.py, which raises an error instead of going round.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

LARGEST = (1 << 63) - 1
SMALLEST = -(1 << 63)
TRUTH = (0, 1)
ANY = (SMALLEST, LARGEST)
COUNT = (0, (1 << 62) - 1)  # numbers of agents, positions, and n

Interval = tuple[int, int]
Known = dict[str, Interval]

AGENTS = ("l", "r", "l0", "r0")  # whose fields are the variables l_leader, ...
SAME = ("int64", "int")  # functions whose value is that of their argument
CHECKED: dict[type[ast.operator], str] = {
    ast.Add: "plus",
    ast.Sub: "minus",
    ast.Mult: "times",
    ast.FloorDiv: "divided",
    ast.LShift: "shifted_left",
    ast.RShift: "shifted_right",
}


def fits(interval: Interval) -> bool:
    return interval[0] >= SMALLEST and interval[1] <= LARGEST


def within_word(interval: Interval) -> Interval:
    return max(interval[0], SMALLEST), min(interval[1], LARGEST)


def joined(a: Interval, b: Interval) -> Interval:
    return min(a[0], b[0]), max(a[1], b[1])


def joined_ways(ways: Sequence[Known]) -> Known | None:
    """What is known where several ways through the code meet; None: there is no way."""
    if not ways:
        return None
    names = set.intersection(*(set(way) for way in ways))
    return {name: hull([way[name] for way in ways]) for name in names}


def hull(parts: Sequence[Interval]) -> Interval:
    return min(part[0] for part in parts), max(part[1] for part in parts)


def corners(a: Interval, b: Interval) -> Interval:
    products = [x * y for x in a for y in b]
    return min(products), max(products)


def bits(a: Interval, b: Interval) -> Interval:
    """What `|` and `^` can give: no more bits than their operands have."""
    width = max(abs(end).bit_length() for end in (*a, *b))
    return (0, (1 << width) - 1) if min(a[0], b[0]) >= 0 else (-(1 << width), (1 << width) - 1)


def quotient(a: Interval, b: Interval) -> Interval:
    """|x // y| is at most |x| + 1 rounded down, for every y but 0."""
    largest = max(abs(a[0]), abs(a[1]))
    if b[0] > 0:
        return min(a[0], 0), max(a[1], 0)
    return -largest - 1, largest


def remainders(b: Interval) -> Interval:
    return min(b[0] + 1, 0), max(b[1] - 1, 0)


@dataclass
class Guards:
    """Rewrites expressions and statements of generated code, and counts the places that had to be checked."""

    fields: Mapping[str, Interval]  # by field: what its bits can hold
    parameter: Interval
    lines: set[int] = field(default_factory=set)  # of the file, in which something had to be checked
    undefined: set[int] = field(default_factory=set)  # in which a division by zero or a negative shift is not excluded
    places: int = 0

    # -- statements ---------------------------------------------------------------------------------------------

    def statements(self, body: Sequence[ast.stmt], known: Known | None = None) -> list[ast.stmt]:
        out, _ = self._block(body, dict(known or {}), [])
        return out

    def _block(
        self, body: Sequence[ast.stmt], known: Known | None, breaks: list[Known]
    ) -> tuple[list[ast.stmt], Known | None]:
        out = []
        for statement in body:
            done, known = self._statement(statement, known if known is not None else {}, breaks)
            out.append(done)
        return out, known

    def _statement(self, s: ast.stmt, known: Known, breaks: list[Known]) -> tuple[ast.stmt, Known | None]:
        match s:
            case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)):
                found = [self.value(value, known) for value in values]
                for name, (_, interval) in zip(names, found, strict=True):
                    self._keep(name, interval, known)
                return ast.Assign(s.targets, ast.Tuple([value for value, _ in found], ast.Load())), known
            case ast.Assign(targets=[target], value=value):
                new, interval = self.value(value, known)
                self._keep(target, interval, known)
                return ast.Assign([target], new), known
            case ast.AugAssign(target=ast.Name(id=name) as target, op=op, value=value):
                new, interval = self.value(ast.BinOp(ast.Name(name, ast.Load()), op, value), known)
                self._keep(target, interval, known)
                if isinstance(new, ast.BinOp):
                    return ast.AugAssign(target, op, new.right), known
                return ast.Assign([ast.Name(name, ast.Store())], new), known
            case ast.If(test=test, body=body, orelse=orelse):
                asked, _ = self.value(test, known)
                then, after = self._block(body, dict(known), breaks)
                other, otherwise = self._block(orelse, dict(known), breaks)
                ways = [way for way in (after, otherwise) if way is not None]
                return ast.If(asked, then, other), joined_ways(ways)
            case ast.While() if is_once(s):
                ends: list[Known] = []
                inner, _ = self._block(s.body, known, ends)
                return ast.While(s.test, inner, []), joined_ways(ends)
            case ast.While(test=test, body=body):
                self._forget(s, known)
                asked, _ = self.value(test, known)
                inner, _ = self._block(body, dict(known), [])
                return ast.While(asked, inner, []), known
            case ast.For(target=ast.Name() as target, iter=ast.Call() as call, body=body):
                arguments = [self.value(argument, known) for argument in call.args]
                self._forget(s, known)
                self._keep(target, hull([interval for _, interval in arguments] + [TRUTH]), known)
                inner, _ = self._block(body, dict(known), [])
                ranged = ast.Call(call.func, [argument for argument, _ in arguments], [])
                return ast.For(target, ranged, inner, []), known
            case ast.Break():
                breaks.append(known)
                return s, None
            case ast.Return(value=ast.expr() as value):
                return ast.Return(self.value(value, known)[0]), None
            case ast.Return() | ast.Continue():
                return s, None
        return s, known

    def _keep(self, target: ast.expr, interval: Interval, known: Known) -> None:
        if isinstance(target, ast.Name):
            known[target.id] = interval

    def _forget(self, loop: ast.stmt, known: Known) -> None:
        """In a loop that really loops, what it assigns may have any value."""
        for node in ast.walk(loop):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                known[node.id] = ANY

    # -- expressions --------------------------------------------------------------------------------------------

    def expression(self, node: ast.expr, known: Known | None = None) -> ast.expr:
        return self.value(node, known or {})[0]

    def value(self, node: ast.expr, known: Known) -> tuple[ast.expr, Interval]:
        """The expression with its checks, and the interval of its value."""
        match node:
            case ast.Constant(value=int() as value):
                return node, (int(value), int(value))
            case ast.Name(id=name):
                return node, known.get(name) or self._initial(name)
            case ast.BinOp(left=left, op=op, right=right):
                return self._binary(node, op, self.value(left, known), self.value(right, known))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                x, a = self.value(operand, known)
                return self._checked(ast.UnaryOp(ast.USub(), x), (-a[1], -a[0]), "negated", [x], line_of(node))
            case ast.UnaryOp(op=op, operand=operand):
                return ast.UnaryOp(op, self.value(operand, known)[0]), TRUTH
            case ast.BoolOp(op=op, values=values):
                found = [self.value(value, known) for value in values]
                return ast.BoolOp(op, [x for x, _ in found]), hull([a for _, a in found] + [TRUTH])
            case ast.Compare(left=left, ops=ops, comparators=others):
                parts = [self.value(other, known)[0] for other in others]
                return ast.Compare(self.value(left, known)[0], ops, parts), TRUTH
            case ast.IfExp(test=test, body=body, orelse=orelse):
                (x, a), (y, b) = self.value(body, known), self.value(orelse, known)
                return ast.IfExp(self.value(test, known)[0], x, y), joined(a, b)
            case ast.Call(func=ast.Name(id=name), args=arguments):
                return self._call(node, name, [self.value(argument, known) for argument in arguments])
        return node, ANY

    def _initial(self, name: str) -> Interval:
        """A variable that nothing has assigned yet: the field of an agent, a parameter, or a number of agents."""
        owner, _, rest = name.partition("_")
        if owner == "p":
            return self.parameter
        if owner == "c" or name in ("n", "position", "size"):
            return COUNT
        return self.fields.get(rest, ANY) if owner in AGENTS else ANY

    def _binary(
        self, node: ast.BinOp, op: ast.operator, left: tuple[ast.expr, Interval], right: tuple[ast.expr, Interval]
    ) -> tuple[ast.expr, Interval]:
        (x, a), (y, b) = left, right
        plain = ast.BinOp(x, op, y)
        self._note_undefined(op, b, line_of(node))
        match op:
            case ast.Add():
                result = (a[0] + b[0], a[1] + b[1])
            case ast.Sub():
                result = (a[0] - b[1], a[1] - b[0])
            case ast.Mult():
                result = corners(a, b)
            case ast.FloorDiv():
                result = quotient(a, b)
            case ast.Mod():
                return plain, remainders(b)
            case ast.BitAnd():
                return plain, (0, max(a[1], b[1])) if max(a[0], b[0]) >= 0 else bits(a, b)
            case ast.BitOr() | ast.BitXor():
                return plain, within_word(bits(a, b))
            case ast.LShift():
                sensible = b[0] >= 0 and b[1] <= 62
                result = corners(a, (1 << b[0], 1 << b[1])) if sensible else (2 * SMALLEST, 2 * LARGEST)
            case ast.RShift():
                result = (min(a[0], 0), max(a[1], 0)) if b[0] >= 0 and b[1] <= 63 else (2 * SMALLEST, 2 * LARGEST)
            case _:
                return plain, ANY
        return self._checked(plain, result, CHECKED[type(op)], [x, y], line_of(node))

    def _note_undefined(self, op: ast.operator, b: Interval, line: int | None) -> None:
        divides = isinstance(op, (ast.FloorDiv, ast.Mod)) and b[0] <= 0 <= b[1]
        if line and (divides or (isinstance(op, (ast.LShift, ast.RShift)) and b[0] < 0)):
            self.undefined.add(line)

    def _checked(
        self, plain: ast.expr, result: Interval, name: str, arguments: list[ast.expr], line: int | None
    ) -> tuple[ast.expr, Interval]:
        if fits(result):
            return plain, result
        self.places += 1
        self.lines |= {line} if line else set()
        return ast.Call(ast.Name(name, ast.Load()), arguments, []), within_word(result)

    def _call(self, node: ast.Call, name: str, found: Sequence[tuple[ast.expr, Interval]]) -> tuple[ast.expr, Interval]:
        arguments, intervals = [x for x, _ in found], [a for _, a in found]
        call = ast.Call(node.func, arguments, [])
        if name == "abs":
            (a,) = intervals
            return self._checked(call, (0, max(abs(a[0]), abs(a[1]))), "magnitude", arguments, line_of(node))
        if name in ("min", "max"):
            pick = min if name == "min" else max
            return call, (pick(a[0] for a in intervals), pick(a[1] for a in intervals))
        if name in SAME and intervals:
            return call, intervals[0]
        if name == "bool":
            return call, TRUTH
        if name == "remainder":
            self._note_undefined(ast.Mod(), intervals[1], line_of(node))
            return call, remainders(intervals[1])
        if name == "draw_choice":  # of `choices` and the number of values
            return call, (0, max(intervals[1][1] - 1, 0))
        if name.startswith("get_"):
            return call, self.fields.get(name.removeprefix("get_"), ANY)
        return call, ANY


def line_of(node: ast.expr) -> int | None:
    return getattr(node, "lineno", None)


def is_once(loop: ast.While) -> bool:
    """A block that is left by `break` at its end at the latest (trees.once)."""
    always = isinstance(loop.test, ast.Constant) and bool(loop.test.value)
    return (
        always
        and isinstance(loop.body[-1], ast.Break)
        and not any(isinstance(node, ast.Continue) for node in ast.walk(loop))
    )

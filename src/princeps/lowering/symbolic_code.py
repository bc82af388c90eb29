"""Straight code of the flattener (lowering/language.py) executed on terms instead of numbers.

`if` becomes guarded assignment: a variable is its new value where the guard holds, else the old one, so that there are no
paths to follow and one term a variable. `break` and `return` end the guard. What the result relies on is kept:

    needed    conditions under which the terms are what Python computes: a remainder whose quotient is -1, 0 or 1, a
              value inside its field's domain, a shift by at most 63. Whoever proves something proves these, too.
    assumed   what is known of the draws: 0 <= value < bound.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from princeps.errors import NotCompiled
from princeps.lowering.symbolic_terms import LARGEST_SHIFT, Term, Terms
from princeps.lowering.trees import DRAW

MAX_ROUNDS = 1000  # of a loop over a range of known length


class Draw(NamedTuple):
    """A value that a coin or `draw(k)` yields, the number of values it is drawn from, and when it is drawn at all."""

    value: Term
    bound: Term
    guard: Term


@dataclass
class Execution:
    """Executes statements on `variables`, which hold terms by the flattener's names (`l_leader`, `p_N`, `v0_t`)."""

    terms: Terms
    variables: dict[str, Term]
    sizes: Mapping[str, Term | None] = field(default_factory=dict)  # of variables that are fields; None: unbounded
    read: Callable[[str, Term], Term] | None = None  # `u[i].field`: the value of the field at the index
    call: Callable[[str, Sequence[Term]], Term] | None = None  # a function on configurations, by its name in the code
    prefix: str = "draw"  # of the names of what is drawn

    needed: list[Term] = field(default_factory=list)
    assumed: list[Term] = field(default_factory=list)
    draws: list[Draw] = field(default_factory=list)
    returned: list[tuple[Term, Term]] = field(default_factory=list)  # guard and value of each `return`
    broken: list[list[Term]] = field(default_factory=list)

    def result(self) -> Term:
        """What the function returns; 0 where it ends without a `return` of a value."""
        found: Term = 0
        for guard, value in reversed(self.returned):
            found = self.terms.choice(guard, value, found)
        return found

    def need(self, guard: Term, condition: Term) -> None:
        wanted = self.terms.implied(guard, condition)
        if wanted is not True and not any(wanted is known or _same(wanted, known) for known in self.needed):
            self.needed.append(wanted)

    # -- statements ----------------------------------------------------------------------------------------------

    def block(self, body: Sequence[ast.stmt], live: Term = True) -> Term:
        """Executes where `live` holds; returns where the end of the block is reached."""
        for statement in body:
            if live is False:
                break
            live = self._statement(statement, live)
        return live

    def _statement(self, s: ast.stmt, live: Term) -> Term:
        if isinstance(s, ast.Assign) and isinstance(s.targets[0], ast.Name):
            self._assign(s.targets[0].id, self.terms.number(self.expression(s.value, live)), live)
            return live
        if isinstance(s, ast.If):
            return self._if(s, live)
        if isinstance(s, ast.While) and _is_once(s):
            return self._once(s.body, live)
        if isinstance(s, ast.For):
            return self._for(s, live)
        if isinstance(s, ast.Return):
            self.returned.append((live, 0 if s.value is None else self.expression(s.value, live)))
            return False
        if isinstance(s, ast.Break):
            self.broken[-1].append(live)
            return False
        if isinstance(s, ast.Pass):
            return live
        raise _cannot(s, "a loop of unknown length has no term")

    def _assign(self, name: str, value: Term, live: Term) -> None:
        if name in self.sizes:
            size = self.sizes[name]
            inside = self.terms.at_most(0, value) if size is None else self.terms.within(value, 0, size)
            self.need(live, inside)
        known = name in self.variables
        self.variables[name] = self.terms.choice(live, value, self.variables[name]) if known else value

    def _if(self, s: ast.If, live: Term) -> Term:
        test = self.terms.truth(self.expression(s.test, live))
        yes, no = self.terms.both(live, test), self.terms.both(live, self.terms.neither(test))
        after_yes, after_no = self.block(s.body, yes), self.block(s.orelse, no)
        if after_yes is yes and after_no is no:
            return live
        return self.terms.either(after_yes, after_no)

    def _once(self, body: Sequence[ast.stmt], live: Term) -> Term:
        returns = len(self.returned)
        self.broken.append([])
        end = self.block(body, live)
        left = self.broken.pop()
        return live if len(self.returned) == returns else self.terms.either(*left, end)

    def _for(self, s: ast.For, live: Term) -> Term:
        assert isinstance(s.iter, ast.Call)
        bounds = [self.expression(arg, live) for arg in s.iter.args]
        if not all(isinstance(bound, int) for bound in bounds) or not isinstance(s.target, ast.Name):
            raise _cannot(s, "a loop of unknown length has no term")
        rounds = range(*bounds)
        if len(rounds) > MAX_ROUNDS:
            raise _cannot(s, f"a loop of more than {MAX_ROUNDS} rounds is not unrolled")
        returns = len(self.returned)
        self.broken.append([])
        inside = live
        for k in rounds:
            if inside is False:
                break
            self._assign(s.target.id, k, inside)
            inside = self.block(s.body, inside)
        left = self.broken.pop()
        return live if len(self.returned) == returns else self.terms.either(*left, inside)

    # -- expressions ---------------------------------------------------------------------------------------------

    def expression(self, node: ast.expr, live: Term = True) -> Term:
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name):
            return self.variables[node.id]
        if isinstance(node, ast.BinOp):
            return self._binary(node, live)
        if isinstance(node, ast.UnaryOp):
            value = self.expression(node.operand, live)
            return self.terms.neither(value) if isinstance(node.op, ast.Not) else -self.terms.number(value)
        if isinstance(node, ast.BoolOp):
            return self._bool_op(node, live)
        if isinstance(node, ast.Compare):
            return self._compare(node, live)
        if isinstance(node, ast.IfExp):
            test = self.terms.truth(self.expression(node.test, live))
            then = self.expression(node.body, self.terms.both(live, test))
            return self.terms.choice(
                test, then, self.expression(node.orelse, self.terms.both(live, self.terms.neither(test)))
            )
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            return self._call(node, node.func.id, live)
        raise _cannot(node, "it has no term")

    def _bool_op(self, node: ast.BoolOp, live: Term) -> Term:
        """As in Python: the last value that is asked for, whether it is a truth value or a number."""
        is_and = isinstance(node.op, ast.And)
        first = self.expression(node.values[0], live)
        if len(node.values) == 1:
            return first
        goes_on = self.terms.truth(first) if is_and else self.terms.neither(first)
        rest = self._bool_op(ast.BoolOp(node.op, node.values[1:]), self.terms.both(live, goes_on))
        if self.terms.is_truth(first) and self.terms.is_truth(rest):
            return self.terms.both(first, rest) if is_and else self.terms.either(first, rest)
        return self.terms.choice(goes_on, rest, first)

    def _compare(self, node: ast.Compare, live: Term) -> Term:
        values = [self.terms.number(self.expression(one, live)) for one in (node.left, *node.comparators)]
        found = []
        for left, op, right in zip(values, node.ops, values[1:], strict=False):
            if isinstance(op, ast.Eq):
                found.append(left == right)
            elif isinstance(op, ast.NotEq):
                found.append(left != right)
            elif isinstance(op, ast.Lt):
                found.append(left < right)
            elif isinstance(op, ast.LtE):
                found.append(left <= right)
            elif isinstance(op, ast.Gt):
                found.append(left > right)
            else:
                found.append(left >= right)
        return self.terms.both(*found)

    def _binary(self, node: ast.BinOp, live: Term) -> Term:
        x, y = self.expression(node.left, live), self.expression(node.right, live)
        if isinstance(node.op, ast.BitAnd | ast.BitOr) and self.terms.is_truth(x) and self.terms.is_truth(y):
            return self.terms.both(x, y) if isinstance(node.op, ast.BitAnd) else self.terms.either(x, y)
        x, y = self.terms.number(x), self.terms.number(y)
        if isinstance(node.op, ast.Add):
            return x + y
        if isinstance(node.op, ast.Sub):
            return x - y
        if isinstance(node.op, ast.Mult):
            return x * y
        if isinstance(node.op, ast.FloorDiv | ast.Mod):
            return self._division(x, y, isinstance(node.op, ast.Mod), live)
        if isinstance(node.op, ast.LShift | ast.RShift):
            self.need(live, self.terms.within(y, 0, LARGEST_SHIFT + 1))
            return x * self.terms.power(y) if isinstance(node.op, ast.LShift) else self.terms.shifted(x, y)
        return self._bitwise(node, x, y, live)

    def _division(self, x: Term, y: Term, remainder: bool, live: Term) -> Term:
        if isinstance(x, int) and isinstance(y, int) and y != 0:
            return x % y if remainder else x // y
        if isinstance(y, int) and y > 0:
            return x % y if remainder else self.terms.quotient(x, y)
        terms = self.terms
        self.need(live, terms.both(terms.less(0, y), terms.at_most(-y, x), terms.less(x, 2 * y)))
        below, inside = terms.less(x, 0), terms.less(x, y)
        if remainder:
            return terms.choice(below, x + y, terms.choice(inside, x, x - y))
        return terms.choice(below, -1, terms.choice(inside, 0, 1))

    def _bitwise(self, node: ast.BinOp, x: Term, y: Term, live: Term) -> Term:
        """Of two numbers that are 0 or 1, which is needed; else only where both are known."""
        if isinstance(x, int) and isinstance(y, int):
            return x & y if isinstance(node.op, ast.BitAnd) else x | y if isinstance(node.op, ast.BitOr) else x ^ y
        for one in (x, y):
            self.need(live, self.terms.within(one, 0, 2))
        if isinstance(node.op, ast.BitAnd):
            return self.terms.smaller(x, y)
        if isinstance(node.op, ast.BitOr):
            return self.terms.larger(x, y)
        return self.terms.choice(self.terms.equal(x, y), 0, 1)

    def _call(self, node: ast.Call, name: str, live: Term) -> Term:
        if name == DRAW:
            return self._draw(self.terms.number(self.expression(node.args[1], live)), live)
        if name.startswith("get_") and self.read is not None:
            return self.read(name.removeprefix("get_"), self.expression(node.args[1], live))
        if name.startswith("on_config_") and self.call is not None:
            return self.call(name, [self.expression(arg, live) for arg in node.args if not _is_passed_on(arg)])
        if any(_is_passed_on(arg) for arg in node.args):
            raise _cannot(node, "it asks for the whole configuration")
        values = [self.expression(arg, live) for arg in node.args]
        if name == "remainder":
            return self._division(self.terms.number(values[0]), self.terms.number(values[1]), True, live)
        if name in ("int64", "int"):
            return self.terms.number(values[0])
        if name == "bool":
            return self.terms.truth(values[0])
        if name == "abs":
            return self.terms.larger(self.terms.number(values[0]), -self.terms.number(values[0]))
        if name in ("min", "max"):
            found = values[0]
            for value in values[1:]:
                found = self.terms.smaller(found, value) if name == "min" else self.terms.larger(found, value)
            return found
        raise _cannot(node, "it has no term")

    def _draw(self, bound: Term, live: Term) -> Term:
        self.need(live, self.terms.at_most(1, bound))
        value = self.terms.symbol(f"{self.prefix}_{len(self.draws)}")
        self.draws.append(Draw(value, bound, live))
        self.assumed.append(self.terms.implied(live, self.terms.within(value, 0, bound)))
        return value


def _same(x: Term, y: Term) -> bool:
    return not isinstance(x, bool) and not isinstance(y, bool) and bool(x.eq(y))


def _is_once(s: ast.While) -> bool:
    """What the flattener writes for a block that `break` leaves."""
    always = isinstance(s.test, ast.Constant) and bool(s.test.value)
    goes_on = any(isinstance(node, ast.Continue) for node in ast.walk(s))
    return always and not goes_on and isinstance(s.body[-1], ast.Break)


def _is_passed_on(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id in ("agents", "constants")


def _cannot(node: ast.AST, why: str) -> NotCompiled:
    text = ast.unparse(ast.fix_missing_locations(node)).splitlines()[0]  # straight code has no lines
    return NotCompiled(f"`{text}` cannot be compiled for a proof: {why}.")

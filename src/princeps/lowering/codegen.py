"""The text of the compiled kernels, one small module for each question an engine asks.

`advance` runs the schedule; `census` counts agents; `fill` writes a start; `holds` tests a whole configuration.
Parameters are run-time arguments: another N uses the same code.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from princeps.errors import ProtocolError
from princeps.lowering import choice_code
from princeps.lowering.expressions import ConfigCall, on_config
from princeps.lowering.field_code import IMPORT_STATUSES, FieldCode, header, lines, render
from princeps.lowering.guards import Guards
from princeps.lowering.language import Flattener
from princeps.lowering.trees import AnAgent, Meaning, TheConfig, TheCounts, TheParams
from princeps.model.goals import own_predicates
from princeps.model.protocol import Closed, Counted, PopulationProtocol, Predicate

ADVANCE = """
@njit(cache=True)
def advance(agents, constants, tops, kind, n, sources, targets, rng, left, right, cursor, counts, stop_at, budget, ahead):
{prologue}
    pos, filled, events = cursor[CURSOR_POSITION], cursor[CURSOR_FILLED], cursor[CURSOR_EVENTS]
    done = 0
    status = CONTINUE
    while done < budget and status == CONTINUE:
        if pos == filled:
            if kind == LISTED:
                status = LIST_ENDED
                break
            draw_block(kind, n, sources, targets, rng, left, right, agents, ahead)
            pos = 0
            filled = left.size
        stop = min(filled, pos + budget - done)
        first = pos
        while pos < stop:
            i = left[pos]
            j = right[pos]
            if ahead and pos + PREFETCH_DISTANCE < filled:
                prefetch(agents, left[pos + PREFETCH_DISTANCE])
                prefetch(agents, right[pos + PREFETCH_DISTANCE])
{unpack}
            bad = 0
{rule}
            if bad != 0:
                status = OUTSIDE_DOMAIN
                break
{pack}
            pos += 1
            events += int64({changed})
{tally}
        done += pos - first
    cursor[CURSOR_POSITION], cursor[CURSOR_FILLED], cursor[CURSOR_EVENTS] = pos, filled, events
    cursor[CURSOR_STEPS] += done
{epilogue}
    return done, status
"""

CENSUS = """
@njit(cache=True)
def census(agents, constants, out):
{prologue}
    for i in range(agents.shape[0]):
{unpack}
{counting}
"""

FILL = """
@njit(cache=True)
def fill(agents, constants, tops, n, inputs):
{prologue}
    for i in range(agents.shape[0]):
        position, size = i, n
{zero}
        bad = 0
{rule}
        if bad != 0:
            return i
{pack}
    return -1
"""

HOLDS = """
@njit(cache=True)
def goal_holds(agents, n, constants):
    return {rule}(agents, n, constants)
"""


class Writer(FieldCode):
    """Writes kernels for one protocol in one layout."""

    def flattener(
        self, rule: Callable[..., Any], check_domains: bool = False, calls: list[ConfigCall] | None = None
    ) -> Flattener:
        return Flattener(rule, self.words, check_domains, calls=[] if calls is None else calls)

    def goal_flattener(self, goal: Counted) -> Flattener:
        """Of a condition on counts, which may be those of predicates of its own."""
        return Flattener(goal.rule, replace(self.words, counts=[*self.words.counts, *own_predicates(goal)]))

    # -- kernels ------------------------------------------------------------------------------------------------

    def advance(self, goal: Counted | None) -> tuple[str, list[str]]:
        """The kernel that runs the schedule, and the names of the counts that it keeps."""
        guards = self.guards()
        body, used = self.guarded_rule(guards)
        test, tracked, params = self.goal(goal, guards)
        tally = self._tally(goal, tracked, test, params, guards)
        imports = "from princeps.lowering.chance import LISTED, PREFETCH_DISTANCE, draw_block, prefetch\n"
        template, told = ADVANCE, ""
        if self.protocol.has_choices:
            template = choice_code.with_choices(ADVANCE)
            imports += choice_code.IMPORT_TOSS
            told, asked = self.oracle_line(guards)
            used |= asked
        source = header(imports + IMPORT_STATUSES, guards) + template.format(
            prologue=self.prologue(used | params, 1)
            + self.tops(1)
            + lines([f"c_{name} = counts[{k}]" for k, name in enumerate(tracked)], 1),
            unpack=self._unpack("l", "i", 3, "x")
            + self._unpack("r", "j", 3, "y")
            + self._remember(tally, 3)
            + lines([told] if told else [], 3),
            rule=render(body, 3),
            pack=self._pack("l", "i", 3, "u") + self._pack("r", "j", 3, "v"),
            changed=" or ".join(f"u{w} != x{w} or v{w} != y{w}" for w in range(self.layout.words)),
            tally=tally,
            epilogue=lines([f"counts[{k}] = c_{name}" for k, name in enumerate(tracked)], 1),
        )
        return source, tracked

    def census(self, predicates: Sequence[Predicate]) -> str:
        counting, used, guards = [], set(), self.guards()
        for k, predicate in enumerate(predicates):
            text, params = self.guarded_predicate(predicate, guards)
            counting.append(f"out[{k}] += int64(({text}) != 0)")
            used |= params
        return header("", guards) + CENSUS.format(
            prologue=self.prologue(used, 1), unpack=self._unpack("l", "i", 2, "x"), counting=lines(counting, 2)
        )

    def fill(self, rule: Callable[..., Any]) -> str:
        flat = self.flattener(rule, check_domains=True)
        names: list[Meaning] = [
            AnAgent("l"),
            ast.Name("position", ast.Load()),
            ast.Name("size", ast.Load()),
            TheParams(),
        ]
        guards = self.guards()
        body = guards.statements(flat.statements(names))
        fields = (*self.words.fields, *self.words.scratch)
        zero = [f"l_{name} = inputs[i]" if name in self.words.inputs else f"l_{name} = 0" for name in fields]
        return header("", guards) + FILL.format(
            prologue=self.prologue(flat.used_params, 1) + self.tops(1),
            zero=lines(zero, 2),
            rule=render(body, 2),
            pack=self._pack("l", "i", 2, "u"),
        )

    def holds(self, goal: Closed) -> str:
        """`goal_holds`, with every function on configurations that it calls, and the field readers they need."""
        parts: list[str] = []
        calls: list[ConfigCall] = [(goal.rule, (TheConfig, None, TheParams))]
        guards = self.guards()
        while len(parts) < len(calls):  # each may call others, which are added
            rule, kinds = calls[len(parts)]
            flat = self.flattener(rule, calls=calls)
            parts.append(self._config_function(on_config(len(parts)), flat, kinds, guards))
        readers = "".join(self._reader(name) for name in (*self.words.fields, *self.words.scratch))
        tail = HOLDS.format(rule=on_config(0))
        return header("", guards) + readers + "".join(reversed(parts)) + tail

    # -- rules and predicates on local variables ------------------------------------------------------------------

    def guarded_rule(self, guards: Guards) -> tuple[list[ast.stmt], set[str]]:
        """`interact` on the agents l and r, and the parameters that it reads."""
        rule = self.flattener(self.protocol.interact, check_domains=True)
        rule.is_rule = True
        body = guards.statements(rule.statements([AnAgent("l"), AnAgent("r"), TheParams()]))
        return body, rule.used_params

    def guarded_predicate(self, predicate: Predicate, guards: Guards, prefix: str = "l") -> tuple[str, set[str]]:
        flat = self.flattener(predicate)
        return ast.unparse(guards.expression(flat.expression([AnAgent(prefix), TheParams()]))), flat.used_params

    # -- pieces -------------------------------------------------------------------------------------------------

    def _config_function(self, name: str, flat: Flattener, kinds: Sequence[type | None], guards: Guards) -> str:
        names = [arg.arg for arg in flat.tree.args.args]
        if len(names) != len(kinds):
            raise flat.error(f"{flat.rule.__name__} takes {len(names)} arguments where {len(kinds)} are given.")
        meanings: list[Meaning] = [
            ast.Name(f"v0_{name}", ast.Load()) if kind is None else kind()
            for name, kind in zip(names, kinds, strict=True)
        ]
        body = guards.statements(flat.function_body(meanings))
        passed = {TheConfig: "agents", TheParams: "constants"}
        args = ", ".join(m.id if isinstance(m, ast.Name) else passed[type(m)] for m in meanings)
        prologue = self.prologue(flat.used_params, 1)
        return f"\n@njit(boundscheck=True)\ndef {name}({args}):\n{prologue}{render(body, 1)}\n"

    def _reader(self, name: str) -> str:
        scratch = name in self.words.scratch  # 0 between interactions
        value = "0 * i" if scratch else self._extract(name, self._cell("agents", "i", name))
        return f"\n@njit(boundscheck=True)\ndef get_{name}(agents, i):\n    return {value}\n"

    def _remember(self, tally: str, depth: int) -> str:
        """Keep the values before the interaction of the fields that some counted predicate reads."""
        pairs = [(f"{side}0_{name}", f"{side}_{name}") for side in "lr" for name in self.words.fields]
        return lines([f"{old} = {now}" for old, now in pairs if re.search(rf"\b{old}\b", tally)], depth)

    def goal(self, goal: Counted | None, guards: Guards) -> tuple[str, list[str], set[str]]:
        """The goal on counts as text, the names of the counts that are kept, and the parameters that it reads."""
        test, asked, used = "False", set[str](), set[str]()
        if goal is not None:
            flat = self.goal_flattener(goal)
            test = ast.unparse(guards.expression(flat.expression([TheCounts(), TheParams()])))
            asked, used = flat.used_counts, flat.used_params
        if self.protocol.oracle is not None:
            oracle = self.flattener(self.protocol.oracle.rule)
            oracle.expression([TheCounts(), TheParams()])
            asked = asked | oracle.used_counts
        return test, ["leaders", *sorted(asked - {"n", "leaders"})], used

    def oracle_line(self, guards: Guards) -> tuple[str, set[str]]:
        """What the rule reads of the oracle, from the counts before the interaction, and the parameters it depends on."""
        if self.protocol.oracle is None:
            return "", set()
        flat = self.flattener(self.protocol.oracle.rule)
        test = ast.unparse(guards.expression(flat.expression([TheCounts(), TheParams()])))
        return f"p_{self.protocol.oracle.name} = int64(({test}) != 0)", flat.used_params

    def _tally(self, goal: Counted | None, tracked: Sequence[str], test: str, used: set[str], guards: Guards) -> str:
        """Keep the counts, and stop right after the interaction that meets the goal or changes an output.

        The parameters that the counted predicates read are added to `used`.
        """
        predicates = type(self.protocol).predicates_for(goal)
        out, changes = [], []
        for name in tracked:
            deltas = []
            for side in "lr":
                now, params = self.guarded_predicate(predicates[name], guards, side)
                then, _ = self.guarded_predicate(predicates[name], guards, f"{side}0")
                used |= params
                deltas.append(f"int64(({now}) != 0) - int64(({then}) != 0)")
            if name == "leaders":
                out += [f"dl = {deltas[0]}", f"dr = {deltas[1]}"]
                changes += ["dl", "dr"]
            else:
                out.append(f"d_{name} = {deltas[0]} + {deltas[1]}")
                changes.append(f"d_{name}")
        out.append(f"if ({' | '.join(changes)}) != 0:")
        out.append("    c_leaders += dl + dr")
        out += [f"    c_{name} += d_{name}" for name in tracked if name != "leaders"]
        out += [
            "    if stop_at == STOP_AT_GOAL:",
            f"        if {test}:",
            "            status = GOAL_MET",
            "            break",
        ]
        out += [
            "    elif stop_at == STOP_AT_OUTPUT and (dl | dr) != 0:",
            "        status = OUTPUT_CHANGED",
            "        break",
        ]
        return lines(out, 3)


def check_language(writer: Writer) -> None:
    """Read every function the protocol names, so that a mistake is reported before anything runs."""
    protocol = writer.protocol
    try:
        _read_all(writer, protocol)
    except RecursionError:
        raise ProtocolError(
            "its functions are nested too deeply to be compiled: shorten expressions and chains of elif.",
            protocol.file(),
        ) from None


def _read_all(writer: Writer, protocol: PopulationProtocol) -> None:
    writer.advance(None)
    for goal in type(protocol).all_goals().values():
        if isinstance(goal, Counted):
            writer.goal(goal, writer.guards())
        else:
            writer.holds(goal)
    writer.census(list(type(protocol).all_predicates().values()))
    for name, start in type(protocol).starts.items():
        if callable(start):
            writer.fill(start)
        elif start is None:
            raise ProtocolError(f"start {name!r} is empty.", protocol.file())

"""The kernel of rare events: the rule, with a level function that follows every interaction.

`climb` runs until the level has risen or fallen far enough, or the leader is lost; `stage` does that for many copies of
stored configurations. Aggregates are sums of whole numbers (from a table, by the value of the agent's function) or the
largest value (from counts of values), so that no rounding depends on the way a configuration was reached.
"""

from __future__ import annotations

from collections.abc import Sequence

from princeps.lowering.codegen import Writer
from princeps.lowering.field_code import header, lines, render
from princeps.lowering.guards import Guards
from princeps.model.losses import Largest, Level, OfAgent
from princeps.model.protocol import Predicate

IMPORTS = """from numpy import inf
from princeps.lowering.chance import draw_block, next_below
from princeps.lowering.level_status import (
    AT_POSITION, AT_FILLED, AT_STEPS, AT_LEADERS, AT_LOST, DOWN, FAILED, LOST, RAN, UP)
"""

STEP = """
        if pos == filled:
            draw_block(kind, n, sources, targets, rng, left, right, agents, False)
            pos = 0
            filled = left.size
        i = left[pos]
        j = right[pos]
{unpack}
        bad = 0
{rule}
        if bad != 0:
            status = FAILED
            break
{pack}
        pos += 1
        done += 1
{deltas}
"""

WORLD = "agents, constants, tops, kind, n, sources, targets, rng, left, right, cursor"

CLIMB = """
@njit(cache=True)
def settle({world}, budget):
    \"\"\"Until exactly one agent leads.\"\"\"
{prologue}
    pos, filled = cursor[AT_POSITION], cursor[AT_FILLED]
    leaders = 0
    for i in range(n):
{unpack_one}
        leaders += int64(({leads}) != 0)
    done = 0
    status = RAN
    while leaders != 1 and done < budget:
{step}
        leaders += dl + dr
    cursor[AT_POSITION], cursor[AT_FILLED], cursor[AT_LEADERS] = pos, filled, leaders
    cursor[AT_STEPS] += done
    return status


@njit(cache=True)
def climb({world}, tables, hist, floor, goal, budget, out):
    \"\"\"From one leader on: UP at the goal or above it, DOWN at the floor or below it, LOST, or RAN out of the budget.

    out: the level at the end, and the highest on the way.
    \"\"\"
{prologue}
    pos, filled = cursor[AT_POSITION], cursor[AT_FILLED]
    size = tables.shape[1] - 1
    hist[:] = 0
{zero}
    for i in range(n):
{unpack_one}
{gather}
{tops_of_hist}
    level = {level}
    peak = level
    done = 0
    status = UP if level >= goal else RAN  # an entrance may lie above the next level, too
    while status == RAN and done < budget:
{step}
        if (dl | dr) != 0:
            cursor[AT_LEADERS] = 1 + dl + dr
            status = LOST
            break
{update}
        level = {level}
        if level > peak:
            peak = level
        if level >= goal:
            status = UP
            break
        if level <= floor:
            status = DOWN
            break
    cursor[AT_POSITION], cursor[AT_FILLED] = pos, filled
    cursor[AT_STEPS] += done
    out[0], out[1] = level, peak
    return status


@njit(cache=True)
def stage({world}, tables, hist, entrances, count, trials, floor, goal, wanted, out, kept, peaks, room):
    \"\"\"Copies of entrances, drawn at random, each until the goal, the floor or the loss; kept: those that came up.

    Returns the number of successes, of which those that lost the leader in the wanted way come without a state, and
    the number that lost it in this way; -1 if the rule failed. peaks: the highest level of each, infinite after a loss.
    \"\"\"
    stored = 0
    for q in range(trials):
        agents[:] = entrances[int64(next_below(rng, uint64(count)))]
        status = climb({world}, tables, hist, floor, goal, int64(1) << 60, out)
        peaks[q] = out[1]
        if status == FAILED:
            return -1, 0
        if status == LOST:
            after = cursor[AT_LEADERS]
            lost_as = 0 if after > 1 else 1 if after == 0 else 2
            if lost_as == wanted:
                peaks[q] = inf
                cursor[AT_LOST] += 1
            else:
                peaks[q] = -inf
        elif status == UP and stored < room:
            kept[stored] = agents
            stored += 1
    return stored, cursor[AT_LOST]
"""


class LevelWriter:
    """Writes the kernel of one level function."""

    def __init__(self, writer: Writer, level: Level) -> None:
        self.writer, self.level = writer, level
        self.guards: Guards = writer.guards()
        self.used: set[str] = set()

    def source(self) -> str:
        writer = self.writer
        body, used = writer.guarded_rule(self.guards)
        self.used |= used
        deltas, update = self._deltas(), self._update()
        leads = self._text(self._leader, "l")
        functions = [term.of for term in self.level.terms]
        gather = self._gather(functions)
        level = self._level()
        step = STEP.format(
            unpack=writer._unpack("l", "i", 2, "x")
            + writer._unpack("r", "j", 2, "y")
            + writer._remember(deltas + update, 2),
            rule=render(body, 2),
            pack=writer._pack("l", "i", 2, "u") + writer._pack("r", "j", 2, "v"),
            deltas=deltas,
        )
        largest = [k for k, term in enumerate(self.level.terms) if isinstance(term, Largest)]
        zero = [f"g{k} = int64(0)" for k in range(len(functions))] + ["some = int64(0)"]
        tops = [line for k in largest for line in (f"g{k} = size", *self._lower(k))]
        return header(IMPORTS, self.guards) + CLIMB.format(
            world=WORLD,
            prologue=writer.prologue(self.used, 1) + writer.tops(1),
            unpack_one=writer._unpack("l", "i", 2, "x"),
            leads=leads,
            step=step,
            zero=lines(zero, 1),
            gather=gather,
            tops_of_hist=lines(tops, 1),
            level=level,
            update=update,
        )

    @property
    def _leader(self) -> Predicate:
        return type(self.writer.protocol).all_predicates()["leaders"]

    def _text(self, function: OfAgent, prefix: str) -> str:
        text, used = self.writer.guarded_predicate(function, self.guards, prefix)
        self.used |= used
        return text

    def _deltas(self) -> str:
        out = []
        for side in "lr":
            now, then = self._text(self._leader, side), self._text(self._leader, f"{side}0")
            out.append(f"d{side} = int64(({now}) != 0) - int64(({then}) != 0)")
        return lines(out, 2)

    def _gather(self, functions: Sequence[OfAgent]) -> str:
        out = []
        for k, term in enumerate(self.level.terms):
            out.append(f"w = min(max(int64({self._text(term.of, 'l')}), 0), size)")
            out.append(f"hist[{k}, w] += 1" if isinstance(term, Largest) else f"g{k} += tables[{k}, w]")
        if self.level.while_some is not None:
            out.append(f"some += int64(({self._text(self.level.while_some, 'l')}) != 0)")
        return lines(out, 2)

    def _update(self) -> str:
        out = []
        for k, term in enumerate(self.level.terms):
            for side in "lr":
                out.append(f"w = min(max(int64({self._text(term.of, side)}), 0), size)")
                out.append(f"w0 = min(max(int64({self._text(term.of, f'{side}0')}), 0), size)")
                if isinstance(term, Largest):
                    out += [f"hist[{k}, w] += 1", f"hist[{k}, w0] -= 1", f"g{k} = max(g{k}, w)"]
                else:
                    out.append(f"g{k} += tables[{k}, w] - tables[{k}, w0]")
            if isinstance(term, Largest):
                out += self._lower(k)
        if self.level.while_some is not None:
            for side in "lr":
                now, then = (self._text(self.level.while_some, prefix) for prefix in (side, f"{side}0"))
                out.append(f"some += int64(({now}) != 0) - int64(({then}) != 0)")
        return lines(out, 2)

    def _lower(self, k: int) -> list[str]:
        return [f"while g{k} > 0 and hist[{k}, g{k}] == 0:", f"    g{k} -= 1"]

    def _level(self) -> str:
        """The weights are arguments, after the two results in `out`: another weight uses the same code."""
        text = " + ".join(f"out[{2 + k}] * g{k}" for k in range(len(self.level.terms)))
        return text if self.level.while_some is None else f"({text}) if some > 0 else -1e300"


def level_source(writer: Writer, level: Level) -> str:
    return LevelWriter(writer, level).source()

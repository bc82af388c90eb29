"""The compiled engine of a ring algorithm: one kernel that chooses, delivers, acts, watches and sends.

It is the plain engine (engines/ring_reference.py) step for step: the same schedules, the same draws, the same time.
Messages are nodes of one pool, linked into a queue for each port; the actions of the algorithm are inlined.
"""

from __future__ import annotations

import ast
from typing import Any

from princeps.lowering.cache import load_kernel
from princeps.lowering.codegen import HEADER, lines, render
from princeps.lowering.memory import remembered
from princeps.lowering.rings.label_check import PARAMETERS, PROCESS, LabelCheck
from princeps.lowering.rings.language import ME, RingFlattener, assigned_first, columns, ring_vocabulary
from princeps.model.rings.algorithm import LABEL, LEFT, NUMBER, RIGHT, Action, RingAlgorithm
from princeps.model.rings.specification import CHANGED, DEADLOCK, EARLY, FELL, HASTY, SECOND, UNDONE  # noqa: F401 - by name

IN_ORDER, NEWEST_FIRST, UNIFORM = 0, 1, 2  # schedules
BUDGET_SPENT, NO_ROOM, OVER, OUTSIDE_DOMAIN, OTHER_LETTER, CANNOT_START, NOT_SET = range(7)  # why the kernel returns
HEAD, TAIL, DEAD = range(3)  # of a port: first and last message of its link; whether nothing is taken from it
KIND, SENT, NEXT, VALUES = range(4)  # of a message: also when it was sent, and which one follows
NOTE = ("count", "steps", "process", "action", "time", "node")  # of a broken rule: how often, and the first time
NAMED = (  # in the text of the kernel
    *("IN_ORDER", "NEWEST_FIRST", "UNIFORM", "HEAD", "TAIL", "DEAD", "KIND", "SENT", "NEXT", "VALUES"),
    *("BUDGET_SPENT", "NO_ROOM", "OVER", "OUTSIDE_DOMAIN", "OTHER_LETTER", "CANNOT_START", "NOT_SET"),
    *("FELL", "SECOND", "UNDONE", "CHANGED", "EARLY", "HASTY", "DEADLOCK"),
)
CONTROL = (  # what it remembers between two calls
    *("now", "steps", "messages", "under_way", "older", "unstarted", "free_top", "queue_head", "queue_length"),
    *("slow_head", "slow_length", "ready_count", "next_start", "ever_led", "first_leader"),
)

ADVANCE = """
from princeps.lowering.chance import next_below
from princeps.lowering.rings.words import copies_with, defined

@njit(cache=True)
def advance(S, L, first, places, constants, tops, control, mode, slow_left, slow_right, pool, free, ports,
            queue, slow_queue, ready, place_of, coins, rng, peaks, box, broken, stuck,
            unset, kinds, budget):
    n = L.size
    mask = queue.size - 1
{prologue}
{load_control}
    status = {BUDGET_SPENT}
    done = 0
    while done < budget:
        if free_top < {most_sends}:
            status = {NO_ROOM}
            break
        if mode == {UNIFORM}:
            if ready_count == 0:
                status = {OVER}
                break
            port = ready[int64(next_below(rng, uint64(ready_count)))]
        elif next_start < n:
            port = next_start
            next_start += 1
        elif queue_length > 0:
            queue_length -= 1
            if mode == {IN_ORDER}:
                port = queue[uint64(queue_head)]
                queue_head = (queue_head + 1) & mask
            else:
                port = queue[uint64(queue_length)]
        elif slow_length > 0:
            slow_length -= 1
            port = slow_queue[uint64(slow_head)]
            slow_head = (slow_head + 1) & mask
        else:
            status = {OVER}
            break
        gate = uint64(port)  # numba spares an index that cannot be negative the test for it: 1.4x in all
        if ports[gate, {DEAD}] != 0:
            continue
        j = port if port < n else port - n
        row = uint64(j)
        right_port = j + 1 if j + 1 < n else 0
        left_port = n + (j - 1 if j > 0 else n - 1)
        me_id = L[row]
{load}
        was_isLeader, was_done, was_leader = me_isLeader, me_done, me_leader
        act, bad, sends, halts, spare = -1, 0, 0, 0, -1
        if S[row, {STARTED}] == 0:
            unstarted -= 1
            S[row, {STARTED}] = 1
{start}
            if act < 0:
                status = {CANNOT_START}
                break
        else:
            if older == 0 and unstarted == 0:
                now += 1
                older = under_way
            node = ports[gate, {HEAD}]
            at = uint64(node)
            under_way -= 1
            older -= int64(pool[at, {SENT}] < now)
            if S[row, {HALTED}] == 0:
                kind = pool[at, {KIND}]
{dispatch}
{unset}
            if act < 0:
                ports[gate, {DEAD}] = 1
                if broken[{DEADLOCK}, 0] == 0:
                    broken[{DEADLOCK}, 5] = node
                    stuck[0, :] = S[row, :]
                rule = note(broken, {DEADLOCK}, steps, j, -1, now)
                node = pool[at, {NEXT}]
                while node >= 0:
                    at = uint64(node)
                    under_way -= 1
                    older -= int64(pool[at, {SENT}] < now)
                    node = pool[at, {NEXT}]
            else:
                ports[gate, {HEAD}] = pool[at, {NEXT}]
                if pool[at, {NEXT}] < 0:
                    ports[gate, {TAIL}] = -1
                spare = node
        if act >= 0:
            if bad != 0:
                status = {OUTSIDE_DOMAIN} if bad == 1 else {OTHER_LETTER}
                break
            done += 1
            steps += 1
            if me_isLeader != was_isLeader or me_done != 0 or was_done != 0 or halts != 0:
                rule = -1
                if was_isLeader > me_isLeader:
                    rule = note(broken, {FELL}, steps, j, act, now)
                if me_isLeader > was_isLeader and S[row, {EVER}] == 0:
                    S[row, {EVER}] = 1
                    ever_led += 1
                    if ever_led == 1:
                        first_leader = j
                    else:
                        rule = note(broken, {SECOND}, steps, j, act, now)
                if was_done != 0:
                    if me_done == 0:
                        rule = note(broken, {UNDONE}, steps, j, act, now)
                    if was_leader != me_leader:
                        rule = note(broken, {CHANGED}, steps, j, act, now)
                elif me_done != 0 and (first_leader < 0 or me_leader != L[first_leader]):
                    rule = note(broken, {EARLY}, steps, j, act, now)
                if halts != 0:
                    S[row, {HALTED}] = 1
                    if me_done == 0:
                        rule = note(broken, {HASTY}, steps, j, act, now)
{peaks}
            for s in range(uint64(sends)):
                target = box[s, 0]
                to = uint64(target)
                node = spare  # that of the message received, if it is still free
                spare = -1
                if node < 0:
                    free_top -= 1
                    node = free[uint64(free_top)]
                at = uint64(node)
                kind = box[s, 1]
                pool[at, {KIND}] = kind
                pool[at, {SENT}] = now
                pool[at, {NEXT}] = -1
                for v in range(uint64({most_values})):
                    pool[at, {VALUES} + v] = box[s, uint64(2) + v]
                if ports[to, {TAIL}] < 0:
                    ports[to, {HEAD}] = node
                else:
                    pool[uint64(ports[to, {TAIL}]), {NEXT}] = node
                ports[to, {TAIL}] = node
                messages += 1
                kinds[uint64(kind)] += 1
                if ports[to, {DEAD}] == 0:
                    under_way += 1
                    if mode == {UNIFORM}:
                        if place_of[to] < 0:
                            place_of[to] = ready_count
                            ready[uint64(ready_count)] = target
                            ready_count += 1
                    elif mode == {NEWEST_FIRST}:
                        queue[uint64(queue_length)] = target
                        queue_length += 1
                    elif target == slow_left or target == slow_right:
                        slow_queue[uint64((slow_head + slow_length) & mask)] = target
                        slow_length += 1
                    else:
                        queue[uint64((queue_head + queue_length) & mask)] = target
                        queue_length += 1
            if spare >= 0:
                free[uint64(free_top)] = spare
                free_top += 1
        if mode == {UNIFORM}:
            port = j
            while port < ports.shape[0]:
                wanted = ports[port, {HEAD}] >= 0 and ports[port, {DEAD}] == 0
                if wanted and place_of[port] < 0:
                    place_of[port] = ready_count
                    ready[ready_count] = port
                    ready_count += 1
                elif not wanted and place_of[port] >= 0:
                    ready_count -= 1
                    last = ready[ready_count]
                    ready[place_of[port]] = last
                    place_of[last] = place_of[port]
                    place_of[port] = -1
                port += n
{save_control}
    return status


@njit
def note(broken, rule, steps, j, act, now):
    if broken[rule, 0] == 0:
        broken[rule, 1], broken[rule, 2], broken[rule, 3], broken[rule, 4] = steps, j, act, now
    broken[rule, 0] += 1
    return rule
"""


class RingWriter:
    """Writes the kernel of one algorithm; parameters and the ring are its arguments."""

    def __init__(self, algorithm: RingAlgorithm) -> None:
        cls = type(algorithm)
        self.cls, self.variables, self.messages = cls, cls.variables_, cls.messages_
        self.constant_names = sorted(algorithm.constants.as_dict())
        self.words = ring_vocabulary(self.variables, self.messages, self.constant_names)
        self.words.bidirectional = cls.bidirectional
        self.columns = columns(self.variables)
        self.width = len(self.columns) + 3  # started, halted, ever led
        self.used: set[str] = set()
        self.sends, self.tosses = 0, False

    def source(self) -> str:
        start = next(action for action in self.cls.actions if action.message is None)
        self.words.unset = {name for name, variable in self.variables.items() if variable.kind == LABEL}
        begin = self._action(start, "if")
        self.words.unset -= assigned_first(start)
        chains = [self._chain(side) for side in ((LEFT, RIGHT) if self.cls.bidirectional else (LEFT,))]
        dispatch = chains[0]
        if len(chains) == 2:
            dispatch = ["if port < n:", *_indented(chains[0]), "else:", *_indented(chains[1])]
        body = ADVANCE.format(
            start=lines([*begin, *_stop_unset(begin)], 3),
            dispatch=lines(dispatch, 4),
            prologue=self._prologue(),
            load_control=lines([f"{name} = control[{k}]" for k, name in enumerate(CONTROL)], 1),
            save_control=lines([f"control[{k}] = {name}" for k, name in enumerate(CONTROL)], 1),
            load=lines([f"{name} = S[row, {k}]" for k, name in enumerate(self.columns)], 2),
            peaks=self._peaks(),
            unset=lines(_stop_unset(dispatch), 3),
            most_sends=max(1, self.sends),
            most_values=self.most_values,
            STARTED=self.width - 3,
            HALTED=self.width - 2,
            EVER=self.width - 1,
            **{name: globals()[name] for name in NAMED},
        )
        helper = body.index("@njit\ndef note")  # helpers come first
        head = body.index("@njit(cache=True)\ndef advance")
        return HEADER.format(imports="") + body[:head] + body[helper:] + "\n\n" + body[head:helper]

    @property
    def most_values(self) -> int:
        return max((len(message.values) for message in self.messages), default=0)

    def _chain(self, side: str) -> list[str]:
        """The actions on messages from one side: by kind, and within a kind in the order of the list."""
        out: list[str] = []
        for code, message in enumerate(self.messages):
            fitting = [a for a in self.cls.actions if a.message is message and a.side == side]
            if fitting:
                out.append(f"{'elif' if out else 'if'} kind == {code}:")
                inner = [f"value_{k} = pool[at, {VALUES + k}]" for k in range(len(message.values))]
                for place, action in enumerate(fitting):
                    inner += self._action(action, "elif" if place else "if")
                out += _indented(inner)
        return out or ["pass"]

    def _action(self, action: Action, word: str) -> list[str]:
        kinds = list(action.message.kinds) if action.message is not None else []
        LabelCheck(action.body, self.variables, [PROCESS, *kinds, PARAMETERS]).body()
        flat = RingFlattener(action.body, self.words, check_domains=True)
        guard, statement = flat.action(action)
        self.used |= flat.used_params
        text = render(statement, 0).splitlines()
        self.tosses |= any("next_below(coins" in line for line in text)
        self.sends = max(self.sends, sum(line.strip() == "sends += 1" for line in text))
        written = {
            node.id
            for s in statement
            for node in ast.walk(s)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }
        stores = [f"S[row, {k}] = {name}" for k, name in enumerate(self.columns) if name in written]
        number = list(self.cls.actions).index(action)
        return [f"{word} {ast.unparse(guard)}:", *_indented([f"act = {number}", *text, *stores])]

    def _prologue(self) -> str:
        out = [f"p_{name} = constants[{k}]" for k, name in enumerate(self.constant_names) if name in self.used]
        for k, (name, variable) in enumerate(self.variables.items()):
            if variable.kind == NUMBER:
                out += [f"low_{name} = {variable.low}", f"high_{name} = tops[{k}]"]
        return lines(out, 1)

    def _peaks(self) -> str:
        growing = [name for name, v in self.variables.items() if v.kind == NUMBER and v.high is None]
        return lines(
            [f"peaks[row, {k}] = max(peaks[row, {k}], {ME}_{name})" for k, name in enumerate(growing)] or ["pass"], 3
        )


def _indented(texts: list[str]) -> list[str]:
    return [f"    {text}" for text in texts]


def _stop_unset(code: list[str]) -> list[str]:
    """After code that may have read a label without a value."""
    reads = any("defined(" in line for line in code)
    return ["if unset[0] != 0:", f"    status = {NOT_SET}", "    break"] if reads else []


def ring_kernel(algorithm: RingAlgorithm) -> tuple[Any, RingWriter]:
    """The compiled `advance` of this algorithm's class."""
    known = remembered(type(algorithm), "ring kernel")
    if not known:
        writer = RingWriter(algorithm)
        known.keep("advance", (load_kernel(writer.source()).advance, writer))
    found: tuple[Any, RingWriter] = known["advance"]
    return found

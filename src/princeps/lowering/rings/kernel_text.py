"""The text of the compiled kernel of a ring algorithm, and the integers that it shares with the engine.

Each pass of its loop chooses a port by the schedule, delivers the message there, runs the enabled action, watches the
specification and sends. The gaps in braces are filled by rings/codegen.py: the algorithm's actions, and NUMBERS.
"""

from __future__ import annotations

from princeps.lowering import status
from princeps.model.rings import specification

IN_ORDER, NEWEST_FIRST, UNIFORM = range(3)  # the order in which messages are delivered

# Columns of tables. A port: first and last message of its link; whether nothing is taken from it any more.
HEAD, TAIL, DEAD = range(3)
# A message under way: its kind, when it was sent, the next one on its link, and its values from VALUES on.
KIND, SENT, NEXT, VALUES = range(4)
# A message of the outbox, which the current action sends: the port it goes to, its kind, its values.
TO, SENT_KIND, SENT_VALUES = range(3)
# A broken rule of the specification: how often, and where it was first broken; the node of the message at a deadlock.
BROKEN_COUNT, BROKEN_STEP, BROKEN_PROCESS, BROKEN_ACTION, BROKEN_TIME, BROKEN_NODE = range(6)
BROKEN_COLUMNS = 6
# A process: after its variables, counted from the end of the row.
STARTED, HALTED, EVER_LED = -3, -2, -1
STATUS_COLUMNS = 3

# What the kernel remembers between two calls, in this order in `control`.
CONTROL = (
    *("now", "steps", "messages", "under_way", "older", "unstarted", "free_top", "queue_head", "queue_length"),
    *("slow_head", "slow_length", "ready_count", "next_start", "ever_led", "first_leader"),
)

ADVANCE = """
from princeps.lowering.chance import next_below
from princeps.lowering.rings.words import copies_with, defined, tossed

@njit
def note(broken, rule, steps, j, act, now):
    if broken[rule, {BROKEN_COUNT}] == 0:
        broken[rule, {BROKEN_STEP}], broken[rule, {BROKEN_PROCESS}] = steps, j
        broken[rule, {BROKEN_ACTION}], broken[rule, {BROKEN_TIME}] = act, now
    broken[rule, {BROKEN_COUNT}] += 1
    return rule


@njit(cache=True)
def advance(states, labels, first, positions, constants, tops, control, mode, slow_left, slow_right, pool, free, ports,
            queue, slow_queue, ready, ready_index, coins, rng, peaks, outbox, broken, stuck,
            unset, kinds, budget):
    n = labels.size
    mask = queue.size - 1
{prologue}
{load_control}
    status = {CONTINUE}
    done = 0
    while done < budget:
        if free_top < {max_sends}:
            status = {MESSAGES_FULL}
            break
        if mode == {UNIFORM}:
            if ready_count == 0:
                status = {SILENT}
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
            status = {SILENT}
            break
        gate = uint64(port)  # numba does not test an unsigned index for being negative: 1.4x faster in all
        if ports[gate, {DEAD}] != 0:
            continue
        j = port if port < n else port - n
        row = uint64(j)
        right_port = j + 1 if j + 1 < n else 0
        left_port = n + (j - 1 if j > 0 else n - 1)
        me_id = labels[row]
{load}
        was_isLeader, was_done, was_leader = me_isLeader, me_done, me_leader
        act, bad, sends, halts, spare = -1, {CONTINUE}, 0, 0, -1
        if states[row, {STARTED}] == 0:
            unstarted -= 1
            states[row, {STARTED}] = 1
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
            if states[row, {HALTED}] == 0:
                kind = pool[at, {KIND}]
{dispatch}
{unset}
            if act < 0:
                ports[gate, {DEAD}] = 1
                if broken[{DEADLOCK}, {BROKEN_COUNT}] == 0:
                    broken[{DEADLOCK}, {BROKEN_NODE}] = node
                    for field in range(states.shape[1]):  # a slice takes three seconds more to compile
                        stuck[0, field] = states[row, field]
                rule = note(broken, int64({DEADLOCK}), steps, j, -1, now)
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
            if bad != {CONTINUE}:
                status = bad
                break
            done += 1
            steps += 1
            if me_isLeader != was_isLeader or me_done != 0 or was_done != 0 or halts != 0:
                rule = -1
                if was_isLeader > me_isLeader:
                    rule = note(broken, int64({LEADER_LOST}), steps, j, act, now)
                if me_isLeader > was_isLeader and states[row, {EVER_LED}] == 0:
                    states[row, {EVER_LED}] = 1
                    ever_led += 1
                    if ever_led == 1:
                        first_leader = j
                    else:
                        rule = note(broken, int64({SECOND_LEADER}), steps, j, act, now)
                if was_done != 0:
                    if me_done == 0:
                        rule = note(broken, int64({DONE_LOST}), steps, j, act, now)
                    if was_leader != me_leader:
                        rule = note(broken, int64({LABEL_CHANGED}), steps, j, act, now)
                elif me_done != 0 and (first_leader < 0 or me_leader != labels[first_leader]):
                    rule = note(broken, int64({DONE_TOO_EARLY}), steps, j, act, now)
                if halts != 0:
                    states[row, {HALTED}] = 1
                    if me_done == 0:
                        rule = note(broken, int64({HALTED_TOO_EARLY}), steps, j, act, now)
{peaks}
            for s in range(uint64(sends)):
                target = outbox[s, {TO}]
                to = uint64(target)
                node = spare  # of the message received, if no other took it yet
                spare = -1
                if node < 0:
                    free_top -= 1
                    node = free[uint64(free_top)]
                at = uint64(node)
                kind = outbox[s, {SENT_KIND}]
                pool[at, {KIND}] = kind
                pool[at, {SENT}] = now
                pool[at, {NEXT}] = -1
                for v in range(uint64({max_values})):
                    pool[at, {VALUES} + v] = outbox[s, uint64({SENT_VALUES}) + v]
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
                        if ready_index[to] < 0:
                            ready_index[to] = ready_count
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
                if wanted and ready_index[port] < 0:
                    ready_index[port] = ready_count
                    ready[ready_count] = port
                    ready_count += 1
                elif not wanted and ready_index[port] >= 0:
                    ready_count -= 1
                    last = ready[ready_count]
                    ready[ready_index[port]] = last
                    ready_index[last] = ready_index[port]
                    ready_index[port] = -1
                port += n
{save_control}
    return status
"""

# The integers above, the statuses and the rules of the specification, by the names that the text uses; the columns at the end of a
# row are numbered from its beginning there, for each algorithm.
NUMBERS = {
    name: value
    for name, value in {**vars(status), **vars(specification), **globals()}.items()
    if name.isupper() and isinstance(value, int) and name not in ("STARTED", "HALTED", "EVER_LED")
}

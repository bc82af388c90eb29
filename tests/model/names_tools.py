"""Protocol files in which names that mean something to Python, or to us, are names of the user's."""

from __future__ import annotations

import builtins
import keyword
from collections.abc import Sequence

from princeps.engines.session import Session
from princeps.model.fields import Agent, Counts, Field, Params
from princeps.model.parameters import RESERVED
from princeps.model.protocol import PopulationProtocol
from princeps.model.rings.algorithm import Process, RingAlgorithm
from princeps.model.run import Run
from princeps.model.states import Space

OURS = (PopulationProtocol, RingAlgorithm, Agent, Params, Counts, Field, Space, Process, Run, Session, dict, tuple)
GENERATED = "l r l0 r0 v0 x0 u0 dl dr p_ agents constants counts tops pos done status bad position size remainder"
OTHERS = "self cls a b p n i j u c np int64 uint64 njit me word leaders plus times match case _ __builtins_ größe"

# Names that have broken something, or stand for a whole kind of them: for tests that compile.
WORST = (
    *("values", "step", "name", "params", "as_dict", "leads", "ask", "topology", "n", "self", "keys", "items", "count"),
    *("starts", "goals", "interact", "is_leader", "fields_", "min", "range", "int", "agents", "constants", "agent"),
    *("bad", "l0", "v0_x", "_kernels", "größe"),
)


def awkward_names() -> list[str]:
    """Attributes of our classes, builtins, and names that generated code uses."""
    found = {name for cls in OURS for name in dir(cls)} | set(dir(builtins))
    found |= {*WORST, *GENERATED.split(), *OTHERS.split()}
    return sorted(name for name in found if not keyword.iskeyword(name) and not name.startswith("__"))


def usable_parameters(names: Sequence[str]) -> list[bool]:
    return [name not in RESERVED for name in names]


def protocol_file(names: Sequence[str], parameters: Sequence[bool], predicates: Sequence[bool]) -> str:
    """Each name is a field, and where that is allowed a parameter, a local variable, a predicate and a goal.

    Files of equally many names do the same, whatever the names are. The tables are in a class of their own, because a
    field in the same class might be called like one of them.
    """
    own = [(k, name) for k, name in enumerate(names) if name != "leader"]
    lines = ["import princeps.model as model_of_ours", "", "def begin_(q, k, size_, w):", "    q.leader = 1"]
    lines += [f"    q.{name} = (k >> {k % 5}) & 1" for k, name in own]
    for k, name in own:
        lines += [f"def predicate_{k}_(q, w):", f"    return q.{name} == 1{f' and w.{name} > 0' * parameters[k]}"]
    asked = [name for k, name in own if predicates[k] and k % 25 == 0]
    lines += ["def counted_(q, w):", "    return " + " and ".join(["q.leaders == 1", *(f"q.{x} >= 0" for x in asked)])]
    lines += [
        "def closed_(q, size_, w):",
        "    total = 0",
        "    for k in range(size_):",
        "        total += q[k].leader",
    ]
    lines += [f"        total += q[k].{name} * 0" for _, name in own[:5]] + ["    return total == 1"]
    table = ", ".join(f"{name!r}: predicate_{k}_" for k, name in own if predicates[k])
    goals = ", ".join(f"{name!r}: model_of_ours.Counted(counted_)" for _, name in own[:3])
    lines += ["class Tables(model_of_ours.PopulationProtocol):", "    name, leader = 'mine', model_of_ours.Bit()"]
    lines += ["    starts = {'values': begin_, 'initial': begin_}", f"    predicates = {{{table}}}"]
    lines += [
        f"    goals = {{'counted': model_of_ours.Counted(counted_), 'closed': model_of_ours.Closed(closed_), {goals}}}"
    ]
    lines += ["    default_goal = 'counted'", "    def interact(q, s, w):"]
    for k, name in own:
        other = names[(7 * k + 3) % len(names)]
        given = f" + w.{name}" * parameters[k]
        lines += [f"        {name} = s.{other}", f"        q.{name} = ({name} + q.{name}{given}) % 2"]
    lines += ["        if q.leader == 1 and s.leader == 1:", "            s.leader = 0"]
    lines += ["class Constants(Tables):", "    pass"]
    lines += [f"    {name} = model_of_ours.Param(default={k % 7 + 1})" for k, name in own if parameters[k]]
    lines += ["class Mine(Constants):", *(f"    {name} = model_of_ours.Bit()" for _, name in own)]
    return "\n".join(lines) + "\n"

"""princeps: a laboratory for leader election.

>>> import princeps
>>> princeps.run("p_rl", n=100, seed=7).leaders
1

Everything is loaded when it is first used. A protocol's file imports from here, or from `princeps.model`, what it needs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.2.0"

__all__ = [
    "LEFT",
    "RIGHT",
    "Agent",
    "Bit",
    "Blocks",
    "Closed",
    "Config",
    "Counted",
    "Counts",
    "Derived",
    "Field",
    "Flag",
    "GroupSpec",
    "Guarded",
    "Input",
    "Interrupted",
    "Label",
    "LabelVariable",
    "Message",
    "Natural",
    "Never",
    "NobodyLeads",
    "Number",
    "OfInputs",
    "OneOf",
    "Oracle",
    "Param",
    "Params",
    "PopulationProtocol",
    "Process",
    "Range",
    "Reaches",
    "Result",
    "Ring",
    "RingAlgorithm",
    "Scratch",
    "Stays",
    "StaysElected",
    "Uniform",
    "Verdict",
    "Within",
    "Word",
    "WordVariable",
    "ceil_lg",
    "check",
    "coin",
    "default_m",
    "draw",
    "estimate",
    "exact",
    "fit",
    "impossible",
    "library",
    "merge",
    "new",
    "on",
    "outside_class",
    "paper",
    "plot",
    "protocol",
    "repeated_label",
    "replay",
    "results",
    "ring",
    "rings",
    "run",
    "session",
    "slider",
    "start",
    "sweep",
    "trials",
]

if TYPE_CHECKING:
    from princeps.api.check import check
    from princeps.api.exact import exact
    from princeps.api.library import library, protocol
    from princeps.api.new import new
    from princeps.api.paper import paper
    from princeps.api.plot import plot
    from princeps.api.rings import impossible, ring, rings
    from princeps.api.run import estimate, run, trials
    from princeps.api.session import replay, session
    from princeps.api.slider import slider
    from princeps.api.sweep import fit, merge, results, sweep
    from princeps.errors import Interrupted
    from princeps.model import (
        LEFT,
        RIGHT,
        Agent,
        Bit,
        Blocks,
        Closed,
        Config,
        Counted,
        Counts,
        Derived,
        Field,
        Flag,
        GroupSpec,
        Guarded,
        Input,
        Label,
        LabelVariable,
        Message,
        Natural,
        Never,
        NobodyLeads,
        Number,
        OfInputs,
        OneOf,
        Oracle,
        Param,
        Params,
        PopulationProtocol,
        Process,
        Range,
        Reaches,
        Ring,
        RingAlgorithm,
        Scratch,
        Stays,
        StaysElected,
        Uniform,
        Verdict,
        Within,
        Word,
        WordVariable,
        ceil_lg,
        coin,
        default_m,
        draw,
        on,
        outside_class,
        repeated_label,
        start,
    )
    from princeps.model.result import Result

_WHERE = {
    "Interrupted": "princeps.errors",
    "Result": "princeps.model.result",
    "check": "princeps.api.check",
    "estimate": "princeps.api.run",
    "exact": "princeps.api.exact",
    "fit": "princeps.api.sweep",
    "impossible": "princeps.api.rings",
    "library": "princeps.api.library",
    "merge": "princeps.api.sweep",
    "new": "princeps.api.new",
    "paper": "princeps.api.paper",
    "plot": "princeps.api.plot",
    "protocol": "princeps.api.library",
    "replay": "princeps.api.session",
    "results": "princeps.api.sweep",
    "ring": "princeps.api.rings",
    "rings": "princeps.api.rings",
    "run": "princeps.api.run",
    "session": "princeps.api.session",
    "slider": "princeps.api.slider",
    "sweep": "princeps.api.sweep",
    "trials": "princeps.api.run",
}
_WHERE |= {name: "princeps.model" for name in __all__ if name not in _WHERE}  # what a protocol's file needs


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module 'princeps' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_WHERE[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])

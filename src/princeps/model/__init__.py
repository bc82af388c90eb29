"""What things are: protocols, topologies, starts, goals, faults, runs and results. Data, no algorithms."""

from princeps.model.fields import (
    Agent,
    Bit,
    Counts,
    Derived,
    Field,
    Input,
    Natural,
    OfInputs,
    Param,
    Params,
    Range,
    Scratch,
    ceil_lg,
    default_m,
)
from princeps.model.lemmas import Never, Reaches, Stays, StaysElected, Within
from princeps.model.protocol import Blocks, Closed, Config, Counted, PopulationProtocol, Uniform, Verdict

__all__ = [
    "Agent",
    "Bit",
    "Blocks",
    "Closed",
    "Config",
    "Counted",
    "Counts",
    "Derived",
    "Field",
    "Input",
    "Natural",
    "Never",
    "OfInputs",
    "Param",
    "Params",
    "PopulationProtocol",
    "Range",
    "Reaches",
    "Scratch",
    "Stays",
    "StaysElected",
    "Uniform",
    "Verdict",
    "Within",
    "ceil_lg",
    "default_m",
]

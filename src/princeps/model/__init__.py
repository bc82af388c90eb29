"""What things are: protocols, topologies, starts, goals, faults, runs and results. Data, no algorithms.

`from princeps.model import *` gives what the file of a population protocol or of a ring algorithm needs.
"""

from princeps.model.coins import coin, draw
from princeps.model.fields import (
    Agent,
    Bit,
    Counts,
    Derived,
    Field,
    GroupSpec,
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
from princeps.model.lemmas import (
    EveryAgent,
    EveryMeeting,
    Never,
    Reaches,
    Stays,
    StaysElected,
    Symmetric,
    Top,
    Within,
)
from princeps.model.look import Look, Mark
from princeps.model.losses import Largest, Level, Loss, Mean, SoftMin, Spent, Total
from princeps.model.named_states import OneOf
from princeps.model.oracles import NobodyLeads, Oracle
from princeps.model.protocol import Blocks, Closed, Config, Counted, PopulationProtocol, Uniform, Verdict
from princeps.model.rings.algorithm import Process, RingAlgorithm
from princeps.model.rings.declarations import (
    LEFT,
    RIGHT,
    Flag,
    Guarded,
    LabelVariable,
    Message,
    Number,
    WordVariable,
    on,
    start,
)
from princeps.model.rings.ring import Label, Ring, outside_class, repeated_label
from princeps.model.rings.words import Word
from princeps.model.step_facts import Marked, WithGhosts
from princeps.model.tuning import Tuning

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
    "EveryAgent",
    "EveryMeeting",
    "Field",
    "Flag",
    "GroupSpec",
    "Guarded",
    "Input",
    "Label",
    "Largest",
    "Level",
    "Look",
    "Loss",
    "Mark",
    "Marked",
    "LabelVariable",
    "Mean",
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
    "Ring",
    "RingAlgorithm",
    "Scratch",
    "SoftMin",
    "Spent",
    "Stays",
    "StaysElected",
    "Symmetric",
    "Top",
    "Total",
    "Tuning",
    "Uniform",
    "Verdict",
    "WithGhosts",
    "Within",
    "Word",
    "WordVariable",
    "ceil_lg",
    "coin",
    "default_m",
    "draw",
    "on",
    "outside_class",
    "repeated_label",
    "start",
]

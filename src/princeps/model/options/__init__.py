"""What a user may ask, declared once; Python's functions and the verbs of the command line take their options from here."""

from princeps.model.options.declaring import (
    AXIS,
    EVERY_KIND,
    FIXED,
    KIND_NAMES,
    POPULATION,
    RING,
    Count,
    Option,
    check_choice,
    is_given,
    option,
    options_of,
    read_texts,
    refuse_other_kinds,
    split,
    takes_options,
)
from princeps.model.options.exact import ExactOptions
from princeps.model.options.limit import LimitOptions
from princeps.model.options.run import (
    OF_ONE_RUN,
    OF_RUNS_ONLY,
    RunOptions,
    SweepOptions,
    TraceOptions,
    TrialOptions,
    shared_with_exact,
)

__all__ = [
    "AXIS",
    "EVERY_KIND",
    "FIXED",
    "KIND_NAMES",
    "OF_ONE_RUN",
    "OF_RUNS_ONLY",
    "POPULATION",
    "RING",
    "Count",
    "ExactOptions",
    "LimitOptions",
    "Option",
    "RunOptions",
    "SweepOptions",
    "TraceOptions",
    "TrialOptions",
    "check_choice",
    "is_given",
    "option",
    "options_of",
    "read_texts",
    "refuse_other_kinds",
    "shared_with_exact",
    "split",
    "takes_options",
]

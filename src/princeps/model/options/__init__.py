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
    refuse_other_kinds,
    split,
    takes_options,
)
from princeps.model.options.exact import ExactOptions
from princeps.model.options.run import RunOptions, SweepOptions, TraceOptions, TrialOptions

__all__ = [
    "AXIS",
    "EVERY_KIND",
    "FIXED",
    "KIND_NAMES",
    "POPULATION",
    "RING",
    "Count",
    "ExactOptions",
    "Option",
    "RunOptions",
    "SweepOptions",
    "TraceOptions",
    "TrialOptions",
    "check_choice",
    "is_given",
    "option",
    "options_of",
    "refuse_other_kinds",
    "split",
    "takes_options",
]

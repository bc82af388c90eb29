"""Which constants of a protocol `princeps tune` may choose, and what each of them is for. No part of what a protocol is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from princeps.model.values import function_complaint, shown

Values = Callable[[int], Sequence[int]]


@dataclass(frozen=True)
class Tuning:
    """For protocols that lose their leader, `raises`; for those whose agents keep a common time, `synchronises`.

    raises: for each way in which the leader is lost (a name of `losses`), the parameter that makes it rarer.
    tries: other parameters, each with the values that are worth trying among n agents.
    synchronises: the parameter by which a clock runs slower, with goals, and for each a predicate that nobody satisfies
    when it is first met, if the clock keeps everybody together.
    """

    raises: Mapping[str, str] = field(default_factory=dict)
    tries: Mapping[str, Values] = field(default_factory=dict)
    synchronises: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


def tuning_complaint(
    value: object, losses: Sequence[str], parameters: Sequence[str], goals: Sequence[str], predicates: Sequence[str]
) -> str | None:
    """What is wrong with a `tuning`, if anything is."""
    if value is None:
        return None
    if not isinstance(value, Tuning):
        return f"is {shown(value)}: give Tuning(raises={{...}})."
    named = [
        *((loss, losses, "losses") for loss in value.raises),
        *((name, parameters, "parameters") for name in [*value.raises.values(), *value.tries, *value.synchronises]),
        *((goal, goals, "goals") for met in value.synchronises.values() for goal in met),
        *((name, predicates, "predicates") for met in value.synchronises.values() for name in met.values()),
    ]
    for name, known, what in named:
        if name not in known:
            return f"names {name!r}, which is none of its {what} ({', '.join(known) or 'none'})."
    return next((found for of in value.tries.values() if (found := function_complaint(of, "n"))), None)

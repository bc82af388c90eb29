"""The construction of Lemma 1 as rows: on the command line, at a prompt and in a notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from princeps.model.report import Report

if TYPE_CHECKING:
    from princeps.engines.rings.impossibility import Impossibility


def impossibility_report(found: Impossibility) -> Report:
    labels, k = ",".join(map(str, found.labels)), found.params.get("k")
    steps = f"{found.steps:,} synchronous steps, the start included"
    if found.lower_bound is not None:
        steps += f"; an algorithm that is right for k = {k} needs at least 1 + (k-2)n = {found.lower_bound:,}"
    elected = "both in step {0:,}" if found.elected_at[0] == found.elected_at[1] else "in steps {0:,} and {1:,}"
    rows = [
        ("small ring", f"{labels}: process {found.leader} is elected"),
        ("takes", steps),
        (
            "large ring",
            f"{labels} {found.copies} times, then {found.n + 1}: {found.large_n} processes, multiplicity {found.copies}, "
            f"one label unique",
        ),
        (
            "the same",
            f"after step t process j of the large ring is in the state of process j mod {found.n} of the small one for "
            f"all j >= t ({found.same_states:,} states compared)",
        ),
        (
            "two leaders",
            f"processes {found.first} and {found.second} elect themselves, {elected.format(*found.elected_at)}",
        ),
    ]
    for event in (found.first_election, found.second_election):
        state = ", ".join(f"{name} = {value}" for name, value in found.show(event).items())
        rows.append((f"process {event.process}", f"time {event.time}, {event.action} on {event.received}: {state}"))
    rows.append(("watch it", f"{found.command} --trace"))
    return Report(
        f"{found.protocol}{'' if k is None else f', k = {k}'}: two leaders on a ring with a unique label", rows
    )

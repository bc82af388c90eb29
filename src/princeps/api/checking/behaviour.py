"""What a protocol does in short runs of the reference engine: goals, changes, invariants."""

from __future__ import annotations

from princeps.api.checking.cases import SEED, Case, columns
from princeps.api.checking.report import OK, UNUSUAL, WRONG, Finding, Findings, Stages, unseen
from princeps.api.run import run
from princeps.api.session import session
from princeps.errors import PrincepsError
from princeps.model.protocol import PopulationProtocol, Uniform

STEPS = 20_000
WATCHED = 300  # interactions in which the fields are watched


def behaviour(cls: type[PopulationProtocol], tried: list[Case], at: Stages = unseen) -> Findings:
    yield from _runs(cls, tried, at)
    at("fields and invariants")
    yield from _fields(cls, tried)
    if cls.invariants:
        yield from _invariants(tried)


def _runs(cls: type[PopulationProtocol], tried: list[Case], at: Stages) -> Findings:
    """Is the default goal reached, and not from the beginning?"""
    trivial, unreached, failed = [], [], []
    for case in tried:
        at(str(case))
        try:
            result = run(cls, case.n, **case.options, engine="reference", max_steps=STEPS)
        except PrincepsError as error:
            failed.append((case, error))
            continue
        if result.converged and result.steps == 0 and not isinstance(cls.starts[case.start], Uniform):
            trivial.append(case)
        if not result.converged:
            unreached.append((case, result.command))
    for case, mistake in failed[:1]:
        yield Finding("the rule", WRONG, f"with {case}: {mistake}")
    goal = cls.default_goal
    starting = {case.start for case in trivial if case.n > 2}
    for start in sorted(starting):
        yield Finding("goals", UNUSUAL, f"start {start!r} already meets {goal!r}, so that such runs take 0 steps.")
    if unreached:
        case, command = unreached[0]
        more = f" ({len(unreached)} of {len(tried)} runs)" if len(unreached) > 1 else ""
        text = f"{goal!r} is not reached within {STEPS:,} steps with {case}{more}."
        if cls.topology == "any" and all(one.options.get("graph") for one, _ in unreached):
            text += ' If the protocol is for the complete graph alone, declare topology = "complete".'
        yield Finding("goals", UNUSUAL, text, command)
    elif not failed and not starting:
        yield Finding("goals", OK, f"{goal!r} is reached in all {len(tried)} runs, from every start at every size.")


def _fields(cls: type[PopulationProtocol], tried: list[Case]) -> Findings:
    """A field that never changes may be a slip: `a.leder = 0` is refused, but a forgotten line is not."""
    changing: set[str] = set()
    for case in tried:
        try:
            held = session(cls, case.n, **case.options, engine="reference")
            before = columns(held)
            held.step(WATCHED)
        except PrincepsError:  # told above
            continue
        changing |= {name for name, values in columns(held).items() if values != before[name]}
    still = [
        name for name, field in cls.fields_.items() if name not in changing and not (field.is_input or field.is_scratch)
    ]
    if still and len(still) == len(cls.fields_):
        yield Finding("fields", UNUSUAL, f"nothing changes in {WATCHED} interactions from any start.")
    elif still:
        names = ", ".join(still)
        yield Finding("fields", UNUSUAL, f"{names}: never seen to change in {WATCHED} interactions from any start.")
    else:
        yield Finding(
            "fields", OK, f"{', '.join(name for name in cls.fields_ if name in changing)}: each of them changes."
        )


def _invariants(tried: list[Case]) -> Findings:
    for case in tried:
        if case.n > 5:
            continue
        try:
            run(case.cls, case.n, **case.options, check=True, max_steps=STEPS)
        except PrincepsError as error:
            command = f"princeps run {case.run().spec} -n {case.n} --start {case.start} --seed {SEED} --check"
            yield Finding("invariants", WRONG, f"with {case}: {error}", command)
            return
    yield Finding("invariants", OK, f"{', '.join(tried[0].cls.invariants)}: true after every step of the runs tried.")

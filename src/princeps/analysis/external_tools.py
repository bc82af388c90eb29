"""The chain of an analysis for other programs: a file that they read, or their own answer compared with ours."""

from __future__ import annotations

from math import inf

from princeps.analysis.export import Exported, export, format_of
from princeps.analysis.hitting_problem import HittingProblem
from princeps.analysis.options import AnalysisOptions
from princeps.analysis.report import Checked, Exact
from princeps.analysis.storm import expected_steps, stormpy_or_refuse
from princeps.errors import RunError
from princeps.model.files import CHAIN, Output
from princeps.model.run import Run

STORM = "storm"
CHECKERS = (STORM,)
MAX_STORM_EXACT = 20_000  # configurations that Storm solves in exact arithmetic,
MAX_STORM_EXACT_COMPONENT = 250  # and of one component: eliminating more makes long fractions
STORM_PRECISION = 1e-6  # relative: more than the error that Storm's iteration allows itself


def refuse_unknown_checker(name: str) -> None:
    if name not in CHECKERS:
        raise RunError(f"--check {name!r} is not known: give {', '.join(CHECKERS)}.")
    if name == STORM:
        stormpy_or_refuse()


def exported_file(run: Run, options: AnalysisOptions) -> Output:
    """That --export names, if its suffix is known."""
    assert options.export is not None
    format_of(options.export)
    return Output(options.export, CHAIN, options.inputs, run.force)


def export_and_check(result: Exact, problem: HittingProblem, options: AnalysisOptions) -> None:
    space = problem.space
    initial = space.start if space.start is not None else int(problem.worst_states[0])
    words = f"princeps exact {space.run.spec} -n {space.run.n}"
    words += "".join(f" -p {name}={value}" for name, value in space.run.protocol.given.items())
    if not problem.target.any():
        raise RunError(
            f"no configuration is in {result.target}, so that no chain leads there: choose another --target."
        )
    labels = {"target": problem.target, "one_leader": space.leaders == 1}
    words += f" --start {result.start} --target {result.target}"
    noise = None if result.noise is None else result.noise.noise
    item = Exported(space.chain, labels, initial, words + (f" --scheduler noisy:{noise}" if noise else ""), noise)
    if options.export is not None:
        export(item, exported_file(space.run, options))
        result.exported = options.export
    if options.check == STORM:
        result.check = _check_with_storm(item, result, problem)


def _check_with_storm(item: Exported, result: Exact, problem: HittingProblem) -> Checked:
    ours = float(problem.times.values[item.initial])
    if ours == inf:
        raise RunError(f"the expected steps to {result.target} are infinite: there is nothing to compare with Storm.")
    small = item.chain.size <= MAX_STORM_EXACT and problem.components.largest <= MAX_STORM_EXACT_COMPONENT
    found = expected_steps(item, small)
    low, high = problem.times.interval(ours)
    exact = result.mean_exact if problem.space.start is not None else result.worst_exact
    slack = 0.0 if small else STORM_PRECISION * ours
    agrees = found == exact if small and exact is not None else bool(low - slack <= found <= high + slack)
    return Checked(STORM, small, float(found), ours, agrees, str(found) if small else None)

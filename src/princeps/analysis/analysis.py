"""The exact analysis of one population: which configurations are meant, what is refused, and in which order it works."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from princeps.analysis.additional_results import add_results, worst_starts
from princeps.analysis.adversaries import noise_of, refuse_noisy
from princeps.analysis.exploration import explore_all, explore_from_start
from princeps.analysis.external_tools import exported_file, refuse_unknown_checker
from princeps.analysis.hitting_problem import HittingProblem
from princeps.analysis.lemmas import check_lemmas, refuse_if_none_stated
from princeps.analysis.noisy import NoisyProblem
from princeps.analysis.options import AnalysisOptions
from princeps.analysis.probability_report import ExactProbability, probability_of, refuse_other_questions
from princeps.analysis.questions import read_question
from princeps.analysis.report import Exact
from princeps.analysis.set_reports import report_set
from princeps.analysis.state_space import StateSpace
from princeps.analysis.symmetry import Permutation, read_permutations
from princeps.analysis.targets import SAFE, Target, find_target
from princeps.analysis.torn import read_torn, torn_report
from princeps.errors import RunError, TooLarge, UnknownName
from princeps.model import registry
from princeps.model.announcing import compiles
from princeps.model.files import SCRIPT, Output
from princeps.model.given_starts import given_start, state_names
from princeps.model.goals import LISTING_STARTS
from princeps.model.limits import CONFIGURATIONS, read_limit
from princeps.model.protocol import PopulationProtocol, Uniform
from princeps.model.reading import ARBITRARY_STARTS, make_run
from princeps.model.run import Run
from princeps.model.script import checked_path

ALL = "all"
STATED_SAFE = "safe as the protocol's file states it"
MAX_AGENTS = 65_000
COMPILING = 6  # seconds of a processor, the first time
RECOVERING = ("self-stabilizing", "loosely-stabilizing")
UNUSED_START = "states:"  # the start of a run of which all configurations are meant: its states are never used


def prepare(
    name: str | type[PopulationProtocol],
    n: int | str | float | None,
    *,
    start: str | None = None,
    graph: str | None = None,
    ids: str | Sequence[int] | None = None,
    force: bool = False,
    params: Mapping[str, Any] | None = None,
) -> tuple[Run, str]:
    """The population, and which configurations are meant: `all`, or the name of a start."""
    cls = registry.find(name) if isinstance(name, str) else name
    compiles(f"{cls.name} for an exact analysis", COMPILING)
    known = [*cls.starts, *ARBITRARY_STARTS, ALL]
    if start is not None and start not in known and not start.startswith(LISTING_STARTS):
        if given_start(cls, start) is None:
            raise UnknownName("start", start, {*cls.starts, *state_names(cls), ALL, "file:PATH"})
    everywhere = start == ALL or (start is None and not cls.starts and cls.guarantee in RECOVERING)
    begin = UNUSED_START if everywhere else start
    run = make_run(name, n, start=begin, graph=graph, ids=ids, force=force, params=params)
    if run.n > MAX_AGENTS:
        raise TooLarge(f"n = {run.n} is too large to be explored: at most {MAX_AGENTS:,} agents. Lower -n.")
    is_uniform = isinstance(cls.starts.get(run.start), Uniform)
    if ALL in cls.starts and not isinstance(cls.starts[ALL], Uniform) and ALL in (start, run.start):
        raise RunError(
            f"a start of {cls.name} is called 'all', which means every configuration here: rename it in the file."
        )
    return run, ALL if everywhere or is_uniform or (start is None and run.protocol.recovers) else run.start


def analyse(run: Run, start: str, target_name: str | None, options: AnalysisOptions) -> tuple[Exact, HittingProblem]:
    """Everything that the options ask for; also the problem, for further questions."""
    began = time.perf_counter()
    target = find_target(run.protocol, target_name)
    _refuse(run, start, options)
    permutations = tuple(read_permutations(options.automorphisms, run.n)) if options.automorphisms else ()
    sets, lemma_results = _sets(run, target, options), None
    if options.lemmas:
        space, lemma_results = check_lemmas(run, sets, options.reduce, permutations, options.progress)
    else:
        space = _explore(run, start, sets, permutations, options)
    if options.stated and STATED_SAFE in space.sets and (space.sets[STATED_SAFE] != space.safe).any():
        raise RunError(
            f"the goal 'safe' that {run.protocol.name}'s file states is not the largest safe set, so that simulation "
            f"would stop elsewhere: see --sets, or choose another --target."
        )
    noise = noise_of(options)
    problem = HittingProblem(space, target.name) if noise is None else NoisyProblem(space, target.name, noise)
    result = _summary(run, start, problem)
    if isinstance(problem, NoisyProblem):
        result.scheduler, result.noise = options.scheduler, problem.about_noise()
    result.lemmas = lemma_results
    add_results(result, problem, options)
    if options.torn is not None:
        result.torn = torn_report(run, problem, target, permutations, options)
    result.seconds = time.perf_counter() - began
    return result, problem


def answer(run: Run, start: str, options: AnalysisOptions) -> ExactProbability:
    """The probability that --probability asks for."""
    began = time.perf_counter()
    assert options.probability is not None
    refuse_other_questions(options)
    question = read_question(run.protocol, options.probability)
    _refuse(run, start, options)
    permutations = tuple(read_permutations(options.automorphisms, run.n)) if options.automorphisms else ()
    ends = [(one.target, not one.negated) for one in question.ends]
    space = _explore(run, start, question.targets, permutations, options, ends)
    found = probability_of(question, space, start, options.rational)
    return replace(found, seconds=time.perf_counter() - began)


def _refuse(run: Run, start: str, options: AnalysisOptions) -> None:
    """Options that contradict one another, before anything is computed."""
    if noise_of(options) is not None:
        refuse_noisy(run, options)
    if options.lemmas:
        refuse_if_none_stated(run)
        if start != ALL:
            raise RunError(f"--lemmas speaks of all configurations, not of start {start!r}: give --start all.")
    for given, word in ((options.sets, "--sets"), (options.hold, "--hold")):
        if given and start != ALL and not options.past_target:
            raise RunError(
                f"{word} asks what follows the target, where nothing is explored from start {start!r} alone: add "
                f"--past-target, or give --start all."
            )
    if options.automorphisms is not None:
        if not options.reduce:
            raise RunError(
                f"--automorphisms {options.automorphisms!r} merge what --no-reduce keeps apart: give one of them."
            )
        read_permutations(options.automorphisms, run.n)
    if options.check is not None:
        refuse_unknown_checker(options.check)
    if options.export is not None:
        exported_file(run, options).check()
    read_torn(options)
    if options.save_script is not None:
        Output(checked_path(options.save_script), SCRIPT, options.inputs, run.force).check()


def _sets(run: Run, target: Target, options: AnalysisOptions) -> list[Target]:
    """The target, and all other sets whose members are needed."""
    sets = [target]
    if options.sets:
        others = [name for name in type(run.protocol).all_goals() if name not in (target.name, SAFE)]
        sets += [find_target(run.protocol, name) for name in others]
    stated = type(run.protocol).goals.get(SAFE)
    if stated is not None and (options.sets or (options.stated and target.name == SAFE)):
        sets.append(Target(STATED_SAFE, stated))
    return sets


def _explore(
    run: Run,
    start: str,
    sets: list[Target],
    permutations: tuple[Permutation, ...],
    options: AnalysisOptions,
    ends: Sequence[tuple[Target, bool]] = (),
) -> StateSpace:
    limit = None if options.limit is None else read_limit(options.limit, CONFIGURATIONS)
    if start == ALL:
        return explore_all(run, sets, options.reduce, permutations, options.progress, limit)
    past, most = options.past_target, limit or CONFIGURATIONS
    return explore_from_start(run, sets, options.reduce, permutations, past, options.progress, most, ends)


def _summary(run: Run, start: str, problem: HittingProblem) -> Exact:
    space, configurations = problem.space, problem.space.configurations
    reachable = problem.is_reached
    target_set = report_set(space, problem.name) if space.complete else None
    return Exact(
        protocol=run.protocol.name,
        params=run.protocol.params,
        n=run.n,
        graph=run.topology.text,
        start=start,
        target=problem.name,
        configurations=space.original_size,
        reduced=space.size,
        agent_states=configurations.agent_states.size,
        merged_states=configurations.classes.count,
        target_size=space.original_count(problem.target),
        reachable=reachable,
        worst=problem.worst,
        worst_interval=problem.times.interval(problem.worst),
        worst_count=int(space.multiplicity[problem.worst_states].sum()),
        worst_starts=worst_starts(space, problem.worst_states),
        mean=problem.mean,
        mean_interval=problem.mean_interval,
        fields=run.protocol.space.names,
        target_closed=None if target_set is None else target_set.closed,
        target_safe=None if target_set is None else target_set.safe,
        largest_safe=space.original_count(space.safe) if space.complete else None,
        trap=None if reachable else problem.trap(),
    )

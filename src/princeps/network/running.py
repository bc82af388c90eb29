"""One network run from its beginning to its result, over processes or in virtual time."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from math import inf
from typing import NamedTuple

from princeps.errors import RunError
from princeps.model.run import Run
from princeps.model.starts import starting_states
from princeps.network.chaos import Kill, Pause, StrikeTimes
from princeps.network.forking import uninterrupted
from princeps.network.launcher import Launcher, Launching
from princeps.network.membership import refuse_oracle
from princeps.network.memory import Conditions
from princeps.network.observer import Observer
from princeps.network.onlooking import Onlooker, attend_memory, attend_processes, listen
from princeps.network.planning import INITIAL, MEMORY, NONE, TCP, Plan
from princeps.network.report import NetResult
from princeps.network.virtual import VirtualRun

NAP = 0.005  # seconds between two looks at the logs: lines are read in batches, which costs less
PORTION = 1.0  # seconds of virtual time between two looks
LONGEST_SETTLING = 10.0  # seconds for what was begun to be finished, where others use the processors

Show = Callable[[Observer, float], object]


class End(NamedTuple):
    """Of a run."""

    observer: Observer
    seconds: float
    interrupted: bool
    not_done: list[str]  # of the plan of faults


def run_network(
    run: Run, plan: Plan, show: Show | None = None, command: str = "", onlooker: Onlooker | None = None
) -> NetResult:
    """`show` is called again and again; if it says True, the run ends."""
    refuse_unfit(run, plan)
    carry_out = _in_memory if plan.transport == MEMORY else _over_sockets
    end = carry_out(run, plan, show, onlooker)
    return _result(run, plan, end, command)


def refuse_unfit(run: Run, plan: Plan) -> None:
    """What cannot be carried out so."""
    if not plan.conducted:
        refuse_oracle(run)
        if not run.scheduler.draws_uniform_arcs:
            raise RunError("in free mode the clocks say who meets: leave the scheduler out, or use --mode conducted.")
    elif plan.chaos.kills:
        raise RunError("a conducted run is that of the seed, and a kill is not: use --mode free.")


# -- processes -------------------------------------------------------------------------------------------------------


def _over_sockets(run: Run, plan: Plan, show: Show | None, onlooker: Onlooker | None) -> End:
    observer, interrupted = Observer(run, plan.conducted, plan.restart == NONE), False
    listen(onlooker, observer)
    kills = StrikeTimes(plan.chaos.kills, run.stream("network:chaos"))
    pauses = StrikeTimes(plan.chaos.pauses, run.stream("network:pauses"))
    how = Launching(
        conducted=plan.conducted,
        rate=plan.arc_rate(run),
        timing=plan.timing,
        per_process=plan.per_process,
        loss=plan.chaos.loss,
        duplicates=plan.chaos.duplicates,
        garbage=plan.chaos.garbage,
        over_tcp=plan.transport == TCP,
        to_goal=plan.duration is None,
        limit=_limit(run),
    )
    with Launcher(run, how) as launcher:
        try:
            while not _is_over(plan, observer, launcher.seconds) and not launcher.conductor_ended:
                if _nobody_meets(plan, launcher.running):
                    break
                with uninterrupted():  # a line that was read is also judged
                    _hear(launcher, observer, plan)
                    _strike(launcher, observer, kills, pauses)
                    launcher.cut(_cut_off(plan, run.n, launcher.seconds))
                    attend_processes(onlooker, launcher)
                    if show is not None and show(observer, launcher.seconds) is True:
                        break
                time.sleep(NAP)
        except KeyboardInterrupt:
            interrupted = True
        seconds = launcher.seconds
        launcher.cut({})
        _settle(launcher, observer)
    observer.finish(seconds)
    return End(observer, seconds, interrupted, [*kills.not_done, *pauses.not_done, *plan.chaos.cuts_after(seconds)])


def _limit(run: Run) -> float:
    return inf if run.max_steps is None else run.max_steps


def _is_over(plan: Plan, observer: Observer, seconds: float) -> bool:
    if observer.replay.interactions >= _limit(observer.run) and not plan.conducted:
        return True
    if plan.duration is not None:
        return seconds >= plan.duration
    return observer.replay.first_hit is not None and not plan.conducted


def _nobody_meets(plan: Plan, running: Sequence[int]) -> bool:
    """The goal will not be reached any more: all are dead, or all but one."""
    return plan.duration is None and plan.restart == NONE and len(running) < 2


def _hear(launcher: Launcher, observer: Observer, plan: Plan) -> None:
    died = []
    for line in launcher.read(0.1):
        observer.read(line, launcher.seconds)
        if line[0] == "dead":
            died.append(line[1])
    if launcher.failure:
        raise RunError(f"a process of the run failed: {launcher.failure}")
    if died and plan.restart != NONE:
        initial = starting_states(launcher.run) if plan.restart == INITIAL else None
        launcher.restart(died, None if initial is None else [initial[agent] for agent in died])


def _strike(launcher: Launcher, observer: Observer, kills: StrikeTimes[Kill], pauses: StrikeTimes[Pause]) -> None:
    now = launcher.seconds
    launcher.resume(now)
    if kills.next <= now:
        for agent in kills.victims(now, launcher.running, observer.replay.leading):
            launcher.kill(agent)
    if pauses.next <= now:
        for pause, agent in pauses.due(now, launcher.running, observer.replay.leading):
            launcher.pause(agent, pause.seconds)


def _cut_off(plan: Plan, n: int, seconds: float) -> dict[int, list[int]]:
    cuts = plan.chaos.cuts_at(seconds)
    found = {i: [j for j in range(n) if any(cut.separates(i, j) for cut in cuts)] for i in range(n) if cuts}
    return {agent: others for agent, others in found.items() if others}


def _settle(launcher: Launcher, observer: Observer) -> None:
    """Nobody begins anything more; what was begun is finished, and every log is read to its end."""
    launcher.stop()
    end, quiet = launcher.seconds + LONGEST_SETTLING, 0
    while launcher.seconds < end and quiet < 3:
        lines = list(launcher.read(0.02))
        for line in lines:
            observer.read(line, launcher.seconds)
        quiet = 0 if lines or observer.unsettled else quiet + 1
    launcher.end()
    while launcher.processes and launcher.seconds < end + LONGEST_SETTLING:
        for line in launcher.read(0.1):
            observer.read(line, launcher.seconds)


# -- virtual time ----------------------------------------------------------------------------------------------------


def _in_memory(run: Run, plan: Plan, show: Show | None, onlooker: Onlooker | None) -> End:
    if plan.duration is None and not plan.conducted and plan.rate <= 0:
        raise RunError("with rate 0 nobody meets anybody: give a larger one.")
    network = VirtualRun(
        run,
        conducted=plan.conducted,
        rate=plan.arc_rate(run),
        conditions=Conditions(plan.chaos.loss, plan.chaos.duplicates),
        timing=plan.timing,
        to_goal=plan.duration is None,
        limit=_limit(run),
        garbage=plan.chaos.garbage,
        stay_dead=plan.restart == NONE,
    )
    kills = StrikeTimes(plan.chaos.kills, run.stream("network:chaos"))
    pauses = StrikeTimes(plan.chaos.pauses, run.stream("network:pauses"))
    observer, interrupted = network.observer, False
    listen(onlooker, observer)
    portion = PORTION if onlooker is None else onlooker.portion
    end = inf if plan.duration is None else plan.duration
    try:
        while True:
            changes = plan.chaos.next_change(network.network.now)
            moment = min(end, kills.next, pauses.next, changes, network.network.now + portion)
            cuts = plan.chaos.cuts_at(network.network.now)
            network.network.cut = (lambda i, j, cuts=cuts: any(cut.separates(i, j) for cut in cuts)) if cuts else None
            with uninterrupted() if onlooker is not None else nullcontext():  # whoever looks on misses nothing
                network.run_until(moment, _limit(run), goal=plan.duration is None)
            now = network.network.now
            if _is_over(plan, observer, now) or (network.conductor is not None and network.conductor.ended):
                break
            if _nobody_meets(plan, network.running):
                break
            for agent in kills.victims(now, network.running, observer.replay.leading):
                network.kill(agent)
                if plan.restart != NONE:
                    network.restart(agent, starting_states(run)[agent] if plan.restart == INITIAL else None)
            for pause, agent in pauses.due(now, network.running, observer.replay.leading):
                network.pause(agent, pause.seconds)
            attend_memory(onlooker, network, _cut_off(plan, run.n, now), plan.restart)
            if show is not None and show(observer, now) is True:
                break
    except KeyboardInterrupt:
        interrupted = True
    seconds = network.network.now
    network.network.cut = None
    network.finish()
    return End(observer, seconds, interrupted, [*kills.not_done, *pauses.not_done, *plan.chaos.cuts_after(seconds)])


def _result(run: Run, plan: Plan, end: End, command: str) -> NetResult:
    observer, seconds, interrupted, not_done = end
    replay = observer.replay
    to_goal = plan.duration is None and replay.first_hit is not None
    fair = observer.fairness
    tells = fair.p_value is not None and not plan.conducted
    taken = observer.seconds_to_goal if to_goal and observer.seconds_to_goal is not None else seconds
    return NetResult(
        protocol=run.protocol.name,
        params=dict(run.protocol.given),
        n=run.n,
        graph=run.topology.text,
        start=run.start,
        until=run.until,
        seed=run.seed,
        trial=run.trial,
        mode=plan.mode,
        transport=plan.transport,
        converged=to_goal or replay.holds,
        leaders=replay.leaders,
        leader=replay.leader,
        interactions=replay.first_hit if to_goal and replay.first_hit is not None else replay.interactions,
        all_interactions=replay.interactions,
        steps=replay.first_hit,
        seconds=taken,
        recoveries=[one.as_json() for one in observer.recoveries],
        counters=observer.counters.as_json(),
        replay=replay.verdict,
        pairs_p_value=fair.p_value if tells else None,
        fairness="from the seed" if plan.conducted else fair.sentence(),
        rate=replay.interactions / seconds if seconds else 0.0,
        slowest=fair.slowest if tells else None,
        slowest_share=fair.slowest_share if tells else None,
        history=observer.history,
        not_done=not_done,
        interrupted=interrupted,
        command=command,
        tape=observer.tape,
    )

"""Collects the missing evidence, over all processors, and stores each part as soon as it is there."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Protocol

from princeps.campaign import evidence
from princeps.campaign.point import Point
from princeps.campaign.store import Store
from princeps.campaign.sweep import Sweep, Workers
from princeps.campaign.tasks import FunctionTrials
from princeps.campaign.worker_pool import Answer, WorkerPool
from princeps.errors import PrincepsError
from princeps.papers.pending import MeasuringTask, MissingEvidence

EvidenceObserver = Callable[[int, int, str], None]  # how many are done, of how many, and what


class Pool(Workers, Protocol):
    """Stays together from one sweep to the next, until its end."""

    def end(self) -> list[Answer]: ...


class LastingWorkerPool(WorkerPool):
    """A pool that stays together from one sweep to the next: a worker takes a second to start."""

    def stop(self) -> list[Answer]:
        return []

    def end(self) -> list[Answer]:
        return super().stop()


def collect(
    missing: MissingEvidence,
    store: Store,
    seed: int,
    jobs: int,
    watch: EvidenceObserver = lambda done, total, what: None,
    make_pool: Callable[[int], Pool] = LastingWorkerPool,
) -> None:
    """Everything that is missing. If it ends early, for whatever reason, all answers so far are stored."""
    pool = make_pool(jobs)
    total = sum(task.parts for task in missing.tasks.values()) + sum(trials for _, trials in missing.sweeps.values())
    progress = EvidenceProgress(total, watch)
    try:
        _run_tasks(missing, store, pool, progress)
        by_trials: dict[int, list[Point]] = {}
        for point, trials in missing.sweeps.values():
            by_trials.setdefault(trials, []).append(point)
        for trials, points in sorted(by_trials.items()):  # of one point, more trials only add to fewer
            _run_sweep(missing, store, seed, points, trials, pool, progress)
    finally:
        for answer in pool.end():  # after Ctrl-C: answers that have arrived and are not stored yet
            if isinstance(answer.key, MeasuringTask):
                _save(missing, store, answer)
        missing.clear()  # a check that asks again notes what is still missing


class EvidenceProgress:
    """Counts the trials and parts that are done, and calls the observer."""

    def __init__(self, total: int, watch: EvidenceObserver) -> None:
        self.total, self.watch = total, watch
        self.before = 0

    def at(self, done: int, what: str) -> None:
        self.watch(self.before + done, self.total, what)

    def add(self, done: int) -> None:
        self.before += done


def _run_tasks(missing: MissingEvidence, store: Store, pool: Pool, progress: EvidenceProgress) -> None:
    todo: deque[tuple[MeasuringTask, int]] = deque()
    for task in missing.tasks.values():
        there = evidence.saved_parts(store, task.id, task.parts)
        progress.add(len(there))
        todo.extend((task, part) for part in range(task.parts) if part not in there)
    while todo or pool.busy:
        while todo and pool.has_room():
            task, part = todo.popleft()
            if task.id not in missing.failures:
                pool.assign(task, FunctionTrials(task.name, task.place, task.arguments), [part])
        for answer in pool.answers(timeout=0.2):
            _save(missing, store, answer)
            progress.add(1)
            progress.at(0, answer.key.name)


def _save(missing: MissingEvidence, store: Store, answer: Answer) -> None:
    task: MeasuringTask = answer.key
    if isinstance(answer.outcome, PrincepsError):
        missing.failures[task.id] = str(answer.outcome)
        return
    evidence.save_part(store, task.id, answer.trial, task.place, task.arguments, answer.outcome, answer.seconds)


def _run_sweep(
    missing: MissingEvidence,
    store: Store,
    seed: int,
    points: list[Point],
    trials: int,
    pool: Pool,
    progress: EvidenceProgress,
) -> None:
    def watch(sweep: Sweep) -> None:
        label = sweep.active[0].point.label if sweep.active else ""
        progress.at(sweep.trials_run, label)

    found = Sweep(points, store, trials=trials, seed=seed, watch=watch)
    found.run(pool)
    progress.add(len(points) * trials)
    for failure in found.failures:
        missing.failures[failure.point.id] = failure.sentence

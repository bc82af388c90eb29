"""Runs what is missing, over all processors, and writes it down as it comes."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from princeps.campaign import evidence
from princeps.campaign.crew import Answer, Crew
from princeps.campaign.point import Point
from princeps.campaign.store import Store
from princeps.campaign.sweep import Sweep
from princeps.campaign.tasks import FunctionTrials
from princeps.errors import PrincepsError
from princeps.papers.laboratory import Missing, Task

Watcher = Callable[[int, int, str], None]  # how many of how many, and what


class LastingCrew(Crew):
    """A crew that stays together from one sweep to the next: a worker takes a second to start."""

    def dismiss(self) -> list[Answer]:
        return []

    def end(self) -> list[Answer]:
        return super().dismiss()


def gather(
    missing: Missing, store: Store, seed: int, jobs: int, watch: Watcher = lambda done, total, what: None
) -> None:
    """Everything that is missing. Whatever ends it early, what had come back is in the store."""
    crew = LastingCrew(jobs)
    total = sum(task.parts for task in missing.tasks.values()) + sum(trials for _, trials in missing.sweeps.values())
    progress = Progress(total, watch)
    try:
        _run_tasks(missing, store, crew, progress)
        by_trials: dict[int, list[Point]] = {}
        for point, trials in missing.sweeps.values():
            by_trials.setdefault(trials, []).append(point)
        for trials, points in sorted(by_trials.items()):  # of one point, more trials only add to fewer
            _run_sweep(missing, store, seed, points, trials, crew, progress)
    finally:
        for answer in crew.end():  # after Ctrl-C: what had come back and was not looked at yet
            if isinstance(answer.key, Task):
                _write_down(missing, store, answer)
        missing.clear()  # who looks again finds out what is still missing


class Progress:
    def __init__(self, total: int, watch: Watcher) -> None:
        self.total, self.watch = total, watch
        self.before = 0

    def at(self, done: int, what: str) -> None:
        self.watch(self.before + done, self.total, what)

    def add(self, done: int) -> None:
        self.before += done


def _run_tasks(missing: Missing, store: Store, crew: Crew, progress: Progress) -> None:
    todo: deque[tuple[Task, int]] = deque()
    for task in missing.tasks.values():
        there = evidence.kept(store, task.id, task.parts)
        progress.add(len(there))
        todo.extend((task, part) for part in range(task.parts) if part not in there)
    while todo or crew.busy:
        while todo and crew.room():
            task, part = todo.popleft()
            if task.id not in missing.failures:
                crew.assign(task, FunctionTrials(task.name, task.place, task.arguments), [part])
        for answer in crew.answers(patience=0.2):
            _write_down(missing, store, answer)
            progress.add(1)
            progress.at(0, answer.key.name)


def _write_down(missing: Missing, store: Store, answer: Answer) -> None:
    task: Task = answer.key
    if isinstance(answer.outcome, PrincepsError):
        missing.failures[task.id] = str(answer.outcome)
        return
    evidence.keep(store, task.id, answer.trial, task.place, task.arguments, answer.outcome, answer.seconds)


def _run_sweep(
    missing: Missing, store: Store, seed: int, points: list[Point], trials: int, crew: Crew, progress: Progress
) -> None:
    def watch(sweep: Sweep) -> None:
        label = sweep.active[0].point.label if sweep.active else ""
        progress.at(sweep.trials_run, label)

    found = Sweep(points, store, trials=trials, seed=seed, watch=watch)
    found.run(crew)
    progress.add(len(points) * trials)
    for trouble in found.troubles:
        missing.failures[trouble.point.id] = trouble.sentence

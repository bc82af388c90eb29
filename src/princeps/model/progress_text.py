"""How far something is, in words: for the displays of the command line and of Python."""

from __future__ import annotations

from typing import Any

from princeps.model.formatting import counted


def quantity(value: float) -> str:
    return f"{value:,.0f}" if value < 1e7 else f"{value:.3g}"


def run_text(item: Any, seconds: float) -> str:
    """What an observer of a run is shown."""
    done = ", ".join(_measured(what, quantity(value)) for what, value in item.measures())
    return f"{done}, {quantity(item.steps / max(seconds, 1e-9))} {item.unit}/s"


def _measured(what: str, value: str) -> str:
    """`1 leader`, `parallel time 1`."""
    return what.removesuffix("s").format(value) if value == "1" else what.format(value)


def phase_text(phase: str, done: int, total: int) -> str:
    share = f": {done:,} of {total:,}" if total else f": {done:,}" if done else ""
    return f"{phase}{share}"


def sweep_text(sweep: Any) -> str:
    """The points that are done, and the first of those at work."""
    text = f"{sweep.points_done:,} of {counted(len(sweep.points), 'points')}, {counted(sweep.trials_run, 'trials')} run"
    if not sweep.active:
        return text
    return "; ".join([text, ", ".join(filter(None, progress_row(sweep.active[0], sweep.workers)))])


def progress_row(queue: Any, workers: int) -> tuple[str, str, str, str]:
    """The point, its trials, its mean so far, and how long it will take."""
    tally = queue.tally
    done = f"{tally.trials:,} of {queue.wanted:,}"
    if queue.precision is not None and queue.wanted < queue.max_trials:
        done += f" (at most {queue.max_trials:,})"
    left = max(0, queue.wanted - tally.trials)
    eta = (
        ""
        if not left or queue.batch_sizes.mean is None
        else f"{duration(left * queue.batch_sizes.mean / workers)} left"
    )
    return queue.point.label, done, mean_in_words(tally, queue.point.measure), eta


def mean_in_words(tally: Any, measure: str) -> str:
    from princeps.model.formatting import half_width, table_number

    unit = measure.replace("_", " ")
    if tally.mean is None:
        return ""
    if tally.never:
        return f"{counted(tally.never, 'trials')} never {'ends' if tally.never == 1 else 'end'}"
    if tally.censored:
        unit = unit.removesuffix("s") if tally.mean == 1 else unit
        return f"at least {table_number(tally.mean)} {unit} ({tally.censored:,} cut off)"
    half = "" if tally.interval is None else f" +- {half_width(tally.interval)}"
    return f"{table_number(tally.mean)}{half} {unit}"


def duration(seconds: float) -> str:
    whole = round(seconds)
    if whole < 100:
        return f"{whole} s"
    if whole < 100 * 60:
        return f"{whole // 60} min {whole % 60} s" if whole < 600 else f"{round(whole / 60)} min"
    return f"{whole / 3600:.1f} h"


def elapsed_text(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds < 10 else duration(seconds)

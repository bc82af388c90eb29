"""princeps run --dry-run: memory and time before a long run."""

from __future__ import annotations

from typing import Any

from princeps.cli.frame import emit


def show_estimate(guess: Any, as_json: bool) -> int:
    from princeps.cli.tables import pairs_table
    from princeps.model.numbers import bytes_in_words, duration_in_words

    if as_json:
        emit(guess.as_json())
        return 0
    steps = "nobody knows; give --max-steps" if guess.steps is None else f"about {guess.steps:.3g}"
    measured = f"{guess.slice_steps:,} steps of {guess.slice_agents:,} agents"
    each = f"{guess.bytes_per_agent} bytes an agent" if guess.bytes_per_agent else "whatever n"
    skips = ": null interactions are skipped, more and more of them" if guess.skips_null_interactions else ""
    rows = [
        ("engine", f"{guess.engine}, {guess.why}" if guess.why != "asked for" else guess.engine),
        ("memory", f"about {bytes_in_words(guess.memory)} ({each})"),
        ("speed", f"about {guess.steps_per_second:.3g} steps a second, measured on {measured}"),
        ("steps", steps + (f" a trial, {guess.trials} trials" if guess.trials > 1 else "")),
        ("time", f"unknown{skips}" if guess.seconds is None else f"about {duration_in_words(guess.seconds)}"),
    ]
    pairs_table(rows, f"{guess.protocol}, n = {guess.n:,}: an estimate, nothing was run")
    return 0

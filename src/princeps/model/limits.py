"""How much is done before somebody is asked: beyond it the cost is said, and how to go on.

Memory is limited by what is free. Work that nobody can wait for is limited by a number, which --limit raises (of a run
on a ring, --max-steps). Every refusal says what it would cost, what the limit is, and what to do instead.
"""

from __future__ import annotations

from princeps.errors import ParameterError, TooLarge
from princeps.model import machine
from princeps.model.numbers import Count, bytes_in_words, duration_in_words, in_words, read_count

LAST_BYTES = 2**28  # that are left to the system

# The default limits, with what reaching them takes on one core of 2020.
CONFIGURATIONS = 100_000_000  # that can be reached from a start: minutes to hours, and mostly more memory than there is
RING_CONFIGURATIONS = 2_000_000  # of all interleavings, in plain Python: two minutes and 3 GiB
MESSAGES = 10**12  # of one run on a ring: six hours
SURVEYED_MESSAGES = 2 * 10**10  # of all runs of a survey: ten minutes to an hour
SURVEYED_PROCESSES = 16  # of a ring of which every labeling is run
ACTIONS = 100_000  # of the construction of Lemma 1, in plain Python: two seconds
TRIALS = 10_000_000  # of one run, all of whose results are summarised together
SCRIPT_SECONDS = 7 * 86400  # of a script that is replayed
SAMPLES = 5_000_000  # of a record: half a GiB or more

# What is held in memory, in bytes.
WORKER_BYTES = 120 * 2**20  # a worker process
RESULT_BYTES = 1500  # of one trial, its command included
FAULT_BYTES = 700  # an agent that a fault puts into another state, until all are drawn
LIST_BYTES = 40  # a number in a list of Python's


def read_limit(given: Count | None, default: int) -> int:
    """What --limit says."""
    limit = default if given is None else read_count(given, "limit")
    if limit < 1:
        raise ParameterError(f"limit = {limit} is too small: give at least 1.")
    return limit


def read_jobs(given: Count) -> int:
    """How many worker processes; no more than fit into memory."""
    jobs = read_count(given, "jobs")
    if jobs < 1:
        raise ParameterError(f"jobs = {jobs} is too small: give at least 1.")
    processors = machine.processors()
    if jobs > processors:
        refuse_beyond_memory(
            jobs * WORKER_BYTES,
            f"jobs = {in_words(jobs)} worker processes",
            f"give --jobs {processors}, one for each processor.",
        )
    return jobs


def read_trials(given: Count) -> int:
    """How many trials whose results are summarised together."""
    trials = read_count(given, "trials")
    if trials < 1:
        raise ParameterError(f"trials = {trials} is too small: give at least 1.")
    what = f"trials = {in_words(trials)}, all of whose results are kept,"
    if trials > TRIALS:
        raise TooLarge(
            f"{what} exceed the limit of {in_words(TRIALS)}: use princeps sweep, which keeps them in a file."
        )
    refuse_beyond_memory(trials * RESULT_BYTES, what, "use princeps sweep, which keeps them in a file.")
    return trials


def refuse_beyond(limit: int, needed: int, what: str, remedy: str) -> None:
    """`what` names the work and ends with its unit: `b_k on this ring takes at least {} messages`."""
    if needed > limit:
        raise TooLarge(f"{what.format(in_words(needed))}, more than the limit of {in_words(limit)}: {remedy}")


def refuse_long_survey(n: int) -> None:
    if n > SURVEYED_PROCESSES:
        raise ParameterError(f"n = {in_words(n)} is too large to run every ring: give at most {SURVEYED_PROCESSES}.")


def refuse_long_script(steps: int, seconds: int, most: int | None) -> None:
    """A script that takes longer than a week, unless it is said how many steps it may have."""
    what = f"the script has {in_words(steps)} steps"
    if most is None and seconds > SCRIPT_SECONDS:
        raise TooLarge(
            f"{what}, which take about {duration_in_words(seconds)}: choose a faster --engine, or allow it with --max-steps."
        )
    if most is not None and steps > most:
        raise TooLarge(f"{what}, more than --max-steps allows: raise it.")


def refuse_full_memory(what: str) -> None:
    """For work that cannot be foreseen, asked again and again while it goes on."""
    free = machine.available_bytes()
    if free is not None and free < LAST_BYTES:
        raise TooLarge(f"{what} are found, and the memory is full: choose a smaller one, or end other programs.")


def refuse_beyond_memory(needed: float, what: str, remedy: str) -> None:
    """`what` names what is held in memory, as the subject of the sentence."""
    free = machine.available_bytes()
    if free is not None and needed > free:
        raise TooLarge(
            f"{what} needs about {bytes_in_words(needed)}, but only {bytes_in_words(free)} are free: {remedy}"
        )

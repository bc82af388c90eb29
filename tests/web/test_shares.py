"""Work beside the engine is due again after a rest that fits what it took."""

from __future__ import annotations

from time import thread_time

from princeps.web.shares import Share

MANY = 0.02  # seconds of computing


def compute(seconds: float) -> float:
    began = thread_time()
    while thread_time() < began + seconds:
        pass
    return thread_time() - began


def test_what_belongs_to_another_share_is_left_out() -> None:
    whole, part = Share(0.01), Share(0.01)
    with whole:
        compute(MANY)
    with part:
        part.leave_out(compute(MANY))
    assert whole.rest(hurries=True) > 50 * MANY
    assert part.rest(hurries=True) < MANY
    assert part.seconds < whole.seconds / 4


def test_work_that_is_done_late_is_made_up_for() -> None:
    """It is looked for between two portions only: otherwise a share of 5 % that is due after 25 ms is one of 3 %."""
    share, spent = Share(0.05), 0.001
    with share:
        compute(spent)
    first = share.rest(hurries=True)
    compute(1.5 * first)  # half a rest too late
    assert share.may(hurries=True)
    with share:
        compute(spent)
    assert 0 < share.rest(hurries=True) < 0.8 * first


def test_long_work_is_not_made_up_for() -> None:
    share = Share(0.5)
    with share:
        compute(MANY)
    compute(3 * MANY)
    with share:
        compute(MANY)
    assert share.rest(hurries=True) > 1.5 * MANY

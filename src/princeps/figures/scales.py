"""Axes whose ticks can be read: powers of ten over decades, 1, 2, 5 over less, the sizes themselves where they are few."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import ceil, floor, log10
from typing import TYPE_CHECKING, Any

from princeps.figures.text import number_markup

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MAX_TICKS = 7
ZERO = 0.35  # of a decade, for what is linear beside a logarithmic axis
MARGIN = 0.05  # of the axis, on both sides


def logarithmic(axes: Axes, which: str, values: Iterable[float], at: Sequence[float] = (), plain: bool = False) -> None:
    """Scale, limits and ticks of the x or the y axis; `at` are the values that deserve a tick, `plain` is 0.1."""
    from matplotlib.ticker import FixedLocator, NullFormatter

    positive = [value for value in values if value > 0]
    low, high = min(positive), max(positive)
    room = (high / low) ** MARGIN if high > 1.01 * low else 1.5  # of one value the axis shows the neighbourhood
    low, high = low / room, high * room
    getattr(axes, f"set_{which}scale")("log", nonpositive="clip")
    getattr(axes, f"set_{which}lim")(low, high)
    decades = log10(high / low)
    values = sorted(set(at))
    narrow = decades < 1.7 and 0 < len(values) <= MAX_TICKS and _apart(values, decades)
    ticks = values if narrow else log_ticks(low, high)
    axis = getattr(axes, f"{which}axis")
    axis.set_major_locator(FixedLocator(ticks))
    axis.set_major_formatter(_written(powers=all(_is_power(tick) for tick in ticks) and not narrow and not plain))
    axis.set_minor_locator(FixedLocator([] if narrow else minor_ticks(low, high, ticks)))
    axis.set_minor_formatter(NullFormatter())


def linear(axes: Axes, which: str) -> None:
    """From 0, with numbers written out."""
    from matplotlib.ticker import MaxNLocator

    axis = getattr(axes, f"{which}axis")
    axis.set_major_locator(MaxNLocator(6, steps=[1, 2, 5, 10]))
    axis.set_major_formatter(_written(powers=False))


def log_ticks(low: float, high: float) -> list[float]:
    decades = log10(high / low)
    if decades < 0.5:  # hardly more than a factor 3: as on a linear axis
        step = 10.0 ** floor(log10((high - low) / 3))
        step *= next(k for k in (1, 2, 5, 10) if (high - low) / (k * step) <= MAX_TICKS)
        return [k * step for k in range(ceil(low / step), floor(high / step) + 1)]
    exponents = range(floor(log10(low)), ceil(log10(high)) + 1)
    if decades < 1.9:
        parts: tuple[int, ...] = (1, 2, 5) if decades > 0.75 else (1, 2, 3, 4, 5, 6, 8)
    else:
        parts = (1,)
    found = [part * 10.0**exponent for exponent in exponents for part in parts]
    inside = [tick for tick in found if low <= tick <= high]
    return inside[:: ceil(len(inside) / MAX_TICKS)] if parts == (1,) else inside


def minor_ticks(low: float, high: float, major: Sequence[float]) -> list[float]:
    """Without numbers; where a tick is a decade, those between, and where many decades are passed over, these."""
    exponents = range(floor(log10(low)), ceil(log10(high)) + 1)
    parts = range(1, 10) if len(exponents) <= MAX_TICKS + 2 else (1,)
    found = [part * 10.0**exponent for exponent in exponents for part in parts]
    return [tick for tick in found if low <= tick <= high and tick not in major]


def with_zero(axes: Axes, which: str, smallest: float) -> None:
    """A logarithmic axis gets a place for 0, which is linear up to the smallest value above it."""
    axis = getattr(axes, f"{which}axis")
    top = getattr(axes, f"get_{which}lim")()[1]
    major, minor, formatter = axis.get_majorticklocs(), axis.get_minorticklocs(), axis.get_major_formatter()
    getattr(axes, f"set_{which}scale")("symlog", linthresh=smallest, linscale=ZERO)
    getattr(axes, f"set_{which}lim")(-0.1 * smallest, top)
    axis.set_ticks([0, *(tick for tick in major if tick >= smallest)])
    axis.set_ticks([tick for tick in minor if tick >= smallest], minor=True)
    axis.set_major_formatter(formatter)


def _apart(values: Sequence[float], decades: float) -> bool:
    """Their numbers do not run into each other."""
    steps = [log10(b / a) for a, b in pairwise(values)]
    return all(step > 0.09 * decades for step in steps)


def _is_power(tick: float) -> bool:
    return abs(log10(tick) - round(log10(tick))) < 1e-9


def _written(powers: bool) -> Any:
    from matplotlib.ticker import FuncFormatter

    def write(value: float, _: object = None) -> str:
        return f"10$^{{{round(log10(value))}}}$" if powers and value > 0 else number_markup(value)

    return FuncFormatter(write)

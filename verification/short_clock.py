"""P_LL with a clock that is short enough to be analysed exactly: c_max is a parameter instead of 41 m."""

from princeps.model import Derived, Param
from princeps.protocols.p_ll import PLL


class ShortClock(PLL):
    name = "p_ll_short_clock"
    title = "P_LL with a short clock"

    cap = Param(min=2, default=6, doc="c_max, which the paper sets to 41 m")
    c_max = Derived(lambda p: p.cap)

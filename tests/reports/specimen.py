"""A paper that never was, with everything a page must show: each verdict, each style of a chart, and awkward texts."""

from typing import Any

from princeps.papers import (
    AS_PRINTED,
    DEMONSTRATED,
    INCONCLUSIVE,
    NOT_TESTABLE,
    PROVED,
    SUPPORTED,
    VIOLATED,
    Chart,
    Line,
    Outcome,
    Paper,
    Part,
    Planted,
    Table,
    readings,
    together,
)
from princeps.papers.laboratory import Lab

LONG = "a sentence that goes on and on, with n^2 log n and C_NI in it and a configuration of many agents, " * 4
NASTY = """<script>alert("x")</script> & 'quotes' | *stars* `a < b` $m$"""

paper = Paper(
    id="specimen",
    title=f"On everything & <b>more</b>: {LONG[:90]}",
    source='A. Author & B. "Other", Journal of <Examples>, 2021',
    protocols=("p_rl", "fratricide", "my file.py:Mine"),
    errata=("Line 3 means `l < r`, not l <= r & so on.", LONG),
)


def part(verdict: str, **more: object) -> Part:
    words: dict[str, Any] = {
        "measured": 1.2345678e-7,
        "bound": "O(n^2.5)",
        "sample": "12,345,678 cases, confidence 1 - 1e-6",
    }
    commands = (f"princeps exact p_rl -n 3 -p N=3 --target '{verdict} <x>'", "princeps run p_rl -n 8 | head & true")
    power = "a probability of 3e-05 would be seen with probability 0.99"
    return Part(verdict, f"the part is {verdict} & <i>so on</i>", power=power, commands=commands, **(words | more))


for verdict in (PROVED, SUPPORTED, DEMONSTRATED, VIOLATED, INCONCLUSIVE, NOT_TESTABLE):

    @paper.claim(
        f"specimen.{verdict.split()[0]}",
        f"the claim that is {verdict}: {LONG}",
        kind="X, S",
        recorded=verdict,
        planted=Planted(f"a fault <planted> & noticed ({verdict})"),
    )
    def check(lab: Lab, verdict: str = verdict) -> Any:
        return together([part(verdict), part(PROVED, measured=float("inf"), bound=None)], [f"ours & <own>: {verdict}"])


@paper.claim("specimen.printed", "a text with a misprint", kind="P", recorded=AS_PRINTED)
def printed(lab: Lab) -> Any:
    return readings([part(VIOLATED)], [part(SUPPORTED, measured=123456)])


@paper.claim('specimen: nasty "id" <b>', NASTY, kind="C", recorded=SUPPORTED)
def not_as_recorded(lab: Lab) -> Any:
    return Outcome(VIOLATED, (Part(VIOLATED, NASTY, 7, 0),), (NASTY,))


XS = [10, 100, 1000]


@paper.exhibit
def points(lab: Lab) -> Any:
    lines = [
        Line(f"series {k} <&>", XS, [k + 1.5, k + 2, k + 2.5], [k, k + 1, k + 2], [k + 2, k + 3, k + 4])
        for k in range(4)
    ]
    caption = "Means of a < b, divided by n^2. princeps sweep p_rl -n 8,16 --until s_rl; the rest is ours."
    return Chart('Points & "bars" of errors', caption, "n", "steps / n^2", lines, log_x=True)


@paper.exhibit
def everything(lab: Lab) -> Any:
    lines = [
        Line("measured", XS, [20, 3e3, 4e5], [1, 2e3, 3e5], [90, 5e3, 5e5]),
        Line("law 0.4 n^2", XS, [40, 4e3, 4e5], style="line"),
        Line("bound n^2", XS, [100, 1e4, 1e6], style="dashed"),
        Line("another bound, whose name is so long that it must go on in the next line " * 2, XS, XS, style="dashed"),
        Line("nothing", [10], [0]),
    ]
    return Chart("All lines", LONG, "n, the size", "steps", lines, log_x=True, log_y=True, ours=True)


@paper.exhibit
def bars(lab: Lab) -> Any:
    lines = [
        Line("seen", [1, 2, 3], [0.2, 0.5, 0.3], [0.1, 0.4, 0.2], [0.3, 0.6, 0.4], style="bars"),
        Line("expected", [1, 2, 3], [0.25, 0.5, 0.25], style="bars"),
        Line("a line", [1, 2, 3], [0.25, 0.5, 0.25], style="line"),
    ]
    return Chart("Bars", "shares", "k", "share", lines)


@paper.exhibit
def same_again(lab: Lab) -> Any:
    return bars(lab)


@paper.exhibit
def empty(lab: Lab) -> Any:
    return Chart("Nothing", "no line at all", "n", "steps", [])


@paper.exhibit
def table(lab: Lab) -> Any:
    rows = [("1,000", "<td>", "1e-05"), ("20", LONG, "0.5")]
    return Table("A table & more", "`as typed: a <= b`", ("n", "what <b>", "share"), rows, ours=True)

"""Paper 003, Table 2: lower bounds, beside the protocols of the library that they speak about; times are parallel."""

from princeps.papers.tables.declarations import CITED, MEASURED, Comparison, Growth, Row
from princeps.papers.tables.uniform_start import FULL, QUICK, SMALL

TABLE = Comparison(
    "003.2",
    "Lower bounds for leader election from a uniform start",
    "Sudo, Ooshita, Izumi, Kakugawa, Masuzawa (2020), Table 2",
    "parallel_time",
    (
        Row(
            "[10] Doty, Soloveichik 2015",
            "O(1) states",
            "Omega(n)",
            "O(1)",
            MEASURED,
            "fratricide",
            Growth(1, upper=False, lower=True),
            QUICK,
            FULL,
            exact=SMALL,
            exact_start="initial",
            of_all=True,
            remark="the protocol of two states in the library",
        ),
        Row("[5] Alistarh and others 2017", "< 1/2 log log n states", "Omega(n / polylog n)", "< 1/2 log log n", CITED),
        Row(
            "[11] Sudo, Masuzawa 2020",
            "any number of states",
            "Omega(log n)",
            "any",
            MEASURED,
            "p_ll",
            Growth(0, 1, upper=False, lower=True),
            QUICK,
            FULL,
            exact=((3, {"m": 2}),),
            exact_start="initial",
            of_all=True,
            remark="the fastest protocol of the library with O(log n) states",
        ),
    ),
    "A bound on all protocols cannot be measured: the rows show a protocol that it speaks about, and are at best demonstrated.",
)

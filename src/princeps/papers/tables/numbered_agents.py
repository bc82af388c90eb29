"""Paper 002: its three algorithms for numbered agents side by side; the table is ours. Times are interactions."""

from princeps.papers.tables.declarations import MEASURED, Comparison, Effort, Growth, Row

QUICK, FULL = Effort((100, 300, 1000, 3000), 100), Effort((100, 1000, 10_000, 100_000), 200)

TABLE = Comparison(
    "002.1",
    "Leader election among numbered agents",
    "Chaturvedi, Dymond, Jenkin, Algorithms 1 to 3; the table is ours",
    "steps",
    (
        Row(
            "Algorithm 1",
            "the largest number is known",
            "until its holder first acts",
            "numbers",
            MEASURED,
            "known_bound",
            Growth(1),
            QUICK,
            FULL,
            exact=((3, {}), (4, {}), (5, {})),
        ),
        Row(
            "Algorithm 2",
            "nothing",
            "(n-1) H(n-1)",
            "numbers",
            MEASURED,
            "infection",
            Growth(1, 1, lower=True),
            QUICK,
            FULL,
            until="complete",
            exact=((3, {}), (4, {}), (5, {})),
            remark="to agreement, of which no agent learns",
        ),
        Row(
            "Algorithm 3",
            "nothing; right with high probability",
            "of order n ln n",
            "numbers and counts",
            MEASURED,
            "numbered",
            Growth(1, 1, lower=True),
            QUICK,
            FULL,
            until="declared",
            params={"m": 4},
            exact=((3, {"m": 4}), (4, {"m": 4})),
            exact_start="initial",
            target="declared",
            remark="to the declaration, m = 4",
        ),
    ),
)

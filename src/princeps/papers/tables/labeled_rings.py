"""Paper 001: ring algorithms with their costs. The paper has no comparison table; this one is ours, from its text."""

from princeps.papers.tables.declarations import CITED, MEASURED, RECONSTRUCTION, Comparison, Effort, Growth, Row

PAIRS = {"random": "labels=n/2,max=2"}  # each label at most twice
TWICE = {"k": 2}
SMALL = Effort((8, 16, 32, 64), 20), Effort((16, 32, 64, 128, 256, 512), 40)
LARGE = Effort((16, 32, 64, 128, 256), 20), Effort((16, 64, 256, 1024, 4096), 40)

TABLE = Comparison(
    "001.1",
    "Leader election on rings whose processes share labels, beside the classics for distinct labels",
    "Altisen, Datta, Devismes, Durand, Larmore (2017), in the text; the table is ours",
    "time",
    (
        Row(
            "A_k",
            "no label more than k times, asymmetric",
            "at most (2k+2)n",
            "(2k+1)nb + 2b + 3 bits",
            MEASURED,
            "a_k",
            Growth(1),
            *SMALL,
            params=TWICE,
            options=PAIRS,
            remark="k = 2, labels drawn at random, each at most twice",
        ),
        Row(
            "B_k",
            "no label more than k times, asymmetric",
            "O(k^2 n^2)",
            "2 ceil(lg k) + 3b + 5 bits",
            MEASURED,
            "b_k",
            Growth(2),
            *SMALL,
            params=TWICE,
            options=PAIRS,
            remark="k = 2, labels drawn at random, each at most twice",
        ),
        Row(
            "[10] U_k, Altisen and others 2016",
            "a label is unique, none more than k times",
            "at most (k+2)n",
            "O(log k + b) bits",
            RECONSTRUCTION,
            "u_k",
            Growth(1, lower=True),
            *SMALL,
            params=TWICE,
            remark="k = 2, distinct labels",
        ),
        Row(
            "[4] Dobrev and Pelc",
            "m <= n <= M known",
            "O(M) with O(n log n) messages, synchronous",
            "not stated",
            CITED,
            remark="asynchronous, with links in both directions: O(nM) messages",
        ),
        Row(
            "[8] Flocchini and others",
            "n known and prime, labels 0 and 1, links in both directions",
            "not stated",
            "not stated",
            CITED,
            remark="weak election: two neighbours may lead",
        ),
        Row(
            "[9] Delporte and others",
            "more labels than the greatest proper divisor of n, links in both directions",
            "not stated",
            "not stated",
            CITED,
            remark="processes do not halt; where n is known they do, with O(n log n) messages",
        ),
        *(
            Row(
                name,
                "distinct labels",
                time,
                "O(b) bits",
                MEASURED,
                protocol,
                Growth(1, upper=upper),
                *LARGE,
                remark=how,
            )
            for name, time, protocol, upper, how in (
                ("Chang and Roberts", "O(n)", "chang_roberts", True, "a classic, not in the paper"),
                ("LeLann", "O(n)", "lelann", True, "a classic, not in the paper"),
                ("Peterson", "O(n)", "peterson", True, "a classic, not in the paper"),
                ("Franklin", "O(n)", "franklin", True, "a classic, not in the paper; links in both directions"),
                (
                    "Hirschberg and Sinclair",
                    "O(n)",
                    "hirschberg_sinclair",
                    True,
                    "a classic, not in the paper; links in both directions",
                ),
            )
        ),
    ),
)

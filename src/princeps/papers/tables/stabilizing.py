"""Paper 004, Table 1: self- and loosely-stabilizing leader election on complete graphs; times are parallel."""

from princeps.papers.tables.declarations import CITED, MEASURED, Comparison, Effort, Growth, Row

LINEAR = Effort((16, 32, 64, 128, 256), 40), Effort((64, 128, 256, 512, 1024, 2048), 60)
POLYLOGARITHMIC = Effort((64, 128, 256, 512), 20), Effort((64, 256, 1024, 4096), 30)
QUADRATIC = Effort((8, 16, 32, 64), 40), Effort((16, 32, 64, 128, 256), 60)

TABLE = Comparison(
    "004.1",
    "Self- and loosely-stabilizing leader election, complete graph",
    "Sudo, Ooshita, Kakugawa, Masuzawa, Datta, Larmore (2018), Table 1",
    "parallel_time",
    (
        Row(
            "[14] Sudo and others 2012",
            "N",
            "O(N log N), held for Omega(e^N)",
            "O(log N) bits",
            MEASURED,
            "timer",
            Growth(1, 1),
            *LINEAR,
            starts=("random", "no_leader"),
            exact=tuple((n, {"t_max": 4}) for n in (3, 4, 5)),
            remark="t_max = 8n, N = n",
        ),
        Row("[11] Izumi 2015", "N", "O(N), held for Omega(e^N)", "O(log N) bits", CITED),
        Row(
            "P_PL, this work",
            "N",
            "O(c log^3 N), held for Omega(c n^(10c))",
            "O(log log N) bits",
            MEASURED,
            "p_pl",
            Growth(0, 3),
            *POLYLOGARITHMIC,
            starts=("random", "no_leader_full_timers", "all_leaders_shielded"),
            until="s",
            params={"virus_factor": 2, "emit_factor": 1},
            exact=tuple((n, {"t_virus": 2, "t_max": 2, "t_emit": 2}) for n in (3, 4)),
            target="s",
            remark="with smaller constants than printed (virus_factor = 2, emit_factor = 1), N = n, c = 1",
        ),
        Row(
            "[7] Cai, Izumi, Wada 2012",
            "exact n",
            "polynomial, held for ever",
            "O(log n) bits",
            MEASURED,
            "silent_ranking",
            Growth(2, lower=True),
            *QUADRATIC,
            exact=((3, {}), (4, {}), (5, {})),
            remark="the claim is judged as Theta(n^2), which paper 000 states",
        ),
        Row(
            "Burman and others 2021",
            "exact n",
            "O(n), held for ever",
            "O(log n) bits",
            MEASURED,
            "optimal_silent",
            Growth(1),
            *QUADRATIC,
            exact=tuple((n, {"r_max": 2, "d_max": 4, "e_max": 8}) for n in (3, 4, 5)),
            remark="not a row of the table: newer, cited by paper 000 as [22]",
        ),
    ),
)

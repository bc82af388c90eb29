"""Paper 000, Table 1: self-stabilizing leader election on directed rings; times are steps."""

from princeps.papers.tables.declarations import CITED, MEASURED, RECONSTRUCTION, Comparison, Effort, Growth, Row

# Quick, full, and enough to see a planted fault. What takes n^2 steps is run from n = 64 on, where 000.T1b runs it, too: below
# that its factor still rises, and n^2 is taken for n^2 log n. To tell n^3 from n^3 log n and n^3 / log n takes what is full here.
SLOW = Effort((8, 16, 32, 64), 40), Effort((64, 128, 256, 512), 300), Effort((8, 16, 32, 64), 10)  # n^3 steps
ODD = Effort((9, 15, 33, 63), 40), Effort((65, 129, 257, 513), 150), Effort((9, 15, 33, 63), 10)
FAST = (
    Effort((64, 128, 256, 512, 1024), 40),
    Effort((64, 256, 1024, 4096, 16384), 100),
    Effort((16, 32, 64, 128), 20),
)
OWN = Effort((64, 128, 256, 512, 1024), 25), *FAST[1:]  # from four starts

TABLE = Comparison(
    "000.1",
    "Self-stabilizing leader election on directed rings",
    "Yokota, Sudo, Masuzawa (2021), Table 1, and section 1.1",
    "steps",
    (
        Row(
            "[3] Angluin, Aspnes, Fischer, Jiang",
            "n is no multiple of a given k",
            "Theta(n^3)",
            "O(1)",
            RECONSTRUCTION,
            "aafj",
            Growth(3, lower=True),
            *ODD,
            starts=("random", "three_barriers"),
            until="elected",
            params={"k": 2},
            exact=((3, {"k": 2}), (4, {"k": 3}), (5, {"k": 2})),
            target="elected",
            remark="measured with k = 2, on rings of odd size; at n = 4, which is even, exactly with k = 3",
        ),
        Row(
            "[15] Fischer and Jiang",
            "an oracle reports at once that nobody leads",
            "Theta(n^3)",
            "O(1)",
            RECONSTRUCTION,
            "fischer_jiang",
            Growth(3, lower=True),
            *SLOW,
            starts=("random", "opposite_leaders"),
            until="safe",
            exact=((3, {}), (4, {}), (5, {})),
            target="safe",
        ),
        Row("[6] Chen and Chen", "none", "exponential", "O(1)", CITED),
        Row(
            "P_RL's elimination with an oracle",
            "an oracle reports at once that nobody leads",
            "O(n^2)",
            "O(1)",
            MEASURED,
            "p_rl_oracle",
            Growth(2),
            *FAST,
            starts=("random", "all_leaders", "no_leader_bullets"),
            until="s_rl",
            exact=((3, {}), (4, {}), (5, {})),
            target="s_rl",
            remark="not a row of the table: the paper's section 1.1 says it in words",
        ),
        Row(
            "P_RL, this work",
            "n <= N for a given N",
            "O(nN)",
            "O(N)",
            MEASURED,
            "p_rl",
            Growth(2),
            *OWN,
            starts=("random", "all_leaders", "no_leader", "no_leader_bullets"),
            until="s_rl",
            exact=((3, {"N": 3}), (4, {"N": 4})),
            target="s_rl",
            remark="measured with N = n; n = 5 has 6 * 10^10 configurations, too many for S_RL",
        ),
    ),
)

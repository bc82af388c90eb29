"""What the paper is, and how its text is read."""

from princeps.papers.claims import Paper

paper = Paper(
    id="000",
    title="Time-optimal self-stabilizing leader election on rings: P_RL",
    source="Yokota, Sudo, Masuzawa, IEICE Transactions on Fundamentals, 2021",
    protocols=("p_rl", "p_rl_oracle", "aafj", "fischer_jiang"),
    contents=tuple(
        f"000.{name}"
        for name in (
            *("T1a", "T1b", "T1c", "L1", "L2", "L3", "L4", "L5", "L6", "L7", "L8", "L9", "L10", "L11", "L12", "L13"),
            *("opt", "coin", "oracle", "claim3", "table1", "fig3"),
        )
    ),
    errata=(
        "Section 3.2 exempts leaders from the propagation of distances; line 2 exempts agents with a bullet, and is "
        "what is run.",
        "S_RL is closed and safe, but not the largest safe set. An expected time names its target: `safe` is the "
        "largest set in which the leader can never change, `s_rl` is the paper's.",
        "The oracle of section 1.1 reports at once; [3] and [15] of Table 1 are reconstructions, and [6] is only cited.",
        "The proof of Lemma 12 means unshielded where it says shielded; Claim 3 means s/2 leaders, not n/2; the last "
        "agent of the example with n = 100 is 99.",
    ),
)

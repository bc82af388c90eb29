"""What the paper is, and how its text is read."""

from princeps.papers.claims import Paper

paper = Paper(
    id="001",
    title="Leader election in asymmetric labeled unidirectional rings: A_k and B_k",
    source="Altisen, Datta, Devismes, Durand, Larmore, IPDPS 2017",
    protocols=("a_k", "b_k", "u_k"),
    contents=tuple(
        f"001.{name}"
        for name in (
            *("L1", "T1", "L5", "L6", "T2a", "T2r", "T2b", "T2c", "T2d", "T3", "T4a", "T4b"),
            *("L7", "L10", "L11", "L12", "L13", "O1", "conf", "cor4", "fig1", "U_k", "122"),
        )
    ),
    errata=(
        "Table 1's A2 lacks the conjunct that the process does not lead: a leader may send a token on to processes that "
        "have halted. Theorem 2 holds of the table as of the prose, in which the leader consumes every token; the remark in "
        "its proof that all messages are received holds of the prose only. The prose is run; `-p printed=1` is the table.",
        "LLabels runs counter-clockwise: messages travel clockwise, so that a process learns its left side first.",
        "Theorem 2 states n^2(2k+1) messages, its proof n^2(2k+1) + n: both are checked.",
        "A process sends its shift in the phase that ends and all else in the phase that it is in afterwards; the phase "
        "is the number of times that `guest` was assigned.",
        "Both inequalities in the proof of Lemma 11 are reversed, and in that of Theorem 3 L alone leaves phase X-1, not "
        "X, by B6 or B9; the statements stand.",
        "The labels of Figure 1 are not in the text that we could read: what its caption says is drawn of every small ring, "
        "whose true leader is called p_0, and of one ring of ours with eight processes.",
        "Every asymmetric ring of n processes means: up to rotation and to renaming that keeps the order, which no "
        "algorithm here can tell apart.",
    ),
)

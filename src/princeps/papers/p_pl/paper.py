"""What the paper is, and how its text is read."""

from princeps.papers.claims import Paper

paper = Paper(
    id="004",
    title="Loosely-stabilizing leader election with polylogarithmic convergence: P_PL",
    source="Sudo, Ooshita, Kakugawa, Masuzawa, Datta, Larmore, OPODIS 2018",
    protocols=("p_pl",),
    contents=tuple(
        f"004.{name}"
        for name in (
            *("T23a", "T23b", "L4", "L6", "C7", "C8", "L5", "L9", "L10", "L11", "L12", "C13", "L14", "L15", "L17"),
            *("L18", "L19", "L20", "C21", "E6", "lemma3", "foot1", "table1", "space"),
        )
    ),
    errata=(
        "Definition 1 swaps the names of alpha/n and beta/n: beta belongs to holding. Holding c n^(10c+1) counts "
        "interactions, c n^(10c) is parallel time; Section 3 once gives the former as a time.",
        "The analysis assumes n >= 55, that is ceil(ln N) >= 5; nothing about the protocol is judged by its bounds "
        "below that. Where constants are scaled down, tau is n t_emit / 5 with the scaled t_emit, and hidden constants "
        "are taken for 1.",
        "The proof of Lemma 14 adds where it should subtract the two failure probabilities; the exponent in the proof "
        "of Lemma 19 lacks its minus; the proof of Lemma 20 rounds i'/2 up where it should round down.",
        "Both agents of an interaction that times out become leaders. A follower keeps its shield and its timerI, and "
        "a new leader inherits them.",
    ),
)

"""What the paper is, and how its text is read."""

from princeps.papers.claims import Paper

paper = Paper(
    id="003",
    title="Time-optimal leader election in population protocols: P_LL",
    source="Sudo, Ooshita, Izumi, Kakugawa, Masuzawa, IEEE Transactions on Parallel and Distributed Systems, 2020",
    protocols=("p_ll", "p_ll_symmetric"),
    contents=tuple(
        f"003.{name}"
        for name in (
            *("T1", "L3", "L1", "game", "L4", "L5", "L6", "L8", "L9", "L10", "L7", "L11", "L12", "L13", "L14", "L15"),
            *("L16", "L17", "m", "symbackup", "table1", "table2", "coin", "sym"),
        )
    ),
    errata=(
        "Line 12 gives followers an unfinished nonce, so that nobody relays the largest one. Repaired, a follower starts "
        "with the smallest finished nonce; printed=1 keeps the printed line. Lemma 10 holds only as repaired. The order of "
        "Theorem 1 should survive, with more than twice the constant: the mean levels off near 16 lg n by our reckoning.",
        "Line 9 takes the minimum of epoch + 1 and 3: with the printed maximum the Tournament would never run.",
        "Lemma 1 allows 2 ceil(n/n') t interactions, as its proof does, and a meeting has probability 1/C(n,2); the "
        "statement prints ceil(n'/n), which is always 1.",
        "In the interaction that makes a leader it meets a follower and initiates, so that line 36 counts a head at once: "
        "the first toss of every leader is no coin. All are lifted alike, and the lottery is what it was.",
        "The groups of Table 3 are five, init never reaches 4, and level_B is set in line 13.",
        "Symmetric version: n >= 3; X and Y lead until they are assigned; every new follower gets coin J; J or K against "
        "F0 or F1 changes nothing; a coin is read as it was when the interaction began.",
    ),
)

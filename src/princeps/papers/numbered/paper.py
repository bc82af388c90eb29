"""What the paper is, and how its text is read."""

from princeps.papers.claims import Paper

paper = Paper(
    id="002",
    title="Efficient leader election among numbered agents",
    source="Chaturvedi, Dymond, Jenkin, York University",
    protocols=("known_bound", "infection", "numbered"),
    contents=tuple(f"002.{name}" for name in ("T1", "T2", "T3", "exp", "fig1", "alg1", "self", "min", "m")),
    errata=(
        "Algorithm 3 tests `conversions < m * metFollowers`, at a conversion: it declares almost at once, and half of "
        "its runs never do. The prose wants the followers met to exceed the conversions by the factor m: the default "
        "tests `metFollowers > m * conversions` when a follower is met, and `printed=1` keeps the printed line.",
        "The plain `else` of Algorithm 2 makes the true leader give up its own flag when two equal leader values meet: "
        "`else if <` is run.",
        "The proofs let an agent meet itself, the model and our scheduler do not: the times and meetings of the "
        "theorems are given for both.",
        "For small populations the paper asks for a least number of interactions and gives none: it is the parameter "
        "`min_interactions`, 0 by default.",
    ),
)

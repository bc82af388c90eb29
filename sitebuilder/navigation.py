"""The order of the site: which page is in which part. A page of docs/ that is in none fails the build."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

TITLES = {  # of pages that are called by a noun in docs/: here by the task, or by what was measured
    "running": "Run a protocol",
    "writing-protocols": "Write a protocol",
    "prove": "Prove lemmas for every n",
    "small-populations": "Analyse a small population exactly",
    "adversaries": "Let an adversary choose who meets",
    "worst": "Find the worst start",
    "hold": "Estimate how long a leader is held",
    "tune": "Find constants that hold long enough",
    "campaigns": "Run campaigns: many trials, many sizes",
    "figures": "Draw figures",
    "ring-algorithms": "Run ring algorithms",
    "watch": "Watch a run in the browser",
    "network": "Run agents as processes",
    "sessions": "Step, rewind and attack a run",
    "scripts-and-notebooks": "Use scripts and notebooks",
    "choosing-an-engine": "Choose an engine",
    "executable-papers": "Check the claims of a paper",
    "tables": "Measure the table of a paper",
    "python": "From Python: an overview",
    "trust": "Trust: every engine against the exact law",
    "papers/README": "Every claim and its verdict",
    "tables/README": "Every table of the papers, measured",
    "verification": "The library beside its papers' figures",
    "exact": "Small populations: all numbers, found twice",
    "rings": "Rings of homonyms: all small rings",
    "speed": "Speed beside hand-written C",
    "engines": "Speed of the engines",
    "rivals": "Speed beside ppsim and batss",
    "start-speed": "The start of a process",
    "exact-speed": "Speed of the exact analysis",
    "ring-speed": "Speed of the ring engine",
    "campaign-speed": "Speed of campaigns",
    "mutants": "Mutants: what the tests notice",
    "prove-mutants": "Altered rules: what proofs and enumeration see",
    "fuzz": "Hostile inputs and random protocols",
    "network-bars": "What network runs hold",
}


@dataclass(frozen=True)
class Part:
    """A heading of the navigation. `pages` are names below the stage, without a suffix."""

    title: str
    about: str  # one sentence for the first page
    pages: Sequence[str]
    below: Mapping[str, Sequence[str]] = field(default_factory=dict)  # pages that open below one of them

    @property
    def all_pages(self) -> list[str]:
        return [*self.pages, *(page for pages in self.below.values() for page in pages)]


def parts(
    notebooks: Iterable[str], protocols: Iterable[str], modules: Iterable[str], verbs: Iterable[str]
) -> list[Part]:
    """Of pages that are generated the names are given."""
    found = list(notebooks)
    first = [name for name in found if not name.startswith("examples/")]
    more = [name for name in found if name.startswith("examples/")]
    return [
        Part("Start here", "From the installation to an exact fraction and a figure in five minutes.", ["start"]),
        Part(
            "Tutorial",
            "A protocol of your own, from the idea to a figure and a proof; notebooks and files to start from.",
            [*first, *more, "examples/README"],
        ),
        Part(
            "How to",
            "One page for each task.",
            [
                "tasks",
                "running",
                "writing-protocols",
                "prove",
                "small-populations",
                "adversaries",
                "worst",
                "hold",
                "tune",
                "campaigns",
                "figures",
                "ring-algorithms",
                "watch",
                "network",
                "sessions",
                "scripts-and-notebooks",
                "choosing-an-engine",
                "executable-papers",
                "tables",
            ],
        ),
        Part(
            "The library",
            "One page for each protocol: its rule, states, exact numbers, growth, and the claims of its paper.",
            ["library"],
            {"library": list(protocols)},
        ),
        Part(
            "Reference",
            "Every function, every verb with its options, every key of the JSON output, every exit code.",
            ["python", *modules, "commands/README", "json", "glossary"],
            {"commands/README": list(verbs)},
        ),
        Part(
            "Explanation",
            "Why the numbers are exact, how the code is arranged, and where papers cannot be meant as printed.",
            ["why-exact", "trust", "errata", "architecture"],
        ),
        Part(
            "Executed papers",
            "Every claim of five papers with a verdict, and the comparisons behind them.",
            ["papers/README", "tables/README", "verification", "exact", "rings"],
        ),
        Part(
            "Measurements",
            "Speed beside hand-written C and other programs, memory, and how much the tests notice.",
            [
                *("speed", "engines", "rivals", "start-speed", "exact-speed", "ring-speed", "campaign-speed"),
                *("memory", "mutants", "prove-mutants", "fuzz", "network-bars"),
            ],
        ),
        Part("Project", "How to change princeps, and what has changed.", ["contributing", "site", "changelog"]),
    ]


def first_page(all_parts: Sequence[Part]) -> str:
    """The page that opens the site, with the navigation as trees of contents."""
    lines = [
        "# princeps",
        "",
        "A laboratory for leader election: how many equal agents come to have exactly one leader. A protocol is written "
        "once, the way its paper writes it; the same definition is simulated with up to 10^15 agents, analysed exactly "
        "for small populations, swept over parameters, and compared with every claim of its paper.",
        "",
        "![The number of leaders among a million agents falls to one](figures/election.svg)",
        "",
        *(f"- **[{part.title}]({part.pages[0]}.md)**: {part.about}" for part in all_parts),
    ]
    for part in all_parts:
        lines += ["", contents(part.pages, part.title)]
    return "\n".join(lines) + "\n"


def contents(pages: Iterable[str], caption: str = "") -> str:
    """A tree of contents that is seen in the navigation only; names begin at the top of the stage."""
    head = ["```{toctree}", ":hidden:", *([f":caption: {caption}"] if caption else [])]
    return "\n".join([*head, "", *(f"/{page}" for page in pages), "```"])

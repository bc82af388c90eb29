"""The paper's Figure 1: B_k drawn phase by phase, who is still active and which guest everybody has.

The labels of the drawing are not in the text that we could read; its caption is: k = 3, p_0 is elected, white processes
are active at the beginning of the phase, and the gray label is the guest. So the drawing is made of every small ring, its
true leader called p_0, and of one ring of eight processes that fits the caption.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from princeps.engines.rings.reference import Network
from princeps.model import registry
from princeps.model.rings.reading import make_ring_run
from princeps.model.rings.ring import Ring
from princeps.papers.answers import Measurement
from princeps.papers.claims import Planted
from princeps.papers.exhibits import Table
from princeps.papers.judging import exhaustive
from princeps.papers.laboratory import Lab
from princeps.papers.rings.exploring import MESSAGE_LIMIT_FACTOR, Explorer
from princeps.papers.rings.labelings import (
    Labels,
    act,
    label_at,
    last_phase,
    multiplicity,
    pieces,
    rings_of,
    true_leader,
)
from princeps.papers.rings.paper import paper
from princeps.papers.rings.phases import Delivery, Facts, LemmaTally, deliveries
from princeps.papers.verdicts import PROVED, Outcome, Part, together

K = 3
DRAWN: Labels = (1, 3, 1, 3, 2, 2, 1, 2)  # ours: three labels of multiplicity 2 and 3, of which p_0 is the true leader
SHARES = ({2: 1, 3: 1, 4: 1, 5: 4}, {2: 1, 3: 1, 4: 1, 5: 4, 6: 16}, {2: 1, 3: 1})
SCHEDULES = ("synchronous", "random", "adversarial", "slow:0")
BEGINS_ACTIVE = ("B1", "B6", "B9")  # the actions by which an active process enters a phase; a passive one does by B8

Frame = list[tuple[bool, Any]]  # of every process: white or black, and its guest


def turned(labels: Labels) -> Labels:
    """The same ring, with its true leader first."""
    first = true_leader(labels)
    return labels[first:] + labels[:first]


def drawing(labels: Labels, k: int) -> list[Frame]:
    """What the figure must show, straight from the definitions of Act_i and LLabels: phases 1 to X."""
    frames = []
    for i in range(1, last_phase(labels, k) + 1):
        white = act(labels, i - 1)
        frames.append([(p in white, label_at(labels, p, i)) for p in range(len(labels))])
    return frames


class DrawingTally(LemmaTally):
    """Every process that enters a phase, held to the drawing; and the end, where p_0 alone has won in phase X."""

    def __init__(self, facts: Facts) -> None:
        super().__init__(facts)
        self.wanted = drawing(facts.labels, facts.k)
        self.entries = self.wrong = 0
        self.breach = ""

    def look(self, seen: Delivery) -> None:
        if not seen.action:
            self.note("", f"process {seen.process} is stuck in phase {seen.phase}")
        elif seen.next_phase != seen.phase:
            self.entries += 1
            self._entered(seen.process, seen.next_phase, seen)

    def _entered(self, p: int, i: int, seen: Delivery) -> None:
        shown = (seen.action in BEGINS_ACTIVE, self.facts.guest(seen.after))
        if i > len(self.wanted) or shown != self.wanted[i - 1][p]:
            colour = "white" if shown[0] else "black"
            self.note("", f"process {p} begins phase {i} {colour}, with the guest {shown[1]}")
        elif (seen.action == "B9") != (p == 0 and i == len(self.wanted)):
            self.note("", f"process {p} enters phase {i} by {seen.action}")

    def end(self, phases: Sequence[int], left: int) -> None:
        if left or set(phases) != {len(self.wanted)}:
            self.note("", f"it ends in the phases {sorted(set(phases))} with {left} messages left")

    def note(self, key: str, sentence: str) -> None:
        self.wrong += 1
        where = f"the ring {','.join(map(str, self.facts.labels))}"
        self.breach = self.breach or f"{where}: {sentence}"


def drawn_everywhere(
    part: int, seed: int, *, protocol: str, pieces: Sequence[Sequence[int]], k: int, most: int
) -> dict[str, Any]:
    """Every execution on a piece of the rings of multiplicity at most k; `most` configurations of a ring."""
    cls = registry.find_ring(protocol)
    found: dict[str, Any] = {"rings": 0, "configurations": 0, "entries": 0, "wrong": 0, "breach": ""}
    for labels in map(turned, rings_of(pieces[part])):
        if multiplicity(labels) <= k:
            ring = Ring(labels)
            algorithm = cls(ring, k=k)
            tally = DrawingTally(Facts(algorithm, labels, k))
            explorer = Explorer(algorithm, ring, tally, most)
            explorer.explore()
            found["rings"] += 1
            found["configurations"] += explorer.configurations
            found["entries"] += tally.entries
            found["wrong"] += tally.wrong
            found["breach"] = found["breach"] or tally.breach
    return found


def drawn_once(
    part: int, seed: int, *, protocol: str, labels: Labels, k: int, schedules: Sequence[str]
) -> dict[str, Any]:
    """One execution, as its frames: of every phase, what each process is when it enters it."""
    run = make_ring_run(
        protocol,
        labels=Ring(tuple(labels)),
        schedule=schedules[part],
        seed=seed,
        engine="reference",
        params={"k": k},
        force=True,
    )
    facts, network = Facts(run.algorithm, tuple(labels), k), Network(run)
    tally, phases = DrawingTally(facts), [0] * len(labels)
    frames: dict[int, dict[int, tuple[bool, Any]]] = {}
    for seen in deliveries(network):
        tally.look(seen)
        if seen.next_phase != seen.phase:
            frames.setdefault(seen.next_phase, {})[seen.process] = (
                seen.action in BEGINS_ACTIVE,
                facts.guest(seen.after),
            )
        phases[seen.process] = seen.next_phase
        if network.steps > MESSAGE_LIMIT_FACTOR * run.algorithm.promised(run.ring)["messages"]:
            break
    tally.end(phases, sum(map(len, network.links)))
    shown = [[list(frames[i].get(p, ())) for p in range(len(labels))] for i in sorted(frames)]
    return {"frames": shown, "entries": tally.entries, "wrong": tally.wrong, "breach": tally.breach}


def the_ring(lab: Lab) -> Measurement:
    words = lab.pick(SCHEDULES, SCHEDULES, SCHEDULES[:1])
    return lab.measure(drawn_once, parts=len(words), protocol="b_k", labels=DRAWN, k=K, schedules=words)


@paper.claim(
    "001.fig1",
    "what Figure 1 draws (k = 3, p_0 is elected): at the beginning of phase i the processes of Act_(i-1) are active and the "
    "guest of p is LLabels(p)[i], until p_0 wins in phase X",
    kind="P",
    recorded=PROVED,
    planted=Planted(
        "who sees a smaller guest stays active (B4)",
        ("b_k", "    p.state = PASSIVE\n    p.send(TOKEN, x)", "    p.send(TOKEN, x)"),
    ),
)
def figure_1(lab: Lab) -> Outcome:
    parts = pieces(lab.pick(*SHARES))
    most = lab.pick(20_000, 20_000, 1000)
    asked = lab.measure(drawn_everywhere, parts=len(parts), protocol="b_k", pieces=parts, k=K, most=most)
    once = the_ring(lab)
    found, runs = asked.parts, once.parts
    rings, configurations = (sum(one[key] for one in found) for key in ("rings", "configurations"))
    says = (
        f"all {configurations:,} configurations of {rings:,} rings, n <= {max(lab.pick(*SHARES))}, drawn with k = {K}"
    )
    command = f"princeps run b_k --labels {','.join(map(str, DRAWN))} -p k={K}"
    example = f"a ring of {len(DRAWN)} processes in {len(drawing(DRAWN, K))} phases, under {len(runs)} schedules"
    return together([_as_drawn(found, says), _as_drawn(runs, example, commands=(command,))])


def _as_drawn(found: Sequence[Any], says: str, **more: Any) -> Part:
    wrong, entries = sum(one["wrong"] for one in found), sum(one["entries"] for one in found)
    breach = next((one["breach"] for one in found if one["breach"]), "")
    return exhaustive(wrong, entries, says, "entries into a phase", breach=breach, **more)


@paper.exhibit
def phase_by_phase(lab: Lab) -> Table:
    frames = the_ring(lab).parts[0]["frames"]
    rows = [
        (f"{i}", *(f"{guest}" if active else f"({guest})" for active, guest in frame))
        for i, frame in enumerate(frames, start=1)
    ]
    columns = ("phase", *(f"p{p}: {label}" for p, label in enumerate(DRAWN)))
    caption = (
        f"What the paper's Figure 1 shows, on a ring of ours (k = {K}): the guest of every process when it enters the phase, in "
        f"brackets where it is passive. In the last phase p0 wins. princeps run b_k --labels "
        f"{','.join(map(str, DRAWN))} -p k={K}"
    )
    return Table("Figure 1, phase by phase", caption, columns, rows)

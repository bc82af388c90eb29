"""A_k: leader election in asymmetric unidirectional rings whose labels repeat at most k times, in time O(kn).

Altisen, Datta, Devismes, Durand, Larmore (2017), Table 1; the actions have the paper's names.
Every label travels round the ring; a process appends what it receives to its string, which is therefore a prefix of
LLabels(p), the labels from p counter-clockwise. Once some label occurs 2k+1 times in it, the string covers the ring
more than twice, and p can see the whole ring, and whether it is the true leader.

Table 1 lets the leader choose between A2 and A5: after A3 it consumes the remaining tokens without appending them, so
that a token smaller than the one that would continue its string makes Leader(string . x) false, and A2 is enabled
again. An A2 then sends the token to processes that have halted, and the links never become empty. The prose means that
the leader consumes: A2 has the conjunct `not p.isLeader` here. `-p printed=1` leaves it out.
"""

from princeps.model import (
    Flag,
    Guarded,
    Label,
    Look,
    Mark,
    Message,
    Param,
    Params,
    Process,
    Ring,
    RingAlgorithm,
    Word,
    WordVariable,
    on,
    outside_class,
    start,
)

TOKEN, FINISH = Message("<x>"), Message("<FINISH>")


def Leader(sigma: Word, c: Params) -> bool:
    """2k+1 copies of some label, and srp(sigma) = LW(srp(sigma))"""
    return sigma.srp_is_lyndon() and sigma.mlty() >= 2 * c.k + 1  # the cheaper question first: 1.2x


@start
def A1(p: Process, c: Params) -> Guarded:
    yield p.INIT
    p.INIT = 0
    p.string = p.string + p.id
    p.send(TOKEN, p.id)


@on(TOKEN)
def A2(p: Process, x: Label, c: Params) -> Guarded:
    yield not p.INIT and (not p.isLeader or c.printed) and not Leader(p.string + x, c)
    p.string = p.string + x
    p.send(TOKEN, x)


@on(TOKEN)
def A3(p: Process, x: Label, c: Params) -> Guarded:
    yield not p.INIT and not p.isLeader and Leader(p.string + x, c)
    p.string = p.string + x
    p.isLeader = 1
    p.leader = p.id
    p.done = 1
    p.send(FINISH)


@on(FINISH)
def A4(p: Process, c: Params) -> Guarded:
    yield not p.INIT and not p.isLeader
    p.leader = p.string.first_of_LW_srp()
    p.done = 1
    p.send(FINISH)
    p.halt()


@on(TOKEN)
def A5(p: Process, x: Label, c: Params) -> Guarded:
    yield not p.INIT and p.isLeader
    # nothing: the token is consumed


@on(FINISH)
def A6(p: Process, c: Params) -> Guarded:
    yield not p.INIT and p.isLeader
    p.halt()


class AK(RingAlgorithm):
    name = "a_k"
    title = "asymmetric unidirectional rings, labels at most k times each: time O(kn), O(knb) bits"
    paper = (
        "Altisen, Datta, Devismes, Durand, Larmore: Leader election in asymmetric labeled unidirectional rings (2017)"
    )
    elects_true_leader = True
    k = Param(min=1, default="multiplicity", doc="no label occurs more than k times")
    printed = Param(min=0, max=1, default=0, doc="1: Table 1 as printed, whose leader may send tokens on")
    INIT = Flag(initially=1)
    string = WordVariable()
    look = Look(marks=[Mark("flag", "knows the leader", when=lambda p: p.done == 1, hue=3)], bar="string", color="done")
    actions = (A1, A2, A3, A4, A5, A6)
    bounds = {  # Theorem 2
        "time": lambda ring, c: (2 * c.k + 2) * ring.n,
        "messages": lambda ring, c: ring.n**2 * (2 * c.k + 1),
        "max_bits": lambda ring, c: (2 * c.k + 1) * ring.n * ring.label_bits + 2 * ring.label_bits + 3,
    }

    @staticmethod
    def demands(ring: Ring, c: Params) -> str | None:
        return outside_class(ring, c.k, "A")

    @staticmethod
    def least_messages(ring: Ring, c: Params) -> int:
        """Every process sends a token for each letter of the leader's string, which has 2k + 1 copies of a label."""
        return ring.n**2 * (2 * c.k // ring.multiplicity)

    @staticmethod
    def smallest_k(ring: Ring) -> int:
        return ring.multiplicity

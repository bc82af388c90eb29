"""Election on any connected graph with tokens that travel: six states, from a uniform start.

A reconstruction: the protocol is Beauquier, Blanchard, Burman (2013), known as the constant-state protocol of Alistarh,
Rybicki, Voitovych (2022); the rules are ours, from the idea.

Everyone begins as a leader with a black token. Whoever meets swaps tokens, so that tokens walk over the graph. Where two
black ones meet, one turns white, and a white token removes the first leader that it comes to, and itself. There are
always as many leaders as tokens, and always a black token: a leader remains.
"""

from princeps.model import (
    Agent,
    Bit,
    Blocks,
    Counts,
    GroupSpec,
    Look,
    Mark,
    Never,
    OneOf,
    Params,
    PopulationProtocol,
)

NONE, BLACK, WHITE = range(3)


def initial(n: int, p: Params) -> list[tuple[int, dict[str, int]]]:
    """everyone leads and has a black token"""
    return [(n, {"leader": 1, "token": BLACK})]


def black(a: Agent, p: Params) -> int:
    """has a black token"""
    return a.token == BLACK


def white(a: Agent, p: Params) -> int:
    """has a white token"""
    return a.token == WHITE


def as_many_tokens(c: Counts, p: Params) -> int:
    """there are as many leaders as tokens"""
    return c.leaders == c.black + c.white


def some_black(c: Counts, p: Params) -> int:
    """there is a black token, and therefore a leader"""
    return c.black >= 1


def created(before: Agent, after: Agent, p: Params) -> int:
    """a follower has become a leader"""
    return before.leader == 0 and after.leader == 1


class Tokens(PopulationProtocol):
    name = "tokens"
    title = "tokens that travel, constant memory on any connected graph (a reconstruction)"
    paper = "after Beauquier, Blanchard, Burman (2013)"
    topology = "any"
    guarantee = "stabilizing"

    leader = Bit()
    token = OneOf("NONE", "BLACK", "WHITE")
    look = Look(
        marks=[
            Mark("dot", "black token", when=lambda a: a.token == BLACK, hue=7),
            Mark("ring", "white token", when=lambda a: a.token == WHITE, hue=3),
        ],
    )

    starts = {"initial": Blocks(initial)}
    predicates = {"black": black, "white": white}
    invariants = {"as many tokens as leaders": as_many_tokens, "some black token": some_black}
    lemmas = {"created": Never("no leader is ever created", created, "some:leader")}

    @staticmethod
    def interact(a: Agent, b: Agent, p: Params) -> None:
        a.token, b.token = b.token, a.token
        if a.token == BLACK and b.token == BLACK:
            b.token = WHITE
        for c in (a, b):
            if c.leader == 1 and c.token == WHITE:
                c.leader, c.token = 0, NONE

    @staticmethod
    def expected_steps(n: int, p: Params) -> float | None:
        return 1.2 * n * n  # measured on the complete graph; a path or a ring takes longer

    @staticmethod
    def groups(p: Params) -> list[GroupSpec]:
        return [{"leader": range(2), "token": range(2)}, {"leader": 0, "token": WHITE}]  # no leader keeps a white token

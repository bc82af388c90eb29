"""Fischer and Jiang's elections with an oracle: what each rule makes of sets, the ring as (bullets, shields, leaders)."""

from .scheduler import State

LEFT, RIGHT = 0, 1


def delta_complete(a: State, b: State, p: State) -> tuple[State, State]:
    """Nobody: the initiator begins. Two: the initiator stays."""
    if p["nobody_leads"]:
        return {"leader": 1}, dict(b)
    return dict(a), {"leader": b["leader"] & (1 - a["leader"])}


def delta(a: State, b: State, p: State) -> tuple[State, State]:
    """Where bullets and shields are after one interaction, and who leads."""
    agents = (a, b)
    bullets, shields, leaders = (
        {side for side in (LEFT, RIGHT) if agents[side][what]} for what in ("bullet", "shield", "leader")
    )
    if p["nobody_leads"]:
        for things in (bullets, shields, leaders):
            things.add(RIGHT)
        return _agent(LEFT, bullets, shields, leaders), _agent(RIGHT, bullets, shields, leaders)
    flies, floats = LEFT in bullets, RIGHT in shields  # the bullet that moves right, the shield that moves left
    bullets.discard(LEFT)
    if floats:
        shields = {LEFT}
    if flies and not floats:
        if RIGHT in leaders:
            leaders.remove(RIGHT)
        else:
            bullets.add(RIGHT)
    if RIGHT in leaders:
        bullets.add(RIGHT)
    return _agent(LEFT, bullets, shields, leaders), _agent(RIGHT, bullets, shields, leaders)


def _agent(side: int, bullets: set[int], shields: set[int], leaders: set[int]) -> State:
    return {"leader": int(side in leaders), "bullet": int(side in bullets), "shield": int(side in shields)}

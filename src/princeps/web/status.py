"""A status: what all pages are told of a watch, ten times a second at most."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from princeps.web.watch import Watch


def status_of(watch: Watch) -> dict[str, Any]:
    if watch.branches is None:
        return {"v": watch.version, "playing": False, "speed": watch.pace.speed, "busy": None}
    session, branch = watch.session, watch.branches.current
    return {
        "v": watch.version,
        "step": str(session.steps),
        "end": str(session.last_step),
        "playing": watch.playing,
        "seeking": watch.seeking,
        "speed": watch.pace.speed,
        "branch": branch.number,
        "branches": len(watch.branches.all),
        "leaders": str(session.leaders),
        "hit": None if branch.hit is None else str(branch.hit),
        **watch.judging.judged(session, watch.moves, watch.hurries),
        "stuck": watch.advancing.is_stuck and not session.in_the_past,
        "note": watch.note,
        "command": watch.shown_command.of(watch.branches, watch.run_number, watch.moves),
        "busy": None,
    }

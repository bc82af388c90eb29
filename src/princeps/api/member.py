"""An agent of a cluster, for applications."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING

from princeps.api.arguments import a_path, or_none, reads
from princeps.model.modules import refuse_while_loading
from princeps.model.numbers import read_integer
from princeps.model.options import explained

if TYPE_CHECKING:
    from princeps.network.cluster.judging import Judged
    from princeps.network.cluster.member import Member


@explained
@reads(path=a_path, agent=or_none(read_integer))
def member(path: str | PathLike[str], agent: int | None = None) -> Member:
    """One agent of the cluster that a TOML file describes: `async with princeps.member("cluster.toml") as me`.

    `me.leads` says whether it leads, `await me.leadership()` returns when it does, `me.on_change(callback)` calls
    `callback(leads, term)`, and `me.term` is a number to fence with. `with` instead of `async with` runs it in a thread.
    """
    refuse_while_loading("princeps.member")
    from princeps.network.cluster.file import read_cluster
    from princeps.network.cluster.member import Member

    return Member(read_cluster(path), agent)


def judge(paths: list[str]) -> Judged:
    """The logs of a cluster, in one order, replayed by the reference engine."""
    from princeps.network.cluster.judging import judge_logs

    return judge_logs(paths)

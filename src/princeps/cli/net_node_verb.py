"""princeps net node --join cluster.toml"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from typing import Annotated, Any

from princeps.cli.frame import BAD_INPUT, DONE, complain, verb
from princeps.cli.options import own

EXAMPLES = (
    "princeps net node --join cluster.toml",
    "princeps net node --join cluster.toml --agent 3 --agent 4",
    "princeps net node --join cluster.toml --agent 0 --for 60s",
)
ALONE = 5.0  # seconds without an answer, after which that is said


@verb
def command(
    join: Annotated[str, own("--join", metavar="FILE", help="The cluster.toml that all agents share.")],
    agent: Annotated[
        list[str] | None,
        own(
            "--agent", metavar="NUMBER", help="Which agent; repeatable. Default: the first whose address is free here."
        ),
    ] = None,
    duration: Annotated[
        str | None, own("--for", metavar="TIME", help="Leave after so long, like 60s; default: at Ctrl-C.")
    ] = None,
) -> int:
    """One agent, or several, of a population that is spread over several machines."""
    from princeps.api.member import member
    from princeps.errors import RunError
    from princeps.model.announcing import leave_to_others
    from princeps.model.numbers import read_count, read_seconds

    leave_to_others()
    seconds = None if duration is None else read_seconds(duration, "--for")
    numbers: list[int | None] = [read_count(one, "agent") for one in agent or []]
    for number in numbers:
        if numbers.count(number) > 1:
            raise RunError(f"--agent {number} is given twice: give each agent once.")
    members = [member(join, number) for number in numbers or [None]]
    for warning in members[0].cluster.warnings:
        complain(warning)
    return asyncio.run(_serve(members, seconds))


async def _serve(members: list[Any], seconds: float | None) -> int:
    loop, stop = asyncio.get_running_loop(), asyncio.Event()
    for one in (signal.SIGINT, signal.SIGTERM):
        with suppress(NotImplementedError):  # Windows
            loop.add_signal_handler(one, stop.set)
    async with AsyncExitStack() as stack:
        for me in members:
            me.on_change(_teller(me))
            await stack.enter_async_context(me)
            print(f"agent {me.agent}, incarnation {me.incarnation}, at {me.address}", flush=True)
        tasks = [asyncio.create_task(_watch(me, stop)) for me in members]
        with suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), seconds)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    failures = [me.failure for me in members if me.failure]
    for failure in failures:
        complain(failure)
    return BAD_INPUT if failures else DONE


def _teller(me: Any) -> Callable[[bool, int], None]:
    led = False

    def tell(leads: bool, term: int) -> None:
        nonlocal led
        if leads:
            print(f"agent {me.agent} leads, term {term}", flush=True)
        elif led:
            print(f"agent {me.agent} leads no more", flush=True)
        led = leads

    return tell


async def _watch(me: Any, stop: asyncio.Event) -> None:
    """Until it fails; says who differs or is not let in, and that nobody answers."""
    said: dict[int | str, str] = {}
    loop = asyncio.get_running_loop()
    alone = loop.time() + ALONE
    while not me.failure:
        await asyncio.sleep(0.2)
        for other, why in me.differs.items():
            if said.get(other) != why:
                said[other] = why
                complain(f"agent {other} is not of this cluster: {why}.")
        for somebody, why in me.not_let_in.items():
            if said.get(somebody) != why:
                said[somebody] = why
                complain(f"{somebody} is not connected with agent {me.agent}: {why}.")
        if me.peers:
            alone = loop.time() + ALONE
        elif loop.time() >= alone:
            alone = float("inf")
            wrong = me.counters.get("wrong tag", 0)
            more = f", and {wrong} frames have a wrong tag: compare the keys" if wrong else ""
            complain(f"nobody has answered agent {me.agent}{more}.")
    stop.set()

"""A network run on a page: live, served by a process of its own, or saved when it has ended."""

from __future__ import annotations

import threading
import time
import webbrowser
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from princeps.api.net import HOST
from princeps.api.net_batches import Batch, Gathered, result_json, session_of
from princeps.api.page_process import PageProcess, Watched
from princeps.model.files import SAVED_PAGE, Output
from princeps.model.rings.run import RingRun
from princeps.model.run import Run
from princeps.network.forking import uninterrupted

if TYPE_CHECKING:
    from princeps.network.report import NetResult
    from princeps.network.rings.report import RingNetResult
    from princeps.web.saved_page import SavedPage

Say = Callable[[str], None]


@dataclass(frozen=True)
class Page:
    """How a network run is shown. `say` is told the address, `tell` what happens, `warn` what it means to be reached by others."""

    watch: bool = True
    save: str | None = None
    force: bool = False  # replaces a file that princeps did not write
    inputs: Sequence[str] = ()  # files that are read, which it never replaces
    browser: bool = True
    host: str = HOST
    port: int = 0
    say: Say = print
    tell: Say = print
    warn: Say | None = None


@contextmanager
def shown_on(
    page: Page, run: Run | RingRun, told: dict[str, Any]
) -> Iterator[tuple[Gathered, Callable[[NetResult | RingNetResult], None]]]:
    """Somebody who looks on at the run, and what is to be called with its result."""
    if page.save is not None:
        Output(page.save, SAVED_PAGE, page.inputs, page.force).check()
    if page.watch:
        from princeps.web.server import require_extra, warning_of

        require_extra()
        warning = warning_of(page.host)
        if warning is not None:
            (page.warn or page.tell)(warning)
    kept: list[Batch] = []
    if not page.watch:
        onlooker = Gathered(run, kept.append)

        def save(result: NetResult | RingNetResult) -> None:
            onlooker.finish(result.seconds)
            _save(page, run, told, kept, result)

        yield onlooker, save
        return
    with PageProcess(run, told, page.host, page.port) as process:

        def hand(batch: Batch) -> None:
            process.send(batch)
            if page.save is not None:
                kept.append(batch)

        watched = Watched(run, hand, process, told["transport"] == "memory")

        def end(result: NetResult | RingNetResult) -> None:
            with suppress(KeyboardInterrupt):  # it ends the page, and nothing else
                with uninterrupted():
                    watched.finish(result.seconds)
                    process.send({"ended": result_json(result)})
                    if page.save is not None:
                        _save(page, run, told, kept, result)
                    if not process.is_gone:
                        page.tell("the run has ended; the page stays until Ctrl-C.")
                process.stay()

        page.say(process.address)
        if page.browser:
            threading.Thread(target=webbrowser.open, args=(process.address,), daemon=True).start()
        watched.began = time.monotonic()
        yield watched, end


def _save(
    page: Page, run: Run | RingRun, told: dict[str, Any], batches: list[Batch], result: NetResult | RingNetResult
) -> None:
    assert page.save is not None
    saved = saved_page(run, told, batches, result)
    saved.inputs = page.inputs
    saved.save(page.save, force=page.force)
    page.tell(f"the page is in {page.save}")


def saved_page(
    run: Run | RingRun, told: dict[str, Any], batches: list[Batch], result: NetResult | RingNetResult
) -> SavedPage:
    """One file that replays the network run."""
    from princeps.web.network_watch import NetworkWatch
    from princeps.web.saved_page import SavedPage

    watch = NetworkWatch(told, lambda order: None)
    watch.open_tape(session_of(run))
    for batch in batches:
        watch.tape.append(batch)
    watch.result = result_json(result)
    return SavedPage(watch.recording())

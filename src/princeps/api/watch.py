"""Watch a run on a page: a server on this machine, a saved page, or the page inside a notebook."""

from __future__ import annotations

import threading
import webbrowser
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from princeps.api.arguments import a_path, a_text, or_none, reads
from princeps.api.engines import ENGINE_HELP
from princeps.api.exact import analysed
from princeps.errors import RunError
from princeps.model import registry
from princeps.model.announcing import leave_to_others
from princeps.model.description import Description, Named, describe, with_seed
from princeps.model.files import SAVED_PAGE, Output
from princeps.model.machine import in_notebook
from princeps.model.modules import refuse_while_loading
from princeps.model.numbers import read_integer
from princeps.model.options import Count, RunOptions, explained, takes_options
from princeps.model.options.run import OF_WHOLE_RUNS, STEP_BY_STEP

if TYPE_CHECKING:
    from princeps.analysis.report import Exact
    from princeps.analysis.rings.report import ExactRing
    from princeps.web.saved_page import SavedPage
    from princeps.web.server import Serving

HOST = "127.0.0.1"
SAVED_STEPS = 10**8  # of a run that is saved without being watched, at most
NOTEBOOK_STEPS = 10**6

Say = Callable[[str], None]
Begun = Callable[[], Any]  # makes a session


@reads(script=or_none(a_text), save=or_none(a_path), host=a_text)
@takes_options(RunOptions, without=OF_WHOLE_RUNS, help=ENGINE_HELP, why_without=STEP_BY_STEP)
@explained
def watch(
    name: Named | Exact | ExactRing | None = None,
    n: Count | None = None,
    *,
    script: str | None = None,
    save: str | None = None,
    browser: bool = True,
    host: str = HOST,
    port: int = 0,
    **given: Any,
) -> SavedPage | None:
    """Open a page on which a run is watched, stepped, rewound, attacked and shared, until Ctrl-C.

    Without a protocol the page offers the library. Given what `exact` has found, its counterexample or worst start is
    watched. In a notebook, and with `save`, no server is started: the run goes to
    its goal, and the page that replays it is returned, which a notebook shows. The other options are those of `run`.
    """
    refuse_while_loading("princeps.watch")
    found = analysed(name)
    if found is not None:
        if n is not None or script is not None or given:
            raise RunError(
                "the answer of exact says which run is watched: give nothing beside it but save, browser, host and port."
            )
        return _watch_example(name, found, save, browser=browser, host=host, port=read_integer(port, "port"))
    description = None if name is None else describe(name, n, **given)  # type: ignore[arg-type]
    if name is None and (n is not None or given):
        raise RunError("which protocol? Give its name, like princeps.watch('p_rl', n=60), or nothing for the library.")
    if save is not None or in_notebook():
        return saved_page(description, script, None if save is not None else NOTEBOOK_STEPS, save=save)
    serve(description, script, browser=browser, host=host, port=read_integer(port, "port"), say=print)
    return None


def serve(
    description: Description | None,
    script: str | None = None,
    *,
    browser: bool = True,
    host: str = HOST,
    port: int = 0,
    say: Say,
    warn: Say | None = None,
    begun: Begun | None = None,
    shows: str = "",
) -> None:
    """Until Ctrl-C. `say` is told the address, `warn` what it means to be bound to an address that others reach.

    `begun` makes a session that is watched instead of the run that is described, and `shows` says on the page what it is.
    """
    from princeps.web.server import require_extra, warning_of

    require_extra()  # before anything is compiled
    serving = serving_of(description, script, host, port, begun, shows)
    try:
        warning = warning_of(host)
        if warning is not None:
            (warn or say)(warning)
        say(serving.address)
        if browser:
            threading.Thread(target=webbrowser.open, args=(serving.address,), daemon=True).start()
        leave_to_others()  # a server that waits is no long work
        serving.run()
    except KeyboardInterrupt:
        return  # the way to end it
    finally:
        serving.socket.close()
        serving.player.stop()


def serve_example(
    found: Any,
    description: Description,
    *,
    browser: bool = True,
    host: str = HOST,
    port: int = 0,
    say: Say,
    tell: Say,
) -> None:
    """What an exact analysis found (a counterexample, a trap, a worst start) on the page, until Ctrl-C.

    `tell` is told what is shown, `say` the address.
    """
    from princeps.web.from_exact import example_of

    example = example_of(found, description)
    tell(example.title)
    serve(description, browser=browser, host=host, port=port, say=say, begun=example.open, shows=example.shows)


def _watch_example(found: Any, description: Description, save: str | None, **how: Any) -> SavedPage | None:
    """The same from Python: in a notebook, and with `save`, as the page that replays it."""
    if save is None and not in_notebook():
        serve_example(found, description, **how, say=print, tell=print)
        return None
    from princeps.web.from_exact import example_of
    from princeps.web.recording import record
    from princeps.web.saved_page import SavedPage

    example = example_of(found, description)
    session = example.open()
    session.goto(session.last_step)
    if session.steps == 0:
        session.run_until(max_steps=NOTEBOOK_STEPS)
    page = SavedPage(record(session, shows=example.shows), inputs=description.inputs)
    if save is not None:
        page.save(save)
    return page


def refuse_without_extra() -> None:
    """Before a long analysis whose result is to be watched."""
    from princeps.web.server import require_extra

    require_extra()


def serving_of(
    description: Description | None,
    script: str | None = None,
    host: str = HOST,
    port: int = 0,
    begun: Begun | None = None,
    shows: str = "",
) -> Serving:
    """A server that is bound, and its run at the start or at the end of a script."""
    from princeps.web.actions import Actions
    from princeps.web.player import Player
    from princeps.web.server import Serving
    from princeps.web.watch import Watch

    watch = Watch()
    actions = Actions(watch, description)
    player = Player(watch, actions)

    def begin() -> None:
        if begun is None:
            _begin(watch, actions, description, script)
        else:
            watch.begin(begun(), shows)

    player.begin(begin)
    try:
        return Serving(player, host, port, saved=lambda: page_of_watch(player))
    except BaseException:
        player.stop()
        raise


def _begin(watch: Any, actions: Any, description: Description | None, script: str | None) -> None:
    from princeps.model.reading_scripts import load_script
    from princeps.model.script_codes import is_code, read_code

    if script is not None:
        if description is not None and not _names_only_a_protocol(description):
            raise RunError("the script says which run it is: give nothing but the protocol beside it.")
        actions.open_script(read_code(script) if is_code(script) else load_script(script), is_own=not is_code(script))
    elif description is not None and not (_is_bare(description) and watch.open_story(description.spec)):
        watch.open(with_seed(description))


def _is_bare(description: Description) -> bool:
    """Nothing but a protocol of the library is named: the run of its story is meant."""
    return _names_only_a_protocol(description) and description.spec in registry.names()


def _names_only_a_protocol(description: Description) -> bool:
    options = description.options
    given = (getattr(options, one.name) for one in fields(options))
    usual = (getattr(RunOptions(), one.name) for one in fields(options))
    left_alone = all(
        type(a) is type(b) and a == b for a, b in zip(given, usual, strict=True)
    )  # arrays have no one truth
    return description.n is None and not description.params and left_alone


def page_of_watch(player: Any) -> Future[bytes]:
    """The run that is watched, up to the present step, as a page that needs no server."""
    from princeps.web.player import SAVE
    from princeps.web.recording import record
    from princeps.web.saved_page import SavedPage

    def made() -> bytes:
        session = player.watch.session
        return SavedPage(record(session.fork(), shows=player.watch.shows)).text.encode()

    saved: Future[bytes] = player.submit(made, SAVE)
    return saved


def saved_page(
    description: Description | None,
    script: str | None = None,
    most: int | None = None,
    *,
    save: str | None = None,
    force: bool = False,
) -> SavedPage:
    """A run to its goal, or a script to its end, as a page that needs no server; with `save` also into this file."""
    from princeps.web.actions import Actions
    from princeps.web.recording import record
    from princeps.web.saved_page import SavedPage
    from princeps.web.watch import Watch

    if description is None and script is None:
        raise RunError("which run is saved? Give a protocol, like p_rl with n=60, or a script.")
    inputs = [*([] if description is None else description.inputs), *([] if script is None else [script])]
    if save is not None:
        Output(save, SAVED_PAGE, inputs, force).check()
    watch = Watch()
    _begin(watch, Actions(watch, description), description, script)
    session = watch.session
    session.goto(session.last_step)
    if session.steps == 0:
        session.run_until(max_steps=most or SAVED_STEPS)
    page = SavedPage(record(session), inputs=[*inputs, *session.files])
    if save is not None:
        page.save(save, force)
    return page

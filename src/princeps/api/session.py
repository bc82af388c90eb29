"""A run that can be held in the hand, and the replay of its script."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from princeps.api.arguments import a_path, a_text, or_none, reads
from princeps.api.engines import ENGINE_HELP
from princeps.model.announcing import announces
from princeps.model.description import Description, Named, describe, read_command, with_seed
from princeps.model.modules import refuse_while_loading
from princeps.model.options import Count, RunOptions, explained, takes_options
from princeps.model.options.run import OF_WHOLE_RUNS, STEP_BY_STEP
from princeps.model.reading import read_limit

if TYPE_CHECKING:
    from princeps.engines.rings.session import RingSession
    from princeps.engines.session import Session


@announces("princeps.session")
@takes_options(RunOptions, without=OF_WHOLE_RUNS, help=ENGINE_HELP, why_without=STEP_BY_STEP)
def session(name: Named, n: Count | None = None, **given: Any) -> Session | RingSession:
    """A run at its start, to be stepped, rewound and attacked; the options are those of `run`.

    Without a seed one is chosen, and the session's command names it. Of a ring algorithm it is a RingSession.
    """
    from princeps.engines.opening import session_described

    refuse_while_loading("princeps.session")
    return session_described(with_seed(describe(name, n, **given)))


@explained
@announces("princeps.replay")
@reads(path=a_path, engine=or_none(a_text))
def replay(
    path: str,
    *,
    protocol: Named | None = None,
    engine: str | None = None,
    strict: bool = True,
    max_steps: Count | None = None,
    announce: Callable[[str], None] | None = None,
) -> Session | RingSession:
    """The session that a script describes, at its last state; a script is a file, or the code in a link of `princeps watch`.

    A protocol whose content has changed since is refused; with `strict=False` it is replayed all the same, with a
    warning. A class of a script or a notebook is taken from the text that the script file carries, which is executed;
    `protocol` is the class to use instead, `engine` another engine.
    What takes more than a week is refused, unless `max_steps` allows as many steps; what takes more than a moment is
    told to `announce`.
    """
    from princeps.engines.opening import description_of, refuse_long, refuse_other_identity, session_described
    from princeps.model.reading_scripts import load_script
    from princeps.model.script import at_place
    from princeps.model.script_codes import is_code, read_code, refuse_files, refuse_text

    script = read_code(path) if is_code(path) else load_script(path)
    with at_place(script.place):
        if is_code(path):
            refuse_text(script)
            refuse_files(read_command(script.command), None if protocol is None else Description(protocol))
        description = description_of(script, path, protocol)
        if engine is not None:
            description = description.with_options(engine=engine)
        begun = session_described(description)
    if protocol is not None or script.gathered is None:  # what the script carries cannot have changed
        refuse_other_identity(begun, script, path, strict)
    refuse_long(begun, script, read_limit(max_steps), announce)
    return begun.perform(script)

"""A run that can be held in the hand, and the replay of its script."""

from __future__ import annotations

import shlex
import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from princeps.api.arguments import a_path, a_text, or_none, reads
from princeps.api.engines import ENGINE_HELP
from princeps.api.run import read_described
from princeps.engines.registry import ENGINES
from princeps.errors import RunError
from princeps.model.announcing import announces
from princeps.model.carried import Carried
from princeps.model.description import Description, Named, describe, read_command, with_seed
from princeps.model.limits import refuse_long_script
from princeps.model.modules import refuse_while_loading
from princeps.model.numbers import duration_in_words, in_words
from princeps.model.options import Count, RunOptions, explained, is_given, options_of, takes_options
from princeps.model.protocol import PopulationProtocol
from princeps.model.reading import read_limit
from princeps.model.rings.algorithm import RingAlgorithm
from princeps.model.run import Run

if TYPE_CHECKING:
    from princeps.engines.rings.session import RingSession
    from princeps.engines.session import Session

# What a session does step by step instead: attacks, recording, waiting.
OF_WHOLE_RUNS = ("faults", "hold", "record", "every", "snapshots")
ANNOUNCED_SECONDS = 5


@announces("princeps.session")
@takes_options(RunOptions, without=OF_WHOLE_RUNS, help=ENGINE_HELP)
def session(name: Named, n: Count | None = None, **given: Any) -> Session | RingSession:
    """A run at its start, to be stepped, rewound and attacked; the options are those of `run`.

    Without a seed one is chosen, and the session's command names it. Of a ring algorithm it is a RingSession.
    """
    refuse_while_loading("princeps.session")
    return session_described(with_seed(describe(name, n, **given)))


def session_described(description: Description) -> Session | RingSession:
    known = options_of(RunOptions)
    said = vars(description.options)
    unfit = next((option for option in OF_WHOLE_RUNS if is_given(said[option], known[option])), None)
    if unfit is not None:
        raise RunError(f"{unfit} is for a whole run: a session is attacked and looked at step by step. Leave it out.")
    made = read_described(description)
    if isinstance(made, Run):
        from princeps.engines.session import Session

        return Session(made)
    from princeps.engines.rings.session import RingSession

    return RingSession(made)


@explained
@announces("princeps.replay")
@reads(path=a_path, engine=or_none(a_text))
def replay(
    path: str,
    *,
    protocol: type[PopulationProtocol] | type[RingAlgorithm] | None = None,
    engine: str | None = None,
    strict: bool = True,
    max_steps: Count | None = None,
    announce: Callable[[str], None] | None = None,
) -> Session | RingSession:
    """The session that a script file describes, at its last state.

    A protocol whose content has changed since is refused; with `strict=False` it is replayed all the same, with a
    warning. A class of a script or a notebook is taken from the text that the script file carries, which is executed;
    `protocol` is the class to use instead, `engine` another engine.
    What takes more than a week is refused, unless `max_steps` allows as many steps; what takes more than a moment is
    told to `announce`.
    """
    from princeps.model.reading_scripts import load_script
    from princeps.model.script import Steps, at_place

    script = load_script(path)
    with at_place(script.place):
        description = read_command(script.command)
        if protocol is not None:
            description = replace(description, protocol=protocol)
        elif script.gathered is not None:
            description = replace(description, protocol=_carried(script.gathered, path))
        elif script.no_text:
            name = str(description.protocol).rpartition(":")[2]
            raise RunError(
                f"the script keeps no text of {name} ({script.no_text.rstrip('.')}): give the class, "
                f"princeps.replay({path!r}, protocol={name})."
            )
        if engine is not None:
            description = description.with_options(engine=engine)
        begun = session_described(description)
    now = begun.identity
    is_its_own = protocol is None and script.gathered is not None  # what the script carries cannot have changed
    if script.identity is not None and now != script.identity and not is_its_own:
        sentence = f"the protocol has changed since {path!r} was written (identity {script.identity}, now {now})"
        if strict:
            raise RunError(f"{sentence}: princeps.replay({path!r}, strict=False) replays it all the same.")
        warnings.warn(f"{sentence}: the replay may differ.", stacklevel=2)
    steps = sum(event.count for event in script.events if isinstance(event, Steps))
    rate = ENGINES[begun.engine].steps_per_second if begun.engine in ENGINES else None
    if rate is not None:
        refuse_long_script(steps, steps // rate, read_limit(max_steps))
        if announce is not None and steps > ANNOUNCED_SECONDS * rate:
            announce(f"{in_words(steps)} steps are replayed, which take about {duration_in_words(steps // rate)}.")
    return begun.perform(script)


def _carried(text: Carried, path: str) -> Carried:
    """The class that a script carries. It is executed here and nowhere else: a replay is what the user asked for."""
    reason = (
        f"the script {path!r} keeps {text.class_name} as text: princeps run --script {shlex.quote(path)} replays it"
    )
    return replace(text, spec=text.class_name, no_command=reason)

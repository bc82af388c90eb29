"""What each word of a page does to the watch, and what is answered. Only the thread that owns the watch calls this."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from princeps.engines.opening import description_of, seconds_of, session_described
from princeps.errors import PrincepsError, RunError, TooLarge
from princeps.model import registry
from princeps.model.description import Description, chosen_seed, read_command
from princeps.model.numbers import duration_in_words
from princeps.model.options import RunOptions
from princeps.model.protocol import PopulationProtocol
from princeps.model.script import Script
from princeps.model.script_codes import code_of, command_of_code, read_code, refuse_files, refuse_text
from princeps.web.about import first_paragraph
from princeps.web.attacks import attack_of
from princeps.web.bound_look import look_of
from princeps.web.branches import REPLAY_SECONDS, compare
from princeps.web.looking_back import card, frames_before, last_lines
from princeps.web.messages import MAX_CODE
from princeps.web.story import story_of
from princeps.web.watch import Watch

Answer = dict[str, Any]
SIZES = {"population": "60", "ring": "12"}  # of a run that is chosen without one


class Actions:
    """The words of pages that watch one run; `given` is the run of the command line, whose files may be named."""

    def __init__(self, watch: Watch, given: Description | None = None) -> None:
        self.watch, self.given = watch, given

    def perform(self, word: str, arguments: dict[str, Any]) -> Answer:
        """`hello` and `frame` are answered by the player."""
        does: Callable[..., Answer | None] = getattr(self, f"_{word}")
        return does(**arguments) or {}

    # -- time ---------------------------------------------------------------------------------------------------

    def _play(self) -> None:
        self.watch.play()

    def _pause(self) -> None:
        self.watch.pause()

    def _speed(self, value: float | None) -> None:
        self.watch.set_speed(value)

    def _step(self, count: int) -> Answer:
        self.watch.step(count)
        return self._where()

    def _back(self, count: int) -> Answer:
        self.watch.goto(max(0, self.watch.session.steps - count))
        return self._where()

    def _goto(self, step: int) -> Answer:
        """Also to a step that is not reached yet, as long as nobody pauses."""
        last = self.watch.session.last_step
        self.watch.goto(min(step, last))
        if step > last:
            self.watch.step(step - last)
        return self._where()

    def _next(self, what: str) -> None:
        self.watch.seek(what)

    def _where(self) -> Answer:
        return {"step": str(self.watch.session.steps)}

    # -- acting -------------------------------------------------------------------------------------------------

    def _attack(self, kind: str, **given: Any) -> Answer:
        watch = self.watch
        what, action = attack_of(watch.session, kind, given)
        watch.act(what, action)
        assert watch.branches is not None
        return {**self._where(), "branch": watch.branches.current.number, "what": what}

    def _branch(self, number: int) -> Answer:
        self.watch.switch(number)
        return {**self._where(), "branch": number}

    def _compare(self, number: int) -> Answer:
        session, branches = self.watch.session, self.watch.branches
        assert branches is not None
        current = branches.current
        if number == current.number:
            return {"same": True, "differing": "0", "leaders": [str(session.leaders)] * 2, "step": str(session.steps)}
        other = branches.live(number).session
        assert other is not None
        return compare(session, other)

    # -- asking -------------------------------------------------------------------------------------------------

    def _card(self, agent: int) -> Answer:
        session = self.watch.session
        assert self.watch.branches is not None
        return card(session, agent)

    def _before(self, count: int) -> Answer:
        return {"frames": frames_before(self.watch.session, count)}

    def _lines(self) -> Answer:
        return last_lines(self.watch.session)

    def _series(self) -> Answer:
        self.watch.session  # noqa: B018 - refused where there is none
        assert self.watch.branches is not None
        return {"branches": [branch.as_json() for branch in self.watch.branches.all]}

    # -- sharing ------------------------------------------------------------------------------------------------

    def _link(self) -> Answer:
        session = self.watch.session
        script = session.script
        code = code_of(script)
        if len(code) > MAX_CODE:
            raise TooLarge(
                f"the link of this run has {len(code):,} characters, and a page opens at most {MAX_CODE:,}: save the page "
                f"instead, or attack fewer agents."
            )
        return {"code": code, "identity": session.identity, "command": command_of_code(script, code)}

    def _open(self, code: str) -> Answer:
        script = read_code(code)
        changed = self.open_script(script)
        return {"changed": changed, **self._where()}

    def open_script(self, script: Script, is_own: bool = False) -> bool:
        """Whether the protocol has changed since. `is_own`: of a file of the command line, which may name anything."""
        if not is_own:
            refuse_text(script)
            refuse_files(read_command(script.command), self.given)
        begun = session_described(description_of(script, script.place.rpartition(":")[0]))
        steps, seconds = seconds_of(begun, script)
        if not is_own and seconds is not None and seconds > REPLAY_SECONDS:
            raise TooLarge(
                f"the link has {steps:,} steps, which take about {duration_in_words(seconds)}: `princeps run --script` does it."
            )
        changed = script.identity is not None and begun.identity != script.identity
        begun.perform(script)
        self.watch.begin(begun)
        if changed:
            self.watch.note = "the protocol has changed since this link was made: the run may be another one"
        return changed

    def _choose(self, protocol: str, n: str | None, params: dict[str, str] | None, **options: str | None) -> Answer:
        said: dict[str, Any] = {name: value for name, value in options.items() if value is not None}
        said.setdefault("seed", str(chosen_seed()))
        description = Description(protocol, n, params or {}, RunOptions(**said))
        refuse_files(description, self.given)
        if not params and set(said) == {"seed"} and options["seed"] is None and self.watch.open_story(protocol, n):
            return self._where()
        if n is None and not ({"labels", "random"} & set(said)):
            description = Description(protocol, SIZES[description.kind], params or {}, description.options)
        self.watch.open(description)
        return self._where()

    def _live(self) -> None:
        raise RunError("this is no network run: princeps net --watch shows one.")

    def _order(self, kind: str, agent: int, seconds: float) -> Answer:
        raise RunError(f"this is no network run, and agent {agent} has no process: attack it instead.")

    def _library(self) -> Answer:
        found = [registry.find_any(name) for name in registry.names()]
        own = [] if self.given is None or self.given.spec in registry.names() else [self.given]
        return {
            "protocols": [
                *({**_entry(one.cls), "name": one.spec} for one in own),
                *map(_entry, found),
            ]
        }


def _entry(cls: Any) -> Answer:
    told = story_of(cls.name) if registry.is_in_library(cls) else None
    return {
        "name": cls.name,
        "title": cls.title,
        "paper": cls.paper,
        "kind": registry.kind_of(cls),
        "sentence": first_paragraph(cls),
        "n": SIZES[registry.kind_of(cls)] if told is None else str(told.options.get("n", "")),
        "topology": getattr(cls, "topology", "ring"),
        "look": _look(cls),
    }


def _look(cls: Any) -> Answer | None:
    """For the small picture of a protocol; None where it needs parameters that nobody gave."""
    try:
        return look_of(cls(int(SIZES["population"]))).as_json if issubclass(cls, PopulationProtocol) else None
    except PrincepsError:
        return None

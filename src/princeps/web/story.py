"""A story: a run of a protocol with captions at some steps, for somebody who has not read the paper.

It is data, stories/NAME.toml. Each caption says what must hold at its step, so that a story cannot become wrong without
a test failing:

    [run]                       # options of princeps.session, and
    steps = 700                 # how far it goes; of a ring algorithm without it: to the end
    [[attacks]]                 # in order: at which step, what, and its arguments
    at = 300
    do = "set"
    agent = 5
    fields = { leader = 1 }
    [[captions]]
    step = 26
    text = "..."
    agents = [2]
    lines = ["3", "4", "5"]     # of the paper, that the meeting which led to this step executed
    holds = ["leaders == 1", "agent 2: bullet == 2 and shield == 1"]

Of a ring algorithm, conditions are `action == B4`, `leaders == 1`, `messages == 3` (under way), `halted == 4` and
`process 2: state == PASSIVE, leader == 5` (texts as they are shown).
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from itertools import zip_longest
from typing import Any

from princeps.engines.opening import session_described
from princeps.engines.registry import REFERENCE
from princeps.engines.rings.session import RingSession
from princeps.engines.session import Session
from princeps.errors import PrincepsError
from princeps.model import registry
from princeps.model.description import describe, with_seed
from princeps.model.options import RING
from princeps.model.predicates import read_predicates
from princeps.model.script import Script, ScriptEvent, Steps
from princeps.model.script_codes import code_of
from princeps.web.ring_frame import processes_of

OF_ONE = re.compile(r"(agent|process) (\d+): (.*)")
COMPARED = re.compile(r"(\w+) (==|!=) (\S+)")


@dataclass(frozen=True)
class Story:
    """One file."""

    name: str  # of the protocol
    options: dict[str, Any]
    steps: int | None
    attacks: tuple[dict[str, Any], ...]
    captions: tuple[dict[str, Any], ...]

    def start(self, engine: str | None = None) -> Session | RingSession:
        """The run at its beginning."""
        options = self.options if engine is None else {**self.options, "engine": engine}
        return session_described(with_seed(describe(self.name, **options)))

    def session(self, engine: str | None = None) -> Session | RingSession:
        """The run at its end, attacks included: every caption's step can be gone to."""
        session = self._attacked(engine)
        if self.steps is None:
            session.run_until()
        else:
            session.step(self.steps - session.steps)
        return session

    def _attacked(self, engine: str | None) -> Session | RingSession:
        """The run up to its last attack."""
        session: Any = self.start(engine)
        for attack in self.attacks:
            session.step(attack["at"] - session.steps)
            given = {key: value for key, value in attack.items() if key not in ("at", "do", "fields")}
            getattr(session, attack["do"])(*given.values(), **attack.get("fields", {}))
        made: Session | RingSession = session
        return made

    @property
    def is_ring(self) -> bool:
        return registry.kind_of(registry.find_any(self.name)) == RING

    @property
    def events(self) -> list[tuple[int, ScriptEvent]]:
        """The attacks, as a session has them."""
        return self._attacked(REFERENCE).attacks if self.attacks else []

    @property
    def command(self) -> str:
        """The run without its attacks."""
        return _without_engine(self.start(None if self.is_ring else REFERENCE).words)

    def script(self) -> Script:
        """The whole run as a script that names no engine; only as much of it is executed as must be."""
        if self.steps is None:
            return self.session().script
        done = self._attacked(REFERENCE)
        script = replace(done.script, command=_without_engine(done.words))
        return replace(script, events=(*script.events, Steps(self.steps - done.steps)))

    def as_json(self) -> list[dict[str, Any]]:
        """For the page."""
        return [
            {
                "step": str(caption["step"]),
                "text": " ".join(caption["text"].split()),
                "agents": list(caption.get("agents", [])),
                "lines": list(caption.get("lines", [])),
            }
            for caption in self.captions
        ]

    def tells(self, session: Session | RingSession) -> bool:
        """The captions fit this run: it is the same one, whatever its engine."""
        if self.options.get("seed") != session.run.seed or self.options.get("n", session.n) != session.n:
            return False
        try:
            own = self.start(REFERENCE if isinstance(session, Session) else None)
        except PrincepsError:
            return False
        return _run_in_words(own) == _run_in_words(session)


def _run_in_words(session: Session | RingSession) -> str:
    return re.sub(r" --(until|max-steps) \S+", "", _without_engine(session.words))


def _without_engine(command: str) -> str:
    return re.sub(r" --engine \S+", "", command)


@cache
def story_of(name: str) -> Story | None:
    """The story of a protocol of the library."""
    place = files("princeps.web.stories").joinpath(f"{name}.toml")
    if not name.isidentifier() or not place.is_file():
        return None
    said = tomllib.loads(place.read_text(encoding="utf-8"))
    options = dict(said["run"])
    steps = options.pop("steps", None)
    return Story(name, options, steps, tuple(said.get("attacks", [])), tuple(said["captions"]))


def own_story(session: Session | RingSession) -> Story | None:
    """The story of the protocol that runs, whichever run tells it."""
    protocol = session.run.algorithm if isinstance(session, RingSession) else session.run.protocol
    story = story_of(protocol.name)
    is_own = story is not None and registry.find_any(protocol.name) is type(protocol)  # not one of the same name
    return story if is_own else None


def captions_for(session: Session | RingSession) -> list[dict[str, Any]] | None:
    """The captions of the story whose run this is, if there is one: those up to the first attack that differs."""
    story = own_story(session)
    if story is None or not story.tells(session):
        return None
    differ = next((pair for pair in zip_longest(session.attacks, story.events) if pair[0] != pair[1]), ())
    end = min((attack[0] for attack in differ if attack is not None), default=None)
    return [caption for caption in story.as_json() if end is None or int(caption["step"]) < end] or None


def holds(session: Session | RingSession, condition: str) -> bool:
    """A condition of a caption, at the present step."""
    one = OF_ONE.fullmatch(condition)
    if isinstance(session, RingSession):
        known: dict[str, str]
        if one is not None:
            known, text = processes_of(session)[int(one.group(2))]["values"], one.group(3)
        else:
            event, text = session.last_event, condition
            halted = sum(bool(one["halted"]) for one in session.configuration)
            numbers = {"leaders": session.leaders, "messages": len(session.under_way), "halted": halted}
            known = {"action": event.action if event else "", **{name: str(number) for name, number in numbers.items()}}
        return all(_compares(known, part.strip()) for part in text.split(","))
    if one is None:
        return session.holds(condition)
    protocol = session.run.protocol
    rule = read_predicates(protocol, [one.group(3)])[one.group(3)]
    agent = protocol.agent(session.population.state(int(one.group(2))))  # type: ignore[call-arg]
    return bool(protocol.ask(rule, agent, protocol.constants))


def _compares(known: dict[str, str], part: str) -> bool:
    found = COMPARED.fullmatch(part)
    if found is None:
        raise ValueError(f"{part!r} is no comparison like `state == PASSIVE`")
    name, sign, value = found.groups()
    return (known[name] == value) == (sign == "==")


@cache
def story_code(name: str) -> str | None:
    """What `open` opens on the page: the run of the story, with its attacks."""
    story = story_of(name)
    return None if story is None else code_of(story.script())

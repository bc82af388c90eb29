"""What the page shows of a ring algorithm at one moment: processes, the messages on the links, the last event."""

from __future__ import annotations

from typing import Any

from princeps.engines.rings.session import RingSession
from princeps.errors import TooLarge
from princeps.model.look import Look, takes_agent_only
from princeps.model.rings.algorithm import NUMBER, Local, RingAlgorithm
from princeps.model.rings.process import Acting, Process
from princeps.model.rings.ring import Label
from princeps.web.bound_look import Choice, marks_json, share_of

MAX_PROCESSES = 2000  # that a page draws one by one, each with its variables and messages


def refuse_large_ring(session: RingSession) -> None:
    if session.n > MAX_PROCESSES:
        raise TooLarge(
            f"a ring of {session.n:,} processes is too large for a page, which draws each of them: watch at most "
            f"{MAX_PROCESSES:,}, with -n {MAX_PROCESSES}; princeps run has no such limit."
        )


def ring_look(algorithm: RingAlgorithm) -> dict[str, Any]:
    """As the look of a population: processes may be coloured by any variable, and the marks of the file are drawn."""
    look = algorithm.look or Look()
    names = {name: tuple(values) for name, values in look.names.items()}
    names |= {name: tuple(variable.names) for name, variable in algorithm.variables_.items() if variable.names}
    named = next((name for name in algorithm.variables_ if name in names), None)
    return {
        "crown": "leads" if look.crown is None else "own",
        "color": look.color or named or "isLeader",
        "marks": marks_json(look.marks),
        "bar": None if look.bar is None else {"field": look.bar, "label": look.bar},
        "choices": [Choice("field", name, names.get(name)).as_json() for name in algorithm.variables_],
    }


def ring_frame(session: RingSession) -> dict[str, Any]:
    """The part of a "messages" frame that belongs to the run itself."""
    return {
        "kind": "messages",
        **happened(session),
        "leaders": str(session.leaders),
        "processes": processes_of(session),
        "time": session.time,
    }


def happened(session: RingSession) -> dict[str, Any]:
    """The last event, and the messages that are on the links after it."""
    event = session.last_event
    last = None
    if event is not None:
        received = "starts" if event.received is None else f"receives {event.received}"
        sent = ", ".join(f"{content} to the {content.side}" for content in event.sent)
        text = f"{event.action}: process {event.process} {received}{f', sends {sent}' if sent else ''}"
        last = {"process": event.process, "action": event.action, "text": text}
    return {
        "step": str(session.steps),
        "messages": [{"to": to, "side": side, "text": text} for to, side, text in session.under_way],
        "last": last,
    }


def processes_of(session: RingSession) -> list[dict[str, Any]]:
    """Every process with its label and variables as texts, and how it is drawn."""
    algorithm, ring = session.run.algorithm, session.run.ring
    return [
        {
            "label": ring.boxed[place].text,
            "values": algorithm.show(local),
            "started": local.started,
            "halted": local.halted,
            **drawn(algorithm, local, ring.boxed[place]),
        }
        for place, local in enumerate(session.network.locals)
    ]


def drawn(algorithm: RingAlgorithm, local: Local, label: Label) -> dict[str, Any]:
    """Who leads and wears the crown, the marks, the bar."""
    look = algorithm.look or Look()
    values = dict(zip(algorithm.variables_, local.values, strict=True))
    leads = bool(values["isLeader"])
    seen = Process(Acting(algorithm, None), local, label)

    def holds(when: Any) -> bool:
        return bool(algorithm.ask(when, seen, *(() if takes_agent_only(when) else (algorithm.constants,))))

    return {
        "leader": leads,
        "crown": leads if look.crown is None else holds(look.crown),
        "marks": [number for number, mark in enumerate(look.marks) if holds(mark.when)],
        "bar": _bar(algorithm, look.bar, values),
    }


def _bar(algorithm: RingAlgorithm, name: str | None, values: dict[str, Any]) -> float | None:
    """How full the bar is: of a number by its domain, of a word by its length."""
    if name is None or values[name] is None:
        return None
    variable, value = algorithm.variables_[name], values[name]
    if variable.kind == NUMBER:
        top = algorithm.tops[name]
        return round(share_of(value - variable.low, None if top is None else top - variable.low), 4)
    return round(share_of(len(value), None), 4) if hasattr(value, "__len__") else None

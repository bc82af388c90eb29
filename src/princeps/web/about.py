"""ABOUT: everything that the page needs to know of a run before it shows the first configuration."""

from __future__ import annotations

from inspect import getdoc
from sys import modules
from typing import Any

from princeps import __version__
from princeps.engines.rings.session import RingSession
from princeps.engines.session import Session
from princeps.model.topology import COMPLETE
from princeps.web.bound_look import look_of
from princeps.web.layouts import MAX_AGENTS, RINGS, edges_of, has_few_arcs, positions_of
from princeps.web.ring_frame import ring_look
from princeps.web.rule_lines import actions_of, rule_of
from princeps.web.safe_set import elects
from princeps.web.story import captions_for, own_story

MAX_ON_CIRCLE = 500
CIRCLE, GRAPH, GRID, PIXELS, COUNTS_VIEW, MESSAGES = "circle", "graph", "grid", "pixels", "counts", "messages"


def about(session: Session | RingSession, shows: str = "") -> dict[str, Any]:
    """As JSON has it; numbers that may be large are texts. `shows`: why this run is worth watching, in a sentence."""
    said = _of_ring(session) if isinstance(session, RingSession) else _of_population(session)
    captions = captions_for(session)
    return {
        **said,
        "shows": shows,
        "story": captions,
        "story_elsewhere": captions is None and own_story(session) is not None,
    }


def view_of(session: Session | RingSession) -> str:
    """How a run is shown, by its size, its graph and its engine."""
    if isinstance(session, RingSession):
        return MESSAGES
    graph = session.run.topology
    if not session.population.numbers_agents:
        return COUNTS_VIEW
    if graph.kind in RINGS and graph.n <= MAX_ON_CIRCLE:
        return CIRCLE
    if graph.kind == COMPLETE or graph.n > MAX_AGENTS or not has_few_arcs(graph):
        return PIXELS
    return GRID if graph.text.partition(":")[0] in ("grid", "torus") else GRAPH


def _of_population(session: Session) -> dict[str, Any]:
    run, protocol, view = session.run, session.run.protocol, view_of(session)
    cls, look = type(protocol), look_of(protocol)
    laid_out = view in (GRAPH, GRID)
    has_arcs = laid_out or view == CIRCLE
    numbered = session.population.numbers_agents
    return {
        **_of_both(session, cls, protocol),
        "kind": "population",
        "n": str(run.n),
        "graph": run.topology.text,
        "fields": [
            {"name": name, "size": size, "names": list(look.names[name]) if name in look.names else None}
            for name, size in protocol.fields.items()
        ],
        "predicates": list(cls.all_predicates()),
        "goals": [{"name": name, "doc": _sentence(goal.rule)} for name, goal in cls.all_goals().items()],
        "goal": run.until,
        "elects": elects(run),
        "starts": [{"name": name, "doc": _start_sentence(cls.start_rule(name))} for name in cls.starts],
        "view": view,
        "positions": positions_of(run.topology) if laid_out else None,
        "arcs": edges_of(run.topology) if has_arcs else None,
        "look": look.as_json,
        "rule": rule_of(protocol),
        "abilities": {
            **dict.fromkeys(("meet", "torn", "last_pair"), numbered),
            **dict.fromkeys(("dead", "cut"), numbered and session.engine != "events"),
            "set": True,
            "next_change": session.cut_free,
            "goto": "any" if session.cut_free else "stood",
        },
    }


def _of_ring(session: RingSession) -> dict[str, Any]:
    run, algorithm = session.run, session.run.algorithm
    names = {name: list(variable.names) for name, variable in algorithm.variables_.items() if variable.names}
    tops = algorithm.tops
    return {
        **_of_both(session, type(algorithm), algorithm),
        "kind": "ring",
        "n": str(run.ring.n),
        "graph": " ".join(label.text if isinstance(label.text, str) else str(label.text) for label in run.ring.boxed),
        "bidirectional": algorithm.bidirectional,
        "fields": [
            {
                "name": name,
                "size": None if tops[name] is None else tops[name] - variable.low + 1,  # type: ignore[operator]
                "names": names.get(name),
            }
            for name, variable in algorithm.variables_.items()
        ],
        "predicates": [],
        "goals": [{"name": "leader", "doc": "one process leads, all know its label, and all have halted"}],
        "goal": "leader",
        "elects": True,
        "starts": [],
        "view": MESSAGES,
        "positions": None,
        "arcs": None,
        "look": ring_look(algorithm),
        "rule": actions_of(algorithm),
        "abilities": {
            **dict.fromkeys(("meet", "dead", "cut", "torn", "last_pair", "set"), False),
            **dict.fromkeys(("deliver", "drop", "reset", "next_change"), True),
            "goto": "any",
        },
    }


def _of_both(session: Any, cls: Any, protocol: Any) -> dict[str, Any]:
    return {
        "protocol": cls.name,
        "title": cls.title,
        "paper": cls.paper,
        "sentence": first_paragraph(cls),
        "params": dict(protocol.given),
        "engine": session.engine,
        "seed": str(session.run.seed),
        "trial": session.run.trial,
        "command": session.command,
        "identity": session.identity,
        "version": __version__,
    }


def first_paragraph(cls: type) -> str:
    """Of the docstring of the class, or of its file."""
    said = vars(cls).get("__doc__") and getdoc(cls)
    said = said or getattr(modules.get(cls.__module__), "__doc__", None) or ""
    return " ".join(said.strip().partition("\n\n")[0].split())


def _sentence(function: Any) -> str:
    return " ".join((getattr(function, "__doc__", None) or "").split())


def _start_sentence(start: Any) -> str:
    return " ".join(start.doc.split()) if hasattr(start, "doc") else _sentence(start)

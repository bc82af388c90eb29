"""The arguments that are no options of a run, explained once: for help() in Python and for the verbs of the command line."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from typing import Any, TypeVar

HEADING = "Arguments:"

F = TypeVar("F", bound=Callable[..., Any])

PROTOCOL = "A protocol's name in the library, a file like './mine.py:Mine', or in Python its class."
RING_ALGORITHM = "A ring algorithm's name, a file like './mine.py:Mine', or in Python its class."
PARAMETERS = "Parameters of the protocol, by their names, like N=8; or params={'N': 8}."
MEASURES = "steps, parallel_time, events, held_steps, recovery_steps"
MEASURES_OF_RINGS = "of ring algorithms time, messages, bits"
STORE = "A store made by sweep, by its path"
ONLY = "Only this protocol, by its name, or by NAME@HASH where one name has two contents."
FROM = "Leave out smaller populations."
REPLACE = "Replace a file that princeps did not write."

# What an argument is in every function that has one of this name and does not say otherwise below.
EVERYWHERE = {
    "name": PROTOCOL,
    "n": "How many agents; 1000 or '1e6'.",
    "params": PARAMETERS,
    "more": PARAMETERS,
    "trace": "A function that is shown every event or interaction, or a file for JSON lines.",
    "diagram": "Draw the execution into this file, .svg, .pdf or .png: time downwards.",
    "window": "Trace and draw only this part: (100, 200) or '100..200', in steps; on a ring in time units.",
    "observer": "A function that is called now and then with the progress.",
    "watch": "A function that is called several times a second with the progress.",
    "progress": "Show how far it is, in a terminal or a notebook; False: never.",
    "trials": "How many trials.",
    "jobs": "How many worker processes.",
}
ARGUMENTS: dict[str, dict[str, str]] = {
    "library": {"kind": "'population' or 'ring'; all if left out."},
    "protocol": {"n": "How many agents, where the parameters depend on it."},
    "sweep": {
        "name": "A protocol's name, a file like './mine.py:Mine' or its class; a list of them; or the path of a plan (.toml).",
        "n": "How many agents; or a list of sizes.",
        "params": "Parameters of the protocol, by their names, like N=8; each may be a list.",
    },
    "results": {
        "store": f"{STORE}.",
        "measure": f"{MEASURES}, seconds; {MEASURES_OF_RINGS}.",
        "protocol": ONLY,
    },
    "fit": {
        "store": f"{STORE}; in Python also the results of sweep or results.",
        "measure": f"{MEASURES}; {MEASURES_OF_RINGS}.",
        "protocol": ONLY,
        "by": "What it grows in: n, a parameter, or a formula like 'ceil(ln N)'.",
        "from_": FROM,
    },
    "plot": {
        "source": "A store made by sweep, or a recording made by run --record, by its path; in Python also the results of "
        "sweep or results, a result of run(..., record=...), or a list of them.",
        "output": "The picture: FILE.svg, .pdf or .png. The same data give the same bytes.",
        "kind": "growth, distribution, survival, compare, or leaders of a recording; else what fits.",
        "measure": f"{MEASURES}, seconds; {MEASURES_OF_RINGS}.",
        "protocol": ONLY,
        "by": "The x axis: n, a parameter, or a formula like 'ceil(ln N)'.",
        "from_": FROM,
        "width": "Width of the figure in inches; one column of a paper is 3.5.",
        "force": REPLACE,
    },
    "merge": {
        "stores": "Stores made by sweep.",
        "output": "The new store.",
        "sound": "Of damaged stores, take the rows that are sound.",
    },
    "paper": {
        "what": "Papers (003), claims (003.L9), or ./claims.py; in Python also a Paper itself; all of ours if left out.",
        "full": "Large samples: an hour.",
        "store": "The file that keeps the evidence.",
        "seed": "Of the whole examination.",
        "jobs": "Worker processes (all processors).",
        "planted": "Plant each claim's fault: all verdicts must change.",
        "html": "Write pages: a folder, or out.html for one paper.",
        "force": REPLACE,
    },
    "table": {
        "what": "Tables (000.1), or papers (003: all of its tables); all tables if left out.",
        "full": "Large samples: an hour for all tables.",
        "store": "The file that keeps the evidence.",
        "seed": "Of the whole campaign.",
        "jobs": "Worker processes (all processors).",
        "html": "Write pages: a folder, or out.html for one table.",
        "force": REPLACE,
    },
    "check": {
        "name": "A file of yours, ./mine.py or ./mine.py:Mine, a protocol's name, or in Python its class.",
        "observer": "A function that is called with each finding as soon as it is found.",
    },
    "prove": {
        "name": "A population protocol's name, a file like './mine.py:Mine', or in Python its class.",
        "lemmas": "Lemmas, invariants or facts by their names; all that the file states if left out.",
        "search": "Find every proof anew, without the certificates that are kept.",
    },
    "worst": {
        "name": "A population protocol that recovers from any configuration: its name, a file, or in Python its class.",
        "trials": "Fresh trials of each of the five finalists (100).",
        "limit": "Refuse more steps than this, of all trials together (2e11).",
    },
    "hold": {
        "precision": "The relative standard error to reach, like 5%; replicas are added until it is.",
        "effort": "Trials at each level of one replica; more of them find rarer ways.",
        "start": "A start of the protocol, from which it first elects a leader.",
        "graph": "As in run.",
        "seed": "An integer; chosen and shown if left out.",
        "jobs": "Worker processes (all processors).",
        "store": "Keep the replicas in this file, and go on from those that it has.",
        "compare": "Run the same estimator beside the exact rate in a small population.",
    },
    "tune": {
        "hold": "For how many steps a unique leader is to be held: 1e12.",
        "failure": "Instead: how often a clock may fail to keep everybody together: 0.001.",
        "effort": "Trials at each level of a replica when the constants chosen are certified.",
        "start": "Elect from this start only; the slowest of all that the file has if left out.",
        "seed": "An integer; chosen and shown if left out.",
        "jobs": "Worker processes (all processors).",
        "store": "Keep what is estimated in this file, and go on from what it has.",
        "output": "Draw holding time and time of election of all that was tried: .svg, .pdf or .png.",
    },
    "new": {
        "path": "The file to write; its class is named after it.",
        "ring": "A ring algorithm instead of a population protocol.",
        "force": "Replace a file that is there.",
    },
    "replay": {
        "path": "The script that a session saved.",
        "protocol": "The class to use instead of the one that the script names, or carries as text.",
        "engine": "Another engine.",
        "strict": "Refuse a protocol whose content has changed since; if False, replay it with a warning.",
        "max_steps": "Allow as many steps, where the script takes more than a week.",
        "announce": "A function that is told what takes more than a moment.",
    },
    "net": {
        "watch": "Show the run on a page in the browser while it goes on, and until Ctrl-C after its end.",
        "save": "Write one page that replays the run into this file.",
        "browser": "With watch: open the browser; False: only print the address with its token.",
        "host": "With watch: the address to bind to; others may then reach it.",
        "port": "With watch: the port to bind to; 0 takes any that is free.",
    },
    "warm": {
        "what": "Protocols of the library or files of yours; all of the library if left out.",
        "observer": "A function that is called with each run as soon as it is done.",
    },
    "watch": {
        "script": "A script that a session saved, by its path, or the code of a link.",
        "save": "Write one page that replays the run to its goal into this file; no server.",
        "browser": "Open the browser; False: only print the address with its token.",
        "host": "Bind to this address; others than 127.0.0.1 may be reached by others.",
        "port": "Bind to this port; 0 takes any that is free.",
    },
    "ring": {
        "labels": "Labels clockwise, 1,2,2 or ABAAB; in Python also a list.",
        "random": "Draw one: n=1000,labels=50,max=20, asymmetric.",
        "ring": "A file of labels.",
        "seed": "Of the random ring; 0 if left out.",
    },
    "member": {
        "path": "The cluster.toml that all agents share.",
        "agent": "Which agent; the first whose address is free on this machine if left out.",
    },
    "rings": {
        "name": RING_ALGORITHM,
        "n": "Sizes: 5, 2..7 or 3,5,7; in Python a list of them.",
        "alphabet": "How many different labels there may be.",
        "max_k": "The largest k.",
        "interleavings": "Explore all interleavings of the rings up to this size; 0: of none.",
        "seed": "Of the random schedules.",
        "limit": "Refuse more messages than this, of all runs together (2e10).",
    },
    "impossible": {
        "name": RING_ALGORITHM,
        "n": "Processes of the small ring.",
        "limit": "Refuse more actions than this on either ring (100,000).",
        "params": "A mapping of parameters, where one is called like an argument.",
    },
}


def said_of(function: str, name: str) -> str:
    """The help of an argument of a public function; empty where nothing is said."""
    return ARGUMENTS.get(function, {}).get(name) or EVERYWHERE.get(name, "")


def explained(function: F) -> F:
    """The docstring says what every argument is."""
    names = signature(function).parameters
    lines = [f"    {name}: {said}" for name in names if (said := said_of(function.__name__, name))]
    function.__doc__ = f"{(function.__doc__ or '').rstrip()}\n\n    {HEADING}\n" + "\n".join(lines)
    return function

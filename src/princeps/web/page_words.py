"""Sentences as somebody at the page can follow them: options are those of the command that serves it, and what a session
calls a method is a button there."""

from __future__ import annotations

import re

from princeps.errors import PrincepsError

VERBS = "deliver|drop|reset|set|corrupt|meet|torn|dead|alive|cut|heal|goto|back|step"
PHRASES = [  # of sessions, and what is said instead
    (r"or give --force", "or start the watch with --force"),
    (r"\buse --engine", "start the watch with --engine"),
    (r"revive it with alive\(\d+\)", "click it, and revive it"),
    (r"restore it with heal\((\d+), (\d+)\)", r"click \1, and join it again with \2"),
    (r": see under_way", ": choose a process at which one is drawn"),
    (r"go back with goto\((\d+)\)", r"go back to step \1"),
    (r"go back with goto\b", "go back"),
    (r"\bgoto\((\d+)\)", r"step \1"),
    (r"\bafter drop\((\d+), '(\w+)'\)", r"after a message was lost at the \2 side of process \1"),
    (r"\bafter reset\((\d+)\)", r"after process \1 was reset"),
    (rf"\b({VERBS})\([^()]*\)", r"\1"),
]


def page_sentence(error: BaseException) -> str:
    """What is wrong, and what to do at the page or in its command; of whatever fails."""
    if isinstance(error, MemoryError):
        return "the memory is full: choose a smaller run."
    if not isinstance(error, PrincepsError):
        return f"this failed inside princeps ({type(error).__name__}: {str(error)[:200]}): the run is still there."
    sentence = Exception.__str__(error)  # in the words of the command line, also where the server was started in Python
    for phrase, instead in PHRASES:
        sentence = re.sub(phrase, instead, sentence)
    return sentence

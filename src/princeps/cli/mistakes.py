"""What is wrong with a command line, in one sentence that says what was meant."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from princeps.errors import PrincepsError, nearest

OLD_WORDS = {"count": "--trials", "faults": "--fault", "smallest": "--from"}  # what 0.1.0 called them in Python


def mistake_in_words(error: Any, words: Sequence[str], verb: str | None) -> str:
    """Of what typer found; an option that it does not know is looked for among those that there are."""
    help_words = " ".join(["princeps", *([verb] if verb else []), "--help"])
    wrong = getattr(error, "option_name", None)
    if type(error).__name__ != "NoSuchOption" or not isinstance(wrong, str):
        return f"{error.format_message().rstrip('.')}: see {help_words}."
    place = next((k for k, word in enumerate(words) if word == wrong or word.startswith(wrong)), None)
    word = wrong if place is None else words[place].partition("=")[0]
    parameter = None if place is None else _as_parameter(words, place)
    if parameter is not None:
        return f"unknown option {wrong!r}: a parameter is given as -p {parameter}."
    flags = [flag for one in error.ctx.command.params for flag in (*one.opts, *one.secondary_opts)]
    meant = _same_letters(word, flags) or _old_word(word, flags) or _alike(word, flags)
    if meant:
        return f"unknown option {word!r}: did you mean {' or '.join(meant)}? See {help_words}."
    return f"unknown option {wrong!r}: see {help_words}."


def _same_letters(word: str, flags: Sequence[str]) -> list[str]:
    """`-seed` and `--n`: the right letters after the wrong number of dashes."""
    return [flag for flag in flags if flag.lstrip("-") == word.lstrip("-") and flag.startswith("-")]


def _old_word(word: str, flags: Sequence[str]) -> list[str]:
    now = OLD_WORDS.get(word.lstrip("-"), "")
    return [now] if now in flags else []


def _alike(word: str, flags: Sequence[str]) -> list[str]:
    """Compared without their dashes, which all of them have."""
    long = {flag.removeprefix("--"): flag for flag in flags if flag.startswith("--")}
    return [long[name] for name in nearest(word.lstrip("-"), list(long), cutoff=0.6)]


def _as_parameter(words: Sequence[str], place: int) -> str | None:
    """`k=3` for `-k 3`, `--k=3` and `-k3`, if a protocol among the words has a parameter k."""
    from princeps.model import registry

    text, equals, value = words[place].lstrip("-").partition("=")
    following = words[place + 1] if place + 1 < len(words) else ""
    for name in words[1:]:
        if name in registry.names() or ".py" in name:
            with suppress(PrincepsError):
                params = registry.find_any(name).choosable()
                if text in params:
                    return f"{text}={value if equals else following or 'VALUE'}"
                if not words[place].startswith("--") and text[:1] in params and text[1:].isdigit():
                    return f"{text[0]}={text[1:]}"
    return None

"""Completion in bash, zsh and fish: what a shell needs is shown, or installed for it.

The shell calls princeps with environment variables that hold the command line so far; typer reads them and asks the
functions of completing.py.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence

from princeps.errors import RunError, hint

SHOW, INSTALL = "--show-completion", "--install-completion"
SHELLS = ("bash", "zsh", "fish", "powershell", "pwsh")
VARIABLE = "_PRINCEPS_COMPLETE"
ONCE_LOADED = "compdef _princeps_completion princeps"
AT_ONCE = f"""\
if [[ $funcstack[1] == _princeps ]]; then
  _princeps_completion "$@"
else
  {ONCE_LOADED}
fi"""


def is_about_completion(words: Sequence[str]) -> bool:
    return words[:1] in ([SHOW], [INSTALL])


def set_up_completion(words: Sequence[str]) -> int:
    """`--show-completion` prints the script of a shell, `--install-completion` writes it where the shell reads it."""
    from typer.completion import install  # type: ignore[attr-defined]

    option, *rest = words
    shell = rest[0] if rest else _users_shell(option)
    if len(rest) > 1:
        raise RunError(f"{option} takes one shell, and {len(rest)} words are given: write it like {option} bash.")
    if shell not in SHELLS:
        raise RunError(f"unknown shell {shell!r}: {hint(shell, SHELLS)}")
    if option == SHOW:
        print(_script(shell))
        return 0
    _, path = install(shell=shell, prog_name="princeps", complete_var=VARIABLE)
    if shell == "zsh":
        path.write_text(_script(shell) + "\n", encoding="utf-8")
    print(f"{shell} completes princeps in new terminals: its script is {path}.")
    return 0


def _script(shell: str) -> str:
    """Typer's. In zsh, which reads the file when Tab is first pressed, that of typer completes nothing before the second."""
    from typer.completion import get_completion_script  # type: ignore[attr-defined]

    found: str = get_completion_script(prog_name="princeps", complete_var=VARIABLE, shell=shell)
    return found.replace(ONCE_LOADED, AT_ONCE) if shell == "zsh" else found


def _users_shell(option: str) -> str:
    """The one that the system starts for the user."""
    shell = os.path.basename(os.environ.get("SHELL", "")).removesuffix(".exe")
    if shell not in SHELLS:
        raise RunError(f"which shell? SHELL = {shell!r} is none of {', '.join(SHELLS)}: write it like {option} bash.")
    return shell


def completed_words() -> list[str] | None:
    """The words of the command line on which Tab was pressed, the last of them unfinished; None outside of that."""
    if VARIABLE not in os.environ:
        return None
    line = os.environ.get("COMP_WORDS", os.environ.get("_TYPER_COMPLETE_ARGS", ""))
    try:
        words = shlex.split(line)[1:]
    except ValueError:  # a quote that is not closed yet
        words = line.split()[1:]
    return [*words, ""] if line.endswith(" ") or not words else words

"""By which names a worker finds a function, and by which source and command a measurement is identified."""

from __future__ import annotations

import ast
import hashlib
import inspect
import json
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from textwrap import dedent
from typing import Any

from princeps.errors import RunError
from princeps.model.modules import module_of
from princeps.model.naming import Name, command_or_reason
from princeps.model.registry import Named, find_any, name_of

DIGITS = 20  # of a hash
NOT_MEASURED = ("look", "tuning")  # attributes of a protocol that change no run
OF_THEM = ("Look", "Mark", "Tuning")
C_MAX = "c_max"  # of P_LL: its range, by which it may be given, came after its samples


def place_of(function: Callable[..., Any]) -> str:
    """By which a worker finds a function or a class: a module of the package, or a user's file."""
    module = sys.modules[function.__module__]
    if function.__module__ == "__main__":
        raise RunError(
            f"{function.__qualname__} is defined in a script or a notebook, where no worker looks: put it into a file."
        )
    if "." in function.__qualname__ or getattr(module, function.__name__, None) is not function:
        raise RunError(f"{function.__qualname__} cannot be found by a worker: define it at the top of its file.")
    if function.__module__.startswith("princeps_user_"):
        return f"{module.__file__}:{function.__name__}"
    return f"{function.__module__}:{function.__name__}"


def found_at(place: str) -> Any:
    """The function or class of a place."""
    module, _, name = place.rpartition(":")
    return getattr(module_of(Path(module)) if module.endswith(".py") else import_module(module), name)


def source_of_module(module: str) -> str:
    """The file of a module, which may be a user's file."""
    if module.endswith(".py"):
        return Path(module).read_text(encoding="utf-8")
    return inspect.getsource(sys.modules[module])


def reads_seed(function: Callable[..., Any]) -> bool:
    """False if it does not look at its argument `seed`: what it computes is the same for every seed."""
    try:
        (node,) = ast.parse(dedent(inspect.getsource(inspect.unwrap(function)))).body
    except (OSError, TypeError, SyntaxError, ValueError):
        return True
    if not isinstance(node, ast.FunctionDef) or node.decorator_list or hasattr(function, "__wrapped__"):
        return True
    given = {argument.arg for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)}
    read = {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)}
    return "seed" not in given or bool(read & {"seed", "locals", "vars", "eval", "exec"})


def without_look(text: str) -> str:
    """The text of a protocol's file without what says how agents are drawn or what may be tuned: no part of a run.

    So the samples of a measurement, whose seeds derive from this text, stay what they were.
    """
    lines = text.splitlines(keepends=True)
    for node in ast.parse(text).body:
        if isinstance(node, ast.ClassDef):
            for one in node.body:
                if not isinstance(one, ast.Assign):
                    continue
                names = [ast.unparse(target) for target in one.targets]
                if len(names) == 1 and names[0] in NOT_MEASURED:
                    lines[one.lineno - 1 : one.end_lineno] = [""] * len(lines[one.lineno - 1 : one.end_lineno])
                elif names == [C_MAX] and _may_be_given(one):
                    last = one.value.args[0].end_col_offset  # type: ignore[attr-defined]
                    lines[one.lineno - 1] = lines[one.lineno - 1][:last] + ")\n"
        elif isinstance(node, ast.ImportFrom):
            for name in node.names:
                if name.name in OF_THEM:
                    line = lines[name.lineno - 1]
                    alone = line.strip() == f"{name.name},"
                    lines[name.lineno - 1] = "" if alone else line.replace(f"{name.name}, ", "", 1)
    return "".join(lines)


def _may_be_given(one: ast.Assign) -> bool:
    """A derived constant with a range, on one line."""
    call = one.value
    is_derived = isinstance(call, ast.Call) and ast.unparse(call.func) == "Derived" and len(call.args) == 2
    return is_derived and one.lineno == one.end_lineno


def digest(what: Any) -> str:
    return hashlib.sha256(json.dumps(what, sort_keys=True).encode()).hexdigest()[:DIGITS]


def sweep_command(name: Named, options: Mapping[str, Any], params: Mapping[str, Any], trials: int, seed: int) -> str:
    called = Name(name) if isinstance(name, str) else name_of(find_any(name))
    words = ["princeps", "sweep", called.spec]
    sizes = options["n"]
    words += ["-n", ",".join(map(str, sizes)) if isinstance(sizes, Sequence) else str(sizes)]
    for key, value in params.items():
        words += ["-p", f"{key}={','.join(map(str, value)) if isinstance(value, (list, tuple)) else value}"]
    for key in ("start", "until", "max_steps", "engine", "ids", "random", "scheduler"):
        words += [f"--{key.replace('_', '-')}", str(options[key])] if key in options else []
    words += ["--hold"] if options.get("hold") else []
    command = shlex.join([*words, "--trials", str(trials), *(["--seed", str(seed)] if seed else [])])
    return command_or_reason(command, called.no_command)

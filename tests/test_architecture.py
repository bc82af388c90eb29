"""The rooms of the package and who may enter whom, read from the syntax trees."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

import princeps
from tests.tables import in_one_test

SOURCE = Path(princeps.__file__).parent

# What the files of a room may import from the project and from outside: the table of docs/architecture.md.
INSIDE: dict[str, set[str]] = {
    "wording": set(),
    "errors": {"wording"},
    "model": {"errors", "wording"},
    "protocols": {"model"},
    "lowering": {"model", "errors"},
    "engines": {"model", "lowering", "errors"},
    "analysis": {"model", "lowering", "errors", "wording"},
    "proofs": {"model", "lowering", "errors"},
    "campaign": {"model", "engines", "errors", "wording"},
    "rare": {"model", "lowering", "analysis", "campaign", "errors"},
    "tuning": {"model", "lowering", "engines", "campaign", "rare", "errors"},
    "papers": {"model", "engines", "analysis", "proofs", "campaign", "errors"},
    "figures": {"campaign", "model", "errors"},
    "reports": {"papers", "figures", "campaign", "model", "errors"},
    "network": {"model", "engines", "errors", "wording"},
    "web": {"model", "lowering", "engines", "errors"},
    "api": {
        "model",
        "lowering",
        "engines",
        "analysis",
        "proofs",
        "campaign",
        "rare",
        "tuning",
        "papers",
        "figures",
        "reports",
        "network",
        "web",
        "errors",
    },
    "cli": {"api", "model", "errors", "wording"},
    "__init__": {"api", "model", "errors"},
    "__main__": {"cli"},
}
OUTSIDE = {
    "lowering": {"numpy", "numba", "llvmlite", "z3", "cvc5"},  # llvmlite: the part of numba that emits a prefetch
    "engines": {"numpy"},
    "analysis": {"numpy", "scipy", "stormpy"},
    "model": {"numpy", "pandas", "polars"},  # only in frames.py, numpy for its types only
    "campaign": {"numpy", "scipy", "dask", "pyarrow"},
    "rare": {"numpy", "scipy"},
    "tuning": {"scipy"},
    "papers": {"numpy", "scipy"},
    "figures": {"numpy", "matplotlib", "ipywidgets"},
    "proofs": {"z3", "cvc5"},  # by the functions of lowering/symbolic_terms.py alone
    "api": {"z3", "cvc5"},  # is the extra installed?
    "web": {"numpy", "starlette", "uvicorn", "websockets"},  # the last three only inside functions
    "cli": {"typer", "rich"},
}
EXAMPLES = Path(__file__).parents[1] / "examples"
FILES = sorted(SOURCE.rglob("*.py"))


def room_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def names_a_module(text: str) -> bool:
    """An import by a string: `princeps.papers.p_rl`, or the beginning of one; not `princeps.run`, a function."""
    parts = text.split(".")
    named = (
        len(parts) > 1
        and parts[1]
        and parts[0] == "princeps"
        and all(part.isidentifier() or not part for part in parts)
    )
    return bool(named) and ((SOURCE / parts[1]).is_dir() or (SOURCE / f"{parts[1]}.py").exists())


@cache
def imports(path: Path) -> list[tuple[str, bool]]:
    """Every imported module, and whether that happens as soon as the file is read; for type checkers it never does."""
    tree = ast.parse(path.read_text())
    late = {
        node
        for outer in ast.walk(tree)
        if isinstance(outer, (ast.FunctionDef, ast.AsyncFunctionDef))
        or (isinstance(outer, ast.If) and ast.unparse(outer.test) == "TYPE_CHECKING" and not outer.orelse)
        for node in ast.walk(outer)
    }
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and names_a_module(node.value):
            found.append((node.value.rstrip("."), False))
        if isinstance(node, ast.Import):
            found += [(alias.name, node not in late) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports by a relative name"
            found += [(f"{node.module}.{alias.name}", node not in late) for alias in node.names]
    return found


@pytest.mark.medium
@in_one_test("path", FILES, ids=[str(path.relative_to(SOURCE)) for path in FILES])
def test_a_file_imports_only_what_its_room_may(path: Path) -> None:
    room = room_of(path)
    for name, early in imports(path):
        top, _, rest = name.partition(".")
        if top == "princeps":
            entered = rest.partition(".")[0]
            own = entered in (room, "__version__", "")  # "" is the package itself: its version, its names
            own = own or (path.name == "registry.py" and entered == "protocols" and not early)  # finds them by name
            assert own or entered in INSIDE[room], f"{room} imports {name}"
            assert own or room != "cli" or not early or entered in ("errors", "model"), (
                f"{name} is for a verb's function"
            )
        elif top not in sys.stdlib_module_names:
            assert top in OUTSIDE.get(room, set()), f"{room} imports {name}"
            assert room != "model" or not early, f"{name} may only be imported inside a function of the model"


@pytest.mark.medium
def test_only_the_registry_knows_the_library_and_only_by_name() -> None:
    found = {
        (path.name, early)
        for path in FILES
        for name, early in imports(path)
        if room_of(path) == "model" and name.startswith("princeps.protocols")
    }
    assert found == {("registry.py", False)}


@pytest.mark.medium
def test_dask_and_frames_are_known_to_one_file_each() -> None:
    adapters = {"dask": "cluster.py", "pandas": "frames.py", "polars": "frames.py", "pyarrow": "frames.py"}
    found = {
        (name.partition(".")[0], path.name, early)
        for path in FILES
        for name, early in imports(path)
        if name.partition(".")[0] in adapters
    }
    assert found == {(library, file, False) for library, file in adapters.items()}


def test_every_room_is_known() -> None:
    assert {room_of(path) for path in FILES} == set(INSIDE)


@pytest.mark.medium
def test_the_model_and_the_protocols_run_without_numpy() -> None:
    probe = (
        "import sys, princeps\n"
        "from princeps import *\n"
        "for name in princeps.library('population'): princeps.protocol(name, n=4)\n"
        "for name in princeps.library('ring'): assert princeps.run(name, n=4, engine='reference').converged\n"
        "assert princeps.run('p_rl', n=4, seed=1, engine='reference').converged\n"
        "assert princeps.run('a_k', labels='1,2,2', k=2, engine='reference').leader == 0\n"
        "assert princeps.ring('1,2,2').leader == 0\n"
        "assert princeps.impossible('a_k', k=2).large_n == 25\n"
        "print(sorted({'numpy', 'numba', 'scipy', 'typer', 'rich'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_all_is_the_truth() -> None:
    space: dict[str, object] = {}
    exec("from princeps import *", space)
    assert set(space) - {"__builtins__"} == set(princeps.__all__)
    assert all(getattr(princeps, name) is space[name] for name in princeps.__all__)
    assert sorted([*princeps.__all__, *princeps._ANSWERS]) == sorted(princeps._WHERE)
    assert all(isinstance(getattr(princeps, name), type) for name in princeps._ANSWERS)
    assert {name for name in dir(princeps) if not name.startswith("__")} == set(princeps._WHERE)
    with pytest.raises(AttributeError, match="no attribute 'elect'"):
        _ = princeps.elect  # type: ignore[attr-defined]


@pytest.mark.parametrize("imported", ["from princeps import *", "from princeps.model import *"])
def test_a_protocol_file_needs_one_import(imported: str) -> None:
    """Everything that the library and the examples import is in both, and is the same object."""
    space: dict[str, object] = {}
    exec(imported, space)
    wanted = {
        name
        for path in [*SOURCE.glob("protocols/*.py"), *EXAMPLES.glob("*.py")]
        for name, _ in imports(path)
        if name.startswith("princeps.model.")
    }
    assert len(wanted) > 40
    for name in wanted:
        module, _, last = name.rpartition(".")
        assert space[last] is getattr(importlib.import_module(module), last), name


def test_the_names_of_options_are_reserved() -> None:
    """No parameter of a protocol can hide an option, also one that is declared later."""
    from princeps.model import options
    from princeps.model.parameters import RESERVED

    declared = [cls for name, cls in vars(options).items() if name.endswith("Options")]
    of_others = (options.ExactOptions, options.LimitOptions, options.NetOptions, options.NetTrialOptions)
    for cls in of_others:  # `params` takes such parameters there
        declared.remove(cls)
    assert len(declared) >= 4
    assert {name for cls in declared for name in options.options_of(cls)} < RESERVED
    assert {"n", "start", "until", "seed", "engine", "trial", "graph", "scheduler"} <= RESERVED


def test_nothing_else_of_the_interface_is_public() -> None:
    tree = ast.parse((SOURCE / "__init__.py").read_text())
    defined = {node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    assigned = {
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    assert not [name for name in defined | assigned if not name.startswith("_")]

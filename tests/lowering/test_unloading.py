"""A long session that defines a protocol again and again keeps nothing of the definitions that are gone."""

from __future__ import annotations

import gc
import inspect
import linecache
import sys
import weakref
from pathlib import Path
from typing import Any

import pytest

import princeps
from princeps import PopulationProtocol
from princeps.lowering import cache
from princeps.lowering.field_code import HEADER
from princeps.lowering.jit import GENERATED
from princeps.lowering.memory import Remembered, remembered
from princeps.model import canonical, modules, registry
from princeps.model.predicates import read_predicates

DEFINITION = """
from princeps import *

class Mine(PopulationProtocol):
    leader = Bit()
    count = Range({size})

    @staticmethod
    def interact(a, b, p):
        if a.leader and b.leader:
            b.leader = 0
            b.count = {size} - 1

    def all_lead(a, i, n, p):
        a.leader = 1

    starts = {{"all_lead": all_lead}}
"""


def define(cell: int, size: int, monkeypatch: pytest.MonkeyPatch) -> type[PopulationProtocol]:
    """As a notebook executes a cell."""
    name, text = f"<cell {cell}>", DEFINITION.format(size=size)
    monkeypatch.setitem(linecache.cache, name, (len(text), None, text.splitlines(True), name))
    space: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(text, name, "exec"), space)
    found: type[PopulationProtocol] = space["Mine"]
    return found


def generated() -> set[str]:
    """The generated modules that are loaded, without those of classes that other tests have left behind."""
    gc.collect()
    return {name for name in sys.modules if name.startswith(GENERATED)}


@pytest.mark.slow
def test_a_thousand_definitions_leave_nothing() -> None:
    before, loaded, owners = generated(), set(cache._loaded), len(cache._owners)
    for k in range(1000):
        cls = type("Mine", (), {})
        source = f"{HEADER.format(imports='')}\n@njit(cache=True)\ndef plus(x):\n    return x + {k}\n"
        remembered(cls, "compiled").keep("plus", cache.load_kernel(source, cls).plus)
    assert generated() > before
    del cls
    assert generated() == before
    assert set(cache._loaded) == loaded
    assert len(cache._owners) == owners


@pytest.mark.slow
def test_a_notebook_that_runs_a_thousand_definitions_keeps_none_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    canonical._known.clear()
    names, sources, classes = len(sys.modules), set(linecache.cache), []
    for k in range(1000):
        cls = define(k, 2 + k, monkeypatch)
        record = princeps.run(cls, n=4, seed=k, engine="reference", record=[f"leader and count < {k}"]).record
        assert record is not None
        classes.append(weakref.ref(cls))
    del cls, record
    canonical._known.clear()
    gc.collect()
    assert [one for one in classes if one() is not None] == []
    assert len(sys.modules) <= names + 50  # parts of the package that were not needed before
    assert [name for name in set(linecache.cache) - sources if name.startswith("<predicate")] == []


@pytest.mark.medium
def test_a_predicate_has_its_source_as_long_as_it_is_in_use() -> None:
    protocol, other = princeps.protocol("p_rl", n=4), princeps.protocol("p_pl", n=4)
    [first] = read_predicates(protocol, ["leader + N > 3"]).values()
    [second] = read_predicates(other, ["leader + N > 3"]).values()
    assert first is second
    assert "leader" in inspect.getsource(first)
    file = first.__code__.co_filename
    del first, second
    gc.collect()
    assert file not in linecache.cache


@pytest.mark.medium
def test_modules_of_files_that_are_kept_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(modules, "_loaded", {})
    path = tmp_path / "mine_0.py"
    path.write_text(DEFINITION.format(size=2))
    registry.find(str(path))  # parts of the package that were not needed before
    modules._unload(str(path))
    before = len(sys.modules)
    for k in range(1000):
        path = tmp_path / f"mine_{k}.py"
        path.write_text(DEFINITION.format(size=2 + k))
        cls = registry.find(str(path))
        registry.find(str(tmp_path / "mine_0.py"))  # which is therefore never the oldest
    first = registry.find(str(tmp_path / "mine_0.py"))
    assert registry.find(str(tmp_path / "mine_0.py")) is first
    assert len(modules._loaded) == modules.MAX_LOADED
    assert len(sys.modules) - before == modules.MAX_LOADED
    assert registry.find(str(path)) is cls
    assert registry.find(str(tmp_path / "mine_1.py")).__name__ == "Mine"  # loaded again
    for path in tmp_path.iterdir():
        if str(path) in modules._loaded:
            modules._unload(str(path))
    assert len(sys.modules) == before


@pytest.mark.slow
def test_kernels_go_with_the_class_that_they_were_loaded_for(monkeypatch: pytest.MonkeyPatch) -> None:
    before = generated()
    cls = define(1, 3, monkeypatch)
    assert princeps.run(cls, n=20, seed=1, engine="agents").leaders == 1
    gone = weakref.ref(cls)
    modules = [weakref.ref(sys.modules[name]) for name in generated() - before]
    assert len(modules) >= 2
    del cls
    gc.collect()
    assert gone() is None
    assert [module() for module in modules] == [None] * len(modules)
    assert generated() == before


@pytest.mark.slow
def test_kernels_stay_as_long_as_one_of_their_classes(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = define(2, 3, monkeypatch), define(3, 3, monkeypatch)
    steps = princeps.run(first, n=20, seed=1, engine="agents").steps
    modules = generated()
    assert princeps.run(second, n=20, seed=1, engine="agents").steps == steps
    assert generated() == modules  # the same text, loaded once
    del first
    assert generated() == modules
    assert princeps.run(second, n=20, seed=1, engine="agents").steps == steps


def test_what_is_remembered_of_a_class_is_bounded() -> None:
    known = Remembered(3)
    for k in range(5):
        known.keep(k, k)
    assert list(known) == [2, 3, 4]
    base = type("Base", (), {})
    remembered(base, "compiled").keep("x", 1)
    assert not remembered(type("Derived", (base,), {}), "compiled")


def test_syntax_trees_that_are_kept_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(canonical, "MAX_TREES", 3)
    monkeypatch.setattr(canonical, "_known", {})
    for name in ("p_rl", "p_pl", "p_ll", "epidemic", "majority"):
        canonical.tree_of(registry.find(name).interact)
    assert len(canonical._known) == 3

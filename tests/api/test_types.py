"""What editors and type checkers see: the stub is that of the functions, and a user's script gets real types."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import princeps
from tests.api import typed_calls

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "verification"))
from stub import TARGET, functions, stub  # type: ignore[import-not-found]  # noqa: E402

SCRIPT = """
from pathlib import Path

import princeps
from princeps import Bit, PopulationProtocol, Result, RingAlgorithm


class Mine(PopulationProtocol):
    leader = Bit()


def of_any(name: str, cls: type[RingAlgorithm]) -> None:
    reveal_type(princeps.run(name, 10))  # Result | RingResult
    reveal_type(princeps.run(cls, 10))  # RingResult


reveal_type(princeps.run("p_rl", 10, N=16, seed=1))  # Result
reveal_type(princeps.run(Mine, 10))  # Result
reveal_type(princeps.run("a_k", labels=[1, 2, 2], k=2))  # RingResult
reveal_type(princeps.run("./mine.py:Mine", n="1e6"))  # Result | RingResult
reveal_type(princeps.run(Path("mine.py")))  # Result | RingResult
reveal_type(princeps.trials("p_ll", 10, trials=3)[0])  # Result
reveal_type(princeps.trials("a_k", 10, trials=3))  # Trials[RingResult]
reveal_type(princeps.exact("fratricide", 3, rational=True))  # Exact
reveal_type(princeps.exact("p_rl", 3, N=4))  # Exact
reveal_type(princeps.exact("a_k", labels="1,2,2", k=2))  # ExactRing
reveal_type(princeps.exact("fratricide", 3, probability="F<=5 leader"))  # ExactProbability
reveal_type(princeps.session("p_rl", 10))  # Session
reveal_type(princeps.session("b_k", 10, k=2))  # RingSession
reveal_type(princeps.sweep(["p_rl", Mine], n=[10, 20], N=[16, 32], until=["s_rl"]))  # Results
reveal_type(princeps.results("a.db"))  # Results
reveal_type(princeps.results("a.db").to_polars())  # DataFrame
reveal_type(princeps.fit("a.db", from_=10))  # list[Fit]
reveal_type(princeps.plot("a.db"))  # PaperFigure
reveal_type(princeps.paper("003"))  # list[Finding]
reveal_type(princeps.check(Mine))  # Checked
reveal_type(princeps.new("mine.py"))  # NewFile
reveal_type(princeps.ring("1,2,2"))  # RingFacts
reveal_type(princeps.rings("a_k", [2, 3]))  # Iterator[Survey]
reveal_type(princeps.impossible("a_k", k=2))  # Impossibility
reveal_type(princeps.estimate("p_rl", 10))  # Estimate
reveal_type(princeps.protocol("p_rl", N=8))  # PopulationProtocol
reveal_type(princeps.library())  # list[str]

found = princeps.run("./mine.py", 10)
if isinstance(found, Result):
    found.parallel_time + 1

princeps.run("p_rl", 10, seeds=[1])  # error: call-overload
princeps.results("a.db", measur="steps")  # error: call-arg
princeps.results(7)  # error: arg-type
princeps.run("p_rl", 10, until=5)  # error: call-overload
princeps.exact("p_rl", 3).worts  # error: attr-defined
"""


def test_the_stub_is_that_of_the_functions() -> None:
    assert stub() == TARGET.read_text(), "the signatures have changed: make stub writes them again"
    assert {"run", "sweep", "exact", "new"} <= set(functions())
    for name in functions():
        found = inspect.signature(getattr(princeps, name))
        assert found.return_annotation not in (inspect.Signature.empty, "Any"), name


@pytest.mark.medium
def test_typed_calls_work(tmp_path: Path) -> None:
    """The same file passes mypy, which reads it with the tests."""
    typed_calls.runs(tmp_path)
    typed_calls.campaigns(tmp_path)


@pytest.mark.slow
def test_a_users_script_sees_real_types(tmp_path: Path) -> None:
    """mypy --strict as a user calls it, on a file outside of the project; without a cache it takes a minute or two."""
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    calls = tmp_path / "calls.py"
    calls.write_text(Path(typed_calls.__file__).read_text())
    files = [str(script), str(calls)]
    words = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--config-file=", *files]
    done = subprocess.run(words, capture_output=True, text=True, cwd=tmp_path, timeout=600)
    assert "calls.py:" not in done.stdout, done.stdout
    said: dict[int, str] = {}
    for line in done.stdout.splitlines():  # of an error that is followed by notes the first line
        if line.startswith(("script.py:", str(script))):
            said.setdefault(int(line.split(":")[1]), line)
    wanted = {k: text.split("#")[1].strip() for k, text in enumerate(SCRIPT.splitlines(), 1) if " # " in text}
    assert set(said) == set(wanted), done.stdout
    for number, want in wanted.items():
        shown = said[number].replace("princeps.", "").replace("builtins.", "")
        if want.startswith("error: "):
            assert f"[{want.removeprefix('error: ')}]" in shown, said[number]
        else:
            types = shown.split('"')[1]
            names = re.sub(r"\w+\.", "", types)
            assert names == want, said[number]
            assert "Any" not in types

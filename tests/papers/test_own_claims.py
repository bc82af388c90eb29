"""Claims in a user's own file: the example, and files with something wrong in them."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

import princeps as library
from tests.conftest import Command
from tests.notebook_tools import with_mine
from tests.tables import in_one_test

ROOT = Path(__file__).parents[2]
EXAMPLE = "examples/mine_claims.py"

# -- the example -------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_example_comes_out_as_recorded(quick: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    done = quick("paper", f"./{EXAMPLE}", "--store", tmp_path / "p.db", "--json")
    assert done.code == 0, done.stdout
    verdicts = {one["id"]: one["verdict"] for one in done.objects}
    assert verdicts == {
        "veterans.exact": "proved",
        "veterans.order": "supported",
        "veterans.soon": "supported",
        "veterans.growth": "supported",
    }
    for one in done.objects:
        assert one["command"] == f"princeps paper ./{EXAMPLE}"
        assert one["planted"]


@pytest.mark.slow
def test_the_faults_of_the_example_are_noticed(quick: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    done = quick("paper", EXAMPLE, "--planted", "--store", tmp_path / "p.db", "--json")
    assert done.code == 0, done.stdout
    assert {one["verdict"] for one in done.objects} == {"violated"}


# -- protocols ---------------------------------------------------------------------------------------------------------

DUEL = """
    from princeps.model import Agent, Bit, Params, PopulationProtocol


    def initial(a: Agent, i: int, n: int, p: Params) -> None:
        a.leader = 1


    class Duel(PopulationProtocol):
        leader = Bit()
        starts = {"initial": initial}

        @staticmethod
        def interact(a: Agent, b: Agent, p: Params) -> None:
            if a.leader == 1 and b.leader == 1:
                b.leader = 0
"""

CLAIMS = """
    from princeps.papers import Paper, Planted, Watcher, mean_at_most, on_every_step, together

    DUEL = "%s:Duel"
    paper = Paper(id="duels", title="duels")


    class SomebodyLeads(Watcher):
        def look(self, u, i, j, a, b):
            self.cases += 1
            return None if any(agent.leader for agent in u) else "nobody leads"


    @paper.claim("duels.some", "somebody leads", kind="P")
    def some(lab):
        cases = [{"n": 4, "steps": 50, "times": 2}]
        return together([on_every_step(lab, SomebodyLeads, DUEL, cases, "somebody leads")])


    @paper.claim("duels.mean", "soon", planted=Planted("at once", bound=1))
    def mean(lab, bound=100):
        return together([mean_at_most(lab.sweep(DUEL, 8, trials=100, engine="reference").only.steps, bound, "n = 8")])
"""


@pytest.mark.slow
@pytest.mark.parametrize("together", [False, True])
def test_protocol_and_claims_in_one_file_or_in_two(
    quick: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, together: bool
) -> None:
    """A relative path is read from where the user stands, whatever the place of the claims."""
    claims = tmp_path / "claims.py"
    if together:
        claims.write_text(dedent(DUEL) + dedent(CLAIMS) % "claims.py")
        monkeypatch.chdir(tmp_path)
    else:
        (tmp_path / "elsewhere").mkdir()
        (tmp_path / "elsewhere" / "duel.py").write_text(dedent(DUEL))
        claims.write_text(dedent(CLAIMS) % "./duel.py")
        monkeypatch.chdir(tmp_path / "elsewhere")
    done = quick("paper", claims, "--json", "--jobs", "1")
    assert [one["verdict"] for one in done.objects] == ["supported", "supported"], done.stderr
    assert done.code == 0


# -- what is wrong with a file -----------------------------------------------------------------------------------------

HEAD = """
from princeps.papers import SUPPORTED, Outcome, Paper, Part, Planted, exactly, mean_at_most, together

paper = Paper(id="mine", title="mine")
"""
CLAIM = """
@paper.claim("mine.1", "it is so")
def so(lab):
    {}
"""
GOOD = CLAIM.format('return together([Part(SUPPORTED, "so")])')

WRONG = {
    "no paper": ("claims = []", "there is no `paper = Paper(...)` in this file."),
    "another paper": ("paper = 'mine'", "there is no `paper = Paper(...)` in this file."),
    "no claims": (HEAD, "has no claims: declare them with @paper.claim(...)."),
    "the id of ours": (HEAD.replace("mine", "003") + GOOD, "has the id of one of ours"),
    "an id twice": (HEAD + GOOD + GOOD, "claim 'mine.1' of paper 'mine' stands there twice"),
    "a verdict on record": (
        HEAD + GOOD.replace('"it is so"', '"it is so", recorded="suported"'),
        "unknown verdict 'suported': did you mean supported",
    ),
    "a verdict that comes out": (HEAD + GOOD.replace("SUPPORTED", "'fine'"), "unknown verdict 'fine': known: "),
    "a kind": (HEAD + GOOD.replace('"it is so"', '"it is so", kind="Y"'), "unknown kind of claim 'Y'"),
    "contents": (HEAD.replace("title", "contents=['mine.2'], title") + GOOD, "differ in mine.1, mine.2."),
    "syntax": (HEAD + "def so(lab:\n    pass\n", "claims.py:5: "),
    "an import": ("import nowhere", "claims.py:1: ModuleNotFoundError: No module named 'nowhere'."),
    "a name": (HEAD.replace("exactly", "exactely"), "ImportError: cannot import name 'exactely'"),
    "a check that fails": (
        HEAD + CLAIM.format("return together([Part(SUPPORTED, 'so', 1 / 0)])"),
        "claims.py:8: the check of mine.1 fails: ZeroDivisionError: division by zero.",
    ),
    "a check that forgets to return": (
        HEAD + CLAIM.format("together([Part(SUPPORTED, 'so')])"),
        "claims.py:6: the check of mine.1 returns None: let it end with `return together([...])`.",
    ),
    "a check without a lab": (HEAD + GOOD.replace("so(lab)", "so()"), "the check of mine.1 fails: TypeError"),
    "nothing judged": (HEAD + CLAIM.format("return together([])"), "give together() at least one."),
    "a protocol": (HEAD + CLAIM.format("lab.sweep('fratricde', 8, trials=1)"), "did you mean fratricide"),
    "a protocol's file": (HEAD + CLAIM.format("lab.sweep('./a.py:A', 8, trials=1)"), "there is no file './a.py'"),
    "a goal": (HEAD + CLAIM.format("lab.sweep('fratricide', 8, trials=1, until='led')"), "unknown goal 'led'"),
    "a parameter": (HEAD + CLAIM.format("lab.sweep('fratricide', 8, trials=1, m=3)"), "parameter 'm'"),
    "a function within": (
        HEAD + CLAIM.format("lab.measure(lambda part, seed: 1)"),
        "define it at the top of its file.",
    ),
}


@pytest.mark.medium
@in_one_test(("text", "sentence"), WRONG.values(), ids=WRONG)
def test_a_bad_file_is_refused_in_one_sentence(
    quick: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, sentence: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("claims.py").write_text(text)
    done = quick("paper", "./claims.py")
    assert done.code == 2, done.stdout
    assert done.stdout == ""
    (line,) = done.stderr.strip().splitlines()
    assert sentence in line
    assert not Path("papers.db").exists()


def test_there_is_no_such_file(quick: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = quick("paper", "./claims.py")
    assert (done.code, done.stdout) == (2, "")
    assert done.stderr == (
        "princeps: there is no file './claims.py': give a Python file with `paper = Paper(...)` in it.\n"
    )


@pytest.mark.parametrize(
    ("planted", "sentence"),
    [
        ("Planted('no such line', ('fratricide', 'b.leader = 2', 'pass'))", "'b.leader = 2' stands 0 times"),
        ("Planted('no such setting', size=3)", "the check of mine.1 fails: TypeError"),
    ],
)
def test_a_bad_fault_is_refused_in_one_sentence(
    quick: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, planted: str, sentence: str
) -> None:
    monkeypatch.chdir(tmp_path)
    check = CLAIM.format("return together([mean_at_most(lab.sweep('fratricide', 4, trials=5).only.steps, 99, 'so')])")
    Path("claims.py").write_text(HEAD + check.replace('"it is so"', f'"it is so", planted={planted}'))
    done = quick("paper", "claims.py", "--planted")
    assert (done.code, done.stdout) == (2, "")
    (line,) = done.stderr.strip().splitlines()
    assert sentence in line


def test_all_that_is_listed_can_be_imported() -> None:
    import princeps.papers as papers

    for name in papers.__all__:
        assert getattr(papers, name) is not None
    assert set(papers.__all__) <= set(dir(papers))
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = papers.nothing


CLAIMS_OF_A_NOTEBOOK = """
from princeps.papers import SUPPORTED, Paper, mean_at_most, together

own = Paper(id="own", title="A paper in a notebook")

@own.claim("own.soon", "one leader is left soon", recorded=SUPPORTED)
def soon(lab):
    return together([mean_at_most(lab.sweep(Mine, 8, trials=100, engine="reference").only.steps, 200, "n = 8")])
"""


def test_a_paper_and_its_protocol_may_be_given_themselves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    notebook = with_mine(monkeypatch)
    notebook.cell(CLAIMS_OF_A_NOTEBOOK)
    (finding,) = library.paper(notebook["own"], store=tmp_path / "papers.db", jobs=1)
    assert finding.verdict == finding.recorded
    assert finding.command.startswith("# no command repeats this: the paper 'own' was given itself")

"""The generated pages say what the code says."""

from __future__ import annotations

import ast
import inspect
import json
import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import typer

import princeps
from princeps.cli import VERBS
from princeps.model import registry
from princeps.papers.tables.catalogue import TABLES
from sitebuilder.api_pages import argument_table, read_docstring, sorted_names, write_api_pages
from sitebuilder.building import refuse_missing
from sitebuilder.claims import errata_page
from sitebuilder.command_pages import EXIT_CODES, write_command_pages
from sitebuilder.links import HEADING, prose
from sitebuilder.measured import fraction
from sitebuilder.navigation import TITLES, Part, parts
from sitebuilder.notebooks import notebook_files
from sitebuilder.numbers import EXACT, GROWTH, exact_numbers
from sitebuilder.places import DATA, DOCS, SOURCE
from sitebuilder.protocol_pages import link_library, protocol_page, rule_html
from sitebuilder.rules import rule_of, split_line
from sitebuilder.staging import EXTRA, MEASURED, RENAMED, Stage, copy_measured, one_title, place_of
from tests.conftest import Command
from tests.pages import ROOT


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    return Stage(tmp_path / "stage")


def text_of(html: str) -> str:
    return re.sub(r"<[^>]+>", "", html).replace("&gt;", ">").replace("&lt;", "<").replace("&amp;", "&")


def test_the_rule_of_p_rl_stands_beside_the_lines_of_its_paper() -> None:
    html = rule_html("p_rl", registry.find("p_rl"), False)
    numbers = [int(one) for one in re.findall(r'class="paper-line"> *(\d+)<', html)]
    assert numbers == list(range(1, 17))
    assert "l.signal = max(l.signal, r.signal, r.leader)" in text_of(html)
    assert "# 16" not in text_of(html)


def test_a_remark_beside_a_line_number_stays() -> None:
    assert split_line("count_up(a0, a1, p)  # 8 (7: tick is 0)") == ("count_up(a0, a1, p)  # 7: tick is 0", "8")
    assert split_line("a = 1  # the smallest") == ("a = 1  # the smallest", "")


def test_functions_that_a_rule_calls_are_part_of_it() -> None:
    source = (SOURCE / "protocols" / "p_ll.py").read_text()
    functions = rule_of(source, ["interact"])
    assert [one.name for one in functions] == ["interact", "count_up", "quick_elimination", "tournament", "back_up"]
    for one in functions:
        ast.parse(one.text)


def test_a_comment_at_the_end_of_a_function_belongs_to_it() -> None:
    (action,) = rule_of((SOURCE / "protocols" / "b_k.py").read_text(), ["B2"])
    assert action.text.startswith("@on(TOKEN)\n")
    assert action.text.endswith("    # nothing: the token is discarded")


@pytest.mark.medium
@pytest.mark.parametrize("name", ["p_rl", "a_k"])
def test_the_page_of_a_protocol_has_everything_that_its_file_declares(name: str, stage: Stage) -> None:
    cls: Any = registry.find_any(name)
    page = protocol_page(stage, name)
    declared = [*cls.params_]
    if name == "p_rl":
        declared += [*cls.fields_, *cls.starts, *cls.all_goals()]
        assert "3409/1728" in page
        assert "| `000.L8` | S\\_RL is closed and safe |" in page
    else:
        declared += [*cls.variables_, *(action.name for action in cls.actions)]
        assert "| time | `(2 * c.k + 2) * ring.n` |" in page
    missing = [word for word in declared if f"`{word}`" not in page]
    assert missing == []
    assert "<svg" in page
    assert "**proved**" in page
    assert f"src/princeps/protocols/{name}.py" in stage.files


def test_the_library_leads_to_the_page_of_every_protocol(stage: Stage) -> None:
    stage.copy_page(DOCS / "library.md")
    link_library(stage)
    page = (stage.folder / "library.md").read_text()
    assert set(re.findall(r"\(protocols/(\w+)\.md\)", page)) == set(princeps.library())


def test_every_protocol_has_numbers() -> None:
    assert {path.stem for path in DATA.glob("*.json")} == set(princeps.library()) == set(GROWTH)
    assert set(princeps.library()) - set(EXACT) == {"itai_rodeh"}  # infinitely many executions


@pytest.mark.medium
def test_the_committed_fractions_are_those_of_today() -> None:
    """The smallest; all of them in test_numbers.py."""
    committed = json.loads((DATA / "fratricide.json").read_text())["exact"][:3]
    assert committed == [exact_numbers("fratricide", small) for small in EXACT["fratricide"][:3]]


def test_a_long_fraction_is_described() -> None:
    assert fraction("7", 7.0) == "7"
    assert fraction("59/4", 14.75) == "59/4 ≈ 14.75"
    assert fraction("1" * 30 + "/" + "2" * 20, 5e9) == "5e+09 (a fraction of 30 over 20 digits)"
    assert fraction(None, None) == "never"


def test_the_errata_have_the_repairs_of_the_library() -> None:
    page = errata_page()
    assert "Line 12 as printed gives followers an unfinished nonce" in page
    assert "A2 lacks the conjunct" in page


def test_every_public_name_is_in_the_reference(stage: Stage) -> None:
    pages = [(stage.folder / f"{name}.md").read_text() for name in write_api_pages(stage)]
    headings = {
        heading.replace("\\", "").removeprefix("princeps.")
        for page in pages
        for heading in HEADING.findall(prose(page))
    }
    assert set(princeps.__all__) - headings == set()


@pytest.mark.parametrize("name", sorted_names()[0])
def test_every_argument_of_a_function_is_on_its_page(name: str) -> None:
    function = getattr(princeps, name)
    _, explained = read_docstring(inspect.getdoc(function) or "")
    known = inspect.signature(function)
    assert set(explained) - set(known.parameters) == set(), "the docstring explains what is no argument"
    assert set(known.parameters) - set(explained) <= {"params"}, "an argument that help() does not explain"
    table = argument_table(known, explained)
    assert all(f"| `{argument}` |" in table for argument in known.parameters)


def test_every_option_of_every_verb_is_in_the_reference(stage: Stage) -> None:
    names = write_command_pages(stage)
    assert names == [f"commands/{verb}" for verb in VERBS]
    app = typer.Typer()
    for verb, module in VERBS.items():
        app.command(verb)(import_module(module).command)
    group: Any = typer.main.get_command(app)
    for verb in VERBS:
        page = (stage.folder / f"commands/{verb}.md").read_text()
        for option in group.commands[verb].params:
            words = option.opts if option.param_type_name == "option" else [option.metavar or option.name]
            assert all(f"`{word}`" in page for word in words), (verb, words)
    run = (stage.folder / "commands/run.md").read_text()
    assert re.search(r"`--labels` \| .*For ring algorithms", run)
    assert "| 130 |" in (stage.folder / "commands/README.md").read_text()


def test_the_exit_codes_are_those_of_the_pages() -> None:
    for page in ("json.md", "running.md"):
        codes = re.findall(r"^\| (\d+) \|", (DOCS / page).read_text().partition("## Exit codes")[2], re.MULTILINE)
        assert [int(code) for code in codes] == list(EXIT_CODES)


def documented(heading: str) -> set[str]:
    """The keys that a section of docs/json.md names."""
    section = re.split(r"^## ", (DOCS / "json.md").read_text().partition(f"\n## {heading}\n")[2], flags=re.MULTILINE)[0]
    return set(re.findall(r"`(\w+)`", section))


@pytest.mark.medium
@pytest.mark.parametrize(
    ("heading", "command"),
    [
        ("princeps run", "run fratricide -n 20 --seed 1 --record leaders --fault 10:2"),
        ("princeps run", "run fratricide -n 20 --seed 1 --record states"),
        ("princeps run", "run a_k --labels 1,2,2 --seed 1"),
        ("princeps run", "run fratricide -n 20 --dry-run"),
        ("princeps exact", "exact p_rl -n 2 --rational"),
        ("princeps exact", "exact p_rl -n 2 --probability F<=10(leader)"),
        ("princeps exact", "exact a_k --labels 1,2,2"),
        ("princeps results", "results STORE"),
        ("princeps fit", "fit STORE"),
        ("princeps list, show", "list"),
        ("princeps list, show", "show p_ll"),
        ("princeps list, show", "show a_k"),
        ("princeps ring", "ring 1,2,2"),
    ],
    ids=lambda words: words.replace("princeps ", ""),
)
def test_every_json_key_is_documented(heading: str, command: str, quick: Command, tmp_path: Path) -> None:
    store = tmp_path / "store.db"
    store.write_bytes((ROOT / "tests/golden/store-0.1.0.db").read_bytes())
    found = quick(*command.replace("STORE", str(store)).split(), "--json").objects
    assert found
    assert {key for one in found for key in one} - documented(heading) == set()


def test_every_page_of_the_docs_is_in_the_navigation() -> None:
    notebooks = [place_of(path.relative_to(ROOT).as_posix()) for path in notebook_files()]
    named = {
        page
        for part in parts([str(name).removesuffix(".md") for name in notebooks], [], [], [])
        for page in part.all_pages
    }
    written = {path.stem for path in DOCS.glob("*.md")} - {"README"} | {"papers/README", "tables/README"}
    generated = {"examples/README", "commands/README", "why-exact", "errata"}
    assert named == written | generated | {"contributing", "changelog"} | {
        str(n).removesuffix(".md") for n in notebooks
    }


def test_pages_that_verbs_have_written_are_part_of_the_site(stage: Stage) -> None:
    copy_measured(stage)
    for folder in MEASURED:
        pages = sorted(path.name for path in (DOCS / folder).glob("*.html"))
        assert sorted(path.name for path in (stage.folder / EXTRA / folder).iterdir()) == pages
        assert (
            '<a href="README.html">princeps: documentation</a>'
            in (stage.folder / EXTRA / folder / pages[0]).read_text()
        )
    readme = (DOCS / "tables" / "README.md").read_text()
    tables = {path.stem for path in (DOCS / "tables").glob("*.html")} - {"index"}
    assert tables <= set(TABLES)
    assert set(re.findall(r"\]\((\S+)\.html\)", readme)) == tables


def test_a_page_that_is_in_no_part_is_refused(stage: Stage) -> None:
    stage.write("a.md", "# A\n")
    refuse_missing(stage, [Part("Part", "", ["a"])])
    stage.write("b.md", "# B\n")
    with pytest.raises(SystemExit, match="differ in b"):
        refuse_missing(stage, [Part("Part", "", ["a"])])


def test_links_of_a_page_become_links_of_the_site(stage: Stage) -> None:
    text = (
        "[a](running.md#faults) [b](../examples/dice.py) [c](README.md) [d](papers/000.html) [e](https://x.org) "
        "![f](figures/ring.svg)\n```\n[g](../x.py)\n```\n"
    )
    assert stage.linked(text, DOCS / "library.md", "library.md") == (
        "[a](running.md#faults) [b](files/examples/dice.py.md) [c](index.md) "
        '<a href="papers/000.html">d</a> [e](https://x.org) ![f](figures/ring.svg)\n```\n[g](../x.py)\n```\n'
    )
    assert stage.files == {"examples/dice.py"}
    assert set(RENAMED.values()) == {"index.md", "contributing.md", "changelog.md"}


def test_a_page_is_called_by_its_task(stage: Stage) -> None:
    stage.copy_page(DOCS / "running.md")
    assert (stage.folder / "running.md").read_text().startswith("# Run a protocol\n")
    assert stage.linked("[running.md](running.md)", DOCS / "a.md", "a.md") == "[Run a protocol](running.md)"
    assert {f"{page}.md" for page in TITLES} <= {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")}


def test_attributes_have_the_meaning_of_their_keys(stage: Stage) -> None:
    write_api_pages(stage)
    page = (stage.folder / "api/results.md").read_text()
    assert "| `parallel_time` | `float` | `steps` divided by `n` |" in page
    assert "| `leader` | `int \\| None` |" in page


def test_a_page_has_one_title() -> None:
    assert one_title("# A\n\n# B\n```\n# c\n```\n") == "# A\n\n## B\n```\n# c\n```\n"
    assert one_title("<!-- x -->\n\n# A\n") == "<!-- x -->\n\n# A\n"

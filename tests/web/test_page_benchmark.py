"""The table that `make bench-page WRITE=1` keeps in the documentation."""

from __future__ import annotations

from tests_browser.page_table import COLUMNS, DOCS, HEAD, circumstances, run_in_words, table, written


def test_the_table_takes_the_place_of_the_one_in_the_docs() -> None:
    rows = {run_in_words("p_ll", 10**9, "counts"): {"frame": "1.00 ms", "back": "7 ms"}}
    line = f"| p_ll, 10^9 agents in counts |{'  |' * list(COLUMNS).index('frame')} 1.00 ms |"
    text = DOCS.read_text(encoding="utf-8")
    assert text.count(HEAD) == 1
    measured = circumstances(2, 0.25)
    made = written(text, rows, measured)
    assert [line for line in made.splitlines() if line.startswith("Measured on")] == [measured]
    assert made.count(line) == 1
    assert "p_rl, 60 agents |" not in made
    assert made.replace(table(rows), "") == written(text, {"other": {}}, measured).replace(table({"other": {}}), "")
    assert written(made, rows, measured) == made
    assert {len(row.split("|")) for row in table(rows).splitlines()} == {len(COLUMNS) + 3}

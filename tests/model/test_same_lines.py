"""Names are replaced in a text without moving a line; where that cannot be, the text is written anew and means the same."""

from __future__ import annotations

import ast

import pytest

from princeps.model.rewriting import Renaming, renamed, with_defaults

TEXT = """\
def f(a, x=K, *, y=K):  # K stays in a comment

    return ("é", K, m.k, a.K)[0] + "K" * K
"""


def test_only_what_is_named_changes() -> None:
    assert renamed(TEXT, {"K": "K_2"}, {("m", "k"): "k"}, "g") == (
        'def g(a, x=K_2, *, y=K_2):  # K stays in a comment\n\n    return ("é", K_2, k, a.K)[0] + "K" * K_2\n'
    )
    assert with_defaults(TEXT, ["-1"], {"y": "(1, 2)"}).splitlines()[0] == (
        "def f(a, x=-1, *, y=(1, 2)):  # K stays in a comment"
    )


@pytest.mark.parametrize(
    "text",
    [
        "def f(a):\n    return (m\n            .k) + K\n",  # over two lines
        'def f(a):\n    return f"{K} {m.k:{K}}" + "K"\n',  # whose places Python 3.11 does not tell
        "def f(a): return K; K\n",
        "def f(a):\n    global K\n    return K\n",
        "@K\nclass f(m.k, K=K):\n    x: K = K\n",
        "f = lambda K, y=K: K + m.k\n",
        "def f(a, m=K):\n    return m.k + K\n",
    ],
)
def test_what_is_written_means_the_same(text: str) -> None:
    names, attributes = {"K": "K_2"}, {("m", "k"): "k"}
    found = renamed(text, names, attributes)
    tree = ast.parse(text)
    Renaming(names, attributes).visit(tree)
    assert ast.unparse(ast.parse(found)) == ast.unparse(tree)


def test_other_defaults_than_the_text_has_are_written() -> None:
    assert ast.unparse(ast.parse(with_defaults("def f(a, b=1):\n    return a\n", ["2", "3"], {}))) == (
        "def f(a=2, b=3):\n    return a"
    )

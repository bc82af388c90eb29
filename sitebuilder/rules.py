"""The rule of a protocol as its file states it, with the paper's line numbers in a column of their own."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from html import escape

PAPER_LINE = re.compile(r"\s*# (?P<lines>\d+(?:-\d+)?(?:, \d+)*)(?: \((?P<remark>[^)]*)\))?$")


@dataclass(frozen=True)
class Function:
    """A function of the file: its text without indentation, and the line of the file where it begins."""

    name: str
    text: str
    first: int


def rule_of(source: str, names: list[str]) -> list[Function]:
    """These functions, methods included, and those of the file that they call, in the order in which they are needed."""
    known = _functions(source)
    found: dict[str, Function] = {}

    def add(name: str) -> None:
        if name in found or name not in known:
            return
        found[name] = known[name]
        for node in ast.walk(ast.parse(known[name].text)):
            if isinstance(node, ast.Name):
                add(node.id)

    for name in names:
        add(name)
    return list(found.values())


def _functions(source: str) -> dict[str, Function]:
    """At the top level, and the methods of classes."""
    lines = source.splitlines()
    found: dict[str, Function] = {}
    tree = ast.parse(source)
    methods = [inner for node in tree.body if isinstance(node, ast.ClassDef) for inner in node.body]
    for node in [*tree.body, *methods]:
        if isinstance(node, ast.FunctionDef):
            first = min([node.lineno, *(one.lineno for one in node.decorator_list if _name(one) != "staticmethod")])
            last = node.end_lineno or node.lineno
            while last < len(lines) and re.match(rf" {{{node.col_offset + 1},}}#", lines[last]):
                last += 1  # a comment at the end of the function
            text = "\n".join(line[node.col_offset :] for line in lines[first - 1 : last])
            found[node.name] = Function(node.name, text, first)
    return found


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def split_line(line: str) -> tuple[str, str]:
    """The code of a line, and the paper's line number that its comment holds; a remark beside the number stays."""
    found = PAPER_LINE.search(line)
    if found is None:
        return line, ""
    remark = f"  # {found['remark']}" if found["remark"] else ""
    return line[: found.start()] + remark, found["lines"]


def as_html(functions: list[Function]) -> str:
    """One block. The left column has the paper's line numbers, if the file has any."""
    from pygments import highlight
    from pygments.formatters import HtmlFormatter
    from pygments.lexers import PythonLexer

    blocks = []
    numbered = any(split_line(line)[1] for one in functions for line in one.text.splitlines())
    for one in functions:
        pairs = [split_line(line) for line in one.text.splitlines()]
        text = highlight("\n".join(code for code, _ in pairs), PythonLexer(stripnl=False), HtmlFormatter(nowrap=True))
        column = [f'<span class="paper-line">{escape(number):>5}</span>' if numbered else "" for _, number in pairs]
        blocks.append("\n".join(a + b for a, b in zip(column, text.splitlines(), strict=True)))
    whole = "\n\n".join(blocks)
    return f'<div class="highlight-python notranslate rule"><div class="highlight"><pre>{whole}\n</pre></div></div>'

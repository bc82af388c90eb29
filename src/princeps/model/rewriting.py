"""A definition in which names from outside are replaced by others; its own names stay, scope by scope."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from princeps.model.canonical import SCOPES, bound_names
from princeps.model.same_lines import with_tree

Names = Mapping[str, str]  # old -> new
Attributes = Mapping[tuple[str, str], str]  # (module, attribute) -> the name that stands for it


def renamed(text: str, names: Names, attributes: Attributes, own: str | None = None) -> str:
    """`own` is the new name of the definition itself."""
    tree = ast.parse(text)
    first = tree.body[0]
    if own is not None and isinstance(first, ast.FunctionDef | ast.ClassDef):
        first.name = own
    Renaming(names, attributes).visit(tree)
    return with_tree(text, ast.fix_missing_locations(tree))


def with_defaults(text: str, defaults: list[str], keyword_defaults: Mapping[str, str]) -> str:
    """A function whose defaults are these expressions: they were evaluated when it was defined, not now."""
    tree = ast.parse(text)
    node = next(one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef | ast.Lambda))
    node.args.defaults = [ast.parse(one, mode="eval").body for one in defaults]
    for k, arg in enumerate(node.args.kwonlyargs):
        if arg.arg in keyword_defaults:
            node.args.kw_defaults[k] = ast.parse(keyword_defaults[arg.arg], mode="eval").body
    return with_tree(text, tree)


def attributes_read(text: str, name: str) -> tuple[list[str], bool]:
    """The attributes that are read of a name, and whether the name is also used in another way."""
    tree = ast.parse(text)
    holders = [node.value for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
    inside = {id(node) for node in holders}
    bare = any(isinstance(node, ast.Name) and node.id == name and id(node) not in inside for node in ast.walk(tree))
    found = [
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == name
    ]
    return list(dict.fromkeys(found)), bare


class Renaming(ast.NodeTransformer):
    """Names that a function binds itself mean something else within it."""

    def __init__(self, names: Names, attributes: Attributes) -> None:
        self.names, self.attributes = names, attributes
        self.bound: list[set[str]] = []

    @contextmanager
    def scope(self, node: ast.AST) -> Iterator[None]:
        self.bound.append(set(bound_names(node)))
        yield
        self.bound.pop()

    def visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, SCOPES):
            with self.scope(node):
                self.generic_visit(node)
            return node
        return super().visit(node)  # type: ignore[no-any-return]

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if any(node.id in names for names in self.bound):
            return node
        return ast.copy_location(ast.Name(self.names.get(node.id, node.id), node.ctx), node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        holder = node.value
        if isinstance(holder, ast.Name) and not any(holder.id in names for names in self.bound):
            new = self.attributes.get((holder.id, node.attr))
            if new is not None:
                return ast.copy_location(ast.Name(new, node.ctx), node)
        return self.generic_visit(node)

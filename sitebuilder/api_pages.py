"""The reference of the public Python names, from signatures and docstrings."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from importlib import import_module
from typing import Any

import princeps
from sitebuilder.places import DOCS
from sitebuilder.staging import Stage
from sitebuilder.writing import code, page, paragraphs, table, text

ARGUMENT = re.compile(r"^ {4}(\w+): (.*)$")
CONTINUED = re.compile(r"^ {8,}(\S.*)$")
RETURNED = (  # what the functions return and raise; the section of docs/json.md that explains its attributes
    ("princeps.model.result", "Result", "princeps run"),
    ("princeps.model.rings.result", "RingResult", "princeps run"),
    ("princeps.campaign.results", "Results", ""),
    ("princeps.campaign.results", "Summary", "princeps results"),
    ("princeps.campaign.fit", "Fit", "princeps fit"),
    ("princeps.analysis.report", "Exact", "princeps exact"),
    ("princeps.analysis.rings.report", "ExactRing", "princeps exact"),
    ("princeps.engines.session", "Session", ""),
    ("princeps.engines.rings.session", "RingSession", ""),
    ("princeps.papers.examining", "Finding", ""),
    ("princeps.errors", "Interrupted", ""),
)
KEYS = re.compile(r"^\| (`\w+`(?:, `\w+`)*) \| (.*) \|$", re.MULTILINE)


def write_api_pages(stage: Stage) -> list[str]:
    """The names of the pages."""
    functions, language = sorted_names()
    stage.write("api/functions.md", functions_page(functions))
    stage.write("api/results.md", results_page())
    stage.write("api/language.md", language_page(language))
    return ["api/functions", "api/results", "api/language"]


def sorted_names() -> tuple[list[str], list[str]]:
    """The functions that do something; what a protocol's file is written with."""
    known = {name: getattr(princeps, name) for name in princeps.__all__}
    functions = [name for name, one in known.items() if getattr(one, "__module__", "").startswith("princeps.api")]
    given_back = {name for _, name, _ in RETURNED}
    return functions, [name for name in known if name not in functions and name not in given_back]


def functions_page(names: list[str]) -> str:
    return page(
        "# Functions",
        "What `import princeps` offers, made from the docstrings: `help(princeps.run)` says the same. "
        "[From Python](../python.md) shows them at work, [what they return](results.md) is a page of its own.",
        *(function_section(f"princeps.{name}", getattr(princeps, name)) for name in sorted(names)),
    )


def function_section(name: str, function: Callable[..., Any], level: int = 2) -> str:
    prose, explained = read_docstring(inspect.getdoc(function) or "")
    known = signature_of(function)
    return page(
        f"{'#' * level} {text(name)}",
        f"```python\n{signature_text(name, known)}\n```" if known is not None else "",
        *paragraphs(prose),
        argument_table(known, explained),
    ).strip()


def signature_of(function: Callable[..., Any]) -> inspect.Signature | None:
    try:
        return inspect.signature(function)
    except (TypeError, ValueError):
        return None


def signature_text(name: str, known: inspect.Signature) -> str:
    """On one line if that is short, else one argument a line."""
    parts = [p for p in known.parameters.values() if p.name not in ("self", "cls")]
    words, star = [], False
    for one in parts:
        if one.kind is one.KEYWORD_ONLY and not star:
            words.append("*")
        star = star or one.kind in (one.KEYWORD_ONLY, one.VAR_POSITIONAL)
        words.append(_unquoted(one))
    back = known.return_annotation
    returns = "" if back in (inspect.Signature.empty, None, "None") else f" -> {_type(back)}"
    line = f"{name}({', '.join(words)}){returns}"
    return line if len(line) <= 100 else f"{name}(\n" + "".join(f"    {word},\n" for word in words) + f"){returns}"


def _unquoted(parameter: inspect.Parameter) -> str:
    stars = (
        "*" if parameter.kind is parameter.VAR_POSITIONAL else "**" if parameter.kind is parameter.VAR_KEYWORD else ""
    )
    kind = "" if parameter.annotation is parameter.empty else f": {_type(parameter.annotation)}"
    default = "" if parameter.default is parameter.empty else f" = {_value(parameter.default)}"
    return f"{stars}{parameter.name}{kind}{default}"


def _type(annotation: Any) -> str:
    return annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)


def _value(default: Any) -> str:
    return default.__name__ if inspect.isroutine(default) else repr(default)


def read_docstring(doc: str) -> tuple[str, dict[str, str]]:
    """The prose, and what is said of each argument: lines like `n: how many agents`, which may be continued."""
    prose: list[str] = []
    explained: dict[str, str] = {}
    last = ""
    for line in doc.splitlines():
        # inspect.getdoc has taken the common indentation away, which lines that were added later do not have
        found = ARGUMENT.match(line) or re.match(r"^(\w+): (\S.*)$", line)
        more = CONTINUED.match(line) or re.match(r"^ {4}(\S.*)$", line)
        if line.strip() in ("Arguments:", "Options:"):
            last = ""
        elif found is not None:
            last = found[1]
            explained[last] = found[2]
        elif last and more is not None:
            explained[last] += " " + more[1]
        else:
            last = ""
            prose.append(line.strip())
    return "\n".join(prose), explained


def argument_table(known: inspect.Signature | None, explained: dict[str, str]) -> str:
    if known is None:
        return ""
    rows = []
    for name, one in known.parameters.items():
        if name in ("self", "cls"):
            continue
        default = "" if one.default is one.empty else code(_value(one.default))
        said = explained.get(name) or ("Parameters of the protocol, by name." if name == "params" else "")
        rows.append([code(name), default, text(said)])
    return table(["argument", "default", "meaning"], rows) if any(row[2] for row in rows) else ""


def results_page() -> str:
    sections = []
    for module, name, heading in RETURNED:
        cls = getattr(import_module(module), name)
        sections.append(class_section(name, cls, key_meanings(heading) if heading else {}))
    return page(
        "# What the functions return",
        "Attributes have the names of the keys that `--json` prints, see [JSON and exit codes](../json.md).",
        *sections,
    )


def key_meanings(heading: str) -> dict[str, str]:
    """What docs/json.md says about the keys of a section."""
    page_text = (DOCS / "json.md").read_text(encoding="utf-8")
    section = page_text.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    return {key: said for keys, said in KEYS.findall(section) for key in re.findall(r"`(\w+)`", keys)}


def class_section(name: str, cls: type, known: dict[str, str]) -> str:
    prose, _ = read_docstring(inspect.getdoc(cls) or "")
    attributes = attributes_of(cls)
    rows = [[code(key), code(kind), text(said) or known.get(key, "")] for key, kind, said in attributes]
    if not any(row[2] for row in rows):
        rows = [row[:2] for row in rows]
    columns = ["attribute", "type", "meaning"][: len(rows[0])] if rows else []
    methods = [
        f"**{code(signature_text(key, found))}** {' '.join(paragraphs(first_part(inspect.getdoc(method) or '')))}"
        for key, method in sorted(vars_of(cls).items())
        if inspect.isfunction(method) and (found := signature_of(method)) is not None
    ]
    return page(
        f"## {name}",
        *paragraphs(prose),
        table(columns, rows),
        "\n".join(f"- {m}" for m in methods),
    ).strip()


def first_part(doc: str) -> str:
    return doc.partition("\n\n")[0]


def vars_of(cls: type) -> dict[str, Any]:
    """Public members of the class and of our own classes above it."""
    found: dict[str, Any] = {}
    for one in reversed(cls.__mro__):
        if one.__module__.startswith("princeps"):
            found |= {key: value for key, value in vars(one).items() if not key.startswith("_")}
    return found


def attributes_of(cls: type) -> list[tuple[str, str, str]]:
    """Annotated attributes and properties: name, type, what is said."""
    found: dict[str, tuple[str, str]] = {}
    for one in reversed(cls.__mro__):
        if one.__module__.startswith("princeps"):
            found |= {
                key: (_type(kind), "") for key, kind in vars(one).get("__annotations__", {}).items() if key[0] != "_"
            }
    for key, value in vars_of(cls).items():
        getter = value.fget if isinstance(value, property) else getattr(value, "func", None)
        if getter is not None and not inspect.isfunction(value):
            back = inspect.signature(getter).return_annotation
            found[key] = (_type(back), " ".join((getter.__doc__ or "").split()))
    return [(key, *said) for key, said in found.items()]


def language_page(names: list[str]) -> str:
    population = [name for name in names if not _is_of_rings(name)]
    rings = [name for name in names if _is_of_rings(name)]
    return page(
        "# Names for protocol files",
        "`from princeps import ...`, or `from princeps.model import *` for all of them. "
        "[Writing a protocol](../writing-protocols.md) explains how they are put together.",
        "## Population protocols",
        *(name_section(name) for name in population),
        "## Ring algorithms",
        *(name_section(name) for name in rings),
    )


def _is_of_rings(name: str) -> bool:
    one = getattr(princeps, name)
    module = str(getattr(one, "__module__", ""))
    return ".rings" in module or name in ("LEFT", "RIGHT", "Label", "Guarded")


def name_section(name: str) -> str:
    one = getattr(princeps, name)
    if inspect.isclass(one) or inspect.isfunction(one):
        return function_section(name, one, level=3)
    return page(f"### {text(name)}", f"`{one!r}`").strip()

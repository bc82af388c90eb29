"""Write src/princeps/__init__.pyi from the signatures of the public functions: `make stub`; a test compares it.

Options are declared in model/options/ and reach a function by a decorator, which type checkers do not follow. What a
function returns depends on the kind of protocol. A class, and a name of the library written as a text, say which kind it
is; of any other text only that it is one of both.
"""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import princeps
from princeps.model import registry

TARGET = Path(__file__).parent.parent / "src" / "princeps" / "__init__.pyi"
NAMED = "str | PathLike[str] | type[PopulationProtocol] | type[RingAlgorithm]"
BY_KIND = {  # what is returned of a population protocol, and of a ring algorithm
    "run": ("Result", "RingResult"),
    "trials": ("Trials[Result]", "Trials[RingResult]"),
    "session": ("Session", "RingSession"),
    "exact": ("Exact", "ExactRing"),
    "net": ("NetResult", "RingNetResult"),
}
# Options with which something else is returned.
QUESTIONS = {
    "exact": [
        ("probability", "str", "ExactProbability"),
        ("scheduler", "Literal['weakly-fair']", "FairAdversary"),
        ("scheduler", "str", "Exact | FairAdversary"),
    ],
    "net": [("trials", "Count", "NetTrials[NetResult] | NetTrials[RingNetResult]")],
}
# Where the names in annotations come from.
HOME = {
    **dict.fromkeys(("Any", "Literal", "SupportsFloat", "SupportsIndex", "overload"), "typing"),
    **dict.fromkeys(("Callable", "Iterable", "Iterator", "Mapping", "Sequence"), "collections.abc"),
    "Path": "pathlib",
    "PathLike": "os",
    "Checked": "princeps.api.checking.report",
    "HoldResult": "princeps.rare.report",
    "TuneResult": "princeps.tuning.report",
    "ClockResult": "princeps.tuning.clock_report",
    "Proof": "princeps.api.prove",
    "Count": "princeps.model.numbers",
    "Estimate": "princeps.engines.estimate",
    "EvidenceObserver": "princeps.papers.collecting",
    "FilePath": "princeps.model.files",
    "Finding": "princeps.papers.examining",
    "FindingObserver": "princeps.api.check",
    "Fit": "princeps.campaign.fit",
    "Impossibility": "princeps.engines.rings.impossibility",
    "Integer": "princeps.model.numbers",
    "Member": "princeps.network.cluster.member",
    "Merged": "princeps.campaign.merge",
    "NetResult": "princeps.network.report",
    "NetTrials": "princeps.network.trials",
    "NewFile": "princeps.api.new",
    "Warmed": "princeps.api.warm",
    "MeasuredRow": "princeps.papers.tables.measuring",
    "Paper": "princeps.papers.claims",
    "PaperFigure": "princeps.figures.drawing",
    "Parametrised": "princeps.model.parameters",
    "PhaseObserver": "princeps.api.exact",
    "RingFacts": "princeps.model.rings.facts",
    "RingNetResult": "princeps.network.rings.report",
    "RingSession": "princeps.engines.rings.session",
    "RunObserver": "princeps.api.run",
    "SavedPage": "princeps.web.saved_page",
    "Session": "princeps.engines.session",
    "Survey": "princeps.engines.rings.survey",
    "SweepObserver": "princeps.campaign.sweep",
    "Trials": "princeps.model.result",
    "VBox": "princeps.figures.slider",
}
BUILTIN = {"None", "bool", "float", "int", "list", "str", "type"}


def functions() -> list[str]:
    return [name for name in princeps.__all__ if _is_function(name)]


def _is_function(name: str) -> bool:
    return princeps._WHERE[name].startswith("princeps.api.") and inspect.isfunction(getattr(princeps, name))


def stub() -> str:
    """The text of the file."""
    literals = [_names("PopulationName", "population"), _names("RingName", "ring")]
    written = [text for name in functions() for text in _declared(name)]
    body = "\n".join([*literals, "", *written])
    used = set(re.findall(r"\b[A-Z]\w+\b|\boverload\b", re.sub(r'"[^"]*"', "", body)))
    own = {"PopulationName", "RingName"}
    unknown = used - set(HOME) - set(princeps._WHERE) - own - {"None", "False", "True"}
    assert not unknown, f"where do these come from? {unknown}"
    public = {name: where for name, where in princeps._WHERE.items() if not _is_function(name)}
    hidden = {name: HOME[name] for name in used if name in HOME and name not in public}
    lines = [f"from {where} import {name} as {name}" for name, where in public.items()]
    lines += [f"from {where} import {name}" for name, where in hidden.items()]
    return _formatted(
        [
            "# Written by `make stub` from the signatures of the public functions; a test compares it with them.",
            *sorted(lines, key=lambda line: (line.startswith("from princeps"), line)),
            "",
            "__version__: str",
            "_WHERE: dict[str, str]",
            "_ANSWERS: tuple[str, ...]",
            f"__all__ = {princeps.__all__!r}",
            "",
            body,
        ]
    )


def _formatted(lines: list[str]) -> str:
    """As the linter wants it."""
    ruff, name = ["ruff", "--quiet"], ["--stdin-filename", str(TARGET), "-"]
    text = "\n".join(lines)
    for what in (["check", "--fix-only", "--select", "I"], ["format"]):
        text = subprocess.run(
            [sys.executable, "-m", *ruff, *what, *name], input=text, capture_output=True, text=True, check=True
        ).stdout
    return text


def _names(name: str, kind: str) -> str:
    return f"{name} = Literal[{', '.join(map(repr, registry.names(kind)))}]"


def _declared(name: str) -> Iterator[str]:
    found = inspect.signature(getattr(princeps, name))
    if name not in BY_KIND:
        yield _function(name, found, NAMED, str(found.return_annotation))
        return
    population, ring = BY_KIND[name]
    for option, asked, returned in QUESTIONS.get(name, ()):
        yield "@overload"
        yield _function(name, _with(found, option, asked, inspect.Parameter.empty), NAMED, returned)
        found = _with(found, option, "None", None)
    for named, returned in (
        ("PopulationName | type[PopulationProtocol]", population),
        ("RingName | type[RingAlgorithm]", ring),
        ("str | PathLike[str]", f"{population} | {ring}"),
    ):
        yield "@overload"
        yield _function(name, found, named, returned)


def _with(found: inspect.Signature, option: str, annotation: str, default: object) -> inspect.Signature:
    changed = found.parameters[option].replace(annotation=annotation, default=default)
    return found.replace(parameters=[changed if one.name == option else one for one in found.parameters.values()])


def _function(name: str, found: inspect.Signature, named: str, returned: str) -> str:
    parts: list[str] = []
    starred = False
    for parameter in found.parameters.values():
        text = re.sub(r"\bNamed\b", named, str(parameter.annotation))
        kind = parameter.kind
        if kind is inspect.Parameter.KEYWORD_ONLY and not starred:
            parts, starred = [*parts, "*"], True
        if kind is inspect.Parameter.VAR_POSITIONAL:
            starred = True
        stars = (
            "*" if kind is inspect.Parameter.VAR_POSITIONAL else "**" if kind is inspect.Parameter.VAR_KEYWORD else ""
        )
        default = "" if parameter.default is inspect.Parameter.empty else f" = {_default(parameter.default)}"
        parts.append(f"{stars}{parameter.name}: {text}{default}")
    return f"def {name}({', '.join(parts)}) -> {returned}: ..."


def _default(value: object) -> str:
    return repr(value) if isinstance(value, bool | int | float | str | None) else "..."


if __name__ == "__main__":
    TARGET.write_text(stub())
    print(f"written: {TARGET.name}")

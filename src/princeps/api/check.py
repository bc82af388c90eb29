"""`princeps.check`: is a protocol's file what its author thinks it is?"""

from __future__ import annotations

from collections.abc import Callable

from princeps.api.arguments import a_function_of, or_none, reads
from princeps.api.checking.report import OK, WRONG, Checked, Finding, Stages
from princeps.api.progress import Display, displayed
from princeps.model import registry
from princeps.model.announcing import announces
from princeps.model.description import Named, describe
from princeps.model.formatting import counted
from princeps.model.modules import refuse_while_loading
from princeps.model.options import RING, explained
from princeps.model.protocol import PopulationProtocol

FindingObserver = Callable[[Finding], None]


@explained
@announces("princeps.check", observer="observer")
@reads(observer=or_none(a_function_of("finding")))
def check(name: Named, *, observer: FindingObserver | None = None, progress: bool = True) -> Checked:
    """Read a protocol (a file, a class or a name of the library), try it, and prove what can be proved at small sizes.

    What is wrong with the file itself is raised, with its line. The rest is a list of findings, each "ok", "unusual"
    (perhaps meant), "wrong" or "not tried"; `observer` is called with each of them as it is found.
    """
    refuse_while_loading("princeps.check")
    with displayed("princeps.check", progress and observer is None) as display:
        return check_shown(name, observer, display)


def check_shown(name: Named, observer: FindingObserver | None, display: Display | None) -> Checked:
    """The same, with the line of whoever shows how far it is."""
    description = describe(name)
    cls, spec = description.cls, description.spec
    found = Checked(cls.name, cls.file())

    def tell(finding: Finding) -> None:
        found.findings.append(finding)
        if observer is not None:
            if display is not None:
                display.clear()
            observer(finding)

    def at(stage: str) -> None:
        if display is not None:
            display.show(lambda: f"{counted(len(found.findings), 'findings')}, {stage}")

    if description.kind == RING:
        from princeps.api.checking.rings import check_ring

        for finding in check_ring(registry.require_ring(cls), spec, at):
            tell(finding)
        return found
    _check_population(registry.require_population(cls), spec, tell, at)
    return found


def _check_population(cls: type[PopulationProtocol], spec: str, tell: FindingObserver, at: Stages) -> None:
    from princeps.api.checking.behaviour import behaviour
    from princeps.api.checking.cases import cases, refusal
    from princeps.api.checking.engines import engines, language
    from princeps.api.checking.proofs import proofs

    problem = refusal(cls)
    if problem is not None:
        tell(Finding("runs", WRONG, problem))
        return
    tried = list(cases(cls))
    sizes = sorted({case.n for case in tried})
    tell(Finding("runs", OK, f"{counted(len(cls.starts), 'starts')}, n = {', '.join(map(str, sizes))}."))
    wrong, only_python = False, False
    for finding in language(tried):
        only_python = True
        tell(finding)
    for finding in behaviour(cls, tried, at):
        wrong |= finding.outcome == WRONG
        tell(finding)
    if wrong:  # engines would say the same again
        return
    for finding in () if only_python else engines(cls, tried, at):
        wrong |= finding.outcome == WRONG
        tell(finding)
    if wrong:  # what is proved with a rule that is not the user's proves nothing
        return
    for finding in proofs(cls, spec, at):
        tell(finding)

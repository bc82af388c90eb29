"""Scans on numbers: their templates as Python functions, so that thousands of configurations are judged in a second."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from princeps.lowering.symbolic import Symbols
from princeps.lowering.symbolic_terms import Term
from princeps.model.protocol import PopulationProtocol
from princeps.model.states import State
from princeps.proofs.rings.formulas import text_of
from princeps.proofs.rings.sets import RingSet, Scan, Templates

Values = dict[str, int]


class PlainSet:
    """A set's scans, executed on states."""

    def __init__(self, symbols: Symbols, of: RingSet) -> None:
        self.symbols, self.of, self.templates = symbols, of, Templates(symbols)
        self.scans = [(scan, {name: self._plain(one) for name, one in scan.steps.items()}) for scan in of.scans]
        self.violations = [self._plain(scan.violation) for scan in of.scans]
        self.starts = [{name: self._plain(one) for name, one in scan.starts.items()} for scan in of.scans]
        self.top = self._plain(of.top)

    def _plain(self, template: Term) -> Callable[[Values], int]:
        if isinstance(template, int):
            return lambda values: int(template)
        templates, z3 = self.templates, self.symbols.terms.solver
        places = [(templates.agent[name], z3.Int(f"x_{name}")) for name in templates.agent]
        places += [(templates.leader[name], z3.Int(f"leader_{name}")) for name in templates.leader]
        for scan in self.of.scans:
            for name in scan.steps:
                places.append((templates.register(scan.name, name), z3.Int(register(scan, name))))
                places.append((templates.last(scan.name, name), z3.Int(register(scan, name) + "_last")))
        code = compile(text_of(z3, templates.put(template, *places)), "template", "eval")
        return lambda values: int(eval(code, {}, values))

    def has(self, protocol: PopulationProtocol, states: Sequence[State]) -> bool:
        n = len(states)
        agents = [dict(zip(protocol.space.names, state, strict=True)) for state in states]
        leaders = [i for i, state in enumerate(states) if protocol.leads(state)]
        if not leaders or (self.of.one and len(leaders) > 1):
            return False
        k = leaders[-1]  # any leader
        known: Values = {name: getattr(protocol.constants, name) for name in type(protocol).params_} | {"n": n}
        known |= {f"leader_{name}": value for name, value in agents[k].items()}
        for (scan, steps), violation, starts in zip(self.scans, self.violations, self.starts, strict=True):
            registers = {register(scan, name): start(known) for name, start in starts.items()}
            for d in range(n):
                values: dict[str, Any] = known | registers | {"d": d}
                values |= {f"x_{name}": value for name, value in agents[(k + scan.way * d) % n].items()}
                if violation(values):
                    return False
                registers = {register(scan, name): step(values) for name, step in steps.items()}
            known |= {f"{name}_last": value for name, value in registers.items()}
        return bool(self.top(known))

    def violated_at(self, protocol: PopulationProtocol, states: Sequence[State], name: str) -> list[bool]:
        """For every agent: does the loop return 0 there? Of loops that forget everything at a leader."""
        n = len(states)
        agents = [dict(zip(protocol.space.names, state, strict=True)) for state in states]
        k = next(i for i, state in enumerate(states) if protocol.leads(state))
        known: Values = {one: getattr(protocol.constants, one) for one in type(protocol).params_} | {"n": n}
        number = next(j for j, (scan, _) in enumerate(self.scans) if scan.name == name)
        (scan, steps), violation, starts = self.scans[number], self.violations[number], self.starts[number]
        registers = {register(scan, one): start(known) for one, start in starts.items()}
        found = [False] * n
        for d in range(n):
            i = (k + scan.way * d) % n
            values = known | registers | {"d": d} | {f"x_{one}": value for one, value in agents[i].items()}
            found[i] = bool(violation(values))
            registers = {register(scan, one): step(values) for one, step in steps.items()}
        return found


def register(scan: Scan, name: str) -> str:
    return f"{scan.name.replace('.', '_')}_{name}"

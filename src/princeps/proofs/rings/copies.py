"""The registers of a set's scans in one configuration, before or after an interaction, and how agents change them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from princeps.lowering.symbolic import SymbolicAgent, Symbols
from princeps.lowering.symbolic_terms import Term
from princeps.proofs.rings.sets import NotAScan, RingSet, Scan, Templates

Registers = dict[str, Term]
Violations = dict[str, Term]  # by scan
TOP = "top"  # the condition on the leader
AFTER = "_new"  # the suffix of the second copy
DISTANCE = {1: "right_of_leader", -1: "left_of_leader"}  # how far from the leader, by the way of the scan


class Copy:
    """Some of a set's scans in one configuration; registers are called by their names in the file and `suffix`.

    Where no output changes, distances from the leader are those of the copy before: they are shared.
    """

    def __init__(
        self, symbols: Symbols, of: RingSet, scans: Sequence[Scan], top: Term, suffix: str, share: bool = False
    ) -> None:
        self.symbols, self.terms, self.templates = symbols, symbols.terms, Templates(symbols)
        self.number = self.templates.number if of.uses_n else None
        self.scans, self.top, self.suffix, self.share = scans, top, suffix, share
        often = Counter(name for scan in of.scans for name in scan.steps)
        self.names = {
            (scan.name, name): (name if often[name] == 1 else f"{name}_{scan.name.replace('.', '_')}") + suffix
            for scan in of.scans
            for name in scan.steps
        }
        self.bits = {self.names[scan.name, name] for scan in scans for name in scan.bits}
        self.ways = sorted({scan.way for scan in scans if self._asks_distance(scan)})
        solver = self.terms.solver
        self.lasts = {
            f"last_{known}": (solver.Bool if known in self.bits else solver.Int)(f"last_{known}")
            for scan in scans
            for name in scan.steps
            for known in [self.names[scan.name, name]]
            if f"{scan.name}.{name}.last" in of.asked
        }
        self.leader = {name: self.terms.symbol(f"leader_{name}{suffix}") for name in of.leader_fields}

    def require_names(self) -> None:
        """What is observed after the interaction has the same names with AFTER: none may be taken already."""
        names = list(self.names.values())
        bad = [name for name in (*names, *self.leader) if name.endswith(AFTER) or name in DISTANCE.values()]
        bad += [name for name in names if names.count(name) > 1]
        if bad:
            raise NotAScan(f"a variable or field has the name {bad[0]}, which the proof needs for itself: rename it.")

    def _asks_distance(self, scan: Scan) -> bool:
        return not scan.resets and any(self.templates.mentions(one, self.templates.distance) for one in scan.terms)

    def _distance(self, way: int) -> str:
        return DISTANCE[way] + ("" if self.share else self.suffix)

    def at(self, side: str) -> Registers:
        """Symbols of all registers at one side of an agent or of a part."""
        solver = self.terms.solver
        names = [self.names[scan.name, name] for scan in self.scans for name in scan.steps]
        names += [self._distance(way) for way in self.ways]
        make = {name: solver.Bool if name in self.bits else solver.Int for name in names}
        return {name: make[name](f"{side}_{name}") for name in names}

    def put(self, template: Term, *places: tuple[Term, Term]) -> Term:
        """With this copy's last values and the fields of its leader."""
        lasts = [
            (self.templates.last(scan.name, name), self.terms.number(self.lasts[f"last_{self.names[scan.name, name]}"]))
            for scan in self.scans
            for name in scan.steps
            if f"last_{self.names[scan.name, name]}" in self.lasts
        ]
        fields = [(self.templates.leader[name], term) for name, term in self.leader.items()]
        return self.templates.put(template, *lasts, *fields, *places)

    @property
    def fixed(self) -> dict[str, Term]:
        """What is the same at every agent."""
        return self.lasts | {f"leader_{name}{self.suffix}": term for name, term in self.leader.items()}

    def passes(self, agent: SymbolicAgent, left: Registers, right: Registers) -> tuple[list[Term], Violations]:
        """What holds of the registers on both sides of an agent, and whether it violates which scan."""
        terms = self.terms
        leads, at = self.templates.leads(agent), list(self.templates.at(agent))
        conditions: list[Term] = []
        conditions += [terms.implied(leads, terms.equal(agent[name], term)) for name, term in self.leader.items()]
        violated: Violations = {}
        for way in self.ways:
            here, there = (left, right) if way > 0 else (right, left)
            name = self._distance(way)
            conditions.append(terms.equal(there[name], terms.choice(leads, 0, here[name] + 1)))
            conditions.append(terms.at_most(0, here[name]))
            if self.number is not None:  # how far the only leader is on a ring of n agents
                conditions.append(terms.less(here[name], self.number))
        for scan in self.scans:
            here, there = (left, right) if scan.way > 0 else (right, left)
            places = list(at)
            if scan.way in self.ways:
                places.append((self.templates.distance, there[self._distance(scan.way)]))
            for name in scan.steps:
                known = self.names[scan.name, name]
                value: Term = terms.number(here[known])
                if not scan.resets:
                    value = terms.choice(leads, self.put(scan.starts[name]), value)
                if f"last_{known}" in self.lasts:  # what comes round to the leader again
                    conditions.append(terms.implied(leads, here[known] == self.lasts[f"last_{known}"]))
                places.append((self.templates.register(scan.name, name), value))
            for name, template in scan.steps.items():
                known = self.names[scan.name, name]
                new = self.put(template, *places)
                is_bit = known in self.bits
                conditions.append(there[known] == terms.formula(new) if is_bit else terms.equal(there[known], new))
            violated[scan.name] = self.put(scan.violation, *places)
        top = self.templates.put(self.top, *self.templates.led_by(agent))
        violated[TOP] = terms.both(leads, terms.neither(self.put(top)))
        return conditions, violated

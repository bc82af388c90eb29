"""Random protocols: well-formed files with random fields, parameters, rules, predicates, goals and starts.

Values are mostly brought back into their domain by `%`, `min` and `max`; where they are not, a run may end with a
mistake of the rule, which all engines must then report.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

NEWLINE = "\n"
LARGE = (1000003, 2**31 - 1, 2**40, 2**62)  # sizes of fields whose products leave 64 bits


@dataclass
class Domain:
    """A field: how it is declared, and an expression for its size inside the rule (empty: unbounded)."""

    name: str
    declared: str
    size: str
    states: int  # that it adds, at the default parameters
    names: tuple[str, ...] = ()  # of its values

    @property
    def outside(self) -> str:
        """The name of the declaration outside of the class, where values have names."""
        return f"F{self.name}"


@dataclass
class Rule:
    """Writes the statements of a rule, and the functions that they call."""

    rng: Random
    domains: list[Domain]
    params: list[str]
    helpers: list[str] = field(default_factory=list)
    fresh: int = 0
    tosses: bool = False

    # -- expressions ----------------------------------------------------------------------------------------------

    def number(self, depth: int, agents: tuple[str, ...], local: list[str]) -> str:
        rng = self.rng
        kind = rng.randrange(12) if depth else rng.choice((0, 0, 0, 0, 2, 3))
        if kind <= 1:
            return f"{rng.choice(agents)}.{rng.choice(self.domains).name}"
        if kind == 2:
            return rng.choice([f"p.{name}" for name in self.params] + local + ["1"])
        if kind == 3:
            names = [name for domain in self.domains for name in domain.names]
            if names and rng.random() < 0.4:
                return rng.choice(names)
            return str(rng.choice((0, 1, 1, 2, 3, 5, 12345)))
        one = self.number(depth - 1, agents, local)
        if kind == 4:
            return f"abs({one} - {self.number(depth - 1, agents, local)})"
        if kind == 5:
            return f"{rng.choice(('min', 'max'))}({one}, {self.number(depth - 1, agents, local)})"
        if kind == 6:
            return f"({one} if {self.condition(depth - 1, agents, local)} else {self.number(depth - 1, agents, local)})"
        if kind == 7:
            divisor = rng.choice(("2", "3", "7", *(f"(p.{name} + 1)" for name in self.params)))
            if rng.random() < 0.04:  # which may be zero
                divisor = self.number(0, agents, local)
            return f"({one} {rng.choice(('//', '%'))} {divisor})"
        if kind == 8:
            return f"({one} {rng.choice(('&', '|', '^'))} {self.number(depth - 1, agents, local)})"
        if kind == 9:
            shift = rng.choice(("1", "2", "3", f"({self.number(0, agents, local)} % 5)"))
            return f"({one} {rng.choice(('<<', '>>'))} {shift})"
        return f"({one} {rng.choice('+-*')} {self.number(depth - 1, agents, local)})"

    def condition(self, depth: int, agents: tuple[str, ...], local: list[str]) -> str:
        rng = self.rng
        kind = rng.randrange(8) if depth else 0
        one = self.number(max(0, depth - 1), agents, local)
        sign = rng.choice(("==", "!=", "<", "<=", ">", ">="))
        if kind <= 2:
            return f"{one} {sign} {self.number(max(0, depth - 1), agents, local)}"
        if kind >= 6:
            others = [self.number(depth - 1, agents, local) for _ in range(3)]
            if kind == 6:
                return f"({one}, {others[0]}) {sign} ({others[1]}, {others[2]})"
            listed = rng.choice(("({}, {}, {})", "[{}, {}, {}]", "(1, {1}, {2})", "range({0}, {1} + 2)")).format(
                *others
            )
            return f"{one} {rng.choice(('in', 'not in'))} {listed}"
        other = self.condition(depth - 1, agents, local)
        if kind == 3:
            return f"not ({other})"
        if kind == 4:
            return f"({other}) {rng.choice(('and', 'or'))} ({self.condition(depth - 1, agents, local)})"
        return f"0 <= {one} < {self.number(depth - 1, agents, local)}"

    def within(self, value: str, domain: Domain) -> str:
        """The value brought into the domain, nearly always."""
        rng = self.rng
        if not domain.size:
            return f"abs({value}) % {rng.choice((5, 9, 100))}" if rng.random() < 0.8 else f"abs({value})"
        if rng.random() < 0.02:
            return value
        return rng.choice((f"({value}) % {domain.size}", f"max(0, min({value}, {domain.size} - 1))"))

    # -- statements -----------------------------------------------------------------------------------------------

    def block(self, depth: int, agents: tuple[str, ...], local: list[str], indent: str) -> list[str]:
        inner = list(local)
        lines: list[str] = []
        for _ in range(self.rng.choice((1, 1, 2, 3))):
            lines += self.statement(depth, agents, inner, indent)
        return lines

    def statement(self, depth: int, agents: tuple[str, ...], local: list[str], indent: str) -> list[str]:
        rng = self.rng
        kind = rng.randrange(11) if depth else rng.randrange(4)
        domain, agent = rng.choice(self.domains), rng.choice(agents)
        value = self.within(self.number(2, agents, local), domain)
        if kind <= 1:
            return [f"{indent}{agent}.{domain.name} = {value}"]
        if kind == 2:
            self.fresh += 1
            name = f"v{self.fresh}"
            drawn = rng.choice(("coin()", "draw(3)", "draw(1 + a.leader)".replace("a.", f"{agents[0]}.")))
            tosses = self.tosses and rng.random() < 0.5
            line = f"{indent}{name} = {drawn if tosses else self.number(2, agents, local)}"
            local.append(name)
            return [line]
        if kind == 3:
            one, other = agents[0], agents[-1]
            return [f"{indent}{one}.{domain.name}, {other}.{domain.name} = {other}.{domain.name}, {one}.{domain.name}"]
        if kind <= 6:
            return self._if(depth, agents, local, indent)
        if kind == 7 and len(agents) == 2 and "r1" not in "".join(agents):
            return self._loop(depth, agents, local, indent)
        if kind == 8 and len(self.helpers) < 3:
            return [f"{indent}{self._helper(depth)}({agents[0]}, {agents[-1]}, p, {self.number(1, agents, local)})"]
        if kind == 9:
            return self._match(depth, agents, local, indent)
        return [f"{indent}{agents[0]}.{domain.name} = {agents[-1]}.{domain.name} = {value}"]

    def _match(self, depth: int, agents: tuple[str, ...], local: list[str], indent: str) -> list[str]:
        """On two values, with numbers, names, alternatives and conditions."""
        rng, asked = self.rng, [self.rng.choice(self.domains) for _ in range(2)]
        parts = [f"{rng.choice(agents)}.{domain.name}" for domain in asked]
        lines = [f"{indent}match ({', '.join(parts)}):"]
        for _ in range(rng.choice((1, 2, 3))):
            patterns = [self._pattern(domain) for domain in asked]
            guard = f" if {self.condition(1, agents, local)}" if rng.random() < 0.3 else ""
            lines.append(f"{indent}    case ({', '.join(patterns)}){guard}:")
            lines += self.block(depth - 1, agents, local, indent + "        ")
        return lines

    def _pattern(self, domain: Domain) -> str:
        rng = self.rng
        values = [f"{domain.outside}.{name}" for name in domain.names] or ["0", "1", "2"]
        return rng.choice((rng.choice(values), rng.choice(values), "_", " | ".join(rng.sample(values, 2))))

    def _if(self, depth: int, agents: tuple[str, ...], local: list[str], indent: str) -> list[str]:
        rng = self.rng
        lines = [
            f"{indent}if {self.condition(2, agents, local)}:",
            *self.block(depth - 1, agents, local, indent + "    "),
        ]
        if rng.random() < 0.3:
            lines += [f"{indent}elif {self.condition(1, agents, local)}:"]
            lines += self.block(depth - 1, agents, local, indent + "    ")
        if rng.random() < 0.5:
            lines += [f"{indent}else:", *self.block(depth - 1, agents, local, indent + "    ")]
        return lines

    def _loop(self, depth: int, agents: tuple[str, ...], local: list[str], indent: str) -> list[str]:
        """Over the two roles, with a break or without."""
        self.fresh += 1
        one, other = f"r1_{self.fresh}", f"r2_{self.fresh}"
        a, b = agents
        lines = [f"{indent}for {one}, {other} in (({a}, {b}), ({b}, {a})):"]
        lines += self.block(depth - 1, (one, other), local, indent + "    ")
        if self.rng.random() < 0.5:
            lines += [f"{indent}    if {self.condition(1, (one, other), local)}:", f"{indent}        break"]
        return lines

    def _helper(self, depth: int) -> str:
        name = f"helper{len(self.helpers) + 1}"
        self.helpers.append("")  # no helper calls a later one
        k = len(self.helpers) - 1
        lines = [f"def {name}(x, y, p, v):"]
        if self.rng.random() < 0.3:
            lines += [f"    if {self.condition(1, ('x', 'y'), ['v'])}:", "        return"]
        lines += self.block(max(0, depth - 1), ("x", "y"), ["v"], "    ")
        self.helpers[k] = NEWLINE.join(lines)
        return name


def _domains(rng: Random, params: list[str]) -> list[Domain]:
    found = [Domain("leader", "Bit()", "2", 2)]
    for name in ("x", "y", "z")[: rng.choice((1, 1, 2, 2, 3))]:
        kind = rng.randrange(24)
        if kind >= 20:
            names = tuple(f"{name.upper()}{k}" for k in range(rng.choice((2, 3, 4))))
            found.append(Domain(name, f"F{name}", str(len(names)), len(names), names))
        elif kind < 4:
            found.append(Domain(name, "Bit()", "2", 2))
        elif kind < 12:
            size = rng.choice((2, 3, 4, 5))
            found.append(Domain(name, f"Range({size})", str(size), size))
        elif kind < 16 and params:
            param = rng.choice(params)
            found.append(Domain(name, f"Range(lambda p: p.{param} + 2)", f"(p.{param} + 2)", 4))
        elif kind < 18:
            found.append(Domain(name, "Natural(random_below=4)", "", 10**9))
        else:
            size = rng.choice(LARGE)
            found.append(Domain(name, f"Range({size})", str(size), size))
    return found


def _telling(rule: Rule) -> str:
    """A condition on one agent that asks for a field besides the output."""
    while True:
        text = rule.condition(2, ("a",), [])
        if any(f"a.{domain.name}" in text for domain in rule.domains[1:]):
            return text


@dataclass(frozen=True)
class Written:
    """A random protocol: its file, and how many states an agent has."""

    text: str
    states: int


def random_protocol(rng: Random) -> Written:
    """The text of a file with one class, `Random`."""
    params = ["K", "D"][: rng.choice((0, 1, 2))]
    domains = _domains(rng, params)
    rule = Rule(rng, domains, params, tosses=rng.random() < 0.25)
    body = rule.block(rng.choice((1, 2, 3)), ("a", "b"), [], "    " * 2)
    counts = ["c.leaders", "c.q", "c.n"]
    goals = {
        "some": f"c.q >= {rng.choice((1, 2))}",
        "most": "2 * c.q > c.n",
        "even": f"({rng.choice(counts)} + {rng.choice(counts)}) % 2 == {rng.choice((0, 1))}",
        "few": f"c.leaders <= {rng.choice((0, 1))} and c.q != {rng.choice((0, 1))}",
    }
    chosen = rng.sample(sorted(goals), 2)
    lines = [
        "from princeps.model import Bit, Blocks, Closed, Counted, Derived, Natural, OneOf, Param, PopulationProtocol, Range",
        "from princeps.model import Uniform, coin, draw",
        "",
    ]
    lines += [f"{one.outside} = OneOf({', '.join(map(repr, one.names))})" for one in domains if one.names]
    lines += rule.helpers
    lines += ["", "def q(a, p):", f"    return {_telling(rule)}", ""]
    for name in chosen:
        lines += [f"def goal_{name}(c, p):", f"    return {goals[name]}", ""]
    lines += ["def start_first(a, i, n, p):"]
    for domain in domains:
        value = rng.choice(("i", "i + 1", "i * i", "n - i", "1", "0", "i // 2"))
        lines.append(f"    a.{domain.name} = ({value}) % {domain.size or 7}")
    lines += ["", "def start_blocks(n, p):"]
    blocks = [f'"{domain.name}": {rng.choice((0, 1))}' for domain in domains]
    lines += [f"    return [({rng.choice(('1', 'n // 2'))}, {{{', '.join(blocks)}}}), (n - {{}}, {{}})]"]
    first = lines[-1].split("(", 1)[1].split(",", 1)[0]
    lines[-1] = lines[-1].replace("n - {}", f"n - {first}")
    lines += ["", "class Random(PopulationProtocol):"]
    lines += [f"    K = Param(min=1, default={rng.choice((1, 2, 3))})"] if "K" in params else []
    lines += ["    D = Derived(lambda p: 2 * p.K + 1)"] if "D" in params else []
    lines += [f"    {domain.name} = {domain.declared}" for domain in domains]
    uniform = ', "random": Uniform()'
    lines += [f'    starts = {{"first": start_first, "blocks": Blocks(start_blocks){uniform}}}']
    lines += ['    predicates = {"q": q}']
    lines += [f"    goals = {{{', '.join(f'{name!r}: Counted(goal_{name})' for name in chosen)}}}"]
    lines += ["", "    @staticmethod", "    def interact(a, b, p):", *body, ""]
    states = 1
    for domain in domains:
        states *= domain.states
    return Written(NEWLINE.join(lines), states)

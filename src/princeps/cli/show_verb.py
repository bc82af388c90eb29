"""princeps show NAME"""

from __future__ import annotations

from typing import Annotated, Any

from princeps.cli.declared import Declared
from princeps.cli.frame import emit, parameters, verb
from princeps.cli.options import Name, Parameters

EXAMPLE_SIZE = 1000  # sizes of domains depend on n; this is the one shown unless -n is given

EXAMPLES = (
    "princeps show p_rl",
    "princeps show p_rl -n 100 -p N=128",
    "princeps show a_k --json",
)


@verb
def command(
    name: Name,
    n: Annotated[str, Declared("Population size that parameters default to.", ("-n",))] = str(EXAMPLE_SIZE),
    p: Parameters = None,
    as_json: Annotated[bool, Declared("One object.", ("--json",))] = False,
) -> int:
    """What a protocol is: paper, parameters, fields, states, starts, goals."""
    from princeps.model import registry
    from princeps.model.numbers import read_count
    from princeps.model.options import RING
    from princeps.model.reading import check_size

    found = registry.find_any(name)
    if registry.kind_of(found) == RING:
        given = {key: read_count(value, key) for key, value in parameters(p or []).items()}
        facts = describe_ring(found, registry.require_ring(found)(None, **given) if given else None)
        if as_json:
            emit(facts)
        else:
            _print_ring(facts)
        return 0
    cls = registry.find(name)
    given = {key: read_count(value, key) for key, value in parameters(p or []).items()}
    size = read_count(n, "n")
    check_size(size)
    protocol = cls(size, **given)
    facts = describe_population(protocol)
    if as_json:
        emit(facts)
        return 0
    _print(facts, size)
    return 0


def describe_population(protocol: Any) -> dict[str, Any]:
    from princeps.model.fields import constants_of
    from princeps.model.protocol import Blocks, Uniform
    from princeps.model.torn_pairs import torn_pairs

    cls = type(protocol)
    torn = torn_pairs(protocol)
    names = {name: list(field.names) for name, field in cls.fields_.items() if field.names}

    chosen = {name: param for name, param in cls.choosable().items() if name not in cls.params_}
    or_given = {name: {"range": param.range_text(), "doc": param.doc} for name, param in chosen.items()}

    def doc(item: Any) -> str:
        text = item.doc if isinstance(item, (Blocks, Uniform)) else getattr(item, "__doc__", None) or ""
        return " ".join(text.split())

    return {
        "protocol": cls.name,
        "title": cls.title,
        "paper": cls.paper,
        "file": cls.file(),
        "topology": cls.topology,
        "guarantee": cls.guarantee,
        "params": {
            key: {
                "value": protocol.params[key],
                "range": param.range_text(),
                "default": param.default_text(),
                "doc": param.doc,
            }
            for key, param in cls.params_.items()
        },
        "constants": {k: v for k, v in constants_of(protocol.constants).items() if k not in cls.params_},
        **({"or_given": or_given} if or_given else {}),
        "fields": protocol.fields,
        "state_count": protocol.state_count,
        "output": "L if it leads, else F",
        "starts": {key: doc(start) for key, start in cls.starts.items()},
        "default_start": cls.default_start,
        "goals": {key: doc(goal.rule) for key, goal in cls.all_goals().items()},
        "default_goal": cls.default_goal,
        "predicates": {key: doc(rule) for key, rule in cls.all_predicates().items()},
        "invariants": {key: doc(rule) for key, rule in cls.invariants.items()},
        **({"names": names} if names else {}),
        **({} if torn is None else {"torn": {"changing_both": torn[0], "pairs": torn[1]}}),
        **({"coins": True} if protocol.tosses else {}),
        **({} if cls.oracle is None else {"oracle": {cls.oracle.name: doc(cls.oracle.rule)}}),
    }


def describe_ring(cls: Any, fixed: Any = None) -> dict[str, Any]:
    """A ring algorithm; with its parameters `fixed` the domains are numbers."""
    return {
        "protocol": cls.name,
        "title": cls.title,
        "paper": cls.paper,
        "file": cls.file(),
        "topology": cls.network_in_words(),
        "guarantee": cls.guarantee,
        "params": {
            key: {"range": param.range_text(), "default": param.default_text(), "doc": param.doc}
            for key, param in cls.params_.items()
        },
        "variables": {
            name: variable.domain(None if fixed is None else fixed.tops[name])
            for name, variable in cls.variables_.items()
        },
        "messages": [message.notation for message in cls.messages_],
        "actions": {action.name: _reading(action) for action in cls.actions},
        "bounds": list(cls.bounds),
    }


def _reading(action: Any) -> str:
    if action.message is None:
        return "the start"
    return f"on {action.message.notation}" + (" from the right" if action.side == "right" else "")


def _print_ring(facts: dict[str, Any]) -> None:
    from princeps.cli.tables import pairs_table
    from princeps.model.rings.scheduler import scheduler_forms

    rows = [("paper", facts["paper"]), ("ring", facts["topology"]), ("guarantee", facts["guarantee"])]
    rows += [
        ("parameter", f"{key}: {param['range']}, default {param['default']}. {param['doc']}")
        for key, param in facts["params"].items()
    ]
    rows += [("variable", f"{name}: {domain}") for name, domain in facts["variables"].items()]
    rows.append(("messages", "  ".join(facts["messages"])))
    rows += [("action", f"{name}: {text}") for name, text in facts["actions"].items()]
    rows.append(("schedules", ", ".join(scheduler_forms())))
    rows.append(("file", facts["file"] or "-"))
    pairs_table(rows, f"{facts['protocol']}: {facts['title']}")


def _domain(field: str, size: int | None, names: dict[str, list[str]]) -> str:
    if field in names:
        return f"{field} {' | '.join(names[field])}"
    return f"{field} {'unbounded' if size is None else f'0..{size - 1}'}"


def _print(facts: dict[str, Any], n: int) -> None:
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    console = Console()
    console.print(f"[bold]{facts['protocol']}[/bold]  {escape(facts['title'])}", highlight=False)
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(style="bold", no_wrap=True)
    table.add_column()
    table.add_row("paper", escape(facts["paper"]) or "-")
    table.add_row("graph", {"any": "any (complete by default)"}.get(facts["topology"], facts["topology"]))
    table.add_row("guarantee", facts["guarantee"])
    for key, param in facts["params"].items():
        table.add_row("parameter", escape(f"{key}: {param['range']}, default {param['default']}. {param['doc']}"))
    for key, value in facts["constants"].items():
        chosen = facts.get("or_given", {}).get(key)
        said = f", or as given, {chosen['range']}: {chosen['doc']}" if chosen else ""
        table.add_row("constant", escape(f"{key} = {value}{said}"))
    table.add_row(
        "fields", escape(", ".join(_domain(k, v, facts.get("names", {})) for k, v in facts["fields"].items()))
    )
    count = facts["state_count"]
    table.add_row("states", f"{'unbounded' if count is None else count} (with the parameters of n = {n})")
    table.add_row("output", facts["output"])
    if "torn" in facts:
        both, pairs = facts["torn"]["changing_both"], facts["torn"]["pairs"]
        said = "" if both else ", so that none can be torn"
        table.add_row("interactions", f"{both:,} of {pairs:,} pairs of states change both agents{said}")
    if facts.get("coins"):
        table.add_row("coins", "the rule tosses coins")
    for key, text in facts.get("oracle", {}).items():
        table.add_row("oracle", escape(f"p.{key}{': ' if text else ''}{text}"))
    for kind, default in (
        ("starts", "default_start"),
        ("goals", "default_goal"),
        ("predicates", ""),
        ("invariants", ""),
    ):
        for key, text in facts[kind].items():
            mark = " (default)" if default and key == facts[default] else ""
            table.add_row(kind[:-1], escape(f"{key}{mark}{': ' if text else ''}{text}"))
    table.add_row("start", "file:PATH: a JSON list of states")
    console.print(table, highlight=False)

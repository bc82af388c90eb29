"""What the class of a population protocol declares, checked when it is defined."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from princeps.model.class_checks import ClassCheck
from princeps.model.conditions import as_lambda
from princeps.model.given_starts import COUNTS
from princeps.model.goals import ALWAYS_COUNTED, LISTING_STARTS, Blocks, Closed, Counted, Goal, Uniform, Verdict
from princeps.model.lemmas import fact_complaint, hint_complaint, lemma_complaint
from princeps.model.losses import loss_complaint
from princeps.model.oracles import Oracle
from princeps.model.topology import text_names_a_graph
from princeps.model.tuning import tuning_complaint
from princeps.model.values import function_complaint, shown

LAMBDA = "<lambda>"  # what Python calls a function without a name
GUARANTEES = ("stabilizing", "self-stabilizing", "loosely-stabilizing", "probabilistic termination", "terminating")
SIGNATURES = {"interact": "a, b, p", "is_leader": "a, p", "groups": "p", "demands": "n, p", "expected_steps": "n, p"}


def check_protocol(check: ClassCheck) -> None:
    check_fields(check)
    check.functions(SIGNATURES)
    check.texts("topology", "default_start", "default_goal")
    check_tables(check)
    check_choices(check)
    check_oracle(check)


def check_oracle(check: ClassCheck) -> None:
    cls, oracle = check.cls, check.cls.oracle
    if oracle is None:
        return
    if not isinstance(oracle, Oracle):
        written = f"{oracle.__name__}()" if isinstance(oracle, type) and issubclass(oracle, Oracle) else "NobodyLeads()"
        raise check.mistake(f"oracle is {shown(oracle)}: write oracle = {written}.", "oracle")
    complaint = oracle.complaint()
    check.require(None if complaint is None else f"the oracle {complaint}.", "oracle")
    if oracle.name in {*cls.params_, *cls.derived_, *cls.of_inputs_}:
        raise check.mistake(
            f"the oracle is read as p.{oracle.name}, which is a parameter as well: rename the parameter.", oracle.name
        )


def check_fields(check: ClassCheck) -> None:
    cls = check.cls
    defined = {name for base in cls.__mro__ if base.__module__ != "princeps.model.protocol" for name in vars(base)}
    if all(field.is_scratch for field in cls.fields_.values()):
        raise check.mistake(f"{cls.__name__} declares no field: give an agent something to remember, like Bit().")
    for name, field in cls.fields_.items():
        complaint = field.complaint()
        check.require(None if complaint is None else f"the field {name!r} {complaint}.", name)
    inputs = [name for name, field in cls.fields_.items() if field.is_input]
    if len(inputs) > 1:
        raise check.mistake(f"{' and '.join(inputs)} are inputs: an agent has one identifier only.", inputs[1])
    for name, of in cls.of_inputs_.items():
        check.function(of.of, f"the constant {name!r}", "ids", name)
    if "interact" not in defined:
        raise check.mistake(f"{cls.__name__} has no rule: define interact(a, b, p), or a table.", "interact")
    if "leader" not in cls.fields_ and "is_leader" not in defined:
        raise check.mistake(f"{cls.__name__} has no field 'leader': define is_leader(a, p){_or_leaders(cls)}.")


def _or_leaders(cls: Any) -> str:
    names = [name for field in cls.fields_.values() for name in field.names]
    return f', or name the states that lead, one of {", ".join(names)}: leaders = "..."' if names else ""


def check_tables(check: ClassCheck) -> None:
    cls = check.cls
    check.table("starts", lambda value: _start_complaint(cls, value))
    check.table("predicates", lambda value: function_complaint(value, "a, p"))
    check.table("goals", lambda value: _goal_complaint(cls, value))
    check.table("invariants", lambda value: function_complaint(value, "c, p"))
    check.table("verdicts", lambda value: _verdict_complaint(value, cls.all_goals()))
    check.table("lemmas", lemma_complaint)
    check.table("facts", fact_complaint)
    check.table("hints", hint_complaint)
    check.table("losses", loss_complaint)
    check_tuning(check)
    for name in cls.predicates:
        if name in ALWAYS_COUNTED:
            remedy = "define is_leader(a, p) instead" if name == "leaders" else "rename it"
            raise check.mistake(
                f"no predicate may be called {name!r}, which is counted anyhow: {remedy}.", "predicates"
            )
    for name in cls.starts:
        if name.startswith((COUNTS, *LISTING_STARTS)):
            raise check.mistake(f"no start may be called {name!r}, which names a list of states: rename it.", "starts")


def check_tuning(check: ClassCheck) -> None:
    """What the class itself says: an inherited one may name losses that the class has not; then `tune` says so."""
    cls = check.cls
    complaint = tuning_mistake(cls) if "tuning" in vars(cls) else None
    check.require(None if complaint is None else f"tuning {complaint}.", "tuning")


def tuning_mistake(cls: Any) -> str | None:
    names = list(cls.losses), list(cls.choosable()), list(cls.all_goals()), list(cls.all_predicates())
    found = tuning_complaint(cls.tuning, *names)
    return None if found is None else found.rstrip(".")


def check_choices(check: ClassCheck) -> None:
    """One of several."""
    cls = check.cls
    if cls.topology != "any" and not text_names_a_graph(cls.topology):
        raise check.mistake(f'topology {cls.topology!r} is no graph: it is "complete", "ring" or "any".', "topology")
    if cls.guarantee not in GUARANTEES:
        raise check.mistake(f"guarantee {cls.guarantee!r} is none of {', '.join(GUARANTEES)}.", "guarantee")
    if cls.default_goal not in cls.all_goals():
        known = ", ".join(cls.all_goals())
        raise check.mistake(f"default_goal {cls.default_goal!r} is none of its goals ({known}).", "default_goal")
    if cls.starts and "default_start" in vars(cls) and cls.default_start not in cls.starts:
        known = ", ".join(cls.starts)
        raise check.mistake(f"default_start {cls.default_start!r} is none of its starts ({known}).", "default_start")


def _start_complaint(cls: Any, value: Any) -> str | None:
    """What is wrong with a start, if anything is."""
    if isinstance(value, Uniform):
        return None
    if value in (Uniform, Blocks):
        return f"is the class {value.__name__}: write {value.__name__}(...)"
    if isinstance(value, Mapping) and value and not set(value) <= set(cls.fields_):
        return f"is {shown(value)}: {_numbers_by_state(value)}"
    if isinstance(value, Mapping):
        return f"is {shown(value)}: write Blocks(lambda n, p: [(n, {shown(dict(value))})]) if all n agents begin so"
    rule, arguments = (value.rule, "n, p") if isinstance(value, Blocks) else (value, "a, i, n, p")
    complaint = function_complaint(rule, arguments)
    if complaint is None and not isinstance(value, Blocks) and getattr(value, "__name__", "") == LAMBDA:
        return "must be a plain function: a lambda assigns no field, write `def initial(a, i, n, p):` with lines like `a.x = 1`"
    return complaint


def _numbers_by_state(given: Mapping[Any, Any]) -> str:
    """The remedy for numbers of agents, which must add up to n, whatever n is."""
    *others, last = given
    if not others:
        return f"write {last!r} if all n agents begin so, or Blocks(lambda n, p: {{{last!r}: n}})"
    parts = [f"{state!r}: {shown(given[state])}" for state in others]
    rest = " - ".join(["n", *(shown(given[state]) for state in others)])
    return f"write Blocks(lambda n, p: {{{', '.join([*parts, f'{last!r}: {rest}'])}}})"


def _goal_complaint(cls: Any, value: Any) -> str | None:
    written = as_lambda(value, "c, p", cls.params_) if isinstance(value, str) else None
    if written is not None:
        return f"is {shown(value)}, a text where a function is needed: write {written}"
    if not isinstance(value, (Counted, Closed)):
        return f"is {shown(value)}: wrap the condition in Counted(...) or Closed(...)"
    return function_complaint(value.rule, "c, p" if isinstance(value, Counted) else "u, n, p")


def _verdict_complaint(value: Any, goals: Mapping[str, Goal]) -> str | None:
    if not isinstance(value, Verdict):
        return f"is {shown(value)}: write Verdict(at=GOAL, rule=f)"
    if value.at not in goals:
        return f"is judged at {value.at!r}, which is none of the goals ({', '.join(goals)})"
    return function_complaint(value.rule, "c, p")

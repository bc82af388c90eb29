"""A function is known by what it means, in whatever form it is written."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest

import princeps as library
from princeps.errors import ProtocolError
from princeps.model.canonical import tree_of
from tests.campaign.identity_tools import CLOSURE, Identify, edited, form
from tests.tables import in_one_test

# -- functions of every form ------------------------------------------------------------------------------------------


def test_a_lambda_is_found_among_others(identify: Identify) -> None:
    alone = identify(form(START="lambda n, p: [(2, {'leader': 1}), (n - 2, {})]"))
    several = "ä, one, two, three = 'äöü€', " + ", ".join(
        f"lambda n, p: [({k}, {{'leader': 1}}), (n - {k}, {{}})]" for k in (1, 2, 3)
    )
    assert identify(form(TOP=several, START="two")) == alone
    assert len({identify(form(TOP=several, START=name)) for name in ("one", "two", "three")}) == 3
    lines = "TABLE = {\n    'one': lambda n, p: [\n        (1, {'leader': 1}),\n        (n - 1, {}),\n    ],\n"
    lines += "    'two': (lambda n, p:\n[(2, {'leader': 1}), (n - 2, {})]), 'f': (lambda: lambda n, p: [(n, {})]),\n}"
    assert identify(form(TOP=lines, START="TABLE['two']")) == alone
    assert identify(form(TOP=lines, START="TABLE['one']")) == identify(form(TOP=several, START="one"))
    assert identify(form(TOP=lines, START="TABLE['f']()")) == identify(form(START="lambda n, p: [(n, {})]"))


def test_a_lambda_within_a_lambda_counts(identify: Identify) -> None:
    text = "lambda n, p: (lambda k: [(k, {'leader': 1}), (n - k, {})])(COUNT)"
    one, two = (identify(form(START=text.replace("COUNT", count))) for count in "12")
    assert one != two
    renamed = text.replace("n, p", "m, q").replace("n -", "m -").replace("k", "j")
    assert identify(form(START=renamed.replace("COUNT", "1"))) == one


def test_def_and_lambda_are_the_same_function(identify: Identify) -> None:
    text = "def start(n, p):\n    return [(n, {'leader': 1})]"
    assert identify(form(TOP=text)) == identify(form())


def test_what_a_closure_has_closed_over_counts(identify: Identify) -> None:
    one, two = (identify(form(TOP=CLOSURE, START=f"some({k})")) for k in (1, 2))
    assert one != two
    assert identify(form(TOP=CLOSURE.replace("k", "many"), START="some(1)")) == one


def test_a_closure_over_a_function_means_the_function(identify: Identify) -> None:
    text = "def around(f):\n    def start(n, p):\n        return f(n)\n    return start\n"
    text += "def inner(n):\n    return [(COUNT, {'leader': 1}), (n - COUNT, {})]\n"
    one, two = (identify(form(TOP=text.replace("COUNT", k), START="around(inner)")) for k in "12")
    assert one != two


def test_helpers_may_call_each_other(identify: Identify) -> None:
    """One that calls itself has a tree, too; and what it calls counts at any depth."""
    text = "def even(k):\n    return k == 0 or odd(k - 1)\ndef odd(k):\n    return k > 1 and even(k - STEP)\nSTEP = 1\n"
    text += "def start(n, p):\n    return [(n, {'leader': int(even(n))})]"
    one = identify(form(TOP=text))
    assert identify(form(TOP=edited(("even", "gerade"), ("odd", "ungerade"), text=text))) == one
    assert identify(form(TOP=edited(("k > 1", "k > 0"), text=text))) != one
    assert identify(form(TOP=edited(("STEP = 1", "STEP = 2"), text=text))) != one
    assert identify(form(TOP=edited(("odd(k - 1)", "even(k - 1)"), text=text))) != one


def test_a_decorated_helper_counts_with_its_decorator(identify: Identify) -> None:
    text = "def twice(f):\n    def both(n):\n        return COUNT * f(n)\n    return both\n"
    text += "@twice\ndef some(n):\n    return OTHER\n\n"
    text += "def start(n, p):\n    return [(some(n), {'leader': 1}), (n - some(n), {})]"
    texts = [text.replace("COUNT", count).replace("OTHER", other) for count in "12" for other in "12"]
    assert len({identify(form(TOP=one)) for one in texts}) == 4


def test_a_function_of_another_name_from_a_module_counts(identify: Identify) -> None:
    text = "from math import NAME as rounded\ndef start(n, p):\n    return [(rounded(n / 4), {}), (n - rounded(n / 4), {})]"
    assert identify(form(TOP=text.replace("NAME", "ceil"))) != identify(form(TOP=text.replace("NAME", "floor")))


GENERATED = "def goal(u, n, p):\n    return all(u[i].x == LIMIT for i in range(n))"
# Two texts that mean different laws, each with the word WHAT replaced by the one or the other.
DIFFERENT: dict[str, tuple[dict[str, str], str, str]] = {
    "a list of the file": ({"TOP": "T = [WHAT]\ndef start(n, p):\n    return [(n, {'x': T[0]})]"}, "1", "2"),
    "a dictionary of the file": ({"TOP": "T = {0: WHAT}\ndef start(n, p):\n    return [(n, {'x': T[0]})]"}, "1", "2"),
    "an operator": ({"RULE": "b.x = min(a.x WHAT 1, 8)"}, "|", "^"),
    "a shift": ({"RULE": "b.x = a.x WHAT 1"}, "<<", ">>"),
    "an augmented assignment": ({"RULE": "b.x WHAT 1"}, "|=", "&="),
    "a branch": ({"RULE": "b.x = WHAT"}, "a.x if b.x else 0", "b.x if a.x else 0"),
    "a chain of comparisons": ({"RULE": "b.x = WHAT"}, "a.x < b.x < 3", "a.x < b.x and a.x < 3"),
    "the sign": ({"RULE": "b.x = max(WHATa.x, 0)"}, "-", "+"),
    "brackets that matter": ({"RULE": "b.x = WHAT"}, "a.x - b.x - 1 & 7", "a.x - (b.x - 1) & 7"),
    "nested or one after the other": (
        {"RULE": "if a.x:\n            b.x = 0\n        WHATif b.x:\n            a.x = 0"},
        "",
        "el",
    ),
    "a loop over the roles": ({"RULE": "for u, v in WHAT:\n            v.x = u.x"}, "((a, b),)", "((b, a),)"),
    "break": (
        {"RULE": "for u in (a, b):\n            if u.x:\n                u.x = 0\n                WHAT"},
        "break",
        "pass",
    ),
    "which local is meant": ({"RULE": "s = a.x\n        t = b.x\n        b.x = WHAT"}, "s", "t"),
    "locals exchanged": ({"RULE": "s, t = a.x, b.x\n        a.x, b.x = WHAT"}, "s, t", "t, s"),
    "a helper's default": ({"TOP": "def h(k=WHAT):\n    return k", "RULE": "b.x = h()"}, "1", "2"),
    "an argument by name": ({"TOP": "def h(k=1, m=1):\n    return k + 2 * m", "RULE": "b.x = h(WHAT=0)"}, "k", "m"),
    "a helper that hides a builtin": (
        {"TOP": "def WHAT(x, y):\n    return x + y", "RULE": "b.x = min(a.x, 1)"},
        "min",
        "max",
    ),
    "the whole configuration": (
        {
            "TOP": "def goal(u, n, p):\n    for i in range(n):\n        if u[i].x != WHAT:\n            return 0\n    return 1"
        },
        "1",
        "2",
    ),
    "a predicate's helper": ({"TOP": "def h(x):\n    return x > WHAT", "MANY": "lambda a, p: h(a.x)"}, "1", "2"),
    "the default of a lambda": ({"START": "lambda n, p, k=WHAT: [(k, {'leader': 1}), (n - k, {})]"}, "1", "2"),
    "an unbounded field's bound": ({"FIELDS": "y = Natural(random_below=WHAT)"}, "3", "4"),
    "a default that names a constant": (
        {"TOP": "K = WHAT\ndef start(n, p, k=K):\n    return [(k, {'leader': 1}), (n - k, {})]"},
        *("1", "2"),
    ),
    "a constant within a generator": ({"TOP": f"LIMIT = WHAT\n{GENERATED}"}, "1", "2"),
    "a helper within a generator": (
        {"TOP": f"def same(x):\n    return x == WHAT\n{GENERATED.replace('u[i].x == LIMIT', 'same(u[i].x)')}"},
        *("1", "2"),
    ),
    "a constant within a list of blocks": (
        {"TOP": "K = WHAT\ndef start(n, p):\n    return [(n // 2, {'x': j * K}) for j in (0, 1)]"},
        *("1", "2"),
    ),
    "a constant within an inner lambda": (
        {"TOP": "K = WHAT\ndef start(n, p):\n    return (lambda k: [(k * K, {'leader': 1}), (n - k * K, {})])(1)"},
        *("1", "2"),
    ),
    "the predicate that the goal's helper asks for": (
        {
            "TOP": "def ready(c):\n    return c.many == c.n\ndef goal(c, p):\n    return ready(c)",
            "MANY": "lambda a, p: a.x > WHAT",
        },
        *("1", "2"),
    ),
    "the predicate that the goal asks for by another name": (
        {"TOP": "def goal(c, p):\n    d = c\n    return d.many == c.n", "MANY": "lambda a, p: a.x > WHAT"},
        *("1", "2"),
    ),
    "the predicate of a goal with bare positions": (
        {"TOP": "def goal(c, p, /):\n    return c.many == c.n", "MANY": "lambda a, p: a.x > WHAT"},
        *("1", "2"),
    ),
    "the predicate that a verdict asks for": (
        {
            "FIELDS": "verdicts = {'v': Verdict(at='goal', rule=lambda c, p: c.few == 1)}\n"
            "    predicates['few'] = lambda a, p: a.x < WHAT"
        },
        *("1", "2"),
    ),
    "a function imported within": (
        {"TOP": "def start(n, p):\n    from math import WHAT as f\n    return [(f(n / 4), {}), (n - f(n / 4), {})]"},
        *("ceil", "floor"),
    ),
    "inner functions that swap their names": (
        {"TOP": "def start(n, p):\n    WHAT\n    return [(one(), {'leader': 1}), (n - one(), {})]"},
        "def one(): return 1\n    def two(): return 2",
        "def two(): return 1\n    def one(): return 2",
    ),
    "the bound of an unbounded field of numbered agents": (
        {"FIELDS": "aid, most = Input(), OfInputs(max)\n    y = Natural(random_below=lambda p: WHAT * p.most)"},
        *("1", "2"),
    ),
}


@pytest.mark.medium
@in_one_test(("parts", "one", "other"), DIFFERENT.values(), ids=DIFFERENT.keys())
def test_different_laws_are_different_points(identify: Identify, parts: dict[str, str], one: str, other: str) -> None:
    text = form(**parts)
    assert identify(text.replace("WHAT", one)) != identify(text.replace("WHAT", other))


# The same, of laws that have one id today.
UNTOLD: dict[str, tuple[dict[str, str], str, str]] = {
    "the default of a lambda made in a loop": (
        {
            "TOP": "TABLE = {k: lambda n, p, k=k: [(k, {'leader': 1}), (n - k, {})] for k in (1, 2)}",
            "START": "TABLE[WHAT]",
        },
        *("1", "2"),
    ),
    "the default of a function made by another": (
        {
            "TOP": "def some(j):\n    return lambda n, p, k=j: [(k, {'leader': 1}), (n - k, {})]",
            "START": "some(WHAT)",
        },
        *("1", "2"),
    ),
    "a constant that a comprehension hides elsewhere": (
        {"TOP": "k = WHAT\ndef start(n, p):\n    m = sum([k for k in (1,)])\n    return [(k, {'x': m}), (n - k, {})]"},
        *("1", "2"),
    ),
    "a constant that an inner lambda hides elsewhere": (
        {"TOP": "k = WHAT\ndef start(n, p):\n    m = (lambda k: k)(1)\n    return [(k, {'x': m}), (n - k, {})]"},
        *("1", "2"),
    ),
    "a number or its text": (
        {"TOP": "K = WHAT\ndef start(n, p):\n    return [(n, {'x': int(K == 1)})]"},
        *("1", "'1'"),
    ),
    "the order of a dictionary": (
        {"TOP": "T = WHAT\ndef start(n, p):\n    return [(n // 2, {'x': x}) for x in T]"},
        *("{1: 0, 2: 0}", "{2: 0, 1: 0}"),
    ),
    "the names within a tuple": (
        {
            "TOP": "from collections import namedtuple\nK = namedtuple('K', 'WHAT')(1, 2)\n"
            "def start(n, p):\n    return [(n, {'x': K.one})]"
        },
        *("one two", "two one"),
    ),
}


@pytest.mark.parametrize(
    ("parts", "one", "other"),
    [pytest.param(parts, one, other, id=label) for label, (parts, one, other) in UNTOLD.items()],
)
def test_laws_that_differ_out_of_sight_are_different_points(
    identify: Identify, parts: dict[str, str], one: str, other: str
) -> None:
    text = form(**parts)
    assert identify(text.replace("WHAT", one)) != identify(text.replace("WHAT", other))


def test_listed_states_mean_the_fields_they_name(identify: Identify) -> None:
    """The first value is x in one file and y in the other."""
    ids = {
        identify(form(FIELDS=f"{order} = Bit(), Bit()"), n=2, start="states:0,0,1,0;0,0,0,0")
        for order in ("y, z", "z, y")
    }
    assert len(ids) == 2


def test_the_same_point_has_the_same_trials(identify: Identify, tmp_path: Path) -> None:
    """Whatever has one id must give one result for a seed; else two stores of one campaign contradict each other."""
    rule = "b.leader, b.y = a.leader & b.y, a.z"
    ids, steps = set(), set()
    for order in ("y, z", "z, y"):
        text = form(
            FIELDS=f"{order} = Bit(), Bit()\n    starts['random'] = Uniform()", RULE=rule, MANY="lambda a, p: 0"
        )
        ids.add(identify(text, file=f"{order[0]}.py", start="random"))
        run = partial(library.run, f"{tmp_path}/{order[0]}.py", n=6, engine="reference", start="random", max_steps=99)
        steps.add(tuple(run(seed=seed).steps for seed in range(9)))
    assert len(ids) == len(steps)


def test_arguments_of_any_kind_may_be_renamed(identify: Identify) -> None:
    text = "def start(*all):\n    return [(all[0], {})]"
    assert identify(form(TOP=text)) == identify(form(TOP=text.replace("all", "every")))


@pytest.mark.parametrize(
    "text",
    ["partial(lambda k, n, p: [(n, {'x': k})], WHAT)", "cache(lambda n, p: [(n, {'x': WHAT})])"],
    ids=["partial", "cache"],
)
def test_a_callable_that_is_no_function_is_known_by_its_content_or_refused(identify: Identify, text: str) -> None:
    found = []
    for what in "12":
        try:
            found.append(identify(form(START=text.replace("WHAT", what))))
        except ProtocolError:
            found.append("refused")
    assert found == ["refused", "refused"] or len(set(found)) == 2


def test_a_function_without_a_file_is_refused_in_a_sentence(identify: Identify) -> None:
    text = "scope = {}\nexec('def start(n, p): return [(n, {})]', scope)"
    with pytest.raises(ProtocolError, match="the source of start cannot be read: keep the protocol in a file"):
        identify(form(TOP=text, START="scope['start']"))


class Opaque:
    """Nothing of it says whether two of them mean the same."""


OPAQUE = Opaque()


def uses_opaque(a: Any, b: Any, p: Any) -> None:
    a.x = OPAQUE


def test_what_has_no_content_is_refused_with_its_name_and_line() -> None:
    line = uses_opaque.__code__.co_firstlineno
    with pytest.raises(ProtocolError, match=rf"test_canonical\.py:{line}: 'OPAQUE': a rule uses .* a Opaque"):
        tree_of(uses_opaque)

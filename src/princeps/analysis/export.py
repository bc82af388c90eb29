"""Chains for other model checkers: files in Storm's explicit format (.drn) and in the PRISM language.

Probabilities are written as fractions, so that a checker that computes exactly gets the chain itself and not its
rounding. The reward model "steps" counts the steps before the target; the target's own steps are kept as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import gcd
from pathlib import Path

import numpy as np

from princeps.analysis.chain import Bits, Chain
from princeps.errors import RunError, TooLarge
from princeps.model.files import Output

TARGET = "target"
MAX_PRISM = 200_000  # states; a checker tries every command in every state, so that far fewer are already slow
PORTION = 1 << 14  # states that are turned into Python numbers at a time
MAX_RANGES = 100  # in one formula: parsers recurse over the terms of a disjunction

# PRISM's manual, "Modules and variables", and the label that PRISM itself gives: none of them can be a label's name.
RESERVED = (
    "A bool clock const ctmc C double dtmc E endinit endinvariant endmodule endobservables endrewards endsystem false "
    "formula filter func F global G init invariant I int label max mdp min module X nondeterministic observable "
    "observables of Pmax Pmin P pomdp popta probabilistic prob pta rate rewards Rmax Rmin R S stochastic system true "
    "U W deadlock"
)

MatrixRow = list[tuple[int, str]]


@dataclass(frozen=True)
class Exported:
    """`comment`: how the chain came about, for the head of the file.

    With `noise` it is the decision process of a noisy adversary: it chooses one of the steps, which is then made unless,
    with this probability, a uniform one is.
    """

    chain: Chain
    labels: Mapping[str, Bits]
    initial: int
    comment: str
    noise: Fraction | None = None


def export(item: Exported, output: Output) -> None:
    """Write this file, in the format that its suffix names."""
    (write_drn if format_of(output.path) == "drn" else write_prism)(item, output)


def format_of(path: str) -> str:
    suffix = Path(path).suffix.lower()
    if suffix == ".drn":
        return "drn"
    if suffix in (".prism", ".pm", ".sm"):
        return "prism"
    raise RunError(
        f"output {path!r} has no known suffix: end it in .drn (Storm) or in .prism, .pm or .sm (PRISM language)."
    )


def write_drn(item: Exported, output: Output) -> None:
    """A label that no state has does not show in this format, which has no list of labels."""
    _check(item)
    _write(output, _drn(item))


def write_prism(item: Exported, output: Output) -> None:
    _check(item)
    if item.chain.size > MAX_PRISM:
        raise TooLarge(
            f"a chain of {item.chain.size:,} states is too large for the PRISM language (at most {MAX_PRISM:,}): "
            "write it to a .drn file."
        )
    _write(output, _prism(item))


def _write(output: Output, lines: Iterator[str]) -> None:
    with output.replacing() as write:
        for line in lines:
            write(line.encode("utf-8", "surrogateescape"))


def _check(item: Exported) -> None:
    """Refuse what cannot be written before the file is begun."""
    chain, size = item.chain, item.chain.size
    for name, states in item.labels.items():
        if not re.fullmatch(r"[A-Za-z_][A-Za-z_0-9]*", name) or name in RESERVED.split():
            raise RunError(
                f"label {name!r} cannot be written: take letters, digits and _, and no word of the PRISM language."
            )
        if len(states) != size:
            raise RunError(f"label {name!r} has {len(states):,} entries for {size:,} states: give one for every state.")
    if TARGET not in item.labels or not item.labels[TARGET].any():
        raise RunError(f"no state has the label {TARGET!r}: give it to those in which the steps end.")
    if not 0 <= item.initial < size:
        raise RunError(f"the initial state {item.initial} does not exist: choose one of 0..{size - 1}.")
    weights = chain.weights if len(chain.weights) else np.ones(len(chain.successors), np.int64)
    leaving = np.diff(np.concatenate(([0], np.cumsum(weights)))[chain.offsets])
    if (weights < 0).any() or (leaving > chain.total).any():
        worst = int(leaving.argmax())
        raise RunError(
            f"the steps from state {worst} have the weight {leaving[worst]} of {chain.total}: probabilities add up to 1."
        )


def _rows(item: Exported) -> Iterator[list[MatrixRow]]:
    """For every state what may be chosen: the successors in order with their probabilities. A chain leaves no choice."""
    texts: dict[int, str] = {}
    total = item.chain.total * (1 if item.noise is None else item.noise.denominator)

    def written(row: dict[int, int]) -> MatrixRow:
        for weight in row.values():
            if weight not in texts:
                texts[weight] = _fraction(weight, total)
        return [(successor, texts[row[successor]]) for successor in sorted(row) if row[successor]]

    for row in _weights(item.chain):
        if item.noise is None:
            yield [written(row)]
            continue
        uniform = {y: weight * item.noise.numerator for y, weight in row.items()}
        own = total - item.chain.total * item.noise.numerator
        yield [written({**uniform, y: uniform[y] + own}) for y in sorted(row) if row[y]]


def _weights(chain: Chain) -> Iterator[dict[int, int]]:
    """The weights of all successors of every state; the rest of the weight is that of staying."""
    total = chain.total
    for first in range(0, chain.size, PORTION):
        bounds = chain.offsets[first : first + PORTION + 1]
        listed = slice(bounds[0], bounds[-1])
        successors = chain.successors[listed].tolist()
        weights = chain.weights[listed].tolist() if len(chain.weights) else [1] * len(successors)
        ends = (bounds - bounds[0]).tolist()
        for k in range(len(ends) - 1):
            row: dict[int, int] = {}
            staying = total
            for j in range(ends[k], ends[k + 1]):
                row[successors[j]] = row.get(successors[j], 0) + weights[j]
                staying -= weights[j]
            row[first + k] = row.get(first + k, 0) + staying
            yield row


def _fraction(weight: int, total: int) -> str:
    common = gcd(weight, total)
    return "1" if weight == total else f"{weight // common}/{total // common}"


def _head(item: Exported) -> Iterator[str]:
    for line in item.comment.splitlines():
        yield f"// {line}\n"


def _drn(item: Exported) -> Iterator[str]:
    yield from _head(item)
    kind = "DTMC" if item.noise is None else "MDP"
    yield f"@type: {kind}\n@parameters\n\n@reward_models\nsteps\n@nr_states\n{item.chain.size}\n"
    yield f"@nr_choices\n{_count_choices(item)}\n@model\n"
    names = list(item.labels)
    bits = np.array([item.labels[name] for name in names]).T
    target = item.labels[TARGET]
    for x, rows in enumerate(_rows(item)):
        own = ["init"] * (x == item.initial) + [names[k] for k in bits[x].nonzero()[0]]
        steps = "".join(
            f"\taction {number}\n" + "".join([f"\t\t{successor} : {probability}\n" for successor, probability in row])
            for number, row in enumerate(rows)
        )
        yield f"state {x} [{0 if target[x] else 1}] {' '.join(own)}".rstrip() + f"\n{steps}"


def _count_choices(item: Exported) -> int:
    if item.noise is None:
        return item.chain.size
    return sum(sum(weight > 0 for weight in row.values()) for row in _weights(item.chain))


def _prism(item: Exported) -> Iterator[str]:
    yield from _head(item)
    kind = "dtmc" if item.noise is None else "mdp"
    yield f"{kind}\n\nmodule chain\n  s : [0..{item.chain.size - 1}] init {item.initial};\n"
    for x, rows in enumerate(_rows(item)):
        for row in rows:
            updates = " + ".join([f"{probability}:(s'={successor})" for successor, probability in row])
            yield f"  [] s={x} -> {updates};\n"
    yield "endmodule\n\n"
    for name, states in item.labels.items():
        formulas, condition = _condition(name, states)
        yield from formulas
        yield f'label "{name}" = {condition};\n'
        if name == TARGET:
            yield f'rewards "steps"\n  !({condition}) : 1;\nendrewards\n'


def _condition(name: str, states: Bits) -> tuple[list[str], str]:
    """An expression for these states, and the formulas that it needs if it would be very long."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], states, [False])).astype(np.int8))).tolist()
    terms = [_range(low, end - 1) for low, end in zip(edges[::2], edges[1::2], strict=True)]
    components = ["|".join(terms[k : k + MAX_RANGES]) for k in range(0, len(terms), MAX_RANGES)]
    if len(components) <= 1:
        return [], components[0] if components else "false"
    formulas = [f"formula {name}_part{k} = {part};\n" for k, part in enumerate(components)]
    return formulas, "|".join(f"{name}_part{k}" for k in range(len(components)))


def _range(low: int, high: int) -> str:
    return f"s={low}" if low == high else f"(s>={low}&s<={high})"

"""Expected numbers of steps as the model checker Storm computes them: an independent check of a chain.

Storm is asked through stormpy, which is large and only needed here: the extra `storm` installs it.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from princeps.analysis.export import TARGET, Exported, write_drn
from princeps.errors import RunError
from princeps.model.files import CHAIN, Output

PROPERTY = f'R{{"steps"}}=? [F "{TARGET}"]'
OF_DECISIONS = f'R{{"steps"}}max=? [F "{TARGET}"]'  # of an adversary that makes it as long as it can
MAX_DIRECT = 3_000  # states that are eliminated directly: at most some seconds for any chain
PRECISION = "1/1000000000"  # relative; with a finer one long hitting times never converge
MAX_DIGITS = 4000  # that Python reads at once
MIN_VERSION = 2  # stormpy 1 returns 10^11 for an exact infinity and ignores the precision


def expected_steps(item: Exported, exact: bool) -> Fraction | float:
    """From the initial state until the target; infinity (a float) if the target may be missed."""
    return _number(_model_checking_result(item, exact, only_initial=True).get_value(item.initial))


def all_expected_steps(item: Exported, exact: bool = False) -> list[Fraction | float]:
    """The same from every state."""
    result = _model_checking_result(item, exact, only_initial=False)
    return [_number(result.get_value(x)) for x in range(item.chain.size)]


def _model_checking_result(item: Exported, exact: bool, only_initial: bool) -> Any:
    stormpy = stormpy_or_refuse()
    with TemporaryDirectory() as folder:
        path = str(Path(folder) / "chain.drn")
        write_drn(item, Output(path, CHAIN, ()))
        model = stormpy.build_model_from_drn[stormpy.Rational if exact else float](path)
    environment = stormpy.environments.exact() if exact else _floating(stormpy, item.chain.size)
    question = stormpy.parse_properties(PROPERTY if item.noise is None else OF_DECISIONS)[0]
    return stormpy.model_checking(model, question, only_initial_states=only_initial, environment=environment)


def _floating(stormpy: Any, states: int) -> Any:
    """Iteration between sound bounds is slow for long hitting times, and may never end; where the chain is small enough,
    a decomposition by Eigen gives the precision of floats directly."""
    environment = stormpy.environments.sound()
    solver = environment.solver()
    if states <= MAX_DIRECT:
        solver.set_linear_equation_solver_type(stormpy.environments.EquationSolverType.EIGEN)
    solver.native().precision = stormpy.Rational(PRECISION)
    return environment


def stormpy_or_refuse() -> Any:
    remedy = "install it with pip install 'princeps[storm]'."
    try:
        import stormpy
    except ImportError:
        raise RunError(f"Storm is asked through the package stormpy, which is missing: {remedy}") from None
    if int(stormpy.__version__.split(".")[0]) < MIN_VERSION:
        raise RunError(f"stormpy {stormpy.__version__} is too old, version {MIN_VERSION} is needed: {remedy}")
    return stormpy


def _number(value: Any) -> Fraction | float:
    """Storm's rationals can only be printed; its infinity is a float in either arithmetic."""
    if isinstance(value, float):
        return value
    return Fraction(_integer(str(value.numerator)), _integer(str(value.denominator)))


def _integer(digits: str) -> int:
    """Python reads no more than some thousands of digits at once."""
    value = 0
    for k in range(0, len(digits), MAX_DIGITS):
        part = digits[k : k + MAX_DIGITS]
        value = value * 10 ** len(part) + int(part)
    return value

"""Verdicts on laws of growth.

Laws are distinguished by the slope of log y over log x, fitted with its interval (campaign/fit.py: bootstrap, and a
systematic error of 1/sqrt(n) for terms of lower order). Over a finite range a factor log x adds to this slope: one more
of them would be seen as a larger exponent.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from princeps.campaign.fit import Fit
from princeps.papers.judging import number
from princeps.papers.verdicts import INCONCLUSIVE, SUPPORTED, VIOLATED, Part


def grows_at_most(fit: Fit, power: float, logs: int, what: str, **more: Any) -> Part:
    """The mean is O(x^power (log x)^logs): supported if one more logarithm can be excluded.

    Violated if the exponent lies certainly nearer to the law with one more logarithm, or beyond it.
    """
    low, high = fit.exponent_interval
    a_log = exponent_of_a_log(fit)
    claimed_exponent = power + logs * a_log
    claimed, beyond = law_text(power, logs, fit.by), law_text(power, logs + 1, fit.by)
    seen = f"{_exponents(fit, what)}; {claimed} would give {claimed_exponent:.3f}"
    sample = _sample_text(fit)
    if high < claimed_exponent + a_log:
        noticed = f"{beyond} would give {claimed_exponent + a_log:.3f}, outside the interval"
        return Part(SUPPORTED, seen, _law(fit), claimed, sample, noticed, **more)
    verdict = VIOLATED if low > claimed_exponent + a_log / 2 else INCONCLUSIVE
    return Part(verdict, seen, _law(fit), claimed, sample, **more)


def grows_at_least(fit: Fit, power: float, logs: int, what: str, **more: Any) -> Part:
    """The mean is Omega(x^power (log x)^logs): supported if one logarithm less can be excluded."""
    low, high = fit.exponent_interval
    a_log = exponent_of_a_log(fit)
    claimed_exponent = power + logs * a_log
    claimed = law_text(power, logs, fit.by).replace("O(", "Omega(")
    seen = f"{_exponents(fit, what)}; {claimed} would give {claimed_exponent:.3f}"
    sample = _sample_text(fit)
    if low > claimed_exponent - a_log:
        noticed = f"one logarithm less would give {claimed_exponent - a_log:.3f}, outside the interval"
        return Part(SUPPORTED, seen, _law(fit), claimed, sample, noticed, **more)
    verdict = VIOLATED if high < claimed_exponent - a_log / 2 else INCONCLUSIVE
    return Part(verdict, seen, _law(fit), claimed, sample, **more)


def exponent_of_a_log(fit: Fit) -> float:
    """The exponent that log x itself would show, fitted over the same sizes with the same weights."""
    x = np.log(fit.sizes)
    weights = 1 / np.asarray(fit.errors) ** 2
    centred = weights * (x - np.average(x, weights=weights))
    return float((centred * np.log(x)).sum() / (centred * x).sum())


def _law(fit: Fit) -> str:
    return f"{number(fit.coefficient)} {fit.law}"


def _exponents(fit: Fit, what: str) -> str:
    low, high = fit.exponent_interval
    return f"{what}: {fit.verdict}; exponent {low:.3f} to {high:.3f}"


def _sample_text(fit: Fit) -> str:
    sizes = f"{len(fit.sizes)} sizes, {fit.by} = {number(fit.sizes[0])}..{number(fit.sizes[-1])}"
    return f"{sizes}, 95 % intervals"


def law_text(power: float, logs: int, x: str = "n") -> str:
    powers = "" if power == 0 else x if power == 1 else f"{x}^{power:g}"
    logarithms = "" if logs == 0 else f"log {x}" if logs == 1 else f"log^{logs} {x}"
    return "O(" + (" ".join(word for word in (powers, logarithms) if word) or "1") + ")"

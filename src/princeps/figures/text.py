"""Text in figures. Only exponents are set as mathematics; what users have named is shown as they wrote it."""

from __future__ import annotations

import re


def unbroken(text: str) -> str:
    """A unit or a remark that is not torn apart at the end of a line."""
    return text.replace(" ", "\N{NO-BREAK SPACE}")


TIMES = "\N{MULTIPLICATION SIGN}"
STEPS_PER_N = unbroken("(steps / n)")
MEASURES = {
    "steps": "steps to the goal",
    "parallel_time": f"parallel time {STEPS_PER_N}",
    "events": "interactions that changed a state",
    "held_steps": "holding time (steps)",
    "recovery_steps": "recovery time (steps)",
    "seconds": "time of a trial (seconds)",
    "time": "time (message delays)",
    "messages": "messages",
    "bits": "bits of a process",
}
PER_AGENT = {  # the same in parallel time
    "steps": f"parallel time {STEPS_PER_N}",
    "held_steps": f"holding time {STEPS_PER_N}",
    "recovery_steps": f"recovery time {STEPS_PER_N}",
}


def plain(text: str) -> str:
    """Not mathematics, whatever it contains; signs that nobody can see are shown as such."""
    return re.sub(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", "\N{REPLACEMENT CHARACTER}", text).replace("$", r"\$")


def raised(text: str) -> str:
    """`n^2 log^3 n` with exponents above the line, `1e-05` as a power of ten, `+-` as one sign."""
    text = plain(text).replace("+-", "±")
    text = re.sub(r"(\d)e([+-])0*(\d+)\b", lambda found: f"{found[1]}{TIMES}10^{found[2].strip('+')}{found[3]}", text)
    return re.sub(r"\^(-?\d+(?:\.\d+)?)", r"$^{\1}$", text)


def number_markup(value: float, digits: int = 4) -> str:
    """In full as long as it is short."""
    if value == 0 or 1e-3 <= abs(value) < 99_999.5:
        short = float(f"{value:.{digits}g}")
        return f"{short:,.0f}" if short == int(short) else f"{short:,g}"
    mantissa, _, exponent = f"{value:.{digits - 1}e}".partition("e")
    power = f"10$^{{{int(exponent)}}}$"
    return power if float(mantissa) == 1 else f"{float(mantissa):g}{TIMES}{power}"


def count_text(many: int, what: str) -> str:
    return f"{many:,} {what}{'' if many == 1 else 's'}"


def axis_name(measures: set[str], per_agent: bool = False) -> str:
    """Series in one figure may measure different things in the same unit."""
    known = {PER_AGENT.get(measure, MEASURES[measure]) if per_agent else MEASURES[measure] for measure in measures}
    if len(known) == 1:
        return known.pop()
    return f"parallel time {STEPS_PER_N}" if per_agent else "steps"

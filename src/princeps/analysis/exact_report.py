"""Exact results for people: the rows that the command line, a prompt and a notebook show."""

from __future__ import annotations

from math import inf
from typing import Any

from princeps.model.formatting import fraction_text
from princeps.model.numbers import in_words
from princeps.model.report import Report
from princeps.wording import either

SHOWN = 3  # worst starts
LONGEST = 60  # characters of a fraction
WIDEST = 100  # agents whose states are shown
MAX_STANDARD_ERRORS = 6.0  # between simulation and analysis, beyond which they contradict one another
MIN_TRUSTED_TRIALS = 1000  # runs of which the standard error can be trusted


def certified(value: float, interval: tuple[float, float]) -> str:
    if value == inf:
        return "infinite"
    return enclosed(f"{value:.12g} steps", interval)


def enclosed(text: str, interval: tuple[float, float]) -> str:
    low, high = interval
    return f"{text}, certified in [{low:.15g}, {high:.15g}]"


def fraction_in_short(fraction: Any) -> str:
    text = fraction_text(fraction)
    return (
        text if len(text) <= LONGEST else f"{text[:24]}... ({len(text):,} digits, see {either('--json', '.as_json()')})"
    )


def far_off(simulation: Any) -> bool:
    """Hardly by chance: simulation and analysis contradict one another."""
    return (
        simulation is not None and simulation.trials >= MIN_TRUSTED_TRIALS and abs(simulation.z) > MAX_STANDARD_ERRORS
    )


def configurations_text(number: int) -> str:
    return f"{in_words(number)} configuration{'' if number == 1 else 's'}"


def states_text(states: Any) -> str:
    return "; ".join(",".join(map(str, state)) for state in states)


def exact_report(found: Any) -> Report:
    rows = [
        (
            "configurations",
            f"{listed_text(found)}, with {found.merged_states} of {found.agent_states} agent states",
        ),
        ("target", f"{found.target}: {configurations_text(found.target_size)}{_about_target(found)}"),
        ("reachable", _reachable(found)),
    ]
    if found.noise is not None:
        rows.append(("scheduler", _noisy(found)))
    rows.append(("worst", certified(found.worst, found.worst_interval)))
    if found.worst_exact is not None:
        rows.append(("worst exactly", fraction_in_short(found.worst_exact)))
    if found.worst < inf:
        shown = [start.states for start in found.worst_starts[:SHOWN] if len(start.states) <= WIDEST]
        many = "" if found.worst_exact is not None or found.worst_count == 1 else "up to "  # intervals may overlap
        text = f"{many}{configurations_text(found.worst_count)} of ({', '.join(found.fields)}){', such as' if shown else ''}"
        rows.append(("worst starts", text))
        rows += [("", states_text(states)) for states in shown]
    listed = ":" in found.start  # all the states, which the title has
    name = "mean" if found.start == "all" else "from the start" if listed else f"from {found.start}"
    rows.append((name, certified(found.mean, found.mean_interval)))
    if found.mean_exact is not None:
        rows.append((f"{name} exactly", fraction_in_short(found.mean_exact)))
    rows += _extras(found)
    rows.append(("seconds", f"{found.seconds:.2f}"))
    return Report(title_of(found), rows)


def title_of(found: Any) -> str:
    starts = "all configurations" if found.start == "all" else f"from {found.start}"
    return f"{found.protocol}, n = {found.n:,}, {found.graph}, {starts}"


def listed_text(found: Any) -> str:
    return f"{in_words(found.configurations)}; listed {found.reduced:,}"


def _about_target(found: Any) -> str:
    if found.target_closed is None:
        return ""
    words = ["closed" if found.target_closed else "not closed", "safe" if found.target_safe else "not safe"]
    if found.target_safe and found.largest_safe and found.target_size != found.largest_safe:
        words.append(f"{found.target_size / found.largest_safe:.4g} of the largest safe set")
    return f", {', '.join(words)}"


def _reachable(found: Any) -> str:
    if found.reachable:
        where = "" if found.start == "all" else " that can arise"
        return f"from every configuration{where}, hence with probability 1"
    return f"not from everywhere; trapped: {found.trap.command}"


def _noisy(found: Any) -> str:
    noise, worst = found.noise, found.noise.uniform_worst
    times = (
        "" if found.worst == inf else f"; worst under the uniform one {worst:.6g}, {found.worst / worst:.4g} times less"
    )
    plural = "" if noise.rounds == 1 else "s"
    return (
        f"an adversary's, but with probability {noise.noise} uniform; {noise.rounds} round{plural} of policies{times}"
    )


def _extras(found: Any) -> list[tuple[str, str]]:
    rows: list[tuple[str, str]] = []
    if found.variance is not None:
        low, high = found.variance_interval
        rows.append(("variance", f"{found.variance:.12g}, certified in [{low:.12g}, {high:.12g}]"))
    for who, quantiles in (found.quantiles or {}).items():
        text = ", ".join(f"{100 * q:g} % by step {t:,}" for q, t in quantiles.items())
        rows.append((f"reached, {'worst start' if who == 'worst' else 'start'}", text))
    if found.leaders_at_target is not None:
        text = ", ".join(f"{k}: {chance:.10g}" for k, (chance, _) in found.leaders_at_target.items())
        rows.append(("leaders then", text))
    if found.holding is not None and not found.holding.starts:
        rows.append(("held", "nothing to hold: exactly one leader is nowhere in the target"))
    elif found.holding is not None:
        rows.append(("held at least", certified(found.holding.shortest, found.holding.shortest_interval)))
        if found.holding_start is not None and found.holding.shortest < inf:
            rows.append(("from", states_text(found.holding_start)))
        rows.append(("held, mean", certified(found.holding.mean, found.holding.mean_interval)))
    rows += _torn(found.torn) if found.torn is not None else []
    if found.simulation is not None:
        s = found.simulation
        text = f"{s.mean:.8g} +- {s.std_error:.2g} in {s.trials:,} runs ({s.engine}, seed {s.seed}): z = {s.z:+.2f}"
        rows.append(("simulated", f"{text}, DISAGREES" if far_off(s) else text))
    if found.check is not None:
        verdict = "agrees" if found.check.agrees else "DISAGREES"
        shown = found.check.value_exact if found.check.value_exact and len(found.check.value_exact) <= LONGEST else None
        rows.append((found.check.by, f"{shown or format(found.check.value, '.12g')}: {verdict}"))
    if found.exported is not None:
        rows.append(("written", found.exported))
    return rows


def _torn(torn: Any) -> list[tuple[str, str]]:
    count = f"up to {torn.interactions:,} interaction{'' if torn.interactions == 1 else 's'}"
    among = f"{configurations_text(torn.configurations)}{'' if torn.complete else ' examined'}"
    if torn.changing_both is not None:
        share = f"{torn.changing_both:,} of {torn.pairs:,} pairs of states change both agents"
        among += f"; {share}{'' if torn.changing_both else ', so that nothing can be torn'}"
    if torn.recovers:
        return [("torn", f"{count}: recovers; {among}")]
    if not torn.used:
        return [("torn", f"{count}: the target may not be reached, even if none is torn; {among}")]
    length = f"the shortest of {len(torn.schedule)} interaction{'' if len(torn.schedule) == 1 else 's'}"
    said = ", ".join(_move(*event) for event in torn.schedule)
    return [
        ("torn", f"{count}: the target may be lost for ever; {among}"),
        ("a schedule", f"{length}: {said}"),
        ("replay", torn.killing.command),
    ]


def _move(kind: str, i: int, j: int, *rest: Any) -> str:
    shown = [f"draws {list(one)}" for one in rest if isinstance(one, list)]
    sides = [f"torn: only the {one} changes" for one in rest if isinstance(one, str)]
    said = ", ".join([*sides, *shown])
    return f"{i}-{j} ({said})" if said else f"{i}-{j}"


def more_rows(found: Any) -> list[tuple[str, str]]:
    """The named sets and the lemmas, which the command line prints in colours."""
    rows = []
    for one in found.sets or ():
        words = [configurations_text(one.size), "closed" if one.closed else "not closed"]
        rows.append((one.name, ", ".join([*words, "safe" if one.safe else "not safe"])))
    for one in found.lemmas or ():
        rows.append((one.id, f"{one.verdict}: {one.says}: {one.detail}"))
    return rows


def exact_ring_report(found: Any) -> Report:
    rows = [
        ("configurations", f"{found.configurations:,}, {found.steps:,} actions between them"),
        ("terminal", f"{found.endings:,}"),
        ("messages", ", ".join(map(str, found.messages)) or "none"),
        ("leader", ", ".join(map(str, found.leaders)) or "nobody"),
        ("verdict", _ring_verdict(found)),
    ]
    if found.command is not None:
        rows.append(("replay", found.command))
    rows.append(("seconds", f"{found.seconds:.2f}"))
    labels = ",".join(map(str, found.labels))
    return Report(f"{found.protocol} on the ring {labels}: all interleavings", rows)


def _ring_verdict(found: Any) -> str:
    if found.broken is not None:
        return str(found.broken)
    if found.confluent:
        return "every execution ends in the same configuration, with the same messages"
    return "every execution elects the same process" if found.agreed else "the outcome depends on the schedule"

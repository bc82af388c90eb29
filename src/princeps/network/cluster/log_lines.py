"""Whether a line of a log, which somebody may have damaged, has the form of those that agents write."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from princeps.model.run import Run
from princeps.network.log import Line
from princeps.network.state_codec import LARGEST_NATURAL

LARGEST = 1 << 63
Check = Callable[[Any], bool]


def is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < LARGEST


class LineForms:
    """The words of network/log.py, with what stands behind the agent and its incarnation."""

    def __init__(self, run: Run) -> None:
        self._space, self._n = run.protocol.space, run.n
        number, agent, state = is_number, self._is_agent, self._is_state
        answer = (number, agent, number, number, state)
        self._forms: dict[str, tuple[Check, ...]] = {
            "start": (state, self._are_incarnations),
            "meet": (number, number, agent, number, number, state, state, self._are_draws),
            **dict.fromkeys(("take", "abort", "took_back"), answer),
            **dict.fromkeys(("gave_up", "gone", "torn"), (number, number)),
            "told": (agent, number),
            "tally": (self._is_tally,),
            "dead": (),
        }

    def has(self, line: Line, agent: int, incarnation: int) -> bool:
        """Whether this incarnation of the agent may have written it."""
        form = self._forms.get(line[0])
        if form is None or line[1:3] != [agent, incarnation] or len(line) != 3 + len(form):
            return False
        if not all(map(is_number, line[1:3])):  # true equals 1
            return False
        return all(check(value) for check, value in zip(form, line[3:], strict=True))

    def _is_agent(self, value: Any) -> bool:
        return is_number(value) and value < self._n

    def _is_state(self, value: Any) -> bool:
        sizes = self._space.sizes
        if not isinstance(value, list) or len(value) != len(sizes):
            return False
        return all(map(_is_natural, value)) and self._space.is_legal(tuple(value))

    def _are_incarnations(self, value: Any) -> bool:
        pairs = value if isinstance(value, list) else [None]
        return all(
            isinstance(one, list) and len(one) == 2 and self._is_agent(one[0]) and is_number(one[1]) for one in pairs
        )

    def _are_draws(self, value: Any) -> bool:
        return isinstance(value, list) and all(map(is_number, value))

    def _is_tally(self, value: Any) -> bool:
        return isinstance(value, dict) and all(map(is_number, value.values()))


def _is_natural(value: Any) -> bool:
    whole = isinstance(value, int) and not isinstance(value, bool)
    return whole and value >= 0 and int(value).bit_length() <= 8 * LARGEST_NATURAL

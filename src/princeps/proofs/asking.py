"""How any solver is asked, so that Ctrl-C is heard."""

from __future__ import annotations

from typing import Any


def checked(solver: Any, *assumed: Any) -> Any:
    """What `check` answers. z3 hears Ctrl-C itself and then says that it does not know, which is no answer."""
    answer = solver.check(*assumed)
    if str(answer) == "unknown" and "keyboard" in str(solver.reason_unknown()):
        raise KeyboardInterrupt
    return answer

"""Small populations without error bars: configuration spaces, safe sets, hitting times, worst starts.

The room shares its name with the verb: `princeps.exact("p_rl", 3)` is princeps.exactly.exact, so the module can be called.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


class _Door(ModuleType):
    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        from importlib import import_module

        return import_module("princeps.exactly").exact(*args, **kwargs)


sys.modules[__name__].__class__ = _Door

"""The name that version 0.1.0 had for `model/rings/algorithm.py`: users' files that import from it still load."""

from princeps.model.rings.algorithm import *  # noqa: F403

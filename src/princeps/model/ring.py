"""The name that version 0.1.0 had for `model/rings/ring.py`: users' files that import from it still load."""

from princeps.model.rings.reading_rings import *  # noqa: F403
from princeps.model.rings.ring import *  # noqa: F403

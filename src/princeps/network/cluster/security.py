"""The certificates of a cluster: tls = { certificate = "agent.pem", key = "agent.key", authority = "ca.pem" }."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from princeps.errors import RunError, hint

if TYPE_CHECKING:
    from princeps.network.tls import Security

PARTS = ("certificate", "key", "authority")
EXAMPLE = 'tls = { certificate = "agent.pem", key = "agent.key", authority = "ca.pem" }'


def security_of(
    given: Any, here: Path, wrong: Callable[[str], RunError], is_readable: Callable[[str], None]
) -> Security:
    """Reads the files, which are beside the cluster's; `is_readable` is told where the secret one is."""
    from princeps.network.tls import Security

    if not isinstance(given, Mapping):
        raise wrong(f"tls {given!r} is not understood: write {EXAMPLE}.")
    for part in given:
        if part not in PARTS:
            raise wrong(f"tls knows no {part!r}: {hint(part, PARTS)}")
    paths = []
    for part in PARTS:
        value = given.get(part)
        if not isinstance(value, str) or not value or "\0" in value:
            why = "is missing" if part not in given else f"{value!r} is no path"
            raise wrong(f"the {part} of tls {why}: write {EXAMPLE}.")
        paths.append(here / os.path.expanduser(value))
    try:
        found = Security(*paths)
    except RunError as error:
        raise wrong(f"tls: {error}") from None
    is_readable(str(paths[1]))
    return found

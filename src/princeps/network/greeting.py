"""How a connection begins: a number that was never used before, answered under the key.

    whoever was connected to    CHALLENGE(nonce) ->
    whoever made it             <- HELLO(nonce, ...)

A HELLO that was recorded answers another number, and is refused: whoever has only listened takes nobody's place.
"""

from __future__ import annotations

import secrets

NONCE = 16  # bytes


def fresh_nonce() -> bytes:
    return secrets.token_bytes(NONCE)

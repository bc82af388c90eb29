"""Bytes within JSON: compressed, and in letters."""

from __future__ import annotations

import base64
import zlib


def compressed(content: bytes) -> str:
    return base64.b64encode(zlib.compress(content, 9)).decode("ascii")


def decompressed(text: str) -> bytes:
    return zlib.decompress(base64.b64decode(text))

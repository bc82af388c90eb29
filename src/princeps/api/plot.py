"""Figures from stored results."""

from __future__ import annotations

from princeps.api.arguments import a_number, a_path, a_protocol_name, a_text, or_none, reads
from princeps.figures import Picture
from princeps.figures import plot as draw
from princeps.model.announcing import announces

__all__ = ["Picture", "plot"]

plot = announces("princeps.plot")(
    reads(
        source=a_path,
        output=a_path,
        kind=or_none(a_text),
        measure=or_none(a_text),
        protocol=or_none(a_protocol_name),
        by=a_text,
        smallest=a_number,
        width=or_none(a_number),
    )(draw)
)

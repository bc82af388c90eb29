"""A figure as a part of a page: svg text without ids that could clash, in the letters and the colours of its page."""

from __future__ import annotations

import re
from html import escape
from io import StringIO
from typing import TYPE_CHECKING, Any

from princeps.figures.output import UNSIGNED
from princeps.figures.style import COLOURS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

INK = "#0a0b0c"  # stands for the colour of the page's letters
FONT = "DejaVu Sans, Verdana, sans-serif"  # texts were measured in the first; where it is missing, most are narrower
TEXTS: dict[str, Any] = {
    "svg.fonttype": "none",  # texts stay texts: they can be searched, and they are small
    "text.parse_math": False,
    **dict.fromkeys(
        ("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color", "legend.labelcolor"), INK
    ),
}
STYLE = re.compile(r"<defs>\s*<style[^>]*>.*?</style>\s*</defs>", re.DOTALL)
METADATA = re.compile(r"<metadata>.*?</metadata>", re.DOTALL)
TAG = re.compile(r"<[^>]+>")  # a label may contain whatever it likes
FONTS = re.compile(r"font: ([\d.]+px) [^;\"]*")  # size and family: Matplotlib up to 3.10
FAMILY = re.compile(r"font-family: [^;\"]*;? ?| transform=\"rotate\(-?0 [^\"]*\"")  # and turns that turn nothing
ID = re.compile(r' id="([^"]*)"')
REFERENCE = re.compile(r'(?:url\(#|href="#)([^)"]+)')
SPACE = re.compile(r">\s*\n\s*<")
FRACTION = re.compile(r"(?<=\d\.\d\d)\d+")  # of a place; a hundredth of a point is not seen
DRAWN = re.compile(r'(?<= (?:d|x|y)=")[^"]*|(?<= transform=")[^"]*')


def inlined(figure: Figure, key: str, title: str) -> str:
    """`key` is another one for every figure of a page. Must happen within the style that the figure was drawn in."""
    from matplotlib import style

    buffer = StringIO()
    metadata: dict[str, Any] = dict(UNSIGNED["svg"])
    with style.context({"svg.hashsalt": key}):
        figure.savefig(buffer, format="svg", transparent=True, metadata=metadata)
    text = buffer.getvalue()
    text = STYLE.sub("", METADATA.sub("", text[text.index("<svg") :]))
    box = re.search(r'viewBox="([^"]*)"', text)
    assert box is not None
    wanted = set(REFERENCE.findall(text))
    head = (
        f'<svg viewBox="{box[1]}" role="img" aria-label="{escape(title)}" font-family="{FONT}" fill="currentColor" '
        f'stroke-linejoin="round" stroke-linecap="butt">'
    )
    body = TAG.sub(lambda found: _tag(found[0], wanted), text[text.index(">") + 1 :])
    return head + SPACE.sub("><", body.strip())


def _tag(text: str, wanted: set[str]) -> str:
    """The letters' family is said once for all; a page may redefine each colour for a dark ground.

    Only ids that something refers to are kept: these have the key in them, all others are the same in every figure.
    """
    text = ID.sub(lambda found: found[0] if found[1] in wanted else "", text.replace("xlink:href", "href"))
    text = FAMILY.sub("", FONTS.sub(r"font-size: \1", text)).replace(INK, "currentColor")
    for k, colour in enumerate(COLOURS, 1):
        text = text.replace(colour.lower(), f"var(--series-{k}, {colour.lower()})")
    return DRAWN.sub(lambda found: " ".join(FRACTION.sub("", found[0]).split()), text)

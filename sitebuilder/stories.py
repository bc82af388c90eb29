"""The story of a protocol on its page: the captions as text, which search finds, and the run that they describe."""

from __future__ import annotations

from html import escape

from princeps.web.story import story_of
from princeps.web.story_page import story_page
from sitebuilder.staging import EXTRA, Stage
from sitebuilder.writing import page, raw, text

FOLDER = "stories"
MAX_BYTES = 300_000  # of one page with its run


def story_section(stage: Stage, name: str) -> str:
    """Writes the page of the run, and shows it in a frame that is loaded when it is scrolled to."""
    story = story_of(name)
    if story is None:
        return ""
    written = story_page(name).text
    if len(written.encode()) > MAX_BYTES:
        raise SystemExit(f"the story of {name} takes {len(written.encode()):,} bytes, more than {MAX_BYTES:,}.")
    stage.write(f"{EXTRA}/{FOLDER}/{name}.html", written)
    frame = (
        f'<iframe class="story" src="../{FOLDER}/{name}.html" loading="lazy" sandbox="allow-scripts allow-downloads" '
        f'title="{escape(f"A run of {name} that can be stepped and rewound", quote=True)}"></iframe>'
    )
    alone = f'<p><a href="../{FOLDER}/{name}.html">The same on a page of its own</a></p>'
    captions = [f"- **Step {caption['step']}.** {text(caption['text'])}" for caption in story.as_json()]
    return page(
        "## Watch it",
        "A run with its story: press Next, or play it, step it back, and colour it by something else.",
        raw(f"{frame}\n{alone}"),
        "\n".join(captions),
    ).strip()

"""The story of a protocol as one page that needs no server: for the documentation, a lecture, a notebook."""

from __future__ import annotations

from princeps.engines.registry import REFERENCE
from princeps.errors import UnknownName
from princeps.model import registry
from princeps.web.recording import record
from princeps.web.saved_page import SavedPage
from princeps.web.story import story_code, story_of


def story_page(name: str) -> SavedPage:
    """The run is made in plain Python, so that nothing is compiled; the page names a command that leaves the engine open."""
    story = story_of(name)
    if story is None:
        raise UnknownName("story", name, registry.names())
    recording = record(story.session(None if story.is_ring else REFERENCE))
    if story.attacks:
        recording["about"]["command"] = f"princeps watch --script {story_code(name)}"
    else:
        recording["about"]["command"] = story.command
    return SavedPage(recording)

"""Links of a page: those of Markdown, rewritten for the site; those of HTML, collected to be checked."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

FENCE = re.compile(r"^(```|~~~).*?^\1\s*$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)")
HEADING = re.compile(r"^#{1,6} +(.*?) *#*$", re.MULTILINE)
LOADED = {
    "script": "src",
    "img": "src",
    "source": "src",
    "iframe": "src",
    "video": "src",
    "audio": "src",
    "use": "href",
}
LOADING_LINKS = ("stylesheet", "icon", "preload", "prefetch", "preconnect", "dns-prefetch", "manifest", "modulepreload")
STYLE_URL = re.compile(r"url\(\s*['\"]?([^'\")]+)|@import\s+['\"]([^'\"]+)")
ELSEWHERE = re.compile(r"^([a-z][a-z0-9+.-]*:|//)", re.IGNORECASE)


def outside_fences(text: str, change: Callable[[str], str]) -> str:
    """Everything but the fenced blocks is changed."""
    parts, end = [], 0
    for fence in FENCE.finditer(text):
        parts += [change(text[end : fence.start()]), fence[0]]
        end = fence.end()
    return "".join([*parts, change(text[end:])])


def prose(text: str) -> str:
    """A page without its fenced blocks."""
    return FENCE.sub("", text)


def targets(text: str) -> list[str]:
    """Where the links and pictures of a page in Markdown lead."""
    return [found[3] for found in LINK.finditer(prose(text))]


def anchors(text: str) -> set[str]:
    """The names of its headings, as code hosts and the site make them."""
    found: set[str] = set()
    for heading in HEADING.findall(prose(text)):
        plain = LINK.sub(r"\2", heading).replace("`", "").replace("*", "").strip().lower()
        name = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
        found.add(
            name if name not in found else next(f"{name}-{k}" for k in range(1, 99) if f"{name}-{k}" not in found)
        )
    return found


def is_elsewhere(target: str) -> bool:
    return ELSEWHERE.match(target) is not None


@dataclass
class Page(HTMLParser):
    """What a page of the built site loads, where it leads, and which anchors it has."""

    path: Path
    loads: list[str] = field(default_factory=list)
    leads: list[str] = field(default_factory=list)
    anchors: set[str] = field(default_factory=set)
    _in_style: bool = False

    def __post_init__(self) -> None:
        super().__init__()
        self.feed(self.path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = {name: value or "" for name, value in attrs}
        self.anchors |= {known[name] for name in ("id", "name") if name in known}
        self._in_style = tag == "style"
        self.loads += style_urls(known.get("style", ""))
        if tag == "link":
            if set(known.get("rel", "").split()) & set(LOADING_LINKS):
                self.loads.append(known.get("href", ""))
        elif tag in LOADED:
            self.loads += [known[LOADED[tag]]] if known.get(LOADED[tag]) else []
            self.loads += [part.split()[0] for part in known.get("srcset", "").split(",") if part.strip()]
        elif "href" in known:
            self.leads.append(known["href"])

    def handle_endtag(self, tag: str) -> None:
        self._in_style = False

    def handle_data(self, data: str) -> None:
        if self._in_style:
            self.loads += style_urls(data)


def style_urls(text: str) -> list[str]:
    """What a style sheet loads."""
    return [a or b for a, b in STYLE_URL.findall(text)]


def problems(site: Path) -> list[str]:
    """Everything that a page of the site would load from another host, and every link that leads nowhere."""
    pages = {path: Page(path) for path in sorted(site.rglob("*.html"))}
    found = []
    for path, page in pages.items():
        name = path.relative_to(site)
        for target in page.loads:
            if target.startswith(("data:", "#")):
                continue
            if is_elsewhere(target):
                found.append(f"{name} loads {target} from another host")
            elif not _file(path, target).is_file():
                found.append(f"{name} loads {target}, which is not there")
        for target in page.leads:
            if is_elsewhere(target) or target == "#":
                continue
            place, _, anchor = target.partition("#")
            file = _file(path, place) if place else path
            if not file.exists():
                found.append(f"{name} leads to {target}, which is not there")
            elif anchor and file in pages and anchor not in pages[file].anchors:
                found.append(f"{name} leads to {target}, an anchor that is not there")
    for sheet in sorted(site.rglob("*.css")):
        for target in style_urls(sheet.read_text(encoding="utf-8")):
            if is_elsewhere(target) and not target.startswith("data:"):
                found.append(f"{sheet.relative_to(site)} loads {target} from another host")
    return found


def _file(page: Path, target: str) -> Path:
    from urllib.parse import unquote

    place = unquote(target.partition("?")[0].partition("#")[0])
    return Path(os.path.normpath(page.parent / place))

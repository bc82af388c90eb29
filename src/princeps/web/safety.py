"""Who may ask the server anything: whoever knows the token, by an address of this machine, from the page itself.

A web page of somebody else may send requests to 127.0.0.1, and a name of his that points there makes them look like its
own (rebinding). Therefore every request must bear the token in its path, name a host that is ours, and, where a browser
says where it comes from, come from the page. Whatever does not gets a short 403, static files included. No cookie is
set: cookies of 127.0.0.1 are sent to every port.
"""

from __future__ import annotations

import ipaddress
import secrets
import socket
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

LOOPBACK_NAMES = ("localhost", "127.0.0.1", "::1")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; "
    "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
OUR_SITES = ("same-origin", "none")  # of Sec-Fetch-Site


def new_token() -> str:
    return secrets.token_urlsafe(24)


def is_loopback(host: str) -> bool:
    if host in LOOPBACK_NAMES:
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@dataclass(frozen=True)
class Guard:
    """What is asked of every request and of every WebSocket."""

    host: str = "127.0.0.1"  # that the server is bound to
    token: str = field(default_factory=new_token)

    def refusal(self, path: str, headers: Iterable[tuple[bytes, bytes]], is_socket: bool = False) -> str | None:
        """Why a request is refused, in a sentence; None if it may be answered."""
        said: dict[str, str] = {}
        for name, value in headers:
            key = name.decode("latin-1").lower()
            if key in said and key in ("host", "origin"):
                return f"{key} is said twice."
            said[key] = value.decode("latin-1")
        if not self._is_our_host(said.get("host", "")):
            return "this host is not ours."
        if not self._is_our_page(said, is_socket):
            return "this request does not come from the page."
        if not self.knows_token(path):
            return "the token is missing or wrong: open the address that princeps watch prints."
        return None

    def knows_token(self, path: str) -> bool:
        """The first part of the path is the token."""
        first = path.removeprefix("/").partition("/")[0]
        return secrets.compare_digest(first.encode(), self.token.encode())

    def rest_of(self, path: str) -> str:
        """What follows the token."""
        return path.removeprefix("/").partition("/")[2]

    def _is_our_host(self, host: str) -> bool:
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        if not host or any(mark in host for mark in "/@?#\\ "):
            return False
        if is_loopback(self.host):
            return name in LOOPBACK_NAMES or name == self.host
        if name in (*LOOPBACK_NAMES, self.host.lower(), socket.gethostname().lower()):
            return True
        try:
            ipaddress.ip_address(name)  # a number cannot be made to point elsewhere
        except ValueError:
            return False
        return True

    @staticmethod
    def _is_our_page(said: Mapping[str, str], is_socket: bool) -> bool:
        origin, site = said.get("origin"), said.get("sec-fetch-site")
        if site is not None and site not in OUR_SITES:
            return False
        if origin is None:  # a browser always says it of a WebSocket
            return not is_socket
        return origin == f"http://{said['host']}"

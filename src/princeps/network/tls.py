"""TLS for connections between agents: both sides show a certificate, and both check that of the other.

Whoever has a certificate of the authority is let in, under whatever name: agents are known by their number and by the key of
their frames, and hosts may change their names. So an authority of the cluster's own is meant, not one that signs for
everybody. TLS 1.2 or later; no renegotiation, no tickets.
"""

from __future__ import annotations

import ssl
from pathlib import Path

from princeps.errors import RunError
from princeps.network.channel import NotLetIn, Plain

PIECE = 1 << 16  # bytes that are decrypted at once
MOST_UNSENT = 1 << 12  # bytes that wait for the end of the TLS handshake


class Security:
    """The certificate of this agent and the authority of all, read from files of PEM."""

    def __init__(self, certificate: Path, key: Path, authority: Path) -> None:
        self.client = _context(ssl.PROTOCOL_TLS_CLIENT, certificate, key, authority)
        self.server = _context(ssl.PROTOCOL_TLS_SERVER, certificate, key, authority)
        self.server.num_tickets = 0

    def channel(self, is_server: bool) -> Secured:
        return Secured(self.server if is_server else self.client, is_server)


def _context(side: int, certificate: Path, key: Path, authority: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(side)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.options |= ssl.OP_NO_RENEGOTIATION
    context.check_hostname = False  # the authority says who belongs to the cluster
    context.verify_mode = ssl.CERT_REQUIRED
    for path in (certificate, key, authority):
        try:
            path.read_bytes()
        except OSError as error:
            raise RunError(f"{str(path)!r} cannot be read: {error.strerror}.") from None
    try:
        context.load_verify_locations(authority)
    except ssl.SSLError:
        raise RunError(f"{str(authority)!r} holds no certificate in PEM: give that of the authority.") from None
    try:
        context.load_cert_chain(certificate, key, password=_no_password)
    except (ssl.SSLError, ValueError) as error:
        text = getattr(error, "reason", None) or str(error)
        raise RunError(
            f"{str(certificate)!r} and {str(key)!r} are no certificate and its key in PEM ({_lower(text)}): give both of "
            f"this agent, the key without a password."
        ) from None
    return context


def _no_password() -> str:
    raise ValueError("it has a password")


class Secured(Plain):
    """TLS without sockets: bytes in, bytes out."""

    def __init__(self, context: ssl.SSLContext, is_server: bool) -> None:
        super().__init__()
        self.arriving, self.leaving = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.tls = context.wrap_bio(self.arriving, self.leaving, server_side=is_server)
        self.is_open = False
        self.unsent = bytearray()

    def begin(self) -> None:
        self._shake_hands()

    def write(self, data: bytes) -> None:
        if self.is_open:
            self.tls.write(data)
            self.outgoing += self.leaving.read()
        elif len(self.unsent) < MOST_UNSENT:
            self.unsent += data

    def read(self, data: bytes) -> bytes:
        self.arriving.write(data)
        if not self.is_open:
            self._shake_hands()
        found = bytearray()
        try:
            while self.is_open and (piece := self.tls.read(PIECE)):
                found += piece
        except ssl.SSLWantReadError:
            pass
        except ssl.SSLError as error:
            raise NotLetIn(_in_words(error)) from None
        finally:
            self.outgoing += self.leaving.read()
        return bytes(found)

    def _shake_hands(self) -> None:
        try:
            self.tls.do_handshake()
        except ssl.SSLWantReadError:
            return
        except ssl.SSLError as error:
            raise NotLetIn(_in_words(error)) from None
        finally:
            self.outgoing += self.leaving.read()  # an alert, too, so that the other side knows why
        self.is_open = True
        self.write(bytes(self.unsent))
        self.unsent.clear()


def _in_words(error: ssl.SSLError) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"its certificate is not accepted here: {error.verify_message}"
    reason = _lower(error.reason or str(error))
    if "alert" in reason:
        return f"it does not accept the certificate of this agent: {reason.partition('alert ')[2] or reason}"
    if "did not return a certificate" in reason:
        return "it shows no certificate"
    return f"it does not speak TLS as this agent does: {reason}"


def _lower(text: str) -> str:
    return text.lower().replace("_", " ").rstrip(".")

"""cluster.toml: what all agents of a cluster share.

protocol = "timer"             # a name of the library, or a file beside this one: "mine.py:Mine"
params = {N = 8}
graph = "complete"             # force = true: one that the protocol is not made for
agents = ["10.0.0.1:7000", "10.0.0.2:7000", "10.0.0.3:7000"]      # or a table {0 = "10.0.0.1:7000", ...}
key_file = "cluster.key"       # or key = "..."; required unless all addresses are of the loopback interface
transport = "tcp"              # udp if left out
tls = { certificate = "agent.pem", key = "agent.key", authority = "ca.pem" }      # of tcp: files beside this one
lease = "2s"                   # after which a wait for a partner is given up
rate = 20                      # requests of an average agent, a second
state = "state"                # the directory of the incarnations
logs = "logs"                  # the directory of the logs; without it none are written
"""

from __future__ import annotations

import hashlib
import ipaddress
import os
import stat
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

from princeps.errors import PrincepsError, RunError, hint
from princeps.model.description import describe, read
from princeps.model.numbers import read_seconds
from princeps.model.run import Run
from princeps.network.cluster.security import security_of
from princeps.network.membership import Membership, Timing
from princeps.wording import in_python

if TYPE_CHECKING:
    from princeps.network.tls import Security

KEYS = (
    "protocol",
    "params",
    "n",
    "graph",
    "force",
    "start",
    "seed",
    "agents",
    "key",
    "key_file",
    "transport",
    "tls",
    "lease",
    "rate",
    "state",
    "logs",
)
UDP, TCP = "udp", "tcp"
DEFAULT_LEASE = 2.0  # seconds
DEFAULT_RATE = 20.0
SHORTEST_KEY = 16  # bytes
LARGEST_KEY = 1 << 16
LARGEST_RATE = 10_000.0


@dataclass(frozen=True)
class Cluster:
    """The file, read and checked."""

    path: str
    run: Run
    addresses: tuple[tuple[str, int], ...]
    secret: bytes  # empty: none
    lease: float
    rate: float  # requests of an average agent, a second
    state: Path
    logs: Path | None
    transport: str = UDP
    security: Security | None = None  # None: no TLS
    warnings: tuple[str, ...] = ()

    @property
    def n(self) -> int:
        return self.run.n

    @property
    def timing(self) -> Timing:
        return Timing(lease=self.lease)

    @property
    def arc_rate(self) -> float:
        return self.rate * self.n / self.run.topology.arc_count

    @cached_property
    def membership(self) -> Membership:
        """From the key alone, so that agents of different protocols hear each other, and can say so."""
        digest = hashlib.blake2b(self.secret, digest_size=36, person=b"princeps cluster").digest()
        return Membership(self.run.protocol, int.from_bytes(digest[:4], "big"), digest[4:])

    def address(self, agent: int) -> str:
        host, port = self.addresses[agent]
        return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def read_cluster(path: str | os.PathLike[str]) -> Cluster:
    name = os.fspath(path)
    return _Reader(name, _loaded(name)).cluster()


def _loaded(name: str) -> dict[str, Any]:
    try:
        with open(name, "rb") as file:
            return tomllib.load(file)
    except OSError as error:
        raise RunError(f"{name!r} cannot be read: {error.strerror}. Give the path of a cluster.toml.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RunError(f"{name!r} is no TOML ({error}): correct it there.") from None


class _Reader:
    def __init__(self, name: str, given: Mapping[str, Any]) -> None:
        self.name, self.given, self.here = name, given, Path(name).resolve().parent
        self.warnings: list[str] = []

    def cluster(self) -> Cluster:
        for key in self.given:
            if key not in KEYS:
                raise self.wrong(f"knows no key {key!r}: {hint(key, KEYS)}")
        addresses = self.addresses()
        run = self.run(len(addresses))
        return Cluster(
            path=self.name,
            run=run,
            addresses=addresses,
            secret=self.secret(addresses),
            lease=self.seconds("lease", DEFAULT_LEASE),
            rate=self.rate(),
            state=self.directory("state", "state"),
            logs=self.directory("logs", "logs") if "logs" in self.given else None,
            transport=self.transport(),
            security=self.security(),
            warnings=tuple(self.warnings),
        )

    def wrong(self, sentence: str) -> RunError:
        return RunError(f"{self.name}: {sentence}")

    def text(self, key: str, example: str) -> str:
        value = self.given.get(key)
        if not isinstance(value, str) or not value:
            found = "is missing" if key not in self.given else f"{value!r} is not understood"
            raise self.wrong(f"{key} {found}: write {key} = {example}.")
        return value

    # -- the run ------------------------------------------------------------------------------------------------------

    def run(self, count: int) -> Run:
        spec = self.text("protocol", '"timer"')
        file = spec.partition(":")[0]
        if file.endswith(".py"):
            spec = str(self.here / file) + spec[len(file) :]
        n = self.given.get("n", count)
        if n != count or isinstance(n, bool):
            raise self.wrong(f"n = {n!r}, and agents has {count} addresses: give each agent one, and leave n out.")
        params = self.given.get("params", {})
        if not isinstance(params, Mapping):
            raise self.wrong(f"params {params!r} is not understood: write params = {{N = 8}}.")
        options = {key: self.text(key, '"..."') for key in ("graph", "start") if key in self.given}
        seed = self.given.get("seed", 0)
        if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
            raise self.wrong(f"seed {seed!r} is not understood: write seed = 1.")
        force = self.given.get("force", False)
        if not isinstance(force, bool):
            raise self.wrong(f"force {force!r} is not understood: write force = true.")
        try:
            run = read(describe(spec, count, seed=seed, params=dict(params), force=force, **options))
        except PrincepsError as error:  # a key of the file is written as an argument is, not as an option
            raise self.wrong(in_python(str(error)).replace("force=True", "force = true")) from None
        if not isinstance(run, Run):
            raise self.wrong(
                f"protocol {spec!r} is a ring algorithm, which no cluster runs: name a population protocol."
            )
        if run.protocol.oracle is not None:
            raise self.wrong(f"protocol {spec!r} reads an oracle, which no agent of a cluster knows: name another.")
        return run

    def rate(self) -> float:
        rate = self.given.get("rate", DEFAULT_RATE)
        if isinstance(rate, bool) or not isinstance(rate, int | float) or not 0 < rate <= LARGEST_RATE:
            raise self.wrong(f"rate {rate!r} is not understood: write a number of requests a second, like rate = 20.")
        return float(rate)

    def seconds(self, key: str, default: float) -> float:
        value = self.given.get(key, default)
        if value == "none":
            raise self.wrong(f'{key} "none": nobody knows who is dead in a cluster, so give a time like {key} = "2s".')
        try:
            seconds = read_seconds(value, key)
        except RunError as error:
            raise self.wrong(str(error)) from None
        if seconds == inf:
            raise self.wrong(f'{key} {value!r} is too long: give a time like {key} = "2s".')
        return seconds

    def transport(self) -> str:
        found = self.given.get("transport", UDP)
        if found not in (UDP, TCP):
            raise self.wrong(f'transport {found!r} is not understood: write transport = "udp" or "tcp".')
        return str(found)

    def security(self) -> Security | None:
        if "tls" not in self.given:
            return None
        if self.transport() == UDP:
            raise self.wrong('tls is for connections: write transport = "tcp", or leave tls out.')
        return security_of(self.given["tls"], self.here, self.wrong, self._warn_of_readers)

    def directory(self, key: str, default: str) -> Path:
        value = self.given.get(key, default)
        if not isinstance(value, str) or not value or "\0" in value:
            raise self.wrong(f'{key} {value!r} is no directory: write {key} = "{default}".')
        return self.here / os.path.expanduser(value)

    # -- addresses ----------------------------------------------------------------------------------------------------

    def addresses(self) -> tuple[tuple[str, int], ...]:
        given = self.given.get("agents")
        if isinstance(given, Mapping):
            texts = [given.get(str(k)) for k in range(len(given))]
            if None in texts:
                raise self.wrong(f"agents has no address of agent {texts.index(None)}: number them from 0.")
        elif isinstance(given, list):
            texts = given
        else:
            raise self.wrong('agents is missing: write agents = ["10.0.0.1:7000", "10.0.0.2:7000"].')
        if len(texts) < 2:
            raise self.wrong(f"agents has {len(texts)} addresses: a population has two agents or more.")
        found = tuple(self.address(k, text) for k, text in enumerate(texts))
        for k, one in enumerate(found):
            if one in found[:k]:
                raise self.wrong(f"agents {found.index(one)} and {k} have the same address {texts[k]!r}.")
        return found

    def address(self, agent: int, text: Any) -> tuple[str, int]:
        host, colon, port = text.rpartition(":") if isinstance(text, str) else ("", "", "")
        host = host[1:-1] if host.startswith("[") and host.endswith("]") else host
        digits = port.isascii() and port.isdigit() and len(port) <= 5
        if not colon or not _may_be_host(host) or not digits or not 0 < int(port) < 1 << 16:
            raise self.wrong(f'agents: agent {agent} has {text!r}: give an address like "10.0.0.1:7000".')
        return host, int(port)

    # -- the key ------------------------------------------------------------------------------------------------------

    def secret(self, addresses: tuple[tuple[str, int], ...]) -> bytes:
        if "key" in self.given and "key_file" in self.given:
            raise self.wrong("key and key_file are both given: leave one out.")
        if "key" in self.given:
            secret, place, what = self.text("key", '"..."').encode(), self.name, "key"
        elif "key_file" in self.given:
            place, what = str(self.here / os.path.expanduser(self.text("key_file", '"cluster.key"'))), "key_file"
            try:
                secret = Path(place).read_bytes()[:LARGEST_KEY].strip()
            except OSError as error:
                raise self.wrong(f"key_file {place!r} cannot be read: {error.strerror}.") from None
        else:
            outside = [host for host, _ in addresses if not _is_loopback(host)]
            if outside:
                raise self.wrong(
                    f"key is missing, and {outside[0]} is not of the loopback interface: write key_file = "
                    f'"cluster.key", the path of a file with at least {SHORTEST_KEY} random bytes.'
                )
            return b""
        if len(secret) < SHORTEST_KEY:
            raise self.wrong(f"{what} has {len(secret)} bytes: give at least {SHORTEST_KEY} random ones.")
        self._warn_of_readers(place)
        return secret

    def _warn_of_readers(self, place: str) -> None:
        if os.name == "posix" and stat.S_IMODE(os.stat(place).st_mode) & 0o077:
            self.warnings.append(f"{place} holds a key, and others may read it: chmod 600 it.")


def _may_be_host(host: str) -> bool:
    """A name that can be looked up: one with an empty part, or a part of over 63 letters, cannot."""
    try:
        return host.isprintable() and bool(host.encode("idna"))
    except UnicodeError:
        return False


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"

"""Who is refused: foreign hosts, foreign pages, whoever does not know the token, whatever is no message."""

from __future__ import annotations

import random
import socket
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from princeps.errors import RunError
from princeps.web import messages, server
from princeps.web.connection import MAX_CONNECTIONS
from princeps.web.safety import Guard
from princeps.web.server import Serving, bound, warning_of
from tests.web.pages import SECONDS, Page, get, served


@pytest.fixture(scope="module")
def serving() -> Iterator[Serving]:
    with served("fratricide", 6, seed=1, engine="reference") as made:
        yield made


def test_every_request_needs_the_token_and_our_host(serving: Serving) -> None:
    token, own = serving.guard.token, f"127.0.0.1:{serving.port}"
    for path in (
        "/",
        "/index.html",
        "/main.js",
        "/static/main.js",
        "/save",
        "/socket",
        "/wrong/",
        f"/{token}x/main.js",
        "/?token=wrong",
        f"/%2e/{token}/",
    ):
        code, headers, body = get(serving, path, Host=own)
        assert code == 403, path
        assert len(body) < 200
        assert "content-security-policy" in headers
    for host in (
        "evil.example",
        f"evil.example:{serving.port}",
        "127.0.0.1.evil.example",
        f"evil@127.0.0.1:{serving.port}",
        "",
        "127.0.0.1:1/x",
        "[::1",
        "0.0.0.0",
    ):
        assert get(serving, f"/{token}/", Host=host)[0] in (400, 403), host  # rebinding: a name of somebody else
        assert get(serving, f"/{token}/main.js", Host=host)[0] in (400, 403), host
    for origin in (
        "http://evil.example",
        f"https://{own}",
        "null",
        f"http://localhost:{serving.port}",
        "http://127.0.0.1:1",
    ):
        assert get(serving, f"/{token}/", Host=own, Origin=origin)[0] == 403, origin
    assert get(serving, f"/{token}/", Host=own, Sec_Fetch_Site="cross-site")[0] == 403
    for host in (own, f"localhost:{serving.port}"):
        code, headers, body = get(
            serving, f"/{token}/", Host=host, Origin=f"http://{host}", Sec_Fetch_Site="same-origin"
        )
        assert code == 200
        assert b"<!doctype html>" in body.lower()
        assert "'unsafe-inline'" not in headers["content-security-policy"]
        assert headers["content-security-policy"].startswith("default-src 'none'; script-src 'self'; style-src 'self'")
        assert "set-cookie" not in headers
    code, headers, _ = get(serving, f"/?token={token}", Host=own)
    assert (code, headers["location"]) == (303, f"/{token}/")


def test_files_are_those_of_the_page_and_no_others(serving: Serving) -> None:
    token = serving.guard.token
    assert get(serving, f"/{token}/main.js")[1]["content-type"].startswith("text/javascript")
    assert get(serving, f"/{token}/static/main.js")[0] == 200
    for path in (
        "../server.py",
        "%2e%2e/server.py",
        "..%2fserver.py",
        "/etc/passwd",
        "static/../../server.py",
        ".hidden",
        "__init__.py",
        "no_such.js",
        b"a\x00b".hex(),
    ):
        assert get(serving, f"/{token}/{path}")[0] == 404, path
    assert server.static_file("../server.py") is None


def test_a_socket_needs_token_host_and_origin(serving: Serving) -> None:
    token, own = serving.guard.token, f"http://127.0.0.1:{serving.port}"
    good = f"ws://127.0.0.1:{serving.port}/{token}/socket"
    refused: list[tuple[str, str | None, dict[str, str]]] = [
        (good.replace(token, "wrong"), own, {}),
        (good.replace(f"{token}/", ""), own, {}),
        (good, None, {}),
        (good, "http://evil.example", {}),
        (good, f"http://localhost:{serving.port}", {}),
        (good, f"http://evil.example:{serving.port}", {"Host": f"evil.example:{serving.port}"}),
        (good + "s", own, {}),
    ]
    for address, origin, headers in refused:
        with pytest.raises(InvalidStatus) as caught:  # noqa: SIM117
            with connect(address, origin=origin, additional_headers=headers, open_timeout=SECONDS):
                pass
        assert caught.value.response.status_code in (400, 403), address


def test_a_guard_that_is_bound_elsewhere_takes_numbers_and_its_own_name() -> None:
    guard = Guard("0.0.0.0", "t")

    def refused(host: str) -> bool:
        return guard.refusal("/t/", [(b"host", host.encode())]) is not None

    assert not refused("192.168.1.7:8000")
    assert not refused(f"{socket.gethostname()}:8000")
    assert refused("evil.example:8000")
    assert guard.refusal("/t/", [(b"host", b"127.0.0.1"), (b"host", b"evil.example")]) is not None
    assert Guard("127.0.0.1", "t").refusal("/t/", [(b"host", b"192.168.1.7")]) is not None
    assert warning_of("127.0.0.1") is None
    assert "not encrypted" in (warning_of("0.0.0.0") or "")


def test_ports_that_cannot_be_opened_are_refused_in_a_sentence(serving: Serving) -> None:
    for host, port in (
        ("127.0.0.1", serving.port),
        ("no.such.host.invalid", 0),
        ("127.0.0.1", 99999),
        ("203.0.113.9", 0),
    ):
        with pytest.raises(RunError, match=r"cannot be opened|not understood|is no port|no address of this machine"):
            bound(host, port)


def test_messages_that_are_too_long_end_the_connection_and_nothing_else(serving: Serving) -> None:
    with Page(serving) as page:
        page.socket.send("x" * (messages.MAX_BYTES + 1))
        with pytest.raises(ConnectionClosed):
            page.status(playing="never")
    with Page(serving) as page:
        assert page.do("step")["ok"]


def test_only_so_many_pages_are_served(serving: Serving) -> None:
    pages = [Page(serving) for _ in range(MAX_CONNECTIONS)]
    try:
        pages[-1].do("hello")
        late = Page(serving)
        with pytest.raises(ConnectionClosed):
            late.do("hello")
        late.close()
    finally:
        for page in pages:
            page.close()


def test_each_word_says_what_is_wrong_with_its_arguments() -> None:
    for text, sentence in [
        ("", "is not JSON"),
        ("[1]", "is no object"),
        ("NaN", "is not JSON"),
        ("[" * 5000, "is not JSON"),
        ("{}", '"id" must be a number'),
        ('{"id": true, "do": "play"}', '"id" must be a number'),
        ('{"id": 1}', "is no word"),
        ('{"id": 1, "do": "__class__"}', "is no word"),
        ('{"id": 1, "do": "play", "x": 1}', "takes nothing"),
        ('{"id": 1, "do": "goto"}', '"step" of goto must be'),
        ('{"id": 1, "do": "goto", "step": -1}', '"step" of goto must be'),
        ('{"id": 1, "do": "goto", "step": "1e9"}', '"step" of goto must be'),
        ('{"id": 1, "do": "speed", "value": 0}', '"value" of speed must be'),
        ('{"id": 1, "do": "attack"}', "no kind of attack"),
        ('{"id": 1, "do": "attack", "kind": "torn", "i": 1, "j": 2, "side": "x"}', '"side" of attack torn must be'),
        ('{"id": 1, "do": "attack", "kind": "set", "agent": 1, "fields": [1]}', '"fields" of attack set must be'),
        ('{"id": 1, "do": "goto", "step": ' + "9" * 5000 + "}", "is not JSON"),
    ]:
        with pytest.raises(messages.MessageError) as caught:
            messages.read_message(text)
        assert sentence in str(caught.value)
    with pytest.raises(messages.MessageError, match="not bytes"):
        messages.read_message(b"{}")
    read = messages.read_message('{"id": 3, "do": "goto", "step": "123456789012345678901"}')
    assert (read.id, read.arguments) == (3, {"step": 123456789012345678901})


def random_message(chance: random.Random) -> str | bytes:
    """Something like a message, or not."""
    values: list[Any] = [
        0,
        1,
        5,
        -1,
        10**30,
        0.5,
        True,
        None,
        "",
        "left",
        "leader",
        "p_rl",
        "../x",
        "1",
        [],
        {},
        [1],
        {"a": 1},
        "\ud7ff",
        "x" * 300,
    ]
    names = sorted({name for table in (messages.WORDS, messages.ATTACKS) for one in table.values() for name in one})
    kind = chance.random()
    if kind < 0.05:
        return chance.randbytes(chance.randrange(40))
    if kind < 0.15:
        return "".join(chance.choice('{}[]",:0123456789eE+-.aid\\u \x00\n') for _ in range(chance.randrange(60)))
    word = chance.choice([*messages.WORDS, *messages.WORDS, "attack", "attack", "quit", "_play", ""])
    if word == "choose" and chance.random() < 0.95:  # opening runs takes longer than refusing them
        word = "attack"
    found: dict[str, Any] = {
        "id": chance.choice([chance.randrange(10**6), chance.randrange(10**6), chance.choice(values)]),
        "do": word,
    }
    expected = dict(messages.WORDS.get(word, {}))
    if word == "attack":
        found["kind"] = chance.choice([*messages.ATTACKS, "x"])
        expected = dict(messages.ATTACKS.get(found["kind"], {}))
    for name in expected:
        if chance.random() < 0.9:
            found[name] = chance.choice([chance.randrange(8), chance.choice(values)])
    if chance.random() < 0.1:
        found[chance.choice(names)] = chance.choice(values)
    text = server_json(found)
    return text if chance.random() < 0.95 else text[: chance.randrange(len(text))]


def server_json(found: dict[str, Any]) -> str:
    import json

    return json.dumps(found)


def bombard(serving: Serving, count: int, seed: int) -> None:
    """Each text that names an id is answered, nothing ends, and the run is still there."""
    chance, sent = random.Random(seed), 0
    with Page(serving) as page:
        page.do("speed", value=None)
        while sent < count:
            for _ in range(min(20, count - sent)):
                page.socket.send(random_message(chance))
                sent += 1
            page.do("pause")  # answered after all of them were read
    with Page(serving) as page:
        page.do("choose", protocol="fratricide", n=6, seed=1, engine="reference")
        assert page.do("step", count=5)["step"] == "5"
        assert page.frame()[0]["kind"] == "agents"
    assert serving.player._thread.is_alive()


@pytest.mark.medium
def test_random_and_malformed_messages(serving: Serving, capfd: pytest.CaptureFixture[str]) -> None:
    bombard(serving, 1500, 1)
    assert "Traceback" not in "".join(capfd.readouterr())


@pytest.mark.slow
def test_a_hundred_thousand_random_and_malformed_messages(serving: Serving, capfd: pytest.CaptureFixture[str]) -> None:
    bombard(serving, 100_000, 2)
    assert "Traceback" not in "".join(capfd.readouterr())


def test_without_the_extra_one_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    with pytest.raises(RunError, match=r"pip install 'princeps\[web\]'"):
        server.require_extra()

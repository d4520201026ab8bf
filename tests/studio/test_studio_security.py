"""Who is refused: without the token, from another host's name, from another page."""

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from studio_serving import Answer, Served, serving, upgrade


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("workspace")
    static = tmp_path_factory.mktemp("static")
    (static / "index.html").write_text("<!doctype html><title>page</title>")
    (static / "assets").mkdir()
    (static / "assets" / "a.js").write_text("'part'")
    with serving(folder, static) as server:
        yield server


def own(served: Served) -> str:
    return f"127.0.0.1:{served.port}"


def asked(served: Served, path: str, headers: str, method: str = "GET") -> Answer:
    return Answer.of(served.raw(f"{method} {path} HTTP/1.1\n{headers}Connection: close\n\n"))


HOSTS = {
    "another name": "Host: evil.example\n",
    "another name, this port": "Host: evil.example:{port}\n",
    "no port": "Host: 127.0.0.1\n",
    "another port": "Host: 127.0.0.1:1\n",
    "another loopback": "Host: 127.0.0.2:{port}\n",
    "any address": "Host: 0.0.0.0:{port}\n",
    "IPv6": "Host: [::1]:{port}\n",
    "a name that begins so": "Host: localhost:{port}.evil.example\n",
    "a name that ends so": "Host: evil-localhost:{port}\n",
    "a name of the root": "Host: localhost.:{port}\n",
    "capital letters": "Host: LOCALHOST:{port}\n",
    "a user": "Host: user@127.0.0.1:{port}\n",
    "twice": "Host: 127.0.0.1:{port}\nHost: evil.example\n",
    "none": "",
    "empty": "Host: \n",
}


@pytest.mark.parametrize("what", HOSTS)
@pytest.mark.parametrize("path", ["", "api/files", "socket"])
def test_a_host_that_is_not_its_own_is_refused(served: Served, what: str, path: str):
    host = HOSTS[what].format(port=served.port)
    if path == "socket":
        answer = Answer.of(served.raw(upgrade(served, served.root + path, f"{host}Origin: http://{own(served)}\n")))
    else:
        answer = asked(served, served.root + path, host)
    assert answer.status in (400, 403)  # 400: not even HTTP
    assert b"page" not in answer.body.replace(b"own page", b"")


ORIGINS = {
    "another page": "http://evil.example",
    "null": "null",
    "empty": "",
    "no port": "http://127.0.0.1",
    "another port": "http://127.0.0.1:1",
    "https": "https://127.0.0.1:{port}",
    "a path": "http://127.0.0.1:{port}/",
    "a name that begins so": "http://127.0.0.1:{port}.evil.example",
    "a name that ends so": "http://evil-localhost:{port}",
    "another loopback": "http://127.0.0.2:{port}",
    "any address": "http://0.0.0.0:{port}",
    "IPv6": "http://[::1]:{port}",
    "capital letters": "HTTP://127.0.0.1:{port}",
    "two": "http://127.0.0.1:{port} http://evil.example",
    "a file": "file://",
    "an extension": "chrome-extension://abcdef",
}


@pytest.mark.parametrize("what", ORIGINS)
@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "socket"])
def test_an_origin_that_is_not_its_own_is_refused(served: Served, what: str, method: str):
    headers = f"Host: {own(served)}\nOrigin: {ORIGINS[what].format(port=served.port)}\n"
    if method == "socket":
        answer = Answer.of(served.raw(upgrade(served, served.root + "socket", headers)))
    else:
        answer = asked(served, served.root + "api/files", headers, method)
    assert answer.status == 403


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "socket"])
def test_what_does_more_than_reading_needs_an_origin(served: Served, method: str):
    headers = f"Host: {own(served)}\n"
    if method == "socket":
        answer = Answer.of(served.raw(upgrade(served, served.root + "socket", headers)))
    else:
        answer = asked(served, served.root + "api/files", headers, method)
    assert answer.status == 403


def test_two_origins_are_refused(served: Served):
    origin = f"Origin: http://{own(served)}\n"
    assert asked(served, served.root, f"Host: {own(served)}\n{origin}").status == 200
    assert asked(served, served.root, f"Host: {own(served)}\n{origin}{origin}").status == 403


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost"])
def test_its_own_page_is_let_in(served: Served, name: str):
    headers = f"Host: {name}:{served.port}\nOrigin: http://{name}:{served.port}\n"
    assert asked(served, served.root, headers).body == b"<!doctype html><title>page</title>"
    with_key = upgrade(served, served.root + "socket", headers)
    with socket.create_connection(("127.0.0.1", served.port), timeout=30) as wire:
        wire.sendall(with_key.replace("\n", "\r\n").encode())
        assert wire.recv(100).startswith(b"HTTP/1.1 101")


def test_without_the_token_there_is_nothing(served: Served):
    token = served.root.strip("/")
    near = [token[:-1], token + "x", token.swapcase(), token[::-1], "x" * len(token), "%00", token + "%00", "%C3%A9"]
    paths = ["/", "//", "/index.html", "/socket", "/api/files", "/assets/a.js", f"//{token}/", f"/x/{token}/"]
    paths += [f"/{word}/api/files" for word in near] + [f"/{token}", f"/?{token}/"]
    answers: set[tuple[int, bytes, str]] = set()
    for path in paths:
        for host in (own(served), "evil.example"):
            for method in ("GET", "POST"):
                answer = asked(served, path, f"Host: {host}\n", method)
                answers.add((answer.status, answer.body, answer.headers["content-type"]))
            headers = f"Host: {host}\nOrigin: http://{own(served)}\n"
            answer = Answer.of(served.raw(upgrade(served, path, headers)))
            answers.add((answer.status, answer.body, answer.headers["content-type"]))
    assert answers == {(404, b"Nothing here.", "text/plain; charset=utf-8")}


def test_the_token_is_another_one_each_time(served: Served, tmp_path):
    with serving(tmp_path) as other:
        assert other.root != served.root
        assert len(other.root) >= 32
        assert asked(other, served.root, f"Host: {own(other)}\n").status == 404


def test_every_answer_has_a_policy_and_no_cache(served: Served):
    answers = {
        "page": served.ask(""),
        "part": served.ask("assets/a.js"),
        "head": served.ask("", method="HEAD"),
        "files": served.ask("api/files"),
        "tables": served.ask("api/tables"),
        "unknown": served.ask("api/unknown"),
        "wrong": served.ask("api/open?path=.."),
        "missing": served.ask("api/open?path=a.map"),
        "method": served.ask("api/files", method="DELETE"),
        "token": asked(served, "/", f"Host: {own(served)}\n"),
        "host": asked(served, served.root, "Host: evil\n"),
        "socket": Answer.of(served.raw(upgrade(served, "/socket", f"Host: {own(served)}\n"))),
        "import": served.ask("api/import?name=a.map", method="POST", body=b"type octile"),
    }
    for name, answer in answers.items():
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("default-src 'self'; "), name
        assert "unsafe" not in policy
        for rule in ("frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'", "connect-src 'self'"):
            assert rule in policy.split("; ")
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"
        assert answer.headers["cross-origin-opener-policy"] == "same-origin"
        assert answer.headers["cache-control"] == ("no-cache" if name in ("page", "part", "head") else "no-store")
        assert "server" not in answer.headers
        assert "access-control-allow-origin" not in answer.headers
    assert answers["method"].status == 405
    assert answers["head"].body == b""
    assert answers["part"].headers["content-type"].startswith("text/javascript")


def test_it_listens_to_this_machine_alone(served: Served):
    port = f"{served.port:04X}"
    table = Path("/proc/net/tcp").read_text().splitlines()[1:]
    listening = {row.split()[1] for row in table if row.split()[1].endswith(f":{port}") and row.split()[3] == "0A"}
    assert listening == {f"0100007F:{port}"}

"""What is asked for by HTTP beside files of the workspace: the page, tables, dropped files, their size."""

import socket
from collections.abc import Iterator

import pytest
from studio_serving import Answer, Served, alive, serving, until

MAP = b"type octile\nheight 2\nwidth 3\nmap\n...\n...\n"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("workspace")) as server:
        yield server


def dropped(served: Served, name: str, body: bytes) -> Answer:
    return served.ask(f"api/import?name={name}", method="POST", body=body)


def head(served: Served, name: str, length: str) -> bytes:
    lines = [
        f"POST {served.root}api/import?name={name} HTTP/1.1",
        f"Host: 127.0.0.1:{served.port}",
        f"Origin: http://127.0.0.1:{served.port}",
        "Connection: close",
        length,
    ]
    return "\r\n".join(lines).encode() + b"\r\n\r\n"


def test_without_a_built_page_it_says_how_to_build_one(served: Served):
    answer = served.ask("")
    assert answer.status == 503
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert b"npm run build" in answer.body
    assert served.ask("assets/a.js").status == 404


def test_tables_are_asked_for_once(served: Served):
    first, second = served.ask("api/tables"), served.ask("api/tables")
    assert first.status == 200
    assert first.json == second.json
    assert alive(first.json["process"])


def test_a_dropped_file_is_opened_and_deleted(served: Served):
    answer = dropped(served, "%3Cb%3E.map", MAP)
    assert answer.status == 200
    heads = [said for said, _ in answer.messages]
    assert [said["kind"] for said in heads] == ["begun", "draft", "done"]
    assert heads[1]["draft"] == {"name": "<b>.map", "width": 3}
    assert until(lambda: not any(served.temporary.glob("*/dropped/*")))
    assert any(served.temporary.glob("*/dropped"))


@pytest.mark.parametrize("size", ["height 3\nwidth 3", "height 99999\nwidth 99999", "height 2\nwidth -1", "height 2"])
def test_a_map_with_a_wrong_size_is_refused_clearly(served: Served, size: str):
    answer = dropped(served, "a.map", f"type octile\n{size}\nmap\n...\n...\n".encode())
    assert answer.status == 200
    last = answer.messages[-1][0]
    assert last["kind"] == "failed"
    assert "fault" not in last["problem"]
    assert last["file"].endswith("a.map")
    assert last["expected"] or last["hint"]


@pytest.mark.parametrize("name", ["", "..", "a/b.map", "%2e%2e%2fa.map", "a%5cb.map", "a%00.map", "nul", ".map"])
def test_dropped_files_have_plain_names(served: Served, name: str):
    answer = dropped(served, name, MAP)
    assert answer.status == 400
    assert answer.json["kind"] == "failed"


def test_a_request_says_each_thing_once(served: Served):
    assert served.ask("api/open").status == 400
    assert served.ask("api/open?path=a.map&path=b.map").json["found"] == "2 values"


def too_large(answer: Answer) -> bool:
    said = answer.json
    return answer.status == 413 and said["problem"] == "this is too large" and "64 MiB" in said["expected"]


def test_65_mib_are_refused(served: Served):
    size = 65 * 2**20
    answer = Answer.of(served.raw(head(served, "a.map", f"Content-Length: {size}"), body=bytes(size)))
    assert too_large(answer)
    assert answer.json["found"] == f"{size} bytes"


def test_65_mib_in_chunks_are_refused(served: Served):
    part = b"100000\r\n" + bytes(2**20) + b"\r\n"
    request = head(served, "a.map", "Transfer-Encoding: chunked")
    answer = Answer.of(served.raw(request, body=part * 65 + b"0\r\n\r\n"))
    assert too_large(answer)


def test_the_same_holds_for_drafts(served: Served):
    answer = served.ask("api/save?path=a.map", method="PUT", body=bytes(65 * 2**20))
    assert too_large(answer)


def test_what_is_said_to_be_huge_is_refused_unread(served: Served):
    answer = Answer.of(served.raw(head(served, "a.map", f"Content-Length: {2**40}")))
    assert too_large(answer)


def test_64_mib_are_taken(served: Served):
    answer = dropped(served, "a.map", bytes(2**26))
    assert answer.status == 200
    assert answer.messages[-1][0]["kind"] == "failed"  # it is no map


def test_who_goes_away_ends_the_work(served: Served):
    with socket.create_connection(("127.0.0.1", served.port), timeout=30) as wire:
        request = head(served, "wait.map", f"Content-Length: {len(MAP)}") + MAP
        wire.sendall(request)
        answer = b""
        while b'"process":' not in answer:
            answer += wire.recv(2**16)
        process = int(answer.split(b'"process":')[1].partition(b",")[0].partition(b"}")[0])
        assert alive(process)
    assert until(lambda: not alive(process))
    assert served.ask("api/files").status == 200

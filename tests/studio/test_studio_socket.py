"""Jobs through a page's socket: done, kept, told, cancelled, failed; and what no page may do."""

import json
import os
import signal
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from studio_serving import Page, Served, alive, frame, memory, serving, until, upgrade
from websockets.exceptions import ConnectionClosed


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("workspace")) as server:
        yield server


@pytest.fixture
def page(served: Served) -> Iterator[Page]:
    with served.page() as page:
        yield page


def kinds(messages) -> list[str]:
    return [head["kind"] for head, _ in messages]


def test_a_job_says_what_it_found(page: Page):
    page.start("a", "data", count=3, bytes=1000)
    messages = page.heard("a")
    assert kinds(messages) == ["begun", "data", "data", "data", "done"]
    assert [arrays["values"].tolist() for _, arrays in messages[1:4]] == [[k] * 1000 for k in range(3)]
    done = messages[-1][0]
    assert (done["status"], done["reason"]) == ("solved", "")
    assert done["seconds"] >= 0


def test_what_was_asked_before_is_given_again(served: Served, page: Page):
    page.start("first", "facts", title="kept", other=[1, {"a": 0.5}])
    first = page.heard("first")
    assert kinds(first) == ["begun", "progress", "facts", "done"]
    with served.page() as other:
        other.start("second", "facts", other=[1, {"a": 0.5}], title="kept")
        second = other.heard("second")
        assert kinds(second) == ["begun", "facts", "done"]
        assert second[0][0]["key"] == first[0][0]["key"]
        assert second[1:] == [({**head, "job": "second"}, arrays) for head, arrays in first[2:]]
        other.start("third", "facts", other=[1, {"a": 0.25}], title="kept")
        assert other.heard("third")[0][0]["key"] != first[0][0]["key"]


def test_arrays_of_kept_messages_are_the_same(page: Page):
    page.start("a", "data", count=2, bytes=1001)
    first = page.heard("a")
    page.start("a longer name", "data", count=2, bytes=1001)
    second = page.heard("a longer name")
    for (_, one), (_, other) in zip(first, second, strict=True):
        assert list(one) == list(other)
        assert all(np.array_equal(one[name], other[name]) for name in one)


def test_a_process_goes_on_to_the_next_job(page: Page):
    processes: set[int] = set()
    for number in range(4):
        page.start(f"{number}", "facts", title=f"{number}")
        processes.add(page.heard(f"{number}")[-2][0]["rows"][0][1])
    assert len(processes) == 1


def test_later_jobs_get_the_folder_of_a_kept_one(page: Page):
    page.start("write", "write", text="a note")
    key = page.heard("write")[0][0]["key"]
    page.start("read", "read", of=key)
    assert page.heard("read")[-2][0]["text"] == "a note"
    page.start("none", "read", of="0" * 32)
    failed = page.heard("none")[-1][0]
    assert failed["problem"] == "this result is not there any more"


@pytest.mark.parametrize("args", [{"of": "../../.."}, {"of": 7}, {"of": None}, {"of": []}, {"folder": "/"}])
def test_a_page_names_no_folder(page: Page, args: dict):
    page.start("a", "read", **args)
    assert kinds(page.heard("a")) == ["failed"]


@pytest.mark.parametrize("do", ["open", "save", "tables", "nothing"])
def test_a_page_begins_no_job_of_the_server(page: Page, do: str):
    page.start("a", do, path="/etc/passwd", name="a.map")
    assert kinds(page.heard("a")) == ["failed"]


def test_words_are_heard_in_order(page: Page):
    page.start("a", "hear")
    for number in range(20):
        page.say("tell", "a", say="n", number=number)
    page.say("shown", "a", number=7)
    page.say("tell", "other", say="stop")
    page.say("tell", "a", say="stop")
    messages = page.heard("a")
    words = [head["word"] for head, _ in messages if head["kind"] == "heard"]
    assert words == [*({"say": "n", "number": k} for k in range(20)), {"say": "shown", "number": 7}]
    assert (messages[-1][0]["status"], messages[-1][0]["reason"]) == ("stopped", "as it was told")


def test_cancel_ends_the_process(page: Page):
    page.start("a", "wait")
    process = page.process()
    assert alive(process)
    page.say("cancel", "a")
    assert until(lambda: not alive(process))
    page.start("a", "facts", title="the name is free")
    assert kinds(page.heard("a")) == ["begun", "progress", "facts", "done"]


def test_who_goes_ends_its_jobs(served: Served):
    with served.page() as page:
        page.start("a", "wait")
        page.start("b", "wait")
        processes = {page.process(), page.process()}
    assert len(processes) == 2
    assert until(lambda: not any(alive(process) for process in processes))


@pytest.mark.parametrize(("do", "found"), [("die", "signal SIGKILL"), ("leave", "exit code 7")])
def test_the_death_of_a_process_is_told(page: Page, do: str, found: str):
    page.start("a", do)
    messages = page.heard("a")
    assert kinds(messages) == ["begun", "failed"]
    assert messages[-1][0]["problem"] == "the process that did this has died"
    assert messages[-1][0]["found"] == found
    page.start("b", "facts", title=f"after {do}")
    assert kinds(page.heard("b"))[-1] == "done"


def test_a_process_killed_from_outside_is_told(page: Page):
    page.start("a", "wait")
    process = page.process()
    os.kill(process, signal.SIGKILL)
    assert page.heard("a")[-1][0]["found"] == "signal SIGKILL"


def test_what_went_wrong_is_told_in_parts(page: Page):
    page.start("a", "wrong")
    failed = page.heard("a")[-1][0]
    assert failed == {
        "kind": "failed",
        "job": "a",
        "problem": "wrong",
        "file": "a.map",
        "where": "line 3",
        "found": "[1]",
        "expected": "right",
        "hint": "do right",
    }
    page.start("b", "fault")
    failed = page.heard("b")[-1][0]
    assert failed["problem"] == "this is a fault in Anabasis, not in your input"
    assert failed["found"] == "RuntimeError: boom"
    page.start("c", "greedy")
    limit, failed = (head for head, _ in page.heard("c")[1:])
    assert 0 < limit["bytes"] < os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") + 2**32
    assert failed["problem"] == "there is not enough memory for this"
    page.start("d", "wrong")
    assert kinds(page.heard("d")) == ["begun", "failed"]  # done again, for failures are not kept


def test_what_a_library_prints_is_no_message(page: Page):
    page.start("a", "chat")
    messages = page.heard("a")
    assert kinds(messages) == ["begun", "read", "done"]
    assert messages[1][0]["text"] == ""


def test_two_pages_at_once(served: Served, page: Page):
    with served.page() as other:
        page.start("a", "data", count=40, bytes=2**18)
        other.start("a", "data", count=41, bytes=2**17)
        page.start("b", "hear")
        other.start("b", "hear")
        page.say("tell", "b", say="mine")
        other.say("tell", "b", say="stop")
        assert len(page.heard("a")) == 42
        assert kinds(other.heard("b")) == ["begun", "done"]
        assert len(other.heard("a")) == 43
        page.say("tell", "b", say="stop")
        assert [head["word"]["say"] for head, _ in page.heard("b") if "word" in head] == ["mine"]


def test_more_jobs_than_processes_wait_for_their_turn(page: Page):
    for number in range(12):
        page.start(f"{number}", "wait", seconds=0.5)
    ended: list[str] = []
    waited: set[str] = set()
    while len(ended) < 12:
        head = page.next()[0]
        if head["kind"] == "done":
            ended.append(head["job"])
        elif head["kind"] == "progress":
            assert head["text"] == "waits for its turn"
            waited.add(head["job"])
    assert set(ended) == {f"{number}" for number in range(12)}
    assert waited >= {"8", "9", "10", "11"}


def test_too_many_jobs_at_once_are_refused(page: Page):
    for number in range(17):
        page.start(f"{number}", "wait")
    while (head := page.next()[0])["kind"] != "failed":
        assert head["kind"] in ("begun", "progress", "here")
    assert (head["job"], head["problem"]) == ("16", "too many jobs at once")


def test_a_job_that_does_not_listen_fails_when_told_too_much(page: Page):
    page.start("a", "wait")
    process = page.process()
    for _ in range(3000):
        page.say("tell", "a", say="x" * 1000)
    failed = page.heard("a")[-1][0]
    assert failed["problem"] == "the job was told more than it listens to"
    assert until(lambda: not alive(process))


BROKEN = {
    "no JSON": "{",
    "no object": "[]",
    "a number that is none": '{"kind": "start", "job": "a", "do": "facts", "args": {"x": NaN}}',
    "too deep": "[" * 100_000,
    "no kind": '{"job": "a"}',
    "another kind": '{"kind": "done", "job": "a"}',
    "no name": '{"kind": "start", "do": "facts", "args": {}}',
    "a long name": json.dumps({"kind": "start", "job": "a" * 101, "do": "facts", "args": {}}),
    "no arguments": '{"kind": "start", "job": "a", "do": "facts"}',
    "no kind of job": '{"kind": "start", "job": "a", "do": 7, "args": {}}',
    "bytes": b"{}",
}


@pytest.mark.parametrize("what", BROKEN)
def test_what_no_page_of_ours_says_closes_the_socket(page: Page, what: str):
    page.wire.send(BROKEN[what])
    with pytest.raises(ConnectionClosed) as closed:
        page.next()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1008
    assert closed.value.rcvd.reason


def test_a_job_of_65_mib_is_refused(page: Page):
    page.start("a", "facts", title="x" * 65 * 2**20)
    failed = page.heard("a")[-1][0]
    assert (failed["problem"], failed["expected"]) == ("this is too large", f"at most {2**26} bytes (64 MiB)")
    page.start("a", "facts", title="x" * 2**20)
    assert kinds(page.heard("a"))[-1] == "done"


def test_a_name_is_taken_while_its_job_goes_on(page: Page):
    page.start("a", "wait")
    page.start("a", "wait")
    with pytest.raises(ConnectionClosed, match="there is a job of this name"):
        while True:
            page.next()


def test_a_page_that_never_reads_does_not_make_anything_grow(served: Served, tmp_path: Path):
    request = upgrade(
        served, served.root + "socket", f"Host: 127.0.0.1:{served.port}\nOrigin: http://127.0.0.1:{served.port}\n"
    )
    size = 2**22
    with socket.create_connection(("127.0.0.1", served.port), timeout=30) as wire:
        wire.sendall(request.replace("\n", "\r\n").encode())
        assert wire.recv(100).startswith(b"HTTP/1.1 101")
        before = memory(served.process.pid)
        for number in range(4):
            args = {"count": 10**6, "bytes": size, "process_in": str(tmp_path / f"{number}")}
            wire.sendall(frame(json.dumps({"kind": "start", "job": f"{number}", "do": "stream", "args": args})))
        assert until(lambda: sum(file.stat().st_size > 0 for file in tmp_path.iterdir()) == 4)
        workers = {int(file.read_text()) for file in tmp_path.iterdir()}
        time.sleep(1)
        seen: list[int] = []
        for _ in range(8):
            time.sleep(0.25)
            seen.append(memory(served.process.pid) + sum(memory(worker) for worker in workers))
        assert memory(served.process.pid) - before < 16 * size  # per job one that is read and one that is sent
        assert seen[-1] - seen[0] < 4 * size
        with served.page() as other:  # and others are served as before
            other.start("a", "data", count=2, bytes=1002)
            assert kinds(other.heard("a"))[-1] == "done"
    assert until(lambda: not any(alive(worker) for worker in workers))


def test_a_process_that_has_grown_is_not_kept(served: Served):
    with served.page() as page:
        page.start("a", "grow", bytes=1000)
        small = page.heard("a")[-2][0]["process"]
        assert small in served.workers()
        page.start("b", "grow", bytes=2**29)
        large = page.heard("b")[-2][0]["process"]
        assert until(lambda: not alive(large))
        page.start("c", "grow", bytes=1000)
        assert page.heard("c")[-2][0]["process"] != large


def test_workers_end_with_the_server(tmp_path_factory: pytest.TempPathFactory):
    with serving(tmp_path_factory.mktemp("workspace")) as served:
        with served.page() as page:
            page.start("a", "wait")
            process = page.process()
            workers = served.workers()
            assert process in workers
            served.process.kill()
            assert until(lambda: not any(alive(worker) for worker in workers))
        served.process.wait()


def test_a_server_that_is_told_to_end_leaves_nothing(tmp_path_factory: pytest.TempPathFactory):
    with serving(tmp_path_factory.mktemp("workspace")) as served:
        with served.page() as page:
            page.start("w", "write", text="kept")
            page.heard("w")
            page.start("a", "wait")
            page.process()
            workers = served.workers()
            assert any(served.temporary.iterdir())
            served.process.send_signal(signal.SIGINT)
            with pytest.raises(ConnectionClosed):
                page.next()
        assert until(lambda: served.process.poll() is not None)
        assert not any(alive(worker) for worker in workers)
        assert not any(served.temporary.iterdir())

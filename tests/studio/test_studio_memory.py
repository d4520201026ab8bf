"""Four pages at once, for a while: the memory of the server and its workers does not grow."""

import itertools
import statistics
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from studio_serving import Served, memory, serving, until

MAP = "type octile\nheight 2\nwidth 3\nmap\n...\n...\n"
Jobs = Callable[[int], Iterator[tuple[str, dict[str, Any]]]]

GAP = "\n".join("......#......" if y not in (2, 3) else "............." for y in range(6))


def streams(page: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Large messages, each asked for twice, so that it is given again."""
    for number in itertools.count(4, 4):
        job = ("data", {"count": 4 + number % 3, "bytes": 2**20 + number + page})
        yield from (job, job)


def groups(page: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """A group through a gap, with another seed each time, and then the same again."""
    for number in itertools.count(4, 4):
        scenario = {
            "schema": "anabasis/scenario",
            "schema_version": 1,
            "name": "the gap",
            "seed": number + page,
            "map": {"text": GAP},
            "groups": [
                {
                    "rectangle": {"x": 0.5, "y": 1, "width": 4, "height": 4, "count": 6},
                    "target": {"x": 11, "y": 3, "radius": 1.5},
                    "radius": 0.4,
                }
            ],
            "limits": {"steps": 2000},
        }
        method = ("vector-field", "flow-taut")[number // 4 % 2]
        job = ("group", {"draft": {"scenario": scenario}, "method": method, "seed": number + page})
        yield from (job, job)


def visit(served: Served, number: int, jobs: Jobs, over: threading.Event) -> int:
    """Be a page that does this and that, and is loaded again now and then; return the bytes that it got."""
    got = 0
    asked = jobs(number)
    for turn in itertools.count():
        with served.page() as page:
            for name in ("a", "b", "c", "d"):
                if over.is_set():
                    return got
                do, args = next(asked)
                page.start(name, do, **args)
                messages = page.heard(name)
                assert messages[-1][0]["kind"] == "done", messages[-1][0]
                got += sum(array.nbytes for _, arrays in messages for array in arrays.values())
            if turn % 5 == number:
                for name in ("cancelled", "left alone"):
                    do, args = next(asked)
                    page.start(name, do, **args)
                    next(asked)  # the same again
                    page.next()
                page.say("cancel", "cancelled")
        assert served.ask("api/files").json["files"][0]["path"] == "a.map"
    return got


def watched(served: Served, jobs: Jobs, seconds: float, every: float) -> tuple[list[int], list[int], int]:
    """Let four pages do so for so long; return the bytes of the server and of all processes, and those they got."""
    over = threading.Event()
    alone: list[int] = []
    whole: list[int] = []
    with ThreadPoolExecutor(4) as pages:
        ran: list[Future[int]] = [pages.submit(visit, served, number, jobs, over) for number in range(4)]
        end = time.monotonic() + seconds
        try:
            while time.monotonic() < end and not any(page.done() for page in ran):
                time.sleep(every)
                alone.append(memory(served.process.pid))
                whole.append(alone[-1] + sum(memory(worker) for worker in served.workers()))
        finally:
            over.set()
        got = sum(page.result() for page in ran)
    return alone, whole, got


def growth(values: list[int], first: float, last: float) -> float:
    """Return by how much the middle of the values grew from the part that begins at `first` to the one at `last`."""
    n, part = len(values), 1 - last
    early = values[int(first * n) : int((first + part) * n)]
    return statistics.median(values[int(last * n) :]) / statistics.median(early) - 1


def test_the_server_does_not_grow_with_what_passes_through_it(tmp_path: Path):
    (tmp_path / "workspace").mkdir()
    (tmp_path / "workspace" / "a.map").write_text(MAP)
    with serving(tmp_path / "workspace") as served:
        alone, whole, got = watched(served, streams, 12, 0.1)
        assert got > 2**27  # several times what the server has
        assert growth(alone, 0.4, 0.7) < 0.3
        assert growth(whole, 0.4, 0.7) < 0.5
        assert until(lambda: len(served.workers()) <= 3)  # those that are ready; nobody's job goes on


@pytest.mark.long
def test_four_pages_for_half_an_hour(tmp_path: Path):
    (tmp_path / "workspace").mkdir()
    (tmp_path / "workspace" / "a.map").write_text(MAP)
    with serving(tmp_path / "workspace", real=True) as served:
        with served.page() as page:  # kernels are compiled before the clock runs
            for number, (do, args) in zip(range(4), groups(5), strict=False):
                page.start(f"{number}", do, **args)
                while page.next(500)[0]["kind"] != "done":
                    pass
        alone, whole, _ = watched(served, groups, 1800, 1)
        print("server", [round(growth(alone, first, 5 / 6), 4) for first in (1 / 6, 1 / 3, 1 / 2)])
        print("all", [round(growth(whole, first, 5 / 6), 4) for first in (1 / 6, 1 / 3, 1 / 2)])
        assert growth(alone, 1 / 6, 5 / 6) < 0.02
        assert growth(whole, 1 / 6, 5 / 6) < 0.02

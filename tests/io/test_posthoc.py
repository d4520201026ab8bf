"""Traces for the Posthoc visualiser: written, read back, and refused when damaged."""

import json
from pathlib import Path

import numpy as np
import pytest

from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.io.posthoc import read_posthoc, write_posthoc
from anabasis.plan import Path as Way
from anabasis.result import SearchTrace
from anabasis.search.astar import astar
from anabasis.world import World

GRID = Grid.from_text(".....\n.###.\n.....")


def events(file: Path) -> list[dict]:
    return json.loads(file.read_text())["events"]


def test_a_trace_of_a_grid_is_written_with_all_that_the_schema_asks_for(tmp_path: Path) -> None:
    result = astar(GRID, 0, 14, traced=True)
    file = tmp_path / "a.trace.json"
    write_posthoc(file, GRID, result.trace, result.value)
    data = json.loads(file.read_text())
    assert data["version"] == "1.4.0"
    assert data["views"]["main"][0]["$"] == "rect"
    rows = data["events"]
    assert rows[0] == {"type": "source", "id": 0, "x": 0, "y": 0}
    assert rows[1] == {"type": "destination", "id": 14, "x": 4, "y": 2}
    steps = [row for row in rows if row["type"] in ("generating", "expanding", "updating")]
    assert len(steps) == len(result.trace.event)
    assert all(row["f"] == row["g"] + row["h"] for row in steps)
    assert all((row["x"], row["y"]) == (row["id"] % 5, row["id"] // 5) for row in steps)
    assert [row["id"] for row in rows if row["type"] == "end"] == result.value.vertices.tolist()


def test_what_was_written_is_read_back(tmp_path: Path) -> None:
    result = astar(GRID, 0, 14, traced=True)
    write_posthoc(tmp_path / "a.trace.json", GRID, result.trace, result.value)
    back = read_posthoc(tmp_path / "a.trace.json")
    assert back.event.tolist() == result.trace.event.tolist()
    assert np.allclose(back.g, result.trace.g)
    assert np.allclose(back.h, result.trace.h)
    # vertices are numbered anew; their places are the same (a square is given by its corner)
    assert (back.points[back.vertex] + 0.5).tolist() == GRID.centres(result.trace.vertex).tolist()
    known = result.trace.parent >= 0
    assert (back.points[back.parent[known]] + 0.5).tolist() == GRID.centres(result.trace.parent[known]).tolist()


def test_graphs_and_places_of_the_search_s_own_are_discs(tmp_path: Path) -> None:
    graph = Graph.from_arcs([[0, 0], [3, 4]], [0], [1], [5])
    result = astar(graph, 0, 1, traced=True)
    write_posthoc(tmp_path / "g.trace.json", graph, result.trace, result.value)
    assert json.loads((tmp_path / "g.trace.json").read_text())["views"]["main"][0]["$"] == "circle"
    tree = SearchTrace([0, 0], [0, 1], [-1, 0], [0.0, 2.0], [np.inf, 1.0], [[1.0, 1.0], [3.0, 1.0]])
    way = Way([], [[1, 1], [3, 1]], 2.0)
    write_posthoc(tmp_path / "w.trace.json", World.of((0, 0, 9, 9), []), tree, way)
    rows = events(tmp_path / "w.trace.json")
    assert "f" not in rows[1], "JSON knows no infinity"
    assert [row for row in rows if row["type"] == "end"][1] == {
        "type": "end",
        "id": "path 1",
        "pId": "path 0",
        "x": 3.0,
        "y": 1.0,
    }
    assert read_posthoc(tmp_path / "w.trace.json").points.tolist() == tree.points.tolist()


def test_an_older_trace_is_read(tmp_path: Path) -> None:
    file = tmp_path / "old.trace.json"
    old = [
        {"type": "source", "id": "s", "variables": {"x": 1, "y": 2}},
        {"type": "expanding", "id": "s", "g": 0, "f": 7, "variables": {"x": 1, "y": 2}},
        {"type": "generating", "id": "t", "pId": "s", "g": 1, "f": 7, "variables": {"x": 2, "y": 2}},
    ]
    file.write_text(json.dumps({"version": "1.0.5", "events": old}))
    trace = read_posthoc(file)
    assert trace.h.tolist() == [7, 6]
    assert trace.parent.tolist() == [-1, 0]
    assert trace.points.tolist() == [[1, 2], [2, 2]]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("{", "must be JSON"),
        ("[]", "version of a trace"),
        ('{"version": "2.0", "events": []}', "found '2.0'; expected 1.4.0"),
        ('{"version": "1.4.0"}', "without events"),
        ('{"version": "1.4.0", "events": [4]}', "event 0 of the trace"),
        ('{"version": "1.4.0", "events": [{"type": "leaping", "id": 1}]}', "type of event 0"),
        ('{"version": "1.4.0", "events": [{"type": "open", "id": null}]}', "id of event 0"),
        ('{"version": "1.4.0", "events": [{"type": "open", "id": 1, "pId": 1.5}]}', "pId of event 0"),
        ('{"version": "1.4.0", "events": [{"type": "open", "id": 1, "g": NaN}]}', "g of event 0"),
        ('{"version": "1.4.0", "events": [{"type": "open", "id": 1, "x": "two"}]}', "x of event 0"),
    ],
)
def test_damaged_traces_are_refused(tmp_path: Path, text: str, complaint: str) -> None:
    file = tmp_path / "bad.trace.json"
    file.write_text(text)
    with pytest.raises(InputError, match=complaint) as caught:
        read_posthoc(file)
    assert "bad.trace.json" in str(caught.value)


def test_a_name_that_posthoc_would_not_open_is_refused(tmp_path: Path) -> None:
    result = astar(GRID, 0, 14, traced=True)
    with pytest.raises(InputError, match=r"expected a name\.trace\.json"):
        write_posthoc(tmp_path / "a.json", GRID, result.trace)

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra
from studio_cases import Said, check_run, draft

from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.methods import method as method_row
from anabasis.methods import names
from anabasis.result import TraceEvent
from anabasis.studio.drafts import grid_of
from anabasis.studio.work import searches

NEARLY = 1e-9


def _shortest(grid: Grid, start: tuple[int, int], goal: tuple[int, int]) -> float:
    """Return the cost of the shortest way by steps to eight neighbours, both sides of a diagonal free."""
    tails: list[int] = []
    heads: list[int] = []
    prices: list[float] = []
    for y in range(grid.height):
        for x in range(grid.width):
            for dx, dy in ((1, 0), (0, 1), (1, 1), (-1, 1)):
                there = x + dx, y + dy
                if all(grid.is_free(*cell) for cell in ((x, y), there, (x + dx, y), (x, y + dy))):
                    tails += [grid.vertex(x, y), grid.vertex(*there)]
                    heads += [grid.vertex(*there), grid.vertex(x, y)]
                    prices += [float(np.hypot(dx, dy))] * 2
    n = grid.width * grid.height
    graph = csr_array((prices, (tails, heads)), shape=(n, n))
    return float(dijkstra(graph, indices=grid.vertex(*start))[grid.vertex(*goal)])


@pytest.mark.parametrize("method", names("search"))
def test_every_search(method: str) -> None:
    said = Said("search", {"draft": draft(), "method": method, "seed": 2})
    assert said.status == "solved"
    grid, row = grid_of(draft()), method_row("search", method)
    facts = said.facts()
    best = _shortest(grid, (2, 9), (20, 9))
    by_steps = "grid" in row.spaces and not row.any_angle
    if row.optimal:
        assert facts["cost"] == pytest.approx(best, abs=NEARLY) if by_steps else facts["cost"] <= best
    assert facts["cost"] >= (best - NEARLY if by_steps else 18.0)

    (head, arrays), positions, _ = check_run(said)
    assert head["units"] == 1 and arrays["arrival"].tolist() == [head["steps"]]
    assert np.allclose(positions[0, 0], (2.5, 9.5)) and np.allclose(positions[-1, 0], (20.5, 9.5))
    strides = np.hypot(*np.diff(positions[:, 0].astype(float), axis=0).T)
    assert strides.sum() <= facts["length"] + 1e-4 and strides.max() < 0.151
    if method != "potential-field":  # which trembles in steps shorter than those in which its path is played
        assert strides.sum() == pytest.approx(facts["length"], rel=0.02)
    if by_steps:  # others run along walls
        assert all(grid.is_free(x, y) for x, y in np.floor(positions[:, 0]).astype(int).tolist())

    search, events = said.one("search")
    count = search["events"]
    assert {name: array.shape for name, array in events.items() if name != "points"} == dict.fromkeys(
        ("event", "vertex", "parent", "g", "h"), (count,)
    )
    assert count > 0 and set(events["event"].tolist()) <= {kind.value for kind in TraceEvent}
    assert events["vertex"].max() < search["nodes"] and events["parent"].max() < search["nodes"]
    assert search["nodes"] == (grid.width * grid.height if search["cells"] else len(events["points"]))
    assert {"searched", "path"} <= {message[0]["name"] for message in said.all("scene")}


def test_a_search_step_by_step_leads_to_the_cost() -> None:
    said = Said("search", {"draft": draft(), "method": "astar"})
    _, events = said.one("search")
    grid = grid_of(draft())
    at_goal = events["vertex"] == grid.vertex(20, 9)
    assert events["g"][at_goal][-1] == pytest.approx(said.facts()["cost"], rel=1e-6)
    vertex = grid.vertex(20, 9)
    way = [vertex]
    while vertex != grid.vertex(2, 9):
        vertex = int(
            events["parent"][(events["vertex"] == vertex) & (events["event"] == TraceEvent.GENERATE.value)][-1]
        )
        way.append(vertex)
    assert len(way) == said.facts()["steps"] + 1


@pytest.mark.parametrize("method", ["dstar-lite", "lpa-star"])
def test_searches_that_mend_show_what_they_know(method: str) -> None:
    said = Said("search", {"draft": draft(), "method": method, "options": {"neighbours": "4"}})
    head, _ = said.scene("incremental")
    texts = [text for layer in head["layers"] if layer["type"] == "labels" for text in layer["texts"]]
    assert f"{said.facts()['cost']:.4g}" in texts and len(texts) > 30


def test_shortened_paths_and_paths_on_a_discretisation() -> None:
    plain = Said("search", {"draft": draft(), "method": "astar"}).facts()
    short = Said("search", {"draft": draft(), "method": "astar", "options": {"shorten": True}}).facts()
    assert short["cost"] < plain["cost"] and short["corners"] >= 3
    hexagons = Said("search", {"draft": draft(), "method": "dijkstra", "options": {"space": "hexagonal-6"}})
    assert hexagons.status == "solved" and hexagons.facts()["states of the graph"] > 80
    search, events = hexagons.one("search")
    assert not search["cells"] and len(events["points"]) == hexagons.facts()["states of the graph"]
    coarse = Said(
        "search",
        {"draft": draft(), "method": "astar", "options": {"space": "square-8"}, "space_options": {"edge": 2.0}},
    )
    assert coarse.facts()["states of the graph"] < 80
    with pytest.raises(InputError, match="heart"):
        Said("search", {"draft": draft(), "method": "astar", "options": {"space": "heart"}})


def test_without_a_way_the_reason_and_the_nearest_cell_are_told() -> None:
    said = draft()
    said["scenario"]["map"]["text"] = "\n".join(["." * 12 + "#" + "." * 11] * 12)
    told = Said("search", {"draft": said, "method": "astar"})
    assert told.status == "no solution" and told.reason
    assert told.facts()["nearest place in reach"] == [11, 9]
    assert not told.all("run") and told.all("search") and "cost" not in told.facts()


def test_the_same_is_said_twice() -> None:
    for method in ("rrt-star", "annealing", "jps"):
        args = {"draft": draft(), "method": method, "seed": 1}
        assert Said("search", args).without_clock() == Said("search", args).without_clock()


def test_long_searches_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searches, "MOST_EVENTS", 50)
    search, events = Said("search", {"draft": draft(), "method": "dijkstra"}).one("search")
    assert search["events"] > 50 and len(events["event"]) == 50
    monkeypatch.setattr(searches, "_MOST_TRACED", 10)
    assert not Said("search", {"draft": draft(), "method": "dijkstra"}).all("search")


@pytest.mark.parametrize("method", names("space"))
def test_every_discretisation(method: str) -> None:
    said = Said("space", {"draft": draft(), "method": method, "seed": 1})
    head, _ = said.scene("space")
    facts = said.facts()
    assert facts["states"] > 3 and facts["arcs"] > 3 and head["layers"]
    grown = Said("space", {"draft": draft(), "method": method, "seed": 1, "options": {"radius": 0.4}})
    assert {layer["type"] for layer in grown.scene("space")[0]["layers"]} >= {layer["type"] for layer in head["layers"]}


@pytest.mark.parametrize("method", names("drive"))
def test_every_motion(method: str) -> None:
    options = {"axle": 1.0, "heading": 0.0, "backward": True} | ({"extra": 3} if method == "genetic-drive" else {})
    said = Said("drive", {"draft": draft(), "method": method, "seed": 3, "options": options})
    assert said.status == "solved" and said.facts()["valid"] is True
    (head, _), positions, _ = check_run(said)
    assert np.allclose(positions[0, 0], (2.5, 9.5)) and np.allclose(positions[-1, 0], (20.5, 9.5), atol=1e-4)
    assert head["tick"] * head["steps"] == pytest.approx(said.facts()["duration"])
    strides = np.hypot(*np.diff(positions[:, 0].astype(float), axis=0).T)
    assert strides.max() <= head["tick"] * 1.0 + 1e-4  # the greatest speed is 1
    assert strides.sum() == pytest.approx(said.facts()["length"], rel=0.02)
    headings = said.all("frames")[0][1]["headings"]
    assert headings[0, 0] == 0.0

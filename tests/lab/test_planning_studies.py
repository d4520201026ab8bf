"""The studies of planning for one unit: tables beside the source's, verdicts that follow from them, the report."""

import csv
import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from anabasis import Grid
from anabasis.errors import InputError
from anabasis.io.movingai import Scen
from anabasis.lab.machine import machine
from anabasis.lab.studies import (
    planning_discretisation,
    planning_discretisation_claims,
    planning_discretisation_games,
    planning_rrt,
    planning_rrt_claims,
    planning_searches,
    planning_searches_claims,
    planning_smoothing,
    planning_theta_claims,
)
from anabasis.lab.studies.planning_charts import log_chart
from anabasis.lab.studies.planning_games import GameMap, game_maps
from anabasis.lab.studies.planning_record import PEAK, Spread, Table, allocated, power, shown, timed
from anabasis.lab.studies.planning_report import run_planning, study_text, write_planning
from anabasis.lab.studies.planning_theta import LATTICES, ends, game_table, lattice, theta_table

DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "movingai"


def holds(found, start):
    """The verdicts of the claims that begin so."""
    return [f.holds for f in found if re.match(rf"{start}\b", f.claim)]


def changed(tables, name, column, change):
    rows = [{**row, column: change(row) if row.get(column) is not None else None} for row in tables[name].rows]
    return {**tables, name: Table("", tuple(rows))}


@pytest.fixture(scope="module")
def game():
    """A map of 24 × 16 cells with walls, and five queries."""
    free = np.ones((16, 24), bool)
    free[4:6, :18] = free[10:12, 6:] = free[7, 3] = False
    x0, y0, x1, y1 = np.array([[0, 0, 23, 3], [0, 0, 20, 8], [0, 0, 23, 15], [23, 15, 0, 2], [5, 7, 5, 7]]).T
    one = np.ones(5, np.int64)
    length = np.array([24.24, 23.3, 60.0, 62.0, 0.0])
    scen = Scen(0 * one, ("m",) * 5, 24 * one, 16 * one, x0, y0, x1, y1, length, one, one)
    return GameMap("drawn", Grid.from_terrain(np.where(free, ord("."), ord("@")).astype(np.uint8)), scen)


@pytest.fixture(scope="module")
def discretisations(game):
    counts = (16, 24)
    return {
        "polygons": planning_discretisation.polygon_table(counts, repeats=1),
        "polygon-searches": planning_discretisation.polygon_search_table(counts, repeats=1),
        "grids": planning_discretisation.grid_table((5, 8, 10), repeats=1),
        "cover": planning_discretisation.cover_table(),
        "polygons-games": planning_discretisation_games.polygon_table([game], repeats=1),
        "polygon-searches-games": planning_discretisation_games.polygon_search_table([game], repeats=1),
        "grids-games": planning_discretisation_games.grid_table([game], repeats=1),
        "cover-games": planning_discretisation_games.cover_table([game]),
    }


def test_tables_of_discretisations(discretisations):
    polygons, searches, grids = (discretisations[name] for name in ("polygons", "polygon-searches", "grids"))
    assert polygons.column("states") == polygons.column("source states") == [128, 192]
    assert searches.column("l px") == pytest.approx(searches.column("tangent l px"), abs=1e-9)
    assert grids.column("sq states") == grids.column("source sq states") == [90 * 60, 56 * 37, 45 * 30]
    assert all(0.5 < share <= 1 for share in discretisations["cover"].column("cover"))
    assert {"states", "t_p ms", "t_d ms", "m_d kB", f"t_d {PEAK}"} <= set(polygons.head)
    assert {"t ms", "source m_s B"} <= set(searches.head)
    columns = {f"{kind} {what}" for kind in ("sq-4", "sq-8", "hex") for what in ("t ms", "m kB", PEAK)}
    assert columns <= set(grids.head)
    assert {f"source {name}" for name in columns if PEAK not in name} <= set(grids.head)
    # a graph cannot be made without room for what is left of it in the end
    assert all(peak >= kept for peak, kept in zip(grids.column(f"hex {PEAK}"), grids.column("hex m kB"), strict=True))


def test_verdicts_on_discretisations(discretisations):
    judge = planning_discretisation_claims.findings
    found = judge(discretisations)
    assert all(holds(found, claim) == [True] for claim in ("C6", "T1", "T3", "T10"))
    assert not holds(found, "C5")[0]
    for name, column, change, claim in (
        ("polygons", "t_d ms", lambda row: 10.0, "C1"),
        ("polygon-searches", "t ms", lambda row: 13.0 * row["obstacles"], "C2"),
        ("grids", "sq-8 t ms", lambda row: 1.0, "C3"),
        ("grids", "hex t ms", lambda row: 1e6, "C4"),
        ("cover", "cover", lambda row: 0.9 if row["cells"] == "hexagonal" else 1.0, "C5"),
        ("cover", "cover", lambda row: 0.9 if row["cells"] == "square" else 1.0, "C6"),
        ("grids", "sq states", lambda row: row["sq states"] + 1, "T1"),
        ("polygons", "states", lambda row: 7, "T3"),
        ("grids", "sq-8 m kB", lambda row: 1.0, "T10"),
    ):
        assert holds(judge(changed(discretisations, name, column, change)), claim)[0] is False
    other = changed(discretisations, "cover", "cover", lambda row: 1.0 if row["cells"] == "hexagonal" else 0.9)
    assert holds(judge(other), "C5") == [True]
    assert holds(judge(changed(discretisations, "polygons", "t_d ms", lambda row: row["obstacles"] ** 2)), "C1")[0]


def test_discretisations_of_maps_of_games(discretisations, game):
    grids = discretisations["grids-games"]
    assert grids.column("sq states") == grids.column("free squares")
    assert grids.column("sq states")[0] == game.grid.free.sum()
    assert all(0 < share <= 1 for share in discretisations["cover-games"].column("cover"))
    judge = planning_discretisation_claims.game_findings
    assert holds(judge(discretisations), "T1") == [True]
    assert holds(judge(changed(discretisations, "grids-games", "sq states", lambda row: 3)), "T1") == [False]
    assert holds(judge(changed(discretisations, "polygon-searches-games", "t ms", lambda row: 99.0)), "C2") == [False]


def test_queries_of_the_parts(game):
    assert game.parts() == {1: 0, 2: 2, 3: 3}
    assert sorted(game.sample(9)) == [0, 1, 2, 3]
    assert len(game.sample(2)) == 2
    assert game.ends(0) == ((0.5, 0.5), (23.5, 3.5))


@pytest.fixture(scope="module")
def thetas(game):
    return {kind: theta_table(kind, repeats=1) for kind in LATTICES} | {"theta-games": game_table([game], repeats=1)}


def test_tables_of_theta(thetas):
    for table in thetas.values():
        for row in table.rows:
            if row["status"] == "way found":
                assert row["optimum px"] <= row["Theta* l px"] + 1e-9
                assert row["PS l px"] <= row["A* l px"] + 1e-9
                assert row[f"A* {PEAK}"] > 0
        for method in ("A*", "Theta*"):
            assert {f"{method} {what}" for what in ("t ms", "expanded", "records", "l px")} <= set(table.head)
    assert {"PS t_s µs", "source A* m kB", "source PS t_s µs", "source Theta* m kB"} <= set(thetas["hex"].head)


def test_verdicts_on_theta(thetas):
    judge = planning_theta_claims.findings
    found = judge(thetas)
    assert all(holds(found, claim)[0] for claim in ("C7", "C10", "C11", "T2", "T5", "T9"))
    ms = "Theta* t ms"

    def every(column, change):
        tables = thetas
        for kind in LATTICES:
            tables = changed(tables, kind, column, change)
        return judge(tables)

    assert not holds(every("Theta* l px", lambda row: 2 * row["PS l px"]), "C7")[0]
    fast = every(ms, lambda row: row["A* t ms"] / 20)
    assert holds(fast, "C8") == [holds(fast, "C8")[2], True, holds(fast, "C8")[2]]
    assert holds(fast, "C9") == [False]
    assert holds(fast, "From") == [True]
    slow = every(ms, lambda row: 20 * row["A* t ms"])
    assert holds(slow, "C8")[:2] == [False, False]
    assert holds(slow, "C9") == [True]
    assert holds(slow, "From") == [False]
    assert not holds(every("Theta* records", lambda row: 3 * row["A* records"]), "C8")[2]
    assert holds(every("Theta* records", lambda row: 2 * row["A* records"]), "T6") == holds(found, "C9")
    assert not holds(every("A* l px", lambda row: row["Theta* l px"]), "C10")[0]
    assert not holds(every("A* expanded", lambda row: 7), "C11")[0]
    assert not holds(every("A* l px", lambda row: 1.0), "T2")[0]
    assert not holds(every("Theta* expanded", lambda row: row["A* expanded"]), "T5")[0]
    assert not holds(every("status", lambda row: "crash" if row["status"] != "way found" else "way found"), "T9")[0]


def test_theta_on_a_map_of_a_game(thetas):
    judge = planning_theta_claims.game_findings
    slow = judge(changed(thetas, "theta-games", "Theta* t ms", lambda row: 2 * row["A* t ms"]))
    fast = judge(changed(thetas, "theta-games", "Theta* t ms", lambda row: row["A* t ms"] / 2))
    assert holds(slow, "C9") == [True]
    assert holds(fast, "C9") == [False]
    assert holds(slow, "C8") == [False]


@pytest.mark.parametrize(("kind", "edge", "offset"), [("sq-4", 2, (428, 278)), ("hex", 10, (420, 277.128))])
def test_ends_of_part_1_are_as_far_apart_as_published(kind, edge, offset):
    points = lattice(kind, edge, 1)[1].points
    start, goal = points[list(ends(kind, edge, 1))]
    assert goal - start == pytest.approx((-offset[0], offset[1]), abs=1e-3)


@pytest.fixture(scope="module")
def trees(game):
    tables = {"rrt-games": planning_rrt.game_table([game], runs=4)}
    for step in (5.0, 10.0):
        tables[f"rrt-{step:g}"] = planning_rrt.rrt_table(runs=5, step=step)
        tables[f"rrt-race-{step:g}"] = planning_rrt.race_table(runs=30, step=step)
    return tables


def test_table_of_rrt(trees):
    table = trees["rrt-5"]
    assert [row["of 5 runs"] for row in table.rows] == ["min", "max", "median", "average"]
    columns = {f"{place} {what}" for place in ("free", "obstacles") for what in ("t ms", "l px", "n")}
    assert columns | {f"source {name}" for name in columns} <= set(table.head)
    assert min(table.column("free l px")) >= planning_rrt.DISTANCE
    assert min(table.column("obstacles l px")) >= 296.4
    again = planning_rrt.rrt_table(runs=5)
    assert all(
        table.column(name) == again.column(name)
        for name in table.head
        if "source" not in name and name.endswith(("px", "n", "samples"))
    )
    race = trees["rrt-race-10"]
    assert [row["map"] for row in race.rows] == ["obstacles", "open", "p"]
    assert 0 < race.column("samples")[2] <= 1
    assert PEAK in table.note


def test_verdicts_on_rrt(trees):
    judge = planning_rrt_claims.findings
    found = judge(trees)
    assert len(found) == 12  # six for each length of a segment
    assert all("segments of 10 px" in f.claim for f in found[:6])
    tables, other = trees, trees
    for step in ("5", "10"):
        for place in ("free", "obstacles"):
            for what in ("t ms", "samples", "n"):
                column = f"{place} {what}"
                tables = changed(tables, f"rrt-{step}", column, lambda row: {"max": 31.0}.get(row["of 5 runs"], 1.0))
                other = changed(other, f"rrt-{step}", column, lambda row: {"max": 9.0}.get(row["of 5 runs"], 1.0))
            tables = changed(tables, f"rrt-{step}", f"{place} restarted samples", lambda row: 7.0)
            other = changed(other, f"rrt-{step}", f"{place} restarted samples", lambda row: 70.0)
        tables = changed(tables, f"rrt-{step}", "free l px", lambda row: 300.0)
        other = changed(other, f"rrt-{step}", "free l px", lambda row: 500.0)
        race = f"rrt-race-{step}"
        tables = changed(tables, race, "longest", lambda row: 1.5)
        tables = changed(tables, race, "t ms", lambda row: {"obstacles": 1.0, "open": 2.0, "p": 0.01}[row["map"]])
        other = changed(other, race, "t ms", lambda row: {"obstacles": 1.0, "open": 2.0, "p": 0.2}[row["map"]])
    assert [f.holds for f in judge(tables)] == [True] * 12
    assert [f.holds for f in judge(other)] == [False] * 12
    # nine times the median is no order of magnitude
    assert holds(judge(other), "C13") == [False, False]


def test_rrt_on_a_map_of_a_game(trees):
    judge = planning_rrt_claims.game_findings
    long = changed(trees, "rrt-games", "free l px", lambda row: 1e4)
    assert holds(judge(long), "C12") == [False]
    assert holds(judge(changed(trees, "rrt-games", "obstacles t ms", lambda row: 1e-9)), "C14") == [True]
    none = changed(trees, "rrt-games", "obstacles l px", lambda row: float("nan"))
    assert "no way found" in judge(none)[0].measured


@pytest.fixture(scope="module")
def smooth(game):
    return {
        "smoothing": planning_smoothing.smoothing_table(queries=3),
        "smoothing-games": planning_smoothing.game_table([game], queries=3),
    }


def test_tables_of_smoothing(smooth):
    for table in smooth.values():
        assert min(table.column("mean excess %")) > -1e-9
    judge = planning_smoothing.findings
    assert holds(judge(smooth), "C15")[0]
    slow = changed(smooth, "smoothing", "t µs", lambda row: Spread([1.0, 99_000.0]))
    assert not holds(judge(slow), "C15")[0]
    for value in (0.1, 1e9):
        other = changed(smooth, "smoothing", "mean t µs", lambda row, v=value: v if row["method"] == "A*" else 1.0)
        assert holds(judge(other), "C15")[1] is (value > 1)
    assert holds(judge(changed(smooth, "smoothing", "longer", lambda row: 3)), "T4") == [False]
    assert len(planning_smoothing.game_findings(smooth)) == 4


@pytest.fixture(scope="module")
def everything():
    names = ["astar", "jps", "anya", "visibility-graph", "theta", "rrt"]
    return {
        "searches": planning_searches.search_table(names, repeats=1),
        "spaces": planning_searches.space_table(repeats=1),
    }


def test_tables_of_searches(everything):
    table, spaces = everything["searches"], everything["spaces"]
    excess = dict(zip([row["method"] for row in table.rows], table.column("hard excess %"), strict=True))
    assert excess["anya"] == pytest.approx(0, abs=1e-9)
    assert excess["visibility-graph"] == 0
    assert excess["astar"] > 1
    assert {"square-8", "hexagonal-6", "roadmap"} <= {row["discretisation"] for row in spaces.rows}
    assert np.nanmin(spaces.column("easy excess %")) > -1e-9


def test_verdicts_on_searches(everything):
    judge = planning_searches_claims.findings
    found = judge(everything)
    assert all(holds(found, claim)[0] for claim in ("G1", "G4"))
    for name, column, change, claim in (
        ("searches", "easy status", lambda row: "no solution", "G1"),
        ("searches", "hard excess %", lambda row: 1.0, "G1"),
        ("searches", "hard l px", lambda row: 600.0 if row["method"] == "astar" else 643.1, "G1"),
        ("spaces", "easy A* ms", lambda row: 9.0 if row["discretisation"] == "tangents" else 1.0, "G2"),
        ("spaces", "easy A* ms", lambda row: 9.0 if row["discretisation"] == "mesh-graph-sides" else 1.0, "G3"),
        ("searches", "hard excess %", lambda row: 90.0 if row["method"] == "theta" else 0.0, "G4"),
        ("searches", "hard excess %", lambda row: 101.0 if row["method"] == "rrt" else 0.0, "G5"),
    ):
        assert holds(judge(changed(everything, name, column, change)), claim) == [False]
    limited = changed(everything, "searches", "easy status", lambda row: "limit reached")
    assert "gave up at the limit: anya, astar, jps" in judge(limited)[0].measured


def test_numbers_as_text():
    values = (None, 3, 2.5, 1234.5678, 12345.6, float("nan"), "x", Spread([3.0, 1.0, 2.0]))
    assert [shown(v) for v in values] == ["–", "3", "2.5", "1234.6", "12346", "–", "x", "2 [1, 3]"]
    assert power([1, 2, 4], [3, 12, 48]) == pytest.approx(2)
    assert timed(lambda: 7, 2)[0] == 7
    assert Table("t", ({"a": 1, "b": None},)).text().splitlines() == ["t", "a  b", "1  –"]


def test_a_wide_table_is_told_in_blocks():
    table = Table("t", ({"map": "m", "source a": 1, **{letter * 40: 1.5 for letter in "abcdef"}, "a": 2},), "note")
    lines = table.text().splitlines()
    assert max(map(len, lines)) <= 150
    assert sum(line.split()[:1] == ["map"] for line in lines) == 2
    assert lines[0] == "t" and lines[-1] == "note"
    assert re.search(r"  a  source a$", table.text(), re.MULTILINE)
    assert table.blocks(["map", "x", "y", "z"], [1, 1, 1, 1], 3) == [["map", "x", "y"], ["map", "z"]]


def test_chart():
    chart = log_chart({"a": ([1, 10], [1, 100]), "source a": ([1, 10], [2, 300])}, across="x < y", up="ms")
    root = ElementTree.fromstring(chart)  # noqa: S314 (our own text)
    marks = [(float(e.get("cx")), float(e.get("cy"))) for e in root.iter("{http://www.w3.org/2000/svg}circle")]
    assert len(marks) == 8  # four of them in the key
    assert all(0 < x < 560 and 0 < y < 400 for x, y in marks)
    assert marks[1][1] < marks[0][1]
    assert marks[4][1] < marks[0][1] < 310


def test_times_know_their_spread():
    table = Table("t", ({"a": 1, "t ms": Spread([4.0, 1.0, 2.0])}, {"a": 2, "b": 3}))
    assert table.column("t ms")[0] == 2
    assert table.head == ("a", "t ms", "b")
    head, rows = table.flat()
    assert head == ["a", "t ms", "t ms least", "t ms most", "b"]
    assert rows == [[1, 2.0, 1.0, 4.0, None], [2, None, None, None, 3]]
    assert [float(v) for v in (Spread([1.0, 3.0]).times(10), Spread([1.0, 3.0]).times(10).most)] == [20, 30]
    assert timed(lambda: None)[1].least <= timed(lambda: None)[1].most


def test_memory_is_measured_by_allocation():
    assert 8000 < allocated(lambda: np.zeros(1_000_000)) < 8100
    assert allocated(lambda: None) < 10
    assert "cores" in machine()
    assert re.search(r"Python \d", machine())


def test_without_a_folder_there_are_no_maps_of_games(tmp_path):
    assert game_maps(None) == game_maps(tmp_path) == []


def test_maps_of_games(movingai):
    arena, random = game_maps(movingai, quick=True)
    assert (arena.name, random.name) == ("arena", "random-64-64-10")
    for one in (arena, random):
        assert set(one.parts()) == {1, 2, 3}
    # squares of edge 1 with 8 neighbours are what the published lengths are counted on
    rows = [row for row in game_table([arena], repeats=1).rows if row["lattice"] == "sq-8"]
    assert all(row["A* l px"] == pytest.approx(row["published 8-way l px"], abs=1e-3) for row in rows)


def test_a_study_is_written_down(tmp_path):
    steps = []
    study = run_planning("smoothing", quick=True, progress=lambda done, of: steps.append((done, of)))
    assert steps == [(1, 1)]
    assert study.games == ()
    page = write_planning(study, tmp_path / "x.run")
    assert ElementTree.fromstring(page.read_text().partition("\n")[2]) is not None  # noqa: S314 (our own text)
    text = study_text(study)
    assert "no evidence" in text
    assert study.machine in text
    assert "Without the Moving AI maps" in text
    with (tmp_path / "x.run" / "smoothing.csv").open() as file:
        rows = list(csv.reader(file))
    assert {"t µs", "t µs least", "t µs most"} <= set(rows[0])
    assert len(rows) == 1 + 2 * 3 * 8
    with pytest.raises(InputError, match="unknown study"):
        run_planning("nonsense")


@pytest.mark.long
@pytest.mark.parametrize("name", ["discretisation", "theta", "rrt", "searches"])
def test_whole_studies_quickly(tmp_path, name):
    study = run_planning(name, quick=True, data=DATA if DATA.is_dir() else None)
    page = write_planning(study, tmp_path / "x.run")
    assert ElementTree.fromstring(page.read_text().partition("\n")[2]) is not None  # noqa: S314 (our own text)
    assert all(f.verdict in study_text(study) for f in study.findings)

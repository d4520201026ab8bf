"""The studies of planning for one unit: tables beside those of the source, verdicts, and the report."""

import csv
import re
from xml.etree import ElementTree

import numpy as np
import pytest

from anabasis.lab.studies import planning_discretisation, planning_rrt, planning_searches, planning_smoothing
from anabasis.lab.studies.planning_charts import log_chart
from anabasis.lab.studies.planning_record import Table, power, shown, timed
from anabasis.lab.studies.planning_report import STAGES, run_planning, study_text, write_planning
from anabasis.lab.studies.planning_theta import LATTICES, ends, findings, lattice, theta_table


def holds(found, start):
    return next(f.holds for f in found if f.claim.startswith(start))


def test_tables_of_discretisations():
    counts = (16, 24)
    polygons = planning_discretisation.polygon_table(counts, repeats=1)
    searches = planning_discretisation.polygon_search_table(counts, repeats=1)
    grids = planning_discretisation.grid_table((5, 8, 10), repeats=1)
    cover = planning_discretisation.cover_table()
    assert polygons.column("states") == polygons.column("source states") == [128, 192]
    assert searches.column("l px") == pytest.approx(searches.column("tangent l px"), abs=1e-9)
    assert grids.column("sq states") == grids.column("source sq states")
    assert all(0.5 < share <= 1 for share in cover.column("cover"))
    found = planning_discretisation.findings(polygons, searches, grids, cover)
    assert all(holds(found, claim) for claim in ("C1", "C2", "C6", "T1", "T3", "T10"))
    worse = Table("", tuple({**row, "states": 7} for row in polygons.rows))
    assert not holds(planning_discretisation.findings(worse, searches, grids, cover), "T3")


def test_tables_of_theta():
    tables = [theta_table(kind, repeats=1) for kind in LATTICES]
    found = findings(tables)
    assert all(holds(found, claim) for claim in ("C7", "C10", "C11", "T2", "T5", "T9"))
    for table in tables:
        for row in table.rows:
            if row["status"] == "way found":
                assert row["optimum px"] <= row["Theta* l px"] + 1e-9
                assert row["PS l px"] <= row["A* l px"] + 1e-9
    longer = [
        Table("", tuple({**row, "A* l px": 1.0} for row in t.rows if row["status"] == "way found")) for t in tables
    ]
    assert not holds(findings([*longer[:2], tables[2]]), "T2")


@pytest.mark.parametrize(("kind", "edge", "offset"), [("sq-4", 2, (428, 278)), ("hex", 10, (420, 277.128))])
def test_ends_of_part_1_are_as_far_apart_as_published(kind, edge, offset):
    points = lattice(kind, edge, 1)[1].points
    start, goal = points[list(ends(kind, edge, 1))]
    assert goal - start == pytest.approx((-offset[0], offset[1]), abs=1e-3)


def test_table_of_rrt():
    table = planning_rrt.rrt_table(runs=5)
    assert [row["of 5 runs"] for row in table.rows] == ["min", "max", "median", "average"]
    assert min(table.column("free l px")) >= planning_rrt.DISTANCE
    assert min(table.column("obstacles l px")) >= 296.4
    again = planning_rrt.rrt_table(runs=5)
    assert all(
        table.column(name) == again.column(name)
        for name in table.head
        if "source" not in name and name.endswith(("px", "n", "samples"))
    )
    race = planning_rrt.race_table(runs=30)
    assert [row["map"] for row in race.rows] == ["obstacles", "open", "p"]
    assert 0 < race.column("samples")[2] <= 1
    assert len(planning_rrt.findings(table, race)) == 5


def test_table_of_smoothing():
    table = planning_smoothing.smoothing_table(queries=3)
    assert min(table.column("mean excess %")) > -1e-9
    assert holds(planning_smoothing.findings(table), "C15")


def test_tables_of_searches():
    table = planning_searches.search_table(["astar", "anya", "visibility-graph"], repeats=1)
    excess = dict(zip([row["method"] for row in table.rows], table.column("hard excess %"), strict=True))
    assert excess["anya"] == pytest.approx(0, abs=1e-9)
    assert excess["visibility-graph"] == 0
    assert excess["astar"] > 1
    spaces = planning_searches.space_table(repeats=1)
    assert {"square-8", "hexagonal-6", "roadmap"} <= {row["discretisation"] for row in spaces.rows}
    assert np.nanmin(spaces.column("easy excess %")) > -1e-9


def test_numbers_as_text():
    assert [shown(v) for v in (None, 3, 2.5, 1234.5678, "x")] == ["–", "3", "2.5", "1234.6", "x"]
    assert power([1, 2, 4], [3, 12, 48]) == pytest.approx(2)
    assert timed(lambda: 7, 2)[0] == 7
    assert Table("t", ({"a": 1, "b": None},)).text().splitlines() == ["t", "a  b", "1  –"]


def test_chart():
    chart = log_chart({"a": ([1, 10], [1, 100]), "source a": ([1, 10], [2, 300])}, across="x < y", up="ms")
    root = ElementTree.fromstring(chart)  # noqa: S314 (our own text)
    marks = [(float(e.get("cx")), float(e.get("cy"))) for e in root.iter("{http://www.w3.org/2000/svg}circle")]
    assert len(marks) == 8  # four of them in the key
    assert all(0 < x < 560 and 0 < y < 400 for x, y in marks)
    assert marks[1][1] < marks[0][1]
    assert marks[4][1] < marks[0][1] < 310


@pytest.mark.long
def test_the_whole_study_quickly(tmp_path):
    steps = []
    study = run_planning(quick=True, progress=lambda done, of: steps.append((done, of)))
    assert steps[-1] == (len(STAGES), len(STAGES))
    assert {m for f in study.findings for m in re.findall(r"^[CT]\d+|(?<=, )T7", f.claim)} == {
        *(f"C{k}" for k in range(1, 16)),
        *(f"T{k}" for k in range(1, 11)),
    }
    page = write_planning(study, tmp_path / "planning.run")
    assert ElementTree.fromstring(page.read_text().partition("\n")[2]) is not None  # noqa: S314
    assert "Table 5.7" in study_text(study)
    with (tmp_path / "planning.run" / "grids.csv").open() as file:
        assert len(list(csv.reader(file))) == 10

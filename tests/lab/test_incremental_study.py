"""The study of incremental search: its walks and changes against oracles, its findings, and that each can fail."""

import csv
import json
import os
import subprocess
import sys
from dataclasses import replace
from xml.etree import ElementTree

import networkx as nx
import numpy as np
import pytest

from anabasis.lab.studies import incremental_study
from anabasis.lab.studies.incremental_crossing import (
    LINES,
    SETTINGS,
    _asked,
    count_crossing,
    crossing,
    crossing_map,
    time_crossing,
)
from anabasis.lab.studies.incremental_findings import count_findings, time_findings
from anabasis.lab.studies.incremental_plain import plain_times
from anabasis.lab.studies.incremental_report import incremental_text, times_text, write_incremental
from anabasis.lab.studies.incremental_steps import WAYS, Step, ratios, summary
from anabasis.lab.studies.incremental_study import run_incremental
from anabasis.lab.studies.incremental_tables import _best, _best_search, _sum
from anabasis.lab.studies.incremental_units import many_units, opposites
from anabasis.lab.studies.incremental_worlds import (
    MAPS,
    PLACES,
    Run,
    changed_world,
    fixed_ends,
    moving_unit,
    world,
)
from anabasis.lab.studies.planning_record import Spread, Table
from anabasis.result import Result, Status
from anabasis.search.dstar_lite import DStarLite


@pytest.fixture(scope="module")
def steps():
    return []


@pytest.fixture(scope="module")
def study(steps):
    return run_incremental(quick=True, progress=lambda done, of: steps.append((done, of)))


def way_cost(cost, start, goal):
    """The cost of a shortest way with 4 neighbours, by networkx; None without one. The start may be blocked."""
    height, width = cost.shape
    net = nx.DiGraph()
    net.add_nodes_from(range(height * width))
    for y, x in np.argwhere(np.isfinite(cost)):
        for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            if 0 <= y + down < height and 0 <= x + right < width:
                net.add_edge((y + down) * width + x + right, y * width + x, weight=cost[y, x])
    net.remove_nodes_from([v for v in range(height * width) if v != start and not np.isfinite(cost.flat[v])])
    try:
        return nx.dijkstra_path_length(net, start, goal)
    except nx.NetworkXNoPath:
        return None


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.name)
def test_units_walk_shortest_ways_round_each_other_and_all_arrive(setting):
    walk = crossing(setting, 1, side=8)
    assert walk.goals == walk.starts[::-1] == (63, 56, 7, 0)
    places = list(walk.starts)
    seen = [view.grid.cost.reshape(-1) for view in walk.steps[0]]
    for number, views in enumerate(walk.steps):
        assert [view.unit for view in views] == [u for u, place in enumerate(places) if place != walk.goals[u]]
        after = walk.steps[number + 1] if number + 1 < len(walk.steps) else ()
        later = {view.unit: view.place for view in after}
        for view in views:
            goal = walk.goals[view.unit]
            assert view.place == places[view.unit]
            cost = walk.grid.cost.copy()
            cost.flat[[place for u, place in enumerate(places) if u != view.unit and place != goal]] = np.inf
            assert np.array_equal(view.grid.cost, cost)  # never its own goal
            told = seen[view.unit].copy()
            told[view.cells] = view.prices
            assert np.array_equal(told, cost.reshape(-1))
            assert not number or (seen[view.unit][view.cells] != view.prices).all()
            seen[view.unit] = told
            move = later.get(view.unit, goal)
            if move != view.place:
                rest = way_cost(cost, move, goal)
                assert way_cost(cost, view.place, goal) == cost.flat[move] + rest
                assert move not in places
            places[view.unit] = move
    assert tuple(places) == walk.goals


def test_maps_have_their_share_of_blocked_tiles_and_prices():
    grid = crossing_map(SETTINGS[3], 0, 0, 100)
    assert np.isinf(grid.cost).mean() == pytest.approx(0.2, abs=0.02)
    for price in (1, 2, 8):
        assert (grid.cost == price).mean() == pytest.approx(0.8 / 3, abs=0.02)
    assert np.isfinite(grid.cost[[0, 0, -1, -1], [0, -1, 0, -1]]).all()
    assert crossing_map(SETTINGS[2], 0, 0, 30).cost.shape == (30, 30)
    assert not np.array_equal(crossing_map(SETTINGS[1], 0, 0, 20).cost, crossing_map(SETTINGS[1], 0, 1, 20).cost)


def test_a_map_that_not_all_units_cross_is_left_out():
    walks = [crossing(SETTINGS[2], seed) for seed in range(6)]
    assert any(walk.left_out for walk in walks)
    for seed, walk in enumerate(walks):
        tried = [crossing_map(SETTINGS[2], seed, k, 20) for k in range(walk.left_out)]
        ways = [[way_cost(g.cost, a, b) for a, b in zip(walk.starts, walk.goals, strict=True)] for g in tried]
        assert all(None in costs for costs in ways)


def test_searches_of_a_walk_are_counted_and_timed():
    walk = crossing(SETTINGS[1], 2, side=8)
    counts = count_crossing(walk)
    assert counts == count_crossing(crossing(SETTINGS[1], 2, side=8))
    assert counts["equal costs"] == counts["searches"] == sum(map(len, walk.steps))
    assert 0 < counts["expanded first"] <= counts["expanded"] < counts["expanded anew"]
    times = time_crossing(walk, 2)
    assert tuple(times) == LINES
    there = np.zeros((len(walk.steps), 4), bool)
    for step, views in enumerate(walk.steps):
        there[step, [view.unit for view in views]] = True
    assert all(np.array_equal(values > 0, there) for values in times.values())


def test_with_and_without_reuse_the_same_calls_are_timed():
    """What differs is what the search knows: all of it is mended, or it expands what a new one does."""
    walk = crossing(SETTINGS[3], 2, side=10)

    views = [view for views in walk.steps for view in views]
    expanded = {}
    for reuse in (True, False):
        spent, costs = [], []

        def ask(search, cells, prices, spent=spent, costs=costs):
            view, before = views[len(spent)], search.total_expanded
            assert (search.start, search.goal) == (view.place, walk.goals[view.unit])
            assert cells is view.cells
            assert prices is view.prices
            search.step_after(cells, prices)
            spent.append(search.total_expanded - before)
            costs.append(search.distance(view.place))

        assert len(_asked(walk, ask, reuse=reuse)) == len(walk.steps)
        expanded[reuse] = spent, costs
    fresh = []
    for view in views:
        search = DStarLite(view.grid, view.place, walk.goals[view.unit], neighbours=4)
        search.next_step()
        fresh.append(search.total_expanded)
    (mended, costs), (anew, others) = expanded[True], expanded[False]
    assert costs == others
    assert anew == fresh
    assert mended[:4] == fresh[:4]
    assert sum(mended) < sum(fresh)


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.name)
def test_the_best_step_needs_less_than_a_sixteenth_of_the_expansions(setting):
    """The source's figure, by counting."""
    walk = crossing(setting, 0)
    searches = [DStarLite(view.grid, view.place, walk.goals[view.unit], neighbours=4) for view in walk.steps[0]]
    best = 0.0
    for views in walk.steps:
        mended = anew = 0
        for view in views:
            search = searches[view.unit]
            before = search.total_expanded
            search.move_to(view.place)
            search.step_after(view.cells, view.prices)
            mended += search.total_expanded - before
            fresh = DStarLite(view.grid, view.place, walk.goals[view.unit], neighbours=4)
            fresh.next_step()
            anew += fresh.total_expanded
        best = max(best, anew / max(mended, 1))
    assert best > 16


def test_without_the_compiler_the_walk_and_the_counts_are_the_same():
    row = plain_times(0, 0, 1)
    assert row["map"] == "empty"
    steps = len(crossing(SETTINGS[0], 0).steps)
    assert {name: len(values) for name, values in row["times"].items()} == dict.fromkeys(LINES[:2], steps)
    code = (
        "import json; from anabasis.lab.studies.incremental_crossing import SETTINGS, count_crossing, crossing;"
        "print(json.dumps(count_crossing(crossing(SETTINGS[1], 2, side=8))))"
    )
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == count_crossing(crossing(SETTINGS[1], 2, side=8))


@pytest.mark.parametrize("name", MAPS)
def test_ends_of_a_map_are_far_apart_in_its_largest_part(name):
    grid, start, goal = world(name, 64)
    net = nx.Graph()
    for y, x in np.argwhere(grid.free):
        net.add_node((y, x))
        net.add_edges_from(((y, x), (y + d, x + r)) for d, r in ((0, 1), (1, 0)) if grid.is_free(x + r, y + d))
    part = max(nx.connected_components(net), key=len)
    sums = {y + x for y, x in part}
    assert divmod(start, 64) in part
    assert divmod(goal, 64) in part
    assert (sum(divmod(start, 64)), sum(divmod(goal, 64))) == (min(sums), max(sums))


@pytest.mark.parametrize("place", PLACES)
def test_half_of_the_changes_block_cells_and_half_free_them(place):
    grid, start, goal = world("random 20 %", 64)
    cost = grid.cost.reshape(-1)
    for changes in (2, 9, 40):
        run = Run("random 20 %", 64, changes, place, 5)
        cells, prices = changed_world(cost, run, 3, start, goal)
        assert len(set(cells.tolist())) == len(cells)
        assert len(cells) == changes or 0.9 * changes <= len(cells) < changes == 40  # at the rim, few are blocked
        assert np.isfinite(cost[cells[np.isinf(prices)]]).all()
        assert np.isinf(cost[cells[prices == 1]]).all()
        assert np.isinf(prices).sum() == changes // 2
        assert not {start, goal} & set(cells.tolist())
        at = {"near the start": start, "near the goal": goal}.get(place)
        if at is not None:
            far = np.maximum(abs(cells % 64 - at % 64), abs(cells // 64 - at // 64))
            assert far.max() <= max(4, np.ceil((8 * changes) ** 0.5 / 2))
    ones = [changed_world(cost, Run("", 64, 1, place, 5), k, start, goal)[1].tolist() for k in (1, 2)]
    assert ones == [[np.inf], [1.0]]


def test_runs_are_the_same_again_but_for_times():
    for measure in (moving_unit, fixed_ends):
        run = Run("rooms", 64, 10, "anywhere", 6)
        rows = [dict(measure(run)) for _ in range(2)]
        times = [row.pop("times") for row in rows]
        assert rows[0] == rows[1]
        assert rows[0]["equal costs"] == rows[0]["steps"] == 6
        assert rows[0]["changed a step"] == 10
        assert {name: len(values) for name, values in times[0].items()} == dict.fromkeys(WAYS, 6)
    rows = [dict(many_units(5, 16, 6)) for _ in range(2)]
    assert [len(row.pop("times")["A*"]) for row in rows] == [6, 6]
    assert rows[0] == rows[1]
    assert rows[0]["equal costs"] == rows[0]["searches"] == 30


@pytest.mark.parametrize("units", [2, 9])
def test_many_units_start_apart_and_go_to_the_cells_opposite(units):
    grid = crossing_map(SETTINGS[1], 11, 0, 16)
    starts, goals = opposites(grid, units)
    assert len(set(starts)) == len(set(goals)) == units
    for start, goal in zip(starts, goals, strict=True):
        assert way_cost(grid.cost, start, goal) is not None
        x, y = 15 - start % 16, 15 - start // 16
        if grid.is_free(x, y) and way_cost(grid.cost, start, 16 * y + x) is not None:
            assert goal == 16 * y + x or 16 * y + x in goals


def test_a_search_that_finds_another_cost_is_noticed():
    nothing = Result(Status.NO_SOLUTION, reason="walled in")
    for costs, equal in (((5.0, 5.0, 5.0), True), ((5.0, 5.0, 5.1), False), ((5.0, np.inf, 5.0), False),
                         ((np.inf, np.inf, 5.0), False), ((np.inf, np.inf, np.inf), True)):  # fmt: skip
        steps = [[Step(3, (1.0, 2.0, 1.5, 3.0), costs, (1, 2, 3), nothing)] * 2 for _ in range(2)]
        row = summary(steps)
        assert row["equal costs"] == 4 * equal
        assert row["without a way"] == 4 * (costs[0] == np.inf)
        assert (row["steps"], row["searches"], row["changed a step"]) == (2, 4, 3)
        assert (row["expanded first"], row["expanded"], row["expanded anew"], row["expanded by A*"]) == (2, 2, 4, 6)
        assert row["times"] == {"mended": [2, 2], "anew": [4, 4], "whole way": [3, 3], "A*": [6, 6]}


def test_the_best_of_one_unit_and_of_all_together_are_two_things():
    """After the first step; a unit that has arrived counts for nothing."""
    own = np.array([[1.0, 1.0], [2.0, 8.0], [4.0, 0.0]])
    other = np.array([[90.0, 90.0], [10.0, 10.0], [12.0, 0.0]])
    assert _best_search(other, own) == 5
    assert _best(other, own) == 3
    assert _best(other, own, 2) == 2
    assert _sum({"incremental": own, "A*": other}, "A*") == other.sum() / own.sum()


def test_ratios_are_of_the_steps_after_the_first():
    own, other = [9.0, 1.0, 2.0, 4.0], [1.0, 3.0, 2.0, 2.0]
    expected = {"median": 1, "best": 3, "worst": 0.5, "slower": 1, "later": 1, "total": 0.5}
    assert ratios({"mended": own, "A*": other}, "mended", "A*") == expected


def test_progress_is_told(study, steps):
    assert steps == [(k + 1, len(steps)) for k in range(len(steps))]
    assert study.quick
    assert {kind for kind, _ in incremental_study._jobs(False)} >= {"plain", "sides", "units"}


def test_counted_findings_hold_and_all_findings_have_figures(study):
    assert [f.verdict for f in study.count_findings] == ["reproduced"] * 3
    assert all(f.source and f.measured and "nan" not in f.measured for f in study.findings)
    assert len({f.claim for f in study.findings}) == len(study.findings) == 13


def changed(tables, name, column, value, where=None):
    """The tables with a column of one of them changed in some rows."""
    rows = [
        {**row, column: value} if all(row[k] == v for k, v in (where or {}).items()) else row
        for row in tables[name].rows
    ]
    return {**tables, name: replace(tables[name], rows=tuple(rows))}


COUNTED = [
    (0, "crossing", "equal costs", 1),
    (0, "moving", "equal costs", 1),
    (0, "fixed", "equal costs", 1),
    (0, "units", "equal costs", 1),
    (1, "crossing", "anew / mended", 2.9),
    (2, "moving", "anew / mended", 99.0),
]


@pytest.mark.parametrize(("number", "name", "column", "value"), COUNTED)
def test_each_counted_finding_can_fail(study, number, name, column, value):
    false = count_findings(changed(study.counts, name, column, value))
    assert [f.holds for f in false] == [k != number for k in range(3)]


FAIR = Spread([1.0]), Spread([20.0]), 1000.0
TIMED = [
    (0, "times_crossing", "first step", FAIR[0], Spread([1.3])),
    (1, "times_crossing", "best search", FAIR[1], Spread([15.9])),
    (2, "times_crossing", "best step", FAIR[1], Spread([15.9])),
    (3, "times_plain", "best search", FAIR[1], Spread([15.9])),
    (4, "times_plain", "best step", FAIR[1], Spread([15.9])),
    (5, "times_crossing", "in total", FAIR[1], Spread([1.4])),
    (6, "times_crossing", "A*, tables ready, in total", FAIR[2], 1.4),
    (7, "times_units", "anew in total", FAIR[2], 99.0),
    (8, "times_moving", "A* later", FAIR[2], 0.9),
    (9, "times_fixed", "A* later", FAIR[2], 0.9),
]


@pytest.mark.parametrize(("number", "name", "column", "good", "bad"), TIMED)
def test_each_timed_finding_can_hold_and_fail(study, number, name, column, good, bad):
    plain = Table("", ({"map": "empty", "best search": 1.0, "best step": 1.0, "in total": 1.0},))
    times = {**study.times, "times_plain": plain}
    assert time_findings(changed(times, name, column, good), study.counts)[number].holds
    assert time_findings(changed(times, name, column, bad), study.counts)[number].holds is False


def test_what_was_not_run_is_not_judged(study):
    assert [f.holds for f in study.time_findings].count(None) == 2
    assert {study.time_findings[k].verdict for k in (3, 4)} == {"not tested"}


def test_the_report_shows_everything(study, tmp_path):
    page = write_incremental(study, tmp_path / "i.run")
    names = {"report.html", "report.txt", "times.txt", *(f"{name}.csv" for name in study.tables)}
    assert {file.name for file in page.parent.iterdir()} == names
    root = ElementTree.fromstring(page.read_text(encoding="utf-8").partition("\n")[2])  # noqa: S314
    words = " ".join(root.itertext())
    assert all(f.claim in words and f.measured in words for f in study.findings)
    assert all(made.title in words for made in study.tables.values())
    pictures = [e for e in root.iter() if e.tag.endswith("figure")]
    assert len(pictures) == 4 + 2 + 2
    assert "∞" in words  # the cells of what a search knows
    assert (page.parent / "report.txt").read_text(encoding="utf-8") == incremental_text(study)
    assert (page.parent / "times.txt").read_text(encoding="utf-8") == times_text(study)
    assert not any(f.claim in incremental_text(study) for f in study.time_findings)
    with (page.parent / "moving.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [int(row["expanded"]) for row in rows] == study.counts["moving"].column("expanded")
    assert {row["part"] for row in rows} == set(PLACES[:2])


def test_curves_end_where_half_of_the_walks_have(study):
    for row in study.counts["crossing"].rows:
        lines = study.curves[str(row["map"])]
        assert {len(values) for values in lines.values()} == {int(row["steps"])}
        assert list(lines) == list(LINES)

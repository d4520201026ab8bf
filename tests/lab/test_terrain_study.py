"""The study of generated terrain: its measures against oracles, its findings, and that each of them can fail."""

import csv
import itertools
import re
from xml.etree import ElementTree

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra as shortest

from anabasis import Grid, InputError
from anabasis.lab.studies import terrain_claims, terrain_path_claims
from anabasis.lab.studies.planning_record import Table
from anabasis.lab.studies.terrain_lines import (
    best_corners,
    corridor_open,
    deviation,
    line_cells,
    polyline_length,
    turns,
    visible,
)
from anabasis.lab.studies.terrain_noises import matrix_rank, noise_job
from anabasis.lab.studies.terrain_presets import (
    PRESETS,
    coast_length,
    given_points,
    heights_of,
    land_of,
    lowest,
    neighbour_difference,
    overlap,
    part_count,
    routes_round,
    spikes,
)
from anabasis.lab.studies.terrain_queries import SEARCHES, query_job, search_blocks
from anabasis.lab.studies.terrain_report import terrain_text, write_terrain
from anabasis.lab.studies.terrain_scenarios import trap, trap_ways, walled
from anabasis.lab.studies.terrain_study import run_terrain
from anabasis.lab.studies.terrain_trials import artefact_job, influence_job, level_job
from anabasis.maps.land.levels import levels, thresholds
from anabasis.search.blocks import Blocks
from anabasis.search.moves import Space
from anabasis.search.refinement import refine

NOT = {"Beside C18"}  # what no run reproduces


@pytest.fixture(scope="module")
def steps():
    return []


@pytest.fixture(scope="module")
def study(steps):
    return run_terrain(quick=True, progress=lambda done, of: steps.append((done, of)))


def findings(tables):
    """The findings by their names."""
    made = [*terrain_claims.findings(tables), *terrain_path_claims.findings(tables)]
    return {f.claim.partition(":")[0]: f for f in made}


def test_each_claim_has_one_finding(study, steps):
    names = [f.claim.partition(":")[0] for f in study.findings]
    assert sorted(n for n in names if n[0] == "C") == sorted(f"C{k}" for k in range(1, 25))
    assert {n for n in names if n[0] != "C"} == {"Beside C5", "Beside C18"}
    assert len(names) == len(set(names))
    assert all(f.source and f.measured and "nan" not in f.measured for f in study.findings)
    assert steps == [(k + 1, len(steps)) for k in range(len(steps))]


def test_what_is_expected_to_hold_does(study):
    held = {f.claim.partition(":")[0] for f in study.findings if f.holds}
    assert {f.claim.partition(":")[0] for f in study.findings} - held == NOT
    assert "closed nodes are not opened" in findings(study.tables)["Beside C18"].measured  # the reason stands there


FALSE = [
    ("C1", "presets", "kept", {}, lambda v: v - 1),
    ("C1", "presets", "overlap of water", {"map": "island"}, lambda _: 0.74),
    ("C1", "influence", "cells changed %", {"iteration of its turn": 3}, lambda _: 99.0),
    ("C2", "presets", "least water %", {"map": "island"}, lambda _: 47.9),
    ("C2", "presets", "water at the rim %", {"map": "island"}, lambda _: 99.0),
    ("C3", "presets", "overlap of water", {"map": "random", "cells": "65 × 65"}, lambda _: 0.8),
    ("C3", "presets", "overlap of water", {"map": "island"}, lambda _: 1.0),
    ("C4", "presets", "two routes", {"map": "island", "cells": "65 × 65"}, lambda v: v - 1),
    ("C4", "presets", "centre blocked", {"map": "island"}, lambda v: v - 1),
    ("C5", "roughness", "neighbours differ by", {"map": "lake", "cells": "65 × 65"}, lambda _: 9.0),
    ("C5", "presets", "overlap of water", {"map": "lake"}, lambda _: 0.9),
    ("Beside C5", "roughness", "compounding: by", {"map": "lake"}, lambda v: v / 2),
    ("C6", "overflow", "overflows a map", {"map": "lake"}, lambda _: 0.0),
    ("C6", "overflow", "maps changed", {"map": "random"}, lambda v: v - 1),
    ("C7", "roughness", "coast at 50 % water", {"map": "lake"}, lambda _: 1e5),
    ("C8", "ablation", "neighbours differ by", {"island": "no fading (Δh = 0)"}, lambda v: v / 4),
    ("C8", "ablation", "parts of land", {"island": "no offsets (R = 0)"}, lambda _: 2.0),
    ("C8", "ablation", "chimneys and holes", {"island": "no fading (Δh = 0)"}, lambda _: 0.0),
    ("C9", "squares", "power along axes / diagonals", {}, lambda _: 1.4),
    ("C9", "squares", "bends at old edges / elsewhere", {}, lambda _: 1.4),
    ("C10", "presets", "worst share, points", {"map": "lake"}, lambda _: 1.6),
    ("C10", "shares", "beyond ties, points", {}, lambda _: 0.1),
    ("C11", "shares", "cells of them", {}, lambda _: 1),
    ("C12", "answers", "A* errs", {"map": "lake", "unit": "ship"}, lambda _: 1),
    ("C12", "answers", "refined errs", {"map": "lake", "unit": "land unit"}, lambda _: 1),
    ("C13", "scenarios", "one line", {"map": "island"}, lambda v: v - 1),
    ("C13", "scenarios", "on the direct line", {"map": "island"}, lambda v: v - 1),
    ("C14", "scenarios", "walked", {"map": "random"}, lambda v: v - 1),
    ("C14", "smoothing", "blocked lines", {"method": "10 nodes"}, lambda v: v + 1),
    ("C14", "smoothing", "ways 2 % above", {"map": "lake"}, lambda _: 26.0),
    ("C15", "nearest", "least H", {"map": "random"}, lambda v: v - 1),
    ("C15", "nearest", "goal rewritten", {"map": "random"}, lambda v: v - 1),
    ("C16", "ratios", "share of R²", {"map": "lake", "ratio R": 4}, lambda _: 0.5),
    ("C17", "smoothing", "lines", {"map": "lake", "method": "2 nodes"}, lambda _: 99.0),
    ("C17", "smoothing", "ways above", {"method": "all nodes"}, lambda _: 0.0),
    ("C18", "searches", "expanded", {"map": "lake", "method": "A*, octile"}, lambda _: 4000.0),
    ("C19", "trap", "greedy / best", {}, lambda _: 1.0),
    ("C20", "searches", "expanded", {"map": "lake", "method": "weight 2"}, lambda _: 4000.0),
    ("C20", "searches", "expanded", {"map": "island", "method": "weight 0"}, lambda v: v + 1),
    ("C20", "searches", "above least %", {"map": "island", "method": "weight 1,000,000"}, lambda _: 0.0),
    ("C20", "searches", "expanded", {"map": "island", "method": "greedy"}, lambda v: 2 * v),
    ("C21", "shapes", "goal hidden: deviation %", {"method": "euclidean"}, lambda v: v / 2),
    ("C21", "shapes", "open: deviation %", {"method": "euclidean"}, lambda v: 2 * v),
    ("C22", "scenarios", "deviation %", {"map": "lake"}, lambda _: 2.0),
    ("C22", "scenarios", "raw deviation %", {"map": "lake"}, lambda _: 1.0),
    ("C23", "answers", "all whole", {"map": "lake", "unit": "land unit"}, lambda v: v - 1),
    ("C24", "noises", "simplex: points, mostly", {"dimensions": 3}, lambda _: 8.0),
    ("C24", "noises", "simplex: products", {"dimensions": 4}, lambda _: 99),
]


@pytest.mark.parametrize(("claim", "name", "column", "where", "change"), FALSE)
def test_each_finding_can_fail(study, claim, name, column, where, change):
    rows = [
        {**row, column: change(row[column])} if all(row.get(k) == v for k, v in where.items()) else row
        for row in study.tables[name].rows
    ]
    assert rows != list(study.tables[name].rows)
    found = findings({**study.tables, name: Table("", tuple(rows))})
    assert found[claim].holds is False
    assert findings(study.tables)[claim].holds is True


def test_every_claim_was_made_false():
    assert {claim for claim, *_ in FALSE} >= {f"C{k}" for k in range(1, 25)}


def test_a_search_without_error_would_make_the_last_one_hold(study):
    rows = [{**row, "worst above %": 0.0} for row in study.tables["searches"].rows]
    assert findings({**study.tables, "searches": Table("", tuple(rows))})["Beside C18"].holds is True


def test_the_study_is_written_down(study, tmp_path):
    page = write_terrain(study, tmp_path / "x.run")
    assert ElementTree.fromstring(page.read_text().partition("\n")[2]) is not None  # noqa: S314 (our own text)
    files = {file.name for file in (tmp_path / "x.run").iterdir()}
    assert files == {"report.html", "report.txt", "times.txt", *(f"{name}.csv" for name in study.tables)}
    text = (tmp_path / "x.run" / "report.txt").read_text()
    assert text == terrain_text(study)
    assert all(f.claim in text and f.measured in text for f in study.findings)
    assert " ns" not in text  # times stand apart
    assert "gradient ns" in (tmp_path / "x.run" / "times.txt").read_text()
    with (tmp_path / "x.run" / "presets.csv").open() as file:
        assert len(list(csv.reader(file))) == 1 + len(study.tables["presets"].rows)
    assert max(map(len, text.splitlines())) < 600
    with pytest.raises(InputError, match="number of workers"):
        run_terrain(workers=0)


@pytest.mark.long
def test_workers_make_no_difference(study):
    other = run_terrain(quick=True, workers=2)
    assert terrain_text(other) == terrain_text(study)


def test_lines_are_those_of_the_path_finder():
    side = 13
    net = Space(Grid.from_free(np.ones((side, side), bool)), 8, "none")
    for a, b in itertools.product(range(0, side * side, 5), range(side * side)):
        if a == b:
            continue
        ends = np.array([a, b])
        made = refine(net, ends, ends, side, 1, a, b, None).cells
        line = line_cells(*(np.array([v % side, v // side]) for v in (a, b)))
        assert np.array_equal(line, np.stack([made % side, made // side], axis=1))


def test_lines_keep_to_the_straight_line():
    rng = np.random.default_rng(1)
    for _ in range(100):
        a, b = rng.integers(-40, 40, (2, 2))
        line = line_cells(a, b)
        assert (line[0] == a).all() and (line[-1] == b).all()
        assert len(line) == np.abs(b - a).max() + 1
        assert (np.abs(np.diff(line, axis=0)).max(axis=1) == 1).all() if len(line) > 1 else True
        assert deviation(line) * np.hypot(*(b - a)) <= 0.5 + 1e-9


def test_the_best_choice_of_nodes_is_the_best():
    rng = np.random.default_rng(2)
    for _ in range(30):
        free = rng.random((12, 12)) > 0.25
        nodes = np.argwhere(free)[rng.permutation(free.sum())[:7], ::-1]
        lengths = []
        for count in range(6):
            for inner in itertools.combinations(range(1, 6), count):
                way = [0, *inner, 6]
                if all(j == i + 1 or visible(free, nodes[i], nodes[j]) for i, j in itertools.pairwise(way)):
                    lengths.append(polyline_length(nodes[way]))
        chosen = best_corners(free, nodes)
        assert chosen[0] == 0 and chosen[-1] == 6
        assert polyline_length(nodes[chosen]) == pytest.approx(min(lengths))


def test_measures_of_ways():
    way = np.array([[0, 0], [1, 0], [2, 1], [3, 2], [4, 2]])
    assert turns(way) == 2
    assert polyline_length(way) == pytest.approx(2 + 2 * 2**0.5)
    assert deviation(np.array([[0, 0], [5, 3], [10, 0]])) == pytest.approx(0.3)
    assert deviation(np.array([[4, 4], [4, 4]])) == 0
    free = np.ones((5, 5), bool)
    free[3, 1] = False
    assert corridor_open(free, np.array([2, 4]), np.array([4, 0]))
    assert not corridor_open(free, np.array([4, 4]), np.array([0, 0]))
    assert not visible(free, np.array([0, 3]), np.array([4, 3]))


def test_measures_of_maps():
    heights = np.array([[-128.0, 127.0], [-128.0, 0.0]])
    assert neighbour_difference(heights) == (1 + 0 + 127 + 128) / 4
    spike = np.zeros((5, 5))
    spike[2, 2] = 64
    assert (spikes(spike), spikes(-spike), spikes(spike * 0.99)) == (1, 1, 0)
    water = np.zeros((4, 4), bool)
    water[1:3, 1:3] = True
    assert coast_length(water) == 8
    assert (
        part_count(water),
        part_count(~water),
        part_count(np.eye(3, dtype=bool)),
        part_count(np.zeros((2, 2), bool)),
    ) == (1, 1, 3, 0)
    assert overlap([water, water]) == 1
    assert overlap([water, ~water, water]) == pytest.approx(1 / 3)
    assert lowest(np.arange(100.0).reshape(10, 10), 0.37).sum() == 37


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (".....\n.....\n..#..\n.....\n.....", (True, True)),
        (".....\n.....\n.....\n.....\n.....", (False, False)),
        ("..#..\n..#..\n..#..\n.....\n.....", (True, False)),
        ("..#..\n..#..\n..#..\n..#..\n..#..", (True, False)),
        ("..#..\n.#.#.\n#.#.#\n.....\n.....", (True, False)),  # nothing stands west or east of the centre
        (".....\n#.###\n#.#.#\n#.#.#\n.....", (True, False)),  # the north leads to no place in the east
        ("#...#\n#.#.#\n#.#.#\n#.#.#\n#...#", (True, True)),
    ],
)
def test_two_routes_round_the_centre(text, wanted):
    assert routes_round(Grid.from_text(text).free) == wanted


@pytest.mark.parametrize("name", PRESETS)
def test_heights_and_land_of_a_preset_agree(name):
    for side in (17, 65):
        heights = heights_of(name, side, 4)
        level = levels(heights, thresholds(heights, PRESETS[name].shares))
        assert np.array_equal(np.frombuffer(b"W,G^*", np.uint8)[level], land_of(name, side, 4).terrain)
        assert all(heights[int(y), int(x)] == height for x, y, height in given_points(name, side))
        assert len(given_points(name, side)) == {"island": 25, "lake": 9, "random": 0}[name]


def step_prices(free, straight, diagonal):
    """The graph of a map as a matrix."""
    side = free.shape[1]
    rows, columns, prices = [], [], []
    for y, x in np.argwhere(free).tolist():
        for dx, dy in itertools.product((-1, 0, 1), repeat=2):
            u, v = x + dx, y + dy
            if (dx or dy) and 0 <= u < side and 0 <= v < free.shape[0] and free[v, u]:
                rows.append(y * side + x)
                columns.append(v * side + u)
                prices.append(diagonal if dx and dy else straight)
    return csr_array((prices, (rows, columns)), (free.size, free.size))


def test_searches_cost_what_they_should():
    rng = np.random.default_rng(3)
    for _ in range(5):
        free = rng.random((20, 20)) > 0.35
        grid = Grid.from_free(free)
        start, goal = rng.choice(np.flatnonzero(free), 2, replace=False).tolist()
        least = shortest(step_prices(free, 10, 14), indices=start)[goal]
        for metric, weight in SEARCHES.values():
            blocks = Blocks(Space(grid, 8, "none"), 1, 10, metric, weight)
            found, price, expanded, way = search_blocks(blocks, start, goal)
            assert found == np.isfinite(least)
            assert expanded > 0
            if found:
                assert price >= least
                assert price == least or metric == "manhattan" or weight > 1
                assert (way[0], way[-1]) == (start, goal)


def test_a_query_is_answered_in_every_way():
    row = query_job("random", 33, 2)
    ways = [query for query in row["land"] if query["way"]]
    assert len(ways) > 3
    for query in ways:
        assert query["found"] and query["found over cells"] and query["whole"]
        assert set(query["searches"]) == set(SEARCHES)
        least = query["searches"]["Dijkstra (H = 0)"][0]
        assert min(price for price, _ in query["searches"].values()) == least
        lengths = [made["length"] for made in query["smoothed"].values()]
        assert max(lengths) <= lengths[0] + 1e-9
        assert min(made["above best"] for made in query["smoothed"].values()) > -1e-12


def test_a_trap_is_one():
    grid, start, goal = trap(6)
    assert grid.free.reshape(-1)[[start, goal]].all()
    row = trap_ways(6)
    best = shortest(step_prices(grid.free, 1.0, 2**0.5), indices=start)[goal]
    assert row["best"] == pytest.approx(best)
    assert row["greedy"] > 1.2 * best
    free = walled(np.array([10, 30]), np.array([50, 30]))
    assert not visible(free, np.array([10, 30]), np.array([50, 30]))
    assert 3 * 15 < (~free).sum() < 3 * 23


def test_ranks_are_those_of_linear_algebra():
    rng = np.random.default_rng(4)
    for rank in range(9):
        values = rng.normal(size=(20, rank)) @ rng.normal(size=(rank, 12))
        assert matrix_rank(values) == np.linalg.matrix_rank(values) == rank


def test_noise_is_shaped_by_so_many_lattice_points():
    for dimension, gradient, simplex in ((2, 4, 3), (3, 8, 4)):
        rows = [noise_job(dimension, k) for k in range(7)]
        assert np.median([row["gradient"] for row in rows]) == gradient
        assert np.median([row["simplex"] for row in rows]) <= simplex


def test_shares_levels_and_reach():
    row = level_job(1, 65)
    assert row["silent"] > 0 and row["silent cells"] == 0 and row["beyond"] <= 1e-9 and row["missing"] < 0.05
    reach = list(influence_job(3, 33).values())
    assert reach == sorted(reach, reverse=True) and reach[0] > 0.9
    shown = artefact_job(2)
    assert shown["midpoint displacement"][0] > shown["diamond-square"][0]


def test_no_word_stands_for_a_missing_number(study):
    for name, made in study.tables.items():
        assert made.rows, name
        assert not re.search(r"\bnan\b", made.text()), name

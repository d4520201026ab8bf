import numpy as np
import pytest
from way_checks import RULES, U_TRAP, check, check_traced, worlds

from anabasis import Graph, Grid, InputError, Status
from anabasis.io.movingai import load_map, load_scen
from anabasis.metrics.paths import path_faults
from anabasis.noun import state_hash
from anabasis.plan import Path
from anabasis.search.astar import AStar, astar
from anabasis.search.clusters import Clusters
from anabasis.search.hpa import HPA, hpa
from anabasis.search.smoothing import shorten


@pytest.mark.parametrize("side", [2, 3, 5, 16])
def test_a_real_way_is_found_whenever_there_is_one(side):
    solved = 0
    for space, start, goal, options in worlds(120, seed=side, kinds="uw", side=30):
        result, best = check(hpa, space, start, goal, options, side=side)
        assert bool(result) == np.isfinite(best)
        check_traced(hpa, space, start, goal, options, side=side)
        solved += bool(result)
    assert solved > 25


def test_slits_between_clusters_are_entrances():
    grid = Grid.from_text(".#\n#.")
    for neighbours, corners in RULES:
        assert bool(hpa(grid, 0, 3, side=2, neighbours=neighbours, corners=corners)) == (corners == "none")
    steps = Grid.from_free(np.eye(40, dtype=bool))
    assert hpa(steps, 0, 1599, side=8, corners="none").value.cost == pytest.approx(39 * 2**0.5)
    assert hpa(Grid.from_free(np.eye(40, dtype=bool)[:, ::-1]), 39, 1560, side=8, corners="none")


def test_one_cluster_means_the_best_way():
    for space, start, goal, options in worlds(60, seed=7, kinds="uw", side=12):
        result, best = check(hpa, space, start, goal, options, side=12)
        if result:
            assert result.value.cost == pytest.approx(best, rel=1e-12)


def test_ways_between_entrances_are_those_of_astar_inside_the_cluster():
    rng = np.random.default_rng(3)
    grid = Grid.from_free(rng.random((24, 24)) > 0.25)
    parts = Clusters(grid, side=8)
    assert len(parts.cell) == len(set(parts.cell.tolist()))
    assert (np.diff(parts.cluster(parts.cell)) >= 0).all()
    for i, cell in enumerate(parts.cell.tolist()):
        x, y = cell % 24 // 8 * 8, cell // 24 // 8 * 8
        alone = np.zeros((24, 24), bool)
        alone[y : y + 8, x : x + 8] = grid.free[y : y + 8, x : x + 8]
        for k in range(parts.indptr[i], parts.indptr[i + 1]):
            other = int(parts.cell[parts.indices[k]])
            if parts.cluster(other) == parts.cluster(cell):
                inside = astar(Grid.from_free(alone), cell, other)
                assert parts.weights[k] == pytest.approx(inside.value.cost)
            else:
                assert parts.weights[k] == 1


@pytest.mark.parametrize("slices", [1, 2, 5, 1000])
def test_a_path_unfolded_in_slices_is_the_whole_one(slices):
    rng = np.random.default_rng(5)
    grid = Grid.from_free(rng.random((60, 60)) > 0.25)
    search, free = HPA(grid, side=8), np.flatnonzero(grid.free)
    unfolded = 0
    for start, goal in rng.choice(free, (30, 2)).tolist():
        whole = search.find(start, goal)
        outline = search.start(start, goal)
        assert outline.done == (len(outline.cells) < 2)
        made = [outline.cells[:1]]
        while not outline.done:
            cells = outline.refine(slices)
            made.append(cells)
            crossed = np.count_nonzero(np.diff(search.clusters.cluster(cells)))
            assert crossed <= slices
        assert outline.refine(slices).size == 0
        if whole:
            assert np.concatenate(made).tolist() == whole.value.vertices.tolist() == outline.vertices.tolist()
            assert outline.cost == pytest.approx(whole.value.cost)
            unfolded += len(made) > 2
        assert state_hash(outline.result()) == state_hash(whole)
    assert unfolded > 10 or slices == 1000


def test_a_unit_can_set_out_when_one_cluster_is_unfolded():
    ground = Grid.from_free(np.ones((200, 200), bool))
    outline = HPA(ground, side=10).start(0, 39_999)
    assert outline.vertices.tolist() == [0]
    first = outline.refine()
    way = [0, *first.tolist()]
    part = Path(np.array(way), ground.centres(way), astar(ground, 0, way[-1]).value.cost)
    assert path_faults(ground, part, start=0, goal=way[-1]) == []
    assert len(first) <= 20
    assert outline.result().value.vertices[: len(way)].tolist() == way
    assert outline.done


@pytest.mark.parametrize("name", ["random/random512-20-0", "rooms/16room_000", "mazes/maze512-8-0", "dao/orz900d"])
def test_costs_some_per_cent_more_than_the_best_and_about_one_when_smoothed(movingai, name):
    grid, scen = load_map(movingai / f"{name}.map"), load_scen(movingai / f"{name}.map.scen")
    rows = np.linspace(scen.size // 10, scen.size - 1, 25).astype(int)
    starts, goals = (scen.start_y * grid.width + scen.start_x)[rows], (scen.goal_y * grid.width + scen.goal_x)[rows]
    search, best = HPA(grid, side=16), AStar(grid).find_many(starts, goals)
    found = search.find_many(starts, goals)
    ratio = np.sum([r.value.cost for r in found]) / best.cost.sum()
    smooth = np.sum([shorten(grid, r.value).cost for r in found])
    ideal = np.sum([shorten(grid, best[i].value).cost for i in range(len(rows))])
    assert 1 <= ratio < 1.08
    assert smooth / ideal < 1.03
    assert np.mean([r.stats["expanded"] for r in found]) < 0.2 * best.rows[:, 1].mean()


def test_one_call_or_many_give_equal_results_and_limits_are_kept():
    search = HPA(U_TRAP, side=3)
    start, goal = U_TRAP.vertex(1, 3), U_TRAP.vertex(9, 3)
    many = search.find_many([start, goal], [goal, start])
    assert state_hash(many) == state_hash([search.find(start, goal), hpa(U_TRAP, goal, start, side=3)])
    stopped = search.find(start, goal, limit=2)
    assert (stopped.status, stopped.stats["expanded"]) == (Status.LIMIT, 2)
    assert stopped.bound == 8
    assert hpa(U_TRAP, 0, 0).value.vertices.tolist() == [0]
    assert search.find(start, goal).stats["states"] == len(search.clusters.cell)


def test_clusters_larger_than_the_map_are_one():
    whole, larger = hpa(U_TRAP, 0, 1, side=32), hpa(U_TRAP, 0, 1, side=10**12)
    assert max(U_TRAP.width, U_TRAP.height) <= 32 and state_hash(whole) == state_hash(larger)


def test_wrong_input():
    with pytest.raises(InputError, match="side of a cluster"):
        hpa(U_TRAP, 0, 1, side=1)
    with pytest.raises(InputError, match="found a Graph"):
        hpa(Graph.from_arcs([[0, 0]], [], [], []), 0, 0)
    with pytest.raises(InputError, match="number of goals"):
        HPA(U_TRAP).find_many([0, 1], [2])
    with pytest.raises(InputError, match="number of clusters"):
        HPA(U_TRAP).start(0, 9).refine(0)
    with pytest.raises(InputError, match="the goal is outside the map"):
        hpa(U_TRAP, 0, 700)

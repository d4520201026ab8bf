"""Polyanya: as short as ways by brute force and by the visibility graph, on any mesh, from and to any place."""

import sys
from itertools import pairwise
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

from anabasis import Grid, InputError, NavMesh, Status, World, state_hash
from anabasis.decompose.free_space import free_space
from anabasis.decompose.growing import deaccon
from anabasis.decompose.merging import merging
from anabasis.decompose.outline import grid_world
from anabasis.decompose.triangulation import triangulation
from anabasis.metrics.polylines import world_faults
from anabasis.search.polyanya import Polyanya, polyanya
from anabasis.search.visibility_graph import VisibilityGraph

sys.path.insert(0, str(Path(__file__).parents[1] / "decompose"))
from mesh_cases import worlds
from mesh_variants import queries

BLOCK = World.of((0, 0, 9, 9), [[(2, 2), (6, 2), (6, 6), (2, 6)]])


class BruteForce:
    """Every corner joined to every other one that it sees, by networkx; corners at one place stay apart."""

    def __init__(self, world):
        self.free, self.graph = free_space(world), nx.Graph()
        self.corners = np.flatnonzero(self.free.turning)
        self.graph.add_nodes_from(self.corners.tolist())
        for i in self.corners.tolist():
            self._join(i, self.free.corners[i], self.corners[self.corners < i])

    def _join(self, name, place, others):
        ends = self.free.corners[others]
        seen = self.free.see(np.broadcast_to(place, ends.shape), ends)
        for j, end in zip(others[seen].tolist(), ends[seen], strict=True):
            if self._open(j, place) and (isinstance(name, str) or self._open(name, end)):
                self.graph.add_edge(name, j, weight=np.hypot(*(end - place)))

    def _open(self, corner, place):
        """Whether a place lies in the free angle, above 180°, of a corner."""
        free = self.free
        before, here, after = free.corners[[free.before[corner], corner, free.after[corner]]]
        return cross(before, here, place) >= -1e-12 or cross(here, after, place) >= -1e-12

    def length(self, start, goal):
        if not self.free.free(np.array([start, goal])).all():
            return np.inf
        self.graph.add_nodes_from(("start", "goal"))
        for name, place in (("start", start), ("goal", goal)):
            self._join(name, np.array(place), self.corners)
        if self.free.sees(start, goal):
            self.graph.add_edge("start", "goal", weight=np.hypot(*np.subtract(start, goal)))
        try:
            return nx.dijkstra_path_length(self.graph, "start", "goal")
        except nx.NetworkXNoPath:
            return np.inf
        finally:
            self.graph.remove_nodes_from(("start", "goal"))


def cross(a, b, c):
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def check(world, search, start, goal, length):
    """Check the answer to one query; return whether there is a way."""
    result = search.find(start, goal)
    assert bool(result) == np.isfinite(length), (start, goal, result.reason)
    if not result:
        assert result.status is Status.NO_SOLUTION
        assert result.reason
        return False
    path = result.value
    assert path.cost == pytest.approx(length, abs=1e-9)
    assert (
        path.cost == result.bound == pytest.approx(sum(np.hypot(*(b - a)) for a, b in pairwise(path.points)), abs=1e-12)
    )
    assert world_faults(world, path, start=start, goal=goal) == []
    return True


def test_ways_are_as_short_as_by_brute_force():
    found = 0
    for number, world in enumerate(worlds(60, 1)):
        oracle, search = BruteForce(world), Polyanya(world)
        for start, goal in queries(np.random.default_rng(number), world, 5):
            found += check(world, search, start, goal, oracle.length(start, goal))
    assert found > 100


def check_against_the_visibility_graph(count, seed):
    found = 0
    for number, world in enumerate(worlds(count, seed)):
        oracle, search = VisibilityGraph(world), Polyanya(world)
        for start, goal in queries(np.random.default_rng([seed, number]), world, 6):
            result = oracle.find(start, goal)
            found += check(world, search, start, goal, result.value.cost if result.value else np.inf)
    return found


def test_ways_are_as_short_as_in_the_visibility_graph():
    assert check_against_the_visibility_graph(60, 2) > 100


@pytest.mark.long
def test_ways_are_as_short_as_in_the_visibility_graph_of_many_worlds():
    assert check_against_the_visibility_graph(2000, 3) > 4000


def test_the_mesh_makes_no_difference():
    for number, world in enumerate(worlds(24, 4)):
        meshes = [triangulation(world), triangulation(world, delaunay=False), merging(world, order="area")]
        searches = [Polyanya(world), *map(Polyanya, meshes)]
        for start, goal in queries(np.random.default_rng(number), world, 4):
            try:
                results = [search.find(start, goal) for search in searches]
            except InputError:  # a mesh doesn't know the bounds of its world
                continue
            assert len({bool(result) for result in results}) == 1
            if results[0]:
                assert np.ptp([result.value.cost for result in results]) < 1e-9


def test_meshes_with_points_inside_make_none_if_they_cover_everything():
    found = 0
    for number, world in enumerate(worlds(30, 6)):
        mesh, exact = deaccon(world), Polyanya(world)
        searches = [Polyanya(mesh), Polyanya(merging(mesh))]
        for start, goal in queries(np.random.default_rng(number), world, 4):
            best = exact.find(start, goal)
            try:
                results = [search.find(start, goal) for search in searches]
            except InputError:  # a mesh doesn't know the bounds of its world
                continue
            assert results[0].status is results[1].status
            if results[0]:
                assert np.ptp([result.value.cost for result in results]) < 1e-9
                assert results[0].value.cost >= best.value.cost - 1e-9
                found += abs(results[0].value.cost - best.value.cost) < 1e-9
    assert found > 30


def test_mirrored_and_turned_worlds_have_the_same_lengths():
    for number, world in enumerate(worlds(24, 5)):
        x0, y0, x1, y1 = world.bounds
        search = Polyanya(world)
        mirrored = Polyanya(World((x0, -y1, x1, -y0), world.points * (1, -1), world.rings))
        turned = Polyanya(World((y0, x0, y1, x1), world.points[:, ::-1], world.rings))
        for (sx, sy), (gx, gy) in queries(np.random.default_rng(number), world, 4):
            results = [
                search.find((sx, sy), (gx, gy)),
                search.find((gx, gy), (sx, sy)),
                mirrored.find((sx, -sy), (gx, -gy)),
                turned.find((sy, sx), (gy, gx)),
            ]
            assert len({result.status for result in results}) == 1
            if results[0]:
                assert np.ptp([result.value.cost for result in results]) < 1e-9


def test_on_a_grid_ways_are_as_short_as_published_or_shorter(movingai):
    from anabasis.io.movingai import load_map, load_scen

    grid, scen = load_map(movingai / "dao/arena.map"), load_scen(movingai / "dao/arena.map.scen")
    starts = np.stack((scen.start_x, scen.start_y), 1) + 0.5
    goals = np.stack((scen.goal_x, scen.goal_y), 1) + 0.5
    world = grid_world(grid)
    batch = Polyanya(world).find_many(starts, goals)
    straight = np.hypot(*(goals - starts).T)
    assert (batch.cost <= scen.length + 1e-4).all()
    assert (batch.cost >= straight - 1e-9).all()
    oracle = VisibilityGraph(world)
    for k in range(0, scen.size, 10):
        assert batch.cost[k] == pytest.approx(oracle.find(tuple(starts[k]), tuple(goals[k])).value.cost, abs=1e-9)


def test_many_queries_are_answered_as_one_by_one():
    world = grid_world(Grid.from_free(np.random.default_rng(1).random((30, 30)) > 0.3))
    pairs = queries(np.random.default_rng(2), world, 60)
    search = Polyanya(world)
    batch = search.find_many([s for s, _ in pairs], [g for _, g in pairs])
    assert len(batch) == 60
    for k, (start, goal) in enumerate(pairs):
        assert (
            state_hash(batch[k])
            == state_hash(search.find(start, goal))
            == state_hash(Polyanya(world).find(start, goal))
        )
        assert batch.cost[k] == (batch[k].value.cost if batch[k] else np.inf)


def test_memory_grows_with_the_search():
    world = grid_world(Grid.from_free(np.random.default_rng(3).random((60, 60)) > 0.3))
    one, other = Polyanya(world), Polyanya(world)
    one._room(one._most)
    pairs = queries(np.random.default_rng(4), world, 30)
    starts, goals = [s for s, _ in pairs], [g for _, g in pairs]
    assert one.find_many(starts, goals).rows.tolist() == other.find_many(starts, goals).rows.tolist()


def test_places_on_edges_corners_and_both_in_one_polygon():
    search = Polyanya(BLOCK)
    assert search.find((1, 1), (1, 1)).value.cost == 0
    assert search.find((1, 1), (1, 1)).value.points.tolist() == [[1, 1]]
    assert search.find((6, 7), (6, 1)).value.points.tolist() == [[6, 7], [6, 1]]
    assert search.find((0, 0), (0, 9)).value.points.tolist() == [[0, 0], [0, 9]]
    assert search.find((2, 2), (6, 6)).value.cost == 8
    assert search.find((2, 3), (2, 5)).value.points.tolist() == [[2, 3], [2, 5]]
    assert search.find((2, 4), (6, 4)).value.cost == 8
    assert search.find((0, 2), (9, 2)).value.cost == 9


def test_a_corner_of_two_free_angles_is_no_passage_but_a_place_in_both():
    search = Polyanya(grid_world(Grid.from_text(".#\n#.")))
    assert search.find((0.5, 0.5), (1.5, 1.5)).status is Status.NO_SOLUTION
    assert search.find((1, 1), (1.5, 1.5)).value.cost == pytest.approx(0.5**0.5)
    assert search.find((0.5, 0.5), (1, 1)).value.cost == pytest.approx(0.5**0.5)


def test_a_mesh_made_by_hand_is_searched():
    mesh = NavMesh.of(
        [[0, 0], [2, 0], [2, 2], [0, 2], [2, 1], [4, 1], [4, 2], [3, 2], [3, 3], [4, 3]],
        [
            [0, 1, 4, 2, 3],
            [4, 5, 6, 7, 2],
            [7, 6, 9, 8],
        ],
    )
    path = polyanya(mesh, (1, 0), (3, 3)).value
    assert path.points.tolist() == [[1, 0], [3, 2], [3, 3]]
    assert path.cost == pytest.approx(1 + 2 * 2**0.5)


def test_why_there_is_no_way():
    world = World.of((0, 0, 9, 9), [[(4, 0), (5, 0), (5, 9), (4, 9)]])
    search = Polyanya(world)
    apart = search.find((1, 1), (8, 3))
    assert apart.reason == "the goal, (8, 3), is not connected to the start, (1, 1)"
    assert (apart.stats["nearest_x"], apart.stats["nearest_y"]) == (4, 3)
    assert apart.stats["expanded"] == 0
    assert search.find((4.5, 1), (8, 3)).reason == "the start, (4.5, 1), is inside an obstacle"
    blocked = search.find((1, 1), (4.5, 3))
    assert blocked.reason == "the goal, (4.5, 3), is inside an obstacle"
    assert (blocked.stats["nearest_x"], blocked.stats["nearest_y"]) == (4, 3)
    full = Polyanya(grid_world(Grid.from_text("#")))
    assert "inside an obstacle" in full.find((0.5, 0.5), (0.2, 0.2)).reason


def test_limits_and_stats():
    world = grid_world(Grid.from_free(np.random.default_rng(5).random((40, 40)) > 0.3))
    search = Polyanya(world)
    whole = next(
        r
        for r in (search.find(s, g) for s, g in queries(np.random.default_rng(6), world, 50))
        if r and r.stats["expanded"] > 30
    )
    start, goal = whole.value.points[0], whole.value.points[-1]
    short = search.find(start, goal, limit=10)
    assert short.status is Status.LIMIT and short.reason == "gave up after 10 expansions"
    assert short.stats["expanded"] == 10 and 0 < short.bound <= whole.value.cost
    assert whole.stats["states"] == search.mesh.size
    assert whole.stats["arcs"] == (search.mesh.neighbours >= 0).sum()
    assert whole.stats["bytes"] > 0


def test_a_search_is_recorded():
    world = grid_world(Grid.from_free(np.random.default_rng(5).random((20, 20)) > 0.3))
    search, free, expanded = Polyanya(world), free_space(world), 0
    for start, goal in queries(np.random.default_rng(7), world, 30):
        result, plain = search.find(start, goal, traced=True), search.find(start, goal)
        assert result.stats == plain.stats
        if result.trace is None:
            assert result.stats["generated"] == 0
            continue
        trace = result.trace
        assert (trace.event == 1).sum() == result.stats["expanded"]
        assert (trace.event == 0).sum() == result.stats["generated"]
        places, opened = trace.points, trace.vertex[trace.event == 1]
        assert places[0].tolist() == list(start) and len(places) == 1 + result.stats["generated"]
        assert len(np.unique(opened)) == len(opened)
        assert set(trace.parent.tolist()) <= {0, *opened.tolist()}
        known = {0}
        for event, vertex, parent in zip(trace.event, trace.vertex, trace.parent, strict=True):
            assert parent in known and (event == 0) == (vertex not in known)
            known.add(int(vertex))
        assert free.see(places[trace.parent], places[trace.vertex]).all()
        expanded += len(opened)
        if result:
            assert (trace.g + trace.h)[trace.event == 1].max(initial=0) <= result.value.cost + 1e-9
    assert expanded > 100


@pytest.mark.parametrize(
    ("start", "text"),
    [
        ((1,), "wrong shape"),
        ((1, 2, 3), "wrong shape"),
        ((float("nan"), 1), "holds NaN"),
        (("a", "b"), "must be numbers"),
        (5, "wrong shape"),
        ((-1.0, 2.0), "the start is outside the world; found \\(-1, 2\\); expected x from 0 to 9"),
        ((1, 1e300), "the start is outside the world"),
        (None, "start"),
    ],
)
def test_wrong_places_are_refused(start, text):
    with pytest.raises(InputError, match=text):
        polyanya(BLOCK, start, (1, 1))
    with pytest.raises(InputError, match=text.replace("start", "goal")):
        polyanya(BLOCK, (1, 1), start)


def test_other_wrong_calls_are_refused():
    with pytest.raises(InputError, match="a World or a NavMesh"):
        Polyanya(Grid.from_text(".."))
    with pytest.raises(InputError, match="limit"):
        polyanya(BLOCK, (1, 1), (8, 8), limit=-1)
    with pytest.raises(InputError, match="one for each start"):
        Polyanya(BLOCK).find_many([(1, 1)], [(1, 1), (2, 2)])

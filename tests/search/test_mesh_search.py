"""Search over the states of a mesh: finds a way wherever there is one, valid and never shorter than the shortest."""

import sys
from pathlib import Path

import numpy as np
import pytest

from anabasis import Grid, InputError, Status, World, state_hash
from anabasis.decompose.mesh_graph import STATES
from anabasis.decompose.outline import grid_world
from anabasis.decompose.triangulation import triangulation
from anabasis.metrics.polylines import world_faults
from anabasis.search.mesh_search import MeshSearch, mesh_search
from anabasis.search.polyanya import Polyanya

sys.path.insert(0, str(Path(__file__).parents[1] / "decompose"))
from mesh_cases import worlds


def places(rng, world, count):
    """Pairs of places: anywhere, on whole and half numbers, at corners."""
    x0, y0, x1, y1 = world.bounds
    found = rng.uniform((x0, y0), (x1, y1), (2 * count, 2))
    kind = rng.integers(3, size=2 * count)
    found[kind == 1] = np.round(found[kind == 1] * 2) / 2
    if len(world.points):
        found[kind == 2] = world.points[rng.integers(len(world.points), size=(kind == 2).sum())]
    found = [tuple(p) for p in found.clip((x0, y0), (x1, y1)).tolist()]
    return list(zip(found[::2], found[1::2], strict=True))


@pytest.mark.parametrize("states", STATES)
def test_there_is_a_way_wherever_there_is_one_and_it_is_valid(states):
    found, ratios = 0, []
    for n, world in enumerate(worlds(75, 1)):
        exact, search = Polyanya(world), MeshSearch(world, states=states)
        for start, goal in places(np.random.default_rng(n), world, 5):
            best, result = exact.find(start, goal), search.find(start, goal)
            assert result.status is best.status
            if not result:
                assert result.reason == best.reason
                continue
            found += 1
            path = result.value
            assert path.cost >= best.value.cost - 1e-9
            assert path.cost == pytest.approx(np.hypot(*np.diff(path.points, axis=0).T).sum(), abs=1e-12)
            assert result.bound <= path.cost <= result.stats["states_cost"] + 1e-9
            assert world_faults(world, path, start=start, goal=goal) == []
            ratios.append(path.cost / best.value.cost if best.value.cost else 1)
    assert found > 100
    assert np.mean(ratios) < 1.1


@pytest.mark.parametrize("states", STATES)
def test_on_triangles_too(states):
    for n, world in enumerate(worlds(30, 2)):
        exact, search = Polyanya(world), MeshSearch(triangulation(world), states=states)
        for start, goal in places(np.random.default_rng(n), world, 4):
            try:
                result = search.find(start, goal)
            except InputError:  # the mesh doesn't know the bounds of its world
                continue
            assert bool(result) == bool(exact.find(start, goal))
            if result:
                assert world_faults(world, result.value, start=start, goal=goal) == []


@pytest.mark.parametrize("states", STATES)
def test_queries_repeat_exactly_one_by_one_and_many(states):
    world = grid_world(Grid.from_free(np.random.default_rng(1).random((30, 30)) > 0.3))
    search, pairs = MeshSearch(world, states=states), places(np.random.default_rng(2), world, 30)
    many = search.find_many([s for s, _ in pairs], [g for _, g in pairs])
    for (start, goal), result in zip(pairs, many, strict=True):
        again = mesh_search(world, start, goal, states=states)
        assert state_hash(result) == state_hash(search.find(start, goal)) == state_hash(again)


def test_limits_stats_and_trace():
    world = grid_world(Grid.from_free(np.random.default_rng(5).random((40, 40)) > 0.25))
    search = MeshSearch(world)
    pairs = places(np.random.default_rng(6), world, 40)
    start, goal = next(p for p in pairs if search.find(*p).stats["expanded"] > 30)
    whole = search.find(start, goal, traced=True)
    assert (whole.trace.event == 1).sum() == whole.stats["expanded"]
    assert len(whole.trace.event) == whole.stats["expanded"] + whole.stats["generated"]
    short = search.find(start, goal, limit=10)
    assert short.status is Status.LIMIT and short.reason == "gave up after 10 expansions"
    assert whole.stats["states"] == search.graph.size and whole.stats["arcs"] == search.graph.indices.size


def test_wrong_calls_are_refused():
    world = World.of((0, 0, 9, 9), [])
    with pytest.raises(InputError, match="unknown states of a mesh"):
        mesh_search(world, (1, 1), (2, 2), states="corners")
    with pytest.raises(InputError, match="the goal is outside the world"):
        mesh_search(world, (1, 1), (10, 2))
    with pytest.raises(InputError, match="holds NaN"):
        mesh_search(world, (1, float("nan")), (1, 2))
    with pytest.raises(InputError, match="one for each start"):
        MeshSearch(world).find_many([(1, 1)], [])
    with pytest.raises(InputError, match="a World or a NavMesh"):
        MeshSearch(Grid.from_text(".."))

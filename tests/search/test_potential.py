"""The potential field: valid paths, traps that only the auxiliary field gets out of, ground that draws."""

import os
import subprocess
import sys
from itertools import pairwise
from math import dist
from pathlib import Path

import numpy as np
import pytest
from polygon_worlds import free_places, loose_polygons, touching_triangles

from anabasis import Grid, InputError, Status, World, state_hash
from anabasis.metrics.polylines import world_faults
from anabasis.search.potential import potential_field
from anabasis.search.visibility_graph import VisibilityGraph

CUP = [[30, 20], [70, 20], [70, 80], [30, 80], [30, 75], [65, 75], [65, 25], [30, 25]]  # open to the left
TRAP = World.of((0, 0, 100, 100), [CUP])


def test_a_trap_holds_the_plain_field_and_not_the_one_with_an_auxiliary_field() -> None:
    for start in ((50, 50), (10, 50), (60, 30)):
        plain = potential_field(TRAP, start, (90, 50), auxiliary=False)
        assert plain.status is Status.LIMIT and plain.reason.startswith("stuck in a local minimum at (")
        assert plain.stats["traps"] == 1 and plain.stats["nearest_x"] < 65
        result = potential_field(TRAP, start, (90, 50))
        assert result.stats["traps"] == 1
        assert world_faults(TRAP, result.value, start=start, goal=(90, 50)) == []


def test_mirrored_traps_are_left_by_mirrored_ways() -> None:
    mirrored = World.of((0, 0, 100, 100), [[[x, 100 - y] for x, y in CUP]])
    up, down = potential_field(TRAP, (50, 48), (90, 47)), potential_field(mirrored, (50, 52), (90, 53))
    assert up.value.cost == pytest.approx(down.value.cost, rel=0.02)


def test_most_of_random_worlds_are_crossed_and_far_more_than_without_the_auxiliary_field() -> None:
    rng, crossed = np.random.default_rng(1), [0, 0, 0]
    for number in range(16):
        world = loose_polygons(rng, 25) if number % 2 else touching_triangles(rng, share=0.25)
        oracle = VisibilityGraph(world)
        places = free_places(rng, world, 6)
        for a, b in zip(places[::2], places[1::2], strict=True):
            best = oracle.find(a, b)
            result = potential_field(world, a, b)
            assert bool(best) or result.status is Status.NO_SOLUTION
            if best:
                crossed[2] += 1
                crossed[1] += bool(result)
                crossed[0] += bool(potential_field(world, a, b, auxiliary=False))
            if result:
                assert world_faults(world, result.value, start=a, goal=b) == []
                assert result.value.cost >= best.value.cost * (1 - 1e-9)
    assert crossed[1] > 0.9 * crossed[2] > crossed[0], crossed


def test_obstacles_are_passed_at_a_distance_that_grows_with_repulsion() -> None:
    world = World.of((0, 0, 100, 100), [[[45, 40], [55, 40], [55, 52], [45, 52]]])
    gaps = []
    for repulsion in (0.2, 1.0, 4.0):
        points = potential_field(world, (5, 50), (95, 50), repulsion=repulsion, reach=15).value.points
        beside = points[(points[:, 0] > 45) & (points[:, 0] < 55)]
        gaps.append(np.abs(beside[:, 1] - 46).min() - 6)
    assert 0 < gaps[0] < gaps[1] < gaps[2]


def test_ground_draws_to_where_walking_is_cheap() -> None:
    y, x = np.mgrid[0:20, 0:40]
    cost = 1 + 5 * np.exp(-((x - 20) ** 2 + (y - 10) ** 2) / 30)  # a hill in the way
    ground = Grid(cost, np.full(cost.shape, ord("."), np.uint8))
    world = World.of((0, 0, 40, 20), [])
    straight = potential_field(world, (2, 11.6), (38, 11.6))
    around = potential_field(world, (2, 11.6), (38, 11.6), ground=ground)

    def dear(path) -> float:
        parts = zip(pairwise(path.points.tolist()), path.points.astype(int).tolist(), strict=False)
        return sum(dist(a, b) * cost[y, x] for (a, b), (x, y) in parts)

    assert straight.value.cost == pytest.approx(36)
    assert around.value.cost > 36 and dear(around.value) < dear(straight.value)
    assert potential_field(world, (2, 11.6), (38, 11.6), ground=ground, slope=0.0).value.cost == straight.value.cost


def test_ends_limits_and_options() -> None:
    assert potential_field(TRAP, (5, 5), (5, 5)).value.cost == 0
    assert potential_field(TRAP, (32, 22), (5, 5)).reason == "the start (32, 22) lies in an obstacle"
    short = potential_field(TRAP, (5, 5), (95, 5), limit=3, traced=True)
    assert short.reason == "gave up after 3 steps" and short.stats["steps"] == 3 and len(short.trace.points) == 4
    on_edge = potential_field(TRAP, (70, 50), (30, 22))
    assert world_faults(TRAP, on_edge.value, start=(70, 50), goal=(30, 22)) == []
    for options, message in (({"reach": 0}, "reach"), ({"repulsion": -1}, "weight"), ({"limit": 0}, "limit of steps")):
        with pytest.raises(InputError, match=message):
            potential_field(TRAP, (5, 5), (95, 5), **options)


def digests() -> list[str]:
    """What the planner returns, as hashes; also run by a process without compilation."""
    ground = Grid.from_text(("." * 50 + "T3" + "." * 48 + "\n") * 99 + "." * 100, "amphibious")
    ends = ((50, 50), (90, 50)), ((10, 40), (80, 90))
    return [state_hash(potential_field(TRAP, *pair, traced=True, ground=ground)) for pair in ends]


def test_the_same_bytes_without_compilation() -> None:
    run = subprocess.run(
        [sys.executable, "-c", "import test_potential; print(*test_potential.digests())"],
        cwd=Path(__file__).parent,
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.split() == digests()

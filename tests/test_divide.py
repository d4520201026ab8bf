"""Formations that are divided over routes: nobody is lost, flow decides how many, and they form up again."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anabasis.divide import GAIN, Division, divided
from anabasis.errors import InputError
from anabasis.flow.throughput import capacity
from anabasis.formation.files import example, load_manoeuvre
from anabasis.formation.march import March, march
from anabasis.formation.shapes import SHAPES, schema_of
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.lattice import Lattice
from anabasis.manoeuvre import Formation, Manoeuvre, Modules, Order
from anabasis.metrics.formations import shape_error
from anabasis.metrics.marches import march_faults
from anabasis.metrics.moves import MoveMeasures, measure
from anabasis.network import PERIOD

TIES = Modules(ties="straight")


def walled(gates: dict[int, int], width: int = 41, height: int = 40, wall: int = 20) -> Grid:
    """A map with a wall across, and gates in it: their first columns, and how wide they are."""
    free = np.ones((height, width), bool)
    free[wall : wall + 2] = False
    for first, wide in gates.items():
        free[wall : wall + 2, first : first + wide] = True
    return Grid.from_free(free)


def before(grid: Grid, units: int = 24, shape: str = "box", start: tuple[float, float] = (20.5, 28.5)) -> Manoeuvre:
    """A formation below the wall, to march straight up."""
    formation = Formation.of(schema_of(shape, units, spacing=2.0), start, 0.0, (start[0], 5.5), TIES)
    return Manoeuvre(grid, (formation,), name="wall")


def marched(manoeuvre: Manoeuvre) -> March:
    """A march of a manoeuvre, of which nothing is wrong."""
    result = march(manoeuvre, tick=0.1)
    assert result.value is not None
    found = result.value
    assert march_faults(manoeuvre, found.trace, found.logical, tick=found.tick) == []
    return found


def measured(manoeuvre: Manoeuvre, found: March) -> MoveMeasures:
    schema = manoeuvre.formations[0].schema
    return measure(schema, found.seconds, found.trace.positions, radius=found.trace.radius[0], spots=found.spot)


def ends(division: Division, i: int = 0) -> np.ndarray:
    """Where the spots of a formation of the whole stand in the end, as its parts are ordered."""
    whole = division.whole.formations[i]
    places = np.full((whole.schema.spots, 2), np.nan)
    for part, branch in zip(np.flatnonzero(division.formation == i), division.branches[i], strict=True):
        formation = division.parts.formations[part]
        *_, begin, end = formation.orders[0].places
        azimuth = np.degrees(np.arctan2(*((end - begin) * (1, -1)).round(0)))
        places[branch.spots] = end + formation.schema.turned(azimuth)
    return places


# who goes where


@pytest.mark.parametrize("shape", SHAPES)
def test_nobody_is_lost_and_nobody_comes_twice(shape: str) -> None:
    units = 15
    division = divided(before(walled({4: 3, 19: 3, 34: 3}, height=60, wall=40), units, shape, start=(20.5, 48.5)))
    (branches,) = division.branches
    assert len(branches) > 1
    assert np.sort(np.concatenate([branch.spots for branch in branches])).tolist() == list(range(units))
    assert np.array_equal(np.sort(division.spot), np.arange(units))
    whole = division.whole.formations[0]
    there = np.array(whole.start) + whole.schema.places
    for part, branch in zip(division.parts.formations, branches, strict=True):
        assert np.allclose(part.start + part.schema.places, there[branch.spots])
        assert part.modules == whole.modules


def test_the_whole_shape_stands_at_the_target() -> None:
    for target in ((20.5, 5.5), (24.25, 6.75)):
        whole = before(walled({4: 3, 19: 3, 34: 3})).formations[0]
        division = divided(
            Manoeuvre(walled({4: 3, 19: 3, 34: 3}), (Formation.of(whole.schema, whole.start, 0, target),))
        )
        assert len(division.branches[0]) == 3
        assert np.array_equal(ends(division), target + whole.schema.places)


def test_files_on_the_left_take_the_route_on_the_left() -> None:
    division = divided(before(walled({4: 3, 19: 3, 34: 3})))
    schema = division.whole.formations[0].schema
    x = [schema.places[branch.spots, 0] for branch in division.branches[0]]
    gates = [branch.gates[0, 0] for branch in division.branches[0]]
    assert gates == sorted(gates)
    assert x[0].max() <= x[1].min() and x[1].max() <= x[2].min()


@settings(max_examples=15, deadline=None)
@given(st.data())
def test_as_many_take_a_route_as_let_the_last_one_through_soonest(data: st.DataObject) -> None:
    gates = {
        first + data.draw(st.integers(0, 4), label="aside"): data.draw(st.integers(2, 6), label="wide")
        for first in data.draw(st.sampled_from(((3, 29), (1, 16, 31), (16, 31))), label="first")
    }
    units, grid = data.draw(st.integers(2, 24), label="units"), walled(gates)
    start = (data.draw(st.integers(8, 32)) + 0.5, 28.5)
    division = divided(before(grid, units, start=start))
    (branches,) = division.branches
    # the map anew, by another search: the way through each gate, and what is let through
    graph = nx.Graph()
    y, x = np.nonzero(grid.free)
    for u, v in zip(x.tolist(), y.tolist(), strict=True):
        for a, b in ((1, 0), (0, 1), (1, 1), (-1, 1)):
            if grid.is_free(u + a, v + b) and grid.is_free(u + a, v) and grid.is_free(u, v + b):
                graph.add_edge((u, v), (u + a, v + b), weight=float(np.hypot(a, b)))
    up = nx.single_source_dijkstra_path_length(graph, (int(start[0]), 28))
    down = nx.single_source_dijkstra_path_length(graph, (int(start[0]), 5))
    length = [min(up[c, 20] + down[c, 20] for c in range(first, first + wide)) for first, wide in sorted(gates.items())]
    wide = [wide for _, wide in sorted(gates.items())]
    rate = capacity(wide, radius=1.0, speed=0.15, passage="bend", follows="lanes") / PERIOD / 0.15

    def last(counts: tuple[int, ...]) -> float:
        return max(t + n / r for t, n, r in zip(length, counts, rate, strict=True) if n)

    every = [
        tuple(np.diff((-1, *bars, units + len(gates) - 1)) - 1)
        for bars in combinations(range(units + len(gates) - 1), len(gates) - 1)
    ]
    counts = [0] * len(gates)
    for branch in branches:
        counts[int(np.argmin([abs(branch.gates[0, 0] - first - w / 2) for first, w in sorted(gates.items())]))] += len(
            branch.spots
        )
    if not branches:
        counts[int(np.argmin([t + units / r for t, r in zip(length, rate, strict=True)]))] = units
    # ways of any angle are up to 8 % shorter than along cells; one unit may be on either side of a draw
    assert last(tuple(counts)) <= min(map(last, every)) * (1 if branches else 1 / (1 - GAIN)) + 0.08 * max(
        length
    ) + 1 / min(rate)
    # and exactly, by what it says of the routes that are used
    if branches:
        found = [tuple(len(branch.spots) for branch in branches)]
        used = [
            tuple(np.diff((-1, *bars, units + len(branches) - 1)) - 1)
            for bars in combinations(range(units + len(branches) - 1), len(branches) - 1)
        ]
        assert all(
            abs(
                branch.rate
                - rate[int(np.argmin([abs(branch.gates[0, 0] - f - w / 2) for f, w in sorted(gates.items())]))]
            )
            < 1e-3
            for branch in branches
        )
        times = [
            max(b.seconds + n / b.rate for b, n in zip(branches, split, strict=True) if n) for split in (*found, *used)
        ]
        assert times[0] <= min(times[1:]) + 0.15 + 1e-9  # a step of flow


# the march


def test_with_two_good_gates_a_wide_formation_is_there_earlier_in_parts_and_in_shape() -> None:
    manoeuvre = before(walled({5: 4, 32: 4}), 24)
    division = divided(manoeuvre)
    assert [len(branch.spots) for branch in division.branches[0]] == [12, 12]
    parts = marched(division.parts)
    again, whole = division.reunited(parts), marched(manoeuvre)
    assert march_faults(manoeuvre, again.trace, again.logical, tick=again.tick) == []
    in_parts, in_one = measured(manoeuvre, again), measured(manoeuvre, whole)
    assert in_parts.duration < in_one.duration
    assert in_parts.collisions < in_one.collisions
    schema = manoeuvre.formations[0].schema
    assert shape_error(schema, again.formed(0)[-1]) < 1e-9
    assert np.allclose(again.formed(0)[-1], np.array((20.5, 5.5)) + schema.places)
    assert again.trouble == ("",) and again.trace.finished == 24
    assert np.array_equal(again.trace.positions[0], whole.trace.positions[0])


def test_the_same_again() -> None:
    manoeuvre = before(walled({5: 4, 32: 4}), 12)
    one, two = divided(manoeuvre), divided(manoeuvre)
    assert one.why == two.why and np.array_equal(one.spot, two.spot)
    assert marched(one.parts).trace.hash == marched(two.parts).trace.hash


@pytest.mark.parametrize("planning", ["trivial", "periodic", "bends"])
@pytest.mark.parametrize("orientation", ["whole", "track"])
def test_parts_march_in_every_way(planning: str, orientation: str) -> None:
    manoeuvre = load_manoeuvre(
        example("gates"),
        [
            "formation.0.units=16",
            *(f"formation.0.modules.{x}" for x in (f"planning={planning}", f"orientation={orientation}")),
        ],
    )
    division = divided(manoeuvre)
    again = division.reunited(marched(division.parts))
    assert len(division.branches[0]) == 3 and again.trouble == ("",)
    assert shape_error(manoeuvre.formations[0].schema, again.formed(0)[-1]) < 1e-9


def test_two_formations_share_the_gates_and_both_are_divided() -> None:
    box, grid = schema_of("box", 12, spacing=2.0), walled({4: 3, 34: 3})
    both = tuple(Formation.of(box, (x, 26.5), 0.0, (x, 5.5), TIES) for x in (14.5, 26.5))
    division = divided(Manoeuvre(grid, both))
    assert division.formation.tolist() == [0] * len(division.branches[0]) + [1] * len(division.branches[1])
    again = division.reunited(marched(division.parts))
    assert again.trace.group.tolist() == [0] * 12 + [1] * 12
    assert again.trace.finished == 24


def test_a_map_of_triangles_has_gates_too() -> None:
    ground = np.ones((40, 40))
    ground[:, 19:22] = np.inf
    ground[[*range(4, 8), *range(32, 36)], 19:22] = 1.0
    box = schema_of("box", 16, area=(6 * 20 * 3**0.5, 120.0))
    formation = Formation.of(box, (240.0, 20 * 10 * 3**0.5), 90.0, (700.0, 20 * 10 * 3**0.5), TIES)
    manoeuvre = Manoeuvre(Lattice.from_ground(ground), (formation,))
    division = divided(manoeuvre)
    sizes = [len(branch.spots) for branch in division.branches[0]]
    assert sum(sizes) == 16 and min(sizes) >= 7  # both gates are as wide, up to a cell of the raster
    again = division.reunited(marched(division.parts))
    assert again.trouble == ("",)
    assert shape_error(box, again.formed(0)[-1]) < 1e-6


# whole


def stays(manoeuvre: Manoeuvre, why: str) -> Division:
    """A division that leaves a manoeuvre as it is, and says so."""
    division = divided(manoeuvre)
    assert division.branches == ((),) * len(manoeuvre.formations)
    assert division.parts.formations == manoeuvre.formations
    assert why in division.why[0], division.why
    return division


def test_where_one_route_is_best_nothing_is_divided() -> None:
    manoeuvre = before(walled({18: 5}), 9)
    division = stays(manoeuvre, "not divided: one route is best for all")
    whole = marched(manoeuvre)
    again = division.reunited(whole)
    assert again.trace.hash == whole.trace.hash
    assert np.array_equal(again.trace.positions, whole.trace.positions)
    stays(before(Grid.from_free(np.ones((40, 41), bool)), 9), "one route is best for all")


def test_nobody_is_sent_another_way_for_next_to_nothing() -> None:
    stays(load_manoeuvre(example("swamp")), "not divided: one route is as good; flow expects the last after")


def test_a_target_that_can_not_be_reached_is_told() -> None:
    manoeuvre = before(walled({}), 9)
    division = stays(manoeuvre, "not divided: its target can't be reached")
    found = march(division.parts, tick=0.1).value
    assert found is not None and "can't reach its place" in found.trouble[0]
    assert division.reunited(found).trouble == found.trouble


def test_who_has_a_way_of_its_own_stays_whole() -> None:
    grid, box = walled({4: 3, 34: 3}), schema_of("box", 9, spacing=2.0)
    through = Formation.of(box, (20.5, 28.5), 0.0, [(5.5, 18.5), (20.5, 5.5)])
    stays(Manoeuvre(grid, (through,)), "not ordered to one place alone")
    later = Formation(box, (20.5, 28.5), 0.0, (Order([[20.5, 5.5]]), Order([[5.5, 5.5]], 9.0)))
    stays(Manoeuvre(grid, (later,)), "not ordered to one place alone")
    stays(before(grid, 1), "a single unit")
    narrow = walled({4: 3, 34: 3}, wall=7).free.copy()
    narrow[:4] = False
    stays(before(Grid.from_free(narrow), 24), "no room to form up")
    stays(before(grid, 23, "column"), "no room to form up")  # its rear would have to begin in the wall
    assert divided(Manoeuvre(grid, ())).why == ()


def test_a_graph_has_no_gates() -> None:
    graph = Graph.from_arcs(np.array([[0.0, 0.0], [1.0, 0.0]]), [0, 1], [1, 0], [1.0, 1.0], "zero")
    formation = Formation.of(schema_of("line", 2, spacing=1.0), (0, 0), 0.0, (1, 0))
    with pytest.raises(InputError, match=r"manoeuvre to divide; found a graph of 2 vertices; expected a map of cells"):
        divided(Manoeuvre(graph, (formation,)))
    with pytest.raises(InputError, match="manoeuvre to divide"):
        divided("gates")  # pyright: ignore[reportArgumentType]


def test_only_a_march_of_its_parts_is_reunited() -> None:
    manoeuvre = before(walled({5: 4, 32: 4}), 12)
    with pytest.raises(InputError, match="march of a division"):
        divided(manoeuvre).reunited(marched(manoeuvre))


def test_trouble_of_parts_has_their_names() -> None:
    division = divided(before(walled({5: 4, 32: 4}), 12))
    found = replace(marched(division.parts), trouble=("", "unit 0 is stuck"))
    assert division.reunited(found).trouble == ("part 2: unit 0 is stuck",)


def test_the_fallen_of_a_part_are_fallen_in_the_whole() -> None:
    manoeuvre = load_manoeuvre(example("gates"), ["formation.0.falls=[[0, 5.0], [20, 9.0]]"])
    division = divided(manoeuvre)
    assert len(division.branches[0]) > 1
    found = march(division.parts).value
    assert found is not None
    whole = division.reunited(found)
    assert np.flatnonzero(whole.spot[-1] < 0).tolist() == [0, 20]
    assert march_faults(manoeuvre, whole.trace, whole.logical, tick=whole.tick) == []

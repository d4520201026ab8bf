"""Narrow places: gates give their width, and a formation passes them in files, none of them beside the ground."""

import math

import numpy as np
import pytest

from anabasis.formation.ground import Ground
from anabasis.formation.march import march
from anabasis.formation.narrows import Gates, narrows
from anabasis.formation.shapes import schema_of
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.lattice import Lattice
from anabasis.manoeuvre import Formation, Manoeuvre, Modules
from anabasis.metrics.formations import shape_error
from anabasis.metrics.marches import march_faults
from anabasis.metrics.moves import measure
from anabasis.schema import Schema

STEP = 20.0
SCALE = {"cells": np.ones(2), "triangles": np.array((STEP, STEP * math.sqrt(3) / 2))}


def walled(kind: str, gap: int, thick: int = 1) -> Grid | Lattice:
    price = np.ones((50, 50))
    price[25 : 25 + thick] = np.inf
    price[25 : 25 + thick, 24 : 24 + gap] = 1
    return Grid(price, np.zeros(price.shape, np.uint8)) if kind == "cells" else Lattice.from_ground(price, STEP)


@pytest.mark.parametrize("kind", ["cells", "triangles"])
@pytest.mark.parametrize("gap", [1, 2, 3, 5])
def test_the_gate_in_a_wall_is_as_wide_as_its_gap(kind: str, gap: int) -> None:
    ground = Ground.of(walled(kind, gap))
    gates = Gates.of(ground)
    row = ground.points[:, 1].round(6) == round(float((25.5 if kind == "cells" else 25) * SCALE[kind][1]), 6)
    inside = np.flatnonzero(row & ground.walkable)
    assert len(inside) == gap
    assert (gates.gate[inside] >= 0).all() and len(set(gates.gate[inside].tolist())) == 1
    assert gates.width[gates.gate[inside[0]]] == pytest.approx(gap * ground.spacing)


def test_a_graph_has_no_gates() -> None:
    graph = Graph.from_arcs([(0, 0), (1, 0)], [0, 1], [1, 0], np.ones(2))
    assert Gates.of(Ground.of(graph)).width.size == 0


def test_a_stretch_begins_before_the_gate_and_ends_when_the_last_rank_is_through() -> None:
    ground, schema = Ground.of(walled("cells", 3)), schema_of("box", 20, spacing=2.0)
    way = np.array([ground.raster[y, 25] for y in range(45, 4, -1)])
    (found,) = narrows(way, ground, Gates.of(ground), schema, 0.25)
    gate = 45 - 25
    assert found.first < gate - 4 and found.last >= gate + found.places[:, 1].max()
    assert np.ptp(found.places[:, 0]) + 0.5 <= 3.0
    assert narrows(way, ground, Gates.of(ground), schema_of("column", 5, spacing=2.0), 0.25) == []
    wide = Ground.of(walled("cells", 20))
    way = np.array([wide.raster[y, 25] for y in range(45, 4, -1)])
    assert narrows(way, wide, Gates.of(wide), schema_of("wedge", 5, spacing=2.0), 0.25) == []


@pytest.mark.parametrize("files", [1, 2, 3, 7])
@pytest.mark.parametrize("shape", ["box", "wedge", "line", "diamond"])
def test_files_keep_front_and_sides(shape: str, files: int) -> None:
    schema = schema_of(shape, 12, spacing=2.0)
    places = schema.in_files(0.75 * (files - 1), 0.75 * (files - 1), 1.5)
    assert (places[schema.leader] == 0).all()
    assert len({tuple(place) for place in places.round(6).tolist()}) == 12
    ranks, count = np.unique(places[:, 1], return_counts=True)
    assert count.max() <= files and ranks == pytest.approx(np.arange(len(ranks)) * 2.0)
    for rank in ranks.tolist():
        units = np.flatnonzero(places[:, 1] == rank)
        left_to_right = units[np.argsort(places[units, 0])]
        assert (np.diff(schema.places[left_to_right, 0]) >= 0).all()
        if len(units) > 1:
            assert np.diff(np.sort(places[units, 0])) == pytest.approx(1.5)
        others = places[:, 1] > rank
        assert not others.any() or schema.places[units, 1].max() <= schema.places[others, 1].min() + 1e-9


@pytest.mark.parametrize("kind", ["cells", "triangles"])
@pytest.mark.parametrize("thick", [1, 8])
def test_in_files_a_line_passes_a_gate_and_forms_again(kind: str, thick: int) -> None:
    schema = schema_of("line", 7, spacing=2.0 * (STEP if kind == "triangles" else 1.0))
    scale = SCALE[kind]
    found = {}
    for orientation in ("track", "files"):
        modules = Modules(fragment=4, paths="whole", ties="straight", orientation=orientation)
        start, target = (25.5, 44.5) * scale, (25.5, 6.5) * scale
        manoeuvre = Manoeuvre(walled(kind, 3, thick), (Formation.of(schema, start, 0.0, target, modules),))
        result = march(manoeuvre)
        assert result.status.value == "solved" and result.value.trouble == ("",)
        assert march_faults(manoeuvre, result.value.trace, result.value.logical, tick=result.value.tick) == []
        assert shape_error(schema, result.value.formed(0)[-1]) < 200.0  # as near as vertices are
        radius = result.value.trace.radius
        found[orientation] = measure(schema, result.value.seconds, result.value.trace.positions, radius=radius)
    assert found["files"].collisions <= found["track"].collisions


def test_ranks_to_one_side_need_room_on_that_side() -> None:
    """The gate is as wide as the line; the leader at its left end has that room to its right, or it hasn't."""
    schema = Schema.of(np.stack((np.arange(4) * 2.0, np.zeros(4)), 1), [0, 0, 0, 0])
    ground = Ground.of(walled("cells", 7))
    gates = Gates.of(ground)
    left, right = (np.array([ground.raster[y, x] for y in range(45, 4, -1)]) for x in (24, 29))
    assert narrows(left, ground, gates, schema, 0.25) == []
    (found,) = narrows(right, ground, gates, schema, 0.25)
    assert found.first < 45 - 25 < found.last
    assert found.places[:, 0].max() + 0.25 <= 1.5

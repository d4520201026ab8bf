"""Tiny maps whose traits are known: they show that generators make the same maps here, and compile their kernels."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from anabasis.gamemap import GameMap

__all__ = ["MapCheck", "map_checks"]

MapCheck = tuple[str, Callable[[], object], object]
"""What is looked at, what computes it, and what it is to be."""

_ROOM: dict[str, dict[str, object]] = {
    "rooms": {"pitch": 6},
    "room-partition": {"least": 3, "most": 8},
    "warehouse": {"shelf_length": 4, "missing": 0.3},
    "genetic-terrain": {"population": 6, "generations": 3},
    "worley-noise": {"scale": 9, "octaves": 2, "nearest": 2, "combine": "difference", "warp": 2},
}
_WORLD: dict[str, object] = {"players": 2, "tolerance": 2, "rivers": 2, "forest": 0.25, "towns": 2, "water": 0.25}
_LIFE: dict[str, object] = {"barriers": True, "even_woods": True, "climate": "zones", "units": True}


def map_checks() -> Iterator[MapCheck]:
    """Give the checks: every generator, and what is made of land, with land or on land."""
    from anabasis.generators import GENERATORS

    for row in GENERATORS:
        if row.family == "world":
            yield f"{row.name}: two players can reach each other", partial(_world, row.name), True
        else:
            yield f"{row.name}: twice the same map", partial(_twice, row.name), True
    yield "mazes: trees of corridors by all algorithms", _mazes, {39}
    yield "obstacles: as many as asked for", _obstacles, [72, 72]
    yield "caves: one", _caves, 1
    yield "diamonds and squares: numbers of 8 bits that wrap, in all orders", _squares, True
    yield "noises: at places as on maps", _noises, True
    yield "noises: in space", _noises_in_space, True
    yield "woods: trees of all kinds, thinned to equal shares", _woods, True
    yield "rivers: down all levels, and a lake without a way out", _rivers, [[1, 1]]
    yield "parts: joined through the sea", _joined, [1, "bridge"]
    yield "ways to water", _ways_to_water, [[-1, 0, 1, 2]]
    yield "erosion: nothing is lost", _eroded, True
    yield "bands: coast, specks and majorities", _bands, ["W,..", "WWWW", "...."]
    yield "steps: dearer uphill", _uphill, [3.0, 2.0]
    yield "tasks: starts and goals of given lengths", _tasks, True
    yield "relief: light on the side of the sun", _relief, True


def _land(name: str, width: int = 24, height: int = 20, **given: object) -> GameMap:
    """Return a small map with those parameters that its generator has."""
    from anabasis.generators import generate, generator

    known = {parameter.name for parameter in generator(name).parameters}
    given = _ROOM.get(name, {}) | given
    return generate(name, width, height, seed=5, **{key: value for key, value in given.items() if key in known})


def _twice(name: str) -> object:
    from anabasis.noun import state_hash

    return state_hash(_land(name)) == state_hash(_land(name))


def _world(name: str) -> object:
    from anabasis.find import find_path

    made = _land(name, 48, 40, **_WORLD, **(_LIFE if name == "island" else {}))
    first, second = made.places("start")
    movement = str(made.recipe.parameters["movement"]) if made.recipe else "land"
    return bool(find_path(made.grid(movement), (first.x, first.y), (second.x, second.y)))


def _mazes() -> object:
    from anabasis.maps.structured.maze_trees import ALGORITHMS
    from anabasis.maps.structured.mazes import maze

    maze(11, 9, seed=1, loops=0.5)
    return {int(maze(11, 9, seed=1, algorithm=algorithm).sum()) for algorithm in ALGORITHMS}


def _obstacles() -> object:
    from anabasis.maps.structured.obstacles import random_obstacles

    shapes = ((1, 1), (1, 2))
    return [
        int(random_obstacles(12, 8, seed=1, share=0.25, least=least, most=most, connected=False).sum())
        for least, most in shapes
    ]


def _caves() -> object:
    from anabasis.maps.parts import parts
    from anabasis.maps.structured.caves import caves

    free = caves(24, 20, seed=3, share=0.5, least=4)
    return int(parts(free).max())


def _squares() -> object:
    import numpy as np

    from anabasis.maps.terrain.diamond_square import diamond_square
    from anabasis.maps.terrain.midpoint import midpoint_displacement, midpoint_line

    fields = [
        diamond_square(17, 9, seed=1, amplitude=200, arithmetic="wrap", interleaved=interleaved)
        for interleaved in (False, True)
    ]
    fields.append(midpoint_displacement(17, 9, seed=1, amplitude=200, arithmetic="wrap"))
    line = midpoint_line(17, seed=1, amplitude=0.0)
    straight = np.allclose(line, np.linspace(line[0], line[-1], 17))
    return straight and all(
        bool(((field >= -128) & (field <= 255) & (field == np.floor(field))).all()) for field in fields
    )


def _noises() -> object:
    import numpy as np

    from anabasis.maps.terrain.gradient_noise import gradient_noise, gradient_noise_at
    from anabasis.maps.terrain.simplex_noise import simplex_noise, simplex_noise_at
    from anabasis.maps.terrain.value_noise import value_noise, value_noise_at
    from anabasis.maps.terrain.worley_noise import worley_noise, worley_noise_at

    x, y = np.meshgrid(np.arange(9) + 0.5, np.arange(7) + 0.5)
    places = np.column_stack([x.ravel(), y.ravel()])
    pairs = (
        (value_noise, value_noise_at),
        (gradient_noise, gradient_noise_at),
        (simplex_noise, simplex_noise_at),
        (worley_noise, worley_noise_at),
    )
    return all(
        np.array_equal(grid(9, 7, seed=1, scale=4, octaves=2).ravel(), at(places, seed=1, scale=4, octaves=2))
        for grid, at in pairs
    )


def _noises_in_space() -> object:
    import numpy as np

    from anabasis.maps.terrain.gradient_noise import gradient_noise_at
    from anabasis.maps.terrain.simplex_noise import simplex_noise_at

    places = np.arange(12.0).reshape(4, 3) * 0.37
    return all(bool((np.abs(at(places, seed=1, scale=4)) <= 1).all()) for at in (gradient_noise_at, simplex_noise_at))


def _woods() -> object:
    import numpy as np

    from anabasis.maps.cover.ecosystem import ecosystem_forest
    from anabasis.maps.cover.forest import canopy
    from anabasis.maps.cover.jittered_grid import jittered_grid_forest
    from anabasis.maps.cover.protection_zone import poisson_disc, protection_zone_forest
    from anabasis.maps.cover.species import species_forest
    from anabasis.maps.cover.wood import forest_balance, wood_stock

    territory = np.repeat([[0, 1]], 24, axis=0).repeat(12, axis=1)
    fair: list[bool] = []
    for grow in (species_forest, protection_zone_forest, jittered_grid_forest, ecosystem_forest):
        trees = grow(24, 24, seed=1)
        balance = forest_balance(wood_stock(trees), territory, seed=1, tolerance=0.0)
        left, right = balance.stock[:, :12].sum(), balance.stock[:, 12:].sum()
        fair.append(bool(left == right > 0 and canopy(trees).max() <= 1))
    apart = poisson_disc(9, 9, seed=1, radius=np.full((9, 9), 3.0))
    return all(fair) and 1 < len(apart) < 20


def _rivers() -> object:
    import numpy as np

    from anabasis.maps.water.lakes import end_lakes
    from anabasis.maps.water.monotone_rivers import monotone_rivers

    levels = np.array([[2, 2, 1, 0], [2, 2, 1, 1], [2, 2, 2, 1]], np.uint8)
    found = monotone_rivers(levels, levels == 0, seed=1, springs=[[0, 2]], border=False)
    x, y = found.courses[0].T
    passed = levels[y, x].tolist()
    bowl = np.array([[9.0, 9, 9, 9], [9, 1, 9, 0], [9, 9, 9, 9]])
    lakes, _, _ = end_lakes(bowl, bowl == 0, deepest=1.0)
    return passed == sorted(passed, reverse=True) and set(passed) >= {1, 2} and np.argwhere(lakes >= 0).tolist()


def _joined() -> object:
    import numpy as np

    from anabasis.maps.parts import parts
    from anabasis.maps.players.connectivity import connect

    land = np.frombuffer(b"GGGWWWWGGG" * 4, np.uint8).reshape(4, 10)
    made = connect(land, "land", least_part=4, pockets="fill")
    free = made.terrain != ord("W")
    count = int(parts(free).max())
    return [count, made.changes[0].kind]


def _ways_to_water() -> object:
    import numpy as np

    from anabasis.maps.water.water_distance import water_distance

    return water_distance(np.frombuffer(b"W...", np.uint8).reshape(1, 4)).tolist()


def _eroded() -> object:
    import numpy as np

    from anabasis.maps.land.hydraulic_erosion import hydraulic_erosion
    from anabasis.maps.land.thermal_erosion import thermal_erosion
    from anabasis.maps.terrain.traits import terrain_traits

    field = _land("hills").heights
    slid = thermal_erosion(field, talus=1.0, rounds=3)
    washed = hydraulic_erosion(field, seed=1, steps=8)
    terrain_traits(field, sea=float(np.median(field)))
    return bool(np.isclose(slid.sum(), field.sum()) and np.isfinite(washed).all() and not np.array_equal(slid, field))


def _bands() -> object:
    import numpy as np

    from anabasis.maps.land.bands import coast, smoothed, without_specks

    lands = [np.frombuffer(letters, np.uint8).reshape(1, 4) for letters in (b"W...", b"WW.W", b"..W.")]
    made = (coast(lands[0], width=1.0), without_specks(lands[1], least=2), smoothed(lands[2]))
    return [land.tobytes().decode() for land in made]


def _uphill() -> object:
    from anabasis.maps.step_prices import step_graph

    graph = step_graph([[ord("."), ord(".")]], [[0.0, 1.0]], relief=None)
    return graph.weights.tolist()


def _tasks() -> object:
    import numpy as np

    from anabasis.grid import Grid
    from anabasis.maps.tasks import bucketed_tasks, multi_agent_tasks, sample_tasks

    grid = Grid.from_text("\n".join(["......#....." if y != 3 else "............" for y in range(8)]))
    agents = multi_agent_tasks(grid, 5, seed=1)
    buckets = bucketed_tasks(grid, seed=1, per_bucket=2)
    single = sample_tasks(grid, 3, seed=1)
    known = np.concatenate([agents.lengths, buckets.lengths, single.lengths])
    return bool(len(set(agents.goals.tolist())) == 5 and np.isfinite(known).all() and set(buckets.buckets) >= {0, 1, 2})


def _relief() -> object:
    import numpy as np

    from anabasis.view.relief import relief_colours

    ridge = np.minimum(np.arange(9), 8 - np.arange(9)).astype(float)[None, :].repeat(9, axis=0)
    colours = relief_colours(np.full((9, 9), ord("."), np.uint8), ridge, sun=270.0).astype(int).sum(axis=2)
    return bool(colours[:, 1:3].mean() > colours[:, 6:8].mean())

"""Worlds for players over many seeds: each is fair and hangs together, or is refused with the reason.

What is promised is checked anew on the finished map: ways by SciPy's labels and Dijkstra, spreads from their numbers.
"""

import multiprocessing
import os
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import cache

import numpy as np
import pytest
from scipy.ndimage import label
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from anabasis import InputError, generate
from anabasis.gamemap import GameMap
from anabasis.generators import GENERATORS
from anabasis.maps.worlds.settling import fairness_of

WORLDS = [row for row in GENERATORS if row.family == "world"]
PLAYERS = {row.name: next(p.default for p in row.parameters if p.name == "players") for row in WORLDS}


def faults(world: GameMap) -> list[str]:
    """What a finished map does not keep of its promises."""
    found: list[str] = []
    assert world.recipe is not None
    values = world.recipe.parameters
    grid = world.grid(str(values["movement"]))
    starts = world.places("start")
    parts = label(grid.free)[0]
    if len(starts) != values["players"]:
        found.append(f"{len(starts)} starts")
    if not all(grid.free[s.y, s.x] for s in starts) or len({int(parts[s.y, s.x]) for s in starts}) > 1:
        found.append("starts apart")
    fairness = fairness_of(world)
    if fairness is None:
        return found
    tolerance = float(values["tolerance"])
    for one in fairness.criteria:
        spread = float((one.values.max() - one.values.min()) / one.values.mean())
        if abs(spread - one.spread) > 1e-9 or spread > one.tolerance:
            found.append(f"{one.name}: {spread:.2f}")
        if one.tolerance > {"mean distance": 2.0}.get(one.name, 1.0) * tolerance + 1e-12:
            found.append(f"{one.name} may differ by {one.tolerance}")
    amounts = Counter((site.owner, site.name) for site in world.places("resource") if site.owner >= 0)
    if len(set(Counter(amounts).values())) > 2:  # the same number of each kind for each player
        found.append(f"resources {amounts}")
    return found


def trial(name: str, side: int, seed: int) -> str:
    """What becomes of one seed: nothing to say, the reason why it was refused, or faults."""
    try:
        return "; ".join(f"FAULT {fault}" for fault in faults(generate(name, side, seed=seed)))
    except InputError as error:
        return f"refused: {error}"


@cache
def fair(name: str, side: int) -> GameMap:
    """The first fair world of a name."""
    return next(generate(name, side, seed=seed) for seed in range(20) if trial(name, side, seed) == "")


@pytest.mark.parametrize("seeds", [1, pytest.param(3, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", PLAYERS)
def test_a_few_seeds_of_each_world(name: str, seeds: int) -> None:
    told = [trial(name, 129, seed) for seed in range(seeds)]
    assert not any("FAULT" in text for text in told), told
    assert all(text == "" or ("refused: no fair starts" in text and "spread of" in text) for text in told)


def test_the_checker_sees_an_unfair_map() -> None:
    world = fair("continent", 97)
    first, *others = world.places("start")
    near = next(  # the first player moves beside the second
        (x, y) for x in range(others[0].x + 2, world.width) for y in [others[0].y] if world.grid().free[y, x]
    )
    moved = [type(first)("start", *near, first.owner), *others]
    unfair = type(world)(
        world.terrain, world.heights, world.sea, (*moved, *world.places("resource")), world.recipe, world.notes
    )
    assert any("nearest opponent" in fault for fault in faults(unfair))


def test_distances_between_players_are_those_of_scipy() -> None:
    world = fair("continent", 97)
    fairness = fairness_of(world)
    assert fairness is not None
    grid = world.grid()
    cells = [grid.vertex(site.x, site.y) for site in world.places("start")]
    tails, heads, weights = [], [], []
    for y, x in np.argwhere(grid.free).tolist():
        for dy, dx in ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)):
            if grid.is_free(x + dx, y + dy) and (
                not (dx and dy) or (grid.is_free(x + dx, y) and grid.is_free(x, y + dy))
            ):
                tails.append(grid.vertex(x, y))
                heads.append(grid.vertex(x + dx, y + dy))
                weights.append(float(np.hypot(dx, dy) * grid.cost[y + dy, x + dx]))
    n = grid.cost.size
    ways = dijkstra(csr_array((weights, (tails, heads)), shape=(n, n)), indices=cells)[:, cells]
    assert np.allclose(fairness.distances, ways, rtol=1e-9)


@pytest.mark.long
@pytest.mark.parametrize("name", PLAYERS)
def test_two_hundred_seeds_of_each_world(name: str) -> None:
    """At least 95 of 100 seeds give a map that keeps all its promises; the others are refused with the reason."""
    seeds = 200
    with ProcessPoolExecutor(os.cpu_count(), mp_context=multiprocessing.get_context("spawn")) as pool:
        told = list(pool.map(trial, [name] * seeds, [257] * seeds, range(seeds), chunksize=5))
    assert not [text for text in told if "FAULT" in text]
    refused = [text for text in told if text]
    assert all("spread of" in text or "can't hold" in text for text in refused), refused
    print(f"{name}: {seeds - len(refused)} of {seeds} fair, {len(refused)} refused")
    assert len(refused) <= 0.05 * seeds, refused

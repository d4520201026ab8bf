"""Worlds: what every preset promises, checked by other means than it was made with, and fairness measured anew."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import ndimage
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import dijkstra

from anabasis import GameMap, InputError
from anabasis.gamemap import Site
from anabasis.generators import GENERATORS, generate
from anabasis.maps.worlds.populate import CLIMATES
from anabasis.maps.worlds.settling import fairness_of
from anabasis.maps.worlds.wooding import WOODS
from anabasis.movement import movement_class

WORLDS = [row.name for row in GENERATORS if row.family == "world"]
EIGHT = np.ones((3, 3))


@cache
def world(name: str, width: int = 65, height: int = 65, first: int = 0, **values: Any) -> GameMap:
    """The map of the first seed from there on that is not refused."""
    for seed in range(first, first + 24):
        try:
            return generate(name, width, height, seed=seed, **({"tolerance": 0.6, "players": 2} | values))
        except InputError as error:
            assert "no fair starts" in error.problem or "can't hold" in error.problem, error
    return pytest.fail(f"{name}: no seed of 24 gives a map")


def letters(game_map: GameMap, which: str) -> NDArray[np.bool_]:
    """Where the terrain is one of these letters."""
    return np.isin(game_map.terrain, np.frombuffer(which.encode(), np.uint8))


def prices(game_map: GameMap) -> NDArray[np.float64]:
    """The prices of the movement class that a map is made for."""
    assert game_map.recipe is not None
    return movement_class(str(game_map.recipe.parameters["movement"])).cost[game_map.terrain]


def labels(cells: NDArray[np.bool_], around: NDArray[np.float64] | None = None) -> NDArray[np.int32]:
    """The number of each connected part, from 1, by four neighbours unless said otherwise."""
    number = np.zeros(cells.shape, np.int32)
    ndimage.label(cells, around, output=number)
    return number


def near(site: Site, shape: tuple[int, int], radius: float) -> NDArray[np.bool_]:
    """The cells within a distance of a site."""
    y, x = np.indices(shape)
    return (x - site.x) ** 2 + (y - site.y) ** 2 <= radius**2


def faults(game_map: GameMap) -> list[str]:
    """What is wrong with the map of a world."""
    found: list[str] = []
    free = np.isfinite(prices(game_map))
    starts = game_map.places("start")
    if not (np.isfinite(game_map.heights).all() and game_map.heights.min() >= 0 and game_map.heights.max() <= 1):
        found.append("heights")
    found += [
        f"{site.kind} at {site.x},{site.y} can't be entered"
        for site in game_map.sites
        if not _stands(site, game_map, free)
    ]
    part = labels(free)
    for kind in ("start", "town", "resource"):
        if len({int(part[site.y, site.x]) for site in (*starts, *game_map.places(kind))}) > 1:
            found.append(f"{kind}s are not connected with the starts")
    afloat = letters(game_map, "W~+")
    found += [f"start {site.owner} in the water" for site in starts if afloat[site.y, site.x]]
    for site in starts:
        if (near(site, free.shape, 2) & ~free).any():
            found.append(f"start {site.owner} has no clearing")
    if sorted(site.owner for site in starts) != list(range(len(starts))):
        found.append("owners of the starts")
    return found


def _stands(site: Site, game_map: GameMap, free: NDArray[np.bool_]) -> bool:
    """Whether somebody can be at a site: who the map is for, or the unit that it names."""
    if site.kind == "unit":
        movement = {"ship": "water", "land unit": "land"}[site.name]
        return bool(np.isfinite(movement_class(movement).cost[game_map.terrain[site.y, site.x]]))
    return bool(free[site.y, site.x])


@pytest.mark.parametrize("name", WORLDS)
def test_a_map_keeps_its_promises(name: str) -> None:
    game_map = world(name)
    assert faults(game_map) == []
    assert len(game_map.places("start")) == 2
    assert {"gold", "stone", "wood"} >= {site.name for site in game_map.places("resource")}
    assert all(site.amount > 0 for site in game_map.sites)


@pytest.mark.long
@pytest.mark.parametrize(("name", "size"), list(product(WORLDS, [(49, 49), (64, 90), (97, 60), (129, 129)])), ids=str)
def test_many_maps_keep_their_promises(name: str, size: tuple[int, int]) -> None:
    for first in (0, 40):
        for players in (1, 2, 3):
            assert faults(world(name, *size, first=first, players=players)) == []


@pytest.mark.parametrize("name", WORLDS)
def test_without_players_there_is_nothing_of_theirs(name: str) -> None:
    game_map = generate(name, 65, seed=1, players=0)
    assert {site.kind for site in game_map.sites} <= {"bridge", "ford"}
    assert not letters(game_map, "=").any()
    assert game_map.notes == () and fairness_of(game_map) is None


@pytest.mark.parametrize("name", WORLDS)
def test_rivers_run_where_there_were_none(name: str) -> None:
    quiet: dict[str, Any] = {"players": 0, "forest": 0.0, "bridges": False}
    dry, wet = (generate(name, 97, seed=2, rivers=rivers, **quiet) for rivers in (0, 8))
    before, after = letters(dry, "W"), letters(wet, "W")
    assert (after | ~before).all(), "rivers leave the sea as it is"
    assert np.array_equal(dry.terrain[~after], wet.terrain[~after])
    new = labels(after & ~before, EIGHT)
    assert 1 <= new.max() <= 40
    sizes = np.bincount(new.ravel())[1:]
    assert sizes.max() >= 8, "a river is longer than a pond"


@pytest.mark.parametrize("name", [name for name in WORLDS if name not in ("canyon", "archipelago")])
def test_crossings_lead_over_water_from_land_to_land(name: str) -> None:
    game_map = generate(name, 129, seed=4, players=0, forest=0.0)  # woods may overgrow a shore
    crossings = labels(letters(game_map, "+~"), EIGHT)
    land = np.isfinite(movement_class("land").cost[game_map.terrain]) & (crossings == 0)
    for site in game_map.sites:
        assert chr(game_map.terrain[site.y, site.x]) == {"bridge": "+", "ford": "~"}[site.kind]
        cells = crossings == crossings[site.y, site.x]
        shore = labels(ndimage.binary_dilation(cells, EIGHT) & land, EIGHT)
        assert shore.max() >= 2, f"{site} has one shore"
        assert site.amount == pytest.approx(cells.sum()) or cells.sum() > site.amount
    listed = {int(crossings[site.y, site.x]) for site in game_map.sites}
    assert listed == set(range(1, crossings.max() + 1)), "every crossing is a site"


@pytest.mark.parametrize("name", [name for name in WORLDS if name != "archipelago"])
def test_roads_join_starts_and_towns(name: str) -> None:
    game_map = world(name)
    road = letters(game_map, "=+~")
    places = [*game_map.places("start"), *game_map.places("town")]
    for site in places:
        road[site.y, site.x] = True
    part = labels(road, EIGHT)
    assert len({int(part[site.y, site.x]) for site in places}) == 1
    assert letters(game_map, "=").any()
    assert not letters(world(name, roads=False), "=").any()


@pytest.mark.parametrize("woods", WOODS)
def test_as_much_of_the_fertile_ground_is_wood_as_is_asked_for(woods: str) -> None:
    """Closed woods of the first kind fill the share, open ones are their edges; the other kinds grow looser."""
    quiet: dict[str, Any] = {"players": 0, "rivers": 0, "bridges": False}
    fertile = letters(generate("plains", 97, seed=1, forest=0.0, **quiet), "G")
    before = 0.0
    for share in (0.2, 0.5, 0.8):
        wooded = generate("plains", 97, seed=1, forest=share, woods=woods, **quiet)
        closed, all_woods = (letters(wooded, which)[fertile].mean() for which in ("T", "Tf"))
        assert before < closed < share + 0.12
        assert 0.85 * share < all_woods < share + 0.25
        if woods == "species":
            assert closed == pytest.approx(share, abs=0.1)
        before = float(closed)


@pytest.mark.parametrize("woods", WOODS)
def test_woods_part_nothing_but_small_clearings(woods: str) -> None:
    bare, wooded = (generate("plains", 65, seed=2, players=0, forest=f, woods=woods) for f in (0.0, 0.5))
    trees = letters(wooded, "Tf")
    assert trees.mean() > 0.1
    assert np.array_equal(bare.terrain[~trees], wooded.terrain[~trees]), "woods change nothing but where they are"
    free, was_free = (np.isfinite(movement_class("land").cost[m.terrain]) for m in (wooded, bare))
    whole, pieces = labels(was_free), labels(free)
    for part in range(1, whole.max() + 1):
        assert (np.bincount(pieces[(whole == part) & free], minlength=2)[1:] >= 12).sum() <= 1
    assert faults(world("plains", woods=woods)) == []


@pytest.mark.parametrize("climate", list(CLIMATES))
@pytest.mark.parametrize("name", ["continent", "plains"])
def test_climates(name: str, climate: str) -> None:
    game_map = generate(name, 65, seed=3, players=0, rivers=0, climate=climate, forest=0.0)
    frozen, hot = (letters(game_map, which).sum() for which in ("it", "dj"))
    assert {"cold": frozen > 100 and hot == 0, "hot": hot > 100 and frozen == 0}.get(climate, True)
    if climate == "zones":
        half = game_map.height // 2
        assert letters(game_map, "it")[:half].sum() > letters(game_map, "it")[half:].sum()
        assert letters(game_map, "dj")[:half].sum() <= letters(game_map, "dj")[half:].sum()
    if climate == "painted":
        assert frozen + hot == 0
    assert faults(world(name, climate=climate)) == []


@pytest.mark.parametrize("name", ["island", "plains", "continent"])
def test_barriers_leave_the_starts_connected_and_have_passes(name: str) -> None:
    game_map = world(name, barriers=True)
    assert faults(game_map) == []
    passes = game_map.places("pass")
    assert passes
    free = np.isfinite(prices(game_map))
    part = labels(free)
    start = game_map.places("start")[0]
    assert {int(part[site.y, site.x]) for site in passes} == {int(part[start.y, start.x])}
    assert world(name).places("pass") == ()


def test_units_of_the_source_stand_where_they_can() -> None:
    game_map = generate("island", 65, seed=1, players=0, units=True)
    assert [site.name for site in game_map.places("unit")] == ["ship", "land unit"]
    assert faults(game_map) == []


def test_even_woods_fell_trees_and_say_so() -> None:
    plain, even = (world("plains", first=5, even_woods=felled) for felled in (False, True))
    assert faults(even) == []
    assert plain.recipe is not None and even.recipe is not None and plain.recipe.seed == even.recipe.seed
    felled = [note for note in even.notes if note.startswith("felled ")]
    assert len(felled) == 1 and int(felled[0].split()[1]) > 0
    assert letters(even, "T").sum() < letters(plain, "T").sum()
    assert letters(even, "Tf")[letters(plain, "G,")].mean() < 0.02, "none are planted"


def ways(cost: NDArray[np.float64], cells: list[tuple[int, int]]) -> NDArray[np.float64]:
    """float64[k, height, width]: the walk from each cell, by SciPy: no corners are cut, a step costs what it enters."""
    height, width = cost.shape
    free = np.isfinite(cost)
    rows, columns, weights = [], [], []
    for dx, dy in product((-1, 0, 1), repeat=2):
        if not (dx or dy):
            continue
        y, x = np.nonzero(free)
        to_x, to_y = x + dx, y + dy
        inside = (to_x >= 0) & (to_x < width) & (to_y >= 0) & (to_y < height)
        x, y, to_x, to_y = x[inside], y[inside], to_x[inside], to_y[inside]
        open_way = free[to_y, to_x] & free[y, to_x] & free[to_y, x]
        x, y, to_x, to_y = x[open_way], y[open_way], to_x[open_way], to_y[open_way]
        rows.append(y * width + x)
        columns.append(to_y * width + to_x)
        weights.append(np.hypot(dx, dy) * cost[to_y, to_x])
    graph = csr_matrix(
        (np.concatenate(weights), (np.concatenate(rows), np.concatenate(columns))), shape=(cost.size, cost.size)
    )
    return dijkstra(graph, indices=[y * width + x for x, y in cells]).reshape(len(cells), height, width)


@pytest.mark.parametrize(
    ("name", "players"), [("island", 2), ("plains", 3), ("continent", 2), ("archipelago", 4), ("canyon", 2)]
)
def test_fairness_measured_by_other_means(name: str, players: int) -> None:
    game_map = world(name, players=players)
    fairness = fairness_of(game_map)
    assert fairness is not None and fairness.ok
    cells = [(site.x, site.y) for site in game_map.places("start")]
    field = ways(prices(game_map), cells)
    between = np.array([[field[a][y, x] for x, y in cells] for a in range(players)])
    assert fairness.distances == pytest.approx(between)
    others = between[~np.eye(players, dtype=bool)].reshape(players, -1)
    assert fairness.criterion("nearest opponent").values == pytest.approx(others.min(axis=1))
    assert fairness.criterion("mean distance").values == pytest.approx(others.mean(axis=1))
    assert fairness.criterion("room").values == pytest.approx((field <= 12).sum(axis=(1, 2)))
    nearest = np.sort(field, axis=0)
    mine = [(field[a] == nearest[0]) & (nearest[1] >= 2 * nearest[0]) & np.isfinite(nearest[0]) for a in range(players)]
    assert fairness.criterion("control").values == pytest.approx([cells.sum() for cells in mine])
    for kind in {site.name for site in game_map.places("resource")}:
        stock = np.zeros(players)
        for site in game_map.places("resource"):
            way = field[:, site.y, site.x]
            if site.name == kind and np.sort(way)[1] > 1.25 * way.min():
                stock[way.argmin()] += site.amount
        assert fairness.criterion(f"amount of {kind}").values == pytest.approx(stock)
    three = np.sort([[field[a][s.y, s.x] for s in game_map.places("resource")] for a in range(players)], axis=1)[:, :3]
    assert fairness.criterion("way to resources").values == pytest.approx(three.mean(axis=1))
    for one in fairness.criteria:
        assert one.spread == pytest.approx(np.ptp(one.values) / one.values.mean())


def test_a_map_of_one_kind_of_seed_is_the_same_for_ever_and_others_differ() -> None:
    one, again, other = (generate("continent", 49, seed=seed, players=0) for seed in (5, 5, 6))
    assert np.array_equal(one.terrain, again.terrain) and one.sites == again.sites
    assert not np.array_equal(one.terrain, other.terrain)


def test_a_crossing_under_a_barrier_is_none() -> None:
    values = {"roughness": 0.071, "rain": 0.00126, "forest": 0.0155, "resources": False, "roads": False}
    maps = [generate("plains", 17, 61, seed=149, players=4, barriers=b, units=True, **values) for b in (False, True)]
    bare, barred = ([site for site in game_map.sites if site.kind in ("bridge", "ford")] for game_map in maps)
    assert len(barred) < len(bare)
    assert all(chr(maps[1].terrain[site.y, site.x]) in "+~" for site in barred)

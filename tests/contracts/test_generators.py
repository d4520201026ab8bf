"""Every row of the table of generators keeps its promises, and its maps are fit for every method that plans."""

import math
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
import test_methods
from contract_cases import RULES, groups, model, obeys
from generator_cases import (
    LETTERS,
    SAME_FOR_ALL_SEEDS,
    attempt,
    digest,
    drawn,
    ends,
    everything,
    map_faults,
    own_parameters,
    recipe_of,
    settings,
    sizes,
    small,
)
from test_methods import check_search

from anabasis.errors import InputError
from anabasis.gamemap import GameMap, Recipe
from anabasis.generators import FAMILIES, GENERATORS, Generator, Parameter, generate, make_again
from anabasis.grid import Grid
from anabasis.io.maps import save_grid
from anabasis.io.recipe import load_recipe
from anabasis.methods import METHODS
from anabasis.metrics.paths import group_faults
from anabasis.movement import TERRAIN_LETTERS
from anabasis.noun import state_hash
from anabasis.result import Result, Status

HERE = Path(__file__).parent
ROWS = [pytest.param(row, id=row.name) for row in GENERATORS]
WORLDS = [pytest.param(row, id=row.name) for row in GENERATORS if row.family == "world"]
SEARCH = [row for row in METHODS if row.family == "search" and "grid" in row.spaces]
GROUP = [row for row in METHODS if row.family == "group"]
ONLY_REFUSE = {"tolerance"}  # parameters that refuse maps and change none
SLOW = {"generations", "population"}  # the time of a map grows with them
NEEDS: dict[str, dict[str, object]] = {  # what else is to be asked for, so that a parameter matters
    "connected": {"share": 0.45},
    "roughness": {"octaves": 2},
    "lacunarity": {"octaves": 2},
    "bands": {"palette": "hot"},
    "cut": {"palette": "temperate"},
    "meanders": {"rivers": 9, "climate": "painted"},
}


def made(row: Generator, width: int = 26, height: int = 22, *, seed: int = 5, **values: object) -> GameMap:
    """A small map that has to be possible."""
    return generate(row.name, width, height, seed=seed, **small(row) | values)


def test_the_table_itself() -> None:
    assert len({row.name for row in GENERATORS}) == len(GENERATORS) > 20
    assert all(set(letters) <= set(TERRAIN_LETTERS) for letters in LETTERS.values())
    for row in GENERATORS:
        assert row.family in FAMILIES
        assert row.summary and row.source
        assert row.least >= 1 and row.version >= 1
        names = [parameter.name for parameter in row.parameters]
        assert len(set(names)) == len(names)
        assert {name for name, _ in row.bare} <= set(names)
        assert not {name for name, _ in row.fixed} & set(names)
        for parameter in row.parameters:
            assert parameter.summary, f"{row.name}: {parameter.name}"
            assert parameter.check(parameter.default, row.name) == parameter.default
            assert (parameter.low is None) == (parameter.high is None)


@pytest.mark.parametrize("row", ROWS)
def test_maps_are_whole_and_the_same_for_the_same_seed(row: Generator) -> None:
    first, again, other = made(row), made(row), made(row, seed=2**63 - 1)
    assert map_faults(first, row, 26, 22) == []
    assert map_faults(other, row, 26, 22) == []
    assert state_hash(first) == state_hash(again)
    same = np.array_equal(first.terrain, other.terrain) and np.array_equal(first.heights, other.heights)
    assert same == (row.name in SAME_FOR_ALL_SEEDS)


@pytest.mark.parametrize("row", ROWS)
def test_any_size_is_made_or_refused_with_advice(row: Generator) -> None:
    for width, height in sizes(row):
        attempt(row, width, height, seed=3)
        attempt(row, width, height, seed=4, **dict(row.bare))
    if row.least > 1:
        with pytest.raises(InputError, match=f"width of {row.name}; found {row.least - 1}; expected .* {row.least} "):
            generate(row.name, row.least - 1, 40)
    for wrong in (0, -1, 2**15, 2.5, math.nan, "wide"):
        with pytest.raises(InputError, match=f"height of {row.name}"):
            generate(row.name, 40, wrong)  # pyright: ignore[reportArgumentType]


def check_ends(row: Generator, parameters: Iterable[Parameter]) -> None:
    """Ask for each parameter at its ends, beside others by default and beside others that leave room."""
    for values in settings(parameters):
        if row.family != "world":
            attempt(row, 26, 22, seed=3, **values)
        attempt(row, 26, 22, seed=3, **small(row) | values)


@pytest.mark.parametrize("row", ROWS)
def test_parameters_at_their_ends_are_taken_or_refused_with_advice(row: Generator) -> None:
    check_ends(row, own_parameters(row))


@pytest.mark.long
@pytest.mark.parametrize("row", WORLDS)
def test_parameters_of_all_worlds_at_their_ends(row: Generator) -> None:
    check_ends(row, row.parameters)
    check_matters(row, row.parameters)
    for players in range(2, 17):
        attempt(row, 26 + players, 22 + players, seed=players, players=players)


@pytest.mark.parametrize("row", ROWS)
def test_every_choice_makes_a_map(row: Generator) -> None:
    for parameter in own_parameters(row):
        if parameter.choices or isinstance(parameter.default, bool):
            for choice in ends(parameter):
                assert map_faults(made(row, **{parameter.name: choice}), row, 26, 22) == []


def check_matters(row: Generator, parameters: Iterable[Parameter]) -> None:
    """Look for a value of each parameter that makes another map of the same seed."""
    ample, known = everything(row) if row.family == "world" else small(row), {p.name for p in row.parameters}
    for parameter in parameters:
        if parameter.name in ONLY_REFUSE:
            continue
        base = {name: value for name, value in (ample | NEEDS.get(parameter.name, {})).items() if name in known}
        for width, height in ((40, 34), (96, 72), (160, 120)):
            before = _map_or_none(row, width, height, base)
            others = (_map_or_none(row, width, height, base | {parameter.name: v}) for v in _nearby(parameter, base))
            if before is not None and any(other is not None and _differ(before, other) for other in others):
                break
        else:
            pytest.fail(f"{parameter.name} changes nothing")


@pytest.mark.parametrize("row", ROWS)
def test_every_parameter_matters(row: Generator) -> None:
    check_matters(row, own_parameters(row))


def _nearby(parameter: Parameter, base: dict[str, object]) -> Iterator[object]:
    """Other values than the one given: choices, ends, and numbers a little off."""
    yield from ends(parameter)
    if parameter.name == "movement":
        yield from ("amphibious", "land")
    if parameter.name == "palette":
        yield from ("hot", "W40 G80 ^")
    now = base.get(parameter.name, parameter.default)
    if isinstance(now, bool) or not isinstance(now, (int, float)):
        return
    for value in (now + 1, now + 2, now * 2, now / 2, now * 0.75, now - 1):
        if parameter.low is None or parameter.high is None or parameter.low <= value <= parameter.high:
            yield int(value) if isinstance(parameter.default, int) else value


def _map_or_none(row: Generator, width: int, height: int, values: dict[str, object]) -> GameMap | None:
    try:
        return generate(row.name, width, height, seed=5, **values)
    except InputError:
        return None


def _differ(one: GameMap, other: GameMap) -> bool:
    return not (np.array_equal(one.terrain, other.terrain) and np.array_equal(one.heights, other.heights)) or (
        one.sites != other.sites
    )


@pytest.mark.parametrize("row", ROWS)
@pytest.mark.parametrize("suffix", [".map", ".npz", ".txt", ".png"])
def test_a_map_is_made_again_from_its_file(row: Generator, suffix: str, tmp_path: Path) -> None:
    game_map = made(row, seed=2**62 + 3)
    save_grid(game_map, tmp_path / f"a{suffix}")
    recipe = load_recipe(tmp_path / f"a{suffix}")
    assert recipe == game_map.recipe
    assert state_hash(make_again(recipe)) == state_hash(game_map)


@pytest.mark.parametrize("row", ROWS)
def test_another_version_is_refused(row: Generator) -> None:
    recipe = recipe_of(row, 26, 22, 1)
    with pytest.raises(InputError, match=f"another version of {row.name}; found version 99; expected version"):
        make_again(Recipe(recipe.generator, 26, 22, 1, recipe.parameters, 99))


@pytest.mark.parametrize("row", WORLDS)
def test_bare_land_has_nothing_on_it(row: Generator) -> None:
    bare = made(row, **dict[str, Any](row.bare))
    assert bare.sites == ()
    assert not set("T=+~") & set(bare.terrain.tobytes().decode())
    assert np.array_equal(bare.heights, made(row).heights), "what is on the land leaves its lie alone"


@pytest.mark.parametrize("row", WORLDS)
def test_worlds_refuse_movement_that_nobody_knows(row: Generator) -> None:
    with pytest.raises(InputError, match="unknown movement class"):
        made(row, movement="flying")


@pytest.mark.parametrize("row", WORLDS)
def test_starts_can_reach_each_other(row: Generator) -> None:
    maps = 0
    for players, seed in ((2, 1), (3, 2), (2, 3)):
        game_map = attempt(row, 52, 44, seed=seed, players=players, tolerance=1.0)
        if game_map is None:
            continue
        maps += 1
        grid = game_map.grid(str(game_map.recipe.parameters["movement"])) if game_map.recipe else game_map.grid()
        cells = [grid.vertex(site.x, site.y) for site in game_map.places("start")]
        assert len(set(cells)) == players
        reach = nx.node_connected_component(model(grid).to_undirected(), cells[0])
        assert set(cells) <= reach
    assert maps > 0


def _digest_elsewhere(folder: Path, *words: str, **environment: str) -> str:
    command = [sys.executable, "-W", "error", str(HERE / "generator_cases.py"), *words]
    run = subprocess.run(
        command, cwd=folder, env={**os.environ, **environment}, capture_output=True, text=True, timeout=600, check=False
    )
    assert run.returncode == 0, run.stderr
    return run.stdout.strip()


def test_maps_are_the_same_under_other_hashes_in_another_folder(tmp_path: Path) -> None:
    elsewhere = _digest_elsewhere(tmp_path, "populated", PYTHONHASHSEED="4321", LC_ALL="C", TZ="Asia/Tokyo")
    assert elsewhere == digest(populated=True)


@pytest.mark.long
def test_maps_are_the_same_without_compiled_kernels(tmp_path: Path) -> None:
    assert _digest_elsewhere(tmp_path, NUMBA_DISABLE_JIT="1") == digest(populated=False)


@pytest.mark.long
def test_maps_with_players_are_the_same_without_compiled_kernels(tmp_path: Path) -> None:
    assert _digest_elsewhere(tmp_path, "populated", NUMBA_DISABLE_JIT="1") == digest(populated=True)


def views(row: Generator, game_map: GameMap) -> Iterator[Grid]:
    """A map as units on land see it, a world also as ships and units that swim do."""
    for movement in ("land", "water", "amphibious") if row.family == "world" else ("land",):
        grid = game_map.grid(movement)
        if grid.free.sum() > 1:
            yield grid


def check_searches(row: Generator, game_map: GameMap, rules: list[tuple[int, str]], seed: int) -> int:
    """Put every search to every rule on a map, with prices where it takes them; return how many ways there were."""
    rng, ways = np.random.default_rng(seed), 0
    for grid in views(row, game_map):
        flat = Grid.from_free(grid.free)
        for method in SEARCH:
            for n, c in rules:
                if not obeys(method, n, c):
                    continue
                start, goal = rng.choice(np.flatnonzero(grid.free), 2).tolist()
                if not method.priced and not grid.uniform:
                    with pytest.raises(InputError):
                        method.load()(grid, start, goal, neighbours=n, corners=c)
                try:
                    space = grid if method.priced else flat
                    ways += check_search(method, space, start, goal, neighbours=n, corners=c)
                except AssertionError as error:
                    error.add_note(f"{method.name} from {start} to {goal}, {n} neighbours, corners {c}")
                    raise
    return ways


@pytest.fixture
def _models_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the oracle's graph of a map: it is asked for again for every method."""
    kept: dict[object, nx.DiGraph] = {}

    def model_once(space: Grid, **rule: object) -> nx.DiGraph:
        key = (space.cost.tobytes(), space.cost.shape, *sorted(rule.items()))
        if key not in kept:
            kept[key] = model(space, **rule)  # pyright: ignore[reportArgumentType]
        return kept[key]

    monkeypatch.setattr(test_methods, "model", model_once)


@pytest.mark.usefixtures("_models_once")
@pytest.mark.parametrize("row", ROWS)
def test_every_search_plans_on_the_maps(row: Generator) -> None:
    assert check_searches(row, made(row, 24, 20), [(8, "strict"), (4, "none")], seed=1) > 0


def check_groups(row: Generator, game_map: GameMap, seed: int) -> int:
    """Have every group method plan on a map; return how many plans there were."""
    rng, solved = np.random.default_rng(seed), 0
    for grid in views(row, game_map):
        graph = model(grid).to_undirected()
        group = groups(grid, rng)
        reach = nx.node_connected_component(graph, grid.vertex(*group.target.cell))
        ways = [grid.vertex(x, y) in reach for x, y in np.floor(group.positions).astype(int).tolist()]
        for method in GROUP:
            result: Result = method.load()(grid, group, seed=1)
            if not any(ways):
                assert result.status is Status.NO_SOLUTION and result.reason, method.name
                continue
            assert result.status is Status.SOLVED or not method.complete, method.name
            if result.value is not None:
                assert group_faults(grid, group, result.value) == [], method.name
                assert (result.value.route >= 0).tolist() == ways, method.name
                solved += 1
    return solved


@pytest.mark.parametrize("row", ROWS)
def test_every_group_method_plans_on_the_maps(row: Generator) -> None:
    game_map = made(row, 24, 20)
    assert sum(check_groups(row, game_map, seed) for seed in range(3)) > 0


@pytest.mark.long
@pytest.mark.usefixtures("_models_once")
@pytest.mark.parametrize("row", ROWS)
def test_every_search_and_group_plans_on_many_maps(row: Generator) -> None:
    solved = 0
    for seed in range(6):
        game_map = made(row, 28 - seed, 20 + 2 * seed, seed=seed)
        solved += check_searches(row, game_map, RULES, seed) + check_groups(row, game_map, seed)
    assert solved > 100


@pytest.mark.long
@pytest.mark.parametrize("row", ROWS)
def test_any_parameters_make_a_map_or_are_refused_with_advice(row: Generator) -> None:
    rng, maps = np.random.default_rng(17), 0
    for seed in range(150):
        width, height = (row.least + int(64 * rng.random() ** 2) for _ in range(2))
        values = {p.name: drawn(p, rng) for p in row.parameters if rng.random() < 0.4 and p.name not in SLOW}
        game_map = attempt(row, width, height, seed=seed, **values)
        maps += game_map is not None
        if game_map is not None and seed % 5 == 0:
            assert state_hash(game_map) == state_hash(generate(row.name, width, height, seed=seed, **values))
    assert maps > 30

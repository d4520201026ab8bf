"""Writes the hashes of golden maps to `tests/golden/golden_maps.tsv`: python tests/golden/make_golden_maps.py

To be run when a generator is added, or when one is meant to make other maps than before: raise its version then.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from anabasis.errors import InputError
from anabasis.gamemap import GameMap, Recipe
from anabasis.generators import GENERATORS, Generator, generate, generator
from anabasis.noun import state_hash

GOLDEN = Path(__file__).parent / "golden_maps.tsv"
HEADER = "generator\tversion\twidth\theight\tseed\tsettings\thash"

Settings = dict[str, str]

FEW: dict[str, Settings] = {
    "obstacles": {"share": "0.4", "most": "4"},
    "rooms": {"pitch": "9", "door": "2", "extra": "0.2"},
    "room-partition": {"least": "4", "most": "12", "extra": "0.5"},
    "maze": {"algorithm": "wilson", "corridor": "2", "loops": "0.5"},
    "caves": {"share": "0.45", "join": "largest"},
    "warehouse": {"shelf_length": "5", "aisle": "2", "missing": "0.2"},
    "halls": {"count": "4", "widths": "2,3", "funnel": "2"},
    "diamond-square": {"amplitude": "225", "arithmetic": "wrap", "interleaved": "true"},
    "midpoint-displacement": {"schedule": "compounding", "seamless": "true"},
    "value-noise": {"scale": "24", "kind": "billow", "octaves": "4"},
    "gradient-noise": {"scale": "32", "kind": "ridged", "warp": "8"},
    "simplex-noise": {"scale": "20", "octaves": "3", "roughness": "0.6"},
    "worley-noise": {"scale": "16", "nearest": "2", "combine": "difference", "distance": "manhattan"},
    "hills": {"largest": "0.2", "roughness": "0.8", "seamless": "true"},
    "genetic-terrain": {"water": "0.6", "lands": "5", "generations": "12"},
}
LIFE: dict[str, Settings] = {
    "island": {"woods": "ecosystem", "barriers": "true", "arithmetic": "clamp"},
    "central-lake": {"players": "2", "climate": "zones", "even_woods": "true"},
    "random": {"players": "2", "woods": "protection-zone", "units": "true"},
    "continent": {"players": "3", "woods": "jittered-grid", "climate": "cold"},
    "archipelago": {"players": "3", "climate": "hot", "islands": "0.4"},
    "river-valley": {"winding": "0.4", "towns": "6", "meanders": "false"},
    "mountain-pass": {"passes": "3", "movement": "amphibious"},
    "canyon": {"steps": "3", "rivers": "4", "roads": "false"},
    "plains": {"players": "6", "water": "0.1", "resources": "false"},
}
LIVELY = {"tolerance": "0.6"}


@dataclass(frozen=True)
class Wish:
    """A map to be made; the seed is the first from `seed` on that makes one."""

    generator: str
    width: int
    height: int
    seed: int
    settings: Settings


def wishes() -> Iterator[Wish]:
    """Give the golden maps: of each generator square by default and oblong with parameters, and some more."""
    for row in GENERATORS:
        if row.family == "world":
            bare = {name: str(value).lower() for name, value in row.bare}
            yield Wish(row.name, 97, 97, 1, {})
            yield Wish(row.name, 121, 80, 2**40, LIVELY | LIFE.get(row.name, {}))
            yield Wish(row.name, 50, 70, 2**63 - 9, bare)
        else:
            yield Wish(row.name, 65, 65, 1, {})
            yield Wish(row.name, 90, 47, 2**63 - 9, FEW.get(row.name, {}))
    yield from (Wish("maze", 41, 33, 7, {"algorithm": choice}) for choice in choices("maze", "algorithm"))
    yield from (Wish("caves", 60, 44, 7, {"join": choice}) for choice in choices("caves", "join"))
    yield Wish("warehouse", 80, 60, 7, {"wall": "0", "missing": "0.5"})
    yield Wish("gradient-noise", 1, 300, 7, {})


def choices(name: str, parameter: str) -> tuple[str, ...]:
    """The choices of a parameter."""
    return next(p.choices for p in generator(name).parameters if p.name == parameter)


def land_hash(game_map: GameMap) -> str:
    """The hash of all but the recipe, which gets further parameters as the generator does."""
    return state_hash(replace(game_map, recipe=None))


def line_of(wish: Wish, seed: int, version: int, found: str) -> str:
    """One line of the file."""
    settings = " ".join(f"{name}={value}" for name, value in sorted(wish.settings.items()))
    return "\t".join(map(str, (wish.generator, version, wish.width, wish.height, seed, settings, found)))


def read() -> list[tuple[Recipe, str]]:
    """Return the recipes of the file, with all parameters, and the hashes of their maps."""
    lines = GOLDEN.read_text(encoding="utf-8").splitlines()
    golden: list[tuple[Recipe, str]] = []
    for line in lines[1:]:
        name, version, width, height, seed, settings, found = line.split("\t")
        values = generator(name).values(dict(setting.split("=", 1) for setting in settings.split()))
        golden.append((Recipe(name, int(width), int(height), int(seed), values, int(version)), found))
    return golden


def made(wish: Wish) -> str:
    """Make a golden map and return its line; raises InputError if none of twenty seeds makes one."""
    row: Generator = generator(wish.generator)
    for seed in range(wish.seed, wish.seed + 19):
        try:
            game_map = generate(row.name, wish.width, wish.height, seed=seed % 2**63, **wish.settings)
        except InputError:
            continue
        return line_of(wish, seed % 2**63, row.version, land_hash(game_map))
    generate(row.name, wish.width, wish.height, seed=wish.seed, **wish.settings)
    raise AssertionError


if __name__ == "__main__":
    GOLDEN.write_text("\n".join([HEADER, *map(made, wishes())]) + "\n", encoding="utf-8")
    print(f"{len(read())} maps: {GOLDEN}")

"""The same recipe gives the same map for ever: hashes of golden maps, made by one worker and by several.

A hash that differs means that a change has altered what old recipes make. If that is meant, raise the version of the
generator in `src/anabasis/generators.py` and run `python tests/golden/make_golden_maps.py`.
"""

from collections import Counter

import pytest
from make_golden_maps import land_hash, read

from anabasis.gamemap import GameMap
from anabasis.generators import GENERATORS
from anabasis.lab.sheets import make_all

GOLDEN = read()


def test_there_are_golden_maps_of_every_generator() -> None:
    assert len(GOLDEN) >= 40
    assert len({found for _, found in GOLDEN}) == len(GOLDEN), "no two are the same"
    defaults = {row.name: row.values({}) for row in GENERATORS}
    plain = Counter(recipe.generator for recipe, _ in GOLDEN if recipe.parameters == defaults[recipe.generator])
    varied = Counter(recipe.generator for recipe, _ in GOLDEN if recipe.parameters != defaults[recipe.generator])
    assert set(plain) == set(varied) == set(defaults)
    assert {recipe.generator for recipe, _ in GOLDEN if recipe.width != recipe.height} == set(defaults)
    versions = {row.name: row.version for row in GENERATORS}
    assert [recipe.generator for recipe, _ in GOLDEN if recipe.version != versions[recipe.generator]] == []


@pytest.mark.parametrize("workers", [2, *(pytest.param(n, marks=pytest.mark.long) for n in (1, 4))])
def test_golden_maps_are_the_same_with_any_number_of_workers(workers: int) -> None:
    maps = make_all([recipe for recipe, _ in GOLDEN], workers=workers)
    wrong = [
        f"{recipe.generator} {recipe.width}x{recipe.height} seed {recipe.seed}"
        for (recipe, found), game_map in zip(GOLDEN, maps, strict=True)
        if not isinstance(game_map, GameMap) or land_hash(game_map) != found
    ]
    assert wrong == [], "another map than before, see above how to mean it"

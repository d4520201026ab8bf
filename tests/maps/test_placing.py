"""Units stand in the largest part of the map for their class, anywhere in it, and never on one another."""

from collections import Counter

import numpy as np
import pytest
from scipy.ndimage import label

from anabasis import Grid, InputError, generate
from anabasis.maps.worlds.placing import place_units
from anabasis.movement import movement_class

LAND = Grid.from_text("WWWG.\nWW^GG\nG^W.G\n,,WWG").terrain


def test_the_source_s_two_units_stand_in_their_largest_parts() -> None:
    ship, unit = place_units(LAND, seed=3)
    assert (ship.kind, ship.name, unit.name) == ("unit", "ship", "land unit")
    for site, movement in ((ship, "water"), (unit, "land")):
        parts, _ = label(np.isfinite(movement_class(movement).cost[LAND]))
        sizes = np.bincount(parts[parts > 0])
        assert sizes[parts[site.y, site.x]] == sizes.max() and parts[site.y, site.x]


def test_every_cell_of_the_part_is_as_likely() -> None:
    found = Counter(
        (site.x, site.y) for seed in range(1400) for site in place_units(LAND, seed=seed) if site.name == "ship"
    )
    assert len(found) == 5 and min(found.values()) > 200
    assert place_units(LAND, seed=9) == place_units(LAND, seed=9)


def test_no_two_units_share_a_cell() -> None:
    crowd = {f"unit {k}": "land" for k in range(8)}
    sites = place_units(LAND, seed=1, units=crowd)
    assert len({(site.x, site.y) for site in sites}) == len(sites) == 7, "the largest part of the land has seven cells"


def test_a_class_without_ground_has_no_unit() -> None:
    assert [site.name for site in place_units(Grid.from_text("G.").terrain, seed=0)] == ["land unit"]
    with pytest.raises(InputError, match="unknown movement class"):
        place_units(LAND, seed=0, units={"bird": "air"})


def test_presets_place_them_on_request() -> None:
    names = [site.name for site in generate("island", 65, seed=2, units=True, players=0).places("unit")]
    assert names == ["ship", "land unit"]

"""Maps joined for a movement class: SciPy's labels see one part, the changes are all and only what is recorded."""

import numpy as np
import pytest
from player_worlds import SHIP, WALKER, land, part_count
from scipy import ndimage

from anabasis import InputError
from anabasis.maps.players.connectivity import clear_ground, connect
from anabasis.movement import MOVEMENT_CLASSES, MovementClass

CLASSES = (WALKER, SHIP, *MOVEMENT_CLASSES.values(), MovementClass.of("swimmer", {"W": 1.0}))


def text(*rows):
    return np.array([[ord(letter) for letter in row] for row in rows], np.uint8)


def drawn(terrain):
    return ["".join(map(chr, row)) for row in terrain]


def replayed(terrain, connected):
    """Whether exactly the recorded cells have changed."""
    cells = np.zeros(terrain.shape, bool)
    for change in connected.changes:
        assert len(change.cells)
        cells[change.cells[:, 1], change.cells[:, 0]] = True
    return np.array_equal(cells, terrain != connected.terrain)


@pytest.mark.parametrize("unit", CLASSES, ids=lambda unit: unit.name)
def test_one_part_is_left_for_every_class(unit):
    for seed in range(8):
        terrain = land(50, 70, seed, water=0.5, cells=6)
        before = terrain.copy()
        assert part_count(np.isfinite(unit.cost[terrain])) != 1
        made = connect(terrain, unit, pockets="fill")
        assert part_count(np.isfinite(unit.cost[made.terrain])) == 1
        assert replayed(terrain, made)
        assert np.array_equal(terrain, before)


def test_all_large_parts_are_joined_and_small_ones_left():
    for seed in range(20):
        terrain = land(60, 60, seed, water=0.55, cells=6)
        made = connect(terrain, WALKER, least_part=20)
        label, _ = ndimage.label(np.isfinite(WALKER.cost[made.terrain]))
        sizes = np.bincount(label.reshape(-1))[1:]
        assert (np.sort(sizes)[:-1] < 20).all()
        joined = connect(made.terrain, WALKER, least_part=20)
        assert joined.changes == ()
        assert np.array_equal(joined.terrain, made.terrain)


def test_places_are_joined_wherever_they_are():
    rng = np.random.default_rng(0)
    for seed in range(20):
        terrain = land(40, 60, seed, water=0.6, cells=6)
        places = np.stack((rng.integers(0, 60, 5), rng.integers(0, 40, 5)), axis=1)
        made = connect(terrain, WALKER, places=places)
        label, _ = ndimage.label(np.isfinite(WALKER.cost[made.terrain]))
        assert len(set(label[places[:, 1], places[:, 0]].tolist()) - {0}) == 1
        assert (label[places[:, 1], places[:, 0]] > 0).all()


def test_no_cheaper_change_joins_two_parts():
    """Against brute force: of two parts across a strait the narrowest place is bridged."""
    rng = np.random.default_rng(3)
    for _ in range(30):
        terrain = np.full((12, 25), ord("W"), np.uint8)
        left, right = rng.integers(3, 10, 12), rng.integers(13, 22, 12)
        for y in range(12):
            terrain[y, : left[y]] = terrain[y, right[y] :] = ord(".")
        made = connect(terrain, WALKER, least_part=1)
        cells = sum(len(change.cells) for change in made.changes)
        gaps = abs(np.subtract.outer(np.arange(12), np.arange(12)))
        wanted = (np.maximum(right[None, :] - left[:, None], 0) + gaps).min()
        assert cells == wanted


def test_what_water_rock_and_trees_become():
    assert drawn(connect(text("..WW..", "^^^^^^"), WALKER, least_part=1).terrain) == ["..~~..", "^^^^^^"]
    assert drawn(connect(text("..WWW.."), WALKER, least_part=1).terrain) == ["..+++.."]
    assert drawn(connect(text(".*^.T.@."), WALKER, least_part=1).terrain) == [".hh.f..."]
    assert drawn(connect(text("W.W,^W~W"), SHIP, least_part=1).terrain) == ["WWWWWW+W"]
    made = connect(text("..WWW..TT."), WALKER, least_part=1)
    assert [(change.kind, len(change.cells)) for change in made.changes] == [("clearing", 2), ("bridge", 3)]
    assert made.changes[1].why == "joins 2 cells to 2"
    wheels = MovementClass.of("wheels", {"G": 1.0})
    assert drawn(connect(text("GWWG^G"), wheels, least_part=1).terrain) == ["GGGGGG"]
    odd = MovementClass.of("odd", {"x": 1.0})
    assert drawn(connect(text("x.x"), odd, least_part=1).terrain) == ["xxx"]


def test_trees_are_felled_before_rock_is_cut():
    terrain = text(".^.", "@T@", ".^.", "@@@")
    made = connect(text(".T.", ".^."), WALKER, places=[[0, 0], [2, 0]])
    assert drawn(made.terrain) == [".f.", ".^."]
    assert part_count(np.isfinite(WALKER.cost[connect(terrain, WALKER, least_part=1).terrain])) == 1


def test_broad_ways_are_broad():
    terrain = np.full((9, 20), ord("."), np.uint8)
    terrain[:, 8:12] = ord("W")
    for breadth in (1, 2, 3):
        made = connect(terrain, WALKER, breadth=breadth).terrain
        assert (made[:, 8:12] == ord("+")).sum(axis=0).tolist() == [breadth] * 4


def test_pockets_become_what_is_around_them():
    terrain = text("WWWWWWWW", "W.WW....", "WWWW....", "T^^^....", "^..^....", "^^^^....")
    made = connect(terrain, WALKER, pockets="fill", least_part=10)
    assert drawn(made.terrain) == ["WWWWWWWW", "WWWW....", "WWWW....", "T^^^....", "^^^^....", "^^^^...."]
    assert [change.kind for change in made.changes] == ["filling", "filling"]
    assert made.changes[1].why == "2 cells that no way leads to"
    assert connect(terrain, WALKER, least_part=10).changes == ()


def test_clear_ground_opens_discs_and_nothing_else():
    terrain = land(40, 40, 2, water=0.5)
    made = clear_ground(terrain, [[5, 5], [39, 0]], 4, WALKER)
    y, x = np.mgrid[:40, :40]
    disc = ((x - 5) ** 2 + (y - 5) ** 2 <= 16) | ((x - 39) ** 2 + y**2 <= 16)
    assert np.isfinite(WALKER.cost[made.terrain])[disc].all()
    assert np.array_equal(made.terrain[~disc], terrain[~disc])
    assert replayed(terrain, made)
    assert {change.kind for change in made.changes} <= {"start"}
    assert chr(clear_ground(text("^"), [[0, 0]], 1, SHIP).terrain[0, 0]) == "W"


def test_turned_maps_take_as_much_change():
    for seed in range(5):
        terrain = land(40, 40, seed, water=0.5, cells=5)

        def price(turn, terrain=terrain):
            return sum(len(change.cells) for change in connect(turn(terrain), WALKER).changes)

        assert len({price(np.ascontiguousarray), price(np.fliplr), price(np.flipud)}) <= 2
        assert abs(price(np.ascontiguousarray) - price(np.transpose)) <= 3


def test_wrong_options_are_refused():
    terrain = text("..W.")
    with pytest.raises(InputError, match="pockets; found 'drain'; expected leave or fill"):
        connect(terrain, WALKER, pockets="drain")
    with pytest.raises(InputError, match="least_part; found 0"):
        connect(terrain, WALKER, least_part=0)
    with pytest.raises(
        InputError, match=r"a place is outside the map; found x=4 \(column\), y=0 \(row\); expected 4×1"
    ):
        connect(terrain, WALKER, places=[[4, 0]])
    with pytest.raises(InputError, match="movement class 'stone' can enter no letter"):
        connect(terrain, MovementClass.of("stone", {}), places=[[0, 0]])
    with pytest.raises(InputError, match="unknown movement class; found 'snail'"):
        connect(terrain, "snail")
    with pytest.raises(InputError, match="a map without cells"):
        connect(np.zeros((0, 0), np.uint8))
    with pytest.raises(InputError, match="radius"):
        clear_ground(terrain, [[0, 0]], -1)

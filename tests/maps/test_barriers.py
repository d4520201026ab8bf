"""Barriers: with their passes closed no land can be left, with them open all starts are joined as before."""

import numpy as np
import pytest
from player_worlds import WALKER, land
from scipy import ndimage

from anabasis import InputError
from anabasis.maps.players.barriers import barriers
from anabasis.maps.players.connectivity import connect
from anabasis.maps.players.distances import walk
from anabasis.maps.players.starts import starts


def made(seed, players=3, size=97, **options):
    terrain = connect(land(size, size, seed, water=0.15, rock=0.05), WALKER).terrain
    cells = starts(WALKER.cost[terrain], players, seed=seed).cells
    return terrain, cells, barriers(terrain, cells, movement=WALKER, **options)


def labels_of(free, cells):
    return ndimage.label(free)[0][cells[:, 1], cells[:, 0]]


@pytest.mark.parametrize(
    "options", [{}, {"letter": "T", "breadth": 1, "gap": 2}, {"breadth": 5, "gap": 6, "passes": 2}]
)
def test_starts_stay_joined_and_lands_are_parted(options):
    for seed in range(5):
        terrain, cells, found = made(seed, clear=4, **options)
        free = np.isfinite(WALKER.cost[found.terrain])
        labels = labels_of(free, cells)
        assert labels[0] > 0
        assert len(set(labels.tolist())) == 1
        assert np.array_equal(found.wall, found.terrain != terrain)
        assert (found.terrain[found.wall] == ord(options.get("letter", "^"))).all()
        for x, y in cells:
            rows, columns = np.ogrid[:97, :97]
            assert not found.wall[(rows - y) ** 2 + (columns - x) ** 2 <= 16].any()
        owner = walk(WALKER.cost[terrain], cells[:, 1] * 97 + cells[:, 0]).owner
        closed = free.copy()
        radius = (options.get("gap", 4) + options.get("breadth", 3) + 2) ** 2
        for x, y in found.passes:
            closed[(rows - y) ** 2 + (columns - x) ** 2 <= radius] = False
        label, count = ndimage.label(closed)
        for part in range(1, count + 1):
            assert len(set(owner[(label == part) & (owner >= 0)].tolist())) <= 1, "a way by no pass"


def test_each_pair_that_meets_has_a_pass():
    for seed in range(6):
        terrain, cells, found = made(seed, players=4, size=129)
        owner = walk(WALKER.cost[terrain], cells[:, 1] * 129 + cells[:, 0]).owner
        met = set()
        for a, b in ((owner[:, 1:], owner[:, :-1]), (owner[1:], owner[:-1])):
            touching = (a >= 0) & (b >= 0) & (a != b)
            met |= {(min(p, q), max(p, q)) for p, q in zip(a[touching].tolist(), b[touching].tolist(), strict=True)}
        assert met <= {tuple(pair) for pair in found.pairs.tolist()}
        assert len(found.passes) == len(found.pairs)
        free = np.isfinite(WALKER.cost[found.terrain])
        assert free[found.passes[:, 1], found.passes[:, 0]].all()


def test_passes_are_as_wide_as_asked():
    """On open ground the border is a straight line; the gap in it is what was asked, or one cell more or less."""
    terrain = np.full((41, 81), ord("."), np.uint8)
    for gap in (2, 4, 7):
        for breadth in (1, 3, 5):
            found = barriers(terrain, [[10, 20], [70, 20]], movement=WALKER, gap=gap, breadth=breadth)
            assert found.pairs.tolist() == [[0, 1]]
            assert found.passes[0, 1] == 20
            columns = np.flatnonzero(found.wall.any(axis=0))
            assert len(columns) == breadth
            widths = 41 - found.wall[:, columns].sum(axis=0)
            assert gap <= widths.min() <= gap + 1


def test_more_passes_are_apart():
    terrain = np.full((81, 81), ord("."), np.uint8)
    found = barriers(terrain, [[10, 40], [70, 40]], movement=WALKER, passes=3)
    assert found.pairs.tolist() == [[0, 1]] * 3
    y = np.sort(found.passes[:, 1])
    assert np.diff(y).min() > 20


def test_players_who_can_not_meet_need_no_pass():
    terrain = np.full((20, 41), ord("."), np.uint8)
    terrain[:, 20] = ord("W")
    found = barriers(terrain, [[5, 10], [35, 10]], movement=WALKER)
    assert not found.wall.any()
    assert found.passes.shape == (0, 2)
    alone = barriers(terrain, [[5, 10]], movement=WALKER)
    assert np.array_equal(alone.terrain, terrain)


def test_the_same_map_gives_the_same_barriers():
    one, again = made(2)[2], made(2)[2]
    assert np.array_equal(one.terrain, again.terrain)
    assert np.array_equal(one.passes, again.passes)


def test_wrong_options_are_refused():
    terrain = np.full((9, 9), ord("."), np.uint8)
    for letter in (".", "", "^^", "é"):
        with pytest.raises(
            InputError, match=r"letter of a barrier; found .*; expected a terrain that walker can't enter"
        ):
            barriers(terrain, [[4, 4]], movement=WALKER, letter=letter)
    with pytest.raises(InputError, match="starts: a cell is outside the map"):
        barriers(terrain, [[9, 4]], movement=WALKER)
    for option in ("breadth", "passes", "gap"):
        with pytest.raises(InputError, match=f"{option}; found 0"):
            barriers(terrain, [[4, 4]], movement=WALKER, **{option: 0})

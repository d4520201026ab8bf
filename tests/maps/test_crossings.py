"""Crossings are straight, narrow and apart; each saves what it says, none that saves more is left; banks get joined."""

import os
import subprocess
import sys

import networkx as nx
import numpy as np
import pytest
from scipy import ndimage
from water_fields import smooth_field

from anabasis import InputError
from anabasis.maps.water.crossings import bridge_between, crossings
from anabasis.maps.water.meanders import meandered
from anabasis.maps.water.rivers import river_mask, rivers
from anabasis.maps.water.water_distance import water_distance
from anabasis.movement import movement_class


def country(width, height, seed, count=6, widest=3):
    """Letters of a land with rivers and rocks, and its rivers."""
    heights = smooth_field(width, height, seed, octaves=4)
    sea = heights < 0.25
    made = meandered(rivers(heights, sea, seed=seed, count=count), ~sea, seed=seed, levels=heights, cut=0.05)
    letters = np.full(heights.shape, ord("G"), np.uint8)
    letters[heights > 0.8] = ord("^")
    letters[sea | river_mask(made, widest=widest)] = ord("W")
    return letters, made


def walk(land):
    """The graph of steps through sides."""
    graph = nx.grid_2d_graph(*land.shape)
    graph.remove_nodes_from([tuple(cell) for cell in np.argwhere(~land).tolist()])
    return graph


def steps(graph, one, two):
    try:
        return nx.shortest_path_length(graph, one, two)
    except nx.NetworkXNoPath:
        return np.inf


def banks_of(crossing, letters):
    """The cells before and behind a crossing of one row."""
    (x, y), (i, j) = crossing.cells.min(axis=0).tolist(), crossing.cells.max(axis=0).tolist()
    assert len(crossing.cells) == max(i - x, j - y) + 1
    assert x == i or y == j
    across = ((y, x - 1), (y, i + 1)), ((y - 1, x), (j + 1, x))
    if (x, y) == (i, j):
        free = [pair for pair in across if all(inside(letters, *c) and chr(letters[c]) in "G+~" for c in pair)]
        return free[0]
    return across[0] if y == j else across[1]


def inside(letters, y, x):
    return 0 <= y < letters.shape[0] and 0 <= x < letters.shape[1]


@pytest.mark.parametrize("seed", range(4))
def test_each_crossing_saves_what_it_says(seed):
    letters, made = country(60, 50, seed)
    changed, found = crossings(letters, rivers=made, least=10, spacing=5)
    assert len(found) >= 3
    graph, previous = walk(letters == ord("G")), np.inf
    for crossing in found:
        assert (letters[crossing.cells[:, 1], crossing.cells[:, 0]] == ord("W")).all()
        one, two = banks_of(crossing, letters)
        direct = abs(one[0] - two[0]) + abs(one[1] - two[1])
        assert direct == len(crossing.cells) + 1 <= 6
        assert crossing.saved == steps(graph, one, two) - direct >= 10
        assert crossing.saved <= previous
        previous = crossing.saved
        for x, y in crossing.cells.tolist():
            graph.add_node((y, x))
            for cell in ((y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)):
                if cell in graph:
                    graph.add_edge((y, x), cell)
    middles = np.array([crossing.cells.mean(axis=0) for crossing in found])
    apart = np.hypot(*(middles[:, None] - middles).transpose(2, 0, 1))
    assert apart[~np.eye(len(found), dtype=bool)].min() >= 5
    rest = changed != letters
    assert rest.sum() == sum(len(crossing.cells) for crossing in found)
    assert set(changed[rest].tolist()) <= {ord("+"), ord("~")}


def runs_of(letters, longest):
    """All straight runs of water between two cells of grass."""
    height, width = letters.shape
    for y in range(height):
        for x in range(width):
            for dy, dx in ((0, 1), (1, 0)):
                for length in range(1, longest + 1):
                    row, column = y + dy * (length + 1), x + dx * (length + 1)
                    if row >= height or column >= width or chr(letters[y, x]) != "G":
                        break
                    if all(chr(letters[y + dy * k, x + dx * k]) == "W" for k in range(1, length + 1)) and (
                        chr(letters[row, column]) == "G"
                    ):
                        yield (y, x), (row, column)


def narrow(letters, one, two):
    """Whether the water of a run is at its middle cell as wide the other way, or wider."""
    length = abs(one[0] - two[0]) + abs(one[1] - two[1]) - 1
    y, x = (one[0] + two[0]) // 2, (one[1] + two[1]) // 2
    line = letters[:, x] if one[0] == two[0] else letters[y]
    at = y if one[0] == two[0] else x
    label = ndimage.label(line == ord("W"))[0]
    return (label == label[at]).sum() >= length


@pytest.mark.parametrize("seed", range(5))
def test_the_first_crossing_saves_most(seed):
    letters, _ = country(34, 30, seed + 10, count=3, widest=1)
    _, found = crossings(letters, least=1, spacing=2, count=1)
    graph, part = walk(letters == ord("G")), ndimage.label(letters == ord("G"))[0]
    large = np.bincount(part.ravel()) >= 4
    pairs = [p for p in runs_of(letters, 5) if large[part[p[0]]] and large[part[p[1]]] and narrow(letters, *p)]
    best = max(steps(graph, one, two) - abs(one[0] - two[0]) - abs(one[1] - two[1]) for one, two in pairs)
    assert found[0].saved == best


def test_parts_of_the_land_are_joined():
    letters = np.full((40, 60), ord("G"), np.uint8)
    letters[:, 29:32] = ord("W")
    letters[19:22, :30] = ord("W")
    changed, found = crossings(letters)
    assert ndimage.label(changed != ord("W"))[1] == 1
    assert [crossing.kind for crossing in found] == ["bridge"] * len(found)
    assert [np.isinf(crossing.saved) for crossing in found[:2]] == [True, True]
    unchanged, none = crossings(letters, longest=2)
    assert none == ()
    assert np.array_equal(unchanged, letters)
    assert len(crossings(letters, count=1)[1]) == 1
    letters[0:5, 0:5] = ord("W")
    letters[1:3, 1:3] = ord("G")
    assert all(crossing.cells.max() > 5 for crossing in crossings(letters)[1]), "a tiny part is worth no bridge"


def test_fords_are_narrow_and_shallow():
    for seed in range(4):
        letters, made = country(80, 70, seed, widest=4)
        changed, found = crossings(letters, rivers=made, least=8, spacing=6)
        limit, kinds = made.discharge.max() / 4, set()
        for crossing in found:
            flow = made.discharge[crossing.cells[:, 1], crossing.cells[:, 0]].max()
            wanted = "ford" if len(crossing.cells) <= 2 and flow <= limit else "bridge"
            assert crossing.kind == wanted
            letter = ord("~" if wanted == "ford" else "+")
            assert (changed[crossing.cells[:, 1], crossing.cells[:, 0]] == letter).all()
            kinds.add(wanted)
        assert kinds == {"ford", "bridge"}
        assert all(c.kind == "bridge" for c in crossings(letters, rivers=made, ford=0)[1])


def test_lakes_and_sea_are_not_crossed_where_rivers_are_given():
    letters, made = country(70, 70, 3)
    assert made.levels.size
    for crossing in crossings(letters, rivers=made, least=1, spacing=3)[1]:
        x, y = crossing.cells.T
        assert (made.lake[y, x] < 0).all()
        assert (made.discharge[y, x] > 0).any()


def test_evenly_along_a_river():
    heights = np.broadcast_to(np.arange(200.0, 0, -1), (21, 200)) + np.abs(np.arange(21) - 10)[:, None] * 3.0
    made = rivers(heights, seed=1, springs=[[3, 10]], waver=0, between=False)
    letters = np.full(heights.shape, ord("G"), np.uint8)
    letters[river_mask(made)] = ord("W")
    changed, found = crossings(letters, rivers=made, choice="even", spacing=40)
    x = [crossing.cells[:, 0].mean() for crossing in found]
    assert len(x) == 5
    assert np.allclose(np.diff(x), 40, atol=20)
    assert all(np.isnan(crossing.saved) for crossing in found)
    assert len(crossings(letters, rivers=made, choice="even", spacing=40, count=2)[1]) == 2
    assert ndimage.label(changed != ord("W"))[1] == 1


def test_broad_crossings_have_room_for_a_group():
    for seed in range(4):
        letters, made = country(90, 80, seed)
        changed, found = crossings(letters, rivers=made, breadth=3, longest=7, least=10)
        dry = changed != ord("W")
        assert found
        for crossing in found:
            (x, y), (i, j) = crossing.cells.min(axis=0), crossing.cells.max(axis=0)
            assert dry[y : j + 1, x : i + 1].all()
            block = changed[y : j + 1, x : i + 1]
            assert min(max(block.shape), 3) == 3


def test_no_two_crossings_touch():
    rng, many = np.random.default_rng(6), 0
    for number in range(60):
        letters = np.where(rng.random((24, 28)) < 0.3, ord("W"), ord("G")).astype(np.uint8)
        options = {"breadth": 1 + number % 3, "longest": 8, "least": 1, "spacing": 0.5}
        changed, found = crossings(letters, **options)
        label, kinds = ndimage.label(changed != letters, np.ones((3, 3)))[0], list[int]()
        for crossing in found:
            marks = np.unique(label[crossing.cells[:, 1], crossing.cells[:, 0]])
            assert 0 not in marks
            kinds += marks.tolist()
        assert len(kinds) == len(set(kinds)), "each has its own marks"
        assert sum(len(crossing.cells) for crossing in found) == (changed != letters).sum()
        many += len(found)
    assert many > 300


def test_a_bridge_between_two_parts_is_the_shortest():
    text = ["GGGWWWGGG", "GGGGWWGGG", "WWWWWWWWW", "GGGGGGGGG"]
    letters = np.array([[ord(c) for c in row] for row in text], np.uint8)
    changed, bridge = bridge_between(letters, (0, 0), (8, 0))
    assert bridge.cells.tolist() == [[4, 1], [5, 1]]
    assert (bridge.kind, bridge.saved) == ("bridge", np.inf)
    assert "".join(map(chr, changed[1])) == "GGGG++GGG"
    _, down = bridge_between(letters, (0, 0), (0, 3))
    assert len(down.cells) == 1
    for first, second, options in (((0, 0), (8, 0), {"longest": 1}), ((0, 0), (3, 1), {})):
        same, none = bridge_between(letters, first, second, **options)
        assert none is None
        assert np.array_equal(same, letters)
    letters[2, 0:2] = ord("G")
    assert bridge_between(letters, (0, 0), (0, 3))[1] is None


def test_a_bridge_between_parts_is_found_by_looking_at_all_runs():
    rng, joined = np.random.default_rng(5), 0
    for _ in range(60):
        letters = np.where(rng.random((12, 14)) < 0.4, ord("G"), ord("W")).astype(np.uint8)
        part = ndimage.label(letters == ord("G"))[0]
        cells = np.argwhere(part > 0)
        one, two = (tuple(cells[k]) for k in rng.integers(0, len(cells), 2))
        _, bridge = bridge_between(letters, one[::-1], two[::-1])
        lengths = [
            abs(a[0] - b[0]) + abs(a[1] - b[1]) - 1
            for a, b in runs_of(letters, 14)
            if part[one] != part[two] and {part[a], part[b]} == {part[one], part[two]}
        ]
        assert (len(bridge.cells) if bridge else None) == min(lengths, default=None)
        joined += bridge is not None
    assert joined > 10


def test_distance_to_water_is_that_of_networkx():
    for seed in range(4):
        letters, _ = country(40, 34, seed)
        land, distance = letters == ord("G"), water_distance(letters)
        graph = walk(land)
        wet = ndimage.binary_dilation(letters == ord("W"))
        banks = [tuple(cell) for cell in np.argwhere(land & wet).tolist()]
        wanted = nx.multi_source_dijkstra_path_length(graph, set(banks))
        for y in range(34):
            for x in range(40):
                assert distance[y, x] == (wanted.get((y, x), -1) if land[y, x] else -1)
    assert (water_distance(np.full((3, 4), ord("G"))) == -1).all()


def test_small_maps_and_repeats():
    for shape in ((1, 1), (1, 3), (3, 1), (2, 2)):
        letters = np.full(shape, ord("W"), np.uint8)
        assert crossings(letters)[1] == ()
        assert crossings(np.full(shape, ord("G"), np.uint8), breadth=3)[1] == ()
    letters, made = country(60, 60, 2)
    one, two = (crossings(letters, rivers=made)[0] for _ in range(2))
    assert np.array_equal(one, two)
    flipped = crossings(np.ascontiguousarray(letters.T), least=12, count=1)[1]
    assert flipped[0].saved == crossings(letters, least=12, count=1)[1][0].saved


def test_wrong_options_say_what_is_expected():
    letters, made = country(30, 30, 1)
    for options, message in (
        ({"choice": "random"}, "unknown choice of crossings; found 'random'; expected detour or even"),
        ({"choice": "even"}, "crossings evenly along rivers need rivers. Hint: give rivers"),
        ({"count": -1}, "number of crossings; found -1"),
        ({"spacing": 0}, "spacing of crossings; found 0; expected a positive length"),
        ({"longest": 0}, "longest crossing; found 0; expected a whole number from 1"),
        ({"least": 0}, "least detour; found 0"),
        ({"breadth": 0}, "breadth of a crossing; found 0"),
        ({"ford": 2}, "ford; found 2; expected a share from 0 to 1"),
        ({"movement": "swim"}, "unknown movement class"),
        ({"movement": movement_class("G:1")}, "'G:1' can't use bridges; expected a class that can enter '\\+'"),
        ({"rivers": country(20, 30, 1)[1]}, "rivers of another map; found 30×20; expected 30×30"),
    ):
        with pytest.raises(InputError, match=message):
            crossings(letters, **options)
    y, x = np.argwhere(letters == ord("W"))[0]
    for cell in ((int(x), int(y)), (30, 0), (-1, 0)):
        with pytest.raises(
            InputError, match=r"a bridge must lead to land; found x=.*; expected a cell a unit can enter"
        ):
            bridge_between(letters, cell, cell)
    assert made.courses


REPEATABLE = """
import hashlib
import numpy as np
from anabasis.maps.water.crossings import bridge_between, crossings
from anabasis.maps.water.water_distance import water_distance
digest = hashlib.sha256()
y, x = np.mgrid[:24, :30]
letters = np.where((x * 5 + y * y) % 17 < 4, ord("W"), ord("G")).astype(np.uint8)
letters[:, 14:17] = ord("W")
for options in ({"least": 4, "spacing": 3}, {"breadth": 2, "longest": 8, "least": 4}):
    changed, found = crossings(letters, **options)
    assert found
    digest.update(changed.tobytes() + repr([(c.kind, c.cells.tolist(), c.saved) for c in found]).encode())
digest.update(water_distance(letters).tobytes())
cells = [tuple(cell) for cell in np.argwhere(letters == ord("G"))[[0, -1], ::-1].tolist()]
digest.update(bridge_between(letters, *cells)[0].tobytes())
print(digest.hexdigest())
"""


def test_the_same_bytes_without_the_compiler():
    def run(**variables):
        command = [sys.executable, "-W", "error", "-c", REPEATABLE]
        done = subprocess.run(command, env={**os.environ, **variables}, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert run() == run(NUMBA_DISABLE_JIT="1")

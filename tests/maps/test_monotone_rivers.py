"""Monotone rivers are as short as networkx says, never rise, and report springs without a way."""

from itertools import pairwise

import networkx as nx
import numpy as np
import pytest
from water_fields import neighbours_of, terraces

from anabasis import InputError
from anabasis.maps.water.monotone_rivers import monotone_rivers, monotone_ways


def shortest(levels, ends):
    """By networkx: float64[height, width], the length of the shortest way down to an end."""
    height, width = levels.shape
    graph = nx.DiGraph()
    for y in range(height):
        for x in range(width):
            graph.add_node((x, y))
            for i, j in neighbours_of(x, y, width, height):
                if levels[j, i] <= levels[y, x]:
                    graph.add_edge((i, j), (x, y), weight=2**0.5 if i != x and j != y else 1.0)
    sources = {(int(x), int(y)) for y, x in np.argwhere(ends)}
    found = nx.multi_source_dijkstra_path_length(graph, sources) if sources else {}
    return np.array([[found.get((x, y), np.inf) for x in range(width)] for y in range(height)])


def test_ways_are_as_short_as_networkx_finds():
    rng = np.random.default_rng(1)
    for number in range(25):
        width, height = rng.integers(1, 22, 2)
        levels = rng.integers(0, rng.choice([2, 4, 200]), (height, width)).astype(np.uint8)
        ends = rng.random((height, width)) < rng.choice([0, 0.01, 0.1])
        length, ways = monotone_ways(levels, ends, seed=number)
        wanted = shortest(levels, ends)
        assert np.array_equal(np.isinf(length), np.isinf(wanted))
        assert np.allclose(length, wanted)
        place = np.empty(levels.size, int)
        place[ways.order] = np.arange(levels.size)
        for y in range(height):
            for x in range(width):
                to = int(ways.receiver[y, x])
                assert (to < 0) == bool(ends[y, x] or np.isinf(length[y, x]))
                if to >= 0:
                    i, j = to % width, to // width
                    assert levels[j, i] <= levels[y, x]
                    step = 2**0.5 if i != x and j != y else 1.0
                    assert length[j, i] + step == pytest.approx(length[y, x])
                    assert place[to] < place[y * width + x]


def test_rivers_never_rise_and_take_the_shortest_way():
    for seed in range(6):
        levels = terraces(70, 50, seed, 7)
        sea = levels == 0
        made = monotone_rivers(levels, sea, seed=seed, count=9)
        assert len(made.courses) >= 3
        assert not made.dry.size
        length, _ = monotone_ways(levels, sea | (np.pad(np.zeros((48, 68), bool), 1, constant_values=True)))
        taken = np.zeros(levels.shape, bool)
        for course, end in zip(made.courses, made.ends, strict=True):
            x, y = course.T
            assert (np.diff(levels[y, x].astype(int)) <= 0).all()
            walked = sum(2**0.5 if a != i and b != j else 1.0 for (a, b), (i, j) in pairwise(course.tolist()))
            assert walked == pytest.approx(length[y[0], x[0]] - length[y[-1], x[-1]])
            assert (np.diff(made.discharge[y, x]) > 0).all()
            border = x[-1] in (0, 69) or y[-1] in (0, 49)
            assert end == ("sea" if sea[y[-1], x[-1]] else "border" if border else "river")
            assert taken[y[-1], x[-1]] or end != "river"
            taken[y, x] = True
        assert np.array_equal(taken, made.discharge > 0)


def test_a_spring_in_a_hollow_is_dry():
    levels = np.full((9, 9), 3, np.uint8)
    levels[3:6, 3:6] = 1
    levels[0, 0] = 0
    made = monotone_rivers(levels, levels == 0, seed=1, springs=[[4, 4], [7, 7]])
    assert made.dry.tolist() == [[4, 4]]
    assert made.ends == ("border",)
    inland = monotone_rivers(levels, levels == 0, seed=1, springs=[[4, 4], [7, 7]], border=False)
    assert inland.ends == ("sea",)
    assert inland.courses[0][-1].tolist() == [0, 0]
    assert len(inland.courses[0]) >= 8
    assert not monotone_rivers(levels, seed=1, border=False).courses
    assert monotone_rivers(levels, seed=1, border=False, springs=[[8, 8]]).dry.tolist() == [[8, 8]]


def test_courses_on_a_plain_spread_their_diagonal_steps():
    levels, sea = np.ones((80, 80), np.uint8), np.zeros((80, 80), bool)
    sea[79, 79] = True
    longest = []
    for seed in range(10):
        course = monotone_rivers(levels, sea, seed=seed, springs=[[2, 40]], border=False).courses[0]
        assert len(course) == 78
        away = np.abs((course[:, 1] - 40) * 77 - (course[:, 0] - 2) * 39) / np.hypot(77, 39)
        longest.append(away.max())
        steps = "".join("ds"[int(a == i or b == j)] for (a, b), (i, j) in pairwise(course.tolist()))
        assert "d" * 20 not in steps
        assert "s" * 20 not in steps
    assert np.mean(longest) < 6
    assert len(set(longest)) > 5


def test_the_same_seed_gives_the_same_rivers():
    levels = terraces(60, 60, 3, 6)
    one, two, other = (monotone_rivers(levels, levels == 0, seed=seed) for seed in (7, 7, 8))
    assert [c.tolist() for c in one.courses] == [c.tolist() for c in two.courses]
    assert one.springs.tolist() != other.springs.tolist()


def test_any_size_of_map():
    for width, height in ((1, 1), (1, 9), (9, 1), (3, 3), (3, 200)):
        made = monotone_rivers(terraces(width, height, 1, 3), seed=1, shortest=1)
        assert made.discharge.shape == (height, width)


def test_wrong_input_says_what_is_expected():
    levels = np.zeros((4, 5), np.uint8)
    for arguments, options, message in (
        ((np.full((2, 2), 300),), {}, "levels is out of range; found 300 to 300; expected 0 to 255"),
        ((np.full((2, 2), 0.5),), {}, "levels must be whole numbers"),
        ((np.empty((0, 4), np.uint8),), {}, "levels are empty; expected at least one cell"),
        ((levels, np.zeros((5, 4), bool)), {}, "sea has the wrong shape; found 5×4; expected 4×5"),
        ((levels,), {"springs": [[5, 0]]}, "a spring is outside the map; found x=5"),
        ((levels, np.ones((4, 5), bool)), {"springs": [[1, 1]]}, "a spring lies in the water"),
        ((levels,), {"seed": 2**63}, "seed"),
        ((levels,), {"count": -2}, "number of rivers; found -2"),
    ):
        with pytest.raises(InputError, match=message):
            monotone_rivers(*arguments, **{"seed": 1, **options})
    with pytest.raises(InputError, match="ends has the wrong shape"):
        monotone_ways(levels, np.zeros((1, 1), bool))

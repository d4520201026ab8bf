"""Decompositions: what they promise on any map, on real ones, and after changes."""

import os
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy import ndimage

from anabasis.decompose.regions import DEFAULT, PARAMETERS, decompose, decompose_again, triple, without_inner_gates
from anabasis.decomposition import Decomposition
from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.io.maps import load_grid
from anabasis.noun import state_hash

MAPS = [
    "bg512/AR0602SR",
    "dao/arena",
    "dao/brc202d",
    "dao/den520d",
    "dao/hrt201n",
    "sc1/Aftershock",
    "rooms/16room_000",
]
TRIPLES = st.one_of(st.integers(0, 10), st.tuples(st.integers(1, 12), st.integers(0, 4), st.integers(0, 6)))


def made_map(seed):
    """A map of one of several kinds: noise, caves, walls, rooms, coarse blocks."""
    rng = np.random.default_rng(seed)
    height, width = rng.integers(1, 40, 2)
    kind = rng.integers(4)
    if kind == 0:
        free = rng.random((height, width)) > 0.6 * rng.random()
    elif kind == 1:
        noise = ndimage.gaussian_filter(rng.random((height, width)), rng.uniform(0.5, 2.5))
        free = noise > np.quantile(noise, 0.7 * rng.random())
    elif kind == 2:
        free = np.ones((height, width), bool)
        for _ in range(rng.integers(1, 9)):
            y, x = rng.integers(height), rng.integers(width)
            thick, long = rng.integers(1, 4), rng.integers(1, 20)
            free[y : y + thick, x : x + long] = False
            if rng.random() < 0.5:
                free[y : y + long, x : x + thick] = False
    else:
        free = np.kron(rng.random((-(-height // 3), -(-width // 3))) > 0.3, np.ones((3, 3))) > 0
    return Grid.from_free(free)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 2**32), parameters=TRIPLES)
def test_promises_hold_on_any_map(faults, seed, parameters):
    grid = made_map(seed)
    assert faults(grid, decompose(grid, parameters)) == []


@pytest.mark.long
def test_promises_hold_on_thousands_of_maps(faults):
    for seed in range(6_000):
        grid = made_map(seed)
        for parameters in (0, 2, 5, (1 + seed % 9, seed % 4, seed % 6)):
            assert faults(grid, decompose(grid, parameters)) == [], (seed, parameters)


@pytest.mark.parametrize("name", MAPS)
def test_promises_hold_on_real_maps(faults, movingai, name):
    grid = load_grid(movingai / f"{name}.map")
    for parameters in (0, 3, 7):
        assert faults(grid, decompose(grid, parameters)) == [], parameters


@pytest.mark.long
def test_promises_hold_on_all_maps_with_all_sets(faults, movingai):
    for file in sorted(movingai.glob("*/*.map")):
        grid = load_grid(file)
        for parameters in range(len(PARAMETERS)):
            assert faults(grid, decompose(grid, parameters)) == [], (file.name, parameters)


@pytest.mark.parametrize(
    "name", ["bg512/AR0602SR", "dao/brc202d", "dao/orz900d", "sc1/Aftershock", "wc3maps512/battleground"]
)
def test_sets_run_from_fine_to_coarse_and_leave_no_slivers(movingai, name):
    grid = load_grid(movingai / f"{name}.map")
    made = [decompose(grid, k) for k in range(len(PARAMETERS))]
    counts = [d.regions for d in made]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] > 8 * counts[9]
    apart = ndimage.label(grid.free)[0]
    for d in made:
        area = np.bincount(d.region[grid.free])
        for small in np.flatnonzero(area <= 8).tolist():
            y, x = np.argwhere(d.region == small)[0]
            assert (apart == apart[y, x]).sum() == area[small]


@pytest.mark.parametrize("name", ["bg512/AR0602SR", "dao/den520d", "dao/hrt201n", "mapf/room-64-64-8"])
def test_turned_and_flipped_maps_have_about_as_many_regions(faults, movingai, name):
    free = load_grid(movingai / f"{name}.map").free
    counts: list[int] = []
    for turned in (free, free[:, ::-1], free[::-1], np.rot90(free), free.T):
        grid = Grid.from_free(turned)
        d = decompose(grid, 3)
        assert faults(grid, d) == []
        counts.append(d.regions)
    assert max(counts) <= 1.15 * min(counts)


def test_every_door_of_the_rooms_has_its_gate(movingai):
    grid = load_grid(movingai / "rooms" / "32room_000.map")
    free = np.pad(grid.free, 1)
    across = free[1:-1, :-2] & free[1:-1, 2:] & ~free[:-2, 1:-1] & ~free[2:, 1:-1]
    along = free[:-2, 1:-1] & free[2:, 1:-1] & ~free[1:-1, :-2] & ~free[1:-1, 2:]
    doors = np.flatnonzero(grid.free & (across | along))
    assert doors.size > 300
    for parameters in range(len(PARAMETERS)):
        d = decompose(grid, parameters)
        assert (np.median(d.width), d.inner.any()) == (1.0, False)
        assert set(doors.tolist()) == {int(v) for v in d.cells[d.indptr[:-1]][d.width == 1]}
        assert d.gates == doors.size if parameters else d.gates <= doors.size + 2  # the finest set cuts off two corners


def test_prices_do_not_matter():
    walls = made_map(11)
    dear = replace(walls, cost=np.where(walls.free, 1 + np.arange(walls.cost.size).reshape(walls.cost.shape), np.inf))
    assert state_hash(decompose(walls)) == state_hash(decompose(dear))


def test_numbers_run_in_the_order_of_first_cells():
    d = decompose(made_map(77), 1)
    _, first = np.unique(d.region[d.region >= 0], return_index=True)
    assert (np.diff(first) > 0).all()


@pytest.mark.parametrize("text", [".", "#", "..", "#.\n.#", ".#.\n#.#\n.#."])
def test_tiny_maps(faults, text):
    grid = Grid.from_text(text)
    d = decompose(grid)
    assert faults(grid, d) == []
    assert d.gates == 0
    assert d.regions == text.count(".") - (text == "..")


def test_a_set_is_its_triple():
    grid = made_map(5)
    for number, numbers in enumerate(PARAMETERS):
        assert triple(number) == numbers == triple(numbers)
        assert state_hash(decompose(grid, number)) == state_hash(decompose(grid, numbers))
    assert decompose(grid).parameters == PARAMETERS[DEFAULT]
    assert len(PARAMETERS) == 11


@pytest.mark.parametrize(
    "wrong",
    [-1, 11, (1, 2), (0, 1, 1), (5, -1, 1), (5, 1, -1), (5, 101, 1), (5.0, 1, 1), "5", None, True, (5, 1, True)],
)
def test_wrong_parameters(wrong):
    with pytest.raises(InputError, match=r"decomposition.*expected"):
        decompose(made_map(1), wrong)


def test_inner_gates_go_for_the_centre_graph():
    seen = 0
    for seed in range(60):
        d = decompose(made_map(seed), (2, 1, 1))
        seen += int(d.inner.sum())
        outer = without_inner_gates(d)
        assert not outer.inner.any()
        assert outer.gates == int((~d.inner).sum())
        assert (outer.ends == d.ends[~d.inner]).all()
        assert (outer.region == d.region).all()
        assert outer.parameters == d.parameters
        if not d.inner.any():
            assert state_hash(outer) == state_hash(d)
    assert seen > 5


def test_after_any_change_it_is_as_if_made_anew():
    rng = np.random.default_rng(3)
    for seed in range(80):
        before = made_map(seed)
        free = before.free.copy()
        for _ in range(rng.integers(0, 6)):
            free[rng.integers(free.shape[0]), rng.integers(free.shape[1])] ^= True
        after, parameters = Grid.from_free(free), int(rng.integers(11))
        again = decompose_again(decompose(before, parameters), before, after)
        assert state_hash(again) == state_hash(decompose(after, parameters))


def test_a_change_of_prices_alone_keeps_the_decomposition():
    before = Grid.from_text("\n".join(["......#......"] * 3 + ["............."] * 2))
    after = replace(before, cost=before.cost * 2)
    old = decompose(before, 1)
    assert decompose_again(old, before, after) is old
    with pytest.raises(InputError, match="another map"):
        decompose_again(old, Grid.from_text("..."), after)


def test_it_is_the_same_without_compilation():
    code = (
        "import sys; sys.path.insert(0, 'tests/decompose')\n"
        "from test_regions import made_map\n"
        "from anabasis.decompose.regions import decompose\n"
        "from anabasis.noun import state_hash\n"
        "print([state_hash(decompose(made_map(s), p)) for s in range(12) for p in (0, 4, (3, 3, 1))])"
    )
    answers = [
        subprocess.run(
            [sys.executable, "-W", "error", "-c", code],
            env={**os.environ, "NUMBA_DISABLE_JIT": off},
            capture_output=True,
            text=True,
            check=True,
            timeout=300,
        ).stdout
        for off in ("0", "1")
    ]
    assert answers[0] == answers[1]


def test_the_checker_finds_each_fault(faults):
    text = "\n".join(["........#........"] * 4 + ["................."] * 2 + ["........#........"] * 4)
    grid = Grid.from_text(text)
    d = decompose(grid, 1)
    assert faults(grid, d) == []

    def changed(**fields):
        return " ".join(faults(grid, replace(d, **fields)))

    region = d.region.copy()
    region[0, 0] = d.regions
    assert "through no gate" in changed(region=region)
    hole = d.region.copy()
    hole[0, 0] = -1
    assert "differ" in changed(region=hole)
    two = d.region.copy()
    two[0, 0] = 1
    assert "not one piece" in changed(region=two)
    nothing = np.zeros(0, np.int64)
    bare = Decomposition(d.region, nothing, nothing, nothing, np.zeros(1, np.int64), nothing, d.parameters)
    assert "goes through no gate" in " ".join(faults(grid, bare))
    assert "no gate between its regions" in changed(sides=np.zeros_like(d.sides))
    assert "wrong width" in changed(width=d.width + 1)
    assert "ends are not" in changed(ends=d.ends + 1)
    for cells, what in (
        ([[3, 4], [3, 5]], "in the open"),
        ([[8, 4], [8, 6]], "a blocked cell"),
        ([[0, 0], [0, 2]], "a hole"),
        ([[0, 0], [1, 1], [0, 2], [0, 3]], "not straight"),
    ):
        vertices = np.array([y * grid.width + x for x, y in cells])
        free = d.region.reshape(-1)[vertices] >= 0
        if not free.all():
            continue
        ends = np.array([[*cells[0], *cells[-1]]])
        width = np.hypot(ends[:, 2] - ends[:, 0], ends[:, 3] - ends[:, 1]) + 1
        one = Decomposition(d.region, ends, d.sides[:1], width, np.array([0, len(cells)]), vertices, d.parameters)
        assert what in " ".join(faults(grid, one))
    twice = Decomposition(
        d.region,
        np.repeat(d.ends, 2, axis=0),
        np.repeat(d.sides, 2, axis=0),
        np.repeat(d.width, 2),
        np.array([0, d.cells.size, 2 * d.cells.size]),
        np.tile(d.cells, 2),
        d.parameters,
    )
    assert "share a cell" in " ".join(faults(grid, twice))

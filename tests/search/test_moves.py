import math

import numpy as np
import pytest
from search_oracle import arcs_of, random_grid, step_allowed, walked

from anabasis import Grid, InputError
from anabasis._kernel.arcs import DX, DY, arcs_out
from anabasis.search.moves import CORNERS, Space, move_table, surroundings

RULES = [(8, "strict"), (8, "loose"), (8, "none"), (4, "strict")]


def directions(entry):
    found = []
    while entry:
        found.append(int(entry & 15) - 1)
        entry >>= 4
    return found


@pytest.mark.parametrize(("neighbours", "corners"), RULES)
def test_steps_are_those_of_the_plain_rule(neighbours, corners):
    rng = np.random.default_rng(3)
    for weighted in (False, True) * 5:
        grid = random_grid(rng, 12, weighted)
        arcs = Space(grid, neighbours, corners).arcs
        heads, steps = np.empty(8, np.int64), np.empty(8)
        for v in np.flatnonzero(grid.free.reshape(-1)).tolist():
            count = arcs_out(arcs, v, heads, steps)
            got = dict(zip(heads[:count].tolist(), steps[:count].tolist(), strict=True))
            x, y = grid.cell(v)
            wanted = {
                grid.vertex(x + dx, y + dy): math.hypot(dx, dy) * grid.cost[y + dy, x + dx]
                for dx, dy in zip(DX.tolist(), DY.tolist(), strict=True)
                if step_allowed(grid.cost, x, y, dx, dy, neighbours, corners)
            }
            assert got == wanted


def test_the_two_oracles_of_steps_agree():
    rng = np.random.default_rng(4)
    for neighbours, corners in RULES:
        grid = random_grid(rng, 12, True)
        tails, heads, weights = arcs_of(grid, neighbours, corners)
        for u, v, weight in zip(tails.tolist(), heads.tolist(), weights.tolist(), strict=True):
            assert walked(grid, np.array([u, v]), neighbours, corners) == pytest.approx(weight, abs=1e-12)


def test_canonical_moves_are_some_of_all_moves_and_all_of_them_at_the_start():
    for neighbours, corners in RULES:
        canonical, every = move_table(neighbours, corners, True), move_table(neighbours, corners, False)
        assert np.array_equal(canonical[8], every[8])
        assert all((row == every[8]).all() for row in every)
        for entered in range(8):
            for around in range(256):
                assert set(directions(canonical[entered, around])) <= set(directions(every[8, around]))


def test_canonical_moves_in_the_open_go_on_and_aside_from_diagonals_only():
    table = move_table(8, "strict", True)
    assert directions(table[0, 255]) == [0]
    assert directions(table[1, 255]) == [0, 1, 2]
    behind_wall = 255 & ~(1 << 5)  # the cell up left is blocked: going east, up and up right have no other way
    assert directions(table[0, behind_wall]) == [0, 6, 7]


def test_surroundings_of_a_corner():
    assert surroundings(Grid.from_text("..\n.#")).tolist() == [0b101, 0b11000, 0b11000000, 0b1110000]


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"neighbours": 6}, "number of neighbours; found 6; expected 4 or 8"),
        ({"corners": "round"}, "unknown corner rule; found 'round'; expected strict or loose or none"),
    ],
)
def test_wrong_options(options, text):
    with pytest.raises(InputError, match=text):
        Space(Grid.from_text("."), **options)
    assert CORNERS == ("strict", "loose", "none")

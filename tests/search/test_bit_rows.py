import numpy as np
import pytest
from search_oracle import random_grid

from anabasis._kernel.arcs import DX, DY
from anabasis._kernel.bit_rows import (
    BASE,
    FROM,
    PLACE_X,
    PLACE_Y,
    ROW_X,
    ROW_Y,
    drop_stop,
    lay_rows,
    next_stop,
    set_stop,
)
from anabasis._kernel.key_heap import key_pop, key_push
from anabasis._kernel.legs import leg_length, leg_steps, write_leg


def found(rows, lines, i, x, y):
    """How far the next stop behind (x, y) in direction 2i is, and whether it is a wall."""
    line = lines[i]
    place = line[FROM] + line[PLACE_X] * x + line[PLACE_Y] * y
    stop = next_stop(rows, line[BASE] + line[ROW_X] * x + line[ROW_Y] * y, place + 1)
    return max(stop, ~stop) - place, stop < 0


def wanted(free, stop, i, x, y):
    """The same, cell by cell."""
    far = 0
    while True:
        x, y, far = x + DX[2 * i], y + DY[2 * i], far + 1
        if not (0 <= x < free.shape[1] and 0 <= y < free.shape[0]) or not free[y, x]:
            return far, True
        if stop[y, x] >> i & 1:
            return far, False


def test_the_next_stop_in_each_direction():
    rng = np.random.default_rng(1)
    for number in range(60):
        if number % 2:
            free = random_grid(rng, 70).free
        else:  # long empty lines
            free = rng.random((int(rng.integers(1, 4)), int(rng.integers(1, 260)))) >= 0.01
            free = free.T.copy() if number % 4 else free
        stop = np.where(rng.random(free.shape) < 0.02, rng.integers(0, 16, free.shape), 0).astype(np.uint8)
        rows, lines = lay_rows(stop.reshape(-1), free.reshape(-1), free.shape[1], free.shape[0])
        assert (rows >= 0).all()
        for _ in range(50):
            x, y, i = int(rng.integers(free.shape[1])), int(rng.integers(free.shape[0])), int(rng.integers(4))
            assert found(rows, lines, i, x, y) == wanted(free, stop, i, x, y)


def test_a_stop_is_set_and_taken_back():
    rng = np.random.default_rng(2)
    for _ in range(20):
        grid = random_grid(rng, 70)
        free = grid.free
        stop = np.where(rng.random(free.shape) < 0.1, rng.integers(0, 16, free.shape), 0).astype(np.uint8)
        rows, lines = lay_rows(stop.reshape(-1), free.reshape(-1), grid.width, grid.height)
        before = rows.copy()
        cells = np.argwhere(free)
        if not len(cells):
            continue
        y, x = (int(v) for v in cells[rng.integers(len(cells))])
        new = set_stop(rows, lines, x, y)
        changed = stop.copy()
        changed[y, x] = 15
        assert np.array_equal(rows, lay_rows(changed.reshape(-1), free.reshape(-1), grid.width, grid.height)[0])
        assert new == 15 - stop[y, x]
        drop_stop(rows, lines, x, y, new)
        assert np.array_equal(rows, before)


@pytest.mark.parametrize("straight_first", [False, True])
def test_legs_have_straight_and_diagonal_steps(straight_first):
    rng = np.random.default_rng(3)
    for _ in range(200):
        u, v = (int(c) for c in rng.integers(0, 40 * 30, 2))
        dx, dy = v % 40 - u % 40, v // 40 - u // 40
        steps, diagonal = leg_steps(u, v, 40)
        vertices = np.full(steps + 2, -1)
        assert write_leg(vertices, steps + 1, u, v, 40, straight_first) == 1
        assert vertices[0] == vertices[1] == -1
        cells = np.array([u, *vertices[2:]])
        moves = np.abs(np.stack((np.diff(cells % 40), np.diff(cells // 40)))).sum(axis=0).tolist()
        assert cells[-1] == v
        parts = [[2] * diagonal, [1] * (steps - diagonal)]
        assert moves == (parts[1] + parts[0] if straight_first else parts[0] + parts[1])
        assert leg_length(5, 7, dx, dy) == 5 * (steps - diagonal) + 7 * diagonal


def test_a_key_heap_sorts():
    rng = np.random.default_rng(4)
    heap, size, model = np.empty(300, np.int64), 0, []
    for _ in range(2000):
        if size < 300 and rng.random() < 0.55:
            entry = int(rng.integers(0, 50))
            size = key_push(heap, size, entry)
            model.append(entry)
        elif size:
            assert heap[0] == min(model)
            model.remove(min(model))
            size = key_pop(heap, size)
        assert size == len(model)

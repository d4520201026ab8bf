"""A game takes a map and gives one through two small protocols, without our types."""

import numpy as np
import pytest

from anabasis import GameMap, Grid, InputError, find_path
from anabasis.maps.engine import MapView, receive, receive_walkable, send

LAND = ["W,G^", "..T=", "W+~*"]
GRID = Grid.from_text("\n".join(LAND))


class Board:
    """A game's own map."""

    def __init__(self, width: int, height: int) -> None:
        self.rows = [["?"] * width for _ in range(height)]
        self.calls = 0

    def size(self) -> tuple[int, int]:
        return len(self.rows[0]), len(self.rows)

    def set_terrain(self, letter: str, x: int, y: int) -> None:
        self.rows[y][x] = letter
        self.calls += 1

    def terrain(self, x: int, y: int) -> str:
        return self.rows[y][x]

    def walkable(self, movement: str, x: int, y: int) -> bool:
        return self.rows[y][x] in ("W" if movement == "ship" else ",G.")


def filled() -> Board:
    board = Board(4, 3)
    send(GameMap(GRID.terrain, np.zeros((3, 4))), board)
    return board


def test_a_game_gets_each_cell_once() -> None:
    board = filled()
    assert ["".join(row) for row in board.rows] == LAND and board.calls == 12


def test_what_a_game_gives_is_planned_on() -> None:
    grid = receive(filled(), "amphibious")
    assert np.array_equal(grid.terrain, GRID.terrain)
    assert find_path(grid, (0, 0), (0, 2)).cost == 2


def test_a_game_without_terrain_answers_for_its_own_classes() -> None:
    assert receive_walkable(filled(), "ship").free.tolist() == [
        [True, False, False, False],
        [False] * 4,
        [True, False, False, False],
    ]
    assert receive_walkable(filled()).free.sum() == 4


def test_our_map_answers_the_same_questions() -> None:
    view = MapView(GRID)
    assert view.size() == (4, 3) and view.terrain(3, 1) == "="
    assert np.array_equal(receive(view).terrain, GRID.terrain)
    for movement in ("land", "water", "amphibious", "G:1"):
        free = GRID.with_movement(movement).free
        assert np.array_equal(receive_walkable(view, movement).free, free)


def test_faults_are_named() -> None:
    with pytest.raises(InputError, match=r"size of the receiver; found \(3, 3\); expected 4 × 3 cells"):
        send(GRID, Board(3, 3))
    with pytest.raises(InputError, match=r"terrain of cell x=0 \(column\), y=0 \(row\); found '\?'"):
        receive(Board(2, 2))
    with pytest.raises(InputError, match="a cell outside the map; found x=4, y=0"):
        MapView(GRID).terrain(4, 0)
    with pytest.raises(InputError, match="unknown movement class; found 'air'"):
        MapView(GRID).walkable("air", 0, 0)

"""Advice: it measures the map, tries the methods, and says why."""

import numpy as np
import pytest

from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.lab.advice import advise, look
from anabasis.lab.discretisations import noun_bytes
from anabasis.methods import METHODS

TWO_ROOMS = Grid.from_text(
    "\n".join(["." * 20 + "#" + "." * 20] * 9 + ["." * 41] * 2 + ["." * 20 + "#" + "." * 20] * 9)
)


def test_the_map_is_measured() -> None:
    terrain = look(Grid.from_text(".....\n.#.#.\n.....\n#####\n..#.."))
    assert (terrain.width, terrain.height) == (5, 5)
    assert terrain.free == 17 / 25
    assert terrain.components == 3
    assert terrain.largest == 13 / 17
    assert terrain.clutter == pytest.approx(100 * 8 / 17), "four corners at each of two pillars"
    assert not terrain.prices
    rooms = look(TWO_ROOMS)
    assert rooms.passages == 1
    assert rooms.narrowest == rooms.usual == 2


def test_the_optimal_method_that_is_through_first_is_named() -> None:
    advice = advise(TWO_ROOMS, queries=50, samples=5)
    optimal = [c for c in advice.candidates if c.optimal]
    least = min(c.total for c in optimal)
    level = [c for c in optimal if c.total <= max(1.25 * least, least + 1e-3)]
    assert advice.method == min(level, key=lambda c: c.prepare + c.slowest).name == advice.candidates[0].name
    assert all(c.longer == pytest.approx(0, abs=1e-12) for c in optimal)
    assert all(c.total == pytest.approx(c.prepare + 50 * c.query) for c in advice.candidates)
    assert "50 queries take" in advice.reason
    assert {c.name for c in advice.candidates} <= {r.name for r in METHODS if r.complete and not r.any_angle}
    whole = [c.longer for c in sorted(advice.candidates, key=lambda c: c.name) if c.answered == 5]
    again = advise(TWO_ROOMS, queries=50, samples=5)
    same = [c.longer for c in sorted(again.candidates, key=lambda c: c.name) if c.answered == 5]
    assert len(whole) > 5
    assert whole == same, "the sample is drawn by the seed"


def test_on_a_changing_map_preparing_is_paid_each_time() -> None:
    advice = advise(TWO_ROOMS, queries=50, samples=3, dynamic=True)
    assert all(c.total == pytest.approx(50 * (c.prepare + c.query)) for c in advice.candidates)


def test_prices_leave_only_methods_that_know_them() -> None:
    cost = np.where(np.arange(400).reshape(20, 20) % 7 == 0, 3.0, 1.0)
    advice = advise(Grid(cost, np.full((20, 20), ord("."), np.uint8)), samples=3)
    assert {c.name for c in advice.candidates} <= {r.name for r in METHODS if r.priced and "grid" in r.spaces}


def test_a_group_is_split_where_that_saves_time() -> None:
    wall = ["." * 12 + "#" + "." * 12] * 6
    narrow = Grid.from_text("\n".join([*wall, "." * 25, *wall, "." * 25, *wall]))
    many = advise(narrow, units=200)
    assert many.family == "group"
    assert {c.name for c in many.candidates} == {"astar", "vector-field", "flow-taut"}
    assert many.method == many.candidates[0].name
    alone = advise(Grid.from_text("\n".join(["." * 20] * 20)), units=10, dynamic=True)
    assert alone.method in ("astar", "vector-field")
    assert "no passage is narrow" in alone.reason
    assert "flow-replan" in {c.name for c in alone.candidates}


@pytest.mark.parametrize(
    ("grid", "options", "complaint"),
    [
        (TWO_ROOMS, {"units": 0}, "number of units"),
        (TWO_ROOMS, {"queries": 0}, "number of queries"),
        (TWO_ROOMS, {"samples": 0}, "number of samples"),
        (Grid.from_text("#.#"), {}, "nothing to plan on; found 1 free cells"),
        (Grid.from_text("##"), {"units": 3}, "nothing to plan on; found 0 free cells"),
        (Grid.from_text(".."), {"units": 1.5}, "number of units must be whole numbers"),
        (Grid.from_text(".."), {"queries": float("nan")}, "number of queries must be whole numbers"),
        (Grid.from_text(".."), {"seed": -1}, "seed; found -1"),
    ],
)
def test_wrong_questions(grid: Grid, options: dict, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        advise(grid, **options)


def test_bytes_count_each_array_once() -> None:
    array = np.zeros(10)
    assert noun_bytes((array, [array, array[:5]], 3, "text")) == 80
    assert noun_bytes(TWO_ROOMS) == TWO_ROOMS.cost.nbytes + TWO_ROOMS.terrain.nbytes

"""Instances of the multi-agent benchmarks: the first rows on their map, in their order."""

from pathlib import Path

import numpy as np
import pytest

from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.instance import Instance, Rules
from anabasis.io.mapf_scen import load_instance, save_instance
from anabasis.io.movingai import load_scen, save_map

GRID = Grid.from_text("...\n.@.")
ROWS = [
    "0\tmaps/a.map\t3\t2\t0\t0\t2\t1\t3.0",
    "0\ta.map\t3\t2\t2\t0\t0\t1\t3.41421356",
    "0\ta.map\t3\t2\t0\t1\t2\t0\t3.0",
]


def scen(tmp_path: Path, *rows: str) -> Path:
    file = tmp_path / "a.scen"
    file.write_text("\n".join(["version 1", *rows, ""]))
    save_map(GRID, tmp_path / "a.map")
    return file


def test_the_first_rows_are_the_agents(tmp_path: Path) -> None:
    file = scen(tmp_path, *ROWS)
    for k in range(4):
        found = load_instance(tmp_path / "a.map", file, agents=k)
        assert found.starts.tolist() == [0, 2, 3][:k] and found.goals.tolist() == [5, 3, 2][:k]
    assert load_instance(GRID, file).size == 3
    assert load_instance(GRID, file, rules=Rules(stay=False)).features == {"vanish"}


def test_rows_of_a_scaled_map(tmp_path: Path) -> None:
    file = scen(tmp_path, "0\ta.map\t6\t4\t0\t0\t5\t3\t3.0", "0\ta.map\t6\t4\t5\t0\t0\t3\t3.0")
    found = load_instance(tmp_path / "a.map", file)
    assert isinstance(found.space, Grid) and found.space.width == 6 and found.goals.tolist() == [23, 18]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("0\tb.map\t3\t2\t0\t1\t2\t0\t3.0", "line 3: a row for another map; found 'b.map'; expected 'a.map'"),
        ("0\ta.map\t4\t2\t0\t1\t2\t0\t3.0", "line 3: a row for a map of another size; found 4 × 2; expected 3 × 2"),
        ("0\ta.map\t6\t4\t0\t1\t2\t0\t3.0", "line 3: a row for a map of another size; found 6 × 4; expected 3 × 2"),
        ("0\ta.map\t3\t2\t1\t1\t2\t0\t3.0", r"line 3: the start is blocked; found x=1 \(column\), y=1"),
        ("0\ta.map\t3\t2\t2\t0\t1\t1\t3.0", r"line 3: the goal is blocked; found x=1 \(column\), y=1"),
        ("0\ta.map\t3\t2\t0\t0\t1\t0\t3.0", "line 3: two agents have the same start; found x=0 .*, as in line 2"),
        ("0\ta.map\t3\t2\t1\t0\t2\t1\t3.0", "line 3: two agents have the same goal; found x=2 .*, as in line 2"),
    ],
)
def test_a_row_that_does_not_fit_is_named(row: str, message: str, tmp_path: Path) -> None:
    file = scen(tmp_path, ROWS[0], row)
    assert load_instance(tmp_path / "a.map", file, agents=1).size == 1
    with pytest.raises(InputError, match=f"a.scen: {message}"):
        load_instance(tmp_path / "a.map", file)


def test_a_row_for_a_map_scaled_beyond_all_bounds_is_named(tmp_path: Path) -> None:
    for width, height in ((300_000_000, 200_000_000), (30_000, 20_000)):
        file = scen(tmp_path, f"0\ta.map\t{width}\t{height}\t0\t0\t5\t3\t3.0")
        message = (
            f"a.scen: line 2: a row for a map scaled beyond all bounds; found {width} × {height}, {width // 3} times"
        )
        with pytest.raises(InputError, match=message):
            load_instance(tmp_path / "a.map", file)


def test_what_names_no_map_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="name of a file; found NoneType; expected str or PathLike"):
        load_instance(None, scen(tmp_path, *ROWS))  # pyright: ignore[reportArgumentType]
    with pytest.raises(InputError, match="name of the map; found NoneType; expected str"):
        save_instance(Instance.of(GRID, [0], [2]), tmp_path / "a.scen", map=None, lengths=[2])  # pyright: ignore[reportArgumentType]
    with pytest.raises(InputError, match=r"lengths; found 1e\+12; expected lengths from 0, below 1e\+12"):
        save_instance(Instance.of(GRID, [0], [2]), tmp_path / "a.scen", map="a.map", lengths=[1e12])


def test_more_agents_than_rows(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="agents; found 4; expected at most 3, the rows of the scenario"):
        load_instance(GRID, scen(tmp_path, *ROWS), agents=4)
    with pytest.raises(InputError, match="agents; found -1"):
        load_instance(GRID, scen(tmp_path, *ROWS), agents=-1)


def test_instances_are_written_and_read_back(tmp_path: Path) -> None:
    instance = Instance.of(GRID, [0, 2, 3], [5, 3, 2])
    save_instance(instance, tmp_path / "b.scen", map="a.map", lengths=[3, 2 + 2**0.5, 8.5])
    again = load_instance(GRID, tmp_path / "b.scen")
    assert np.array_equal(again.starts, instance.starts) and np.array_equal(again.goals, instance.goals)
    assert load_scen(tmp_path / "b.scen").bucket.tolist() == [0, 0, 2]
    assert (tmp_path / "b.scen").read_text().split("\n")[2] == "0\ta.map\t3\t2\t2\t0\t0\t1\t3.41421356"
    with pytest.raises(InputError, match="lengths; found a length below 0 or inf"):
        save_instance(instance, tmp_path / "b.scen", map="a.map", lengths=[3, -1, 8])
    with pytest.raises(InputError, match="agents of several cells"):
        open_grid = Grid.from_text("..\n..")
        save_instance(Instance.of(open_grid, [0], [0], sizes=2), tmp_path / "b.scen", map="a.map", lengths=[0])

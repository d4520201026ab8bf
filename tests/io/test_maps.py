import sys
from pathlib import Path
from subprocess import run

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anabasis import Grid, InputError, Scenario, state_hash
from anabasis.find import load
from anabasis.io.maps import WRITTEN_SUFFIXES, load_grid, save_grid
from anabasis.io.text import load_text, save_text
from anabasis.movement import TERRAIN_LETTERS

KEEPS = {"movingai": "terrain", "text": "terrain", "archive": "all", "image": "free"}
ALPHABET = {"movingai": ".G@OTSW", "text": TERRAIN_LETTERS, "archive": TERRAIN_LETTERS, "image": TERRAIN_LETTERS}


def drawn(letters: str, width: int, movement: str = "land") -> Grid:
    return Grid.from_terrain(np.frombuffer(letters.encode(), np.uint8).reshape(-1, width), movement)


@pytest.mark.parametrize("suffix", sorted(WRITTEN_SUFFIXES))
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_round_trip(tmp_path_factory: pytest.TempPathFactory, suffix: str, data: st.DataObject) -> None:
    kind = WRITTEN_SUFFIXES[suffix]
    width, height = data.draw(st.integers(1, 8)), data.draw(st.integers(1, 8))
    letters = data.draw(st.text(ALPHABET[kind], min_size=width * height, max_size=width * height))
    movement = data.draw(st.sampled_from(["land", "water", "amphibious"]))
    grid = drawn(letters, width, movement)
    path = tmp_path_factory.getbasetemp() / f"any{suffix}"
    save_grid(grid, path)
    again = load_grid(path) if kind in ("archive", "image") else load_grid(path, movement)
    if KEEPS[kind] == "free":
        assert np.array_equal(again.free, grid.free)
    else:
        assert state_hash(again) == state_hash(grid)
    first = path.read_bytes()
    save_grid(again, path)
    assert path.read_bytes() == first


@pytest.mark.parametrize("source", sorted(WRITTEN_SUFFIXES))
@pytest.mark.parametrize("target", sorted(WRITTEN_SUFFIXES))
def test_from_each_format_to_each(tmp_path: Path, source: str, target: str) -> None:
    grid = drawn(".@.T..S@", 4)
    save_grid(grid, tmp_path / f"a{source}")
    save_grid(load_grid(tmp_path / f"a{source}"), tmp_path / f"b{target}")
    assert np.array_equal(load_grid(tmp_path / f"b{target}").free, grid.free)


def test_an_archive_keeps_its_own_prices_unless_asked(tmp_path: Path) -> None:
    grid = Grid(np.array([[1.5, np.inf]]), np.array([[ord("W"), ord(".")]]), 2.0)
    save_grid(grid, tmp_path / "a.npz")
    assert state_hash(load_grid(tmp_path / "a.npz")) == state_hash(grid)
    assert load_grid(tmp_path / "a.npz", "land").free.tolist() == [[False, True]]
    with pytest.raises(InputError, match="unknown movement class; found 'air'"):
        load_grid(tmp_path / "a.npz", "air")


@pytest.mark.parametrize("suffix", sorted(WRITTEN_SUFFIXES))
def test_the_content_tells_the_format_without_a_suffix(tmp_path: Path, suffix: str) -> None:
    grid = drawn(".@.T..S@", 4)
    save_grid(grid, tmp_path / f"a{suffix}")
    bare = tmp_path / "a.data"
    bare.write_bytes((tmp_path / f"a{suffix}").read_bytes())
    assert np.array_equal(load_grid(bare).free, grid.free)


def test_scale(tmp_path: Path) -> None:
    save_grid(drawn(".@..", 2), tmp_path / "a.map")
    grid = load_grid(tmp_path / "a.map", scale=3)
    assert (grid.width, grid.height) == (6, 6)
    assert grid.free.tolist() == [[True] * 3 + [False] * 3] * 3 + [[True] * 6] * 3
    with pytest.raises(InputError, match=r"scale of a map; found 0"):
        load_grid(tmp_path / "a.map", scale=0)
    with pytest.raises(InputError, match=r"found 20000 × 20000 cells; expected at most 16384 cells a side"):
        load_grid(tmp_path / "a.map", scale=10_000)
    with pytest.raises(InputError, match=r"found 16384 × 16384 cells = 268435456.*crop or shrink"):
        load_grid(tmp_path / "a.map", scale=8192)


@pytest.mark.parametrize("suffix", sorted(WRITTEN_SUFFIXES))
def test_caps(tmp_path: Path, suffix: str) -> None:
    save_grid(drawn("." * 12, 4), tmp_path / f"a{suffix}")
    with pytest.raises(InputError, match=r"found 4 × 3 cells; expected at most 3 cells a side. Hint: crop or shrink"):
        load_grid(tmp_path / f"a{suffix}", max_side=3)
    with pytest.raises(InputError, match=r"found 4 × 3 cells = 12; expected at most 11 cells. Hint: crop or shrink"):
        load_grid(tmp_path / f"a{suffix}", max_cells=11)


def test_load_dispatches(tmp_path: Path) -> None:
    grid = drawn(".@..", 2)
    for suffix in WRITTEN_SUFFIXES:
        save_grid(grid, tmp_path / f"a{suffix}")
        assert isinstance(load(tmp_path / f"a{suffix}"), Grid)
    (tmp_path / "a.toml").write_text(
        'schema = "anabasis/scenario"\nschema_version = 1\n[map]\nfile = "a.map"\n'
        "[[groups]]\npositions = [[0.5, 0.5]]\ntarget = { x = 0.5, y = 1.5 }\n"
    )
    assert isinstance(load(tmp_path / "a.toml"), Scenario)


def test_an_archive_of_something_else_is_no_map(tmp_path: Path) -> None:
    from anabasis import Path as Way
    from anabasis.io.archive import save

    save(Way(np.zeros(0), np.zeros((0, 2)), 0.0), tmp_path / "a.npz")
    with pytest.raises(InputError, match=r"the archive holds no map; found a Path; expected a Grid"):
        load_grid(tmp_path / "a.npz")


def test_unknown_format(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"unknown map format; found '.xyz'; expected .map or .txt or .npz"):
        save_grid(drawn(".", 1), tmp_path / "a.xyz")


def test_text_keeps_letters_and_refuses_what_has_none(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("\n   .#5W\r\n   ..@T\n\n")
    grid = load_text(tmp_path / "a.txt", "amphibious")
    assert bytes(grid.terrain).decode() == ".@5W..@T"
    assert grid.cost[0].tolist() == [1, np.inf, 5, 1]
    save_text(grid, tmp_path / "b.txt")
    assert (tmp_path / "b.txt").read_bytes() == b".@5W\n..@T\n"
    strange = Grid.from_terrain(np.array([[46, 7]]))
    for name in ("c.txt", "c.map"):
        with pytest.raises(InputError, match=r"x=1 \(column\), y=0 \(row\) has no letter"):
            save_grid(strange, tmp_path / name)


def test_reading_and_writing_import_nothing_heavy() -> None:
    code = "import sys, anabasis.io, anabasis.io.maps, anabasis.io.archive, anabasis.io.movingai; print(*sys.modules)"
    modules = run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"numba", "scipy", "polars", "matplotlib", "PIL", "msgspec"} & set(modules)

"""Small mutations of good files: each reader returns a noun or raises InputError, nothing else."""

import functools
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from anabasis import Grid, InputError, find
from anabasis.io import archive, image, movingai, text

GRID = Grid.from_text("..@.\n.S.W\nT...")
SCEN = "version 1\n0\ta.map\t4\t3\t0\t0\t1\t0\t1.0\n1 a.map 4 3 0 0 3 2 4.24264069\n"
SCENARIO = """schema = "anabasis/scenario"
schema_version = 1
[map]
scale = 1
text = '''
....
.#..
....
'''
[[groups]]
rectangle = { x = 0, y = 0, width = 4, height = 3, count = 4 }
positions = [[3.5, 2.5]]
target = { x = 3.5, y = 0.5 }
radius = 0.4
[[changes]]
step = 3
terrain = "T"
cells = [[1, 1]]
[limits]
steps = 10
"""


@functools.cache
def good_files() -> dict[str, bytes]:
    """Return a good file of each kind, by suffix."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        movingai.save_map(GRID, folder / "a.map")
        text.save_text(GRID, folder / "a.txt")
        archive.save(GRID, folder / "a.npz")
        for suffix in image.IMAGE_SUFFIXES:
            image.save_image(GRID, folder / f"a{suffix}")
        (folder / "a.scen").write_text(SCEN)
        (folder / "a.toml").write_text(SCENARIO)
        return {p.suffix[1:]: p.read_bytes() for p in folder.iterdir()}


def reader(kind: str) -> Callable[[Path], object]:
    return movingai.load_scen if kind == "scen" else find.load


KINDS = ["map", "txt", "npz", "scen", "toml", *(s[1:] for s in image.IMAGE_SUFFIXES)]


def mutate(data: bytes, draw: Callable[[st.SearchStrategy[object]], object]) -> bytes:
    for _ in range(int(str(draw(st.integers(1, 3))))):
        at = int(str(draw(st.integers(0, len(data)))))
        kind = draw(st.sampled_from(["flip", "insert", "delete", "repeat", "digit"]))
        if kind == "flip" and at < len(data):
            data = data[:at] + bytes([data[at] ^ (1 << int(str(draw(st.integers(0, 7)))))]) + data[at + 1 :]
        elif kind == "insert":
            some = draw(st.binary(min_size=1, max_size=3))
            assert isinstance(some, bytes)
            data = data[:at] + some + data[at:]
        elif kind == "delete":
            data = data[:at] + data[at + int(str(draw(st.integers(1, 8)))) :]
        elif kind == "repeat":
            data = data[:at] + data[max(0, at - 6) : at] + data[at:]
        else:
            data = data[:at] + str(draw(st.sampled_from("0123456789-.eE[]{}\"'\n\r\t "))).encode() + data[at:]
    return data


def try_all(kind: str, folder: Path, data: st.DataObject) -> None:
    path = folder / f"a.{kind}"
    path.write_bytes(mutate(good_files()[kind], data.draw))
    try:
        reader(kind)(path)
    except InputError as error:
        assert str(path) in str(error)
        assert "\n" not in str(error)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_mutated(kind: str, tmp_path: Path, data: st.DataObject) -> None:
    try_all(kind, tmp_path, data)


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=2000, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_mutated_often(kind: str, tmp_path: Path, data: st.DataObject) -> None:
    try_all(kind, tmp_path, data)


@pytest.mark.parametrize("kind", KINDS)
def test_cut_off_anywhere(kind: str, tmp_path: Path) -> None:
    path, read, whole = tmp_path / f"a.{kind}", reader(kind), good_files()[kind]
    refused = 0
    for end in range(len(whole)):
        path.write_bytes(whole[:end])
        try:
            read(path)
        except InputError:
            refused += 1
    assert refused > 0


@pytest.mark.parametrize("kind", KINDS)
def test_random_bytes(kind: str, tmp_path: Path) -> None:
    path, read = tmp_path / f"a.{kind}", reader(kind)
    rng = np.random.default_rng(1)
    for size in (0, 1, 2, 7, 30, 200):
        path.write_bytes(rng.integers(0, 256, size, dtype=np.uint8).tobytes())
        with pytest.raises(InputError):
            read(path)

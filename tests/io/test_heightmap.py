"""Height maps: 16 bits come back to half a step, faults are named."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from anabasis import InputError
from anabasis.io.heightmap import load_heightmap, save_heightmap


def test_heights_come_back_to_half_a_step(tmp_path: Path) -> None:
    heights = np.random.default_rng(1).normal(size=(23, 31)) * 40
    save_heightmap(heights, tmp_path / "h.png")
    with Image.open(tmp_path / "h.png") as image:
        assert image.mode.startswith("I") and image.size == (31, 23)
    again = load_heightmap(tmp_path / "h.png")
    low, high = heights.min(), heights.max()
    assert (again.min(), again.max()) == (0, 1)
    assert np.abs(low + again * (high - low) - heights).max() <= (high - low) / 65535 / 2 * 1.0001


def test_the_order_of_heights_is_kept(tmp_path: Path) -> None:
    save_heightmap(np.arange(65536.0).reshape(256, 256), tmp_path / "h.png")
    assert np.array_equal(load_heightmap(tmp_path / "h.png") * 65535, np.arange(65536.0).reshape(256, 256))


def test_flat_land_is_black(tmp_path: Path) -> None:
    save_heightmap(np.full((2, 3), 7.0), tmp_path / "h.png")
    assert load_heightmap(tmp_path / "h.png").tolist() == [[0, 0, 0], [0, 0, 0]]


def test_eight_bits_are_read(tmp_path: Path) -> None:
    Image.fromarray(np.array([[0, 51, 255]], np.uint8)).save(tmp_path / "h.png")
    assert load_heightmap(tmp_path / "h.png").tolist() == [[0, 0.2, 1]]


def _colour(path: Path) -> None:
    Image.new("RGB", (2, 2)).save(path)


def _cut(path: Path) -> None:
    save_heightmap(np.random.default_rng(1).normal(size=(64, 64)), path)
    path.write_bytes(path.read_bytes()[:300])


FAULTS = {
    "colour": (_colour, "the picture is no height map; found RGB; expected a grey PNG"),
    "cut off": (_cut, "the height map is damaged"),
    "text": (lambda path: path.write_text("heights"), "not a height map that can be read"),
    "empty": (lambda path: path.write_bytes(b""), "not a height map that can be read"),
    "gif": (lambda path: Image.new("L", (2, 2)).save(path, "GIF"), "not a height map that can be read"),
    "none": (lambda path: None, "the file can't be read"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_faults_name_the_file(tmp_path: Path, name: str) -> None:
    make, message = FAULTS[name]
    make(tmp_path / "bad.png")
    with pytest.raises(InputError, match=message) as caught:
        load_heightmap(tmp_path / "bad.png")
    assert "bad.png" in str(caught.value)


def test_heights_that_are_not_finite_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="heights must be finite"):
        save_heightmap(np.array([[0.0, np.inf]]), tmp_path / "h.png")

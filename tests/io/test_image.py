import io
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from PIL import Image

from anabasis import Grid, InputError
from anabasis.io.image import IMAGE_SUFFIXES, load_image, save_image


def saved(path: Path, pixels: np.ndarray, mode: str | None = None) -> Path:
    image = Image.fromarray(pixels)
    (image.convert(mode) if mode else image).save(path)
    return path


def walls(grid: Grid) -> list[list[int]]:
    return (~grid.free).astype(int).tolist()


@settings(max_examples=40, deadline=None)
@given(arrays(bool, array_shapes(min_dims=2, max_dims=2, max_side=20)), st.sampled_from(sorted(IMAGE_SUFFIXES)))
def test_free_cells_come_back(tmp_path_factory: pytest.TempPathFactory, free: np.ndarray, suffix: str) -> None:
    path = tmp_path_factory.getbasetemp() / f"any{suffix}"
    save_image(Grid.from_free(free), path)
    assert np.array_equal(load_image(path).free, free)
    assert np.array_equal(load_image(path, invert=True).free, ~free)


def test_threshold(tmp_path: Path) -> None:
    path = saved(tmp_path / "a.png", np.array([[0, 99, 100, 255]], np.uint8))
    assert walls(load_image(path, threshold=100)) == [[1, 1, 0, 0]]
    assert walls(load_image(path, threshold=1)) == [[1, 0, 0, 0]]
    assert walls(load_image(path, threshold=100, invert=True)) == [[0, 0, 1, 1]]
    for bad in (0, 256):
        with pytest.raises(InputError, match=f"threshold of an image; found {bad}"):
            load_image(path, threshold=bad)


def test_colours_count_by_luminance(tmp_path: Path) -> None:
    colours = np.array([[[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 0]]], np.uint8)
    assert walls(load_image(saved(tmp_path / "a.png", colours))) == [[1, 0, 1, 0]]
    assert walls(load_image(saved(tmp_path / "b.png", colours, "P"))) == [[1, 0, 1, 0]]


def test_transparent_pixels_are_free(tmp_path: Path) -> None:
    rgba = np.array([[[0, 0, 0, 255], [0, 0, 0, 0], [0, 0, 0, 100], [0, 0, 0, 200]]], np.uint8)
    assert walls(load_image(saved(tmp_path / "a.png", rgba))) == [[1, 0, 0, 1]]
    path = tmp_path / "b.png"
    Image.fromarray(rgba[:, :2]).convert("LA").save(path)
    assert walls(load_image(path)) == [[1, 0]]
    Image.fromarray(np.array([[0, 0], [255, 9]], np.uint8)).save(path, transparency=9)
    assert walls(load_image(path)) == [[1, 1], [0, 0]]


def test_sixteen_bits(tmp_path: Path) -> None:
    pixels = np.array([[0, 127 * 257, 128 * 257, 65535]], np.uint16)
    for name in ("a.png", "b.pgm"):
        assert walls(load_image(saved(tmp_path / name, pixels))) == [[1, 1, 0, 0]], name


def test_first_picture_of_an_animation(tmp_path: Path) -> None:
    first, second = (Image.fromarray(np.full((1, 2), v, np.uint8)) for v in (0, 255))
    first.save(tmp_path / "a.gif", save_all=True, append_images=[second])
    assert walls(load_image(tmp_path / "a.gif")) == [[1, 1]]


def test_pixels_are_cells_x_right_y_down(tmp_path: Path) -> None:
    pixels = np.full((3, 5), 255, np.uint8)
    pixels[2, 1] = 0
    grid = load_image(saved(tmp_path / "a.png", pixels))
    assert (grid.width, grid.height) == (5, 3)
    assert not grid.is_free(1, 2) and grid.is_free(2, 1)


def test_the_size_is_checked_before_the_pixels_are_decoded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = saved(tmp_path / "a.png", np.zeros((10, 20), np.uint8))
    monkeypatch.setattr(Image.Image, "convert", lambda *_: pytest.fail("the pixels were decoded"))
    with pytest.raises(InputError, match=r"20 × 10 cells; expected at most 19 cells a side. Hint: crop or shrink"):
        load_image(path, max_side=19)
    with pytest.raises(InputError, match=r"20 × 10 cells = 200; expected at most 199 cells. Hint: crop or shrink"):
        load_image(path, max_cells=199)


def test_a_real_bomb_is_refused_unread(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    Image.new("1", (17_000, 17_000)).save(buffer, "PNG")
    (tmp_path / "a.png").write_bytes(buffer.getvalue())
    assert len(buffer.getvalue()) < 100_000
    with pytest.raises(InputError, match=r"too large"):
        load_image(tmp_path / "a.png")


def test_unknown_suffix(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"unknown image format; found '.tif'; expected .png or .bmp"):
        save_image(Grid.from_text("."), tmp_path / "a.tif")

"""Climate: strips against painting each row alone, tables against plain look-ups, and which way it gets colder."""

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from scipy import ndimage

from anabasis import InputError
from anabasis.maps.land.climate import WHITTAKER, biomes, latitude, strips, temperature
from anabasis.maps.land.levels import thresholds
from anabasis.maps.land.palettes import PALETTES, paint_heights

CLIMATES = ("arctic", "temperate", "tropical")


def field(seed, width=80, height=60):
    return ndimage.gaussian_filter(np.random.default_rng(seed).normal(size=(height, width)), 2)


def test_latitude_runs_from_the_upper_border_to_the_lower_one():
    lines = latitude(7, 4)
    assert lines.tolist() == [[(y + 0.5) / 4] * 7 for y in range(4)]


@pytest.mark.parametrize("size", [(1, 1), (1, 9), (200, 3), (90, 120)])
def test_lines_of_latitude_stray_no_farther_than_asked(size):
    straight, wavering = latitude(*size), latitude(*size, waver=0.2, seed=5)
    assert abs(wavering - straight).max() <= 0.2
    assert (wavering >= 0).all()
    assert (wavering <= 1).all()
    assert np.array_equal(wavering, latitude(*size, waver=0.2, seed=5))
    if min(size) > 50:
        assert abs(wavering - straight).max() > 0.04
        assert not np.array_equal(wavering, latitude(*size, waver=0.2, seed=6))
        assert abs(np.diff(wavering, axis=1)).max() < 0.05  # without jumps


def test_strips_are_painted_each_with_its_palette():
    heights = field(1)
    land = strips(heights)
    for k, name in enumerate(CLIMATES):
        rows = slice(20 * k, 20 * k + 20)
        assert np.array_equal(land[rows], paint_heights(heights, name)[rows])
    own = strips(heights, ["hot", PALETTES["arid"]], bounds=[0.25])
    assert np.array_equal(own[:15], paint_heights(heights, "hot")[:15])
    assert np.array_equal(own[15:], paint_heights(heights, "arid")[15:])
    assert np.array_equal(strips(heights, ["hot"]), paint_heights(heights, "hot"))


def test_at_one_level_of_height_grass_is_frozen_in_the_arctic():
    heights = field(2)
    land = strips(heights, waver=0.1, seed=3)
    temperate = paint_heights(heights)
    assert np.array_equal(land == ord("W"), temperate == ord("W"))  # the coast runs on through all strips
    low, high = thresholds(heights, PALETTES["arctic"].shares)[1:3]
    level = (heights >= low) & (heights < high)
    arctic = level & (latitude(80, 60, waver=0.1, seed=3) < 1 / 3)
    assert arctic.any()
    assert (land[arctic] == ord("t")).all()
    assert (temperate[arctic] == ord("G")).all()


def test_borders_of_strips_waver_on_request():
    heights = np.zeros((90, 120))
    flat = ["G", "t"]
    palettes = [replace(PALETTES["arctic"], letters=letter, shares=()) for letter in flat]
    straight, wavering = (strips(heights, palettes, waver=waver, seed=1) for waver in (0, 0.3))
    assert len({int(row) for row in (straight == ord("G")).sum(axis=0)}) == 1
    edge = (wavering == ord("G")).sum(axis=0)
    assert edge.max() - edge.min() > 5
    assert abs(edge - 45).max() <= 0.3 * 90


def test_it_is_colder_upward_and_towards_the_pole():
    heights = field(4)
    sea = float(np.median(heights))
    degrees = temperature(heights, sea=sea)
    assert (np.diff(temperature(np.zeros((60, 5))), axis=0) > 0).all()
    order = np.argsort(heights, axis=1)
    assert (np.diff(np.take_along_axis(degrees, order, axis=1), axis=1) <= 0).all()
    straight = latitude(80, 60)
    level = -12 + 40 * straight
    assert degrees[heights <= sea] == pytest.approx(level[heights <= sea])
    top = np.unravel_index(heights.argmax(), heights.shape)
    assert degrees[top] == pytest.approx(level[top] - 22)
    assert temperature(heights, above=5, below=5, lapse=0) == pytest.approx(5)
    assert temperature(1000 * heights + 7, sea=1000 * sea + 7) == pytest.approx(degrees)


def test_land_grows_by_the_table():
    terrain = np.random.default_rng(5).choice(np.frombuffer(b"W,GG.^*", np.uint8), (60, 80))
    warmth, wet = field(6) * 80 + 5, field(7)
    land = biomes(terrain, warmth, wet)
    may = np.isin(terrain, list(b"G."))
    ordered = np.sort(wet[may])
    bounds = [ordered[int(share * ordered.size + 1e-6)] for share in (0.18, 0.42, 0.66, 0.92)]
    seen = set()
    for y, x in np.ndindex(terrain.shape):
        letter = chr(terrain[y, x])
        if letter in "G.":
            row = sum(warmth[y, x] >= bound for bound in (-8, 3, 13, 22))
            column = sum(wet[y, x] >= bound for bound in bounds)
            letter = WHITTAKER[row][column]
            seen.add((row, column))
        elif letter in "^*":
            letter = "*" if warmth[y, x] < -4 else "^"
        assert chr(land[y, x]) == letter
    assert len(seen) == 25


def test_only_the_order_of_moisture_counts():
    terrain = np.full((60, 80), ord("G"), np.uint8)
    warmth, wet = temperature(field(8)), field(9)
    assert np.array_equal(biomes(terrain, warmth, wet), biomes(terrain, warmth, 3 + wet**3))
    wettest = wet >= np.quantile(wet, 0.93)
    hot = np.full(wet.shape, 30.0)
    assert (biomes(terrain, hot, wet)[wettest] == ord("S")).all()


def test_own_tables_snow_lines_and_frozen_seas():
    terrain = np.array([list(b"WG^*"), list(b"WG^*")], np.uint8)
    warmth, wet = np.array([[-20.0] * 4, [10.0] * 4]), np.arange(8.0).reshape(2, 4)
    table = {"table": ("ti", "dj"), "warmth_bounds": (0,), "moisture_shares": (0.5,)}
    land = biomes(terrain, warmth, wet, freeze_sea=-2, **table)
    assert [bytes(row).decode() for row in land] == ["it**", "Wj^^"]
    land = biomes(terrain, warmth, wet, over="", snow=50, **table)
    assert [bytes(row).decode() for row in land] == ["WG**", "WG**"]


@pytest.mark.parametrize("size", [1e-300, 1e-12, 1e12, 1e100])
def test_the_unit_of_height_does_not_count(size):
    heights = field(10)
    heights /= abs(heights).max()
    assert temperature(heights * size, sea=0.1 * size) == pytest.approx(temperature(heights, sea=0.1))
    assert np.array_equal(strips(heights * size, waver=0.1), strips(heights, waver=0.1))


def test_one_cell_has_a_climate():
    assert temperature([[3.0]]).tolist() == [[8.0]]
    assert bytes(biomes([[ord("G")]], [[30.0]], [[1.0]])).decode() == "S"
    assert bytes(strips([[1.0]])).decode() == "*"


def test_wrong_input_is_refused():
    heights, terrain = field(1, 3, 2), np.full((2, 3), ord("G"), np.uint8)
    with pytest.raises(InputError, match="waver of the latitude; found 2; expected a share from 0 to 1"):
        latitude(3, 3, waver=2)
    with pytest.raises(InputError, match="width; found 0"):
        latitude(0, 3)
    with pytest.raises(InputError, match="seed; found -1"):
        latitude(3, 3, seed=-1)
    with pytest.raises(InputError, match="palettes of the strips; found none"):
        strips(heights, [])
    with pytest.raises(InputError, match="unknown palette; found 'mild'"):
        strips(heights, ["mild"])
    for bounds in ([0.5], [0.6, 0.4], [0.5, 1.5]):
        with pytest.raises(InputError, match=r"bounds of the strips; .* expected 2 rising latitudes from 0 to 1"):
            strips(heights, bounds=bounds)
    with pytest.raises(InputError, match="temperatures; found nan to 28"):
        temperature(heights, above=float("nan"))
    with pytest.raises(InputError, match="temperature has the wrong shape; found 1×1; expected 2×3"):
        biomes(terrain, [[1.0]], heights)
    with pytest.raises(InputError, match="moisture must be finite"):
        biomes(terrain, heights, np.full((2, 3), np.inf))
    with pytest.raises(InputError, match=r"table of biomes; found 1 rows of .5. letters; expected 5 rows of 5 letters"):
        biomes(terrain, heights, heights, table=("ddddd",))
    with pytest.raises(InputError, match="letter in the table of biomes; found 'q'"):
        biomes(terrain, heights, heights, table=("q" * 5,) * 5)
    with pytest.raises(InputError, match="letter that a biome covers; found 'q'"):
        biomes(terrain, heights, heights, over="q")


REPEATABLE = """
import hashlib
import numpy as np
from anabasis.maps.land.climate import biomes, latitude, strips, temperature

y, x = np.mgrid[:40, :50]
heights = (x * x * 7 + y * 131 + x * y) % 97.0
warmth = temperature(heights, waver=0.2, seed=2**63 - 1)
land = biomes(strips(heights, waver=0.2, seed=9), warmth, latitude(50, 40, waver=1, seed=4))
print(hashlib.sha256(warmth.tobytes() + land.tobytes()).hexdigest())
"""


def test_the_same_bytes_in_every_process_and_without_the_compiler(monkeypatch):
    def run(name, value):
        monkeypatch.setenv(name, value)
        done = subprocess.run([sys.executable, "-c", REPEATABLE], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert run("PYTHONHASHSEED", "0") == run("PYTHONHASHSEED", "7") == run("NUMBA_DISABLE_JIT", "1")

"""Octaves: what all noises share: grids are points, offsets are moves, copies fit, octaves add up, errors say what."""

import math
import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anabasis import InputError
from anabasis.maps.terrain.gradient_noise import gradient_noise, gradient_noise_at
from anabasis.maps.terrain.octaves import KINDS
from anabasis.maps.terrain.simplex_noise import simplex_noise, simplex_noise_at
from anabasis.maps.terrain.value_noise import value_noise, value_noise_at
from anabasis.maps.terrain.worley_noise import worley_noise, worley_noise_at

NOISES = {
    "value": (value_noise, value_noise_at),
    "gradient": (gradient_noise, gradient_noise_at),
    "simplex": (simplex_noise, simplex_noise_at),
    "worley": (worley_noise, worley_noise_at),
}
KINDLY = ("value", "gradient", "simplex")


def centres(width, height, offset=(0.0, 0.0)):
    y, x = np.indices((height, width))
    return np.stack([x.ravel() + 0.5 + offset[0], y.ravel() + 0.5 + offset[1]], axis=1)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(list(NOISES)),
    st.tuples(st.integers(1, 40), st.integers(1, 40)),
    st.integers(0, 2**63 - 1),
    st.floats(0.5, 200),
    st.integers(1, 4),
    st.sampled_from(KINDS),
    st.sampled_from([0.0, 7.5]),
    st.booleans(),
    st.tuples(st.integers(-(2**31), 2**31), st.floats(-1000, 1000)),
)
def test_a_grid_is_its_points_to_the_last_bit(name, size, seed, scale, octaves, kind, warp, seamless, offset):
    on_grid, at = NOISES[name]
    options = {"seed": seed, "scale": scale, "octaves": octaves, "lacunarity": 1.2, "warp": warp}
    if name in KINDLY:
        options["kind"] = kind
    grid = on_grid(*size, seamless=seamless, offset=offset, **options)
    assert (grid.shape, grid.dtype) == (size[::-1], np.float64)
    places = np.clip(centres(*size, offset), -(2.0**31), 2.0**31)
    if np.array_equal(places, centres(*size, offset)):
        points = at(places, period=size if seamless else None, **options)
        assert np.array_equal(grid.reshape(-1), points)
    if name in KINDLY:
        assert grid.min() >= (-1 if kind == "sum" else 0)
        assert grid.max() <= 1


@pytest.mark.parametrize("name", NOISES)
def test_an_offset_moves_the_window_and_bands_leave_no_trace(name):
    """The window is cut from a map of several bands; its own bands begin in other rows."""
    on_grid = NOISES[name][0]
    for warp in (0.0, 9.0):
        whole = on_grid(300, 400, seed=8, octaves=4, scale=40, warp=warp)
        part = on_grid(120, 150, seed=8, octaves=4, scale=40, warp=warp, offset=(77, 191))
        assert np.array_equal(part, whole[191:341, 77:197])


def seam(noise):
    """The greatest step across the borders of copies side by side, by the greatest inside."""
    inside = max(np.abs(np.diff(noise, axis=axis)).max() for axis in (0, 1))
    across = max(np.abs(noise[0] - noise[-1]).max(), np.abs(noise[:, 0] - noise[:, -1]).max())
    return across / inside


@pytest.mark.parametrize("name", NOISES)
def test_copies_of_a_seamless_map_fit(name):
    on_grid, at = NOISES[name]
    for kind in KINDS if name in KINDLY else ("sum",):
        kinds = {"kind": kind} if name in KINDLY else {}
        for warp in (0.0, 10.0):
            options = {"seed": 4, "scale": 23.7, "octaves": 3, "warp": warp, **kinds}
            noise = on_grid(130, 90, seamless=True, **options)
            assert seam(noise) < 1.3
            assert (kind, warp) != ("sum", 0.0) or seam(on_grid(130, 90, **options)) > 1.8
            places = centres(130, 90, (130.0, -270.0))
            again = at(places, period=(130, 90), **options).reshape(noise.shape)
            np.testing.assert_allclose(again, noise, atol=1e-9)


def test_a_period_shorter_than_a_step_holds_one():
    for on_grid, _ in NOISES.values():
        noise = on_grid(3, 5, seed=1, scale=1000, seamless=True, octaves=2)
        assert np.isfinite(noise).all()


@pytest.mark.parametrize("name", KINDLY)
def test_octaves_add_up(name):
    """Roughness enters as amplitudes alone: three maps of two octaves give every other one."""
    on_grid = NOISES[name][0]
    only_first = on_grid(60, 50, seed=6, scale=20, octaves=2, roughness=0)
    assert np.array_equal(only_first, on_grid(60, 50, seed=6, scale=20))
    both = on_grid(60, 50, seed=6, scale=20, octaves=2, roughness=1)
    second = 2 * both - only_first
    for roughness in (0.3, 0.8):
        mixed = on_grid(60, 50, seed=6, scale=20, octaves=2, roughness=roughness)
        np.testing.assert_allclose(mixed, (only_first + roughness * second) / (1 + roughness), atol=1e-12)
        billow = on_grid(60, 50, seed=6, scale=20, octaves=2, roughness=roughness, kind="billow")
        wanted = (np.abs(only_first) + roughness * np.abs(second)) / (1 + roughness)
        np.testing.assert_allclose(billow, wanted, atol=1e-12)
        ridge = (1 - np.abs(only_first)) ** 2
        finer = (1 - np.abs(second)) ** 2 * np.minimum(1, 2 * ridge)
        ridged = on_grid(60, 50, seed=6, scale=20, octaves=2, roughness=roughness, kind="ridged")
        np.testing.assert_allclose(ridged, (ridge + roughness * finer) / (1 + roughness), atol=1e-12)


def test_warping_moves_points_by_at_most_so_many_cells():
    """A map whose values are places: a lattice without jitter far coarser than the map tells how far a point went."""
    for warp in (3.0, 30.0):
        plain = worley_noise(200, 200, seed=3, scale=2000.0, jitter=0)
        bent = worley_noise(200, 200, seed=3, scale=2000.0, jitter=0, warp=warp)
        moved = np.abs(bent - plain).max() * 2000
        assert 0 < moved <= warp * math.sqrt(2)
    for _, (on_grid, _) in NOISES.items():
        plain, bent = (on_grid(80, 80, seed=3, scale=30, warp=warp) for warp in (0.0, 8.0))
        assert np.abs(bent - plain).max() > 0.05 * np.ptp(plain)
        assert np.corrcoef(bent.ravel(), plain.ravel())[0, 1] > 0.3


def test_seeds_and_octaves_have_nothing_in_common():
    for name, (on_grid, _) in NOISES.items():
        maps = [on_grid(256, 256, seed=seed, scale=8).ravel() for seed in (1, 2, 2**33 + 1, 2**63 - 1)]
        maps += [NOISES[other][0](256, 256, seed=1, scale=8).ravel() for other in NOISES if other != name]
        both = on_grid(256, 256, seed=1, scale=8, octaves=2, roughness=1, lacunarity=1.01).ravel()
        maps.append(2 * both - maps[0])  # the second octave, on a lattice that is almost as wide
        assert np.abs(np.corrcoef(maps) - np.eye(len(maps))).max() < 0.06, name


REPEATABLE = """
import hashlib
import numpy as np
from anabasis.maps.terrain.gradient_noise import gradient_noise, gradient_noise_at
from anabasis.maps.terrain.simplex_noise import simplex_noise, simplex_noise_at
from anabasis.maps.terrain.value_noise import value_noise
from anabasis.maps.terrain.worley_noise import worley_noise

digest = hashlib.sha256()
for make in (gradient_noise, simplex_noise, value_noise):
    for kind in ("sum", "ridged", "billow"):
        for options in ({}, {"seamless": True, "warp": 3.5}):
            digest.update(make(13, 9, seed=2**62 + 3, scale=5.3, octaves=3, kind=kind, **options).tobytes())
    digest.update(make(13, 9, seed=1, scale=5.3, offset=(-2.0**31, 2.0**31)).tobytes())
for options in ({}, {"nearest": 3, "combine": "sum", "distance": "manhattan", "seamless": True, "points": 2}):
    digest.update(worley_noise(13, 9, seed=2**62 + 3, scale=5.3, octaves=2, warp=2.0, **options).tobytes())
for axes in (2, 3, 4):
    places = np.arange(axes * 20.0).reshape(20, axes) * 1.37 - 40
    digest.update(gradient_noise_at(places, seed=7, scale=3, octaves=2).tobytes())
    digest.update(simplex_noise_at(places, seed=7, scale=3, octaves=2, warp=1.0).tobytes())
print(digest.hexdigest())
"""


def test_the_same_bytes_in_every_process_and_without_the_compiler():
    def run(**variables):
        command = [sys.executable, "-W", "error", "-c", REPEATABLE]
        done = subprocess.run(command, env={**os.environ, **variables}, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert run(PYTHONHASHSEED="0") == run(PYTHONHASHSEED="7", NUMBA_DISABLE_JIT="1")


def test_maps_of_any_shape():
    for on_grid, _ in NOISES.values():
        for width, height in ((1, 1), (1, 700), (700, 1), (3, 2)):
            noise = on_grid(width, height, seed=1, octaves=5, roughness=0.7)
            assert noise.shape == (height, width)
            assert np.isfinite(noise).all()


WRONG = {
    "seed; found -1": {"seed": -1},
    "seed; found 9223372036854775808; expected a whole number from 0": {"seed": 2**63},
    "scale; found 0; expected a positive length": {"scale": 0},
    "scale; found inf": {"scale": math.inf},
    "octaves; found 0; expected a whole number from 1 to 32": {"octaves": 0},
    "octaves must be whole numbers": {"octaves": 1.5},
    "roughness; found 1.2; expected a share from 0 to 1": {"roughness": 1.2},
    "lacunarity; found 1; expected a factor above 1, at most 16": {"lacunarity": 1},
    "lacunarity; found 17": {"lacunarity": 17},
    "lattice step of 0.125 cells; expected at least 1/4 cell. Hint: at most 9 octaves at this scale": {"octaves": 10},
    "lattice step of 0.1 cells; expected at least 1/4 cell. Hint: a scale of some cells": {"scale": 0.1},
    "unknown kind of octaves; found 'plain'; expected sum or billow or ridged": {"kind": "plain"},
    "warp; found -2; expected a number of cells from 0": {"warp": -2},
    "warp holds NaN": {"warp": math.nan},
    "offset; found .*; expected two numbers of cells, at most 2.31 from 0": {"offset": (0, 3e9)},
    "offset has the wrong shape": {"offset": 3},
    "width; found 0; expected a whole number from 1": {"width": 0, "seamless": True},
    "height; found -4": {"height": -4},
    "width; found 16385; expected a whole number from 1 to 16384": {"width": 16385},
    "the map is too large; found 16384 × 16384 cells": {"width": 16384, "height": 16384},
}


@pytest.mark.parametrize("message", WRONG)
def test_wrong_options_say_what_is_wrong(message):
    for name in KINDLY:
        options = {"width": 10, "height": 10, "seed": 1, **WRONG[message]}
        with pytest.raises(InputError, match=message):
            NOISES[name][0](**options)


def test_whole_numbers_of_any_type_will_do():
    for on_grid, _ in NOISES.values():
        plain = on_grid(9, 8, seed=3, scale=4, octaves=2, warp=1)
        assert np.array_equal(plain, on_grid(9.0, np.int32(8), seed=3.0, scale=np.float32(4), octaves=2.0, warp=1.0))


def test_wrong_periods_say_what_is_wrong():
    with pytest.raises(InputError, match=r"period; found 0\.0; expected a positive length"):
        gradient_noise_at([[1.0, 2.0]], seed=1, period=(4, 0))
    with pytest.raises(InputError, match="period has the wrong shape; found a single value"):
        gradient_noise_at([[1.0, 2.0]], seed=1, period=4)
    with pytest.raises(InputError, match="period; found 3 sides; expected 2, one for each axis"):
        value_noise_at([[1.0, 2.0]], seed=1, period=(4, 4, 4))


@pytest.mark.long
def test_a_large_map_is_its_windows():
    """4097² in one piece, against windows at its corners."""
    for on_grid, _ in NOISES.values():
        whole = on_grid(4097, 4097, seed=5, octaves=6)
        for x, y in ((0, 0), (3997, 17), (1234, 3997)):
            assert np.array_equal(whole[y : y + 100, x : x + 100], on_grid(100, 100, seed=5, octaves=6, offset=(x, y)))

"""Diamond-square equals its definition point by point, keeps what is given, and has the statistics it promises."""

import hashlib
import itertools
import os
import subprocess
import sys

import numpy as np
import pytest
from scipy import ndimage, stats
from squares_oracle import below, neighbour_difference, overlap, power, slow_heights

from anabasis import InputError
from anabasis.maps.terrain.diamond_square import ARITHMETICS, BORDERS, diamond_square, overflow_counts
from anabasis.maps.terrain.ranges import offset_ranges
from anabasis.maps.terrain.stencils import island_stencil, lake_stencil

PRESETS = {
    "island": (island_stencil, {"amplitude": 50, "roughness": 2**-0.45, "arithmetic": "wrap"}, 0.5),
    "lake": (lake_stencil, {"amplitude": 200, "roughness": 2**-0.95, "arithmetic": "wrap"}, 0.2),
    "random": (None, {"amplitude": 225, "roughness": 2**-0.75, "arithmetic": "wrap"}, 0.5),
}


def preset(name, size, seed, **changes):
    stencil, options, _ = PRESETS[name]
    given = None if stencil is None else stencil(size, size)
    return diamond_square(size, size, seed=seed, **{"predefined": given, **options, **changes})


def coast(water):
    return np.count_nonzero(np.diff(water, axis=0)) + np.count_nonzero(np.diff(water, axis=1))


SHAPES = ((1, 1, 8), (2, 1, 4), (1, 3, 2), (3, 2, 4), (2, 2, 1), (1, 1, 16))
GIVEN = ((0, 0, -100), (1, 1, 90), (2, 1, 120), (1, 0, -128))


@pytest.mark.parametrize("seamless", [False, True])
@pytest.mark.parametrize("arithmetic", ARITHMETICS)
@pytest.mark.parametrize("border", BORDERS)
def test_equals_the_definition(border, arithmetic, seamless):
    for seed, ((a, b, side), interleaved, given) in enumerate(itertools.product(SHAPES, (False, True), ((), GIVEN))):
        cells = [row for row in given if row[0] < a * side and row[1] < b * side]
        options = {
            "seed": seed,
            "amplitude": 150.0,
            "roughness": 0.75,
            "schedule": ("plain", "compounding")[seed % 2],
            "border": border,
            "arithmetic": arithmetic,
            "predefined": cells,
            "interleaved": interleaved,
            "seamless": seamless,
        }
        wanted, counts = slow_heights(a, b, side, **options)
        options["predefined"] = cells or None
        size = wanted.shape[::-1]
        made = diamond_square(*size, square=side, **options)
        assert made.shape == wanted.shape and made.dtype == np.float64 and made.flags.c_contiguous
        if arithmetic == "real":
            assert np.allclose(made, wanted, rtol=0, atol=1e-9)
        else:
            assert np.array_equal(made, wanted)
        assert overflow_counts(*size, square=side, **options).tolist() == counts
        for x, y, height in cells:
            assert made[y, x] == height


def test_the_ranges_of_the_source():
    for amplitude, increment, plain, compounding in (
        (50, 0.45, (50, 36.60, 26.79, 19.61, 14.36, 10.51, 7.69, 5.63, 4.12), (50, 36.60, 19.61, 7.69, 2.21, 0.46)),
        (200, 0.95, (200, 103.53, 53.59, 27.74, 14.36, 7.43, 3.85, 1.99, 1.03), (200, 103.53, 27.74, 3.85, 0.28, 0.01)),
        (
            225,
            0.75,
            (225, 133.79, 79.55, 47.30, 28.12, 16.72, 9.94, 5.91, 3.52),
            (225, 133.79, 47.30, 9.94, 1.24, 0.09),
        ),
    ):
        for schedule, wanted in (("plain", plain), ("compounding", compounding)):
            found = offset_ranges(len(wanted), amplitude=amplitude, roughness=2**-increment, schedule=schedule)
            assert found == pytest.approx(wanted, abs=0.006)
    assert offset_ranges(0, amplitude=1, roughness=0.5) == []


def test_corners_and_offsets_are_uniform():
    corners = diamond_square(256, 256, seed=3, square=1, arithmetic="wrap")
    counts = np.bincount((corners + 128).astype(int).ravel(), minlength=256)
    assert counts.size == 256 and stats.chisquare(counts).pvalue > 0.01
    heights = diamond_square(257, 257, seed=4, square=2, amplitude=10)
    old = heights[::2, ::2]
    centres = heights[1::2, 1::2] - (old[1:, 1:] + old[1:, :-1] + old[:-1, 1:] + old[:-1, :-1]) / 4
    inner = heights[1::2, 1::2]
    sides = heights[1::2, 2:-1:2] - (old[1:, 1:-1] + old[:-1, 1:-1] + inner[:, 1:] + inner[:, :-1]) / 4
    top = heights[0, 1::2] - (old[0, 1:] + old[0, :-1] + inner[0]) / 3
    for offsets in (centres, sides, top):
        assert np.abs(offsets).max() <= 10
        assert stats.kstest(offsets.ravel(), stats.uniform(-10, 20).cdf).pvalue > 0.01
    assert abs(np.corrcoef(centres[:, 1:].ravel(), centres[:, :-1].ravel())[0, 1]) < 0.03
    assert abs(np.corrcoef(centres[:, 1:].ravel(), sides.ravel())[0, 1]) < 0.03


def test_the_same_seed_is_the_same_map_for_ever():
    whole = preset("island", 65, 7)
    assert np.array_equal(whole, preset("island", 65, 7)) and not np.array_equal(whole, preset("island", 65, 8))
    assert diamond_square(5, 4, seed=2**63 - 1).shape == (4, 5)
    digest = hashlib.sha256(whole.astype(np.int8).tobytes()).hexdigest()[:16]
    assert digest == "4a74caac85834887"


def test_the_same_without_compiling():
    program = (
        "import hashlib; from anabasis.maps.terrain.diamond_square import diamond_square as f;"
        "from anabasis.maps.terrain.midpoint import midpoint_line as g;"
        "a = [f(20, 13, seed=5, border=b, arithmetic=r, interleaved=i).tobytes() for b in ('random', 'wrap')"
        " for r in ('real', 'wrap') for i in (False, True)] + [g(19, seed=5).tobytes()];"
        "print(hashlib.sha256(b''.join(a)).hexdigest())"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "NUMBA_DISABLE_JIT": setting},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for setting in ("0", "1")
    }
    assert len(found) == 1


def test_any_size_and_its_given_cells():
    for width, height in itertools.product((1, 2, 3, 5, 8, 13, 40), repeat=2):
        given = [(width - 1, height - 1, -77), (width // 2, height // 3, 99)][: 1 + (width * height > 6)]
        for fit, seamless in (("spread", False), ("cut", False), ("spread", True)):
            made = diamond_square(
                width, height, seed=1, arithmetic="clamp", predefined=given, fit=fit, seamless=seamless
            )
            assert made.shape == (height, width) and np.isfinite(made).all()
            assert np.array_equal(made, np.trunc(made)) and made.min() >= -128 and made.max() <= 127
            assert all(made[y, x] == value for x, y, value in given)


def test_a_cut_is_the_upper_left_part():
    given = [(3, 4, 20), (16, 16, -90)]
    whole = diamond_square(65, 33, seed=9, square=32, predefined=given)
    part = diamond_square(50, 30, seed=9, square=32, predefined=given, fit="cut")
    assert np.array_equal(part, whole[:30, :50])
    assert np.array_equal(diamond_square(65, 33, seed=9, square=32, predefined=given, fit="cut"), whole)


def test_other_sizes_show_the_same_world():
    whole = diamond_square(257, 257, seed=6)
    for size in (193, 200, 301, 400):
        made = diamond_square(size, size, seed=6)
        at = np.linspace(0, 256, size)
        there = ndimage.map_coordinates(whole, np.meshgrid(at, at, indexing="ij"), order=1)
        assert np.corrcoef(made.ravel(), there.ravel())[0, 1] > 0.97
        assert np.corrcoef(made.ravel(), diamond_square(size, size, seed=7).ravel())[0, 1] < 0.9
        across = np.abs(np.diff(made, axis=1)).mean(axis=0)
        assert across.max() < 2 * across.mean(), "no line stands out"


def test_given_heights_shift_and_scale_the_map():
    corners = [(0, 0, 10), (8, 0, -20), (0, 8, 30), (8, 8, 50)]
    base = diamond_square(9, 9, seed=2, amplitude=40, predefined=corners)
    shifted = diamond_square(9, 9, seed=2, amplitude=40, predefined=[(x, y, h + 1000) for x, y, h in corners])
    assert np.allclose(shifted, base + 1000, rtol=0, atol=1e-9)
    doubled = diamond_square(9, 9, seed=2, amplitude=80, predefined=[(x, y, 2 * h) for x, y, h in corners])
    assert np.array_equal(doubled, 2 * base)
    still = diamond_square(9, 9, seed=2, amplitude=0, predefined=corners)
    assert still.min() >= -20 and still.max() <= 50 and still[4, 4] == 17.5


def test_a_given_cell_shapes_the_more_the_earlier_its_turn():
    base, reach = diamond_square(65, 65, seed=3), []
    for x, y in ((32, 32), (16, 16), (24, 40), (20, 28), (21, 27)):
        given = diamond_square(65, 65, seed=3, predefined=[(x, y, base[y, x] + 100)])
        reach.append(np.count_nonzero(np.abs(given - base) > 1))
    assert reach == sorted(reach, reverse=True) and reach[0] > 50 * reach[-1]
    assert reach[-1] == 5, "a last centre, and the middles of four edges"


def test_border_rules_differ_at_the_border_first():
    made = [diamond_square(129, 129, seed=5, border=border) for border in BORDERS]
    for one, other in itertools.combinations(made, 2):
        away = np.abs(one - other)
        assert away[0].mean() > 0 and away[0].mean() > 2 * away[40:88, 40:88].mean()
        assert away[64, 64] == 0


def test_seamless_maps_join():
    for width, height, square in ((128, 128, None), (96, 64, 32), (100, 75, None), (301, 257, None), (1000, 130, None)):
        ratios = []
        for seed in range(6):
            given = [(0, 3, 60)] if seed == 0 else None
            made = diamond_square(width, height, seed=seed, seamless=True, square=square, predefined=given)
            assert made.shape == (height, width) and (seed > 0 or made[3, 0] == 60)
            for axis in (0, 1):
                inside = np.abs(np.diff(made, axis=axis)).mean()
                ratios.append(np.abs(made.take(0, axis=axis) - made.take(-1, axis=axis)).mean() / inside)
        assert 0.8 < np.mean(ratios) < 1.2, (width, height)
    open_map = diamond_square(1000, 130, seed=0)
    assert np.abs(open_map[0] - open_map[-1]).mean() > 5 * np.abs(np.diff(open_map, axis=0)).mean()


def test_eight_bits_wrap_or_stay_where_real_heights_leave():
    counts = {
        name: np.mean([overflow_counts(129, 129, seed=s, **PRESETS[name][1]) for s in range(10)], 0) for name in PRESETS
    }
    assert counts["lake"].sum() > 2 and counts["random"].sum() > 5, "with ±200 and ±225"
    assert counts["lake"][:4].sum() > 0.8 * counts["lake"].sum(), "in early iterations"
    island = island_stencil(129, 129)
    few = [overflow_counts(129, 129, seed=s, predefined=island, **PRESETS["island"][1]).sum() for s in range(10)]
    assert np.mean(few) < 0.5
    for seed in range(5):
        wrapped, clamped = (preset("random", 129, seed, arithmetic=rule) for rule in ("wrap", "clamp"))
        overflows = overflow_counts(129, 129, seed=seed, **PRESETS["random"][1]).sum()
        assert (overflows > 0) == (not np.array_equal(wrapped, clamped))
        assert wrapped.min() >= -128 and wrapped.max() <= 127


def test_presets_as_the_source_describes_them():
    seeds, shares, rough, lengths = range(8), {}, {}, {}
    for name, (stencil, _, share) in PRESETS.items():
        made = [preset(name, 129, seed) for seed in seeds]
        shares[name] = overlap([below(h, share) for h in made])
        rough[name] = np.mean([neighbour_difference(h) for h in made])
        lengths[name] = np.mean([coast(below(h, 0.5)) for h in made])
        if stencil:
            assert all(h[int(y), int(x)] == value for h in made for x, y, value in stencil(129, 129))
    assert shares["island"] >= 0.75 and shares["island"] > 1.8 * max(shares["lake"], shares["random"])
    assert rough["lake"] < rough["island"] < rough["random"]
    assert lengths["random"] > 1.5 * max(lengths["lake"], lengths["island"])


def test_neither_shrinking_nor_noise_is_missing():
    """Without shrinking there are chimneys and holes; without noise, regular shapes."""
    found = []
    for changes in ({"roughness": 1.0}, {}, {"amplitude": 0.0}):
        made = [preset("island", 129, seed, **changes) for seed in range(6)]
        parts = np.mean([ndimage.label(~below(h, 0.5))[1] for h in made])
        found.append((np.mean([neighbour_difference(h) for h in made]), parts))
    (wild, chimneys), (rough, islands), (smooth, one) = found
    assert wild > 4 * rough > 8 * smooth and chimneys > 8 * islands > 16 * one and one == 1


@pytest.mark.parametrize("size", [(65, 65), (129, 129), (200, 200), (300, 200), (97, 257), (500, 100)])
def test_stencils_fit_any_map(size):
    width, height = size
    for stencil, share in ((island_stencil, 0.5), (lake_stencil, 0.2)):
        for seamless in (False, True):
            given = stencil(width, height, seamless=seamless)
            made = diamond_square(
                width, height, seed=4, amplitude=50, roughness=0.73, predefined=given, seamless=seamless
            )
            water = below(made, share)
            if stencil is island_stencil:
                assert water[0].mean() > 0.97 and water[:, 0].mean() > 0.97 and not water[height // 2, width // 2]
                if not seamless:
                    assert water[-1].mean() > 0.97 and water[:, -1].mean() > 0.97
            else:
                assert water[height // 2, width // 2]


def test_stencils_are_those_of_the_source_on_a_square():
    island = {(x, y): h for x, y, h in island_stencil(257, 257).tolist()}
    quarters = (0, 64, 128, 192, 256)
    assert sorted(island) == sorted(itertools.product(quarters, quarters))
    for (x, y), height in island.items():
        rim = x in (0, 256) or y in (0, 256)
        assert height == (-100 if rim else 100 if x == y == 128 else 40)
    lake = lake_stencil(257, 257)
    assert sorted(map(tuple, lake[:, :2])) == sorted(itertools.product((96, 128, 160), repeat=2))
    assert (lake[:, 2] == -100).all()
    assert np.unique(island_stencil(200, 300)[:, 0]).tolist() == [0, 50, 100, 149, 199]
    assert island_stencil(3, 3)[4].tolist() == [1, 1, 100] and lake_stencil(5, 5)[0].tolist() == [2, 2, -100]
    for width, height in itertools.product(range(1, 9), repeat=2):
        for stencil in (island_stencil, lake_stencil):
            diamond_square(width, height, seed=1, predefined=stencil(width, height), arithmetic="wrap")


def test_roughness_sets_the_slope_of_the_spectrum():
    slopes = []
    for increment in (0.25, 0.5, 0.75, 1.0):
        spectrum, axis = power([diamond_square(257, 257, seed=s, roughness=2**-increment) for s in range(4)])
        radius = np.rint(np.hypot(axis[:, None], axis)).astype(int)
        rings = np.bincount(radius.ravel(), spectrum.ravel()) / np.bincount(radius.ravel())
        around = np.arange(4, 64)
        slopes.append(np.polyfit(np.log(around), np.log(rings[around]), 1)[0])
        assert slopes[-1] == pytest.approx(-2 - 2 * increment, abs=0.35)
    assert slopes == sorted(slopes, reverse=True)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"width": 0}, "width; found 0; expected a whole number from 1 to 16384"),
        ({"height": 20000}, "height; found 20000"),
        ({"width": 16384, "height": 16384}, "the map is too large"),
        ({"width": 9000, "height": 7000, "fit": "cut"}, "too large to be cut"),
        ({"seed": -1}, "seed; found -1"),
        ({"amplitude": -1}, "amplitude; found -1; expected a number from 0 to 10"),
        ({"amplitude": 2e9}, "amplitude"),
        ({"amplitude": float("nan")}, "amplitude holds NaN"),
        ({"roughness": 1.5}, "roughness; found 1.5; expected a share from 0 to 1"),
        ({"schedule": "A"}, "unknown schedule; found 'A'; expected plain or compounding"),
        ({"border": "ends"}, "unknown border rule; found 'ends'; expected average or random"),
        ({"arithmetic": "byte"}, "unknown arithmetic; found 'byte'; expected real or wrap or clamp"),
        ({"fit": "stretch"}, "unknown fit; found 'stretch'; expected spread or cut"),
        ({"square": 12}, "square; found 12; expected a power of two"),
        ({"square": 0}, "square; found 0; expected a power of two"),
        ({"predefined": [(1, 2)]}, "predefined heights has the wrong shape"),
        (
            {"predefined": [(1, 2, 3), (9, 0, 4)]},
            "predefined[1]: a predefined cell lies outside the map; found (9, 0): 4",
        ),
        ({"predefined": [(0.5, 0, 4)]}, "outside the map"),
        ({"predefined": [(0, -1, 4)]}, "outside the map"),
        ({"predefined": [(0, 0, 1e13)]}, "a predefined height"),
        ({"predefined": [(0, 0, 128)], "arithmetic": "wrap"}, "expected a whole number from -128 to 127"),
        ({"predefined": [(0, 0, 1.5)], "arithmetic": "clamp"}, "expected a whole number from -128 to 127"),
        ({"predefined": [(1, 1, 5), (0, 0, 1), (1, 1, 6)]}, "predefined[2]: a predefined cell has two heights"),
    ],
)
def test_wrong_options_are_told(options, words):
    given = {"width": 9, "height": 9, "seed": 1, **options}
    with pytest.raises(InputError) as caught:
        diamond_square(given.pop("width"), given.pop("height"), **given)
    assert words in str(caught.value)
    with pytest.raises(InputError):
        overflow_counts(**{"width": 9, "height": 9, "seed": 1, **options})


@pytest.mark.long
def test_large_maps():
    for width, height in ((4097, 4097), (4096, 3000), (16384, 100)):
        for seamless in (False, True):
            made = diamond_square(width, height, seed=1, seamless=seamless)
            assert made.shape == (height, width) and np.isfinite(made).all()

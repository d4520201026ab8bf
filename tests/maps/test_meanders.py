"""Bends leave a course and return to it, stay where they may, never cross, and keep water from rising."""

import os
import subprocess
import sys
from itertools import pairwise

import numpy as np
import pytest
from water_fields import smooth_field, terraces

from anabasis import InputError
from anabasis.maps.water.meanders import meander, meandered
from anabasis.maps.water.monotone_rivers import monotone_rivers
from anabasis.maps.water.rivers import rivers


def crossings_of(courses):
    """How many pairs of diagonal steps cross in one corner."""
    seen, crossed = {}, 0
    for course in courses:
        for (x, y), (i, j) in pairwise(course.tolist()):
            if x != i and y != j:
                rising = (i - x) * (j - y) > 0
                crossed += seen.setdefault((x + i, y + j), rising) != rising
    return crossed


def check_course(old, new, allowed):
    assert new[0].tolist() == old[0].tolist()
    assert new[-1].tolist() == old[-1].tolist()
    assert (np.abs(np.diff(new, axis=0)).max(axis=1, initial=0) <= 1).all()
    assert len(np.unique(new, axis=0)) == len(new)
    before = set(map(tuple, old.tolist()))
    assert all(allowed[y, x] or (x, y) in before for x, y in new.tolist())


def straight(length, y, margin=5):
    return np.stack([np.arange(margin, margin + length), np.full(length, y)], axis=1)


def test_a_straight_river_on_a_plain_gets_bends():
    allowed = np.ones((60, 220), bool)
    longer, sides = [], []
    for seed in range(20):
        old = straight(200, 30)
        new = meander(old, allowed, seed=seed, amplitude=6, wavelength=30)
        check_course(old, new, allowed)
        assert crossings_of([new]) == 0
        away = new[:, 1] - 30
        assert np.abs(away).max() <= 7
        longer.append(len(new) / len(old))
        sides.append((np.diff(np.sign(away[away != 0])) != 0).sum())
    assert np.mean(longer) > 1.1
    assert 8 <= np.mean(sides) <= 16, "a bend to each side in every wavelength"


def test_amplitude_and_wavelength_are_kept_on_average():
    allowed, old = np.ones((100, 420), bool), straight(400, 50)
    for amplitude, wavelength in ((3, 20), (8, 40), (14, 80)):
        reach, turns = [], []
        for seed in range(10):
            away = meander(old, allowed, seed=seed, amplitude=amplitude, wavelength=wavelength)[:, 1] - 50
            reach.append(np.abs(away).max())
            turns.append((np.diff(np.sign(away[away != 0])) != 0).sum() + 1)
        assert 0.8 * amplitude <= np.mean(reach) <= amplitude + 0.5
        assert np.mean(turns) == pytest.approx(400 / (wavelength / 2), rel=0.2)


def test_bends_stay_in_what_is_allowed():
    rng, changed = np.random.default_rng(4), 0
    for seed in range(40):
        allowed = rng.random((50, 130)) < rng.choice([0.0, 0.8, 0.97])
        old = straight(120, 25)
        new = meander(old, allowed, seed=seed, amplitude=rng.integers(1, 12), wavelength=rng.integers(8, 60))
        check_course(old, new, allowed)
        changed += len(new) != len(old)
        if not allowed.any():
            assert new.tolist() == old.tolist()
    assert changed > 5


def test_narrow_and_short_courses_stay_whole():
    for length in (1, 2, 5, 7):
        old = straight(length, 1, margin=0)
        assert meander(old, np.ones((3, 8), bool), seed=1)[-1].tolist() == old[-1].tolist()
    wall = np.zeros((1, 50), bool)
    old = straight(50, 0, margin=0)
    assert meander(old, wall, seed=1).tolist() == old.tolist()


def test_levels_never_rise_when_asked():
    bent, risen = 0, 0
    for seed in range(8):
        levels = terraces(90, 70, seed, 9)
        sea = levels == 0
        made = monotone_rivers(levels, sea, seed=seed, count=8, shortest=20)
        new = meandered(made, ~sea, seed=seed, levels=levels, amplitude=9)
        for old, course in zip(made.courses, new.courses, strict=True):
            check_course(old, course, ~sea)
            assert (np.diff(levels[course[:, 1], course[:, 0]].astype(int)) <= 0).all()
            bent += len(course) != len(old)
        free = meandered(made, ~sea, seed=seed, amplitude=9)
        risen += sum((np.diff(levels[c[:, 1], c[:, 0]].astype(int)) > 0).any() for c in free.courses)
    assert bent > 15
    assert risen >= 3, "without being asked they do"


@pytest.mark.parametrize("cut", [None, 0.0, 0.05])
def test_a_network_keeps_its_springs_lakes_joins_and_ends(cut):
    for seed in range(5):
        heights = smooth_field(110, 90, seed, octaves=4)
        sea = heights < 0.3
        made = rivers(heights, sea, seed=seed, count=14, deepest=0.1)
        new = meandered(made, ~sea, seed=seed, levels=None if cut is None else heights, cut=cut or 0.0)
        assert (new.ends, new.springs.tolist()) == (made.ends, made.springs.tolist())
        assert np.array_equal(new.lake, made.lake)
        taken = np.zeros(heights.shape, bool)
        for old, course, end in zip(made.courses, new.courses, new.ends, strict=True):
            check_course(old, course, ~sea)
            x, y = course.T
            assert (np.diff(new.surface[y, x]) <= 1e-12).all()
            assert (np.diff(new.discharge[y, x]) > 0).all()
            assert not taken[y[:-1], x[:-1]].any(), "no river runs through another"
            assert taken[y[-1], x[-1]] == (end == "river") or end in ("lake", "sea", "border")
            assert new.discharge[y[-1], x[-1]] == made.discharge[y[-1], x[-1]]
            lakes = made.lake[old[:, 1], old[:, 0]] >= 0
            assert set(map(tuple, old[lakes].tolist())) <= set(map(tuple, course.tolist()))
            taken[y, x] = True
        assert np.array_equal(taken, new.discharge > 0)
        assert crossings_of(new.courses) <= crossings_of(made.courses)


def test_bends_follow_the_seed():
    allowed, old = np.ones((40, 150), bool), straight(140, 20)
    one, two, other = (meander(old, allowed, seed=seed).tolist() for seed in (1, 1, 2))
    assert one == two
    assert one != other


def test_wrong_input_says_what_is_expected():
    allowed, old = np.ones((9, 9), bool), straight(5, 4, margin=1)
    for course, options, message in (
        (np.empty((0, 2), int), {}, "a course is empty; expected at least one cell"),
        ([[0, 0], [9, 1]], {}, r"a course leaves the map; found x=9 \(column\), y=1 \(row\); expected 9 × 9 cells"),
        ([[0, 0], [2, 1]], {}, "a course jumps; found a step from x=0"),
        ([[0, 0], [0, 0]], {}, "a course jumps"),
        (old, {"seed": -3}, "seed; found -3"),
        (old, {"amplitude": 0}, "amplitude; found 0; expected a positive length"),
        (old, {"wavelength": -1}, "wavelength; found -1; expected a positive length"),
        (old, {"cut": -1}, "cut of bends into the ground; found -1; expected a depth from 0"),
        (old, {"levels": np.zeros((8, 9))}, "levels has the wrong shape; found 8×9; expected 9×9"),
    ):
        with pytest.raises(InputError, match=message):
            meander(course, allowed, **{"seed": 1, **options})
    made = rivers(smooth_field(20, 20, 1), seed=1)
    with pytest.raises(InputError, match="allowed cells has the wrong shape; found 9×9; expected 20×20"):
        meandered(made, allowed, seed=1)


REPEATABLE = """
import hashlib
import numpy as np
from anabasis.maps.water.meanders import meandered
from anabasis.maps.water.monotone_rivers import monotone_rivers
from anabasis.maps.water.rivers import river_mask, rivers
digest = hashlib.sha256()
y, x = np.mgrid[:40, :50]
heights = (x - 20.0) ** 2 / 90 + (y - 12.0) ** 2 / 40 + (x * 7 + y * 13) % 11 / 9
for made in (rivers(heights, seed=2**62 + 3, largest=9), monotone_rivers(np.floor(heights), seed=2**62 + 3)):
    bent = meandered(made, np.ones(heights.shape, bool), seed=5, levels=heights, cut=0.4)
    for record in (made, bent):
        assert record.courses
        digest.update(record.surface.tobytes() + record.discharge.tobytes() + river_mask(record, widest=4).tobytes())
        digest.update(b"".join(course.tobytes() for course in record.courses))
print(digest.hexdigest())
"""


def test_the_same_bytes_without_the_compiler():
    def run(**variables):
        command = [sys.executable, "-W", "error", "-c", REPEATABLE]
        done = subprocess.run(command, env={**os.environ, **variables}, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert run() == run(NUMBA_DISABLE_JIT="1")

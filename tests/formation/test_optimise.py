"""The optimiser of shapes against brute force: maps of errors, best places, and the choice among combinations."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from anabasis.errors import InputError
from anabasis.formation import optimise
from anabasis.metrics.formations import COMBINED, angle_error, distance_error, shape_error
from anabasis.schema import Schema

BOUNDS = (0.0, 0.0, 1000.0, 866.0)
WEDGE = Schema.of(
    60 * np.array([(0, 0), (-0.5, 1), (0.5, 1), (-1, 2), (1, 2)]), [0, 0, 0, 1, 2], [(1, 2), (3, 4), (1, 4), (2, 3)]
)


def random_schema(rng, k):
    ancestor = [0] + [int(rng.integers(0, i)) for i in range(1, k)]
    label = rng.permutation(k)
    above = np.empty(k, np.int64)
    above[label] = label[ancestor]
    pairs = [pair for pair in combinations(range(k), 2) if rng.random() < 0.4]
    return Schema.of(rng.normal(0, 50, (k, 2)), above, pairs)


def centre(bounds, cells, row, column):
    (x0, y0, x1, y1), (rows, columns) = bounds, cells
    return x0 + (column + 0.5) * (x1 - x0) / columns, y0 + (row + 0.5) * (y1 - y0) / rows


@pytest.mark.parametrize("k", [1, 2, 3, 6])
@pytest.mark.parametrize("wrapped", [True, False])
def test_map_is_the_error_with_the_unit_at_each_centre(k, wrapped):
    rng = np.random.default_rng(k)
    bounds, cells = (-100.0, 50.0, 200.0, 170.0), (3, 5)
    for _ in range(3):
        schema, positions = random_schema(rng, k), rng.normal(0, 100, (k, 2))
        for unit in range(k):
            for how in COMBINED:
                found = optimise.error_map(schema, positions, unit, bounds, cells=cells, how=how, wrapped=wrapped)
                assert found.shape == cells
                there = np.broadcast_to(positions, (*cells, k, 2)).copy()
                for at in np.ndindex(*cells):
                    there[at][unit] = centre(bounds, cells, *at)
                assert found == pytest.approx(shape_error(schema, there, how, wrapped=wrapped), rel=1e-9, abs=1e-12)


def test_map_where_units_stand_in_one_place():
    positions = np.array(((50, 50), (50, 50), (70, 90), (20, 20), (10, 90)), float)
    for unit in range(5):
        found = optimise.error_map(WEDGE, positions, unit, (0, 0, 100, 100), cells=(1, 1))
        there = positions.copy()
        there[unit] = 50
        assert found[0, 0] == pytest.approx(float(shape_error(WEDGE, there)), rel=1e-12)


def test_map_is_least_at_the_place_that_is_missing():
    positions = WEDGE.places + 300
    rows, columns = 30, 40
    wanted = positions[4].copy()
    bounds = (wanted[0] - 12.5 * 10, wanted[1] - 20.5 * 10, wanted[0] + 27.5 * 10, wanted[1] + 9.5 * 10)
    found = optimise.error_map(WEDGE, positions, 4, bounds, cells=(rows, columns))
    assert np.unravel_index(found.argmin(), found.shape) == (20, 12)
    assert found.min() == pytest.approx(0, abs=1e-9)


def test_refining_is_no_worse_than_the_raster_and_never_leaves_a_better_place():
    rng = np.random.default_rng(7)
    gains = 0
    for _ in range(10):
        schema = random_schema(rng, 5)
        positions = schema.places + rng.normal(0, 3, (5, 2)) + 430
        positions[2] = rng.uniform(0, 866, 2)
        for how in COMBINED:
            place = optimise.best_place(schema, positions, 2, BOUNDS, cells=(16, 16), how=how)
            there = positions.copy()
            there[2] = place
            error = float(shape_error(schema, there, how))
            coarse = optimise.error_map(schema, positions, 2, BOUNDS, cells=(16, 16), how=how).min()
            assert error <= coarse * (1 + 1e-12)
            assert error <= float(shape_error(schema, positions, how)) * (1 + 1e-12)
            gains += error < coarse * 0.9
    assert gains > 20  # and it is worth it


def test_a_unit_in_its_place_stays():
    positions = WEDGE.places + 300
    for unit in range(5):
        assert optimise.best_place(WEDGE, positions, unit, BOUNDS).tolist() == positions[unit].tolist()


def test_finest_is_the_side_of_the_last_squares():
    positions = WEDGE.places + np.pi * 100  # on no raster
    wanted = positions[3].copy()
    positions[3] = 900
    for finest in (32.0, 8.0, 1.0, 0.01):
        place = optimise.best_place(WEDGE, positions, 3, BOUNDS, finest=finest)
        assert np.abs(place - wanted).max() <= finest
    assert np.abs(place - wanted).max() < 0.01 < np.abs(optimise.best_place(WEDGE, positions, 3, BOUNDS) - wanted).max()


@pytest.mark.parametrize("how", COMBINED)
def test_iterations_never_make_the_chosen_error_worse(how):
    start = optimise.randomised(WEDGE, BOUNDS, seed=11)
    run = optimise.optimised(WEDGE, start, BOUNDS, seed=12, iterations=6, how=how)
    assert run.shape == (7, 5, 2)
    assert np.array_equal(run[0], start)
    errors = shape_error(WEDGE, run, how)
    assert (np.diff(errors) <= 1e-9 * errors[:-1]).all()
    assert errors[-1] < 0.01 * errors[0]
    inside = (run >= 0).all() and (run[..., 0] <= 1000).all() and (run[..., 1] <= 866).all()
    assert inside


def test_the_seed_decides():
    start = optimise.randomised(WEDGE, BOUNDS, seed=1)
    assert np.array_equal(start, optimise.randomised(WEDGE, BOUNDS, seed=1))
    assert not np.array_equal(start, optimise.randomised(WEDGE, BOUNDS, seed=2))
    first, second, third = (optimise.optimised(WEDGE, start, BOUNDS, seed=s, iterations=3) for s in (5, 5, 6))
    assert np.array_equal(first, second)
    assert not np.array_equal(first, third)  # another order of units
    # more iterations go on from the same ones
    assert np.array_equal(optimise.optimised(WEDGE, start, BOUNDS, seed=5, iterations=1), first[:2])
    assert np.array_equal(optimise.optimised(WEDGE, start, BOUNDS, seed=5, iterations=0), start[None])


def test_random_places_fill_the_bounds():
    many = Schema.of(np.arange(4000).reshape(-1, 2), [0] * 2000)
    places = optimise.randomised(many, (-10, 5, 30, 6), seed=3)
    assert places.shape == (2000, 2)
    assert (places.min(0) >= (-10, 5)).all() and (places.max(0) < (30, 6)).all()
    assert places.mean(0) == pytest.approx((10, 5.5), abs=1)
    assert places.std(0) == pytest.approx(np.array((40, 1)) / np.sqrt(12), rel=0.05)


def test_an_iteration_is_what_it_says():
    """One pass by hand: each unit once, in the generator's order, to the best place found."""
    start = optimise.randomised(WEDGE, BOUNDS, seed=21)
    found = optimise.optimised(WEDGE, start, BOUNDS, seed=22, how="max")[1]
    now = start.copy()
    for unit in np.random.default_rng(22).permutation(5):
        now[unit] = optimise.best_place(WEDGE, now, int(unit), BOUNDS, how="max")
    assert np.array_equal(found, now)


def test_choice_among_combinations():
    """The orderings of the published experiment, on medians after ten iterations (five here, of 8 formations)."""
    found = optimise.choice_experiment(WEDGE, BOUNDS, formations=8, iterations=5, seed=5)
    assert found.angle_mean.shape == found.distance_median.shape == (7, 6)
    angle = dict(zip(COMBINED, found.angle_median[:, -1].tolist(), strict=True))
    distance = dict(zip(COMBINED, found.distance_median[:, -1].tolist(), strict=True))
    assert np.ptp(found.angle_median[:, 0]) == np.ptp(found.distance_mean[:, 0]) == 0  # the same starts
    floor = 20  # what squares of 8 × 8 leave
    for how in ("mean", "max"):
        assert angle[how] < floor and distance[how] < floor  # both errors fall to the raster's floor
    assert angle["angle"] < floor and distance["angle"] > 1000 * floor  # right angles, wrong scale
    assert distance["distance"] < floor and angle["distance"] > 50 * floor  # right distances, folded over
    # the least of both all but never is the distance's, so it is the angle alone
    assert angle["min"] == pytest.approx(angle["angle"], rel=0.5)
    assert distance["min"] == pytest.approx(distance["angle"], rel=0.1)
    assert distance["mean"] < distance["geometric"] < distance["angle"]
    again = optimise.choice_experiment(WEDGE, BOUNDS, formations=2, iterations=1, seed=5)
    assert np.array_equal(
        again.angle_mean, optimise.choice_experiment(WEDGE, BOUNDS, formations=2, iterations=1, seed=5).angle_mean
    )


def test_records_are_means_and_medians_of_the_errors_apart():
    found = optimise.choice_experiment(WEDGE, BOUNDS, formations=3, iterations=1, seed=9)
    seeds = np.random.default_rng(9).integers(2**63 - 1, size=(3, 2)).tolist()
    for row, how in enumerate(COMBINED):
        runs = [
            optimise.optimised(WEDGE, optimise.randomised(WEDGE, BOUNDS, seed=a), BOUNDS, seed=b, how=how)
            for a, b in seeds
        ]
        angles = np.array([angle_error(WEDGE, run) for run in runs])
        distances = np.array([distance_error(WEDGE, run) for run in runs])
        assert found.angle_mean[row] == pytest.approx(angles.sum(0) / 3)
        assert found.angle_median[row] == pytest.approx(np.sort(angles, 0)[1])
        assert found.distance_mean[row] == pytest.approx(distances.sum(0) / 3)
        assert found.distance_median[row] == pytest.approx(np.sort(distances, 0)[1])


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"bounds": (0, 0, 0, 10)}, "x0 < x1"),
        ({"bounds": (0, 0, 10, np.inf)}, "finite"),
        ({"bounds": (0, 0, 10)}, "wrong shape"),
        ({"unit": 5}, "unit"),
        ({"unit": -1}, "unit"),
        ({"positions": np.zeros((4, 2))}, "wrong shape"),
        ({"positions": np.full((5, 2), np.inf)}, "finite coordinates"),
        ({"cells": (0, 3)}, "rows of cells"),
        ({"how": "sum"}, "combination of errors"),
        ({"finest": 0}, "finest"),
    ],
)
def test_wrong_input_is_refused(change, text):
    given = {"positions": WEDGE.places, "unit": 0, "bounds": BOUNDS} | change
    with pytest.raises(InputError, match=text):
        optimise.best_place(WEDGE, given.pop("positions"), given.pop("unit"), given.pop("bounds"), **given)


def test_wrong_counts_and_seeds_are_refused():
    with pytest.raises(InputError, match="seed"):
        optimise.randomised(WEDGE, BOUNDS, seed=-1)
    with pytest.raises(InputError, match="iterations"):
        optimise.optimised(WEDGE, WEDGE.places, BOUNDS, seed=1, iterations=-1)
    with pytest.raises(InputError, match="formations"):
        optimise.choice_experiment(WEDGE, BOUNDS, formations=0, seed=1)

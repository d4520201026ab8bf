import numpy as np
import pytest

from anabasis._kernel.random import mix, random_fraction, random_word, stream_key


def test_mixing_loses_no_word() -> None:
    words = [*range(5000), *range(2**32 - 5000, 2**32)]
    mixed = [mix(w) for w in words]
    assert len(set(mixed)) == len(words)
    assert all(0 <= m < 2**32 for m in mixed)


def test_compiled_and_plain_python_agree() -> None:
    plain = getattr(mix, "py_func", mix)
    for word in (0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 123456789):
        assert plain(word) == mix(word)


def test_fractions_are_even_and_streams_independent() -> None:
    keys = [stream_key(seed, stream, step) for seed in (0, 1, 2**62) for stream in (1, 2) for step in (0, 1)]
    assert len(set(keys)) == len(keys)
    table = np.array([[random_fraction(key, unit, 1) for unit in range(4000)] for key in keys])
    assert table.min() >= 0
    assert table.max() < 1
    counts = np.array([np.histogram(row, bins=20, range=(0, 1))[0] for row in table])
    assert (((counts - 200) ** 2 / 200).sum(axis=1) < 50).all()  # chi-square, 19 degrees: beyond 50 is p < 1e-4
    correlation = np.corrcoef(table) - np.eye(len(keys))
    assert np.abs(correlation).max() < 0.06


@pytest.mark.parametrize("change", [{"key": 1}, {"unit": 1}, {"number": 1}])
def test_every_coordinate_counts(change: dict[str, int]) -> None:
    here = {"key": 0, "unit": 0, "number": 0}
    assert random_word(*here.values()) != random_word(*{**here, **change}.values())

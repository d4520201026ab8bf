"""Spectrum: waves and fields of known slope are measured right; noises have the slopes and directions they state."""

import math

import numpy as np
import pytest

from anabasis import InputError
from anabasis.maps.terrain.gradient_noise import gradient_noise
from anabasis.maps.terrain.simplex_noise import simplex_noise
from anabasis.maps.terrain.spectrum import directional_spectrum, radial_spectrum, spectral_slope
from anabasis.maps.terrain.value_noise import value_noise
from anabasis.maps.terrain.worley_noise import worley_noise

NOISES = {"value": value_noise, "gradient": gradient_noise, "simplex": simplex_noise}


def power_law(slope, seed, shape=(256, 256)):
    """A field whose waves have random phases and powers of exactly that slope."""
    rng = np.random.default_rng(seed)
    waves = np.fft.fft2(rng.normal(size=shape))
    frequency = np.hypot(*np.meshgrid(*(np.fft.fftfreq(n) for n in shape), indexing="ij"))
    frequency[0, 0] = 1
    return np.fft.ifft2(waves * frequency ** (slope / 2)).real


@pytest.mark.parametrize("slope", [0, -1, -2, -3, -4])
def test_a_known_slope_is_found(slope):
    for shape in ((256, 256), (128, 300)):
        found = [spectral_slope(power_law(slope, seed, shape), seamless=True) for seed in range(8)]
        assert abs(np.mean(found) - slope) < 0.1
        assert abs(np.mean([spectral_slope(power_law(slope, s, shape)) for s in range(8)]) - slope) < 0.2


def test_a_wave_lies_in_its_ring_and_its_sector():
    y, x = np.indices((96, 128))
    for right, down in ((20, 0), (0, 12), (16, 12), (-16, 12), (16, -12)):
        wave = np.cos(2 * np.pi * (right * x / 128 + down * y / 96))
        frequency, power = radial_spectrum(wave, low=0.05, rings=8, seamless=True)
        own = np.abs(np.log(frequency / math.hypot(right / 128, down / 96))).argmin()
        assert power.argmax() == own
        assert np.delete(power, own).max() < 1e-9 * power[own]
        sectors = directional_spectrum(wave, sectors=8, seamless=True)
        angle = math.atan2(down / 96, right / 128) % math.pi
        assert sectors.argmax() == round(angle / (math.pi / 8)) % 8
        assert sectors.max() == pytest.approx(8)


def test_power_is_kept():
    """Parseval: the powers of all waves of a field add up to its variance times its cells."""
    field = np.random.default_rng(3).normal(size=(64, 64))
    _, power = radial_spectrum(field, low=0.49, high=0.5, rings=1, seamless=True)
    assert power[0] == pytest.approx(field.var(), rel=0.15)


def slope_of(make, roughness, **options):
    """The mean slope of three maps of six octaves, between their first and their last."""
    maps = [make(512, 512, seed=seed, octaves=6, roughness=roughness, seamless=True, **options) for seed in range(3)]
    return np.mean([spectral_slope(noise, low=1 / 50, high=1 / 5, seamless=True) for noise in maps])


def stated(roughness, lacunarity=2.0):
    return 2 * math.log(roughness) / math.log(lacunarity) - 2


@pytest.mark.parametrize("name", NOISES)
def test_the_slope_follows_the_roughness(name):
    for roughness in (0.4, 0.5, 0.65, 0.8):
        assert abs(slope_of(NOISES[name], roughness) - stated(roughness)) < 0.15
        assert abs(slope_of(NOISES[name], roughness, warp=10.0) - stated(roughness)) < 0.5


@pytest.mark.parametrize("name", NOISES)
def test_billows_and_ridges_follow_it_too_within_less_narrow_bounds(name):
    for roughness in (0.5, 0.65, 0.8):
        assert abs(slope_of(NOISES[name], roughness, kind="billow") - stated(roughness)) < 0.3
        assert stated(roughness) - 0.8 < slope_of(NOISES[name], roughness, kind="ridged") < stated(roughness) + 0.1


def test_worley_noise_follows_it_too():
    for roughness in (0.5, 0.65, 0.8):
        assert abs(slope_of(worley_noise, roughness) - stated(roughness)) < 0.25


def test_lacunarity_counts():
    maps = [gradient_noise(512, 512, seed=s, octaves=5, lacunarity=2.6, roughness=0.5, seamless=True) for s in range(4)]
    found = np.mean([spectral_slope(noise, low=1 / 50, high=1 / 5, seamless=True) for noise in maps])
    assert abs(found - stated(0.5, 2.6)) < 0.25


def directions(make, low, high):
    """The directional spectrum of ten maps between two frequencies, in cycles a lattice step."""
    maps = [make(512, 512, seed=seed, scale=8, seamless=True) for seed in range(10)]
    return np.mean([directional_spectrum(m, low=low / 8, high=high / 8, seamless=True) for m in maps], axis=0)


def test_directions():
    """Around a cycle a step the most powerful direction has at most so many times the power of the least."""
    ratio = {}
    for name, make in NOISES.items():
        power = directions(make, 0.7, 1.3)
        ratio[name] = power.max() / power.min()
    assert ratio["gradient"] < 1.35
    assert ratio["simplex"] < 1.15
    assert ratio["value"] > 1.45, "the lattice of value noise is seen, or the measure is blind"


def test_fine_waves_of_simplex_noise_have_no_direction():
    fine = {name: directions(make, 1.3, 2) for name, make in NOISES.items()}
    assert fine["simplex"].max() / fine["simplex"].min() < 1.2
    assert fine["value"][0] / fine["value"][4] > 20
    assert fine["gradient"][0] / fine["gradient"][4] > 5


def test_what_has_no_spectrum_is_refused():
    for heights in (np.zeros((7, 20)), np.zeros((20, 7))):
        with pytest.raises(InputError, match=r"a field too small for a spectrum; found .* cells; expected sides"):
            radial_spectrum(heights)
    with pytest.raises(InputError, match="heights has the wrong shape"):
        spectral_slope([1.0, 2.0])
    with pytest.raises(InputError, match="a height that is not finite"):
        radial_spectrum(np.full((8, 8), np.inf))
    with pytest.raises(InputError, match="a spectrum without a slope; found 0 of "):
        spectral_slope(np.ones((16, 16)))
    for low, high in ((0, 0.3), (0.3, 0.2), (0.2, 0.6)):
        with pytest.raises(InputError, match=r"frequencies; found .*; expected 0 < low < high"):
            directional_spectrum(np.eye(16), low=low, high=high)
    with pytest.raises(InputError, match="a sector without waves; found 500 sectors"):
        directional_spectrum(np.eye(16), sectors=500)
    assert (directional_spectrum(np.ones((16, 16)), sectors=4) == 1).all()
    assert math.isfinite(spectral_slope(np.eye(8)))

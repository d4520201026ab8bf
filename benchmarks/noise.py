"""Noises beside those of other libraries: time for a map, by octaves; growth with size; gradient and simplex in space.

Run: python benchmarks/noise.py [--quick]. All makers of one kind of noise take turns in one process, on one thread; a
ratio is one median by another of the same turns, after everything has run once. Times are processor time, and include
what each library needs to be asked for a whole map (pyfastnoiselite gets its coordinates made beforehand). Ours are
float64, theirs float32 (perlin-numpy and opensimplex: float64). Ours gain from cells lying on a grid; pyfastnoiselite
has no such way and is asked place by place, as `gradient_noise_at` is, whose times are in the last table. Libraries
that aren't installed are left out.
"""

from __future__ import annotations

import argparse
import importlib.util
import statistics
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from anabasis.maps.terrain.gradient_noise import gradient_noise, gradient_noise_at
from anabasis.maps.terrain.simplex_noise import simplex_noise, simplex_noise_at
from anabasis.maps.terrain.value_noise import value_noise
from anabasis.maps.terrain.worley_noise import worley_noise

SCALE = 64
BAR = 1.0  # the speed of gradient noise with 6 octaves, by that of the fastest other library
OURS: dict[str, Callable[..., Any]] = {
    "value": value_noise,
    "gradient": gradient_noise,
    "simplex": simplex_noise,
    "worley": worley_noise,
}
LITE = {"value": "Value", "gradient": "Perlin", "simplex": "OpenSimplex2", "worley": "Cellular"}


def installed(name: str) -> bool:
    return importlib.util.find_spec(name) is not None


def turns(makers: dict[str, Callable[[], Any]], repeats: int) -> dict[str, float]:
    """The median processor time of each maker, in seconds."""
    times: dict[str, list[float]] = {name: [] for name in makers}
    for turn in range(repeats + 1):
        for name, make in makers.items():
            start = time.process_time()
            make()
            if turn:
                times[name].append(time.process_time() - start)
    return {name: statistics.median(spent) for name, spent in times.items()}


def lite(kind: str, side: int, octaves: int) -> Callable[[], Any]:
    """A map of pyfastnoiselite."""
    import pyfastnoiselite.pyfastnoiselite as other

    noise = other.FastNoiseLite(1)
    noise.noise_type = getattr(other.NoiseType, f"NoiseType_{LITE[kind]}")
    noise.frequency = 1 / SCALE
    fractal = "FBm" if octaves > 1 else "None"
    noise.fractal_type = getattr(other.FractalType, f"FractalType_{fractal}")
    noise.fractal_octaves = octaves
    y, x = np.indices((side, side))
    return partial(noise.gen_from_coords, np.stack([x.ravel(), y.ravel()]).astype(np.float32))


def tcod_map(kind: str, side: int, octaves: int) -> Callable[[], Any]:
    """A map of tcod."""
    import tcod.noise

    algorithm = tcod.noise.Algorithm.PERLIN if kind == "gradient" else tcod.noise.Algorithm.SIMPLEX
    way = tcod.noise.Implementation.FBM if octaves > 1 else tcod.noise.Implementation.SIMPLE
    noise = tcod.noise.Noise(2, algorithm=algorithm, implementation=way, octaves=octaves, seed=1)
    line = (np.arange(side) / SCALE).astype(np.float32)
    return partial(noise.sample_ogrid, [line[:, None], line[None, :]])


def perlin_numpy_map(side: int, octaves: int) -> Callable[[], Any]:
    """A map of perlin-numpy."""
    import perlin_numpy

    steps = (side // SCALE, side // SCALE)
    return partial(perlin_numpy.generate_fractal_noise_2d, (side, side), steps, octaves)


def opensimplex_map(side: int) -> Callable[[], Any]:
    """A map of opensimplex, which adds no octaves."""
    import opensimplex

    opensimplex.seed(1)
    return partial(opensimplex.noise2array, np.arange(side) / SCALE, np.arange(side) / SCALE)


def makers(kind: str, side: int, octaves: int) -> dict[str, Callable[[], Any]]:
    """All makers of a kind of noise."""
    found: dict[str, Callable[[], Any]] = {
        "anabasis": partial(OURS[kind], side, side, seed=1, scale=SCALE, octaves=octaves)
    }
    if installed("pyfastnoiselite"):
        found["pyfastnoiselite"] = lite(kind, side, octaves)
    if kind in ("gradient", "simplex") and installed("tcod"):
        found["tcod"] = tcod_map(kind, side, octaves)
    if kind == "gradient" and installed("perlin_numpy"):
        found["perlin-numpy"] = perlin_numpy_map(side, octaves)
    if kind == "simplex" and octaves == 1 and installed("opensimplex") and installed("numba"):
        found["opensimplex"] = opensimplex_map(side)
    return found


def beside(side: int, repeats: int) -> None:
    """Maps of one and of six octaves, in millions of cells a second, and how many times as fast ours is."""
    print(f"{side} × {side} cells, the first lattice step {SCALE} cells [million cells a second; ours by theirs]")
    for kind in OURS:
        for octaves in (1, 6):
            spent = turns(makers(kind, side, octaves), repeats)
            own = spent.pop("anabasis")
            line = f"  {kind:8} {octaves} octaves  anabasis {side * side / own / 1e6:7.1f}"
            for name, other in spent.items():
                line += f"   {name} {side * side / other / 1e6:.1f} (× {other / own:.2f})"
            print(line)
            if kind == "gradient" and octaves == 6 and spent:
                ratio = min(spent.values()) / own
                held = "held" if ratio >= BAR else "MISSED"
                print(f"    bar: at least × {BAR} the fastest other: {held} (× {ratio:.2f})")


def growth(repeats: int, largest: int) -> None:
    """Time a cell by size: gradient noise with six octaves, plain and in other ways."""
    ways: dict[str, dict[str, Any]] = {
        "plain": {},
        "seamless": {"seamless": True},
        "ridged": {"kind": "ridged"},
        "warped": {"warp": 20.0},
    }
    print("\nGradient noise, 6 octaves, by size [ns a cell]\n" + " " * 8 + "".join(f"{way:>10}" for way in ways))
    for side in (s for s in (128, 256, 512, 1024, 2048, 4096) if s <= largest):
        runs = {w: partial(gradient_noise, side, side, seed=1, octaves=6, **given) for w, given in ways.items()}
        spent = turns(runs, repeats)
        print(f"  {side:6}" + "".join(f"{1e9 * spent[way] / side**2:10.2f}" for way in ways))


def space(repeats: int, count: int) -> None:
    """One octave at random places: lattice points looked at, and time, of gradient and simplex noise by dimension."""
    print(f"\n{count} random places, one octave [lattice points; ns a place]")
    for axes in (2, 3, 4):
        places = np.random.default_rng(axes).uniform(0, 1000, (count, axes))
        runs = {
            "gradient": partial(gradient_noise_at, places, seed=1, scale=10),
            "simplex": partial(simplex_noise_at, places, seed=1, scale=10),
        }
        spent = turns(runs, repeats)
        cells = {"gradient": 2**axes, "simplex": axes + 1}
        line = "".join(f"   {name} {cells[name]:2} {1e9 * spent[name] / count:6.1f}" for name in runs)
        print(f"  {axes} dimensions{line}   simplex by gradient × {spent['simplex'] / spent['gradient']:.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="smaller maps, fewer turns")
    quick = parser.parse_args().quick
    beside(512 if quick else 2048, 3 if quick else 5)
    growth(3 if quick else 5, 1024 if quick else 4096)
    space(3 if quick else 5, 50_000 if quick else 500_000)


if __name__ == "__main__":
    main()

"""Formations: pictures of a march: the ways of all, the shape at moments that lie equally far apart, an animation."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis.errors import InputError
from anabasis.formation.march import March
from anabasis.formation.optimise import error_map
from anabasis.graph import Graph
from anabasis.lattice import Lattice
from anabasis.manoeuvre import Manoeuvre
from anabasis.options import check_count, check_kind
from anabasis.schema import Schema
from anabasis.view.ground import bulls_eye, graph_scene, map_scene, pen
from anabasis.view.layers import ImageLayer, Layer, LegendItem, Polylines, Ramp, Scene, Swatch, dots
from anabasis.view.palette import BLOCKED, FREE, INK, PAPER, PRICE, WORTH, Colour, group_colour, with_alpha
from anabasis.view.raster import animate_scenes, check_frames

__all__ = [
    "animate_march",
    "error_colours",
    "error_scene",
    "lattice_scene",
    "manoeuvre_scene",
    "march_scene",
    "moment_scene",
]

_PIXELS = 6  # of the image of a lattice, for each step
_MOST = 2000  # of its sides
_HEAT_CELLS = 160  # of a picture of errors, along a side
_LEAST_ERROR = 1.0  # of what a picture of errors tells apart


def lattice_scene(lattice: Lattice, *, title: str = "") -> Scene:
    """Return a map of triangles: each place in the colour of its nearest vertex, the darker the dearer to step out of.

    Vertices that nobody can leave are grey.
    """
    width, height = lattice.extent
    edge = lattice.spacing / 2
    bounds = (-edge, -edge, width + edge, height + edge)
    across, down = (bounds[2] - bounds[0]) / lattice.spacing, (bounds[3] - bounds[1]) / lattice.spacing
    scale = min(_PIXELS, _MOST / max(across, down))
    columns, rows = max(1, round(across * scale)), max(1, round(down * scale))
    x = bounds[0] + (np.arange(columns) + 0.5) * (bounds[2] - bounds[0]) / columns
    y = bounds[1] + (np.arange(rows) + 0.5) * (bounds[3] - bounds[1]) / rows
    pixels = _colours(lattice)[_nearest(lattice, *np.meshgrid(x, y))]
    cost = lattice.cost[np.isfinite(lattice.cost)]
    legend: list[LegendItem] = []
    if cost.size and cost.max() > cost.min():
        legend += [Swatch(f"{cost.min():g} s a step", FREE), Swatch(f"{cost.max():g} s", PRICE)]
    if np.isinf(lattice.cost).all(2).any():
        legend.append(Swatch("no way", BLOCKED))
    layers = (ImageLayer(pixels, bounds),)
    return Scene(bounds, layers, tuple(legend), title, measure="step", pitch=lattice.spacing)


def _colours(lattice: Lattice) -> NDArray[np.uint8]:
    """Return uint8[n, 3]: the colour of each vertex."""
    cost = lattice.cost.reshape(-1, 6)
    open_ = np.isfinite(cost)
    mean = np.where(open_, cost, 0.0).sum(1) / np.maximum(open_.sum(1), 1)
    low, high = (float(cost[open_].min()), float(cost[open_].max())) if open_.any() else (1.0, 1.0)
    share = np.log(np.maximum(mean, low) / low) / np.log(high / low) if high > low else np.zeros(len(mean))
    free, dear = np.array(FREE[:3], float), np.array(PRICE[:3], float)
    colours = np.round(free + 0.85 * np.clip(share, 0, 1)[:, None] * (dear - free))
    colours[~open_.any(1)] = BLOCKED[:3]
    return colours.astype(np.uint8)


def _nearest(lattice: Lattice, x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the vertex nearest to each place: of the two rows around it, the nearer one's nearest vertex."""
    pitch = lattice.spacing * 3**0.5 / 2
    best, apart = np.zeros(x.shape, np.int64), np.full(x.shape, np.inf)
    for row in (np.floor(y / pitch), np.floor(y / pitch) + 1):
        r = np.clip(row, 0, lattice.height - 1).astype(np.int64)
        column = np.clip(np.rint(x / lattice.spacing - r % 2 / 2), 0, lattice.width - 1).astype(np.int64)
        far = np.hypot(x - (column + r % 2 / 2) * lattice.spacing, y - r * pitch)
        best, apart = np.where(far < apart, r * lattice.width + column, best), np.minimum(far, apart)
    return best


def _check(manoeuvre: Manoeuvre, march: March) -> None:
    """Raise InputError unless the march is one of the manoeuvre."""
    check_kind(manoeuvre, Manoeuvre, "what was carried out")
    check_kind(march, March, "a march")
    if march.trace.size != manoeuvre.units:
        raise InputError("a march", found=f"{march.trace.size} units", expected=f"the manoeuvre's {manoeuvre.units}")


def _ground(manoeuvre: Manoeuvre, title: str) -> Scene:
    check_kind(manoeuvre, Manoeuvre, "a manoeuvre")
    space = manoeuvre.space
    if isinstance(space, Lattice):
        return lattice_scene(space, title=title)
    if isinstance(space, Graph):
        return graph_scene(space, title=title)
    return map_scene(space, title=title)


def manoeuvre_scene(manoeuvre: Manoeuvre, *, title: str = "") -> Scene:
    """Return a manoeuvre before it begins: the map, each formation at its start, and the targets of its orders."""
    ground = _ground(manoeuvre, title)
    line = pen(ground.width, ground.height)
    layers = _targets(manoeuvre, line)
    for i, formation in enumerate(manoeuvre.formations):
        places = np.array(formation.start) + formation.schema.turned(formation.azimuth)
        way = np.concatenate([[formation.start], *(order.places for order in formation.orders)])
        layers.append(Polylines.of([way], with_alpha(group_colour(i), 0.5), 0.6 * line))
        layers += _formed(formation.schema, places, group_colour(i), line)
    return ground.over(*layers, legend=_legend(manoeuvre), title=title)


def march_scene(manoeuvre: Manoeuvre, march: March, *, moments: int = 6, title: str = "") -> Scene:
    """Return a march: each unit's way, and each formation with its bindings at moments equally far apart in time.

    The target of each order is marked.
    """
    _check(manoeuvre, march)
    check_count(moments, "moments", 1)
    ground = _ground(manoeuvre, title)
    line = pen(ground.width, ground.height)
    layers: list[Layer] = []
    for i in range(len(manoeuvre.formations)):
        colour = group_colour(i)
        ways = [march.trace.positions[:, unit] for unit in march.units(i)]
        layers.append(Polylines.of(ways, with_alpha(colour, 0.45), 0.6 * line))
    frames = np.unique(np.rint(np.linspace(0, len(march.trace.times) - 1, moments)).astype(int))
    for frame in frames.tolist():
        layers += _shape(manoeuvre, march, frame, line)
    layers += _targets(manoeuvre, line)
    return ground.over(*layers, legend=_legend(manoeuvre, march), title=title)


def moment_scene(manoeuvre: Manoeuvre, march: March, frame: int, *, title: str = "") -> Scene:
    """Return one frame of a march; title: by default the time."""
    _check(manoeuvre, march)
    frames = len(march.trace.times)
    if not 0 <= frame < frames:
        raise InputError("frame of a march", found=f"{frame}", expected=f"0 to {frames - 1}")
    return _moment(_ground(manoeuvre, title), manoeuvre, march, frame)


def _moment(ground: Scene, manoeuvre: Manoeuvre, march: March, frame: int) -> Scene:
    line = pen(ground.width, ground.height)
    layers = [*_targets(manoeuvre, line), *_shape(manoeuvre, march, frame, line)]
    return ground.over(*layers, legend=_legend(manoeuvre, march), title=ground.title or f"{march.seconds[frame]:.1f} s")


def animate_march(
    manoeuvre: Manoeuvre,
    march: March,
    file: str | Path | IO[bytes],
    *,
    pixels: int = 640,
    frames: int = 200,
    rate: float = 20.0,
) -> int:
    """Write a march as an endless animated GIF of at most so many frames; return how many it has."""
    _check(manoeuvre, march)
    check_frames(frames)
    ground = _ground(manoeuvre, "")
    chosen = np.unique(np.rint(np.linspace(0, len(march.trace.times) - 1, frames)).astype(int))

    def scenes() -> Iterator[tuple[Scene, int]]:
        for frame in chosen.tolist():
            yield _moment(ground, manoeuvre, march, frame), 0

    return animate_scenes(scenes(), file, pixels=pixels, rate=rate)


def error_scene(
    schema: Schema, positions: ArrayLike, unit: int, bounds: ArrayLike, *, how: str = "mean", title: str = ""
) -> Scene:
    """Return the error of the whole formation if one unit stood elsewhere, at every place within bounds.

    Arguments and errors are those of `optimise.error_map`. The scale is logarithmic; the unit has a dark rim.
    """
    pixels, legend = error_colours(
        error_map(schema, positions, unit, bounds, cells=(_HEAT_CELLS, _HEAT_CELLS), how=how), unit
    )
    x0, y0, x1, y1 = np.asarray(bounds, np.float64).tolist()
    extent = (x0, y0, x1, y1)
    line = pen(x1 - x0, y1 - y0)
    places = np.asarray(positions, np.float64)
    layers = _formed(schema, places, group_colour(0), line)[:-1]
    return Scene(
        extent,
        (
            ImageLayer(pixels, extent),
            *layers,
            dots(places[unit : unit + 1], 2.6 * line, group_colour(0), outline=INK, width=0.9 * line),
        ),
        (legend,),
        title,
        measure="length",
        pitch=1.0,
    )


def error_colours(errors: NDArray[np.float64], unit: int) -> tuple[NDArray[np.uint8], Ramp]:
    """Return uint8[h, w, 3] with its legend: errors float64[h, w] with a unit at each place, on a logarithmic scale."""
    found = np.maximum(errors, _LEAST_ERROR)
    logs = np.log(found)
    share = (logs - logs.min()) / max(float(np.ptp(logs)), 1e-12)
    legend = Ramp(f"error with unit {unit} there", WORTH, f"{found.min():.3g}", f"{found.max():.3g}")
    return WORTH[np.round(255 * share).astype(np.int64), :3], legend


def _shape(manoeuvre: Manoeuvre, march: March, frame: int, line: float) -> list[Layer]:
    """Return all formations as they stand in a frame."""
    layers: list[Layer] = []
    for i, formation in enumerate(manoeuvre.formations):
        layers += _fallen(march, i, frame, line)
        layers += _formed(formation.schema, march.formed(i, slice(frame, frame + 1))[0], group_colour(i), line)
    return layers


def _formed(schema: Schema, places: NDArray[np.float64], colour: Colour, line: float) -> list[Layer]:
    """Return a formation's bindings as lines and its units as dots, the leader's with a dark rim; none of nan."""
    layers: list[Layer] = []
    there = np.asarray(np.isfinite(places).all(1))
    once = schema.bindings[(schema.bindings[:, 0] < schema.bindings[:, 1]) & there[schema.bindings].all(1)]
    if len(once):
        layers.append(Polylines.of(list(places[once]), with_alpha(colour, 0.8), 0.9 * line))
    layers.append(dots(places[there], 2.6 * line, colour, outline=PAPER, width=0.5 * line))
    leader = schema.leader
    if there[leader]:
        layers.append(dots(places[leader : leader + 1], 2.6 * line, colour, outline=INK, width=0.9 * line))
    return layers


def _fallen(march: March, i: int, frame: int, line: float) -> list[Layer]:
    """Return crosses where units of a formation have fallen until a frame."""
    units = march.units(i)
    places = march.trace.positions[frame, units[march.spot[frame, units] < 0]]
    if not len(places):
        return []
    arm = 2.0 * line * np.array([[(-1, -1), (1, 1)], [(-1, 1), (1, -1)]], np.float64)
    strokes = (places[:, None, None] + arm).reshape(-1, 2, 2)
    return [Polylines.of(list(strokes), INK, 0.9 * line)]


def _targets(manoeuvre: Manoeuvre, line: float) -> list[Layer]:
    layers: list[Layer] = []
    for i, formation in enumerate(manoeuvre.formations):
        for order in formation.orders:
            x, y = order.places[-1].tolist()
            layers.append(bulls_eye(x, y, 4 * line, group_colour(i)))
    return layers


def _legend(manoeuvre: Manoeuvre, march: March | None = None) -> tuple[LegendItem, ...]:
    """Return the names of formations, if there are several, and the cross of a march in which somebody falls."""
    names = [f.name or f"formation {i}" for i, f in enumerate(manoeuvre.formations)]
    items = [Swatch(name, group_colour(i), "dot") for i, name in enumerate(names)] if len(names) > 1 else []
    if march is not None and march.trace.fallen.any():
        items.append(Swatch("fallen", INK, "cross"))
    return tuple(items)

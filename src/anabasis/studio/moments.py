"""Moments: what the page shows at a time, as a scene: made of the draft's map, a run's frame and overlays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.studio.runs import NO_ROUTE
from anabasis.studio.scenes import said_scene
from anabasis.studio.wire import Message, unpack
from anabasis.trace import UnitState
from anabasis.view.ground import map_scene, pen
from anabasis.view.layers import Circles, Layer, LegendItem, Polylines, Scene, Swatch
from anabasis.view.palette import GROUP_COLOURS, INK, Colour, group_colour, with_alpha

__all__ = ["Shown", "moment_scene", "moments", "shown_of"]


@dataclass
class Shown:
    """What the messages of a job hold: its run, if there is one, with all frames, and its scenes by name."""

    scenes: dict[str, Message] = field(default_factory=dict[str, Message])
    run: dict[str, Any] = field(default_factory=dict[str, Any])
    arrays: dict[str, NDArray[Any]] = field(default_factory=dict[str, NDArray[Any]])

    @property
    def frames(self) -> int:
        """Number of frames, 0 without a run."""
        return len(self.arrays["times"]) if self.run else 0


def shown_of(messages: Iterable[bytes]) -> Shown:
    """Return what packed messages hold."""
    shown, parts = Shown(), list[Message]()
    for data in messages:
        message = unpack(data)
        kind = message[0]["kind"]
        if kind == "scene":
            shown.scenes[message[0]["name"]] = message
        elif kind == "run":
            shown.run, shown.arrays, parts = message[0], dict(message[1]), []
        elif kind == "frames":
            parts.append(message)
    if shown.run:
        parts.sort(key=lambda part: part[0]["first"])
        for name in ("positions", "headings", "state"):
            shown.arrays[name] = np.concatenate([arrays[name] for _, arrays in parts])
    return shown


def moment_scene(
    shown: Shown, grid: Grid, frame: int | None, *, names: Sequence[str] = (), title: str | None = None
) -> Scene:
    """Return the map at a frame, the scenes of those names over it, targets and units.

    frame: counted from 0, with a negative number from the end; None: no units. Raises InputError for a frame or a scene
    that there isn't.
    """
    step = -1
    if frame is not None:
        if not -shown.frames <= frame < shown.frames:
            expected = f"0 to {shown.frames - 1}" if shown.frames else "none: nothing moves"
            raise InputError("frame of a run", where="frame", found=f"{frame}", expected=expected)
        step = int(shown.arrays["times"][frame])
    scene = map_scene(_ground(grid, shown, step))
    for name in names:
        if name not in shown.scenes:
            raise InputError("no such overlay", where="overlays", found=repr(name), expected=" or ".join(shown.scenes))
        over = said_scene(shown.scenes[name])
        scene = scene.over(*over.layers, legend=over.legend)
    if frame is None:
        return scene.over(title=title or "")
    layers, legend, said = _units(shown, frame, pen(scene.width, scene.height))
    return scene.over(*layers, legend=legend, title=said if title is None else title)


def _changes_by(shown: Shown, frame: int) -> int:
    """Return how many changes the map has seen by a frame."""
    step = int(shown.arrays["times"][frame])
    return sum(change["step"] <= step for change in shown.run.get("changes", ()))


def _ground(grid: Grid, shown: Shown, step: int) -> Grid:
    for change in shown.run.get("changes", ()):
        if change["step"] <= step and change["cells"]:
            grid = grid.with_terrain(np.array(change["cells"]), change["terrain"])
    return grid


def _units(shown: Shown, frame: int, line: float) -> tuple[list[Layer], tuple[LegendItem, ...], str]:
    run, arrays = shown.run, shown.arrays
    state = arrays["state"][frame]
    gone = state == UnitState.REMOVED
    if not run.get("stays", False):
        gone |= state == UnitState.ARRIVED
    units = np.flatnonzero(~gone)
    groups: list[str] = run.get("groups") or [""]
    key = arrays["group"].astype(np.int64)
    routes = np.unique(arrays["route"][arrays["route"] != NO_ROUTE])
    split = len(groups) == 1 and 1 < routes.size <= len(GROUP_COLOURS)
    if split:
        key = np.searchsorted(routes, arrays["route"])
    layers: list[Layer] = [
        _rings(target, group_colour(g), line) for g, target in enumerate(run.get("targets", ())) if target is not None
    ]
    centres, radii = arrays["positions"][frame, units].astype(np.float64), arrays["radius"][units].astype(np.float64)
    colours = np.array(GROUP_COLOURS, np.uint8)[key[units] % len(GROUP_COLOURS)]
    layers.append(Circles(centres, radii, colours, with_alpha(INK, 0.9), 0.08))
    angle = arrays["headings"][frame, units].astype(np.float64)
    tips = centres + 0.9 * radii[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    noses = np.stack([centres, tips], axis=1).reshape(-1, 2)
    layers.append(Polylines(noses, 2 * np.arange(units.size + 1), INK, 0.12))
    names = (
        [f"route {r}" for r in routes.tolist()] if split else [name or f"group {g}" for g, name in enumerate(groups)]
    )
    told = names if 1 < len(names) <= len(GROUP_COLOURS) else []  # more of them share their colours
    legend = tuple(Swatch(name, group_colour(g), "dot") for g, name in enumerate(told))
    arrived = int((state == UnitState.ARRIVED).sum())
    return layers, legend, f"step {int(arrays['times'][frame])}: {arrived} of {len(state)} units arrived"


def _rings(target: Sequence[float], colour: Colour, line: float) -> Layer:
    """Return the mark of a target as the page draws it."""
    x, y, radius = target
    radii = np.maximum(radius * np.array([1.0, 0.6, 0.25]), line)
    return Circles(np.array([[x, y]] * 3), radii, np.zeros((3, 4), np.uint8), colour, line)


def moments(shown: Shown, grid: Grid, rows: Sequence[int], *, names: Sequence[str] = ()) -> Iterator[tuple[Scene, int]]:
    """Yield the scenes of some frames, each with the number of changes that its map has seen."""
    for row in rows:
        yield moment_scene(shown, grid, row, names=names), _changes_by(shown, row)

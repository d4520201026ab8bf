"""Drives: pictures of a motion in time: its way coloured by the speed, and where the unit is at equal times."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from anabasis.metrics.kinematics import driven
from anabasis.trajectory import Kinematics, Trajectory
from anabasis.view.ground import bulls_eye, pen, world_scene
from anabasis.view.layers import Layer, LegendItem, Polygons, Polylines, Ramp, Scene, Swatch, dots
from anabasis.view.palette import GROUP_COLOURS, INK, PAPER, RAMP, Colour, with_alpha
from anabasis.world import World

__all__ = ["drive_scene"]

_SHADES = RAMP[64:]  # in which lines stand out from pale ground
_BANDS = 24  # of speed
_TIMES = 24  # at which the unit is drawn
_BACK: Colour = GROUP_COLOURS[1]


def drive_scene(
    world: World | Scene, trajectory: Trajectory, unit: Kinematics, *, radius: float = 0.0, title: str = ""
) -> Scene:
    """Return a motion over its world, or over another scene: the way of the reference point, start and goal.

    At times that lie equally far apart a unit on foot is drawn as a dot, a car as a tick where it heads; a car with a
    radius, by which the obstacles of the world were grown, as its axles and the box around them. Ways driven backwards
    have a colour of their own.
    """
    ground = world if isinstance(world, Scene) else world_scene(world)
    line = pen(ground.width, ground.height)
    pieces = [np.array(driven(trajectory, unit, k)) for k in range(len(trajectory.times) - 1)]
    pieces = [piece for piece in pieces if len(piece) > 1]
    speeds = [
        (trajectory.speeds[k] + trajectory.speeds[k + 1]) / 2
        for k in range(len(trajectory.times) - 1)
        if trajectory.times[k + 1] > trajectory.times[k]
    ]
    way = [piece[:, :2] for piece in pieces]
    layers: list[Layer] = [Polylines.of(way, with_alpha(PAPER, 0.9), 3.6 * line)] if way else []
    band = np.minimum(np.abs(speeds) / unit.speed * _BANDS, _BANDS - 1).astype(np.int64) if way else np.empty(0)
    back = np.array(speeds) < 0
    for b in np.unique(band[~back]).astype(int).tolist():
        r, g, blue, a = (int(c) for c in _SHADES[round((len(_SHADES) - 1) * (b + 0.5) / _BANDS)])
        layers.append(Polylines.of([way[k] for k in np.flatnonzero((band == b) & ~back)], (r, g, blue, a), 2 * line))
    legend: list[LegendItem] = [Ramp("speed", _SHADES, "0", f"{unit.speed:g}")]
    if back.any():
        layers.append(Polylines.of([way[k] for k in np.flatnonzero(back)], _BACK, 2 * line))
        legend.append(Swatch("backwards", _BACK, "line"))
    poses = _poses(trajectory, unit)
    x, y = trajectory.points[-1].tolist()
    if not unit.axle:
        layers.append(dots(poses[:, :2], 1.8 * line, INK, outline=PAPER, width=0.4 * line))
    else:
        layers += _cars(poses, unit, line) if radius else _ticks(poses, line)
    layers.append(bulls_eye(x, y, 4 * line, INK))
    layers.append(dots(trajectory.points[:1], 3 * line, GROUP_COLOURS[0], outline=PAPER, width=0.6 * line))
    return ground.over(*layers, legend=tuple(legend), title=title)


def _poses(trajectory: Trajectory, unit: Kinematics) -> NDArray[np.float64]:
    """Return float64[n, 3], the poses (x, y, heading) of the reference point at times equally far apart."""
    start = float(trajectory.times[0])
    wanted = start + trajectory.duration * np.arange(_TIMES + 1) / _TIMES
    poses = [np.array([[*trajectory.points[-1], trajectory.headings[-1]]])]
    for k in range(len(trajectory.times) - 1):
        begin, end = trajectory.times[k : k + 2].tolist()
        (first, last), spent = trajectory.speeds[k : k + 2].tolist(), end - begin
        passed = wanted[(wanted >= begin) & (wanted < end)] - begin
        if not passed.size or first + last == 0:
            continue
        share = (first * passed + (last - first) * passed**2 / (2 * spent)) / ((first + last) / 2 * spent)
        steps = np.array(driven(trajectory, unit, k))
        along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(steps[:, :2], axis=0).T))])
        poses.append(np.stack([np.interp(share * along[-1], along, steps[:, c]) for c in range(3)], axis=1))
    return np.concatenate(poses)


def _ticks(poses: NDArray[np.float64], line: float) -> list[Layer]:
    """Return short lines from the places of a car that is a point toward where it heads."""
    ahead = 6 * line * np.stack([np.cos(poses[:, 2]), np.sin(poses[:, 2])], axis=1)
    ends = np.stack([poses[:, :2], poses[:, :2] + ahead], axis=1).reshape(-1, 2)
    return [Polylines(ends, 2 * np.arange(len(poses) + 1), INK, line)]


def _cars(poses: NDArray[np.float64], unit: Kinematics, line: float) -> list[Layer]:
    """Return the boxes of a car around its axles and half as wide as they are apart, a longer nose where it heads."""
    along, across = np.cos(poses[:, 2]), np.sin(poses[:, 2])
    shape = np.array([[-0.2, -0.25], [1.0, -0.25], [1.25, 0.0], [1.0, 0.25], [-0.2, 0.25]]) * unit.axle
    shape[:, 0] -= unit.reference
    turned = np.stack(
        [
            along[:, None] * shape[:, 0] - across[:, None] * shape[:, 1],
            across[:, None] * shape[:, 0] + along[:, None] * shape[:, 1],
        ],
        axis=2,
    )
    corners = poses[:, None, :2] + turned
    starts = len(shape) * np.arange(len(poses) + 1)
    return [Polygons(corners.reshape(-1, 2), starts, with_alpha(INK, 0.15), with_alpha(INK, 0.7), 0.5 * line)]

"""Drives: the motion in time of a car between the ends of a draft, or of somebody on foot along a path."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from math import atan2, degrees, inf, radians
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis.decompose.cells import ground
from anabasis.decompose.obstacles import grow
from anabasis.methods import method as method_row
from anabasis.metrics.kinematics import driven, trajectory_faults
from anabasis.result import Status
from anabasis.studio.channel import Channel
from anabasis.studio.drafts import ends_of, grid_of
from anabasis.studio.facts import say_facts
from anabasis.studio.requests import asked_method, asked_options
from anabasis.studio.runs import say_run
from anabasis.studio.scenes import say_scene
from anabasis.studio.work.motions import one_unit
from anabasis.trajectory import Kinematics, Trajectory
from anabasis.view.drives import drive_scene
from anabasis.view.ground import world_scene

__all__ = ["poses", "run"]

_FRAMES = 2_000  # at most, of a motion that is played
_TICK = 0.1  # seconds between frames, of a short one


def run(args: Mapping[str, Any], out: Channel) -> None:
    """Find a motion: `draft`, `method`, `options`, `seed`."""
    draft = args.get("draft")
    grid = grid_of(draft)
    ends = ends_of(draft, grid)
    name = asked_method("drive", args)
    options, beside = asked_options("drive", name, args)
    radius = beside["radius"]
    car = Kinematics.car(
        beside["axle"],
        radians(beside["steering"]),
        speed=beside["speed"],
        acceleration=inf if beside["acceleration"] is None else beside["acceleration"],
        backward=beside["backward"],
    )
    world = ground(grid)
    world = grow(world, radius) if radius else world
    (x0, y0), (x1, y1) = ((x + 0.5, y + 0.5) for x, y in (ends.start, ends.goal))
    nose = atan2(y1 - y0, x1 - x0) if beside["heading"] is None else radians(beside["heading"])
    at_goal = beside["heading_at_goal"]
    goal = (x1, y1) if at_goal is None else (x1, y1, radians(at_goal))
    out.progress(0, 0, "looking for a motion")
    begin = time.perf_counter()
    result = method_row("drive", name).load()(world, (x0, y0, nose), goal, car, **options)
    seconds = time.perf_counter() - begin
    motion: Trajectory | None = result.value
    rows: list[Any] = [("status", result.status.value), ("reason", result.reason or None)]
    if motion is not None:
        faults = trajectory_faults(motion, car, world=world, start=(x0, y0, nose), goal=goal)
        scene = drive_scene(world, motion, car, radius=radius, title=f"motion by {name}")
        below = 0 if radius else len(world_scene(world).layers)  # grown obstacles are no map that the page has
        say_scene(out, "drive", replace(scene, layers=scene.layers[below:]))
        rows += [
            ("duration", motion.duration),
            ("length", motion.length),
            ("greatest speed", float(abs(motion.speeds).max())),
            ("greatest steering, degrees", degrees(float(abs(motion.steering).max()))),
            ("proved: at least", result.bound if result.bound > 0 else None),
            ("valid", not faults),
            *(("not valid", fault) for fault in faults),
        ]
        frames = int(np.clip(np.ceil(motion.duration / _TICK), 1, _FRAMES))
        places = poses(motion, car, frames)
        trace = one_unit(places[:, :2], max(radius, 0.3), places[:, 2])
        tick = motion.duration / frames
        head = {"method": name, "tick": tick, "targets": [[x1, y1, 0.5]], "stays": True}
        say_run(out, None, trace, title=f"motion by {name}", head=head)
    rows += [(key.replace("_", " "), value) for key, value in result.stats.items()]
    say_facts(out, f"Motion by {name}", [*rows, ("search", seconds, "seconds")])
    if result.status is not Status.SOLVED:
        out.end(result.status.value, result.reason)


def poses(motion: Trajectory, unit: Kinematics, parts: int) -> NDArray[np.float64]:
    """Return float64[parts + 1, 3]: x, y and heading of a motion at its begin, its end and in equal times between."""
    begin = float(motion.times[0])
    wanted = begin + motion.duration * np.arange(parts + 1) / parts
    found = np.empty((parts + 1, 3))
    found[:] = (*motion.points[0], motion.headings[0])
    for k in range(len(motion.times) - 1):
        start, end = motion.times[k : k + 2].tolist()
        inside = (wanted >= start) & (wanted < end)
        if end <= start or not inside.any():
            continue
        first, last = motion.speeds[k : k + 2].tolist()
        passed = wanted[inside] - start
        way = first * passed + (last - first) * passed**2 / (2 * (end - start))
        steps = np.array(driven(motion, unit, k))
        whole = (first + last) / 2 * (end - start)
        # poses are equally far apart in time where the steering turns, and straight between
        along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(steps[:, :2], axis=0).T))])
        share = np.clip(way / whole, 0.0, 1.0) if whole else np.zeros(len(passed))
        for column in range(3):
            found[inside, column] = np.interp(share * along[-1], along, steps[:, column])
    found[-1] = (*motion.points[-1], motion.headings[-1])
    return found

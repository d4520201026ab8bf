"""Kinodynamic RRT: a tree of arcs that a car can drive, which grows until a way for the car joins it to the goal.

S. M. LaValle, J. J. Kuffner, "Randomized kinodynamic planning", 2001.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from anabasis.options import check_count, check_share
from anabasis.result import Result, Status
from anabasis.search.drive import Drive, merged
from anabasis.search.sampling import check_samples, tree_trace
from anabasis.trajectory import Kinematics, Trajectory
from anabasis.world import World

__all__ = ["kinodynamic_rrt"]


def kinodynamic_rrt(
    world: World,
    start: Sequence[float],
    goal: Sequence[float],
    car: Kinematics,
    *,
    seed: int = 0,
    step: float | None = None,
    bias: float = 0.05,
    attach: float = inf,
    pace: float = 0.25,
    limit: int = 20_000,
    traced: bool = False,
) -> Result[Trajectory]:
    """Find some motion of a car from a place and heading (x, y, radians) to a place (x, y) or place and heading.

    The places are those of the car's reference point, whose way keeps out of the obstacles; a car with a width needs a
    world with obstacles grown by half of it. The motion is the fastest along its way (`timing.retimed`), at rest at
    both ends; the way itself is none of the shortest. step: length of an arc, by default a fiftieth of the diagonal of
    the world. bias: share of samples that are the goal. attach: only places from which the way to the goal is at most
    that long are joined to it. pace: turns are those that the car can do at this share of its greatest speed.

    LIMIT after `limit` samples; NO_SOLUTION and the errors are those of `rrt`. stats: `states`, `generated`, `expanded`
    = `iterations`, `time`, `length`, `entries`. The bound is the time of the straight line at full speed.
    """
    drive = Drive(world, start, goal, car, step, pace)
    bias, seed, limit = check_share(bias, "bias"), check_count(seed, "seed"), check_samples(limit)
    if drive.closed is not None:
        return drive.closed
    tree = drive.link(drive.start, drive.goal, seed, limit, bias=bias, attach=attach)
    size = len(tree.parent)
    stats: dict[str, float] = {"states": size, "generated": size, "expanded": tree.samples, "iterations": tree.samples}
    trace = tree_trace(tree.poses[:, :2].copy(), tree.parent, drive.ends.goal) if traced else None
    if tree.arcs is not None:
        return drive.result(merged(tree.arcs), stats, trace)
    reason = f"gave up after {tree.samples} samples"
    if tree.samples < limit:
        reason = f"every arc from each of {size} places was tried; shorter ones (`step`) may lead on"
    return Result(Status.LIMIT, None, reason, drive.least, stats, trace)

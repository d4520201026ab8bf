"""The command `drive`: find a motion in time, for a car or for somebody on foot with limited turns."""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, degrees, inf, isfinite, radians
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from anabasis.cli.options import (
    Json,
    Movement,
    Quiet,
    Radius,
    Scale,
    SpaceFile,
    Threshold,
    Tolerance,
    known,
    known_method,
    method_options,
    space_graph,
)
from anabasis.cli.output import Output
from anabasis.cli.searching import PlacesCommand, check_search
from anabasis.cli.style import new_app

if TYPE_CHECKING:
    from anabasis.result import Result
    from anabasis.trajectory import Kinematics, Trajectory
    from anabasis.world import World

app = new_app()

_ON_FOOT = "timed"


@app.command(cls=PlacesCommand)
def drive(
    map_file: SpaceFile,
    start: Annotated[
        str,
        typer.Argument(
            metavar="START", help="The place x,y or pose x,y,DEGREES to start from; 0 is to the right, 90 down."
        ),
    ],
    goal: Annotated[str, typer.Argument(metavar="GOAL", help="The place, or pose, to go to.")],
    *,
    method: Annotated[
        str, typer.Option(help="kinodynamic-rrt or genetic-drive for a car; timed: on foot along a path.")
    ] = "kinodynamic-rrt",
    axle: Annotated[float | None, typer.Option(help="Of a car: the distance of its axles. [default: 1]")] = None,
    steering: Annotated[
        float | None, typer.Option(help="Of a car: its greatest steering angle, in degrees below 90. [default: 35]")
    ] = None,
    backward: Annotated[bool, typer.Option("--backward", help="Of a car: it can drive backwards.")] = False,
    speed: Annotated[float, typer.Option(help="The greatest speed.")] = 1.0,
    acceleration: Annotated[
        float | None, typer.Option(help="How much the speed can change in a unit of time. [default: no limit]")
    ] = None,
    turns: Annotated[
        str | None,
        typer.Option(
            metavar="SPEED:DEGREES,...",
            help="On foot: the greatest turn at speeds that rise from 0. [default: 180 at 0, 30 at the greatest]",
        ),
    ] = None,
    path: Annotated[
        str | None, typer.Option(help="On foot: the search for the path. [default: polyanya, with --space astar]")
    ] = None,
    space: Annotated[str | None, typer.Option(help="On foot: search on the graph of a discretisation.")] = None,
    more: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help="Set an option of the method (timed: of the search), such as seed or limit.",
        ),
    ] = None,
    radius: Radius = 0.0,
    tolerance: Tolerance = 1.0,
    picture: Annotated[Path | None, typer.Option(help="Write a picture, .png or .svg.")] = None,
    movement: Movement = None,
    scale: Scale = 1,
    threshold: Threshold = 128,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Find a motion for a car, or for somebody on foot with limited turns.

    The unit is a point, also a car with axles, unless --radius grows the obstacles around it. The motion is checked
    against all limits and obstacles in every run. Ends with code 1 if there is none. Angles in the output of --json are
    radians.

    \b
    Example:
      anabasis drive arena.map 10,10,0 40,40 --axle 2 --picture drive.png
    """
    from anabasis.cli.errors import LIMIT, NOT_FOUND
    from anabasis.cli.files import input_world, output_file
    from anabasis.cli.progress import compiling
    from anabasis.methods import names
    from anabasis.metrics.kinematics import trajectory_faults
    from anabasis.result import Status

    output = Output(json, quiet)
    output_file(picture, ".png", ".svg", option="--picture")
    known(method, (*names("drive"), _ON_FOOT), what="method for a drive", option="--method")
    first, last = _pose(start.strip(), "start of the drive"), _pose(goal.strip(), "goal of the drive")
    on_foot = method == _ON_FOOT
    _check_for(
        on_foot,
        car={"--axle": axle, "--steering": steering, "--backward": backward or None},
        foot={"--turns": turns, "--path": path, "--space": space},
    )
    unit = _walker(speed, acceleration, turns) if on_foot else _car(axle, steering, speed, acceleration, backward)
    world = input_world(
        map_file,
        movement,
        scale=scale,
        threshold=threshold,
        tolerance=tolerance,
        radius=radius,
        instead="anabasis run FILE, which sends its groups to their targets",
    )
    with compiling(output):
        if on_foot:
            first, last = first[:2], last[:2]
            result = _timed(world, first, last, unit, path, space, more or ())
        else:
            if len(first) == 2:
                first = (*first, atan2(last[1] - first[1], last[0] - first[0]))
                output.note(f"the car starts with its nose toward the goal, {degrees(first[2]):.4g}°")
            result = _driven(world, first, last, unit, method, more or ())
    motion = result.value
    faults = trajectory_faults(motion, unit, world=world, start=first, goal=last) if motion is not None else []
    _say(output, result, faults)
    if picture is not None:
        from anabasis.view.drives import drive_scene
        from anabasis.view.scene import ground_scene
        from anabasis.view.show import save_picture

        save_picture(
            ground_scene(world) if motion is None else drive_scene(world, motion, unit, radius=radius), picture
        )
        output.say(f"picture: {picture.resolve()}")
    output.result(
        {
            "status": result.status.name.lower(),
            "reason": result.reason,
            "method": method,
            **_data(motion),
            "bound": result.bound,
            "faults": faults,
            "stats": dict(result.stats),
            "picture": None if picture is None else picture.resolve(),
        }
    )
    if faults or result.status is not Status.SOLVED:
        raise typer.Exit(LIMIT if result.status is Status.LIMIT else NOT_FOUND)


def _pose(text: str, name: str) -> tuple[float, ...]:
    """Return the place x,y or pose x,y,degrees as numbers, the heading in radians."""
    from anabasis.errors import InputError

    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) not in (2, 3) or not all(map(isfinite, numbers)):
        raise InputError(
            name, found=repr(text), expected="a place x,y or a pose x,y,degrees, such as 3.5,7 or 3.5,7,90"
        )
    return (*numbers[:2], *map(radians, numbers[2:]))


def _check_for(on_foot: bool, *, car: dict[str, object], foot: dict[str, object]) -> None:
    """Raise InputError for options of those on foot that are given for a car, and the other way around."""
    from anabasis.errors import InputError

    who = "somebody on foot" if on_foot else "a car"
    hint = "--method kinodynamic-rrt and genetic-drive are for a car" if on_foot else f"--method {_ON_FOOT} is on foot"
    for option, value in (car if on_foot else foot).items():
        if value is not None:
            raise InputError(f"{who} does not have this option", where=option, hint=hint)


def _car(
    axle: float | None, steering: float | None, speed: float, acceleration: float | None, backward: bool
) -> Kinematics:
    from anabasis.trajectory import Kinematics

    axle, steering = 1.0 if axle is None else axle, 35.0 if steering is None else steering
    limit = inf if acceleration is None else acceleration
    return Kinematics.car(axle, radians(steering), speed=speed, acceleration=limit, backward=backward)


def _walker(speed: float, acceleration: float | None, turns: str | None) -> Kinematics:
    """Return a unit on foot; raises InputError for turns that can't be read."""
    from anabasis.errors import InputError
    from anabasis.trajectory import Kinematics

    text = f"0:180,{speed!r}:30" if turns is None else turns
    try:
        rows = [[float(part) for part in row.split(":")] for row in text.split(",")]
        table = [(at, radians(angle)) for at, angle in rows]
    except ValueError:
        raise InputError(
            "turns", where="--turns", found=repr(text), expected="SPEED:DEGREES,... as 0:180,1:30"
        ) from None
    import numpy as np

    return Kinematics(speed, inf if acceleration is None else acceleration, np.array(table))


def _driven(
    world: World, start: Sequence[float], goal: Sequence[float], car: Kinematics, method: str, texts: Sequence[str]
) -> Result[Trajectory]:
    from anabasis.methods import method as method_row

    options = method_options("drive", method, texts, "--set")
    return method_row("drive", method).load()(world, start, goal, car, **options)


def _timed(
    world: World,
    start: Any,
    goal: Any,
    unit: Kinematics,
    path: str | None,
    space: str | None,
    texts: Sequence[str],
) -> Result[Trajectory]:
    """Find a path and time it."""
    from anabasis.find import find_path
    from anabasis.result import Result
    from anabasis.search.timing import timed

    name = known_method("search", path or ("polyanya" if space is None else "astar"), "--path")
    options = method_options("search", name, texts, "--set")
    check_search(name, polygons=True, space=space, options=options)
    if space is not None:
        options["graph"] = space_graph(space, world, ())
    found = find_path(world, start, goal, method=name, **options).result
    if found.value is None:
        return Result(found.status, None, found.reason, 0.0, found.stats)
    return timed(found.value, unit)


def _data(motion: Trajectory | None) -> dict[str, Any]:
    """Return what programs get of a motion."""
    if motion is None:
        return dict.fromkeys(
            ("duration", "length", "greatest_steering", "times", "points", "headings", "speeds", "steering")
        )
    return {
        "duration": motion.duration,
        "length": motion.length,
        "greatest_steering": float(abs(motion.steering).max()),
        "times": motion.times,
        "points": motion.points,
        "headings": motion.headings,
        "speeds": motion.speeds,
        "steering": motion.steering,
    }


def _say(output: Output, result: Result[Trajectory], faults: list[str]) -> None:
    """Tell a person what was found."""
    motion = result.value
    if motion is None:
        output.say(f"no motion: {result.reason}", style="bold red")
        return
    steering = degrees(float(abs(motion.steering).max()))
    output.say(
        f"duration {motion.duration:.6g}, length {motion.length:.6g}, greatest speed {abs(motion.speeds).max():.4g}, "
        f"greatest steering {steering:.4g}°, {len(motion.times)} entries"
    )
    for fault in faults:
        output.say(f"not valid: {fault}", style="bold red")

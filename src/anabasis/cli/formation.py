"""The command `formation`: formations march over a map: carry a manoeuvre out, look at it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from anabasis.cli.formation_errors import fit, optimise
from anabasis.cli.options import Json, Quiet, Replay
from anabasis.cli.output import Output
from anabasis.cli.style import StyledCommand, new_app

if TYPE_CHECKING:
    from anabasis.divide import Division
    from anabasis.formation.files import FormationTable
    from anabasis.formation.march import March
    from anabasis.manoeuvre import Formation, Manoeuvre
    from anabasis.metrics.moves import MoveLog

app = new_app()
for function in (fit, optimise):
    app.command(cls=StyledCommand)(function)

_File = Annotated[
    str, typer.Argument(metavar="MANOEUVRE", help="A manoeuvre file, .toml, or the name of one that ships with this.")
]
_Overrides = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="Set an option of the manoeuvre by its place in the file: limit, formation.0.units, "
        "formation.0.modules.planning, formation.0.order.0.places and so on; for several, say --set several times. An "
        "unknown name is answered with those that there are; the guide to formations says what they do.",
    ),
]
_COLUMNS = {
    "e1": "E_1",
    "f1": "F(1)",
    "peak": "peak",
    "duration": "seconds",
    "out_of_shape": "seconds out of shape",
    "cohesion": "cohesion",
    "collisions": "collisions",
}
_COLUMNS_SAID = (
    "peak: error, the mean of degrees² and length²; E_1, F(1): error · seconds; cohesion: 1 is as drawn; see --help"
)


@app.callback()
def formation() -> None:
    """Let formations march over a map, and measure how well they keep their shape."""


@app.command(cls=StyledCommand)
def run(
    manoeuvre_file: _File,
    *,
    overrides: _Overrides = None,
    divide: Annotated[
        bool, typer.Option("--divide", help="Let parts of a formation take routes of their own, if it gains by it.")
    ] = False,
    simulate: Annotated[
        bool, typer.Option("--simulate", help="March in the simulator: units have bodies, steer and push one another.")
    ] = False,
    tick: Annotated[float, typer.Option(help="Seconds of a step, with the simulator or without.")] = 0.05,
    every: Annotated[
        int, typer.Option(help="Record and measure one step in so many; what peaks between two is missed.", min=1)
    ] = 1,
    picture: Annotated[
        Path | None, typer.Option(help="Write a picture of the ways and of the shape on the way, .png or .svg.")
    ] = None,
    animation: Annotated[Path | None, typer.Option(help="Write an animated picture, .gif.")] = None,
    log: Annotated[
        Path | None, typer.Option(help="Write the errors at each recorded step, .csv; see `formation fit`.")
    ] = None,
    replay: Replay = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Carry a manoeuvre out, and measure how well its formations keep their shape.

    The modules are set by --set formation.0.modules.NAME=VALUE, such as planning=trivial. Every march is validated.
    Ends with code 1 if it is not valid or a formation could not do what it was ordered, 4 at the manoeuvre's limit.

    The table: an error is the mean of two, of the angles between units, in degrees², and of their distances, in the
    map's lengths squared. Peak is the greatest one; F(1) the sum of all over time, error · seconds; E_1, the general
    error of the march, is F(k) at k = 1, too, but of a curve through all k. The lower the better. Out of shape is a
    formation while a distance that units should keep is off by more than a quarter of their mean. Cohesion is how far
    units are from their middle, beside how far they should be: above 1 they are scattered, below 1 crowded. Collisions
    are how many times two of the same formation came nearer than both radii. Only recorded steps are measured.

    \b
    Example:
      anabasis formation run canyon --set formation.0.modules.planning=bends --picture canyon.png
    """
    from anabasis.cli.errors import LIMIT, NOT_FOUND
    from anabasis.cli.files import output_file, replay_file
    from anabasis.cli.progress import compiling
    from anabasis.divide import divided
    from anabasis.errors import InputError
    from anabasis.formation.files import load_manoeuvre
    from anabasis.formation.march import march
    from anabasis.grid import Grid
    from anabasis.manoeuvring import simulate_manoeuvre
    from anabasis.result import Status

    output = Output(json, quiet)
    output_file(picture, ".png", ".svg", option="--picture")
    output_file(animation, ".gif", option="--animation")
    output_file(log, ".csv", option="--log")
    replay_file(replay)
    manoeuvre = load_manoeuvre(_file(manoeuvre_file), overrides or [])
    if replay is not None and not isinstance(manoeuvre.space, Grid):
        raise InputError("a replay of a march", where="--replay", found="a map of triangles", expected="one of cells")
    with compiling(output):
        division = divided(manoeuvre) if divide else None
        drawn = manoeuvre if division is None else division.parts
        result = (simulate_manoeuvre if simulate else march)(drawn, tick=tick, every=every)
    marched = result.value
    assert marched is not None  # noqa: S101 - whatever can't be done is told beside a march
    # parts are drawn as such, and measured as what they are parts of
    found = marched if division is None else division.reunited(marched)
    faults = _faults(manoeuvre, found, simulate=simulate)
    rows = _measured(manoeuvre, found)
    _say(output, manoeuvre, found, result.reason, rows, division)
    for fault in faults:
        output.say(f"invalid: {fault}", style="bold red")
    if picture is not None:
        from anabasis.view.formations import march_scene
        from anabasis.view.show import save_picture

        save_picture(march_scene(drawn, marched, title=manoeuvre.name), picture)
        output.say(f"picture: {picture.resolve()}")
    if animation is not None:
        from anabasis.view.formations import animate_march

        frames = animate_march(drawn, marched, animation)
        output.say(f"animation, {frames} frames: {animation.resolve()}")
    if replay is not None:
        from anabasis.studio.documents import draft_of_map
        from anabasis.studio.replay import played, save_replay

        assert isinstance(manoeuvre.space, Grid)  # noqa: S101 - seen to above
        draft, _ = draft_of_map(manoeuvre.space, manoeuvre.name)
        names = [formation.name or f"formation {i}" for i, formation in enumerate(manoeuvre.formations)]
        head = {"groups": names, "tick": found.tick, "stays": True}
        save_replay(replay, played(draft, found.trace, title=manoeuvre.name, head=head), manoeuvre.name or "march")
        output.say(f"replay: {replay.resolve()}")
    if log is not None:
        from anabasis.formation.logs import save_move_logs

        save_move_logs(_logs(manoeuvre, found), log)
        output.say(f"log: {log.resolve()}")
    output.result(
        {
            "manoeuvre": manoeuvre.name,
            "status": result.status.name.lower(),
            "reason": result.reason,
            "seconds": float(found.seconds[-1]),
            "units": manoeuvre.units,
            "hash": found.trace.hash,
            "formations": rows,
            "faults": faults,
            "divided": None if division is None else _divided(division),
            "picture": None if picture is None else picture.resolve(),
            "animation": None if animation is None else animation.resolve(),
            "log": None if log is None else log.resolve(),
            "replay": None if replay is None else replay.resolve(),
        }
    )
    if result.status is Status.LIMIT and not faults:
        raise typer.Exit(LIMIT)
    if faults or any(found.trouble):
        raise typer.Exit(NOT_FOUND)


@app.command(cls=StyledCommand)
def show(
    manoeuvre_file: _File,
    *,
    overrides: _Overrides = None,
    picture: Annotated[
        Path | None, typer.Option(help="Write a picture of the map and the starts, .png or .svg.")
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Say what a manoeuvre is: its map, its formations, their orders and modules.

    Places are those of the file, on a map of triangles [half steps, rows]. With --json, `start` and `places` are in the
    map's lengths: a step of a map of triangles is `map.spacing` long, of cells 1; `start_in_file` and `places_in_file`
    are those of the file. Formations face 0° to the north, which is up, 90° to the east. What differs from unit to
    unit is said where it is not as usual.

    \b
    Example:
      anabasis formation show canyon --picture canyon.png
    """
    from anabasis.cli.files import output_file
    from anabasis.formation.files import load_tables

    output = Output(json, quiet)
    output_file(picture, ".png", ".svg", option="--picture")
    tables, manoeuvre = load_tables(_file(manoeuvre_file), overrides or [])
    rows = [_row(table, one) for table, one in zip(tables.formation, manoeuvre.formations, strict=True)]
    file = tables.map.file
    output.say(f"{manoeuvre.name or 'manoeuvre'}: {manoeuvre.space!r}{f' of {file}' if file else ''}", style="bold")
    for i, row in enumerate(rows):
        output.say(
            f"formation {i}{row['name'] and ', ' + row['name']}: {row['units']} units from "
            f"{_places([row['start_in_file']])}, facing {row['azimuth']:g}°"
        )
        output.say(f"  {_kept(row)}")
        for order in row["orders"]:
            output.say(f"  order at {order['time']:g} s: to {_places(order['places_in_file'])}")
        output.say("  " + ", ".join(f"{name} {value}" for name, value in row["modules"].items()))
    if picture is not None:
        from anabasis.view.formations import manoeuvre_scene
        from anabasis.view.show import save_picture

        save_picture(manoeuvre_scene(manoeuvre, title=manoeuvre.name), picture)
        output.say(f"picture: {picture.resolve()}")
    output.result(
        {
            "manoeuvre": manoeuvre.name,
            "map": repr(manoeuvre.space),
            "map_file": file,
            "limit": manoeuvre.limit,
            "formations": rows,
            "picture": None if picture is None else picture.resolve(),
        }
    )


def _places(places: Iterable[Sequence[float]]) -> str:
    """Return places as text, on their way from one to the next."""
    return " → ".join(f"[{x:g}, {y:g}]" for x, y in places)


def _row(table: FormationTable, formation: Formation) -> dict[str, Any]:
    """Return what a formation is, as its table says and as it marches."""
    from dataclasses import asdict

    return {
        "name": formation.name,
        "units": formation.schema.spots,
        "shape": table.shape,
        "spacing": table.spacing,
        "area": table.area,
        "start": formation.start,
        "start_in_file": table.start,
        "azimuth": formation.azimuth,
        "orders": [
            {"time": order.time, "places": order.places, "places_in_file": said.places}
            for said, order in zip(table.order, formation.orders, strict=True)
        ],
        "pace": formation.pace,
        "radius": formation.radius,
        "falls": table.falls,
        "modules": asdict(formation.modules),
    }


def _kept(row: dict[str, Any]) -> str:
    """Return the shape of a formation as text, and whatever of it and of its units is not as usual."""
    from anabasis.manoeuvre import RADIUS

    said = [row["shape"] or "drawn by hand"]
    if row["spacing"] is not None:
        said.append(f"spacing {row['spacing']:g}")
    if row["area"] is not None:
        said.append("area {:g} × {:g}".format(*row["area"]))
    for name, usual, unit in (("radius", RADIUS, " steps"), ("pace", 1.0, "")):
        least, most = row[name].min(), row[name].max()
        if not least == most == usual:
            said.append(f"{name} {least:g}{'' if least == most else f' to {most:g}'}{unit}")
    if row["falls"]:
        said.append("falls: " + ", ".join(f"unit {unit} at {seconds:g} s" for unit, seconds in row["falls"]))
    return ", ".join(said)


def _file(name: str) -> Path:
    """Return the path of a file, or of what ships with the package under this name."""
    from anabasis.cli.files import input_file
    from anabasis.errors import InputError
    from anabasis.formation.files import example, examples

    path = Path(name)
    if not path.exists():
        if name in examples():
            path = example(name)
        elif not path.suffix:
            raise InputError(
                "no such manoeuvre", found=repr(name), expected=f"a file, or one of {', '.join(examples())}"
            )
    return input_file(path)


def _faults(manoeuvre: Manoeuvre, found: March, *, simulate: bool) -> list[str]:
    """Return what the validator finds wrong with a march."""
    if simulate:
        from anabasis.metrics.simulated_marches import simulated_march_faults

        return simulated_march_faults(manoeuvre, found.trace, found.spot, found.trouble, tick=found.tick)
    from anabasis.metrics.marches import march_faults

    return march_faults(manoeuvre, found.trace, found.logical, tick=found.tick)


def _measured(manoeuvre: Manoeuvre, found: March) -> list[dict[str, Any]]:
    """Return what was measured of each formation."""
    from dataclasses import asdict

    from anabasis.metrics.moves import measure

    rows: list[dict[str, Any]] = []
    for i, formation in enumerate(manoeuvre.formations):
        units = found.units(i)
        measures = measure(
            formation.schema,
            found.seconds,
            found.trace.positions[:, units],
            radius=found.trace.radius[units],
            spots=found.spot[:, units],
        )
        touched = int(found.trace.counters.unit_collisions[units].sum())
        rows.append(
            {
                "name": formation.name or f"formation {i}",
                "units": formation.schema.spots,
                "trouble": found.trouble[i],
                "fallen": int(found.trace.fallen[units].sum()),
                **asdict(measures),
                "unit_collisions": touched,
            }
        )
    return rows


def _divided(division: Division) -> list[dict[str, Any]]:
    """Return what became of each formation: why, and the routes of its parts from left to right."""
    return [
        {
            "why": why,
            "routes": [
                {"units": len(b.spots), "spots": b.spots, "gates": b.gates, "seconds": b.seconds, "rate": b.rate}
                for b in branches
            ],
        }
        for why, branches in zip(division.why, division.branches, strict=True)
    ]


def _logs(manoeuvre: Manoeuvre, found: March) -> list[MoveLog]:
    """Return the errors of each formation, under names that differ."""
    from anabasis.metrics.moves import move_log

    names = [formation.name or f"formation {i}" for i, formation in enumerate(manoeuvre.formations)]
    return [
        move_log(
            formation.schema,
            found.seconds,
            found.formed(i),
            name=names[i] if names.count(names[i]) == 1 else f"{names[i]} ({i})",
        )
        for i, formation in enumerate(manoeuvre.formations)
    ]


def _say(
    output: Output,
    manoeuvre: Manoeuvre,
    found: March,
    reason: str,
    rows: list[dict[str, Any]],
    division: Division | None,
) -> None:
    """Tell a person what happened."""
    fallen = int(found.trace.fallen.sum())
    have = "has" if fallen == 1 else "have"
    output.say(
        f"{manoeuvre.name or 'manoeuvre'}: {found.trace.finished} of {manoeuvre.units} units have arrived"
        f"{f', {fallen} {have} fallen,' if fallen else ''} after {found.seconds[-1]:.1f} seconds",
        style="bold",
    )
    for row, why in zip(rows, () if division is None else division.why, strict=division is not None):
        output.say(f"{row['name']}: {why}")
    if reason:
        output.say(reason, style="yellow")
    for row in rows:
        if row["trouble"]:
            output.say(f"{row['name']}: {row['trouble']}", style="yellow")
    output.table(
        ["formation", "units", *_COLUMNS.values()],
        [[row["name"], row["units"], *(f"{row[name]:.4g}" for name in _COLUMNS)] for row in rows],
    )
    output.say(_COLUMNS_SAID)

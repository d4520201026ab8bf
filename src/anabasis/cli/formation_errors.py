"""The commands `formation fit` and `formation optimise`: what errors of a shape say, and where they are least."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from anabasis.cli.options import Json, Quiet
from anabasis.cli.output import Output

if TYPE_CHECKING:
    from anabasis.formation.optimise import ChoiceExperiment

__all__ = ["fit", "optimise"]

_SYMBOLS = {
    "angle": "f^A",
    "distance": "f^D",
    "max": "f^M",
    "min": "f^N",
    "geometric": "f^S",
    "mean": "f^P",
    "harmonic": "f^H",
}


def fit(
    file: Annotated[Path, typer.Argument(metavar="LOG", help="A log of `formation run --log`, .csv.")],
    *,
    integral: Annotated[Path | None, typer.Option(help="Write k and F(k) of each formation, .csv.")] = None,
    picture: Annotated[
        Path | None, typer.Option(help="Write a chart of errors over time and of F(k), .png, .svg or .pdf.")
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Fit an exponential to F(k), the integral of the k-th power of a formation's error over its march.

    E_1 is the curve's value at k = 1, the general error of the march; its base E is close to the greatest error. All
    are better the lower they are.

    \b
    Example:
      anabasis formation fit canyon.csv --picture canyon.png
    """
    import csv
    import io

    import numpy as np

    from anabasis.cli.files import input_file, output_file
    from anabasis.errors import InputError
    from anabasis.formation.logs import load_move_logs
    from anabasis.io.atomic import write_atomic
    from anabasis.metrics.moves import fitted

    output = Output(json, quiet)
    output_file(integral, ".csv", option="--integral")
    output_file(picture, ".png", ".svg", ".pdf", option="--picture")
    if picture is not None:
        from anabasis.lab.charts import need_matplotlib

        need_matplotlib()
    logs = load_move_logs(input_file(file))
    rows: list[dict[str, Any]] = []
    for log in logs:
        found = fitted(log)
        with np.errstate(over="ignore"):
            values = np.exp(found.log_integral)
        rows.append(
            {
                "formation": log.name,
                "observations": len(log.seconds),
                "seconds": float(log.seconds[-1] - log.seconds[0]),
                "e1": found.e1,
                "e_base": found.e_base,
                "f1": found.f1,
                "peak": float(log.combined.max()),
                "exponents": found.exponents,
                "integral": values,
                "log_integral": found.log_integral,
            }
        )
    names = {"e1": "E_1", "e_base": "base E", "f1": "F(1)", "peak": "peak"}
    output.table(
        ["formation", "observations", "seconds", *names.values()],
        [[r["formation"], r["observations"], f"{r['seconds']:.6g}", *(f"{r[n]:.5g}" for n in names)] for r in rows],
    )
    if integral is not None:
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(["formation", "k", "F(k)", "ln F(k)"])
        for row in rows:
            columns = zip(*(row[n].tolist() for n in ("exponents", "integral", "log_integral")), strict=True)
            writer.writerows([row["formation"], *map(repr, values)] for values in columns)
        write_atomic(integral, text.getvalue().encode())
        output.say(f"integrals: {integral.resolve()}")
    if picture is not None:
        from anabasis.lab.move_chart import move_chart

        try:
            chart = move_chart(logs, kind=picture.suffix[1:].lower())
        except InputError as error:
            raise error.at(file) from None
        write_atomic(picture, chart)
        output.say(f"picture: {picture.resolve()}")
    output.result(
        {"log": file.resolve(), "formations": rows, "picture": None if picture is None else picture.resolve()}
    )


def optimise(
    shape: Annotated[str, typer.Argument(help="Shape of the formation, such as wedge.")],
    units: Annotated[int, typer.Argument(help="Number of units.", min=1, max=1000)],
    *,
    spacing: Annotated[float, typer.Option(help="How far the closest spots are apart.")] = 40.0,
    side: Annotated[float, typer.Option(help="Units are placed in a square of this side.")] = 1000.0,
    how: Annotated[
        str, typer.Option(help="How one error is made of two: angle, distance, max, min, geometric, mean, harmonic.")
    ] = "mean",
    iterations: Annotated[int, typer.Option(help="How many times every unit is moved.", min=0, max=1000)] = 10,
    seed: Annotated[int, typer.Option(help="Where units are at first, and in what order they move.", min=0)] = 1,
    unit: Annotated[int, typer.Option(help="Whose error is drawn, at every place.", min=0)] = 0,
    picture: Annotated[
        Path | None, typer.Option(help="Write the error at every place where that unit could stand, .png or .svg.")
    ] = None,
    experiment: Annotated[
        bool, typer.Option("--experiment", help="Compare all seven ways over many formations instead.")
    ] = False,
    formations: Annotated[int, typer.Option(help="For --experiment: how many.", min=1, max=10_000)] = 100,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Place units anyhow, and put each where the whole formation is least out of shape.

    With --experiment the seven ways to make one error of those of angles and distances are compared, each with the same
    starts: which of them leads to a good shape by both. 100 formations of 10 iterations take some minutes.

    \b
    Example:
      anabasis formation optimise wedge 5 --picture wedge.png
      anabasis formation optimise square 5 --experiment --formations 20
    """
    from anabasis.cli.files import output_file
    from anabasis.cli.options import known
    from anabasis.errors import InputError
    from anabasis.formation.optimise import choice_experiment, optimised, randomised
    from anabasis.formation.shapes import SHAPES, schema_of
    from anabasis.metrics.formations import COMBINED, angle_error, distance_error

    output = Output(json, quiet)
    output_file(picture, ".png", ".svg", option="--picture")
    known(shape, SHAPES, what="shape", option="SHAPE")
    known(how, COMBINED, what="way to combine errors", option="--how")
    if not unit < units:
        raise InputError("--unit", found=f"{unit}", expected=f"a unit from 0 to {units - 1}")
    schema, bounds = schema_of(shape, units, spacing=spacing), (0.0, 0.0, side, side)
    if experiment:
        if picture is not None:
            raise InputError("--picture with --experiment", expected="one of them", hint="it compares many formations")
        found = choice_experiment(schema, bounds, formations=formations, iterations=iterations, seed=seed)
        _show_experiment(output, found, f"{formations} formations, {shape} of {units}")
        return
    run = optimised(schema, randomised(schema, bounds, seed=seed), bounds, seed=seed, iterations=iterations, how=how)
    angle, distance = angle_error(schema, run), distance_error(schema, run)
    output.table(
        ["iteration", "angle error", "distance error"],
        [[i, f"{a:.5g}", f"{d:.5g}"] for i, (a, d) in enumerate(zip(angle.tolist(), distance.tolist(), strict=True))],
    )
    if picture is not None:
        from anabasis.view.formations import error_scene
        from anabasis.view.show import save_picture

        save_picture(error_scene(schema, run[-1], unit, bounds, how=how), picture)
        output.say(f"picture: {picture.resolve()}")
    output.result(
        {
            "shape": shape,
            "units": units,
            "how": how,
            "seed": seed,
            "angle": angle,
            "distance": distance,
            "positions": run[-1],
            "picture": None if picture is None else picture.resolve(),
        }
    )


def _show_experiment(output: Output, found: ChoiceExperiment, what: str) -> None:
    """Print the four tables of the experiment, a row an iteration, a column a way to combine errors."""
    from anabasis.metrics.formations import COMBINED

    tables = {
        "angle error, mean": found.angle_mean,
        "angle error, median": found.angle_median,
        "distance error, mean": found.distance_mean,
        "distance error, median": found.distance_median,
    }
    for name, values in tables.items():
        output.say(f"{what}: {name}", style="bold")
        output.table(
            ["iteration", *(f"{how} {_SYMBOLS[how]}" for how in COMBINED)],
            [[i, *(f"{value:.4g}" for value in column)] for i, column in enumerate(values.T.tolist())],
        )
    output.result(
        {
            "ways": list(COMBINED),
            "angle_mean": found.angle_mean,
            "angle_median": found.angle_median,
            "distance_mean": found.distance_mean,
            "distance_median": found.distance_median,
        }
    )

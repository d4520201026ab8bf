"""Formations: the formations of a draft carry out their orders, from vertex to vertex or in the simulator."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from anabasis.divide import divided
from anabasis.formation.march import March, march
from anabasis.grid import Grid
from anabasis.manoeuvre import Manoeuvre
from anabasis.manoeuvring import simulate_manoeuvre
from anabasis.metrics.marches import march_faults
from anabasis.metrics.moves import measure, move_log
from anabasis.metrics.simulated_marches import simulated_march_faults
from anabasis.result import Status
from anabasis.studio.channel import Channel
from anabasis.studio.drafts import manoeuvre_of
from anabasis.studio.facts import say_facts, say_table
from anabasis.studio.requests import asked_method, asked_options
from anabasis.studio.runs import kept_frames, say_run
from anabasis.studio.scenes import say_scene
from anabasis.view.formations import manoeuvre_scene, march_scene

__all__ = ["faults_of", "record_every", "run"]

_RECORDED = 4_000  # frames of the longest march
_ROWS = 400  # of a table of errors over time


def run(args: Mapping[str, Any], out: Channel) -> None:
    """Carry a manoeuvre out: `draft`, `method` ("march" or "simulate"), `options`."""
    name = asked_method("formation", args)
    _, beside = asked_options("formation", name, args)
    manoeuvre = manoeuvre_of(args.get("draft"), limit=beside["limit"])
    grid, simulated = manoeuvre.space, name == "simulate"
    assert isinstance(grid, Grid)  # noqa: S101 - a draft has a map of cells
    say_scene(out, "manoeuvre", manoeuvre_scene(manoeuvre, title=manoeuvre.name), grid=grid)
    out.progress(0, 0, "marching")
    begin = time.perf_counter()
    division = divided(manoeuvre) if beside["divide"] else None
    drawn = manoeuvre if division is None else division.parts
    tick: float = beside["tick"]
    every = record_every(manoeuvre.limit, tick)
    result = (simulate_manoeuvre if simulated else march)(drawn, tick=tick, every=every)
    seconds = time.perf_counter() - begin
    marched = result.value
    assert marched is not None  # noqa: S101 - whatever can't be done is told beside a march
    found = marched if division is None else division.reunited(marched)
    say_scene(out, "march", march_scene(drawn, marched, title=manoeuvre.name), grid=grid)
    _say_march(out, manoeuvre, found, name)
    faults = faults_of(manoeuvre, found, simulated=simulated)
    why = () if division is None else division.why
    _say_measures(out, manoeuvre, found, result.reason, faults, why, seconds)
    if result.status is not Status.SOLVED or any(found.trouble):
        trouble = [said for said in found.trouble if said]
        out.end(Status.LIMIT.value, result.reason or trouble[0])


def record_every(limit: float, tick: float) -> int:
    """Return how many steps apart a march of at most `limit` seconds is recorded."""
    return max(1, int(np.ceil(limit / tick / _RECORDED)))


def faults_of(manoeuvre: Manoeuvre, found: March, *, simulated: bool) -> list[str]:
    """Return what the validator finds wrong with a march."""
    if simulated:
        return simulated_march_faults(manoeuvre, found.trace, found.spot, found.trouble, tick=found.tick)
    return march_faults(manoeuvre, found.trace, found.logical, tick=found.tick)


def _say_march(out: Channel, manoeuvre: Manoeuvre, found: March, name: str) -> None:
    """Say the run, and of each formation which units are bound to each other, at what offsets, in each frame."""
    names = [formation.name or f"formation {i}" for i, formation in enumerate(manoeuvre.formations)]
    last = [formation.orders[-1].places[-1].tolist() for formation in manoeuvre.formations if formation.orders]
    targets = [[x, y, 1.0] for x, y in last]
    head = {"method": name, "groups": names, "targets": targets, "tick": found.tick, "stays": True}
    say_run(out, None, found.trace, title=f"{manoeuvre.name or 'manoeuvre'}, {name}", head=head)
    rows = kept_frames(found.trace.times.size, found.trace.size)
    for i, formation in enumerate(manoeuvre.formations):
        schema, units = formation.schema, found.units(i)
        pairs = np.unique(np.sort(schema.bindings, axis=1), axis=0)
        out.say(
            "bindings",
            {"formation": i, "name": names[i], "azimuth": formation.azimuth, "leader": schema.leader},
            units=units.astype(np.int32),
            pairs=pairs.astype(np.int32),
            offsets=schema.places.astype(np.float32),
            spots=found.spot[np.ix_(rows, units)].astype(np.int32),
        )


def _say_measures(
    out: Channel,
    manoeuvre: Manoeuvre,
    found: March,
    reason: str,
    faults: list[str],
    why: Sequence[str],
    seconds: float,
) -> None:
    """Say how well each formation kept its shape, over the march and over time."""
    say_facts(
        out,
        "March",
        [
            ("units", manoeuvre.units),
            ("arrived", found.trace.finished),
            ("fallen", int(found.trace.fallen.sum())),
            ("seconds of the march", float(found.seconds[-1])),
            ("reason", reason or None),
            ("valid", not faults),
            *(("not valid", fault) for fault in faults[:5]),
            ("hash", found.trace.hash),
            ("marching", seconds, "seconds"),
        ],
    )
    for i, formation in enumerate(manoeuvre.formations):
        units, name = found.units(i), formation.name or f"formation {i}"
        measures = measure(
            formation.schema,
            found.seconds,
            found.trace.positions[:, units],
            radius=found.trace.radius[units],
            spots=found.spot[:, units],
        )
        told = [(key.replace("_", " "), value) for key, value in asdict(measures).items()]
        beside = (("division", why[i] if why else None), ("trouble", found.trouble[i] or None))
        say_facts(out, name, [("units", formation.schema.spots), *beside, *told])
        log = move_log(formation.schema, found.seconds, found.formed(i), name=name)
        rows = np.unique(np.linspace(0, len(log.seconds) - 1, _ROWS).round().astype(int))
        columns = np.stack([log.seconds, log.angle, log.distance, log.combined], axis=1)[rows]
        title = f"Errors of {name} over time"
        say_table(out, title, ("seconds", "angle, degrees²", "distance, cells²", "mean of both"), columns.tolist())

"""Why: why a unit of a run is where it is, in sentences and as an overlay.

A run that was kept is simulated again up to that step, which gives the same run to the byte, so that what the trace
does not hold can be looked at: plans, forces, who is in whose way.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis.campaign import Campaign
from anabasis.errors import InputError
from anabasis.studio.archives import kept_run
from anabasis.studio.asked import asked_count, asked_word
from anabasis.studio.channel import Channel
from anabasis.studio.facts import counted
from anabasis.studio.reasons import Reasons, reasons
from anabasis.studio.scenes import say_scene
from anabasis.trace import Cause, Event, UnitState
from anabasis.view.layers import Arrows, Circles, Layer, LegendItem, Polygons, Polylines, Scene, Swatch, dots
from anabasis.view.palette import GROUP_COLOURS, INK, with_alpha

__all__ = ["FORCES", "run", "say_why"]

Floats = NDArray[np.float64]

FORCES = {
    "way": ("its way", GROUP_COLOURS[2]),
    "separation": ("others that are too close", GROUP_COLOURS[1]),
    "alignment": ("the others' direction", GROUP_COLOURS[5]),
    "collision_avoidance": ("a collision that is coming", GROUP_COLOURS[7]),
    "walls": ("walls", (150, 75, 40, 255)),
}
"""What each force comes from, and its colour."""

CAUSES = {
    Cause.NONE: "nobody knows why",
    Cause.TARGET_REACHED: "it is in its target",
    Cause.PLAN_OUT_OF_SIGHT: "no point of its way was in sight",
    Cause.MAP_CHANGE: "the map changed",
    Cause.UNREACHABLE: "there is no way to its target",
    Cause.STUCK: "it did not get on any more",
    Cause.ALL_DONE: "all are done",
    Cause.STEP_LIMIT: "the limit of steps was reached",
    Cause.STALL: "nobody got on any more",
    Cause.NO_PLAN: "it had no plan",
    Cause.BETTER_SPLIT: "another split of the group over the routes is quicker",
    Cause.CASUALTY: "it was taken out",
    Cause.ORDER: "it was sent elsewhere",
    Cause.STOP_REACHED: "it came to a stop on its way",
}

_RAYS, _BLOCKERS = with_alpha(INK, 0.5), (120, 70, 180, 255)
_HELD = 20  # steps without getting on after which somebody asks what is in the way
_EVENTS = 5  # the last ones that are told
_ARROW = 3.0  # length, in radii, of a force as strong as the way's


def run(args: Mapping[str, Any], out: Channel) -> None:
    """Say why `unit` is where it is at `step` of the kept run `of`: in the last frame that was recorded by then."""
    kept = kept_run(Path(asked_word(args, "folder")))
    unit = asked_count(args, "unit", None, least=0, most=kept.scenario.size - 1)
    asked = asked_count(args, "step", None, least=0, most=kept.trace.steps)
    frame = int(np.searchsorted(kept.trace.times, asked, "right")) - 1
    step = int(kept.trace.times[frame])
    campaign = Campaign(kept.scenario, kept.method, seed=kept.seed, plans=kept.plans)
    while campaign.now < step and campaign.run.ending is None:
        campaign.step(min(100, step - campaign.now))
        out.progress(campaign.now, step, "simulating again")
    if campaign.hash != f"{int(kept.trace.hashes[frame]):016x}":
        raise InputError("the run can't be repeated", found=f"another state at step {step}", hint="run it again")
    say_why(out, campaign, unit, kept.trace.positions[: frame + 1, unit])


def say_why(out: Channel, campaign: Campaign, unit: int, trail: Floats) -> None:
    """Say why a unit is where it is now, as `why` and as a scene. trail float64[k, 2]: where it has been."""
    found = reasons(campaign, unit)
    state = UnitState(int(campaign.run.units.state[unit])).name.lower()
    forces = {name: [round(float(v), 4) for v in force] for name, force in found.felt.forces.items()}
    out.say(
        "why",
        {
            "unit": unit,
            "step": campaign.now,
            "state": state,
            "sentences": _sentences(campaign, unit, found),
            "forces": forces,
            "before": [] if found.gate is None else found.gate.before.tolist(),
            "blockers": list(found.blockers),
        },
    )
    say_scene(out, "why", _scene(campaign, unit, found, trail))


def _sentences(campaign: Campaign, unit: int, found: Reasons) -> list[str]:
    """Return plain sentences, the most important ones first."""
    told = [_standing(campaign, unit)]
    if campaign.run.units.state[unit] <= UnitState.LOST:
        told += [
            *_held_up(campaign, unit, found),
            _route(campaign, unit),
            *_place(found),
            *_pushed(campaign, unit, found),
        ]
    return [*told, *_history(campaign, unit)]


def _standing(campaign: Campaign, unit: int) -> str:
    """Return what the unit is doing."""
    run, units = campaign.run, campaign.run.units
    group = campaign.scenario.groups[int(units.group[unit])]
    name = f"Unit {unit}" + (f" of {group.name}" if group.name else "")
    state = units.state[unit]
    if state == UnitState.ARRIVED:
        return f"{name} arrived at step {units.arrival[unit]}."
    if state == UnitState.REMOVED:
        gone = [
            (step, cause) for step, kind, who, cause in run.recording.events if kind == Event.REMOVED and who == unit
        ]
        step, cause = gone[-1] if gone else (run.now, int(Cause.NONE))
        return f"{name} was removed at step {step}: {CAUSES[Cause(cause)]}."
    x, y = units.target[unit, :2].tolist()
    rest, speed = float(units.rest[unit]), float(units.speed[unit])
    if state == UnitState.LOST:
        blind = counted(units.lost[unit], "step")
        return f"{name} has lost its way to ({x:g}, {y:g}): for {blind} it has seen no point of it."
    if not run.now or not math.isfinite(rest):
        return f"{name} is about to go to ({x:g}, {y:g})."
    least = counted(max(1, math.ceil(rest / speed)), "step")
    return f"{name} is on its way to ({x:g}, {y:g}): {rest:.1f} cells are left, {least} at least."


def _held_up(campaign: Campaign, unit: int, found: Reasons) -> list[str]:
    """Return why the unit doesn't get on, if it doesn't."""
    units, steering = campaign.run.units, campaign.scenario.steering
    idle = int(units.idle[unit])
    if idle < _HELD:
        return []
    told: list[str] = []
    if found.blockers:
        first, last = found.blockers[0], found.blockers[-1]
        if found.against:
            told.append(f"Unit {first} comes the other way and is in its way.")
        elif len(found.blockers) == 1:
            told.append(f"Unit {first} is in its way.")
        else:
            told.append(f"It waits behind unit {first}, and {len(found.blockers)} in a row wait up to unit {last}.")
    if found.narrow:
        told.append(f"Its way is too narrow for it: its radius is {units.radius[unit]:g} cells, and walls are nearer.")
    if units.state[unit] == UnitState.LOST:
        told.append("It looks for its way, and gets a new one if it does not find it.")
    if not told and found.gate is not None and found.gate.before.size:
        told.append("It waits for its turn at the gate.")
    if not told:
        told.append("Nobody is in its way; it is pushed aside, or turns where it is.")
    end = f"after {counted(steering.stuck_steps, 'step')} it will be given up"
    return [f"It has not got on for {counted(idle, 'step')}; {end}.", *told]


def _route(campaign: Campaign, unit: int) -> str:
    """Return what the unit follows, and with whom."""
    run, units = campaign.run, campaign.run.units
    ordered = f" to stop {units.stop[unit] + 1} of its order" if units.order[unit] >= 0 else ""
    mine = (units.group == units.group[unit]) & (units.state <= UnitState.LOST)
    if units.field[unit] in run.plans.formations:
        return "It keeps its place in a formation."
    if units.field[unit] >= 0:
        same = int((mine & (units.field == units.field[unit])).sum())
        return f"It follows the field that its group shares{ordered}, as {counted(same, 'unit')} do."
    same = int((mine & (units.route == units.route[unit]) & (units.order == units.order[unit])).sum())
    if same > 1:
        return f"It follows route {units.route[unit]}{ordered}, one of {counted(same, 'unit')} that do."
    return f"It follows a way of its own{ordered}."


def _place(found: Reasons) -> list[str]:
    """Return where the unit is, which gate is next, and who is before it there."""
    where = "It is in a wall" if found.region < 0 else f"It is in region {found.region}"
    told = [f"{where}, and the next wall is about {found.room:g} cells away."]
    gate = found.gate
    if gate is None:
        told.append("There is no gate on its way any more.")
        return told
    x, y = gate.cells.mean(0).tolist()
    away = "It is in a gate" if gate.distance < 0.5 else f"The next gate on its way is {gate.distance:.1f} cells ahead"
    told.append(f"{away}, at ({x:.0f}, {y:.0f}), {gate.width:.1f} cells wide.")
    if gate.before.size:
        before = gate.before.size
        told.append(f"{counted(before, 'unit')} will be there before it, so it is number {before + 1} in the queue.")
    else:
        told.append("It is the first in the queue there.")
    return told


def _pushed(campaign: Campaign, unit: int, found: Reasons) -> list[str]:
    """Return how fast the unit is, and what pushes it."""
    if not found.felt.forces:
        return []
    units = campaign.run.units
    share = float(np.hypot(*units.velocity[unit])) / float(units.speed[unit])
    strong = sorted(((float(np.hypot(*force)), name) for name, force in found.felt.forces.items()), reverse=True)
    pushes = [f"{FORCES[name][0]} ({strength:.2f})" for strength, name in strong if strength >= 0.05]
    told = f"In the last step it went at {share:.0%} of its greatest speed"
    return [f"{told}; what moved it: {', '.join(pushes)}." if pushes else f"{told}; nothing pushed it."]


def _history(campaign: Campaign, unit: int) -> list[str]:
    """Return the last new plans and displacements, the latest first."""
    words = {
        Event.REPLANNED: "got a new plan",
        Event.LOST: "lost its way",
        Event.DISPLACED: "was moved out of a new wall",
    }
    found = [
        f"At step {step} it {words[Event(kind)]}, because {CAUSES[Cause(cause)]}."
        for step, kind, who, cause in campaign.run.recording.events
        if who == unit and Event(kind) in words
    ]
    return found[: -_EVENTS - 1 : -1]


def _scene(campaign: Campaign, unit: int, found: Reasons, trail: Floats) -> Scene:
    """Return the overlay: the trail, the way ahead, the gate, who is before, rays, forces, and a ring."""
    units, grid = campaign.run.units, campaign.scenario.grid
    place, radius = units.position[unit], float(units.radius[unit])
    layers: list[Layer] = []
    legend: list[LegendItem] = []
    if found.gate is not None:
        corners = found.gate.cells[:, None] + np.array([(0, 0), (1, 0), (1, 1), (0, 1)])
        rings = np.arange(len(corners) + 1) * 4
        layers.append(Polygons(corners.reshape(-1, 2).astype(np.float64), rings, with_alpha(GROUP_COLOURS[4], 0.5)))
        legend.append(Swatch("next gate", with_alpha(GROUP_COLOURS[4], 0.5)))
    if len(trail) > 1:
        layers.append(Polylines.of([trail], GROUP_COLOURS[3], 0.3 * radius))
        legend.append(Swatch("where it was", GROUP_COLOURS[3], "line"))
    if len(found.ahead) > 1:
        layers.append(Polylines.of([found.ahead], INK, 0.2 * radius))
        legend.append(Swatch("the way ahead", INK, "line"))
    if found.gate is not None and found.gate.before.size:
        before = units.position[found.gate.before]
        # rings around the units, which are drawn above whatever else there is
        layers.append(dots(before, 1.25 * radius, (0, 0, 0, 0), outline=INK, width=0.25 * radius))
        legend.append(Swatch("before it at the gate", INK, "target"))
    if found.blockers:
        layers.append(
            Polylines.of([np.concatenate((place[None], units.position[list(found.blockers)]))], _BLOCKERS, 0.15)
        )
        legend.append(Swatch("who is in the way", _BLOCKERS, "line"))
    rays = found.felt.rays
    if len(rays):
        layers.append(Polylines.of(list(rays), _RAYS, 0.12 * radius))
        layers.append(dots(rays[:, 1], 0.15 * radius, _RAYS))
        legend.append(Swatch("rays: how far it saw, up to a wall", _RAYS, "line"))
    for name, force in found.felt.forces.items():
        if np.hypot(*force) >= 0.05:
            label, colour = FORCES[name]
            layers.append(Arrows(place[None], place[None] + _ARROW * radius * force, colour, 0.25 * radius))
            legend.append(Swatch(f"force: {label}", colour, "line"))
    ring = Circles(place[None], np.array([1.7 * radius]), np.zeros((1, 4), np.uint8), GROUP_COLOURS[3], 0.35 * radius)
    legend.append(Swatch("the unit", GROUP_COLOURS[3], "target"))
    bounds = (0.0, 0.0, float(grid.width), float(grid.height))
    return Scene(bounds, (*layers, ring), tuple(legend), f"Why unit {unit} is here, step {campaign.now}")

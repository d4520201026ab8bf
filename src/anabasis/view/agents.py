"""Agents: pictures of multi-agent path finding: who goes where, the ways of all, one step, an animation.

Where they are large enough to be read, agents and their goals bear the agents' numbers, from 0 as in all messages.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray

from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.instance import Instance
from anabasis.plan import Plan
from anabasis.view.ground import graph_scene, map_scene
from anabasis.view.layers import Circles, ImageLayer, Labels, Layer, Polylines, Scene, Swatch
from anabasis.view.palette import BLOCKED, FREE, GROUP_COLOURS, INK, PAPER, with_alpha
from anabasis.view.raster import animate_scenes, check_frames
from anabasis.view.runs import density_scene

__all__ = ["animate_plan", "instance_scene", "step_scene", "traffic_scene", "ways_scene"]

_BODY = 0.42  # radius of an agent of one cell, in cells
_LANE = 0.3  # how far apart, in cells, ways are spread that share cells
_LINKED_UP_TO = 60  # agents: beyond it lines from starts to goals hide everything
_HOLE = 0.78  # radius of the hole of a goal's ring, of the whole
_WIDE = 1.22  # radius of a ring under a disc, of the disc's
_MARK = 9.0  # px: radius of the marks of few agents on a large map
_WAY = 1.5  # px: width of their ways
_PIXELS = 800  # how wide a picture will be, unless it is said
_READABLE = 7.0  # px: the least height of a line of text
_DARK = np.array([0.299, 0.587, 0.114])  # how light red, green and blue look


def _places(instance: Instance, vertices: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return float64[..., 2]: the middle of the area that each agent covers (the agent is the last index)."""
    if isinstance(instance.space, Graph):
        return instance.space.points[vertices]
    x, y = vertices % instance.space.width, vertices // instance.space.width
    return np.stack([x, y], axis=-1) + instance.sizes[:, None] / 2


def _colours(instance: Instance) -> NDArray[np.uint8]:
    return np.array(GROUP_COLOURS, np.uint8)[np.arange(instance.size) % len(GROUP_COLOURS)]


def _ground(instance: Instance, step: float, title: str) -> Scene:
    """Return the map or graph as known changes have made it by that step."""
    space = instance.space
    if isinstance(space, Graph):
        return graph_scene(space, title=title)
    base = map_scene(space, title=title)
    past = instance.change_times <= step
    image = base.layers[0]
    if not past.any() or not isinstance(image, ImageLayer):
        return base
    pixels = image.pixels.copy()
    for vertex, blocked in zip(instance.change_vertices[past], instance.change_blocked[past], strict=True):
        pixels[divmod(int(vertex), space.width)] = (BLOCKED if blocked else FREE)[:3]
    return Scene(base.bounds, (ImageLayer(pixels, image.extent), *base.layers[1:]), base.legend, title)


def _bodies(instance: Instance) -> NDArray[np.float64]:
    """Return float64[k]: the radii of agents, in cells; on a graph a share of its shortest arc."""
    if isinstance(instance.space, Grid):
        return 0.5 * instance.sizes.astype(np.float64) - (0.5 - _BODY)
    graph = instance.space
    tails = np.repeat(np.arange(graph.size), np.diff(graph.indptr))
    lengths = np.hypot(*(graph.points[tails] - graph.points[graph.indices]).T)
    return np.full(instance.size, 0.35 * float(lengths[lengths > 0].min(initial=1.0)))


def _scale(scene: Scene, pixels: int) -> float:
    """Return about how many px a cell has in a picture so many pixels wide."""
    return min(pixels / scene.width, 1.25 * pixels / scene.height)


def _goals(instance: Instance, opacity: float, radii: NDArray[np.float64], *, wide: bool = False) -> Circles:
    """Return a ring at each goal in its agent's colour; wide: it looks out from under another's start."""
    colours = _colours(instance).copy()
    if wide:
        covered = np.isin(instance.goals, instance.starts) & (instance.goals != instance.starts)
        radii = np.where(covered, _WIDE * radii, radii)
    colours[:, 3] = round(255 * opacity)
    inner = np.tile(np.array(with_alpha(FREE, 0.9), np.uint8), (instance.size, 1))
    return Circles(
        np.repeat(_places(instance, instance.goals), 2, axis=0),
        np.stack([radii, _HOLE * radii], axis=1).ravel(),
        np.stack([colours, inner], axis=1).reshape(-1, 4),
    )


def _agents(
    instance: Instance,
    places: NDArray[np.float64],
    shown: NDArray[np.bool_],
    bodies: NDArray[np.float64],
    scale: float,
) -> list[Layer]:
    """Return the agents that are shown, discs at their places, and numbers on them and on goals where nobody is.

    Numbers are left out if they couldn't be read in a picture of so many px a cell.
    """
    colours = _colours(instance)
    radius = float(bodies.min()) if bodies.size else _BODY
    discs = Circles(places[shown], bodies[shown], colours[shown], with_alpha(INK, 0.9), 0.14 * radius)
    digits = len(str(instance.size - 1))
    # the diagonal of a number is as long as the hole in a ring is wide
    height = radius * min(1.3, 1.9 * _HOLE / float(np.hypot(0.57 * digits, 0.7)))
    if height * scale < _READABLE:
        return [discs]
    from scipy.spatial import KDTree

    goals = _places(instance, instance.goals)
    near = 1.3 * radius
    open_goals = _uncovered(goals, near)
    if shown.any():
        open_goals &= KDTree(places[shown]).query(goals)[0] > near
        shown = shown.copy()
        shown[shown] = _uncovered(places[shown], near)
    pale = colours[:, :3] @ _DARK > 140
    layers: list[Layer] = [discs]
    for at, chosen, size, ink in (
        (places, shown & pale, height / _HOLE, INK),
        (places, shown & ~pale, height / _HOLE, PAPER),
        (goals, open_goals, height, INK),
    ):
        numbers = np.flatnonzero(chosen)
        if numbers.size:
            layers.append(Labels(at[numbers], tuple(map(str, numbers.tolist())), size, ink))
    return layers


def _uncovered(places: NDArray[np.float64], near: float) -> NDArray[np.bool_]:
    """Return bool[k]: over which of the marks at these places no later one lies."""
    from scipy.spatial import KDTree

    clear = np.ones(len(places), bool)
    clear[KDTree(places).query_pairs(near, output_type="ndarray").min(axis=1, initial=len(places))] = False
    return clear


def _radii(instance: Instance, scene: Scene, pixels: int) -> NDArray[np.float64]:
    """Return float64[k]: the radii of marks; those of few agents on a large map reach beyond their cells."""
    few = instance.size <= _LINKED_UP_TO
    return np.maximum(_bodies(instance), min(_MARK / _scale(scene, pixels), 0.02 * scene.width) if few else 0.0)


def _ends(instance: Instance, scene: Scene, pixels: int) -> list[Layer]:
    """Return goals and, above them, starts."""
    scale, radii = _scale(scene, pixels), _radii(instance, scene, pixels)
    everybody = np.ones(instance.size, bool)
    starts = _places(instance, instance.starts)
    return [_goals(instance, 1.0, radii, wide=True), *_agents(instance, starts, everybody, radii, scale)]


def _legend(instance: Instance) -> tuple[Swatch, Swatch]:
    colour = GROUP_COLOURS[0] if instance.size else INK
    return Swatch("agent", colour, "dot"), Swatch("its goal", colour, "target")


def instance_scene(instance: Instance, *, title: str | None = None, pixels: int = _PIXELS) -> Scene:
    """Return where agents start (discs) and where they must go (rings of the same colour, eight colours in turn).

    Up to 60 agents are joined to their goals by lines. pixels: how wide the picture will be.
    """
    scene = _ground(instance, -1, f"{instance.size} agents" if title is None else title)
    starts = _places(instance, instance.starts)
    layers: list[Layer] = []
    if instance.size <= _LINKED_UP_TO:
        ends = np.stack([starts, _places(instance, instance.goals)], axis=1)
        layers += [
            Polylines.of([*ends[k :: len(GROUP_COLOURS)]], with_alpha(colour, 0.5), 0.08)
            for k, colour in enumerate(GROUP_COLOURS[: instance.size])
        ]
    layers += _ends(instance, scene, pixels)
    return scene.over(*layers, legend=_legend(instance), title=scene.title)


def ways_scene(instance: Instance, plan: Plan, *, title: str | None = None, pixels: int = _PIXELS) -> Scene:
    """Return the ways of all agents from starts (discs) to goals (rings), side by side where they share cells.

    pixels: how wide the picture will be.
    """
    _check(instance, plan)
    scene = _ground(instance, plan.makespan, _costs(instance, plan) if title is None else title)
    places = _places(instance, plan.vertices)
    spread = _LANE * 2 * (np.arange(instance.size) * 0.618033988749895 % 1 - 0.5)[None, :, None]
    ways = places + (spread if isinstance(instance.space, Grid) else 0.0)
    layers: list[Layer] = []
    width = 0.12 * min(1.0, 2 * float(_bodies(instance).min(initial=0.5)))
    width = max(width, _WAY / _scale(scene, pixels) if instance.size <= _LINKED_UP_TO else 0.0)
    for k, colour in enumerate(GROUP_COLOURS[: instance.size]):
        lines = [ways[:, agent] for agent in range(k, instance.size, len(GROUP_COLOURS))]
        layers.append(Polylines.of(lines, with_alpha(colour, 0.8), width).straightened())
    layers += _ends(instance, scene, pixels)
    return scene.over(*layers, legend=_legend(instance), title=scene.title)


def traffic_scene(instance: Instance, plan: Plan, *, title: str = "") -> Scene:
    """Return how often each cell was stood on or entered by agents still under way; raises InputError on a graph."""
    _check(instance, plan)
    if isinstance(instance.space, Graph):
        raise InputError("a heat map of traffic needs a map of cells", found="a Graph", expected="a Grid")
    arrivals = plan.arrivals(instance.goals, stay=instance.rules.stay)
    under_way = np.arange(len(plan.vertices))[:, None] < np.where(arrivals < 0, len(plan.vertices), arrivals)[None, :]
    counts = np.bincount(plan.vertices[under_way], minlength=instance.vertex_count).astype(float)
    density = counts.reshape(instance.space.height, instance.space.width)
    return density_scene(instance.space, density, label="agent-steps in a cell", title=title)


def step_scene(
    instance: Instance, plan: Plan, time: float, *, title: str | None = None, pixels: int = _PIXELS
) -> Scene:
    """Return where agents are at a time (steps; between two steps they are on the way), and the goals still open.

    Agents that have arrived are drawn on their goals, or not at all if they vanish there. pixels: how wide the picture
    will be.
    """
    _check(instance, plan)
    if not 0 <= time <= plan.makespan:
        raise InputError("time to draw", found=f"{time:g}", expected=f"0 to {plan.makespan}")
    before = int(time)
    after = min(before + 1, plan.makespan)
    here, there = _places(instance, plan.vertices[before]), _places(instance, plan.vertices[after])
    arrivals = plan.arrivals(instance.goals, stay=instance.rules.stay)
    arrived = (arrivals >= 0) & (arrivals <= time)
    shown = np.ones(instance.size, bool) if instance.rules.stay else ~arrived | (arrivals == time)
    if title is None:
        title = f"step {before} of {plan.makespan}: {int(arrived.sum())} of {instance.size} agents at their goals"
    scene = _ground(instance, before, title)
    places = here + (time - before) * (there - here)
    radii = _radii(instance, scene, pixels)
    layers = [_goals(instance, 0.6, radii), *_agents(instance, places, shown, radii, _scale(scene, pixels))]
    return scene.over(*layers, legend=_legend(instance), title=title)


def animate_plan(
    instance: Instance,
    plan: Plan,
    file: str | Path | IO[bytes],
    *,
    pixels: int = 640,
    frames: int = 300,
    rate: float = 20.0,
    smoothness: int = 3,
) -> int:
    """Write a plan as an endless animated GIF and return how many frames it has.

    A step is drawn in `smoothness` frames, in fewer if there would be more than `frames` of them; longer plans are
    drawn with as many as fit, evenly chosen. `rate` is frames a second.
    """
    check_frames(frames)
    if not 1 <= smoothness <= 50:
        raise InputError("frames of a step", found=f"{smoothness}", expected="1 to 50")
    parts = max(1, min(smoothness, (frames - 1) // max(1, plan.makespan)))
    times = np.linspace(0, plan.makespan, min(frames, parts * plan.makespan + 1))

    def scenes() -> Iterator[tuple[Scene, int]]:
        for time in times.tolist():
            # whole steps come out whole, whatever the division gave
            exact = round(time * parts) / parts if parts * plan.makespan < frames else time
            yield step_scene(instance, plan, exact, pixels=pixels), int((instance.change_times <= int(exact)).sum())

    return animate_scenes(scenes(), file, pixels=pixels, rate=rate)


def _check(instance: Instance, plan: Plan) -> None:
    if plan.vertices.ndim != 2 or plan.vertices.shape[1] != instance.size or not len(plan.vertices):
        raise InputError(
            "a plan for another number of agents",
            found=f"{plan.vertices.shape[1]} agents, {len(plan.vertices)} rows",
            expected=f"{instance.size} agents, at least one row",
        )


def _costs(instance: Instance, plan: Plan) -> str:
    arrivals = plan.arrivals(instance.goals, stay=instance.rules.stay)
    if (arrivals < 0).any():
        return f"{instance.size} agents: {int((arrivals < 0).sum())} don't reach their goals"
    return f"{instance.size} agents: sum of costs {int(arrivals.sum())}, makespan {int(arrivals.max(initial=0))}"

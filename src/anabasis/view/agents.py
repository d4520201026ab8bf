"""Agents: pictures of multi-agent path finding: who goes where, the ways of all, one step, an animation.

Where they are large enough to be read, agents and their goals bear the agents' numbers, from 0 as in all messages. The
first fault of a plan that is not valid is marked by a cross, and in the picture of a step those of the step.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import IO, TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.instance import Instance
from anabasis.plan import Plan
from anabasis.view.ground import graph_scene, map_scene
from anabasis.view.layers import Circles, ImageLayer, Labels, Layer, Polylines, Scene, Swatch
from anabasis.view.palette import BLOCKED, FREE, GROUP_COLOURS, INK, PAPER, TERRAIN, Colour, with_alpha
from anabasis.view.raster import animate_scenes, check_frames
from anabasis.view.runs import density_scene

if TYPE_CHECKING:
    from anabasis.metrics.plans import Fault

__all__ = ["animate_plan", "instance_scene", "step_scene", "traffic_scene", "ways_scene"]

_BODY = 0.42  # radius of an agent of one cell, in cells
_LANE = 0.3  # how far apart, in cells, ways are spread that share cells
_FEW = 60  # agents: with more, lines from starts to goals hide everything, and marks among ways are small
_HOLE = 0.78  # radius of the hole of a goal's ring, of the whole; an agent fits in where it passes
_SHARED = 0.68  # radius of a start and a goal that share a cell, of others'
_ASIDE = 0.5  # how far both then move aside, across and down, in radii
_SMALL = 0.5  # radius of the marks of many among their ways, of others'
_MARK = 9.0  # px: radius of the marks of few agents on a large map
_SPOT = 3.0  # px: and of many
_WIDE_UP_TO = 20  # agents: the ways of more are narrower
_WAY = 1.5  # px: the least width of the ways of few
_FINE = 1.0  # px: and of many
_CROSS = 7.0  # px: half the width of the mark of a fault
_FAULT: Colour = (200, 0, 60, 255)
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
    base = map_scene(_without_trees(space), title=title)
    past = instance.change_times <= step
    image = base.layers[0]
    if not past.any() or not isinstance(image, ImageLayer):
        return base
    pixels = image.pixels.copy()
    for vertex, blocked in zip(instance.change_vertices[past], instance.change_blocked[past], strict=True):
        pixels[divmod(int(vertex), space.width)] = (BLOCKED if blocked else FREE)[:3]
    return Scene(base.bounds, (ImageLayer(pixels, image.extent), *base.layers[1:]), base.legend, title)


def _without_trees(grid: Grid) -> Grid:
    """Return the map with walls for trees if it has no other terrain: in maps for many agents T is one more wall."""
    others = [ord(letter) for letter in TERRAIN if letter != "T"]
    trees = grid.terrain == ord("T")
    if (trees & grid.free).any() or np.isin(grid.terrain, others).any():
        return grid
    return replace(grid, terrain=np.where(trees, np.uint8(ord("@")), grid.terrain))


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


def _goals(instance: Instance, places: NDArray[np.float64], radii: NDArray[np.float64], opacity: float) -> Circles:
    """Return a ring at each goal's place in its agent's colour."""
    colours = _colours(instance).copy()
    colours[:, 3] = round(255 * opacity)
    inner = np.tile(np.array(with_alpha(FREE, 0.9), np.uint8), (instance.size, 1))
    return Circles(
        np.repeat(places, 2, axis=0),
        np.stack([radii, _HOLE * radii], axis=1).ravel(),
        np.stack([colours, inner], axis=1).reshape(-1, 4),
    )


def _agents(
    instance: Instance,
    places: NDArray[np.float64],
    radii: NDArray[np.float64],
    shown: NDArray[np.bool_],
    goals: Circles,
    scale: float,
) -> list[Layer]:
    """Return the agents that are shown, discs at their places, and numbers on them and on goals where nobody is.

    The number of an agent and its goal is left out if it couldn't be read in a picture of so many px a cell.
    """
    from scipy.spatial import KDTree

    colours = _colours(instance)
    outline = 0.14 * min(radii.tolist(), default=0.0)
    discs = Circles(places[shown], radii[shown], colours[shown], with_alpha(INK, 0.9), outline)
    ends, rings = goals.centres[::2], goals.radii[::2]
    open_goals = _uncovered(ends, 1.3 * rings)
    if shown.any():
        open_goals &= KDTree(places[shown]).query(ends)[0] > 1.3 * rings
        shown = shown.copy()
        shown[shown] = _uncovered(places[shown], 1.3 * radii[shown])
    digits = len(str(instance.size - 1))
    # the diagonal of a number is as long as the hole in a ring is wide
    height = min(1.3, 1.9 * _HOLE / float(np.hypot(0.57 * digits, 0.7)))
    readable = height * np.minimum(radii / _HOLE, rings) * scale >= _READABLE
    pale = colours[:, :3] @ _DARK > 140
    layers: list[Layer] = [discs]
    for at, of, chosen, size, ink in (
        (places, radii, shown & pale & readable, height / _HOLE, INK),
        (places, radii, shown & ~pale & readable, height / _HOLE, PAPER),
        (ends, rings, open_goals & readable, height, INK),
    ):
        for radius in np.unique(of[chosen]).tolist():
            numbers = np.flatnonzero(chosen & (of == radius))
            layers.append(Labels(at[numbers], tuple(map(str, numbers.tolist())), size * radius, ink))
    return layers


def _uncovered(places: NDArray[np.float64], near: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return bool[k]: nearer to which of these places than it says no later one lies."""
    from scipy.spatial import KDTree

    clear = np.ones(len(places), bool)
    first, second = KDTree(places).query_pairs(float(near.max(initial=0.0)), output_type="ndarray").T
    apart = np.hypot(*(places[first] - places[second]).T)
    clear[np.minimum(first, second)[apart <= near[np.minimum(first, second)]]] = False
    return clear


def _radii(instance: Instance, scene: Scene, pixels: int, share: float = 1.0) -> NDArray[np.float64]:
    """Return float64[k]: the radii of marks, a share of the bodies'; on a large map they reach beyond their cells."""
    scale = _scale(scene, pixels)
    least = min(_MARK / scale, 0.02 * scene.width) if instance.size <= _FEW else _SPOT / scale
    return np.maximum(share * _bodies(instance), least)


def _ends(instance: Instance, radii: NDArray[np.float64], scale: float, shown: bool) -> list[Layer]:
    """Return goals and, above them, starts if these are shown."""
    (starts, goals), over, under = _end_places(instance, radii, shown)
    rings = _goals(instance, goals, np.where(under, _SHARED, 1.0) * radii, 1.0)
    agents = np.full(instance.size, shown)
    return [rings, *_agents(instance, starts, np.where(over, _SHARED, 1.0) * radii, agents, rings, scale)]


def _end_places(
    instance: Instance, radii: NDArray[np.float64], shown: bool
) -> tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_]]:
    """Return where marks of starts and goals stand, float64[2, k, 2], and which of them share a cell with another's.

    Those stand in it side by side if starts are shown: the start towards the top left, the goal towards the bottom
    right.
    """
    under = np.isin(instance.goals, instance.starts) & (instance.goals != instance.starts) & shown
    over = np.isin(instance.starts, instance.goals[under])
    ends = _places(instance, np.stack([instance.starts, instance.goals]))
    ends += (_ASIDE * radii * np.stack([-1.0 * over, 1.0 * under]))[:, :, None]
    return ends, over, under


def _faults(instance: Instance, plan: Plan) -> list[Fault]:
    """Return what is wrong with a plan; nothing of one that only doesn't bring all agents to their goals."""
    from anabasis.metrics.plans import plan_faults

    faults = plan_faults(instance, plan)
    return faults if any(fault.kind != "goal" for fault in faults) else []


def _titled(title: str, faults: Sequence[Fault]) -> str:
    """Return a title that begins with how many faults the plan has, if any."""
    if not faults:
        return title
    return f"not valid, {len(faults):,} fault{'s' if len(faults) > 1 else ''}; {title}"


def _crosses(instance: Instance, plan: Plan, faults: Sequence[Fault], scale: float) -> list[Layer]:
    """Return a cross for each fault, in the middle of the agents that it is about."""
    lines: list[NDArray[np.float64]] = []
    arm = _CROSS / scale
    for fault in faults:
        places = _places(instance, plan.vertices[min(fault.step, plan.makespan)])
        x, y = places[list(fault.agents)].mean(axis=0)
        lines += [np.array([[x - arm, y - d], [x + arm, y + d]]) for d in (arm, -arm)]
    if not lines:
        return []
    return [Polylines.of(lines, colour, width / scale) for colour, width in ((PAPER, 6.0), (_FAULT, 3.0))]


def _legend(instance: Instance) -> tuple[Swatch, Swatch]:
    colour = GROUP_COLOURS[0] if instance.size else INK
    return Swatch("agent", colour, "dot"), Swatch("its goal", colour, "target")


def instance_scene(
    instance: Instance, *, title: str | None = None, pixels: int = _PIXELS, starts: bool = True
) -> Scene:
    """Return where agents start (discs) and where they must go (rings of the same colour, eight colours in turn).

    Up to 60 agents are joined to their goals by lines. starts: with False there are the goals alone, for a picture over
    which the agents move. pixels: how wide the picture will be.
    """
    scene = _ground(instance, -1, f"{instance.size} agents" if title is None else title)
    radii = _radii(instance, scene, pixels)
    layers: list[Layer] = []
    if starts and instance.size <= _FEW:
        links = _end_places(instance, radii, starts)[0].swapaxes(0, 1)
        layers += [
            Polylines.of([*links[k :: len(GROUP_COLOURS)]], with_alpha(colour, 0.5), 0.08)
            for k, colour in enumerate(GROUP_COLOURS[: instance.size])
        ]
    layers += _ends(instance, radii, _scale(scene, pixels), starts)
    return scene.over(*layers, legend=_legend(instance), title=scene.title)


def ways_scene(
    instance: Instance, plan: Plan, *, title: str | None = None, pixels: int = _PIXELS, starts: bool = True
) -> Scene:
    """Return the ways of all agents from starts (discs) to goals (rings), side by side where they share cells.

    The ways of more than 60 agents are fine lines between small marks; of hundreds `traffic_scene` says more. starts,
    pixels: as in `instance_scene`.
    """
    _check(instance, plan)
    faults = _faults(instance, plan)
    title = _titled(_costs(instance, plan), faults) if title is None else title
    scene = _ground(instance, plan.makespan, title)
    scale, few = _scale(scene, pixels), instance.size <= _FEW
    radii = _radii(instance, scene, pixels, 1.0 if few else _SMALL)
    width = 0.12 * min(1.0, 2 * float(_bodies(instance).min(initial=0.5)), _WIDE_UP_TO / max(1, instance.size))
    width = max(width, (_WAY if few else _FINE) / scale)
    spread = _LANE * 2 * (np.arange(instance.size) * 0.618033988749895 % 1 - 0.5)[None, :, None]
    ways = _places(instance, plan.vertices) + (spread if isinstance(instance.space, Grid) else 0.0)
    # a way that begins or ends where it should does so in the middle of the mark
    wanted = np.stack([instance.starts, instance.goals])
    marks = _end_places(instance, radii, starts)[0]
    ends = np.where((plan.vertices[[0, -1]] == wanted)[:, :, None], marks, ways[[0, -1]])
    ways = np.concatenate([ends[:1], ways, ends[1:]])
    layers: list[Layer] = []
    for k, colour in enumerate(GROUP_COLOURS[: instance.size]):
        lines = [ways[:, agent] for agent in range(k, instance.size, len(GROUP_COLOURS))]
        layers.append(Polylines.of(lines, with_alpha(colour, 0.8), width).straightened())
    layers += _ends(instance, radii, scale, starts)
    layers += _crosses(instance, plan, faults[:1], scale)
    first = tuple(Swatch(str(fault), _FAULT, "cross") for fault in faults[:1])
    return scene.over(*layers, legend=(*_legend(instance), *first), title=title)


def traffic_scene(instance: Instance, plan: Plan, *, title: str | None = None) -> Scene:
    """Return how often each cell was stood on or entered by agents still under way; raises InputError on a graph."""
    _check(instance, plan)
    if isinstance(instance.space, Graph):
        raise InputError("a heat map of traffic needs a map of cells", found="a Graph", expected="a Grid")
    arrivals = plan.arrivals(instance.goals, stay=instance.rules.stay)
    under_way = np.arange(len(plan.vertices))[:, None] < np.where(arrivals < 0, len(plan.vertices), arrivals)[None, :]
    counts = np.bincount(plan.vertices[under_way], minlength=instance.vertex_count).astype(float)
    density = counts.reshape(instance.space.height, instance.space.width)
    if title is None:
        title = _titled(f"traffic of {_costs(instance, plan)}", _faults(instance, plan))
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
    return _step_scene(instance, plan, time, _faults(instance, plan), title, pixels)


def _step_scene(
    instance: Instance, plan: Plan, time: float, faults: Sequence[Fault], title: str | None, pixels: int
) -> Scene:
    """Return the picture of a step of a plan with such faults."""
    before = int(time)
    after = min(before + 1, plan.makespan)
    here, there = _places(instance, plan.vertices[before]), _places(instance, plan.vertices[after])
    arrivals = plan.arrivals(instance.goals, stay=instance.rules.stay)
    arrived = (arrivals >= 0) & (arrivals <= time)
    shown = np.ones(instance.size, bool) if instance.rules.stay else ~arrived | (arrivals == time)
    if title is None:
        title = f"step {before} of {plan.makespan}: {int(arrived.sum())} of {instance.size} agents arrived"
        title = _titled(title, faults)
    scene = _ground(instance, before, title)
    places = here + (time - before) * (there - here)
    radii, scale = _radii(instance, scene, pixels), _scale(scene, pixels)
    rings = _goals(instance, _places(instance, instance.goals), radii, 0.8)
    layers = [rings, *_agents(instance, places, _HOLE * radii, shown, rings, scale)]
    layers += _crosses(instance, plan, [fault for fault in faults if fault.step == np.ceil(time)], scale)
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
    _check(instance, plan)
    faults = _faults(instance, plan)

    def scenes() -> Iterator[tuple[Scene, int]]:
        for time in times.tolist():
            # whole steps come out whole, whatever the division gave
            exact = round(time * parts) / parts if parts * plan.makespan < frames else time
            scene = _step_scene(instance, plan, exact, faults, None, pixels)
            yield scene, int((instance.change_times <= int(exact)).sum())

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

"""More for the gallery, beside the methods of the table: way-points by hand, levels, smoothing, layers, cars."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis.lab.hall import Exhibit, Hall
from anabasis.methods import METHODS
from anabasis.trajectory import Kinematics
from anabasis.view.drives import drive_scene
from anabasis.view.ground import bulls_eye, graph_scene, pen
from anabasis.view.layers import Labels, Layer, Polygons, Polylines, Scene, Swatch, dots
from anabasis.view.palette import BLOCKED, FREE, GROUP_COLOURS, INK, PAPER, Colour, with_alpha
from anabasis.view.scene import ground_scene, path_scene

__all__ = ["extras"]

_PALE: Colour = (170, 174, 181, 255)
_PLACES = {
    "home": (3.5, 36.5), "west": (5, 22), "bend": (6, 15), "pocket": (14, 12), "north": (14, 1.5), "top": (21.5, 1.5),
    "gap-west": (22, 14), "cross": (22, 23), "south": (20, 35), "gap-east": (29, 14), "rock": (29, 3),
    "slope": (29, 27), "foot": (29, 34), "shore": (33, 38), "pier": (43, 38), "mid": (40, 27), "gate": (48, 23),
    "hill": (48, 14), "crest": (46, 4), "trap": (56, 25), "post": (50.5, 30), "corner": (51, 38), "east": (62, 36),
    "bank": (62, 14), "exit": (62.5, 3.5),
}  # fmt: skip
_LINKS = (
    "home west", "home south", "west bend", "bend pocket", "pocket north", "north top", "top gap-west",
    "gap-west cross", "cross south", "gap-west gap-east", "gap-east rock", "gap-east slope", "rock crest", "slope foot",
    "slope mid", "south foot", "foot shore", "shore pier", "pier mid", "mid gate", "gate hill", "gate trap",
    "gate post", "hill crest", "hill bank", "crest exit", "bank exit", "post corner", "corner east", "east bank",
)  # fmt: skip
_LEFT = ("cross", "exit", "bank", "east", "trap", "pocket", "top")  # names written on the left of their places


def extras(hall: Hall) -> Iterator[Exhibit]:
    """Yield the exhibits that are no rows of the table, and the motions of cars, in the order of their groups."""
    yield _waypoints(hall)
    yield _levels(hall)
    yield _grown(hall)
    yield _smoothing(hall)
    yield _coarse_fine(hall)
    yield _outline(hall)
    for row in METHODS:
        if row.family == "drive":
            yield _drive(hall, row.name, row.summary, row.load())
    yield _on_foot(hall)


def _waypoints(hall: Hall) -> Exhibit:
    from anabasis.decompose.waypoints import waypoint_graph
    from anabasis.io.waypoints import HEADER, waypoints_of_text
    from anabasis.search.astar import astar

    rows = [f"place {name} {x} {y}" for name, (x, y) in _PLACES.items()] + [f"link {link}" for link in _LINKS]
    points = waypoints_of_text("\n".join([HEADER, *rows]))
    graph = waypoint_graph(hall.world, points)
    path = _value(astar(graph, points.number("home"), points.number("exit")))
    ground = graph_scene(graph, ground=ground_scene(hall.world))
    left = np.isin(points.names, _LEFT)
    right = Labels(
        points.points[~left] + np.array([0.6, -0.9]), tuple(np.array(points.names)[~left]), 1.1, anchor="start"
    )
    other = Labels(points.points[left] + np.array([-0.6, -0.9]), tuple(np.array(points.names)[left]), 1.1, anchor="end")
    scene = path_scene(ground, path).over(right, other)
    caption = f"{graph.size} places, {len(points.links)} links, length {path.cost:.3f}"
    return Exhibit(
        "more", "way-points", "places and links that somebody chose, each link checked to be free", scene, caption
    )


def _levels(hall: Hall) -> Exhibit:
    from anabasis.decompose.lattices import square_lattice
    from anabasis.decompose.levels import Link, joined_levels
    from anabasis.search.astar import astar
    from anabasis.world import World

    bridge = World.of((20, 20.5, 51, 23.5), [])
    levels = [(hall.world, square_lattice(hall.world)), (bridge, square_lattice(bridge))]
    links = [Link(0, (19.5, 22), 1, (20.5, 22)), Link(1, (50.5, 22), 0, (51.5, 22))]
    both = joined_levels(levels, links)
    path = _value(astar(both.graph, both.nearest(0, (5, 22)), both.nearest(0, (56, 25))))
    ground = ground_scene(hall.world)
    line, blue = pen(ground.width, ground.height), GROUP_COLOURS[0]
    x0, y0, x1, y1 = bridge.bounds
    deck = np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])
    above = both.level == 1
    scene = ground.over(
        Polygons(deck, np.array([0, 4]), with_alpha((214, 226, 238, 255), 0.92), blue, line),
        dots(both.graph.points[above], 0.7 * line, blue),
        legend=(Swatch("bridge", blue, "line"), Swatch("ends of the links", GROUP_COLOURS[2], "dot")),
    )
    caption = f"{both.graph.size:,} states on two levels, 2 links, length {path.cost:.3f}"
    landings = [place for link in links for place in (link.place, link.to_place)]
    scene = path_scene(scene, path).over(dots(landings, 2.2 * line, GROUP_COLOURS[2], outline=PAPER, width=0.4 * line))
    return Exhibit("more", "levels", "a bridge above the walls: two levels, joined by links", scene, caption)


def _grown(hall: Hall) -> Exhibit:
    from anabasis.decompose.obstacles import grow
    from anabasis.search.polyanya import polyanya

    radius = 1.4
    grown = grow(hall.world, radius)
    path = _value(polyanya(grown, hall.start, hall.goal))
    x0, y0, x1, y1 = hall.world.bounds
    rim = np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])
    inner = ground_scene(grown)
    margin = [
        Polygons(layer.points, layer.indptr, _PALE if layer.fill == BLOCKED else FREE)
        if isinstance(layer, Polygons)
        else layer
        for layer in inner.layers
    ]
    low, high = (np.array(grown.bounds[:2]), np.array(grown.bounds[2:]))
    inside = np.array([low, (high[0], low[1]), high, (low[0], high[1])])
    frame: list[Layer] = [
        Polygons(rim, np.array([0, 4]), _PALE), Polygons(inside, np.array([0, 4]), FREE)
    ]  # fmt: skip
    base = ground_scene(hall.world)
    scene = Scene(hall.world.bounds, (*frame, *margin, *base.layers), (), "", FREE)
    steps = _along(path.points, 12)
    discs = dots(
        steps, radius, with_alpha(GROUP_COLOURS[1], 0.18), outline=with_alpha(GROUP_COLOURS[1], 0.7), width=0.08
    )
    scene = path_scene(scene.over(discs, legend=(Swatch("too near for the centre", _PALE),)), path)
    caption = (
        f"radius {radius:g}, {len(grown.points)} corners instead of {len(hall.world.points)}, length {path.cost:.3f}"
    )
    return Exhibit(
        "more", "grown", "obstacles grown by the radius of a round unit, and its shortest way", scene, caption
    )


def _smoothing(hall: Hall) -> Exhibit:
    from anabasis.search.astar import astar
    from anabasis.search.smoothing import look_ahead, post_smooth, shorten
    from anabasis.search.taut import taut

    grid = hall.grid
    raw = _value(astar(grid, *(grid.vertex(int(x), int(y)) for x, y in (hall.start, hall.goal))))
    ways = {
        "A*": raw,
        "post_smooth": post_smooth(grid, raw),
        "look_ahead": look_ahead(grid, raw),
        "shorten": shorten(grid, raw),
        "taut": taut(grid, raw),
    }
    ground = ground_scene(grid)
    line = pen(ground.width, ground.height)
    colours = (with_alpha(INK, 0.45), *(GROUP_COLOURS[k] for k in (3, 4, 0, 1)))
    widths = (1.2, 6.0, 4.2, 2.5, 1.1)  # so that all are seen where they are the same
    layers: list[Layer] = []
    for way, colour, width in zip(ways.values(), colours, widths, strict=True):
        layers.append(Polylines.of([way.points], colour, width * line))
    layers += [
        dots(way.points, 1.5 * line, colour) for way, colour in zip(list(ways.values())[1:], colours[1:], strict=True)
    ]
    legend = tuple(
        Swatch(f"{name} {way.length:.2f}", colour, "line")
        for (name, way), colour in zip(ways.items(), colours, strict=True)
    )
    scene = ground.over(*layers, *_ends(raw.points, line), legend=legend)
    caption = ", ".join(f"{name} {way.length:.3f} ({len(way.points)} points)" for name, way in ways.items())
    return Exhibit("more", "smoothing", "one path of A* on cells, smoothed in four ways", scene, caption)


def _coarse_fine(hall: Hall) -> Exhibit:
    from anabasis.search.coarse_fine import CoarseFine

    grid = hall.grid
    search = CoarseFine(grid, ratio=2)
    route = search.route(*(grid.vertex(int(x), int(y)) for x, y in (hall.start, hall.goal)))
    ground = ground_scene(grid)
    line, ratio = pen(ground.width, ground.height), search.blocks.ratio
    rows, columns = np.nonzero(search.blocks.coarse.free)
    corners = np.stack([columns, rows], axis=1)[:, None] * ratio + np.array(
        [(0, 0), (ratio, 0), (ratio, ratio), (0, ratio)]
    )
    free = Polygons(
        np.minimum(corners.reshape(-1, 2), [grid.width, grid.height]),
        4 * np.arange(len(corners) + 1),
        with_alpha(GROUP_COLOURS[5], 0.18),
        with_alpha(GROUP_COLOURS[0], 0.35),
        0.4 * line,
    )
    blue = GROUP_COLOURS[0]
    scene = ground.over(
        free,
        Polylines.of([route.blocks], with_alpha(blue, 0.8), 1.6 * line),
        dots(route.blocks, 1.8 * line, blue),
        legend=(Swatch("coarse path", blue, "line"), Swatch("ends of straight lines", GROUP_COLOURS[2], "dot")),
    )
    path = _value(route.result)
    scene = path_scene(scene, path).over(
        dots(route.corners, 2.2 * line, GROUP_COLOURS[2], outline=PAPER, width=0.4 * line)
    )
    stats = route.result.stats
    counts = f"{len(corners)} blocks, {int(stats['expanded'])} expanded, {len(path.vertices)} cells"
    caption = f"{counts}, length {path.length:.3f}"
    return Exhibit("more", "coarse-fine-layers", "the coarse path, and the fine one made of it", scene, caption)


def _outline(hall: Hall) -> Exhibit:
    from anabasis.search.hpa import HPA

    grid = hall.grid
    search = HPA(grid, side=8)
    outline = search.start(*(grid.vertex(int(x), int(y)) for x, y in (hall.start, hall.goal)))
    outline.refine(3)
    made = grid.centres(outline.vertices)
    ground = ground_scene(grid)
    line, side = pen(ground.width, ground.height), search.clusters.side
    cuts = [np.array([(x, 0), (x, grid.height)], float) for x in range(side, grid.width, side)]
    cuts += [np.array([(0, y), (grid.width, y)], float) for y in range(side, grid.height, side)]
    vermilion, blue = GROUP_COLOURS[1], GROUP_COLOURS[0]
    scene = ground.over(
        Polylines.of(cuts, with_alpha(INK, 0.3), 0.6 * line),
        dots(grid.centres(search.clusters.cell), 1.1 * line, with_alpha(blue, 0.6)),
        Polylines.of([grid.centres(outline.cells)], with_alpha(vermilion, 0.55), 1.4 * line),
        dots(grid.centres(outline.cells), 1.6 * line, vermilion),
        Polylines.of([made], vermilion, 2.6 * line),
        *_ends(grid.centres(outline.cells), line),
        legend=(Swatch("entrances", blue, "dot"), Swatch("outline, and what of it is unfolded", vermilion, "line")),
    )
    caption = f"{len(search.clusters.cell)} entrances, {len(outline.cells) - 1} pieces, cost {outline.cost:.3f}"
    return Exhibit(
        "more", "hpa-outline", "the outline of a path over clusters, unfolded through three of them", scene, caption
    )


def _drive(hall: Hall, name: str, summary: str, plan: Any) -> Exhibit:
    from anabasis.decompose.obstacles import grow

    car = Kinematics.car(1.6, 0.6)
    radius = 0.25 * car.axle  # half the width of the car as it is drawn
    roomy = grow(hall.world, radius)
    motion = _value(plan(roomy, (*hall.start, -np.pi / 4), (*hall.goal, -np.pi / 4), car, seed=4))
    caption = f"duration {motion.duration:.3f}, length {motion.length:.3f}"
    return Exhibit("drive", name, summary, drive_scene(hall.world, motion, car, radius=radius), caption)


def _on_foot(hall: Hall) -> Exhibit:
    from anabasis.search.polyanya import polyanya
    from anabasis.search.timing import timed

    walker = Kinematics(1.5, 0.3, np.array([[0.0, np.pi], [1.5, np.pi / 12]]))
    motion = _value(timed(_value(polyanya(hall.world, hall.start, hall.goal)), walker))
    caption = f"duration {motion.duration:.3f}, length {motion.length:.3f}"
    scene = drive_scene(hall.world, motion, walker)
    return Exhibit(
        "drive", "timed", "a shortest path on foot, slower where it turns; dots at equal times", scene, caption
    )


def _value(result: Any) -> Any:
    """Return the value of a result; the hall is made so that there always is one."""
    if result.value is None:
        raise RuntimeError(f"no exhibit: {result.reason}")
    return result.value


def _along(points: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    """Return float64[count, 2]: places along a polyline, equally far apart."""
    along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
    at = np.linspace(0, along[-1], count)
    return np.stack([np.interp(at, along, points[:, 0]), np.interp(at, along, points[:, 1])], axis=1)


def _ends(points: NDArray[np.float64], line: float) -> list[Layer]:
    x, y = points[-1].tolist()
    return [
        bulls_eye(x, y, 4 * line, INK),
        dots(points[:1], 3 * line, GROUP_COLOURS[0], outline=PAPER, width=0.6 * line),
    ]

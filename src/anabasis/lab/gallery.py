"""Gallery: one map, and on it a picture of every discretisation and of every search of the table, on one page.

The searches are pictured by what they expanded and in which order, so that one sees at once how they differ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from inspect import signature
from pathlib import Path as FilePath
from typing import Any

import numpy as np

from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.io.atomic import write_atomic
from anabasis.lab.discretisations import Measured, measure
from anabasis.lab.page import document, figure, section, text
from anabasis.methods import METHODS, Method
from anabasis.result import Result
from anabasis.view.layers import Scene
from anabasis.view.scene import ground_scene, path_scene, search_scene
from anabasis.view.show import save_picture
from anabasis.view.spaces import space_scene
from anabasis.view.svg import to_svg
from anabasis.world import World

__all__ = ["Exhibit", "Hall", "example_hall", "exhibits", "write_gallery"]

LIMIT = 200_000  # expansions after which a search that may not end is cut off
EDGE = 2.0  # of the cells of lattices, so that they are seen
PLACES = 150  # of a roadmap


@dataclass(frozen=True)
class Hall:
    """What is exhibited on: a world, the same as cells, and the ends of a path in both, as places (x, y)."""

    world: World
    grid: Grid
    start: tuple[float, float]
    goal: tuple[float, float]


@dataclass(frozen=True)
class Exhibit:
    """A method, its picture, and one line of what was measured."""

    row: Method
    scene: Scene
    caption: str


def example_hall() -> Hall:
    """Return a world of 64 × 40 with obstacles of all kinds: slanted, hollow, notched, in a row with narrow gaps."""
    from anabasis.decompose.rasterize import rasterize

    turn = np.linspace(0, 2 * np.pi, 8, endpoint=False) + np.pi / 8
    octagon = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    rings: list[Any] = [
        [[17, 3], [20, 3], [20, 20], [9, 20], [9, 17], [17, 17]],  # a corner that catches who goes straight
        [[24, 0], [27, 0], [27, 12], [24, 12]],
        [[24, 16], [27, 16], [27, 31], [24, 31]],
        [[31, 22], [46, 17], [47, 20], [32, 25]],
        [[8, 26], [14, 24], [17, 32], [10, 34]],
        5.0 * octagon + [38, 9],
        2.5 * octagon + [38, 9],  # a hole: free, but cut off
        3.0 * octagon + [52, 8],
        3.5 * octagon + [38, 33],
        [[52, 16], [60, 16], [60, 34], [52, 34], [52, 31], [57, 31], [57, 19], [52, 19]],  # a trap
        [[46, 28], [48, 26], [49, 38], [46, 40]],
        [[4, 4], [10, 9], [4, 12]],
    ]
    world = World.of((0, 0, 64, 40), [np.asarray(ring, float) for ring in rings])
    return Hall(world, rasterize(world, side=1.0), (3.5, 36.5), (62.5, 3.5))


def exhibits(hall: Hall, *, progress: Callable[[int, int], None] = lambda done, total: None) -> Iterator[Exhibit]:
    """Yield an exhibit for each discretisation and each search of the table."""
    rows = [row for row in METHODS if row.family in ("space", "search")]
    for done, row in enumerate(rows):
        progress(done, len(rows))
        yield _space(hall, row) if row.family == "space" else _search(hall, row)
    progress(len(rows), len(rows))


def _space(hall: Hall, row: Method) -> Exhibit:
    known = signature(row.load()).parameters
    options: dict[str, Any] = {"edge": EDGE} if "edge" in known else {"samples": PLACES} if "samples" in known else {}
    measured = measure(row, hall.world, repeats=1, **options)
    return Exhibit(row, space_scene(measured.made, ground_scene(hall.world)), describe(measured))


def describe(measured: Measured) -> str:
    """Return what was measured of a discretisation, in one line."""
    mean, most = measured.degree
    return (
        f"{measured.states:,} states, {measured.arcs:,} arcs (mean {mean:.1f}, at most {most}), "
        f"{measured.bytes / 1000:,.0f} kB, {1e3 * measured.seconds:.1f} ms"
    )


def _search(hall: Hall, row: Method) -> Exhibit:
    space, start, goal = search_ends(hall, row)
    known = signature(row.load()).parameters
    options: dict[str, Any] = {"traced": True} if "traced" in known else {}
    options |= {"corners": "loose"} if isinstance(space, Grid) and row.any_angle and "loose" in row.corners else {}
    if not row.complete and "limit" in known and known["limit"].default == 0:
        options["limit"] = LIMIT
    result: Result[Any] = row.load()(space, start, goal, **options)
    scene = (
        search_scene(space, result.trace, result.value)
        if result.trace is not None
        else path_scene(space, result.value)
        if result.value is not None
        else ground_scene(space)
    )
    expanded = result.stats.get("expanded", result.stats.get("states", 0))
    found = f"length {result.value.cost:.3f}" if result.value is not None else result.reason
    return Exhibit(row, scene, f"{found}, {int(expanded):,} expanded")


def search_ends(hall: Hall, row: Method) -> tuple[Grid | Graph | World, Any, Any]:
    """Return what a method searches in the hall, and its ends: vertices of the map if it takes one, else places."""
    if "grid" not in row.spaces:
        return hall.world, hall.start, hall.goal
    start, goal = (hall.grid.vertex(int(x), int(y)) for x, y in (hall.start, hall.goal))
    return hall.grid, start, goal


def write_gallery(
    folder: FilePath, hall: Hall, *, progress: Callable[[int, int], None] = lambda done, total: None
) -> list[FilePath]:
    """Write a picture for each exhibit, FAMILY-NAME.png, and index.html with all of them; return the files."""
    files: list[FilePath] = []
    figures: dict[str, list[str]] = {"space": [], "search": []}
    for exhibit in exhibits(hall, progress=progress):
        row = exhibit.row
        file = folder / f"{row.family}-{row.name}.png"
        save_picture(exhibit.scene, file)
        files.append(file)
        caption = f"<b>{text(row.name)}</b>: {text(row.summary)}<br/>{text(exhibit.caption)}"
        figures[row.family].append(figure(to_svg(exhibit.scene, width=520), caption, look="map"))
    page = document(
        "Anabasis: the gallery",
        "<h1>The gallery</h1>",
        '<p class="lead">One map; how each discretisation cuts it, and what each search looks at on the way from the '
        "lower left to the upper right.</p>",
        section("Discretisations", '<div class="pair">', *figures["space"], "</div>"),
        section("Searches", '<div class="pair">', *figures["search"], "</div>"),
        colours=(),
    )
    index = folder / "index.html"
    write_atomic(index, page.encode())
    return [index, *files]

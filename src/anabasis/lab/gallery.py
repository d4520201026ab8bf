"""Gallery: one map, and on it a picture of every discretisation, every search of the table and more, on one page.

The searches are pictured by what they expanded and in which order, so that one sees at once how they differ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from inspect import signature
from pathlib import Path as FilePath
from typing import Any

from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.io.atomic import write_atomic
from anabasis.lab.discretisations import Measured, cells_of, measure
from anabasis.lab.gallery_extras import extras
from anabasis.lab.hall import Exhibit, Hall, example_hall
from anabasis.lab.page import document, figure, section, text
from anabasis.methods import METHODS, Method
from anabasis.result import Result
from anabasis.view.scene import ground_scene, path_scene, search_scene
from anabasis.view.show import save_picture
from anabasis.view.spaces import space_scene
from anabasis.view.svg import to_svg
from anabasis.world import World

__all__ = ["Exhibit", "Hall", "example_hall", "exhibits", "write_gallery"]

LIMIT = 200_000  # expansions after which a search that may not end is cut off
EDGE = 2.0  # of the cells of lattices, so that they are seen
PLACES = 150  # of a roadmap
MORE = 9  # exhibits beside those of the table
SECTIONS = {
    "space": "Discretisations",
    "search": "Searches",
    "more": "Layers, levels and smoothing",
    "drive": "Motions",
}


def exhibits(hall: Hall, *, progress: Callable[[int, int], None] = lambda done, total: None) -> Iterator[Exhibit]:
    """Yield an exhibit for each discretisation and each search of the table, and then the others."""
    rows = [row for row in METHODS if row.family in ("space", "search")]
    total = len(rows) + MORE
    for done, row in enumerate(rows):
        progress(done, total)
        yield _space(hall, row) if row.family == "space" else _search(hall, row)
    for done, exhibit in enumerate(extras(hall), len(rows) + 1):
        yield exhibit
        progress(min(done, total), total)


def _space(hall: Hall, row: Method) -> Exhibit:
    known = signature(row.load()).parameters
    options: dict[str, Any] = {"edge": EDGE} if "edge" in known else {"samples": PLACES} if "samples" in known else {}
    measured = measure(row, hall.world, repeats=1, **options)
    cells = cells_of(row, hall.world, **options)
    scene = space_scene(measured.made if cells is None else cells, ground_scene(hall.world))
    return Exhibit(row.family, row.name, row.summary, scene, describe(measured))


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
    return Exhibit(row.family, row.name, row.summary, scene, f"{found}, {int(expanded):,} expanded")


def search_ends(hall: Hall, row: Method) -> tuple[Grid | Graph | World, Any, Any]:
    """Return what a method searches in the hall, and its ends: vertices of the map if it takes one, else places."""
    if "grid" not in row.spaces:
        return hall.world, hall.start, hall.goal
    start, goal = (hall.grid.vertex(int(x), int(y)) for x, y in (hall.start, hall.goal))
    return hall.grid, start, goal


def write_gallery(
    folder: FilePath, hall: Hall, *, progress: Callable[[int, int], None] = lambda done, total: None
) -> list[FilePath]:
    """Write a picture for each exhibit, GROUP-NAME.png, and index.html with all of them; return the files."""
    files: list[FilePath] = []
    figures: dict[str, list[str]] = {group: [] for group in SECTIONS}
    for exhibit in exhibits(hall, progress=progress):
        file = folder / f"{exhibit.group}-{exhibit.name}.png"
        save_picture(exhibit.scene, file)
        files.append(file)
        caption = f"<b>{text(exhibit.name)}</b>: {text(exhibit.summary)}<br/>{text(exhibit.caption)}"
        figures[exhibit.group].append(figure(to_svg(exhibit.scene, width=520), caption, look="map"))
    page = document(
        "Anabasis: the gallery",
        "<h1>The gallery</h1>",
        '<p class="lead">One map; how each discretisation cuts it, what each search looks at on the way from the lower '
        "left to the upper right, and what else there is.</p>",
        *(section(title, '<div class="pair">', *figures[group], "</div>") for group, title in SECTIONS.items()),
        colours=(),
    )
    index = folder / "index.html"
    write_atomic(index, page.encode())
    return [index, *files]

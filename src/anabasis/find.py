"""Three lines to a path: load a map, find a path, look at it; and `save`, the way back.

grid = anabasis.load("arena.map")
answer = anabasis.find_path(grid, (1, 11), (9, 30))
answer.show()
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from inspect import signature
from operator import index
from pathlib import Path as FilePath
from typing import Any

import numpy as np

from anabasis.errors import InputError
from anabasis.gamemap import GameMap
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.methods import METHODS, Method
from anabasis.methods import method as method_row
from anabasis.navmesh import NavMesh
from anabasis.plan import Path
from anabasis.result import Result, Status
from anabasis.world import World

__all__ = ["Answer", "discretised", "find_path", "load", "save"]


@dataclass(frozen=True, eq=False)
class Answer:
    """What `find_path` found: true if there is a path; it can be looked at.

    `path` is None without a path, and `reason` then says why; `nearest` is the reachable cell nearest to the goal, on
    polygons a place. `graph` is what was searched if it was the graph of a discretisation, with the ends joined to it.
    `land` is the generated map that was asked about, if it was one.
    """

    space: Grid | World
    start: tuple[float, float]
    goal: tuple[float, float]
    result: Result[Path]
    graph: Graph | None = None
    land: GameMap | None = None

    def __bool__(self) -> bool:
        return self.result.status is Status.SOLVED

    def __repr__(self) -> str:
        if self.path is None:
            return f"<no path from {self.start} to {self.goal}: {self.reason}>"
        size = f"{len(self.cells)} cells" if self.cells else f"{len(self.path.points)} corners"
        return f"<path from {self.start} to {self.goal}: cost {self.cost:.6f}, {size}>"

    @property
    def path(self) -> Path | None:
        """The path, None without one."""
        return self.result.value

    @property
    def cost(self) -> float:
        """What walking the path costs; inf without one."""
        return float("inf") if self.path is None else self.path.cost

    @property
    def cells(self) -> list[tuple[int, int]]:
        """The cells (x, y) of the path from start to goal; none on a path that turns by any angle."""
        if self.path is None or self.graph is not None or not isinstance(self.space, Grid):
            return []
        return [self.space.cell(int(v)) for v in self.path.vertices]

    @property
    def reason(self) -> str:
        """Why there is no path; empty when there is one."""
        return self.result.reason

    @property
    def nearest(self) -> tuple[float, float] | None:
        """The reachable cell (or place) (x, y) nearest to a goal that can't be reached, None if not known."""
        stats = self.result.stats
        if "nearest_x" not in stats:
            return None
        x, y = stats["nearest_x"], stats["nearest_y"]
        return (x, y) if self.graph is not None or isinstance(self.space, World) else (int(x), int(y))

    def picture(self, *, searched: bool = False) -> Any:
        """Return the picture: the map, with the path on it if there is one.

        searched: show what was looked at, if the search was recorded (`traced=True`).
        """
        from anabasis.view.scene import game_map_scene, ground_scene, path_scene, search_scene

        if searched and self.result.trace is not None:
            if self.graph is None:
                return search_scene(self.space, self.result.trace, self.path)
            return search_scene(self.graph, self.result.trace, self.path, ground=ground_scene(self.space))
        ground = ground_scene(self.space) if self.land is None else game_map_scene(self.land)
        return ground if self.path is None else path_scene(ground, self.path)

    def show(self) -> None:
        """Look at it: inline in a notebook, else in the program that opens pictures."""
        from anabasis.view.show import show

        show(self.picture())

    def save(self, file: str | FilePath) -> None:
        """Write the picture to a file, .png or .svg."""
        from anabasis.view.show import save_picture

        save_picture(self.picture(), file)

    def _repr_svg_(self) -> str:
        from anabasis.view.svg import to_svg

        return to_svg(self.picture())


def load(file: str | FilePath, *, movement: str | None = None) -> Any:
    """Load a map (.map, .tmj, .ldtk, a picture, text), a scenario or manoeuvre (.toml), an area (.wkt, .geojson), any
    saved noun (.npz).

    movement: the movement class that sees a map's terrain, by default a unit on land. Raises InputError that names the
    file, the place in it, what was found and what was expected.
    """
    from anabasis.io.kinds import kind_of
    from anabasis.io.maps import load_grid

    kind = kind_of(file)
    if kind == "scenario":
        from anabasis.io.scenario import load_scenario

        return load_scenario(file)
    if kind == "manoeuvre":
        from anabasis.formation.files import load_manoeuvre

        return load_manoeuvre(file)
    if kind == "area":
        if movement is not None:
            raise InputError("an area of polygons has no terrain", file=file, found=f"movement={movement!r}")
        from anabasis.io.areas import load_area

        return load_area(file, several=True)
    if movement is None and kind == "archive":
        from anabasis.io.archive import load as load_noun

        return load_noun(file)
    return load_grid(file, movement)


def save(noun: object, file: str | FilePath) -> None:
    """Save any noun so that `load` gives it back.

    .npz for all; .map, .txt or .png for a Grid or GameMap, .toml for a Scenario, .wkt or .geojson for the free space
    of a World. Raises InputError if the file can't be written or the suffix does not fit the noun.
    """
    from anabasis.scenario import Scenario

    suffix = FilePath(file).suffix.lower()
    if suffix == ".npz":
        from anabasis.io.archive import save as save_noun

        save_noun(noun, file)
    elif isinstance(noun, (Grid, GameMap)):
        from anabasis.io.maps import save_grid

        save_grid(noun, file)
    elif isinstance(noun, Scenario) and suffix == ".toml":
        from anabasis.io.scenario import save_scenario

        save_scenario(noun, file)
    elif isinstance(noun, World) and suffix in (".wkt", ".geojson"):
        from anabasis.io.areas import save_area

        save_area(noun, file)
    else:
        kinds = ".npz, .wkt or .geojson" if isinstance(noun, World) else ".npz"
        raise InputError(
            "unknown format", file=file, found=repr(suffix), expected=f"{kinds} for a {type(noun).__name__}"
        )


def find_path(
    space: Grid | World | GameMap,
    start: tuple[float, float],
    goal: tuple[float, float],
    *,
    method: str | None = None,
    shorten: bool = False,
    graph: Graph | None = None,
    ends: str = "joined",
    **options: Any,
) -> Answer:
    """Find a path with a search method of the table: between two cells (x, y) of a Grid, or two places of a World.

    A GameMap is taken as units on land see it; `grid(movement)` of it is the map as others do.
    method: by default astar, in a World polyanya. A method that searches worlds also takes a Grid whose free cells all
    cost 1: it then goes from the centre of a cell to that of another, around the outline of the blocked cells. shorten:
    replace what lies between two cells of the path that see each other by a straight line; such a path has points but
    no cells, and turns by any angle. Other options are those of the method, such as `neighbours=4`, `corners="none"` or
    `weight=1.5`.

    graph: that of a discretisation of the space (`anabasis.decompose`); methods for graphs then search it, by default
    astar, from place to place. ends: how start and goal belong to it, see `search.places`. Raises InputError for an end
    outside the map, an unknown method or option; a goal that can't be reached is an answer that is false.
    """
    if isinstance(space, GameMap):
        land, space = space, space.grid()
        found = find_path(space, start, goal, method=method, shorten=shorten, graph=graph, ends=ends, **options)
        return replace(found, land=land)
    if not isinstance(space, (Grid, World)):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InputError(
            "no map to find a path on", found=repr(space), expected="a Grid or a World", hint="anabasis.load(file)"
        )
    if method is None:
        method = "polyanya" if isinstance(space, World) and graph is None else "astar"
    row = method_row("search", method)
    search = row.load()
    known = [name for name, p in signature(search).parameters.items() if p.kind is p.KEYWORD_ONLY]
    for name in options:
        if name not in known:
            raise InputError(f"the method {method} has no option {name!r}", expected=" or ".join(known))
    if shorten and (row.any_angle or (isinstance(space, World) and graph is None)):
        raise InputError(f"paths of the method {method} are straight already", hint="leave out the shortening")
    if graph is not None:
        return _on_graph(row, graph, space, start, goal, shorten, {"ends": ends, **options})
    if isinstance(space, World):
        if "world" not in row.spaces:
            raise InputError(
                f"the method {method} takes no world of polygons",
                expected=" or ".join(r.name for r in METHODS if r.family == "search" and "world" in r.spaces),
                hint="or make a graph of the world first (anabasis.decompose) and hand it over as graph=",
            )
        return Answer(space, _place(start, "start"), _place(goal, "goal"), search(space, start, goal, **options))
    cells = _cell(start, "start"), _cell(goal, "goal")
    vertices = [space.vertex(*cell) for cell in cells]
    if "grid" in row.spaces:
        result = search(space, *vertices, **options)
    else:
        from anabasis.decompose.outline import grid_world

        if not space.uniform:
            raise InputError(
                f"the method {method} knows no prices", found="a map with prices", hint="astar and dijkstra heed them"
            )
        result = search(grid_world(space), *map(tuple, space.centres(vertices).tolist()), **options)
    if shorten and result.value is not None:
        from anabasis.search.smoothing import shorten as shortened

        way = shortened(space, result.value, corners=options.get("corners", "strict"))
        straight = float(np.hypot(goal[0] - start[0], goal[1] - start[1]))
        # the method's bound holds for ways from cell to cell only
        result = replace(result, value=way, bound=min(straight, way.cost))
    return Answer(space, *cells, result)


def discretised(name: str, ground: Grid | World, **options: Any) -> Graph | NavMesh:
    """Return what a discretisation of the table makes of a map or a world; one that heeds prices sees those of a map.

    Raises InputError for an unknown name, and whatever the discretisation raises.
    """
    from anabasis.decompose.cells import ground as polygons_of

    make = method_row("space", name).load()
    prices = "space" in signature(make).parameters and "mesh" not in name  # those that heed prices take a map
    return make(ground if prices else polygons_of(ground), **options)


def _on_graph(
    row: Method, graph: Graph, space: Grid | World, start: Any, goal: Any, shorten: bool, options: dict[str, Any]
) -> Answer:
    """Search the graph of a discretisation; cells of a Grid stand for their centres."""
    from anabasis.search.places import search_places, sees

    search = row.load()
    if "graph" not in row.spaces and not sees(search):
        takes = [r.name for r in METHODS if r.family == "search" and ("graph" in r.spaces or sees(r.load()))]
        raise InputError(f"the method {row.name} takes no graph", expected=" or ".join(takes))
    places = [_place(start, "start"), _place(goal, "goal")]
    if isinstance(space, Grid):
        vertices = [space.vertex(*_cell(place, name)) for place, name in ((start, "start"), (goal, "goal"))]
        places = [(float(x), float(y)) for x, y in space.centres(vertices).tolist()]
    found = search_places(search, graph, space, *places, **options)
    result = found.result
    if shorten and result.value is not None:
        from anabasis.decompose.cells import ground
        from anabasis.search.smoothing import shorten as shortened

        if isinstance(space, Grid) and not space.uniform:
            raise InputError("a path on a graph can't be shortened on a map with prices", hint="leave out --shorten")
        way = shortened(ground(space), result.value)
        straight = float(np.hypot(found.goal[0] - found.start[0], found.goal[1] - found.start[1]))
        result = replace(result, value=way, bound=min(straight, way.cost))
    return Answer(space, found.start, found.goal, result, found.graph)


def _cell(cell: Any, name: str) -> tuple[int, int]:
    try:
        x, y = cell
        return index(x), index(y)
    except (TypeError, ValueError):
        raise InputError(f"{name} of a path", found=repr(cell), expected="a cell (x, y) of whole numbers") from None


def _place(place: Any, name: str) -> tuple[float, float]:
    try:
        x, y = place
        return float(x), float(y)
    except (TypeError, ValueError):
        raise InputError(f"{name} of a path", found=repr(place), expected="a place (x, y)") from None

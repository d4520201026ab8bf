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
from anabasis.grid import Grid
from anabasis.methods import METHODS
from anabasis.methods import method as method_row
from anabasis.plan import Path
from anabasis.result import Result, Status
from anabasis.world import World

__all__ = ["Answer", "find_path", "load", "save"]


@dataclass(frozen=True, eq=False)
class Answer:
    """What `find_path` found: true if there is a path; it can be looked at.

    `path` is None without a path, and `reason` then says why; `nearest` is the reachable cell nearest to the goal.
    """

    space: Grid | World
    start: tuple[float, float]
    goal: tuple[float, float]
    result: Result[Path]

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
        if self.path is None or not isinstance(self.space, Grid):
            return []
        return [self.space.cell(int(v)) for v in self.path.vertices]

    @property
    def reason(self) -> str:
        """Why there is no path; empty when there is one."""
        return self.result.reason

    @property
    def nearest(self) -> tuple[int, int] | None:
        """The reachable cell (x, y) nearest to a goal that can't be reached, None if not known."""
        stats = self.result.stats
        return (int(stats["nearest_x"]), int(stats["nearest_y"])) if "nearest_x" in stats else None

    def picture(self) -> Any:
        """Return the picture: the map, with the path on it if there is one."""
        from anabasis.view.scene import ground_scene, path_scene

        return ground_scene(self.space) if self.path is None else path_scene(self.space, self.path)

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
    """Load a map (.map, a picture, text), a scenario (.toml) or any saved noun (.npz).

    movement: the movement class that sees a map's terrain, by default a unit on land. Raises InputError that names the
    file, the place in it, what was found and what was expected.
    """
    from anabasis.io.maps import file_kind, load_grid

    if FilePath(file).suffix.lower() == ".toml":
        from anabasis.io.scenario import load_scenario

        return load_scenario(file)
    if movement is None and file_kind(file) == "archive":
        from anabasis.io.archive import load as load_noun

        return load_noun(file)
    return load_grid(file, movement)


def save(noun: object, file: str | FilePath) -> None:
    """Save any noun so that `load` gives it back: .npz for all; .map, .txt or .png for a Grid, .toml for a Scenario.

    Raises InputError if the file can't be written or the suffix does not fit the noun.
    """
    from anabasis.scenario import Scenario

    suffix = FilePath(file).suffix.lower()
    if suffix == ".npz":
        from anabasis.io.archive import save as save_noun

        save_noun(noun, file)
    elif isinstance(noun, Grid):
        from anabasis.io.maps import save_grid

        save_grid(noun, file)
    elif isinstance(noun, Scenario) and suffix == ".toml":
        from anabasis.io.scenario import save_scenario

        save_scenario(noun, file)
    else:
        raise InputError("unknown format", file=file, found=repr(suffix), expected=f".npz for a {type(noun).__name__}")


def find_path(
    space: Grid | World,
    start: tuple[float, float],
    goal: tuple[float, float],
    *,
    method: str = "astar",
    shorten: bool = False,
    **options: Any,
) -> Answer:
    """Find a path with a search method of the table: between two cells (x, y) of a Grid, or two places of a World.

    A method that searches worlds also takes a Grid whose free cells all cost 1: it then goes from the centre of a cell
    to that of another, around the outline of the blocked cells. shorten: replace what lies between two cells of the
    path that see each other by a straight line; such a path has points but no cells, and turns by any angle. Other
    options are those of the method, such as `neighbours=4`, `corners="none"` or `weight=1.5`. Raises InputError for an
    end outside the map, an unknown method or option; a goal that can't be reached is an answer that is false.
    """
    if not isinstance(space, (Grid, World)):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InputError(
            "no map to find a path on", found=repr(space), expected="a Grid or a World", hint="anabasis.load(file)"
        )
    row = method_row("search", method)
    search = row.load()
    known = [name for name, p in signature(search).parameters.items() if p.kind is p.KEYWORD_ONLY]
    for name in options:
        if name not in known:
            raise InputError(f"the method {method} has no option {name!r}", expected=" or ".join(known))
    if shorten and (row.any_angle or isinstance(space, World)):
        raise InputError(f"paths of the method {method} are straight already", hint="leave out the shortening")
    if isinstance(space, World):
        if "world" not in row.spaces:
            raise InputError(
                f"the method {method} takes no world of polygons",
                expected=" or ".join(r.name for r in METHODS if r.family == "search" and "world" in r.spaces),
                hint="or make a graph of the world first: anabasis.decompose",
            )
        return Answer(space, _place(start, "start"), _place(goal, "goal"), search(space, start, goal, **options))
    cells = _cell(start, "start"), _cell(goal, "goal")
    ends = [space.vertex(*cell) for cell in cells]
    if "grid" in row.spaces:
        result = search(space, *ends, **options)
    else:
        from anabasis.decompose.outline import grid_world

        if not space.uniform:
            raise InputError(
                f"the method {method} knows no prices", found="a map with prices", hint="astar and dijkstra heed them"
            )
        result = search(grid_world(space), *map(tuple, space.centres(ends).tolist()), **options)
    if shorten and result.value is not None:
        from anabasis.search.smoothing import shorten as shortened

        way = shortened(space, result.value, corners=options.get("corners", "strict"))
        straight = float(np.hypot(goal[0] - start[0], goal[1] - start[1]))
        # the method's bound holds for ways from cell to cell only
        result = replace(result, value=way, bound=min(straight, way.cost))
    return Answer(space, *cells, result)


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

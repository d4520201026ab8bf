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
from anabasis.methods import method as method_row
from anabasis.plan import Path
from anabasis.result import Result, Status

__all__ = ["Answer", "find_path", "load", "save"]


@dataclass(frozen=True, eq=False)
class Answer:
    """What `find_path` found: true if there is a path; it can be looked at.

    `path` is None without a path, and `reason` then says why; `nearest` is the reachable cell nearest to the goal.
    """

    grid: Grid
    start: tuple[int, int]
    goal: tuple[int, int]
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
        """The cells (x, y) of the path from start to goal; none on a shortened path."""
        return [] if self.path is None else [self.grid.cell(int(v)) for v in self.path.vertices]

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
        from anabasis.view.scene import map_scene, path_scene

        return map_scene(self.grid) if self.path is None else path_scene(self.grid, self.path)

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


def _vertex(grid: Grid, name: str, cell: Any) -> int:
    try:
        x, y = cell
        return grid.vertex(index(x), index(y))
    except (TypeError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{name} of a path", found=repr(cell), expected="a cell (x, y) of whole numbers") from None


def find_path(
    grid: Grid,
    start: tuple[int, int],
    goal: tuple[int, int],
    *,
    method: str = "astar",
    shorten: bool = False,
    **options: Any,
) -> Answer:
    """Find a path between two cells (x, y) with a search method of the table.

    shorten: replace what lies between two cells of the path that see each other by a straight line; such a path has
    points but no cells, and turns by any angle. Other options are those of the method, such as `neighbours=4`,
    `corners="none"` or `weight=1.5`. Raises InputError for a cell outside the map, an unknown method or option; a goal
    that can't be reached is an answer that is false.
    """
    if not isinstance(grid, Grid):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InputError("no map to find a path on", found=repr(grid), expected="a Grid", hint="anabasis.load(file)")
    ends = [_vertex(grid, name, cell) for name, cell in (("start", start), ("goal", goal))]
    search = method_row("search", method).load()
    known = [name for name, p in signature(search).parameters.items() if p.kind is p.KEYWORD_ONLY]
    for name in options:
        if name not in known:
            raise InputError(f"the method {method} has no option {name!r}", expected=" or ".join(known))
    result = search(grid, *ends, **options)
    if shorten and result.value is not None:
        from anabasis.search.smoothing import shorten as shortened

        way = shortened(grid, result.value, corners=options.get("corners", "strict"))
        straight = float(np.hypot(goal[0] - start[0], goal[1] - start[1]))
        # the method's bound holds for ways from cell to cell only
        result = replace(result, value=way, bound=min(straight, way.cost))
    return Answer(grid, (int(start[0]), int(start[1])), (int(goal[0]), int(goal[1])), result)

"""What the command `path` tells: a person in lines, a program in one object."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from anabasis.cli.output import Output

if TYPE_CHECKING:
    from anabasis.find import Answer

__all__ = ["Moved", "moved_ends", "path_data", "say_path"]

Moved = Mapping[str, tuple[float, float]]


def moved_ends(ground: Any, places: Sequence[tuple[float, float]], answer: Answer) -> Moved:
    """Return from where to where the path leads, for those ends that are not where they were asked for."""
    from anabasis.grid import Grid

    asked = [(x + 0.5, y + 0.5) for x, y in places] if isinstance(ground, Grid) else places
    there = zip(("start", "goal"), asked, (answer.start, answer.goal), strict=True)
    return {name: place for name, (x, y), place in there if (x, y) != place}


def say_path(output: Output, answer: Answer, with_slopes: str, above: str, moved: Moved) -> None:
    """Tell a person what was found. with_slopes, above: to be said of the cost."""
    if not output.chatty:
        return
    from anabasis.cli.drawing import draw_map
    from anabasis.grid import Grid

    on_map = isinstance(answer.space, Grid) and answer.graph is None
    if answer.path is None:
        output.say(f"no path: {answer.reason}", style="bold red")
        if answer.nearest is not None:
            what = "cell" if on_map else "place known"
            output.say(f"the reachable {what} nearest to the goal is {answer.nearest[0]:g},{answer.nearest[1]:g}")
        return
    if isinstance(answer.space, Grid):
        draw_map(output, answer.space, answer.cells or [(int(x), int(y)) for x, y in answer.path.points])
    for name, (x, y) in moved.items():
        output.say(f"the {name} was moved to the nearest state, {x:g},{y:g}")
    expanded = int(answer.result.stats.get("expanded", 0))
    size = f"{len(answer.cells)} cells" if answer.cells else f"{len(answer.path.points)} corners"
    graph = "" if answer.graph is None else f" of {answer.graph.size} states"
    output.say(f"cost {answer.cost:.6f}{with_slopes}{above}, {size}, {expanded} expanded{graph}")


def path_data(answer: Answer, **more: object) -> dict[str, Any]:
    """Return what was found for programs, with what only the command knows."""
    return {
        "status": answer.result.status.name.lower(),
        "reason": answer.reason,
        "cost": answer.cost,
        "bound": answer.result.bound,
        "length": None if answer.path is None else answer.path.length,
        "cells": answer.cells,
        "points": [] if answer.path is None else answer.path.points,
        "nearest": answer.nearest,
        "stats": dict(answer.result.stats),
        **more,
    }

"""Places: a search on the graph of a discretisation, from any free place of the world to any other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from inspect import Parameter, signature
from typing import Any

import numpy as np

from anabasis.decompose.cells import ground
from anabasis.decompose.nearest import joined, nearest_state
from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.plan import Path
from anabasis.result import Result, Status
from anabasis.search.sampling import Ends
from anabasis.world import World

__all__ = ["ENDS", "Placed", "search_places", "sees"]

ENDS = ("joined", "nearest")


@dataclass(frozen=True)
class Placed:
    """An answer with the graph that was searched, and where in it the path begins and ends."""

    result: Result[Path]
    graph: Graph
    start: tuple[float, float]
    goal: tuple[float, float]


def sees(search: Callable[..., Any]) -> bool:
    """Whether a search for lines of sight on a graph has to be told the world: it has the option `world`."""
    option = signature(search).parameters.get("world")
    return option is not None and option.kind is Parameter.KEYWORD_ONLY


def search_places(
    search: Callable[..., Result[Path]],
    graph: Graph,
    space: World | Grid,
    start: Sequence[float],
    goal: Sequence[float],
    *,
    ends: str = "joined",
    **options: Any,
) -> Placed:
    """Search the graph of a discretisation of a world between two places (x, y), with any search that takes graphs.

    ends: *joined* makes start and goal states of the graph, joined to those nearest to them in sight (and to each other
    if they see each other); *nearest* goes from the nearest state to the nearest one, and does not count the way there.
    A search with the option `world` (one that looks for lines of sight) is handed the world. Other options are those of
    the search. NO_SOLUTION says what is in the way: an end in an obstacle, parts of the world that are not connected,
    or that only the graph has no way. Raises InputError for an end that is no place or outside of the world.
    """
    if ends not in ENDS:
        raise InputError("unknown way to join ends", found=repr(ends), expected=" or ".join(ENDS))
    world = ground(space)
    query = Ends(world, start, goal)
    if query.closed is not None:
        return Placed(query.closed, graph, query.start, query.goal)
    if ends == "joined":
        net = joined(graph, space, np.array([query.start, query.goal]))
        numbers = [graph.size, graph.size + 1]
        for number, role in zip(numbers, ("start", "goal"), strict=True):
            if net.indptr[number] == net.indptr[number + 1]:
                reason = f"the {role} sees no state of the graph: the discretisation is too coarse there"
                return Placed(query.none(reason), net, query.start, query.goal)
    else:
        if not graph.size:
            reason = "the graph has no states: the discretisation is too coarse"
            return Placed(query.none(reason), graph, query.start, query.goal)
        net = graph
        numbers = [nearest_state(graph, space, place) for place in (query.start, query.goal)]
    if sees(search):
        options["world"] = world
    result = search(net, *numbers, **options)
    if result.status is Status.NO_SOLUTION:
        reason = "the graph has no way from the start to the goal, though the world has: it is too coarse somewhere"
        result = replace(result, reason=reason)
    places = [(float(x), float(y)) for x, y in net.points[numbers].tolist()]
    return Placed(result, net, places[0], places[1])

"""The table of every method: name, family, where it is, what it needs, what it promises, its source.

The command line, the lab, the cards of the documentation and the contract tests read this table. Adding a method is one
module, one test, one row. By its family a method has one of these signatures:

- `search`: `(space, start, goal, **options) -> Result[Path]`; start and goal are vertices of a Grid or a Graph, or
  places (x, y) of a World;
- `space`: `(world, **options)`, a discretisation of a World, which makes a Graph or a NavMesh;
- `group`: `(grid, group, *, seed) -> Result[GroupPlan]`, on the grid as the group's movement class sees it; it may
  have a second function, `(grid, groups, *, seed) -> list[Result[GroupPlan]]`, for all groups that share the map.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from anabasis.errors import InputError
from anabasis.scenario import Scenario

__all__ = ["METHODS", "Method", "method", "names"]


@dataclass(frozen=True)
class Method:
    """One row: `function` is "module:function"; `spaces` the kinds of world that it takes.

    optimal: the cost is the least possible; for a method of any angle, of all ways and not only those from cell to
    cell. complete: a solution is found if there is one. Every method is deterministic: the same input and seed give the
    same bytes. On a Grid it takes `neighbours` and `corners` as named, other rules are refused; so are prices unless
    `priced`. when: for which job to pick it, for the method's card.
    """

    name: str
    family: str
    function: str
    spaces: tuple[str, ...]
    optimal: bool
    complete: bool
    summary: str
    source: str
    when: str = ""
    prepared: str = ""  # of a search for many queries on one map: "module:class" with `find`
    any_angle: bool = False
    seeded: bool = False
    neighbours: tuple[int, ...] = (8, 4)
    corners: tuple[str, ...] = ("strict", "loose", "none")
    priced: bool = True
    fixed: tuple[tuple[str, Any], ...] = ()  # options that make this row of the function
    together: str = ""  # of a group method that heeds the groups that share the map: "module:function"
    watcher: str = ""  # of a group method that changes its plans under way: "module:class"

    def load(self) -> Callable[..., Any]:
        """Import the method's module and return its function."""
        return _imported(self.function)

    def load_prepared(self) -> Callable[..., Any] | None:
        """Return the class that answers many queries on one map, None if the method has none."""
        return _imported(self.prepared) if self.prepared else None

    def load_together(self) -> Callable[..., Any] | None:
        """Return the function that plans for several groups at once, None for a method that plans for each alone."""
        return _imported(self.together) if self.together else None

    def load_watcher(self, scenario: Scenario, seed: int) -> Any:
        """Return what watches over a run of this method, None for a method whose plans stay as they are.

        It has `plan(grid, number, group)`, a plan for what is left of a group after a change of the map, and `review`
        (see `sim.review.Review`).
        """
        if not self.watcher:
            return None
        return _imported(self.watcher)(scenario, seed=seed)


def _imported(name: str) -> Any:
    """Return what "module:name" stands for."""
    module, inside = name.split(":")
    return getattr(import_module(module), inside)


METHODS: tuple[Method, ...] = (
    Method(
        name="astar",
        family="search",
        function="anabasis.search.astar:astar",
        spaces=("grid", "graph"),
        optimal=True,
        complete=True,
        summary="shortest path, guided by a lower bound of the rest",
        source="Hart, Nilsson, Raphael: A formal basis for the heuristic determination of minimum cost paths, 1968",
        when="The first choice for a single query on any map: no preparation, any prices, any graph.",
        prepared="anabasis.search.astar:AStar",
    ),
    Method(
        name="dijkstra",
        family="search",
        function="anabasis.search.dijkstra:dijkstra",
        spaces=("grid", "graph"),
        optimal=True,
        complete=True,
        summary="shortest path, in all directions at once",
        source="Dijkstra: A note on two problems in connexion with graphs, 1959",
        when="When the ways to everywhere are wanted, or no estimate of the rest is known.",
    ),
    Method(
        name="breadth-first",
        family="search",
        function="anabasis.search.breadth_first:breadth_first",
        spaces=("grid", "graph"),
        optimal=False,
        complete=True,
        summary="the fewest steps, whatever they cost",
        source="Moore: The shortest path through a maze, 1959",
        when="When steps count and not their lengths, and for teaching.",
    ),
    Method(
        name="greedy",
        family="search",
        function="anabasis.search.greedy:greedy",
        spaces=("grid", "graph"),
        optimal=False,
        complete=True,
        summary="some path, quickly: always toward the vertex that looks nearest to the goal",
        source="Doran, Michie: Experiments with the Graph Traverser program, 1966",
        when="When any path will do and it has to be there at once, on a map with few dead ends.",
    ),
    Method(
        name="astar",
        family="group",
        function="anabasis.search.uncoordinated:plan_astar",
        spaces=("grid",),
        optimal=False,
        complete=True,
        summary="each unit takes its own shortest path and knows nothing of the others",
        source="Pacovský: Navigation of units in video games using flow networks, 2019, the method A*",
    ),
    Method(
        name="vector-field",
        family="group",
        function="anabasis.search.flow_field:plan_vector_field",
        spaces=("grid",),
        optimal=False,
        complete=True,
        summary="all units follow one field of directions, computed once by Dijkstra's search from the target",
        source="Pacovský: Navigation of units in video games using flow networks, 2019, the method Vector",
    ),
    Method(
        name="vector-field-bfs",
        family="group",
        function="anabasis.search.flow_field:plan_vector_field_bfs",
        spaces=("grid",),
        optimal=False,
        complete=True,
        summary="the vector field by breadth-first search: counts steps, not lengths",
        source="Pacovský: Navigation of units in video games using flow networks, 2019, the method Vector as built",
    ),
    Method(
        name="flow-centres",
        family="group",
        function="anabasis.flow.navigate:plan_flow_centres",
        spaces=("grid",),
        optimal=False,
        complete=True,
        summary="the group is split over routes by a flow through the centres of regions",
        source="Pacovský: Navigation of units in video games using flow networks, 2019, the method Flow 1",
        together="anabasis.flow.navigate:together_flow_centres",
    ),
    Method(
        name="flow-gates",
        family="group",
        function="anabasis.flow.navigate:plan_flow_gates",
        spaces=("grid",),
        optimal=False,
        complete=True,
        summary="the group is split over routes by a flow from gate to gate",
        source="Pacovský: Navigation of units in video games using flow networks, 2019, the method Flow 2",
        together="anabasis.flow.navigate:together_flow_gates",
    ),
    Method(
        name="flow-taut",
        family="group",
        function="anabasis.flow.navigate:plan_flow_taut",
        spaces=("grid",),
        optimal=False,
        complete=True,
        summary="as flow-gates, but each unit walks the shortest way through the gates of its route",
        source="Anabasis, after Pacovský: Navigation of units in video games using flow networks, 2019",
        together="anabasis.flow.navigate:together_flow_taut",
    ),
    Method(
        name="flow-replan",
        family="group",
        function="anabasis.flow.replan:plan_flow_replan",
        spaces=("grid",),
        optimal=False,
        complete=True,
        summary="as flow-taut, and the units under way are split anew when a route clogs or others take its gates",
        source="Anabasis, after Pacovský: Navigation of units in video games using flow networks, 2019",
        watcher="anabasis.flow.replan:Replanner",
        together="anabasis.flow.replan:together_flow_replan",
    ),
)


def names(family: str) -> list[str]:
    """Return the names of a family's methods in the order of the table."""
    return [row.name for row in METHODS if row.family == family]


def method(family: str, name: str) -> Method:
    """Return the row of a method; raises InputError that lists the family's names."""
    for row in METHODS:
        if row.family == family and row.name == name:
            return row
    raise InputError(f"unknown {family} method", found=repr(name), expected=" or ".join(names(family)))

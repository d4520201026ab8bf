"""The table of every method: name, family, where it is, what it needs, what it promises, its source.

The command line, the lab, the cards of the documentation and the contract tests read this table. Adding a method is one
module, one test, one row. By its family a method has one of these signatures:

- `search`: `(space, start, goal, **options) -> Result[Path]`; start and goal are vertices of a Grid or a Graph, or
  places (x, y) of a World;
- `space`: `(world, **options)`, a discretisation of a World, which makes a Graph or a NavMesh;
- `drive`: `(world, start, goal, car, *, seed) -> Result[Trajectory]`, from a pose (x, y, heading) to another or to a
  place;
- `mapf`: `(instance, **options) -> Result[Plan]`, for many agents on one map or graph;
- `group`: `(grid, group, *, seed) -> Result[GroupPlan]`, on the grid as the group's movement class sees it; it may
  have a second function, `(grid, groups, *, seed) -> list[Result[GroupPlan]]`, for all groups that share the map.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
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
    stepwise: str = ""  # of a solver that can be stopped by the clock: "module:class" with `advance` and `result`
    bounded: bool = False  # the cost is at most an option `weight` times the least possible
    can: tuple[str, ...] = ()  # of a solver: the `instance.FEATURES` that it handles beyond the classic problem

    def load(self) -> Callable[..., Any]:
        """Import the method's module and return its function."""
        return self._with_fixed(_imported(self.function))

    def load_prepared(self) -> Callable[..., Any] | None:
        """Return the class that answers many queries on one map, None if the method has none."""
        return self._with_fixed(_imported(self.prepared)) if self.prepared else None

    def load_stepwise(self) -> Callable[..., Any] | None:
        """Return the class that solves bit by bit, None for a solver that can't be stopped."""
        return self._with_fixed(_imported(self.stepwise)) if self.stepwise else None

    def _with_fixed(self, function: Callable[..., Any]) -> Callable[..., Any]:
        return partial(function, **dict(self.fixed)) if self.fixed else function

    def load_together(self) -> Callable[..., Any] | None:
        """Return the function that plans for several groups at once, None for a method that plans for each alone."""
        return _imported(self.together) if self.together else None

    def load_watcher(self, scenario: Scenario, seed: int) -> Any:
        """Return what watches over a run of this method, None for a method whose plans stay as they are.

        It has `plan(grid, number, group)`, a plan for what is left of a group after a change of the map, `review` (see
        `sim.review.Review`), and `copy()`, which remembers the same and learns for itself.
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
        name="bidirectional",
        family="search",
        function="anabasis.search.bidirectional:bidirectional",
        spaces=("grid", "graph"),
        optimal=True,
        complete=True,
        summary="shortest path, searched from both ends at once",
        source="Pijls, Post: Yet another bidirectional algorithm for finding the shortest path, 2009",
        when="On graphs, and in mazes with corridors, where it expands half of what A* does; elsewhere about as much.",
    ),
    Method(
        name="lpa-star",
        family="search",
        function="anabasis.search.lpa_star:lpa_star",
        spaces=("grid", "graph"),
        optimal=True,
        complete=True,
        summary="shortest path between fixed ends that can be mended when prices change",
        source="Koenig, Likhachev, Furcy: Lifelong planning A*, 2004",
        when="For the same two places again and again while roads open and close: the class LPAStar keeps its search.",
    ),
    Method(
        name="dstar-lite",
        family="search",
        function="anabasis.search.dstar_lite:dstar_lite",
        spaces=("grid", "graph"),
        optimal=True,
        complete=True,
        summary="shortest path for a unit under way, searched from the goal and mended as the world changes",
        source="Koenig, Likhachev: D* Lite, 2002",
        when="For a unit that walks while the world changes or is found out: the class DStarLite keeps its search.",
    ),
    Method(
        name="ida-star",
        family="search",
        function="anabasis.search.ida_star:ida_star",
        spaces=("grid", "graph"),
        optimal=True,
        complete=True,
        summary="shortest path by depth-first search within a bound of the cost that rises",
        source="Korf: Depth-first iterative-deepening: an optimal admissible tree search, 1985",
        when="For teaching, and as a second optimal answer made in another way; it expands 4 to 66 times what A* does.",
    ),
    Method(
        name="beam",
        family="search",
        function="anabasis.search.beam:beam",
        spaces=("grid", "graph"),
        optimal=False,
        complete=True,
        summary="some path, breadth first with only the best of each depth; a beam in vain is widened",
        source="Lowerre: The HARPY speech recognition system, 1976; Zhang: Complete anytime beam search, 1998",
        when="When a path a few per cent too long is good enough and memory for each depth has to be bounded.",
    ),
    Method(
        name="depth-first",
        family="search",
        function="anabasis.search.depth_first:depth_first",
        spaces=("grid", "graph"),
        optimal=False,
        complete=True,
        summary="some path, always on from the vertex found last",
        source="Lucas: Récréations mathématiques, 1882, after Trémaux",
        when="For teaching, and to ask whether there is a way at all; its paths cost 10 to 180 times the optimum.",
    ),
    Method(
        name="depth-limited",
        family="search",
        function="anabasis.search.depth_first:depth_limited",
        spaces=("grid", "graph"),
        optimal=False,
        complete=True,
        summary="some path of at most so many steps, depth first",
        source="Russell, Norvig: Artificial intelligence: a modern approach, 1995",
        when="For teaching, and to ask whether something is within so many steps.",
    ),
    Method(
        name="iterative-deepening",
        family="search",
        function="anabasis.search.depth_first:iterative_deepening",
        spaces=("grid", "graph"),
        optimal=False,
        complete=True,
        summary="the fewest steps, by depth-first searches with a rising limit",
        source="Korf: Depth-first iterative-deepening: an optimal admissible tree search, 1985",
        when=(
            "For teaching: what breadth-first finds, told by depth-first searches, in seconds instead of milliseconds."
        ),
    ),
    Method(
        name="hill-climbing",
        family="search",
        function="anabasis.search.hill_climbing:hill_climbing",
        spaces=("grid", "graph"),
        optimal=False,
        complete=False,
        summary="always on to the best neighbour, anew at random from where it is stuck",
        source="Russell, Norvig: Artificial intelligence: a modern approach, 1995",
        when="For teaching, and on open ground with next to no memory; hopeless in mazes.",
        seeded=True,
    ),
    Method(
        name="annealing",
        family="search",
        function="anabasis.search.annealing:annealing",
        spaces=("grid", "graph"),
        optimal=False,
        complete=False,
        summary="a random walk that takes steps away from the goal the less often the colder it is",
        source="Kirkpatrick, Gelatt, Vecchi: Optimization by simulated annealing, 1983",
        when="Among scattered obstacles, with a quarter of the expansions of A* at twice the cost; for teaching.",
        seeded=True,
    ),
    Method(
        name="alt",
        family="search",
        function="anabasis.search.landmarks:alt",
        spaces=("grid", "graph"),
        optimal=True,
        complete=True,
        summary="A* with an estimate from the distances to a few landmarks",
        source="Goldberg, Harrelson: Computing the shortest path: A* search meets graph theory, 2005",
        when=(
            "Many queries on maps with prices or on graphs: a fifth of the expansions of A*; on equal prices astar is"
            " faster."
        ),
        prepared="anabasis.search.landmarks:Landmarks",
    ),
    Method(
        name="hpa",
        family="search",
        function="anabasis.search.hpa:hpa",
        spaces=("grid",),
        optimal=False,
        complete=True,
        summary="a search among the entrances of clusters, unfolded piece by piece",
        source="Botea, Müller, Schaeffer: Near optimal hierarchical path-finding, 2004",
        when=(
            "When a unit has to set off at once: the outline is there first and is unfolded on the way; 0 to 6 % too "
            "long."
        ),
        prepared="anabasis.search.hpa:HPA",
    ),
    Method(
        name="jps",
        family="search",
        function="anabasis.search.jps:jps",
        spaces=("grid",),
        optimal=True,
        complete=True,
        summary="shortest path, over jump points found by blocks of cells",
        source=(
            "Harabor, Grastien: Online graph pruning for pathfinding on grid maps, 2011; Improving jump point search,"
            " 2014"
        ),
        when=(
            "The default on a map of equal prices: several times as fast as astar on random obstacles, tens of times "
            "on rooms, mazes and game maps; 10 ms of preparation, so it also suits maps that change."
        ),
        prepared="anabasis.search.jps:JPS",
        priced=False,
        neighbours=(8,),
    ),
    Method(
        name="hub-labels",
        family="search",
        function="anabasis.search.hub_labels:hub_labels",
        spaces=("grid",),
        optimal=True,
        complete=True,
        summary="shortest path from sorted lists of distances over a subgoal graph",
        source=(
            "Uras, Koenig, Hernández: Subgoal graphs for optimal pathfinding in eight-neighbor grids, 2013; Akiba, "
            "Iwata, Yoshida: Fast exact shortest-path distance queries on large networks by pruned landmark labeling,"
            " 2013"
        ),
        when=(
            "For very many queries on a map that stays: 3 to 12 µs a query, cells included, after less than a second "
            "on game maps; minutes where every third cell is a corner."
        ),
        prepared="anabasis.search.hub_labels:HubLabels",
        priced=False,
        neighbours=(8,),
        corners=("strict",),
    ),
    Method(
        name="theta",
        family="search",
        function="anabasis.search.theta:theta",
        spaces=("grid",),
        optimal=False,
        complete=True,
        summary="short path of any angle: a parent may be any vertex in sight",
        source="Nash, Daniel, Koenig, Felner: Theta*: any-angle path planning on grids, 2007",
        when=(
            "For natural paths on maps with prices, under the strict corner rule, or on a lattice in a world; 0.3 to "
            "1 % above the optimum on game maps."
        ),
        prepared="anabasis.search.theta:ThetaStar",
        any_angle=True,
    ),
    Method(
        name="lazy-theta",
        family="search",
        function="anabasis.search.lazy_theta:lazy_theta",
        spaces=("grid",),
        optimal=False,
        complete=True,
        summary="as theta, with one test of sight for each expansion",
        source="Nash, Koenig, Tovey: Lazy Theta*: any-angle path planning and path length analysis in 3D, 2010",
        when=(
            "Instead of theta where tests of sight are dear, as on lattices among polygons: about 15 % faster there, "
            "lengths about the same."
        ),
        prepared="anabasis.search.lazy_theta:LazyTheta",
        any_angle=True,
    ),
    Method(
        name="ap-theta",
        family="search",
        function="anabasis.search.ap_theta:ap_theta",
        spaces=("grid",),
        optimal=False,
        complete=True,
        summary="as theta, but what is in sight is known from angles that are passed on",
        source="Nash, Daniel, Koenig, Felner: Theta*: any-angle path planning on grids, 2007",
        when=(
            "When the work of an expansion must not depend on the length of lines; 0.5 to 1.5 % longer than theta and"
            " hardly faster."
        ),
        prepared="anabasis.search.ap_theta:APTheta",
        any_angle=True,
    ),
    Method(
        name="field-dstar",
        family="search",
        function="anabasis.search.field_dstar:field_dstar",
        spaces=("grid",),
        optimal=False,
        complete=True,
        summary="way of any angle over ground of different prices, through points between the corners of cells",
        source="Ferguson, Stentz: The Field D* algorithm for improved path planning and replanning, 2005",
        when="Any-angle paths on maps with prices: some 8 % cheaper than theta; the class FieldDStar mends them.",
        any_angle=True,
        neighbours=(8,),
        corners=("loose",),
    ),
    Method(
        name="anya",
        family="search",
        function="anabasis.search.anya:anya",
        spaces=("grid",),
        optimal=True,
        complete=True,
        summary="shortest path of any angle, over intervals of rows, with nothing prepared",
        source="Harabor, Grastien, Öz, Aksakalli: Optimal any-angle pathfinding in practice, 2016",
        when=(
            "Shortest any-angle paths on a grid of equal prices that changes: its tables take a tenth of a second at "
            "most, and it is 3 to 30 times as fast as theta on game maps."
        ),
        prepared="anabasis.search.anya:Anya",
        any_angle=True,
        priced=False,
        neighbours=(8,),
        corners=("loose",),
    ),
    Method(
        name="visibility-graph",
        family="search",
        function="anabasis.search.visibility_graph:visibility_graph",
        spaces=("world",),
        optimal=True,
        complete=True,
        summary="shortest path among polygons, over corners that see each other",
        source="Lozano-Pérez, Wesley: An algorithm for planning collision-free paths among polyhedral obstacles, 1979",
        when="For worlds with up to some thousand corners and many queries; polygons at any angle.",
        prepared="anabasis.search.visibility_graph:VisibilityGraph",
        any_angle=True,
    ),
    Method(
        name="polyanya",
        family="search",
        function="anabasis.search.polyanya:polyanya",
        spaces=("world",),
        optimal=True,
        complete=True,
        summary="shortest path among polygons, over intervals of the sides of a navigation mesh",
        source="Cui, Harabor, Grastien: Compromise-free pathfinding on a navigation mesh, 2017",
        when=(
            "The first choice for any-angle paths: a mesh made in hundredths of a second, then 0.02 to 0.16 ms a "
            "query on game maps, every path a shortest one. Not for maps of loose single cells."
        ),
        prepared="anabasis.search.polyanya:Polyanya",
        any_angle=True,
    ),
    Method(
        name="rrt",
        family="search",
        function="anabasis.search.rrt:rrt",
        spaces=("world",),
        optimal=False,
        complete=False,
        summary="some path, from a tree that grows toward random places",
        source="LaValle: Rapidly-exploring random trees: a new tool for path planning, 1998",
        when="For paths that differ from unit to unit, such as people who flee; about 1.4 times the shortest.",
        any_angle=True,
        seeded=True,
    ),
    Method(
        name="rrt-connect",
        family="search",
        function="anabasis.search.rrt_connect:rrt_connect",
        spaces=("world",),
        optimal=False,
        complete=False,
        summary="some path, from two trees that reach for each other",
        source="Kuffner, LaValle: RRT-Connect: an efficient approach to single-query path planning, 2000",
        when="The quickest first path without preparation; 1.3 to 1.7 times the shortest, so smooth it.",
        any_angle=True,
        seeded=True,
    ),
    Method(
        name="rrt-star",
        family="search",
        function="anabasis.search.rrt_star:rrt_star",
        spaces=("world",),
        optimal=False,
        complete=False,
        summary="a tree of samples that is rewired, so that its paths become shortest ones",
        source="Karaman, Frazzoli: Sampling-based algorithms for optimal motion planning, 2011",
        when="When quality is to be adjusted by one number; in the plane the visibility graph is exact and sooner.",
        any_angle=True,
        seeded=True,
    ),
    Method(
        name="informed-rrt-star",
        family="search",
        function="anabasis.search.rrt_star:informed_rrt_star",
        spaces=("world",),
        optimal=False,
        complete=False,
        summary="as rrt-star, with samples only where a shorter path can lead",
        source=(
            "Gammell, Srinivasa, Barfoot: Informed RRT*: optimal sampling-based path planning focused via direct "
            "sampling of an admissible ellipsoidal heuristic, 2014"
        ),
        when="The best of the sampling planners: within 0.2 % of the shortest after some thousand samples.",
        any_angle=True,
        seeded=True,
    ),
    Method(
        name="potential-field",
        family="search",
        function="anabasis.search.potential:potential_field",
        spaces=("world",),
        optimal=False,
        complete=False,
        summary="downhill toward the goal and away from obstacles; along them out of traps",
        source="Khatib: Real-time obstacle avoidance for manipulators and mobile robots, 1986",
        when="For few obstacles, ways that keep a distance, or ground that draws; it may stay stuck.",
        any_angle=True,
    ),
    Method(
        name="jps-plus",
        family="search",
        function="anabasis.search.jps_plus:jps_plus",
        spaces=("grid",),
        optimal=True,
        complete=True,
        summary="as jps, with its walks looked up in a table of eight distances a cell",
        source="Harabor, Grastien: Improving jump point search, 2014",
        when=(
            "For many queries on a map that rarely changes, or under a corner rule that hub-labels does not know: "
            "mostly 10 to 45 % less than jps, for 16 bytes a cell."
        ),
        prepared="anabasis.search.jps_plus:JPSPlus",
        priced=False,
        neighbours=(8,),
    ),
    Method(
        name="astar-ps",
        family="search",
        function="anabasis.search.astar_ps:astar_ps",
        spaces=("grid",),
        optimal=False,
        complete=True,
        summary="A*, and what it found smoothed afterwards",
        source=(
            "Botea, Müller, Schaeffer: Near optimal hierarchical path-finding, 2004; Nash, Daniel, Koenig, Felner: "
            "Theta*: any-angle path planning on grids, 2007"
        ),
        when=(
            "For straight paths at nearly the price of A*: 1 to 2 % above the optimum on game maps; they stay on the "
            "side of obstacles that A* chose."
        ),
        prepared="anabasis.search.astar_ps:AStarPS",
        any_angle=True,
    ),
    Method(
        name="coarse-fine",
        family="search",
        function="anabasis.search.coarse_fine:coarse_fine",
        spaces=("grid",),
        optimal=False,
        complete=True,
        summary="a search over blocks of cells in whole numbers, refined to cells in straight lines",
        source="a Czech thesis on generated terrain and path search for strategy games, 2014",
        when=(
            "For maps made of blocks of terrain, where it expands an eighth of what A* does; elsewhere it falls back "
            "to A*."
        ),
        prepared="anabasis.search.coarse_fine:CoarseFine",
    ),
    Method(
        name="mesh-centres",
        family="search",
        function="anabasis.search.mesh_search:mesh_search",
        spaces=("world",),
        optimal=False,
        complete=True,
        summary="A* over the centres of a mesh's polygons, pulled tight through their sides",
        source="Snook: Simplified 3D movement and pathfinding using navigation meshes, 2000",
        when=(
            "As game engines do it, for comparison, and on maps of scattered cells, where it is the quickest; up to a"
            " fifth too long in single cases."
        ),
        any_angle=True,
        prepared="anabasis.search.mesh_search:MeshSearch",
        fixed=(("states", "centres"),),
    ),
    Method(
        name="mesh-sides",
        family="search",
        function="anabasis.search.mesh_search:mesh_search",
        spaces=("world",),
        optimal=False,
        complete=True,
        summary="A* over the sides of a mesh's polygons, pulled tight through them",
        source="Snook: Simplified 3D movement and pathfinding using navigation meshes, 2000",
        when="As mesh-centres: less than 1 % too long on average, and slower.",
        any_angle=True,
        prepared="anabasis.search.mesh_search:MeshSearch",
        fixed=(("states", "sides"),),
    ),
    Method(
        name="obstacle-following",
        family="search",
        function="anabasis.search.obstacle_following:obstacle_following",
        spaces=("grid",),
        optimal=False,
        complete=False,
        summary="straight on, and along the wall of whatever is in the way",
        source=(
            "Lumelsky, Stepanov: Path-planning strategies for a point mobile automaton moving amidst unknown "
            "obstacles of arbitrary shape, 1987"
        ),
        when="As a bad example to compare with: what a unit does that knows nothing but its neighbourhood.",
    ),
    Method(
        name="square-4",
        family="space",
        function="anabasis.decompose.lattices:square_lattice",
        spaces=("world",),
        optimal=False,
        complete=False,
        summary="free squares of one size, joined across their sides",
        source="Yap: Grid-based path-finding, 2002",
        when="Axis-parallel obstacles, rectangular worlds, a price for each cell; ways are up to 41 % too long.",
        fixed=(("neighbours", 4),),
    ),
    Method(
        name="square-8",
        family="space",
        function="anabasis.decompose.lattices:square_lattice",
        spaces=("world",),
        optimal=False,
        complete=False,
        summary="free squares of one size, joined across sides and corners",
        source="Yap: Grid-based path-finding, 2002",
        when=(
            "The usual choice for strategy games: quick to make, every cell may have its price; ways are some 6 % too"
            " long."
        ),
        fixed=(("neighbours", 8),),
    ),
    Method(
        name="hexagonal-6",
        family="space",
        function="anabasis.decompose.lattices:hexagonal_lattice",
        spaces=("world",),
        optimal=False,
        complete=False,
        summary="free hexagons, joined across their sides",
        source="Patel: Hexagonal grids, 2013",
        when=(
            "Slanting obstacles and natural turns: a third of the states of squares of equal edge; not for narrow "
            "corridors along the axes."
        ),
        fixed=(("neighbours", 6),),
    ),
    Method(
        name="hexagonal-12",
        family="space",
        function="anabasis.decompose.lattices:hexagonal_lattice",
        spaces=("world",),
        optimal=False,
        complete=False,
        summary="free hexagons, joined across sides and to the six next ones behind the corners",
        source="Patel: Hexagonal grids, 2013",
        when="As hexagonal-6 with turns of 30°: ways only some 2 % too long.",
        fixed=(("neighbours", 12),),
    ),
    Method(
        name="triangular-3",
        family="space",
        function="anabasis.decompose.lattices:triangular_lattice",
        spaces=("world",),
        optimal=False,
        complete=False,
        summary="free triangles, joined across their sides",
        source="Nagy: Shortest paths in triangular grids with neighbourhood sequences, 2003",
        when="Seldom: ways are a third too long; for comparison.",
        fixed=(("neighbours", 3),),
    ),
    Method(
        name="triangular-12",
        family="space",
        function="anabasis.decompose.lattices:triangular_lattice",
        spaces=("world",),
        optimal=False,
        complete=False,
        summary="free triangles, joined across sides and around corners",
        source="Nagy: Shortest paths in triangular grids with neighbourhood sequences, 2003",
        when="As good as hexagonal-12, with more states.",
        fixed=(("neighbours", 12),),
    ),
    Method(
        name="quadtree",
        family="space",
        function="anabasis.decompose.quadtree:quadtree",
        spaces=("world",),
        optimal=False,
        complete=False,
        summary="large squares where there is room, small ones near obstacles",
        source="Samet: Neighbor finding techniques for images represented by quadtrees, 1982",
        when=(
            "Large, mostly free worlds: a seventh of the states of the lattice of its smallest cell, and ways about "
            "as long."
        ),
    ),
    Method(
        name="roadmap",
        family="space",
        function="anabasis.decompose.roadmap:prm",
        spaces=("world",),
        optimal=False,
        complete=False,
        summary="random free places, each joined to the nearest ones in sight",
        source=(
            "Kavraki, Svestka, Latombe, Overmars: Probabilistic roadmaps for path planning in high-dimensional "
            "configuration spaces, 1996"
        ),
        when="Many queries on one world with very few states; narrow gaps may be missed.",
        seeded=True,
    ),
    Method(
        name="roadmap-star",
        family="space",
        function="anabasis.decompose.roadmap:prm_star",
        spaces=("world",),
        optimal=False,
        complete=False,
        summary="random free places, joined to all in sight within a radius that shrinks with their number",
        source="Karaman, Frazzoli: Sampling-based algorithms for optimal motion planning, 2011",
        when="As roadmap when length counts: four times the arcs, ways 1 % too long.",
        seeded=True,
    ),
    Method(
        name="visibility",
        family="space",
        function="anabasis.decompose.visibility:visibility",
        spaces=("world",),
        optimal=False,
        complete=True,
        summary="the corners of obstacles, joined wherever one sees the other",
        source="Lozano-Pérez, Wesley: An algorithm for planning collision-free paths among polyhedral obstacles, 1979",
        when="Few obstacles, many units, exact lengths; its arcs grow fast with the corners.",
        fixed=(("tangent", False),),
    ),
    Method(
        name="tangents",
        family="space",
        function="anabasis.decompose.visibility:visibility",
        spaces=("world",),
        optimal=False,
        complete=True,
        summary="as visibility, with only the arcs that a taut way can take",
        source=(
            "Liu, Arimoto: Path planning using a tangent graph for mobile robots among polygonal and curved "
            "obstacles, 1992"
        ),
        when="The visibility graph for searching: a fraction of its arcs, the same shortest ways.",
        fixed=(("tangent", True),),
    ),
    Method(
        name="mesh-triangles",
        family="space",
        function="anabasis.decompose.triangulation:triangulation",
        spaces=("world",),
        optimal=False,
        complete=True,
        summary="the free space in triangles, constrained Delaunay",
        source=(
            "Hertel, Mehlhorn: Fast triangulation of simple polygons, 1983; Lawson: Software for C1 surface "
            "interpolation, 1977"
        ),
        when="The ground of every other mesh; covers any free space exactly.",
    ),
    Method(
        name="mesh-merged",
        family="space",
        function="anabasis.decompose.merging:merging",
        spaces=("world",),
        optimal=False,
        complete=True,
        summary="triangles merged into convex polygons",
        source="Hertel, Mehlhorn: Fast triangulation of simple polygons, 1983",
        when="The navigation mesh to use: few polygons, full cover; polyanya searches it.",
    ),
    Method(
        name="mesh-volumes",
        family="space",
        function="anabasis.decompose.growing:space_filling_volumes",
        spaces=("world",),
        optimal=False,
        complete=False,
        summary="quadrilaterals that grow from seeds until they reach an obstacle",
        source="Tozour: Search space representations, 2003",
        when="Worlds with obstacles along the axes; beside slanting ones it leaves ground uncovered.",
    ),
    Method(
        name="mesh-grown",
        family="space",
        function="anabasis.decompose.growing:deaccon",
        spaces=("world",),
        optimal=False,
        complete=True,
        summary="convex regions that grow from seeds and take over the slant of what they meet",
        source=(
            "Hale, Youngblood, Dixit: Automatically-generated convex region decomposition for real-time spatial agent"
            " navigation in virtual worlds, 2008"
        ),
        when="Full cover by regions that look like rooms, for annotations by hand; slower to make than mesh-merged.",
    ),
    Method(
        name="mesh-graph-centres",
        family="space",
        function="anabasis.decompose.mesh_graph:mesh_graph",
        spaces=("world",),
        optimal=False,
        complete=True,
        summary="the merged mesh as a graph, with a state in the centre of each polygon",
        source="Snook: Simplified 3D movement and pathfinding using navigation meshes, 2000",
        when="Very few states for coarse plans and for regions that carry information.",
        fixed=(("states", "centres"),),
    ),
    Method(
        name="mesh-graph-sides",
        family="space",
        function="anabasis.decompose.mesh_graph:mesh_graph",
        spaces=("world",),
        optimal=False,
        complete=True,
        summary="the merged mesh as a graph, with a state in the middle of each shared side",
        source="Snook: Simplified 3D movement and pathfinding using navigation meshes, 2000",
        when="As mesh-graph-centres, with lengths nearer to the truth.",
        fixed=(("states", "sides"),),
    ),
    Method(
        name="kinodynamic-rrt",
        family="drive",
        function="anabasis.search.kinodynamic:kinodynamic_rrt",
        spaces=("world",),
        optimal=False,
        complete=False,
        summary="a motion of a car from a tree of arcs, joined exactly to the goal",
        source="LaValle, Kuffner: Randomized kinodynamic planning, 2001",
        when="For cars, when any motion will do: some milliseconds.",
        any_angle=True,
        seeded=True,
    ),
    Method(
        name="genetic-drive",
        family="drive",
        function="anabasis.search.genetic:genetic_drive",
        spaces=("world",),
        optimal=False,
        complete=False,
        summary="motions of a car that are crossed and mutated until they are free and short",
        source="Erinc, Carpin: A genetic algorithm for nonholonomic motion planning, 2007",
        when="For a good motion of a car, in seconds: mostly within 5 % of the shortest way of a point.",
        any_angle=True,
        seeded=True,
    ),
    Method(
        name="cbs",
        family="mapf",
        function="anabasis.mapf.cbs:cbs",
        spaces=("grid", "graph"),
        optimal=True,
        complete=True,
        summary="the least sum of costs: agents plan alone, and conflicts are settled one by one",
        source=(
            "Sharon, Stern, Felner, Sturtevant: Conflict-based search for optimal multi-agent pathfinding, 2015; Li, "
            "Harabor, Stuckey, Ma, Gange, Koenig: Pairwise symmetry reasoning for multi-agent path finding search, 2021"
        ),
        when="When the optimum is wanted: up to some fifty agents on small maps, a hundred on wide ones.",
        stepwise="anabasis.mapf.cbs:Cbs",
        can=("following", "vanish", "changes", "directed", "no wait"),
    ),
    Method(
        name="meta-agent-cbs",
        family="mapf",
        function="anabasis.mapf.meta_agents:meta_agent_cbs",
        spaces=("grid", "graph"),
        optimal=True,
        complete=True,
        summary="conflict-based search that plans agents which conflict again and again as one",
        source="Sharon, Stern, Felner, Sturtevant: Meta-agent conflict-based search for optimal MAPF, 2012",
        when="Few agents that jam in a small place, or a proof that there is no plan; elsewhere cbs is faster.",
        stepwise="anabasis.mapf.meta_agents:MetaAgentCBS",
        can=("changes", "directed", "vanish"),
    ),
    Method(
        name="vertex-reset",
        family="mapf",
        function="anabasis.mapf.vertex_reset:vertex_reset_cbs",
        spaces=("grid", "graph"),
        optimal=False,
        complete=False,
        summary="conflict-based search whose constraints reset vertices of a D* Lite search: a baseline of the source",
        source="a master thesis on multi-agent path finding in dynamic environments, 2021",
        when="Never to plan; only to compare with cbs.",
        can=("directed",),
    ),
    Method(
        name="independence",
        family="mapf",
        function="anabasis.mapf.independence:independence",
        spaces=("grid", "graph"),
        optimal=True,
        complete=True,
        summary="the least sum of costs: only agents whose ways meet are planned for together",
        source="Standley: Finding optimal solutions to cooperative pathfinding problems, 2010",
        when="As cbs, where agents are scattered over a large map.",
        can=("changes", "directed", "following", "vanish"),
    ),
    Method(
        name="prioritized",
        family="mapf",
        function="anabasis.mapf.prioritized:prioritized",
        spaces=("grid", "graph"),
        optimal=False,
        complete=False,
        summary="one agent after the other takes the earliest way that those before it leave",
        source="Silver: Cooperative pathfinding, 2005, the method HCA*",
        when="A good plan at once where the map is not crowded; agents of several cells.",
        stepwise="anabasis.mapf.prioritized:Prioritized",
        seeded=True,
        can=("following", "cycle", "swaps", "vanish", "sizes", "changes", "directed"),
    ),
    Method(
        name="whca-star",
        family="mapf",
        function="anabasis.mapf.windowed:windowed",
        spaces=("grid", "graph"),
        optimal=False,
        complete=False,
        summary="agents heed each other for some steps ahead, and plan anew before these are over",
        source="Silver: Cooperative pathfinding, 2005, the method WHCA*",
        when="Games that plan while they walk; long ways on large maps.",
        stepwise="anabasis.mapf.windowed:Windowed",
        can=("following", "cycle", "swaps", "vanish", "changes", "directed"),
    ),
    Method(
        name="pbs",
        family="mapf",
        function="anabasis.mapf.priority_search:priority_search",
        spaces=("grid", "graph"),
        optimal=False,
        complete=False,
        summary="a search for priorities: of the order of agents only what is needed is decided",
        source="Ma, Harabor, Stuckey, Li, Koenig: Searching with consistent prioritization for MAPF, 2019",
        when="Nearly least costs at medium density, without a bound.",
        stepwise="anabasis.mapf.priority_search:PrioritySearch",
        can=("following", "cycle", "swaps", "vanish", "changes", "directed"),
    ),
    Method(
        name="lns2",
        family="mapf",
        function="anabasis.mapf.lns2:lns2",
        spaces=("grid", "graph"),
        optimal=False,
        complete=False,
        summary="a plan with collisions, of which a few agents at a time are planned anew until none is left",
        source="Li, Chen, Harabor, Stuckey, Koenig: MAPF-LNS2: fast repairing via large neighborhood search, 2022",
        when="Hundreds of agents at low cost; its option improvements goes on lowering the cost.",
        stepwise="anabasis.mapf.lns2:LNS2",
        seeded=True,
        can=("following", "cycle", "swaps", "vanish", "changes", "directed"),
    ),
    Method(
        name="pibt",
        family="mapf",
        function="anabasis.mapf.pibt:pibt",
        spaces=("grid", "graph"),
        optimal=False,
        complete=False,
        summary="each step is decided by itself: who is longest away from a goal goes first, others make room",
        source="Okumura, Machida, Défago, Tamura: Priority inheritance with backtracking, 2022",
        when="Thousands of agents, at once and without looking ahead; on narrow maps they may block each other.",
        seeded=True,
        can=("directed", "vanish"),
    ),
    Method(
        name="winpibt",
        family="mapf",
        function="anabasis.mapf.winpibt:winpibt",
        spaces=("grid", "graph"),
        optimal=False,
        complete=False,
        summary="as pibt, with ways laid for a window of steps",
        source="Okumura, Tamura, Défago: winPIBT: extended prioritized algorithm for iterative MAPF, 2019",
        when="As pibt, where agents meet in passages; for comparison.",
        seeded=True,
        can=("directed",),
    ),
    Method(
        name="lacam",
        family="mapf",
        function="anabasis.mapf.lacam:lacam",
        spaces=("grid", "graph"),
        optimal=False,
        complete=True,
        summary="a search over configurations that takes its next ones from pibt, one at a time",
        source="Okumura: LaCAM: search-based algorithm for quick multi-agent pathfinding, 2023",
        when="The first choice when any plan will do: a thousand agents in a second, and a proof if there is none.",
        stepwise="anabasis.mapf.lacam:LaCAM",
        seeded=True,
        can=("directed",),
    ),
    Method(
        name="lacam-star",
        family="mapf",
        function="anabasis.mapf.lacam:lacam_star",
        spaces=("grid", "graph"),
        optimal=False,
        complete=True,
        summary="a plan as lacam finds it, then better ones as long as there is time",
        source="Okumura: Engineering LaCAM*: towards real-time, large-scale, and near-optimal MAPF, 2024",
        when="Many agents and seconds to spare: the plan at hand gets better until it is needed.",
        stepwise="anabasis.mapf.lacam:LaCAMStar",
        seeded=True,
        can=("directed",),
    ),
    Method(
        name="ecbs",
        family="mapf",
        function="anabasis.mapf.ecbs:ecbs",
        spaces=("grid", "graph"),
        optimal=False,
        complete=True,
        bounded=True,
        summary="conflict-based search that may be a chosen factor dearer than the best, with a certificate",
        source="Barer, Sharon, Stern, Felner: Suboptimal variants of the conflict-based search algorithm, 2014",
        when="As eecbs, which is mostly quicker; for comparison.",
        stepwise="anabasis.mapf.ecbs:Ecbs",
        can=("directed", "vanish", "changes", "following", "no wait", "swaps"),
    ),
    Method(
        name="eecbs",
        family="mapf",
        function="anabasis.mapf.eecbs:eecbs",
        spaces=("grid", "graph"),
        optimal=False,
        complete=True,
        bounded=True,
        summary="bounded conflict-based search led by an estimate of the cost to go that it learns as it searches",
        source="Li, Ruml, Koenig: EECBS: a bounded-suboptimal search for multi-agent path finding, 2021",
        when="Up to a few hundred agents, when a proved bound of the cost matters: by default within 1.2 of the best.",
        stepwise="anabasis.mapf.eecbs:Eecbs",
        can=("directed", "vanish", "changes", "following", "no wait", "swaps"),
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
        name="cooperative",
        family="group",
        function="anabasis.mapf.group_ways:plan_cooperative",
        spaces=("grid",),
        optimal=False,
        complete=True,
        summary="each unit takes a way that leaves the others room, step by step; the simulator follows the ways",
        source="Anabasis, after Li, Chen, Harabor, Stuckey, Koenig: MAPF-LNS2, 2022",
        seeded=True,
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

"""One example of every noun, for the tests of the archive."""

import numpy as np

from anabasis.gamemap import GameMap, Recipe, Site
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.instance import Instance, Rules
from anabasis.lattice import Lattice
from anabasis.manoeuvre import Formation, Manoeuvre, Modules, Order
from anabasis.movement import MOVEMENT_CLASSES
from anabasis.navmesh import NavMesh
from anabasis.plan import FlowField, FormationPlan, GroupPlan, Path, Plan
from anabasis.result import Result, SearchTrace, Status
from anabasis.scenario import Change, Group, Limits, Scenario, Steering, Target, UnitOrder
from anabasis.schema import Schema
from anabasis.trace import COUNTERS, Counters, Ending, Trace
from anabasis.trajectory import Kinematics, Trajectory
from anabasis.world import World


def examples() -> dict[str, object]:
    """Return the examples by name; each is small, and no two fields of one noun are alike."""
    grid = Grid.from_text("..@3\nW.TS")
    graph = Graph.from_arcs([[0, 0], [1, 0.5], [2, 0]], [0, 1, 1], [1, 2, 0], [1.5, 2, 0.25], "octile")
    path = Path(np.array([0, 1, 5]), np.array([[0.5, 0.5], [1.5, 0.5], [1.5, 1.5]]), 2.0)
    field = FlowField(np.array([[0.0, 1.0], [np.inf, 1.5]]), np.arange(8.0).reshape(2, 2, 2))
    search = SearchTrace(
        np.array([0, 1, 2]), np.array([4, 5, 6]), np.array([-1, 4, 5]), np.arange(3.0), np.arange(3.0)[::-1]
    )
    counters = Counters(**{name: np.arange(k, k + 2) for k, name in enumerate(COUNTERS)})
    groups = (
        Group(np.array([[0.5, 0.5], [1.25, 0.5]]), Target(3.5, 0.5, 1.0), 0.25, 0.1, "land", "first"),
        Group(np.array([[0.5, 1.5]]), Target(0.5, 1.5), movement="water"),
    )
    plan = GroupPlan.of_paths([path.points, np.zeros((0, 2))])
    trace = Trace(
        times=np.array([0, 10]),
        positions=np.arange(8.0).reshape(2, 2, 2),
        headings=np.arange(4.0).reshape(2, 2),
        state=np.array([[0, 1], [2, 3]]),
        hashes=np.array([1, 2**64 - 1], np.uint64),
        group=np.array([0, 1]),
        radius=np.array([0.5, 0.25]),
        route=np.array([0, -1]),
        arrival=np.array([7, -1]),
        planned_length=np.array([2.0, 0.0]),
        event_step=np.array([7]),
        event_kind=np.array([0]),
        event_unit=np.array([0]),
        event_cause=np.array([1]),
        counters=counters,
        ending=Ending.STALL,
        seed=2**62,
    )
    lattice = Lattice.from_ground([[1.0, 2.0], [np.inf, 3.0]], 10.0)
    schema = Schema.of([[0, 0], [-1, 2], [1, 2]], [0, 0, 0], [(1, 2)], classes=[0, 1, 1])
    order = Order(np.array([[4.0, 1.0], [5.0, 2.5]]), 3.0)
    modules = Modules("simple", planning="bends", bend=20.0, passing="vertex")
    unlike = {"pace": [1.0, 2.0, 0.5], "radius": [0.25, 1.0, 0.5], "falls": [np.inf, 3.0, 0.0]}
    each = {name: np.array(values) for name, values in unlike.items()}
    formation = Formation(schema, (1.0, 2.0), 45.0, (order,), modules, **each, name="first")
    stats = {"expanded": 3, "cost": 2.5, "nearest_x": np.int64(4), "worst": float("inf")}
    return {
        "grid": grid,
        "recipe": Recipe("rooms", 9, 8, 2**63 - 1, {"door": 2, "connected": True, "kind": "grid"}, 2),
        "game_map": GameMap(
            np.array([[46, 87]]),
            np.array([[0.5, -1.0]]),
            0.25,
            (Site("start", 0, 0, 1, "blue", 2.0),),
            Recipe("island", 2, 1, 7, {"rivers": 3, "forest": 0.25}),
            ("joined",),
        ),
        "site": Site("town", 3, 4),
        "unit_order": UnitOrder(7, np.array([0, 2]), (Target(1.5, 2.5, 0.5), Target(3.0, 1.0))),
        "movement_class": MOVEMENT_CLASSES["amphibious"],
        "world": World.of((0, 0, 4, 3), [[[1, 1], [2, 1], [2, 2]], [[3, 1], [3.5, 1], [3.5, 2], [3, 2]]]),
        "graph": graph,
        "nav_mesh": NavMesh.of([[0, 0], [2, 0], [2, 1], [0, 1.5], [3, 0.5]], [[0, 1, 2, 3], [1, 4, 2]]),
        "lattice": lattice,
        "schema": schema,
        "order": order,
        "modules": modules,
        "formation": formation,
        "manoeuvre": Manoeuvre(lattice, (formation,), 99.0, "march"),
        "instance_grid": Instance.of(grid, [0, 1], [5, 7]),
        "instance_graph": Instance(graph, *map(np.array, ([0], [2], [1, 3], [1, 1], [True, False]))),
        "rules": Rules(following=True, wait=False),
        "instance_rules": Instance.of(grid, [0, 1], [5, 7], rules=Rules(stay=False), sizes=[1, 1]),
        "target": groups[0].target,
        "group": groups[0],
        "change": Change(5, np.array([[0, 0], [1, 1]]), "@"),
        "limits": Limits(steps=7),
        "steering": Steering(seek=2.0, replanning=False),
        "scenario": Scenario(
            grid,
            groups,
            (Change(9, np.array([[1, 0]]), "T"),),
            Limits(steps=50),
            seed=2**63 - 1,
            name="n",
            note="ä\n\x7f",
        ),
        "path": path,
        "path_empty": Path(np.zeros(0), np.zeros((0, 2)), 0.0),
        "plan": Plan(np.array([[0, 1], [1, 0]])),
        "flow_field": field,
        "group_plan": plan,
        "group_plan_field": GroupPlan.of_field(field, 3),
        "formation_plan": FormationPlan(schema, [[1, 1]], [1, 2], 90.0, "weighted", "track"),
        "group_plan_formation": GroupPlan.of_formation(FormationPlan(schema, [[1, 1], [2, 5]], [2, 0, 1])),
        "search_trace": search,
        "counters": counters,
        "trace": trace,
        "kinematics": Kinematics(2.0, 0.5, np.array([[0.0, 0.7], [1.0, 0.25]]), 3.0, True, 1.5),
        "trajectory": Trajectory(
            np.array([0.0, 2.0]),
            np.array([[1.0, 2.0], [3.0, 2.0]]),
            np.zeros(2) + 0.5,
            np.ones(2),
            np.array([0.1, 0.0]),
        ),
        "result_path": Result(Status.SOLVED, path, "", np.float64(2.0), stats, search),
        "result_group_plan": Result(Status.SOLVED, plan),
        "result_none": Result(Status.NO_SOLUTION, None, "the goal is walled in", stats={"expanded": 9}),
        "result_partial": Result(Status.LIMIT, (path, [1, "two", None, True]), "1,000 expansions", 0.1),
    }

"""Whatever is given for an argument, a function answers or tells what is wrong; no error of Python comes from inside.

Each row of the table is a call that works. Each of its arguments is replaced by each of the wrong values in turn: some
of them mean something there, but all others must be refused by an `InputError`.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from anabasis.errors import AnabasisError
from anabasis.formation.arrival import synchronised
from anabasis.formation.combined import Pathfinder
from anabasis.formation.ground import Ground
from anabasis.formation.march import march
from anabasis.formation.shapes import schema_of
from anabasis.formation.slots import assign
from anabasis.formation.straight import directions, fragments
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.instance import Instance, Rules
from anabasis.io.lacam_text import load_lacam, save_lacam
from anabasis.io.loaded_plan import LoadedPlan
from anabasis.io.mapf_scen import load_instance, save_instance
from anabasis.io.movingai import save_map
from anabasis.io.plan_files import load_plan, save_plan
from anabasis.io.planviz import Replay, load_planviz
from anabasis.io.planviz_write import replay_of, save_planviz, save_planviz_map
from anabasis.io.robot_problem import RobotDelays, RobotProblem, load_robot_problem, save_robot_problem
from anabasis.io.tracker import TrackerRow, load_tracker, read_tracker, tracker_row, write_tracker
from anabasis.lattice import Lattice
from anabasis.manoeuvre import Formation, Manoeuvre, Modules, Order
from anabasis.mapf import turn_based
from anabasis.mapf.anonymous import anonymous, teams
from anabasis.mapf.board import Board
from anabasis.mapf.cbs import Cbs, cbs
from anabasis.mapf.dependency_graph import DependencyGraph, dependency_graph, execute_with_delays
from anabasis.mapf.errands import Errands, intersection_errands, pickup_errands, warehouse_errands
from anabasis.mapf.execution import plan_places, plan_trace
from anabasis.mapf.group_ways import plan_cooperative
from anabasis.mapf.lifelong import Lifelong, lifelong
from anabasis.mapf.meta_agents import MetaAgentCBS, meta_agent_cbs
from anabasis.mapf.pickup_delivery import TokenPassing, token_passing, well_formed
from anabasis.mapf.priced_cbs import PricedCBS, priced_cbs
from anabasis.mapf.repair import Replanner
from anabasis.metrics.formations import shape_error
from anabasis.metrics.marches import march_faults
from anabasis.metrics.moves import formed, move_log
from anabasis.metrics.moves import measure as measure_move
from anabasis.metrics.plan_measures import at_goals_by, measure
from anabasis.metrics.plan_review import review_plan
from anabasis.metrics.plans import plan_faults
from anabasis.plan import Plan
from anabasis.scenario import Group, Target
from anabasis.schema import Schema, turn
from anabasis.search.astar import astar
from anabasis.search.canadian_traveller import canadian_traveller, draw_blocked, journeys
from anabasis.search.dstar_lite import DStarLite
from anabasis.search.exploring import explore_to, greedy_mapping
from anabasis.search.moving_target import MovingTarget
from anabasis.search.preferences import (
    Preferences,
    preference_changes,
    preference_factors,
    preference_grid,
    true_cost,
)
from anabasis.view.formations import march_scene
from anabasis.view.incremental import incremental_scene
from anabasis.view.turns import session_scene

Rows = list[tuple[Callable[..., object], dict[str, Any]]]

WRONG = (None, "x", -1, float("nan"), 2.5, 10**30, [], ["x"], [None], [-1], [[1], [2, 3]], {}, object(), np.eye(2))

GRID = Grid.from_text("...\n...\n..@")
INSTANCE = Instance.of(GRID, [0, 2], [2, 3])
PLAN = Plan(np.array([[0, 2], [1, 5], [2, 4], [2, 3]]))
GRAPH = Graph.from_arcs(np.array([[0.0, 0], [1, 0], [2, 0]]), [0, 1, 1, 2], [1, 0, 2, 1], np.ones(4))


def nouns_and_validators() -> Rows:
    return [
        (Rules, {"vertex": True, "edge": True, "following": False, "cycle": False, "swap": True, "wait": True}),
        (Instance.of, {"space": GRID, "starts": [0], "goals": [1], "rules": Rules(), "sizes": 1}),
        (
            Instance,
            {
                "space": GRID,
                "starts": [0],
                "goals": [1],
                "change_times": [1],
                "change_vertices": [4],
                "change_blocked": [True],
                "rules": Rules(),
                "sizes": [1],
            },
        ),
        (Plan, {"vertices": [[0, 1]]}),
        (Board, {"instance": INSTANCE, "name": "mine", "can": ("swaps",)}),
        (plan_faults, {"instance": INSTANCE, "plan": PLAN, "limit": 10}),
        (review_plan, {"instance": INSTANCE, "plan": PLAN}),
        (measure, {"instance": INSTANCE, "plan": PLAN, "distances": [2, 2]}),
        (at_goals_by, {"instance": INSTANCE, "plan": PLAN, "deadline": 2}),
    ]


def files() -> Rows:
    return [
        (load_plan, {"path": "plan.txt", "instance": INSTANCE, "format": "txt"}),
        (load_plan, {"path": "plan.csv", "instance": INSTANCE}),
        (load_plan, {"path": "plan.npz", "instance": INSTANCE}),
        (
            save_plan,
            {"path": "a.txt", "instance": INSTANCE, "plan": PLAN, "fields": {"map_file": "a.map"}},
        ),
        (save_plan, {"path": "a.json", "instance": INSTANCE, "plan": PLAN, "errors": [(0, -1, 1, "late")]}),
        (save_plan, {"path": "a.csv", "instance": INSTANCE, "plan": PLAN}),
        (load_lacam, {"path": "plan.txt", "space": GRID}),
        (save_lacam, {"path": "a.txt", "instance": INSTANCE, "plan": PLAN, "fields": {"solver": "mine"}}),
        (read_tracker, {"path": "plan.csv"}),
        (load_tracker, {"path": "plan.csv", "instance": INSTANCE, "row": 0}),
        (write_tracker, {"rows": [tracker_row(INSTANCE, PLAN)], "path": "a.csv", "bulk": True}),
        (tracker_row, {"instance": INSTANCE, "plan": PLAN, "lower_cost": 1, "lower_date": "", "map_name": "a.map"}),
        (TrackerRow, {"agents": 1, "lower_cost": 1, "solution_cost": 1, "moves": ("u",), "solution_date": ""}),
        (load_planviz, {"path": "plan.json", "space": INSTANCE}),
        (replay_of, {"instance": INSTANCE, "plan": PLAN, "year": 2024, "turns": True, "errors": [(0, 1, 1, "late")]}),
        (save_planviz, {"replay": replay_of(INSTANCE, PLAN), "path": "a.json", "grid": GRID}),
        (save_planviz_map, {"grid": GRID, "path": "a.map"}),
        (LoadedPlan, {"plan": PLAN, "headings": np.zeros((4, 2)), "ticks": 1, "fields": {}}),
        (
            Replay,
            {
                "loaded": LoadedPlan(PLAN),
                "year": 2023,
                "model": "MAPF",
                "tasks": [[0, 0]],
                "errands": [[0, 2]],
                "events": [[0, 1, 0, 0]],
                "schedule": [[0, 0, 0]],
                "delays": [[0, 1, 2]],
                "errors": [[0, 0, 1, 2]],
                "error_texts": ("late",),
                "times": [0.5],
                "actual": ("U", "U"),
                "planned": (),
            },
        ),
        (load_robot_problem, {"path": "problem.json"}),
        (save_robot_problem, {"problem": RobotProblem(GRID, [0], [0, 1], [1]), "path": "b.json"}),
        (
            RobotProblem,
            {
                "grid": GRID,
                "starts": [0, 1],
                "indptr": [0, 2, 3],
                "errands": [3, 4, 5],
                "reveal": 1.5,
                "size": 0.5,
                "ticks": 10,
                "delays": RobotDelays(),
            },
        ),
        (
            RobotDelays,
            {
                "seed": 0,
                "least": 1,
                "most": 2,
                "events": "bernoulli",
                "chance": 0.5,
                "durations": "uniform",
                "mean_ratio": 0.5,
                "spread_ratio": 0.25,
            },
        ),
        (load_instance, {"map": GRID, "scen": "a.scen", "agents": 1, "rules": Rules()}),
        (load_instance, {"map": "plan.map", "scen": "a.scen"}),
        (save_instance, {"instance": INSTANCE, "path": "b.scen", "map": "plan.map", "lengths": [2, 2]}),
    ]


def agents() -> Rows:
    errands = Errands.of_queues([0, 1], [[3], [5]])
    stream = pickup_errands([0, 1], [3, 4, 5], 2)
    late = dependency_graph(INSTANCE, PLAN)
    return [
        (
            cbs,
            {
                "instance": INSTANCE,
                "objective": "sum",
                "limit": 10,
                "splitting": "disjoint",
                "prioritize": True,
                "bypass": True,
                "heuristic": "wdg",
                "rectangle": True,
                "corridor": True,
                "target": True,
                "barrier": True,
            },
        ),
        (Cbs(INSTANCE).advance, {"count": 1}),
        (priced_cbs, {"instance": INSTANCE, "limit": 10}),
        (PricedCBS, {"instance": INSTANCE, "to_goal": np.zeros((2, 8)), "weights": np.ones((2, 20))}),
        (PricedCBS(INSTANCE).advance, {"count": 1}),
        (meta_agent_cbs, {"instance": INSTANCE, "merge_after": 1, "limit": 10, "joint_limit": 100}),
        (MetaAgentCBS(INSTANCE).advance, {"count": 1}),
        (anonymous, {"instance": INSTANCE, "limit": 1000}),
        (teams, {"instance": INSTANCE, "team": [0, 0], "solver": priced_cbs, "objective": "sum"}),
        (Errands.of_queues, {"starts": [0, 1], "queues": [[3], [5]]}),
        (
            Errands,
            {
                "starts": [0],
                "enter": [0],
                "release": [0],
                "agent": [0],
                "indptr": [0, 1],
                "places": [3],
                "leave": True,
            },
        ),
        (warehouse_errands, {"places": [0, 1, 2], "agents": 2, "tasks": 2, "seed": 1}),
        (intersection_errands, {"entries": [0], "exits": [2, 3], "rate": 0.5, "steps": 3, "seed": 1}),
        (pickup_errands, {"starts": [0], "places": [2, 3], "tasks": 2, "every": 1.0, "seed": 1}),
        (
            lifelong,
            {
                "space": GRID,
                "errands": errands,
                "steps": 3,
                "strategy": "rolling",
                "window": 5,
                "period": 2,
                "patience": 9,
                "seed": 0,
            },
        ),
        (Lifelong, {"space": GRID, "errands": errands, "removals": 2}),
        (Lifelong(GRID, errands).advance, {"count": 1}),
        (well_formed, {"space": GRID, "errands": stream}),
        (token_passing, {"space": GRID, "errands": stream, "steps": 3, "limit": 100}),
        (TokenPassing, {"space": GRID, "errands": stream, "patience": 9}),
        (plan_places, {"instance": INSTANCE, "plan": PLAN, "frames": 2}),
        (plan_trace, {"instance": INSTANCE, "plan": PLAN, "frames": 2}),
        (dependency_graph, {"instance": INSTANCE, "plan": PLAN}),
        (late.times, {"delays": 1}),
        (late.plan, {"times": np.arange(1, late.size + 1)}),
        (
            DependencyGraph,
            {"starts": [0], "indptr": [0, 1], "source": [0], "target": [1], "step": [1], "before": [-1], "lag": [0]},
        ),
        (execute_with_delays, {"instance": INSTANCE, "plan": PLAN, "delays": 1}),
        (execute_with_delays, {"instance": INSTANCE, "plan": PLAN, "chance": 0.1, "seed": 1}),
        (Replanner, {"instance": INSTANCE, "plan": PLAN, "restarts": 2}),
        (Replanner(INSTANCE, PLAN).advance, {"count": 1}),
        (Replanner(INSTANCE, PLAN).close, {"vertex": 7}),
        (Replanner(INSTANCE, PLAN).open, {"vertex": 7}),
        (Replanner(INSTANCE, PLAN).stop, {"agent": 0}),
        (Replanner(INSTANCE, PLAN).resume, {"agent": 0}),
        (Replanner(INSTANCE, PLAN).add, {"start": 6, "goal": 7}),
        (Replanner(INSTANCE, PLAN).move_goal, {"agent": 0, "goal": 7}),
        (plan_cooperative, {"grid": GRID, "group": Group([[0.5, 0.5]], Target(1.5, 1.5)), "seed": 0}),
    ]


def begun_game() -> turn_based.Session:
    return turn_based.order(turn_based.add_unit(turn_based.Session(4, 1, "...."), "A", 0), "A", 3)


def play() -> Rows:
    session = begun_game()
    return [
        (
            turn_based.Session,
            {
                "width": 2,
                "height": 1,
                "terrain": "..",
                "features": ((0, "marsh"),),
                "costs": (("marsh", 2.0),),
                "neighbours": 4,
                "turns": True,
                "units": (turn_based.Unit("A", 0),),
                "groups": (),
                "turn": 0,
                "log": ((0, "it begins"),),
            },
        ),
        (
            turn_based.Unit,
            {"name": "A", "place": 0, "points": 2, "goal": None, "held": False, "path": (), "tiles": (), "changed": ()},
        ),
        (
            turn_based.new_session,
            {
                "width": 3,
                "height": 3,
                "seed": 0,
                "impassable": 0.0,
                "hills": 0.1,
                "mountains": 0.1,
                "features": 0.1,
                "units": 1,
                "points": 2,
                "neighbours": 4,
                "turns": True,
            },
        ),
        (turn_based.session_of, {"grid": GRID, "neighbours": 4, "turns": True}),
        (turn_based.add_unit, {"session": session, "name": "B", "place": 1, "points": 2, "memory": None}),
        (turn_based.remove_unit, {"session": session, "name": "A"}),
        (turn_based.order, {"session": session, "name": "A", "goal": 2}),
        (turn_based.halt, {"session": session, "name": "A"}),
        (turn_based.change_tile, {"session": session, "place": 1, "terrain": "hill", "feature": "marsh"}),
        (turn_based.end_turn, {"session": session, "memory": None}),
        (turn_based.next_step, {"session": session, "name": "A"}),
        (turn_based.processed, {"session": session, "name": "A"}),
        (session.place, {"x": 0, "y": 0}),
        (session.tile, {"place": 0}),
    ]


def units() -> Rows:
    path = astar(GRID, 0, 5).value
    return [
        (
            Preferences,
            {
                "terrain": (("=", 0.5),),
                "walls": 2.0,
                "walls_range": 1.0,
                "enemies": [[0, 0, 2]],
                "enemies_range": 1.0,
                "mask": np.ones((3, 3)),
            },
        ),
        (Preferences().with_enemies, {"enemies": [[0, 0, 2]]}),
        (preference_factors, {"grid": GRID, "rules": Preferences()}),
        (preference_grid, {"grid": GRID, "rules": Preferences()}),
        (preference_changes, {"before": GRID, "after": GRID}),
        (true_cost, {"grid": GRID, "path": path}),
        (draw_blocked, {"graph": GRAPH, "chances": [0.5] * 4, "seed": 0, "number": 0}),
        (
            canadian_traveller,
            {
                "graph": GRAPH,
                "start": 0,
                "goal": 2,
                "chances": [0.5] * 4,
                "blocked": [False] * 4,
                "policy": "hindsight",
                "samples": 2,
                "seed": 0,
            },
        ),
        (journeys, {"graph": GRAPH, "start": 0, "goal": 2, "chances": [0.5] * 4, "policy": "optimistic", "count": 2}),
        (
            explore_to,
            {
                "world": GRID,
                "start": 0,
                "goal": 5,
                "believed": None,
                "radius": 1,
                "walls_hide": True,
                "neighbours": 8,
                "corners": "strict",
                "limit": 5,
            },
        ),
        (explore_to(GRID, 0, 5).known, {"step": 0, "cells": 9}),
        (greedy_mapping, {"world": GRID, "start": 0, "radius": 1, "walls_hide": False, "limit": 5}),
        (
            MovingTarget,
            {"space": GRID, "start": 0, "goal": 5, "neighbours": 8, "corners": "strict", "metric": "octile"},
        ),
        (MovingTarget(GRID, 0, 5).move_to, {"vertex": 1}),
        (MovingTarget(GRID, 0, 5).target_to, {"vertex": 1}),
        (MovingTarget(GRID, 0, 5).change, {"vertices": [1], "costs": [2.0]}),
        (MovingTarget(GRAPH, 0, 2).change_arcs, {"tails": [0], "heads": [1], "weights": [2.0]}),
    ]


def formations() -> Rows:
    schema = schema_of("wedge", 3, spacing=2.0)
    formation = Formation.of(schema, (4.5, 4.5), 0.0, (4.5, 1.5))
    manoeuvre = Manoeuvre(Grid.from_free(np.ones((9, 9), bool)), (formation,), limit=9.0)
    ground = Ground.of(manoeuvre.space)
    found = march(manoeuvre).value
    assert found is not None
    seconds, places = found.seconds, found.trace.positions
    return [
        (turn, {"vectors": [[0, 1]], "azimuth": 90.0}),
        (schema_of, {"shape": "box", "units": 4, "spacing": 2.0}),
        (
            Schema.of,
            {"places": [[0, 0], [0, 1]], "ancestor": [0, 0], "pairs": [[0, 1]], "classes": [0, 1]},
        ),
        (schema.part, {"spots": [0, 1]}),
        (schema.turned, {"azimuth": 3.0}),
        (schema.resized, {"factor": 3.0}),
        (Lattice, {"cost": np.ones((2, 2, 6)), "spacing": 1.0}),
        (Lattice.uniform, {"width": 2, "height": 2, "cost": 1.0, "spacing": 1.0}),
        (Lattice.from_ground, {"ground": [[1.0, 2.0]], "spacing": 1.0}),
        (
            Modules,
            {
                "paths": "whole",
                "ties": "first",
                "planning": "bends",
                "fragment": 3,
                "period": 2,
                "bend": 10.0,
                "shortest": 3,
                "orientation": "files",
                "facing": "way",
                "slots": "total",
                "synchronisation": "none",
                "speed": "slowest",
                "passing": "vertex",
                "swerve": 0.5,
                "back": 0.5,
                "sight": 1.0,
                "view": 60.0,
            },
        ),
        (Order, {"places": [[0, 1]], "time": 1.0}),
        (
            Formation,
            {
                "schema": schema,
                "start": (0, 1),
                "azimuth": 0.0,
                "orders": (),
                "modules": Modules(),
                "pace": [1.0, 1.0, 2.0],
                "radius": [0.25, 0.25, 1.0],
                "falls": [1.0, 2.0, np.inf],
            },
        ),
        (Formation.of, {"schema": schema, "start": (0, 1), "azimuth": 0.0, "places": [[1, 1]], "modules": Modules()}),
        (Manoeuvre, {"space": manoeuvre.space, "formations": (formation,), "limit": 9.0}),
        (march, {"manoeuvre": manoeuvre, "tick": 0.1, "every": 2}),
        (Ground.of, {"space": manoeuvre.space}),
        (
            Pathfinder(ground).path,
            {"start": 0, "goal": 3, "offsets": [[0, 1]], "weights": [1.0], "straight": True, "radius": 1.0},
        ),
        (Pathfinder(ground).reached, {"start": 0}),
        (assign, {"positions": [[0, 1]], "spots": [[0, 1]], "objective": "longest"}),
        (synchronised, {"costs": [1.0], "total": 2.0, "method": "adaptive"}),
        (directions, {"points": [[0, 1], [0, 2]], "window": 2}),
        (fragments, {"points": [[0, 1], [0, 2]], "bend": 10.0, "shortest": 3}),
        (shape_error, {"schema": schema, "positions": schema.places, "how": "mean"}),
        (move_log, {"schema": schema, "seconds": seconds, "positions": places, "how": "max"}),
        (formed, {"positions": places, "spots": found.spot}),
        (
            measure_move,
            {
                "schema": schema,
                "times": seconds,
                "positions": places,
                "radius": 0.25,
                "spots": found.spot,
                "how": "mean",
                "tolerance": 0.2,
            },
        ),
        (march_faults, {"manoeuvre": manoeuvre, "trace": found.trace, "logical": found.logical, "tick": 0.05}),
        (march_scene, {"manoeuvre": manoeuvre, "march": found, "moments": 2}),
    ]


def pictures() -> Rows:
    session = begun_game()
    return [
        (incremental_scene, {"grid": GRID, "search": DStarLite(GRID, 0, 5), "title": ""}),
        (session_scene, {"session": session, "unit": "A", "title": ""}),
    ]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the files that the table names, in a folder of their own."""
    monkeypatch.chdir(tmp_path)
    for suffix in (".txt", ".csv", ".json", ".npz"):
        save_plan(f"plan{suffix}", INSTANCE, PLAN)
    save_map(GRID, "plan.map")
    save_instance(INSTANCE, "a.scen", map="plan.map", lengths=[2, 3])
    save_robot_problem(RobotProblem(GRID, np.array([0]), np.array([0, 1]), np.array([1])), "problem.json")


@pytest.mark.parametrize("rows", [nouns_and_validators, files, agents, play, units, formations, pictures])
def test_a_wrong_value_is_told(rows: Callable[[], Rows]) -> None:
    faults: list[str] = []
    for call, options in rows():
        call(**options)
        for name in options:
            for value in WRONG:
                try:
                    call(**{**options, name: value})
                except AnabasisError as error:
                    if "\n" in str(error):
                        faults.append(f"{call.__qualname__}({name}={value!r}): more than a line: {error}")
                except Exception as error:  # told with the argument that it came from
                    faults.append(f"{call.__qualname__}({name}={value!r}): {type(error).__name__}: {error}")
    assert not faults, "\n" + "\n".join(faults)

"""Anabasis: moving units through 2D game worlds: maps, planners, simulation, measurement.

Everything public is imported on first use, so `import anabasis` is quick and loads neither numba nor SciPy.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from anabasis.errors import AnabasisError as AnabasisError
    from anabasis.errors import InputError as InputError
    from anabasis.errors import MissingExtraError as MissingExtraError
    from anabasis.find import Answer as Answer
    from anabasis.find import find_path as find_path
    from anabasis.find import load as load
    from anabasis.find import save as save
    from anabasis.gamemap import GameMap as GameMap
    from anabasis.gamemap import Recipe as Recipe
    from anabasis.gamemap import Site as Site
    from anabasis.generators import generate as generate
    from anabasis.graph import Graph as Graph
    from anabasis.grid import Grid as Grid
    from anabasis.instance import Instance as Instance
    from anabasis.instance import Rules as Rules
    from anabasis.movement import MovementClass as MovementClass
    from anabasis.navmesh import NavMesh as NavMesh
    from anabasis.noun import state_hash as state_hash
    from anabasis.plan import FlowField as FlowField
    from anabasis.plan import GroupPlan as GroupPlan
    from anabasis.plan import Path as Path
    from anabasis.plan import Plan as Plan
    from anabasis.result import Result as Result
    from anabasis.result import SearchTrace as SearchTrace
    from anabasis.result import Status as Status
    from anabasis.scenario import Change as Change
    from anabasis.scenario import Group as Group
    from anabasis.scenario import Limits as Limits
    from anabasis.scenario import Scenario as Scenario
    from anabasis.scenario import Steering as Steering
    from anabasis.scenario import Target as Target
    from anabasis.solve import AgentsAnswer as AgentsAnswer
    from anabasis.solve import solve_agents as solve_agents
    from anabasis.studio.widget import play as play
    from anabasis.trace import Trace as Trace
    from anabasis.trajectory import Kinematics as Kinematics
    from anabasis.trajectory import Trajectory as Trajectory
    from anabasis.world import World as World

__version__ = "0.1.0"

_PLACES = {
    "AnabasisError": "errors",
    "InputError": "errors",
    "MissingExtraError": "errors",
    "Answer": "find",
    "find_path": "find",
    "load": "find",
    "save": "find",
    "GameMap": "gamemap",
    "Recipe": "gamemap",
    "Site": "gamemap",
    "generate": "generators",
    "Graph": "graph",
    "Grid": "grid",
    "Instance": "instance",
    "Rules": "instance",
    "MovementClass": "movement",
    "NavMesh": "navmesh",
    "state_hash": "noun",
    "FlowField": "plan",
    "GroupPlan": "plan",
    "Path": "plan",
    "Plan": "plan",
    "Result": "result",
    "SearchTrace": "result",
    "Status": "result",
    "Change": "scenario",
    "Group": "scenario",
    "Limits": "scenario",
    "Scenario": "scenario",
    "Steering": "scenario",
    "Target": "scenario",
    "AgentsAnswer": "solve",
    "solve_agents": "solve",
    "play": "studio.widget",
    "Trace": "trace",
    "Kinematics": "trajectory",
    "Trajectory": "trajectory",
    "World": "world",
}

__all__ = [*_PLACES, "__version__"]  # noqa: PLE0604  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> object:
    if name in _PLACES:
        value = getattr(import_module(f"anabasis.{_PLACES[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'anabasis' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)

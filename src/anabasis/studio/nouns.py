"""Nouns from archives as messages: a draft of what can be edited, a run of what can be played, a scene of the rest."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from anabasis.errors import InputError
from anabasis.gamemap import GameMap
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.instance import Instance
from anabasis.lattice import Lattice
from anabasis.manoeuvre import Manoeuvre
from anabasis.navmesh import NavMesh
from anabasis.plan import FlowField, GroupPlan, Plan
from anabasis.plan import Path as Way
from anabasis.result import Result
from anabasis.scenario import Scenario
from anabasis.studio.beside import agents_beside, map_of_scen, scenario_beside, space_beside
from anabasis.studio.channel import Channel
from anabasis.studio.documents import draft_of_instance, draft_of_map, draft_of_scenario
from anabasis.studio.facts import Fact, say_facts
from anabasis.studio.runs import say_run
from anabasis.studio.saying import say_draft
from anabasis.studio.scenes import say_scene
from anabasis.trace import Trace
from anabasis.trajectory import Trajectory
from anabasis.view.game_maps import site_scene
from anabasis.view.layers import Scene
from anabasis.world import World

__all__ = ["say_noun", "say_plan"]

_MARGIN = 1.0  # cells of empty ground around what has no map


def say_noun(noun: object, path: Path, name: str, out: Channel) -> None:
    """Say a noun that was read from a file; raises InputError for one of which there is nothing to see.

    path: of the file, beside which what belongs to the noun may lie. name: what the user calls it.
    """
    facts: list[Fact] = [("file", name), ("holds", f"a {type(noun).__name__}")]
    title = Path(name).name.split(".")[0]
    if isinstance(noun, Result):
        facts.append(("status", noun.status.name.lower()))
        if noun.value is None:
            say_facts(out, title, [*facts, ("reason", noun.reason)])
            return
        noun = noun.value
    if isinstance(noun, (Grid, GameMap)):
        draft, lost = draft_of_map(noun, title)
        say_draft(out, draft, lost, facts)
        if isinstance(noun, GameMap) and noun.sites:
            say_scene(out, "sites", site_scene(noun))
        if isinstance(noun, GameMap) and noun.recipe is not None:
            say_facts(out, "made from", [("generator", noun.recipe.generator), ("seed", noun.recipe.seed)])
    elif isinstance(noun, Scenario):
        say_draft(out, *draft_of_scenario(noun), facts)
    elif isinstance(noun, Instance) and isinstance(noun.space, Grid):
        say_draft(out, *draft_of_instance(noun, title), facts)
    elif isinstance(noun, Trace):
        _say_trace(noun, path, title, out, facts)
    elif isinstance(noun, Plan):
        _say_loose_plan(noun, path, name, out)
    else:
        _say_picture(noun, path, title, out, facts)


def say_plan(instance: Instance, plan: Plan, name: str, out: Channel, facts: Sequence[Fact] = ()) -> None:
    """Say a plan of many agents: the draft that it is for, and the plan as it is walked."""
    from anabasis.metrics.plans import plan_faults
    from anabasis.studio.agents import run_of_agents
    from anabasis.view.agents import instance_scene

    title = Path(name).name.split(".")[0]
    told: list[Fact] = [("file", name), ("holds", "a plan of many agents"), *facts]
    faults = plan_faults(instance, plan)
    told += [("agents", instance.size), ("faults", len(faults)), *([("first fault", str(faults[0]))] if faults else [])]
    if isinstance(instance.space, Grid):
        draft, lost = draft_of_instance(instance, title)
        say_draft(out, draft, lost, told)
        say_scene(out, "agents", instance_scene(instance, starts=False), grid=instance.space)
    else:
        say_scene(out, "map", instance_scene(instance, starts=False))
        say_facts(out, title, told)
    trace, head = run_of_agents(instance, plan)
    say_run(out, None, trace, title=title, head=head)


def _say_trace(trace: Trace, path: Path, title: str, out: Channel, facts: list[Fact]) -> None:
    scenario = scenario_beside(path, trace.size)
    facts += [
        ("units", trace.size),
        ("arrived", trace.finished),
        ("steps", trace.steps),
        ("seed", trace.seed),
        ("hash", trace.hash),
    ]
    if scenario is None:
        say_facts(out, title, [*facts, ("scenario", "none beside it: units are played on an empty ground")])
    else:
        draft, lost = draft_of_scenario(scenario)
        say_draft(out, draft, lost, facts)
    say_run(out, scenario, trace, title=title)


def _say_loose_plan(plan: Plan, path: Path, name: str, out: Channel) -> None:
    """Say a plan of vertices alone: the map, and who is to go where, is looked for beside it."""
    from anabasis.io.mapf_scen import load_instance
    from anabasis.io.maps import load_grid

    scen, agents = agents_beside(path), plan.vertices.shape[1]
    if scen is not None:
        say_plan(load_instance(load_grid(map_of_scen(scen)), scen, agents=agents), plan, name, out)
        return
    found = space_beside(path)
    if found is None:
        raise InputError(
            "a plan of vertices without its map",
            file=path,
            found="no map beside it",
            expected="a .map named like it, in the same folder",
            hint="put it into the workspace, beside the plan",
        )
    say_plan(Instance.of(found[0], plan.vertices[0], plan.vertices[-1]), plan, name, out, [("map", found[1].name)])


def _say_picture(noun: object, path: Path, title: str, out: Channel, facts: list[Fact]) -> None:
    """Say what can only be looked at: over its map, if that lies beside the file."""
    found = space_beside(path) if isinstance(noun, (Way, GroupPlan, FlowField, Trajectory, Graph, NavMesh)) else None
    scene = _scene(noun, None if found is None else found[0], path)
    if found is not None:
        draft, lost = draft_of_map(found[0], title)
        say_draft(out, draft, lost, [*facts, ("map", found[1].name)])
    else:
        say_facts(out, title, facts)
    say_scene(out, "file", scene, grid=None if found is None else found[0])


def _scene(noun: object, grid: Grid | None, path: Path) -> Scene:
    from anabasis.view.formations import lattice_scene, manoeuvre_scene
    from anabasis.view.ground import graph_scene, map_scene, world_scene
    from anabasis.view.searches import path_scene
    from anabasis.view.spaces import mesh_scene

    if isinstance(noun, World):
        return world_scene(noun)
    if isinstance(noun, Lattice):
        return lattice_scene(noun)
    if isinstance(noun, Manoeuvre):
        return manoeuvre_scene(noun)
    ground = None if grid is None else map_scene(grid)
    if isinstance(noun, Graph):
        return graph_scene(noun, ground=ground)
    if isinstance(noun, NavMesh):
        return mesh_scene(noun, ground or _bare(noun.points))
    if isinstance(noun, (Way, Trajectory)):
        way = noun if isinstance(noun, Way) else Way([], noun.points, 0.0)  # pyright: ignore[reportArgumentType]
        return path_scene(ground or _bare(noun.points), way)
    if isinstance(noun, GroupPlan):
        return _ways(noun, ground or _bare(noun.points))
    if isinstance(noun, FlowField):
        from anabasis.view.plans import field_scene

        height, width = noun.distance.shape
        return field_scene(grid or _open(width, height), noun)
    if isinstance(noun, Instance):
        from anabasis.view.agents import instance_scene

        return instance_scene(noun)
    raise InputError("there is nothing to see of this", file=path, found=f"a {type(noun).__name__}")


def _open(width: int, height: int) -> Grid:
    return Grid.from_free(np.ones((height, width), bool))


def _ways(plan: GroupPlan, ground: Scene) -> Scene:
    """Return the ways of all units, those of each route in one colour."""
    from anabasis.view.ground import pen
    from anabasis.view.layers import Polylines
    from anabasis.view.palette import group_colour

    ways = np.split(plan.points, plan.indptr[1:-1])
    line = pen(ground.width, ground.height)
    layers = [
        Polylines.of([ways[u] for u in np.flatnonzero(plan.route == route)], group_colour(int(route)), line)
        for route in np.unique(plan.route[plan.route >= 0]).tolist()
    ]
    return ground.over(*layers)


def _bare(points: Any) -> Scene:
    """Return an empty ground around points float64[n, 2]."""
    if not len(points):
        return Scene((0.0, 0.0, 1.0, 1.0))
    low, high = np.min(points, axis=0) - _MARGIN, np.max(points, axis=0) + _MARGIN
    return Scene((float(low[0]), float(low[1]), float(high[0]), float(high[1])))

"""Scenes: a picture of every noun and stage, made of nouns only; the one place to import them from."""

from __future__ import annotations

from anabasis.view.agents import instance_scene, step_scene, traffic_scene, ways_scene
from anabasis.view.decomposition import clearance_scene, flooding_scene, gates_scene, regions_scene, stage_scene
from anabasis.view.flows import network_scene, routes_scene
from anabasis.view.game_maps import game_map_scene, sheet_scene
from anabasis.view.ground import graph_scene, map_scene, world_scene
from anabasis.view.heights import heights_scene, slope_scene
from anabasis.view.incremental import incremental_scene
from anabasis.view.layers import Arrows, Circles, ImageLayer, Labels, Polygons, Polylines, Ramp, Scene, Swatch
from anabasis.view.overlays import cell_lines, chosen_unit, goal_lines, unit_numbers
from anabasis.view.plans import field_scene, plan_scene
from anabasis.view.relief import relief_scene
from anabasis.view.runs import density_scene, frame_scene, trajectory_scene
from anabasis.view.searches import ground_scene, path_scene, search_scene
from anabasis.view.turns import session_scene

__all__ = [
    "Arrows",
    "Circles",
    "ImageLayer",
    "Labels",
    "Polygons",
    "Polylines",
    "Ramp",
    "Scene",
    "Swatch",
    "cell_lines",
    "chosen_unit",
    "clearance_scene",
    "density_scene",
    "field_scene",
    "flooding_scene",
    "frame_scene",
    "game_map_scene",
    "gates_scene",
    "goal_lines",
    "graph_scene",
    "ground_scene",
    "heights_scene",
    "incremental_scene",
    "instance_scene",
    "map_scene",
    "network_scene",
    "path_scene",
    "plan_scene",
    "regions_scene",
    "relief_scene",
    "routes_scene",
    "search_scene",
    "session_scene",
    "sheet_scene",
    "slope_scene",
    "stage_scene",
    "step_scene",
    "traffic_scene",
    "trajectory_scene",
    "unit_numbers",
    "ways_scene",
    "world_scene",
]

"""Scenes: a picture of every noun and stage, made of nouns only; the one place to import them from."""

from __future__ import annotations

from anabasis.view.ground import graph_scene, map_scene, world_scene
from anabasis.view.layers import Arrows, Circles, ImageLayer, Labels, Polygons, Polylines, Ramp, Scene, Swatch
from anabasis.view.plans import field_scene, path_scene, plan_scene, search_scene
from anabasis.view.runs import density_scene, frame_scene, trajectory_scene

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
    "density_scene",
    "field_scene",
    "frame_scene",
    "graph_scene",
    "map_scene",
    "path_scene",
    "plan_scene",
    "search_scene",
    "trajectory_scene",
    "world_scene",
]

"""Spaces: a discretisation of a draft's map: its states and arcs or its mesh, and what they cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from anabasis.decompose.cells import ground
from anabasis.decompose.obstacles import grow
from anabasis.lab.discretisations import cells_of, measure
from anabasis.methods import method as method_row
from anabasis.studio.channel import Channel
from anabasis.studio.drafts import grid_of
from anabasis.studio.facts import say_facts
from anabasis.studio.requests import asked_method, asked_options
from anabasis.studio.scenes import say_scene
from anabasis.view.scene import ground_scene
from anabasis.view.spaces import space_scene

__all__ = ["run"]


def run(args: Mapping[str, Any], out: Channel) -> None:
    """Discretise: `draft`, `method` (a discretisation), `options`, `seed`."""
    grid = grid_of(args.get("draft"))
    name = asked_method("space", args)
    options, beside = asked_options("space", name, args)
    row = method_row("space", name)
    out.progress(0, 0, "cutting the map")
    world = ground(grid)
    world = grow(world, beside["radius"]) if beside["radius"] else world
    measured = measure(row, world, repeats=1, **options)
    cells = cells_of(row, world, **options)
    scene = space_scene(measured.made if cells is None else cells, ground_scene(world), title=name)
    below = 0 if beside["radius"] else len(ground_scene(world).layers)  # grown obstacles are no map that the page has
    say_scene(out, "space", replace(scene, layers=scene.layers[below:]))
    mean, most = measured.degree
    say_facts(
        out,
        f"Discretisation {name}",
        [
            ("states", measured.states),
            ("arcs", measured.arcs),
            ("arcs of a state, mean", mean),
            ("arcs of a state, most", most),
            ("bytes", measured.bytes),
            ("making it", measured.seconds, "seconds"),
        ],
    )

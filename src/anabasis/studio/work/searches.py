"""Searches: a path for one unit between the ends of a draft, with everything that the search did on the way."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from anabasis.errors import InputError
from anabasis.find import Answer, discretised, find_path
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.method_options import check_options, options_of
from anabasis.result import SearchTrace
from anabasis.search.dstar_lite import DStarLite
from anabasis.search.lpa_star import LPAStar
from anabasis.studio.asked import asked_table
from anabasis.studio.channel import Channel
from anabasis.studio.drafts import Ends, ends_of, grid_of
from anabasis.studio.facts import Fact, say_facts
from anabasis.studio.requests import asked_method, asked_options
from anabasis.studio.runs import say_run
from anabasis.studio.scenes import say_scene
from anabasis.studio.work.motions import along, one_unit
from anabasis.view.incremental import incremental_scene

__all__ = ["MOST_EVENTS", "run"]

MOST_EVENTS = 2**20
"""Of a search that is said step by step; what comes after them is left out."""

_RADIUS = 0.4  # of the unit that walks a path
_MOST_TRACED = 2**20  # vertices generated: what a search did that looked at more of them takes too much memory
_MENDED = {"dstar-lite": DStarLite, "lpa-star": LPAStar}


def run(args: Mapping[str, Any], out: Channel) -> None:
    """Find a path: `draft`, `method`, `options`, `seed`; `space_options` of the discretisation in `options`."""
    draft = args.get("draft")
    grid = grid_of(draft)
    ends = ends_of(draft, grid)
    name = asked_method("search", args)
    options, beside = asked_options("search", name, args)
    options["shorten"] = beside["shorten"]
    graph = _graph(grid, beside["space"], asked_table(args, "space_options")) if beside["space"] else None
    if graph is not None:
        options |= {"graph": graph, "ends": beside["ends"]}
    out.progress(0, 0, "searching")
    begin = time.perf_counter()
    answer = find_path(grid, ends.start, ends.goal, method=name, **options)
    seconds = time.perf_counter() - begin
    if "traced" in options_of("search", name) and answer.result.stats.get("generated", 0) <= _MOST_TRACED:
        # sought again: recording takes time, which should not count
        answer = find_path(grid, ends.start, ends.goal, method=name, traced=True, **options)
    if answer.result.trace is not None:
        _say_search(out, name, grid, answer, answer.result.trace)
        say_scene(out, "searched", replace(answer.picture(searched=True), title=f"what {name} searched"), grid=grid)
    if answer.path is not None:
        say_scene(out, "path", replace(answer.picture(), title=f"path by {name}"), grid=grid)
    if name in _MENDED and graph is None:
        _say_mended(out, name, grid, ends, options)
    _say_facts(out, name, answer, seconds)
    if answer.path is None:
        out.end(answer.result.status.value, answer.reason)
        return
    walked = one_unit(along(answer.path.points), _RADIUS)
    x, y = answer.path.points[-1].tolist()
    head = {"method": name, "targets": [[x, y, 0.5]], "stays": True}
    say_run(out, None, walked, title=f"path by {name}", head=head)


def _graph(grid: Grid, space: str, options: dict[str, Any]) -> Graph:
    """Return the graph of a discretisation of the map; raises InputError for one that makes none."""
    made = discretised(space, grid, **check_options(options_of("space", space), options, "space_options"))
    if not isinstance(made, Graph):
        expected = "a discretisation in states and arcs"
        raise InputError(f"{space} makes no graph", where="options.space", expected=expected)
    return made


def _say_search(out: Channel, name: str, grid: Grid, answer: Answer, trace: SearchTrace) -> None:
    """Say the steps of a search, at most MOST_EVENTS of them.

    Where vertices are cells of the map there are no `points`; elsewhere those are the places of vertices.
    """
    points = trace.points
    if not len(points) and answer.graph is not None:
        points = answer.graph.points
    on_cells = not len(points)
    kept = slice(0, MOST_EVENTS)
    head = {
        "method": name,
        "width": grid.width,
        "height": grid.height,
        "nodes": grid.width * grid.height if on_cells else len(points),
        "events": len(trace.event),
        "cells": on_cells,
    }
    out.say(
        "search",
        head,
        event=trace.event[kept],
        vertex=trace.vertex[kept].astype(np.int32),
        parent=trace.parent[kept].astype(np.int32),
        g=trace.g[kept].astype(np.float32),
        h=trace.h[kept].astype(np.float32),
        points=points.astype(np.float32),
    )


def _say_mended(out: Channel, name: str, grid: Grid, ends: Ends, options: dict[str, Any]) -> None:
    """Say price, g and rhs of each cell that a search which can be mended has looked at."""
    kept = {key: options[key] for key in ("neighbours", "corners") if key in options}
    search = _MENDED[name](grid, grid.vertex(*ends.start), grid.vertex(*ends.goal), **kept)
    search.path()
    say_scene(out, "incremental", incremental_scene(grid, search, title=f"price, g and rhs of {name}"))


def _say_facts(out: Channel, name: str, answer: Answer, seconds: float) -> None:
    """Say the cost, what is proved of it, the counts of the search and its time."""
    result, path = answer.result, answer.path
    rows: list[Fact] = [
        ("status", result.status.value),
        ("reason", result.reason or None),
        ("cost", None if path is None else path.cost),
        ("length", None if path is None else path.length),
        ("steps", len(answer.cells) - 1 if answer.cells else None),
        ("corners", None if path is None or answer.cells else len(path.points)),
        ("proved: at least", result.bound if result.bound > 0 else None),
        ("nearest place in reach", None if answer.nearest is None else list(answer.nearest)),
    ]
    if answer.graph is not None:
        rows += [("states of the graph", answer.graph.size), ("arcs of the graph", len(answer.graph.indices))]
    rows += [(key.replace("_", " "), value) for key, value in result.stats.items() if not key.startswith("nearest")]
    say_facts(out, f"Search by {name}", [*rows, ("search", seconds, "seconds")])

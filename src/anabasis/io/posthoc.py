"""Posthoc: traces of searches in the format of the Posthoc visualiser, written and read.

The Posthoc developers, "Search trace" (posthoc.pathfinding.ai/docs), version 1.4.0. A trace is a list of events, each
with a vertex, its parent, g, h, f and place, and a view that says how an event is drawn. The file is JSON, which is
YAML too; its name ends in `.trace.json`. Expressions in the views of foreign files are never evaluated.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path as FilePath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.io.atomic import decode, read_bytes, write_atomic
from anabasis.plan import Path
from anabasis.result import SearchTrace, TraceEvent
from anabasis.world import World

__all__ = ["VERSION", "read_posthoc", "trace_places", "write_posthoc"]

VERSION = "1.4.0"

_WRITTEN = {
    TraceEvent.GENERATE.value: "generating",
    TraceEvent.EXPAND.value: "expanding",
    TraceEvent.CLOSE.value: "closing",
    TraceEvent.UPDATE.value: "updating",
}
_READ = {
    **{name: event for event, name in _WRITTEN.items()},
    "generate": TraceEvent.GENERATE.value,
    "open": TraceEvent.GENERATE.value,
    "opening": TraceEvent.GENERATE.value,
    "expand": TraceEvent.EXPAND.value,
    "close": TraceEvent.CLOSE.value,
    "update": TraceEvent.UPDATE.value,
}
_PLACELESS = frozenset({"source", "start", "destination", "goal", "end", "finish", "solution"})  # no step of a search


def trace_places(space: Grid | Graph | World, trace: SearchTrace) -> NDArray[np.float64]:
    """Return float64[n, 2]: the place (x, y) of each vertex of a trace of a search in that space."""
    if len(trace.points) or isinstance(space, World):
        return trace.points
    if isinstance(space, Graph):
        return space.points
    return space.centres(np.arange(space.cost.size))


def write_posthoc(
    file: str | FilePath, space: Grid | Graph | World, trace: SearchTrace, path: Path | None = None
) -> None:
    """Write a trace for Posthoc; cells of a Grid are drawn as squares, other vertices as discs.

    path: the solution; its vertices, or where it has none its points, become the events of type `end`. Raises
    InputError for a name that Posthoc would not open.
    """
    name = FilePath(file)
    if not name.name.endswith(".trace.json"):
        raise InputError("name of a trace for Posthoc", file=file, found=name.name, expected="a name.trace.json")
    places = trace_places(space, trace)
    cells = isinstance(space, Grid) and not len(trace.points)
    middle = 0.5 if cells else 0.0
    pivot = {"x": f"${{{{ $.x + {middle} }}}}", "y": f"${{{{ $.y + {middle} }}}}", "scale": 1}
    view = {"version": VERSION, "views": {"main": [_view(places, cells)]}, "pivot": pivot}
    head = json.dumps(view, allow_nan=False)
    events = ",\n".join(json.dumps(event, allow_nan=False) for event in _events(trace, places, cells, path))
    write_atomic(name, f'{head[:-1]}, "events": [\n{events}\n]}}\n'.encode())


def _view(places: NDArray[np.float64], cells: bool) -> dict[str, Any]:
    """Return how an event is drawn."""
    colour = "${{ color[$.type] }}"
    if cells:
        return {"$": "rect", "x": "${{ $.x }}", "y": "${{ $.y }}", "width": 1, "height": 1, "fill": colour}
    extent = float(np.ptp(places, axis=0).max()) if len(places) else 1.0
    radius = max(extent / max(4 * math.sqrt(max(len(places), 1)), 1.0), 1e-6)
    return {"$": "circle", "x": "${{ $.x }}", "y": "${{ $.y }}", "radius": radius, "fill": colour}


def _events(
    trace: SearchTrace, places: NDArray[np.float64], cells: bool, path: Path | None
) -> Iterator[dict[str, Any]]:
    """Yield source, destination, what the search did, and the solution."""
    shift = 0.5 if cells else 0.0  # Posthoc draws a square from its corner

    def place(vertex: int) -> dict[str, float]:
        x, y = (places[vertex] - shift).tolist()
        return {"x": x, "y": y}

    if len(trace.vertex):
        start = int(trace.vertex[0])
        yield {"type": "source", "id": start, **place(start)}
    if path is not None and path.vertices.size:
        goal = int(path.vertices[-1])
        yield {"type": "destination", "id": goal, **place(goal)}
    rows = zip(
        trace.event.tolist(),
        trace.vertex.tolist(),
        trace.parent.tolist(),
        trace.g.tolist(),
        trace.h.tolist(),
        strict=True,
    )
    for event, vertex, parent, g, h in rows:
        numbers = {"g": g, "h": h, "f": g + h} if math.isfinite(g) and math.isfinite(h) else {}
        above = None if parent < 0 else parent
        yield {"type": _WRITTEN[event], "id": vertex, "pId": above, **numbers, **place(vertex)}
    if path is None:
        return
    if path.vertices.size:
        before = None
        for vertex in path.vertices.tolist():
            yield {"type": "end", "id": vertex, "pId": before, **place(vertex)}
            before = vertex
    else:
        for number, (x, y) in enumerate(path.points.tolist()):
            above = f"path {number - 1}" if number else None
            yield {"type": "end", "id": f"path {number}", "pId": above, "x": x - shift, "y": y - shift}


def read_posthoc(file: str | FilePath) -> SearchTrace:
    """Read a trace in Posthoc's format, JSON, version 1.4.0 or an older 1.0.

    Vertices are numbered in the order in which they first appear, `points` holds their places (nothing if the events
    give none); events of types that are no step of a search are left out. Raises InputError that names the event.
    """
    try:
        data = json.loads(decode(read_bytes(file), file))
    except json.JSONDecodeError as error:
        raise InputError(
            "a trace for Posthoc must be JSON",
            file=file,
            where=error.lineno,
            found=error.msg,
            hint="a trace in YAML can be turned into JSON by any YAML program",
        ) from None
    events = data.get("events", data.get("eventList")) if isinstance(data, dict) else None
    version = data.get("version") if isinstance(data, dict) else None
    if not (isinstance(version, str) and (version == VERSION or version.startswith("1.0"))):
        raise InputError("version of a trace", file=file, found=repr(version), expected=f"{VERSION} or 1.0.x")
    if not isinstance(events, list):
        raise InputError("a trace without events", file=file, expected='a list named "events"')
    numbers: dict[int | str, int] = {}
    places: list[tuple[float, float] | None] = []
    rows: list[tuple[float, ...]] = []
    for count, event in enumerate(events):
        row = _row(file, count, event, numbers, places)
        if row is not None:
            rows.append(row)
    table = np.array(rows, np.float64).reshape(-1, 5)
    known = [place for place in places if place is not None]
    points = np.array(known if len(known) == len(places) else [], np.float64).reshape(-1, 2)
    kind, vertex, parent = (table[:, k].astype(np.int64) for k in range(3))
    return SearchTrace(kind.astype(np.int8), vertex, parent, table[:, 3], table[:, 4], points)


def _row(
    file: str | FilePath,
    count: int,
    event: Any,
    numbers: dict[int | str, int],
    places: list[tuple[float, float] | None],
) -> tuple[float, ...] | None:
    """Return (event, vertex, parent, g, h) of one event, None if it is no step of a search; number its vertex."""
    what = f"event {count} of the trace"
    if not isinstance(event, dict) or not isinstance(event.get("type"), str):
        raise InputError(what, file=file, found=json.dumps(event)[:60], expected='an object with a "type"')
    kind = event["type"]
    if kind in _PLACELESS:
        return None
    if kind not in _READ:
        raise InputError(f"type of {what}", file=file, found=repr(kind), expected=" or ".join(sorted(_READ)))
    name, above = event.get("id"), event.get("pId")
    if isinstance(name, bool) or not isinstance(name, (int, str)):
        raise InputError(f"id of {what}", file=file, found=json.dumps(name), expected="a number or a text")
    if isinstance(above, bool) or not isinstance(above, (int, str, type(None))):
        raise InputError(f"pId of {what}", file=file, found=json.dumps(above), expected="a number, a text or null")
    inner = event.get("variables", event)  # where version 1.0 has the places
    inner = inner if isinstance(inner, dict) else {}
    place = (_number(file, what, "x", inner), _number(file, what, "y", inner))
    if name not in numbers:
        numbers[name] = len(places)
        places.append(None)
    if place[0] is not None and place[1] is not None:
        places[numbers[name]] = (place[0], place[1])
    parent = -1 if above is None else numbers.get(above, -1)
    g = _number(file, what, "g", event)
    h = _number(file, what, "h", event)
    f = _number(file, what, "f", event)
    g = 0.0 if g is None else g
    rest = h if h is not None else (f - g if f is not None else 0.0)
    return float(_READ[kind]), float(numbers[name]), float(parent), g, rest


def _number(file: str | FilePath, what: str, key: str, event: dict[str, Any]) -> float | None:
    value = event.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise InputError(f"{key} of {what}", file=file, found=json.dumps(value), expected="a finite number")
    return float(value)

"""Discretisations: what each of the table makes of one world, and what that costs: time, states, arcs, bytes."""

from __future__ import annotations

import statistics
import time
from dataclasses import dataclass
from inspect import Parameter, signature
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis.decompose.cells import Cells
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.methods import Method
from anabasis.world import World

__all__ = ["Measured", "cells_of", "measure", "noun_bytes"]


@dataclass(frozen=True)
class Measured:
    """One discretisation of one world.

    made: what it made. seconds: the median time of making it. states, arcs: how many; of a mesh the polygons and the
    sides that two of them share, each way. degree: the mean and the most arcs out of a state. bytes: of all its arrays.
    """

    name: str
    made: Any
    seconds: float
    states: int
    arcs: int
    degree: tuple[float, int]
    bytes: int


def measure(row: Method, space: World | Grid, *, repeats: int = 3, **options: Any) -> Measured:
    """Make a discretisation of the table several times, after once unmeasured (kernels compile), and measure it."""
    make = row.load()
    made = make(space, **options)
    times: list[float] = []
    for _ in range(repeats):
        begun = time.perf_counter()
        made = make(space, **options)
        times.append(time.perf_counter() - begun)
    degrees = _degrees(made)
    return Measured(
        name=row.name,
        made=made,
        seconds=statistics.median(times),
        states=len(degrees),
        arcs=int(degrees.sum()),
        degree=(float(degrees.mean()) if len(degrees) else 0.0, int(degrees.max(initial=0))),
        bytes=noun_bytes(made),
    )


def cells_of(row: Method, space: World | Grid, **options: Any) -> Cells | None:
    """Return the cells that a discretisation of the table makes, with the same options; None if it makes no cells."""
    from anabasis.decompose.lattices import lattice_cells
    from anabasis.decompose.quadtree import quadtree_cells

    maker = row.function.rpartition(":")[2]
    parameters = signature(row.load()).parameters.values()
    chosen = {p.name: p.default for p in parameters if p.kind is Parameter.KEYWORD_ONLY} | options
    if maker == "quadtree":
        return quadtree_cells(space, **chosen)
    kind = maker.removesuffix("_lattice")
    return lattice_cells(space, kind, **chosen) if kind != maker else None


def _degrees(made: Any) -> NDArray[np.int64]:
    """Return int64[n], the number of arcs out of each state of a graph, or of neighbours of each polygon of a mesh."""
    if isinstance(made, Graph):
        return np.diff(made.indptr)
    shared = np.concatenate([[0], np.cumsum(made.neighbours >= 0)])
    return shared[made.indptr[1:]] - shared[made.indptr[:-1]]


def noun_bytes(thing: Any) -> int:
    """Return how many bytes the arrays of a noun, or of a prepared search, take; each array counts once."""
    found: dict[int, int] = {}
    _find_arrays(thing, found, set())
    return sum(found.values())


def _find_arrays(thing: Any, found: dict[int, int], seen: set[int]) -> None:
    if id(thing) in seen:
        return
    seen.add(id(thing))
    if isinstance(thing, np.ndarray):
        below: Any = thing.base
        whole = below if isinstance(below, np.ndarray) else thing
        found[id(whole)] = whole.nbytes
    elif isinstance(thing, (tuple, list)):
        for part in thing:
            _find_arrays(part, found, seen)
    elif hasattr(thing, "__dict__") and type(thing).__module__.startswith("anabasis."):
        for part in vars(thing).values():
            _find_arrays(part, found, seen)

"""Maps of tile editors: what their readers share: what a map says, words for terrain, shapes as cells, files beside.

A tile map says what is blocked in several ways; each reader tells which one it has followed.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from anabasis.errors import InputError
from anabasis.io.atomic import decode, read_bytes
from anabasis.io.json_checks import json_object

__all__ = ["GROUND", "ITEMS", "WALL", "Item", "TileMap", "beside", "covered", "item_kind", "json_beside"]

WALL, GROUND = ord("@"), ord(".")

ITEMS = ("spawn", "goal", "gate", "region", "unit")
"""Kinds of objects that mean something to Anabasis; their editors call it class, type or identifier."""

Shape = Literal["rectangle", "ellipse"]


@dataclass(frozen=True)
class Item:
    """An object on a tile map, of a kind in ITEMS; lengths in cells, a point has no width."""

    kind: str
    name: str
    x: float
    y: float
    width: float = 0.0
    height: float = 0.0


@dataclass(frozen=True, eq=False)
class TileMap:
    """What a tile map says: terrain uint8[height, width]; `rule`: what was taken for walls, in words; notes; items."""

    terrain: NDArray[np.uint8]
    rule: str
    items: tuple[Item, ...] = ()
    notes: tuple[str, ...] = ()


def item_kind(name: object) -> str | None:
    """Return the kind of an object that is called so, None for one that is no concern of ours."""
    said = name.lower() if isinstance(name, str) else ""
    return said if said in ITEMS else None


def beside(path: str | os.PathLike[str], name: str, where: str) -> Path:
    """Return the path of a file that a map names; raises InputError unless it is in the map's folder, or below it."""
    folder = Path(path).parent
    named = Path(name.replace("\\", "/"))
    try:
        inside = not named.is_absolute() and (folder / named).resolve().is_relative_to(folder.resolve())
    except (OSError, ValueError):
        inside = False
    if not inside or not named.name or ":" in name:
        raise InputError(
            "a file outside the folder of the map",
            file=path,
            where=where,
            found=repr(name[:200]),
            expected="a relative path in it or below it",
        )
    if not (folder / named).is_file():
        raise InputError("there is no such file beside the map", file=path, where=where, found=repr(name[:200]))
    return folder / named


def json_beside(path: str | os.PathLike[str], name: str, where: str) -> tuple[Path, dict[str, Any]]:
    """Return a JSON file that a map names, and what is in it."""
    file = beside(path, name, where)
    return file, json_object(decode(read_bytes(file), file), file)


def covered(
    shape: tuple[int, int], corners: Sequence[tuple[float, float]], *, ellipse: bool = False
) -> NDArray[np.bool_]:
    """Return bool[height, width]: the cells whose middle lies in a polygon, or in the ellipse in a box of four corners.

    corners: in cells. A middle on the outline may be in or out.
    """
    height, width = shape
    points = np.array(corners, np.float64).reshape(-1, 2)
    found = np.zeros(shape, np.bool_)
    low = np.clip(np.floor(points.min(axis=0)), 0, (width, height)).astype(np.int64)
    high = np.clip(np.ceil(points.max(axis=0)), 0, (width, height)).astype(np.int64)
    if (low >= high).any():
        return found
    x = np.arange(low[0], high[0])[None, :] + 0.5
    y = np.arange(low[1], high[1])[:, None] + 0.5
    if ellipse:
        middle, u, v = points.mean(axis=0), (points[1] - points[0]) / 2, (points[3] - points[0]) / 2
        dx, dy = x - middle[0], y - middle[1]
        across, along = max(float(u @ u), 1e-300), max(float(v @ v), 1e-300)
        inside = ((dx * u[0] + dy * u[1]) / across) ** 2 + ((dx * v[0] + dy * v[1]) / along) ** 2 < 1
    else:
        inside = np.zeros(np.broadcast_shapes(x.shape, y.shape), np.bool_)
        for (ax, ay), (bx, by) in zip(points.tolist(), np.roll(points, -1, axis=0).tolist(), strict=True):
            if ay != by:  # a ray to the right crosses this side
                inside ^= ((ay > y) != (by > y)) & (x < ax + (y - ay) * (bx - ax) / (by - ay))
    found[low[1] : high[1], low[0] : high[0]] = inside
    return found

"""The tree that a search grows: a parent for each vertex, -1 at its root."""

from __future__ import annotations

from typing import Any

import numpy as np

from anabasis._kernel import kernel

__all__ = ["walk"]


@kernel
def walk(parent: Any, vertex: int) -> Any:
    """Return the vertices from the root of the tree to `vertex`, int64[k]."""
    count = 0
    v = vertex
    while v >= 0:
        count += 1
        v = parent[v]
    vertices = np.empty(count, np.int64)
    v = vertex
    for k in range(count - 1, -1, -1):
        vertices[k] = v
        v = parent[v]
    return vertices

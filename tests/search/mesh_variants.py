"""Queries of all kinds in a world, and meshes with more corners than they need."""

import numpy as np

from anabasis import NavMesh
from anabasis.decompose.free_space import free_space


def places(rng, world, count):
    """Places of all kinds: anywhere, on whole numbers, at corners, in the middle of walls, between two corners."""
    x0, y0, x1, y1 = world.bounds
    free = free_space(world)
    for _ in range(count):
        place = rng.uniform((x0, y0), (x1, y1))
        kind = rng.integers(5) if free.size else 0
        if kind == 1:
            place = np.round(place * 2) / 2
        elif kind == 2:
            place = free.corners[rng.integers(free.size)]
        elif kind == 3:
            i = rng.integers(free.size)
            place = (free.corners[i] + free.corners[free.after[i]]) / 2
        elif kind == 4:
            place = free.corners[rng.integers(free.size, size=2)].mean(axis=0)
        yield tuple(np.clip(place, (x0, y0), (x1, y1)).tolist())


def queries(rng, world, count):
    """Pairs of such places."""
    found = list(places(rng, world, 2 * count))
    return list(zip(found[::2], found[1::2], strict=True))


def with_straight_corners(rng, mesh, share=0.6, wobble=0.0):
    """The mesh with up to three more corners on a share of its sides and walls.

    They are exactly on them if coordinates are whole, else but for rounding, or off by up to `wobble`.
    """
    points, cuts = mesh.points.tolist(), {}
    for i in range(mesh.corners.size):
        a, b = int(mesh.corners[i]), int(mesh.ends[i])
        if mesh.twins[i] >= 0 and (b, a) in cuts:
            cuts[a, b] = cuts[b, a][::-1]
            continue
        cuts[a, b] = []
        if rng.random() < share:
            for eighth in np.sort(rng.choice(np.arange(1, 8), int(rng.integers(1, 4)), replace=False)):
                place = mesh.points[a] + (mesh.points[b] - mesh.points[a]) * (eighth / 8)
                cuts[a, b].append(len(points))
                points.append((place + rng.uniform(-wobble, wobble, 2)).tolist())
    rings = []
    for p in range(mesh.size):
        edges = range(int(mesh.indptr[p]), int(mesh.indptr[p + 1]))
        rings.append([v for i in edges for v in (mesh.corners[i], *cuts[mesh.corners[i], mesh.ends[i]])])
    return NavMesh.of(points, rings)

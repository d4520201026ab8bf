"""Random worlds of polygons, and shortest ways through them by means that share nothing with the library.

`oracle_sees` decides in exact rationals; `OracleGraph` grows the obstacles by a hair with Shapely, which closes every
passage of no width, joins all corners that see each other, and searches with networkx.
"""

from fractions import Fraction
from itertools import combinations, pairwise

import networkx as nx
import numpy as np
import shapely
from scipy.spatial import Delaunay

from anabasis.world import World

HAIR = 1e-7


def loose_polygons(rng, count, side=100.0):
    """A world of up to `count` star-shaped polygons at any angle that don't touch, most of them not convex."""
    rings, solids = [], []
    for _ in range(count):
        n = int(rng.integers(3, 9))
        angles = np.sort(rng.uniform(0, 2 * np.pi, n))
        if np.diff(np.append(angles, angles[0] + 2 * np.pi)).max() > 3:
            continue
        radius = rng.uniform(0.2, 1, n) * side / rng.uniform(5, 20)
        ring = rng.uniform(0.02, 0.98, 2) * side + np.stack((np.cos(angles), np.sin(angles)), 1) * radius[:, None]
        ring = ring.clip(0, side)
        solid = shapely.Polygon(ring)
        if solid.is_valid and solid.area > 0.1 and not any(solid.distance(other) < 0.01 for other in solids):
            rings.append(ring)
            solids.append(solid)
    return World.of((0, 0, side, side), rings)


def touching_triangles(rng, points=12, side=9, share=0.4):
    """A world in which a share of the triangles between whole-numbered points is blocked, each a ring of its own.

    They share edges and corners in every way, touch the bounds, and enclose holes.
    """
    corners = np.array([(0, 0), (0, side), (side, 0), (side, side)])
    places = np.unique(np.concatenate((corners, rng.integers(0, side + 1, (points, 2)))), axis=0)
    triangles = places[Delaunay(places).simplices]
    flat = np.array([shapely.Polygon(t).area == 0 for t in triangles])
    blocked = triangles[~flat & (rng.random(len(triangles)) < share)]
    return World.of((0, 0, side, side), list(blocked.astype(float)))


def solid_of(world):
    """The obstacles as one Shapely geometry, by the rule of odd and even."""
    solid = shapely.Polygon()
    for k in range(len(world.rings) - 1):
        solid = solid.symmetric_difference(shapely.Polygon(world.points[world.rings[k] : world.rings[k + 1]]))
    return solid


def free_places(rng, world, count):
    """Random places that are not in an obstacle nor at one."""
    x0, y0, x1, y1 = world.bounds
    places, solid = rng.uniform((x0, y0), (x1, y1), (100 * count, 2)), solid_of(world)
    shapely.prepare(solid)
    away = ~shapely.dwithin(solid, shapely.points(places), 1e-3)
    return [tuple(place) for place in places[away][:count].tolist()]


class OracleGraph:
    """Everything that sees each other, by Shapely; lengths are right to about 1e-6."""

    def __init__(self, world):
        walls = solid_of(world).buffer(HAIR, join_style="mitre", mitre_limit=20)
        self.free = shapely.box(*world.bounds).difference(walls)
        self.places = np.unique(shapely.get_coordinates(self.free), axis=0)
        shapely.prepare(self.free)
        self.graph = nx.Graph()
        self._join(combinations(range(len(self.places)), 2), self.places)

    def _join(self, pairs, places):
        pairs = np.array(list(pairs), int).reshape(-1, 2)
        lines = shapely.linestrings(places[pairs])
        for (i, j), line in zip(pairs[self.free.covers(lines)].tolist(), lines[self.free.covers(lines)], strict=True):
            self.graph.add_edge(i, j, weight=line.length)

    def length(self, start, goal):
        """The length of a shortest way, inf without one."""
        n = len(self.places)
        places = np.concatenate((self.places, [start, goal]))
        self.graph.add_nodes_from((n, n + 1))
        self._join([(i, j) for j in (n, n + 1) for i in range(j)], places)
        try:
            return nx.dijkstra_path_length(self.graph, n, n + 1)
        except nx.NetworkXNoPath:
            return np.inf
        finally:
            self.graph.remove_nodes_from((n, n + 1))


def oracle_sees(world, a, b):
    """Whether a sees b in a world of convex rings that don't overlap, in rationals.

    Along the segment it is followed on which of its two sides there is room beside it: where both sides have room one
    may change sides, and at any place at least one side has to have room all round that place.
    """
    x0, y0, x1, y1 = world.bounds
    far = 10 * max(x1 - x0, y1 - y0) + 10
    solids = [world.points[world.rings[k] : world.rings[k + 1]].tolist() for k in range(len(world.rings) - 1)]
    for left, top, right, bottom in (
        (x0 - far, y0 - far, x0, y1 + far),
        (x1, y0 - far, x1 + far, y1 + far),
        (x0 - far, y0 - far, x1 + far, y0),
        (x0 - far, y1, x1 + far, y1 + far),
    ):
        solids.append([(left, top), (right, top), (right, bottom), (left, bottom)])
    solids = [[(Fraction(x), Fraction(y)) for x, y in solid] for solid in solids]
    a, b = ((Fraction(x), Fraction(y)) for x, y in (a, b))

    def side(p):
        return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])

    def share(p):  # of a point on the line a, b
        d = (b[0] - a[0], b[1] - a[1])
        return ((p[0] - a[0]) * d[0] + (p[1] - a[1]) * d[1]) / (d[0] ** 2 + d[1] ** 2)

    def room(t):
        p = (a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]))
        near = [solid for solid in solids if _holds(solid, p)]
        return {s for s in (1, -1) if not any(s * side(q) > 0 for solid in near for q in solid)}

    cuts = {Fraction(0), Fraction(1)}
    for solid in solids:
        for p, q in pairwise([*solid, solid[0]]):
            if side(p) == 0:
                cuts.add(share(p))
            elif side(p) * side(q) < 0:
                part = side(p) / (side(p) - side(q))
                cuts.add(share((p[0] + part * (q[0] - p[0]), p[1] + part * (q[1] - p[1]))))
    cuts = sorted(t for t in cuts if 0 <= t <= 1)
    sides = {1, -1}
    for t, u in pairwise(cuts):
        if t > 0:
            sides &= room(t)
        beside = room((t + u) / 2)
        sides &= beside
        if sides and beside == {1, -1}:
            sides = beside
    return bool(sides)


def _holds(solid, p):
    """Whether a convex polygon holds a point, its edges included."""
    turns = [(q[0] - o[0]) * (p[1] - o[1]) - (q[1] - o[1]) * (p[0] - o[0]) for o, q in pairwise([*solid, solid[0]])]
    return all(t >= 0 for t in turns) or all(t <= 0 for t in turns)

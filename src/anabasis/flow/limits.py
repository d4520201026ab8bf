"""Limits: at most so many routes, none longer than so many steps.

At most k routes make the k-splittable flow of G. Baier, E. Köhler, M. Skutella, "The k-splittable flow problem", 2005;
one route is the unsplittable flow of J. Kleinberg, "Single-source unsplittable flow", 1996; none longer than L is the
length-bounded flow of G. Baier et al., "Length-bounded cuts and flows", 2010.

One route for a known number of units is found exactly, also when its length is bounded: for each width that a way can
have, the shortest such way. More than one is NP-hard in either case, and what is promised is only that the limits
hold, that all routes can be used at once, and that nothing is slower than the best single route. Two kinds of sets are
tried: the sets of successive shortest routes, of which the best k are kept; and routes chosen one after another, each
the best single one for a share of the units in the room that is left.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from anabasis.errors import InputError
from anabasis.flow.distribution import Distribution, distribute, route_steps, transit
from anabasis.flow.residual import Arcs, Augmentation
from anabasis.flow.routes import successive_routes
from anabasis.network import PERIOD, FlowNetwork, Route

__all__ = ["LimitedRoutes", "best_of_set", "limited_routes", "single_route"]


@dataclass(frozen=True)
class LimitedRoutes:
    """The routes that units take, and how many take each until when."""

    routes: tuple[Route, ...]
    distribution: Distribution


def limited_routes(
    network: FlowNetwork, units: int, *, most: int | None = None, longest: int | None = None, period: int = PERIOD
) -> LimitedRoutes | None:
    """Return routes for a number of units under limits, and how the units are distributed; None if there is no way.

    most: how many routes at most. longest: the steps that a route may have at most. With most=1 no other way is
    faster; else see the module. Raises InputError for fewer than one unit or route.
    """
    if units < 1 or (most is not None and most < 1):
        raise InputError("units and routes", found=f"{units} and {most}", expected="at least 1 of both")
    alone = single_route(network, _all_room(network), units, longest=longest, period=period)
    if alone is None:
        return None
    best = _used([alone], units, period)
    if most == 1:
        return best
    for routes in _sets(network, units, most, longest, period):
        found = _used(routes, units, period)
        if found.distribution.steps < best.distribution.steps:
            best = found
    return best


def single_route(
    network: FlowNetwork, room: NDArray[np.int64], units: int, *, longest: int | None = None, period: int = PERIOD
) -> Route | None:
    """Return the route on which alone a number of units is home soonest, None if there is none.

    room: int64[2m], of each edge from tail to head and back. It is exact: a way is as fast as its length and its width
    make it, and each round finds the shortest of those that are wider than the one before.
    """
    arcs = Arcs(network, room)
    best: Augmentation | None = None
    steps = 0
    while (found := arcs.shortest()) is not None:
        if (longest is not None and found.length > longest) or (best is not None and found.length >= steps):
            break
        reached = route_steps(found.length, found.amount, units, period=period)
        if best is None or reached < steps:
            best, steps = found, reached
        arcs.room[arcs.room <= found.amount] = 0
    return None if best is None else _route(best)


def best_of_set(routes: Sequence[Route], most: int, units: int, *, period: int = PERIOD) -> list[Route]:
    """Return those `most` of a set of routes which with their amounts as they are bring units home soonest.

    It is exact: up to a given step the best are those that have delivered the most by then, and what they have
    delivered never falls.
    """

    def delivered(step: int) -> list[int]:
        return [transit(route.length, route.amount, step, period=period) for route in routes]

    low, high = 0, min(route_steps(route.length, route.amount, units, period=period) for route in routes)
    while low < high:
        step = (low + high) // 2
        if sum(sorted(delivered(step))[-most:]) >= units:
            high = step
        else:
            low = step + 1
    by_then = delivered(low)
    chosen = sorted(range(len(routes)), key=lambda i: -by_then[i])[:most]
    return [routes[i] for i in sorted(chosen)]


def _sets(
    network: FlowNetwork, units: int, most: int | None, longest: int | None, period: int
) -> Iterator[Sequence[Route]]:
    """Yield sets of routes that keep the limits, none of them empty."""
    snapshots = successive_routes(network).snapshots
    for snapshot in snapshots:
        routes = [route for route in snapshot if longest is None or route.length <= longest]
        if most is not None and len(routes) > most:
            routes = best_of_set(routes, most, units, period=period)
        if routes:
            yield routes
    if most is not None or longest is not None:
        count = len(snapshots[-1]) if most is None else most
        for parts in range(1, count + 1):
            yield _one_by_one(network, units, parts, count, longest, period)


def _one_by_one(
    network: FlowNetwork, units: int, parts: int, most: int, longest: int | None, period: int
) -> list[Route]:
    """Choose the best single route for an equal part of the units, again and again in the room that is left."""
    routes: list[Route] = []
    share = -(-units // parts)
    while len(routes) < most:
        route = single_route(network, _room_left(network, routes), share, longest=longest, period=period)
        if route is None:
            break
        routes.append(route)
    return routes


def _all_room(network: FlowNetwork) -> NDArray[np.int64]:
    return np.repeat(network.capacity, 2)


def _room_left(network: FlowNetwork, routes: Sequence[Route]) -> NDArray[np.int64]:
    """Return int64[2m]: the room that routes leave on each edge, none against their direction."""
    room = _all_room(network)
    for route in routes:
        arcs = _arcs_of(network, route)
        room[arcs] -= route.amount
        room[arcs ^ 1] = 0
    return room


def _arcs_of(network: FlowNetwork, route: Route) -> NDArray[np.int64]:
    return 2 * route.edges + (network.tail[route.edges] != route.vertices[:-1])


def _route(found: Augmentation) -> Route:
    return Route(np.array(found.vertices), np.array(found.edges), found.amount, found.length)


def _used(routes: Sequence[Route], units: int, period: int) -> LimitedRoutes:
    """Distribute units over routes and keep those that get any."""
    times, rates = [route.length for route in routes], [route.amount for route in routes]
    split = distribute(times, rates, units, period=period)
    used = [i for i, count in enumerate(split.counts.tolist()) if count]
    return LimitedRoutes(tuple(routes[i] for i in used), Distribution(split.steps, split.counts[used]))

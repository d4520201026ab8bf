"""Beside: where the units of a formation pass beside the vertices that several of their ways share.

M. Švagerka, "Adaptivní formace pro virtuální agenty", Charles University, 2011: collision avoidance by displacing the
middle vertex, from one end of the ways to the other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from anabasis.formation.middle_vertex import most_distant_of, passages_of

__all__ = ["displaced"]

Floats, Longs = NDArray[np.float64], NDArray[np.int64]


class _Visit(NamedTuple):
    """That a unit comes to the inner vertex at `step` of its way."""

    time: float
    unit: int
    step: int


def displaced(
    ways: Sequence[Longs], times: Sequence[Floats], first: Floats, points: Floats, roomy: NDArray[np.bool_]
) -> list[Floats]:
    """Return for each unit float64[m, 2]: the places of its way's vertices, displaced where it meets others.

    - ways: for each unit int64[m] vertices, neighbours different; times float64[m]: the seconds when it is there;
    - first float64[n, 2]: where each unit's way begins in fact; points float64[size, 2]: the places of all vertices;
    - roomy bool[size]: which of them have ground all around.

    Only inner vertices are displaced, and roomy ones, so that nobody leaves the ground, in the order of time, so that
    who was displaced before is taken as it is.
    """
    places = [points[way].astype(np.float64) for way in ways]
    for place, start in zip(places, first, strict=True):
        place[0] = start
    for meeting in _meetings(ways, times):
        rows = [slice(visit.step - 1, visit.step + 2) for visit in meeting]
        choices: list[Floats] = []
        for visit, row in zip(meeting, rows, strict=True):
            vertices = ways[visit.unit][row]
            choice = passages_of(*points[vertices])[: None if roomy[vertices[1]] else 1]
            choice[:, 0] = places[visit.unit][row.start]
            choices.append(choice)
        when = np.array([times[visit.unit][row] for visit, row in zip(meeting, rows, strict=True)])
        for visit, choice, taken in zip(meeting, choices, most_distant_of(choices, when).tolist(), strict=True):
            places[visit.unit][visit.step] = choice[taken, 1]
    return places


def _meetings(ways: Sequence[Longs], times: Sequence[Floats]) -> list[list[_Visit]]:
    """Return the visits of different units to one vertex whose passages overlap in time, the earliest first."""
    visits: defaultdict[int, list[_Visit]] = defaultdict(list)
    for unit, (way, time) in enumerate(zip(ways, times, strict=True)):
        for index in range(1, len(way) - 1):
            visits[int(way[index])].append(_Visit(float(time[index]), unit, index))
    meetings: list[list[_Visit]] = []
    for there in visits.values():
        meeting: list[_Visit] = []
        until = -np.inf
        for visit in sorted(there):
            begins, ends = (float(times[visit.unit][visit.step + side]) for side in (-1, 1))
            if begins > until:
                meetings.append(meeting)
                meeting, until = [], -np.inf
            if all(visit.unit != other.unit for other in meeting):
                meeting.append(visit)
            until = max(until, ends)
        meetings.append(meeting)
    return sorted((meeting for meeting in meetings if len(meeting) > 1), key=lambda meeting: meeting[0])

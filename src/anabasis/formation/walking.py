"""Walking: where the units of a march are on their ways, and how they go on.

M. Švagerka, "Adaptivní formace pro virtuální agenty", Charles University, 2011: logical positions, on the map's
vertices and steps.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis.formation.commander import Stand
from anabasis.formation.ground import Ground

__all__ = ["Walkers"]

Floats, Longs = NDArray[np.float64], NDArray[np.int64]


class Walkers:
    """The units of all formations on their ways: those of formation i are first[i] to before first[i + 1].

    - way int64[n, m]: the vertices of each way, length int64[n] of them;
    - place int64[n]: on which of them each unit is, or on the step out of it, spent float64[n] seconds on that step;
    - leaders int64[formations]: their units; due: where on its way each one's next decision is due, -1 for never;
    - logical, walking float64[n, 2]: where each unit is, on the map and on the track it walks on.
    """

    def __init__(self, ground: Ground, first: Longs, leaders: Longs, starts: Longs) -> None:
        """Begin at the vertices `starts` int64[n]."""
        n, self._ground, self._first, self.leaders = len(starts), ground, first, leaders.copy()
        self.way = starts[:, None].copy()
        self._logical_way = ground.points[self.way]
        self._track = self._logical_way.copy()  # where each unit passes the vertices of its way
        self._cost = np.zeros((n, 1))  # seconds of steps
        self.length, self.place, self.spent = np.ones(n, np.int64), np.zeros(n, np.int64), np.zeros(n)
        self._begun = np.zeros(n, np.int64)  # where on its way that begins which it was given last
        self.due = np.full(len(leaders), -1, np.int64)
        self.logical, self.walking = ground.points[starts].copy(), ground.points[starts].copy()

    @property
    def there(self) -> NDArray[np.bool_]:
        """bool[n]: who stands at the end of its way."""
        return self.place == self.length - 1

    def walk(self, formation: int, left: float, tick: float) -> tuple[int, float]:
        """Let formations from a number on walk for a tick, the first of them for the `left` seconds of it.

        Return the number of the first whose leader has come to where it decides, and its seconds left; or how many
        formations there are, when all are through.
        """
        rows = (self._cost, self.length, self.place, self.spent)
        return _walk(rows, self.due, self._first, self.leaders, formation, left, tick)

    def stand(self) -> None:
        """Renew where the units are."""
        for places, out in ((self._logical_way, self.logical), (self._track, self.walking)):
            _stand(places, self._cost, self.length, self.place, self.spent, out)

    def stop(self, unit: int) -> None:
        """Let a unit go no further than to the vertex behind it."""
        self.length[unit], self.spent[unit] = self.place[unit] + 1, 0.0

    def stands(self, formation: int) -> list[Stand]:
        """Return where the units of a formation are planned from: the ends of the steps that they are on."""
        stands: list[Stand] = []
        for unit in range(self._first[formation], self._first[formation + 1]):
            place, spent = int(self.place[unit]), float(self.spent[unit])
            on_step = spent > 0
            rest = float(self._cost[unit, place]) - spent if on_step else 0.0
            at = place + on_step
            stands.append(Stand(int(self.way[unit, at]), rest, int(at - self._begun[unit])))
        return stands

    def tracks_from(self, formation: int) -> Floats:
        """Return float64[k, 2]: where the units of a formation pass the vertices that they are planned from."""
        units = np.arange(self._first[formation], self._first[formation + 1])
        return self._track[units, self.place[units] + (self.spent[units] > 0)]

    def take(self, formation: int, stands: list[Stand], tracks: list[Floats], due: int | None) -> None:
        """Give the units of a formation the ways in `stands`, behind the steps that they are on.

        tracks: for each float64[m, 2] where it passes their vertices; due: after how many of its steps the leader
        decides again, None for never.
        """
        self._widen(max(len(stand.way) for stand in stands) + 1)
        first = int(self._first[formation])
        self.due[formation] = -1
        for unit, (stand, track) in enumerate(zip(stands, tracks, strict=True), first):
            m, before = len(stand.way), 0
            if self.spent[unit] > 0:
                place = int(self.place[unit])
                for array in (self.way, self._cost, self._track, self._logical_way):
                    array[unit, 0] = array[unit, place]
                before = 1
            self.way[unit, before : before + m] = stand.way
            self._logical_way[unit, before : before + m] = self._ground.points[stand.way]
            self._track[unit, before : before + m] = track
            self._cost[unit, before : before + m - 1] = stand.steps
            self.place[unit], self.length[unit], self._begun[unit] = 0, before + m, before
            if unit == self.leaders[formation] and due is not None:
                self.due[formation] = before + due

    def _widen(self, longest: int) -> None:
        """Make room for ways of so many vertices."""
        more = 2 * longest - self.way.shape[1]
        if longest > self.way.shape[1]:
            self.way, self._cost = (np.pad(array, ((0, 0), (0, more))) for array in (self.way, self._cost))
            wider = (np.pad(array, ((0, 0), (0, more), (0, 0))) for array in (self._track, self._logical_way))
            self._track, self._logical_way = wider


@kernel
def _walk(rows: Any, due: Any, first: Any, leaders: Any, formation: int, left: float, tick: float) -> tuple[int, float]:
    """Let formations walk up to the first decision; rows: seconds of steps, lengths, places, seconds spent."""
    cost, length, place, spent = rows
    while formation < len(leaders):
        seconds, decides = left, False
        if due[formation] >= 0:
            leader = leaders[formation]
            until = -spent[leader]
            for i in range(place[leader], due[formation]):
                until += cost[leader, i]
            decides = until <= left
            seconds = min(left, until)
        for u in range(first[formation], first[formation + 1]):
            rest = seconds
            while place[u] < length[u] - 1:
                more = cost[u, place[u]] - spent[u]
                if more > rest + 1e-9:  # seconds; ticks don't add up to whole steps exactly
                    spent[u] += rest
                    break
                # what is left is rounding where a step ends with the tick
                rest = rest - more if rest - more > 1e-9 else 0.0
                spent[u] = 0.0
                place[u] += 1
                if rest == 0:
                    break
        if decides:
            return formation, left - seconds
        formation += 1
        left = tick
    return formation, 0.0


@kernel
def _stand(places: Any, cost: Any, length: Any, place: Any, spent: Any, out: Any) -> None:
    """Write where each unit is; places: of the vertices of its way."""
    for u in range(len(place)):
        i = place[u]
        share = spent[u] / cost[u, i] if i < length[u] - 1 and spent[u] > 0 else 0.0
        for axis in range(2):
            out[u, axis] = places[u, i, axis]
            if share > 0:
                out[u, axis] = (1 - share) * places[u, i, axis] + share * places[u, i + 1, axis]

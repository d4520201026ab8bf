"""Spot following: a group keeps its shape: each unit wants to be in its spot of a formation that moves along a way.

The leader is virtual, as in C. W. Reynolds, Steering Behaviors For Autonomous Characters, 1999 (leader following,
arrival): a point that moves along the group's way and slows down for those who lag behind. A unit that does not get on
is not waited for, so that the point never stands for ever. Where the ground beside the way is narrower than a rank, the
rank is drawn in towards the way, from so far before the narrow place on that nobody has to go aside much. Where ranks
drawn in so far would touch, units wait before the narrow place until it is their turn, and pass it in files.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel, leaf
from anabasis._kernel.ray import cast_ray, in_sight
from anabasis.errors import InputError
from anabasis.noun import freeze
from anabasis.plan import FormationPlan
from anabasis.schema import Schema, outermost, turn
from anabasis.sim.units import Bytes, Floats, Ints, Units
from anabasis.trace import UnitState

__all__ = ["MovingFormation", "follow_spots"]

_PITCH = 0.5  # how far apart the places are at which the room beside the way is measured, in cells
_FUNNEL = 0.5  # by how many cells a cell ranks are drawn in and spread out again
_GAIN = 0.2  # a unit closes this share of the gap to its spot in a step
_PATIENCE = 100  # steps without getting on after which a unit is not waited for
_WAITS = 0.05  # a leader's spot waits that goes at less than this share of its speed
_LEADER_WAITS = 100  # steps; those whom it waits for may be in each other's way, so that it then goes on for as many,
_HURRIES = 0.5  # at this share of its speed at least
_WHEEL = 0.5  # a formation turns so fast that its outermost spot moves at this share of the slowest speed
_IN_PLACE = 0.25  # under way, who is nearer to its spot than this share of the spacing doesn't have to get on
_TOUCH = 1.25  # in a file, and in a rank that is drawn in, units are at least so many diameters apart
_STANDS = 1e-3  # a leader's spot that goes on, or turns, by less than so many cells, or radians, a step stands
_TRIES = 256  # so many places of the way, a cell apart, are looked for by who doesn't see its spot


class Line(NamedTuple):
    """The way as kernels take it: points float64[m, 2], and how far along each is, from 0 where the leader starts.

    It begins with a run-up straight behind the start, on which ranks stand at first. half: the direction of the way at
    a place is that of the chord between so far behind and ahead.
    """

    points: Floats
    along: Floats
    half: float


class Shape(NamedTuple):
    """A formation as kernels take it, for a march to the north.

    outer: how far the outermost spot of a spot's rank is to its side; weight: what a unit's speed counts; spacing: how
    far the two closest spots are apart; spread, depth: how far the farthest is from the leader, and behind it.
    """

    places: Floats
    outer: Floats
    weight: Floats
    spacing: float
    spread: float
    depth: float


class Narrows(NamedTuple):
    """Stretches of the way that are passed in files, as kernels take them.

    enter, leave float64[m]: from where to where on the way; places float64[m, k, 2]: of spots that pass there; outer
    float64[m, k]: as in `Shape`; passed float64[k]: how far along the way each spot had come when walls changed; end:
    how far the leader's spot would have to go on for the last one to be in its rank.
    """

    enter: Floats
    leave: Floats
    places: Floats
    outer: Floats
    passed: Floats
    end: float


class Room(NamedTuple):
    """The room to the left and right of a way every _PITCH, float64[m, 2], as kernels take it; see `_room`.

    ranks: what they may take; walls: what walls leave; low: from where on the run-up is free.
    """

    ranks: Floats
    walls: Floats
    low: float


class Members(NamedTuple):
    """What kernels read and write of units."""

    state: Bytes
    field: Ints
    position: Floats
    speed: Floats
    target: Floats
    wanted: Floats
    rest: Floats
    lost: Ints
    idle: Ints


class MovingFormation:
    """A formation under way.

    plan: what it follows. units int64[n]: whom it was given; targets float64[n, 3]: theirs as a group, x, y and radius.
    holder int64[k]: the unit in each spot, or -1. tolerance: how near to its spot a unit has arrived. anchor
    float64[4]: how far along the way the leader's spot is, the unit vector to where all face, and for how many steps in
    all it has waited, or if below 0, for how many it will not wait. place float64[k, 2]: where the spots are; before
    the first step nan. passed float64[k]: as in `Narrows`. room: what the walls leave; None when it must be measured.
    """

    def __init__(self, plan: FormationPlan, units: NDArray[np.int64], targets: Floats) -> None:
        self.plan, self.units, self.targets = plan, units, targets.copy()
        self.tolerance = float(targets[:, 2].max(initial=0.0))
        schema = plan.schema
        self.holder = np.full(schema.spots, -1)
        self.holder[plan.spot] = units
        self.anchor = np.array([0.0, *turn((0.0, -1.0), plan.azimuth).tolist(), 0.0])
        self.place = np.full((schema.spots, 2), np.nan)
        self.room: Room | None = None
        self.passed = np.full(schema.spots, -np.inf)
        self._narrows: Narrows | None = None
        places = schema.places
        spread = float(np.hypot(*places.T).max())
        depth = max(float(places[:, 1].max()), 0.0)
        self._shape = Shape(places, outermost(places), schema.loads, schema.spacing, spread, depth)
        way = np.concatenate((plan.way[:1] - max(depth, 1.0) * self.anchor[1:3], plan.way))
        steps = np.hypot(*np.diff(way, axis=0).T)
        along = np.concatenate(([0.0], np.cumsum(steps))) - steps[0]
        self.line = Line(way, along, max(1.0, spread / 2))

    @property
    def length(self) -> float:
        """Length of the way, in cells."""
        return float(self.line.along[-1])

    @property
    def last(self) -> Floats:
        """float64[k, 2]: where the spots are in the end, as they were drawn."""
        east, south = _facing(self.line, self.length, float(self.anchor[1]), float(self.anchor[2]))
        return self.plan.way[-1] + self.plan.schema.turned(math.degrees(math.atan2(east, -south)))

    def follow(self, units: Units, members: Members, number: int, walls: Bytes) -> None:
        """Move the spots on by a step, and let their units want to be there; number: of this formation."""
        if self.room is None or self._narrows is None:
            if self._narrows is not None:  # nobody goes back to where it is narrow now
                lead, behind, narrows = float(self.anchor[0]), self.plan.schema.places[:, 1].tolist(), self._narrows
                self.passed = np.array([_reached(lead, y, k, narrows) for k, y in enumerate(behind)])
            radius = float(units.radius[self.units].max())
            most = float(self._shape.outer.max()) + radius
            self.room = Room(*_room(walls, self.line, most, radius))
            first, last = self.line.along[[0, -1]].tolist()
            early = self.plan.orientation == "files"
            self._narrows = _narrows(self.plan.schema, self.room, first, last, radius, self.passed, early=early)
        _follow(
            walls,
            self.line,
            self.room,
            self._shape,
            self._narrows,
            self.anchor,
            self.place,
            np.empty_like(self.place),
            self.holder,
            number,
            members,
            self.plan.speed == "weighted",
            self.plan.orientation == "whole",
            self.tolerance,
        )

    def close(self, units: Units, number: int, closing: Callable[[Schema, Ints], Ints]) -> None:
        """Let the units that are left take the spots that `closing` gives them, unless somebody has arrived."""
        held = np.flatnonzero(self.holder >= 0)
        held = held[units.field[self.holder[held]] == number]  # who has left it goes its own way
        if (units.state[self.holder[held]] == UnitState.ARRIVED).any():  # they stand for good: the others keep theirs
            return
        held = held[units.state[self.holder[held]] <= UnitState.LOST]
        who = self.holder[held]
        taken = freeze(closing(self.plan.schema, held), np.int64, held.shape, "spots of closed ranks")
        if taken.size and not 0 <= taken.min() <= taken.max() < len(self.holder):
            raise InputError("spots of closed ranks", found=f"{taken.tolist()}", expected="spots of the formation")
        if len(np.unique(taken)) < taken.size:
            raise InputError("spots of closed ranks", found=f"{taken.tolist()}", expected="one unit a spot")
        self.holder[:] = -1
        self.holder[taken] = who
        units.idle[who] = 0
        units.best[who] = np.inf

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return all arrays by name."""
        plan, schema = self.plan, self.plan.schema
        return {
            **{name: getattr(schema, name) for name in ("places", "ancestor", "bindings", "weights", "classes")},
            **{name: getattr(plan, name) for name in ("way", "spot")},
            **{name: np.array(getattr(plan, name)) for name in ("azimuth", "speed", "orientation")},
            **{
                name: getattr(self, name).copy() for name in ("units", "targets", "holder", "anchor", "place", "passed")
            },
        }

    @classmethod
    def of_arrays(cls, arrays: dict[str, NDArray[Any]]) -> MovingFormation:
        """Return a formation under way from what `arrays` returned."""
        schema = Schema(*(arrays[name] for name in ("places", "ancestor", "bindings", "weights", "classes")))
        choices = (float(arrays["azimuth"]), str(arrays["speed"]), str(arrays["orientation"]))
        plan = FormationPlan(schema, arrays["way"], arrays["spot"], *choices)
        spots = cls(plan, arrays["units"].copy(), arrays["targets"])
        for name in ("holder", "anchor", "place", "passed"):
            setattr(spots, name, arrays[name].copy())
        return spots


def follow_spots(units: Units, formations: dict[int, MovingFormation], layers: NDArray[np.uint8]) -> None:
    """Move all formations on by a step, and let their units want to be in their spots."""
    if not formations:
        return
    members = Members(*(getattr(units, name) for name in Members.__annotations__))
    for number, spots in formations.items():
        if ((units.state[spots.units] <= UnitState.LOST) & (units.field[spots.units] == number)).any():
            spots.follow(units, members, number, layers[units.layer[spots.units[0]]])


def _narrows(
    schema: Schema, room: Room, first: float, last: float, radius: float, passed: Floats, *, early: bool
) -> Narrows:
    """Return where a formation has to pass in files.

    first, last: where the room is measured from, and the way's end; radius: of a unit; passed: see `Narrows`; early:
    whether ranks pass in files where walls are in their way, not just where they would be drawn in so far that they
    touch.
    """
    places, wide = schema.places, _TOUCH * 2 * radius
    reach = np.maximum(0.0, [-places[:, 0].min(), places[:, 0].max()])
    tight = (room.ranks < schema.least_room(wide) - 1e-9).any(1)
    if early:
        tight |= (room.walls < reach - 1e-9).any(1)
    runs = np.flatnonzero(np.diff(np.concatenate(([False], tight, [False])))).reshape(-1, 2)
    before = schema.spacing + max(0.0, -places[:, 1].min()) + (reach.max() if early else 0.0)  # to form files
    stretches: list[tuple[float, float, Floats, Floats]] = []  # from, to, the room at the tightest place, the files
    for a, b in runs.tolist():
        narrowest = room.walls[a:b].min(1)
        if passed.min() > first + (a + int(np.flatnonzero(narrowest == narrowest.min())[-1])) * _PITCH:
            continue  # all have come through it before it was narrow
        tightest = room.ranks[a + int(room.ranks[a:b].sum(1).argmin())]
        enter, leave = max(first + a * _PITCH - before, 0.0), first + b * _PITCH
        # who waits before it would be in the files of the one before, if these reach so far: both are one then
        while stretches and enter < stretches[-1][1] + stretches[-1][3][:, 1].max():
            enter, _, room_before, _ = stretches.pop()
            tightest = min(tightest, room_before, key=lambda sides: float(sides.sum()))
        drawn = schema.in_files(float(tightest[0]), float(tightest[1]), wide)
        drawn[:, 1] = np.maximum(drawn[:, 1], places[:, 1])  # who walks behind the leader walks no nearer to it
        stretches.append((enter, leave, tightest, drawn))
    enters, leaves = np.array([stretch[:2] for stretch in stretches]).reshape(-1, 2).T
    shapes = np.array([stretch[3] for stretch in stretches]).reshape(-1, schema.spots, 2)
    y, behind, leave = places[:, 1], shapes[:, :, 1], leaves[:, None]
    # when the spot has caught up with its rank, or is where its rank ends
    ready = np.minimum(leave + 2 * behind - y, behind + (last - y + np.minimum(leave, last - y)) / 2)
    ready = np.where(passed < leave, ready, last)
    outer = np.array([outermost(one) for one in shapes]).reshape(-1, schema.spots)
    return Narrows(enters.copy(), leaves.copy(), shapes, outer, passed, float(ready.max(initial=last)))


@leaf
def _at(line: Line, along: float) -> tuple[float, float]:
    """Return the place so far along the way, at most at its ends."""
    points, reached = line.points, line.along
    last = reached.size - 1
    if along <= reached[0]:
        return points[0, 0], points[0, 1]
    if along >= reached[last]:
        return points[last, 0], points[last, 1]
    low, high = 0, last
    while high - low > 1:
        middle = (low + high) // 2
        if reached[middle] <= along:
            low = middle
        else:
            high = middle
    share = (along - reached[low]) / (reached[high] - reached[low])
    x = points[low, 0] + share * (points[high, 0] - points[low, 0])
    return x, points[low, 1] + share * (points[high, 1] - points[low, 1])


@leaf
def _facing(line: Line, along: float, x: float, y: float) -> tuple[float, float]:
    """Return the direction of the way at a place, (x, y) where it has none."""
    ax, ay = _at(line, along - line.half)
    bx, by = _at(line, along + line.half)
    dx, dy = bx - ax, by - ay
    length = math.sqrt(dx * dx + dy * dy)
    if length < 1e-6:
        return x, y
    return dx / length, dy / length


@kernel
def _room(walls: Bytes, line: Line, most: float, radius: float) -> tuple[Floats, Floats, float]:
    """Return the room to the left and right of the way every _PITCH, twice, and from where on its run-up is free.

    A unit's radius is kept from walls. At first the room for ranks, which grows and shrinks by at most _FUNNEL; then
    that which the walls leave.
    """
    first, last = line.along[0], line.along[-1]
    start_x, start_y = _at(line, 0.0)
    back_x, back_y = line.points[0, 0] - start_x, line.points[0, 1] - start_y
    low = -max(cast_ray(walls, start_x, start_y, back_x / -first, back_y / -first, -first) - radius, 0.0)
    count = int((last - first) / _PITCH) + 2
    room = np.empty((count, 2))
    fx, fy = -back_x / -first, -back_y / -first
    for j in range(count):
        along = min(max(first + j * _PITCH, low), last)
        x, y = _at(line, along)
        fx, fy = _facing(line, along, fx, fy)
        room[j, 0] = max(cast_ray(walls, x, y, fy, -fx, most) - radius, 0.0)
        room[j, 1] = max(cast_ray(walls, x, y, -fy, fx, most) - radius, 0.0)
    found = room.copy()
    for side in range(2):
        for j in range(1, count):
            room[j, side] = min(room[j, side], room[j - 1, side] + _FUNNEL * _PITCH)
        for j in range(count - 2, -1, -1):
            room[j, side] = min(room[j, side], room[j + 1, side] + _FUNNEL * _PITCH)
    return room, found, low


@kernel
def _follow(
    walls: Bytes,
    line: Line,
    room: Room,
    shape: Shape,
    narrows: Narrows,
    anchor: Floats,
    place: Floats,
    before: Floats,
    holder: Ints,
    number: int,
    members: Members,
    weighted: bool,
    whole: bool,
    tolerance: float,
) -> None:
    if math.isnan(place[0, 0]):
        _place(walls, line, room, shape, narrows, anchor, whole, place)
        before[:] = place
        gets_on = True
    else:
        before[:] = place
        along, face_x, face_y = anchor[0], anchor[1], anchor[2]
        _lead(line, shape, narrows.end, anchor, place, holder, number, members, weighted, whole)
        _place(walls, line, room, shape, narrows, anchor, whole, place)
        gets_on = anchor[0] - along > _STANDS or abs(anchor[1] * face_y - anchor[2] * face_x) > _STANDS
    _want(walls, line, room, shape, narrows, anchor, before, place, holder, number, members, gets_on, tolerance)


@kernel
def _lead(
    line: Line,
    shape: Shape,
    end: float,
    anchor: Floats,
    place: Floats,
    holder: Ints,
    number: int,
    members: Members,
    weighted: bool,
    whole: bool,
) -> None:
    """Move the leader's spot along the way, the slower the more its units lag behind, and turn the formation."""
    slowest, total, weights, lag, most, heeded = np.inf, 0.0, 0.0, 0.0, 0.0, 0
    for k in range(holder.size):
        i = holder[k]
        if i < 0 or members.state[i] > 1 or members.field[i] != number:
            continue
        slowest = min(slowest, members.speed[i])
        total += shape.weight[k] * members.speed[i]
        weights += shape.weight[k]
        if members.idle[i] < _PATIENCE:
            dx, dy = place[k, 0] - members.position[i, 0], place[k, 1] - members.position[i, 1]
            gap = math.sqrt(dx * dx + dy * dy)
            lag += gap
            most = max(most, gap)
            heeded += 1
    if slowest == np.inf:
        return
    pace = total / weights if weighted and weights > 0.0 else slowest
    share = 1.0
    if heeded > 0:
        share = max(0.0, 1.0 - max(lag / heeded / shape.spacing, most / (3.0 * shape.spacing)))
    if anchor[3] < 0.0:
        anchor[3] += 1.0
        share = max(share, _HURRIES)
    elif share < _WAITS:
        anchor[3] = anchor[3] + 1.0 if anchor[3] < _LEADER_WAITS else -_LEADER_WAITS
    to_x, to_y = _facing(line, min(anchor[0], line.along[-1]), anchor[1], anchor[2])
    ahead = anchor[1] * to_x + anchor[2] * to_y
    if whole:
        share *= max(ahead, 0.0)  # it wheels about before it marches
    anchor[0] = min(anchor[0] + pace * share, end)
    angle = math.atan2(anchor[1] * to_y - anchor[2] * to_x, ahead)
    if shape.spread > 0.0:
        limit = _WHEEL * slowest / shape.spread
        angle = min(max(angle, -limit), limit)
    c, s = math.cos(angle), math.sin(angle)
    fx, fy = c * anchor[1] - s * anchor[2], s * anchor[1] + c * anchor[2]
    norm = math.sqrt(fx * fx + fy * fy)
    anchor[1] = fx / norm
    anchor[2] = fy / norm


@kernel
def _place(
    walls: Bytes,
    line: Line,
    room: Room,
    shape: Shape,
    narrows: Narrows,
    anchor: Floats,
    whole: bool,
    place: Floats,
) -> None:
    """Write where the spots are.

    Each has a place beside the way, behind the leader as the way goes, and one as the formation was drawn; neither is
    farther to the side than the room lets its rank. It goes over from the first to the second as its rank gets room,
    and where ranks stand on the track at the end, where they have all that walls leave. In files it has just the first.
    """
    places, depth = shape.places, shape.depth
    end, first = line.along[-1], line.along[0]
    lead_x, lead_y = _at(line, anchor[0])
    drawn = 1.0 if whole or depth <= 0.0 else min(max(0.0, 1.0 - (end - anchor[0]) / depth), 1.0)
    freed = min(max(0.0, 1.0 - (narrows.end - anchor[0]) / max(depth, 1.0)), 1.0)
    for k in range(places.shape[0]):
        y = places[k, 1]
        along = _reached(anchor[0], y, k, narrows)
        x, outer = _beside(anchor[0], along, k, shape, narrows)
        lag = min(max(0.0, (min(anchor[0], end) - y - along) / shape.spacing), 1.0)
        along = min(max(along, room.low), end)
        on_x, on_y = _at(line, along)
        fx, fy = _facing(line, along, anchor[1], anchor[2])
        share = 1.0
        if outer > 0.0:
            at = (along - first) / _PITCH
            j = min(int(at), room.ranks.shape[0] - 2)
            side = 0 if x < 0.0 else 1
            wide = room.ranks[j, side] + (at - j) * (room.ranks[j + 1, side] - room.ranks[j, side])
            open_ = room.walls[j, side] + (at - j) * (room.walls[j + 1, side] - room.walls[j, side])
            wide += freed * (open_ - wide)
            share = min(1.0, wide / outer)
        x *= share
        beside_x, beside_y = _up_to_walls(walls, on_x, on_y, -fy * x, fx * x)
        to_x = lead_x - anchor[2] * x - anchor[1] * y - beside_x
        to_y = lead_y + anchor[1] * x - anchor[2] * y - beside_y
        share *= drawn * (1.0 - lag)
        place[k, 0], place[k, 1] = _up_to_walls(walls, beside_x, beside_y, to_x * share, to_y * share)


@leaf
def _reached(lead: float, behind: float, k: int, narrows: Narrows) -> float:
    """Return how far along the way a spot is, which is so far behind a leader's spot that has come to `lead`.

    Before a narrow place it waits until it is its turn. Behind it it goes twice as far as the leader to catch up.
    """
    along = lead - behind
    for i in range(narrows.enter.size):
        if lead > narrows.enter[i]:
            turn_ = max(narrows.enter[i] - behind, lead - narrows.places[i, k, 1])
            if turn_ > narrows.leave[i]:
                turn_ += turn_ - narrows.leave[i]
            along = min(along, turn_)
    return max(along, narrows.passed[k])


@leaf
def _beside(lead: float, along: float, k: int, shape: Shape, narrows: Narrows) -> tuple[float, float]:
    """Return how far to the right of the way a spot is, and the outermost one of its rank; in files, between files.

    It goes from its place in the rank to that in the file, and back, as far forwards as sideways; in the end it is in
    its rank.
    """
    x, outer = shape.places[k, 0], shape.outer[k]
    for i in range(narrows.enter.size):
        if lead > narrows.enter[i]:
            aside = narrows.places[i, k, 0] - x
            walked = along - (narrows.enter[i] - shape.places[k, 1])
            share = min(walked, narrows.end - lead, narrows.leave[i] - along + abs(aside)) / max(abs(aside), 1e-9)
            share = min(max(share, 0.0), 1.0)
            x += share * aside
            outer += share * (narrows.outer[i, k] - outer)
    return x, outer


@leaf
def _up_to_walls(walls: Bytes, x: float, y: float, dx: float, dy: float) -> tuple[float, float]:
    """Return where a move by (dx, dy) ends that stops a little before a wall."""
    length = math.sqrt(dx * dx + dy * dy)
    if length < 1e-9:
        return x, y
    free = cast_ray(walls, x, y, dx / length, dy / length, length)
    if free < length:
        free = max(free - 0.25, 0.0)
    return x + dx / length * free, y + dy / length * free


@kernel
def _want(
    walls: Bytes,
    line: Line,
    room: Room,
    shape: Shape,
    narrows: Narrows,
    anchor: Floats,
    before: Floats,
    place: Floats,
    holder: Ints,
    number: int,
    members: Members,
    gets_on: bool,
    tolerance: float,
) -> None:
    """Let units want to be in their spots, and to go on as these do; all arrive once all stand in them.

    Who is kept from its spot in the end, but is near it, arrives where it stands.
    """
    end = line.along[-1]
    to_x, to_y = _facing(line, end, anchor[1], anchor[2])
    over = anchor[0] >= narrows.end and anchor[1] * to_x + anchor[2] * to_y > 1.0 - 1e-9
    # who stands in its spot waits for others; but if nobody gets on it must not lend its patience to whom it is in the
    # way of
    near = _IN_PLACE * shape.spacing if gets_on else 0.0
    for k in range(holder.size):
        i = holder[k]
        if i < 0 or members.state[i] > 1 or members.field[i] != number:
            continue
        x, y = members.position[i, 0], members.position[i, 1]
        gap_x, gap_y = place[k, 0] - x, place[k, 1] - y
        gap = math.sqrt(gap_x * gap_x + gap_y * gap_y)
        speed = members.speed[i]
        reached = _reached(anchor[0], shape.places[k, 1], k, narrows)
        go_x = place[k, 0] - before[k, 0] + _GAIN * gap_x
        go_y = place[k, 1] - before[k, 1] + _GAIN * gap_y
        if in_sight(walls, x, y, place[k, 0], place[k, 1]):
            members.lost[i] = 0
        else:  # along the leader's way, from the place of its own rank back
            members.lost[i] += 1
            for back in range(_TRIES):
                along = reached - back
                on_x, on_y = _at(line, min(max(along, room.low), end))
                if in_sight(walls, x, y, on_x, on_y):
                    members.lost[i] = 0
                    go_x, go_y = on_x - x, on_y - y
                    break
                if along < room.low:
                    break
        fast = math.sqrt(go_x * go_x + go_y * go_y)
        share = 1.0 / max(fast, speed)
        members.wanted[i, 0] = go_x * share
        members.wanted[i, 1] = go_y * share
        members.rest[i] = narrows.end - reached - shape.places[k, 1] + gap
        if gap < near:
            members.idle[i] = 0
        if gap >= tolerance and members.idle[i] < _PATIENCE:
            over = False
    for k in range(holder.size):
        i = holder[k]
        if i >= 0 and members.state[i] <= 1 and members.field[i] == number:
            x, y = place[k, 0], place[k, 1]
            gap_x, gap_y = x - members.position[i, 0], y - members.position[i, 1]
            gap = math.sqrt(gap_x * gap_x + gap_y * gap_y)
            if over and tolerance <= gap < shape.spacing and members.idle[i] >= _PATIENCE:
                x, y = members.position[i, 0], members.position[i, 1]  # a wall or somebody keeps it from its spot
            members.target[i, 0] = x
            members.target[i, 1] = y
            members.target[i, 2] = tolerance if over else 0.0

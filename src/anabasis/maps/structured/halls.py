"""Halls: halls side by side, joined by bottlenecks of given widths.

The laboratory of crowds: what a gap of a given width lets through, as in A. Seyfried et al., "New Insights into
Pedestrian Flow Through Bottlenecks", Transportation Science 43(3), 2009.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel.random import random_word, stream_key
from anabasis.errors import InputError
from anabasis.maps.shape import check_shape
from anabasis.options import check_count, check_seed, check_share

__all__ = ["halls"]

_STREAM = 315


def halls(
    width: int,
    height: int,
    *,
    seed: int = 0,
    count: int = 3,
    widths: Sequence[int] = (1, 2, 4),
    places: Sequence[float] | None = None,
    thickness: int = 1,
    funnel: int = 0,
    rim: int = 1,
) -> NDArray[np.bool_]:
    """Return bool[height, width], True where free: `count` halls from left to right, with gaps in the walls between.

    Every wall has a gap for each of `widths`, in the order from top to bottom that the seed draws for it, at random
    heights with at least one cell of wall around each. places: the middles of the gaps as shares of the height inside
    the rim, one for each width; then nothing is random. thickness: of the walls, in cells. funnel: how many cells a gap
    widens, one cell a column on each side of it, towards the hall before and the hall after; the wall is thicker by so
    much on both sides. rim: thickness of the wall around everything. The halls are equally wide, up to one cell.

    Raises InputError with the least size if the gaps or the halls have no room, and for places where gaps would touch.
    """
    check_count(count, "number of halls", 1)
    check_count(thickness, "thickness of the walls", 1)
    check_count(funnel, "depth of the funnels")
    check_count(rim, "thickness of the rim")
    gaps = [check_count(gap, "width of a gap", 1) for gap in widths]
    if not gaps and count > 1:
        raise InputError("widths of the gaps", found="none", expected="at least one, so that the halls are joined")
    wall = thickness + 2 * funnel
    least_width = 2 * rim + count + (count - 1) * wall
    least_height = 2 * rim + (sum(gaps) + len(gaps) + 1 if count > 1 else 1)
    check_shape(width, height, least_width=least_width, least_height=least_height)
    check_seed(seed)
    fixed = None if places is None else _at_places(places, gaps, height - 2 * rim)
    free = np.zeros((height, width), np.bool_)
    free[rim : height - rim, rim : width - rim] = True
    inside = free[rim : height - rim]
    room = width - 2 * rim - (count - 1) * wall  # of all halls together
    for number in range(1, count):
        left = rim + room * number // count + (number - 1) * wall
        inside[:, left : left + wall] = False
        tops = _at_random(seed, number, gaps, len(inside)) if fixed is None else fixed
        for top, gap in tops:
            for column in range(wall):
                wider = max(funnel - column, column - (wall - 1 - funnel), 0)
                inside[max(top - wider, 0) : top + gap + wider, left + column] = True
    return free


def _at_places(places: Sequence[float], gaps: list[int], room: int) -> list[tuple[int, int]]:
    """Return top and width of each gap around given middles; raises InputError if two touch or one sticks out."""
    if len(places) != len(gaps):
        raise InputError("number of places", found=f"{len(places)}", expected=f"{len(gaps)}, one for each width")
    middles = [check_share(place, "place of a gap") for place in places]
    tops = sorted((int(middle * room - gap / 2 + 0.5), gap) for middle, gap in zip(middles, gaps, strict=True))
    end = -1
    for top, gap in tops:
        if top <= end or top < 1 or top + gap >= room:
            raise InputError(
                "place of a gap",
                found=f"rows {top} to {top + gap - 1} of 0 to {room - 1}",
                expected="a cell of wall on either side of each gap",
                hint="give places farther apart, narrower gaps or a higher map",
            )
        end = top + gap
    return tops


def _at_random(seed: int, wall: int, gaps: list[int], room: int) -> list[tuple[int, int]]:
    """Return top and width of each gap: the order shuffled, what is not gap shared out at random between them."""
    key = stream_key(seed, _STREAM, wall)
    order = sorted(range(len(gaps)), key=lambda gap: random_word(key, gap, 0))
    spare = room - sum(gaps) - len(gaps) - 1
    cuts = sorted(random_word(key, gap, 1) * (spare + 1) >> 32 for gap in range(len(gaps)))
    tops: list[tuple[int, int]] = []
    before = 1
    for gap, cut in zip(order, cuts, strict=True):
        tops.append((before + cut, gaps[gap]))
        before += gaps[gap] + 1
    return tops

"""Moves: plans written as letters for up, down, left, right and wait, of which up and down have two readings in use.

Of the tools of the field some mean by `u` the row below, some the row above. So both are tried: the one that runs into
fewer walls is right, of equals the one that brings more agents to their goals, of equals the one that the format
documents. What was found is told in a sentence.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from anabasis.errors import InputError
from anabasis.grid import Grid, cell_text
from anabasis.instance import Instance
from anabasis.io.loaded_plan import check_places, grid_of
from anabasis.plan import Plan

__all__ = ["letters_of", "plan_of_letters"]

LETTERS = b"udlrw"
Ints = NDArray[np.int64]


def plan_of_letters(
    lines: Sequence[str],
    starts: Ints,
    space: Instance | Grid,
    *,
    file: object,
    where: Sequence[int | str],
) -> tuple[Plan, str]:
    """Return the plan of one line of the letters `u d l r w` for each agent, and how `u` was read.

    Those whose line is shorter wait at the end. where: the place of each line in the file, for errors: letters that are
    none, and steps that leave the map in the better of both readings.
    """
    grid, steps = grid_of(space, file), max((len(line) for line in lines), default=0)
    check_places(steps + 1, len(lines), file)
    table = np.full((steps, len(lines)), ord("w"), np.uint8)
    for a, line in enumerate(lines):
        codes = np.frombuffer(line.encode("latin-1", "replace"), np.uint8)
        wrong = np.flatnonzero(~np.isin(codes, np.frombuffer(LETTERS, np.uint8)))
        if wrong.size:
            raise InputError(
                f"unknown move of agent {a}, step {int(wrong[0]) + 1}",
                file=file,
                where=where[a],
                found=repr(line[int(wrong[0])]),
                expected="u, d, l, r or w",
            )
        table[: codes.size, a] = codes
    sideways = np.cumsum((table == ord("r")).astype(np.int64) - (table == ord("l")), axis=0)
    downward = np.cumsum((table == ord("u")).astype(np.int64) - (table == ord("d")), axis=0)
    x, y = starts % grid.width + sideways, starts // grid.width
    readings = [_judge(grid, x, y + sign * downward, starts, space) for sign in (1, -1)]
    below, above = (score for score, _ in readings)
    chosen = int(above < below)
    _check_inside(grid, x, y + (1, -1)[chosen] * downward, file, where)
    return Plan(readings[chosen][1]), _sentence(chosen, below, above, len(lines), isinstance(space, Instance))


def _judge(grid: Grid, x: Ints, y: Ints, starts: Ints, space: Instance | Grid) -> tuple[tuple[int, int], Ints]:
    """Return (places on walls or outside the map, agents not at their goals at the end) and the rows."""
    inside = (x >= 0) & (x < grid.width) & (y >= 0) & (y < grid.height)
    rows = np.vstack([starts[None, :], np.where(inside, y * grid.width + x, 0)])
    hits = int((~inside).sum() + (inside & ~grid.free.reshape(-1)[rows[1:]]).sum())
    missed = int((rows[-1] != space.goals).sum()) if isinstance(space, Instance) else 0
    return (hits, missed), rows


def _check_inside(grid: Grid, x: Ints, y: Ints, file: object, where: Sequence[int | str]) -> None:
    outside = np.argwhere((x < 0) | (x >= grid.width) | (y < 0) | (y >= grid.height))
    if outside.size:
        t, a = map(int, outside[0])
        raise InputError(
            f"agent {a} leaves the map in step {t + 1}",
            file=file,
            where=where[a],
            found=cell_text(int(x[t, a]), int(y[t, a])),
            expected=f"x below {grid.width}, y below {grid.height}",
        )


def _sentence(chosen: int, below: tuple[int, int], above: tuple[int, int], agents: int, goals: bool) -> str:
    """Say how `u` was read and why."""
    names = ("the row below", "the row above")
    if below == above:
        return f"u is read as {names[chosen]}: both readings fit, and this one is documented"

    def fits(score: tuple[int, int]) -> str:
        arrived = f" and {agents - score[1]} of {agents} agents at their goals" if goals else ""
        return f"{score[0]} places on walls{arrived}"

    scores = (below, above)
    return f"u is read as {names[chosen]}, with {fits(scores[chosen])}; as the other, {fits(scores[1 - chosen])}"


def letters_of(grid: Grid, plan: Plan, *, file: object) -> list[str]:
    """Return a line of the letters `u d l r w` for each agent, `u` the row below, without the waits at the end.

    Raises InputError for a step that leads to no neighbour.
    """
    rows = plan.vertices
    x, y = np.diff(rows % grid.width, axis=0), np.diff(rows // grid.width, axis=0)
    wrong = np.argwhere(np.abs(x) + np.abs(y) > 1)
    if wrong.size:
        t, a = map(int, wrong[0])
        ends = (cell_text(*grid.cell(int(v))) for v in (rows[t, a], rows[t + 1, a]))
        raise InputError(
            f"agent {a} does not go to a neighbour in step {t + 1}",
            file=file,
            found=" to ".join(ends),
            expected="one cell up, down, left or right",
        )
    codes = np.full(x.shape, ord("w"), np.uint8)
    for letter, places in (("r", x == 1), ("l", x == -1), ("u", y == 1), ("d", y == -1)):
        codes[places] = ord(letter)
    return [column.tobytes().decode().rstrip("w") for column in codes.T]

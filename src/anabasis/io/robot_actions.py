"""Robot actions: forward, turns and waits of agents that have a heading, carried out step by step, and made for a plan.

The action model `MAPF_T` of the League of Robot Runners: `F` goes one cell ahead, `R` turns by a quarter clockwise, `C`
counter-clockwise, `W` waits. Headings are 0 east, 1 north, 2 west, 3 south.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis.errors import InputError
from anabasis.grid import Grid, cell_text
from anabasis.plan import Plan

__all__ = ["ACTIONS", "HEADINGS", "carried_out", "with_turns"]

ACTIONS = "WFRC"
"""The letters of the actions by number; `T`, a wait because of a timeout, counts as `W`."""

HEADINGS = ("E", "N", "W", "S")
_AHEAD_X, _AHEAD_Y = np.array([1, 0, -1, 0]), np.array([0, -1, 0, 1])
Ints, Bytes = NDArray[np.int64], NDArray[np.int8]


def carried_out(
    grid: Grid, starts: Ints, headings: Bytes, actions: Bytes, *, ticks: int = 1, file: object
) -> tuple[Ints, Bytes, NDArray[np.int32], int]:
    """Return rows int64[t + 1, k], headings int8[t + 1, k], progress int32[t + 1, k], and how many actions broke off.

    actions: int8[t, k], numbers of `ACTIONS`, one a tick; an action takes effect once it was given for `ticks` ticks,
    which waits may interrupt; progress counts them. Raises InputError for an agent that leaves the map.
    """
    steps, k = actions.shape
    rows, facing = np.empty((steps + 1, k), np.int64), np.empty((steps + 1, k), np.int8)
    progress = np.zeros((steps + 1, k), np.int32)
    x, y, heading = starts % grid.width, starts // grid.width, headings.astype(np.int64)
    done, under_way, broken = np.zeros(k, np.int64), np.zeros(k, np.int8), 0
    rows[0], facing[0] = starts, heading
    for t in range(steps):
        action = actions[t]
        acts = action > 0
        changed = acts & (done > 0) & (action != under_way)
        broken += int(changed.sum())
        done = np.where(changed, 0, done) + acts
        under_way = np.where(acts, action, under_way)
        complete = acts & (done >= ticks)
        done[complete] = 0
        go = complete & (action == 1)
        x, y = x + np.where(go, _AHEAD_X[heading], 0), y + np.where(go, _AHEAD_Y[heading], 0)
        heading = (heading + np.where(complete, np.array([0, 0, 3, 1])[action], 0)) % 4
        outside = (x < 0) | (x >= grid.width) | (y < 0) | (y >= grid.height)
        if outside.any():
            a = int(outside.argmax())
            raise InputError(
                f"agent {a} leaves the map in step {t + 1}",
                file=file,
                where=f"actualPaths[{a}]",
                found=cell_text(int(x[a]), int(y[a])),
                expected=f"x below {grid.width}, y below {grid.height}",
            )
        rows[t + 1], facing[t + 1], progress[t + 1] = y * grid.width + x, heading, done
    return rows, facing, progress, broken


def with_turns(grid: Grid, plan: Plan) -> tuple[Plan, Bytes, Bytes]:
    """Return a plan's like for agents that must turn: the plan, headings int8[t + 1, k] and actions int8[t, k].

    Each step of the plan becomes as many steps as its agent with the most turns needs: first all turn, each the shorter
    way, then all go at once. So whoever keeps clear of others in the plan does so here, and only the times are longer.
    Agents first face where they first go, east if they never do. Raises InputError for a step to no neighbour.
    """
    rows = plan.vertices
    x, y = np.diff(rows % grid.width, axis=0), np.diff(rows // grid.width, axis=0)
    if (np.abs(x) + np.abs(y) > 1).any():
        t, a = map(int, np.argwhere(np.abs(x) + np.abs(y) > 1)[0])
        raise InputError(
            f"agent {a} does not go to a neighbour in step {t + 1}", expected="one cell up, down, left or right"
        )
    moves = (x != 0) | (y != 0)
    wanted = np.select([x > 0, y < 0, x < 0], [0, 1, 2], 3)
    k = rows.shape[1]
    heading = np.zeros(k, np.int64)
    if len(moves):
        heading = np.where(moves.any(axis=0), wanted[moves.argmax(axis=0), np.arange(k)], 0)
    places, facing, actions = [rows[0]], [heading], [np.zeros((0, k), np.int8)]
    for t in range(len(moves)):
        turn = np.where(moves[t], (wanted[t] - heading) % 4, 0)
        while turn.any():
            action: Any = np.select([turn == 3, turn > 0], [2, 3], 0)
            heading = (heading + np.array([0, 0, 3, 1])[action]) % 4
            turn = np.where(moves[t], (wanted[t] - heading) % 4, 0)
            places.append(rows[t])
            facing.append(heading)
            actions.append(action[None].astype(np.int8))
        places.append(rows[t + 1])
        facing.append(heading)
        actions.append(moves[t][None].astype(np.int8))
    return Plan(np.array(places)), np.array(facing, np.int8), np.concatenate(actions)

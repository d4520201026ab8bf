"""Priority inheritance: one step of all agents, each to where its goal is near, pushing those of less priority ahead.

K. Okumura, M. Machida, X. Défago, Y. Tamura, "Priority Inheritance with Backtracking for Iterative Multi-Agent Path
Finding", 2022.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis._kernel.random import random_word
from anabasis.mapf.board import Board
from anabasis.mapf.timed_search import Distances

__all__ = ["inherit_step"]

Shorts, Longs = NDArray[np.int32], NDArray[np.int64]


def inherit_step(board: Board, distances: Distances, places: Shorts, goals: Shorts, order: Longs, key: int) -> Shorts:
    """Return int32[k]: where each agent is one step later; -1 for those that are nowhere (places -1).

    goals: int32[k] numbers. order: the agents that are somewhere, first those of most priority. key: of a random
    stream, for ties.
    """
    after = np.full(places.size, -1, np.int32)
    rows = np.zeros(places.size, np.int64)
    rows[order] = distances.rows(goals[order])
    most = int(np.diff(board.indptr).max(initial=0)) + 1
    _inherit(board.indptr, board.indices, distances.table, rows, places, order, key, most, after)
    return after


@kernel
def _inherit(
    indptr: Any, indices: Any, table: Any, rows: Any, places: Any, order: Any, key: int, most: int, after: Any
) -> None:
    """Decide for each agent in order; whoever is in the way decides before it, on a stack."""
    here, there = np.full(indptr.size - 1, -1, np.int32), np.full(indptr.size - 1, -1, np.int32)
    for a in order:
        here[places[a]] = a
    wishes, next_wish = np.empty((places.size, most), np.int32), np.zeros(places.size, np.int32)
    stack, worth = np.empty(places.size, np.int32), np.empty(most, np.int64)
    for first in order:
        if after[first] >= 0:
            continue
        depth = 1
        stack[0] = first
        _wish(indptr, indices, table[rows[first]], places[first], first, here, key, wishes[first], worth)
        next_wish[first] = 0
        while depth > 0:
            a = stack[depth - 1]
            u = places[a]
            chosen = False
            while next_wish[a] <= indptr[u + 1] - indptr[u]:
                v = wishes[a, next_wish[a]]
                next_wish[a] += 1
                b = here[v]
                if there[v] >= 0 or (b >= 0 and b != a and after[b] == u):
                    continue
                there[v], after[a] = a, v
                if b >= 0 and b != a and after[b] < 0:
                    stack[depth] = b
                    depth += 1
                    _wish(indptr, indices, table[rows[b]], v, b, here, key, wishes[b], worth)
                    next_wish[b] = 0
                    chosen = True
                    break
                depth = 0  # everybody on the stack has its wish
                chosen = True
                break
            if not chosen:  # it stays, and who pushed it tries its next wish
                there[u], after[a] = a, u
                depth -= 1


@kernel
def _wish(
    indptr: Any, indices: Any, steps: Any, u: Any, agent: Any, here: Any, key: int, wishes: Any, worth: Any
) -> None:
    """Write where an agent could go, the nearest to its goal first; of equals free ones first, then by lot."""
    for count in range(indptr[u + 1] - indptr[u] + 1):
        v = u if count == 0 else indices[indptr[u] + count - 1]
        taken = 1 if here[v] >= 0 and v != u else 0
        rank = (np.int64(steps[v]) * 2 + taken) * 65536 + (random_word(key, int(agent), count) & 65535)
        at = count
        while at > 0 and worth[at - 1] > rank:
            worth[at], wishes[at] = worth[at - 1], wishes[at - 1]
            at -= 1
        worth[at], wishes[at] = rank, v

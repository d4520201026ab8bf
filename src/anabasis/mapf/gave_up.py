"""Gave up: the limits of searches for the ways of single agents, and what to say where one is reached.

A search that stops at a limit has proved nothing, so that NO_SOLUTION never follows from it.
"""

from __future__ import annotations

from anabasis.mapf.board import Board

__all__ = ["MOST_STEPS", "TOO_LARGE", "GaveUpError", "most_steps"]

MOST_STEPS = 2**20 - 1
"""Steps of the longest way that is looked for step by step; a search that would have to go on gives up."""

TOO_LARGE = "the search for one agent's way grew too large"
"""The reason to give where such a search gave up."""

_MOST_PLACES = 2**27


class GaveUpError(Exception):
    """The search for one agent's way was given up."""


def most_steps(board: Board) -> int:
    """Return the steps of the longest plan that is written down: a place for each agent in each of them."""
    return min(MOST_STEPS, _MOST_PLACES // max(1, board.agents))

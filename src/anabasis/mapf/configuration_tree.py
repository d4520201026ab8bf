"""The tree of LaCAM: configurations of all agents, the constraints still to be tried at each, ways between them.

K. Okumura, "LaCAM: Search-Based Algorithm for Quick Multi-Agent Pathfinding", 2023, and "Improving LaCAM for Scalable
Eventually Optimal Multi-Agent Pathfinding", 2023.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel, leaf
from anabasis._kernel.pibt import NEVER, pibt_move, pibt_order, toward
from anabasis._kernel.random import random_fraction, random_word, stream_key

__all__ = ["NONE", "ROOM", "ConfigurationTree", "Pushing"]

Shorts = NDArray[np.int32]
NONE = 2**62
"""The loss of the best plan while there is none."""
ROOM = 2**31
"""Bytes of a tree after which no more configurations are tried."""
_STREAM = 37
_RESTART = 0.1  # how often a configuration met again sends the search back to the starts
_NODES, _LOWS, _EDGES, _OPEN, _GOAL, _BEST, _WORK, _COUNTERS = range(8)
_PARENT, _HASH, _QUEUE, _QUEUE_END, _WAYS, _WAITING, _NODE_INTS = range(7)
_ABOVE, _WHO, _WHERE, _DEPTH, _BESIDE, _LOW_INTS = range(6)


class Pushing(NamedTuple):
    """What PIBT needs to make configurations: field and stack as in `_kernel.pibt`, places: who is where now and then.

    swap: agents that meet in a passage change places; not where there are arcs of one direction.
    """

    field: tuple[Any, ...]
    stack: tuple[Any, ...]
    places: tuple[Shorts, Shorts]
    seed: int
    swap: bool


class ConfigurationTree:
    """Configurations from the starts on, grown depth first.

    - nodes: number of configurations; work: how many were tried; best: the least loss known, which `learn` may lower;
    - found: whether the goals were reached; open: whether anything is left to try.
    """

    def __init__(self, starts: Shorts, alone: NDArray[np.int64], degree: int) -> None:
        """Begin with the starts. alone: the steps of each agent to its goal; degree: most neighbours of a place."""
        k = starts.size
        self._degree = degree
        self._counters = np.zeros(_COUNTERS, np.int64)
        self._configs, self._orders = np.empty((0, k), np.int32), np.empty((0, k), np.int32)
        self._ints, self._costs = np.empty((0, _NODE_INTS), np.int32), np.empty((0, 2), np.int64)
        self._lows, self._ways = np.empty((0, _LOW_INTS), np.int32), np.empty((0, 3), np.int32)
        self._open, self._slots = np.empty(0, np.int32), np.full(16, -1, np.int32)
        self._make_room(1)
        self._counters[_GOAL], self._counters[_BEST] = -1, NONE
        order = np.argsort(-alone, kind="stable").astype(np.int32)
        _begin(self._state, starts, order, int(alone.sum()))

    @property
    def _state(self) -> tuple[NDArray[Any], ...]:
        return (
            self._configs,
            self._orders,
            self._ints,
            self._costs,
            self._lows,
            self._ways,
            self._open,
            self._slots,
            self._counters,
        )

    @property
    def nodes(self) -> int:
        """Number of configurations."""
        return int(self._counters[_NODES])

    @property
    def work(self) -> int:
        """How many configurations were tried."""
        return int(self._counters[_WORK])

    @property
    def room(self) -> int:
        """How many bytes configurations, constraints and ways take up."""
        nodes, lows, ways = (int(self._counters[i]) for i in (_NODES, _LOWS, _EDGES))
        parts = ((self._configs, nodes), (self._orders, nodes), (self._ints, nodes), (self._costs, nodes))
        return sum(array.strides[0] * n for array, n in (*parts, (self._lows, lows), (self._ways, ways)))

    @property
    def found(self) -> bool:
        """Whether the goals were reached."""
        return bool(self._counters[_GOAL] >= 0)

    @property
    def open(self) -> bool:
        """Whether anything is left to try."""
        return bool(self._counters[_OPEN])

    @property
    def best(self) -> int:
        """The least loss known, NONE without a plan."""
        return int(self._counters[_BEST])

    def learn(self, loss: int) -> None:
        """Tell that there is a plan of this loss."""
        self._counters[_BEST] = min(self._counters[_BEST], loss)

    @property
    def loss(self) -> int:
        """The loss of `rows`, NONE before the goals were reached."""
        return int(self._costs[self._counters[_GOAL], 0]) if self.found else NONE

    def rows(self) -> Shorts:
        """Return int32[t, k], the configurations of the way to the goals."""
        chain, node = list[int](), int(self._counters[_GOAL])
        while node >= 0:
            chain.append(node)
            node = int(self._ints[node, _PARENT])
        return self._configs[chain[::-1]]

    def search(self, pushing: Pushing, count: int, *, once: bool) -> None:
        """Try at most `count` configurations. once: stop where the goals are reached."""
        self._make_room(count)
        _search(self._state, *pushing, once, count)

    def _make_room(self, count: int) -> None:
        """Make the arrays long enough for `count` more configurations."""
        nodes, lows, ways, opened = (int(self._counters[i]) for i in (_NODES, _LOWS, _EDGES, _OPEN))
        self._configs, self._orders, self._ints, self._costs = (
            _longer(array, nodes, nodes + count) for array in (self._configs, self._orders, self._ints, self._costs)
        )
        self._lows = _longer(self._lows, lows, lows + count * (self._degree + 2))
        self._ways = _longer(self._ways, ways, ways + 2 * count)
        # what a rewiring opens again comes once for each configuration
        self._open = _longer(self._open, opened, opened + min(max(count, 2), 8) * (nodes + count) + count + 4)
        if self._slots.size < 2 * (nodes + count):
            size = 1 << (4 * (nodes + count)).bit_length()
            self._slots = np.full(size, -1, np.int32)
            _fill_slots(self._slots, self._ints, nodes)


def _longer(array: NDArray[Any], used: int, needed: int) -> NDArray[Any]:
    """Return an array with the same used rows and room for what is needed."""
    if needed <= len(array):
        return array
    longer = np.empty((2 * needed, *array.shape[1:]), array.dtype)
    longer[:used] = array[:used]
    return longer


@kernel
def _fill_slots(slots: Any, ints: Any, nodes: int) -> None:
    for node in range(nodes):
        at = int(ints[node, _HASH]) & (slots.size - 1)
        while slots[at] >= 0:
            at = (at + 1) & (slots.size - 1)
        slots[at] = node


@kernel
def _begin(state: Any, starts: Any, order: Any, left: int) -> None:
    """Make the first configuration."""
    state[1][0] = order
    _add_node(state, starts, -1, 0, left, _hash(starts))


@leaf
def _hash(config: Any) -> int:
    """Return a number of 31 bits."""
    found = 0x11C9DC5
    for i in range(config.size):
        found = (found ^ int(config[i])) * 0x1000193 & 0xFFFFFFFF
        found ^= found >> 15
    return found >> 1


@leaf
def _find(state: Any, config: Any, key: int) -> int:
    """Return the node of a configuration, or -1."""
    configs, ints, slots = state[0], state[2], state[7]
    at = key & (slots.size - 1)
    while slots[at] >= 0:
        node = slots[at]
        if ints[node, _HASH] == key:
            same = True
            for i in range(config.size):
                if configs[node, i] != config[i]:
                    same = False
                    break
            if same:
                return node
        at = (at + 1) & (slots.size - 1)
    return -1


@kernel
def _add_node(state: Any, config: Any, parent: int, cost: int, left: int, key: int) -> None:
    """Add a configuration, whose order is there already, to the tree and to what is open."""
    configs, _, ints, costs, lows, _, opened, slots, counters = state
    node, low = counters[_NODES], counters[_LOWS]
    configs[node] = config
    lows[low, _ABOVE], lows[low, _WHO], lows[low, _WHERE], lows[low, _DEPTH], lows[low, _BESIDE] = -1, -1, -1, 0, -1
    ints[node, _PARENT], ints[node, _HASH], ints[node, _WAYS], ints[node, _WAITING] = parent, key, -1, 0
    ints[node, _QUEUE], ints[node, _QUEUE_END] = low, low
    costs[node, 0], costs[node, 1] = cost, left
    at = key & (slots.size - 1)
    while slots[at] >= 0:
        at = (at + 1) & (slots.size - 1)
    slots[at] = node
    opened[counters[_OPEN]] = node
    counters[_NODES] += 1
    counters[_LOWS] += 1
    counters[_OPEN] += 1


@kernel
def _search(state: Any, field: Any, stack: Any, places: Any, seed: int, swap: bool, once: bool, count: int) -> None:
    """Try configurations; see ConfigurationTree.search."""
    configs, orders, _, costs, _, _, opened, _, counters = state
    goals = field[4]
    end = np.empty(goals.size, np.int32)
    for _ in range(count):
        nodes = counters[_NODES]
        node = _first(state)
        if node < 0 or counters[_OPEN] + 2 * nodes + 4 > opened.size:
            return
        if costs[node, 1] == 0 and counters[_GOAL] < 0:
            counters[_GOAL] = node
            counters[_BEST] = costs[node, 0]
            if once:
                return
            continue
        key = stream_key(seed, _STREAM, counters[_WORK])
        counters[_WORK] += 1
        end[:] = -1
        _constrain(state, field, node, end, key)
        if not pibt_move(field, (configs[node], end, places[0], places[1]), stack, orders[node], key, swap):
            continue
        loss, change = _loss(field, configs[node], end)
        word = _hash(end)
        known = _find(state, end, word)
        if known < 0:
            pibt_order(orders[node], end, goals, orders[nodes])
            _add_node(state, end, node, costs[node, 0] + loss, costs[node, 1] + change, word)
            _add_way(state, node, nodes, loss)
        else:
            _add_way(state, node, known, loss)
            _rewire(state, node)
            opened[counters[_OPEN]] = 0 if random_fraction(key, goals.size, 1) < _RESTART else known
            counters[_OPEN] += 1


@leaf
def _first(state: Any) -> int:
    """Return the configuration to look at next, -1 if nothing is left that may lead to a better plan."""
    ints, costs, opened, counters = state[2], state[3], state[6], state[8]
    while counters[_OPEN] > 0:
        node = opened[counters[_OPEN] - 1]
        if costs[node, 0] + costs[node, 1] < counters[_BEST] and ints[node, _QUEUE] >= 0:
            return node
        counters[_OPEN] -= 1
    return -1


@leaf
def _constrain(state: Any, field: Any, node: int, end: Any, key: int) -> None:
    """Take the next constraints of a configuration and add those that follow them."""
    configs, orders, ints, _, lows, _, _, _, counters = state
    indptr, indices, table, rows, _, wide, _ = field
    low = ints[node, _QUEUE]
    depth = lows[low, _DEPTH]
    if depth < end.size:
        a = orders[node, depth]
        here = configs[node, a]
        first, degree = indptr[here], indptr[here + 1] - indptr[here]
        begin = random_word(key, int(a), 0) % (degree + 1)
        for i in range(degree + 1):
            at = (begin + i) % (degree + 1)
            v = indices[first + at] if at < degree else here
            if toward(table, rows[a], wide, here, v) == NEVER:
                continue
            new = counters[_LOWS]
            lows[new, _ABOVE], lows[new, _WHO], lows[new, _WHERE] = low, a, v
            lows[new, _DEPTH], lows[new, _BESIDE] = depth + 1, -1
            lows[ints[node, _QUEUE_END], _BESIDE] = new
            ints[node, _QUEUE_END] = new
            counters[_LOWS] += 1
    ints[node, _QUEUE] = lows[low, _BESIDE]
    while lows[low, _ABOVE] >= 0:
        end[lows[low, _WHO]] = lows[low, _WHERE]
        low = lows[low, _ABOVE]


@kernel
def _loss(field: Any, start: Any, end: Any) -> Any:
    """Return the loss of a step, and how much the steps that are left to all goals grow."""
    table, rows, goals, wide = field[2], field[3], field[4], field[5]
    loss, change = 0, 0
    for a in range(start.size):
        if start[a] != goals[a] or end[a] != goals[a]:
            loss += 1
            change += toward(table, rows[a], wide, start[a], end[a])
    return loss, change


@leaf
def _add_way(state: Any, node: int, other: int, loss: int) -> None:
    """Remember that a step leads from one configuration to another."""
    ints, ways, counters = state[2], state[5], state[8]
    way = counters[_EDGES]
    ways[way, 0], ways[way, 1], ways[way, 2] = other, loss, ints[node, _WAYS]
    ints[node, _WAYS] = way
    counters[_EDGES] += 1


@kernel
def _rewire(state: Any, node: int) -> None:
    """Spread the loss of a configuration along all steps known, and open again what has become better."""
    _, _, ints, costs, _, ways, opened, _, counters = state
    goal = counters[_GOAL]
    queue = [node]
    first = 0
    ints[node, _WAITING] = 1
    better = [node]
    while first < len(queue):
        tail = queue[first]
        first += 1
        ints[tail, _WAITING] = 0
        way = ints[tail, _WAYS]
        while way >= 0:
            head, cost = ways[way, 0], costs[tail, 0] + ways[way, 1]
            if cost < costs[head, 0]:
                costs[head, 0] = cost
                ints[head, _PARENT] = tail
                if ints[head, _WAITING] == 0:
                    ints[head, _WAITING] = 1
                    queue.append(head)
                better.append(head)
            way = ways[way, 2]
    if goal >= 0:
        counters[_BEST] = min(counters[_BEST], costs[goal, 0])
    for i in range(1, len(better)):
        head = better[i]  # before there is a plan nothing has been left out for its loss
        if goal >= 0 and ints[head, _WAITING] == 0 and costs[head, 0] + costs[head, 1] < counters[_BEST]:
            ints[head, _WAITING] = 2
            opened[counters[_OPEN]] = head
            counters[_OPEN] += 1
    for i in range(len(better)):
        ints[better[i], _WAITING] = 0

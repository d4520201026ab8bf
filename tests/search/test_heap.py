import heapq

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from anabasis._kernel.heap import heap_first, heap_grown, heap_lift, heap_pop, heap_push

NUMBERS = st.integers(0, 6)


@settings(deadline=None)  # the first example compiles
@given(st.lists(st.one_of(st.tuples(NUMBERS, NUMBERS), st.none()), max_size=200))
def test_any_order_of_pushes_and_pops_gives_the_smallest_key_and_tie(actions):
    heap, size, mirror, keys = np.empty((200, 3)), 0, [], {}
    for item, action in enumerate(actions):
        if action is None:
            if not size:
                continue
            popped = heap_pop(heap, size)
            size -= 1
            assert keys[popped] == heapq.heappop(mirror)
        else:
            key, tie = map(float, action)
            heap_push(heap, size, key, tie, item)
            size += 1
            keys[item] = (key, tie)
            heapq.heappush(mirror, (key, tie))


def test_a_full_heap_grows_and_keeps_its_rows():
    heap, numbers = np.empty((0, 3)), np.random.default_rng(1).permutation(1000)
    for size, number in enumerate(numbers.tolist()):
        if size == len(heap):
            heap = heap_grown(heap, size, 1)
        heap_push(heap, size, float(number), 0.0, number)
    assert [heap_pop(heap, 1000 - k) for k in range(1000)] == list(range(1000))


@settings(deadline=None)
@given(st.lists(st.one_of(st.tuples(st.integers(0, 19), st.floats(0, 9)), st.none()), max_size=200))
def test_lifted_items_come_out_by_their_least_keys(actions):
    keys, order, place, size, inside = np.empty(20), np.empty(20, np.int32), np.full(20, -1, np.int32), 0, {}
    for action in [*actions, *[None] * 20]:
        if action is None:
            if size:
                first = int(heap_first(keys, order, place, size))
                size -= 1
                assert inside[first] == min(inside.values())
                del inside[first]
                place[first] = -1
        elif action[1] < inside.get(action[0], np.inf):
            item, inside[action[0]] = action
            heap_lift(keys, order, place, place[item] if place[item] >= 0 else size, action[1], item)
            size = len(inside)
            assert sorted(order[:size]) == sorted(inside)
    assert not inside

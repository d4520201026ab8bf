"""Conflicts: of random tables all pairs are found that a look at every pair of agents finds, and the first of them."""

import numpy as np
import pytest

from anabasis.mapf.conflicts import FOLLOWS, MEETS, Conflict, Conflicts, ways_out


def every_pair(rows: np.ndarray, *, following: bool, swap: bool) -> list[Conflict]:
    """All conflicts, by step and pair, each looked for by its definition. -1: gone."""
    found: list[Conflict] = []
    for t, now in enumerate(rows.tolist()):
        before = rows[t - 1].tolist() if t else [-1] * len(now)
        for a in range(len(now)):
            for b in range(a + 1, len(now)):
                if now[a] == now[b] >= 0:
                    found.append((a, b, MEETS, now[a], t))
                if following:
                    for i, j in ((a, b), (b, a)):
                        if now[i] == before[j] >= 0 and now[i] != before[i] and now[j] != before[j]:
                            found.append((i, j, FOLLOWS, now[i], t))
                elif swap and now[a] == before[b] >= 0 and now[b] == before[a] >= 0 and now[a] != now[b]:
                    found.append((a, b, before[a], now[a], t))
    return found


@pytest.mark.parametrize(("following", "swap"), [(False, True), (False, False), (True, True)])
def test_all_conflicts_are_found_and_the_first_is_that_of_the_first_pair(following: bool, swap: bool) -> None:
    rng = np.random.default_rng(4)
    for _ in range(300):
        count, agents, steps = (int(n) for n in rng.integers((2, 0, 0), (9, 6, 7)))
        rows = rng.integers(0, count, (steps, agents)).astype(np.int32)
        stays = rng.random(rows.shape) < 0.4
        for t in range(1, steps):
            rows[t, stays[t]] = rows[t - 1, stays[t]]
        for a in np.flatnonzero(rng.random(agents) < 0.3):  # gone from some step on
            rows[int(rng.integers(1, steps + 1)) if steps else 0 :, a] = -1
        conflicts = Conflicts(count, agents, following=following, swap=swap)
        wanted = every_pair(rows, following=following, swap=swap)
        for _ in range(2):  # its memory is as it was
            found = [tuple(row) for row in conflicts.find(rows, steps).tolist()]
            assert sorted(found) == sorted(wanted)
            assert [row[4] for row in found] == sorted(row[4] for row in found)
            number, first = conflicts.first(rows)
            assert number == len(wanted) and (first is None) == (not wanted)
            if first is not None:
                assert first == wanted[0]


def test_ways_out_of_a_conflict() -> None:
    assert ways_out((0, 2, MEETS, 5, 3)) == [(0, (5, -1, 3)), (2, (5, -1, 3))]
    assert ways_out((0, 2, 4, 5, 3)) == [(0, (4, 5, 3)), (2, (5, 4, 3))]
    assert ways_out((2, 0, FOLLOWS, 5, 3)) == [(2, (5, -1, 3)), (0, (5, -1, 2))]

import numpy as np

from anabasis._kernel.key_queue import queue_put, queue_remove


def test_the_queue_is_a_dictionary_sorted_by_key_tie_and_age():
    rng = np.random.default_rng(1)
    for capacity in (1, 2, 7, 60):
        rows, place = np.empty((capacity, 4)), np.zeros(capacity, np.int32)
        model: dict[int, tuple[float, float, float]] = {}
        size, removed, firsts = 0, 0, []
        for age in range(600):
            item, key, tie = (*rng.integers(0, capacity, 1).tolist(), *rng.integers(0, 4, 2).astype(float).tolist())
            if item in model and rng.random() < 0.4:
                size = queue_remove(rows, place, size, item)
                del model[item]
                removed += 1
            else:
                size = queue_put(rows, place, size, item, key, tie, float(age))
                if model.get(item, (-1.0, -1.0))[:2] != (key, tie):
                    model[item] = (key, tie, float(age))
            assert size == len(model)
            assert [int(i) for i in np.flatnonzero(place > 0)] == sorted(model)
            assert all(int(rows[place[i] - 1, 3]) == i and tuple(rows[place[i] - 1, :3]) == model[i] for i in model)
            if model:
                firsts.append(int(rows[0, 3]))
                assert firsts[-1] == min(model, key=model.__getitem__)
        assert removed > 50
        assert len(set(firsts)) > min(capacity, 7) // 2

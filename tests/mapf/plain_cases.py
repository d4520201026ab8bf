"""Answers of every solver of the table to a handful of tiny instances, as text; printed if run as a program."""

from __future__ import annotations

import numpy as np
from tiny_instances import tiny_instance

from anabasis.grid import Grid
from anabasis.instance import Instance
from anabasis.methods import METHODS

SEEDS = (1, 3)
LIMITS = {
    "cbs": 20,
    "ecbs": 20,
    "eecbs": 20,
    "independence": 20,
    "pbs": 20,
    "lns2": 20,
    "lacam-star": 200,
    "meta-agent-cbs": 20,
}


def answers() -> str:
    """One line for each solver and instance: status, reason, bound, counts and steps, to the last digit."""
    lines: list[str] = []
    rows = [row for row in METHODS if row.family == "mapf"]
    for number, instance in enumerate(instances()):
        for row in rows:
            if instance.features <= set(row.can):
                options = {"seed": 7} if row.seeded else {}
                if row.name in LIMITS:
                    options["limit"] = LIMITS[row.name]
                result = row.load()(instance, **options)
                steps = None if result.value is None else result.value.vertices.tolist()
                told = result.status.name, result.reason, result.bound, dict(result.stats), steps
                lines.append(f"{row.name} {number} {told}")
    return "\n".join(lines)


def instances() -> list[Instance]:
    """Instances with and without the features that solvers handle, one with a bay, one in which many agents meet."""
    kinds = ((), ("directed",), ("changes",), ("vanish",), ("following",), ("cycle",), ("swaps",), ("no wait",))
    tiny = [tiny_instance(seed, features, most=3) for features in (*kinds, ("sizes",)) for seed in SEEDS]
    grid = Grid.from_text("\n".join(["......", ".@@.@.", "......", ".@.@@.", "......"]))
    free, rng = np.flatnonzero(grid.free), np.random.default_rng(1)
    bay = Instance.of(Grid.from_text(".....\n@@.@@"), [0, 4], [4, 0])
    return [*tiny, bay, Instance.of(grid, rng.permutation(free)[:7], rng.permutation(free)[:7])]


if __name__ == "__main__":
    print(answers())

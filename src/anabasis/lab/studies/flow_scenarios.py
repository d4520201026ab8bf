"""Scenarios of the study of flow networks, in three sets: splitting unsuitable, others split too, unused alternatives.

The sets are those of Pacovský: Navigation of units in video games using flow networks, 2019; the scenarios are our own,
as the thesis does not print its.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from anabasis.errors import InputError
from anabasis.lab.studies import flow_maps as maps
from anabasis.lab.studies.flow_benchmark import benchmark_tasks
from anabasis.lab.studies.flow_drawn import DRAWN
from anabasis.lab.studies.flow_generated import GENERATED
from anabasis.lab.studies.flow_task import Task

__all__ = ["GROWING", "SETS", "tasks"]

SETS = {
    1: "splitting unsuitable",
    2: "others split too",
    3: "chokepoint with unused alternatives",
}

GROWING = Task(
    "growing group",
    lambda: maps.walled(100, 100, (48, 0, 12, 100), gaps=[(48, 18, 12, 2), (48, 48, 12, 3), (48, 82, 12, 5)], rock="W"),
    400,
    ((4, 2, 34, 36),),
    (92, 20, 5),
    "a river with three bridges, 2, 3 and 5 cells wide, the nearer the narrower",
)


def tasks(sets: Sequence[int] = (1, 2, 3), *, quick: bool = False, data: Path | None = None) -> list[Task]:
    """Return the tasks of the sets, in order; those on benchmark maps only with their folder `data`.

    quick: a few of each set with smaller groups. Raises InputError for an unknown set.
    """
    for number in sets:
        if number not in SETS:
            raise InputError("set of scenarios", found=f"{number}", expected=" or ".join(map(str, SETS)))
    found = [task for task in [*DRAWN, *GENERATED, *(benchmark_tasks(data) if data else [])] if task.set in sets]
    return sorted((task for task in found if task.quick or not quick), key=lambda task: task.name)

"""The same seed means the same structured map and the same tasks for ever, with and without compilation."""

import hashlib
import json
import os
import subprocess
import sys

import numpy as np

from anabasis import Grid
from anabasis.maps.structured.caves import caves
from anabasis.maps.structured.halls import halls
from anabasis.maps.structured.maze_trees import ALGORITHMS
from anabasis.maps.structured.mazes import maze
from anabasis.maps.structured.obstacles import random_obstacles
from anabasis.maps.structured.rooms import room_grid, room_partition
from anabasis.maps.structured.warehouse import warehouse
from anabasis.maps.tasks import bucketed_tasks, multi_agent_tasks, sample_tasks

SEED = 2**40 + 12345


def digest(*arrays):
    return hashlib.sha256(b"".join(np.ascontiguousarray(array).tobytes() for array in arrays)).hexdigest()[:12]


def digests():
    width, height = 45, 32
    made = {
        "cells": random_obstacles(width, height, seed=SEED, share=0.3),
        "rectangles": random_obstacles(width, height, seed=SEED, share=0.3, least=2, most=5),
        "room_grid": room_grid(width, height, seed=SEED, pitch=8),
        "room_partition": room_partition(width, height, seed=SEED, least=4, most=11),
        "caves": caves(width, height, seed=SEED, share=0.52),
        "warehouse": warehouse(90, 40, seed=SEED, stations=5, missing=0.2),
        "halls": halls(width, height, seed=SEED),
    }
    for algorithm in ALGORITHMS:
        made[algorithm] = maze(width, height, seed=SEED, algorithm=algorithm, loops=0.2)
    found = {name: digest(free) for name, free in made.items()}
    grid = Grid.from_free(made["caves"])
    for make in (lambda: sample_tasks(grid, 20, seed=SEED), lambda: multi_agent_tasks(grid, 20, seed=SEED)):
        tasks = make()
        found[f"tasks {len(found)}"] = digest(tasks.starts, tasks.goals)
    tasks = bucketed_tasks(grid, seed=SEED, per_bucket=2)
    found["bucketed"] = digest(tasks.starts, tasks.goals)
    return found


KNOWN = {
    "cells": "0158ab3307d7",
    "rectangles": "24f1b87e8696",
    "room_grid": "e05c1b3c30d3",
    "room_partition": "46a00e5843e7",
    "caves": "bb47df1a04e5",
    "warehouse": "559a69106a29",
    "halls": "c5f8fe6aa801",
    "depth_first": "a177e9b3833a",
    "prim": "4e372a18ec4b",
    "kruskal": "6ff573144cd1",
    "wilson": "8a4ac3904d04",
    "division": "f7d05254d14b",
    "eller": "ddd50a4d86a1",
    "binary_tree": "90ed1e2ed3c6",
    "sidewinder": "7e18e19449b4",
    "tasks 15": "027302845a97",
    "tasks 16": "ba7204d5bb80",
    "bucketed": "65d9aa49fcec",
}


def test_the_same_maps_for_ever():
    assert digests() == KNOWN


def test_without_compilation():
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    run = subprocess.run([sys.executable, __file__], env=environment, check=True, capture_output=True, text=True)
    assert json.loads(run.stdout) == KNOWN


if __name__ == "__main__":
    print(json.dumps(digests(), indent=4))

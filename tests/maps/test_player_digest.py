"""All that is made for players is the same in every process, with and without the compiler."""

import os
import subprocess
import sys

MADE = """
import numpy as np
from anabasis.maps.players.barriers import barriers
from anabasis.maps.players.connectivity import clear_ground, connect
from anabasis.maps.players.fairness import measure
from anabasis.maps.players.resources import resources
from anabasis.maps.players.roads import roads
from anabasis.maps.players.starts import starts
from anabasis.maps.players.towns import towns
from anabasis.movement import movement_class
from anabasis.noun import state_hash

rng = np.random.default_rng(3)
terrain = rng.choice(np.frombuffer(b"......hfTW^", np.uint8), (11, 13))
unit = movement_class("land")
print(state_hash(connect(terrain, "water", least_part=1)))
terrain = clear_ground(terrain, [[6, 5]], 3).terrain
joined = connect(terrain, least_part=2, pockets="fill")
cost = unit.cost[joined.terrain]
found = starts(cost, 2, seed=5, clearing=0, margin=0, tries=1)
print(state_hash(joined), state_hash(found))
parted = barriers(joined.terrain, found.cells, breadth=1, gap=1, clear=1)
placed = resources(cost, found.cells, seed=2)
sites = towns(joined.terrain, 3, seed=4, avoid=found.cells)
print(state_hash(parted), state_hash(placed), state_hash(sites))
print(state_hash(roads(joined.terrain, np.concatenate((found.cells, sites.cells)))))
print(state_hash(measure(cost, found.cells, placed)))
"""


def test_the_same_bytes_in_every_process_and_without_the_compiler():
    def run(**variables):
        command = [sys.executable, "-W", "error", "-c", MADE]
        done = subprocess.run(command, env={**os.environ, **variables}, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert run(PYTHONHASHSEED="0") == run(PYTHONHASHSEED="7") == run(NUMBA_DISABLE_JIT="1")

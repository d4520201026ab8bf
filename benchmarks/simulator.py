"""The simulator beside pyrvo: unit-steps a second on scenes of equal size and density, and the cost of a step by phase.

Run: python benchmarks/simulator.py [--quick]. One core. In every round both simulate the same number of steps from
scenes with the same units; figures are medians over the rounds, ratios are of the same round. All our steerings are
on. pyrvo does what its `do_step` does, with 10 neighbours within 5 cells; wanted velocities are set outside the timing.
"""

from __future__ import annotations

import argparse
import math
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pyrvo

from anabasis import Grid, Group, GroupPlan, Scenario, Target
from anabasis.sim import simulate as engine
from anabasis.sim.neighbours import CellList
from anabasis.sim.recording import Recording
from anabasis.sim.steering import Forces

SPEED, RADIUS = 0.15, 0.5
DENSITIES = {"low": 0.1, "high": 0.8}  # units a cell
WARM = 20  # steps before the timing, in which the crowd starts moving


class Scene:
    """A crowd: `open`: each unit walks through the middle to the other side; `choke`: all through a gap of 10 cells."""

    def __init__(self, kind: str, units: int, density: float) -> None:
        area = math.ceil(math.sqrt(units / density))
        rng = np.random.default_rng(units)
        side = math.ceil(math.sqrt(units))  # a jittered lattice: nobody overlaps at the start
        ys, xs = np.divmod(np.arange(units), side)
        jitter = (area / side - 1.0) * 0.9
        places = np.stack([xs, ys], 1) * (area / side) + 0.5 + rng.random((units, 2)) * jitter
        free = np.ones((area + 10, area + 10 if kind == "open" else 2 * area + 20), bool)
        self.positions = places + 5.0
        middle = area / 2 + 5.0
        if kind == "open":
            self.goals = [np.array([2 * middle - p]) for p in self.positions]
            target = Target(middle, middle, 1e-6)  # nobody ends: the walk to and fro would need new plans
        else:
            free[:, area + 10] = False
            free[int(middle) - 5 : int(middle) + 5, area + 10] = True
            gap, end = [area + 10.5, middle], [2 * area + 15.0, middle]
            self.goals = [np.array([gap, end]) for _ in range(units)]
            target = Target(*end, 2.0)
        self.walls = [] if kind == "open" else [(area + 10.0, 0.0, middle - 5), (area + 10.0, middle + 5, area + 10.0)]
        self.scenario = Scenario(Grid.from_free(free), (Group(self.positions, target, RADIUS, SPEED),))

    def ours(self) -> engine.Simulation:
        """Return our simulation of the scene."""
        return engine.Simulation(self.scenario, [GroupPlan.of_paths(list(self.goals))], seed=1, record_every=10**9)

    def rvo(self) -> pyrvo.RVOSimulator:
        """Return pyrvo's simulation of the scene."""
        sim = pyrvo.RVOSimulator(1.0, 5.0, 10, 30.0, 30.0, RADIUS, SPEED)
        for place in self.positions.tolist():
            sim.add_agent(tuple(place))
        for x, top, bottom in self.walls:
            sim.add_obstacle([(x, top), (x, bottom), (x + 1, bottom), (x + 1, top)])
        sim.process_obstacles()
        return sim

    def want(self, sim: pyrvo.RVOSimulator) -> None:
        """Set the wanted velocities of pyrvo's agents."""
        for i, goal in enumerate(self.goals):
            at = sim.get_agent_position(i)
            aim = goal[-1] if at.x > goal[0][0] else goal[0]
            dx, dy = float(aim[0]) - at.x, float(aim[1]) - at.y
            share = SPEED / max(math.hypot(dx, dy), SPEED)
            sim.set_agent_pref_velocity(i, (dx * share, dy * share))


def measure(scene: Scene, steps: int, rounds: int) -> tuple[float, float, float]:
    """Return the medians of our and of pyrvo's unit-steps a second, and of their ratio; each round starts anew."""
    scene.ours().step(1)  # compile
    ours: list[float] = []
    theirs: list[float] = []
    for _ in range(rounds):
        run, sim = scene.ours(), scene.rvo()
        run.step(WARM)
        before = int(run.units.updates.sum())
        t = time.perf_counter()
        run.step(steps)
        ours.append((int(run.units.updates.sum()) - before) / (time.perf_counter() - t))
        scene.want(sim)
        for _ in range(WARM):
            sim.do_step()
        scene.want(sim)
        t = time.perf_counter()
        for _ in range(steps):
            sim.do_step()
        theirs.append(steps * len(scene.positions) / (time.perf_counter() - t))
    ratio = statistics.median(a / b for a, b in zip(ours, theirs, strict=True))
    return statistics.median(ours), statistics.median(theirs), ratio


def phases(scene: Scene, steps: int) -> dict[str, float]:
    """Return nanoseconds a unit-step of each phase."""
    spent: dict[str, float] = {}

    def timed(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any) -> Any:
            t = time.perf_counter()
            try:
                return function(*args)
            finally:
                spent[name] = spent.get(name, 0.0) + time.perf_counter() - t

        return call

    places: list[tuple[Any, str, str]] = [
        (engine.Simulation, "_strategic", "strategic"),
        (engine.Simulation, "_tactical", "tactical"),
        (CellList, "sort", "cell list"),
        (Forces, "apply", "forces"),
        (engine, "move", "movement"),
        (engine, "count", "counters"),
        (Recording, "chain", "hash"),
    ]
    run = scene.ours()
    run.step(steps)
    kept = [(owner, attribute, getattr(owner, attribute)) for owner, attribute, _ in places]
    for owner, attribute, name in places:
        setattr(owner, attribute, timed(name, getattr(owner, attribute)))
    before = int(run.units.updates.sum())
    t = time.perf_counter()
    run.step(steps)
    whole = time.perf_counter() - t
    for owner, attribute, function in kept:
        setattr(owner, attribute, function)
    spent["rest"] = whole - sum(spent.values())
    units = int(run.units.updates.sum()) - before
    return {name: seconds / units * 1e9 for name, seconds in spent.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer steps and rounds")
    quick = parser.parse_args().quick
    rounds = 3 if quick else 7
    costs: dict[tuple[str, str], list[float]] = {}
    print("unit-steps a second (medians)        ours       pyrvo   ratio")
    for kind in ("open", "choke"):
        for level, density in DENSITIES.items():
            for units in (100, 1_000, 10_000):
                steps = min(100, max(10, (20_000 if quick else 200_000) // units))
                ours, theirs, ratio = measure(Scene(kind, units, density), steps, rounds)
                costs.setdefault((kind, level), []).append(1e9 / ours)
                print(f"{kind:6} {level:5} {units:6} units    {ours:12,.0f} {theirs:11,.0f}   {ratio:5.2f}", flush=True)
    print("\ncost of a unit-step at 10,000 units over that at 1,000")
    for (kind, level), (_, thousand, ten) in costs.items():
        print(f"{kind:6} {level:5} {ten / thousand:5.2f}")
    print("\nnanoseconds a unit-step by phase, 1,000 units")
    for kind in ("open", "choke"):
        for level, density in DENSITIES.items():
            parts = phases(Scene(kind, 1_000, density), 30 if quick else 200)
            print(f"{kind:6} {level:5} " + ", ".join(f"{name} {cost:.0f}" for name, cost in parts.items()))


if __name__ == "__main__":
    main()

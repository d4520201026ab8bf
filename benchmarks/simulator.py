"""The simulator beside pyrvo: unit-steps a second on scenes of equal size and density, and the cost of a step by phase.

Run: python benchmarks/simulator.py [--quick] [--json]. One core. In every round both simulate the same number of steps
from the same places, with the same radii, greatest speeds, walls and aims; figures are medians over the rounds, ratios
are of the same round. What differs: a step of ours includes all steerings, path following at every step, events,
counters and the hash. A `do_step` of pyrvo looks at the 10 nearest others within 5 cells; its wanted velocities are set
outside the timing and only once, so who gets through the gap within the timing goes straight on.
"""

from __future__ import annotations

import argparse
import itertools
import json
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
MARGIN = 25  # cells beside an open crowd, more than anyone walks


class Scene:
    """A crowd. `open`: every other unit walks right and the rest left; `choke`: all go through a gap of 10 cells.

    positions: float64[n, 2]. aims: for each unit the points of its way. Nobody gets to the end of it within the timing.
    """

    def __init__(self, kind: str, units: int, density: float) -> None:
        area = math.ceil(math.sqrt(units / density))
        rng = np.random.default_rng(units)
        side = math.ceil(math.sqrt(units))  # a jittered lattice: nobody overlaps at the start
        ys, xs = np.divmod(np.arange(units), side)
        jitter = (area / side - 1.0) * 0.9
        places = np.stack([xs, ys], 1) * (area / side) + 0.5 + rng.random((units, 2)) * jitter
        middle = area / 2 + 5.0
        self.walls: list[tuple[float, float, float]] = []
        if kind == "open":
            places += [MARGIN, 5.0]
            free = np.ones((area + 10, area + 2 * MARGIN), bool)
            right = (xs + ys) % 2 == 0
            ends = np.where(right[:, None], (area + 2 * MARGIN - 1.5, middle), (1.5, middle))
            order = np.argsort(~right, kind="stable")  # our groups one after the other
            places, ends = places[order], ends[order]
            crowds = [places[: right.sum()], places[right.sum() :]]
            self.aims = [end[None] for end in ends]
        else:
            places += 5.0
            free = np.ones((area + 10, 2 * area + 20), bool)
            free[:, area + 10] = False
            free[int(middle) - 5 : int(middle) + 5, area + 10] = True
            top, bottom = int(middle) - 5.0, int(middle) + 5.0
            self.walls = [(area + 10.0, 0.0, top), (area + 10.0, bottom, area + 10.0)]
            crowds = [places]
            self.aims = [np.array([(area + 10.5, middle), (2 * area + 15.0, middle)])] * units
        self.positions = places
        targets = [Target(*self.aims[0][-1], 1.0), Target(*self.aims[-1][-1], 1.0)]
        groups = [Group(crowd, target, RADIUS, SPEED) for crowd, target in zip(crowds, targets, strict=False)]
        self.scenario = Scenario(Grid.from_free(free), tuple(groups))

    def ours(self) -> engine.Simulation:
        """Return our simulation of the scene."""
        sizes = np.cumsum([0, *(group.size for group in self.scenario.groups)])
        plans = [GroupPlan.of_paths(self.aims[a:b]) for a, b in itertools.pairwise(sizes)]
        return engine.Simulation(self.scenario, plans, seed=1, record_every=10**9)

    def rvo(self) -> pyrvo.RVOSimulator:
        """Return pyrvo's simulation of the scene."""
        sim = pyrvo.RVOSimulator(1.0, 5.0, 10, 30.0, 30.0, RADIUS, SPEED)
        for place in self.positions.tolist():
            sim.add_agent(tuple(place))
        for x, top, bottom in self.walls:  # from +x to +y, which pyrvo calls counterclockwise
            sim.add_obstacle([(x, top), (x + 1, top), (x + 1, bottom), (x, bottom)])
        sim.process_obstacles()
        return sim

    def want(self, sim: pyrvo.RVOSimulator) -> None:
        """Set the wanted velocities of pyrvo's agents."""
        for i, aims in enumerate(self.aims):
            at = sim.get_agent_position(i)
            x, y = (aims[-1] if at.x > aims[0][0] else aims[0]).tolist() if len(aims) > 1 else aims[0].tolist()
            dx, dy = x - at.x, y - at.y
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
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    options = parser.parse_args()
    quick, say = options.quick, (lambda *_, **__: None) if options.json else print
    rounds = 3 if quick else 7
    rows: list[dict[str, Any]] = []
    costs: dict[tuple[str, str], list[float]] = {}
    say("unit-steps a second (medians)        ours       pyrvo   ratio")
    for kind in ("open", "choke"):
        for level, density in DENSITIES.items():
            for units in (100, 1_000, 10_000):
                steps = min(100, max(10, (20_000 if quick else 200_000) // units))
                ours, theirs, ratio = measure(Scene(kind, units, density), steps, rounds)
                costs.setdefault((kind, level), []).append(1e9 / ours)
                rows.append({"scene": kind, "density": density, "units": units, "ours": ours, "pyrvo": theirs})
                rows[-1]["ratio"] = ratio
                say(f"{kind:6} {level:5} {units:6} units    {ours:12,.0f} {theirs:11,.0f}   {ratio:5.2f}", flush=True)
    say("\ncost of a unit-step at 10,000 units over that at 1,000")
    growth = {f"{kind} {level}": ten / thousand for (kind, level), (_, thousand, ten) in costs.items()}
    for scene, times in growth.items():
        say(f"{scene:12} {times:5.2f}")
    say("\nnanoseconds a unit-step by phase, 1,000 units")
    parts: dict[str, dict[str, float]] = {}
    for kind in ("open", "choke"):
        for level, density in DENSITIES.items():
            parts[f"{kind} {level}"] = phases(Scene(kind, 1_000, density), 30 if quick else 60)
            named = ", ".join(f"{name} {cost:.0f}" for name, cost in parts[f"{kind} {level}"].items())
            say(f"{kind:6} {level:5} {named}")
    if options.json:
        print(json.dumps({"unit_steps_a_second": rows, "cost_10000_over_1000": growth, "ns_by_phase": parts}, indent=2))


if __name__ == "__main__":
    main()

"""Scenes with formations for the tests of spot following."""

import numpy as np

from anabasis import Grid, Group, GroupPlan, Limits, Scenario, Target
from anabasis.formation.shapes import schema_of
from anabasis.plan import FormationPlan
from anabasis.sim.simulate import Simulation

RADIUS, TOLERANCE = 0.4, 0.1
OPEN = "\n".join(["." * 40] * 40)
GATE = "\n".join("." * 40 if y not in (19, 20) else "#" * 18 + "..." + "#" * 19 for y in range(40))


def turned(places, degrees):
    """Turn places that are meant for the north (up) clockwise, written out by hand."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.array([(c * x - s * y, s * x + c * y) for x, y in places])


def formation(shape, units, way, azimuth=0.0, spacing=2.0, speed="slowest", orientation="whole", pace=()):
    """Return a group in formation, at rest where its way begins, and its plan."""
    schema = schema_of(shape, units, spacing=spacing)
    plan = FormationPlan(schema, np.array(way, np.float64), np.arange(units), azimuth, speed, orientation)
    positions = plan.way[0] + turned(schema.places, azimuth)
    target = Target(*plan.way[-1].tolist(), TOLERANCE)
    return Group(positions, target, RADIUS, 0.15, pace=np.array(pace, np.float64)), plan


def scene(text, *formations, steps=4000):
    """Return a scenario with some formations, and their plans."""
    groups = tuple(group for group, _ in formations)
    plans = [GroupPlan.of_formation(plan) for _, plan in formations]
    return Scenario(Grid.from_text(text), groups, limits=Limits(steps=steps)), plans


def run(text, *formations, steps=4000):
    """Return the trace of a run of some formations."""
    simulation = Simulation(*scene(text, *formations, steps=steps), seed=1)
    simulation.step(steps)
    return simulation.trace()

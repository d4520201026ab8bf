import numpy as np
from crowd_scenes import block, gap_scene, open_scene, straight

from anabasis import Grid, Group, Scenario, Target, Trace
from anabasis.sim.simulate import Simulation, simulate
from anabasis.trace import COUNTERS


def counted_from_frames(scenario: Scenario, trace: Trace) -> dict[str, np.ndarray]:
    """The counters as the definitions say, from positions alone, all pairs and all wall cells."""
    speed = np.concatenate([np.full(g.size, g.speed) for g in scenario.groups])
    ys, xs = np.nonzero(~np.pad(scenario.grid.free, 1))
    xs, ys = xs - 1, ys - 1
    counts = {name: np.zeros(trace.size) for name in COUNTERS}
    for before, places, state in zip(trace.positions[:-1], trace.positions[1:], trace.state[:-1], strict=True):
        here = state <= 1
        walked = np.hypot(*(places - before).T)
        gaps = np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1))
        touch = trace.radius[:, None] + trace.radius[None]
        close = (gaps < touch * (1 - 1e-9)) & here[None] & here[:, None] & ~np.eye(trace.size, dtype=bool)
        dx = places[:, :1] - np.clip(places[:, :1], xs, xs + 1)
        dy = places[:, 1:] - np.clip(places[:, 1:], ys, ys + 1)
        counts["wall_collisions"] += here & (np.hypot(dx, dy).min(axis=1) < trace.radius * (1 - 1e-9))
        counts["unit_collisions"] += close.any(axis=1)
        counts["updates"] += here
        counts["not_full_move"] += here & (walked < speed * (1 - 1e-9))
        counts["cant_move"] += here & (walked < 0.02 * speed)
        counts["distance_travelled"] += np.where(here, walked, 0.0)
    return counts


def check(scenario: Scenario, trace: Trace) -> None:
    expected = counted_from_frames(scenario, trace)
    for name in COUNTERS[:-1]:
        found = getattr(trace.counters, name)
        assert np.abs(found - expected[name]).max() <= (1e-9 if name == "distance_travelled" else 0), name
        assert expected[name].sum() > 0, f"{name}: the scene does not try it"


def test_counters_are_what_the_frames_say() -> None:
    scenario, plan = gap_scene(1, 100)
    check(scenario, simulate(scenario, [plan], seed=1))


def test_counters_of_units_of_different_sizes_and_speeds() -> None:
    grid = Grid.from_text("\n".join(["." * 30] * 6 + ["." * 12 + "#" * 8 + "." * 10] * 3 + ["." * 30] * 6))
    groups = (
        Group(block(2, 3, 3, 5, 1.7), Target(27, 5, 2.0), radius=0.8, speed=0.1),
        Group(block(24, 2, 4, 6, 0.7), Target(3, 8, 2.0), radius=0.3, speed=0.3),
    )
    scenario = Scenario(grid, groups)
    check(scenario, simulate(scenario, [straight(scenario, 0, (15, 3)), straight(scenario, 1, (15, 11))], seed=1))


def test_nothing_is_counted_after_the_arrival() -> None:
    scenario = open_scene([(5.0, 5.0), (20.0, 20.0)], (7.0, 5.0))
    run = Simulation(scenario, [straight(scenario)], seed=0)
    run.step(60)
    assert run.units.arrival[0] == run.units.updates[0] < 20
    assert run.units.updates[1] == 60

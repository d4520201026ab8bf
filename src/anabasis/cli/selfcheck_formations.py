"""Tiny marches of formations, with known answers; they compile the kernels of `formation` and `sim.spot_following`."""

from __future__ import annotations

from collections.abc import Callable, Iterator

__all__ = ["FormationCheck", "formation_checks"]

FormationCheck = tuple[str, Callable[[], object], object]
"""What is looked at, what computes it, and what it is to be."""


def formation_checks() -> Iterator[FormationCheck]:
    """Give the checks: ways in the combined space, what can be reached or met, marches, and one in the simulator."""
    yield "a leader keeps to the middle of a road, for those beside it", _led, [1, 2]
    yield "which vertices can be reached past a wall", _reached, 8
    yield "two units come near a vertex half a second apart", _passed, 0.353553
    yield "a column marches five steps", _marched, ["SOLVED", 5.0, 0.0]
    yield "a wedge follows its leader's track through a gap", _drawn_in, ["SOLVED", 3]
    yield "a wedge in the simulator goes through a gap, and is one again", _simulated, ["SOLVED", 3, 0.0, ""]


def _led() -> list[int]:
    """Return the rows in which most of a leader's way lies, without and with a unit on each side of it."""
    import numpy as np

    from anabasis.formation.combined import Pathfinder
    from anabasis.formation.ground import Ground
    from anabasis.grid import Grid

    price = np.full((5, 12), 9.0)
    price[1:4] = 1.0
    finder = Pathfinder(Ground.of(Grid(price, np.zeros(price.shape, np.uint8))))
    start, goal = finder.ground.nearest([[0.5, 1.5], [11.5, 1.5]])[:, 0].tolist()
    rows: list[int] = []
    for beside in ([], [[0.0, -1.0], [0.0, 1.0]]):
        path = finder.path(start, goal, beside, [1.0] * len(beside))
        rows.append(-1 if path is None else int(np.median(finder.ground.at[path, 1])))
    return rows


def _reached() -> int:
    from anabasis.formation.combined import Pathfinder
    from anabasis.formation.ground import Ground
    from anabasis.grid import Grid

    finder = Pathfinder(Ground.of(Grid.from_text("..#.\n..#.\n..#.\n..#.")))
    return int(finder.reached(0).sum())


def _passed() -> float:
    """Return how near two units come that cross at one vertex, the second half a second after the first."""
    from anabasis.formation.middle_vertex import closest_approach

    one, other = [(0, 0), (1, 0), (2, 0)], [(1, -1), (1, 0), (1, 1)]
    return round(closest_approach(one, [0, 1, 2], other, [0.5, 1.5, 2.5]), 6)


def _marched() -> list[object]:
    """Return how a march ends, its seconds, and how far it is from its shape at most."""
    from anabasis.formation.march import march
    from anabasis.formation.shapes import column
    from anabasis.lattice import Lattice
    from anabasis.manoeuvre import Formation, Manoeuvre, Modules
    from anabasis.metrics.formations import shape_error

    lattice, schema = Lattice.uniform(14, 3), column(3)
    modules = Modules(passing="displacement")
    formation = Formation.of(schema, (90.0, 17.3), 90.0, (190.0, 17.3), modules)
    result = march(Manoeuvre(lattice, (formation,)), tick=0.1)
    if result.value is None:
        return [result.status.name]
    error = float(shape_error(schema, result.value.logical).max())
    return [result.status.name, round(float(result.value.seconds[-1]), 6), round(error, 6)]


def _drawn_in() -> list[object]:
    """Return how a wedge's march through a gap ends that is narrower than it, and how many have come through."""
    import numpy as np

    from anabasis.formation.march import march
    from anabasis.formation.shapes import wedge
    from anabasis.lattice import Lattice
    from anabasis.manoeuvre import Formation, Manoeuvre, Modules

    price = np.ones((14, 8))
    price[7, :4] = price[7, 5:] = np.inf
    modules = Modules(paths="simple", orientation="track", ties="straight")
    formation = Formation.of(wedge(3), (90.0, 200.0), 0.0, (90.0, 20.0), modules)
    result = march(Manoeuvre(Lattice.from_ground(price), (formation,)), tick=0.1)
    if result.value is None:
        return [result.status.name]
    return [result.status.name, int((result.value.logical[-1, :, 1] < 121).sum())]


def _simulated() -> list[object]:
    """Return how a wedge's move ends, who arrived, how far it is out of shape in cells, and what it couldn't do."""
    import numpy as np

    from anabasis.formation.shapes import wedge
    from anabasis.grid import Grid
    from anabasis.manoeuvre import Formation, Manoeuvre
    from anabasis.manoeuvring import simulate_manoeuvre

    schema = wedge(3, spacing=2.0)
    grid = Grid.from_text("\n".join(["." * 9] * 6 + ["####.####"] + ["." * 9] * 5))
    formation = Formation.of(schema, (4.5, 9.5), 0.0, (4.5, 1.5))
    result = simulate_manoeuvre(Manoeuvre(grid, (formation,)), tick=0.1)
    if result.value is None:
        return [result.status.name]
    last = result.value.trace.positions[-1]
    off = float(np.abs(last - (4.5, 1.5) - schema.places).max())
    return [result.status.name, result.value.trace.finished, max(0.0, round(off - 0.1, 6)), result.value.trouble[0]]

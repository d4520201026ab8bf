"""The nouns: frozen, checked when made, hashed by value."""

import dataclasses
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import anabasis as a
from anabasis import state_hash
from anabasis.grid import MAX_SIDE
from anabasis.lattice import Lattice
from anabasis.manoeuvre import Formation, Manoeuvre
from anabasis.movement import MOVEMENT_CLASSES, movement_class
from anabasis.noun import freeze
from anabasis.plan import FormationPlan
from anabasis.schema import Schema
from anabasis.trace import Counters, Ending


def grid() -> a.Grid:
    return a.Grid.from_text("..#.\n.TW3\n....")


def trace(**changes: object) -> a.Trace:
    zero = np.zeros(2, np.int64)
    counters = Counters(zero, zero, zero, zero, zero, zero, zero)
    values = {
        "times": [0, 1, 3],
        "positions": np.zeros((3, 2, 2)),
        "headings": np.zeros((3, 2)),
        "state": np.zeros((3, 2)),
        "hashes": np.array([1, 2, 3], np.uint64),
        "group": zero,
        "radius": [0.5, 0.5],
        "route": zero,
        "arrival": [3, -1],
        "planned_length": [1.0, 1.0],
        "event_step": [3],
        "event_kind": [0],
        "event_unit": [0],
        "event_cause": [1],
        "counters": counters,
        "ending": Ending.STALL,
        "seed": 1,
    }
    return a.Trace(**{**values, **changes})


def nouns() -> list[object]:
    g = grid()
    graph = a.Graph.from_arcs([[0, 0], [1, 0], [2, 0]], [0, 1, 1], [1, 2, 0], [1.0, 2.0, 5.0])
    path = a.Path([0, 1], [[0.5, 0.5], [1.5, 0.5]], 1.0)
    field = a.FlowField(np.zeros((3, 4)), np.zeros((3, 4, 2)))
    group = a.Group([[0.5, 0.5]], a.Target(3.5, 2.5))
    search = a.SearchTrace([0, 1], [3, 4], [-1, 3], [0.0, 1.0], [2.0, 1.0])
    return [
        g,
        graph,
        a.World.of((0, 0, 9, 9), [[[1, 1], [2, 1], [2, 2]]]),
        a.NavMesh.of([[0, 0], [1, 0], [1, 1], [0, 1]], [[0, 1, 2], [0, 2, 3]]),
        a.Instance.of(g, [0, 1], [8, 9]),
        path,
        a.Plan([[0, 1], [4, 1]]),
        field,
        a.GroupPlan.of_paths([[[0, 0], [1, 1]], []]),
        a.GroupPlan.of_field(field, 3),
        a.GroupPlan.of_formation(FormationPlan(Schema.of([[0, 0], [0, 4]], [0, 0]), [[1, 1]], [1, 0])),
        group,
        a.Scenario(g, (group,), (a.Change(5, [[0, 0]], "@"),)),
        search,
        a.Result(a.Status.SOLVED, path, trace=search, stats={"expanded": 2}),
        trace(),
        a.Kinematics.car(2.0),
        a.Trajectory([0, 1], [[0, 0], [1, 0]], [0, 0], [1, 1], [0, 0]),
        Lattice.uniform(4, 3),
        Schema.of([[0, 0], [0, 40]], [0, 0]),
        Manoeuvre(g, (Formation.of(Schema.of([[0, 0]], [0]), (0.5, 0.5), 0.0, (3.5, 2.5)),)),
    ]


@pytest.mark.parametrize("noun", nouns(), ids=lambda n: type(n).__name__)
def test_arrays_are_frozen_and_the_hash_is_by_value(noun: object) -> None:
    for field in dataclasses.fields(noun):
        value = getattr(noun, field.name)
        if isinstance(value, np.ndarray):
            assert not value.flags.writeable and value.flags.c_contiguous
            with pytest.raises(ValueError, match="read-only"):
                value[...] = 0
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(noun, dataclasses.fields(noun)[0].name, None)
    again = pickle.loads(pickle.dumps(noun))  # noqa: S301 - what worker processes do with it
    assert a.state_hash(again) == a.state_hash(noun)


def test_every_noun_has_its_own_hash() -> None:
    hashes = [a.state_hash(n) for n in nouns()]
    assert len(set(hashes)) == len(hashes)


def test_the_hash_of_a_map_never_changes() -> None:
    assert a.state_hash(grid()) == a.state_hash(a.Grid(grid().cost.copy(), grid().terrain.copy()))
    assert a.state_hash(grid()) == GRID_HASH


GRID_HASH = "3e65da71bb4128c212c1621e22c2e370ec5309af049d96a9ed28d16320202f6e"


@given(hnp.arrays(np.float64, st.tuples(st.integers(1, 6), st.integers(1, 6)), elements=st.floats(1, 9)), st.data())
def test_one_changed_number_changes_the_hash(cost: np.ndarray, data: st.DataObject) -> None:
    terrain = np.full(cost.shape, ord("."), np.uint8)
    y, x = (data.draw(st.integers(0, n - 1)) for n in cost.shape)
    other = cost.copy()
    other[y, x] += 1
    assert a.state_hash(a.Grid(cost, terrain)) != a.state_hash(a.Grid(other, terrain))


def test_freeze_copies_what_can_still_be_written_and_shares_what_cannot() -> None:
    mine = np.arange(4.0)
    frozen = freeze(mine, np.float64, (4,), "x")
    mine[0] = 9
    assert frozen[0] == 0
    assert freeze(frozen, np.float64, (4,), "x") is frozen
    view = mine[:]
    view.flags.writeable = False  # its base can still be written
    assert freeze(view, np.float64, (4,), "x") is not view


def test_a_changed_map_is_a_new_map() -> None:
    g = grid()
    h = g.with_terrain([[0, 0]], "@")
    assert g.is_free(0, 0) and not h.is_free(0, 0)
    assert h.with_terrain([[0, 0]], ".").cost[0, 0] == 1


def test_movement_classes_see_the_same_terrain_differently() -> None:
    g = grid()
    assert not g.is_free(2, 1) and not g.is_free(1, 1)
    assert g.with_movement("water").free.sum() == 1
    assert g.with_movement("amphibious").free.sum() == g.free.sum() + 1
    assert g.with_movement("water").with_movement("land").cost.tolist() == g.cost.tolist()


def test_the_land_of_generated_maps_as_the_classes_see_it() -> None:
    letters = ".,Gdt=+fhji~SWT^*"
    seen = {name: a.Grid.from_text(letters, name).cost[0].tolist() for name in MOVEMENT_CLASSES}
    blocked = np.inf
    assert seen["land"] == [1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 1, *[blocked] * 4]
    assert seen["water"] == [*[blocked] * 6, 1, *[blocked] * 6, 1, *[blocked] * 3]
    assert np.isfinite(seen["amphibious"]).tolist() == (np.isfinite(seen["land"]) | np.isfinite(seen["water"])).tolist()
    assert seen["wagon"][5] < seen["wagon"][0] < seen["wagon"][8]


def test_a_movement_class_can_be_written_as_prices() -> None:
    hover = movement_class("W.:1 G:2.5")
    assert a.Grid.from_text(".GWT", hover).cost[0].tolist() == [1, 2.5, 1, np.inf]
    assert state_hash(movement_class("W.:1 G:2.5")) == state_hash(hover)


def test_frame_of_coordinates() -> None:
    g = grid()
    assert (g.width, g.height) == (4, 3)
    assert g.vertex(3, 1) == 7 and g.cell(7) == (3, 1)
    assert g.centres([7]).tolist() == [[3.5, 1.5]]
    assert g.cost[1, 3] == 3


def test_scaling_cuts_each_cell() -> None:
    g = grid().scaled(3)
    assert (g.width, g.height) == (12, 9)
    assert all(g.is_free(x, y) == grid().is_free(x // 3, y // 3) for x in range(12) for y in range(9))
    assert grid().scaled(1).cost.tolist() == grid().cost.tolist()


def read_only_nan() -> np.ndarray:
    array = np.array([[np.nan, 0.0]])
    array.flags.writeable = False
    return array


WRONG = {
    "ragged map": (lambda: a.Grid.from_text("..\n..."), "line 2: a row of the map has the wrong length; found 3 cells"),
    "unknown letter": (lambda: a.Grid.from_text("..\n.x"), "line 2: unknown terrain letter in column 1; found 'x'"),
    "empty map": (lambda: a.Grid.from_text("\n\n"), "the map is empty"),
    "cost below 1": (lambda: a.Grid([[0.5]], [[46]]), r"cost of cell x=0 \(column\), y=0 \(row\); found 0.5"),
    "NaN cost": (lambda: a.Grid([[np.nan]], [[46]]), "cost holds NaN"),
    "map too big": (lambda: a.Grid.from_free(np.ones((1, MAX_SIDE + 1))), "map size; found 16385 × 1 cells"),
    "terrain of another size": (lambda: a.Grid([[1.0]], [[46, 46]]), "terrain has the wrong shape; found 1×2"),
    "side": (lambda: a.Grid([[1.0]], [[46]], side=0), "side of a cell"),
    "outside": (lambda: grid().vertex(4, 0), r"cell x=4 \(column\), y=0 \(row\) is outside the map"),
    "movement class": (lambda: grid().with_movement("air"), "unknown movement class; found 'air'"),
    "class with a strange letter": (lambda: movement_class("G?:1"), r"movement class 'G\?:1'; found terrain '\?'"),
    "class without terrain": (lambda: movement_class(":1"), "found ':1', which names no terrain"),
    "class with a bad price": (lambda: movement_class("G:x"), "found price 'x' of G; expected a price from 1"),
    "class with a low price": (lambda: movement_class("G:0.5"), "found price '0.5' of G; expected a price from 1"),
    "class with no number": (lambda: movement_class("G:nan"), "found price 'nan' of G"),
    "cheap class": (lambda: a.MovementClass.of("fast", {".": 0.5}), "movement class 'fast'; found a cost of 0.5"),
    "scale": (lambda: grid().scaled(0), "scale factor; found 0"),
    "text for numbers": (lambda: a.Path(["a"], [], 0), "vertices must be numbers"),
    "half a vertex": (lambda: a.Path([0.5], [], 0), "vertices must be whole numbers"),
    "terrain over a byte": (lambda: a.Grid([[1.0]], [[300]]), "terrain is out of range; found 300 to 300"),
    "arc to nowhere": (lambda: a.Graph.from_arcs([[0, 0]], [0], [1], [1.0]), "an arc of a graph leads nowhere"),
    "arc from nowhere": (lambda: a.Graph.from_arcs([[0, 0]], [3], [0], [1.0]), "an arc of a graph starts nowhere"),
    "negative weight": (lambda: a.Graph.from_arcs([[0, 0]], [0], [0], [-1.0]), "weights of a graph"),
    "metric": (lambda: a.Graph.from_arcs([[0, 0]], [0], [0], [1.0], metric="taxi"), "unknown metric; found 'taxi'"),
    "indptr": (lambda: a.Graph([0, 2], [0], [1.0], [[0, 0]]), "indptr of a graph"),
    "far corner": (
        lambda: a.World.of((0, 0, 9, 9), [[(1, 1), (2, 1), (1, 2)], [(1, 1), (1e101, 1), (1, 2)]]),
        r"corner 1 of obstacle ring 1; found \(1e\+101, 1\); expected coordinates of at most 1e\+100",
    ),
    "far bounds": (lambda: a.World.of((0, 0, 1e101, 9), []), "bounds of a world; found .* at most 1e"),
    "infinite point": (lambda: a.Graph.from_arcs([[np.inf, 0]], [0], [0], [1.0]), "points of a graph"),
    "bounds": (lambda: a.World.of((0, 0, 0, 9), []), "bounds of a world"),
    "two corners": (lambda: a.World.of((0, 0, 9, 9), [[[1, 1], [2, 1]]]), "rings of a world"),
    "same start": (lambda: a.Instance.of(grid(), [0, 0], [8, 9]), "two agents have the same start; found vertex 0"),
    "blocked goal": (lambda: a.Instance.of(grid(), [0, 1], [8, 2]), "a goal is blocked; found vertex 2"),
    "agent off the map": (lambda: a.Instance.of(grid(), [12], [8]), "starts of an instance"),
    "plan of -1": (lambda: a.Plan([[-1]]), "vertices of a plan"),
    "cost of a path": (lambda: a.Path([0], [[0, 0]], -1), "cost of a path"),
    "group plan": (lambda: a.GroupPlan([0, 2], [[0, 0]], [0]), "indptr of a group plan"),
    "cut": (lambda: a.GroupPlan([0, 1], [[0, 0]], [0], cut=-1.0), "cut of a group plan"),
    "cut of one unit": (lambda: a.GroupPlan([0, 1, 1], [[0, 0]], [0, -1], cut=[1.0]), "cut"),
    "unit in a wall": (
        lambda: a.Scenario(grid(), (a.Group([[2.5, 0.5]], a.Target(0.5, 0.5)),)),
        r"unit 0 of group 0 stands in a wall or outside the map; found x=2 \(column\), y=0 \(row\)",
    ),
    "target in a wall": (
        lambda: a.Scenario(grid(), (a.Group([[0.5, 0.5]], a.Target(2.5, 0.5)),)),
        "the target of group 0 lies in a wall",
    ),
    "no group": (lambda: a.Scenario(grid(), ()), "a scenario without groups"),
    "no unit": (lambda: a.Group([], a.Target(0, 0)), "positions of a group; found 0 units"),
    "no target": (lambda: a.Group([[0, 0]], None), "target of a group; found None"),
    "too many rays": (lambda: a.Steering(rays=10**8), "rays of a steering; found 100000000; expected at most 64"),
    "too fast": (lambda: a.Group([[0, 0]], a.Target(0, 0), speed=2), "speed of a group; found 2"),
    "number as text": (lambda: a.Target("3", 0), "x of a target; found '3'; expected a number"),
    "part of a step": (lambda: a.Limits(steps=1.5), "steps of a limits; found 1.5; expected a whole number"),
    "endless": (lambda: a.Steering(force=np.inf), "force of a steering; found inf; expected a number"),
    "read-only NaN": (lambda: a.Path([0], read_only_nan(), 0), "points holds NaN"),
    "target radius": (lambda: a.Target(0, 0, 0), "radius of a target; found 0"),
    "terrain of a change": (lambda: a.Change(0, [[0, 0]], "x"), "terrain of a change; found 'x'"),
    "solved without a value": (lambda: a.Result(a.Status.SOLVED), "a solved result without a value"),
    "unsolved without a reason": (lambda: a.Result(a.Status.LIMIT), "an unsolved result without a reason"),
    "frames out of order": (lambda: trace(times=[0, 3, 1]), "times of a trace"),
    "a car that can't steer": (lambda: a.Kinematics.car(2.0, steering=0.0), "turns of a unit; found angles"),
    "a unit without speed": (lambda: a.Kinematics(speed=0), "speed of a unit; found 0.0"),
    "reference without axles": (lambda: a.Kinematics(reference=1.0), "reference point of a unit; found 1.0"),
    "turns that widen": (lambda: a.Kinematics(turns=[[0, 1], [1, 2]]), "turns of a unit; found"),
    "time runs backwards": (
        lambda: a.Trajectory([1, 0], [[0, 0], [1, 0]], [0, 0], [1, 1], [0, 0]),
        "times of a trajectory",
    ),
    "an endless trajectory": (lambda: a.Trajectory([np.inf], [[0, 0]], [0], [0], [0]), "times of a trajectory"),
    "frames of other units": (lambda: trace(positions=np.zeros((3, 5, 2))), "positions has the wrong shape"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_noun_cannot_be_made(name: str) -> None:
    make, message = WRONG[name]
    with pytest.raises(a.InputError, match=message):
        make()


def test_an_error_names_everything_and_survives_a_process_border() -> None:
    error = a.InputError("bad row", found=3, expected="4", hint="count again").at("x.map", 7)
    assert str(error) == "x.map: line 7: bad row; found 3; expected 4. Hint: count again"
    assert str(pickle.loads(pickle.dumps(error))) == str(error)  # noqa: S301 - what worker processes do with it
    assert str(error.at("other", 1)) == str(error)
    assert str(a.InputError("no map", file="x.toml", where="")) == "x.toml: no map"


def test_numbers_are_brought_into_their_types() -> None:
    assert a.state_hash(a.Target(1, 2, np.float32(3))) == a.state_hash(a.Target(1.0, 2.0, 3.0))
    assert a.state_hash(a.Steering(rays=np.int64(5))) == a.state_hash(a.Steering())


@pytest.mark.parametrize("noun", nouns(), ids=lambda n: type(n).__name__)
def test_a_noun_is_shown_in_one_line_without_its_numbers(noun: object) -> None:
    text = repr(noun)
    assert text.startswith(type(noun).__name__ + "(")
    assert "\n" not in text and "array" not in text
    assert repr(grid()) == "Grid(cost=float64[3, 4], terrain=uint8[3, 4], side=1.0)"


def test_trace_tells_what_happened() -> None:
    t = trace()
    assert (t.size, t.steps, t.finished, t.timer_cutoff) == (2, 3, 1, True)
    assert t.hash == "0000000000000003"

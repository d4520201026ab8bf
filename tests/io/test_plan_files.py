"""Plan files: every format gives back what was written, byte for byte and step for step; the right errors elsewhere."""

from pathlib import Path

import numpy as np
import pytest
from plan_cases import GRID, PLAN, SMALL, some_plan

from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.instance import Instance, Rules
from anabasis.io.archive import save
from anabasis.io.plan_files import PLAN_FORMATS, load_plan, save_plan
from anabasis.metrics.plans import plan_faults
from anabasis.plan import Plan

SUFFIXES = {"lacam": ".txt", "tracker": ".csv", "archive": ".npz"}
SAME_STEPS = ("planviz-2023", "planviz-2024", "lacam", "tracker", "archive")


def places(plan: Plan, agent: int) -> list[int]:
    """Return where an agent is, each place once for each visit."""
    column = plan.vertices[:, agent]
    return column[np.flatnonzero(np.diff(column, prepend=-1))].tolist()


@pytest.mark.parametrize("kind", PLAN_FORMATS)
def test_plans_come_back_as_they_were(kind: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    file = tmp_path / f"a{SUFFIXES.get(kind, '.json')}"
    for instance, plan in [(SMALL, PLAN), *(some_plan(rng) for _ in range(60))]:
        assert plan_faults(instance, plan) == []
        save_plan(file, instance, plan, format=kind)
        found = load_plan(file, instance)
        if kind in SAME_STEPS:
            assert np.array_equal(found.plan.vertices, plan.vertices)
        else:  # longer by the turns, in the same order
            assert plan_faults(instance, found.in_steps().plan) == []
            for a in range(instance.size):
                assert places(found.plan, a) == places(plan, a)
        if kind == "archive":
            continue
        again = tmp_path / f"b{file.suffix}"
        save_plan(again, instance, found.plan if kind in SAME_STEPS else plan, format=kind)
        assert again.read_bytes() == file.read_bytes()


def test_a_suffix_picks_the_format_and_an_unknown_one_is_refused(tmp_path: Path) -> None:
    for name in ("a.json", "a.txt", "a.csv", "a.npz"):
        save_plan(tmp_path / name, SMALL, PLAN)
        assert np.array_equal(load_plan(tmp_path / name, SMALL).plan.vertices, PLAN.vertices)
    assert np.array_equal(load_plan(tmp_path / "a.npz").plan.vertices, PLAN.vertices)
    assert np.array_equal(load_plan(tmp_path / "a.json", GRID).plan.vertices, PLAN.vertices)
    with pytest.raises(InputError, match=r"unknown format of plans; found '.plan'; expected .json or .txt or"):
        save_plan(tmp_path / "a.plan", SMALL, PLAN)
    for wrong in ("lacam3", "", ".", "t.xt", 3):
        with pytest.raises(InputError, match=f"unknown format of plans; found {wrong!r}; expected planviz-2023 or"):
            load_plan(tmp_path / "a.txt", SMALL, format=wrong)  # pyright: ignore[reportArgumentType]


def test_a_suffix_names_a_format_too(tmp_path: Path) -> None:
    for name in ("json", "txt", "csv", "npz"):
        save_plan(tmp_path / f"a.{name}", SMALL, PLAN)
        save_plan(tmp_path / "same", SMALL, PLAN, format=f".{name}")
        assert (tmp_path / "same").read_bytes() == (tmp_path / f"a.{name}").read_bytes()
        for named in (name, f".{name}", name.upper()):
            found = load_plan(tmp_path / "same", SMALL, format=named)
            assert np.array_equal(found.plan.vertices, PLAN.vertices)


def test_what_is_no_plan_or_not_of_the_instance_is_not_written(tmp_path: Path) -> None:
    wrong = (
        (SMALL, None, "a plan of an instance; found NoneType; expected Plan"),
        (SMALL, GRID, "a plan of an instance; found Grid; expected Plan"),
        (GRID, PLAN, "the instance of a plan; found Grid; expected Instance"),
        (SMALL, Plan(PLAN.vertices[:, :2]), "number of agents; found 2; expected 3, as in the instance"),
        (SMALL, Plan(PLAN.vertices[:0]), "a plan without a row; expected a row or more"),
    )
    for kind in PLAN_FORMATS:
        for instance, plan, message in wrong:
            with pytest.raises(InputError, match=f"a.plan: {message}"):
                save_plan(tmp_path / "a.plan", instance, plan, format=kind)  # pyright: ignore[reportArgumentType]
    assert not list(tmp_path.iterdir())
    (tmp_path / "a.txt").write_text("0:(0,0),")
    with pytest.raises(InputError, match="what a plan file is about; found ndarray; expected Instance or Grid"):
        load_plan(tmp_path / "a.txt", np.zeros(3))  # pyright: ignore[reportArgumentType]


def test_the_map_and_what_a_validator_found_are_told_where_there_is_room_for_it(tmp_path: Path) -> None:
    late = Plan(PLAN.vertices[:-1])
    rows = [fault.record for fault in plan_faults(SMALL, late)]
    for kind in PLAN_FORMATS:
        if kind != "tracker":
            save_plan(tmp_path / "late", SMALL, late, format=kind, fields={"map_file": "a.map"}, errors=rows)
            found = load_plan(tmp_path / "late", SMALL, format=kind)
            assert found.fields.get("map_file", "") == ("a.map" if kind == "lacam" else "")
            valid = found.fields.get("AllValid", found.fields.get("numPlannerErrors"))
            assert valid == ({"planviz-2026": "1"}.get(kind, "No") if kind.startswith("planviz") else None)
    save_plan(tmp_path / "a.json", SMALL, PLAN, errors=[])
    assert load_plan(tmp_path / "a.json", SMALL).fields["AllValid"] == "Yes"
    save_plan(tmp_path / "a.json", SMALL, PLAN)
    assert "AllValid" not in load_plan(tmp_path / "a.json", SMALL).fields


def test_a_damaged_archive_is_said_in_plain_words(tmp_path: Path) -> None:
    (tmp_path / "a.npz").write_bytes(b"no zip")
    with pytest.raises(InputError, match=r"the archive is damaged; .*; expected an archive written by Anabasis$"):
        load_plan(tmp_path / "a.npz")


def test_files_that_do_not_say_enough_by_themselves(tmp_path: Path) -> None:
    save_plan(tmp_path / "a.csv", SMALL, PLAN)
    with pytest.raises(InputError, match=r"does not say enough by itself; found tracker; expected the instance$"):
        load_plan(tmp_path / "a.csv", GRID)
    with pytest.raises(InputError, match="found lacam; expected the instance, or its grid"):
        load_plan(tmp_path / "a.txt")


def test_plans_of_other_instances_are_refused(tmp_path: Path) -> None:
    other = Instance.of(GRID, [0, 14, 4], [10, 12, 2])
    fewer = Instance.of(GRID, [0, 4], [10, 12])
    for name in ("a.json", "a.txt"):
        save_plan(tmp_path / name, SMALL, PLAN)
        with pytest.raises(InputError, match=r"agent 1.*found x=4 \(column\), y=0 .*expected x=4 \(column\), y=2"):
            load_plan(tmp_path / name, other)
        with pytest.raises(InputError, match="number of agents; found 3; expected 2, as in the instance"):
            load_plan(tmp_path / name, fewer)
    save(GRID, tmp_path / "grid.npz")
    with pytest.raises(InputError, match="the archive holds no plan; found a Grid; expected a Plan"):
        load_plan(tmp_path / "grid.npz")


@pytest.mark.parametrize("kind", [kind for kind in PLAN_FORMATS if kind != "archive"])
def test_what_a_format_cannot_tell_is_refused(kind: str, tmp_path: Path) -> None:
    file = tmp_path / "a"
    graph = Graph.from_arcs(np.zeros((2, 2)), [0, 1], [1, 0], [1.0, 1.0])
    with pytest.raises(InputError, match="a plan file of cells; found an instance on a graph; expected one on a grid"):
        save_plan(file, Instance.of(graph, [0], [1]), Plan(np.array([[0], [1]])), format=kind)
    jump = Plan(np.array([[0], [2]]))
    if kind != "lacam":
        with pytest.raises(InputError, match="agent 0 does not go to a neighbour in step 1"):
            save_plan(file, Instance.of(GRID, [0], [2]), jump, format=kind)
    if kind.startswith("planviz"):
        with pytest.raises(InputError, match="a file for PlanViz; found agents of several cells"):
            save_plan(file, Instance.of(Grid.from_text("..\n.."), [0], [0], sizes=2), jump, format=kind)


def test_agents_that_vanish_are_counted_by_their_first_arrival(tmp_path: Path) -> None:
    vanish = Instance.of(GRID, [0, 1], [2, 2], rules=Rules(stay=False))
    plan = Plan(np.array([[0, 1], [1, 2], [2, 2]]))
    assert plan_faults(vanish, plan) == []
    for name in ("a.json", "a.txt", "a.csv"):
        save_plan(tmp_path / name, vanish, plan)
        assert np.array_equal(load_plan(tmp_path / name, vanish).plan.vertices, plan.vertices)


def damaged(data: bytes, rng: np.random.Generator) -> bytes:
    """Return bytes with one to three small faults: flipped, lost, doubled, or with digits and marks between."""
    marks = b"0123456789-.,:()[]{}\"'udlrwFRCW \n\r\t\xff"
    for _ in range(int(rng.integers(1, 4))):
        at, kind = int(rng.integers(len(data) + 1)), int(rng.integers(4))
        if kind == 0:
            data = data[:at] + bytes([marks[int(rng.integers(len(marks)))]]) + data[at + 1 :]
        elif kind == 1:
            data = data[:at] + data[at + int(rng.integers(1, 9)) :]
        elif kind == 2:
            data = data[:at] + data[max(0, at - 6) : at] + data[at:]
        else:
            data = data[:at] + bytes([marks[int(rng.integers(len(marks)))]]) + data[at:]
    return data


def read_damaged(kind: str, folder: Path, count: int) -> None:
    """Read damaged files: each is a plan or gives an error of one line that names the file."""
    file = folder / f"a{SUFFIXES.get(kind, '.json')}"
    save_plan(file, SMALL, PLAN, format=kind)
    good, rng, refused = file.read_bytes(), np.random.default_rng(7), 0
    for _ in range(count):
        file.write_bytes(damaged(good, rng))
        try:
            assert load_plan(file, SMALL).plan.vertices.shape[1] == 3
        except InputError as error:
            assert str(file) in str(error) and "\n" not in str(error)
            refused += 1
    assert refused > count // 3


@pytest.mark.parametrize("kind", [kind for kind in PLAN_FORMATS if kind != "archive"])
def test_damaged_files_are_refused_or_read(kind: str, tmp_path: Path) -> None:
    read_damaged(kind, tmp_path, 150)


@pytest.mark.long
@pytest.mark.parametrize("kind", [kind for kind in PLAN_FORMATS if kind != "archive"])
def test_files_damaged_in_many_ways_are_refused_or_read(kind: str, tmp_path: Path) -> None:
    read_damaged(kind, tmp_path, 6000)

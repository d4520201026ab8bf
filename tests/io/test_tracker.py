"""MAPF Tracker: both kinds of tables, both readings of the letters."""

from pathlib import Path

import numpy as np
import pytest
from plan_cases import GRID, PLAN, SMALL, some_plan

from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.instance import Instance
from anabasis.io.moves import plan_of_letters
from anabasis.io.tracker import TrackerRow, load_tracker, read_tracker, tracker_row, write_tracker
from anabasis.plan import Plan


def test_a_table_of_one_solution_is_written_as_the_site_writes_it(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    row = tracker_row(SMALL, PLAN, lower_cost=9, lower_date="2022-11-29", solution_date="2023-01-02")
    write_tracker([row], file)
    assert file.read_bytes().decode() == (
        '\ufeff"agents","lower_cost","lower_date","solution_cost","solution_date","path"\n'
        '"3","9","2022-11-29","12","2023-01-02","uwu\nuulwl\nlldd"\n'
    )
    assert read_tracker(file) == [row]
    found = load_tracker(file, SMALL)
    assert np.array_equal(found.plan.vertices, PLAN.vertices)
    assert found.fields["lower_cost"] == "9" and found.fields["solution_date"] == "2023-01-02"
    assert found.notes == (
        "u is read as the row below, with 0 places on walls and 3 of 3 agents at their goals; as the other, 12 places"
        " on walls and 0 of 3 agents at their goals",
    )


def test_a_bulk_table_names_its_maps(tmp_path: Path) -> None:
    file, again = tmp_path / "a.csv", tmp_path / "b.csv"
    rng = np.random.default_rng(3)
    cases = [some_plan(rng) for _ in range(20)]
    rows = [
        tracker_row(i, plan, map_name='odd, "name".map', scen_type="random", type_id=str(n))
        for n, (i, plan) in enumerate(cases)
    ]
    write_tracker(rows, file)
    assert file.read_text().startswith(
        "map_name,scen_type,type_id,agents,lower_cost,solution_cost,solution_plan\n"
        f'"odd, ""name"".map",random,0,{cases[0][0].size},,'
    )
    assert read_tracker(file) == rows
    write_tracker(read_tracker(file), again)
    assert again.read_bytes() == file.read_bytes()
    for n, (instance, plan) in enumerate(cases):
        assert np.array_equal(load_tracker(file, instance, row=n).plan.vertices, plan.vertices)
    with pytest.raises(InputError, match="row of the table; found 20; expected 0 to 19"):
        load_tracker(file, SMALL, row=20)
    with pytest.raises(InputError, match=r"a.csv: row of the table must be numbers; found 'a'"):
        load_tracker(file, SMALL, row="a")  # pyright: ignore[reportArgumentType]
    with pytest.raises(InputError, match=r"found \d+ solutions for 3 agents, rows .*; expected one for 3 agents. Hint"):
        load_tracker(file, SMALL)
    with pytest.raises(InputError, match="a table of one solution; found 20 solutions; expected one"):
        write_tracker(rows, file, bulk=False)


def test_line_ends_of_any_kind_and_a_last_empty_line_are_read(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    text = '"agents","lower_cost","lower_date","solution_cost","solution_date","path"\r\n'
    file.write_bytes((text + '"3","","","12","","uwu\r\nuulwl\r\nlldd\r\n"\r\n').encode())
    assert read_tracker(file) == [TrackerRow(3, -1, 12, ("uwu", "uulwl", "lldd"))]
    assert np.array_equal(load_tracker(file, SMALL).plan.vertices, PLAN.vertices)


def test_agents_that_do_not_move_have_empty_lines(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    for count in range(4):
        cells = np.arange(count)
        instance, plan = Instance.of(GRID, cells, cells), Plan(cells[None, :])
        write_tracker([tracker_row(instance, plan)], file)
        assert np.array_equal(load_tracker(file, instance).plan.vertices, plan.vertices)


def test_the_other_reading_is_found_by_walls_and_by_goals() -> None:
    turned = [line.translate(str.maketrans("ud", "du")) for line in ("uwu", "uulwl", "lldd")]
    plan, note = plan_of_letters(turned, SMALL.starts, SMALL, file=None, where=[1, 2, 3])
    assert np.array_equal(plan.vertices, PLAN.vertices) and note.startswith("u is read as the row above, with 0 places")
    plan, note = plan_of_letters(turned, SMALL.starts, GRID, file=None, where=[1, 2, 3])
    assert np.array_equal(plan.vertices, PLAN.vertices) and note.startswith("u is read as the row above, with 0 places")
    open_grid = Grid.from_free(np.ones((3, 3), bool))
    up = Instance.of(open_grid, [4], [1])
    plan, note = plan_of_letters(["u"], up.starts, up, file=None, where=[1])
    assert plan.vertices.ravel().tolist() == [4, 1]
    assert note.endswith("as the other, 0 places on walls and 0 of 1 agents at their goals")
    plan, note = plan_of_letters(["u"], up.starts, open_grid, file=None, where=[1])
    assert plan.vertices.ravel().tolist() == [4, 7] and note.endswith("both readings fit, and this one is documented")


def test_a_cost_that_is_not_the_plans_is_noted(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    write_tracker([TrackerRow(3, -1, 11, ("uwu", "uulwl", "lldd"))], file)
    assert load_tracker(file, SMALL).notes[1] == "the table says a cost of 11, the plan has 12"


def test_a_table_without_solutions_and_rows_that_no_reader_takes_are_not_written(tmp_path: Path) -> None:
    for bulk in (None, True, False):
        with pytest.raises(InputError, match=r"a.csv: a table without solutions; expected one or more"):
            write_tracker([], tmp_path / "a.csv", bulk=bulk)
    assert not list(tmp_path.iterdir())
    for agents, moves, message in (
        (2, ("u",), "found 1 lines; expected 2, one for each agent"),
        (1, ("u\nd",), "found 2 lines; expected 1"),
        (-1, (), "agents of a solution; found -1"),
    ):
        with pytest.raises(InputError, match=message):
            TrackerRow(agents, -1, 0, moves)


def test_plans_that_do_not_arrive_are_no_solutions() -> None:
    with pytest.raises(InputError, match="a plan in which agent 1 does not end at its goal"):
        tracker_row(SMALL, Plan(PLAN.vertices[:-1]))
    with pytest.raises(InputError, match="number of agents; found 2; expected 3"):
        tracker_row(SMALL, Plan(PLAN.vertices[:, :2]))
    with pytest.raises(InputError, match="a plan without a row"):
        tracker_row(SMALL, Plan(PLAN.vertices[:0]))

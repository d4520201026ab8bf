"""Results as text: written and read byte for byte; the forms of mapf-visualizer and of pickup and delivery."""

from pathlib import Path

import numpy as np
import pytest
from plan_cases import GRID, PLAN, SMALL

from anabasis.errors import InputError
from anabasis.io.lacam_text import load_lacam, save_lacam
from anabasis.plan import Plan

BODY = "0:(0,0),(4,0),(4,2),\n1:(0,1),(4,1),(3,2),\n2:(0,1),(4,2),(2,2),\n3:(0,2),(3,2),(2,1),\n"


def test_a_result_is_written_line_by_line(tmp_path: Path) -> None:
    file, again = tmp_path / "a.txt", tmp_path / "b.txt"
    save_lacam(file, SMALL, PLAN, fields={"agents": "", "map_file": "a.map", "solver": "cbs", "comp_time": "12"})
    assert file.read_text() == (
        "agents=3\nmap_file=a.map\nsolver=cbs\ncomp_time=12\nsolved=1\nsoc=12\nmakespan=5\n"
        "starts=(0,0),(4,0),(4,2),\ngoals=(0,2),(2,2),(2,0),\nsolution=\n"
        + BODY
        + "4:(0,2),(3,2),(2,0),\n5:(0,2),(2,2),(2,0),\n"
    )
    found = load_lacam(file, SMALL)
    assert np.array_equal(found.plan.vertices, PLAN.vertices) and found.notes == ()
    save_lacam(again, SMALL, found.plan, fields=found.fields)
    assert again.read_bytes() == file.read_bytes()


def test_a_map_is_named_only_by_its_fields(tmp_path: Path) -> None:
    save_lacam(tmp_path / "a.txt", SMALL, PLAN)
    lines = (tmp_path / "a.txt").read_text().splitlines()
    assert lines[:5] == ["agents=3", "solver=anabasis", "solved=1", "soc=12", "makespan=5"]
    assert not any(line.endswith("=") for line in lines if line != "solution=")


def test_steps_alone_with_or_without_last_commas_are_read(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text(BODY)
    assert np.array_equal(load_lacam(file, GRID).plan.vertices, PLAN.vertices[:4])
    file.write_bytes(BODY.replace(",\n", "\r\n").encode() + b"\r\n")
    assert np.array_equal(load_lacam(file, GRID).plan.vertices, PLAN.vertices[:4])
    assert load_lacam(file, SMALL).notes == ("2 of 3 agents do not end at their goals",)


def test_goals_of_the_moment_are_left_out(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("solved=1\nsolution=\n0:(0,0)->(2,0):7,(4,0)->(4,0):-1,\n1:(1,0)->(2,0):7,(4,0)->(4,0):-1,\n")
    found = load_lacam(file, GRID)
    assert found.plan.vertices.tolist() == [[0, 4], [1, 4]] and dict(found.fields) == {"solved": "1"}
    assert found.notes == ("a result of pickup and delivery: the goals of the moment are left out",)


def test_where_a_file_disagrees_with_its_plan_is_noted(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    save_lacam(file, SMALL, PLAN)
    file.write_text(file.read_text().replace("soc=12", "soc=11").replace("agents=3", "agents=4"))
    assert load_lacam(file, GRID).notes == (
        "the file says soc=11, the plan has 12",
        "the file says agents=4, the plan has 3",
    )


def test_other_goals_and_fields_that_are_no_lines_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    save_lacam(file, SMALL, PLAN)
    file.write_text(file.read_text().replace("goals=(0,2),(2,2)", "goals=(0,2),(1,2)"))
    with pytest.raises(InputError, match=r"line 7: goals of the file: agent 1; found x=1 .*; expected x=2 "):
        load_lacam(file, SMALL)
    for fields in ({"a b": "c"}, {"a": "b\nc"}, {"solution": ""}):
        with pytest.raises(InputError, match=r"a field of a result; found .*; expected key=value"):
            save_lacam(file, SMALL, PLAN, fields=fields)
    save_lacam(file, SMALL, PLAN, fields={"comp_time": 12})
    assert file.read_text().startswith("comp_time=12\nagents=3\n")
    with pytest.raises(InputError, match="a plan without a row"):
        save_lacam(file, SMALL, Plan(np.zeros((0, 3), np.int64)))

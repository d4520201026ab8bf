"""`formation run --divide`: who takes which route is said, the whole is measured, the parts are drawn."""

import pytest

from anabasis.formation.files import example

SMALL = ("--set", "formation.0.units=12")


def test_a_formation_is_run_in_parts(call, call_json, tmp_path):
    picture, animation, log = tmp_path / "a.png", tmp_path / "a.gif", tmp_path / "a.csv"
    done = call(
        *("formation", "run", "gates", *SMALL, "--divide", "--tick", "0.1"),
        *("--picture", picture, "--animation", animation, "--log", log),
    )
    assert done.exit_code == 0
    assert "gates: 12 of 12 units have arrived" in done.stdout
    assert "formation 0: 3 routes, " in done.stdout and "by one route alone after" in " ".join(done.stdout.split())
    assert min(file.stat().st_size for file in (picture, animation, log)) > 1000
    code, data = call_json("formation", "run", "gates", *SMALL, "--divide", "--tick", "0.1")
    assert (code, data["status"], data["units"]) == (0, "solved", 12)
    (row,), (said,) = data["formations"], data["divided"]
    assert row["units"] == 12 and row["trouble"] == ""
    assert said["why"].startswith("3 routes, ")
    assert sorted(spot for route in said["routes"] for spot in route["spots"]) == list(range(12))
    assert [route["gates"][0][0] for route in said["routes"]] == pytest.approx([6.5, 22.5, 38.5])


def test_a_formation_that_gains_nothing_is_left_whole(call, call_json):
    done = call("formation", "run", "training_ground", "--divide", "--tick", "0.1")
    assert done.exit_code == 0 and "wedge" not in done.stdout
    assert "formation 0: not divided: one route is best for all" in done.stdout
    code, data = call_json("formation", "run", "training_ground", "--tick", "0.1")
    assert code == 0 and data["divided"] is None


def test_a_target_that_can_not_be_reached_is_told(call, tmp_path):
    file = tmp_path / "closed.manoeuvre.toml"
    file.write_text(example("gates").read_text())
    rows = ["." * 45] * 21 + ["@" * 45] * 2 + ["." * 45] * 23
    (tmp_path / "gates.map").write_text("type octile\nheight 46\nwidth 45\nmap\n" + "\n".join(rows) + "\n")
    done = call("formation", "run", file, *SMALL, "--divide", "--tick", "0.1")
    assert done.exit_code == 1
    assert "not divided: " in done.stdout and "can't reach its place" in done.stdout

"""The commands of `mapf`: solve, validate, show; their tables, files, errors and endings."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from anabasis.mapf.errand_log import ErrandLog
from anabasis.mapf.lacam import LaCAMStar

MAP = "type octile\nheight 3\nwidth 5\nmap\n.....\n.@.@.\n.....\n"
Call = Callable[..., Any]
ROWS = [(0, 0, 4, 2), (4, 2, 0, 0), (2, 0, 2, 2)]


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    (tmp_path / "arena.map").write_text(MAP)
    lines = [f"0\tarena.map\t5\t3\t{a}\t{b}\t{c}\t{d}\t6.0" for a, b, c, d in ROWS]
    (tmp_path / "arena.scen").write_text("version 1\n" + "\n".join(lines) + "\n")
    return str(tmp_path / "arena.map"), str(tmp_path / "arena.scen")


def test_solve_says_what_was_reached(call: Call, files: tuple[str, str]) -> None:
    done = call("mapf", "solve", *files, "--agents", "2", "--method", "eecbs", "--set", "weight=1.0")
    assert done.exit_code == 0
    assert "eecbs: 2 agents, sum of costs 12, the least possible; makespan 6" in done.stdout


@pytest.mark.parametrize("suffix", ["txt", "csv", "json", "npz"])
def test_a_plan_is_written_checked_and_shown(call: Call, files: tuple[str, str], tmp_path: Path, suffix: str) -> None:
    plan = str(tmp_path / f"plan.{suffix}")
    done = call("mapf", "solve", *files, "--method", "eecbs", "--plan", plan, "--json")
    answer = json.loads(done.stdout)
    assert answer["valid"] and answer["agents"] == 3 and answer["plan"] == plan
    checked = call("mapf", "validate", *files, plan, "--json")
    record = json.loads(checked.stdout)["plans"][0]
    assert record["valid"] and record["sum_of_costs"] == answer["stats"]["sum_of_costs"]
    picture, animation = str(tmp_path / "ways.png"), str(tmp_path / "ways.gif")
    assert call("mapf", "show", *files, plan, "--picture", picture, "--animation", animation).exit_code == 0
    assert Path(picture).stat().st_size > 1000 and Path(animation).read_bytes().startswith(b"GIF8")
    assert call("mapf", "show", *files, plan, "--step", "1.5", "--picture", picture).exit_code == 0


def test_a_bad_plan_is_told_step_by_step(call: Call, files: tuple[str, str], tmp_path: Path) -> None:
    plan = tmp_path / "bad.txt"
    plan.write_text("solution=\n0:(0,0),(4,2),\n1:(4,2),(4,2),\n")
    done = call("mapf", "validate", *files, str(plan))
    assert done.exit_code == 1
    assert "not valid, 3 faults" in done.stdout and "agents 0 and 1 are both at x=4 (column), y=2 (row)" in done.stdout


def test_goals_of_a_plan_file_are_those_of_the_scenario(call: Call, files: tuple[str, str], tmp_path: Path) -> None:
    plan = tmp_path / "plan.txt"
    assert call("mapf", "solve", *files, "--plan", str(plan)).exit_code == 0
    text = plan.read_text()
    line = next(line for line in text.splitlines() if line.startswith("goals="))
    goals = line.removeprefix("goals=").split("),")
    other = tmp_path / "other.txt"
    for changed, said in (
        ("goals=" + "),".join([goals[1], goals[0], *goals[2:]]), "goals of the file: agent 0"),
        ("goals=" + "),".join(goals[1:]), "goals of the file; found 2; expected 3, one for each agent"),
        (f"goals={goals[0]}),", "goals of the file; found 1; expected 3, one for each agent"),
    ):
        other.write_text(text.replace(line, changed))
        done = call("mapf", "validate", *files, str(other))
        assert done.exit_code == 3 and said in " ".join(done.stderr.split())


def test_solvers_that_no_clock_stops_are_named(call: Call, files: tuple[str, str], tmp_path: Path) -> None:
    out = tmp_path / "pibt.run"
    done = call("mapf", "solve", *files, "--method", "pibt,lacam", "--time", "2s", "--set", "limit=500", "-o", str(out))
    assert "--time does not stop pibt" in done.stderr
    page = (out / "report.html").read_text()
    assert "Each run had 2 s and one of 1 seed, with " in page and "lacam.limit=500" in page
    assert "These are not stopped by the clock: pibt." in page
    assert "does not stop" not in call("mapf", "solve", *files, "--method", "pibt").stderr


def test_many_runs_make_a_table_and_a_report(call: Call, files: tuple[str, str], tmp_path: Path) -> None:
    out = str(tmp_path / "all.run")
    arguments = ("mapf", "solve", *files, "--agents", "1..3:2", "--method", "ecbs,eecbs", "--time", "5s", "-o", out)
    done = call(*arguments)
    assert done.exit_code == 0 and done.stdout.count("1/1") >= 4
    assert (Path(out) / "report.html").is_file() and (Path(out) / "table.csv").is_file()
    assert "exists already" in call(*arguments).stderr
    assert call(*arguments, "--resume").exit_code == 0


def test_a_plan_that_is_not_proved_to_be_the_best_is_a_success(call: Call, files: tuple[str, str]) -> None:
    done = call("mapf", "solve", *files, "--method", "lacam-star", "--set", "limit=30", "--json")
    answer = json.loads(done.stdout)
    assert done.exit_code == 0 and answer["arrived"] and answer["valid"]


def test_options_of_several_solvers_reach_those_that_have_them(
    call: Call, files: tuple[str, str], tmp_path: Path
) -> None:
    out = tmp_path / "all.run"
    given = ("--set", "weight=1.5", "--set", "eecbs.weight=1.0", "--set", "limit=1000")
    done = call("mapf", "solve", *files, "--method", "ecbs,eecbs,pibt", *given, "-o", out)
    assert done.exit_code == 0
    overrides = json.loads((out / "manifest.json").read_text())["overrides"]
    told = ["ecbs.weight=1.5", "ecbs.limit=1000", "eecbs.weight=1.0", "eecbs.limit=1000", "pibt.limit=1000"]
    assert overrides == ["seconds=30", *told]
    resumed = call("mapf", "solve", *files, "--method", "ecbs,eecbs,pibt", "--set", "weight=1.1", "-o", out, "--resume")
    assert resumed.exit_code != 0 and "Traceback" not in resumed.stderr


def test_rules_reach_the_solver_and_the_validator(call: Call, tmp_path: Path) -> None:
    (tmp_path / "row.map").write_text("type octile\nheight 2\nwidth 4\nmap\n....\n@@@@\n")
    lines = [f"0\trow.map\t4\t2\t{a}\t0\t3\t0\t3.0" for a in (1, 0)]
    (tmp_path / "row.scen").write_text("version 1\n" + "\n".join(lines) + "\n")
    files, plan = (str(tmp_path / "row.map"), str(tmp_path / "row.scen")), str(tmp_path / "plan.txt")
    assert "two agents have the same goal" in call("mapf", "solve", *files).stderr
    costs = []
    for rules in (("--vanish",), ("--vanish", "--following")):
        done = call("mapf", "solve", *files, "--method", "cbs", *rules, "--plan", plan, "--json")
        assert done.exit_code == 0, done.stderr
        costs.append(json.loads(done.stdout)["stats"]["sum_of_costs"])
        assert call("mapf", "validate", *files, plan, *rules).exit_code == 0
        assert call("mapf", "show", *files, plan, *rules, "--picture", str(tmp_path / "x.png")).stderr == ""
        assert call("mapf", "delays", *files, plan, *rules, "--walked", str(tmp_path / "late.txt")).exit_code == 0
    assert costs == [5, 6]  # nobody may follow closely, so the one behind waits a step
    assert call("mapf", "validate", *files, plan, "--vanish", "--no-wait").exit_code == 1
    assert Path(plan).read_text().startswith("agents=2\nmap_file=row.map\nsolver=cbs\n")


@pytest.mark.parametrize("target", ["plan.txt", "plan.csv", "plan.json", "plan.npz"])
@pytest.mark.parametrize("source", ["plan.txt", "plan.csv", "plan.json", "plan.npz"])
def test_plans_are_converted_and_stay_the_same(
    call: Call, files: tuple[str, str], tmp_path: Path, source: str, target: str
) -> None:
    (tmp_path / "new").mkdir()
    plan, new = tmp_path / source, tmp_path / "new" / target
    call("mapf", "solve", *files, "--method", "eecbs", "--plan", plan)
    done = call("mapf", "convert", *files, plan, new, "--json")
    assert done.exit_code == 0, done.stderr
    assert json.loads(done.stdout) == {"plan": str(new), "agents": 3, "valid": True, "faults": []}
    costs = [json.loads(call("mapf", "validate", *files, one, "--json").stdout)["plans"][0] for one in (plan, new)]
    assert costs[0]["sum_of_costs"] == costs[1]["sum_of_costs"]


def test_plans_of_agents_that_turn_and_faulty_ones_are_converted_with_a_word(
    call: Call, files: tuple[str, str], tmp_path: Path
) -> None:
    plan, turned, back = (str(tmp_path / name) for name in ("plan.txt", "turned.json", "back.txt"))
    call("mapf", "solve", *files, "--method", "eecbs", "--plan", plan)
    done = call("mapf", "convert", *files, plan, turned, "--to", "planviz-2026")
    assert done.exit_code == 0 and "agents turn: " in done.stderr
    assert call("mapf", "convert", *files, turned, back).exit_code == 0
    measured = call("mapf", "validate", *files, turned, back, "--json")
    in_ticks, in_steps = ({**one, "file": ""} for one in json.loads(measured.stdout)["plans"])
    assert measured.exit_code == 0 and in_ticks == in_steps and in_steps["unit"] == "steps"
    replay = json.loads(Path(turned).read_text())
    replay["actualPaths"] = [path.replace(":(", ":(W 3,", 1) for path in replay["actualPaths"]]  # all are late
    Path(turned).write_text(json.dumps(replay))
    late = call("mapf", "validate", *files, turned)
    assert late.exit_code == 0 and late.stdout.endswith(", in ticks\n") and "times are ticks, 10 a step" in late.stderr
    walked = call("mapf", "delays", *files, turned, "--chance", "0")
    assert ", in ticks\n" in walked.stdout and "times are ticks, 10 a step" in walked.stderr
    (tmp_path / "bad.txt").write_text("solution=\n0:(0,0),(4,2),\n1:(4,2),(4,2),\n")
    jumps = call("mapf", "convert", *files, tmp_path / "bad.txt", tmp_path / "bad.npz")
    assert jumps.exit_code == 1 and "not valid: " in jumps.stdout and (tmp_path / "bad.npz").exists()
    refused = call("mapf", "convert", *files, tmp_path / "bad.txt", tmp_path / "bad.json")
    assert refused.exit_code == 3 and not (tmp_path / "bad.json").exists()
    assert "bad.txt: agent 0 does not go to a neighbour" in refused.stderr and "hold any plan" in refused.stderr
    for extra, message in (((back, "plan.xml"), "OUT"), ((plan, back, "--to", "lakam"), "did you mean lacam?")):
        wrong = call("mapf", "convert", *files, *extra)
        assert wrong.exit_code == 2 and message in wrong.stderr


def test_what_did_not_arrive_is_told_and_kept_where_it_can_be(
    call: Call, files: tuple[str, str], tmp_path: Path
) -> None:
    for suffix, kept in ((".csv", False), (".txt", True)):
        plan = tmp_path / f"part{suffix}"
        arguments = ("--method", "pibt", "--set", "limit=1", "--plan", str(plan), "--json")
        done = call("mapf", "solve", *files, *arguments)
        answer = json.loads(done.stdout)
        assert done.exit_code == 4 and not answer["arrived"] and not answer["valid"]
        assert plan.exists() == kept == ("plan" in answer)
    shown = call("mapf", "show", *files, str(tmp_path / "part.txt"), "--picture", str(tmp_path / "part.png"))
    assert shown.exit_code == 0 and "this plan is not valid" in shown.stderr


def test_an_instance_without_solution_ends_with_code_1(call: Call, tmp_path: Path) -> None:
    (tmp_path / "wall.map").write_text("type octile\nheight 1\nwidth 5\nmap\n..@..\n")
    (tmp_path / "wall.scen").write_text("version 1\n0\twall.map\t5\t1\t0\t0\t4\t0\t0\n")
    solve = ("mapf", "solve", tmp_path / "wall.map", tmp_path / "wall.scen", "--method")
    done = call(*solve, "eecbs")
    assert done.exit_code == 1
    assert "agent 0 can't get from x=0 (column), y=0 (row) to its goal" in done.stdout
    compared = call(*solve, "eecbs,cbs")
    assert compared.exit_code == 1 and compared.stdout.count("1 no solution") == 2


def test_a_table_tells_who_gave_up_from_who_proved_that_there_is_nothing(call: Call, files: tuple[str, str]) -> None:
    done = call("mapf", "solve", *files, "--method", "pibt,eecbs", "--set", "pibt.limit=1", "--json")
    answer = json.loads(done.stdout)
    assert done.exit_code == 4
    assert [line["not solved"] for line in answer["lines"]] == ["1 limit reached", "–"]
    assert [failure["ending"] for failure in answer["failures"]] == ["limit reached"]


@pytest.mark.parametrize(
    ("extra", "message"),
    [
        (("--agents", "50..10"), "numbers of agents"),
        (("--agents", "0"), "numbers of agents"),
        (("--agents", "4"), "arena.scen"),
        (("--method", "magic"), "unknown mapf method"),
        (("--method", "eecbs", "--set", "weigth=1"), "did you mean weight?"),
        (("--method", "eecbs", "--set", "weight=0.5"), "weight"),
        (("--time", "never"), "such as 30s"),
        (("--agents", "1,2", "--picture", "x.png"), "belong to one run"),
        (("--agents", "1,2", "--set", "seed=3"), "--seeds NUMBER"),
        (("--method", "ecbs,eecbs", "--set", "weigth=1"), "did you mean weight?"),
        (("--method", "ecbs,eecbs", "--set", "cbs.weight=1"), "unknown solver of an option"),
        (("--following", "--swaps"), "exclude each other"),
        (("--vanish",), "lacam can't keep this rule; found an agent is gone once it has arrived; expected cbs or"),
        (("--vanish", "--no-wait", "--swaps", "--method", "cbs"), "cbs can't keep this rule"),
        (("--resume", "--agents", "1,2"), "--out FOLDER"),
        (("--plan", "plan.xml"), "--plan"),
    ],
)
def test_wrong_calls_are_answered(call: Call, files: tuple[str, str], extra: tuple[str, ...], message: str) -> None:
    done = call("mapf", "solve", *files, *extra)
    assert done.exit_code in (2, 3)
    assert message in done.stderr and "Traceback" not in done.stderr


def test_ctrl_c_keeps_the_plan_of_a_solver_that_goes_on_improving(
    call: Call, files: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = LaCAMStar.advance

    def interrupted(solver: LaCAMStar, count: int) -> bool:
        plan = solver.result.value
        if plan is not None and plan.vertices.shape[1] == len(ROWS):  # not the agents that warm it up
            signal.raise_signal(signal.SIGINT)
        work(solver, count)
        return False

    monkeypatch.setattr(LaCAMStar, "advance", interrupted)
    done = call("mapf", "solve", *files, "--method", "lacam-star", "--plan", tmp_path / "plan.txt")
    assert done.exit_code == 130
    assert "3 agents, sum of costs" in done.stdout and "interrupted after" in done.stdout
    assert call("mapf", "validate", *files, tmp_path / "plan.txt").exit_code == 0


@pytest.mark.parametrize("out", [(), ("--out", "some.run")])
def test_a_stopped_comparison_says_how_it_goes_on(
    call: Call, files: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, out: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("anabasis.lab.solver_suite.warm_up", lambda _: signal.raise_signal(signal.SIGINT))
    done = call("mapf", "solve", *files, "--method", "eecbs,ecbs", *out)
    assert done.exit_code == 130 and done.stderr.startswith("\ninterrupted")
    assert ("some.run: the same call with --resume goes on" in done.stderr) == bool(out)


def test_scenarios_of_one_name_in_two_folders_are_two(call: Call, files: tuple[str, str], tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    other = tmp_path / "other" / "arena.scen"
    other.write_bytes(Path(files[1]).read_bytes())
    done = call("mapf", "solve", *files, other, "--method", "eecbs", "--json")
    assert done.exit_code == 0 and json.loads(done.stdout)["lines"][0]["solved"] == "2/2"
    assert "a scenario stands twice" in call("mapf", "solve", *files, files[1]).stderr


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("solve", "SCEN", "MAP"), 3, "arena.scen: this is a scenario; expected a map. Hint: the map comes first"),
        (("solve", "MAP", "DIR"), 3, "this is a folder; expected a file"),
        (("solve", "MAP", "EMPTY"), 3, "empty.scen: a scenario without agents"),
        (("solve", "MAP", "SCEN", "--seeds", "1000000000"), 2, "--seeds"),
        (("validate", "MAP", "PLAN", "SCEN"), 3, "arena.scen: this is a scenario; expected a plan"),
        (("validate", "MAP", "EMPTY", "PLAN"), 3, "plan.txt: the plan is for more agents than the scenario has"),
        (("show", "MAP", "SCEN", "PLAN", "--picture", "x.png", "--agents", "2"), 2, "a plan says itself how many"),
        (("show", "MAP", "SCEN", "PLAN", "--picture", "x.png", "--step", "1", "--traffic"), 2, "two pictures at once"),
        (("show", "MAP", "SCEN", "PLAN", "--animation", "x.gif", "--traffic"), 2, "expected --picture FILE"),
        (("delays", "MAP", "SCEN", "BAD"), 3, "bad.txt: a plan to execute must be valid"),
        (("convert", "MAP", "SCEN", "PLAN", "PLAN"), 2, "PLAN and OUT are one file"),
        (("solve", "MAP", "SCEN", "--plan", "MAP"), 2, "MAP and --plan are one file"),
        (("delays", "MAP", "SCEN", "PLAN", "--walked", "PLAN"), 2, "PLAN and --walked are one file"),
        (("lifelong", "SCEN"), 3, "this is a scenario; expected a map"),
        (("lifelong", "MAP", "--agents", "1", "--steps", "1000000000"), 2, "--steps"),
        (("lifelong", "MAP", "--agents", "1", "--tasks", "1000000000000"), 2, "--tasks"),
        (("lifelong", "MAP", "--agents", "1", "--window", "1000000000"), 2, "--window"),
        (("lifelong", "HALL", "--agents", "70", "--steps", "1000000"), 2, "found 1000000 steps of 70 agents"),
        (("lifelong", "ROW", "--agents", "1", "--strategy", "token-passing"), 2, "too few places for tasks; found 1"),
        (("lifelong", "MAP", "--agents", "1000000000"), 2, "at most 12"),
        (
            ("lifelong", "MAP", "--strategy", "inheritance", "--window", "4"),
            2,
            "options without effect; found --window",
        ),
        (("solve", "MAP", "SCEN", "--agents", ""), 2, "numbers of agents; found ''"),
    ],
)
def test_odd_calls_are_answered_in_one_line(
    call: Call, files: tuple[str, str], tmp_path: Path, arguments: tuple[str, ...], code: int, message: str
) -> None:
    texts = {
        "EMPTY": ("empty.scen", "version 1\n"),
        "PLAN": ("plan.txt", "0:(0,0),(4,2),(2,0),\n"),
        "BAD": ("bad.txt", "0:(0,0),(4,2),\n"),
        "ROW": ("row.txt", "...\n...\n"),
        "HALL": ("hall.txt", 9 * ".........\n"),
    }
    named = {"MAP": files[0], "SCEN": files[1], "DIR": str(tmp_path)}
    for name, (file, text) in texts.items():
        (tmp_path / file).write_text(text)
        named[name] = str(tmp_path / file)
    done = call("mapf", *(named.get(word, str(tmp_path / word) if word[:2] == "x." else word) for word in arguments))
    assert done.exit_code == code
    assert message in done.stderr and "Traceback" not in done.stderr and "fault in Anabasis" not in done.stderr


def test_agents_without_a_task_done_fail_and_say_why(call: Call, tmp_path: Path) -> None:
    (tmp_path / "row.txt").write_text(40 * "." + "\n")
    done = call("mapf", "lifelong", tmp_path / "row.txt", "--agents", "1", "--steps", "1")
    assert done.exit_code == 1 and "0 tasks done" in done.stdout
    assert "tasks are done after 1 step; agent 0 at x=" in done.stdout and " steps away\n" in done.stdout


@pytest.mark.parametrize("steps", [0, 9])
def test_ctrl_c_keeps_what_agents_with_tasks_have_walked(
    call: Call, files: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, steps: int
) -> None:
    walk = ErrandLog.walk

    def interrupted(log: ErrandLog, after: Any) -> None:
        if log.step == steps:
            log.places, log.step = after, log.step + 1  # in the middle of a step, which is not kept
            signal.raise_signal(signal.SIGINT)
        walk(log, after)

    monkeypatch.setattr(ErrandLog, "walk", interrupted)
    picture = tmp_path / "traffic.png"
    done = call("mapf", "lifelong", files[0], "--agents", "3", "--picture", picture, "--json")
    assert done.exit_code == 130
    assert picture.exists() == bool(steps)
    if steps:
        told = json.loads(done.stdout)
        assert told["steps"] == steps and not told["faults"] and told["tasks_done"] > 0
        assert told["reason"].startswith("interrupted after 9 steps: ")


def test_a_map_without_room_is_refused(call: Call, tmp_path: Path) -> None:
    (tmp_path / "full.txt").write_text("@@@\n@.@\n@@@\n")
    done = call("mapf", "lifelong", tmp_path / "full.txt", "--agents", "1")
    assert done.exit_code == 2 and "a map without room; found 1 free cells" in done.stderr


def test_show_needs_something_to_draw(call: Call, files: tuple[str, str], tmp_path: Path) -> None:
    assert "--picture FILE" in call("mapf", "show", *files).stderr
    assert "a PLAN after the scenario" in call("mapf", "show", *files, "--animation", str(tmp_path / "x.gif")).stderr
    assert call("mapf", "show", *files, "--agents", "2", "--picture", str(tmp_path / "x.svg")).exit_code == 0

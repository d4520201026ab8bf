"""The command `flow`."""

import numpy as np
import pytest

from anabasis.cli.files import example
from anabasis.flow.navigate import Navigator, plan_flow_taut
from anabasis.io.scenario import load_scenario
from anabasis.lab.bounds import proved_bound

BRIDGES = "\n".join(["." * 30 if y in (4, 5, 14, 15) else "." * 14 + "#" + "." * 15 for y in range(20)])
WALL = "\n".join("." * 14 + "#" + "." * 15 for _ in range(20))


@pytest.fixture
def bridges(tmp_path):
    """Forty units before a wall with two gaps of two cells."""
    return _scenario(tmp_path / "bridges.scenario.toml", BRIDGES)


def _scenario(file, text, more=""):
    file.write_text(
        f'schema = "anabasis/scenario"\nschema_version = 1\nname = "bridges"\n[map]\ntext = """\n{text}\n"""\n'
        "[[groups]]\ndisc = { x = 6, y = 10, radius = 4.5, count = 40 }\n"
        "target = { x = 24, y = 10, radius = 3 }\nradius = 0.4\n" + more
    )
    return file


def test_it_says_what_the_method_plans(call_json, bridges):
    code, data = call_json("flow", bridges)
    scenario = load_scenario(bridges)
    result = plan_flow_taut(scenario.grid, scenario.groups[0], seed=scenario.seed)
    group = data["groups"][0]
    assert code == 0
    assert (data["method"], data["proved_bound"], data["picture"]) == ("flow-taut", proved_bound(scenario), None)
    assert (group["predicted"], group["network_bound"]) == (result.stats["predicted"], result.stats["bound"])
    assert len(group["routes"]) == result.stats["routes"] == 2
    assert sorted(route["units"] for route in group["routes"]) == sorted(np.bincount(result.value.route).tolist())
    assert sum(route["units"] for route in group["routes"]) == group["units"] == 40
    assert {gate[0] for route in group["routes"] for gate in route["gates"]} == {14}
    assert all(route["narrowest"] == 2 and route["rate"] > 0 for route in group["routes"])
    assert data["proved_bound"] <= group["predicted"]


def test_people_read_routes_prediction_and_bounds(call, bridges):
    text = call("flow", bridges).stdout
    for words in ("40 units, flow-taut", "units in 100 steps", "predicted arrival of the last unit", "quickest flow"):
        assert words in text
    assert "proved for any plan whatever: not before step" in text
    assert call("flow", bridges, "--quiet").stdout == ""


@pytest.mark.parametrize("method", ["flow-gates", "flow-centres"])
def test_other_methods(call_json, bridges, method):
    data = call_json("flow", bridges, "--method", method)[1]
    scenario = load_scenario(bridges)
    navigator = Navigator(scenario.grid, graph=method.removeprefix("flow-"))
    plan = navigator.plan(scenario.groups[0], seed=scenario.seed)
    assert data["groups"][0]["predicted"] == plan.stats["predicted"]
    assert data["proved_bound"] == proved_bound(scenario)


def test_limits_on_routes(call_json, bridges):
    all_routes = call_json("flow", bridges)[1]["groups"][0]
    one = call_json("flow", bridges, "--most", 1)[1]["groups"][0]
    assert (len(all_routes["routes"]), len(one["routes"])) == (2, 1)
    assert one["predicted"] > all_routes["predicted"]
    none = call_json("flow", bridges, "--detour", 0)[1]["groups"][0]
    assert min(r["steps"] for r in all_routes["routes"]) == max(r["steps"] for r in none["routes"])


def test_parameters_and_assignment(call_json, bridges):
    for parameters, numbers in (("0", [4, 1, 1]), ("10", [10, 2, 15]), ("5,1,7", [5, 1, 7])):
        assert call_json("flow", bridges, "--parameters", parameters)[1]["groups"][0]["parameters"] == numbers
    chosen = call_json("flow", bridges, "--parameters", "auto")[1]["groups"][0]
    assert (len(chosen["routes"]), chosen["units"]) == (2, 40)
    plans = [call_json("flow", bridges, "--assignment", s)[1]["groups"] for s in ("random", "farthest", "least-total")]
    assert plans[0] == plans[1] == plans[2]  # who walks where changes nothing of how many


@pytest.mark.parametrize("stage", ["regions", "network", "routes"])
def test_pictures_of_stages(call_json, bridges, tmp_path, stage):
    picture = tmp_path / f"{stage}.png"
    assert call_json("flow", bridges, "--stage", stage, "--picture", picture)[1]["picture"] == str(picture)
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_no_way_ends_with_code_1(call_json, call, tmp_path):
    file = _scenario(tmp_path / "wall.scenario.toml", WALL)
    for stage in ("routes", "regions", "network"):
        code, data = call_json("flow", file, "--stage", stage)
        assert (code, data["groups"][0]["status"], data["proved_bound"]) == (1, "no_solution", None)
    assert "no solution" in call("flow", file).stdout
    picture = tmp_path / "routes.png"
    assert call("flow", file, "--picture", picture).exit_code == 1
    assert picture.exists()
    assert "no network to draw" in call("flow", file, "--stage", "network", "--picture", picture).stderr


def test_units_beside_their_target_and_gates_that_are_too_narrow(call_json, call, bridges, tmp_path):
    inside = call_json("flow", bridges, "--set", "groups.0.target.x=9")[1]["groups"][0]
    assert [route["gates"] for route in inside["routes"]] == [[]]
    text = BRIDGES.replace("." * 30, "." * 14 + "#" + "." * 15)
    narrow = _scenario(tmp_path / "narrow.scenario.toml", text[: 31 * 4 + 14] + "." + text[31 * 4 + 15 :])
    options = ("--set", "groups.0.radius=1.4", "--set", "groups.0.disc.count=5")
    code, data = call_json("flow", narrow, *options)
    assert (code, data["groups"][0]["alone"], data["groups"][0]["routes"]) == (0, 5, [])
    assert (
        "no gate is wide enough for units 2.8 cells wide; shortest ways of their own: 5 units"
        in call("flow", narrow, *options).stdout
    )


def test_several_groups(call_json, call, tmp_path):
    more = '[[groups]]\nname = "boats"\ndisc = { x = 24, y = 3, radius = 2, count = 6 }\ntarget = { x = 5, y = 17 }\n'
    file = _scenario(tmp_path / "two.scenario.toml", BRIDGES, more)
    data = call_json("flow", file, "--picture", tmp_path / "two.png")[1]
    assert [(group["group"], group["units"]) for group in data["groups"]] == [("group 0", 40), ("boats", 6)]
    assert "boats: 6 units" in call("flow", file).stdout


def test_words_where_there_is_no_number(call, bridges, tmp_path):
    text = call("flow", bridges, "--set", "groups.0.target.x=9").stdout
    assert text.count("no gate") == 2
    assert "–" not in text
    stuck = "[[groups]]\nradius = 2.5\ndisc = { x = 26, y = 15, radius = 3, count = 1 }\ntarget = { x = 5, y = 15 }\n"
    text = call("flow", _scenario(tmp_path / "two.scenario.toml", BRIDGES, stuck)).stdout
    assert "no gate is wide enough for units 5 cells wide; shortest ways of their own: 1 unit" in text
    assert "the prediction is" not in text.partition("proved for any plan")[2]  # one of two groups has none


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--method", "astar"], "flow-taut or flow-gates or flow-centres"),
        (["--stage", "rivers"], "regions or network or routes"),
        (["--parameters", "11"], "0 (finest) to 10"),
        (["--parameters", "fine"], "three whole numbers"),
        (["--assignment", "alphabet"], "in-order"),
        (["--most", "0"], "--most"),
        (["--detour", "-1"], "--detour"),
        (["--detour", "nan"], "detour"),
        (["--picture", "flow.gif"], ".png"),
        (["--set", "groups.0.target.x=14.5"], "wall"),
    ],
)
def test_wrong_words_are_answered_with_the_right_ones(call, bridges, arguments, problem):
    result = call("flow", bridges, *arguments)
    assert result.exit_code in (2, 3)
    assert problem in result.stderr
    assert "Traceback" not in result.stderr


def test_the_group_of_the_demo_is_split(call_json):
    group = call_json("flow", example("chokepoint"))[1]["groups"][0]
    assert len(group["routes"]) > 2
    assert max(route["units"] for route in group["routes"]) < 0.75 * group["units"]

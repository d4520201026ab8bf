from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from studio_cases import Said, check_run, draft

from anabasis.errors import InputError
from anabasis.generators import GENERATORS, generate
from anabasis.grid import Grid
from anabasis.instance import Instance
from anabasis.methods import method as method_row
from anabasis.methods import names
from anabasis.plan import Plan
from anabasis.studio.agents import run_of_agents
from anabasis.studio.work.overlays import OVERLAYS, Overlay

BEST = 19 + 19 + 2 + 21  # one of the two that meet steps aside and back; the third has to go round a wall


@pytest.mark.parametrize("method", names("mapf"))
def test_every_solver(method: str) -> None:
    options = {"seconds": 20.0} | ({"limit": 300} if method == "lacam-star" else {})
    said = Said("mapf", {"draft": draft(), "method": method, "seed": 1, "options": options})
    assert said.status == "solved", said.reason
    facts, row = said.facts(), method_row("mapf", method)
    assert facts["valid"] is True and facts["arrived"] == 3 and facts["proved: at least"] <= facts["sum of costs"]
    assert facts["sum of costs"] >= BEST
    if row.optimal:
        assert facts["sum of costs"] == BEST
    (head, _), positions, _ = check_run(said)
    assert head["stays"] is True and head["steps"] == facts["makespan"]
    assert positions[-1].tolist() == [[20.5, 1.5], [1.5, 1.5], [21.5, 8.5]]
    strides = np.abs(np.diff(positions, axis=0)).sum(axis=2)
    assert set(strides.ravel().tolist()) <= {0.0, 1.0}
    table = said.table("Reservations: who has which cell when")
    assert table["rows"][0] == [0, "1, 1", "20, 1", "2, 8"] and len(table["rows"]) == head["frames"]
    (first, _), *_ = scenes = said.all("scene")
    assert [scene["name"] for scene, _ in scenes] == ["agents", "agents", "ways", "traffic"]
    assert [item["label"] for item in first["legend"]] == ["agent", "its goal"]
    assert head["groups"] == ["agent 0", "agent 1", "agent 2"]  # each has a colour and a goal
    assert [target[:2] for target in head["targets"]] == positions[-1].tolist()
    assert not [head for head, _ in said.all("table") if head["title"] == "Conflicts"]


def test_the_same_is_said_twice() -> None:
    for method in ("eecbs", "prioritized"):
        args = {"draft": draft(), "method": method, "seed": 1}
        assert Said("mapf", args).without_clock() == Said("mapf", args).without_clock()


def test_rules_hold_and_solvers_that_cannot_keep_them_refuse() -> None:
    rules = {"vanish": True, "swaps": True}
    said = Said("mapf", {"draft": draft(), "method": "cbs", "options": {"vanish": True}})
    assert said.one("run")[0]["stays"] is False
    swapped = Said("mapf", {"draft": draft(), "method": "eecbs", "options": {"swaps": True}})
    assert swapped.facts()["sum of costs"] == BEST - 2
    with pytest.raises(InputError, match="change places"):
        Said("mapf", {"draft": draft(), "method": "pibt", "options": rules})


def test_agents_that_cannot_pass_are_told() -> None:
    said = draft()
    said["scenario"]["map"]["text"] = "....."
    said["agents"] = [{"start": [0, 0], "goal": [4, 0]}, {"start": [4, 0], "goal": [0, 0]}]
    told = Said("mapf", {"draft": said, "method": "lacam", "options": {"seconds": 5.0}})
    assert told.status == "no solution" and told.reason and not told.all("run")


@pytest.mark.parametrize(("method", "divide"), list(product(("march", "simulate"), (False, True))))
def test_formations(method: str, divide: bool) -> None:
    said = Said("formation", {"draft": draft(), "method": method, "options": {"divide": divide, "limit": 120.0}})
    assert said.status == "solved", said.reason
    (head, _), positions, _ = check_run(said)
    facts = said.facts()
    assert facts["valid"] is True and facts["arrived"] == 6 and "trouble" not in facts
    assert np.hypot(*(positions[-1, 0] - (19.5, 7.5))) < 1.0  # the leader at the target
    bound, arrays = said.one("bindings")
    assert arrays["spots"].shape == (head["frames"], 6) and arrays["units"].tolist() == [0, 1, 2, 3, 4, 5]
    assert arrays["offsets"][bound["leader"]].tolist() == [0.0, 0.0]
    assert arrays["pairs"].shape[1] == 2 and 0 <= arrays["pairs"].min() <= arrays["pairs"].max() < 6
    errors = said.table("Errors of f over time")["rows"]
    assert len(errors) <= 400 and errors[-1][0] == pytest.approx(head["steps"] * head["tick"])
    assert max(row[3] for row in errors) <= facts["peak"] + 1e-9
    assert [message[0]["name"] for message in said.all("scene")] == ["manoeuvre", "march"]


def test_a_march_that_is_stopped_says_so() -> None:
    said = Said("formation", {"draft": draft(), "method": "march", "options": {"limit": 2.0}})
    assert said.status == "limit reached" and said.reason
    args = {"draft": draft(), "method": "march", "options": {"limit": 60.0}}
    assert Said("formation", args).without_clock() == Said("formation", args).without_clock()


@pytest.mark.parametrize("row", OVERLAYS, ids=lambda row: row.name)
def test_every_overlay(row: Overlay) -> None:
    said = Said("overlay", {"draft": draft(), "name": row.name})
    head, arrays = said.scene(row.name)
    assert head["bounds"] == [0, 0, 24, 12] and head["layers"] and arrays
    nothing = draft()
    nothing["scenario"]["groups"] = nothing["agents"] = nothing["formations"] = []
    if row.needs:
        with pytest.raises(InputError):
            Said("overlay", {"draft": nothing, "name": row.name})
    else:
        assert Said("overlay", {"draft": nothing, "name": row.name}).scene(row.name)[0]["layers"]


def test_overlays_follow_their_parameters() -> None:
    def regions(fineness: int) -> str:
        head, _ = Said("overlay", {"draft": draft(), "name": "regions", "parameters": {"set": fineness}}).scene(
            "regions"
        )
        return head["legend"][0]["label"]

    assert regions(0) != regions(10)
    for parameters, where in (({"set": 11}, "parameters.set"), ({"sets": 1}, "parameters")):
        with pytest.raises(InputError) as error:
            Said("overlay", {"draft": draft(), "name": "regions", "parameters": parameters})
        assert error.value.where == where
    with pytest.raises(InputError, match="no such group"):
        Said("overlay", {"draft": draft(), "name": "field", "parameters": {"group": 1}})


@pytest.mark.parametrize("name", [row.name for row in GENERATORS if row.family != "world"][::3])
def test_maps_are_made(name: str) -> None:
    args = {"generator": name, "width": 40, "height": 36, "seed": 2}
    head, _ = Said("generate", args).one("map")
    grid = Grid.from_text(head["text"])
    assert (grid.width, grid.height, head["width"], head["height"]) == (40, 36, 40, 36)
    assert Said("generate", args).one("map")[0]["text"] == head["text"]
    assert not Said("generate", args).all("scene")
    assert Said("generate", {**args, "seed": 3}).one("map")[0]["text"] != head["text"]


def test_a_large_agent_has_a_goal_as_large() -> None:
    instance = Instance.of(Grid.from_free(np.ones((4, 6), bool)), [0, 12], [2, 15], sizes=[2, 1])
    _, head = run_of_agents(instance, Plan(np.array([[0, 12], [1, 13], [2, 14], [2, 15]])))
    assert head["targets"] == [[3.0, 1.0, 1.0], [3.5, 2.5, 0.5]]


def test_a_world_is_said_with_its_sites() -> None:
    args = {"generator": "island", "width": 129, "height": 129, "seed": 1}
    said = Said("generate", args)
    head, arrays = said.scene("sites")
    assert head["bounds"] == [0, 0, 129, 129]
    assert "start of a player" in [item["label"] for item in head["legend"]]
    (number,) = [k for k, layer in enumerate(head["layers"]) if layer["type"] == "circles"]
    starts = generate("island", 129, 129, seed=1).places("start")
    assert arrays[f"{number}.centres"].tolist() == [[site.x + 0.5, site.y + 0.5] for site in starts]
    assert said.facts()["sites"] > len(starts) > 0


@pytest.mark.parametrize(
    ("part", "where"),
    [
        ({"width": 10**6}, "width"),
        ({"width": "wide"}, "width"),
        ({"seed": -1}, "seed"),
        ({"generator": None}, "generator"),
    ],
)
def test_wrong_wishes_for_maps_are_named(part: dict[str, object], where: str) -> None:
    with pytest.raises(InputError) as error:
        Said("generate", {"generator": GENERATORS[0].name, "width": 40, **part})
    assert error.value.where == where

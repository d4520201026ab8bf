"""The study of flow networks: its maps and scenarios, what they are by measure, its claims, its report."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import networkx as nx
import numpy as np
import pytest

from anabasis import Grid, Group, InputError, Scenario, Target
from anabasis.lab.comparison import Comparison
from anabasis.lab.ranking import summarise
from anabasis.lab.studies import flow_maps
from anabasis.lab.studies.detours import DETOURS, forecast, prospect, turns, width_within
from anabasis.lab.studies.finding import Finding
from anabasis.lab.studies.flow_claims import Evidence, best_over_best, findings
from anabasis.lab.studies.flow_groups import measured_kind, run_flow_groups
from anabasis.lab.studies.flow_record import FLOW_METHODS, METHODS, Record, Use, read_record
from anabasis.lab.studies.flow_report import write_flow_report
from anabasis.lab.studies.flow_scenarios import SETS, tasks
from anabasis.lab.suite import Run
from anabasis.lab.trial import Outcome, Row
from anabasis.noun import state_hash

OWN = tasks()


# ---- scenarios


def test_there_are_a_dozen_of_each_set_without_any_data() -> None:
    for number in SETS:
        mine = [task for task in OWN if task.set == number]
        assert len(mine) >= 12
        assert [task.name for task in mine] == sorted(task.name for task in mine)
    assert len({task.name for task in OWN}) == len(OWN)
    assert all(re.fullmatch(r"[123]\.\d\d [a-z0-9-]+", task.name) for task in OWN)


@pytest.mark.parametrize("task", OWN, ids=lambda task: task.name.split()[0])
def test_every_scenario_is_in_its_set_by_measure_and_the_same_each_time(task) -> None:
    scenario = task.scenario()
    assert scenario.size == task.units
    assert state_hash(scenario) == state_hash(task.scenario())
    assert measured_kind(scenario).set == task.set


def test_those_on_benchmark_maps_too(movingai: Path) -> None:
    more = [task for task in tasks(data=movingai) if task.name not in {own.name for own in OWN}]
    for number in SETS:
        assert sum(task.set == number for task in more) >= 4
    wrong = {task.name: found for task in more if (found := measured_kind(task.scenario()).set) != task.set}
    assert wrong == {}


def test_the_quick_study_has_some_of_each_set_with_smaller_groups() -> None:
    quick = tasks(quick=True)
    for number in SETS:
        assert sum(task.set == number for task in quick) >= 4
    for task in quick:
        assert task.scenario(task.quick).size == task.quick < task.units


def test_a_set_can_be_chosen_and_an_unknown_one_is_refused() -> None:
    assert {task.set for task in tasks([2])} == {2}
    with pytest.raises(InputError, match=r"set of scenarios.*1 or 2 or 3"):
        tasks([4])


def test_a_folder_without_the_maps_adds_nothing(tmp_path: Path) -> None:
    assert [task.name for task in tasks(data=tmp_path)] == [task.name for task in OWN]


# ---- maps


@pytest.mark.parametrize("seed", range(4))
def test_rooms_and_islands_hang_together_and_without_loops_have_one_way(seed: int) -> None:
    for grid in (
        flow_maps.rooms(3, 3, 12, seed, doors=(2, 3), loops=0.0),
        flow_maps.islands(3, 3, 30, seed, bridges=(2, 3), loops=0.0),
    ):
        assert flow_maps.parts(grid.free, corners=False).max() == 1
        outside = flow_maps.parts(np.pad(~grid.free, 1, constant_values=True))
        assert outside.max() == 1, "a wall that hangs together leaves no second way around"
    ring = flow_maps.rooms(3, 3, 12, seed, doors=(2, 3), loops=1.0)
    assert flow_maps.parts(np.pad(~ring.free, 1, constant_values=True)).max() == 5  # the frame and four crossings


@pytest.mark.parametrize("seed", range(4))
def test_caves_and_canyons_hang_together(seed: int) -> None:
    cave = flow_maps.caves(80, 60, seed)
    assert flow_maps.parts(cave.free, corners=False).max() >= 1
    sizes = np.bincount(flow_maps.parts(cave.free, corners=False).ravel())[1:]
    assert sizes.max() > 0.98 * sizes.sum()
    assert flow_maps.parts(flow_maps.canyon(100, 50, seed, floor=5).free, corners=False).max() == 1


# ---- what a scenario is


def gaps(*rows: tuple[int, int], units: int = 60, target: tuple[float, float] = (44.0, 20.0)) -> Scenario:
    """A wall with gaps, each a first row and a width."""
    grid = flow_maps.walled(50, 60, (25, 0, 3, 60), gaps=[(25, y, 3, w) for y, w in rows])
    places = np.array([[6.5 + k % 8, 16.5 + k // 8] for k in range(units)])
    return Scenario(grid, (Group(places, Target(*target, 3.0)),))


def test_widths_and_routes_grow_with_the_detour() -> None:
    found = prospect(gaps((19, 2), (45, 4)))
    assert found.widths[0] == 2
    assert found.widths[-1] == 6
    assert found.routes[0] == 1
    assert found.routes[-1] == 2
    assert found.gain > 1
    assert prospect(gaps((19, 2))).gain == 1
    assert prospect(gaps((19, 2))).useful == 1


def test_width_is_the_greatest_number_of_ways_that_share_no_cell() -> None:
    random = np.random.default_rng(3)
    tried = 0
    for _ in range(40):
        free = random.random((9, 11)) > 0.3
        free[:, :2] = free[:, 9:] = True
        grid = Grid.from_free(free)
        group = Group(np.array([[0.5, y + 0.5] for y in range(9)]), Target(10.5, 4.5, 4.1))
        network = nx.DiGraph()
        for y, x in np.argwhere(free).tolist():
            ends = x == 0 or np.hypot(x - 10, y - 4) <= 4.1
            network.add_edge((x, y, 0), (x, y, 1), **({} if ends else {"capacity": 1}))
            for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                if 0 <= x + dx < 11 and 0 <= y + dy < 9 and free[y + dy, x + dx]:
                    network.add_edge((x, y, 1), (x + dx, y + dy, 0), capacity=1)
            if x == 0:
                network.add_edge("source", (x, y, 0))
            if np.hypot(x - 10, y - 4) <= 4.1:
                network.add_edge((x, y, 1), "sink")
        expected = nx.maximum_flow_value(network, "source", "sink")
        assert width_within(Scenario(grid, (group,)), np.ones((9, 11), bool)) == expected
        tried += expected > 0
    assert tried > 10


@pytest.mark.parametrize(("units", "steps"), [(10, 25), (21, 31), (60, 38), (170, 60), (171, 61), (300, 75)])
def test_the_forecast_equals_the_thesis_where_it_rounds_up(units: int, steps: int) -> None:
    last = forecast(units, [20.0, 30.0, 60.0], [2.0, 3.0, 4.0])
    assert steps - 1 <= last <= steps


def test_turns_tell_ways_on_either_side_of_a_rock_and_see_no_boulders() -> None:
    def ways(rock: flow_maps.Box, *middles: float) -> Sequence[int]:
        grid = flow_maps.walled(40, 30, rock)
        lines = [np.array([[3.5, 15.5], [20.5, y], [36.5, 15.5]]) for y in middles]
        return sorted(turns(grid, lines).values())

    assert ways((16, 10, 8, 10), 5.5, 6.5, 25.5) == [1, 2]
    assert ways((19, 14, 3, 3), 5.5, 6.5, 25.5) == [3]  # nine cells are no obstacle to speak of


def test_crowds_that_stand_apart_take_ways_of_their_own() -> None:
    grid = Grid.from_free(np.ones((30, 40), bool))
    starts = [(3.5, 3.5), (4.5, 3.5), (3.5, 26.5)]
    ways = [np.array([start, (36.5, 15.5)]) for start in starts]
    assert sorted(turns(grid, ways).values()) == [1, 2]


# ---- claims


def comparison(table: dict[str, dict[str, int]], *, predicted: float = 1.0, left: int = 0) -> Comparison:
    rows: list[Row] = []
    methods = list(next(iter(table.values())))
    for scenario, by_method in table.items():
        for method, steps in by_method.items():
            for seed in range(3):
                flow = method.startswith("flow")
                values = {
                    "steps": steps + seed * (method != "vector-field"),
                    "not_finished": left if method == "flow-gates" else 0,
                    "units": 100,
                    "first_arrival": 1,
                    "middle_arrival": 2,
                    "predicted_steps": predicted * steps if flow else None,
                    "network_bound_steps": 0.8 * steps if flow else None,
                    "bound_steps": steps // 2,
                }
                rows.append(Row(Run(0, 0, scenario, "0" * 64, method, seed, ()), Outcome("ok", values=dict(values))))
    return summarise(rows, list(table), methods, range(3))


def evidence(
    *sets: dict[str, int], uses: list[list[int]] | None = None, predicted: float = 1.0, left: int = 0
) -> Evidence:
    """One line of steps by method for each set, for two scenarios each."""
    tables = [{f"{k}.0{i} x": row for i in (1, 2)} for k, row in enumerate(sets, 1)]
    whole = {name: row for table in tables for name, row in table.items()}
    record = Record(
        list(DETOURS),
        {name: int(name[0]) for name in whole},
        {},
        "a river",
        {"flow-gates": Use([10, 20, 40], uses)} if uses else {},
        False,
    )
    made = [comparison(table, predicted=predicted, left=left) for table in tables]
    return Evidence(comparison(whole, predicted=predicted, left=left), dict(enumerate(made, 1)), record)


def steps(astar: int, vector: int, centres: int, gates: int) -> dict[str, int]:
    return {"astar": astar, "vector-field": vector, "flow-centres": centres, "flow-gates": gates}


GOOD = (steps(1000, 1050, 1100, 1010), steps(1150, 1250, 1080, 1000), steps(1450, 1600, 1100, 1000))


def verdict(found: Sequence[Finding], words: str) -> str:
    return next(finding.verdict for finding in found if words in finding.claim)


CLAIMS = [
    "at least 1.2 times",
    "smallest in set 1",
    "beats flow-centres",
    "worse than 1.15",
    "strictly better",
    "at most 1.05",
    "within 1 % of it",
    "left behind",
    "predicted arrival",
    "proved lower bound",
    "varies least",
    "As the group grows",
]


def test_the_figures_of_the_thesis_reproduce_it() -> None:
    found = findings(evidence(*GOOD, uses=[[10, 15, 20], [0, 5, 15], [0, 0, 5]]))
    assert {claim: verdict(found, claim) for claim in CLAIMS} == dict.fromkeys(CLAIMS, "reproduced")
    assert len(found) == len(CLAIMS)
    assert next(f.measured for f in found if "at least 1.2" in f.claim).startswith("1.450")


@pytest.mark.parametrize(
    ("claims", "case"),
    [
        (["at least 1.2 times", "smallest in set 1"], evidence(GOOD[0], GOOD[1], steps(1100, 1150, 1050, 1000))),
        (["smallest in set 1"], evidence(GOOD[2], GOOD[1], GOOD[0])),
        (["beats flow-centres"], evidence(*(steps(2000, 2000, 1000, 1100) for _ in range(3)))),
        (["worse than 1.15"], evidence(steps(1000, 1050, 1200, 1010), *GOOD[1:])),
        (["strictly better"], evidence(*GOOD[:2], steps(1000, 1600, 900, 1000 + 1))),
        (["at most 1.05", "within 1 % of it"], evidence(*(steps(1000, 1300, 1200, 1100) for _ in range(3)))),
        (["left behind"], evidence(*GOOD, left=1)),
        (["predicted arrival"], evidence(*GOOD, predicted=0.7)),
        (["As the group grows"], evidence(*GOOD, uses=[[10, 15, 40], [0, 5, 0]])),
        (["As the group grows"], evidence(*GOOD, uses=[[10, 20, 40]])),
    ],
)
def test_figures_that_do_not_are_said_not_to(claims: list[str], case: Evidence) -> None:
    found = findings(case)
    assert {claim: verdict(found, claim) for claim in claims} == dict.fromkeys(claims, "not reproduced")


def test_a_broken_bound_and_a_field_that_varies_are_seen() -> None:
    case = evidence(*GOOD)
    entries = tuple(replace(e, bound=None if e.bound is None else 3000.0) for e in case.whole.entries)
    assert verdict(findings(replace(case, whole=replace(case.whole, entries=entries))), "proved lower bound") == (
        "not reproduced"
    )
    entries = tuple(replace(e, steps_high=9999) if e.method == "vector-field" else e for e in case.whole.entries)
    assert verdict(findings(replace(case, whole=replace(case.whole, entries=entries))), "varies least") == (
        "not reproduced"
    )


def test_what_was_not_run_is_not_tested() -> None:
    two = [{"astar": 100, "vector-field": 110} for _ in range(3)]
    found = findings(evidence(*two))
    untested = set(CLAIMS) - {"left behind", "proved lower bound", "varies least"}
    assert {claim for claim in CLAIMS if verdict(found, claim) == "not tested"} == untested
    assert verdict(findings(evidence(GOOD[0])), "at least 1.2 times") == "not tested"


def test_best_over_best_leaves_out_who_left_units_behind() -> None:
    whole = evidence(*GOOD, left=1).whole
    assert best_over_best(whole, theirs=("flow-gates",)) == []
    assert len(best_over_best(whole)) == 6  # against flow-centres


# ---- the study as a whole


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Comparison]:
    folder = tmp_path_factory.mktemp("study") / "x.run"
    found = run_flow_groups(folder, sets=[3], seeds=1, workers=2, quick=True, methods=METHODS[:2])
    return folder, found


def test_a_study_runs_to_its_report(study: tuple[Path, Comparison]) -> None:
    folder, found = study
    assert found.complete
    assert not found.failures
    assert all(entry.comparable for entry in found.entries), "every scenario can be finished"
    page = (folder / "report.html").read_text("utf-8")
    root = ElementTree.fromstring(page.removeprefix("<!DOCTYPE html>"))  # noqa: S314 (our own file)
    headings = ["".join(h.itertext()) for h in root.iter("{http://www.w3.org/1999/xhtml}h2")]
    assert headings[:3] == ["Findings", f"Set 3: {SETS[3]}", "Predictions and bounds"]
    assert "Why a scenario is in its set" in headings
    assert sum(heading.startswith("Scenario: 3.") for heading in headings) == len(found.scenarios)
    ids = re.findall(r'\sid="([^"]*)"', page)
    assert len(ids) == len(set(ids))
    assert not re.search(r'(?:href|src)="(?!#|data:)', page)
    record = read_record(folder)
    assert record.sets == dict.fromkeys(found.scenarios, 3)
    assert set(record.kinds) == set(found.scenarios)


def test_its_report_can_be_written_again_with_the_same_bytes(study: tuple[Path, Comparison], tmp_path: Path) -> None:
    write_flow_report(study[0], tmp_path / "again.html")
    assert (tmp_path / "again.html").read_bytes() == (study[0] / "report.html").read_bytes()


def test_a_method_that_there_is_not_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"unknown group method.*'flow-fast'"):
        run_flow_groups(tmp_path / "x.run", methods=["astar", "flow-fast"])
    assert not (tmp_path / "x.run").exists()
    assert METHODS[2:] == FLOW_METHODS


def test_a_folder_of_something_else_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no folder of a study"):
        read_record(tmp_path)
    (tmp_path / "study.json").write_text("{}")
    with pytest.raises(InputError, match="faulty record"):
        read_record(tmp_path)

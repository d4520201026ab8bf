"""The study of formations: all the marches of the source, measured, the same with any number of workers, resumable."""

from pathlib import Path

import pytest

from anabasis.errors import InputError
from anabasis.lab.march_trial import VALUES, modules_of, run_march_trial
from anabasis.lab.studies import formation_study
from anabasis.lab.studies.formation_factors import BEYOND, FACTORS, FORMATIONS, SCENARIOS, combinations
from anabasis.lab.studies.formation_report import formation_text, judged, write_formations
from anabasis.lab.studies.formation_study import Move, formation_suite, read_moves, run_formations
from anabasis.lab.suite import Suite
from anabasis.manoeuvre import Modules


def test_all_marches_of_the_source_are_there() -> None:
    ways = combinations()
    assert len(ways) == 8 * 4 * 2 * 2
    suite = formation_suite()
    assert len(suite.cases) == len(SCENARIOS) * len(FORMATIONS) == 48
    assert len(ways) * len(suite.cases) == 6144
    assert suite.methods == (*ways, *BEYOND.values())
    for way, options in ways.items():
        modules = modules_of(way)
        planner = {"trivial": "trivial", "periodic": "periodic", "bends": "bends"}[options["planning"].split()[0]]
        assert modules.planning == planner
        assert modules.synchronisation == options["synchronisation"] and modules.paths == options["path finding"]
    assert modules_of("planning=bends bend=20") == Modules(planning="bends", bend=20.0)
    for case in suite.cases:
        shape, units = case.source.split()[1:]
        assert case.scenario.formations[0].schema.spots == int(units)
        assert shape in case.name
    for factor in FACTORS:
        assert set(factor.medians) == set(factor.options) and factor.baseline in factor.options
        assert len(factor.by_scenario) == len(SCENARIOS) and len(factor.by_formation) == len(FORMATIONS)
    for way in BEYOND.values():
        modules_of(way)


@pytest.mark.parametrize(
    ("text", "said"),
    [("plan=bends", "a module of a formation; found 'plan'"), ("bend=wide", "module bend"), ("paths=short", "paths")],
)
def test_wrong_modules_are_told(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        modules_of(text)


def small_suite() -> Suite:
    """Make a suite of two cases and a few ways, with one beyond the source."""
    whole = formation_suite()
    cases = [case for case in whole.cases if case.name in ("turnaround square 4", "training_ground column 3")]
    ways = [
        way
        for way in combinations()
        if ("planning=trivial" in way or "period=2" in way or "bend=10" in way)
        and ("synchronisation=none" in way or "synchronisation=adaptive" in way)
    ]
    return Suite(tuple(cases), (*ways, *BEYOND.values()), (0,))


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Move]]:
    folder = tmp_path_factory.mktemp("study") / "a.run"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(formation_study, "formation_suite", lambda quick: small_suite())
        moves = run_formations(folder, workers=2)
    return folder, moves


def test_marches_are_kept_as_they_are_made(run: tuple[Path, list[Move]]) -> None:
    folder, moves = run
    assert len(moves) == len(small_suite().runs) and all(move.done for move in moves)
    again = read_moves(folder)
    assert [m.values for m in again] == [m.values for m in moves]
    move = moves[len(moves) // 2]
    suite = small_suite()
    case = next(case for case in suite.cases if case.name.startswith(move.scenario))
    outcome = run_march_trial(case.scenario, move.method, 0, None)
    assert outcome.values == move.values and set(outcome.values) == set(VALUES)
    with pytest.raises(InputError, match="results folder exists already"):
        run_formations(folder)


def test_one_worker_makes_the_same_tables_and_can_go_on(
    run: tuple[Path, list[Move]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(formation_study, "formation_suite", lambda quick: small_suite())
    folder = tmp_path / "b.run"
    seen: list[tuple[int, int]] = []

    def stop(done: int, total: int) -> None:
        seen.append((done, total))
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_formations(folder, progress=stop)
    assert seen[-1] == (3, len(small_suite().runs))
    moves = run_formations(folder, resume=True)
    assert (folder / "table.csv").read_bytes() == (run[0] / "table.csv").read_bytes()
    assert formation_text(judged(moves)) == formation_text(judged(run[1]))


def test_the_study_is_written_down(run: tuple[Path, list[Move]], tmp_path: Path) -> None:
    study = judged(run[1])
    page = write_formations(study, tmp_path)
    assert "mathdefault" not in page.read_text("utf-8")  # charts read no text as a formula
    assert page.read_text().count("<svg") >= len(FACTORS) + len(SCENARIOS)
    text = (tmp_path / "report.txt").read_text()
    assert "reproduced: periodic 3, 2 is at least 60 % below trivial" in text
    assert {f"{factor.name.replace(' ', '_')}.csv" for factor in FACTORS} <= {p.name for p in tmp_path.iterdir()}
    planning = study.tables["planning"]
    assert [row["planning"] for row in planning.rows] == ["trivial", "periodic 3, 2", "bends 10"]
    assert all(row["marches"] == 2 * 2 * 2 * 2 for row in planning.rows)


def _moves(e1: dict[str, float]) -> list[Move]:
    """Make moves of all ways whose E_1 goes by the planner only."""
    return [
        Move(
            scenario,
            kind,
            way,
            options,
            "solved",
            {
                **dict.fromkeys(VALUES, 1.0),
                "e1": e1[options["planning"]] * (0.5 if options["synchronisation"] != "none" else 1.0),
            },
        )
        for scenario in SCENARIOS
        for kind in FORMATIONS
        for way, options in combinations().items()
    ]


def test_findings_follow_from_the_marches() -> None:
    there = {name: 1000 * median for name, (median, _) in FACTORS[0].medians.items()}
    held = {f.claim: f.holds for f in judged(_moves(there)).findings}
    for claim in (
        "periodic 3, 2 is better than periodic 5, 3, thousands of E_1",
        "by bends is better than periodic 10, 5, thousands of E_1",
        "periodic 3, 2 is at least 60 % below trivial",
        "of all by bends 10 degrees are the best",
        "adaptive synchronisation is at least 20 % below none",
    ):
        assert held[claim] is True
    assert held["the combined space is better than simple paths"] is False  # they are the same here
    turned = {name: 30000 - value for name, value in there.items()}
    held = {f.claim: f.holds for f in judged(_moves(turned)).findings}
    assert held["periodic 3, 2 is at least 60 % below trivial"] is False


def test_marches_that_come_to_no_end_do_not_count() -> None:
    there = {name: 1000 * median for name, (median, _) in FACTORS[0].medians.items()}
    moves = _moves(there)
    bad = [Move(m.scenario, m.formation, m.method, m.options, "limit reached", {**m.values, "e1": 1e9}) for m in moves]
    with_bad = judged([*moves, *bad])
    assert with_bad.tables["planning"].rows == judged(moves).tables["planning"].rows
    assert with_bad.tables["endings"].rows[0] == {"scenario": "training_ground", "limit reached": 1024, "solved": 1024}

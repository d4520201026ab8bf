"""The runs of a suite: their order, their keys, and what is refused."""

from __future__ import annotations

from pathlib import Path

import lab_tasks
import pytest

from anabasis import InputError
from anabasis.lab.suite import Suite, load_suite


def test_every_method_gets_the_same_seeds_in_a_fixed_order() -> None:
    suite = Suite.of([lab_tasks.scenario("a"), lab_tasks.scenario("b")], ["x", "y"], 3)
    places = [(run.scenario, run.method, run.seed) for run in suite.runs]
    assert places == [(s, m, seed) for s in "ab" for m in "xy" for seed in range(3)]
    assert [run.position for run in suite.runs] == list(range(12))
    assert len({run.key for run in suite.runs}) == 12
    assert len({run.stem for run in suite.runs}) == 12


def test_keys_tell_runs_apart_and_stay_the_same() -> None:
    def key(**changes: object) -> str:
        given = {"name": "a", "units": 12, "method": "x", "seed": 4, "overrides": (), **changes}
        scenario = lab_tasks.scenario(str(given["name"]), int(str(given["units"])))
        return (
            Suite.of([scenario], [str(given["method"])], [int(str(given["seed"]))], overrides=given["overrides"])
            .runs[0]
            .key
        )  # type: ignore[arg-type]

    changed = [key(name="b"), key(units=11), key(method="y"), key(seed=5), key(overrides=("limits.steps=3",))]
    assert key() == key()
    assert len({key(), *changed}) == 6


def test_file_names_are_harmless() -> None:
    suite = Suite.of([lab_tasks.scenario("../../etc/<passwd>\n" + 90 * "x")], ["a/b"], [7])
    stem = suite.runs[0].stem
    assert stem.startswith("000_etc-passwd-xxx")
    assert stem.endswith("_a-b_7")
    assert not set(stem) & set("/\\.<>\n")


@pytest.mark.parametrize(
    ("methods", "seeds", "message"),
    [
        ([], 3, "without methods"),
        (["x"], 0, "without seeds"),
        (["x", "x"], 3, "method stands twice"),
        (["x"], [1, 1], "seed stands twice"),
        (["x"], [-1], "seeds of a comparison"),
    ],
)
def test_refused(methods: list[str], seeds: int | list[int], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Suite.of([lab_tasks.scenario("a")], methods, seeds)


def test_two_scenarios_of_one_name_are_refused() -> None:
    with pytest.raises(InputError, match="scenario stands twice"):
        Suite.of([lab_tasks.scenario("a"), lab_tasks.scenario("a", 3)], ["x"], 1)


def test_scenarios_from_files(tmp_path: Path) -> None:
    file = tmp_path / "tiny.scenario.toml"
    file.write_text(
        'schema = "anabasis/scenario"\nschema_version = 1\n[map]\ntext = """\n......\n......\n"""\n'
        "[[groups]]\npositions = [[1.5, 0.5]]\ntarget = { x = 4.5, y = 1.5 }\n"
    )
    suite = load_suite([file], ["x"], 2, ["limits.steps=77"])
    assert suite.cases[0].scenario.limits.steps == 77
    assert suite.cases[0].source == str(file)
    assert suite.overrides == ("limits.steps=77",)
    with pytest.raises(InputError, match=r"nowhere\.toml"):
        load_suite([tmp_path / "nowhere.toml"], ["x"], 2)

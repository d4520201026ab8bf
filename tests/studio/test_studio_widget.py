from __future__ import annotations

import struct
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import anabasis
from anabasis.errors import InputError, MissingExtraError
from anabasis.grid import Grid
from anabasis.orders import execute, plan_groups
from anabasis.scenario import Group, Scenario, Target
from anabasis.studio import bundle, widget
from anabasis.studio.wire import Message, unpack
from anabasis.trace import Trace


@pytest.fixture
def player(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "widget.js").write_text("export default { render() {} }")
    monkeypatch.setattr(bundle, "STATIC", tmp_path)
    widget._player.cache_clear()


def _run() -> tuple[Scenario, Trace]:
    group = Group(np.array([[0.5, 0.5], [0.5, 2.5]]), Target(7.5, 3.5, 1.0), name="two")
    scenario = Scenario(Grid.from_text("........\n..@@....\n........\n........"), (group,), name="small")
    return scenario, execute(scenario, "astar", plan_groups(scenario, "astar", seed=0), seed=0)


def _messages(shown: Any) -> list[Message]:
    data, found = shown.data, []
    while data:
        (length,) = struct.unpack("<Q", data[:8])
        found.append(unpack(data[8 : 8 + length]))
        data = data[8 + length :]
    return found


@pytest.mark.usefixtures("player")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_run_is_shown_with_its_scenario_a_map_or_nothing() -> None:
    pytest.importorskip("anywidget")
    scenario, trace = _run()
    (draft, _), (run, arrays), *frames = _messages(anabasis.play(trace, scenario))
    assert draft["draft"]["scenario"]["map"]["text"].splitlines()[1] == "..@@...."
    assert run["targets"] == [[7.5, 3.5, 1.0]] and run["title"] == "small" and arrays["times"].size == trace.times.size
    assert sum(len(part["positions"]) for _, part in frames) == trace.times.size
    (draft, _), (run, _), *_ = _messages(anabasis.play(trace, scenario.grid, title="alone"))
    assert "@@" in draft["draft"]["scenario"]["map"]["text"] and run["targets"] == [] and run["title"] == "alone"
    (draft, _), *_ = _messages(anabasis.play(trace))
    rows = draft["draft"]["scenario"]["map"]["text"].splitlines()
    assert set("".join(rows)) == {"."} and len(rows[0]) >= trace.positions[..., 0].max()
    with pytest.raises(InputError, match="a run to play"):
        anabasis.play(scenario)  # type: ignore[arg-type]


@pytest.mark.usefixtures("player")
def test_without_anywidget_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "anywidget", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'anabasis\[notebook\]'"):
        anabasis.play(_run()[1])

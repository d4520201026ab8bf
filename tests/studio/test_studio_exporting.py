from __future__ import annotations

import base64
import io
import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageSequence

from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.io.scenario import load_scenario
from anabasis.orders import execute, plan_groups
from anabasis.scenario import Change, Group, Scenario, Target
from anabasis.studio import bundle, jobs
from anabasis.studio.channel import Channel
from anabasis.studio.documents import draft_of_scenario
from anabasis.studio.kept import Kept, messages_of
from anabasis.studio.moments import moment_scene, shown_of
from anabasis.studio.runs import say_run
from anabasis.studio.scenes import say_scene
from anabasis.studio.wire import head, unpack
from anabasis.studio.work import exporting
from anabasis.view.layers import Circles, Scene, Swatch, dots
from anabasis.view.scene import frame_scene

SCENARIO = Scenario(
    Grid.from_text("\n".join(["............"] * 6)),
    (
        Group(np.array([[1.5, 1.5], [1.5, 3.5]]), Target(10.5, 2.5, 1.0), name="a <b>"),
        Group(np.array([[10.5, 4.5]]), Target(1.5, 5.5, 1.0), name="c"),
    ),
    (Change(20, np.array([[6, 0], [6, 1]]), "@"),),
    name="small",
)


@pytest.fixture(scope="module")
def keep(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a kept job that has said a run and a scene."""
    kept = Kept(tmp_path_factory.mktemp("kept"))
    recording = kept.record()
    out = Channel("j", recording.write)
    trace = execute(SCENARIO, "astar", plan_groups(SCENARIO, "astar", seed=0), seed=0)
    mark = Swatch("marked", (9, 8, 7, 255), "dot")
    say_scene(out, "marks", Scene((0, 0, 12, 6), (dots([[6, 3]], 1.0, (9, 8, 7, 255)),), (mark,)))
    say_run(out, SCENARIO, trace, title="small, astar")
    kept.add("key", recording)
    with kept.folder("key") as folder:
        return folder


DRAFT = draft_of_scenario(SCENARIO)[0]


def exported(**args: Any) -> tuple[dict[str, Any], bytes]:
    sent: list[bytes] = []
    jobs.job("export").run({"draft": DRAFT, **args}, Channel("j", sent.append))
    messages = [message for message in map(unpack, sent) if message[0]["kind"] == "file"]
    assert [told["part"] for told, _ in messages] == list(range(messages[0][0]["parts"]))
    return messages[0][0], b"".join(arrays["data"].tobytes() for _, arrays in messages)


def test_a_moment_is_drawn_as_the_library_draws_it(keep: Path) -> None:
    trace = execute(SCENARIO, "astar", plan_groups(SCENARIO, "astar", seed=0), seed=0)
    shown = shown_of(messages_of(keep))
    for frame in (0, 30, shown.frames - 1):
        ours, theirs = moment_scene(shown, SCENARIO.grid, frame), frame_scene(SCENARIO.grid, SCENARIO, trace, frame)
        assert ours.title == theirs.title and ours.legend == theirs.legend
        assert np.array_equal(ours.layers[0].pixels, theirs.layers[0].pixels)  # type: ignore[union-attr]
        units, wanted = ours.layers[-2], next(layer for layer in theirs.layers[3:] if isinstance(layer, Circles))
        assert isinstance(units, Circles) and np.array_equal(units.colours, wanted.colours)
        assert np.allclose(units.centres, wanted.centres, atol=1e-5) and np.array_equal(units.radii, wanted.radii)
    over = moment_scene(shown, SCENARIO.grid, None, names=["marks"])
    assert over.legend[-1].label == "marked"
    with pytest.raises(InputError, match="no such overlay; found 'mark'; expected marks"):
        moment_scene(shown, SCENARIO.grid, 0, names=["mark"])


def test_pictures(keep: Path) -> None:
    told, data = exported(format="png", folder=str(keep), frame=10, size=300, name="a/../b ü<>.png")
    assert told["name"] == "a-..-b-ü-.png.png" and told["type"] == "image/png" and "/" not in told["name"]
    assert Image.open(io.BytesIO(data)).width == 300
    told, data = exported(format="svg", folder=str(keep), overlays=["marks"])
    assert data.startswith(b"<svg") and b"a &lt;b&gt;" in data and b"<b>" not in data and b"marked" in data
    alone, _ = exported(format="png")
    assert alone["name"] == "anabasis.png"
    with pytest.raises(InputError, match="nothing moves"):
        exported(format="gif")
    with pytest.raises(InputError, match=r"frame of a job; found 999999"):
        exported(format="png", folder=str(keep), frame=999_999)


def test_an_animation(keep: Path) -> None:
    told, data = exported(format="gif", folder=str(keep), first=5, last=40, most=6, size=200, rate=10)
    picture = Image.open(io.BytesIO(data))
    assert told["type"] == "image/gif" and picture.format == "GIF"
    assert sum(1 for _ in ImageSequence.Iterator(picture)) == 6


def test_large_files_come_in_parts(keep: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exporting, "_PART", 1000)
    told, data = exported(format="png", folder=str(keep))
    assert told["parts"] > 3 and Image.open(io.BytesIO(data)).format == "PNG"


def test_a_page_has_the_draft_and_what_was_said(keep: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "replay.js").write_text("play()")
    (tmp_path / "LICENSES.txt").write_text("")
    monkeypatch.setattr(bundle, "STATIC", tmp_path)
    told, data = exported(format="html", folders=[str(keep), str(keep)], name="small", shown=[["plan"], []])
    assert told["name"] == "small.html"
    raw = zlib.decompress(base64.b64decode(data.split(b'base64">')[1].split(b"<")[0]))
    heads = []
    while raw:
        (length,) = struct.unpack("<Q", raw[:8])
        heads.append(head(raw[8 : 8 + length]))
        raw = raw[8 + length :]
    kinds = [one["kind"] for one in heads]
    assert kinds == ["draft", *["scene", "run", "frames"] * 2, "overlays", "overlays"]
    assert [(one["job"], one["names"]) for one in heads[-2:]] == [("0", ["plan"]), ("1", [])]
    with pytest.raises(InputError, match="overlays of a replay"):
        exported(format="html", folders=[str(keep)], shown="plan")


def test_a_draft_is_a_file_that_opens_again(tmp_path: Path) -> None:
    draft = {**DRAFT, "ends": {"start": [1, 1], "goal": [2, 2]}}
    told, data = exported(format="draft", name="small <x>.scenario.toml", draft=draft)
    assert told["name"] == "small-x-.scenario.toml" and told["notes"] == ["start and goal of the one unit"]
    (tmp_path / told["name"]).write_bytes(data)
    again = load_scenario(tmp_path / told["name"])
    assert draft_of_scenario(again)[0] == DRAFT
    with pytest.raises(InputError, match=r"unknown kind of file.*expected a name in .*\.toml, "):
        exported(format="draft", name="small.exe")

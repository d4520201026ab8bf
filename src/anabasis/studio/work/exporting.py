"""Exports: what a job has shown, as a file to keep: a picture, an animation, or a page that plays by itself."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.options import check_choice
from anabasis.studio.asked import asked_count, asked_number, asked_word
from anabasis.studio.channel import Channel
from anabasis.studio.drafts import grid_of
from anabasis.studio.kept import messages_of
from anabasis.studio.moments import Shown, moment_scene, moments, shown_of
from anabasis.studio.replay import replay_html
from anabasis.studio.wire import for_job, head, pack
from anabasis.view.layers import Scene

__all__ = ["FORMATS", "run"]

FORMATS = {"png": "image/png", "svg": "image/svg+xml", "gif": "image/gif", "html": "text/html"}

_PART = 2**23  # bytes of a file in one message
_PLAYED = ("run", "frames", "scene", "search", "facts", "table")
_MOST_FRAMES = 300


def run(args: Mapping[str, Any], out: Channel) -> None:
    """Say a `file`: `draft`; `of`, the key of the job that was shown, or several, each a part of an HTML page.

    - png or svg, of one moment: `frame` (by default the last), `overlays` (names of scenes), `size` in pixels; svg is
      exactly `width` × `height` large if they are given;
    - gif: frames from `first` to `last`, at most `most` of them, `rate` a second, `overlays`, `size`;
    - html: all messages; without `of` the map alone. `shown`: for each job the names of the overlays that are shown at
      first, by default the usual ones;
    - draft: the draft in the format of `name`'s ending, as `saving.save_draft` writes it, but for a map beside it,
      which is a file to ask for by its own name; `notes` say what of the draft the one file does not hold.
    - name: of the file, without its ending but for a draft.

    Overlays that are no scenes of that job, since another one has made them, are left out.
    """
    kind = asked_word(args, "format", "png")
    check_choice(kind, "format of an export", (*FORMATS, "draft"))
    title = asked_word(args, "name", "anabasis")
    if kind == "draft":
        _say_file(out, _plain(title), "application/octet-stream", *_saved(args.get("draft"), _plain(title)))
        return
    folders = [args["folder"]] if "folder" in args else list(args.get("folders", ()))
    kept = [messages_of(Path(folder)) for folder in folders]
    data = _page(args, kept, title) if kind == "html" else _drawn(args, kind, kept, out)
    _say_file(out, f"{_plain(title)}.{kind}", FORMATS[kind], data)


def _page(args: Mapping[str, Any], kept: Sequence[Sequence[bytes]], title: str) -> bytes:
    grid_of(args.get("draft"))  # that it is a draft
    shown = args.get("shown", [])
    if not isinstance(shown, list) or not all(isinstance(names, list) for names in shown):
        raise InputError("overlays of a replay", where="shown", found=repr(shown)[:60], expected="lists of names")
    played = [
        for_job(message, f"{number}")
        for number, messages in enumerate(kept)
        for message in messages
        if head(message)["kind"] in _PLAYED
    ]
    played += [
        pack({"kind": "overlays", "job": f"{number}", "names": [str(name) for name in names]})
        for number, names in enumerate(shown[: len(kept)])
    ]
    return replay_html([pack({"kind": "draft", "job": "draft", "draft": args["draft"]}), *played], title)


def _saved(draft: object, name: str) -> tuple[bytes, list[str]]:
    """Return a draft as a file, and what of it that does not hold."""
    from anabasis.studio.saving import save_draft
    from anabasis.studio.workspace import files_of

    with TemporaryDirectory(prefix="anabasis-") as folder:
        file = Path(folder) / name
        notes = save_draft(draft, file)
        beside = [f"the map, which it reads from {other.name}" for other in files_of(file)[1:]]
        return file.read_bytes(), [*beside, *notes]


def _drawn(args: Mapping[str, Any], kind: str, kept: Sequence[Sequence[bytes]], out: Channel) -> bytes:
    grid = grid_of(args.get("draft"))
    shown = shown_of(kept[0]) if kept else Shown()
    names = args.get("overlays", [])
    if not isinstance(names, list):
        raise InputError("overlays of an export", where="overlays", found=repr(names)[:60], expected="a list of names")
    names = [name for name in names if name in shown.scenes]
    if kind == "gif":
        return _animation(args, shown, grid, names, out)
    return _picture(args, kind, shown, grid, names)


def _animation(args: Mapping[str, Any], shown: Shown, grid: Grid, names: Sequence[str], out: Channel) -> bytes:
    from anabasis.view.raster import animate_scenes

    if shown.frames < 2:
        raise InputError("nothing moves", where="format", found="gif", expected="png or svg")
    size = asked_count(args, "size", 640, least=64, most=2000)
    first = asked_count(args, "first", 0, least=0, most=shown.frames - 1)
    last = asked_count(args, "last", shown.frames - 1, least=first, most=shown.frames - 1)
    most = asked_count(args, "most", 150, least=2, most=_MOST_FRAMES)
    rows = np.unique(np.round(np.linspace(first, last, min(most, last - first + 1))).astype(np.int64)).tolist()

    def drawn() -> Iterator[tuple[Scene, int]]:
        for number, scene in enumerate(moments(shown, grid, rows, names=names)):
            out.progress(number, len(rows), "frames drawn")
            yield _with_method(scene[0], shown), scene[1]

    buffer = io.BytesIO()
    animate_scenes(drawn(), buffer, pixels=size, rate=asked_number(args, "rate", 20.0, low=0.5, high=50.0))
    return buffer.getvalue()


def _picture(args: Mapping[str, Any], kind: str, shown: Shown, grid: Grid, names: Sequence[str]) -> bytes:
    from anabasis.view.raster import to_png
    from anabasis.view.svg import to_svg

    frame = None
    if shown.frames:
        frame = asked_count(args, "frame", shown.frames - 1, least=0, most=shown.frames - 1)
    scene = moment_scene(shown, grid, frame, names=names)
    scene = _with_method(scene, shown)
    size = asked_count(args, "size", 1000, least=64, most=4000)
    if kind == "svg":
        width = asked_count(args, "width", size, least=64, most=4000)
        height = asked_count(args, "height", None, least=64, most=4000) if "height" in args else None
        return to_svg(scene, width=width, height=height).encode()
    buffer = io.BytesIO()
    to_png(scene, buffer, pixels=size)
    return buffer.getvalue()


def _with_method(scene: Scene, shown: Shown) -> Scene:
    """Return a scene whose title begins with the method, as captions on the page do."""
    method = shown.run.get("method")
    return replace(scene, title=f"{method}, {scene.title}") if method else scene


def _say_file(out: Channel, name: str, kind: str, data: bytes, notes: Sequence[str] = ()) -> None:
    parts = max(1, -(-len(data) // _PART))
    for part in range(parts):
        piece = np.frombuffer(data[part * _PART : (part + 1) * _PART], np.uint8)
        out.say("file", {"name": name, "type": kind, "part": part, "parts": parts, "notes": list(notes)}, data=piece)


def _plain(title: str) -> str:
    """Return a title as a name of a file that every system takes."""
    return re.sub(r"[^\w.-]+", "-", title).strip("-.")[:80] or "anabasis"

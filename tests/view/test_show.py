"""Showing and saving: by suffix, in the notebook, in the browser, or by name; and nothing heavy is imported."""

from __future__ import annotations

import subprocess
import sys
import types

import pytest
from PIL import Image

from anabasis.errors import InputError
from anabasis.view import show as module
from anabasis.view.scene import map_scene
from anabasis.view.show import save_picture, show


def test_the_suffix_says_the_kind(tmp_path, grid):
    scene = map_scene(grid)
    assert save_picture(scene, tmp_path / "a.SVG", width=300).read_text(encoding="utf-8").startswith("<svg ")
    with Image.open(save_picture(scene, str(tmp_path / "a.png"), width=300)) as image:
        assert image.width <= 300
    for name in ("a.bmp", "a"):
        with pytest.raises(InputError, match=r"expected \.svg or \.png"):
            save_picture(scene, tmp_path / name)
    with pytest.raises(InputError, match="can't be written"):
        save_picture(scene, tmp_path / "no" / "a.svg")


def test_the_browser_opens_a_file(monkeypatch, capsys, grid):
    opened = []
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr(module.webbrowser, "open", lambda address: opened.append(address) or True)
    place = show(map_scene(grid))
    assert opened == [place.as_uri()]
    assert place.read_text(encoding="utf-8").startswith("<svg ")
    assert capsys.readouterr().out == ""
    place.unlink()


def test_without_a_screen_the_place_is_printed(monkeypatch, capsys, grid):
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(module.webbrowser, "open", lambda address: pytest.fail("no screen"))
    place = show(map_scene(grid))
    assert capsys.readouterr().out == f"picture: {place}\n"
    place.unlink()


def test_in_a_notebook_the_picture_is_displayed(monkeypatch, grid):
    shown = []
    ipython, display = types.ModuleType("IPython"), types.ModuleType("IPython.display")
    ipython.get_ipython = lambda: types.SimpleNamespace(kernel=object())
    display.SVG, display.display = str, shown.append
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    assert show(map_scene(grid)) is None
    assert shown[0].startswith("<svg ")


def test_scenes_import_nothing_heavy():
    code = (
        "import sys, anabasis.view.scene, anabasis.view.svg, anabasis.view.raster, anabasis.view.show\n"
        "print([m for m in ('PIL', 'matplotlib', 'scipy', 'numba', 'polars') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"

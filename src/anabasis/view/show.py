"""Show: put a picture before the user: in the notebook, in the browser, or in a file."""

from __future__ import annotations

import os
import sys
import tempfile
import webbrowser
from pathlib import Path

from anabasis.errors import InputError
from anabasis.io.atomic import write_atomic
from anabasis.view.layers import Scene
from anabasis.view.raster import to_png
from anabasis.view.svg import to_svg

__all__ = ["save_picture", "show"]


def save_picture(scene: Scene, path: str | Path, *, width: int | None = None) -> Path:
    """Write a scene as `.svg` or `.png`, by the suffix, at most `width` px wide (800 and 1000 by default)."""
    place = Path(path)
    suffix = place.suffix.lower()
    if suffix == ".png":
        to_png(scene, place, pixels=width or 1000)
    elif suffix == ".svg":
        write_atomic(place, to_svg(scene, width=width or 800).encode())
    else:
        raise InputError("kind of a picture", file=place, found=suffix or "no suffix", expected=".svg or .png")
    return place


def show(scene: Scene) -> Path | None:
    """Show a scene and return where its file is.

    In a notebook the picture appears under the cell and there is no file (None). Else it is written to a temporary
    SVG file, which the browser opens; without a screen its place is printed instead.
    """
    if _in_notebook():
        from IPython.display import SVG, display  # pyright: ignore[reportMissingImports]

        display(SVG(to_svg(scene)))
        return None
    handle, name = tempfile.mkstemp(prefix="anabasis-", suffix=".svg")
    os.close(handle)
    place = save_picture(scene, name)
    if not (_has_screen() and webbrowser.open(place.as_uri())):
        sys.stdout.write(f"picture: {place}\n")
    return place


def _in_notebook() -> bool:
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell is not None and hasattr(shell, "kernel")


def _has_screen() -> bool:
    if sys.platform in ("win32", "darwin"):
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))

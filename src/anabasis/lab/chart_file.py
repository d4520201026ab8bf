"""Charts as files, for print."""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from anabasis.lab.charts import need_matplotlib

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["chart_file"]


def chart_file(draw: Callable[[Figure], None], width: float, height: float, *, kind: str, salt: str) -> bytes:
    """Return what is drawn on a figure of that size, in inches, as a file of a kind: "png", "svg" or "pdf".

    The same drawing gives the same bytes; salt: text from which the names of an SVG's parts are made. Raises
    MissingExtraError without matplotlib.
    """
    need_matplotlib()
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    settings: dict[Any, Any] = {
        "svg.hashsalt": salt,
        "font.family": "DejaVu Sans",
        "font.size": 8.5,
        "axes.titlesize": 9.0,
        "pdf.fonttype": 42,
    }
    with matplotlib.rc_context(settings), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")  # names may be in any script: it is a box then
        figure = Figure(figsize=(width, height), layout="constrained")
        FigureCanvasAgg(figure)
        draw(figure)
        buffer = io.BytesIO()
        nothing: dict[str, Any] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(kind, {})
        figure.savefig(buffer, format=kind, dpi=300, metadata=nothing)
    return buffer.getvalue()

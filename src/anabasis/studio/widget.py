"""The player in a notebook: `anabasis.play(trace, scenario)` shows a run where it was computed."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from anabasis.errors import MissingExtraError
from anabasis.gamemap import GameMap
from anabasis.grid import Grid
from anabasis.options import check_kind
from anabasis.scenario import Scenario
from anabasis.studio.bundle import bundled
from anabasis.studio.documents import draft_of_map, draft_of_scenario
from anabasis.studio.replay import played
from anabasis.studio.wire import framed
from anabasis.trace import Trace

__all__ = ["play"]


def play(trace: Trace, ground: Scenario | Grid | GameMap | None = None, *, title: str = "") -> Any:
    """Return a player of a run for a notebook, which shows it as the last value of a cell does.

    ground: the scenario of the run, with its map, targets and changes, or a map alone; without it units go on empty
    ground. The player's data is in the notebook when it is saved with its widgets. Raises MissingExtraError without
    anywidget, InputError where the studio's player is not built in.
    """
    check_kind(trace, Trace, "a run to play")
    if ground is not None:
        check_kind(ground, (Scenario, Grid, GameMap), "the ground of a run")
    scenario = ground if isinstance(ground, Scenario) else None
    if scenario is not None:
        draft, _ = draft_of_scenario(scenario)
    else:
        draft, _ = draft_of_map(_empty(trace) if ground is None else ground, title)  # type: ignore[arg-type]
    named = title or (scenario.name if scenario is not None else "")
    messages = played(draft, trace, scenario, title=named)
    return _player()(data=b"".join(map(framed, messages)))


def _empty(trace: Trace) -> Grid:
    """Return a map without walls on which all that happens has room."""
    most = trace.positions.reshape(-1, 2).max(axis=0, initial=1.0)
    width, height = (max(1, int(np.ceil(side + 1))) for side in most.tolist())
    return Grid.from_free(np.ones((height, width), bool))


@cache
def _player() -> Any:
    """Return the class of the widget."""
    try:
        import anywidget
        import traitlets
    except ImportError:
        raise MissingExtraError("anywidget", "notebook") from None
    library: Any = anywidget
    traits: Any = traitlets

    class Player(library.AnyWidget):
        """A run that is played; `data` are messages, each with its length before it."""

        _esm = bundled("widget.js")
        data = traits.Bytes(b"").tag(sync=True)

    return Player

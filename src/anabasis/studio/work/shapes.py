"""Job `shape`: where the units of a formation stand, so that the page can draw one before it is placed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from anabasis.formation.shapes import schema_of
from anabasis.studio.channel import Channel

__all__ = ["run"]


def run(args: Mapping[str, Any], out: Channel) -> None:
    """Say a `shape`: `places` float32[n, 2] at spacing 1 for a march to the north, the leader at (0, 0).

    args: shape and units. Raises InputError for an unknown shape or a wrong number.
    """
    schema = schema_of(args.get("shape", ""), args.get("units", 0), spacing=1.0)
    out.say("shape", places=schema.places.astype(np.float32))

"""Job `shape`: where the units of a formation stand, so that the page can draw one before it is placed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from anabasis.formation.shapes import schema_of
from anabasis.studio.channel import Channel

__all__ = ["run"]


def run(args: Mapping[str, Any], out: Channel) -> None:
    """Say a `shape`: `places` float32[n, 2] for a march to the north, the leader at (0, 0).

    args: shape, units, and area, without which the spacing is 1. Raises InputError for an unknown shape, a wrong number
    or a wrong area.
    """
    area = args.get("area")
    schema = schema_of(args.get("shape", ""), args.get("units", 0), spacing=None if area else 1.0, area=area)
    out.say("shape", places=schema.places.astype(np.float32))

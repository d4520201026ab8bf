"""Generating: a map made by a generator of the table, as text that a draft can have."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import numpy as np

from anabasis.generators import generate, generator
from anabasis.io.text import grid_text
from anabasis.studio.asked import asked_count, asked_seed, asked_table, asked_word
from anabasis.studio.channel import Channel
from anabasis.studio.facts import say_facts
from anabasis.studio.scenes import say_scene
from anabasis.view.game_maps import site_scene

__all__ = ["MOST_SIDE", "run"]

MOST_SIDE = 2048
"""Cells of a side of a map that is made in the studio."""


def run(args: Mapping[str, Any], out: Channel) -> None:
    """Make a map: `generator`, `width`, `height`, `seed`, `parameters`."""
    name = asked_word(args, "generator")
    row = generator(name)
    width = asked_count(args, "width", 64, least=row.least, most=MOST_SIDE)
    height = asked_count(args, "height", width, least=row.least, most=MOST_SIDE)
    values = row.values(asked_table(args, "parameters"))
    out.progress(0, 0, "making the map")
    begin = time.perf_counter()
    made = generate(name, width, height, seed=asked_seed(args), **values)
    seconds = time.perf_counter() - begin
    grid = made.grid()
    head = {
        "text": grid_text(grid),
        "width": made.width,
        "height": made.height,
        "notes": list(made.notes),
    }
    out.say("map", head)
    if made.sites:
        say_scene(out, "sites", site_scene(made))
    say_facts(
        out,
        f"Map by {name}",
        [
            ("cells", made.width * made.height),
            ("free on land", float(grid.free.mean())),
            ("sites", len(made.sites)),
            ("kinds of terrain", len(np.unique(made.terrain))),
            *(("note", note) for note in made.notes),
            ("making it", seconds, "seconds"),
        ],
    )

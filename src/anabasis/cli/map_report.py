"""What is told of a generated map: to people in lines and a table, to programs as data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from anabasis.cli.output import Output, counted

if TYPE_CHECKING:
    from anabasis.gamemap import GameMap

__all__ = ["report", "summary_of"]

_WIDE = 4  # players that have a column each


def summary_of(made: GameMap) -> dict[str, Any]:
    """Return what there is to say of a map."""
    from collections import Counter

    import numpy as np

    from anabasis.maps.worlds.settling import fairness_of
    from anabasis.movement import TERRAIN_NAMES
    from anabasis.noun import state_hash

    codes, counts = np.unique(made.terrain, return_counts=True)
    order = np.argsort(-counts, kind="stable")
    recipe, fairness = made.recipe, fairness_of(made)
    return {
        "generator": None if recipe is None else recipe.generator,
        "seed": None if recipe is None else recipe.seed,
        "parameters": None if recipe is None else dict(recipe.parameters),
        "width": made.width,
        "height": made.height,
        "terrain": {TERRAIN_NAMES[chr(codes[i])]: float(counts[i]) / made.terrain.size for i in order},
        "sites": dict(Counter(site.kind for site in made.sites)),
        "starts": [(site.x, site.y) for site in made.places("start")],
        "fairness": {}
        if fairness is None
        else {
            one.name: {"values": one.values.tolist(), "spread": one.spread, "tolerance": one.tolerance}
            for one in fairness.criteria
        },
        "notes": list(made.notes),
        "hash": state_hash(made),
    }


def report(output: Output, made: GameMap, summary: dict[str, Any]) -> None:
    """Tell of a map what a person asks first: what it is, what it is made of, how fair it is, what was changed."""
    output.say(f"{summary['generator']}, seed {summary['seed']}: {made.width} × {made.height} cells")
    output.say(", ".join(f"{name} {_percent(share)}" for name, share in summary["terrain"].items()))
    if summary["sites"]:
        output.say(", ".join(counted(number, kind) for kind, number in summary["sites"].items()))
    starts = [f"{x},{y}" for x, y in summary["starts"]]
    few = len(starts) <= _WIDE
    for number, start in enumerate(starts if not few or len(starts) == 1 else (), 1):
        output.say(f"player {number} starts at {start}")
    if summary["fairness"]:
        columns = [f"player {number + 1}" for number in range(len(starts))] if few else ["least", "most"]
        rows = [["start", *starts, "", ""]] if few else []
        for name, one in summary["fairness"].items():
            values = one["values"] if few else (min(one["values"]), max(one["values"]))
            spread = [f"{one['spread']:.1%}", f"{one['tolerance']:.0%}"]
            rows.append([name, *(f"{value:,.0f}" for value in values), *spread])
        output.table(["who has what", *columns, "spread", "at most"], rows)
    for note in made.notes:
        output.say(note)


def _percent(share: float) -> str:
    return f"{share:.1%}" if share >= 0.0005 else "<0.1%"

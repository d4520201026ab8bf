"""Widths of units and of ways: whether units were left behind because they are too wide for the map."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from anabasis.cli.output import counted

if TYPE_CHECKING:
    from anabasis.grid import Grid
    from anabasis.scenario import Scenario
    from anabasis.trace import Trace

__all__ = ["too_wide", "too_wide_text"]

_MOST_CELLS = 2**22  # on a larger map the widest ways take longer than a look is worth
_HAIR = 1e-9


def too_wide(scenario: Scenario, trace: Trace) -> list[dict[str, Any]]:
    """Return for each group that left units behind how wide they are, and how wide their widest way and the gates are.

    Groups are left out if no way from where they stood at first and no gate of the map is narrower than the units.
    units: of those left behind, how many have no way that is as wide as they are. narrow, gates: how many of how many
    gates are narrower, and narrowest, the width of the narrowest. The map is as it was in the end.
    """
    import numpy as np

    from anabasis.decompose.regions import decompose
    from anabasis.metrics.widths import widest_ways

    found: list[dict[str, Any]] = []
    if scenario.grid.free.size > _MOST_CELLS:
        return found
    for number, group in enumerate(scenario.groups):
        left = trace.arrival[trace.group == number] < 0
        if not left.any():
            continue
        grid = _in_the_end(scenario, trace, group.movement)
        ways = widest_ways(grid, group.positions[left], group.target, radius=group.radius)
        gates, width = decompose(grid).width, 2.0 * group.radius
        narrow = gates < width - _HAIR
        if not ways.any() or not ((ways < width - _HAIR).any() or narrow.any()):
            continue  # walls part all of them from the target, or there is room everywhere
        found.append(
            {
                "group": group.name or f"group {number}",
                "width": width,
                "units": int(np.count_nonzero((ways > 0) & (ways < width - _HAIR))),
                "widest_way": float(ways.max()),
                "gates": gates.size,
                "narrow": int(np.count_nonzero(narrow)),
                "narrowest": float(gates.min()) if gates.size else None,
            }
        )
    return found


def too_wide_text(group: dict[str, Any]) -> str:
    """Return what `too_wide` tells of one group as a sentence."""
    cells = f"{group['width']:.3g} cells wide"
    if group["units"]:
        way = f"the widest way from there to the target is {group['widest_way']:.3g} wide"
        return f"too wide: {counted(group['units'], 'unit')} of {group['group']}, each {cells}; {way}"
    narrow, gates = group["narrow"], group["gates"]
    those = f"{narrow} of the {gates} gates" if gates > 1 else "the gate"
    return (
        f"perhaps too wide: the units of {group['group']} are {cells}, and {those} of the map"
        f" {'is' if narrow == 1 else 'are'} narrower, down to {group['narrowest']:.3g}; there is a way"
        f" {group['widest_way']:.3g} wide, but only flow methods heed widths"
    )


def _in_the_end(scenario: Scenario, trace: Trace, movement: str) -> Grid:
    """Return the map as a movement class sees it after the last step of a run."""
    grid = scenario.grid.with_movement(movement)
    for change in scenario.changes:
        if change.step <= trace.steps:
            grid = grid.with_terrain(change.cells, change.letter, movement)
    return grid

"""Water: rivers and lakes from heights, rivers over levels, bends, fords and bridges."""

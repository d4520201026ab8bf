"""The earlier place of `bound.grid.grid_bound`, where the self-check still looks for it."""

from anabasis.bound.grid import grid_bound

__all__ = ["grid_bound"]

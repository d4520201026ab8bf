"""Quickest: the least time in which n units can flow through a network, a proved lower bound for any set of routes.

Why it is one. A set of routes that can be used at once, of rates p and times t, delivers at most the sum of p · max(0,
T - t) / period up to step T. Only routes with t < T count, and for these the sum of p · (T - t) is T · |f| less the
cost of their flow f. So no set delivers more than V(T) / period, where V(T) is the most that T · |f| - cost(f) can be
for any flow f. V(T) is what any flow over time can bring to the sink within T, since a greatest one repeats one flow
as long as it is in time (L. R. Ford, D. R. Fulkerson, "Constructing maximal dynamic flows from static flows", 1958).
The most is reached by all successive shortest augmentations of length below T, as each adds amount · (T - length), and
lengths grow; so V(T) is the sum of amount · max(0, T - length) over the augmentations. V grows with T, and the least T
with V(T) ≥ n · period is the time of a quickest flow (R. E. Burkard, K. Dlaska, B. Klinz, "The quickest flow problem",
1993; it takes no longer than one flow of least cost: M. Lin, P. Jaillet, "On the quickest flow problem in dynamic
networks", 2015).

What it falls short by is rounding alone. The flow that is best for T is the sum of a set of successive shortest routes,
and such a set delivers V(T) / period if parts of units count; but only whole units count, on each route by itself.
"""

from __future__ import annotations

from anabasis.errors import InputError
from anabasis.flow.distribution import fluid_steps
from anabasis.flow.residual import Residual
from anabasis.network import PERIOD, FlowNetwork

__all__ = ["quickest_time"]


def quickest_time(network: FlowNetwork, units: int, *, period: int = PERIOD) -> int | None:
    """Return the least number of steps in which `units` can get from source to sink, None if there is no way.

    It is exact for flows over time in which parts of units count, and so a lower bound for every distribution of units
    over routes that can be used at once. Raises InputError for a number of units below 0 or a period below 1.
    """
    if units < 0 or period < 1:
        raise InputError("units and period", found=f"{units}, {period}", expected="at least 0 and 1")
    if units == 0:
        return 0
    lengths: list[int] = []
    amounts: list[int] = []
    steps: int | None = None
    for found in Residual(network).augmentations():
        if steps is not None and found.length >= steps:
            break  # it comes too late to help, and so do all that follow
        lengths.append(found.length)
        amounts.append(found.amount)
        steps = fluid_steps(lengths, amounts, units, period=period)
    return steps

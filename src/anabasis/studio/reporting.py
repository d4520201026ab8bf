"""Reporting: what the page is told of a live run: the plan, frames, counters, and sentences on what was understood.

Whatever the page can draw, the run keeps its pace: of its frames at most two are on the way, and those in between are
left out.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from anabasis.campaign import Campaign
from anabasis.orders import carried_out
from anabasis.scenario import UnitOrder
from anabasis.studio.channel import Channel
from anabasis.studio.facts import counted
from anabasis.studio.pace import Pace
from anabasis.studio.runs import changes_of, say_run
from anabasis.studio.scenes import say_scene
from anabasis.trace import Cause, Ending, Event, UnitState
from anabasis.view.plans import plan_scene

__all__ = ["FRAMES_ON_THE_WAY", "STUCK_AFTER", "Reporter"]

FRAMES_ON_THE_WAY = 2
"""So many frames may be said and not yet drawn."""

STUCK_AFTER = 100
"""Steps without getting on after which a unit counts as stuck."""

_COUNTED_EVERY = 0.25  # seconds
_ENDED = {
    Ending.ALL_DONE: "all units have arrived or were removed",
    Ending.STEP_LIMIT: "the limit of steps is reached",
    Ending.STALL: "nobody gets on any more",
}


class Reporter:
    """Says what there is to be seen of a live run, and knows what of it the page has."""

    def __init__(self, campaign: Campaign, pace: Pace, out: Channel, numbers: Sequence[int]) -> None:
        self._numbers = numbers  # of the groups, in the draft
        self._campaign, self._pace, self._out = campaign, pace, out
        self._on_the_way: list[int] = []  # numbers of frames that are not drawn yet
        self._shown_state: tuple[int, str] | None = None  # what the last frame showed
        self._counted, self._rate = 0.0, (0.0, 0)
        self._awaited: list[int] = []  # steps in which orders are carried out

    def begin(self, method: str) -> None:
        """Say the run at rest, and the plan."""
        scenario, trace = self._campaign.scenario, self._campaign.trace()
        head = {"live": True, "method": method, "steps": scenario.limits.steps}
        title = f"{scenario.name or 'scenario'}, {method}"
        say_run(self._out, scenario, trace, title=title, head=head, numbers=self._numbers)
        self._on_the_way.append(0)
        self._shown_state = self._state()
        grid = scenario.grid.with_movement(scenario.groups[0].movement)
        plans = carried_out(scenario, self._campaign.plans)
        scene = plan_scene(grid, scenario, plans, title=f"plan of {method}", ends=False)
        say_scene(self._out, "plan", scene, grid=grid)
        self.count()

    def go_on(self) -> None:
        """Say what can be seen of the steps that were made, if the page can take it."""
        self._tell_of_orders()
        self._frame()
        if self._pace.playing and time.monotonic() >= self._counted + _COUNTED_EVERY:
            self.count()

    def shown(self, number: Any) -> None:
        """Take it that a frame was drawn, and with it all that were said before."""
        if number in self._on_the_way:
            del self._on_the_way[: self._on_the_way.index(number) + 1]

    def tell(self, text: str) -> None:
        """Say what was understood, and all changes of the map as they are now known."""
        changes = changes_of(self._campaign.scenario)
        self._out.say("told", {"step": self._campaign.now, "text": text, "changes": changes})
        self.count()

    def await_order(self, order: UnitOrder) -> None:
        """Say of an order, when it is carried out, how many units could not obey."""
        self._awaited.append(order.step)

    def count(self) -> None:
        """Say how the run stands."""
        run, now, pace = self._campaign.run, time.monotonic(), self._pace
        units = run.units
        under_way = units.state <= UnitState.LOST
        seconds = now - self._rate[0]
        rate = max(0.0, (run.now - self._rate[1]) / seconds) if pace.playing and seconds > 0 else 0.0
        self._counted, self._rate = now, (now, run.now)
        self._out.say(
            "counters",
            {
                "step": run.now,
                "units": units.state.size,
                "under_way": int(np.count_nonzero(under_way)),
                "arrived": int(np.count_nonzero(units.state == UnitState.ARRIVED)),
                "removed": int(np.count_nonzero(units.state == UnitState.REMOVED)),
                "lost": int(np.count_nonzero(units.state == UnitState.LOST)),
                "stuck": int(np.count_nonzero(under_way & (units.idle >= STUCK_AFTER))),
                "unit_collisions": int(units.unit_collisions.sum()),
                "wall_collisions": int(units.wall_collisions.sum()),
                "replans": int(units.replans.sum()),
                "playing": pace.playing,
                "speed": None if math.isinf(pace.speed) else pace.speed,
                "rate": round(rate, 1),
                "ended": None if run.ending is None else _ENDED[run.ending],
                "hash": self._campaign.hash,
            },
        )

    def _tell_of_orders(self) -> None:
        """Say of orders that have been carried out how many units could not obey."""
        due = [step for step in self._awaited if step <= self._campaign.now]
        self._awaited = [step for step in self._awaited if step > self._campaign.now]
        for order in self._campaign.orders:
            if order.step in due:
                units = set(order.units.tolist())
                obeyed = sum(
                    step == order.step and cause == Cause.ORDER and kind == Event.REPLANNED and unit in units
                    for step, kind, unit, cause in self._campaign.run.recording.events
                )
                if obeyed < len(units):
                    left = counted(len(units) - obeyed, "unit")
                    text = f"{left} of {len(units)} have no way there, or are done already"
                    self._out.say("told", {"step": self._campaign.now, "text": text})

    def _frame(self) -> None:
        """Say where everybody is, unless the page has that or has not drawn what it was sent."""
        state = self._state()
        if state == self._shown_state or len(self._on_the_way) >= FRAMES_ON_THE_WAY:
            return
        units = self._campaign.run.units
        self._on_the_way.append(self._campaign.now)
        self._shown_state = state
        self._out.say(
            "frames",
            {"first": self._campaign.now},
            positions=units.position[None].astype(np.float32),
            headings=np.arctan2(units.facing[None, :, 1], units.facing[None, :, 0]).astype(np.float32),
            state=units.state[None],
            speed=np.hypot(*units.velocity.T)[None].astype(np.float32),
        )

    def _state(self) -> tuple[int, str]:
        units = self._campaign.run.units
        return self._campaign.now, f"{self._campaign.hash} {np.count_nonzero(units.state == UnitState.REMOVED)}"

"""Live: a simulation that goes on while somebody watches, and does what it is told.

It keeps its pace whatever the page can draw: of its frames at most two are on the way, and those in between are left
out. What it was told is kept, so that the same run can be had again (`orders`).
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from anabasis.campaign import Campaign, told_data, told_of
from anabasis.errors import InputError
from anabasis.methods import method as method_row
from anabasis.metrics.traces import trace_faults
from anabasis.orders import carried_out
from anabasis.scenario import Target
from anabasis.studio.asked import asked_count, asked_number, asked_seed, asked_word
from anabasis.studio.channel import Channel
from anabasis.studio.drafts import scenario_of
from anabasis.studio.hearing import Word, obey, told_place, told_places
from anabasis.studio.requests import asked_method
from anabasis.studio.runs import say_run
from anabasis.studio.scenes import say_scene
from anabasis.studio.work.groups import say_results
from anabasis.studio.work.why import say_why
from anabasis.trace import Cause, Ending, Event, UnitState
from anabasis.view.plans import plan_scene

__all__ = ["FRAMES_ON_THE_WAY", "STUCK_AFTER", "run"]

FRAMES_ON_THE_WAY = 2
"""So many frames may be said and not yet drawn."""

STUCK_AFTER = 100
"""Steps without getting on after which a unit counts as stuck."""

_AT_ONCE = 0.03  # seconds of simulation between two looks at what was told
_COUNTED_EVERY = 0.25  # seconds
_MOST_STEPS = 100_000  # of one word
_ENDED = {
    Ending.ALL_DONE: "all units have arrived or were removed",
    Ending.STEP_LIMIT: "the limit of steps is reached",
    Ending.STALL: "nobody gets on any more",
}


def run(args: Mapping[str, Any], out: Channel) -> None:
    """Simulate `draft` by `method` with `seed`, as told; `orders`: what an earlier run was told, to be told again."""
    scenario = scenario_of(args.get("draft"))
    name, seed = asked_method("group", args), asked_seed(args, scenario.seed)
    method_row("group", name)
    rows = args.get("orders") or []
    if not isinstance(rows, list):
        raise InputError("orders of a live run", where="orders", found=type(rows).__name__, expected="a list")
    told = told_of(cast("list[dict[str, Any]]", rows))
    out.progress(0, 0, "planning")
    live = _Live(Campaign(scenario, name, seed=seed, told=told), name, seed, out)
    while not live.over:
        word = out.listen(live.pause)
        while word is not None:
            live.hear(word)
            word = None if live.over else out.heard()
        live.go_on()


class _Live:
    """A run, its pace, and what the page has been told of it."""

    def __init__(self, campaign: Campaign, method: str, seed: int, out: Channel) -> None:
        self.campaign, self.out, self.over = campaign, out, False
        self._method, self._seed = method, seed
        self._playing, self._speed = False, 50.0
        self._began, self._made = 0.0, 0  # of the pace: when it was set, and the steps since
        self._on_the_way: list[int] = []  # numbers of frames that are not drawn yet
        self._shown_state: tuple[int, str] | None = None  # what the last frame showed
        self._counted, self._rate = 0.0, (0.0, 0)
        self._awaited: list[int] = []  # steps in which orders are carried out
        self._acts = {
            "play": self._play,
            "pause": self._stand,
            "step": lambda word: self._move(asked_count(word, "steps", 1, least=1, most=_MOST_STEPS)),
            "back": lambda word: self._move(-asked_count(word, "steps", 1, least=1, most=_MOST_STEPS)),
            "go": self._go,
            "order": self._order,
            "change": self._change,
            "remove": self._remove,
            "why": self._why,
            "record": lambda word: self._record(),
            "stop": self._stop,
            "shown": self._shown,
        }
        scenario, trace = campaign.scenario, campaign.trace()
        title = f"{scenario.name or 'scenario'}, {method}"
        say_run(
            out, scenario, trace, title=title, head={"live": True, "method": method, "steps": scenario.limits.steps}
        )
        self._on_the_way.append(0)
        self._shown_state = self._state()
        grid = scenario.grid.with_movement(scenario.groups[0].movement)
        plans = carried_out(scenario, campaign.plans)
        say_scene(out, "plan", plan_scene(grid, scenario, plans, title=f"plan of {method}", ends=False), grid=grid)
        self._count()

    @property
    def pause(self) -> float:
        """For how many seconds there is nothing to do but to listen."""
        if not self._playing:
            return 1.0
        if math.isinf(self._speed):
            return 0.0
        return min(max(self._began + (self._made + 1) / self._speed - time.monotonic(), 0.0), _COUNTED_EVERY)

    def hear(self, word: Word) -> None:
        """Do what was told."""
        obey(self.out, word, self._acts)

    def go_on(self) -> None:
        """Make the steps that are due, and say what can be seen of them."""
        if self.over:
            return
        if self._playing:
            until = time.monotonic() + _AT_ONCE
            due = self._due()
            while self._made + 1 <= due and time.monotonic() < until and self.campaign.run.ending is None:
                self.campaign.step()
                self._made += 1
            if self._made + 1 <= due and not math.isinf(due):  # too fast for this machine: what was missed is missed
                self._pace(playing=True)
            if self.campaign.run.ending is not None:
                self._stand({})
        self._tell_of_orders()
        self._frame()
        if self._playing and time.monotonic() >= self._counted + _COUNTED_EVERY:
            self._count()

    def _due(self) -> float:
        """Return how many steps should have been made since the pace was set."""
        return self._speed if math.isinf(self._speed) else (time.monotonic() - self._began) * self._speed

    def _pace(self, *, playing: bool) -> None:
        """Go on from now at the pace that is set, or stand."""
        self._playing, self._began, self._made = playing, time.monotonic(), 0

    def _play(self, word: Word) -> None:
        if word.get("speed", self._speed) is None:
            self._speed = math.inf
        else:
            self._speed = asked_number(word, "speed", min(self._speed, 1e6), low=0.01, high=1e6)
        self._pace(playing=self.campaign.run.ending is None)
        self._count()

    def _stand(self, word: Word) -> None:
        self._pace(playing=False)
        self._count()

    def _move(self, steps: int) -> None:
        """Go so many steps on or back, and stand there."""
        self._pace(playing=False)
        self.campaign.go(max(0, self.campaign.now + steps))
        self._count()

    def _go(self, word: Word) -> None:
        self._move(asked_count(word, "to", None, least=0, most=_MOST_STEPS * 100) - self.campaign.now)

    def _order(self, word: Word) -> None:
        """Send units to a place, by way of others."""
        units = self._units(word)
        own = self.campaign.run.orders.target(self.campaign.scenario, self.campaign.run.units, int(units[0]))
        radius = asked_number(word, "radius", own.radius, low=0.1, high=1e6)
        x, y = told_place(word, "target")
        stops = [Target(a, b, radius) for a, b in told_places(word, "through").tolist()]
        order = self.campaign.order(units, [*stops, Target(x, y, radius)])
        self._awaited.append(order.step)
        self._told(f"{_units(len(units))} shall go to ({x:g}, {y:g})" + (f" by {_stops(len(stops))}" if stops else ""))

    def _change(self, word: Word) -> None:
        """Change the terrain of cells, now or at a step to come."""
        cells = told_places(word, "cells")
        if not len(cells):
            raise InputError("cells of a change", where="cells", found="none", expected="one or more")
        letter = asked_word(word, "terrain")
        now = self.campaign.now
        step = None if word.get("step") is None else asked_count(word, "step", None, least=now + 1, most=2**31)
        self.campaign.change(np.floor(cells).astype(np.int64), letter, step)
        when = "from the next step on" if step is None else f"from step {step} on"
        self._told(f"{len(cells)} {'cell is' if len(cells) == 1 else 'cells are'} “{letter}” {when}")

    def _remove(self, word: Word) -> None:
        """Take units out of the run."""
        units = self._units(word)
        self.campaign.remove(units)
        self._told(f"{_units(len(units))} taken out")

    def _units(self, word: Word) -> NDArray[np.int64]:
        """Return the units that a word is for, by their numbers or all of a group."""
        size, groups = self.campaign.scenario.size, len(self.campaign.scenario.groups)
        if word.get("group") is not None:
            group = asked_count(word, "group", None, least=0, most=groups - 1)
            return np.flatnonzero(self.campaign.run.units.group == group)
        value: object = word.get("units")
        units = cast("list[object]", value) if isinstance(value, list) else []
        whole = all(isinstance(unit, int) and not isinstance(unit, bool) and 0 <= unit < size for unit in units)
        if not units or not whole:
            expected = f"a list of numbers from 0 to {size - 1}, or a group"
            raise InputError("units of a word", where="units", found=repr(value)[:100], expected=expected)
        return np.array(units, np.int64)

    def _why(self, word: Word) -> None:
        unit = asked_count(word, "unit", None, least=0, most=self.campaign.scenario.size - 1)
        say_why(self.out, self.campaign, unit, self.campaign.places(unit))

    def _record(self) -> None:
        head = {"orders": told_data(self.campaign.told), "method": self._method, "seed": self._seed}
        self.out.say("orders", {**head, "step": self.campaign.now, "hash": self.campaign.hash})

    def _stop(self, word: Word) -> None:
        self._stand(word)
        self._record()
        scenario, trace = self.campaign.scenario, self.campaign.trace()
        faults = [str(fault) for fault in trace_faults(scenario, trace, orders=self.campaign.orders)]
        say_results(self.out, scenario, self.campaign.plans, trace, faults)
        self.over = True

    def _shown(self, word: Word) -> None:
        """A frame was drawn, and with it all that were said before."""
        number = word.get("number")
        if number in self._on_the_way:
            del self._on_the_way[: self._on_the_way.index(cast("int", number)) + 1]

    def _told(self, text: str) -> None:
        """Say what was understood, and all changes of the map as they are now known."""
        changes = [
            {"step": change.step, "terrain": change.letter, "cells": change.cells.tolist()}
            for change in self.campaign.scenario.changes
        ]
        self.out.say("told", {"step": self.campaign.now, "text": text, "changes": changes})
        self._count()

    def _tell_of_orders(self) -> None:
        """Say of orders that have been carried out how many units could not obey."""
        due = [step for step in self._awaited if step <= self.campaign.now]
        self._awaited = [step for step in self._awaited if step > self.campaign.now]
        for order in self.campaign.orders:
            if order.step in due:
                units = set(order.units.tolist())
                obeyed = sum(
                    step == order.step and cause == Cause.ORDER and kind == Event.REPLANNED and unit in units
                    for step, kind, unit, cause in self.campaign.run.recording.events
                )
                if obeyed < len(units):
                    left = len(units) - obeyed
                    why = "have no way there, or are done already"
                    self.out.say("told", {"step": self.campaign.now, "text": f"{_units(left)} of {len(units)} {why}"})

    def _state(self) -> tuple[int, str]:
        units = self.campaign.run.units
        return self.campaign.now, f"{self.campaign.hash} {np.count_nonzero(units.state == UnitState.REMOVED)}"

    def _frame(self) -> None:
        """Say where everybody is, unless the page has that or has not drawn what it was sent."""
        state = self._state()
        if state == self._shown_state or len(self._on_the_way) >= FRAMES_ON_THE_WAY:
            return
        units = self.campaign.run.units
        self._on_the_way.append(self.campaign.now)
        self._shown_state = state
        self.out.say(
            "frames",
            {"first": self.campaign.now},
            positions=units.position[None].astype(np.float32),
            headings=np.arctan2(units.facing[None, :, 1], units.facing[None, :, 0]).astype(np.float32),
            state=units.state[None],
        )

    def _count(self) -> None:
        """Say how the run stands."""
        run, now = self.campaign.run, time.monotonic()
        units = run.units
        under_way = units.state <= UnitState.LOST
        seconds = now - self._rate[0]
        rate = max(0.0, (run.now - self._rate[1]) / seconds) if self._playing and seconds > 0 else 0.0
        self._counted, self._rate = now, (now, run.now)
        self.out.say(
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
                "playing": self._playing,
                "speed": None if math.isinf(self._speed) else self._speed,
                "rate": round(rate, 1),
                "ended": None if run.ending is None else _ENDED[run.ending],
                "hash": self.campaign.hash,
            },
        )


def _units(count: int) -> str:
    return f"{count} unit{'' if count == 1 else 's'}"


def _stops(count: int) -> str:
    return f"{count} stop{'' if count == 1 else 's'} on the way"

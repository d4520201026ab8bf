"""Live: a simulation that goes on while somebody watches, and does what it is told.

What it was told is kept, so that the same run can be had again (`orders`). `reporting` says what the page sees of it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from anabasis.campaign import Campaign, told_data, told_of
from anabasis.errors import InputError
from anabasis.methods import method as method_row
from anabasis.metrics.traces import trace_faults
from anabasis.scenario import Target
from anabasis.studio.asked import asked_count, asked_number, asked_seed, asked_word
from anabasis.studio.channel import Channel
from anabasis.studio.drafts import numbers_of, scenario_of
from anabasis.studio.facts import counted
from anabasis.studio.hearing import Word, obey, told_place, told_places
from anabasis.studio.pace import Pace
from anabasis.studio.reporting import Reporter
from anabasis.studio.requests import asked_method
from anabasis.studio.work.groups import say_left_out, say_outcome
from anabasis.studio.work.why import say_why

__all__ = ["run"]

_AT_ONCE = 0.03  # seconds of simulation between two looks at what was told
_LONGEST_PAUSE = 0.25  # seconds for which a run that plays waits for words
_MOST_STEPS = 100_000  # of one word


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
    live = _Live(Campaign(scenario, name, seed=seed, told=told), name, seed, out, numbers_of(args.get("draft")))
    say_left_out(out, args.get("draft"))
    while not live.over:
        word = out.listen(live.pause)
        while word is not None:
            live.hear(word)
            word = None if live.over else out.heard()
        live.go_on()


class _Live:
    """A run, its pace, and what each word means to them."""

    def __init__(self, campaign: Campaign, method: str, seed: int, out: Channel, numbers: Sequence[int]) -> None:
        self.campaign, self.out, self.over = campaign, out, False
        self._method, self._seed = method, seed
        self._pace = Pace()
        self._numbers = np.array(numbers)  # of the groups, in the draft
        self._report = Reporter(campaign, self._pace, out, numbers)
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
            "shown": lambda word: self._report.shown(word.get("number")),
        }
        self._report.begin(method)

    @property
    def pause(self) -> float:
        """For how many seconds there is nothing to do but to listen."""
        return min(self._pace.pause, _LONGEST_PAUSE) if self._pace.playing else 1.0

    def hear(self, word: Word) -> None:
        """Do what was told."""
        obey(self.out, word, self._acts)

    def go_on(self) -> None:
        """Make the steps that are due, and say what can be seen of them."""
        if self.over:
            return
        if self._pace.playing:
            until = time.monotonic() + _AT_ONCE
            due = self._pace.due
            while due >= 1 and time.monotonic() < until and self.campaign.run.ending is None:
                self.campaign.step()
                self._pace.step()
                due -= 1
            if due >= 1 and not math.isinf(due):  # too fast for this machine
                self._pace.set(playing=True)
            if self.campaign.run.ending is not None:
                self._stand({})
        self._report.go_on()

    def _play(self, word: Word) -> None:
        if word.get("speed", self._pace.speed) is None:
            self._pace.speed = math.inf
        else:
            self._pace.speed = asked_number(word, "speed", min(self._pace.speed, 1e6), low=0.01, high=1e6)
        self._pace.set(playing=self.campaign.run.ending is None)
        self._report.count()

    def _stand(self, word: Word) -> None:
        self._pace.set(playing=False)
        self._report.count()

    def _move(self, steps: int) -> None:
        """Go so many steps on or back, and stand there."""
        self._pace.set(playing=False)
        self.campaign.go(max(0, self.campaign.now + steps))
        self._report.count()

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
        self._report.await_order(order)
        by = f" by {counted(len(stops), 'stop')} on the way" if stops else ""
        self._report.tell(f"{counted(len(units), 'unit')} shall go to ({x:g}, {y:g}){by}")

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
        self._report.tell(f"{len(cells)} {'cell is' if len(cells) == 1 else 'cells are'} “{letter}” {when}")

    def _remove(self, word: Word) -> None:
        """Take units out of the run."""
        units = self._units(word)
        self.campaign.remove(units)
        self._report.tell(f"{counted(len(units), 'unit')} taken out")

    def _units(self, word: Word) -> NDArray[np.int64]:
        """Return the units that a word is for, by their numbers or all of a group."""
        size, groups = self.campaign.scenario.size, int(self._numbers[-1]) + 1
        if word.get("group") is not None:
            group = asked_count(word, "group", None, least=0, most=groups - 1)
            if group not in self._numbers:
                raise InputError("the group has no units", where="group", found=f"{group}")
            return np.flatnonzero(self._numbers[self.campaign.run.units.group] == group)
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
        say_outcome(self.out, scenario, self.campaign.plans, trace, faults)
        self.over = True

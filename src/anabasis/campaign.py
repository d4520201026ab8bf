"""Campaign: a run that can be told what to do while it goes on, that can go back, and that can be repeated.

What was told is kept as data: orders, changes of the map, and units taken out. The same scenario, method, seed and
words give the same run, to the byte, whether it was told them one by one, all in advance, or went back in between.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis.errors import InputError
from anabasis.grid import cell_text
from anabasis.noun import freeze, set_field, summary
from anabasis.options import check_count
from anabasis.orders import Strategy, carried_out, plan_groups
from anabasis.plan import GroupPlan
from anabasis.result import Result
from anabasis.scenario import Change, Scenario, Target, UnitOrder
from anabasis.sim.simulate import Simulation
from anabasis.trace import Trace

__all__ = ["Campaign", "Removal", "Told", "told_data", "told_of"]

_SAVE_EVERY = 50  # steps, at first
_MOST_SAVED = 40  # states; with more of them every second one is dropped
_NO_FRAMES = 2**40  # steps between recorded frames: more than any run has


@dataclass(frozen=True, eq=False)
class Removal:
    """After `step`, units int64[k] are taken out of the run."""

    step: int
    units: NDArray[np.int64]

    __repr__ = summary

    def __post_init__(self) -> None:
        check_count(self.step, "step of a removal")
        set_field(self, "units", freeze(self.units, np.int64, (None,), "units that are removed"))


@dataclass(frozen=True, eq=False)
class Told:
    """Something that a run was told after step `given`."""

    given: int
    what: UnitOrder | Change | Removal

    __repr__ = summary


class Campaign:
    """A run under way by one group method: `step` it, tell it something, `go` back.

    run: the simulation; whoever looks at it must not change it. told: what it was told, in that order. Telling it
    something in the past makes it forget what it was told later.
    """

    def __init__(
        self,
        scenario: Scenario,
        method: str,
        *,
        seed: int,
        plans: Sequence[Result[GroupPlan]] | None = None,
        told: Sequence[Told] = (),
    ) -> None:
        """Make a run at step 0; by default the plans are made by the method. `told`: what it will be told."""
        self.plans = plan_groups(scenario, method, seed=seed) if plans is None else tuple(plans)
        self.told: list[Told] = []
        self._first, self._strategy = scenario, Strategy(scenario, method, seed=seed)
        self.run = Simulation(
            scenario,
            carried_out(scenario, self.plans),
            seed=seed,
            replan=self._strategy.replan,
            review=self._strategy.review,
            record_every=_NO_FRAMES,
        )
        self._every = _SAVE_EVERY
        self._saved: dict[int, tuple[dict[str, NDArray[Any]], Strategy]] = {}
        for one in sorted(told, key=lambda one: one.given):
            self._tell(one.what)
            self.told.append(one)
        self._save()

    @property
    def now(self) -> int:
        """The step at which the run is."""
        return self.run.now

    @property
    def hash(self) -> str:
        """The hash of all steps so far (hex), as a `Trace` of them has it."""
        return f"{int.from_bytes(self.run.recording.digest, 'little'):016x}"

    @property
    def scenario(self) -> Scenario:
        """The scenario with all changes of the map that were told."""
        changes = [one.what for one in self.told if isinstance(one.what, Change)]
        return replace(self._first, changes=(*self._first.changes, *changes))

    @property
    def orders(self) -> list[UnitOrder]:
        """All orders that were told."""
        return [one.what for one in self.told if isinstance(one.what, UnitOrder)]

    def trace(self) -> Trace:
        """Return what has happened, with a frame of the start and one of now."""
        return self.run.trace()

    def step(self, steps: int = 1) -> None:
        """Go on by so many steps, or until the run ends."""
        end = self.now + check_count(steps, "steps")
        while self.now < end and self.run.ending is None:
            self._fall()
            stops = [end, self.now // self._every * self._every + self._every]
            stops += [fall.step for fall in self._falls if fall.step > self.now]
            self.run.step(min(stops) - self.now)
            if self.now % self._every == 0 and self.now not in self._saved:
                self._save()

        self._fall()

    def go(self, step: int) -> None:
        """Go to a step, back from the last saved state before it, or on; the steps are those that were."""
        if check_count(step, "step to go to") < self.now:
            self._restore(*self._saved[max(at for at in self._saved if at <= step)])
        self.step(step - self.now)

    def at(self, step: int) -> Simulation:
        """Return the run as it was at a step that has been, as one of its own."""
        other = object.__new__(Campaign)
        other.__dict__.update(self.__dict__)
        other._saved = dict(self._saved)
        other._restore(*self._saved[max(at for at in self._saved if at <= max(step, 0))])
        other.step(max(step, 0) - other.now)
        return other.run

    def places(self, unit: int) -> NDArray[np.float64]:
        """Return float64[k, 2]: where a unit was at the saved steps so far, and where it is."""
        been = [saved["units.position"][unit] for at, (saved, _) in sorted(self._saved.items()) if at < self.now]
        return np.array([*been, self.run.units.position[unit]])

    def order(self, units: ArrayLike, stops: Sequence[Target]) -> UnitOrder:
        """Send units to the last of some stops by way of the others, from the next step on; see `Simulation.order`.

        Raises InputError for stops in walls as they are now, too.
        """
        order = UnitOrder(self.now + 1, np.asarray(units), tuple(stops))
        layers = np.unique(self.run.units.layer[order.units[order.units < self._first.size]]).tolist()
        for stop in order.stops:
            if not all(self.run.walls.grids[layer].is_free(*stop.cell) for layer in layers):
                found = f"{cell_text(*stop.cell)}, in a wall or outside the map"
                raise InputError("a stop of an order", found=found, expected="a free cell")
        self._say(order)
        return order

    def change(self, cells: ArrayLike, letter: str, step: int | None = None) -> Change:
        """Change the terrain of cells int64[k, 2] from a step on, by default the next one."""
        change = Change(self.now + 1 if step is None else step, np.asarray(cells), letter)
        self._say(change)
        return change

    def remove(self, units: ArrayLike) -> Removal:
        """Take units out of the run."""
        removal = Removal(self.now, np.asarray(units))
        self._say(removal)
        self._fall()
        return removal

    @property
    def _falls(self) -> list[Removal]:
        return [one.what for one in self.told if isinstance(one.what, Removal)]

    def _fall(self) -> None:
        """Take out who falls after this step; who is out already stays so."""
        for fall in self._falls:
            if fall.step == self.now and self.run.ending is None:
                self.run.remove(fall.units)

    def _say(self, what: UnitOrder | Change | Removal) -> None:
        """Tell the run something new, and forget what was told it later."""
        if self.run.ending is not None:
            raise InputError("the run has ended", found=f"at step {self.now}", hint="go back first")
        self._tell(what)
        kept = [one for one in self.told if one.given <= self.now]
        later = len(kept) < len(self.told)
        self.told = [*kept, Told(self.now, what)]
        self._saved = {at: saved for at, saved in self._saved.items() if at <= self.now}
        if later:
            self._restore(self.run.state(), self._strategy)

    def _tell(self, what: UnitOrder | Change | Removal) -> None:
        if isinstance(what, UnitOrder):
            self.run.order(what)
        elif isinstance(what, Change):
            self.run.change(what)
        elif what.units.size and not 0 <= what.units.min() <= what.units.max() < self._first.size:
            expected = f"units from 0 to {self._first.size - 1}"
            raise InputError("units that are removed", found=f"{what.units.tolist()}", expected=expected)

    def _save(self) -> None:
        self._saved[self.now] = self.run.state(), self._strategy.copy()
        if len(self._saved) > _MOST_SAVED:
            self._every *= 2
            self._saved = {at: saved for at, saved in self._saved.items() if at % self._every == 0}

    def _restore(self, state: dict[str, NDArray[Any]], strategy: Strategy) -> None:
        """Stand where a state was saved, with all that has been told."""
        self._strategy = strategy.copy()
        self.run = Simulation.from_state(
            self.scenario, state, replan=self._strategy.replan, review=self._strategy.review, orders=self.orders
        )


def told_data(told: Sequence[Told]) -> list[dict[str, Any]]:
    """Return what a run was told as JSON holds it; see `told_of`."""
    rows: list[dict[str, Any]] = []
    for one in told:
        what = one.what
        row: dict[str, Any] = {"given": one.given, "step": what.step}
        if isinstance(what, UnitOrder):
            row |= {"order": [[stop.x, stop.y, stop.radius] for stop in what.stops], "units": what.units.tolist()}
        elif isinstance(what, Change):
            row |= {"terrain": what.letter, "cells": what.cells.tolist()}
        else:
            row |= {"units": what.units.tolist()}
        rows.append(row)
    return rows


def told_of(rows: Sequence[Mapping[str, Any]]) -> list[Told]:
    """Return what `told_data` returned as JSON; raises InputError, which names the row, for anything else."""
    told: list[Told] = []
    for number, row in enumerate(rows):
        try:
            step = check_count(row["step"], "step")
            given = check_count(row.get("given", step - 1), "given", most=step)
            if "order" in row:
                stops = freeze(row["order"], np.float64, (None, 3), "stops of an order")
                what = UnitOrder(step, row["units"], tuple(Target(*stop) for stop in stops.tolist()))
            elif "terrain" in row:
                what = Change(step, row["cells"], str(row["terrain"]))
            else:
                what = Removal(step, row["units"])
        except InputError as error:
            raise error.at(None, f"orders[{number}]") from None
        except (KeyError, TypeError, AttributeError):
            expected = "step, and order and units, terrain and cells, or units"
            raise InputError(
                "what a run was told", where=f"orders[{number}]", found=repr(row), expected=expected
            ) from None
        told.append(Told(given, what))
    return told

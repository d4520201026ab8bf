"""Fitness: a formation whose units are moved by hand, and what each place is worth.

M. Švagerka, "Adaptivní formace pro virtuální agenty", Charles University, 2011: the fitness mode of its program, with
its map of what the whole formation's error would be, its optimiser, and its experiment on how errors are combined.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis.errors import InputError
from anabasis.formation.optimise import ChoiceExperiment, choice_experiment, error_map, optimised, randomised
from anabasis.grid import Grid
from anabasis.metrics.formations import COMBINED, angle_error, combined, distance_error
from anabasis.options import check_choice
from anabasis.studio.asked import asked_count, asked_number, asked_seed, asked_word
from anabasis.studio.channel import Channel
from anabasis.studio.drafts import manoeuvre_of
from anabasis.studio.facts import say_table
from anabasis.studio.hearing import Word, obey, refuse, told_place, told_places
from anabasis.studio.scenes import say_scene
from anabasis.view.formations import error_colours
from anabasis.view.layers import ImageLayer, Scene

__all__ = ["run"]

_FINEST = 0.25  # cells: a best place is looked for down to squares of that side
_HEAT_CELLS = 100  # of a map of errors along its longer side, unless told otherwise
_MOST_CELLS = 400


class _EnoughError(Exception):
    """The experiment is to be broken off."""


def run(args: Mapping[str, Any], out: Channel) -> None:
    """Work on one formation of `draft`, by its number `formation`; `how`: which of the two errors, or of both, counts.

    `positions`: where the units stand, by default where they were drawn.
    """
    fitness = _Fitness(args, out)
    while not fitness.over:
        words = [out.listen(3600.0)]
        while (word := out.heard()) is not None:
            words.append(word)
        for number, word in enumerate(words):
            late = word is not None and word.get("say") == "map"
            if word is None or (late and any(later and later.get("say") == "map" for later in words[number + 1 :])):
                continue  # of several maps that are asked for the last one is wanted
            obey(out, word, fitness.acts)
            if fitness.over:
                break


class _Fitness:
    """A formation, where its units stand, and how errors are combined."""

    def __init__(self, args: Mapping[str, Any], out: Channel) -> None:
        manoeuvre = manoeuvre_of(args.get("draft"))
        assert isinstance(manoeuvre.space, Grid)  # noqa: S101 - a draft has a map of cells
        number = asked_count(args, "formation", 0, least=0, most=len(manoeuvre.formations) - 1)
        formation = manoeuvre.formations[number]
        self.out, self.over = out, False
        self._number, self._schema = number, formation.schema
        self._bounds = (0.0, 0.0, float(manoeuvre.space.width), float(manoeuvre.space.height))
        self._drawn = np.array(formation.start) + formation.schema.turned(formation.azimuth)
        self._places: NDArray[np.float64] = self._drawn.copy()
        self._how = _asked_how(args, COMBINED[5])
        self.acts = {
            "move": self._move,
            "place": self._place,
            "reset": lambda word: self._stand(self._drawn),
            "randomise": lambda word: self._stand(randomised(self._schema, self._bounds, seed=asked_seed(word))),
            "optimise": self._optimise,
            "choose": self._choose,
            "map": self._map,
            "analyse": self._analyse,
            "enough": lambda word: None,  # there is no experiment that goes on
            "stop": self._stop,
        }
        if args.get("positions") is not None:
            self._places = self._told_positions(args)
        self._tell()

    def _told_positions(self, word: Word) -> NDArray[np.float64]:
        places = told_places(word, "positions")
        if len(places) != self._schema.spots:
            expected = f"a place for each of the {self._schema.spots} units"
            raise InputError("positions of a formation", where="positions", found=f"{len(places)}", expected=expected)
        return places

    def _unit(self, word: Word) -> int:
        return asked_count(word, "unit", None, least=0, most=self._schema.spots - 1)

    def _move(self, word: Word) -> None:
        """Put one unit elsewhere."""
        unit, place = self._unit(word), told_place(word, "to")
        self._places[unit] = place
        self._tell(unit)

    def _place(self, word: Word) -> None:
        self._stand(self._told_positions(word))

    def _stand(self, places: NDArray[np.float64]) -> None:
        self._places = places.copy()
        self._tell()

    def _optimise(self, word: Word) -> None:
        """Move each unit once, in an order that the seed decides, to where the whole formation's error is least."""
        finest = asked_number(word, "finest", _FINEST, low=0.01, high=1e6)
        iterations = asked_count(word, "iterations", 1, least=1, most=100)
        seed = asked_seed(word)
        run = optimised(
            self._schema, self._places, self._bounds, seed=seed, iterations=iterations, how=self._how, finest=finest
        )
        self._stand(run[-1])

    def _choose(self, word: Word) -> None:
        self._how = _asked_how(word, None)
        self._tell()

    def _map(self, word: Word) -> None:
        """Say what the whole formation's error would be with a unit at each place: numbers, and a scene."""
        unit = self._unit(word)
        wide, high = self._bounds[2:]
        cell = max(wide, high) / _HEAT_CELLS
        columns = asked_count(word, "width", max(1, round(wide / cell)), least=1, most=_MOST_CELLS)
        rows = asked_count(word, "height", max(1, round(high / cell)), least=1, most=_MOST_CELLS)
        found = error_map(self._schema, self._places, unit, self._bounds, cells=(rows, columns), how=self._how)
        y, x = np.unravel_index(int(found.argmin()), found.shape)
        best = [(float(x) + 0.5) * wide / columns, (float(y) + 0.5) * high / rows]
        head = {"unit": unit, "how": self._how, "bounds": list(self._bounds), "best": best}
        span = {"least": float(found.min()), "most": float(found.max())}
        self.out.say("heat", {**head, **span}, values=found.astype(np.float32))
        pixels, legend = error_colours(found, unit)
        layers = (ImageLayer(pixels, self._bounds),)
        say_scene(self.out, "fitness", Scene(self._bounds, layers, (legend,), f"Error with unit {unit} there"))

    def _analyse(self, word: Word) -> None:
        """Say which way to combine the errors leads to the best formations: the experiment of the source."""
        formations = asked_count(word, "formations", 10, least=1, most=1000)
        iterations = asked_count(word, "iterations", 10, least=1, most=100)
        seed = asked_seed(word)

        def progress(done: int, total: int) -> None:
            self.out.progress(done, total, "formations optimised")
            while (heard := self.out.heard()) is not None:
                if heard.get("say") in ("stop", "enough"):
                    self.over = heard["say"] == "stop"
                    raise _EnoughError
                busy = InputError("busy with the experiment", hint="wait for it, or break it off: enough")
                refuse(self.out, heard, busy)

        try:
            found = choice_experiment(
                self._schema,
                self._bounds,
                formations=formations,
                iterations=iterations,
                seed=seed,
                finest=_FINEST,
                progress=progress,
            )
        except _EnoughError:
            return
        self._say_experiment(found, formations)

    def _say_experiment(self, found: ChoiceExperiment, formations: int) -> None:
        curves = {
            name: getattr(found, name) for name in ("angle_mean", "angle_median", "distance_mean", "distance_median")
        }
        self.out.say("experiment", {"ways": list(COMBINED), "formations": formations}, **curves)
        columns = [
            "errors combined by",
            *(f"{name.replace('_', ' ')}, {when}" for name in curves for when in ("at first", "in the end")),
        ]
        rows = [
            [how, *(round(float(curve[k, end]), 4) for curve in curves.values() for end in (0, -1))]
            for k, how in enumerate(COMBINED)
        ]
        say_table(self.out, f"{formations} formations, placed anyhow and then optimised", columns, rows)

    def _stop(self, word: Word) -> None:
        self.over = True

    def _tell(self, unit: int | None = None) -> None:
        """Say where all stand, and all measures of that."""
        angle, distance = angle_error(self._schema, self._places), distance_error(self._schema, self._places)
        measures = {how: float(combined(angle, distance, how)) for how in COMBINED}
        self.out.say(
            "fitness",
            {
                "formation": self._number,
                "unit": unit,
                "leader": self._schema.leader,
                "how": self._how,
                "error": measures[self._how],
                "measures": measures,
                "bounds": list(self._bounds),
            },
            positions=self._places.astype(np.float32),
            bindings=self._schema.bindings.astype(np.int32),
        )


def _asked_how(word: Word, default: str | None) -> str:
    """Return which of the errors counts, one of COMBINED."""
    how = asked_word(word, "how", default)
    check_choice(how, "how errors are combined", COMBINED)
    return how

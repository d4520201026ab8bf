"""The table of every generator of maps: name, family, where it is, its parameters with their ranges, its source.

The command line, scenario files, the contract tests, the golden maps and the cards of the documentation read this
table. Adding a generator is one function, one test, one row. By its family a function has one of these signatures:

- `world`: `(width, height, *, seed, **parameters) -> GameMap`, a map to play on, with all that belongs to it;
- `structured`: `(width, height, *, seed, **parameters) -> bool[height, width]`, where a unit may stand;
- `heights`: `(width, height, *, seed, **parameters) -> float64[height, width]`, a height field, which becomes land by
  shares of its cells.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from typing import Any

from anabasis.errors import InputError
from anabasis.gamemap import GameMap, Recipe, Value
from anabasis.grid import MAX_SIDE
from anabasis.options import check_count

__all__ = ["FAMILIES", "GENERATORS", "Generator", "Parameter", "generate", "generator", "make_again"]

FAMILIES = ("world", "structured", "heights")


@dataclass(frozen=True)
class Parameter:
    """A parameter of a generator: its default (which also says its type) and its range or its choices."""

    name: str
    default: Value
    low: float | None = None
    high: float | None = None
    summary: str = ""
    choices: tuple[str, ...] = ()

    @property
    def span(self) -> str:
        """The values that it can have, for people to read."""
        if isinstance(self.default, bool):
            return "yes or no"
        if isinstance(self.default, str):
            return " ".join(self.choices) or "text"
        return "" if self.low is None or self.high is None else f"{self.low:g} to {self.high:g}"

    def check(self, value: object, whose: str) -> Value:
        """Return a value (or its text) as this parameter's type; raises InputError outside its range."""
        name = f"{self.name} of {whose}"
        if isinstance(self.default, bool):
            known = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
            truth = known.get(str(value).lower())
            if truth is None:
                raise InputError(name, found=repr(value), expected="true or false")
            return truth
        if isinstance(self.default, str):
            if self.choices and value not in self.choices:
                raise InputError(name, found=repr(value), expected=" or ".join(self.choices))
            return str(value)
        return self._number(value, name)

    def _number(self, value: object, name: str) -> int | float:
        whole = isinstance(self.default, int)
        kind = "a whole number" if whole else "a number"
        expected = f"{kind} from {self.span}" if self.span else kind
        try:
            number = float(str(value))
        except ValueError:
            raise InputError(name, found=repr(value), expected=expected) from None
        low = -float("inf") if self.low is None else self.low
        high = float("inf") if self.high is None else self.high
        if not low <= number <= high or (whole and number != int(number)):
            raise InputError(name, found=f"{value}", expected=expected)
        return int(number) if whole else number


@dataclass(frozen=True)
class Generator:
    """One row: `function` is "module:function"; version rises when the same recipe gives another map than before."""

    name: str
    family: str
    function: str
    summary: str
    source: str
    parameters: tuple[Parameter, ...] = ()
    least: int = 1  # the smallest side
    version: int = 1
    fixed: tuple[tuple[str, Value], ...] = ()  # arguments that make this row of the function
    bare: tuple[tuple[str, Value], ...] = ()  # parameters that leave the land alone, without what is on it

    def values(self, given: Mapping[str, object]) -> dict[str, Value]:
        """Return every parameter with its value, given or default; raises InputError for a name or value not known."""
        known = {parameter.name: parameter for parameter in self.parameters}
        for name in given:
            if name not in known:
                near = get_close_matches(name, known, n=3, cutoff=0.5)
                raise InputError(
                    f"{self.name} has no parameter {name!r}",
                    expected="one of " + ", ".join(known) if known else "none",
                    hint="did you mean " + " or ".join(near) + "?" if near else None,
                )
        return {name: p.check(given[name], self.name) if name in given else p.default for name, p in known.items()}

    def load(self) -> Any:
        """Import the generator's module and return its function."""
        module, inside = self.function.split(":")
        return getattr(import_module(module), inside)


GENERATORS: tuple[Generator, ...] = ()


def generator(name: str) -> Generator:
    """Return the row of a generator; raises InputError that lists the names."""
    for row in GENERATORS:
        if row.name == name:
            return row
    names = [row.name for row in GENERATORS]
    near = get_close_matches(name, names, n=3, cutoff=0.5)
    raise InputError(
        "unknown generator",
        found=repr(name),
        expected=" or ".join(names),
        hint="did you mean " + " or ".join(near) + "?" if near else None,
    )


def generate(name: str, width: int = 257, height: int | None = None, *, seed: int = 0, **parameters: object) -> GameMap:
    """Make a map: `generate("island", 257, seed=7, players=4)`.

    name: of a row of GENERATORS; height is the width unless given. Parameters that are not named have their defaults.
    Raises InputError for a name, size or value that the generator does not take, and for a map that can't keep its
    promises (such as more players than there is room for).
    """
    row = generator(name)
    sides: list[int] = []
    for side, called in ((width, "width"), (width if height is None else height, "height")):
        sides.append(check_count(side, f"{called} of {name}", row.least, MAX_SIDE))
    return _made(Recipe(name, sides[0], sides[1], seed, row.values(parameters), row.version), row)


def make_again(recipe: Recipe) -> GameMap:
    """Make the map of a recipe; raises InputError if it was made by another version of its generator."""
    row = generator(recipe.generator)
    if recipe.version != row.version:
        raise InputError(
            f"the map was made by another version of {row.name}",
            found=f"version {recipe.version}",
            expected=f"version {row.version}",
            hint="make a new one from the same seed, which will differ",
        )
    return generate(recipe.generator, recipe.width, recipe.height, seed=recipe.seed, **recipe.parameters)


def _made(recipe: Recipe, row: Generator) -> GameMap:
    make = getattr(import_module("anabasis.maps.making"), f"make_{row.family}")
    return make(recipe, row)

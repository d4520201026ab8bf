"""What a call says of a map to make: the preset, its size, seeds and parameters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from anabasis.cli.options import known

if TYPE_CHECKING:
    from anabasis.gamemap import Value
    from anabasis.generators import Generator

__all__ = ["Seed", "Settings", "Size", "checked_values", "preset_row", "seeds_of", "settings_of", "size_of"]

Size = Annotated[
    str | None, typer.Option(metavar="N|WxH", help="Cells a side, or width and height such as 400x300. [default: 257]")
]
Seed = Annotated[
    int | None, typer.Option(help="The same seed gives the same map for ever. [default: 0]", min=0, max=2**63 - 1)
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="A parameter, see `anabasis map presets NAME`; for several, say --set several times.",
    ),
]
_MOST = 1000  # seeds


def preset_row(name: str, option: str = "--preset") -> Generator:
    """Return the row of a preset; raises InputError that lists the names."""
    from anabasis.generators import GENERATORS, generator

    return generator(known(name, [row.name for row in GENERATORS], what="preset", option=option))


def size_of(text: str) -> tuple[int, int]:
    """Return width and height of `257` or `400x300`."""
    from anabasis.cli.errors import WrongCallError
    from anabasis.grid import MAX_SIDE

    parts = text.lower().replace("×", "x").split("x")
    if len(parts) > 2 or not all(_is_number(part, 9) and 1 <= int(part) <= MAX_SIDE for part in parts):
        raise WrongCallError(
            "size of a map",
            where="--size",
            found=repr(text),
            expected=f"such as 257 or 400x300, each side from 1 to {MAX_SIDE}",
        )
    return int(parts[0]), int(parts[-1])


def seeds_of(text: str) -> list[int]:
    """Return the seeds of `1..6` or `3,5,8`."""
    from anabasis.cli.errors import WrongCallError

    seeds: list[int] = []
    for part in text.split(","):
        first, dots, last = (word.strip() for word in part.partition(".."))
        ends = [first, last] if dots else [first]
        if not all(_is_number(end, 20) and int(end) < 2**63 for end in ends):
            raise WrongCallError(
                "seeds of a sheet", where="--seeds", found=repr(text), expected=f"1..6 or 3,5,8, each up to {2**63 - 1}"
            )
        span = range(int(first), int(last or first) + 1)
        if not span or span[-1] - span[0] >= _MOST or len(span) + len(seeds) > _MOST:
            raise WrongCallError(
                "seeds of a sheet",
                where="--seeds",
                found=repr(text),
                expected=f"1 to {_MOST} of them, in a range from low to high",
            )
        seeds.extend(span)
    return seeds


def settings_of(settings: list[str] | None) -> dict[str, object]:
    """Return the parameters that were set, as texts; raises InputError for one that is set twice."""
    from anabasis.cli.errors import WrongCallError

    given: dict[str, object] = {}
    for text in settings or []:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not (equals and name and value):
            raise WrongCallError("parameter of a map", where="--set", found=repr(text), expected="NAME=VALUE")
        if name in given:
            raise WrongCallError(
                f"{name} is set twice", where="--set", found=f"{given[name]} and {value}", expected="one value"
            )
        given[name] = value
    return given


def checked_values(row: Generator, given: Mapping[str, object]) -> dict[str, Value]:
    """Return all parameters of a preset, given or default; raises InputError for a wrong one.

    What goes wrong after this is not the call's fault.
    """
    from anabasis.movement import movement_class

    values = row.values(given)
    if "movement" in values:
        movement_class(str(values["movement"]))
    return values


def _is_number(text: str, digits: int) -> bool:
    return text.isascii() and text.isdigit() and len(text) < digits

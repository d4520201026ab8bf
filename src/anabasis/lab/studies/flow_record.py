"""Record: what the study of flow networks keeps beside its runs, and the methods that it is about."""

from __future__ import annotations

from pathlib import Path

import msgspec

from anabasis.errors import InputError
from anabasis.io.atomic import write_atomic

__all__ = ["BASELINES", "FLOW_METHODS", "METHODS", "Kind", "Record", "Use", "read_record", "write_record"]

BASELINES = ("astar", "vector-field")
FLOW_METHODS = ("flow-centres", "flow-gates", "flow-taut", "flow-replan")
METHODS = BASELINES + FLOW_METHODS
_RECORD = "study.json"
_SECOND, _GAIN = 0.1, 1.2


class Kind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a scenario is, measured without any flow method (see `detours`).

    widths, routes: within each of DETOURS. ways: for each baseline the shares of its units' planned ways that pass the
    obstacles on the same sides, the greatest first.
    """

    widths: list[int]
    routes: list[int]
    alone: float
    all: float
    useful: int
    ways: dict[str, list[float]]

    @property
    def set(self) -> int:
        """The set that the measures put it in; 0 if it would be in none.

        2 if a tenth of the units or more take a second way with every baseline; else 1 without a second route that
        could be useful; else 3 if a forecast says that the group gains a fifth or more by further routes.
        """
        if min(shares[1] if len(shares) > 1 else 0.0 for shares in self.ways.values()) >= _SECOND:
            return 2
        if self.useful == 1:
            return 1
        return 3 if self.alone >= _GAIN * self.all else 0


class Use(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a method shares a growing group out: units[route][k] go by a route when there are sizes[k] units.

    All methods have the same routes in the same order, also those that a method does not use.
    """

    sizes: list[int]
    units: list[list[int]]


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a study knows of its scenarios beside the runs: `kinds` and `sets` by scenario, `uses` by method."""

    detours: list[float]
    sets: dict[str, int]
    kinds: dict[str, Kind]
    growing: str
    uses: dict[str, Use]
    quick: bool


def write_record(record: Record, folder: Path) -> None:
    """Write a record into a study's folder."""
    write_atomic(folder / _RECORD, msgspec.json.format(msgspec.json.encode(record), indent=2))


def read_record(folder: Path) -> Record:
    """Return what a study's folder says of its scenarios; raises InputError for a folder without it."""
    file = folder / _RECORD
    try:
        return msgspec.json.decode(file.read_bytes(), type=Record)
    except FileNotFoundError:
        raise InputError("this is no folder of a study", file=folder, expected=f"a folder with a {_RECORD}") from None
    except msgspec.DecodeError as error:
        raise InputError(f"faulty record of a study: {error}", file=file) from None

"""Trees: a noun as plain values that JSON holds, its arrays apart under dotted names, and back."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Mapping
from enum import Enum
from importlib import import_module
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from anabasis.errors import InputError

__all__ = ["DTYPES", "Decoder", "encode", "noun_types"]

DTYPES = {"|b1", "|i1", "|u1", *(f"<{kind}{size}" for kind in "iu" for size in (2, 4, 8)), "<f4", "<f8"}
_MODULES = (
    "movement",
    "grid",
    "gamemap",
    "world",
    "graph",
    "navmesh",
    "lattice",
    "schema",
    "instance",
    "scenario",
    "manoeuvre",
    "plan",
    "result",
    "trace",
    "trajectory",
)


def noun_types() -> dict[str, type]:
    """Return every noun and enumeration that an archive may hold, by name."""
    found: dict[str, type] = {}
    for module in map(import_module, (f"anabasis.{name}" for name in _MODULES)):
        for name in module.__all__:
            kind = getattr(module, name)
            if isinstance(kind, type) and (dataclasses.is_dataclass(kind) or issubclass(kind, Enum)):
                found[name] = kind
    return found


def encode(value: object, name: str, arrays: dict[str, NDArray[Any]]) -> object:
    """Return a value as JSON; arrays go to `arrays` under the dotted name of their place."""
    below = f"{name}." if name else ""
    if isinstance(value, np.ndarray):
        arrays[name] = np.ascontiguousarray(value).astype(value.dtype.newbyteorder("<"), copy=False)
        return {"array": f"{name}.npy"}
    if isinstance(value, Enum):
        return {"enum": type(value).__name__, "name": value.name}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = [f.name for f in dataclasses.fields(value)]
        return {
            "noun": type(value).__name__,
            "fields": {f: encode(getattr(value, f), below + f, arrays) for f in fields},
        }
    if isinstance(value, Mapping):
        items = sorted(cast("Mapping[Any, object]", value).items())
        return {"map": [[encode(k, "", arrays), encode(v, f"{below}{i}", arrays)] for i, (k, v) in enumerate(items)]}
    if isinstance(value, (tuple, list)):
        kind = "tuple" if isinstance(value, tuple) else "list"
        return {kind: [encode(v, f"{below}{i}", arrays) for i, v in enumerate(cast("list[object]", value))]}
    if isinstance(value, np.generic):
        return {"scalar": value.dtype.str, "value": encode(value.item(), name, arrays)}
    if isinstance(value, float) and not math.isfinite(value):
        return {"float": repr(value)}
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise InputError("a value that an archive can't hold", where=name, found=type(value).__name__)


class Decoder:
    """Turns the tree of `noun.json` back into nouns; `filled` tells whether a field was missing and got its default."""

    def __init__(self, arrays: dict[str, NDArray[Any]]) -> None:
        self.arrays = arrays
        self.types = noun_types()
        self.filled = False

    def decode(self, node: Any) -> Any:
        """Return the value of a node."""
        match node:
            case {"array": str(name)} if name in self.arrays:
                return self.arrays[name]
            case {"enum": str(kind), "name": str(name)} if issubclass(self.types.get(kind, object), Enum):
                return cast("type[Enum]", self.types[kind])[name]
            case {"noun": str(kind), "fields": dict(fields)} if dataclasses.is_dataclass(self.types.get(kind)):
                return self._noun(self.types[kind], fields)
            case {"map": list(items)}:
                return {self.decode(k): self.decode(v) for k, v in items}
            case {"tuple": list(items)}:
                return tuple(map(self.decode, items))
            case {"list": list(items)}:
                return list(map(self.decode, items))
            case {"scalar": str(dtype), "value": value} if dtype in DTYPES:
                return np.dtype(dtype).type(self.decode(value))
            case {"float": "inf" | "-inf" | "nan" as text}:
                return float(text)
            case None | bool() | int() | float() | str():
                return node
            case _:
                raise InputError("the archive is damaged", where="noun.json", found=f"{json.dumps(node)[:80]}")

    def _noun(self, kind: type, fields: dict[str, Any]) -> Any:
        known = {f.name: f for f in dataclasses.fields(kind)}
        strange = sorted(fields.keys() - known.keys())
        if strange:
            raise InputError(f"a {kind.__name__} with unknown fields", where="noun.json", found=", ".join(strange))
        absent = [name for name in known if name not in fields]
        needed = [n for n in absent if known[n].default is known[n].default_factory is dataclasses.MISSING]
        if needed:
            raise InputError(f"a {kind.__name__} without all its fields", where="noun.json", expected=", ".join(needed))
        self.filled |= bool(absent)
        return kind(**{name: self.decode(value) for name, value in fields.items()})

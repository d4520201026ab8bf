"""Any file that Anabasis reads: what it holds, by its suffix, else by what it begins with."""

from __future__ import annotations

import os
import re
from typing import Literal

from anabasis.errors import InputError
from anabasis.io.areas import AREA_SUFFIXES
from anabasis.io.atomic import as_path, decode, read_bytes, read_first
from anabasis.io.document import parse_toml
from anabasis.io.maps import file_kind

__all__ = ["Kind", "kind_of"]

Kind = Literal["map", "archive", "scenario", "manoeuvre", "area", "scen", "plan"]

_PLAN = re.compile(rb"^(agents|solved|solution)=", re.MULTILINE)  # of a plan in text, which a drawing can't hold
_MANOEUVRE = "anabasis/manoeuvre"
_SEEN = 4096  # bytes


def kind_of(path: str | os.PathLike[str]) -> Kind:
    """Return what a file holds, so far as its name and its beginning tell; raises InputError if it can't be read.

    A document in TOML that says nothing of a manoeuvre counts as a scenario, a text that is no plan as a map.
    """
    suffix = as_path(path).suffix.lower()
    if suffix == ".toml":
        return _document(path)
    if suffix in AREA_SUFFIXES:
        return "area"
    if suffix == ".scen":
        return "scen"
    if suffix == ".csv":
        return "plan"
    kind = file_kind(path)
    if kind == "archive":
        return "archive"
    if kind == "json" or (kind == "text" and _PLAN.search(read_first(path, _SEEN))):
        return "plan"
    return "map"


def _document(path: str | os.PathLike[str]) -> Kind:
    text = decode(read_bytes(path), path)
    try:
        schema = parse_toml(text, path).get("schema")
    except InputError:  # which its reader will tell better
        return "scenario"
    return "manoeuvre" if schema == _MANOEUVRE else "scenario"

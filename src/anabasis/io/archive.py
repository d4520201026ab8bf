"""The archive: every noun in one file, a zip of `noun.json` and one `.npy` a array, without pickle.

`noun.json` names schema, version, producer, the noun's type and its state hash, and holds the noun as a tree of plain
values; arrays stand beside it as members that NumPy can open by itself. Equal nouns give equal bytes.
"""

from __future__ import annotations

import io
import json
import math
import os
import zipfile
from collections.abc import Callable
from typing import Any, BinaryIO, cast

import numpy as np
from numpy.typing import NDArray

import anabasis
from anabasis.errors import InputError
from anabasis.io.atomic import as_path, unreadable, write_atomic
from anabasis.io.noun_tree import DTYPES, Decoder, encode, noun_types
from anabasis.noun import state_hash

__all__ = ["SCHEMA", "SCHEMA_VERSION", "load", "save"]

SCHEMA = "anabasis/noun"
SCHEMA_VERSION = 1
MAX_BYTES = 2**32
_JSON_BYTES = 2**24
_LEVEL = 1  # arrays of a map shrink well at the fastest level already

_UPGRADES: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {}
"""For each old schema version, the function that turns its `noun.json` into that of the next version."""


def save(noun: object, path: str | os.PathLike[str]) -> None:
    """Write a noun to an archive; raises InputError for something that is no noun."""
    if type(noun).__name__ not in noun_types():
        raise InputError("not a noun", found=type(noun).__name__, expected="one of " + ", ".join(sorted(noun_types())))
    arrays: dict[str, NDArray[Any]] = {}
    head = {
        "schema": SCHEMA,
        "schema_version": SCHEMA_VERSION,
        "producer": "anabasis",
        "producer_version": anabasis.__version__,
        "type": type(noun).__name__,
        "state_hash": state_hash(noun),
        "value": encode(noun, "", arrays),
    }
    text = json.dumps(head, indent=1, sort_keys=True, allow_nan=False).encode()

    def write(file: BinaryIO) -> None:
        with zipfile.ZipFile(file, "w") as bundle:
            bundle.writestr(_member("noun.json"), text, compresslevel=_LEVEL)
            for name in sorted(arrays):
                buffer = io.BytesIO()
                np.lib.format.write_array(buffer, arrays[name], version=(1, 0), allow_pickle=False)
                bundle.writestr(_member(f"{name}.npy"), buffer.getbuffer(), compresslevel=_LEVEL)

    write_atomic(path, write)


def load(path: str | os.PathLike[str], *, max_bytes: int = MAX_BYTES) -> object:
    """Read the noun of an archive and check it against its state hash.

    max_bytes: cap on the bytes of its arrays when unpacked. Raises InputError for a file that is no archive, is
    damaged, or comes from a newer version; archives of older versions keep loading.
    """
    source = as_path(path)
    try:
        file = source.open("rb")  # closed below; a file that can't be opened is another error
    except (OSError, ValueError) as error:
        raise unreadable(path, error) from None
    with file:
        try:
            return _load(file, max_bytes)
        except InputError as error:
            raise error.at(path) from None
        except Exception as error:  # a damaged zip, JSON or array fails in more ways than can be listed
            known = isinstance(error, zipfile.BadZipFile)
            raise InputError(
                "the archive is damaged",
                file=path,
                found=str(error) if known else "content that can't be decoded",
                expected="an archive written by Anabasis",
            ) from None


def _load(file: BinaryIO, max_bytes: int) -> object:
    with zipfile.ZipFile(file) as bundle:
        members = {info.filename: info for info in bundle.infolist()}
        if "noun.json" not in members:
            raise InputError("not an archive of Anabasis", found="no member noun.json")
        head = _head(bundle, members.pop("noun.json"))
        used = 0
        arrays: dict[str, NDArray[Any]] = {}
        for name, info in members.items():
            used += info.file_size
            if used > max_bytes:
                raise InputError(
                    "the archive is too large when unpacked",
                    where=name,
                    found=f"{used} bytes",
                    expected=f"at most {max_bytes}",
                    hint="the cap is the argument max_bytes of anabasis.io.archive.load",
                )
            arrays[name] = _read_array(bundle, info)
    reader = Decoder(arrays)
    noun = reader.decode(head["value"])
    if type(noun).__name__ != head.get("type"):
        raise InputError("the archive is damaged", found=f"a {type(noun).__name__}", expected=f"a {head.get('type')}")
    if not reader.filled and state_hash(noun) != head.get("state_hash"):
        raise InputError(
            "the archive is damaged: its content does not match its state hash",
            found=state_hash(noun)[:16],
            expected=str(head.get("state_hash"))[:16],
        )
    return noun


def _head(bundle: zipfile.ZipFile, info: zipfile.ZipInfo) -> dict[str, Any]:
    """Read `noun.json`, check schema and version, bring an old version up to date."""
    if info.file_size > _JSON_BYTES:
        raise InputError("noun.json is too large", found=f"{info.file_size} bytes", expected=f"at most {_JSON_BYTES}")
    with bundle.open(info) as member:
        text = member.read(_JSON_BYTES + 1)
    try:
        head = json.loads(text)
    except (ValueError, RecursionError):
        raise InputError("the archive is damaged", where="noun.json", expected="JSON") from None
    if not isinstance(head, dict) or head.get("schema") != SCHEMA:
        raise InputError("not an archive of Anabasis", where="noun.json", expected=f"schema {SCHEMA!r}")
    head = cast("dict[str, Any]", head)
    version = head.get("schema_version")
    while version in _UPGRADES:
        head = _UPGRADES[version](head)
        version = head["schema_version"]
    if version != SCHEMA_VERSION:
        raise InputError(
            "unknown version of the archive",
            where="noun.json",
            found=f"schema_version {version!r}, written by {head.get('producer')} {head.get('producer_version')}",
            expected=f"schema_version {SCHEMA_VERSION} or older",
            hint="a newer version of Anabasis may read it",
        )
    return head


def _read_array(bundle: zipfile.ZipFile, info: zipfile.ZipInfo) -> NDArray[Any]:
    """Read one member; memory is taken only after its header and its size agree."""
    with cast("io.BufferedIOBase", bundle.open(info)) as member:
        if np.lib.format.read_magic(cast("Any", member)) != (1, 0):
            raise InputError("an array of an unknown format", where=info.filename, expected="npy version 1.0")
        shape, fortran, dtype = np.lib.format.read_array_header_1_0(cast("Any", member))
        if dtype.str not in DTYPES or fortran:
            raise InputError(
                "an array of an unknown kind", where=info.filename, found=dtype.str, expected="little-endian numbers"
            )
        size = math.prod(shape) * dtype.itemsize
        if info.file_size - member.tell() != size:
            raise InputError(
                "an array's size does not match its header",
                where=info.filename,
                found=f"{info.file_size - member.tell()} bytes",
                expected=f"{size}, for {'×'.join(map(str, shape))} of {dtype}",
            )
        array = np.empty(shape, dtype)
        if size:
            view = memoryview(cast("Any", array.reshape(-1))).cast("B")
            done = 0
            while done < size:
                got = member.readinto(view[done:])
                if not got:
                    raise InputError("an array ends too soon", where=info.filename, expected=f"{size} bytes")
                done += got
        if member.read(1):  # also lets the zip reader check the sum over the whole member
            raise InputError("an array is too long", where=info.filename, expected=f"{size} bytes")
    if array.dtype.kind == "f" and np.isnan(array).any():
        raise InputError("an array holds NaN", where=info.filename, expected="numbers")
    array.flags.writeable = False
    return array


def _member(name: str) -> zipfile.ZipInfo:
    """Return the entry of a member with a fixed date and mode, so that equal content gives equal bytes."""
    info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    info.compress_type = zipfile.ZIP_DEFLATED
    info.create_system = 3
    info.external_attr = 0o644 << 16
    return info

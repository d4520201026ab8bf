"""Whole files: read with a cap on their size, written under a temporary name, synced and renamed.

A reader of the final name sees the old file or the new one, never a part, even if the program is killed between.
"""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from anabasis.errors import InputError
from anabasis.options import check_kind

__all__ = [
    "MAX_BYTES",
    "as_path",
    "check_readable",
    "check_writable",
    "decode",
    "read_bytes",
    "read_first",
    "unreadable",
    "write_atomic",
]

MAX_BYTES = 2**27
"""Cap on the size of a file that is read whole; a map of 2^26 cells fits with its line ends."""


def as_path(path: str | os.PathLike[str]) -> Path:
    """Return the path of a file; raises InputError for what is no name of one."""
    check_kind(path, (str, os.PathLike), "name of a file")
    return Path(path)


def read_bytes(path: str | os.PathLike[str], max_bytes: int = MAX_BYTES) -> bytes:
    """Return a file's bytes; raises InputError when it can't be read or has more than `max_bytes`."""
    source = as_path(path)
    try:
        with source.open("rb") as file:
            data = file.read(max_bytes + 1)
    except (OSError, ValueError) as error:
        raise unreadable(path, error) from None
    if len(data) > max_bytes:
        raise InputError("the file is too large", file=path, expected=f"at most {max_bytes} bytes")
    return data


def check_readable(path: str | os.PathLike[str]) -> None:
    """Raise InputError unless a file can be read."""
    read_first(path, 1)


def read_first(path: str | os.PathLike[str], size: int) -> bytes:
    """Return so many bytes from the beginning of a file, or all; raises InputError when it can't be read."""
    try:
        with as_path(path).open("rb") as file:
            return file.read(size)
    except (OSError, ValueError) as error:
        raise unreadable(path, error) from None


def unreadable(path: str | os.PathLike[str], error: Exception) -> InputError:
    """Return the error for a file that the system doesn't let us read."""
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    hint = None
    if isinstance(error, FileNotFoundError):
        folder = Path(path).parent
        hint = "check the name" if folder.is_dir() else f"the folder {folder} does not exist"
    return InputError("the file can't be read", file=path, found=reason.lower(), hint=hint)


def decode(data: bytes, path: object) -> str:
    """Return the text of UTF-8 bytes (a byte order mark is dropped); raises InputError with the line of the fault."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            "the file is not text",
            file=path,
            where=data.count(b"\n", 0, error.start) + 1,
            found=f"byte 0x{data[error.start]:02x}",
            expected="UTF-8",
        ) from None


def write_atomic(path: str | os.PathLike[str], data: bytes | Callable[[BinaryIO], object]) -> None:
    """Write a file whole or not at all: `data`, or what a function writes to the open binary file it is given.

    Raises InputError when the place can't be written; an exception of the function leaves the old file as it was.
    """
    target = as_path(path)
    temporary = _beside(target)
    try:
        _write(temporary, data)
        temporary.replace(target)
        _sync_folder(target.parent)
    except OSError as error:
        raise _unwritable(target, error) from None
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def check_writable(path: str | os.PathLike[str]) -> None:
    """Raise InputError unless `write_atomic` could begin to write the file; nothing is left behind.

    It is tried, since there are folders in which nobody can make a file whatever their permissions say.
    """
    target = as_path(path)
    temporary = _beside(target)
    try:
        if target.is_dir():
            raise IsADirectoryError
        _write(temporary, b"")
    except OSError as error:
        raise _unwritable(target, error) from None
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def _beside(target: Path) -> Path:
    """Return a new name in the folder of a file; raises InputError for a folder that no system has."""
    if "\0" in str(target):
        raise InputError("the file can't be written", file=target, found="a zero byte in its name")
    return target.parent / f".{secrets.token_hex(8)}.tmp"


def _unwritable(path: Path, error: OSError) -> InputError:
    """Return the error for a file that the system doesn't let us write: what is in the way, and what would do."""
    problem, expected, folder = (
        "the file can't be written",
        "a name in a folder in which files can be made",
        path.parent,
    )
    if isinstance(error, IsADirectoryError):
        found, expected, hint = "a folder of this name", "the name of a file", f"such as {path / f'NAME{path.suffix}'}"
    elif isinstance(error, (FileNotFoundError, NotADirectoryError)) and not folder.is_dir():
        found = f"a file named {folder}" if folder.exists() else f"no folder {folder}"
        hint = "name a file in another folder" if folder.exists() else "make the folder first, or name another one"
    else:
        found = f"that no file can be made in {folder}: {(error.strerror or str(error)).lower()}"
        hint = "name a file in another folder"
    return InputError(problem, file=path, found=found, expected=expected, hint=hint)


def _write(path: Path, data: bytes | Callable[[BinaryIO], object]) -> None:
    with path.open("xb") as file:
        if callable(data):
            data(file)
        else:
            file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    """Make the new name last through a power cut, where the system lets a folder be synced."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)

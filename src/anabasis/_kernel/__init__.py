"""The one compile policy of the numeric kernels.

A kernel is a function of arrays and scalars, compiled by numba on its first call and kept in a cache on disk. It may
call kernels of its own file and of this package. numba's cache looks at the file of a kernel and not at what it calls,
so the cache folder is named by a hash of this package: an edit here makes every cached kernel stale at once.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core import config

__all__ = ["cache_folder", "cached", "kernel", "leaf"]

F = TypeVar("F", bound=Callable[..., object])


def _user_cache() -> Path:
    """Return the folder under which compiled kernels are kept: NUMBA_CACHE_DIR, else the user's cache folder."""
    if os.environ.get("NUMBA_CACHE_DIR"):
        return Path(os.environ["NUMBA_CACHE_DIR"])
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = str(Path.home() / "Library" / "Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "anabasis" / "kernels"


def _package_hash() -> str:
    digest = hashlib.sha256(f"{sys.version_info[:2]} {numba.__version__}".encode())
    for file in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(file.name.encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:16]


def _can_write(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


_CACHE_DIR = "CACHE_DIR"  # the attribute of numba's configuration, made at run time

cache_folder = _user_cache() / _package_hash()
cached = _can_write(cache_folder)  # else numba would fall back to the source tree, which no hash names


def kernel(function: F) -> F:
    """Compile `function` by the one policy: cached on disk, without the interpreter lock, exact arithmetic.

    Without a folder to write to, kernels are compiled anew in each process.
    """
    return _compiled(function)


def leaf(function: F) -> F:
    """Compile as `kernel` does a function that allocates no array (views are none): the inside of a loop, a short call.

    It does not count references to the arrays that it is given: each count is a locked instruction, a dozen of them a
    call, which may take as long as the work of a small function.
    """
    return _compiled(function, _nrt=False)


def _compiled(function: F, **options: Any) -> F:
    before = getattr(config, _CACHE_DIR)
    # read when the dispatcher is made; restored so that other code keeps its own
    setattr(config, _CACHE_DIR, str(cache_folder))
    try:
        return cast(F, numba.njit(cache=cached, nogil=True, **options)(function))
    finally:
        setattr(config, _CACHE_DIR, before)

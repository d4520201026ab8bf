"""Machine: the name of the one on which times are measured, for reports: times mean nothing without it."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

__all__ = ["machine"]


def machine() -> str:
    """Return the name of the machine on which times are measured: processor, cores, system, Python, libraries."""
    libraries: list[str] = []
    for library in ("numpy", "numba"):
        try:
            libraries.append(f"{library} {version(library)}")
        except PackageNotFoundError:
            continue
    compiled = os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")
    parts = [_processor(), f"{os.cpu_count()} cores", platform.system(), f"Python {platform.python_version()}"]
    return ", ".join([*parts, *libraries, *([] if compiled else ["not compiled"])])


def _processor() -> str:
    """Return the model of the processor where the system tells it, else its kind."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return next(iter(names), platform.processor() or platform.machine())

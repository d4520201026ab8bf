"""The source's experiment without the compiler: the work of the search, beside which a call weighs nothing.

The source, a Ukrainian master's thesis of 2021 on path finding for several units, runs a program in which expanding a
vertex takes longer than a call. Compiled, a search of a map of 20 × 20 from scratch takes only some ten times as long
as the one call of a step in which nothing has to be mended.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

from anabasis.lab.studies.incremental_crossing import LINES, SETTINGS, crossing, time_crossing

__all__ = ["main", "plain_times"]


def plain_times(setting: int, seed: int, repeats: int = 3) -> Mapping[str, Any]:
    """Return ns of each search with and without reuse as `time_crossing` does, in a process without the compiler."""
    code = f"from anabasis.lab.studies.incremental_plain import main; main({setting}, {seed}, {repeats})"
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)  # noqa: S603
    return {"map": SETTINGS[setting].name, "seed": seed, "times": json.loads(done.stdout)}


def main(setting: int, seed: int, repeats: int) -> None:
    """Write the times as JSON."""
    walk = crossing(SETTINGS[setting], seed)
    times = time_crossing(walk, repeats, lines=LINES[:2])
    sys.stdout.write(json.dumps({line: values.tolist() for line, values in times.items()}))

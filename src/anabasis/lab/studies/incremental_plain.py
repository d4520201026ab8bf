"""The source's experiment without the compiler: the work of the search, beside which a call weighs nothing.

The source, a Ukrainian master's thesis of 2021 on path finding for several units, runs a program in which expanding a
vertex takes longer than a call. Compiled, a search of a map of 20 × 20 from scratch takes only some 25 times as long as
the one call of a step in which nothing has to be mended.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

from anabasis.lab.studies.incremental_crossing import SETTINGS, crossing, time_crossing

__all__ = ["main", "plain_times"]

_LINES = ("incremental", "from scratch, memory kept")


def plain_times(setting: int, seed: int) -> Mapping[str, Any]:
    """Return ns of each step as `time_crossing` does, of one run after a warm-up, in a process without the compiler."""
    code = f"from anabasis.lab.studies.incremental_plain import main; main({setting}, {seed})"
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)  # noqa: S603
    return {"map": SETTINGS[setting].name, "seed": seed, "times": json.loads(done.stdout)}


def main(setting: int, seed: int) -> None:
    """Write the times of one run as JSON."""
    walk = crossing(SETTINGS[setting], seed)
    times = time_crossing(walk, 1, lines=_LINES)
    sys.stdout.write(json.dumps({line: values.tolist() for line, values in times.items()}))

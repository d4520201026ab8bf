"""Discretisations as plain Python make the same bytes as compiled ones."""

import os
import subprocess
import sys
from pathlib import Path

from discretisation_digest import digest


def test_the_same_bytes_without_compilation() -> None:
    command = [sys.executable, "-W", "error", str(Path(__file__).parent / "discretisation_digest.py")]
    plain = subprocess.run(
        command, env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True, timeout=300, check=False
    )
    assert plain.returncode == 0, plain.stderr
    assert plain.stdout.strip() == digest()

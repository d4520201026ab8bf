"""The solvers as plain Python: what they answer is the same, to the last digit of every count."""

import os
import subprocess
import sys
from pathlib import Path

from plain_cases import answers

HERE = Path(__file__).parent
PLAIN = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONHASHSEED": "5"}


def test_every_solver_answers_the_same_without_the_compiler() -> None:
    command = [sys.executable, "-W", "error", str(HERE / "plain_cases.py")]
    plain = subprocess.run(command, env=PLAIN, capture_output=True, text=True, timeout=300, check=False)
    assert plain.returncode == 0, plain.stderr
    compiled = answers().splitlines()
    assert plain.stdout.splitlines() == compiled
    assert sum(" ('SOLVED'" in line for line in compiled) > len(compiled) // 2

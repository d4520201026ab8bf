"""The kernels as plain Python: the contracts hold there too, and every result is the same to the byte."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from contract_cases import digest

HERE = Path(__file__).parent
PLAIN = {**os.environ, "NUMBA_DISABLE_JIT": "1"}


def test_results_are_the_same_to_the_byte() -> None:
    command = [sys.executable, "-W", "error", str(HERE / "contract_cases.py")]
    plain = subprocess.run(command, env=PLAIN, capture_output=True, text=True, timeout=300, check=False)
    assert plain.returncode == 0, plain.stderr
    assert plain.stdout.strip() == digest()


@pytest.mark.long
def test_the_contracts_hold() -> None:
    command = [sys.executable, "-m", "pytest", "-x", "-q", str(HERE / "test_methods.py")]
    plain = subprocess.run(command, env=PLAIN, capture_output=True, text=True, timeout=1800, check=False)
    assert plain.returncode == 0, plain.stdout + plain.stderr

"""What all tests share: the place of the benchmark data."""

import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# The same examples in each run, however slow or busy the machine is.
settings.register_profile("steady", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("steady")

# A program that is started in the background may be told to ignore Ctrl-C, and would hand that on; tests send it.
signal.signal(signal.SIGINT, signal.default_int_handler)

# A terminal of one size, whoever starts the tests: what is drawn depends on it.
os.environ["COLUMNS"], os.environ["LINES"] = "100", "50"

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "movingai"


@pytest.fixture(scope="session")
def movingai() -> Path:
    """The folder of the Moving AI benchmark maps; without it the test is skipped, in CI it is an error."""
    if DATA.is_dir():
        return DATA
    if os.environ.get("CI") == "true":
        pytest.fail(f"the benchmark maps are missing: {DATA}")
    pytest.skip(f"needs the Moving AI benchmark maps in {DATA}")

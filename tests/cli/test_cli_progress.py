"""Ctrl-C while kernels are compiled, and while they run."""

import signal
import subprocess
import sys
import time
from contextlib import suppress

import numba
import pytest

from anabasis.cli.output import Output
from anabasis.cli.progress import compiling


def test_an_interrupt_that_the_compiler_swallowed_is_raised_after_the_kernel() -> None:
    before = signal.getsignal(signal.SIGINT)
    after = False
    with pytest.raises(KeyboardInterrupt), compiling(Output(quiet=True)):
        with suppress(KeyboardInterrupt):  # as a callback of the compiler does
            signal.raise_signal(signal.SIGINT)
        numba.njit(lambda x: x + 1)(1)
        after = True
    assert not after
    assert signal.getsignal(signal.SIGINT) is before


def test_without_an_interrupt_nothing_is_raised() -> None:
    with compiling(Output(quiet=True)) as names:
        numba.njit(lambda x: x + 1)(1)
    assert len(names) == 1


def test_an_interrupt_that_was_swallowed_without_another_kernel_is_raised_at_the_end() -> None:
    with pytest.raises(KeyboardInterrupt), compiling(Output(quiet=True)), suppress(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


class Raising:
    """Raises where nobody can catch it, as in a call from the compiler."""

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def __del__(self) -> None:
        raise self.error


def test_an_interrupt_that_nobody_can_catch_prints_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda lost: told.append(lost.exc_type))
    with compiling(Output(quiet=True)):
        Raising(KeyboardInterrupt())
        Raising(ValueError())
    assert told == [ValueError]
    Raising(KeyboardInterrupt())
    assert told == [ValueError, KeyboardInterrupt]


def test_an_interrupt_reaches_compiled_code_too(tmp_path):
    """A search that never comes back to the interpreter ends all the same."""
    file = tmp_path / "a.wkt"
    file.write_text("POLYGON ((0 0, 100 0, 100 60, 0 60, 0 0), (40 0, 60 0, 60 59, 40 59, 40 0))")
    command = [sys.executable, "-c", "from anabasis.cli import main; main()"]
    call = [*command, "path", str(file), "5,5", "95,55", "--method", "rrt-star", "--set"]
    subprocess.run([*call, "limit=10"], capture_output=True, check=False)  # compiled
    long = subprocess.Popen([*call, "limit=60000000"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(4)
    long.send_signal(signal.SIGINT)
    _, told = long.communicate(timeout=30)
    assert long.returncode == 130
    assert told.strip().endswith("interrupted")

"""Ctrl-C while kernels are compiled."""

import signal
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

"""What is shown while work goes on: a bar on a terminal, and one line when kernels have to be compiled."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

from anabasis.cli.output import Output

__all__ = ["compiling", "progress_bar"]


@contextmanager
def progress_bar(output: Output, what: str) -> Generator[Callable[[int, int], None]]:
    """Give a function `(done, total)` that moves a bar; it does nothing when nobody looks at a terminal."""
    if not output.chatty or not os.isatty(2):
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=None)

        def move(done: int, total: int) -> None:
            progress.update(task, completed=done, total=total)

        yield move


@contextmanager
def _interrupts_noted() -> Generator[list[int]]:
    """Give a list that is empty until Ctrl-C is pressed, which goes on raising KeyboardInterrupt."""
    pressed: list[int] = []

    def heard(number: int, _: object) -> None:
        pressed.append(number)
        raise KeyboardInterrupt

    main = threading.current_thread() is threading.main_thread()  # only the main thread may set signals
    if not main or signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        yield pressed
        return
    before = signal.signal(signal.SIGINT, heard)
    try:
        yield pressed
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def compiling(output: Output) -> Generator[list[str]]:
    """Say so once if the body compiles kernels; gives the list of their names, which grows as they are compiled.

    Ctrl-C while the compiler calls back into Python is swallowed there; it is raised again after that kernel.
    """
    from numba.core import event

    names: list[str] = []
    begun: list[float] = []  # of the compilations under way, one inside the other
    seconds = 0.0

    class Listener(event.Listener):
        def on_start(self, event: Any) -> None:
            function = event.data["dispatcher"].py_func
            if not names and function.__module__.startswith("anabasis."):
                output.note("compiling kernels, once ...")
            names.append(f"{function.__module__}.{function.__name__}")
            begun.append(time.monotonic())

        def on_end(self, event: Any) -> None:
            nonlocal seconds
            start = begun.pop()
            if not begun:
                seconds += time.monotonic() - start
                if pressed:
                    raise KeyboardInterrupt

    with _interrupts_noted() as pressed, event.install_listener("numba:compile", Listener()):
        yield names
    if pressed:
        raise KeyboardInterrupt
    if names:
        output.note(f"compiled {len(names)} kernels in {seconds:.0f} s")

"""What is shown while work goes on: a bar on a terminal, and one line when kernels have to be compiled."""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from anabasis.cli.output import Output

__all__ = ["compiling", "progress_bar", "resumable"]


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
def resumable(folder: Path | None) -> Generator[None]:
    """Let Ctrl-C in the body tell that finished runs are kept in a results folder, if there is one."""
    try:
        yield
    except KeyboardInterrupt:
        if folder is None:
            raise
        raise KeyboardInterrupt(f"finished runs are kept in {folder}: the same call with --resume goes on") from None


_PATIENCE = 1.0  # seconds in which the interpreter should have heard of Ctrl-C


def _watch(pressed: list[int], woken: socket.socket) -> None:
    """End the process when Ctrl-C was pressed and the interpreter is out of reach, inside compiled code.

    Nothing is lost by it: what writes files does so at once, and compiled code writes none.
    """
    while True:
        try:
            signals = woken.recv(64)
        except OSError:
            return
        if not signals:
            return
        if signal.SIGINT in signals:
            time.sleep(_PATIENCE)
            if not pressed:
                sys.stderr.write("\ninterrupted\n")
                sys.stderr.flush()
                os._exit(130)


@contextmanager
def _heard_by_a_thread(pressed: list[int]) -> Generator[None]:
    """Let a thread hear of signals beside the interpreter, which waits until compiled code returns."""
    ours, woken = socket.socketpair()
    ours.setblocking(False)
    before = signal.set_wakeup_fd(ours.fileno(), warn_on_full_buffer=False)
    thread = threading.Thread(target=_watch, args=(pressed, woken), daemon=True)
    thread.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        ours.close()
        thread.join()
        woken.close()


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

    def told(lost: sys.UnraisableHookArgs) -> None:
        if lost.exc_type is not KeyboardInterrupt:  # in a call from the compiler it is noted, and raised again later
            hook(lost)

    before, hook = signal.signal(signal.SIGINT, heard), sys.unraisablehook
    sys.unraisablehook = told
    try:
        with _heard_by_a_thread(pressed):
            yield pressed
    except SystemError:  # what numba makes of an interrupt that reaches it while it calls a kernel
        if pressed:
            raise KeyboardInterrupt from None
        raise
    finally:
        sys.unraisablehook = hook
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

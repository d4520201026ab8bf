"""The command `warmup`: compile all kernels now instead of on first use."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from anabasis.cli.options import Json, Quiet
from anabasis.cli.output import Output
from anabasis.cli.style import StyledCommand, new_app

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.sharedctypes import Synchronized

    from anabasis.cli.selfcheck import Check

app = new_app()


@app.command(cls=StyledCommand)
def warmup(*, json: Json = False, quiet: Quiet = False) -> None:
    """Compile all kernels now instead of on first use.

    They are kept on disk, so this takes its time once.

    \b
    Example:
      anabasis warmup
    """
    from anabasis import _kernel
    from anabasis.cli.progress import compiling, progress_bar
    from anabasis.cli.selfcheck import checks

    output = Output(json, quiet)
    start = time.monotonic()
    work = list(checks())
    with compiling(output) as names, progress_bar(output, "compiling") as move, _two_at_work() as (taken, others):
        _run(work, taken, move)
        compiled = sorted({*names, *others()})
    seconds = time.monotonic() - start
    output.say("all kernels are ready" if compiled else "all kernels were ready before")
    output.result({"compiled": compiled, "seconds": round(seconds, 3), "cache": _kernel.cache_folder})


def _run(work: list[Check], taken: Synchronized[int], move: Callable[[int, int], None]) -> None:
    """Run checks in their order until all of them are taken, here or in the other process."""
    for check in work:
        with taken:
            if taken.value >= len(work):
                return
            taken.value += 1
            move(taken.value, len(work))
        check.run()


@contextmanager
def _two_at_work() -> Generator[tuple[Synchronized[int], Callable[[], list[str]]]]:
    """Let a second process run the checks from the last backwards, where there are cores for it.

    Gives the number of checks taken by either, and a function that waits for the other and gives the names of what it
    compiled. Beginning at both ends, they need few kernels twice.
    """
    from multiprocessing import get_context

    context = get_context("spawn")
    taken = context.Value("q", 0)
    if (os.cpu_count() or 1) < 2:
        yield taken, list
        return
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_from_the_end, args=(taken, theirs), daemon=True)
    process.start()
    theirs.close()

    def others() -> list[str]:
        from anabasis.cli.selfcheck import checks

        try:
            return ours.recv()
        except EOFError:  # it died; whatever killed it is met, and told, here too
            for check in checks():
                check.run()
            return []

    try:
        yield taken, others
    finally:
        process.terminate()


def _from_the_end(taken: Synchronized[int], theirs: Connection) -> None:
    from anabasis.cli.progress import compiling
    from anabasis.cli.selfcheck import checks

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which ends this process
    with compiling(Output(json=False, quiet=True)) as names:
        _run([*checks()][::-1], taken, lambda done, total: None)
    theirs.send(names)

"""The command `warmup`: compile all kernels now instead of on first use."""

from __future__ import annotations

import time

from anabasis.cli.options import Json, Quiet
from anabasis.cli.output import Output
from anabasis.cli.style import StyledCommand, new_app

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
    with compiling(output) as names, progress_bar(output, "compiling") as move:
        work = list(checks())
        for done, check in enumerate(work):
            move(done, len(work))
            check.run()
    seconds = time.monotonic() - start
    output.say("all kernels are ready" if names else "all kernels were ready before")
    output.result({"compiled": names, "seconds": round(seconds, 3), "cache": _kernel.cache_folder})

"""The command line: one module a command, imported when that command is called."""

from __future__ import annotations

__all__ = ["main"]


def main() -> None:
    """Run the command line with the arguments of the process, and exit with its code."""
    import os
    import sys
    from pathlib import Path

    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed by whoever called
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 - until the end
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a letter that the terminal lacks is no reason to stop
    try:
        from anabasis.cli.app import app

        app()
    except KeyboardInterrupt:  # while the program was still loading
        sys.stderr.write("interrupted\n")
        raise SystemExit(130) from None

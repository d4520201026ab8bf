"""The command line: one module a command, imported when that command is called."""

from __future__ import annotations

__all__ = ["main"]


def main() -> None:
    """Run the command line with the arguments of the process, and exit with its code."""
    import sys

    try:
        from anabasis.cli.app import app

        app()
    except KeyboardInterrupt:  # while the program was still loading
        sys.stderr.write("interrupted\n")
        raise SystemExit(130) from None

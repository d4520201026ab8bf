"""Failures: how each is shown, and with which code the program ends.

0 ok, 1 not found or invalid plan, 2 usage, 3 bad input file, 4 limit hit, 70 a fault of Anabasis itself,
130 interrupted.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Generator
from contextlib import contextmanager, suppress

import typer

from anabasis.errors import AnabasisError, InputError

__all__ = [
    "BAD_FILE",
    "FAULT",
    "INTERRUPTED",
    "LIMIT",
    "NOT_FOUND",
    "OK",
    "USAGE",
    "NotFoundError",
    "WrongCallError",
    "clean_exit",
]

OK = 0
NOT_FOUND = 1
USAGE = 2
BAD_FILE = 3
LIMIT = 4
FAULT = 70
INTERRUPTED = 130


class WrongCallError(InputError):
    """What is wrong is in the call itself, an option or an argument, though a file may be named: code 2."""


class NotFoundError(InputError):
    """The call is right, and yet there is no such thing: code 1."""


@contextmanager
def clean_exit(*, as_json: bool = False) -> Generator[None]:
    """Turn whatever the body raises into one message and an exit code; with `as_json` also one object on stdout."""
    try:
        yield
        sys.stdout.flush()  # a reader that has gone shows here and not while the interpreter shuts down
    except BrokenPipeError:
        _drop_stdout()
        raise typer.Exit(OK) from None
    except KeyboardInterrupt as stop:
        sys.stderr.write("\n" + "; ".join(filter(None, ("interrupted", str(stop)))) + "\n")
        raise typer.Exit(INTERRUPTED) from None
    except InputError as error:
        _show(error, as_json=as_json)
        option = not error.file or error.file.startswith("--")  # such as --set a.b=c
        wrong_call = option or isinstance(error, WrongCallError)
        code = USAGE if wrong_call else BAD_FILE
        raise typer.Exit(NOT_FOUND if isinstance(error, NotFoundError) else code) from None
    except AnabasisError as error:
        _show(InputError(str(error)), as_json=as_json)
        raise typer.Exit(USAGE) from None
    except OSError as error:
        _show(_of_system(error), as_json=as_json)
        raise typer.Exit(BAD_FILE if isinstance(error, FileNotFoundError) else USAGE) from None
    except Exception as error:
        if type(error).__module__.partition(".")[0] in ("typer", "click"):
            said = getattr(error, "format_message", None)
            if as_json and said is not None:
                _print({"error": {"text": said()}})
            raise  # a wrong call: Typer shows it
        _show_fault(error, as_json=as_json)
        raise typer.Exit(FAULT) from None


def _of_system(error: OSError) -> InputError:
    """Return what the operating system refused, as an error of ours."""
    reason = (error.strerror or str(error)).lower()
    return InputError(reason, file=error.filename)


def _drop_stdout() -> None:
    """Send the rest of the output nowhere, so that the interpreter doesn't complain about it at exit."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _print(data: dict[str, object]) -> None:
    """Print one JSON object, if stdout still takes anything."""
    with suppress(OSError):
        print(json.dumps(data, ensure_ascii=False), flush=True)


def _show(error: InputError, *, as_json: bool) -> None:
    """Show an error on stderr: in parts on a terminal, as one line elsewhere."""
    if as_json:
        _print({"error": {"text": str(error), **error.parts()}})
    if not sys.stderr.isatty():
        sys.stderr.write(f"error: {error}\n")
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(stderr=True, highlight=False)
    console.print(Text.assemble(("error: ", "bold red"), (error.problem, "bold")), soft_wrap=True)
    place = [error.file] if error.file else []
    if error.where is not None:
        place.append(f"line {error.where}" if isinstance(error.where, int) else error.where)
    found = error.parts()["found"]
    for name, value in (("in", ", ".join(place)), ("found", found), ("expected", error.expected), ("hint", error.hint)):
        if value:
            console.print(Text.assemble((f"{name:>9}  ", "dim"), value), soft_wrap=True)


def _show_fault(error: Exception, *, as_json: bool) -> None:
    """Show a fault of our own: short, with the way to report it; the traceback only with ANABASIS_DEBUG=1."""
    what = f"{type(error).__name__}: {error}".splitlines()[0]
    if as_json:
        _print({"error": {"text": what, "fault": True}})
    if os.environ.get("ANABASIS_DEBUG") == "1":
        sys.stderr.write("".join(traceback.format_exception(error)))
    sys.stderr.write(
        f"error: this is a fault in Anabasis, not in your input: {what}\n"
        "Please report it with the command that you gave, the output of `anabasis doctor`, and the text that\n"
        "ANABASIS_DEBUG=1 adds to this message.\n"
    )

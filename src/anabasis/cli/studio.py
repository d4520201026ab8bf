"""The command `studio`: the page in the browser, and its server."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from anabasis.cli.options import Json, NoOpen, Port, Quiet
from anabasis.cli.output import Output
from anabasis.cli.style import StyledCommand, new_app

__all__ = ["app", "serve_studio"]

app = new_app()


@app.command(cls=StyledCommand)
def studio(
    folder: Annotated[
        Path, typer.Argument(metavar="[FOLDER]", help="The workspace: files are read and written there, nowhere else.")
    ] = Path(),
    *,
    port: Port = 0,
    no_open: NoOpen = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Open the studio in the browser: see maps and plans, change them, try them.

    It is served by this machine to this machine alone, until Ctrl-C. Who has the address, with its random word, can use
    it.

    \b
    Example:
      anabasis studio --no-open
    """
    from anabasis.cli.files import input_folder

    serve_studio(Output(json, quiet), input_folder(folder), port=port, no_open=no_open)


def serve_studio(output: Output, folder: Path, *, port: int, no_open: bool, fragment: str = "") -> None:
    """Serve the studio until Ctrl-C. fragment: what the address says beyond the page."""
    from threading import Thread
    from webbrowser import open as show

    from anabasis.studio.server import serve

    def ready(address: str) -> None:
        output.say(f"The studio is at {address}{fragment}")
        output.say("Ctrl-C ends it.")
        output.result({"address": address + fragment, "folder": folder.resolve()})
        sys.stdout.flush()
        if not no_open:  # some browsers keep their caller until they are closed
            Thread(target=show, args=(address + fragment,), daemon=True).start()

    serve(folder, port=port, ready=ready)

"""The command `view`: a file, in the studio."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from anabasis.cli.options import Json, NoOpen, Port, Quiet
from anabasis.cli.output import Output
from anabasis.cli.style import StyledCommand, new_app

app = new_app()


@app.command(cls=StyledCommand)
def view(
    file: Annotated[Path, typer.Argument(help="A map, a scenario, a trace, a plan, or a folder of results.")],
    *,
    port: Port = 0,
    no_open: NoOpen = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Open a file in the studio.

    The file's folder is the workspace. It is served until Ctrl-C.

    \b
    Example:
      anabasis view arena.map --no-open
    """
    from urllib.parse import quote

    from anabasis.cli.files import input_file
    from anabasis.cli.studio import serve_studio
    from anabasis.studio.workspace import Workspace

    if not (file.is_dir() and file.suffix == ".run"):
        input_file(file)
    place = file.resolve()
    workspace = Workspace(place.parent)
    workspace.file(place.name)
    fragment = f"#open={quote(place.name, safe='')}"
    serve_studio(Output(json, quiet), workspace.folder, port=port, no_open=no_open, fragment=fragment)

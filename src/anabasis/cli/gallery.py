"""The command `gallery`: a picture of every discretisation, every search and more on one map."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from anabasis.cli.options import Json, Quiet
from anabasis.cli.output import Output
from anabasis.cli.style import StyledCommand, new_app

app = new_app()


@app.command(cls=StyledCommand)
def gallery(
    *,
    out: Annotated[Path, typer.Option(help="Folder for the pictures and the page.")] = Path("gallery"),
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Draw every discretisation, every search and more on one map.

    Writes a picture for each, and index.html with all of them.

    \b
    Example:
      anabasis gallery --out pictures
    """
    from anabasis.cli.files import output_folder
    from anabasis.cli.progress import compiling, progress_bar
    from anabasis.lab.gallery import example_hall, write_gallery

    output = Output(json, quiet)
    output_folder(out, option="--out").mkdir(parents=True, exist_ok=True)
    with compiling(output), progress_bar(output, "pictures") as move:
        files = write_gallery(out, example_hall(), progress=move)
    output.say(f"{len(files) - 1} pictures; all of them: {files[0].resolve()}")
    output.result({"page": files[0].resolve(), "pictures": [file.resolve() for file in files[1:]]})

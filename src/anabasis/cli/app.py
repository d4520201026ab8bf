"""The commands: name, module and summary of each, loaded on first use.

Nothing here imports a command's module, so `anabasis --help` reads this table alone.
"""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.main import get_command

from anabasis.cli.style import StyledGroup, new_app

__all__ = ["COMMANDS", "app"]

COMMANDS = {
    "demo": "Send a group through a chokepoint with six methods, and compare them.",
    "studio": "Open the studio in the browser: see maps and plans, change them, try them.",
    "view": "Open a file in the studio.",
    "run": "Run a scenario with one method.",
    "compare": "Run scenarios with several methods and seeds, and compare.",
    "study": "Run a published study again.",
    "report": "Write the report of a comparison again.",
    "path": "Find a path between two cells of a map, or two places of a world of polygons.",
    "drive": "Find a motion for a car, or for somebody on foot with limited turns.",
    "map": "Make maps from a seed, look at maps and convert them.",
    "discretise": "Cut a world of polygons into states and arcs, and compare the ways to do it.",
    "regions": "Cut a map into regions that are joined by gates.",
    "flow": "Plan how a group splits over routes, stage by stage.",
    "mapf": "Plan for many agents on one map, so that none is in another's way.",
    "formation": "Let formations march over a map, and measure how well they keep their shape.",
    "validate": "Check files: maps, scenarios, traces, archives.",
    "calibrate": "Measure how many units pass gates of several widths in the simulator.",
    "advise": "Say which method suits a map and a use.",
    "gallery": "Draw every discretisation, every search and more on one map.",
    "methods": "List the methods that there are.",
    "doctor": "Check this installation.",
    "warmup": "Compile all kernels now instead of on first use.",
}


class _LazyCommands(MutableMapping[str, Any]):
    """The commands by name; a command's module `anabasis.cli.NAME` is imported when the command is asked for."""

    def __init__(self) -> None:
        self._loaded: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in COMMANDS:
            raise KeyError(name)
        if name not in self._loaded:
            command = get_command(import_module(f"anabasis.cli.{name}").app)
            command.name = name
            self._loaded[name] = command
        return self._loaded[name]

    def __setitem__(self, name: str, command: Any) -> None:
        self._loaded[name] = command

    def __delitem__(self, name: str) -> None:
        del self._loaded[name]

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)


class _LazyGroup(StyledGroup):
    """The group of all commands: it lists them without loading them, and turns every failure into a clean message."""

    def __init__(self, **attrs: Any) -> None:
        super().__init__(**attrs)
        self.commands = _LazyCommands()

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names in the order of the table."""
        return list(COMMANDS)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write names and summaries."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def invoke(self, ctx: Any) -> Any:
        """Run the command that was named."""
        from anabasis.cli.errors import clean_exit

        arguments = [*getattr(ctx, "_protected_args", ()), *ctx.args]
        with clean_exit(as_json="--json" in arguments):
            return super().invoke(ctx)


app = new_app(cls=_LazyGroup)


def _show_version(asked: bool) -> None:
    if asked:
        from anabasis import __version__

        typer.echo(f"anabasis {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def start(
    ctx: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    """Move units through 2D game worlds: plan, simulate, measure, compare.

    A first look: anabasis demo
    """
    if ctx.invoked_subcommand is None:
        typer.echo(ctx.get_help())

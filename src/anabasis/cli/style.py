"""How help looks: Typer's plain help, with bold headings and coloured names where the terminal shows colours.

Typer's help in rich boxes costs about as much time as all the rest of `--help` together, so it is switched off.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

__all__ = ["StyledCommand", "StyledGroup", "new_app"]

_HEADING = re.compile(r"^(\w[\w ]*:)", re.MULTILINE)
_NAME = re.compile(r"^(  )(-{1,2}[\w-]+(?:, -{1,2}[\w-]+)*|[a-z]+|[A-Z]+)(?=  | [A-Z\[<]|$)", re.MULTILINE)


def _paint(text: str) -> str:
    """Colour a help text; the colours are dropped again when the output is not a terminal."""
    text = _NAME.sub(lambda m: m[1] + typer.style(m[2], fg="cyan"), text)
    return _HEADING.sub(lambda m: typer.style(m[1], bold=True), text)


class StyledCommand(TyperCommand):
    """A command whose help is painted, and whose arguments and options name no file twice.

    For what is written would take the place of what is read.
    """

    def invoke(self, ctx: Any) -> Any:
        """Run the command unless two of its arguments and options are the same file."""
        seen: dict[Path, str] = {}
        for parameter in self.params:
            name = parameter.opts[0] if parameter.param_type_name == "option" else str(parameter.metavar or "FILE")
            value = ctx.params.get(parameter.name)
            for file in {one.resolve() for one in (value if isinstance(value, list) else [value]) if _is_file(one)}:
                if file in seen:
                    from anabasis.cli.errors import WrongCallError

                    hint = "each of them needs a file of its own: what is written takes the place of what was there"
                    raise WrongCallError(f"{seen[file]} and {name} are one file", file=file, hint=hint)
                seen[file] = name
        return super().invoke(ctx)

    def get_help(self, ctx: Any) -> str:
        """Return the help text in colours."""
        return _paint(super().get_help(ctx))


def _is_file(value: object) -> bool:
    """Whether this is a path, of a file that may not be there yet; not of a folder, a device or stdin."""
    return isinstance(value, Path) and str(value) != "-" and (value.is_file() or not value.exists())


class StyledGroup(TyperGroup):
    """A group whose help is painted."""

    def get_help(self, ctx: Any) -> str:
        """Return the help text in colours."""
        return _paint(super().get_help(ctx))

    def get_help_option(self, ctx: Any) -> Any:
        """Return the option --help, absent as False: Typer loads pydantic (60 ms) to check an absent None."""
        option = super().get_help_option(ctx)
        if option is not None:
            option.default = False
        return option


def new_app(*, cls: type[TyperGroup] = StyledGroup) -> typer.Typer:
    """Return an empty app with the settings that all commands share."""
    return typer.Typer(
        cls=cls,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )

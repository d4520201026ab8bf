"""The command `mapf`: multi-agent path finding: solve, check, convert and show plans, play."""

from __future__ import annotations

from anabasis.cli.mapf_convert import convert
from anabasis.cli.mapf_delays import delays
from anabasis.cli.mapf_lifelong import lifelong
from anabasis.cli.mapf_show import show
from anabasis.cli.mapf_solve import solve
from anabasis.cli.mapf_validate import validate
from anabasis.cli.play import play
from anabasis.cli.style import StyledCommand, new_app

app = new_app()
for function in (solve, validate, convert, show, lifelong, delays, play):
    app.command(cls=StyledCommand)(function)


@app.callback()
def mapf() -> None:
    """Plan for many agents on one map, so that none is in another's way."""

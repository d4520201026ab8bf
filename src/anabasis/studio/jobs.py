"""The table of jobs: what a page can ask for, by name; where it is; whether its messages are kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from importlib import import_module
from json import dumps
from typing import Any

from anabasis.errors import InputError
from anabasis.studio.channel import Channel

__all__ = ["JOBS", "Job", "job", "key"]


@dataclass(frozen=True)
class Job:
    """One row: `function` is "module:function", `(args, out) -> None`.

    kept: it is a function of its arguments, so that its messages can be given again. inside: only the server itself
    may begin it, for its arguments hold paths that the server has checked.
    """

    name: str
    function: str
    kept: bool = True
    inside: bool = False

    def run(self, args: Mapping[str, Any], out: Channel) -> None:
        """Import the module and do the work."""
        module, name = self.function.split(":")
        work: Callable[[Mapping[str, Any], Channel], None] = getattr(import_module(module), name)
        work(args, out)


JOBS: tuple[Job, ...] = (
    Job("tables", "anabasis.studio.work.files:say_tables", inside=True),
    Job("open", "anabasis.studio.work.files:open_file", kept=False, inside=True),
    Job("save", "anabasis.studio.work.files:save_file", kept=False, inside=True),
    Job("group", "anabasis.studio.work.groups:run"),
    Job("live", "anabasis.studio.work.live:run", kept=False),
    Job("why", "anabasis.studio.work.why:run", kept=False),
    Job("fitness", "anabasis.studio.work.fitness:run", kept=False),
    Job("turns", "anabasis.studio.work.turns:run", kept=False),
    Job("search", "anabasis.studio.work.searches:run"),
    Job("space", "anabasis.studio.work.spaces:run"),
    Job("drive", "anabasis.studio.work.drives:run"),
    Job("mapf", "anabasis.studio.work.agents:run"),
    Job("formation", "anabasis.studio.work.formations:run"),
    Job("overlay", "anabasis.studio.work.overlays:run"),
    Job("generate", "anabasis.studio.work.generating:run"),
    Job("export", "anabasis.studio.work.exporting:run", kept=False),
    Job("words", "anabasis.studio.work.wording:run"),
    Job("shape", "anabasis.studio.work.shapes:run"),
)


def job(name: str) -> Job:
    """Return the row of that name; raises InputError for an unknown one."""
    for row in JOBS:
        if row.name == name:
            return row
    raise InputError("unknown job", found=repr(name), expected=" or ".join(row.name for row in JOBS))


def key(name: str, args: Mapping[str, Any]) -> str:
    """Return a hash of what was asked for: equal jobs have equal keys."""
    return sha256(dumps([name, args], sort_keys=True).encode()).hexdigest()[:32]

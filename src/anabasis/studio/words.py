"""Requests in words: what a command line and a program have to say of a request, and the file that both work on.

Both work on the draft as files, which have to be saved under the names that `files_for` gives, in one folder; both give
what the job gave. Options that are as usual are left out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from anabasis.options import check_choice
from anabasis.studio.asked import asked_seed, asked_table
from anabasis.studio.drafts import Ends, ends_of, grid_of, scenario_of
from anabasis.studio.requests import FAMILIES, asked_method, asked_options, form_of

__all__ = ["LAND", "Request", "files_for", "request_of"]

LAND = "land"
"""The usual movement class."""

_ENDINGS = {"group": (".scenario.toml",), "mapf": (".map", ".scen"), "formation": (".txt", ".manoeuvre.toml")}


@dataclass(frozen=True, eq=False)
class Request:
    """A request, checked.

    files: what its command reads. own: the options of its method, as far as they aren't as usual. beside: all options
    of the job around it.
    """

    method: str
    files: tuple[str, ...]
    draft: Any
    own: dict[str, Any]
    beside: dict[str, Any]
    usual: dict[str, Any]
    seed: int
    movement: str

    def unusual(self, *names: str) -> dict[str, Any]:
        """Return those of the job's options that are not at their defaults."""
        return {name: self.beside[name] for name in names if self.beside[name] != self.usual.get(name)}

    @property
    def file(self) -> str:
        """The draft as a file; of agents, and of formations, it holds all but the map."""
        return self.files[-1]

    @property
    def map_file(self) -> str:
        """The file with the map."""
        return self.files[0]

    @property
    def ends(self) -> Ends:
        """Start and goal of one unit; raises InputError if the draft has none."""
        return ends_of(self.draft, grid_of(self.draft))

    @property
    def poses(self) -> list[tuple[float, ...]]:
        """Start and goal of a drive: the middles of the cells, with a heading in degrees where there is one."""
        ends = self.ends
        poses: list[tuple[float, ...]] = []
        for (x, y), heading in ((ends.start, "heading"), (ends.goal, "heading_at_goal")):
            turn = self.beside[heading]
            poses.append((x + 0.5, y + 0.5) if turn is None else (x + 0.5, y + 0.5, turn))
        return poses

    @property
    def every(self) -> int:
        """How many steps apart a march is recorded."""
        from anabasis.studio.work.formations import record_every

        return record_every(self.beside["limit"], self.beside["tick"])


def files_for(do: str, draft: object) -> tuple[str, ...]:
    """Return the names of all files that a family's command reads: the map where it is a file of its own, the draft."""
    check_choice(do, "what can be said in words", tuple(FAMILIES))
    name = ""
    if isinstance(draft, dict) and isinstance(draft.get("scenario"), dict):
        name = str(draft["scenario"].get("name", ""))
    stem = re.sub(r"[^\w-]+", "-", name, flags=re.ASCII).strip("-")[:60] or "draft"
    return tuple(stem + ending for ending in _ENDINGS.get(do, (".txt",)))


def request_of(do: str, args: Mapping[str, Any]) -> Request:
    """Return what a job of a family was asked for; raises InputError as that job does."""
    draft: Any = args.get("draft")
    check_choice(do, "what can be said in words", tuple(FAMILIES))
    method = asked_method(do, args)
    own, beside = asked_options(do, method, args)
    form = form_of(do, method)
    grid_of(draft)  # that it is a draft
    seed = asked_seed(args, scenario_of(draft).seed if do == "group" else 0)
    own = {name: value for name, value in own.items() if name not in form or value != form[name].default}
    if own.get("seed") == 0:
        del own["seed"]
    if do == "search":
        beside["space_options"] = asked_table(args, "space_options")
    usual = {name: option.default for name, option in form.items()}
    movement = draft["scenario"]["map"].get("movement") or LAND
    return Request(method, files_for(do, draft), draft, own, beside, usual, seed, movement)

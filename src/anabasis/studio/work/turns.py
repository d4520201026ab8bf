"""Turns: a game in turns: units are sent, tiles change, turns end, and all of it can be undone.

A session is plain data, so that a page can keep it (`save`) and go on from it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from anabasis.errors import InputError
from anabasis.instance import CLASSIC
from anabasis.mapf import turn_based as game
from anabasis.mapf.turn_based import Memory, Session
from anabasis.mapf.turn_files import session_data, session_from
from anabasis.method_options import Option, check_options
from anabasis.options import MAX_SEED
from anabasis.studio.asked import asked_count, asked_switch, asked_table, asked_word
from anabasis.studio.channel import Channel
from anabasis.studio.drafts import ends_of, grid_of, instance_of
from anabasis.studio.hearing import Word, obey, told_place, told_places
from anabasis.studio.scenes import say_scene
from anabasis.view.turns import session_scene

__all__ = ["NEW", "run"]

NEW = {
    option.name: option
    for option in (
        Option("width", "int", 20, help="tiles from left to right", low=1, high=256),
        Option("height", "int", 20, help="tiles from top to bottom", low=1, high=256),
        Option("seed", "int", 0, help="what the map is drawn from", low=0, high=MAX_SEED),
        Option("impassable", "float", 0.2, help="share of tiles that nobody can enter", low=0, high=1),
        Option("hills", "float", 0.15, help="share of tiles that cost 2", low=0, high=1),
        Option("mountains", "float", 0.05, help="share of tiles that cost 8", low=0, high=1),
        Option("features", "float", 0.0, help="share of tiles with a forest, a marsh or ruins", low=0, high=1),
        Option("units", "int", 4, help="units in the corners", low=0, high=4),
        Option("points", "int", 2, help="movement points of a unit's turn", low=1, high=1000),
        Option("neighbours", "int", 4, (4, 8, 6), help="of a tile; 6 on hexagons"),
        Option("turns", "bool", True, help="a turn is as far as the points allow, else one tile whatever it costs"),
    )
}
"""What `new` may say of a game on a map of its own, with the defaults of `new_session`."""

_NO_ENDS = {"start": None, "goal": None}
_UNDONE = 200  # sessions that are remembered
_TURNS = 1000  # of one word


def run(args: Mapping[str, Any], out: Channel) -> None:
    """Play: `session` (what `save` said), else on the map and with the agents of `draft`, else a map made by `new`.

    With a draft: `neighbours` 4, 8 or 6, `steps` (one tile a turn whatever it costs) and `points` of each unit.
    """
    play = _Game(_begun(args), out)
    while not play.over:
        word = out.listen(3600.0)
        if word is not None:
            obey(out, word, play.acts)


def _begun(args: Mapping[str, Any]) -> Session:
    """Return the session that a game begins with."""
    if args.get("session") is not None:
        return session_from(asked_table(args, "session"))
    if args.get("draft") is None:
        options: dict[str, Any] = check_options(NEW, asked_table(args, "new"), "new")
        return game.new_session(**options)
    draft = args["draft"]
    grid = grid_of(draft)
    neighbours = asked_count(args, "neighbours", 4, least=4, most=8)
    session = game.session_of(grid, neighbours=neighbours, turns=not asked_switch(args, "steps"))
    points = asked_count(args, "points", 2, least=1, most=1000)
    agents: list[tuple[int, int]] = []
    if draft.get("agents"):
        instance = instance_of(draft, CLASSIC)
        agents = list(zip(instance.starts.tolist(), instance.goals.tolist(), strict=True))
    elif draft.get("ends") not in (None, {}, _NO_ENDS):
        ends = ends_of(draft, grid)
        agents = [(grid.vertex(*ends.start), grid.vertex(*ends.goal))]
    memory = Memory()
    for start, _ in agents:
        session = game.add_unit(session, _free_name(session), start, points=points, memory=memory)
    for unit, (_, goal) in zip(session.units, agents, strict=True):
        session = game.order(session, unit.name, goal, memory=memory)
    return session


class _Game:
    """The game that is played, the sessions before this one, and those undone."""

    def __init__(self, session: Session, out: Channel) -> None:
        self.session, self.out, self.over = session, out, False
        self._memory = Memory()
        self._before: list[Session] = []
        self._undone: list[Session] = []
        self._shown: str | None = None
        self.acts: dict[str, Callable[[Word], None]] = {
            "order": lambda word: self._act(lambda s, m: game.order(s, _name(word), self._tile(word, "to"), memory=m)),
            "halt": lambda word: self._act(lambda s, m: game.halt(s, _name(word), memory=m)),
            "end": self._end,
            "tile": self._change,
            "add": self._add,
            "remove": lambda word: self._act(lambda s, m: game.remove_unit(s, _name(word), memory=m)),
            "load": lambda word: self._act(lambda s, m: session_from(asked_table(word, "session"))),
            "undo": lambda word: self._back(self._before, self._undone, "undo"),
            "redo": lambda word: self._back(self._undone, self._before, "redo"),
            "show": self._show,
            "save": lambda word: self.out.say("session", {"session": session_data(self.session)}),
            "stop": self._stop,
        }
        self._tell(session.log)

    def _act(self, act: Callable[[Session, Memory], Session]) -> None:
        """Make the next session, which can be undone."""
        self.out.progress(0, 0, "planning")
        try:
            after = act(self.session, self._memory)
        except InputError:
            self._memory.drop()
            raise
        known = len(self.session.log)
        self._before = [*self._before[1 - _UNDONE :], self.session]
        self._undone.clear()
        self.session = after
        self._tell(after.log[known:])

    def _end(self, word: Word) -> None:
        """End one turn, or several."""
        turns = asked_count(word, "turns", 1, least=1, most=_TURNS)

        def ended(session: Session, memory: Memory) -> Session:
            for turn in range(turns):
                session = game.end_turn(session, memory=memory)
                self.out.progress(turn + 1, turns, "turns")
                if all(unit.goal is None for unit in session.units):
                    break
            return session

        self._act(ended)

    def _change(self, word: Word) -> None:
        """Change the terrain of tiles, or what is on them."""
        tiles = told_places(word, "tiles").tolist() if word.get("at") is None else [told_place(word, "at")]
        places = [self._place(x, y) for x, y in tiles]
        if not places:
            raise InputError("tiles that change", where="tiles", found="none", expected="one or more")
        terrain, feature = (
            asked_word(word, name) if word.get(name) is not None else None for name in ("terrain", "feature")
        )
        if terrain is None and feature is None:
            raise InputError("what a tile becomes", found="neither terrain nor feature", expected="one of them")

        def changed(session: Session, memory: Memory) -> Session:
            for place in places:
                session = game.change_tile(session, place, terrain=terrain, feature=feature, memory=memory)
            return session

        self._act(changed)

    def _add(self, word: Word) -> None:
        name = asked_word(word, "name", _free_name(self.session))
        place, points = self._tile(word, "at"), asked_count(word, "points", 2, least=1, most=1000)
        self._act(lambda s, m: game.add_unit(s, name, place, points=points, memory=m))

    def _show(self, word: Word) -> None:
        """Choose the unit whose search is shown, None for nobody's."""
        if word.get("unit") is not None:
            self.session.unit(_name(word))
        self._shown = cast("str | None", word.get("unit"))
        self._tell(())

    def _back(self, there: list[Session], here: list[Session], what: str) -> None:
        if not there:
            raise InputError(f"there is nothing to {what}")
        here.append(self.session)
        self.session = there.pop()
        self._tell(())

    def _stop(self, word: Word) -> None:
        self.over = True

    def _tile(self, word: Word, name: str) -> int:
        return self._place(*told_place(word, name))

    def _place(self, x: float, y: float) -> int:
        return self.session.place(int(np.floor(x)), int(np.floor(y)))

    def _tell(self, log: tuple[tuple[int, str], ...]) -> None:
        """Say the session: `turns`, and as a scene."""
        session = self.session
        if self._shown not in {unit.name for unit in session.units}:
            self._shown = None
        head = {
            "turn": session.turn,
            "width": session.width,
            "height": session.height,
            "neighbours": session.neighbours,
            "steps": not session.turns,
            "terrain": [session.terrain[y * session.width :][: session.width] for y in range(session.height)],
            "features": [[*session.tile(place), name] for place, name in session.features],
            "costs": {name: cost if np.isfinite(cost) else None for name, cost in session.costs},
            "units": [self._unit(unit) for unit in session.units],
            "groups": [list(group) for group in session.groups],
            "log": [list(entry) for entry in log],
            "undo": len(self._before),
            "redo": len(self._undone),
            "shown": self._shown,
        }
        arrays: dict[str, NDArray[Any]] = {
            "price": session.prices.reshape(session.height, session.width).astype(np.float32)
        }
        known = None if self._shown is None else game.processed(session, self._shown, memory=self._memory)
        if known is not None:
            arrays["known__tile"] = known.vertices.astype(np.int32)
            for name in ("price", "g", "rhs"):
                arrays[f"known__{name}"] = getattr(known, name).astype(np.float32)
        self.out.say("turns", head, **arrays)
        say_scene(self.out, "turns", session_scene(session, unit=self._shown))

    def _unit(self, unit: game.Unit) -> dict[str, Any]:
        """Return a unit as the page shows it, with what it will do in this turn."""
        session = self.session
        step = game.next_step(session, unit.name, memory=self._memory)
        return {
            "name": unit.name,
            "at": session.tile(unit.place),
            "points": unit.points,
            "goal": None if unit.goal is None else session.tile(unit.goal),
            "held": unit.held,
            "path": [[*session.tile(place), time] for place, time in unit.path],
            "tiles": [session.tile(place) for place in unit.ahead],
            "changed": [session.tile(place) for place in unit.changed],
            "next": step
            and {
                "tiles": [session.tile(place) for place in step.tiles],
                "at": session.tile(step.place),
                "left": step.left,
            },
        }


def _name(word: Word) -> str:
    return asked_word(word, "unit")


def _free_name(session: Session) -> str:
    """Return the first name that no unit has: A to Z, then A1 and so on."""
    taken = {unit.name for unit in session.units}
    letters = [chr(ord("A") + k) for k in range(26)]
    number = 0
    while True:
        for letter in letters:
            name = f"{letter}{number or ''}"
            if name not in taken:
                return name
        number += 1

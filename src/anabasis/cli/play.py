"""The command `mapf play`: turn-based play in the terminal, or from a script on stdin."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from anabasis.cli.options import Json, Quiet
from anabasis.cli.output import Output

if TYPE_CHECKING:
    from anabasis.mapf.turn_based import Session

__all__ = ["play"]

_HELP = """move A 9 3       send unit A to tile x=9 (column), y=3 (row); both count from 0, at the top left
halt A           take its order back
end [N]          end the turn, or N turns
unit E 4 4 [3]   add unit E, with 3 movement points
remove E         take it away
block X Y        make a tile impassable; free X Y makes it plain
terrain X Y KIND plain, hill, mountain or impassable
feature X Y KIND forest, marsh, ruins, wall, or none
show [A]         draw the map, or what unit A's search knows: cost, g and rhs of each tile
units            where units are, their next steps and groups
log              what has happened
undo, redo       one command back, and forth again
save FILE        write the game; load FILE goes on with another
quit             end
Capital and small letters are the same in commands and in names of units."""

_INSTEAD = "anabasis validate scenario FILE"
# black on grey: where a terminal has eight colours grey is white
_STYLES = {".": "white on green", "h": "black on dark_goldenrod", "^": "black on grey62", "@": "white on red3"}


def play(
    map_file: Annotated[
        Path | None, typer.Argument(metavar="[MAP]", help="A map, or a saved game (.json). [default: a new map]")
    ] = None,
    *,
    size: Annotated[str | None, typer.Option(metavar="N|WxH", help="Tiles of a new map.", show_default="20x20")] = None,
    seed: Annotated[
        int | None, typer.Option(help="The same seed gives the same map for ever.", min=0, show_default="0")
    ] = None,
    points: Annotated[
        int | None, typer.Option(help="Movement points of the units of a new map.", min=1, show_default="2")
    ] = None,
    neighbours: Annotated[int | None, typer.Option(help="4 or 8 on squares, 6 on hexagons.", show_default="4")] = None,
    steps: Annotated[bool, typer.Option("--steps", help="One tile a turn, whatever it costs.")] = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Play in turns: give units orders, end the turn, change the map, and see how the plans are mended.

    Commands are read from stdin, so a game can be a script; then a wrong command ends the program with code 2 after the
    rest. `help` lists the commands. With --json the last state is printed, as `save` writes it.

    \b
    Example:
      anabasis mapf play --size 20x20 --seed 1
    """
    from anabasis.cli.errors import USAGE, WrongCallError
    from anabasis.cli.map_options import size_of
    from anabasis.cli.progress import compiling
    from anabasis.mapf.turn_based import new_session
    from anabasis.mapf.turn_files import session_data

    output = Output(json, quiet)
    new = {"--size": size, "--seed": seed, "--points": points}
    saved = {"--neighbours": neighbours, "--steps": steps or None}
    for options, only in ((new, "for a new map"), (saved, "not for a saved game, which has its own")):
        given = [name for name, value in options.items() if value is not None]
        if given and map_file is not None and (options is new or map_file.suffix.lower() == ".json"):
            raise WrongCallError("options without effect", found=" ".join(given), hint=f"they are {only}")
    neighbours = 4 if neighbours is None else neighbours
    if map_file is None:
        width, height = size_of("20x20" if size is None else size)
        with compiling(output):
            session = new_session(
                width,
                height,
                seed=seed or 0,
                points=2 if points is None else points,
                neighbours=neighbours,
                turns=not steps,
                features=0.05,
            )
    else:
        session = _from_file(map_file, neighbours, turns=not steps)
    game = _Game(session, output)
    done = game.run()
    output.result({"session": session_data(game.session), "wrong_commands": not done})
    if not done:
        raise typer.Exit(USAGE)


def _from_file(path: Path, neighbours: int, *, turns: bool) -> Session:
    from anabasis.cli.files import input_map
    from anabasis.mapf.turn_based import session_of
    from anabasis.mapf.turn_files import load_session

    if path.suffix.lower() == ".json":
        return load_session(path)
    return session_of(
        input_map(path, None, scale=1, threshold=128, instead=_INSTEAD), neighbours=neighbours, turns=turns
    )


class _Game:
    """The game that is played: the sessions before this one, and those undone."""

    def __init__(self, session: Session, output: Output) -> None:
        from anabasis.mapf.turn_based import Memory

        self.session, self.output, self.memory = session, output, Memory()
        self.legend = ""  # as it was told last
        self.before: list[Session] = []
        self.undone: list[Session] = []

    def run(self) -> bool:
        """Read and obey commands to the end; False if one of a script was wrong."""
        from anabasis.errors import InputError

        asking = sys.stdin.isatty()
        sound = True
        self._draw()
        while True:
            if asking:
                sys.stdout.write("> ")
                sys.stdout.flush()
            line = sys.stdin.readline()
            if not line:
                break
            try:
                words = shlex.split(line, comments=True)
                command = words[0].lower() if words else ""
                if command:
                    self._obey("quit" if command == "q" else command, words[1:])
                if command in ("quit", "q"):
                    break
            except (InputError, OSError, ValueError) as error:
                if self.output.chatty:
                    self.output.say(f"error: {error}", style="red")
                else:
                    typer.echo(f"error: {error}", err=True)
                sound = asking
        return sound

    def _obey(self, command: str, words: Sequence[str]) -> None:
        """Carry out one command; raises InputError if it is wrong."""
        from anabasis.errors import InputError
        from anabasis.mapf import turn_based as game

        s, m = self.session, self.memory
        acts: dict[str, tuple[str, Callable[[], Session]]] = {
            "move": ("NAME X Y", lambda: game.order(s, self._name(words[0]), self._tile(words[1:3]), memory=m)),
            "halt": ("NAME", lambda: game.halt(s, self._name(words[0]), memory=m)),
            "end": ("[N]", lambda: self._ended(_number(words[0]) if words else 1)),
            "unit": ("NAME X Y [POINTS]", lambda: self._added(words)),
            "remove": ("NAME", lambda: game.remove_unit(s, self._name(words[0]), memory=m)),
            "block": ("X Y", lambda: game.change_tile(s, self._tile(words), terrain="impassable", memory=m)),
            "free": ("X Y", lambda: game.change_tile(s, self._tile(words), terrain="plain", memory=m)),
            "terrain": ("X Y KIND", lambda: game.change_tile(s, self._tile(words), terrain=words[2].lower(), memory=m)),
            "feature": ("X Y KIND", lambda: self._feature(words)),
            "load": ("FILE", lambda: _from_file(Path(words[0]), s.neighbours, turns=s.turns)),
        }
        looks: dict[str, tuple[str, Callable[[], None]]] = {
            "show": ("[NAME]", lambda: self._known(self._name(words[0])) if words else self._draw(legend=True)),
            "units": ("", self._units),
            "log": ("", lambda: self._say(self.session.log, "nothing has happened yet")),
            "undo": ("", lambda: self._back(self.before, self.undone, "undo")),
            "redo": ("", lambda: self._back(self.undone, self.before, "redo")),
            "save": ("FILE", lambda: self._save(Path(words[0]))),
            "help": ("", lambda: self.output.say(_HELP)),
            "quit": ("", lambda: None),
        }
        form = acts[command][0] if command in acts else looks[command][0] if command in looks else None
        if form is None:
            raise InputError("no such command", found=command, expected=" ".join([*acts, *looks]))
        needed = [word for word in form.split() if not word.startswith("[")]
        if not len(needed) <= len(words) <= len(form.split()):
            raise InputError(f"{command} takes other words", found=" ".join(words) or "none", expected=form or "none")
        if command in looks:
            looks[command][1]()
            return
        try:
            after = acts[command][1]()
        except InputError:
            m.drop()
            raise
        self.before.append(s)
        self.undone.clear()
        self.session = after
        self._say(after.log[len(s.log) :] if command != "load" else ())
        self._draw()

    def _name(self, word: str) -> str:
        """Return the unit's name that a word means: that very word, else the one that differs in capitals only."""
        names = [unit.name for unit in self.session.units]
        return next((name for name in names if name.lower() == word.lower() and word not in names), word)

    def _tile(self, words: Sequence[str]) -> int:
        return self.session.place(_number(words[0]), _number(words[1]))

    def _ended(self, turns: int) -> Session:
        from anabasis.mapf.turn_based import end_turn
        from anabasis.options import check_count

        session = self.session
        for _ in range(check_count(turns, "turns", 1, 1000)):
            session = end_turn(session, memory=self.memory)
        return session

    def _added(self, words: Sequence[str]) -> Session:
        from anabasis.errors import InputError
        from anabasis.mapf.turn_based import add_unit

        points = _number(words[3]) if len(words) > 3 else 2
        if self._name(words[0]) != words[0]:
            raise InputError("there is such a unit", found=words[0], expected=f"no name like {self._name(words[0])}")
        return add_unit(self.session, words[0], self._tile(words[1:3]), points=points, memory=self.memory)

    def _feature(self, words: Sequence[str]) -> Session:
        from anabasis.mapf.turn_based import change_tile

        name = "" if words[2].lower() == "none" else words[2].lower()
        return change_tile(self.session, self._tile(words), feature=name, memory=self.memory)

    def _back(self, source: list[Session], target: list[Session], what: str) -> None:
        from anabasis.errors import InputError

        if not source:
            raise InputError(f"nothing to {what}")
        target.append(self.session)
        self.session = source.pop()
        self._draw()

    def _save(self, path: Path) -> None:
        """Write the game; of what there is only another game may be lost."""
        from anabasis.errors import InputError
        from anabasis.mapf.turn_files import load_session, save_session

        if path.suffix.lower() != ".json":
            raise InputError("a game is saved as JSON", found=str(path), expected="a name that ends in .json")
        if path.exists():
            try:
                load_session(path)
            except InputError as error:
                hint = "only a saved game may be lost: save under another name"
                raise InputError("it stays as it is", file=path, found=str(error), hint=hint) from error
        save_session(self.session, path)
        self.output.say(f"saved: {path}")

    def _say(self, entries: Sequence[tuple[int, str]], otherwise: str = "") -> None:
        if otherwise and not entries:
            self.output.say(otherwise)
        for turn, text in entries:
            self.output.say(f"turn {turn}: {text}")

    def _units(self) -> None:
        """Print where units are and what they will do."""
        from anabasis.mapf.turn_based import next_step

        rows: list[list[object]] = []
        for unit in self.session.units:
            step = next_step(self.session, unit.name, memory=self.memory)
            group = next((group for group in self.session.groups if unit.name in group), ())
            x, y = self.session.tile(unit.place)
            goal = "" if unit.goal is None else "{},{}".format(*self.session.tile(unit.goal))
            ahead = "no way" if unit.held else "" if step is None else "{},{}".format(*self.session.tile(step.place))
            left = f"{unit.points if step is None else step.left:g} of {unit.points}"
            rows.append([unit.name, f"{x},{y}", goal, ahead, left, len(unit.path) - 1 if unit.path else "", *group])
        if not rows:
            self.output.say("there are no units yet")
            return
        rows = [[*row[:6], " ".join(map(str, row[6:]))] for row in rows]
        self.output.table(["unit", "at", "goal", "next", "points left", "turns", "group"], rows)

    def _known(self, name: str) -> None:
        """Print what a unit's search knows of the tiles where it has been."""
        from anabasis.mapf.turn_based import processed

        known = processed(self.session, name, memory=self.memory)
        if known is None:
            self.output.say(f"{name} has no order")
            return
        columns = (known.vertices.tolist(), known.price.tolist(), known.g.tolist(), known.rhs.tolist())
        rows: list[list[object]] = []
        for place, *numbers in zip(*columns, strict=True):
            texts = ["∞" if value == float("inf") else f"{value:g}" for value in numbers]
            rows.append(["{},{}".format(*self.session.tile(place)), *texts])
        self.output.table(["tile", "cost", "g", "rhs"], rows)

    def _draw(self, *, legend: bool = False) -> None:
        """Draw the map: units by their first letter, * the end of this turn, their goals in small letters.

        Columns and rows are numbered along the sides. What the signs mean is said below when it is asked for, and
        whenever there are others than before.
        """
        if not self.output.chatty:
            return
        from rich.console import Console
        from rich.text import Text

        s = self.session
        signs = list(s.terrain)
        for place, feature in s.features:
            signs[place] = feature[0] if s.terrain[place] != "@" else "@"
        styles = [_STYLES[letter] for letter in s.terrain]
        for unit in s.units:
            if unit.goal is not None:
                signs[unit.goal], styles[unit.goal] = unit.name[0].lower(), "black on yellow"
        for unit in s.units:
            if len(unit.path) > 1 and unit.path[1][0] not in (unit.place, unit.goal):
                signs[unit.path[1][0]], styles[unit.path[1][0]] = "*", "white on blue"
        for unit in s.units:
            signs[unit.place], styles[unit.place] = unit.name[0].upper(), "bold black on white"
        console = Console(highlight=False)
        self.output.say(f"turn {s.turn}")
        margin = len(str(s.height - 1)) + 1
        for line in _columns(s.width):
            self.output.say(" " * margin + line)
        for y in range(s.height):
            row = Text(f"{y:>{margin - 1}} " + (" " if s.neighbours == 6 and y % 2 else ""))
            for place in range(y * s.width, (y + 1) * s.width):
                row.append(signs[place], styles[place])
                row.append(" ", styles[place] if s.neighbours != 6 else "")
            if console.is_terminal:
                console.print(row, soft_wrap=True)
            else:
                self.output.say(row.plain.rstrip())
        meaning = _meaning(s)
        if legend or meaning != self.legend:
            self.legend = meaning
            self.output.say(meaning)


def _columns(width: int) -> list[str]:
    """Return the lines above a map that number its columns: the last digit of each, and above it the tens."""
    tens = "".join(str(x // 10).ljust(20) for x in range(10, width, 10))
    last = " ".join(str(x % 10) for x in range(width))
    return [" " * 20 + tens.rstrip(), last] if tens else [last]


def _meaning(session: Session) -> str:
    """Return what the signs on the map mean, those that there are."""
    from anabasis.mapf.turn_based import LETTERS, TERRAIN

    costs = dict(session.costs)
    parts = [
        f"{letter} {name}" + (f" (costs {TERRAIN[name]:g})" if letter != "@" else "")
        for name, letter in LETTERS.items()
        if letter in session.terrain
    ]
    for name in sorted({name for _, name in session.features}):
        parts.append(f"{name[0]} {name} " + (f"(+{costs[name]:g})" if costs[name] < float("inf") else "(impassable)"))
    units = sorted({unit.name[0].upper() for unit in session.units})
    goals = sorted({unit.name[0].lower() for unit in session.units if unit.goal is not None})
    if units:
        parts.append(f"units {' '.join(units)}")
    if goals:
        parts.append(f"their goals {' '.join(goals)}, * where one ends this turn")
    return "; ".join(parts)


def _number(word: str) -> int:
    from anabasis.errors import InputError

    if not (word.isascii() and word.isdigit() and len(word) < 10):
        raise InputError("not such a number", found=word, expected="a whole number from 0")
    return int(word)

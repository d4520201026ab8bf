"""What a command prints: text and tables for people, or one JSON object; nothing but errors with --quiet."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["Output", "counted", "proved_text"]


@dataclass(frozen=True)
class Output:
    """Where results go: to people as text, to programs as JSON; notes on the work go to stderr."""

    json: bool = False
    quiet: bool = False

    @property
    def chatty(self) -> bool:
        """Whether a person reads along."""
        return not (self.json or self.quiet)

    def say(self, text: str = "", *, style: str = "") -> None:
        """Print a line for people."""
        if not self.chatty:
            return
        text = "".join(c if c.isprintable() or c in "\n\t" else "\N{REPLACEMENT CHARACTER}" for c in text)
        if style and sys.stdout.isatty():
            from rich.console import Console

            Console(highlight=False).print(text, style=style, markup=False, soft_wrap=True)
        else:
            print(text)

    def note(self, text: str) -> None:
        """Print a line about the work in progress, on stderr."""
        if self.chatty:
            sys.stderr.write(text + "\n")
            sys.stderr.flush()

    def table(self, header: Sequence[str], rows: Sequence[Sequence[object]], *, title: str = "", text: int = 1) -> None:
        """Print a table for people; the first `text` columns are words, the others numbers."""
        if not self.chatty:
            return
        from rich.box import SIMPLE_HEAD
        from rich.console import Console
        from rich.table import Table
        from rich.text import Text

        table = Table(title=title or None, title_justify="left", title_style="bold", box=SIMPLE_HEAD, pad_edge=False)
        for i, name in enumerate(header):
            table.add_column(name, justify="left" if i < text else "right", overflow="fold")
        for row in rows:
            table.add_row(*(value if isinstance(value, Text) else Text(str(value)) for value in row))
        console = Console(highlight=False)
        if not console.is_terminal:
            console.width = max(console.width, 160)  # a file has no edge to wrap at
        console.print(table)

    def result(self, data: dict[str, Any]) -> None:
        """Print the result for programs."""
        if self.json:
            print(json.dumps(_plain(data), ensure_ascii=False, allow_nan=False))


def proved_text(bound: float, steps: float | None, whose: str) -> str:
    """Return the sentence on a proved bound: by how much the steps of something (if they are known) exceed it."""
    from anabasis.lab.bounds import gap_text

    text = f"proved for any plan whatever: not before step {bound:,.0f}"
    if steps is None:
        return text
    return (
        f"{text}; {whose} is {gap_text(steps, bound)} above that"
        if bound
        else f"{text}, of which no percentage can be told"
    )


def _plain(value: Any) -> Any:
    """Return `value` made of what JSON knows: an infinite number or NaN is null."""
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if hasattr(value, "tolist"):  # NumPy arrays and numbers
        return _plain(value.tolist())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if value is None or isinstance(value, (bool, int, float)) else str(value)


def counted(number: int, noun: str) -> str:
    """Return a number of things, such as `1 process` or `2,000 processes`."""
    return f"{number:,} {noun}" + ("" if number == 1 else "es" if noun.endswith("s") else "s")

"""Hearing: jobs that go on are told words; what each means stands in a table of acts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from anabasis.errors import InputError
from anabasis.studio.channel import Channel
from anabasis.studio.failures import failed

__all__ = ["Word", "obey", "refuse", "told_place", "told_places"]

Word = Mapping[str, Any]
"""What the page tells a job: `say`, and what belongs to it."""


def obey(out: Channel, word: Word, acts: Mapping[str, Callable[[Word], None]]) -> None:
    """Do what a word says; say `refused` if it is a wrong one, and the job goes on."""
    try:
        act = acts.get(str(word.get("say")))
        if act is None:
            raise InputError("unknown word", found=repr(word.get("say")), expected=" or ".join(acts))
        act(word)
    except InputError as error:
        refuse(out, word, error)


def refuse(out: Channel, word: Word, error: InputError) -> None:
    """Say `refused` of a word, and why."""
    out.say("refused", {"say": str(word.get("say")), **failed(error)})


def told_place(word: Word, name: str) -> tuple[float, float]:
    """Return a place [x, y]; raises InputError for anything else."""
    x, y = told_places({name: [word.get(name)]}, name)[0].tolist()
    return x, y


def told_places(word: Word, name: str) -> NDArray[np.float64]:
    """Return places [[x, y], …] as float64[k, 2], none if there are none; raises InputError for anything else."""
    value: object = word.get(name)
    rows = cast("list[object]", value) if isinstance(value, list) else [] if value is None else [value]
    for row in rows:
        pair = cast("list[object]", row) if isinstance(row, list) else []
        if len(pair) != 2 or not all(isinstance(n, (int, float)) and abs(n) < 1e9 for n in pair):
            raise InputError("a place", where=name, found=repr(row), expected="[x, y]")
    return np.array(rows, np.float64).reshape(-1, 2)

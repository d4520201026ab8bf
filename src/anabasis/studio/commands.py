"""A request as a command line. Options that are as usual are left out."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

from anabasis.studio.words import LAND, Request, request_of

__all__ = ["as_command"]


def as_command(do: str, args: Mapping[str, Any]) -> str:
    """Return a request of a family as a command line; raises InputError as its job does."""
    request = request_of(do, args)
    return shlex.join(["anabasis", *_COMMANDS[do](request)])


def _group(request: Request) -> list[str]:
    return ["run", request.file, "--method", request.method, "--seed", f"{request.seed}"]


def _search(request: Request) -> list[str]:
    ends = request.ends
    places = [",".join(map(str, cell)) for cell in (ends.start, ends.goal)]
    own, beside = _set(request.own), _flags(request.unusual("shorten", "space", "ends"))
    space = _set(request.beside["space_options"], "--set-space") if request.beside["space"] else []
    return ["path", request.file, *places, "--method", request.method, *own, *beside, *space, *_movement(request)]


def _space(request: Request) -> list[str]:
    own, beside = _set(request.own), _flags(request.unusual("radius"))
    return ["discretise", request.file, "--space", request.method, *own, *beside, *_movement(request)]


def _drive(request: Request) -> list[str]:
    poses = [",".join(map(str, pose)) for pose in request.poses]
    own = _set(request.own)
    beside = _flags(request.unusual("axle", "steering", "speed", "acceleration", "backward", "radius"))
    return ["drive", request.file, *poses, "--method", request.method, *own, *beside, *_movement(request)]


def _mapf(request: Request) -> list[str]:
    files = [request.map_file, request.file]
    time = ["--time", f"{request.beside['seconds']:g}s"]
    own, rules = _set(request.own), _flags(request.unusual("following", "swaps", "vanish", "no_wait"))
    return ["mapf", "solve", *files, "--method", request.method, *time, *own, *rules, *_movement(request)]


def _formation(request: Request) -> list[str]:
    flags = ["--simulate"] * (request.method == "simulate") + ["--divide"] * request.beside["divide"]
    tick = ["--tick", f"{request.beside['tick']}", "--every", f"{request.every}"]
    return ["formation", "run", request.file, "--set", f"limit={request.beside['limit']}", *flags, *tick]


def _set(options: Mapping[str, Any], flag: str = "--set") -> list[str]:
    """Return options as `--set NAME=VALUE`."""
    words: list[str] = []
    for name, value in options.items():
        said = ("yes" if value else "no") if isinstance(value, bool) else f"{value}"
        words += [flag, f"{name}={said}"]
    return words


def _flags(options: Mapping[str, Any]) -> list[str]:
    """Return options as flags of their own; those that are on have no value."""
    words: list[str] = []
    for name, value in options.items():
        flag = f"--{name.replace('_', '-')}"
        words += [flag] if value is True else [flag, f"{value}"]
    return words


def _movement(request: Request) -> list[str]:
    return [] if request.movement == LAND else ["--movement", request.movement]


_COMMANDS = {
    "group": _group,
    "search": _search,
    "space": _space,
    "drive": _drive,
    "mapf": _mapf,
    "formation": _formation,
}

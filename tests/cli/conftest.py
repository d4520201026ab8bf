"""Calls of the command line, in this process and in one of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from anabasis.cli.app import app

SMALL = """
..........
.########.
.......#..
.######.#.
..........
"""


@pytest.fixture
def call() -> Callable[..., Any]:
    """Call the command line in this process; every argument becomes text."""

    def run(*arguments: object) -> Any:
        result = CliRunner().invoke(app, [str(argument) for argument in arguments])
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
        return result

    return run


@pytest.fixture
def call_json(call: Callable[..., Any]) -> Callable[..., tuple[int, Any]]:
    """Call with --json and return the exit code and the one object on stdout."""

    def run(*arguments: object) -> tuple[int, Any]:
        result = call(*arguments, "--json")
        return result.exit_code, json.loads(result.stdout, parse_constant=lambda name: pytest.fail(f"{name} in JSON"))

    return run


@pytest.fixture(scope="session")
def shell() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Call the command line in a process of its own."""

    def run(
        *arguments: object, cwd: Path | None = None, seconds: float = 300, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "anabasis", *map(str, arguments)],
            cwd=cwd,
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
        )

    return run


@pytest.fixture
def small_map(tmp_path: Path) -> Path:
    """A map of 10 × 5 cells drawn as text; the whole diagonal detour is known."""
    file = tmp_path / "small.txt"
    file.write_text(SMALL)
    return file


@pytest.fixture
def gap(tmp_path: Path) -> Path:
    """A scenario of six units and a gap."""
    file = tmp_path / "gap.scenario.toml"
    file.write_text(
        'schema = "anabasis/scenario"\nschema_version = 1\nname = "the gap"\nseed = 1\n[map]\ntext = """\n'
        + "\n".join(["......#......" if y not in (2, 3) else "............." for y in range(6)])
        + '\n"""\n[[groups]]\nrectangle = { x = 0.5, y = 1, width = 4, height = 4, count = 6 }\n'
        "target = { x = 11, y = 3, radius = 1.5 }\nradius = 0.4\nspeed = 0.15\n[limits]\nsteps = 2000\n"
    )
    return file

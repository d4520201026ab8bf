"""Manifest: what a results folder was made for: the suite, the version, the platform.

A folder is resumed only for exactly what its manifest says, by the very program that began it: an edited one could
give other results, and a table must not mix them.
"""

from __future__ import annotations

import hashlib
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import msgspec

import anabasis
from anabasis.errors import InputError
from anabasis.lab.suite import Run, Suite, runs_of

__all__ = ["Manifest", "ScenarioEntry", "check_same", "manifest_of", "program_hash", "read_manifest"]

SCHEMA = 1
KIND = "anabasis comparison"


class ScenarioEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A scenario in a manifest; `file` is its archive, relative to the folder; `source` what the user named."""

    name: str
    hash: str
    file: str
    source: str = ""


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a results folder holds: who made it, on what, and the suite; `program` is the hash of the source files."""

    kind: str
    schema: int
    package: str
    task: str
    scenarios: list[ScenarioEntry]
    methods: list[str]
    seeds: list[int]
    overrides: list[str]
    platform: dict[str, str]
    program: str = ""

    def runs(self) -> tuple[Run, ...]:
        """Every run of the suite, in its order."""
        return runs_of(
            [(entry.name, entry.hash) for entry in self.scenarios], self.methods, self.seeds, tuple(self.overrides)
        )


def read_manifest(folder: Path) -> Manifest:
    """Return the manifest of a results folder; raises InputError if there is none or it can't be read."""
    file = folder / "manifest.json"
    if not file.is_file():
        raise InputError("this is no results folder", file=folder, expected="a folder with a manifest.json")
    try:
        manifest = msgspec.json.decode(file.read_bytes(), type=Manifest)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InputError(f"faulty manifest: {error}", file=file) from None
    if manifest.kind != KIND or manifest.schema != SCHEMA:
        raise InputError(
            "manifest of another kind or version",
            file=file,
            found=f"{manifest.kind}, version {manifest.schema}",
            expected=f"{KIND}, version {SCHEMA}",
        )
    return manifest


def manifest_of(suite: Suite, task: str) -> Manifest:
    """Return the manifest of a suite that is to be run here."""
    entries = [
        ScenarioEntry(case.name, case.hash, f"scenarios/{number:03d}.npz", case.source)
        for number, case in enumerate(suite.cases)
    ]
    return Manifest(
        kind=KIND,
        schema=SCHEMA,
        package=anabasis.__version__,
        task=task,
        scenarios=entries,
        methods=list(suite.methods),
        seeds=list(suite.seeds),
        overrides=list(suite.overrides),
        platform=_platform(),
        program=program_hash(),
    )


def program_hash(folder: Path = Path(anabasis.__file__).parent) -> str:
    """Return the SHA-256 (hex) of the package's source files, with their names."""
    digest = hashlib.sha256()
    for file in sorted(folder.rglob("*.py")):
        digest.update(f"{file.relative_to(folder).as_posix()}\0{file.stat().st_size}\0".encode() + file.read_bytes())
    return digest.hexdigest()


def _platform() -> dict[str, str]:
    """Return what a result may depend on besides the program."""
    parts = {"system": platform.system(), "machine": platform.machine(), "python": platform.python_version()}
    for library in ("numpy", "numba", "scipy"):
        try:
            parts[library] = version(library)
        except PackageNotFoundError:
            parts[library] = "missing"
    return parts


def check_same(folder: Path, begun: Manifest, asked: Manifest) -> None:
    """Raise InputError if a folder was begun for something else than is asked now, or by another program."""

    def parts(manifest: Manifest) -> dict[str, object]:
        return {
            "package version": manifest.package,
            "task": manifest.task,
            "scenarios": [f"{entry.name} ({entry.hash[:12]})" for entry in manifest.scenarios],
            "methods": manifest.methods,
            "seeds": manifest.seeds,
            "overrides": manifest.overrides,
        }

    for (what, was), now in zip(parts(begun).items(), parts(asked).values(), strict=True):
        if was != now:
            raise InputError(
                f"these results can't be resumed: other {what}",
                file=folder / "manifest.json",
                found=_short(was),
                expected=_short(now),
                hint="resume with what the folder was begun with, or name another one",
            )
    if begun.program != asked.program:
        raise InputError(
            "these results can't be resumed: the program was changed since they were begun",
            file=folder / "manifest.json",
            found=f"source files with the hash {begun.program[:12] or 'unknown'}",
            expected=asked.program[:12],
            hint="begin again in a new folder, so that results of two programs are not mixed",
        )


def _short(value: object) -> str:
    text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return text if len(text) <= 200 else text[:197] + "…"

"""Manifest: what a results folder was made for: the suite, the version, the platform.

A folder is resumed only for exactly what its manifest says.
"""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import msgspec

import anabasis
from anabasis.errors import InputError
from anabasis.lab.suite import Run, Suite

__all__ = ["Manifest", "ScenarioEntry", "check_same", "manifest_of", "read_manifest"]

SCHEMA = 1
KIND = "anabasis comparison"


class ScenarioEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A scenario in a manifest; `file` is its archive, relative to the folder; `source` what the user named."""

    name: str
    hash: str
    file: str
    source: str = ""


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a results folder holds: who made it, on what, and the suite."""

    kind: str
    schema: int
    package: str
    task: str
    scenarios: list[ScenarioEntry]
    methods: list[str]
    seeds: list[int]
    overrides: list[str]
    platform: dict[str, str]

    def runs(self) -> tuple[Run, ...]:
        """Every run of the suite, in its order."""
        places = [(i, s, m, seed) for i, s in enumerate(self.scenarios) for m in self.methods for seed in self.seeds]
        return tuple(
            Run(position, i, s.name, s.hash, m, seed, tuple(self.overrides))
            for position, (i, s, m, seed) in enumerate(places)
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
    )


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
    """Raise InputError if a folder was begun for something else than is asked now."""

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


def _short(value: object) -> str:
    text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return text if len(text) <= 200 else text[:197] + "…"

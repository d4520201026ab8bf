"""The package's build: the studio's page is built into it first. `studio/frontend.py` does that."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).resolve().parent / "studio"))
import frontend  # pyright: ignore[reportMissingImports] -- found by the line above


class StudioBuildHook(BuildHookInterface[Any]):
    """Builds the page for wheels, and for editable installs alike."""

    def dependencies(self) -> list[str]:
        """Name a Node from PyPI if one is needed and there is none on the PATH."""
        if not frontend.wanted() or frontend.up_to_date() or frontend.npm() is not None:
            return []
        return [frontend.WHEEL]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page, or end the build with one message."""
        if not frontend.wanted():
            return
        try:
            frontend.build()
        except frontend.BuildError as error:
            self.app.abort(
                f"The studio's page could not be built: {error}. "
                f"With {frontend.SKIP}=1 Anabasis is installed without it; only the studio is missing then."
            )

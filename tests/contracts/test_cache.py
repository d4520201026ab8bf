"""Compiled kernels: kept under a hash, and never in the source tree."""

import os
import subprocess
import sys
from pathlib import Path

import anabasis._kernel as policy

PROGRAM = """
import anabasis._kernel as policy
from anabasis._kernel.random import mix
mix(1)
print(policy.cached, policy.cache_folder)
"""


def run(cache: Path) -> tuple[str, str]:
    environment = os.environ | {"NUMBA_CACHE_DIR": str(cache)}
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=True)
    cached, folder = done.stdout.split()
    return cached, folder


def compiled(folder: Path) -> set[Path]:
    return set(folder.rglob("*.nbi"))


def test_kernels_are_kept_in_the_folder_that_is_named_by_a_hash(tmp_path: Path) -> None:
    cached, folder = run(tmp_path)
    assert cached == "True"
    assert Path(folder).parent == tmp_path
    assert compiled(Path(folder))


def test_without_a_folder_to_write_to_nothing_is_kept_anywhere(tmp_path: Path) -> None:
    source = Path(policy.__file__).parents[1]
    before = compiled(source)
    (tmp_path / "file").write_text("no folder can be made here")
    cached, _ = run(tmp_path / "file")
    assert cached == "False"
    assert compiled(source) == before
    assert not compiled(tmp_path)

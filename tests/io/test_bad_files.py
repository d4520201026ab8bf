"""Every bad file of the corpus gives exactly the message of the table `bad/messages.tsv`."""

from collections import Counter
from pathlib import Path

import pytest

from anabasis import find
from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.instance import Instance
from anabasis.io import archive, lacam_text, maps, movingai, planviz, scenario, tracker

BAD = Path(__file__).parent / "bad"
AGENTS = Instance.of(Grid.from_text("...\n.@."), [0, 2], [3, 5])
READERS = {
    "map": maps.load_grid,
    "scen": movingai.load_scen,
    "text": maps.load_grid,
    "image": maps.load_grid,
    "tiled": maps.load_grid,
    "ldtk": maps.load_grid,
    "scenario": scenario.load_scenario,
    "archive": archive.load,
    "tracker": lambda name: tracker.load_tracker(name, AGENTS),
    "lacam": lambda name: lacam_text.load_lacam(name, AGENTS),
    "planviz": lambda name: planviz.load_planviz(name, AGENTS),
}
TABLE = [line.split("\t", 1) for line in (BAD / "messages.tsv").read_text("utf-8").splitlines()]


@pytest.mark.parametrize(("name", "message"), TABLE, ids=[row[0] for row in TABLE])
def test_message(name: str, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(BAD)
    with pytest.raises(InputError) as caught:
        READERS[Path(name).parts[0]](name)
    assert str(caught.value) == message


def test_the_table_is_whole_and_each_format_has_at_least_five() -> None:
    files = {p.relative_to(BAD).as_posix() for p in BAD.glob("*/*")}
    assert files == {name for name, _ in TABLE}
    assert min(Counter(name.split("/")[0] for name in files).values()) >= 5
    assert {name.split("/")[0] for name in files} == set(READERS)


@pytest.mark.parametrize("name", [row[0] for row in TABLE])
def test_messages_name_the_file_and_never_python(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    message = dict(TABLE)[name]
    assert message.startswith(name)
    assert not any(word in message for word in ("Error", "Traceback", "__init__", "NoneType", "object at 0x"))


def test_the_corpus_is_what_its_script_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import importlib.util

    spec = importlib.util.spec_from_file_location("make_bad_files", Path(__file__).parent / "make_bad_files.py")
    assert spec is not None and spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    monkeypatch.setattr(script, "BAD", tmp_path)
    script.main()
    written = {p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*.*")}
    assert written == {name for name, _ in TABLE}
    for name in written:
        if not name.endswith((".npz", ".png")):  # packed bytes may differ between versions of zlib
            assert (tmp_path / name).read_bytes() == (BAD / name).read_bytes(), name


@pytest.mark.parametrize("name", ["none.map", "none.png", "none.txt", "none.npz", "none.toml", "none", "no/where.map"])
def test_a_missing_file(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    hint = "the folder no does not exist" if "/" in name else "check the name"
    with pytest.raises(InputError) as caught:
        find.load(name)
    assert str(caught.value) == f"{name}: the file can't be read; found no such file or directory. Hint: {hint}"


@pytest.mark.parametrize("suffix", [".map", ".png", ".txt", ".npz", "", ".toml"])
def test_a_folder_is_not_a_file(suffix: str, tmp_path: Path) -> None:
    folder = tmp_path / f"folder{suffix}"
    folder.mkdir()
    with pytest.raises(InputError, match=r"the file can't be read; found is a directory"):
        find.load(folder)

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import BinaryIO

import pytest

from anabasis import InputError
from anabasis.io.atomic import check_writable, read_bytes, write_atomic


def test_bytes_and_a_writer(tmp_path: Path) -> None:
    write_atomic(tmp_path / "a", b"one")
    write_atomic(tmp_path / "a", lambda file: file.write(b"two"))
    assert (tmp_path / "a").read_bytes() == b"two"
    assert os.listdir(tmp_path) == ["a"]  # noqa: PTH208


def test_a_failing_writer_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    write_atomic(tmp_path / "a", b"old")

    def fail(file: BinaryIO) -> None:
        file.write(b"half of the ne")
        raise RuntimeError("no")

    with pytest.raises(RuntimeError):
        write_atomic(tmp_path / "a", fail)
    assert [p.name for p in tmp_path.iterdir()] == ["a"]
    assert (tmp_path / "a").read_bytes() == b"old"


def test_places_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_bytes(b"mine")
    for place, words in (
        (tmp_path / "no" / "a", f"found no folder {tmp_path / 'no'}"),
        (tmp_path / "file" / "a", f"found a file named {tmp_path / 'file'}"),
        (tmp_path / "folder", "found a folder of this name"),
        (tmp_path / ("a" * 300), "file name too long"),
    ):
        for call in (lambda p: write_atomic(p, b""), check_writable):
            with pytest.raises(InputError, match="the file can't be written") as error:
                call(place)
            assert words in str(error.value)
            assert (error.value.file, bool(error.value.expected and error.value.hint)) == (str(place), True)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["file", "folder"]


def test_whether_a_file_can_be_written_is_tried_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "old").write_bytes(b"old")
    for name in ("new", "old"):
        check_writable(tmp_path / name)
    assert [(p.name, p.read_bytes()) for p in tmp_path.iterdir()] == [("old", b"old")]


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="a folder in which nobody can make files, root neither")
def test_a_folder_in_which_nobody_can_make_files() -> None:
    with pytest.raises(InputError, match="found that no file can be made in /proc: "):
        check_writable("/proc/a.png")


def test_reading_is_capped(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"12345")
    assert read_bytes(tmp_path / "a", 5) == b"12345"
    with pytest.raises(InputError, match="the file is too large; expected at most 4 bytes"):
        read_bytes(tmp_path / "a", 4)
    if Path("/dev/zero").exists():
        with pytest.raises(InputError, match="the file is too large"):
            read_bytes("/dev/zero", 1000)
    with pytest.raises(InputError, match="the file can't be read; found embedded null byte"):
        read_bytes("a\0b")


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL is a thing of POSIX")
def test_a_killed_writer_never_leaves_a_part(tmp_path: Path) -> None:
    path = tmp_path / "grid.npz"
    code = (
        "import sys, itertools, numpy as np\nfrom anabasis import Grid\nfrom anabasis.io.archive import save\n"
        "for k in itertools.count():\n"
        "    save(Grid.from_free(np.random.default_rng(k).random((150, 150)) < 0.5), sys.argv[1])\n"
        "    print(k, flush=True)\n"
    )
    for delay in (0.0, 0.003, 0.007, 0.012, 0.02):
        writer = subprocess.Popen([sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE)
        assert writer.stdout is not None
        writer.stdout.readline()
        time.sleep(delay)
        writer.send_signal(signal.SIGKILL)
        writer.wait()
        writer.stdout.close()
        from anabasis.io.archive import load

        load(path)


def test_bytes_are_synced_before_they_get_their_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before: list[bool] = []
    sync = os.fsync
    monkeypatch.setattr(os, "fsync", lambda handle: (before.append((tmp_path / "a").exists()), sync(handle)))
    write_atomic(tmp_path / "a", b"whole")
    assert before[0] is False
    assert before[1:] == ([True] if os.name == "posix" else [])  # then the folder, which holds the name

"""What is kept of finished jobs: how much, how long, and that it is whole."""

from pathlib import Path

import pytest

from anabasis.errors import InputError
from anabasis.studio.kept import Kept
from anabasis.studio.wire import for_job, head, pack, unpack


def recorded(kept: Kept, key: str, messages: list[bytes], note: bytes = b"") -> None:
    recording = kept.record()
    for message in messages:
        recording.write(message)
    if note:
        (recording.keep / "note").write_bytes(note)
    kept.add(key, recording)
    recording.drop()


def read(kept: Kept, key: str) -> list[bytes]:
    with kept.messages(key) as messages:
        return list(messages)


def test_messages_come_back_as_they_were(tmp_path: Path):
    kept = Kept(tmp_path)
    messages = [pack({"kind": "a"}), pack({"kind": "b"}, {"x": [1.5, float("nan")]}), pack({"kind": "done"})]
    recorded(kept, "k", messages, b"note")
    assert "k" in kept
    assert read(kept, "k") == messages
    with kept.folder("k") as folder:
        assert (folder / "note").read_bytes() == b"note"


def test_what_is_not_kept_leaves_nothing(tmp_path: Path):
    kept = Kept(tmp_path)
    recording = kept.record()
    recording.write(b"part")
    recording.drop()
    assert not any(tmp_path.iterdir())
    with pytest.raises(InputError, match="not there any more"), kept.folder("k"):
        pass


def test_the_first_of_two_equal_results_stays(tmp_path: Path):
    kept = Kept(tmp_path)
    recorded(kept, "k", [b"first"])
    recorded(kept, "k", [b"second"])
    assert read(kept, "k") == [b"first"]
    assert len(list(tmp_path.iterdir())) == 1


def test_what_was_used_longest_ago_goes_first(tmp_path: Path):
    kept = Kept(tmp_path, max_bytes=3500)
    for key in "abc":
        recorded(kept, key, [bytes(1000)])
    read(kept, "a")
    recorded(kept, "d", [b"d"], bytes(1000))
    assert [key in kept for key in "abcd"] == [True, False, True, True]
    assert len(list(tmp_path.iterdir())) == 3


def test_only_so_many_are_kept(tmp_path: Path):
    kept = Kept(tmp_path, most=3)
    for key in "abcde":
        recorded(kept, key, [key.encode()])
        if "a" in kept:
            read(kept, "a")
    assert [key in kept for key in "abcde"] == [True, False, False, True, True]
    assert len(list(tmp_path.iterdir())) == 3


def test_names_of_folders_are_used_again(tmp_path: Path):
    kept = Kept(tmp_path, most=3)
    names: set[str] = set()
    for number in range(50):
        recorded(kept, f"{number}", [b"a"])
        names |= {entry.name for entry in tmp_path.iterdir()}
    assert len(names) <= 4  # one is in the making while three are kept


def test_what_is_in_use_stays(tmp_path: Path):
    kept = Kept(tmp_path, max_bytes=2500)
    recorded(kept, "a", [b"a"], bytes(1000))
    recorded(kept, "b", [bytes(1000)])
    with kept.folder("a") as folder, kept.messages("b") as messages:
        recorded(kept, "c", [bytes(1000)])
        assert (folder / "note").stat().st_size == 1000
        assert list(messages) == [bytes(1000)]
    recorded(kept, "d", [bytes(1000)])
    assert sum(file.stat().st_size for file in tmp_path.rglob("*") if file.is_file()) <= 2500
    assert "d" in kept


@pytest.mark.parametrize("note", [b"", bytes(1000)])
def test_what_is_too_large_is_not_kept(tmp_path: Path, note: bytes):
    kept = Kept(tmp_path, max_bytes=2000)
    recorded(kept, "small", [b"small"])
    recorded(kept, "large", [bytes(1200)] * (1 if note else 2), note)
    assert "large" not in kept
    assert "small" in kept
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("job", ["b", "a", "a much longer name", "ü\n\"'"])
def test_a_message_for_another_job_is_the_same_otherwise(job: str):
    message = pack({"kind": "k", "job": "a", "text": "é"}, {"x": [1.0, 2.0], "y": [[True]]})
    before, arrays = unpack(message)
    after, same = unpack(for_job(message, job))
    assert after == {**before, "job": job} == {k: v for k, v in head(for_job(message, job)).items() if k != "arrays"}
    assert {name: array.tolist() for name, array in same.items()} == {name: a.tolist() for name, a in arrays.items()}

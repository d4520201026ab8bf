import dataclasses
import importlib.util
import json
import os
import pickle
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from anabasis import Grid, InputError, Limits, Result, Status, state_hash
from anabasis import Path as Way
from anabasis.io import archive
from anabasis.io.archive import load, save
from anabasis.io.noun_tree import noun_types

HERE = Path(__file__).parent
spec = importlib.util.spec_from_file_location("io_nouns", HERE / "nouns.py")
assert spec is not None and spec.loader is not None
nouns = importlib.util.module_from_spec(spec)
spec.loader.exec_module(nouns)
EXAMPLES = nouns.examples()


def frozen(value: object) -> bool:
    if isinstance(value, np.ndarray):
        return not value.flags.writeable
    if dataclasses.is_dataclass(value):
        return all(frozen(getattr(value, f.name)) for f in dataclasses.fields(value))
    return True


def same(a: object, b: object) -> None:
    """Equal in type and value, all the way down: independent of the state hash that the archive itself checks."""
    assert type(a) is type(b)
    if isinstance(a, np.ndarray):
        assert isinstance(b, np.ndarray) and a.dtype == b.dtype and a.shape == b.shape
        assert np.array_equal(a, b)
    elif dataclasses.is_dataclass(a):
        for f in dataclasses.fields(a):
            same(getattr(a, f.name), getattr(b, f.name))
    elif isinstance(a, (tuple, list)):
        assert isinstance(b, (tuple, list)) and len(a) == len(b)
        for x, y in zip(a, b, strict=True):
            same(x, y)
    elif hasattr(a, "keys"):
        assert dict(a) == dict(b)  # type: ignore[call-overload]
    else:
        assert a == b


@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_every_noun_comes_back(name: str, tmp_path: Path) -> None:
    noun = EXAMPLES[name]
    save(noun, tmp_path / "a.npz")
    again = load(tmp_path / "a.npz")
    same(noun, again)
    assert frozen(again)
    assert state_hash(again) == state_hash(noun)
    save(again, tmp_path / "b.npz")
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


def test_every_noun_has_an_example() -> None:
    kinds = {name for name, kind in noun_types().items() if dataclasses.is_dataclass(kind)}
    assert kinds == {type(noun).__name__ for noun in EXAMPLES.values()}


@settings(max_examples=50, deadline=None)
@given(
    cost=arrays(
        np.float64,
        array_shapes(min_dims=2, max_dims=2, max_side=8),
        elements=st.floats(1, allow_infinity=True, allow_nan=False),
    ),
    side=st.floats(1e-300, 1e300),
)
def test_any_grid_comes_back(tmp_path_factory: pytest.TempPathFactory, cost: np.ndarray, side: float) -> None:
    grid = Grid(cost, np.arange(cost.size).reshape(cost.shape) % 256, side)
    path = tmp_path_factory.getbasetemp() / "any.npz"
    save(grid, path)
    same(grid, load(path))


def test_the_archive_is_plain_zip_and_npy(tmp_path: Path) -> None:
    save(EXAMPLES["grid"], tmp_path / "a.npz")
    with np.load(tmp_path / "a.npz", allow_pickle=False) as arrays_:
        assert np.array_equal(arrays_["cost"], EXAMPLES["grid"].cost)
    with zipfile.ZipFile(tmp_path / "a.npz") as bundle:
        assert bundle.namelist() == ["noun.json", "cost.npy", "terrain.npy"]
        head = json.loads(bundle.read("noun.json"))
    assert {k: head[k] for k in ("schema", "schema_version", "producer", "type")} == {
        "schema": "anabasis/noun",
        "schema_version": 1,
        "producer": "anabasis",
        "type": "Grid",
    }
    assert head["state_hash"] == state_hash(EXAMPLES["grid"])


def test_the_bytes_do_not_depend_on_hash_seed_or_place(tmp_path: Path) -> None:
    code = (
        f"import sys; sys.path.insert(0, {str(HERE)!r}); import nouns\n"
        "from anabasis.io.archive import save; from anabasis.io.scenario import save_scenario\n"
        "save(nouns.examples()['result_path'], sys.argv[1] + '.npz')\n"
        "save_scenario(nouns.examples()['scenario'], sys.argv[1] + '.toml')\n"
    )
    for seed in ("0", "1", "77"):
        (tmp_path / seed).mkdir()
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        command = [sys.executable, "-B", "-c", code, str(tmp_path / seed / "a")]
        subprocess.run(command, check=True, env=environment, cwd=tmp_path / seed)
    for name in ("a.npz", "a.toml"):
        assert len({(tmp_path / seed / name).read_bytes() for seed in ("0", "1", "77")}) == 1


def test_only_nouns_are_saved(tmp_path: Path) -> None:
    for value in (3, {"a": 1}, np.zeros(3), object()):
        with pytest.raises(InputError, match="not a noun; found"):
            save(value, tmp_path / "a.npz")
    odd = Result(Status.SOLVED, object())
    with pytest.raises(InputError, match="value: a value that an archive can't hold; found object"):
        save(odd, tmp_path / "a.npz")
    assert not list(tmp_path.iterdir())


def test_cut_off_at_every_byte(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    save(EXAMPLES["path"], path)
    whole = path.read_bytes()
    for end in range(len(whole)):
        path.write_bytes(whole[:end])
        with pytest.raises(InputError):
            load(path)


def test_every_byte_changed(tmp_path: Path) -> None:
    """A changed byte is noticed, or it stands where it says nothing (a date, an attribute)."""
    path = tmp_path / "a.npz"
    save(EXAMPLES["path"], path)
    whole = path.read_bytes()
    noticed = 0
    for at in range(len(whole)):
        for mask in (0x01, 0xFF):
            path.write_bytes(whole[:at] + bytes([whole[at] ^ mask]) + whole[at + 1 :])
            try:
                same(load(path), EXAMPLES["path"])
            except InputError:
                noticed += 1
    assert noticed > len(whole)


def rewritten(path: Path, change: dict[str, bytes] | None = None, **head: object) -> None:
    """Write an archive again with some members replaced, and right sums."""
    with zipfile.ZipFile(path) as bundle:
        members = {name: bundle.read(name) for name in bundle.namelist()} | (change or {})
    members["noun.json"] = json.dumps({**json.loads(members["noun.json"]), **head}).encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name, data in members.items():
            bundle.writestr(name, data)


def test_a_change_with_right_sums_is_caught_by_the_state_hash(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    save(EXAMPLES["grid"], path)
    with zipfile.ZipFile(path) as bundle:
        cost = bytearray(bundle.read("cost.npy"))
    cost[-8:] = np.float64(7.0).tobytes()
    rewritten(path, {"cost.npy": bytes(cost)})
    with pytest.raises(InputError, match="its content does not match its state hash"):
        load(path)


def test_the_unpacked_size_is_capped(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    save(Grid.from_free(np.ones((400, 400), bool)), path)
    assert path.stat().st_size < 10_000
    with pytest.raises(InputError, match=r"cost.npy: the archive is too large when unpacked; found 1280128 bytes"):
        load(path, max_bytes=1_000_000)
    assert load(path, max_bytes=2_000_000)


def test_a_file_from_before_a_field_existed_still_loads(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    save(Limits(steps=77), path)
    rewritten(path, value={"noun": "Limits", "fields": {"steps": 77}})
    assert load(path) == Limits(steps=77)
    rewritten(path, value={"noun": "Limits", "fields": {"steps": 77, "hours": 3}})
    with pytest.raises(InputError, match=r"noun.json: a Limits with unknown fields; found hours"):
        load(path)


def test_old_versions_are_upgraded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.npz"
    save(EXAMPLES["limits"], path)
    rewritten(path, schema_version=0, noun="Limits")
    with pytest.raises(InputError, match="unknown version of the archive; found schema_version 0"):
        load(path)
    monkeypatch.setitem(archive._UPGRADES, 0, lambda head: {**head, "schema_version": 1})
    assert load(path) == EXAMPLES["limits"]


@pytest.mark.parametrize("path", sorted((HERE / "archives").glob("*.npz")), ids=lambda p: p.stem)
def test_archives_written_by_earlier_releases_load(path: Path) -> None:
    same(load(path), EXAMPLES[path.stem.removesuffix("_1")])


def test_there_are_archives_of_the_first_version() -> None:
    assert {p.stem for p in (HERE / "archives").glob("*_1.npz")} >= {"grid_1", "trace_1", "result_path_1"}


def test_a_pickled_copy_is_equal_too() -> None:
    result = EXAMPLES["result_path"]
    same(pickle.loads(pickle.dumps(result)), result)  # noqa: S301


def test_deeply_nested_json(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    save(Way(np.zeros(0), np.zeros((0, 2)), 0.0), path)
    for text in (b"[" * 200_000, b'{"tuple":[' * 100_000):
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as bundle:
            bundle.writestr("noun.json", text)
        with pytest.raises(InputError, match=r"noun.json: the archive is damaged; expected JSON"):
            load(path)

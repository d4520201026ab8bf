"""The workspace: what is read, listed and written there, and that nothing leads out of it."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import pytest
from studio_serving import Served, serving

from anabasis.errors import InputError
from anabasis.studio.failures import RefusedError
from anabasis.studio.workspace import SAVED, Workspace

MAP = "type octile\nheight 2\nwidth 3\nmap\n...\n...\n"
HIDDEN = "type octile\nheight 1\nwidth 7\nmap\n.......\n"


@dataclass(frozen=True)
class Place:
    served: Served
    folder: Path
    outside: Path


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    base = tmp_path_factory.mktemp("base")
    folder, outside = base / "workspace", base / "outside"
    (folder / "sub").mkdir(parents=True)
    outside.mkdir()
    (outside / "secret.map").write_text(HIDDEN)
    (base / "secret.map").write_text(HIDDEN)
    (folder / "a.map").write_text(MAP)
    (folder / "sub" / "b.map").write_text(MAP)
    (folder / ".hidden.map").write_text(HIDDEN)
    (folder / ".git").mkdir()
    (folder / ".git" / "c.map").write_text(HIDDEN)
    (folder / "link.map").symlink_to(outside / "secret.map")
    (folder / "up").symlink_to(base)
    (folder / "round.map").symlink_to(folder / "round.map")
    (folder / "near.map").symlink_to(folder / "a.map")
    os.mkfifo(folder / "pipe.map")
    with (folder / "large.map").open("wb") as file:
        file.truncate(2**26 + 1)
    static = base / "static"
    static.mkdir()
    (static / "index.html").write_text("page")
    with serving(folder, static) as served:
        yield Place(served, folder, outside)


TRAVERSALS = [
    "",
    ".",
    "..",
    "/",
    "./a.map",
    "../secret.map",
    "../outside/secret.map",
    "../workspace/a.map",
    "../../secret.map",
    "sub/../../secret.map",
    "sub/../a.map",
    "sub/./b.map",
    "sub//b.map",
    "/etc/passwd",
    "//etc/passwd",
    "{outside}/secret.map",
    "{folder}/a.map",
    "file://{outside}/secret.map",
    "~/secret.map",
    "~root/secret.map",
    "..\\secret.map",
    "..\\outside\\secret.map",
    "sub\\..\\..\\secret.map",
    "\\etc\\passwd",
    "\\\\server\\share\\secret.map",
    "C:/secret.map",
    "C:\\secret.map",
    "C:secret.map",
    "a.map\0",
    "a.map\0.png",
    "\0../secret.map",
    "..\0/secret.map",
    "a.map:stream",
    "a.map::$DATA",
    "a.map.",
    "a.map ",
    "..  /secret.map",
    "... /secret.map",
    ".../secret.map",
    "....//secret.map",
    "..;/secret.map",
    "CON",
    "nul.map",
    "sub/aux.map",
    "COM1.map",
    "lpt9",
    ".hidden.map",
    ".git/c.map",
    "sub/../.hidden.map",
    "link.map",
    "up/secret.map",
    "up/outside/secret.map",
    "round.map",
    "pipe.map",
    "sub",
    "sub/",
    "a.map/",
    "a.map/../../secret.map",
    "%2e%2e/secret.map",
    "%2e%2e%2fsecret.map",
    "..%2fsecret.map",
    "..%5csecret.map",
    "..%c0%afsecret.map",
    "%252e%252e%252fsecret.map",
    "\uff0e\uff0e/secret.map",
    "..\u2215secret.map",
    "..\u2024/secret.map",
    "a.map\n",
    "a.map\r\nX-Other: 1",
    "\ud800.map",
    "a/" * 600 + "a.map",
    "a" * 300 + ".map",
    "/proc/self/environ",
    "/dev/zero",
]


def said(place: Place, path: str) -> str:
    return path.format(outside=place.outside, folder=place.folder) if "{" in path else path


@pytest.mark.parametrize("path", TRAVERSALS, ids=[f"{i:02}" for i in range(len(TRAVERSALS))])
def test_what_leads_out_is_refused(place: Place, path: str):
    path = said(place, path)
    with pytest.raises(RefusedError):
        Workspace(place.folder).file(path)
    coded = quote(path.encode("utf-8", "surrogatepass"), safe="")
    every_byte = "".join(f"%{byte:02x}" for byte in path.encode("utf-8", "surrogatepass"))
    plain = quote(path.encode("utf-8", "surrogatepass"), safe="!$'()*,/:;=?@[\\]^`{|}~%")
    for text in {coded, every_byte, plain}:
        for answer in (
            place.served.ask(f"api/open?path={text}"),
            place.served.ask(f"api/save?path={text}", method="PUT", body=b'{"text": "written"}'),
            place.served.ask(text),  # as a part of the page
        ):
            assert answer.status in (400, 403, 404, 409, 413) or answer.body == b"page"
            assert b"draft" not in answer.body
            assert b"root:" not in answer.body
    assert (place.outside / "secret.map").read_text() == HIDDEN
    assert (place.outside.parent / "secret.map").read_text() == HIDDEN
    assert (place.folder / "a.map").read_text() == MAP


def test_what_lies_inside_is_given(place: Place):
    for path in ("a.map", "sub/b.map", "near.map"):
        answer = place.served.ask(f"api/open?path={quote(path, safe='')}")
        assert answer.status == 200
        kinds = [head["kind"] for head, _ in answer.messages]
        assert kinds == ["begun", "draft", "done"]
        assert answer.messages[1][0]["draft"] == {"name": path, "width": 3}


def test_large_files_are_refused_by_their_size(place: Place):
    answer = place.served.ask("api/open?path=large.map")
    assert answer.status == 413
    assert answer.json["found"] == f"{2**26 + 1} bytes"
    assert "64 MiB" in answer.json["expected"]


def test_the_list_has_what_can_be_opened(place: Place):
    listed = place.served.ask("api/files").json
    assert listed["name"] == "workspace"
    assert not listed["more"]
    assert {file["path"]: (file["kind"], file["size"]) for file in listed["files"]} == {
        "a.map": ("map", len(MAP)),
        "sub/b.map": ("map", len(MAP)),
        "large.map": ("map", 2**26 + 1),
    }


def test_kinds_are_told_by_endings(tmp_path: Path):
    kinds = {
        "a.scenario.toml": "scenario",
        "b.MAP": "map",
        "c.manoeuvre.toml": "manoeuvre",
        "d.npz": "archive",
        "e.png": "picture",
        "f.scen": "tasks",
        "<img src=x>.map": "map",
    }
    for name in (*kinds, "g.exe", "h", ".map", "i.map~"):
        (tmp_path / name).touch()
    (tmp_path / "r.run").mkdir()
    (tmp_path / "r.run" / "inside.map").touch()
    (tmp_path / "folder.map").mkdir()
    listed = Workspace(tmp_path).files()["files"]
    assert {file["path"]: file["kind"] for file in listed} == {**kinds, "r.run": "results"}
    assert Workspace(tmp_path).file("r.run") == tmp_path / "r.run"


def test_the_list_is_bounded(tmp_path: Path):
    for number in range(1100):
        (tmp_path / f"{number}.map").touch()
    deep = tmp_path.joinpath(*"abcdefgh")
    deep.mkdir(parents=True)
    (deep / "deep.map").touch()
    listed = Workspace(tmp_path).files()
    assert listed["more"]
    assert len(listed["files"]) == 1000


def test_a_workspace_is_a_folder(tmp_path: Path):
    with pytest.raises(InputError, match="no such folder"):
        Workspace(tmp_path / "none")


def save(place: Place, path: str, draft: str = '{"text": "new"}', more: str = ""):
    return place.served.ask(f"api/save?path={quote(path, safe='')}{more}", method="PUT", body=draft.encode())


def test_a_draft_is_written_and_written_over_only_when_asked(place: Place):
    answer = save(place, "sub/new.map")
    assert (answer.status, answer.json) == (200, {"path": "sub/new.map", "files": ["new.map"], "notes": ["all of it"]})
    file = place.folder / "sub" / "new.map"
    assert file.read_text() == "new"
    again = save(place, "sub/new.map", '{"text": "newer"}')
    assert again.status == 409
    assert again.json["problem"] == "there is such a file"
    assert file.read_text() == "new"
    assert save(place, "sub/new.map", '{"text": "newer"}', "&overwrite=yes").status == 200
    assert file.read_text() == "newer"
    file.unlink()


@pytest.mark.parametrize("name", ["a.exe", "a", "a.toml", "a.html", ".map", "a.map.sh", "no/such.map", "sub"])
def test_only_known_files_in_folders_that_there_are_are_written(place: Place, name: str):
    before = sorted(place.folder.rglob("*"))
    assert save(place, name).status in (400, 404, 409)
    assert save(place, name, more="&overwrite=yes").status in (400, 404, 409)
    assert sorted(place.folder.rglob("*")) == before


def test_tasks_do_not_write_over_the_map_beside_them(place: Place):
    assert save(place, "a.scen").status == 409
    assert Workspace(place.folder).target("a.scen", overwrite=True) == place.folder / "a.scen"


def test_what_is_written_beside_a_file_is_said(place: Place):
    assert save(place, "n.manoeuvre.toml").json["files"] == ["n.manoeuvre.toml", "n.txt"]
    (place.folder / "n.manoeuvre.toml").unlink()


def test_links_are_not_written_through(place: Place):
    for path in ("link.map", "up/new.map", "up/secret.map"):
        assert save(place, path, more="&overwrite=yes").status == 403
    assert (place.outside / "secret.map").read_text() == HIDDEN
    assert not (place.folder.parent / "new.map").exists()


@pytest.mark.parametrize("draft", ["", "{", "\udcff", "[" * 100_000, '{"text": "a", "wrong": true}'])
def test_wrong_drafts_are_refused(place: Place, draft: str):
    answer = place.served.ask("api/save?path=bad.map", method="PUT", body=draft.encode("utf-8", "surrogateescape"))
    assert answer.status == 400
    assert answer.json["problem"] in ("the draft is no JSON", "wrong draft")
    assert not (place.folder / "bad.map").exists()


def test_every_ending_that_is_saved_is_listed(tmp_path: Path):
    for ending in SAVED:
        (tmp_path / f"a{ending}").touch()
    assert len(Workspace(tmp_path).files()["files"]) == len(SAVED)

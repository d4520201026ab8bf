"""The commands `studio` and `view`: the address they print, how they end, and what they refuse."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest


@contextmanager
def begun(*arguments: object, **environment: str) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """Begin a command, and give its process and its first line."""
    process = subprocess.Popen(
        [sys.executable, "-m", "anabasis", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
    )
    assert process.stdout
    try:
        yield process, process.stdout.readline()
    finally:
        process.kill()
        process.communicate()


def status(address: str) -> tuple[int, bytes]:
    """Ask for the list of files."""
    wire = HTTPConnection(urlsplit(address).netloc, timeout=30)
    wire.request("GET", f"{urlsplit(address).path}api/files")
    answer = wire.getresponse()
    found = answer.status, answer.read()
    wire.close()
    return found


def test_studio_prints_its_address_and_ends_by_ctrl_c(tmp_path: Path):
    (tmp_path / "a.map").write_text("type octile\nheight 1\nwidth 1\nmap\n.\n")
    with begun("studio", tmp_path, "--no-open") as (process, line):
        address = line.split()[-1]
        code, body = status(address)
        assert code == 200
        assert [file["path"] for file in json.loads(body)["files"]] == ["a.map"]
        assert process.stdout
        assert process.stdout.readline() == "Ctrl-C ends it.\n"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert out == ""
    assert err == "\ninterrupted\n"


def test_studio_ends_when_it_is_told_to(tmp_path: Path):
    with begun("studio", tmp_path, "--no-open") as (process, line):
        assert status(line.split()[-1])[0] == 200
        process.terminate()
        assert process.wait(timeout=30) == -signal.SIGTERM


def test_view_names_the_file_in_the_address(tmp_path: Path):
    file = tmp_path / "a b & <c>#.map"
    file.write_text("type octile\nheight 1\nwidth 1\nmap\n.\n")
    with begun("view", file, "--no-open", "--json") as (_, line):
        data = json.loads(line)
    address, _, fragment = data["address"].partition("#")
    assert address.endswith("/")
    assert fragment == "open=a%20b%20%26%20%3Cc%3E%23.map"
    assert data["folder"] == str(tmp_path)


def test_view_takes_a_folder_of_results(tmp_path: Path):
    (tmp_path / "gap.run").mkdir()
    with begun("view", tmp_path / "gap.run", "--no-open", "--json") as (_, line):
        data = json.loads(line)
    assert data["address"].endswith("/#open=gap.run")
    assert data["folder"] == str(tmp_path)


def test_studio_opens_the_browser(tmp_path: Path):
    seen = tmp_path / "seen"
    browser = f"{sys.executable} -c \"import sys; open('{seen}', 'w').write(sys.argv[1])\" %s"
    with begun("studio", tmp_path, "--json", BROWSER=browser) as (_, line):
        address = json.loads(line)["address"]
        for _ in range(200):
            if seen.exists() and seen.read_text():
                break
            time.sleep(0.05)
        assert seen.read_text() == address


def test_a_port_that_is_taken_is_told(call, tmp_path: Path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = call("studio", tmp_path, "--no-open", "--port", port)
    assert result.exit_code == 2
    assert "the port can't be had" in result.stderr
    assert f"{port}" in result.stderr


@pytest.mark.parametrize("command", ["studio", "view"])
def test_what_is_missing_is_told(call, tmp_path: Path, command: str):
    (tmp_path / "arena.map").touch()
    result = call(command, tmp_path / "arean.map", "--no-open")
    assert result.exit_code == 3
    assert "there is no such" in result.stderr


def test_studio_wants_a_folder_and_view_a_file(call, tmp_path: Path):
    (tmp_path / "a.map").touch()
    result = call("studio", tmp_path / "a.map", "--no-open")
    assert result.exit_code == 3
    assert "this is a file" in result.stderr
    result = call("view", tmp_path, "--no-open")
    assert result.exit_code == 3
    assert "this is a folder" in result.stderr


def test_view_refuses_what_the_studio_cannot_open(call, tmp_path: Path):
    with (tmp_path / "large.map").open("wb") as file:
        file.truncate(2**26 + 1)
    result = call("view", tmp_path / "large.map", "--no-open")
    assert result.exit_code == 3
    assert "64 MiB" in result.stderr

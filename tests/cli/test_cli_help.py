"""Help: quick, without heavy imports, and complete."""

import subprocess
import sys

import pytest

from anabasis.cli.app import COMMANDS, app

HEAVY = ("numpy", "numba", "scipy", "polars", "matplotlib", "PIL", "rich", "pydantic", "starlette", "uvicorn")
LEAVES = [[name] for name in COMMANDS] + [
    *(["map", what] for what in ("generate", "presets", "sheet", "tasks")),
    ["map", "info"],
    ["map", "show"],
    ["map", "convert"],
    *(["mapf", what] for what in ("solve", "validate", "show", "lifelong", "delays", "play")),
    *(["formation", what] for what in ("run", "show", "fit", "optimise")),
    ["study", "flow-groups"],
    *(["validate", what] for what in ("map", "scen", "scenario", "trace", "archive")),
]


def loaded_by(*arguments: str) -> set[str]:
    """The heavy libraries that a call of the command line loads."""
    code = (
        "import sys\nfrom anabasis.cli import main\n"
        "try:\n    main()\nexcept SystemExit as end:\n    assert not end.code\n"
        f"print('LOADED', *[name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True)
    return set(done.stdout.rpartition("LOADED")[2].split())


@pytest.mark.parametrize("arguments", [[], ["--help"], ["-h"], ["--version"]], ids=" ".join)
def test_help_of_the_program_loads_nothing_heavy(arguments):
    assert loaded_by(*arguments) == set()


@pytest.mark.parametrize("command", LEAVES, ids=" ".join)
def test_help_of_every_command_loads_nothing_heavy(command):
    assert loaded_by(*command, "--help") == set()


def test_the_check_of_imports_sees_one():
    assert "rich" in loaded_by("methods")


@pytest.mark.parametrize("command", LEAVES, ids=" ".join)
def test_every_command_has_json_and_quiet(call, command):
    text = call(*command, "--help").stdout
    if command in (["map"], ["mapf"], ["formation"], ["validate"]):
        return
    assert "--json" in text
    assert "--quiet" in text


@pytest.mark.parametrize(
    "command", [leaf for leaf in LEAVES if leaf not in (["map"], ["mapf"], ["formation"], ["validate"])], ids=" ".join
)
def test_every_command_has_an_example_with_options_that_exist(call, command):
    text = call(*command, "--help").stdout
    example = text.split("Example:\n")[1].splitlines()[0].split()
    assert example[: len(command) + 1] == ["anabasis", *command]
    listed = text.split("Options:")[1].split()
    assert all(word in listed for word in example if word.startswith("--"))


@pytest.mark.parametrize("name", COMMANDS)
def test_the_listed_summary_is_that_of_the_command(call, name):
    assert COMMANDS[name].removesuffix(".") in " ".join(call(name, "--help").stdout.split())


def test_the_program_lists_every_command(call):
    text = call("--help").stdout
    assert all(f"\n  {name} " in text for name in COMMANDS)
    assert call().stdout == text


def test_help_is_plain_text_where_there_is_no_terminal(call):
    assert "\x1b" not in call("--help").stdout
    assert "\x1b" not in call("path", "--help").stdout


def test_help_is_coloured_on_a_terminal():
    from typer.testing import CliRunner

    text = CliRunner().invoke(app, ["path", "--help"], color=True).stdout
    assert "\x1b[1mOptions:" in text
    assert "\x1b[36m--method\x1b[0m" in text


def test_a_mistyped_command_gets_a_suggestion(call):
    result = call("compar")
    assert result.exit_code == 2
    assert "compare" in result.stderr

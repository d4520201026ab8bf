"""What must start quickly imports nothing heavy."""

import subprocess
import sys

import pytest

HEAVY = ("numba", "scipy", "polars", "matplotlib", "PIL")
SHOW = f"; import sys; print(sorted({set(HEAVY)!r} & set(sys.modules)))"


def loaded_after(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code + SHOW], capture_output=True, text=True, timeout=120, check=True)
    return done.stdout.splitlines()[-1]


def test_import_is_light() -> None:
    assert (
        loaded_after("import anabasis; anabasis.Grid; anabasis.Scenario; anabasis.Trace; anabasis.InputError") == "[]"
    )


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["run", "--help"]])
def test_help_is_light(arguments: list[str]) -> None:
    code = (
        f"import sys; sys.argv = ['anabasis', *{arguments!r}]\n"
        "from anabasis.cli import main\n"
        "try:\n    main()\nexcept SystemExit as end:\n    assert not end.code, end.code\n"
    )
    assert loaded_after(code + "None") == "[]"


def test_the_table_of_methods_is_light() -> None:
    assert loaded_after("from anabasis.methods import METHODS; assert METHODS") == "[]"


def test_the_check_finds_a_heavy_import() -> None:
    assert loaded_after("import scipy") == "['scipy']"

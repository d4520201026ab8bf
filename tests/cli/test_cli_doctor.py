"""The commands `doctor`, `warmup` and `methods`."""

import os
import subprocess
import sys

import networkx as nx
import pytest

from anabasis import _kernel
from anabasis.cli import selfcheck
from anabasis.generators import GENERATORS
from anabasis.grid import Grid
from anabasis.methods import METHODS


def test_this_installation_is_sound(call_json):
    code, data = call_json("doctor")
    assert code == 0, [check for check in data["checks"] if not check["passed"]]
    assert data["sound"] is True
    assert data["cores"] >= 1
    assert data["missing"] == []


def test_a_wrong_result_is_found(call, call_json, monkeypatch):
    wrong = selfcheck.Check("two and two", lambda: 5, 4)
    broken = selfcheck.Check("one over zero", lambda: 1 / 0, 0)
    monkeypatch.setattr(selfcheck, "checks", lambda: iter([wrong, broken]))
    code, data = call_json("doctor")
    assert code == 1
    assert data["sound"] is False
    assert [check["passed"] for check in data["checks"]] == [False, False]
    assert "two and two: 5 and not 4" in call("doctor").stdout


def test_a_cache_that_cannot_be_written_is_found(call_json, monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(_kernel, "cache_folder", tmp_path / "file")
    monkeypatch.setattr(selfcheck, "checks", lambda: iter([selfcheck.Check("two and two", lambda: 4, 4)]))
    code, data = call_json("doctor")
    assert code == 1
    assert data["cache_writable"] is False
    assert [check["passed"] for check in data["checks"]] == [True]


@pytest.mark.long
def test_every_check_passes_without_the_compiler():
    code = "from anabasis.cli.selfcheck import checks; print([c.name for c in checks() if c.run() != c.expected])"
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def _best(neighbours: int, corners: str) -> float:
    """The cost of the self-check's path by networkx."""
    free = Grid.from_text(selfcheck._MAP).free
    height, width = free.shape
    least = {"strict": 2, "loose": 1, "none": 0}[corners]
    graph = nx.Graph()
    for y in range(height):
        for x in range(width):
            for dx, dy in [(1, 0), (0, 1)] + ([(1, 1), (-1, 1)] if neighbours == 8 else []):
                u, v = x + dx, y + dy
                if not (0 <= u < width and v < height and free[y, x] and free[v, u]):
                    continue
                if not (dx and dy) or int(free[y, u]) + int(free[v, x]) >= least:
                    graph.add_edge((x, y), (u, v), weight=(dx * dx + dy * dy) ** 0.5)
    return nx.shortest_path_length(graph, (0, 0), (width - 1, height - 1), weight="weight")


@pytest.mark.parametrize("rule", selfcheck._BEST, ids=str)
def test_the_answers_known_are_right(rule):
    assert selfcheck._BEST[rule] == pytest.approx(_best(*rule))


def test_every_method_and_generator_is_checked():
    checked = [check.name for check in selfcheck.checks()]
    assert all(any(name.startswith(f"{row.name}:") for name in checked) for row in (*METHODS, *GENERATORS))
    assert len(set(checked)) == len(checked)


def test_warmup_is_quick_the_second_time(call_json):
    call_json("warmup")
    code, data = call_json("warmup")
    assert code == 0
    assert data["compiled"] == []


def test_methods_are_those_of_the_table(call_json, call):
    assert [row["name"] for row in call_json("methods")[1]["methods"]] == [row.name for row in METHODS]
    group = call_json("methods", "--family", "group")[1]["methods"]
    assert {row["family"] for row in group} == {"group"}
    text = call("methods").stdout
    assert all(row.name in text for row in METHODS)


_EVERY_KERNEL = """
import importlib, pkgutil
import anabasis
from numba.core.dispatcher import Dispatcher
from anabasis._kernel import cache_folder
cached = {file.name.partition("-")[0] for file in cache_folder.rglob("*.nbi")}
for module in pkgutil.walk_packages(anabasis.__path__, "anabasis."):
    for name, value in vars(importlib.import_module(module.name)).items():
        if isinstance(value, Dispatcher) and value.py_func.__module__ == module.name:
            kernel = module.name.rpartition(".")[2] + "." + name
            print("found" if kernel in cached else "missing", kernel)
"""


@pytest.mark.long
def test_a_cold_start_says_that_it_compiles_and_leaves_nothing_to_compile(shell, tmp_path):
    cache = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    cold = shell("warmup", seconds=1800, **cache)  # minutes, more where other processes have the cores
    assert cold.returncode == 0, cold.stderr
    assert cold.stderr.count("compiling kernels, once") == 1
    warm = shell("doctor", "--json", **cache)
    assert warm.returncode == 0
    assert "compiling" not in warm.stderr
    code = [sys.executable, "-c", _EVERY_KERNEL]
    kernels = subprocess.run(code, env={**os.environ, **cache}, capture_output=True, text=True, check=True).stdout
    assert "found" in kernels
    assert [line for line in kernels.splitlines() if line.startswith("missing")] == []

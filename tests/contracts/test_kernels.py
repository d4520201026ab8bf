"""Kernels call only kernels of their own file and of `_kernel/`: numba's cache sees no edit anywhere else."""

import ast
from collections.abc import Iterator
from pathlib import Path

import anabasis

SOURCE = Path(anabasis.__file__).parent
BUILTINS = {"abs", "bool", "enumerate", "float", "int", "len", "max", "min", "range", "round", "slice", "zip"}
LIBRARIES = {"numpy", "math"}


def kernels_of(tree: ast.Module) -> dict[str, ast.FunctionDef]:
    return {
        node.name: node
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and decorators_of(node) & {"kernel", "leaf"}
    }


def decorators_of(function: ast.FunctionDef) -> set[str]:
    return {d.id for d in function.decorator_list if isinstance(d, ast.Name)}


def imports_of(tree: ast.Module) -> dict[str, str]:
    """Return what each imported name stands for, in full."""
    names: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {a.asname or a.name.split(".")[0]: a.name for a in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {a.asname or a.name: f"{node.module}.{a.name}" for a in node.names}
    return names


def foreign_calls(text: str, shared: set[str], package: bool = False) -> Iterator[str]:
    """Yield what the kernels in a file may not do. shared: the kernels of `_kernel/`, by full name."""
    tree = ast.parse(text)
    own, names = kernels_of(tree), imports_of(tree)
    allowed = set(own) | {name for name, full in names.items() if full in shared}
    for name, function in own.items():
        if not package and not name.startswith("_"):
            yield f"{name} has no leading underscore"
        returned = "" if function.returns is None else ast.unparse(function.returns)
        if "leaf" in decorators_of(function) and ("Any" in returned or "NDArray" in returned):
            yield f"{name} returns an array, whose references a leaf does not count"
        called = {id(node.func) for node in ast.walk(function) if isinstance(node, ast.Call)}
        decorators = {id(node) for d in function.decorator_list for node in ast.walk(d)}
        for node in ast.walk(function):
            if isinstance(node, (ast.FunctionDef, ast.Lambda, ast.ClassDef)) and node is not function:
                yield f"{name} defines something inside"
            if isinstance(node, ast.Name) and id(node) in called and node.id not in allowed | BUILTINS:
                yield f"{name} calls {names.get(node.id, node.id)}"
            if isinstance(node, ast.Name) and node.id in allowed and id(node) not in called | decorators:
                yield f"{name} passes {node.id} on"
            if isinstance(node, ast.Attribute) and id(node) in called:
                root = node.value
                while isinstance(root, (ast.Attribute, ast.Subscript)):
                    root = root.value
                module = names.get(root.id) if isinstance(root, ast.Name) else None
                if module is not None and module.split(".")[0] not in LIBRARIES:
                    yield f"{name} calls {module}.{node.attr}"


def shared_kernels() -> set[str]:
    return {
        f"anabasis._kernel.{file.stem}.{name}"
        for file in (SOURCE / "_kernel").glob("*.py")
        for name in kernels_of(ast.parse(file.read_text()))
    }


def test_kernels_call_nothing_foreign() -> None:
    shared, count = shared_kernels(), 0
    faults: list[str] = []
    for file in sorted(SOURCE.rglob("*.py")):
        text = file.read_text()
        count += len(kernels_of(ast.parse(text)))
        faults += [
            f"{file.relative_to(SOURCE)}: {f}" for f in foreign_calls(text, shared, file.parent.name == "_kernel")
        ]
    assert faults == []
    assert count > 20, "the search for kernels found almost none"
    assert "anabasis._kernel.sight.visible" in shared


def test_the_check_finds_what_it_forbids() -> None:
    text = """
import math
import numpy as np
import scipy.special as special
from anabasis._kernel import kernel
from anabasis._kernel.sight import visible
from anabasis._kernel.cold import not_a_kernel
from anabasis.search.other import _elsewhere

def plain(x):
    return x

@kernel
def _good(cost, x):
    y = np.sqrt(math.floor(abs(x))) + cost.sum() + float(len(cost))
    return visible(cost, 0, 0, 1, 1, 0) and _other(cost) and np.random.rand() < y

@kernel
def _other(cost):
    return True

@kernel
def _bad(cost, x):
    plain(x)
    not_a_kernel(x)
    _elsewhere(x)
    special.gamma(x)
    sorted(cost)
    _apply(_other, x)
    return [lambda: x]

@kernel
def _apply(function, x):
    return 0

@kernel
def bare(x):
    return x

@leaf
def _row(table: Any) -> Any:
    return table[0]

@leaf
def _first(table: Any) -> int:
    return _row(table)[0]
"""
    assert sorted(foreign_calls(text, {"anabasis._kernel.sight.visible"})) == [
        "_bad calls anabasis._kernel.cold.not_a_kernel",
        "_bad calls anabasis.search.other._elsewhere",
        "_bad calls plain",
        "_bad calls scipy.special.gamma",
        "_bad calls sorted",
        "_bad defines something inside",
        "_bad passes _other on",
        "_row returns an array, whose references a leaf does not count",
        "bare has no leading underscore",
    ]

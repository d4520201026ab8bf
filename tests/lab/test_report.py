"""The report: whole, well-formed, free of foreign markup and of anything from outside, the same bytes each time."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import lab_tasks
import pytest

from anabasis import InputError, MissingExtraError
from anabasis.lab.compare import compare
from anabasis.lab.page import text
from anabasis.lab.report import write_report
from anabasis.lab.suite import Suite

HOSTILE = "<script>alert('1')</script> & \"$\\frac{x}$\" \x07\ufffe"
PARTS = "{http://www.w3.org/1999/xhtml}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("report") / "x.run"
    scenarios = [lab_tasks.scenario("bridge"), lab_tasks.scenario(HOSTILE, 9)]
    suite = Suite.of(scenarios, ["fast", "raise", "left"], 6, sources=["a b.toml", "c.toml"], overrides=["x=<i>"])
    compare(suite, place, task="lab_tasks:trouble")
    return place


@pytest.fixture(scope="module")
def page(folder: Path) -> str:
    write_report(folder, folder / "report.html")
    return (folder / "report.html").read_text("utf-8")


def test_it_is_well_formed_and_has_every_part(page: str) -> None:
    root = ElementTree.fromstring(page.removeprefix("<!DOCTYPE html>"))  # noqa: S314 (our own file)
    headings = ["".join(h.itertext()) for level in ("h2", "h3") for h in root.iter(PARTS + level)]
    assert headings[:3] == ["Result", "Scenario: bridge", f"Scenario: {HOSTILE[:-2]}\ufffd\ufffd"]
    assert {"Runs that failed", "Computing time", "Setting", "Do it again"} <= set(headings)
    assert {"Ways walked", "Arrivals", "Crowding", "One moment", "Counters"} <= set(headings)
    figures = list(root.iter(PARTS + "figure"))
    assert len(figures) == 1 + 2 * (3 * 3 + 3)  # ratios; ways, crowding and moments by method; three charts a scenario
    assert all(figure.find(PARTS + "figcaption") is not None for figure in figures)
    assert "ValueError: no &lt;b&gt;such&lt;/b&gt; thing" in page


def test_names_never_become_markup(page: str) -> None:
    assert "<script" not in page
    assert "<i>" not in page
    assert "&lt;script&gt;" in page


def test_nothing_comes_from_outside(page: str) -> None:
    namespaces = {
        "http://www.w3.org/1999/xhtml",
        "http://www.w3.org/2000/svg",
        "http://www.w3.org/1999/xlink",
    }
    assert set(re.findall(r"\w+://[^\s\"'<>]*", page)) == namespaces
    links = re.findall(r'(?:href|src|srcset|action|data)="([^"]*)"', page)
    assert links
    assert all(link.startswith(("#", "data:image/png;base64,")) for link in links)
    assert not re.search(r"@import|url\((?!#)|javascript:|\son\w+=", page)
    assert "default-src 'none'" in page


def test_ids_are_unique_and_references_lead_somewhere(page: str) -> None:
    ids = re.findall(r'\sid="([^"]*)"', page)
    assert len(ids) == len(set(ids))
    targets = set(re.findall(r'href="#([^"]*)"', page)) | set(re.findall(r"url\(#([^)]*)\)", page))
    assert targets
    assert targets <= set(ids)


def test_colours_of_a_method_are_the_same_everywhere(page: str) -> None:
    assert ".m0{--method:#0072b2}.m1{--method:#d55e00}" in page
    assert page.count("#0072b2") > 10


def test_the_same_results_give_the_same_bytes(folder: Path, page: str, tmp_path: Path) -> None:
    program = (
        f"from anabasis.lab.report import write_report; write_report({str(folder)!r}, {str(tmp_path / 'r.html')!r})"
    )
    subprocess.run([sys.executable, "-c", program], check=True, env={"PYTHONHASHSEED": "77"}, cwd=tmp_path)
    assert (tmp_path / "r.html").read_text("utf-8") == page


def test_a_comparison_that_was_stopped_has_a_report_too(tmp_path: Path) -> None:
    suite = Suite.of([lab_tasks.scenario("a"), lab_tasks.scenario("b")], ["fast"], 4)
    with pytest.raises(KeyboardInterrupt):
        compare(suite, tmp_path / "x.run", task="lab_tasks:interrupt")
    write_report(tmp_path / "x.run", tmp_path / "r.html")
    assert "6 still missing" in (tmp_path / "r.html").read_text("utf-8")


def test_without_matplotlib_one_line_says_what_to_install(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'anabasis\[plots\]'"):
        write_report(folder, folder / "none.html")


def test_a_folder_without_results_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no results folder"):
        write_report(tmp_path, tmp_path / "r.html")


def test_text_is_safe() -> None:
    assert text("a<b>&\"'") == "a&lt;b&gt;&amp;&quot;&#x27;"
    assert text("\x00\x1b\ud800\uffff") == "\ufffd" * 4

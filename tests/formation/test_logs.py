"""Logs of moves: as they were, back from a file; faults are told with their line; what is fitted to F(k)."""

from pathlib import Path

import numpy as np
import pytest

from anabasis.errors import InputError
from anabasis.formation.logs import load_move_logs, save_move_logs
from anabasis.formation.shapes import schema_of
from anabasis.lab.move_chart import move_chart
from anabasis.metrics.formations import shape_error
from anabasis.metrics.moves import MoveLog, fitted, measure, move_log


def logs() -> list[MoveLog]:
    rng = np.random.default_rng(5)
    found: list[MoveLog] = []
    for name, units in (("first, of all", 5), ("second", 3)):
        schema = schema_of("wedge", units)
        places = schema.places + rng.normal(0, 5, (20, units, 2))
        found.append(move_log(schema, np.arange(20) / 7, places, name=name))
    return found


def test_logs_come_back_as_they_were(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    save_move_logs(logs(), file)
    for log, again in zip(logs(), load_move_logs(file), strict=True):
        assert log.name == again.name
        for part in ("seconds", "angle", "distance", "combined"):
            assert (getattr(log, part) == getattr(again, part)).all()


def test_what_is_fitted_is_what_is_measured() -> None:
    rng = np.random.default_rng(6)
    schema = schema_of("square", 8)
    seconds, places = np.cumsum(rng.uniform(0.1, 1, 30)), schema.places + rng.normal(0, 8, (30, 8, 2))
    log = move_log(schema, seconds, places)
    assert (log.combined == shape_error(schema, places)).all()
    fit, measures = fitted(log), measure(schema, seconds, places, radius=1.0)
    assert (fit.e1, fit.e_base, fit.f1) == (measures.e1, measures.e_base, measures.f1)
    assert fit.f1 == pytest.approx(float(np.exp(fit.log_integral[10])))
    still = fitted(MoveLog(np.arange(3.0), *np.zeros((3, 3))))
    assert (still.e1, still.e_base, still.f1) == (0.0, 0.0, 0.0)


HEAD = "formation,seconds,angle,distance,combined\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "line 1.*not a log of moves"),
        ("seconds,angle\n", "line 1.*not a log of moves"),
        (HEAD, "without any observation"),
        (HEAD + "a,0,1,1,1\na,1,1,1\n", "line 3.*values of an observation; found 4; expected 5"),
        (HEAD + "a,0,1,1,1\na,1,1,x,1\n", "line 3.*distance of an observation; found 'x'"),
        (HEAD + "a,0,1,1,1\na,0,1,1,1\n", "line 3.*found 0 after 0"),
        (HEAD + "a,0,1,-1,1\n", "line 2.*distance of an observation; found '-1'"),
        (HEAD + "a,0,1,nan,1\n", "line 2.*distance of an observation; found 'nan'"),
        (HEAD + 'a,0,1,"1\n', "line"),
    ],
)
def test_faults_are_told_with_their_line(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "a.csv"
    file.write_text(text)
    with pytest.raises(InputError, match=said) as caught:
        load_move_logs(file)
    assert str(file) in str(caught.value)


@pytest.mark.parametrize("kind", ["png", "svg", "pdf"])
def test_a_chart_has_the_same_bytes_each_time(kind: str) -> None:
    both = [move_chart(logs(), kind=kind) for _ in range(2)]
    assert both[0] == both[1] and len(both[0]) > 3000
    assert move_chart(logs()[:1], kind=kind) != both[0]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("seconds", "errors"),
    [
        ([0.0], [0.0]),
        ([5.0], [3.0]),
        ([0.0, 1.0, 2.0], [0.0, 0.0, 0.0]),
        ([0.0, 1.0], [2.0, 2.0]),
        ([0.0, 5e-324, 1e-300], [1.0, 5e-324, 1e300]),
        ([0.0, 1e-320, 1e300], [0.0, 1e300, 1e300]),
    ],
)
def test_zeros_and_numbers_of_any_size_are_fitted_and_drawn(seconds: list[float], errors: list[float]) -> None:
    log = MoveLog(np.array(seconds), *np.array([errors] * 3), name="all $\\alike$")
    fit = fitted(log)
    assert fit.e1 >= 0 and fit.f1 >= 0 and np.isfinite(fit.log_a) == (fit.log_integral.max() > -np.inf)
    other = MoveLog(np.array(seconds), *np.zeros((3, len(seconds))), name="_隊")
    assert move_chart([log], kind="svg") != move_chart([log, other], kind="svg")
    assert len(move_chart([other], kind="png")) > 3000


def test_what_no_axis_can_show_is_refused() -> None:
    log = MoveLog(np.arange(2.0), *np.full((3, 2), 1e305))
    with pytest.raises(InputError, match=r"a chart of a move; found 1e\+305; expected numbers of at most 1e\+300"):
        move_chart([log], kind="svg")

"""The fitness mode: units are moved by hand, every place has its worth, and the optimiser works step by step."""

import numpy as np
import pytest
from talk import Talk

from anabasis import InputError
from anabasis.formation.optimise import choice_experiment, optimised
from anabasis.formation.shapes import schema_of
from anabasis.metrics.formations import COMBINED, shape_error
from anabasis.studio.scenes import said_scene
from anabasis.view.layers import ImageLayer

DRAFT = {
    "scenario": {"schema": "anabasis/scenario", "schema_version": 1, "map": {"text": "\n".join(["." * 40] * 30)}},
    "formations": [
        {"shape": "line", "units": 3, "spacing": 2.0, "start": [5.5, 5.5], "order": [{"places": [[5.5, 20.5]]}]},
        {"shape": "wedge", "units": 9, "spacing": 2.0, "start": [20.5, 12.5], "azimuth": 90.0,
         "order": [{"places": [[30.5, 12.5]]}]},
    ],
}  # fmt: skip
ARGS = {"draft": DRAFT, "formation": 1}
WEDGE = schema_of("wedge", 9, spacing=2.0)


def test_as_drawn_a_formation_has_no_error_and_each_move_is_measured() -> None:
    with Talk("fitness", ARGS) as talk:
        head, arrays = talk.wait("fitness")
        assert head["measures"] == pytest.approx(dict.fromkeys(COMBINED, 0.0), abs=1e-9)
        places = arrays["positions"].astype(np.float64)
        assert places[head["leader"]].tolist() == [20.5, 12.5]
        assert len(arrays["bindings"]) == len(WEDGE.bindings)
        places[4] = (10.25, 3.75)
        head, arrays = talk.tell("move", "fitness", unit=4, to=[10.25, 3.75])
        assert head["unit"] == 4
        assert np.array_equal(arrays["positions"], places.astype(np.float32))
        wanted = {how: float(shape_error(WEDGE, places, how)) for how in COMBINED}
        assert head["measures"] == pytest.approx(wanted, rel=1e-5)
        assert head["error"] == head["measures"]["mean"] > 0
        head, _ = talk.tell("choose", "fitness", how="distance")
        assert head["error"] == head["measures"]["distance"]
        assert talk.tell("reset", "fitness")[0]["error"] == pytest.approx(0, abs=1e-9)


def test_the_map_of_a_unit_says_what_moving_it_there_would_give() -> None:
    with Talk("fitness", {**ARGS, "how": "max"}) as talk:
        talk.wait("fitness")
        talk.tell("randomise", "fitness", seed=3)
        heat, arrays = talk.tell("map", "heat", unit=2, width=20, height=15)
        assert arrays["values"].shape == (15, 20) and heat["bounds"] == [0, 0, 40, 30]
        scene = said_scene(talk.wait("scene"))
        assert isinstance(scene.layers[0], ImageLayer) and scene.layers[0].pixels.shape == (15, 20, 3)
        for x, y in ((0, 0), (7, 3), (19, 14)):
            head, _ = talk.tell("move", "fitness", unit=2, to=[2 * x + 1.0, 2 * y + 1.0])
            assert head["error"] == pytest.approx(float(arrays["values"][y, x]), rel=1e-5)
        best, _ = talk.tell("move", "fitness", unit=2, to=heat["best"])
        assert best["error"] == pytest.approx(heat["least"], rel=1e-5)
        assert talk.tell("map", "heat", unit=2)[1]["values"].shape == (75, 100)


def test_of_many_maps_asked_for_at_once_the_last_is_made() -> None:
    with Talk("fitness", ARGS) as talk:
        talk.wait("fitness")
        talk.tell("randomise", "fitness", seed=1)
        talk.words.put({"say": "optimise", "iterations": 100, "finest": 0.01})  # the maps wait meanwhile
        for unit in range(9):
            talk.words.put({"say": "map", "unit": unit})
        talk.wait("heat", unit=8)
    assert [head["unit"] for head, _ in talk.of("heat")] == [8]


def test_the_optimiser_is_that_of_the_library_and_never_makes_it_worse() -> None:
    with Talk("fitness", ARGS) as talk:
        talk.wait("fitness")
        head, _ = talk.tell("randomise", "fitness", seed=11)
        start = talk.of("fitness")[-1][1]["positions"]
        errors = [head["error"]]
        for seed in range(4):
            head, _ = talk.tell("optimise", "fitness", seed=seed)
            errors.append(head["error"])
        assert errors == sorted(errors, reverse=True) and errors[-1] < errors[0] / 2
        again, _ = talk.tell("randomise", "fitness", seed=11)
        assert again["error"] == errors[0]
        from anabasis.formation.optimise import randomised

        places = randomised(WEDGE, (0, 0, 40, 30), seed=11)
        assert np.array_equal(start, places.astype(np.float32))
        one = optimised(WEDGE, places, (0, 0, 40, 30), seed=0, finest=0.25)[-1]
        assert errors[1] == pytest.approx(float(shape_error(WEDGE, one)), rel=1e-9)


def test_the_experiment_is_that_of_the_library_and_can_be_broken_off() -> None:
    with Talk("fitness", {**ARGS, "formation": 0}) as talk:
        talk.wait("fitness")
        head, arrays = talk.tell("analyse", "experiment", formations=2, iterations=2, seed=5)
        wanted = choice_experiment(
            schema_of("line", 3, spacing=2.0), (0, 0, 40, 30), formations=2, iterations=2, seed=5, finest=0.25
        )
        assert head["ways"] == list(COMBINED)
        assert np.array_equal(arrays["angle_mean"], wanted.angle_mean)
        assert np.array_equal(arrays["distance_median"], wanted.distance_median)
        table, _ = talk.wait("table")
        assert len(table["rows"]) == 7 and len(table["columns"]) == len(table["rows"][0]) == 9
        talk.tell("analyse", "progress", formations=1000, iterations=100)
        assert "busy" in talk.tell("map", "refused", unit=1)[0]["problem"]
        talk.tell("enough")
        assert talk.tell("reset", "fitness")[0]["error"] == pytest.approx(0, abs=1e-9)
        assert len(talk.of("experiment")) == 1


def test_units_may_stand_elsewhere_from_the_beginning() -> None:
    places = [[float(k), 2.0] for k in range(9)]
    with Talk("fitness", {**ARGS, "positions": places}) as talk:
        assert talk.wait("fitness")[1]["positions"].tolist() == places
        assert talk.tell("place", "fitness", positions=places[::-1])[1]["positions"].tolist() == places[::-1]


@pytest.mark.parametrize(
    ("word", "problem"),
    [
        ({"say": "move", "unit": 9, "to": [1, 1]}, "unit of a job"),
        ({"say": "move", "unit": 0, "to": [1]}, "a place"),
        ({"say": "map", "unit": 0, "width": 10**6}, "width of a job"),
        ({"say": "place", "positions": [[1, 1]]}, "positions of a formation"),
        ({"say": "choose", "how": "best"}, "how errors are combined"),
        ({"say": "choose"}, "how of a job"),
        ({"say": "optimise", "iterations": 0}, "iterations of a job"),
        ({"say": "fly"}, "unknown word"),
    ],
)
def test_wrong_words_are_refused(word: dict, problem: str) -> None:
    with Talk("fitness", ARGS) as talk:
        talk.wait("fitness")
        talk.words.put(word)
        assert problem in talk.wait("refused")[0]["problem"]
        assert talk.tell("reset", "fitness")[0]["error"] == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("args", [{**ARGS, "formation": 2}, {**ARGS, "how": "x"}, {**ARGS, "positions": [[1, 2]]}, {}])
def test_wrong_arguments_are_errors(args: dict) -> None:
    with pytest.raises(InputError), Talk("fitness", args) as talk:
        talk.wait("fitness")

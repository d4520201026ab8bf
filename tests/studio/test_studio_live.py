"""Live runs: words are obeyed, frames are dropped and never queued, and what was told gives the same run again."""

import time

import numpy as np
import pytest
from talk import Talk

from anabasis import InputError

MAP = """
##############################
#............#...............#
#............#...............#
#............................#
#............................#
#............#...............#
#............#####..##########
#............#...............#
#............................#
#............................#
#............#...............#
##############################
""".strip()


def draft(steps: int = 3000) -> dict:
    groups = [
        {"name": "reds", "positions": [[2.5 + x, 2.5 + y] for x in range(4) for y in range(3)], "radius": 0.4,
         "target": {"x": 27.5, "y": 2.5, "radius": 2.0}},
        {"name": "blues", "positions": [[2.5 + x, 8.5] for x in range(5)], "radius": 0.4,
         "target": {"x": 27.5, "y": 9.5, "radius": 2.0}},
    ]  # fmt: skip
    return {
        "scenario": {
            "schema": "anabasis/scenario",
            "schema_version": 1,
            "map": {"text": MAP},
            "groups": groups,
            "limits": {"steps": steps},
        }
    }


ARGS = {"draft": draft(), "method": "astar", "seed": 4}


def test_a_run_begins_at_rest_and_says_where_all_are() -> None:
    with Talk("live", ARGS) as talk:
        head, arrays = talk.wait("run")
        assert (head["live"], head["units"], head["groups"], head["steps"]) == (True, 17, ["reds", "blues"], 3000)
        assert arrays["radius"].shape == (17,)
        first, places = talk.wait("frames")
        assert first["first"] == 0 and places["positions"].shape == (1, 17, 2)
        counters, _ = talk.wait("counters")
        assert (counters["under_way"], counters["playing"], counters["ended"]) == (17, False, None)
        assert talk.wait("scene")[0]["name"] == "plan"


def test_steps_on_and_back_are_those_that_were() -> None:
    with Talk("live", ARGS) as talk:
        talk.wait("counters")
        on = {}
        for k in range(1, 5):
            head, _ = talk.tell("step", "counters", steps=30)
            on[30 * k] = head["hash"]
            talk.wait("frames", first=30 * k)
        for k in (3, 1):
            head, _ = talk.tell("back", "counters", steps=30 * (4 - k) if k == 3 else 60)
            assert (head["step"], head["hash"]) == (30 * k, on[30 * k])
        head, _ = talk.tell("go", "counters", to=120)
        assert head["hash"] == on[120]
        assert talk.tell("back", "counters", steps=10_000)[0]["step"] == 0


def test_what_was_told_gives_the_same_run_again() -> None:
    with Talk("live", ARGS) as talk:
        talk.tell("step", "counters", steps=20)
        told, _ = talk.tell("order", "told", group=0, target=[25.5, 8.5], radius=1.5, through=[[15.5, 9.5]])
        assert told["text"] == "12 units shall go to (25.5, 8.5) by 1 stop on the way"
        talk.tell("step", "counters", steps=20)
        told, _ = talk.tell("change", "told", cells=[[13, 3], [13, 4]], terrain="@")
        assert told["changes"] == [{"step": 41, "terrain": "@", "cells": [[13, 3], [13, 4]]}]
        talk.tell("change", "told", cells=[[18, 6], [19, 6]], terrain="@", step=90)
        talk.tell("step", "counters", steps=30)
        talk.tell("remove", "told", units=[16])
        talk.wait("frames", first=70)
        assert talk.tell("step", "counters", steps=1)[0]["removed"] == 1
        talk.tell("play", speed=None)
        end, _ = talk.wait("counters", ended="all units have arrived or were removed")
        assert (end["arrived"], end["removed"], end["playing"]) == (16, 1, False)
        record, _ = talk.tell("record", "orders")
    assert talk.of("orders")[-1][0]["orders"] == record["orders"]
    assert [sorted(row) for row in record["orders"]] == [
        ["given", "order", "step", "units"],
        ["cells", "given", "step", "terrain"],
        ["cells", "given", "step", "terrain"],
        ["given", "step", "units"],
    ]
    with Talk("live", {**ARGS, "orders": record["orders"]}) as again:
        again.tell("play", speed=None)
        end, _ = again.wait("counters", ended="all units have arrived or were removed")
        assert end["hash"] == record["hash"]
    reds = again.of("frames")[-1][1]["positions"][0, :12]
    assert (np.hypot(*(reds - (25.5, 8.5)).T) < 1.6).all()


def test_frames_are_dropped_and_the_run_keeps_its_pace() -> None:
    with Talk("live", ARGS) as talk:
        talk.wait("counters")
        talk.tell("step", "counters")  # kernels are loaded
        talk.wait("frames", first=1)
        talk.draws = False
        begin, before = time.monotonic(), len(talk.of("frames"))
        talk.tell("play", speed=100)
        talk.wait("counters", playing=True)
        time.sleep(1.0)
        at = len(talk.said)
        talk.tell("pause")
        head, _ = talk.wait("counters", at, playing=False)
        due = 100 * (time.monotonic() - begin)
        frames = [message[0]["first"] for message in talk.of("frames")[before:]]
        assert len(frames) == 2
        assert 25 < head["step"] <= due + 1  # on a machine that others use as well
        talk.tell("shown", number=frames[0])
        newest, _ = talk.wait("frames", first=head["step"])
        assert len(talk.of("frames")) == before + 3
        talk.tell("step", "counters")
        assert len(talk.of("frames")) == before + 3  # two are on the way
        talk.tell("shown", number=newest["first"])  # what was said before it is then drawn, too
        talk.wait("frames", first=head["step"] + 1)


def test_the_pace_is_that_which_was_asked_for() -> None:
    with Talk("live", ARGS) as talk:
        talk.wait("counters")
        talk.tell("play", speed=40)
        time.sleep(1.0)
        assert 20 <= talk.tell("pause", "counters")[0]["step"] <= 44


def test_who_can_not_obey_is_told_of() -> None:
    with Talk("live", ARGS) as talk:
        talk.tell("change", "told", cells=[[x, y] for x in (20, 24) for y in range(1, 5)], terrain="@")
        talk.tell("change", "told", cells=[[x, 4] for x in range(20, 25)], terrain="@")
        talk.tell("step", "counters", steps=2)
        talk.tell("order", "told", units=[12, 13], target=[22.5, 2.5])
        before = len(talk.said)
        talk.tell("step", steps=1)
        assert talk.wait("told", before)[0]["text"] == "2 units of 2 have no way there, or are done already"


@pytest.mark.parametrize(
    ("word", "problem"),
    [
        ({"say": "dance"}, "unknown word"),
        ({"say": "order", "units": [99], "target": [3, 3]}, "units of a word"),
        ({"say": "order", "units": [True], "target": [3, 3]}, "units of a word"),
        ({"say": "order", "group": 2, "target": [3, 3]}, "group of a job"),
        ({"say": "order", "units": [0], "target": [0.5, 0.5]}, "a stop of an order"),
        ({"say": "order", "units": [0], "target": "there"}, "a place"),
        ({"say": "order", "units": [0], "target": [1e300, 3]}, "a place"),
        ({"say": "change", "cells": [[99, 3]], "terrain": "@"}, "outside the map"),
        ({"say": "change", "cells": [[3, 3]], "terrain": "?"}, "terrain of a change"),
        ({"say": "change", "cells": [], "terrain": "@"}, "cells of a change"),
        ({"say": "change", "cells": [[3, 3]], "terrain": "@", "step": 0}, "step of a job"),
        ({"say": "step", "steps": 0}, "steps of a job"),
        ({"say": "play", "speed": -1}, "speed of a job"),
        ({"say": "why", "unit": 17}, "unit of a job"),
        ({"say": "remove"}, "units of a word"),
    ],
)
def test_wrong_words_are_refused_and_the_run_goes_on(word: dict, problem: str) -> None:
    with Talk("live", ARGS) as talk:
        talk.wait("counters")
        talk.words.put(word)
        refused, _ = talk.wait("refused")
        assert problem in refused["problem"] and refused["say"] == word["say"]
        assert talk.tell("step", "counters")[0]["step"] == 1


@pytest.mark.parametrize(
    ("args", "problem"),
    [
        ({**ARGS, "method": "teleport"}, "teleport"),
        ({**ARGS, "orders": 5}, "orders of a live run"),
        ({**ARGS, "orders": [{"step": 5}]}, "what a run was told"),
        ({**ARGS, "orders": [{"step": 5, "units": [77], "order": [[2, 2, 1]]}]}, "units of an order"),
        ({"draft": {}}, "scenario"),
    ],
)
def test_wrong_arguments_are_errors(args: dict, problem: str) -> None:
    with pytest.raises(InputError, match=problem), Talk("live", args) as talk:
        talk.wait("run")


def test_who_ends_early_gets_the_results_so_far() -> None:
    with Talk("live", ARGS) as talk:
        talk.wait("counters")
        talk.tell("order", "told", group=0, target=[3.5, 3.5])
        for _ in range(4):
            counted, _ = talk.tell("step", "counters", steps=30)
        head, _ = talk.tell("stop", "facts")
        rows = {name: value for name, value, *_ in head["rows"]}
        assert rows["arrived"] == counted["arrived"]
        assert rows["steps"] == counted["step"] == 120
        assert rows["valid"] is True
        assert rows["hash"] == counted["hash"]
        table, _ = talk.wait("table")
        assert table["title"] == "Counters of the units that arrived"

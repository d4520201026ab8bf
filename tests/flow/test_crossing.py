"""Crossing: runs, candidates, one crossing, many; routes written as strings of vertices."""

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anabasis.flow.crossing import (
    Walk,
    alternating_runs,
    candidates,
    cross,
    cross_all,
    first_backward_run,
    position_reversed,
    without_loops,
)


def walk(text):
    """A walk along letters; between two letters there is one edge, walked backward where ~ stands between them."""
    letters, back = [text[0]], []
    for sign in text[1:]:
        if sign == "~":
            back.append(True)
        else:
            back += [False] * (len(letters) - len(back))
            letters.append(sign)
    edges = tuple(ord(min(a, b)) * 256 + ord(max(a, b)) for a, b in pairwise(letters))
    back += [False] * (len(edges) - len(back))
    return Walk(tuple(map(ord, letters)), edges, tuple(back))


def text(route):
    return "".join(map(chr, route.vertices))


def texts(routes):
    return {text(route): amount for route, amount in routes.items()}


def net(routes):
    """The sum of walks on each edge, positive from the lower letter to the higher one."""
    flow = Counter()
    for route, amount in routes:
        for u, v, edge in zip(route.vertices[:-1], route.vertices[1:], route.edges, strict=True):
            flow[edge] += amount if u < v else -amount
    return {edge: amount for edge, amount in flow.items() if amount}


def test_alternating_runs():
    assert alternating_runs(walk("sabt").back) == [(0, 3)]
    assert alternating_runs(walk("sa~b~cdt").back) == [(0, 1), (1, 3), (3, 5)]
    assert alternating_runs(walk("sa~bc~dt").back) == [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)]
    assert alternating_runs(()) == []
    assert first_backward_run(walk("sa~b~cdt")) == (1, 3)
    assert first_backward_run(walk("sabt")) is None


@given(st.lists(st.booleans()))
def test_runs_alternate_and_cover_everything(back):
    runs = alternating_runs(tuple(back))
    assert [i for a, b in runs for i in range(a, b)] == list(range(len(back)))
    assert all(len(set(back[a:b])) == 1 for a, b in runs)
    assert all(back[a] != back[b] for (a, _), (b, _) in pairwise(runs))


def test_candidates_contain_the_whole_run_reversed():
    run = walk("sa~b~ct").part(1, 3)
    routes = {walk(t): 1 for t in ("scbat", "cbat", "sabct", "scat", "sbat", "sxcbayt")}
    assert {text(r): place for r, place in candidates(routes, run).items()} == {"scbat": 1, "cbat": 0, "sxcbayt": 2}


def test_a_parallel_edge_is_another_run():
    run = walk("sa~bt").part(1, 2)
    other = Walk(walk("sbat").vertices, (1, 2, 3), (False,) * 3)
    assert position_reversed(walk("sbat"), run) == 1
    assert position_reversed(other, run) is None


def test_a_route_that_walks_the_same_edge_in_the_same_direction_is_no_candidate():
    assert position_reversed(walk("sabt"), walk("sa~bt").part(1, 2)) is None


def test_one_crossing_swaps_the_ends():
    negative, route = walk("spa~b~cqt"), walk("sxcbayt")
    first, second = cross(negative, (2, 4), route, 2)
    assert (text(first), text(second)) == ("spayt", "sxcqt")
    assert not any(first.back + second.back)
    assert net([(first, 1), (second, 1)]) == net([(negative, 1), (route, 1)])


def test_with_further_runs_the_second_part_stays_negative():
    first, second = cross(walk("sa~bc~dt"), (1, 2), walk("sbat"), 1)
    assert text(first) == "sat" and not any(first.back)
    assert text(second) == "sbcdt" and first_backward_run(second) == (2, 3)


def test_repeated_crossing():
    routes = {walk("sbat"): 3, walk("sdct"): 2}
    crossed = cross_all(routes, walk("sa~bc~dt"), 2)
    assert crossed.complete and crossed.crossings == 2
    assert texts(crossed.routes) == {"sbat": 1, "sat": 2, "sbct": 2, "sdt": 2}


def test_a_greater_route_survives_with_the_rest_and_the_total_stays():
    crossed = cross_all({walk("sbat"): 3}, walk("sa~bt"), 1)
    assert texts(crossed.routes) == {"sbat": 2, "sat": 1, "sbt": 1}  # 3 + 1 before and 4 after


def test_several_routes_are_used_up_and_only_one_keeps_a_rest():
    routes = {walk(f"s{x}bat"): amount for x, amount in zip("uvw", (4, 4, 3), strict=True)}
    crossed = cross_all(routes, walk("sa~bt"), 5)
    assert texts(crossed.routes) == {"subt": 4, "svbat": 4, "swbat": 2, "swbt": 1, "sat": 5}


def test_least_excess_decides_who_is_crossed():
    routes = {walk(f"s{x}bat"): amount for x, amount in zip("uvw", (7, 4, 2), strict=True)}
    crossed = cross_all(routes, walk("sa~bt"), 6)
    assert texts(crossed.routes) == {"subat": 7, "svbt": 4, "swbt": 2, "sat": 6}


def test_equal_routes_are_merged():
    crossed = cross_all({walk("sbat"): 1, walk("sat"): 2}, walk("sa~bt"), 1)
    assert texts(crossed.routes) == {"sat": 3, "sbt": 1} and crossed.merges == 1


def test_a_run_that_no_route_contains_is_split():
    # s b x t and s x a t walk halves of the run a x b
    crossed = cross_all({walk("sbxt"): 1, walk("sxat"): 1}, walk("sa~x~bt"), 1)
    assert crossed.complete and (crossed.crossings, crossed.splittings) == (2, 1)
    assert texts(crossed.routes) == {"sat": 1, "sxt": 1, "sbt": 1}


def test_what_whole_candidates_can_not_take_is_split():
    crossed = cross_all({walk("sbxat"): 1, walk("sbxt"): 1, walk("sxat"): 1}, walk("sa~x~bt"), 2)
    assert crossed.complete and crossed.splittings == 1
    assert texts(crossed.routes) == {"sat": 2, "sbt": 2, "sxt": 1}


def test_a_walk_that_meets_itself_is_left_to_a_fresh_decomposition():
    back_and_forth = Walk(
        tuple(map(ord, "sabcdt")),
        (walk("sa").edges[0], walk("ab").edges[0], 7, walk("cd").edges[0], walk("dt").edges[0]),
        (False, True, False, True, False),
    )
    assert not cross_all({walk("sdcbat"): 1}, back_and_forth, 1).complete


def test_loops_are_cut_out():
    assert without_loops(walk("sabt")) == (walk("sabt"), [])
    simple, loops = without_loops(walk("sawxawt"))
    assert text(simple) == "sawt" and [text(loop) for loop in loops] == ["awxa"]
    simple, loops = without_loops(walk("sabcbadat"))
    assert text(simple) == "sat" and [text(loop) for loop in loops] == ["bcb", "aba", "ada"]


@given(st.text("abcd", max_size=12))
def test_what_is_cut_out_and_what_is_left_make_up_the_walk(middle):
    letters = ["s"]
    for letter in middle:
        if letter != letters[-1]:
            letters.append(letter)
    whole = walk("".join([*letters, "t"]))
    simple, loops = without_loops(whole)
    assert len(set(simple.vertices)) == len(simple.vertices)
    assert all(loop.vertices[0] == loop.vertices[-1] for loop in loops)
    assert Counter(whole.edges) == Counter(simple.edges) + sum((Counter(loop.edges) for loop in loops), Counter())


@pytest.mark.parametrize("amount", [1, 2, 3])
def test_nothing_is_lost_on_any_edge(amount):
    routes = {walk("sdcbat"): 2, walk("sbat"): 1, walk("sdct"): 3}
    negative = walk("sa~bc~dt")
    crossed = cross_all(routes, negative, amount)
    assert crossed.complete
    assert net(crossed.routes.items()) == net([*routes.items(), (negative, amount)])

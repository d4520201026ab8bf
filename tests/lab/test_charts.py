"""Charts and pictures of a report: they show what the data say, and the same data give the same bytes."""

from __future__ import annotations

import numpy as np

from anabasis import Grid, Group, GroupPlan, Scenario, Target
from anabasis.lab import charts, pictures
from anabasis.view.palette import group_colour


def test_a_density_of_arrivals_bears_few_and_equal_arrivals() -> None:
    arrivals = {
        "many": [np.arange(100, 200), np.arange(120, 220)],
        "nobody": [np.array([-1, -1])],
        "at once": [np.array([50, 50, 50])],
        "nothing ran": [],
    }
    chart = charts.density_chart(arrivals, salt="x")
    assert chart.count(charts.method_colour(0)) == 1
    assert charts.method_colour(1) not in chart
    assert charts.method_colour(2) not in chart
    assert chart == charts.density_chart(arrivals, salt="x")


def test_shares_are_stacked_in_the_colours_of_routes() -> None:
    counts = {"one": np.array([[10, 15], [0, 5]]), "two": np.array([[10, 20], [0, 0]])}
    chart = charts.share_chart(counts, [10, 20], salt="x")
    assert all(charts.method_colour(k) in chart for k in (0, 1))
    assert charts.method_colour(2) not in chart
    assert "one" in chart
    assert "two" in chart


def test_routes_have_colours_by_their_use_unless_they_are_one_or_too_many() -> None:
    found = pictures.route_colours(np.array([7, 7, 3, 7, -1, 3, 9]))
    assert found == {7: group_colour(0), 3: group_colour(1), 9: group_colour(2)}
    assert pictures.route_colours(np.array([4, 4, -1])) == {}
    assert pictures.route_colours(np.arange(9)) == {}


def test_a_picture_of_routes_shows_every_unit_in_the_colour_of_its_route() -> None:
    grid = Grid.from_free(np.ones((10, 20), bool))
    group = Group(np.array([[1.5, 1.5], [1.5, 3.5], [1.5, 5.5]]), Target(17.5, 4.5))
    plan = GroupPlan.of_paths([np.array([[1.5, 1.5], [17.5, 4.5]]), np.zeros((0, 2)), np.zeros((0, 2))], [0, 0, 1])
    colours = pictures.route_colours(plan.route)
    picture = pictures.routes_picture(Scenario(grid, (group,)), plan, colours, width=200)
    blue, vermilion = ("#{:02x}{:02x}{:02x}".format(*group_colour(k)[:3]) for k in (0, 1))
    assert blue in picture
    assert vermilion in picture

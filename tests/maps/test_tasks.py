"""Tasks: lengths against SciPy's shortest paths, starts and goals that can be reached, buckets that are full."""

import math

import numpy as np
import pytest
from scipy.sparse import coo_array
from scipy.sparse.csgraph import dijkstra

from anabasis import Grid, InputError
from anabasis.io.movingai import load_map, load_scen, save_map
from anabasis.lab.validate import validate_scen
from anabasis.maps.structured.caves import caves
from anabasis.maps.structured.mazes import maze
from anabasis.maps.structured.obstacles import random_obstacles
from anabasis.maps.tasks import Tasks, bucketed_tasks, multi_agent_tasks, sample_tasks, save_tasks


def distances(free, neighbours=8, corners="strict"):
    """float64[n, n]: the shortest way between any two cells."""
    height, width = free.shape
    rows, columns, lengths = [], [], []
    inside = np.pad(free, 1)
    for dy, dx in ((0, 1), (1, 0), (1, 1), (1, -1)):
        if neighbours == 4 and dx and dy:
            continue
        for y, x in np.argwhere(free):
            beside = bool(inside[y + 1 + dy, x + 1]) + bool(inside[y + 1, x + 1 + dx])
            needed = {"strict": 2, "loose": 1, "none": 0}[corners] if dx and dy else 0
            if inside[y + 1 + dy, x + 1 + dx] and beside >= needed:
                rows.append(y * width + x)
                columns.append((y + dy) * width + x + dx)
                lengths.append(math.sqrt(dx * dx + dy * dy))
    graph = coo_array((lengths, (rows, columns)), shape=(height * width,) * 2).tocsr()
    return dijkstra(graph, directed=False)


RULES = [(8, "strict"), (8, "loose"), (8, "none"), (4, "strict")]
MAPS = {
    "open": np.ones((9, 11), bool),
    "parts": random_obstacles(24, 20, seed=3, share=0.4, connected=False),
    "caves": caves(40, 25, seed=2),
    "maze": maze(25, 21, seed=1),
    "line": np.ones((1, 30), bool),
}


@pytest.mark.parametrize("neighbours_corners", RULES)
@pytest.mark.parametrize("name", MAPS)
def test_lengths_are_the_shortest(name, neighbours_corners):
    neighbours, corners = neighbours_corners
    grid, wanted = Grid.from_free(MAPS[name]), distances(MAPS[name], neighbours, corners)
    options = {"seed": 4, "neighbours": neighbours, "corners": corners}
    for tasks in (
        sample_tasks(grid, 150, **options),
        bucketed_tasks(grid, per_bucket=5, **options),
        multi_agent_tasks(grid, 20, **options),
    ):
        assert grid.free.reshape(-1)[tasks.starts].all()
        assert grid.free.reshape(-1)[tasks.goals].all()
        assert np.isfinite(tasks.lengths).all()
        assert (tasks.starts != tasks.goals).all()
        np.testing.assert_allclose(tasks.lengths, wanted[tasks.starts, tasks.goals], rtol=0, atol=1e-9)
        assert (tasks.buckets == np.floor(tasks.lengths / 4)).all()
        assert (tasks.neighbours, tasks.corners) == (neighbours, corners)


def test_prices_do_not_count():
    free = MAPS["caves"]
    terrain = np.where(free, ord("3"), ord("@")).astype(np.uint8)
    for make in (lambda grid: sample_tasks(grid, 40), bucketed_tasks, lambda grid: multi_agent_tasks(grid, 9)):
        priced, plain = make(Grid.from_terrain(terrain)), make(Grid.from_free(free))
        assert np.array_equal(priced.starts, plain.starts)
        assert np.array_equal(priced.lengths, plain.lengths)


@pytest.mark.parametrize("apart", [0, 1, 6.5, 15])
def test_apart(apart):
    grid = Grid.from_free(MAPS["caves"])
    tasks = sample_tasks(grid, 200, seed=1, apart=apart)
    assert len(tasks) == 200
    assert tasks.lengths.min() >= max(apart, 1)
    everything = sample_tasks(grid, 5000, seed=1)
    far = everything.lengths >= apart
    assert np.array_equal(everything.starts[far][:200], tasks.starts), "the nearer ones are left out, nothing else"


def test_the_first_tasks_are_those_of_fewer():
    grid = Grid.from_free(MAPS["parts"])
    many = sample_tasks(grid, 300, seed=8, apart=3)
    for count in (0, 1, 17, 299):
        few = sample_tasks(grid, count, seed=8, apart=3)
        assert np.array_equal(few.starts, many.starts[:count])
        assert np.array_equal(few.goals, many.goals[:count])
    cells = int(multi_agent_tasks(Grid.from_free(np.ones((4, 5), bool)), 20).starts.size)
    for agents in range(1, cells):
        few, many = (multi_agent_tasks(Grid.from_free(np.ones((4, 5), bool)), k, seed=2) for k in (agents, cells - 1))
        assert np.array_equal(few.starts, many.starts[:agents])
        assert np.array_equal(few.goals, many.goals[:agents])


def test_starts_and_goals_are_uniform():
    """Every start is as likely as the others, and of each start every goal."""
    free = np.ones((3, 4), bool)
    free[1, 1] = False
    tasks = sample_tasks(Grid.from_free(free), 11_000, seed=3)
    count = np.zeros((12, 12))
    np.add.at(count, (tasks.starts, tasks.goals), 1)
    assert (count > 0).sum() == 11 * 10
    assert ((count[count > 0] - 100) ** 2 / 100).sum() < 109 + 5 * (2 * 109) ** 0.5


def test_buckets_are_full_and_go_to_the_longest_way():
    for name in ("caves", "maze", "parts"):
        free = MAPS[name]
        wanted = distances(free)
        tasks = bucketed_tasks(Grid.from_free(free), seed=5, per_bucket=7)
        assert len(set(zip(tasks.starts.tolist(), tasks.goals.tolist(), strict=True))) == len(tasks)
        assert (np.diff(tasks.buckets) >= 0).all()
        count = np.bincount(tasks.buckets)
        assert count.max() == 7
        assert (count[:-1] == 7).all()
        assert count[-1] >= 1
        longest = wanted[np.isfinite(wanted)].max()
        assert longest / 4 - 3 < len(count) <= longest / 4 + 1


def test_buckets_of_few_pairs_stay_smaller():
    tasks = bucketed_tasks(Grid.from_free(np.ones((1, 6), bool)), per_bucket=50)
    wanted = distances(np.ones((1, 6), bool))
    pairs = {(a, b) for a in range(6) for b in range(6) if wanted[a, b] > 0}
    found = set(zip(tasks.starts.tolist(), tasks.goals.tolist(), strict=True))
    assert found == pairs, "with so much patience all of them are found"


def test_tasks_in_buckets_begin_at_many_places():
    grid = Grid.from_free(caves(120, 100, seed=1))
    tasks = bucketed_tasks(grid)
    assert np.unique(tasks.starts).size > len(tasks) / 4
    assert np.unique(tasks.goals).size > len(tasks) / 4
    half = tasks.buckets >= tasks.buckets.max() // 2
    ahead = (tasks.starts % 120 < tasks.goals % 120)[half].mean()
    assert 0.35 < ahead < 0.65, "as many go there as back"


@pytest.mark.parametrize("name", ["arena", "den520d"])
def test_buckets_go_as_far_as_those_of_the_benchmarks(movingai, name):
    theirs = load_scen(movingai / "dao" / f"{name}.map.scen")
    ours = bucketed_tasks(load_map(movingai / "dao" / f"{name}.map"))
    assert (np.bincount(theirs.bucket) == 10).sum() >= theirs.bucket.max() - 1
    assert ours.buckets.max() >= theirs.bucket.max()
    assert (np.bincount(ours.buckets)[: theirs.bucket.max()] == 10).all()


@pytest.mark.parametrize("agents", [1, 2, 30, 98, 99])
def test_agents_share_no_start_and_no_goal(agents):
    grid = Grid.from_free(MAPS["open"])
    for seed in range(30):
        tasks = multi_agent_tasks(grid, agents, seed=seed)
        assert len(tasks) == np.unique(tasks.starts).size == np.unique(tasks.goals).size == agents
        assert (tasks.starts != tasks.goals).all()


def test_agents_start_anywhere_and_can_all_meet():
    free = MAPS["parts"]
    tasks = multi_agent_tasks(Grid.from_free(free), 20, seed=2)
    wanted = distances(free)
    assert np.isfinite(wanted[np.ix_(tasks.starts, tasks.goals)]).all()
    count = np.zeros((2, 12))
    for seed in range(300):
        tasks = multi_agent_tasks(Grid.from_free(np.ones((3, 4), bool)), 6, seed=seed)
        np.add.at(count[0], tasks.starts, 1)
        np.add.at(count[1], tasks.goals, 1)
    assert ((count - 150) ** 2 / 150).sum(axis=1).max() < 11 + 5 * 22**0.5


@pytest.mark.parametrize("kind", ["sample", "bucketed", "agents"])
def test_a_file_of_them_is_valid(tmp_path, kind):
    grid = Grid.from_free(caves(90, 70, seed=6))
    tasks = {
        "sample": lambda: sample_tasks(grid, 120, seed=1, apart=10),
        "bucketed": lambda: bucketed_tasks(grid, seed=1, per_bucket=4),
        "agents": lambda: multi_agent_tasks(grid, 120, seed=1),
    }[kind]()
    save_map(grid, tmp_path / "caves.map")
    save_tasks(tasks, grid, tmp_path / "caves.map.scen", map_name="caves.map")
    scen = load_scen(tmp_path / "caves.map.scen")
    assert np.array_equal(scen.start_y * 90 + scen.start_x, tasks.starts)
    assert np.array_equal(scen.goal_y * 90 + scen.goal_x, tasks.goals)
    assert np.array_equal(scen.bucket, tasks.buckets)
    assert np.abs(scen.length - tasks.lengths).max() <= 5e-9
    assert set(scen.maps) == {"caves.map"}
    assert (set(scen.width.tolist()), set(scen.height.tolist())) == ({90}, {70})
    report = validate_scen([tmp_path / "caves.map.scen"])
    assert not report.faulty
    assert not report.disagreeing
    assert np.array_equal(load_map(tmp_path / "caves.map").free, grid.free)


def test_a_file_has_lengths_of_one_kind_only(tmp_path):
    grid = Grid.from_free(MAPS["open"])
    for options in ({"neighbours": 4}, {"corners": "none"}):
        with pytest.raises(InputError, match="expected 8 neighbours, corners 'strict'"):
            save_tasks(sample_tasks(grid, 3, **options), grid, tmp_path / "a.scen", map_name="a")


def test_a_seed_repeats_and_another_differs():
    grid = Grid.from_free(MAPS["caves"])
    for make in (lambda s: sample_tasks(grid, 30, seed=s), lambda s: bucketed_tasks(grid, seed=s)):
        tasks = [make(seed) for seed in (1, 1, 2, 2**63 - 1)]
        assert np.array_equal(tasks[0].starts, tasks[1].starts)
        assert np.array_equal(tasks[0].goals, tasks[1].goals)
        assert not np.array_equal(tasks[0].starts[:20], tasks[2].starts[:20])
        assert not np.array_equal(tasks[2].starts[:20], tasks[3].starts[:20])


def test_records_are_read_only_and_agree():
    tasks = sample_tasks(Grid.from_free(MAPS["open"]), 5)
    with pytest.raises(ValueError, match="read-only"):
        tasks.starts[0] = 3
    with pytest.raises(InputError, match="goals has the wrong shape"):
        Tasks([1, 2], [3], [1.0, 1.0], 8, "strict")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda grid: sample_tasks(grid, -1), "number of tasks"),
        (lambda grid: sample_tasks(grid, 5, apart=40), r"found 0 of \d+ drawn; expected 5 tasks .* at least 40"),
        (lambda grid: sample_tasks(grid, 5, apart=float("nan")), "least length of a task"),
        (lambda grid: sample_tasks(grid, 5, seed=-2), "seed"),
        (lambda grid: sample_tasks(grid, 5, corners="round"), "unknown corner rule"),
        (lambda grid: bucketed_tasks(grid, per_bucket=0), "tasks in a bucket"),
        (lambda grid: bucketed_tasks(grid, neighbours=6), "number of neighbours"),
        (lambda grid: multi_agent_tasks(grid, 0), "number of agents"),
        (lambda grid: multi_agent_tasks(grid, 100), "found 99 cells; expected at least 100"),
    ],
)
def test_wrong_options_are_named(make, message):
    with pytest.raises(InputError, match=message):
        make(Grid.from_free(MAPS["open"]))


@pytest.mark.parametrize("free", [np.zeros((3, 3), bool), np.eye(3, dtype=bool)])
def test_no_two_cells_are_connected(free):
    grid = Grid.from_free(free)
    assert len(sample_tasks(grid, 0)) == 0
    with pytest.raises(InputError, match="too few pairs of cells are connected"):
        sample_tasks(grid, 1)
    for make in (bucketed_tasks, lambda grid: multi_agent_tasks(grid, 1)):
        with pytest.raises(InputError, match=r"largest connected part of the map is too small; found [01] cells"):
            make(grid)


def test_a_step_over_corners_connects():
    grid = Grid.from_free(np.eye(3, dtype=bool))
    tasks = multi_agent_tasks(grid, 3, corners="none")
    assert set(tasks.starts.tolist()) == {0, 4, 8}

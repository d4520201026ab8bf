"""The commands `map generate`, `map presets`, `map sheet` and `map tasks`."""

import json
import subprocess
import sys

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner

from anabasis.cli.app import app
from anabasis.errors import InputError
from anabasis.gamemap import GameMap
from anabasis.generators import GENERATORS, generate
from anabasis.io.archive import load
from anabasis.io.heightmap import load_heightmap
from anabasis.io.maps import load_grid, save_grid
from anabasis.maps.worlds.source import source_land
from anabasis.noun import state_hash

HEAVY = ("numpy", "numba", "scipy", "polars", "matplotlib", "PIL", "rich", "pydantic")
WORLDS = [row.name for row in GENERATORS if row.family == "world"]


@pytest.fixture(scope="module")
def seed():
    """A seed whose little plains are fair to two players."""
    for number in range(30):
        try:
            generate("plains", 48, seed=number, players=2)
        except InputError:
            continue
        return number
    return pytest.fail("no seed of thirty gives a fair map")


def files_of(folder, *options):
    """The archive, picture and heights of a map, and what was told of it."""
    files = [folder / name for name in ("a.npz", "a.png", "h.png")]
    names = [str(part) for pair in zip(("-o", "--picture", "--heightmap"), files, strict=True) for part in pair]
    result = CliRunner().invoke(app, ["map", "generate", "--preset", "plains", *options, *names, "--json"])
    assert result.exit_code == 0, result.output
    return files, json.loads(result.stdout)


@pytest.fixture(scope="module")
def plains(tmp_path_factory, seed):
    """The files of a map with two players."""
    folder = tmp_path_factory.mktemp("plains")
    return files_of(folder, "--size", "48", "--players", "2", "--seed", str(seed))


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """The files of a map with one player, which is made sooner."""
    return files_of(tmp_path_factory.mktemp("alone"), "--size", "48x40", "--players", "1")


def refused(call, *arguments, code=2):
    """The message of a call that ends with that code."""
    result = call("map", *arguments)
    assert result.exit_code == code, result.output
    assert result.stdout == ""
    return result.stderr


def test_what_is_told_of_a_map_is_so(plains, seed):
    files, told = plains
    game_map = load(files[0])
    assert isinstance(game_map, GameMap)
    assert (told["generator"], told["seed"], told["width"], told["height"]) == ("plains", seed, 48, 48)
    assert told["parameters"] == dict(game_map.recipe.parameters)
    assert told["hash"] == state_hash(game_map) == state_hash(generate("plains", 48, seed=seed, players=2))
    assert sum(told["terrain"].values()) == pytest.approx(1)
    assert told["terrain"]["grass"] == (game_map.terrain == ord("G")).mean()
    assert told["starts"] == [[site.x, site.y] for site in game_map.places("start")]
    assert sum(told["sites"].values()) == len(game_map.sites)
    for one in told["fairness"].values():
        low, high = min(one["values"]), max(one["values"])
        assert one["spread"] == pytest.approx(2 * (high - low) / (high + low)) and one["spread"] <= one["tolerance"]
    assert [told["file"], told["picture"], told["heightmap"]] == [str(file.resolve()) for file in files]


def test_heights_are_those_of_the_map(plains):
    files, _ = plains
    heights = load(files[0]).heights
    unit = (heights - heights.min()) / np.ptp(heights)
    assert np.abs(load_heightmap(files[2]) - unit).max() <= 1 / 65535


def test_a_person_is_told_of_the_map_and_where_its_files_are(call, tmp_path, seed):
    out = tmp_path / "a.map"
    text = call("map", "generate", "--preset", "plains", "--size", 48, "--seed", seed, "--players", 2, "-o", out).stdout
    assert f"plains, seed {seed}: 48 × 48 cells" in text
    assert "2 starts" in text and "player 2" in text and "spread" in text
    assert f"map: {out.resolve()}" in text
    assert "0.0%" not in text.splitlines()[1]


def test_many_players_have_a_line_each(call):
    make = ("--preset", "plains", "--size", 96, "--players", 5, "--set", "tolerance=2", "--set", "resources=no")
    text = call("map", "generate", *make).stdout
    assert "player 5 starts at " in text
    assert "least" in text and "most" in text
    assert max(map(len, text.splitlines())) <= 160


def test_without_a_file_the_map_is_drawn_here(call):
    text = call("map", "generate", "--preset", "maze", "--size", "15x9", "--seed", 3).stdout
    rows = text.splitlines()[-9:]
    grid = generate("maze", 15, 9, seed=3).grid()
    assert [[letter == "." for letter in row] for row in rows] == grid.free.tolist()


def test_quiet_says_nothing(call, tmp_path):
    result = call("map", "generate", "--preset", "maze", "--size", 9, "-o", tmp_path / "m.map", "--quiet")
    assert (result.stdout, result.stderr, result.exit_code) == ("", "", 0)


@pytest.mark.parametrize("suffix", [".map", ".txt", ".npz", ".png"])
def test_each_kind_of_file_gives_the_same_bytes_again(call, tmp_path, alone, suffix):
    first, second = tmp_path / f"first{suffix}", tmp_path / f"second{suffix}"
    assert call("map", "generate", "--again", alone[0][0], "-o", first).exit_code == 0
    assert call("map", "generate", "--again", first, "-o", second).exit_code == 0
    assert first.read_bytes() == second.read_bytes()


def test_pictures_and_heights_make_the_map_again(call_json, alone, tmp_path):
    files, told = alone
    for file in files:
        code, again = call_json("map", "generate", "--again", file)
        assert code == 0
        assert (again["hash"], again["parameters"]) == (told["hash"], told["parameters"])
    assert call_json("map", "generate", "--again", files[1], "--picture", tmp_path / "again.png")[0] == 0
    assert (tmp_path / "again.png").read_bytes() == files[1].read_bytes()


def test_a_map_is_read_by_the_strict_rules_of_other_tools(call, alone, tmp_path):
    assert call("map", "generate", "--again", alone[0][0], "-o", tmp_path / "a.map").exit_code == 0
    lines = (tmp_path / "a.map").read_bytes().decode("ascii").split("\n")
    assert lines[:4] == ["type octile", "height 40", "width 48", "map"]
    rows = lines[4:44]
    assert all(len(row) == 48 and set(row) <= set(".G@OTSW") for row in rows)
    assert lines[44].startswith("# anabasis {") and lines[45:] == [""]
    free = load(alone[0][0]).grid().free
    assert [[letter in ".GS" for letter in row] for row in rows] == free.tolist()


def test_pictures_of_both_kinds(alone, call, tmp_path):
    svg = tmp_path / "a.svg"
    assert call("map", "generate", "--again", alone[0][0], "--picture", svg).exit_code == 0
    assert svg.read_text("utf-8").startswith("<svg")
    with Image.open(alone[0][1]) as image:
        assert image.width <= 1000 and image.height > 500


def test_bare_is_exactly_the_land_of_the_source(call, tmp_path):
    file = tmp_path / "a.npz"
    assert call("map", "generate", "--preset", "island", "--bare", "--size", 65, "--seed", 9, "-o", file).exit_code == 0
    made = load(file)
    land = source_land(65, 65, seed=9, stencil="island", amplitude=50.0, increment=0.45, shares=(0.5, 0.56, 0.85, 0.95))
    assert np.array_equal(made.heights, land.heights)
    assert np.array_equal(made.terrain, land.terrain)
    assert made.sites == () and made.notes == ()


@pytest.mark.parametrize("name", WORLDS)
def test_bare_worlds_need_no_room_for_players(call_json, name):
    code, told = call_json("map", "generate", "--preset", name, "--bare", "--size", "7x5")
    assert code == 0
    assert told["sites"] == {} and told["fairness"] == {}


def test_settings_reach_the_generator(call_json):
    call = ("map", "generate", "--preset", "obstacles", "--size", 40, "--set", "share=0.4", "--set", "connected=no")
    code, told = call_json(*call)
    assert code == 0
    assert told["parameters"]["share"] == 0.4 and told["parameters"]["connected"] is False
    assert told["terrain"]["wall"] == pytest.approx(0.4, abs=0.01)


MISTAKES = [
    ((), "expected --preset NAME or --again FILE"),
    (("--preset", "iland"), "did you mean island?"),
    (("--preset", "Island"), "did you mean island?"),
    (("--preset", "maze", "--size", "abc"), "--size: size of a map; found 'abc'"),
    (("--preset", "maze", "--size", "10x"), "expected such as 257 or 400x300"),
    (("--preset", "maze", "--size", "1x2x3"), "--size: size of a map"),
    (("--preset", "maze", "--size", "0"), "each side from 1 to 16384"),
    (("--preset", "maze", "--size", "16385"), "each side from 1 to 16384"),
    (("--preset", "maze", "--size", "-5"), "--size: size of a map; found '-5'"),
    (("--preset", "maze", "--size", "٣"), "--size: size of a map"),
    (("--preset", "maze", "--size", "2"), "width of maze; found 2; expected a whole number from 3"),
    (("--preset", "maze", "--seed", "-1"), "--seed"),
    (("--preset", "maze", "--seed", str(2**63)), "--seed"),
    (("--preset", "maze", "--seed", "x"), "--seed"),
    (("--preset", "maze", "--set", "loops"), "--set: parameter of a map; found 'loops'; expected NAME=VALUE"),
    (("--preset", "maze", "--set", "=3"), "expected NAME=VALUE"),
    (("--preset", "maze", "--set", "loops="), "expected NAME=VALUE"),
    (("--preset", "maze", "--set", "lops=1"), "did you mean loops?"),
    (("--preset", "maze", "--set", "loops=2"), "loops of maze; found 2; expected a number from 0 to 1"),
    (("--preset", "maze", "--set", "loops=nan"), "loops of maze"),
    (("--preset", "maze", "--set", "corridor=1.5"), "expected a whole number"),
    (("--preset", "maze", "--set", "algorithm=magic"), "depth_first or prim"),
    (("--preset", "maze", "--set", "loops=0", "--set", "loops=1"), "loops is set twice; found 0 and 1"),
    (("--preset", "maze", "--players", "2"), "--players: maze has no players"),
    (("--preset", "maze", "--bare"), "--bare: maze has nothing on it to leave out"),
    (("--preset", "island", "--players", "99"), "players of island; found 99; expected a whole number from 0 to 16"),
    (("--preset", "island", "--players", "2", "--set", "players=3"), "--players: players are named twice"),
    (("--preset", "island", "--players", "2", "--bare"), "--players: --bare leaves out players"),
    (("--preset", "island", "--set", "forest=0.1", "--bare"), "--set: --bare leaves out forest"),
    (("--preset", "island", "--set", "movement=fly"), "unknown movement class; found 'fly'"),
    (("--preset", "maze", "-o", "a.gif"), "--out: unknown kind of output file; found .gif"),
    (("--preset", "maze", "-o", "a"), "--out: unknown kind of output file; found no suffix"),
    (("--preset", "maze", "-o", ".map"), "--out: unknown kind of output file"),
    (("--preset", "maze", "-o", "nowhere/a.map"), "--out: the file can't be written; found no folder nowhere"),
    (("--preset", "maze", "-o", "."), "--out: the file can't be written; found a folder"),
    (("--preset", "maze", "--picture", "a.jpg"), "--picture: unknown kind of output file"),
    (("--preset", "maze", "--heightmap", "a.map"), "--heightmap: unknown kind of output file"),
    (("--preset", "maze", "-o", "a.png", "--picture", "./a.png"), "--out and --picture are one file"),
    (("--preset", "maze", "--picture", "a.png", "--heightmap", "a.png"), "--picture and --heightmap are one file"),
    (("--preset", "maze", "--again", "a.map"), "found a preset and a file"),
    (("--again", "a.map", "--size", "9"), "--size: --again makes the very map of the file"),
    (("--again", "a.map", "--seed", "0"), "--seed: --again makes the very map of the file"),
    (("--again", "a.map", "--players", "0"), "--players: --again makes the very map of the file"),
    (("--again", "a.map", "--set", "a=1"), "--set: --again makes the very map of the file"),
    (("--again", "a.map", "--bare"), "--bare: --again makes the very map of the file"),
]


@pytest.mark.parametrize(("arguments", "message"), MISTAKES, ids=lambda value: " ".join(value)[:60])
def test_a_wrong_call_is_named_and_writes_nothing(call, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    text = refused(call, "generate", *arguments)
    assert message in text
    assert "Traceback" not in text
    assert list(tmp_path.iterdir()) == []


def test_files_without_a_proper_recipe(call, small_map, tmp_path):
    missing = tmp_path / "missing.map"
    assert "there is no such file" in refused(call, "generate", "--again", missing, code=3)
    assert "this is a folder" in refused(call, "generate", "--again", tmp_path, code=3)
    assert f"{small_map}: the file holds no recipe" in refused(call, "generate", "--again", small_map, code=3)
    recipe = {"generator": "mase", "version": 1, "width": 9, "height": 9, "seed": 0, "parameters": {}}
    for change, message in (
        ({}, "unknown generator; found 'mase'"),
        ({"generator": "maze", "version": 9}, "another version of maze"),
        ({"generator": "maze", "width": 1}, "width of maze; found 1"),
        ({"generator": "maze", "parameters": {"x": 1}}, "maze has no parameter 'x'"),
        ({"seed": -1}, "seed of a recipe"),
    ):
        small_map.write_text("...\n# anabasis " + json.dumps(recipe | change) + "\n")
        text = refused(call, "generate", "--again", small_map, code=3)
        assert text.startswith(f"error: {small_map}: ") and message in text


def test_a_map_that_can_not_be_made_ends_with_code_1_and_writes_nothing(call, call_json, tmp_path):
    make = ("generate", "--preset", "plains", "--size", 8, "--players", 4, "-o", tmp_path / "a.map")
    assert "the map can't hold 4 players" in refused(call, *make, code=1)
    code, data = call_json("map", *make)
    assert code == 1
    assert data["error"]["problem"] == "the map can't hold 4 players" and data["error"]["hint"]
    assert list(tmp_path.iterdir()) == []


def test_unfair_starts_end_with_code_1_and_say_what_is_unfair(call):
    for seed in range(40):
        make = ("--preset", "mountain-pass", "--size", 40, "--players", 2, "--set", "tolerance=0.01", "--seed", seed)
        result = call("map", "generate", *make)
        if "no fair starts" in result.stderr:
            break
    assert result.exit_code == 1
    assert "no fair starts for 2 players; found " in result.stderr and "a spread of" in result.stderr


def test_presets_are_listed_and_described(call, call_json):
    text = call("map", "presets").stdout
    assert all(row.name in text and row.summary in text for row in GENERATORS)
    data = call_json("map", "presets")[1]["presets"]
    assert [one["name"] for one in data] == [row.name for row in GENERATORS]
    for row in GENERATORS:
        assert call_json("map", "presets", row.name)[1] == data[[one["name"] for one in data].index(row.name)]
        text = call("map", "presets", row.name).stdout
        assert row.source in text and all(p.name in text and p.summary in text for p in row.parameters)
    assert "NAME: unknown preset" in refused(call, "presets", "nonsense")


def test_presets_named_with_their_defaults_make_the_same_map(call_json):
    described = call_json("map", "presets", "rooms")[1]["parameters"]
    settings = [part for one in described for part in ("--set", f"{one['name']}={one['default']}")]
    plain, named = (
        call_json("map", "generate", "--preset", "rooms", "--size", 40, *more)[1] for more in ([], settings)
    )
    assert plain == named


def test_a_sheet_is_the_same_with_one_worker_and_with_two(call, call_json, tmp_path):
    make = ("map", "sheet", "--preset", "obstacles,maze", "--size", 21, "--seeds", "1..3", "--set", "share=0.3")
    code, told = call_json(*make, "--workers", 1, "--picture", tmp_path / "one.png")
    assert code == 0
    result = call(*make, "--workers", 2, "--picture", tmp_path / "two.png")
    assert result.exit_code == 0 and "6 maps: " in result.stdout
    assert (tmp_path / "one.png").read_bytes() == (tmp_path / "two.png").read_bytes()
    assert [(one["generator"], one["seed"]) for one in told["maps"]] == [
        (name, seed) for name in ("obstacles", "maze") for seed in (1, 2, 3)
    ]
    assert told["maps"][4]["hash"] == state_hash(generate("maze", 21, seed=2))
    assert told["refused"] == []


def test_maps_of_a_tall_sheet_are_as_large_as_those_of_a_wide_one(call, tmp_path):
    from PIL import Image

    names = "maze,rooms,halls,caves,hills,warehouse,obstacles,simplex-noise"
    make = ("map", "sheet", "--preset", names, "--size", 17, "--seeds", "1,2", "--workers", 1)
    assert call(*make, "--picture", tmp_path / "a.png").exit_code == 0
    with Image.open(tmp_path / "a.png") as image:
        assert image.height > 8 * 250


def test_a_sheet_takes_the_largest_seed(call_json, tmp_path):
    make = ("map", "sheet", "--preset", "maze", "--size", 9, "--seeds", f"{2**63 - 2}..{2**63 - 1}", "--workers", 1)
    code, told = call_json(*make, "--picture", tmp_path / "a.png")
    assert code == 0 and [one["seed"] for one in told["maps"]] == [2**63 - 2, 2**63 - 1]


def test_a_sheet_leaves_the_place_of_a_refused_map_empty(call, call_json, tmp_path):
    make = ("map", "sheet", "--preset", "maze,halls", "--size", 12, "--seeds", "4,7", "--workers", 1)
    code, told = call_json(*make, "--picture", tmp_path / "a.png")
    assert code == 0
    assert [one["generator"] for one in told["maps"]] == ["maze", "maze"]
    assert [(one["generator"], one["seed"]) for one in told["refused"]] == [("halls", 4), ("halls", 7)]
    assert "not made: halls, seed 7: width of halls" in call(*make, "--picture", tmp_path / "a.png").stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--preset", "iland"), "did you mean island?"),
        (("--preset", "maze", "--seeds", "a"), "--seeds: seeds of a sheet; found 'a'; expected 1..6 or 3,5,8"),
        (("--preset", "maze", "--seeds", ""), "--seeds: seeds of a sheet"),
        (("--preset", "maze", "--seeds", f"0..{2**63 - 1}"), "1 to 1000 of them"),
        (("--preset", "maze", "--seeds", f"{2**63}"), f"each up to {2**63 - 1}"),
        (("--preset", "maze", "--seeds", "..5"), "--seeds: seeds of a sheet"),
        (("--preset", "maze", "--seeds", "5..2"), "from low to high"),
        (("--preset", "maze", "--seeds", "1..1001"), "1 to 1000 of them"),
        (("--preset", "maze", "--seeds", "1..600,1..600"), "1 to 1000 of them"),
        (("--preset", "maze", "--size", "x"), "--size"),
        (("--preset", "maze,rooms", "--set", "lops=1"), "maze has no parameter 'lops'"),
        (("--preset", "island", "--set", "movement=fly"), "unknown movement class"),
        (("--preset", "maze", "--workers", "0"), "--workers"),
        (("--preset", "maze", "--picture", "a.gif"), "--picture: unknown kind of output file"),
    ],
    ids=lambda value: " ".join(value)[:50],
)
def test_a_wrong_sheet_is_named(call, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    assert message in refused(call, "sheet", *arguments)
    assert list(tmp_path.iterdir()) == []


def test_a_sheet_without_any_map_ends_with_code_1(call, tmp_path):
    make = ("sheet", "--preset", "plains", "--size", 6, "--seeds", "1,2", "--workers", 1)
    assert "the map can't hold" in refused(call, *make, "--picture", tmp_path / "a.png", code=1)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", [("--per-bucket", 3), ("--count", 20, "--apart", 5), ("--agents", 12), ()])
def test_tasks_are_agreed_with_by_the_validator(call_json, alone, call, tmp_path, kind):
    assert call("map", "generate", "--again", alone[0][0], "-o", tmp_path / "a.map").exit_code == 0
    code, told = call_json("map", "tasks", tmp_path / "a.map", *kind, "-o", tmp_path / "a.map.scen")
    assert code == 0
    rows = [line.split("\t") for line in (tmp_path / "a.map.scen").read_text().splitlines()[1:]]
    assert told["tasks"] == len(rows) > 10
    assert told["longest"] == pytest.approx(max(float(row[-1]) for row in rows))
    if "--apart" in kind:
        assert len(rows) == 20 and min(float(row[-1]) for row in rows) >= 5
    code, checked = call_json("validate", "scen", tmp_path / "a.map.scen")
    assert code == 0
    assert checked["agreed"] == len(rows)


def test_wrong_tasks_are_named(call, small_map, tmp_path):
    out = ("-o", tmp_path / "a.scen")
    assert "one kind of tasks at a time" in refused(call, "tasks", small_map, "--count", 3, "--agents", 2, *out)
    assert "--apart: a least length belongs to --count" in refused(call, "tasks", small_map, "--apart", 1, *out)
    assert "--out: unknown kind" in refused(call, "tasks", small_map, "-o", tmp_path / "a.txt")
    assert "there is no such file" in refused(call, "tasks", tmp_path / "no.map", *out, code=3)
    assert "--count" in refused(call, "tasks", small_map, "--count", 0, *out)
    assert "too small" in refused(call, "tasks", small_map, "--agents", 1000, *out)
    assert not (tmp_path / "a.scen").exists()


def test_generated_files_go_through_the_other_commands(call_json, call, alone, tmp_path):
    game_map = load(alone[0][0])
    (x, y), town = alone[1]["starts"][0], game_map.places("town")[0]
    for suffix in (".map", ".txt", ".npz"):
        file = tmp_path / f"m{suffix}"
        save_grid(game_map, file)
        code, info = call_json("map", "info", file)
        assert code == 0 and info["free"] == int(game_map.grid().free.sum())
        code, path = call_json("path", file, f"{x},{y}", f"{town.x},{town.y}")
        assert code == 0 and path["cells"][-1] == [town.x, town.y]
        assert call("map", "show", file).exit_code == 0


def test_a_generated_archive_is_shown_as_it_was_drawn(call, alone, tmp_path):
    assert call("map", "show", alone[0][0], "--picture", tmp_path / "shown.png").exit_code == 0
    with Image.open(tmp_path / "shown.png") as shown, Image.open(alone[0][1]) as drawn:
        assert np.array_equal(np.asarray(shown), np.asarray(drawn))
    flat = tmp_path / "flat.png"
    for more in (("--movement", "land"), ("--scale", 2)):
        assert call("map", "show", alone[0][0], "--picture", flat, *more).exit_code == 0
        with Image.open(flat) as image, Image.open(alone[0][1]) as drawn:
            assert not np.array_equal(np.asarray(image), np.asarray(drawn))


def test_a_text_map_keeps_every_kind_of_terrain(call, alone, tmp_path):
    assert call("map", "generate", "--again", alone[0][0], "-o", tmp_path / "a.txt").exit_code == 0
    assert np.array_equal(load_grid(tmp_path / "a.txt").terrain, load(alone[0][0]).terrain)


@pytest.mark.parametrize("name", ["generate", "presets", "sheet", "tasks"])
def test_help_is_light_and_whole(call, name):
    text = call("map", name, "--help").stdout
    example = text.split("Example:\n")[1].splitlines()[0].split()
    assert example[:3] == ["anabasis", "map", name]
    listed = text.split("Options:")[1].replace(",", " ").split()
    assert {"--json", "--quiet"} <= set(listed)
    assert all(word in listed for word in example if word.startswith("-"))
    code = (
        "import sys\nfrom anabasis.cli import main\n"
        "try:\n    main()\nexcept SystemExit as end:\n    assert not end.code\n"
        f"print('LOADED', *[name for name in {HEAVY!r} if name in sys.modules])"
    )
    for arguments in (["map", name, "--help"], ["map", "--help"]):
        done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True)
        assert done.stdout.rpartition("LOADED")[2].split() == []

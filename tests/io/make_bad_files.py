"""Writes the corpus of bad files in `tests/io/bad`: python tests/io/make_bad_files.py

The files are committed; this script says how each was made, which matters for the binary ones.
"""

from __future__ import annotations

import io
import json
import struct
import zipfile
import zlib
from pathlib import Path

import numpy as np
from bad_tile_maps import BAD_LDTK, BAD_TILED

BAD = Path(__file__).parent / "bad"

MAP = "type octile\nheight 2\nwidth 3\nmap\n"
MAPS = {
    "no_type": "height 2\nwidth 3\nmap\n...\n...\n",
    "no_map_line": "type octile\nheight 2\nwidth 3\n",
    "row_too_short": MAP + "...\n..\n",
    "row_too_long": MAP + "....\n...\n",
    "too_few_rows": MAP + "...\n",
    "too_many_rows": MAP + "...\n...\n...\n",
    "unknown_letter": MAP + "...\n.x.\n",
    "emitter": MAP + "...\n.E.\n",
    "digit": MAP + "...\n.5.\n",
    "hexagonal": "type hex\nheight 2\nwidth 3\nmap\n...\n...\n",
    "height_in_words": "type octile\nheight two\nwidth 3\nmap\n...\n...\n",
    "negative_width": "type octile\nheight 2\nwidth -3\nmap\n...\n...\n",
    "width_twice": "type octile\nwidth 3\nwidth 3\nheight 2\nmap\n...\n...\n",
    "no_cells": "type octile\nheight 0\nwidth 3\nmap\n",
    "too_wide": "type octile\nheight 2\nwidth 20000\nmap\n...\n",
    "too_many_cells": "type octile\nheight 8192\nwidth 16384\nmap\n...\n",
    "not_a_header": "type octile\nheigth 2\nwidth 3\nmap\n...\n...\n",
    "empty": "",
}

ROW = "0\tarena.map\t49\t49\t1\t11\t1\t12\t1.00000\n"
SCENS = {
    "no_version": ROW,
    "version_2": "version 2\n" + ROW,
    "eight_fields": "version 1\n" + ROW + "0\tarena.map\t49\t49\t1\t11\t1\t12\n",
    "word_for_number": "version 1\n0\tarena.map\t49\t49\tone\t11\t1\t12\t1\n",
    "negative_place": "version 1\n0\tarena.map\t49\t49\t-1\t11\t1\t12\t1\n",
    "start_outside": "version 1\n0\tarena.map\t49\t49\t49\t11\t1\t12\t1\n",
    "goal_outside": "version 1\r\n\r\n0 maps/arena.map 49 49 1 11 1 50 1\r\n",
    "length_nan": "version 1.0\n0\tarena.map\t49\t49\t1\t11\t1\t12\tnan\n",
    "half_a_column": "version 1\n0\tarena.map\t49\t49\t1.5\t11\t1\t12\t1\n",
    "empty": "",
}

TEXTS = {
    "empty": "",
    "blank": "\n  \n",
    "ragged": "....\n...\n",
    "unknown_letter": "...\n.?.\n",
    "blank_between": "...\n\n...\n",
    "zero": "...\n.0.\n",
    "tab": "...\n.\t.\n",
}

HEAD = 'schema = "anabasis/scenario"\nschema_version = 1\n\n'
ROOM = '[map]\ntext = """\n.....\n..#..\n.....\n"""\n\n'
GROUP = "[[groups]]\npositions = [[0.5, 0.5]]\ntarget = { x = 4.5, y = 0.5 }\n"
MADE = '[map.generate]\ngenerator = "maze"\nwidth = 9\n\n'
TOMLS = {
    "no_schema": ROOM + GROUP,
    "other_schema": 'schema = "anabasis/noun"\nschema_version = 1\n' + ROOM + GROUP,
    "newer_version": 'schema = "anabasis/scenario"\nschema_version = 2\n' + ROOM + GROUP,
    "syntax": HEAD + ROOM + "[[groups]\n",
    "key_twice": HEAD + ROOM + GROUP + "target = 3\n",
    "open_string": HEAD + '[map]\ntext = """\n...\n',
    "no_groups": HEAD + ROOM,
    "empty_groups": "groups = []\n" + HEAD + ROOM,
    "no_map": HEAD + GROUP,
    "two_maps": HEAD + '[map]\nfile = "a.map"\ntext = "..."\n\n' + GROUP,
    "no_source": HEAD + "[map]\nscale = 2\n\n" + GROUP,
    "scale_zero": HEAD + ROOM.replace("[map]\n", "[map]\nscale = 0\n") + GROUP,
    "map_movement": HEAD + ROOM.replace("[map]\n", '[map]\nmovement = "air"\n') + GROUP,
    "ragged_map": HEAD + '[map]\ntext = """\n.....\n....\n"""\n\n' + GROUP,
    "map_outside": HEAD + '[map]\nfile = "../map/unknown_letter.map"\n\n' + GROUP,
    "map_absolute": HEAD + '[map]\nfile = "/etc/passwd"\n\n' + GROUP,
    "map_missing": HEAD + '[map]\nfile = "nowhere.map"\n\n' + GROUP,
    "unknown_name": HEAD + ROOM + GROUP + "sped = 0.1\n",
    "unknown_limit": HEAD + ROOM + GROUP + "\n[limits]\nmax_steps = 5\n",
    "no_target": HEAD + ROOM + "[[groups]]\npositions = [[0.5, 0.5]]\n",
    "no_units": HEAD + ROOM + "[[groups]]\ntarget = { x = 4.5, y = 0.5 }\n",
    "speed_text": HEAD + ROOM + GROUP + 'speed = "fast"\n',
    "speed_too_high": HEAD + ROOM + GROUP + "speed = 0.75\n",
    "speed_nan": HEAD + ROOM + GROUP + "speed = nan\n",
    "radius_inf": HEAD + ROOM + GROUP + "radius = inf\n",
    "radius_negative": HEAD + ROOM + GROUP + "radius = -1\n",
    "movement": HEAD + ROOM + GROUP + 'movement = "fly"\n',
    "position_of_three": HEAD + ROOM + GROUP.replace("[[0.5, 0.5]]", "[[0.5, 0.5], [1, 2, 3]]"),
    "unit_in_wall": HEAD + ROOM + GROUP.replace("[[0.5, 0.5]]", "[[0.5, 0.5], [2.5, 1.5]]"),
    "unit_outside": HEAD + ROOM + GROUP.replace("[[0.5, 0.5]]", "[[7, 1]]"),
    "target_in_wall": HEAD + ROOM + GROUP.replace("x = 4.5, y = 0.5", "x = 2.5, y = 1.5"),
    "target_radius": HEAD + ROOM + GROUP.replace("y = 0.5 }", "y = 0.5, radius = 0 }"),
    "too_many_units": HEAD
    + ROOM
    + "[[groups]]\nrectangle = { x = 0, y = 0, width = 2, height = 3, count = 7 }\ntarget = { x = 4.5, y = 0.5 }\n",
    "disc_in_wall": HEAD
    + ROOM
    + "[[groups]]\ndisc = { x = 2.5, y = 1.5, radius = 0.6 }\ntarget = { x = 4.5, y = 0.5 }\n",
    "count_zero": HEAD
    + ROOM
    + "[[groups]]\ndisc = { x = 1, y = 1, radius = 1, count = 0 }\ntarget = { x = 4.5, y = 0.5 }\n",
    "tiny_units": HEAD
    + ROOM
    + "[[groups]]\ndisc = { x = 2, y = 1, radius = 9 }\nradius = 1e-5\ntarget = { x = 4.5, y = 0.5 }\n",
    "change_outside": HEAD + ROOM + GROUP + '\n[[changes]]\nstep = 5\nterrain = "#"\ncells = [[1, 1], [1, 3]]\n',
    "change_rectangle": HEAD
    + ROOM
    + GROUP
    + '\n[[changes]]\nstep = 5\nterrain = "#"\nrectangle = { x = 3, y = 0, width = 3, height = 1 }\n',
    "change_empty": HEAD
    + ROOM
    + GROUP
    + '\n[[changes]]\nstep = 5\nterrain = "#"\nrectangle = { x = 3, y = 0, width = 0, height = 1 }\n',
    "change_nowhere": HEAD + ROOM + GROUP + '\n[[changes]]\nstep = 5\nterrain = "#"\n',
    "change_letter": HEAD + ROOM + GROUP + '\n[[changes]]\nstep = 5\nterrain = "lava"\ncells = [[1, 1]]\n',
    "change_step": HEAD + ROOM + GROUP + '\n[[changes]]\nstep = -5\nterrain = "#"\ncells = [[1, 1]]\n',
    "limit_zero": HEAD + ROOM + GROUP + "\n[limits]\nsteps = 0\n",
    "rays_half": HEAD + ROOM + GROUP + "\n[steering]\nrays = 2.5\n",
    "seed_negative": "seed = -4\n" + HEAD + ROOM + GROUP,
    "number_too_large": "seed = 9999999999999999999999\n" + HEAD + ROOM + GROUP,
    "empty": "",
    "generate_unknown": HEAD + MADE.replace("maze", "mace") + GROUP,
    "generate_nothing": HEAD + MADE.replace('generator = "maze"\n', "") + GROUP,
    "generate_no_width": HEAD + MADE.replace("width = 9\n", "") + GROUP,
    "generate_width_text": HEAD + MADE.replace("9", '"9"') + GROUP,
    "generate_too_small": HEAD + MADE.replace("9", "2") + GROUP,
    "generate_too_large": HEAD + MADE.replace("9", "20000") + GROUP,
    "generate_height": HEAD + MADE.replace("9", "9\nheight = 0") + GROUP,
    "generate_seed": HEAD + MADE.replace("9", "9\nseed = -1") + GROUP,
    "generate_parameter": HEAD + MADE.replace("9", "9\nparameters = { lops = 0.5 }") + GROUP,
    "generate_value": HEAD + MADE.replace("9", "9\nparameters = { loops = 1.5 }") + GROUP,
    "generate_choice": HEAD + MADE.replace("9", '9\nparameters = { algorithm = "magic" }') + GROUP,
    "generate_list": HEAD + MADE.replace("9", "9\nparameters = { loops = [1] }") + GROUP,
    "generate_key": HEAD + MADE.replace("9", "9\nsize = 9") + GROUP,
    "generate_and_file": HEAD + '[map]\nfile = "a.map"\n\n' + MADE + GROUP,
    "generate_and_text": HEAD + ROOM + MADE + GROUP,
    "generate_scaled": HEAD + "[map]\nscale = 4000\n\n" + MADE + GROUP,
    "generate_in_wall": HEAD + MADE + GROUP,
}

TABLE = '"agents","lower_cost","lower_date","solution_cost","solution_date","path"\n'
BULK = "map_name,scen_type,type_id,agents,lower_cost,solution_cost,solution_plan\n"
TRACKERS = {
    "empty": "",
    "other_names": '"agents","cost","path"\n"2","4","u\nu"\n',
    "names_only": TABLE,
    "too_few_fields": TABLE + '"2","2","2"\n',
    "agents_in_words": TABLE + '"two","2","","2","","u\nu"\n',
    "cost_half": BULK + 'a.map,random,1,2,2,2.5,"u\nu"\n',
    "too_few_lines": TABLE + '"2","2","","2","","u"\n',
    "too_many_lines": TABLE + '"2","2","","2","","u\nu\nu"\n',
    "unknown_move": TABLE + '"2","2","","2","","u\nrux"\n',
    "capitals": TABLE + '"2","2","","2","","U\nU"\n',
    "leaves_the_map": TABLE + '"2","2","","2","","u\nrr"\n',
    "other_number_of_agents": TABLE + '"3","2","","2","","u\nu\nu"\n',
    "several": BULK + 'a.map,random,1,2,2,2,"u\nu"\na.map,random,2,2,2,2,"u\nu"\n',
    "open_quotes": TABLE + '"2","2","","2","","u\nu\n',
    "text_after_quotes": TABLE + '"2"2,"2","","2","","u\nu"\n',
}

RESULTS = {
    "empty": "",
    "unsolved": "agents=2\nsolved=0\nsolution=\n",
    "step_left_out": "0:(0,0),(2,0),\n2:(0,1),(2,1),\n",
    "first_step_1": "1:(0,0),(2,0),\n",
    "agent_lost": "0:(0,0),(2,0),\n1:(0,1),\n",
    "place_outside": "solution=\n0:(0,0),(2,0),\n1:(0,1),(3,0),\n",
    "goal_outside": "0:(0,0)->(0,9):1,(2,0)->(2,1):2,\n",
    "negative_place": "0:(0,0),(2,0),\n1:(0,1),(2,-1),\n",
    "half_a_place": "0:(0,0),(2,0),\n1:(0,1),(2,\n",
    "headings": "0:(0,0,X_PLUS),(2,0,X_PLUS),\n",
    "no_comma": "0:(0,0)(2,0)\n",
    "not_a_line": "agents=2\nhello\n",
    "key_twice": "agents=2\nagents=2\nsolution=\n0:(0,0),(2,0),\n",
    "header_below": "0:(0,0),(2,0),\nagents=2\n",
    "other_starts": "0:(1,0),(2,0),\n",
    "other_goals": "goals=(0,1),(2,0),\nsolution=\n0:(0,0),(2,0),\n",
    "three_agents": "0:(0,0),(1,0),(2,0),\n",
}


def replay(**changes: object) -> str:
    """Return a small file for PlanViz of 2023, with some values replaced; None takes one out."""
    good = {
        "actionModel": "MAPF_T",
        "AllValid": "Yes",
        "teamSize": 2,
        "start": [[0, 0, "S"], [0, 2, "S"]],
        "numTaskFinished": 2,
        "sumOfCost": 2,
        "makespan": 1,
        "actualPaths": ["F", "F"],
        "plannerPaths": ["F", "F"],
        "plannerTimes": [0.5],
        "errors": [],
        "events": [[[0, 1, "finished"]], [[1, 1, "finished"]]],
        "tasks": [[0, 1, 0], [1, 1, 2]],
    }
    return json.dumps({name: value for name, value in {**good, **changes}.items() if value is not None})


def replay_2024(**changes: object) -> str:
    """Return the like of 2024."""
    tasks, events = [[0, 0, [1, 0]], [1, 0, [1, 2]]], [[1, 0, 0, 1], [1, 1, 1, 1]]
    schedule = ["0:0", "0:1"]
    return replay(**{"version": "2024 LoRR", "tasks": tasks, "events": events, "actualSchedule": schedule, **changes})


def replay_2026(*paths: str) -> str:
    """Return the like of 2026, with the actions in segments."""
    return replay_2024(version="2026 LoRR", AllValid=None, agentMaxCounter=10, actualPaths=paths)


GOOD_SEGMENT = "[(0,0,2,3,0):(F 10)]"
REPLAYS = {
    "empty": "",
    "not_an_object": "[1, 2]",
    "cut_off": replay()[:-20],
    "nan": replay(plannerTimes=[float("nan")]),
    "long_number": '{"teamSize": ' + "9" * 5000 + "}",
    "nested": "[" * 5_000,
    "unknown_version": replay(version="2025 LoRR"),
    "version_is_a_list": replay(version=[]),
    "unknown_model": replay(actionModel="FLY"),
    "no_team": replay(teamSize=None),
    "no_start": replay(start=None),
    "team_in_words": replay(teamSize="two"),
    "team_true": replay(teamSize=True),
    "three_agents": replay(teamSize=3),
    "too_few_starts": replay(start=[[0, 0, "E"]]),
    "start_of_two": replay(start=[[0, 0], [0, 2, "E"]]),
    "start_outside": replay(start=[[0, 0, "E"], [2, 0, "E"]]),
    "start_half": replay(start=[[0, 0.5, "E"], [0, 2, "E"]]),
    "heading": replay(start=[[0, 0, "N/A"], [0, 2, "E"]]),
    "other_start": replay(start=[[0, 1, "W"], [0, 2, "S"]]),
    "too_few_paths": replay(actualPaths=["F"]),
    "path_is_a_list": replay(actualPaths=[["F"], "F"]),
    "unknown_action": replay(actualPaths=["F,X", "F"]),
    "letters_of_the_other_model": replay(actualPaths=["F,U", "F"]),
    "empty_action": replay(actualPaths=["F,,F", "F"]),
    "leaves_the_map": replay(actualPaths=["F,F", "F"]),
    "leaves_the_map_in_any_reading": replay(actionModel="MAPF", actualPaths=["L", "U"]),
    "task_twice": replay(tasks=[[0, 1, 0], [0, 1, 2]]),
    "task_outside": replay(tasks=[[0, 1, 0], [1, 7, 2]]),
    "event_of_no_task": replay(events=[[[5, 1, "finished"]], []]),
    "event_state": replay(events=[[[0, 1, "done"]], []]),
    "event_time": replay(events=[[[0, -1, "finished"]], []]),
    "error_of_three": replay(errors=[[0, 1, "collision"]]),
    "odd_errands": replay_2024(tasks=[[0, 0, [1, 0, 1]], [1, 0, [1, 2]]]),
    "event_of_three": replay_2024(events=[[1, 0, 0]]),
    "event_of_no_agent": replay_2024(events=[[1, 2, 0, 1]]),
    "schedule": replay_2024(actualSchedule=["0:0", "0-1"]),
    "segment_cut_off": replay_2026("[(0,0,0,3,0):(F 10)", GOOD_SEGMENT),
    "segment_out_of_turn": replay_2026("[(0,0,0,3,0):(F 10)][(20,1,0,3,0):(W 10)]", GOOD_SEGMENT),
    "segment_action": replay_2026("[(0,0,0,3,0):(F10)]", GOOD_SEGMENT),
    "segment_too_long": replay_2026("[(0,0,0,3,0):(W 999999999)]", GOOD_SEGMENT),
    "plain_moves_in_ticks": replay_2024(version="2026 LoRR", actionModel="MAPF"),
    "delays": replay_2024(version="2026 LoRR", actualPaths=["", ""], delayIntervals=[[[1]], []]),
}


def png(width: int, height: int, rows: bytes | None) -> bytes:
    """Return a grey PNG whose header may promise what its pixels don't keep."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
    body = b"" if rows is None else chunk(b"IDAT", zlib.compress(rows))
    return b"\x89PNG\r\n\x1a\n" + head + body + chunk(b"IEND", b"")


def archive(members: dict[str, bytes]) -> bytes:
    """Return a zip of these members with fixed dates."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as bundle:
        for name, data in members.items():
            bundle.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return file.getvalue()


def npy(array: np.ndarray) -> bytes:
    """Return an array as a `.npy` file."""
    file = io.BytesIO()
    np.lib.format.write_array(file, array, version=(1, 0))
    return file.getvalue()


def npy_header(shape: str, descr: str = "<f8") -> bytes:
    """Return the header of a `.npy` file that promises any shape."""
    text = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}".encode().ljust(117) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text


def noun(**changes: object) -> bytes:
    """Return the `noun.json` of a 2 × 1 grid, with some entries replaced."""
    arrays = {name: {"array": f"{name}.npy"} for name in ("cost", "terrain")}
    head: dict[str, object] = {
        "schema": "anabasis/noun",
        "schema_version": 1,
        "producer": "anabasis",
        "producer_version": "0.1.0",
        "type": "Grid",
        "state_hash": "0" * 64,
        "value": {"noun": "Grid", "fields": {**arrays, "side": 1.0}},
    }
    return json.dumps({**head, **changes}).encode()


def archives() -> dict[str, bytes]:
    """Return the bad archives."""
    cost, terrain = npy(np.ones((1, 2))), npy(np.full((1, 2), ord("."), np.uint8))
    good = archive({"noun.json": noun(), "cost.npy": cost, "terrain.npy": terrain})
    broken = bytearray(good)
    broken[good.index(b"noun.json") + 20] ^= 0xFF
    pickled = io.BytesIO()
    np.lib.format.write_array(pickled, np.array([[None, 1]], object), version=(1, 0), allow_pickle=True)
    path = {"noun": "Path", "fields": {"vertices": {"array": "v.npy"}, "points": {"array": "p.npy"}, "cost": -1.0}}
    return {
        "empty": b"",
        "not_a_zip": b"type octile\n",
        "cut_off": good[: len(good) // 2],
        "flipped_bit": bytes(broken),
        "no_noun": archive({"cost.npy": cost}),
        "not_json": archive({"noun.json": b"{"}),
        "other_schema": archive({"noun.json": noun(schema="anabasis/scenario")}),
        "newer_version": archive({"noun.json": noun(schema_version=99, producer_version="7.0")}),
        "wrong_hash": good,
        "array_missing": archive({"noun.json": noun(), "cost.npy": cost}),
        "pickle": archive({"noun.json": noun(), "cost.npy": pickled.getvalue(), "terrain.npy": terrain}),
        "unknown_noun": archive({"noun.json": noun(value={"noun": "Popen", "fields": {}})}),
        "other_type": archive({"noun.json": noun(type="Graph"), "cost.npy": cost, "terrain.npy": terrain}),
        "field_missing": archive({"noun.json": noun(value={"noun": "Grid", "fields": {}})}),
        "array_too_short": archive({"noun.json": noun(), "cost.npy": npy_header("(99, 99)") + b"\0" * 16}),
        "array_too_large": archive({"noun.json": noun(), "cost.npy": npy_header("(1099511627776, 8)")}),
        "big_endian": archive({"noun.json": noun(), "cost.npy": npy_header("(1, 2)", ">f8") + b"\0" * 16}),
        "not_a_number": archive(
            {"noun.json": noun(), "cost.npy": npy(np.full((1, 2), np.nan)), "terrain.npy": terrain}
        ),
        "shapes_differ": archive({"noun.json": noun(), "cost.npy": npy(np.ones((2, 2))), "terrain.npy": terrain}),
        "negative_cost": archive(
            {
                "noun.json": noun(type="Path", value=path),
                "v.npy": npy(np.zeros(0, np.int64)),
                "p.npy": npy(np.zeros((0, 2))),
            }
        ),
    }


def images() -> dict[str, bytes]:
    """Return the bad images, by name with suffix."""
    good = png(3, 2, b"\0\0\xff\xff\0\xff\xff\xff")
    return {
        "empty.png": b"",
        "a_text.png": b"....\n.@@.\n",
        "header_cut_off.png": good[:20],
        "cut_off.png": good[:-20],
        "flipped_bit.png": good[:45] + bytes([good[45] ^ 0xFF]) + good[46:],
        "no_pixels.png": png(3, 2, None),
        "too_wide.png": png(20_000, 1, None),
        "too_many_cells.png": png(16_384, 8_192, None),
        "bomb.png": png(60_000, 60_000, None),
        "a_jpeg.png": b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01",
        "cut_off.pgm": b"P5 3 2 255\n\0\xff",
        "not_a_size.pgm": b"P5 three 2 255\n\0\xff\0\xff\0\xff",
        "cut_off.bmp": b"BM\x3e\0\0\0\0\0\0\0\x3e\0\0\0\x28\0\0\0",
        "cut_off.gif": b"GIF89a\x03\0\x02\0",
    }


def main() -> None:
    """Write the whole corpus."""
    files = {f"map/{name}.map": text.encode() for name, text in MAPS.items()}
    files["map/crlf_row_too_short.map"] = (MAP + "...\n..\n").replace("\n", "\r\n").encode()
    files["map/not_ascii.map"] = (MAP + "...\n.é\n").encode()
    files |= {f"scen/{name}.scen": text.encode() for name, text in SCENS.items()}
    files["scen/not_text.scen"] = b"version 1\n0\t\xff\xfe.map\t49\t49\t1\t11\t1\t12\t1\n"
    files |= {f"text/{name}.txt": text.encode() for name, text in TEXTS.items()}
    files["text/not_text.txt"] = b"...\n.\xff.\n"
    files |= {f"scenario/{name}.toml": text.encode() for name, text in TOMLS.items()}
    files["scenario/not_text.toml"] = HEAD.encode() + b'note = "\xff"\n'
    files |= {f"archive/{name}.npz": data for name, data in archives().items()}
    files |= {f"tracker/{name}.csv": text.encode() for name, text in TRACKERS.items()}
    files["tracker/not_text.csv"] = TABLE.encode() + b'"2","2","","2","","u\nu\xff"\n'
    files |= {f"lacam/{name}.txt": text.encode() for name, text in RESULTS.items()}
    files |= {f"planviz/{name}.json": text.encode() for name, text in REPLAYS.items()}
    files |= {f"tiled/{name}.tmj": text.encode() for name, text in BAD_TILED.items()}
    files |= {f"ldtk/{name}.ldtk": text.encode() for name, text in BAD_LDTK.items()}
    files |= {f"image/{name}": data for name, data in images().items()}
    for name, data in files.items():
        path = BAD / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


if __name__ == "__main__":
    main()

"""Cutting: which gates are kept, by drawings: a letter is a gate, digits are lakes."""

import numpy as np

from anabasis.decompose.cutting import SMALL, cut


def drawn(text, letters):
    """Cut a drawing: digits and letters are free, `0` to `9` lakes, each letter a gate in lake 0."""
    rows = [list(line.strip()) for line in text.strip().splitlines()]
    cells = np.array(rows)
    lake = np.array([[-1 if c == "#" else int(c) if c.isdigit() else 0 for c in row] for row in rows], np.int32)
    gates = [np.flatnonzero(cells == letter) for letter in letters]
    region, kept, sides = cut(lake, gates)
    return cells, region, "".join(letters[g] for g in kept), [tuple(s) for s in sides.tolist()]


def test_a_door_is_kept():
    cells, region, kept, sides = drawn(
        """
        0000000#1111111
        0000000a1111111
        0000000#1111111
        """,
        "a",
    )
    assert (kept, sides) == ("a", [(0, 1)])
    assert (region[cells == "0"] == 0).all()
    assert (region[cells == "1"] == 1).all()
    assert region[1, 7] in (0, 1)


def test_a_gate_before_nothing_is_opened():
    _, region, kept, _ = drawn("0000a\n0000a", "a")
    assert kept == ""
    assert (region == 0).all()


def test_a_region_of_a_few_cells_is_given_away():
    assert SMALL >= 2 * 4
    _, _, kept, _ = drawn("00000000a1111\n00000000a1111", "a")
    assert kept == ""
    assert drawn("00000000a11111\n00000000a11111", "a")[2] == "a"


def test_of_two_gates_around_a_sliver_the_longer_one_is_opened():
    _, _, kept, sides = drawn(
        """
        00000000a#0b11111111
        00000000a00b11111111
        00000000a00b11111111
        00000000a00#11111111
        00000000a00#11111111
        """,
        "ab",
    )
    assert (kept, sides) == ("b", [(0, 1)])


def test_a_niche_is_part_of_its_room():
    room = ["0000000000000000"] * 5
    gate = "##aaaaaaaaaaaa##"
    niche = ["##111111111111##"] * 3
    assert drawn("\n".join([*room, gate, *niche]), "a")[2] == ""
    assert drawn("\n".join([*room, gate, *niche, *niche]), "a")[2] == "a"


def test_a_gate_that_leads_back_to_the_same_region_has_equal_sides():
    _, _, kept, sides = drawn(
        """
        00000000000
        000#####000
        000#####000
        00000a00000
        """,
        "a",
    )
    assert (kept, sides) == ("a", [(0, 0)])


def test_of_gates_that_meet_the_longest_is_opened():
    # a has 1 and 2 to its left, and can name only one of them
    cells, region, kept, sides = drawn(
        """
        111111111a33333333
        111111111a33333333
        111111111a33333333
        bbbbbbbbba33333333
        222222222a33333333
        222222222a33333333
        222222222a33333333
        222222222a33333333
        """,
        "ab",
    )
    assert kept == "a"
    assert sides == [(0, 1)]
    assert (region[cells == "3"] == 1).all()
    assert (region[np.isin(cells, ["1", "2", "b"])] == 0).all()


def test_a_pocket_beside_a_gate_goes_to_a_region():
    _, region, kept, sides = drawn(
        """
        0000000000a1111111
        0000000000a1111111
        0000000000a1111111
        0000000000a#######
        0000000000a1######
        ###################
        """.replace("###################", "##################"),
        "a",
    )
    assert (kept, sides) == ("a", [(0, 1)])
    assert region[4, 11] in (0, 1)
    assert region.max() == 1


def test_a_pocket_is_not_divided():
    _, region, kept, sides = drawn(
        """
        11a0000000###
        111a000000###
        1111a00000###
        11111a0000###
        111111a000###
        1111111a00###
        11111111a0###
        111111111a00#
        1111111111a0#
        11111111111a#
        """,
        "a",
    )
    assert (kept, sides) == ("a", [(0, 1)])
    assert region[7, 11] == region[7, 10] == region[8, 11] >= 0


def test_no_gates():
    _, region, kept, sides = drawn("00#11\n00#11", "")
    assert (kept, sides, region.tolist()) == ("", [], [[0, 0, -1, 1, 1]] * 2)

"""The study of formations: its tables, the source's figures beside ours."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import median, variance

from anabasis.lab.studies.formation_factors import BEYOND, FACTORS, FORMATIONS, SCENARIOS, Factor
from anabasis.lab.studies.formation_study import Move
from anabasis.lab.studies.planning_record import Table

__all__ = ["formation_tables", "medians_of", "of_option", "ways_of"]

_BEST = 12  # of the ways to march that are shown


def formation_tables(moves: Sequence[Move]) -> dict[str, Table]:
    """Return the tables by name: one a factor, where factors matter, the best ways, and what did not come to an end."""
    tables = {factor.name.replace(" ", "_"): _factor_table(factor, moves) for factor in FACTORS}
    tables["scenarios"] = _influence_table(
        "scenario", [(name, lambda m, name=name: m.scenario == name) for name in SCENARIOS], moves
    )
    kinds = [(f"{shape} {units}", lambda m, kind=(shape, units): m.formation == kind) for shape, units in FORMATIONS]
    tables["formations"] = _influence_table("formation", kinds, moves)
    tables["best"] = _best_table(moves)
    tables["endings"] = _ending_table(moves)
    return tables


def of_option(moves: Iterable[Move], factor: str, option: str) -> list[Move]:
    """Return the moves that came to an end with an option of a factor."""
    return [m for m in moves if m.done and m.options is not None and m.options[factor] == option]


def medians_of(moves: Sequence[Move], factor: Factor, value: str) -> dict[str, float]:
    """Return the median of a measure for each option of a factor that any move has."""
    found = {option: of_option(moves, factor.name, option) for option in factor.options}
    return {option: median(m.values[value] for m in some) for option, some in found.items() if some}


def ways_of(moves: Iterable[Move]) -> dict[str, list[Move]]:
    """Return the moves by the way to march, only of ways of which all moves came to an end."""
    ways: dict[str, list[Move]] = {}
    for move in moves:
        ways.setdefault(move.method, []).append(move)
    return {method: some for method, some in ways.items() if all(m.done for m in some)}


def _factor_table(factor: Factor, moves: Sequence[Move]) -> Table:
    rows: list[Mapping[str, object]] = []
    middles = medians_of(moves, factor, "e1")
    for option, middle in middles.items():
        some = of_option(moves, factor.name, option)
        e1, e_base = factor.medians[option]
        base, base_there = middles.get(factor.baseline), factor.medians[factor.baseline][0]
        rows.append(
            {
                factor.name: option,
                "marches": len(some),
                "E_1 k": middle / 1000,
                "source E_1 k": e1,
                "change %": 100 * (middle / base - 1) if base else None,
                "source change %": 100 * (e1 / base_there - 1),
                "Ë k": median(m.values["e_base"] for m in some) / 1000,
                "source Ë k": e_base * 1000,
                "mean error": median(m.values["mean"] for m in some),
                "seconds": median(m.values["duration"] for m in some),
                "out of shape s": median(m.values["out_of_shape"] for m in some),
                "collisions": sum(m.values["collisions"] for m in some) / len(some),
            }
        )
    note = (
        f"Medians over all marches with that option, collisions a march; changes against {factor.baseline}. k: "
        "thousands. Absolute figures depend on constants and terrain that are lost; orders and ratios can be compared."
    )
    if factor.name == "planning":
        note += (
            " Ways over triangles turn at nearly every vertex: fragments by bends of 10 degrees have little more than"
            " the steps that they must have, and are planned nearly as often as periodic 3, 2."
        )
    return Table(f"By {factor.name}", tuple(rows), note)


def _influence_table(what: str, kinds: Sequence[tuple[str, Callable[[Move], bool]]], moves: Sequence[Move]) -> Table:
    """Return how much each factor matters: the variance, over its options, of the medians of E_1."""
    rows: list[Mapping[str, object]] = []
    for place, (name, fits) in enumerate(kinds):
        some = [m for m in moves if fits(m)]
        if not some:
            continue
        row: dict[str, object] = {what: name}
        for factor in FACTORS:
            middles = list(medians_of(some, factor, "e1").values())
            there = (factor.by_scenario if what == "scenario" else factor.by_formation)[place]
            row[factor.name] = variance(middles) / 1e6 if len(middles) > 1 else None
            row[f"source {factor.name}"] = there[0]
        rows.append(row)
    note = "The variance, over the options of a factor, of the medians of E_1, in millions: where a factor matters."
    return Table(f"Influence by {what}", tuple(rows), note)


def _best_table(moves: Sequence[Move]) -> Table:
    """Return the ways to march with the least median of E_1, and those beyond the source."""
    ways = ways_of(moves)
    own = {method: name for name, method in BEYOND.items()}
    order = sorted(ways, key=lambda method: median(m.values["e1"] for m in ways[method]))
    chosen = [m for m in order if m not in own][:_BEST] + [m for m in order if m in own]
    rows = [
        {
            "way": own.get(method) or ", ".join((ways[method][0].options or {}).values()),
            "E_1 k": median(m.values["e1"] for m in ways[method]) / 1000,
            "mean error": median(m.values["mean"] for m in ways[method]),
            "seconds": median(m.values["duration"] for m in ways[method]),
            "all seconds": sum(m.values["duration"] for m in ways[method]),
            "collisions": sum(m.values["collisions"] for m in ways[method]),
            "touching s": sum(m.values["collision_seconds"] for m in ways[method]),
            "out of shape s": median(m.values["out_of_shape"] for m in ways[method]),
        }
        for method in sorted(chosen, key=order.index)
    ]
    note = "Medians and sums over all scenarios and formations, of ways of which every march came to an end."
    return Table("The best ways to march", tuple(rows), note)


def _ending_table(moves: Sequence[Move]) -> Table:
    endings = sorted({m.ending for m in moves})
    rows = [
        {"scenario": name, **{e: sum(m.scenario == name and m.ending == e for m in moves) for e in endings}}
        for name in SCENARIOS
    ]
    note = "Marches by how they ended; only those that are solved, all units in their places, count in other tables."
    return Table("Endings", tuple(rows), note)

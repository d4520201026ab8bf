"""The table of every generator of maps: name, family, where it is, its parameters with their ranges, its source.

The command line, scenario files, the contract tests, the golden maps and the cards of the documentation read this
table. Adding a generator is one function, one test, one row. By its family a function has one of these signatures:

- `world`: `(width, height, *, seed, **parameters) -> GameMap`, a map to play on, with all that belongs to it;
- `structured`: `(width, height, *, seed, **parameters) -> bool[height, width]`, where a unit may stand;
- `heights`: `(width, height, *, seed, **parameters) -> float64[height, width]`, a height field, which becomes land by
  shares of its cells.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from importlib import import_module
from typing import Any, cast

from anabasis.errors import InputError
from anabasis.gamemap import GameMap, Recipe, Value
from anabasis.grid import MAX_SIDE
from anabasis.options import check_count

__all__ = ["FAMILIES", "GENERATORS", "Generator", "Parameter", "generate", "generator", "make_again"]

FAMILIES = ("world", "structured", "heights")


@dataclass(frozen=True)
class Parameter:
    """A parameter of a generator: its default (which also says its type) and its range or its choices."""

    name: str
    default: Value
    low: float | None = None
    high: float | None = None
    summary: str = ""
    choices: tuple[str, ...] = ()
    many: bool = False  # whole numbers in a text, with commas between

    @property
    def span(self) -> str:
        """The values that it can have, for people to read."""
        if isinstance(self.default, bool):
            return "yes or no"
        if isinstance(self.default, str) and not self.many:
            return " ".join(self.choices) or "text"
        return "" if self.low is None or self.high is None else f"{self.low:g} to {self.high:g}"

    def check(self, value: object, whose: str) -> Value:
        """Return a value (or its text) as this parameter's type; raises InputError outside its range."""
        name = f"{self.name} of {whose}"
        if isinstance(self.default, bool):
            known = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
            truth = known.get(str(value).lower())
            if truth is None:
                raise InputError(name, found=repr(value), expected="true or false")
            return truth
        if self.many:
            parts = cast("Sequence[object]", value) if isinstance(value, (tuple, list)) else str(value).split(",")
            if not parts:
                raise InputError(name, found=repr(value), expected="whole numbers, with commas between")
            return ",".join(str(self._number(str(part).strip(), name, whole=True)) for part in parts)
        if isinstance(self.default, str):
            if self.choices and value not in self.choices:
                raise InputError(name, found=repr(value), expected=" or ".join(self.choices))
            return str(value)
        return self._number(value, name, whole=isinstance(self.default, int))

    def given(self, value: Value) -> Value | tuple[int, ...]:
        """Return a checked value as the generator's function takes it."""
        return tuple(map(int, str(value).split(","))) if self.many else value

    def _number(self, value: object, name: str, *, whole: bool) -> int | float:
        kind = "a whole number" if whole else "a number"
        expected = f"{kind} from {self.span}" if self.span else kind
        try:
            number = float(str(value))
        except ValueError:
            raise InputError(name, found=repr(value), expected=expected) from None
        low = -float("inf") if self.low is None else self.low
        high = float("inf") if self.high is None else self.high
        if not low <= number <= high or (whole and number % 1 != 0):
            raise InputError(name, found=f"{value}", expected=expected)
        return int(number) if whole else number


@dataclass(frozen=True)
class Generator:
    """One row: `function` is "module:function"; version rises when the same recipe gives another map than before."""

    name: str
    family: str
    function: str
    summary: str
    source: str
    parameters: tuple[Parameter, ...] = ()
    least: int = 1  # the smallest side
    version: int = 1
    fixed: tuple[tuple[str, Value], ...] = ()  # arguments that make this row of the function
    sea: float | None = None  # of a height field that has a level of the sea by itself
    bare: tuple[tuple[str, Value], ...] = ()  # parameters that leave the land alone, without what is on it

    def values(self, given: Mapping[str, object]) -> dict[str, Value]:
        """Return every parameter with its value, given or default; raises InputError for a name or value not known."""
        known = {parameter.name: parameter for parameter in self.parameters}
        for name in given:
            if name not in known:
                near = get_close_matches(name, known, n=3, cutoff=0.5)
                raise InputError(
                    f"{self.name} has no parameter {name!r}",
                    expected="one of " + ", ".join(known) if known else "none",
                    hint="did you mean " + " or ".join(near) + "?" if near else None,
                )
        return {name: p.check(given[name], self.name) if name in given else p.default for name, p in known.items()}

    def run(self, recipe: Recipe) -> Any:
        """Import the generator's module and return what its function makes of a recipe."""
        module, inside = self.function.split(":")
        function = getattr(import_module(module), inside)
        painting = {p.name for p in _PAINTING} if self.family == "heights" else set[str]()
        values = {p.name: p.given(recipe.parameters[p.name]) for p in self.parameters if p.name not in painting}
        return function(recipe.width, recipe.height, seed=recipe.seed, **values, **dict(self.fixed))


def _fractal(scale: float, octaves: int) -> tuple[Parameter, ...]:
    """Return the parameters of noise that is added in octaves."""
    return (
        Parameter("scale", scale, 0.5, 16384, "cells in a step of the coarsest lattice"),
        Parameter("octaves", octaves, 1, 16, "how many finer copies are added"),
        Parameter("roughness", 0.5, 0, 1, "amplitude of each octave as a share of that before it"),
        Parameter("lacunarity", 2.0, 1.1, 16, "by what factor each octave is finer than that before it"),
    )


_PAINTING = (
    Parameter("rain", 0.0, 0, 8, "drops of rain a cell that carve valleys first"),
    Parameter("slides", 0, 0, 10_000, "rounds of sliding rubble after the rain"),
    Parameter("palette", "temperate", summary="a name, or letters with cumulative percentages: W50 ,56 G85 ^95 *"),
    Parameter("cut", "cells", summary="of what the percentages are: cells, or height", choices=("cells", "range")),
    Parameter("climate", "even", summary="even, or strips: arctic, temperate, tropical", choices=("even", "strips")),
    Parameter("smooth", 0, 0, 100, "rounds in which each cell takes the letter of most around it"),
    Parameter("specks", 0, 0, 1_000_000, "parts of fewer cells vanish"),
    Parameter("bands", False, summary="thin bands between kinds of land that don't go together"),
    Parameter("beach", 0.0, 0, 256, "cells of coast along water"),
)
"""Of all height fields: how their land is made and painted, see `maps.making`."""

_SHAPES = (
    Parameter("kind", "sum", summary="how octaves are added", choices=("sum", "ridged", "billow")),
    Parameter("warp", 0.0, 0, 16384, "by how many cells at most places are moved by further noise"),
)
_SEAMLESS = Parameter("seamless", False, summary="copies side by side join")
_MIDPOINTS = (
    Parameter("amplitude", 100.0, 0, 1e9, "greatest random offset of the first iteration"),
    Parameter("roughness", 0.6, 0, 1, "what remains of the offsets after each iteration"),
    Parameter("schedule", "plain", summary="whether the fading compounds", choices=("plain", "compounding")),
    Parameter("arithmetic", "real", summary="numbers, or 8 bits that wrap or clamp", choices=("real", "wrap", "clamp")),
)


def _life(**defaults: Value) -> tuple[Parameter, ...]:
    """Return the parameters of what flows, grows and stands on a land, with other defaults where named."""
    rows = (
        Parameter(
            "climate", "painted", summary="how what grows follows warmth", choices=("painted", "zones", "cold", "hot")
        ),
        Parameter("rivers", 6, 0, 256, "how many springs"),
        Parameter(
            "courses",
            "steepest",
            summary="rivers run down the steepest way, or the shortest that never rises",
            choices=("steepest", "monotone"),
        ),
        Parameter("meanders", True, summary="rivers meander"),
        Parameter("bridges", True, summary="fords and bridges where they save most of the way"),
        Parameter("forest", 0.35, 0, 0.9, "share of the fertile ground in woods; some ways leave more clearings"),
        Parameter(
            "woods",
            "species",
            summary="how woods grow",
            choices=("species", "protection-zone", "jittered-grid", "ecosystem"),
        ),
        Parameter("players", 2, 0, 16, "fair start positions; without players none of what is theirs"),
        Parameter("tolerance", 0.25, 0.01, 2, "greatest spread between the players, (most - least) / mean"),
        Parameter("resources", True, summary="resources near each player and between them"),
        Parameter("even_woods", False, summary="woods are thinned until all players have as much wood"),
        Parameter("towns", 3, 0, 64, "neutral towns"),
        Parameter("roads", True, summary="roads between towns and players"),
        Parameter("barriers", False, summary="walls of rock between territories, with passes"),
        Parameter("movement", "land", summary="the class whose ways are fair and hang together"),
        Parameter("units", False, summary="a ship and a unit on land, each in the largest part of its class"),
    )
    return tuple(replace(row, default=defaults.get(row.name, row.default)) for row in rows)


_BARE: tuple[tuple[str, Value], ...] = (
    ("rivers", 0),
    ("bridges", False),
    ("forest", 0.0),
    ("players", 0),
)
_RAIN = Parameter("rain", 0.0, 0, 8, "drops of rain a cell that carve valleys")
_ROUGHNESS = Parameter("roughness", 0.5, 0, 1, "amplitude of each octave as a share of that before it")


def _source(amplitude: float, increment: float, water: float) -> tuple[Parameter, ...]:
    """Return the parameters of the source's presets."""
    return (
        Parameter("amplitude", amplitude, 0, 10_000, "greatest random offset, in steps of 8 bits"),
        Parameter("increment", increment, 0, 8, "by how much the exponent of its fading grows in each iteration"),
        Parameter("water", water, 0, 1, "share of the cells under water"),
        Parameter("schedule", "plain", summary="whether the fading compounds", choices=("plain", "compounding")),
        Parameter(
            "arithmetic", "wrap", summary="8 bits that wrap or clamp, or numbers", choices=("wrap", "clamp", "real")
        ),
    )


_THESIS = "a Czech bachelor's thesis on generated terrain for strategy games, 2014"

GENERATORS: tuple[Generator, ...] = (
    Generator(
        name="island",
        family="world",
        version=2,
        function="anabasis.maps.worlds.source:source_world",
        summary="an island with mountains in the middle and two ways round",
        source=_THESIS,
        parameters=(*_source(50.0, 0.45, 0.5), *_life()),
        fixed=(("preset", "island"),),
        bare=_BARE,
    ),
    Generator(
        name="central-lake",
        family="world",
        version=2,
        function="anabasis.maps.worlds.source:source_world",
        summary="smooth land of much variety around a lake",
        source=_THESIS,
        parameters=(*_source(200.0, 0.95, 0.2), *_life(players=1)),
        fixed=(("preset", "lake"),),
        bare=_BARE,
    ),
    Generator(
        name="random",
        family="world",
        version=2,
        function="anabasis.maps.worlds.source:source_world",
        summary="rugged land and indented coasts, as if seen from far above",
        source=_THESIS,
        parameters=(*_source(225.0, 0.75, 0.5), *_life(players=3)),
        fixed=(("preset", "none"),),
        bare=_BARE,
    ),
    Generator(
        name="continent",
        family="world",
        version=2,
        function="anabasis.maps.worlds.continent:continent",
        summary="one large landmass with bays and ranges of mountains",
        source="Anabasis",
        parameters=(
            Parameter("water", 0.45, 0, 1, "share of the cells under water"),
            _ROUGHNESS,
            Parameter("warp", 0.12, 0, 1, "how far the outline is bent, a share of the shorter side"),
            _RAIN,
            *_life(players=4, rivers=9),
        ),
        bare=_BARE,
    ),
    Generator(
        name="archipelago",
        family="world",
        version=2,
        function="anabasis.maps.worlds.archipelago:archipelago",
        summary="many islands in a warm sea, for units that swim",
        source="Anabasis",
        parameters=(
            Parameter("water", 0.66, 0, 1, "share of the cells under water"),
            replace(_ROUGHNESS, default=0.52),
            Parameter("islands", 0.25, 0.02, 1, "how far islands lie apart, a share of the shorter side"),
            _RAIN,
            *_life(players=4, rivers=4, bridges=False, movement="amphibious"),
        ),
        bare=_BARE,
    ),
    Generator(
        name="river-valley",
        family="world",
        version=2,
        function="anabasis.maps.worlds.river_valley:river_valley",
        summary="a broad river between meadows, hills and mountains",
        source="Anabasis",
        parameters=(
            Parameter("winding", 0.22, 0, 0.5, "how far the valley winds, a share of the shorter side"),
            Parameter("breadth", 0.02, 0, 0.5, "of the river, a share of the shorter side"),
            _ROUGHNESS,
            _RAIN,
            *_life(rivers=5),
        ),
        bare=_BARE,
    ),
    Generator(
        name="mountain-pass",
        family="world",
        version=2,
        function="anabasis.maps.worlds.mountain_pass:mountain_pass",
        summary="two plains parted by a range with passes",
        source="Anabasis",
        parameters=(
            Parameter("passes", 2, 0, 16, "ways through the range"),
            Parameter("breadth", 0.06, 0, 0.5, "of each pass, a share of the side"),
            _ROUGHNESS,
            _RAIN,
            *_life(),
        ),
        bare=_BARE,
    ),
    Generator(
        name="canyon",
        family="world",
        version=2,
        function="anabasis.maps.worlds.canyon:canyon",
        summary="a dry high plain cut by canyons, with slopes that lead down",
        source="Anabasis",
        parameters=(
            Parameter("breadth", 0.10, 0.01, 1, "of the canyons' floors, a share of the shorter side"),
            Parameter("steps", 2, 1, 8, "walls one above the other"),
            Parameter("ramps", 0.25, 0, 1, "share of the walls that can be climbed"),
            *_life(rivers=0, forest=0.1),
        ),
        bare=_BARE,
    ),
    Generator(
        name="plains",
        family="world",
        version=2,
        function="anabasis.maps.worlds.plains:plains",
        summary="gentle ground with ponds, hills and much wood",
        source="Anabasis",
        parameters=(
            Parameter("water", 0.05, 0, 1, "share of ponds"),
            Parameter("hills", 0.12, 0, 1, "share of hilly ground"),
            replace(_ROUGHNESS, default=0.45),
            _RAIN,
            *_life(players=4, rivers=3, forest=0.5),
        ),
        bare=_BARE,
    ),
    Generator(
        name="obstacles",
        family="structured",
        function="anabasis.maps.structured.obstacles:random_obstacles",
        summary="obstacles strewn at random",
        source="Sturtevant: Benchmarks for grid-based pathfinding, 2012, the random maps",
        parameters=(
            Parameter("share", 0.2, 0, 1, "share of the cells that is blocked"),
            Parameter("least", 1, 1, 1024, "shortest side of an obstacle"),
            Parameter("most", 1, 1, 1024, "longest side of an obstacle"),
            Parameter("connected", True, summary="block all parts but the largest"),
        ),
    ),
    Generator(
        name="rooms",
        family="structured",
        function="anabasis.maps.structured.rooms:room_grid",
        summary="equal rooms with doors between them",
        source="Sturtevant: Benchmarks for grid-based pathfinding, 2012, the maps of rooms",
        parameters=(
            Parameter("pitch", 16, 2, 4096, "side of a room with one wall"),
            Parameter("door", 1, 1, 4096, "width of the doors"),
            Parameter("wall", 1, 1, 1024, "thickness of the walls"),
            Parameter("extra", 0.6, 0, 1, "share of doors beside those that connect all rooms"),
        ),
        least=3,
    ),
    Generator(
        name="room-partition",
        family="structured",
        function="anabasis.maps.structured.rooms:room_partition",
        summary="rooms of many sizes, by parting the map again and again",
        source="Fuchs, Kedem, Naylor: On visible surface generation by a priori tree structures, 1980",
        parameters=(
            Parameter("least", 6, 1, 4096, "shortest side of a room"),
            Parameter("most", 20, 3, 8192, "longest side of a room"),
            Parameter("door", 1, 1, 4096, "width of the doors"),
            Parameter("wall", 1, 1, 1024, "thickness of the walls"),
            Parameter("extra", 0.1, 0, 1, "share of doors beside those that connect all rooms"),
        ),
        least=3,
    ),
    Generator(
        name="maze",
        family="structured",
        function="anabasis.maps.structured.mazes:maze",
        summary="a maze by one of eight algorithms",
        source="Buck: Mazes for programmers, 2015; Wilson: Generating random spanning trees, 1996",
        parameters=(
            Parameter(
                "algorithm",
                "depth_first",
                summary="how the tree of corridors grows",
                choices=(
                    "depth_first",
                    "prim",
                    "kruskal",
                    "wilson",
                    "division",
                    "eller",
                    "binary_tree",
                    "sidewinder",
                ),
            ),
            Parameter("corridor", 1, 1, 1024, "width of the corridors"),
            Parameter("wall", 1, 1, 1024, "thickness of the walls"),
            Parameter("loops", 0.0, 0, 1, "share of dead ends that get a second exit"),
        ),
        least=3,
    ),
    Generator(
        name="caves",
        family="structured",
        function="anabasis.maps.structured.caves:caves",
        summary="caves by a cellular automaton",
        source="Johnson, Yannakakis, Togelius: Cellular automata for the generation of infinite cave levels, 2010",
        parameters=(
            Parameter("share", 0.48, 0, 1, "share of rock at first"),
            Parameter("birth", 5, 0, 9, "rocks around a free cell from which it becomes rock"),
            Parameter("survival", 4, 0, 9, "rocks around a rock below which it becomes free"),
            Parameter("rounds", 5, 0, 100, "rounds of smoothing"),
            Parameter("least", 12, 1, 1_000_000, "cells of the smallest cave that is kept"),
            Parameter(
                "join", "tunnels", summary="what becomes of separate caves", choices=("tunnels", "largest", "none")
            ),
            Parameter("tunnel", 2, 1, 64, "width of the tunnels"),
        ),
    ),
    Generator(
        name="warehouse",
        family="structured",
        function="anabasis.maps.structured.warehouse:warehouse",
        summary="shelves with aisles between them and room at both ends",
        source="Stern et al.: Multi-agent pathfinding: definitions, variants, and benchmarks, 2019",
        parameters=(
            Parameter("shelf_length", 10, 1, 4096, "cells of a shelf along the aisles"),
            Parameter("shelf_depth", 2, 1, 4096, "cells of a shelf across"),
            Parameter("aisle", 1, 1, 1024, "width of the aisles along the shelves"),
            Parameter("cross_aisle", 1, 1, 1024, "width of the aisles between the ends of shelves"),
            Parameter("wall", 1, 0, 1024, "thickness of the wall around"),
            Parameter("missing", 0.0, 0, 1, "share of shelves that are left out"),
        ),
        least=3,
    ),
    Generator(
        name="halls",
        family="structured",
        function="anabasis.maps.structured.halls:halls",
        summary="halls side by side, with gaps of given widths between them",
        source="Anabasis, for the study of bottlenecks",
        parameters=(
            Parameter("count", 3, 1, 4096, "halls"),
            Parameter("widths", "1,2,4", 1, 4096, "widths of the gaps in each wall", many=True),
            Parameter("thickness", 1, 1, 4096, "of the walls between halls"),
            Parameter("funnel", 0, 0, 1024, "cells by which a gap widens on both sides"),
            Parameter("rim", 1, 0, 1024, "thickness of the wall around"),
        ),
        least=16,
    ),
    Generator(
        name="diamond-square",
        family="heights",
        function="anabasis.maps.terrain.diamond_square:diamond_square",
        summary="fractal land by centres of squares and middles of edges",
        source="Fournier, Fussell, Carpenter: Computer rendering of stochastic models, 1982; Miller, 1986",
        parameters=(
            *_MIDPOINTS,
            Parameter(
                "border",
                "average",
                summary="what stands for the centre beyond a border",
                choices=("average", "random", "wrap", "mirror"),
            ),
            Parameter("interleaved", False, summary="the source's order of steps"),
            _SEAMLESS,
            *_PAINTING,
        ),
    ),
    Generator(
        name="midpoint-displacement",
        family="heights",
        function="anabasis.maps.terrain.midpoint:midpoint_displacement",
        summary="fractal land by middles of edges alone, with creases along the squares",
        source="Fournier, Fussell, Carpenter: Computer rendering of stochastic models, 1982",
        parameters=(*_MIDPOINTS, _SEAMLESS, *_PAINTING),
    ),
    Generator(
        name="value-noise",
        family="heights",
        function="anabasis.maps.terrain.value_noise:value_noise",
        summary="random heights on a lattice, smoothly joined, in octaves",
        source="Perlin: An image synthesizer, 1985, as values",
        parameters=(*_fractal(64.0, 6), *_SHAPES, _SEAMLESS, *_PAINTING),
    ),
    Generator(
        name="gradient-noise",
        family="heights",
        function="anabasis.maps.terrain.gradient_noise:gradient_noise",
        summary="random slopes on a lattice, smoothly joined, in octaves",
        source="Perlin: An image synthesizer, 1985; Improving noise, 2002",
        parameters=(*_fractal(64.0, 6), *_SHAPES, _SEAMLESS, *_PAINTING),
    ),
    Generator(
        name="simplex-noise",
        family="heights",
        function="anabasis.maps.terrain.simplex_noise:simplex_noise",
        summary="random slopes on a lattice of triangles, in octaves",
        source="Perlin: Noise hardware, 2001; Gustavson: Simplex noise demystified, 2005",
        parameters=(*_fractal(64.0, 6), *_SHAPES, _SEAMLESS, *_PAINTING),
    ),
    Generator(
        name="worley-noise",
        family="heights",
        function="anabasis.maps.terrain.worley_noise:worley_noise",
        summary="distances to strewn points: cells like those of a leaf",
        source="Worley: A cellular texture basis function, 1996",
        parameters=(
            *_fractal(64.0, 1),
            Parameter("nearest", 1, 1, 8, "to the n-th nearest point"),
            Parameter(
                "combine",
                "nth",
                summary="with the distance to the point before it",
                choices=("nth", "difference", "product", "sum"),
            ),
            Parameter("distance", "euclidean", summary="metric", choices=("euclidean", "manhattan", "chebyshev")),
            Parameter("points", 1, 1, 8, "in each square of the lattice"),
            Parameter("jitter", 1.0, 0, 1, "how freely a point lies in its square"),
            Parameter("warp", 0.0, 0, 16384, "by how many cells at most places are moved by further noise"),
            _SEAMLESS,
            *_PAINTING,
        ),
    ),
    Generator(
        name="hills",
        family="heights",
        function="anabasis.maps.terrain.hills:hills",
        summary="round hills of many sizes, one on the other",
        source="Nystrom: Terrain generation tutorial: hill algorithm, around 2000",
        parameters=(
            Parameter("smallest", 0.03, 0.001, 1, "smallest radius, a share of the shorter side"),
            Parameter("largest", 0.35, 0.001, 1, "largest radius, a share of the shorter side"),
            Parameter("roughness", 0.3, 0, 1, "how tall small hills stand beside large ones"),
            _SEAMLESS,
            *_PAINTING,
        ),
    ),
    Generator(
        name="genetic-terrain",
        family="heights",
        function="anabasis.maps.terrain.genetic_terrain:genetic_terrain",
        summary="land bred towards a share of water and a number of lands",
        source="after Ong, Saunders, Keyser, Leggett: Terrain generation using genetic algorithms, 2005",
        parameters=(
            Parameter("water", 0.4, 0, 1, "share of the cells below the sea"),
            Parameter("lands", 3, 0, 200, "parts of land"),
            Parameter("population", 32, 2, 10_000, "terrains at a time"),
            Parameter("generations", 40, 0, 10_000, "rounds of breeding at most"),
            Parameter("roughness", 0.6, 0, 1, "how ragged coasts are"),
            _SEAMLESS,
            *_PAINTING,
        ),
        sea=0.0,
    ),
)


def generator(name: str) -> Generator:
    """Return the row of a generator; raises InputError that lists the names."""
    for row in GENERATORS:
        if row.name == name:
            return row
    names = [row.name for row in GENERATORS]
    near = get_close_matches(str(name), names, n=3, cutoff=0.5)
    raise InputError(
        "unknown generator",
        found=repr(name),
        expected=" or ".join(names),
        hint="did you mean " + " or ".join(near) + "?" if near else None,
    )


def generate(name: str, width: int = 257, height: int | None = None, *, seed: int = 0, **parameters: object) -> GameMap:
    """Make a map: `generate("island", 257, seed=7, players=4)`.

    name: of a row of GENERATORS; height is the width unless given. Parameters that are not named have their defaults.
    Raises InputError for a name, size or value that the generator does not take, and for a map that can't keep its
    promises (such as more players than there is room for).
    """
    row = generator(name)
    sides = _sides(row, width, width if height is None else height)
    return _made(Recipe(name, *sides, seed, row.values(parameters), row.version), row)


def make_again(recipe: Recipe) -> GameMap:
    """Make the map of a recipe; raises InputError if it was made by another version of its generator."""
    row = generator(recipe.generator)
    if recipe.version != row.version:
        raise InputError(
            f"the map was made by another version of {row.name}",
            found=f"version {recipe.version}",
            expected=f"version {row.version}",
            hint="make a new one from the same seed, which will differ",
        )
    _sides(row, recipe.width, recipe.height)
    return _made(replace(recipe, parameters=row.values(recipe.parameters)), row)


def _sides(row: Generator, width: int, height: int) -> tuple[int, int]:
    """Return the sides of a map if the generator makes such; raises InputError otherwise."""
    width = check_count(width, f"width of {row.name}", row.least, MAX_SIDE)
    return width, check_count(height, f"height of {row.name}", row.least, MAX_SIDE)


def _made(recipe: Recipe, row: Generator) -> GameMap:
    making, made = import_module("anabasis.maps.making"), row.run(recipe)
    if row.family == "heights":
        return making.make_heights(recipe, made, row.sea)
    return getattr(making, f"make_{row.family}")(recipe, made)

"""Scenes as messages: a `view` scene becomes one message that the page draws over the map.

Coordinates go as float32, row starts as int32, colours as bytes, texts in the JSON. What an array belongs to is in its
name: `0.points` are the points of the first layer.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from anabasis.grid import Grid
from anabasis.studio.channel import Channel
from anabasis.studio.wire import Message
from anabasis.view.ground import map_colours, quiet_colours
from anabasis.view.layers import (
    Arrows,
    Circles,
    ImageLayer,
    Labels,
    Layer,
    LegendItem,
    Polygons,
    Polylines,
    Ramp,
    Scene,
    Swatch,
)

__all__ = ["MAX_SIDE", "said_scene", "say_scene"]

MAX_SIDE = 4096
"""Pixels of a side of an image; of a larger one only every k-th pixel is said, which is what textures can hold."""

_TYPES: dict[str, tuple[type[Any], tuple[str, ...], tuple[str, ...]]] = {
    "image": (ImageLayer, ("extent",), ("pixels",)),
    "polylines": (Polylines, ("colour", "width"), ("points", "indptr")),
    "circles": (Circles, ("outline", "outline_width"), ("centres", "radii", "colours")),
    "polygons": (Polygons, ("fill", "outline", "outline_width"), ("points", "indptr")),
    "arrows": (Arrows, ("colour", "width"), ("tails", "tips")),
    "labels": (Labels, ("texts", "size", "colour", "anchor", "bold"), ("points",)),
}
"""The layers by name: the class, its fields in the JSON, its fields as arrays."""


def say_scene(out: Channel, name: str, scene: Scene, *, grid: Grid | None = None) -> None:
    """Say a scene under a name.

    grid: the map below, which the page draws itself: an image that shows nothing else is left out, and in another one
    whatever looks like bare ground or wall lets the map be seen.
    """
    if grid is not None:
        scene = _without_ground(scene, grid)
    layers: list[dict[str, Any]] = []
    arrays: dict[str, NDArray[Any]] = {}
    for number, layer in enumerate(scene.layers):
        kind = next(kind for kind, (made, _, _) in _TYPES.items() if isinstance(layer, made))
        _, plain, rows = _TYPES[kind]
        drawn = _thinned(layer)
        layers.append({"type": kind, **{field: _plain(getattr(drawn, field)) for field in plain}})
        arrays |= {f"{number}.{field}": _narrow(getattr(drawn, field)) for field in rows}
    legend: list[dict[str, Any]] = []
    for item in scene.legend:
        if isinstance(item, Swatch):
            legend.append({"label": item.label, "colour": list(item.colour), "shape": item.shape})
        else:
            colours = item.colours.tolist()
            legend.append({"label": item.label, "low": item.low, "high": item.high, "colours": colours})
    head = {
        "name": name,
        "title": scene.title,
        "bounds": list(scene.bounds),
        "background": list(scene.background),
        "measure": scene.measure,
        "pitch": scene.pitch,
        "legend": legend,
        "layers": layers,
    }
    out.say("scene", head, **{key.replace(".", "__"): array for key, array in arrays.items()})


def said_scene(message: Message) -> Scene:
    """Return the scene of a message, with coordinates as exact as it holds them."""
    head, arrays = message
    layers: list[Layer] = []
    for number, said in enumerate(head["layers"]):
        made, plain, rows = _TYPES[said["type"]]
        fields = {field: _back(said[field]) for field in plain}
        layers.append(made(**fields, **{field: arrays[f"{number}.{field}"] for field in rows}))
    legend: list[LegendItem] = []
    for item in head["legend"]:
        if "shape" in item:
            legend.append(Swatch(item["label"], _back(item["colour"]), item["shape"]))
        else:
            legend.append(Ramp(item["label"], item["colours"], item["low"], item["high"]))
    bounds, background = _back(head["bounds"]), _back(head["background"])
    return Scene(bounds, tuple(layers), tuple(legend), head["title"], background, head["measure"], head["pitch"])


def _without_ground(scene: Scene, grid: Grid) -> Scene:
    """Return a scene without the picture of a map at its bottom, and with an image of cells where that was seen."""
    bottom = scene.layers[0] if scene.layers else None
    if not isinstance(bottom, ImageLayer) or bottom.pixels.shape != (grid.height, grid.width, 3):
        return scene
    if np.array_equal(bottom.pixels, map_colours(grid)):
        return replace(scene, layers=scene.layers[1:])
    bare = (bottom.pixels == quiet_colours(grid)).all(axis=2)
    pixels = np.dstack([bottom.pixels, np.where(bare, 0, 255).astype(np.uint8)])
    return replace(scene, layers=(replace(bottom, pixels=pixels), *scene.layers[1:]))


def _thinned(layer: Layer) -> Layer:
    """Return a layer whose image, if it is one, is no larger than textures are."""
    if not isinstance(layer, ImageLayer):
        return layer
    step = -(-max(layer.pixels.shape[:2]) // MAX_SIDE)
    return layer if step == 1 else replace(layer, pixels=layer.pixels[::step, ::step])


def _narrow(array: NDArray[Any]) -> NDArray[Any]:
    """Return an array in the type that messages have for it."""
    if array.dtype == np.float64:
        return array.astype(np.float32)
    return array.astype(np.int32) if array.dtype == np.int64 else array


def _plain(value: Any) -> Any:
    """Return the value of a field as JSON holds it."""
    return list(cast("tuple[Any, ...]", value)) if isinstance(value, tuple) else value


def _back(value: Any) -> Any:
    """Return the value of a field as a layer holds it."""
    return tuple(cast("list[Any]", value)) if isinstance(value, list) else value

"""Colours: eight that everybody can tell apart, two ramps of even steps, one from good to bad, and the terrain.

The eight are those of M. Okabe and K. Ito, "Color Universal Design", 2008. The ramps run straight in lightness through
B. Ottosson's Oklab ("A perceptual color space for image processing", 2020), so equal steps of a value look equal and
the order survives in grey and for colour-blind readers.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "BLOCKED",
    "FREE",
    "GROUP_COLOURS",
    "HEAT",
    "INK",
    "PAPER",
    "PRICE",
    "RAMP",
    "TERRAIN",
    "WORTH",
    "Colour",
    "group_colour",
    "with_alpha",
]

Colour = tuple[int, int, int, int]

PAPER: Colour = (255, 255, 255, 255)
INK: Colour = (34, 36, 40, 255)
FREE: Colour = (245, 243, 238, 255)
BLOCKED: Colour = (92, 97, 105, 255)
PRICE: Colour = (166, 118, 62, 255)  # ground at a price is FREE mixed with this, the dearer the more

GROUP_COLOURS: tuple[Colour, ...] = (
    (0, 114, 178, 255),  # blue
    (213, 94, 0, 255),  # vermilion
    (0, 158, 115, 255),  # bluish green
    (204, 121, 167, 255),  # reddish purple
    (230, 159, 0, 255),  # orange
    (86, 180, 233, 255),  # sky blue
    (34, 36, 40, 255),  # black
    (240, 228, 66, 255),  # yellow, last: it stands out least from pale ground
)

# name and colour of each terrain letter that is drawn in a colour of its own
TERRAIN: dict[str, tuple[str, Colour]] = {
    "G": ("grass", (218, 231, 192, 255)),
    "S": ("swamp", (205, 208, 160, 255)),
    "W": ("water", (168, 204, 226, 255)),
    "T": ("trees", (142, 178, 140, 255)),
    ",": ("coast", (243, 229, 186, 255)),
    "^": ("rock", (152, 146, 142, 255)),
    "*": ("snow", (224, 233, 247, 255)),
    "d": ("desert", (240, 215, 150, 255)),
    "j": ("jungle", (170, 208, 146, 255)),
    "t": ("tundra", (211, 208, 190, 255)),
    "i": ("ice", (203, 230, 236, 255)),
    "f": ("open wood", (186, 208, 170, 255)),
    "h": ("hills", (216, 198, 158, 255)),
    "=": ("road", (208, 164, 120, 255)),
    "+": ("bridge", (158, 122, 98, 255)),
    "~": ("ford", (182, 218, 218, 255)),
}


def group_colour(number: int) -> Colour:
    """Return the colour of a group or route; the eight repeat."""
    return GROUP_COLOURS[number % len(GROUP_COLOURS)]


def with_alpha(colour: Colour, alpha: float) -> Colour:
    """Return a colour at an opacity from 0 to 1."""
    return (*colour[:3], round(255 * alpha))


def _oklab_to_srgb(lab: NDArray[np.float64]) -> NDArray[np.uint8]:
    to_lms = np.array(
        [[1, 0.3963377774, 0.2158037573], [1, -0.1055613458, -0.0638541728], [1, -0.0894841775, -1.2914855480]]
    )
    to_rgb = np.array(
        [
            [4.0767416621, -3.3077115913, 0.2309699292],
            [-1.2684380046, 2.6097574011, -0.3413193965],
            [-0.0041960863, -0.7034186147, 1.7076147010],
        ]
    )
    linear = np.clip((lab @ to_lms.T) ** 3 @ to_rgb.T, 0, 1)
    encoded = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    return np.round(255 * encoded).astype(np.uint8)


def _ramp(lightness: tuple[float, float], hue: tuple[float, float], chroma: tuple[float, float]) -> NDArray[np.uint8]:
    """Return uint8[256, 4]: lightness and hue (degrees) run straight; chroma is given at the ends and in the middle."""
    t = np.linspace(0, 1, 256)
    angle = np.radians(hue[0] + (hue[1] - hue[0]) * t)
    c = chroma[0] + (chroma[1] - chroma[0]) * np.sin(np.pi * t)
    lab = np.stack([lightness[0] + (lightness[1] - lightness[0]) * t, c * np.cos(angle), c * np.sin(angle)], axis=1)
    ramp = np.concatenate([_oklab_to_srgb(lab), np.full((256, 1), 255, np.uint8)], axis=1)
    ramp.flags.writeable = False
    return ramp


def _between(*stops: tuple[int, int, int]) -> NDArray[np.uint8]:
    """Return uint8[256, 4]: from one colour to the next, evenly."""
    at, t = np.linspace(0, 1, len(stops)), np.linspace(0, 1, 256)
    channels = [np.interp(t, at, [stop[k] for stop in stops]) for k in range(3)]
    ramp = np.stack([*channels, np.full(256, 255.0)], axis=1).round().astype(np.uint8)
    ramp.flags.writeable = False
    return ramp


# All colours lie inside sRGB, so nothing is cut off and the steps stay even.
RAMP = _ramp((0.94, 0.32), (105, 285), (0.096, 0.096))  # pale yellow, green, dark blue: how far, how late
HEAT = _ramp((0.95, 0.30), (100, -45), (0.09, 0.18))  # pale yellow, red, dark purple: how much

WORTH = _between((32, 72, 176), (86, 180, 110), (250, 222, 96), (190, 40, 40))
"""From best, blue, by green and yellow to worst, red; their lightness differs, for who can't tell red from green."""

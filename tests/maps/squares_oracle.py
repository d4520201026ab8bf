"""Diamond-square and midpoint displacement point by point in a dictionary, slow; and measures of height fields."""

import math

import numpy as np

from anabasis._kernel.random import random_fraction, stream_key


def slow_heights(
    a,
    b,
    side,
    *,
    seed,
    amplitude,
    roughness,
    schedule="plain",
    border="average",
    arithmetic="real",
    predefined=(),
    interleaved=False,
    seamless=False,
    ends=False,
):
    """Heights of a × b squares and the overflows by iteration, straight from the definition."""
    wide, high = a * side, b * side
    known = {(x, y): float(v) for x, y, v in predefined}
    counts = []

    def folded(x, y):
        return (x % wide, y % high) if seamless else (x, y)

    def eight_bits(value):
        whole = math.trunc(value)
        if arithmetic == "real":
            return value
        if not -128 <= whole <= 127:
            counts[-1] += 1
        return float((whole + 128) % 256 - 128) if arithmetic == "wrap" else float(min(max(whole, -128), 127))

    def put(x, y, mean, k, half, reach):
        x, y = folded(x, y)
        if (x, y) not in known:
            drawn = random_fraction(stream_key(seed, 100, k), (y // half) * 65536 + x // half, 0)
            known[x, y] = eight_bits(mean + (2 * drawn - 1) * reach)

    def centre(x, y, k, half, reach):
        corners = [known[folded(x + i, y + j)] for i in (-half, half) for j in (-half, half)]
        put(x, y, sum(corners) / 4, k, half, reach)

    def middle(x, y, along_x, along_y, k, half, reach):
        tips = [known[folded(x + s * along_x * half, y + s * along_y * half)] for s in (-1, 1)]
        values = list(tips)
        for s in () if ends else (-1, 1):
            x_c, y_c = x + s * along_y * half, y + s * along_x * half
            if not seamless and not (0 <= x_c <= wide and 0 <= y_c <= high):
                if border == "average":
                    continue
                if border == "random":
                    drawn = random_fraction(stream_key(seed, 102, k), (y // half) * 65536 + x // half, 0)
                    values.append(sum(tips) / 2 + (2 * drawn - 1) * reach)
                    continue
                if border == "wrap":
                    x_c, y_c = x_c % wide if along_y else x_c, y_c % high if along_x else y_c
                else:
                    x_c, y_c = x - s * along_y * half, y - s * along_x * half
            if folded(x_c, y_c) in known:
                values.append(known[folded(x_c, y_c)])
        put(x, y, sum(values) / len(values), k, half, reach)

    for y in range(0, high + 1 - seamless, side):
        for x in range(0, wide + 1 - seamless, side):
            if (x, y) not in known:
                drawn = random_fraction(stream_key(seed, 101, 0), (y // side) * 65536 + x // side, 0) * 256 - 128
                known[x, y] = drawn if arithmetic == "real" else float(math.floor(drawn))
    k, step = 0, side
    while step > 1:
        half = step // 2
        exponent = k if schedule == "plain" else k * (k + 1) // 2
        reach = amplitude * roughness**exponent
        counts.append(0)
        squares = [(x, y) for y in range(half, high, step) for x in range(half, wide, step)]
        if not interleaved:
            for x, y in squares:
                centre(x, y, k, half, reach)
        for x, y in squares:
            if interleaved:
                centre(x, y, k, half, reach)
            middle(x, y - half, 1, 0, k, half, reach)
            middle(x - half, y, 0, 1, k, half, reach)
            middle(x + half, y, 0, 1, k, half, reach)
            middle(x, y + half, 1, 0, k, half, reach)
        k, step = k + 1, half
    shape = (high, wide) if seamless else (high + 1, wide + 1)
    return np.array([[known[x, y] for x in range(shape[1])] for y in range(shape[0])]), counts


def neighbour_difference(heights):
    """Mean absolute difference of neighbours, modulo 256."""
    both = np.concatenate([np.diff(heights, axis=0).ravel(), np.diff(heights, axis=1).ravel()])
    return np.abs((both + 128) % 256 - 128).mean()


def below(heights, share):
    """The cells lower than the height at that share of the sorted list."""
    ranked = np.sort(heights, axis=None)
    return heights < ranked[min(ranked.size - 1, int(share * ranked.size))]


def overlap(masks):
    """Mean intersection over union of all pairs."""
    pairs = [(a, b) for i, a in enumerate(masks) for b in masks[:i]]
    return np.mean([(a & b).sum() / (a | b).sum() for a, b in pairs])


def power(fields):
    """Mean power spectrum of square fields, its zero frequency in the middle, and the frequencies of its axes."""
    n = fields[0].shape[0]
    window = np.outer(np.hanning(n), np.hanning(n))
    spectra = [np.abs(np.fft.fftshift(np.fft.fft2((h - h.mean()) * window))) ** 2 for h in fields]
    return np.mean(spectra, axis=0), np.arange(n) - n // 2

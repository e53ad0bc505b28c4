"""What the figure of four derivatives on book/intro must compute."""

import numpy as np

from softmaxnotes.softmax import softmax

PAGE = "book/intro"
SETTINGS = [{"sample": sample, "version": version}
            for sample in (1, 17) for version in ("book", "index", "sign", "delta")]


def mulberry(seed):
    """Random numbers in 32 bits, as the browser draws them."""
    state, mask = seed, 0xFFFFFFFF
    while True:
        state = (state + 0x6D2B79F5) & mask
        t = (state ^ (state >> 15)) * (state | 1) & mask
        t ^= (t + ((t ^ (t >> 7)) * (t | 61) & mask)) & mask
        yield ((t ^ (t >> 14)) & mask) / 2**32


def points(sample, data):
    if sample == 0:
        return list(zip(map(np.array, data["z"]), data["j"], data["k"]))
    draw, found = mulberry(int(sample)), []
    for _ in data["z"]:
        n = 2 + int(4 * next(draw))
        z = np.array([4 * next(draw) - 2 for _ in range(n)])
        found.append((z, int(n * next(draw)), int(n * next(draw))))
    return found


def expected(knobs, data):
    """Both sides at each point; the measured one by a formula, which the quotient misses by its step."""
    delta = {"book": (1, -1), "index": (1, -1), "sign": (1, 1), "delta": (0, -1)}
    left, right, tried = [], [], points(knobs["sample"], data)
    for z, j, k in tried:
        p = softmax(z)
        left.append(p[k] * ((j == k) - p[j]))
        one, sign = delta[knobs["version"]]
        right.append(p[k] * (one * (j == k) + sign * p[k if knobs["version"] == "index" else j]))
    differs = ~np.isclose(left, right, rtol=0, atol=1e-6)
    first = int(np.argmax(differs))
    z, j, k = tried[first]
    witness = [len(z), j + 1, k + 1, *z, *[0] * (5 - len(z))] if differs.any() else [0] * 8
    # a third of the third derivative, which is below 1, times the square of the step; and rounding over it
    bound = 2.0**-34 / 2 + 4 * 2.0**-53 * 2**17
    return {"left": (np.array(left), bound), "right": (np.array(right), 1e-14),
            "differs": (differs.astype(int), 0), "witness": (np.array(witness), 0)}


def check_that_the_right_version_alone_is_not_refuted(live):
    for version in live.controls["version"]["options"]:
        live.turn("version", version)
        for sample in (0, 5):
            live.turn("sample", sample)
            assert (sum(live.values()["differs"]) == 0) is (version == "book")
            assert ("no proof" in live.status().inner_text()) is (version == "book")

"""Categorical draws and Gumbel noise: speed against what a reader would use instead.

Run it from anywhere: ``python benchmarks/gumbel.py``. It takes about half a minute, writes
``gumbel.json`` (draws), ``gumbel_noise.json``, ``gumbel_relaxed.json``, ``gumbel_top_k.json`` (draws
without replacement, and probabilities of sets) and ``gumbel_moved.json`` beside itself, and says what the
numbers mean in their notes.
"""

import itertools
from functools import partial
from pathlib import Path

from harness import Why, largest_error, publish, race  # first: it fixes the number of threads

# isort: split

import mpmath as mp
import numpy as np
import scipy.special
import scipy.stats
import torch

from softmaxnotes import gumbel as ours
from softmaxnotes.gumbel import (
    gumbel_max,
    gumbel_top_k,
    gumbel_top_k_with_keys,
    log_prob_ordered,
    log_prob_set,
    sample_categorical,
    sample_without_replacement,
    sample_without_replacement_with_keys,
    stochastic_beam_search,
)
from softmaxnotes.gumbel.beam_search import Beam, first_children
from softmaxnotes.gumbel.race import largest_keys

ROWS = [(1, 10), (1000, 10), (1000, 1000), (64, 50_000)]
SINGLE = [10, 1000, 100_000]
DRAWS = 10_000
SECONDS = 1.0  # per row of the table of draws
SECONDS_NOISE = 0.25  # and of that of the noise
BEAMS = [(10, 30), (1, 1000), (10, 1000), (100, 1000), (10, 50_000)]
CHECKED = 500  # results of each row, against mpmath

NOTE = (
    "Time of each competitor divided by that of `sample_categorical`: above 1, `sample_categorical` is "
    "faster. One thread, one process; all take turns, in a random order, and the fastest turn of each "
    "counts. Logits are standard normal doubles, and every competitor starts from them: "
    "torch.multinomial and Generator.choice need the softmax first, and the latter a loop over the "
    "rows; '-log(-log U)' and 'rng.gumbel' are the argmax of the logits plus noise, as usually written "
    "in NumPy. For 10 000 draws from one distribution, a race costs the number of draws times that of "
    "categories, so the Gumbel columns are of draws one hundredth as many, times 100."
)
NOISE = (
    "Time of each competitor divided by ours: above 1, we are faster. One thread, one process; all "
    "take turns, in a random order, and the fastest turn of each counts. All is in float64, and ours "
    "checks its arguments. scipy is `scipy.stats.gumbel_r`, torch `torch.distributions.Gumbel` without "
    "validation (which is made beforehand), and 'numpy' the formula as usually written; for noise it "
    "is -log(-log U), while 'rng.gumbel' is NumPy's own. Points are standard normal, and shares "
    "uniform, every eighth of them within 1e-6 of 1/e, where the quantile is zero. The errors are the "
    "largest ones of 500 results, in units in the last place of the exact one (mpmath, 50 digits)."
)

RELAXED = (
    "Time of each competitor divided by ours: above 1, we are faster. One thread, one process; all take "
    "turns, in a random order, and the fastest turn of each counts. Tensors of torch, at the temperature "
    "0.5, without gradients. Ours computes noise and softmax in float64 whatever the type and checks its "
    "arguments; 'array' is a NumPy array of doubles in the place of a tensor. `F.gumbel_softmax` and the law "
    "(`RelaxedOneHotCategorical`, made beforehand, without validation) compute in the type of the logits "
    "and check nothing. Its log-density takes the draw, and ours the logarithm of it."
)
SEARCH = (
    "Time of each competitor divided by ours: above 1, we are faster. One thread, one process; all "
    "take turns, in a random order, and the fastest turn of each counts. One step of a stochastic beam "
    "search without the model: from the log-probabilities of all continuations (beam by vocabulary) to the "
    "largest of the keys, with the maximum that each prefix has. Ours is what "
    "`softmaxnotes.gumbel.stochastic_beam_search` does; 'numpy' and 'torch' put noise on all and compute "
    "T - softplus(T - g + log(1 - e^(g - Z))), the form of the paper, in float64, with their own noise and "
    "selection of the largest. 'Search' is a search of eight levels for ten sequences of a Markov chain, "
    "with its model, which ours checks at each level."
)

MOVED = (
    "Time of each competitor divided by ours: above 1, we are faster. One thread, one process; all take "
    "turns, in a random order, and the fastest turn of each counts. Sets of keys, one for each row, are "
    "moved to a maximum of their own. 'torch' and 'NumPy' are the usual form, T - softplus(v) with "
    "v = T - g + log1p(-exp(g - Z)); 'inverted' is torch's, which is moved back and compared, as programs do "
    "to be on the safe side; 'time' is the translation of exp(-g), which overflows below -709; none of them "
    "returns gaps, and none checks its arguments, as ours does. 'gaps' is `condition_on_maximum_gap`. The "
    "errors are the largest of 500 gaps, relative, in units of the last place (mpmath, 50 digits), at a "
    "maximum of -20; those of the others are differences of their keys to the maximum."
)


def choice(x, rng):
    return np.array([rng.choice(len(p), p=p) for p in scipy.special.softmax(x, axis=-1)])


def double_log(x, rng):
    return np.argmax(x - np.log(-np.log(rng.random(x.shape))), axis=-1)


def numpy_gumbel(x, rng):
    return np.argmax(x + rng.gumbel(size=x.shape), axis=-1)


def one_per_row(x, rng):
    t = torch.from_numpy(x)
    return {
        "sample_categorical": lambda: sample_categorical(x, rng=rng),
        "gumbel_max": lambda: gumbel_max(x, rng=rng),
        "torch.multinomial": lambda: torch.multinomial(torch.softmax(t, -1), 1),
        "torch Categorical": lambda: torch.distributions.Categorical(logits=t).sample(),
        "Generator.choice": lambda: choice(x, rng),
        "-log(-log U)": lambda: double_log(x, rng),
        "rng.gumbel": lambda: numpy_gumbel(x, rng),
    }


def many_of_one(x, rng):
    t, few = torch.from_numpy(x), DRAWS // 100
    tiled = np.broadcast_to(x, (few, x.size))
    return {
        "sample_categorical": lambda: sample_categorical(x, DRAWS, rng=rng),
        "gumbel_max": lambda: sample_categorical(x, few, rng=rng, method="gumbel_max"),
        "torch.multinomial": lambda: torch.multinomial(torch.softmax(t, -1), DRAWS, replacement=True),
        "torch Categorical": lambda: torch.distributions.Categorical(logits=t).sample((DRAWS,)),
        "Generator.choice": lambda: rng.choice(x.size, DRAWS, p=scipy.special.softmax(x)),
        "-log(-log U)": lambda: double_log(tiled, rng),
        "rng.gumbel": lambda: numpy_gumbel(tiled, rng),
    }


def measured(draws, shape, calls, scale=()):
    seconds = race(calls, SECONDS)
    ours = seconds.pop("sample_categorical")
    ratios = [f"{seconds[name] * (100 if name in scale else 1) / ours:.3g}" for name in seconds]
    return [draws, str(shape), round(ours * 1e6, 1), *ratios]


def rows():
    rng = np.random.default_rng(0)
    for shape in ROWS:
        yield measured("one per row", shape, one_per_row(rng.normal(size=shape), rng))
    for n in SINGLE:
        calls = many_of_one(rng.normal(size=n), rng)
        yield measured(f"{DRAWS} of one", (n,), calls, ("gumbel_max", "-log(-log U)", "rng.gumbel"))


# --- Noise, density, distribution function, quantile ------------------------------


def noise(size, rng):
    laws = scipy.stats.gumbel_r()
    law = torch.distributions.Gumbel(*torch.tensor([0.0, 1.0]).double(), validate_args=False)
    x, u = rng.normal(size=size), rng.random(size)
    u[::8] = np.exp(-1) * (1 + 1e-6 * x[::8])
    x_t, u_t = torch.from_numpy(x), torch.from_numpy(u)
    yield "gumbel", None, None, {
        "ours": lambda: ours.gumbel(size, rng=rng),
        "scipy": lambda: laws.rvs(size, random_state=rng),
        "torch": lambda: law.sample((size,)),
        "numpy": lambda: -np.log(-np.log(rng.random(size))),
        "rng.gumbel": lambda: rng.gumbel(size=size),
    }
    yield "gumbel_log_prob", x, lambda z: -z - mp.exp(-z), {
        "ours": lambda: ours.gumbel_log_prob(x), "scipy": lambda: laws.logpdf(x),
        "torch": lambda: law.log_prob(x_t), "numpy": lambda: -x - np.exp(-x),
    }
    yield "gumbel_cdf", x, lambda z: mp.exp(-mp.exp(-z)), {
        "ours": lambda: ours.gumbel_cdf(x), "scipy": lambda: laws.cdf(x),
        "torch": lambda: law.cdf(x_t), "numpy": lambda: np.exp(-np.exp(-x)),
    }
    yield "gumbel_icdf", u, lambda z: -mp.log(-mp.log(z)), {
        "ours": lambda: ours.gumbel_icdf(u), "scipy": lambda: laws.ppf(u),
        "torch": lambda: law.icdf(u_t), "numpy": lambda: -np.log(-np.log(u)),
    }


def noise_rows():
    rng = np.random.default_rng(0)
    for size in (10, 10_000, 1_000_000):
        for name, points, exact, calls in noise(size, rng):
            seconds = race(calls, SECONDS_NOISE)
            errors = dict.fromkeys(calls, "")
            if exact:
                want = [exact(mp.mpf(v)) for v in points[:CHECKED].tolist()]
                for contender, call in calls.items():
                    got = np.asarray(call(), np.float64)[:CHECKED]
                    errors[contender] = f"{largest_error(got, want, np.float64):.2g}"
            ratios = [round(seconds[k] / seconds["ours"], 2) if k in seconds else "" for k in RIVALS]
            yield [name, str((size,)), round(seconds["ours"] * 1e6, 1), *ratios,
                   *(errors[k] for k in JUDGED)]


# --- Relaxed draws and their density ------------------------------------------------


def relaxed(shape, dtype):
    logits, tau = torch.randn(shape, dtype=dtype), torch.tensor(0.5, dtype=dtype)
    law = torch.distributions.RelaxedOneHotCategorical(tau, logits=logits, validate_args=False)
    log_x = ours.gumbel_softmax(logits, temperature=0.5, log=True)
    x = log_x.exp()
    yield "gumbel_softmax", {
        "ours": lambda: ours.gumbel_softmax(logits, temperature=0.5),
        "F.gumbel_softmax": lambda: torch.nn.functional.gumbel_softmax(logits, 0.5),
        "law": law.sample,
    }
    yield "concrete_log_prob", {
        "ours": lambda: ours.concrete_log_prob(log_x, logits, temperature=0.5),
        "law": lambda: law.log_prob(x),
    }


def relaxed_arrays(shape):
    logits = np.random.default_rng(0).normal(size=shape)
    law = torch.distributions.RelaxedOneHotCategorical(
        torch.tensor(0.5, dtype=torch.float64), logits=torch.from_numpy(logits), validate_args=False)
    log_x = ours.gumbel_softmax(logits, temperature=0.5, log=True, rng=0)
    x = torch.from_numpy(log_x).exp()
    return {"ours": lambda: ours.concrete_log_prob(log_x, logits, temperature=0.5),
            "law": lambda: law.log_prob(x)}


def relaxed_rows(shapes=((1, 10), (1000, 10), (1000, 1000)), seconds=SECONDS_NOISE):
    torch.manual_seed(0)
    for shape in shapes:
        for dtype in (torch.float32, torch.float64):
            for name, calls in relaxed(shape, dtype):
                found = race(calls, seconds)
                ratios = [round(found[k] / found["ours"], 2) if k in found else "" for k in RIVALS_RELAXED]
                yield [name, str(shape), str(dtype)[6:], round(found["ours"] * 1e6, 1), *ratios]
        found = race(relaxed_arrays(shape), seconds)
        yield ["concrete_log_prob", str(shape), "array", round(found["ours"] * 1e6, 1), "",
               round(found["law"] / found["ours"], 2)]


# --- Sets of keys that are moved ------------------------------------------------------


def usual(g, top, library):
    """T - softplus(v) without overflow."""
    largest = library.amax(g, -1)[..., None]
    v = top - g + library.log1p(-library.exp(g - largest))
    return top - library.clip(v, min=0) - library.log1p(library.exp(-abs(v)))


def inverted(g, top):
    found = usual(g, top, torch)
    there = usual(found, torch.amax(g, -1)[..., None], torch)
    assert ((abs(there - g) < 1e300) | torch.isnan(there)).all()
    return found


def in_time(g, top):
    times = np.exp(-g)
    return -np.log(times - times.min(axis=-1, keepdims=True) + np.exp(-top))


def moved(g, top):
    g_t, top_t = torch.from_numpy(g), torch.from_numpy(top)[:, None]
    return {
        "ours": lambda: ours.condition_on_maximum(g, top),
        "gaps": lambda: ours.condition_on_maximum_gap(g, top),
        "torch": lambda: usual(g_t, top_t, torch),
        "inverted": lambda: inverted(g_t, top_t),
        "NumPy": lambda: usual(g, top[:, None], np),
        "time": lambda: in_time(g, top[:, None]),
    }


def exact_gaps(g, top, places):
    largest, top = mp.mpf(float(g.max())), mp.mpf(top)
    return [mp.log1p(-mp.exp(top - v) * mp.expm1(v - largest)) for v in map(mp.mpf, g[places].tolist())]


def moved_rows(shapes=((1, 10), (256, 1000), (10, 50_000)), seconds=SECONDS_NOISE):
    rng = np.random.default_rng(0)
    for shape in shapes:
        g = rng.gumbel(size=shape)
        low = np.full(shape[0], -20.0)
        with np.errstate(all="ignore"):
            found = race(moved(g, rng.gumbel(size=shape[0])), seconds)
            results = {name: call() for name, call in moved(g, low).items()}
        gaps = {name: (v if name == "gaps" else -20.0 - np.asarray(v))[0] for name, v in results.items()}
        keep = np.flatnonzero(g[0] < g[0].max())[:CHECKED]
        want = exact_gaps(g[0], -20.0, keep)
        errors = [f"{largest_error(gaps[name][keep], want, np.float64):.2g}"
                  for name in ("gaps", "NumPy", "time")]
        ratios = [round(found[k] / found["ours"], 2) for k in RIVALS_MOVED]
        yield [str(shape), round(found["ours"] * 1e6, 1), *ratios, *errors]


RIVALS_MOVED = ["gaps", "torch", "inverted", "NumPy", "time"]
RIVALS_RELAXED = ["F.gumbel_softmax", "law"]
# --- Draws without replacement, and the probabilities of sets ------------------------

WITHOUT = [((1000,), 10), ((1000,), 100), ((1_000_000,), 10), ((1_000_000,), 100), ((256, 1000), 10),
           ((256, 1000), 100)]
SETS = [4, 6, 8]  # items in a set, in 64 sets of 100 items
ONE_SET = [4, 6, 8, 10]  # items in a set by itself
TOP_K = (
    "Time of each competitor divided by that of `sample_without_replacement`, and for 'keys' by that of "
    "`sample_without_replacement_with_keys`; for 'sets', by that of `log_prob_set`: above 1, ours is "
    "faster. One thread, one process; all take turns, in a random order, and the fastest turn of each "
    "counts. Logits are standard normal doubles, and every competitor starts from them: "
    "torch.multinomial and Generator.choice (of single rows only) need the softmax first. 'noise + topk' "
    "adds Gumbel noise from torch's exponential_ to the logits and takes torch.topk; 'NumPy race' divides "
    "exponential noise by the weights and takes numpy.argpartition, without a check. 'k! orders' adds up "
    "`log_prob_ordered` over all orders of each set. For one set, 'cached orders' is the sum over all "
    "orders, listed before, of products of quotients, and 'quadrature' the mean over 1000 midpoints of the "
    "integral over the time of the race, which is not exact; neither checks anything, and both underflow."
)
TOP_K_RIVALS = ["gumbel_top_k", "torch.multinomial", "Generator.choice", "noise + topk", "NumPy race",
                "k! orders", "cached orders", "quadrature"]


def numpy_race(x, k, rng):
    return numpy_first(rng.standard_exponential(x.shape) / np.exp(x - x.max(axis=-1, keepdims=True)), k)


def numpy_first(times, k):
    """Places of the k smallest in each row, in their order, whatever is equal."""
    first = np.argpartition(times, k, axis=-1)[..., :k]
    order = np.argsort(np.take_along_axis(times, first, axis=-1), axis=-1)
    return np.take_along_axis(first, order, axis=-1)


def without(x, k, rng):
    t = torch.from_numpy(x)
    calls = {
        "sample_without_replacement": lambda: sample_without_replacement(x, k, rng=rng),
        "gumbel_top_k": lambda: gumbel_top_k(x, k, rng=rng),
        "torch.multinomial": lambda: torch.multinomial(torch.softmax(t, -1), k),
        "NumPy race": lambda: numpy_race(x, k, rng),
    }
    if x.ndim == 1:
        calls["Generator.choice"] = lambda: rng.choice(x.size, k, replace=False, p=scipy.special.softmax(x))
    return calls


def with_keys(x, k, rng):
    t = torch.from_numpy(x)
    return {
        "sample_without_replacement": lambda: sample_without_replacement_with_keys(x, k, rng=rng),
        "gumbel_top_k": lambda: gumbel_top_k_with_keys(x, k, rng=rng),
        "noise + topk": lambda: torch.topk(t - torch.empty_like(t).exponential_().log_(), k),
    }


def of_sets(x, k, rng):
    chosen = rng.permuted(np.tile(np.arange(x.size), (64, 1)), axis=1)[:, :k]
    orders = np.array(list(itertools.permutations(range(k))))

    def enumerated():
        return [scipy.special.logsumexp(log_prob_ordered(x, row[orders])) for row in chosen]

    return {"sample_without_replacement": lambda: log_prob_set(x, chosen), "k! orders": enumerated}


def of_one_set(x, k, rng):
    chosen = rng.permutation(x.size)[:k]
    orders = np.array(list(itertools.permutations(range(k)))) if k <= 8 else None
    points = (np.arange(1000) + 0.5) / 1000

    def enumerated():
        w = np.exp(x - x.max())
        drawn = w[chosen][orders]
        return np.log(np.prod(drawn / (w.sum() - np.cumsum(drawn, axis=1) + drawn), axis=1).sum())

    def integrated():
        w = np.exp(x - x.max())
        own = w[chosen]
        return np.log(np.prod(1 - points ** (own[:, None] / (w.sum() - own.sum())), axis=0).mean())

    calls = {"sample_without_replacement": lambda: log_prob_set(x, chosen), "quadrature": integrated}
    return calls if orders is None else calls | {"cached orders": enumerated}


def top_k_row(what, shape, k, calls):
    seconds = race(calls, SECONDS)
    ours = seconds.pop("sample_without_replacement")
    ratios = [f"{seconds[name] / ours:.3g}" if name in seconds else "" for name in TOP_K_RIVALS]
    return [what, str(shape), k, round(ours * 1e6, 1), *ratios]


def top_k_rows():
    rng = np.random.default_rng(0)
    for shape, k in WITHOUT:
        x = rng.normal(size=shape)
        yield top_k_row("draws", shape, k, without(x, k, rng))
        yield top_k_row("keys", shape, k, with_keys(x, k, rng))
    for k in SETS:
        yield top_k_row("sets", (64, k), k, of_sets(rng.normal(size=100), k, rng))
    for k in ONE_SET:
        yield top_k_row("one set", (k,), k, of_one_set(rng.normal(size=100), k, rng))


# --- One step of a stochastic beam search -----------------------------------------


def softplus_keys(noisy, top):
    """The form of the paper; a child that ties with the maximum has its key."""
    best = noisy.max(axis=1, keepdims=True)
    with np.errstate(divide="ignore"):
        v = top - noisy + np.log(-np.expm1(noisy - best))
    return top - np.maximum(v, 0) - np.log1p(np.exp(-np.abs(v)))


def numpy_step(law, keys, log_probs, k, rng):
    noisy = log_probs[:, None] + law - np.log(-np.log(rng.random(law.shape)))
    flat = softplus_keys(noisy, keys[:, None]).ravel()
    chosen = np.argpartition(-flat, k - 1)[:k]
    chosen = chosen[np.argsort(-flat[chosen])]
    return *np.divmod(chosen, law.shape[1]), flat[chosen]


def torch_step(law, keys, log_probs, k):
    noisy = log_probs[:, None] + law - torch.log(-torch.log(torch.rand_like(law)))
    best, top = noisy.max(dim=1, keepdim=True).values, keys[:, None]
    v = top - noisy + torch.log(-torch.expm1(noisy - best))
    flat = (top - v.relu() - torch.nn.functional.softplus(-v.abs())).ravel()
    chosen = flat.topk(k).indices
    return chosen // law.shape[1], chosen % law.shape[1]


def our_step(law, keys, log_probs, k, rng):
    """What the search does at a level."""
    beam = Beam(None, log_probs, keys, None)
    row, token, found = first_children(law, np.exp(law), beam, k, rng)
    best = np.argsort(-found)
    return row[best], token[best]


def search_rows():
    rng = np.random.default_rng(0)
    for beam, vocabulary in BEAMS:
        law = scipy.special.log_softmax(3 * rng.normal(size=(beam, vocabulary)), axis=1)
        log_probs = -5 - rng.random(beam)
        keys = -rng.random(beam)
        tensors = [torch.from_numpy(v) for v in (law, keys, log_probs)]
        seconds = race({
            "ours": lambda: our_step(law, keys, log_probs, beam, rng),
            "numpy": lambda: numpy_step(law, keys, log_probs, beam, rng),
            "torch": lambda: torch_step(*tensors, beam),
        }, SECONDS)
        yield ["one step", str((beam, vocabulary)), round(seconds["ours"] * 1e6, 1),
               *(round(seconds[name] / seconds["ours"], 2) for name in STEPS)]
    for vocabulary in (30, 1000):
        table = scipy.special.log_softmax(3 * rng.normal(size=(vocabulary, vocabulary)), axis=1)
        seconds = race({
            "ours": lambda: stochastic_beam_search(partial(next_token, table), 10, LEVELS, rng=rng),
            "numpy": lambda: numpy_search(partial(next_token, table), 10, rng),
        }, SECONDS)
        yield ["search", str((10, vocabulary)), round(seconds["ours"] * 1e6, 1),
               round(seconds["numpy"] / seconds["ours"], 2), ""]


def next_token(table, prefixes):
    """Of a Markov chain that starts in state 0."""
    return table[prefixes[:, -1]] if prefixes.shape[1] else table[:1]


def numpy_search(step, k, rng):
    tokens, log_probs, keys = np.zeros((1, 0), int), np.zeros(1), np.zeros(1)
    for _ in range(LEVELS):
        law = step(tokens)
        row, token, keys = numpy_step(law, keys, log_probs, k, rng)
        log_probs = log_probs[row] + law[row, token]
        tokens = np.concatenate([tokens[row], token[:, None]], axis=1)
    return tokens, log_probs, keys


LEVELS = 8
STEPS = ["numpy", "torch"]
RIVALS = ["scipy", "torch", "numpy", "rng.gumbel"]
JUDGED = ["ours", *RIVALS[:3]]


def main():
    mp.mp.dps = 50
    names = list(one_per_row(np.zeros((1, 1)), None))[1:]
    publish(__file__, ["function", "shape", "sample_categorical [µs]", *names], rows(), NOTE, names, WHYS)
    columns = ["function", "shape", "ours [µs]", *RIVALS, *(f"{name} error [ulp]" for name in JUDGED)]
    publish(Path(__file__).with_name("gumbel_noise.py"), columns, noise_rows(), NOISE, RIVALS, WHYS_NOISE)
    publish(Path(__file__).with_name("gumbel_search.py"),
            ["function", "shape", "ours [µs]", *STEPS], search_rows(), SEARCH, STEPS, WHYS_SEARCH)
    columns = ["function", "shape", "type", "ours [µs]", *RIVALS_RELAXED]
    publish(Path(__file__).with_name("gumbel_relaxed.py"), columns, relaxed_rows(), RELAXED, RIVALS_RELAXED,
            WHYS_RELAXED)
    columns = ["function", "shape", "k", "ours [µs]", *TOP_K_RIVALS]
    publish(Path(__file__).with_name("gumbel_top_k.py"), columns, top_k_rows(), TOP_K, TOP_K_RIVALS[1:],
            WHYS_TOP_K)
    columns = ["shape", "ours [µs]", *RIVALS_MOVED, "error of gaps [ulp]", "error NumPy", "error time"]
    publish(Path(__file__).with_name("gumbel_moved.py"), columns, moved_rows(), MOVED, RIVALS_MOVED,
            WHYS_MOVED)


def one_set():
    """A set of ten keys by itself, over the time for each of a thousand at once."""
    g, top = np.random.default_rng(0).gumbel(size=(1000, 10)), np.zeros(1000)
    seconds = race({"one": lambda: ours.condition_on_maximum(g[:1], top[:1]),
                    "all": lambda: ours.condition_on_maximum(g, top)}, SECONDS_NOISE)
    return 1000 * seconds["one"] / seconds["all"]


def no_cancelling():
    """A difference of exponentials that does not cancel, over one that does."""
    x = -np.random.default_rng(0).exponential(size=100_000)
    seconds = race({"expm1": lambda: np.expm1(x), "exp": lambda: 1 - np.exp(x)}, SECONDS_NOISE)
    return seconds["expm1"] / seconds["exp"]


def checked():
    """A relaxed draw from one row, over the time for each of a thousand at once."""
    x = torch.zeros(1000, 10)
    seconds = race({"one": lambda: ours.gumbel_softmax(x[:1], temperature=0.5),
                    "all": lambda: ours.gumbel_softmax(x, temperature=0.5)}, SECONDS_NOISE)
    return 1000 * seconds["one"] / seconds["all"]


def simplex():
    """A log-sum-exp and a maximum of each row, over the density that doesn't check."""
    calls = relaxed_arrays((1000, 10))
    x = torch.log_softmax(torch.randn(1000, 10, dtype=torch.float64), -1)
    seconds = race({"check": lambda: (torch.logsumexp(x, -1), x.amax(-1)), "law": calls["law"]},
                   SECONDS_NOISE)
    return seconds["check"] / seconds["law"]


def in_double():
    """A softmax in ``float64``, over one in ``float32``."""
    x = torch.zeros(1000, 1000)
    seconds = race({"double": lambda: torch.softmax(x.double(), -1), "single": lambda: torch.softmax(x, -1)},
                   SECONDS_NOISE)
    return seconds["double"] / seconds["single"]


def one_by_one():
    """Time of a draw from one row, over the time for each of a thousand at once."""
    x, rng = np.zeros((1000, 10)), np.random.default_rng(0)
    seconds = race({"one": lambda: sample_categorical(x[:1], rng=rng),
                    "all": lambda: sample_categorical(x, rng=rng)}, SECONDS_NOISE)
    return 1000 * seconds["one"] / seconds["all"]


def ziggurat():
    """An exponential number, over a uniform one and its logarithm."""
    rng = np.random.default_rng(0)
    seconds = race({"ziggurat": lambda: rng.standard_exponential(10_000),
                    "logarithm": lambda: -np.log(rng.random(10_000))}, SECONDS_NOISE)
    return seconds["ziggurat"] / seconds["logarithm"]


def standardised():
    """The formula of the density with a location and a scale, over that without."""
    x, loc, scale = np.zeros(10_000), np.array(0.0), np.array(1.0)

    def general():
        z = (x - loc) / scale
        return -z - np.exp(-z) - np.log(scale)

    seconds = race({"general": general, "standard": lambda: -x - np.exp(-x)}, SECONDS_NOISE)
    return seconds["general"] / seconds["standard"]


def fixed():
    """A density at one number, over the time for each of 10 000."""
    x = np.zeros(10_000)
    seconds = race({"one": lambda: ours.gumbel_log_prob(x[:1]), "all": lambda: ours.gumbel_log_prob(x)},
                   SECONDS_NOISE)
    return 10_000 * seconds["one"] / seconds["all"]


def lost():
    """The error of the usual quantile next to 1/e, over ours."""
    u = np.exp(-1) * (1 + 1e-6 * np.linspace(-1, 1, 100))
    want = [-mp.log(-mp.log(mp.mpf(v))) for v in u.tolist()]
    errors = [largest_error(got, want, np.float64) for got in (-np.log(-np.log(u)), ours.gumbel_icdf(u))]
    return errors[0] / errors[1]


def alone():
    """One draw of 10 from 1000, over one of 256 rows at a time."""
    x, rng = np.zeros((256, 1000)), np.random.default_rng(0)
    seconds = race({"one": lambda: gumbel_top_k(x[0], 10, rng=rng),
                    "all": lambda: gumbel_top_k(x, 10, rng=rng)}, SECONDS_NOISE)
    return 256 * seconds["one"] / seconds["all"]


def without_ties():
    """The 100 largest of 1000 keys, of which no two may be equal, over those that may be."""
    keys = np.random.default_rng(0).gumbel(size=(256, 1000))
    times = -keys
    seconds = race({"ours": lambda: largest_keys(keys, 100), "theirs": lambda: numpy_first(times, 100)},
                   SECONDS_NOISE)
    return seconds["ours"] / seconds["theirs"]


def one_child():
    """A child of a step with a vocabulary of 30, over one of 1000."""
    rng = np.random.default_rng(0)
    small, large = (scipy.special.log_softmax(rng.normal(size=(10, n)), axis=1) for n in (30, 1000))
    zero = np.zeros(10)
    seconds = race({"small": lambda: our_step(small, zero, zero, 10, rng),
                    "large": lambda: our_step(large, zero, zero, 10, rng)}, SECONDS_NOISE)
    return seconds["small"] / small.size / (seconds["large"] / large.size)


def one_of_many_sets():
    """The probability of a set of four items of 100, over that of one of 64 sets at once."""
    rng = np.random.default_rng(0)
    x, chosen = rng.normal(size=100), rng.permuted(np.tile(np.arange(100), (64, 1)), axis=1)[:, :4]
    seconds = race({"one": lambda: log_prob_set(x, chosen[0]), "all": lambda: log_prob_set(x, chosen)},
                   SECONDS_NOISE)
    return 64 * seconds["one"] / seconds["all"]


WHYS = [
    Why(lambda row, rival: row["shape"] == "(1, 10)",
        "a single row costs what it takes to check and lay out many; in a batch of 1000 a row takes {} "
        "times less.",
        one_by_one, 10),
]
WHYS_NOISE = [
    Why(lambda row, rival: row["function"] == "gumbel_icdf" and rival != "scipy",
        "near 1/e, where the quantile is zero, the usual form has an error {} times ours.", lost, 1000),
    Why(lambda row, rival: row["shape"] == "(10,)",
        "a call has a fixed cost, for checks, location and scale: one number by itself takes {} times "
        "as long as one of 10 000.", fixed, 10),
    Why(lambda row, rival: row["function"] == "gumbel" and rival == "numpy",
        "an exponential number by the ziggurat method takes {} times as long as -log U; its grid is "
        "finer in the upper tail.", ziggurat),
    Why(lambda row, rival: row["function"] in ("gumbel_log_prob", "gumbel_cdf"),
        "the formula in NumPy is that without location and scale; with them that of the density alone "
        "takes {} times as long.", standardised),
]
WHYS_RELAXED = [
    Why(lambda row, rival: row["shape"] == "(1, 10)",
        "a single row costs what it takes to check it; in a batch of 1000 a row takes {} times less.",
        checked, 10),
    Why(lambda row, rival: row["type"] == "float32",
        "ours computes in float64, in which a softmax of 1000 rows takes {} times as long.", in_double),
    Why(lambda row, rival: row["function"] == "concrete_log_prob",
        "ours checks that each row is a point of the simplex, by another log-sum-exp and a maximum, which "
        "take torch {} of the whole time of its density.", simplex, 0.2),
]
WHYS_TOP_K = [
    Why(lambda row, rival: row["shape"] == "(1000,)",
        "a single short row costs what it takes to check and lay out many; in a batch of 256 a row takes {} "
        "times less.", alone),
    Why(lambda row, rival: rival == "NumPy race",
        "that equal keys are found, and stand in the order of their items, makes the search for the 100 "
        "largest of 1000 take {} times as long as without.", without_ties),
    Why(lambda row, rival: row["function"] == "one set",
        "a single set costs what it takes to check it, and to keep the digits of what is nearly certain or "
        "nearly impossible; of 64 sets of four at once, one takes {} times less.", one_of_many_sets, 10),
]
WHYS_SEARCH = [
    Why(lambda row, rival: row["shape"] in ("(10, 30)", "(1, 1000)"),
        "a level costs what it takes to check the model's answer, and that no number leaves the range of "
        "floats; for ten prefixes and a vocabulary of 1000, a child takes {} times less than for one of 30.",
        one_child),
]
WHYS_MOVED = [
    Why(lambda row, rival: row["shape"] == "(1, 10)",
        "a single set costs what it takes to check it; in a batch of 1000 a set takes {} times less.",
        one_set, 5),
    Why(lambda row, rival: rival == "time",
        "1 - exp(g - Z), by a function that does not cancel, takes {} times as long.", no_cancelling),
]


if __name__ == "__main__":
    main()

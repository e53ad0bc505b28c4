"""Divergences of Gaussians: speed and error against what a reader would use instead.

Run it from anywhere: ``python benchmarks/gradients.py``. It takes about half a minute, writes
``gradients.json`` (speed) and ``gradients_errors.json`` beside itself, and says what the numbers
mean in their notes.
"""

from harness import Why, largest_error, publish, race  # first: it fixes the number of threads

# isort: split

from pathlib import Path

import mpmath as mp
import numpy as np
import torch
from torch import distributions

from softmaxnotes import gradients as ours

OTHERS = ["torch.distributions", "without validation", "torch closed form", "numpy"]
SECONDS = 0.4  # per row of the table
CHECKED = 20  # results of each row of the table, against mpmath

SPEED = (
    "Time of each competitor divided by ours: above 1, we are faster. One thread, one process; all "
    "take turns, in a random order, each for at least a millisecond per turn, and the fastest turn of "
    "each counts. Ours checks its input, as torch.distributions does by default; the second column of "
    "torch.distributions is with validate_args=False, and its time includes making the two "
    "distributions. 'torch closed form' and 'numpy' are the formula as usually written: 0.5 * "
    "sum(exp(v) - 1 - v + mu**2) for kl_diag_standard; for kl_mvn in torch by Cholesky factors and "
    "triangular systems and in NumPy by inverse and determinant. 'Far': means are standard normal, as "
    "are logarithms of scales, and covariances are Wishart with 2d degrees of freedom. 'Close': the "
    "two distributions differ by about 1e-6 of that (float32: 1e-3), which is where the usual formulas "
    "cancel."
)
ERRORS = (
    "The largest error of up to 20 results, in units in the last place of the exact result (mpmath, 60 "
    "digits), for the same distributions and competitors; d = 500 isn't judged. Of a float64 all "
    "digits are lost at about 1e16 units, of a float32 at about 1e7."
)


def exact_diagonal(mu_p, sigma_p, mu_q, sigma_q):
    terms = []
    for numbers in zip(mu_p, sigma_p, mu_q, sigma_q):
        a, b, c, d = (mp.mpf(v) if isinstance(v, mp.mpf) else mp.mpf(float(v)) for v in numbers)
        terms.append(mp.log(d / b) + (b * b + (a - c) ** 2) / (2 * d * d) - mp.mpf(1) / 2)
    return mp.fsum(terms)


def exact_cholesky(cov):
    """With the logarithm of the determinant, in 60 digits."""
    d = len(cov)
    cov = [[mp.mpf(float(v)) for v in row] for row in cov]
    lower = [[mp.mpf(0)] * d for _ in range(d)]
    for i in range(d):
        for j in range(i + 1):
            rest = cov[i][j] - mp.fdot(lower[i][:j], lower[j][:j])
            lower[i][j] = mp.sqrt(rest) if i == j else rest / lower[j][j]
    return lower, 2 * mp.fsum(mp.log(lower[i][i]) for i in range(d))


def exact_full(mu_p, cov_p, mu_q, cov_q):
    d = len(mu_p)
    (l_p, log_p), (l_q, log_q) = exact_cholesky(cov_p), exact_cholesky(cov_q)
    gaps = [mp.mpf(float(a)) - mp.mpf(float(b)) for a, b in zip(mu_p, mu_q)]
    squares = []
    for right in [gaps, *([row[j] for row in l_p] for j in range(d))]:
        x = []
        for i in range(d):
            x.append((right[i] - mp.fdot(l_q[i][:i], x)) / l_q[i][i])
        squares.append(mp.fdot(x, x))
    return (mp.fsum(squares) - d + log_q - log_p) / 2


def normal(mu_p, sigma_p, mu_q, sigma_q):
    t = [torch.from_numpy(x) for x in (mu_p, sigma_p, mu_q, sigma_q)]

    def library(**options):
        p, q = distributions.Normal(*t[:2], **options), distributions.Normal(*t[2:], **options)
        return distributions.kl_divergence(p, q)

    def textbook(log, a, b, c, d):
        return log(d / b) + (b**2 + (a - c) ** 2) / (2 * d**2) - 0.5

    pick = [np.ravel(x)[:CHECKED] for x in (mu_p, sigma_p, mu_q, sigma_q)]
    return {
        "ours": lambda: ours.kl_normal(mu_p, sigma_p, mu_q, sigma_q),
        "torch.distributions": library,
        "without validation": lambda: library(validate_args=False),
        "torch closed form": lambda: textbook(torch.log, *t),
        "numpy": lambda: textbook(np.log, mu_p, sigma_p, mu_q, sigma_q),
    }, [exact_diagonal(*([v] for v in one)) for one in zip(*pick)]


def diagonal(mu, log_var):
    m, v = torch.from_numpy(mu), torch.from_numpy(log_var)
    zero, one = torch.zeros((), dtype=m.dtype), torch.ones((), dtype=m.dtype)

    def library(**options):
        p = distributions.Normal(m, (0.5 * v).exp(), **options)
        return distributions.kl_divergence(p, distributions.Normal(zero, one, **options)).sum(-1)

    rows = zip(np.atleast_2d(mu)[:CHECKED], np.atleast_2d(log_var)[:CHECKED])
    return {
        "ours": lambda: ours.kl_diag_standard(mu, log_var),
        "torch.distributions": library,
        "without validation": lambda: library(validate_args=False),
        "torch closed form": lambda: 0.5 * (v.exp() - 1 - v + m * m).sum(-1),
        "numpy": lambda: 0.5 * (np.exp(log_var) - 1 - log_var + mu * mu).sum(-1),
    }, [exact_diagonal(a, [mp.exp(mp.mpf(float(x)) / 2) for x in b], [0] * len(a), [1] * len(a))
        for a, b in rows]


def full(mu_p, cov_p, mu_q, cov_q):
    t = [torch.from_numpy(x) for x in (mu_p, cov_p, mu_q, cov_q)]
    d = mu_p.shape[-1]

    def library(**options):
        p = distributions.MultivariateNormal(*t[:2], **options)
        return distributions.kl_divergence(p, distributions.MultivariateNormal(*t[2:], **options))

    def closed_form():
        l_p, l_q = torch.linalg.cholesky(t[1]), torch.linalg.cholesky(t[3])
        m = torch.linalg.solve_triangular(l_q, l_p, upper=False)
        z = torch.linalg.solve_triangular(l_q, (t[0] - t[2])[..., None], upper=False)
        logs = [l.diagonal(dim1=-2, dim2=-1).log().sum(-1) for l in (l_p, l_q)]
        return 0.5 * ((m * m).sum((-2, -1)) - d + (z * z).sum((-2, -1))) + logs[1] - logs[0]

    def textbook():
        inverse, gap = np.linalg.inv(cov_q), mu_p - mu_q
        with np.errstate(all="ignore"):
            log_ratio = np.log(np.linalg.det(cov_q) / np.linalg.det(cov_p))
        trace = np.trace(inverse @ cov_p, axis1=-2, axis2=-1)
        return 0.5 * (log_ratio - d + trace + np.einsum("...i,...ij,...j", gap, inverse, gap))

    count = 1 if d > 20 else CHECKED // 4
    each = zip((mu_p, cov_p, mu_q, cov_q), (1, 2, 1, 2))
    pick = zip(*(x.reshape(-1, *x.shape[x.ndim - k :])[:count] for x, k in each))
    return {
        "ours": lambda: ours.kl_mvn(mu_p, cov_p, mu_q, cov_q),
        "torch.distributions": library,
        "without validation": lambda: library(validate_args=False),
        "torch closed form": closed_form,
        "numpy": textbook,
    }, [exact_full(*one) for one in pick] if d <= 100 else []


def cases(rng):
    """Name, distance, shape, type, and the arguments."""
    for shape in [(16,), (10_000, 100)]:
        for dtype in (np.float64, np.float32):
            for distance, size in (("far", 1.0), ("close", 1e-6 if dtype == np.float64 else 1e-3)):
                a, b = size * rng.normal(size=(2, *shape))
                yield diagonal, "kl_diag_standard", distance, shape, dtype, (a.astype(dtype), b.astype(dtype))
                c, d = rng.normal(size=shape), np.exp(rng.normal(size=shape))
                arguments = tuple(x.astype(dtype) for x in (c + d * a, d * np.exp(b), c, d))
                yield normal, "kl_normal", distance, shape, dtype, arguments
    for lead, d in [((), 10), ((100,), 20), ((), 100), ((), 500)]:
        for distance, size in (("far", 1.0), ("close", 1e-6)):
            q, p = rng.normal(size=(2, *lead, d, 2 * d))
            p = p if size == 1 else q + size * p
            mu_q = rng.normal(size=(*lead, d))
            mu_p = mu_q + size * rng.normal(size=(*lead, d))
            products = (a @ np.swapaxes(a, -2, -1) / d for a in (p, q))
            cov_p, cov_q = ((x + np.swapaxes(x, -2, -1)) / 2 for x in products)
            yield full, "kl_mvn", distance, (*lead, d, d), np.float64, (mu_p, cov_p, mu_q, cov_q)


def quotient(**calls):
    """The time of the first of two calls over that of the other."""
    one, other = race(calls, SECONDS).values()
    return one / other


def alone():
    """Sixteen numbers by themselves, over sixteen of a million."""
    x = np.random.default_rng(0).normal(size=(4, 1_000_000)) ** 2 + 1
    return quotient(few=lambda: ours.kl_normal(*x[:, :16]), many=lambda: ours.kl_normal(*x)) * 1e6 / 16


def solving():
    """NumPy's general systems in a batch, over torch's triangular ones."""
    a, b = np.random.default_rng(0).normal(size=(2, 100, 20, 20)) + 10 * np.eye(20)
    a, b = np.tril(a), np.tril(b)
    t, u = map(torch.from_numpy, (a, b))
    return quotient(numpy=lambda: np.linalg.solve(a, b),
                    torch=lambda: torch.linalg.solve_triangular(t, u, upper=False))


def wide():
    """The usual formula in float64, over that in float32."""
    x = np.random.default_rng(0).normal(size=(2, 1_000_000))
    y = x.astype(np.float32)
    return quotient(double=lambda: np.exp(x[1]) - 1 - x[1] + x[0] ** 2,
                    single=lambda: np.exp(y[1]) - 1 - y[1] + y[0] ** 2)


def reading():
    """To see that a million numbers are finite, and which are small, over the usual formula of them."""
    x = np.random.default_rng(0).normal(size=(2, 1_000_000))
    return quotient(checks=lambda: (np.isfinite(x).all(), np.abs(x) < 0.5),
                    formula=lambda: np.exp(x[1]) - 1 - x[1] + x[0] ** 2)


WHYS = [
    Why(lambda row, rival: row["shape"] in ("(16,)", "(10, 10)"),
        "a call has a fixed cost, for checks: 16 numbers by themselves take {} times as long as 16 of a "
        "million.",
        alone, 5),
    Why(lambda row, rival: row["function"] == "kl_mvn",
        "NumPy has no triangular systems in batches; its general ones take {} times as long as torch's "
        "triangular ones.",
        solving),
    Why(lambda row, rival: row["dtype"] == "float32",
        "ours computes float32 in float64, in which the usual formula takes {} times as long.",
        wide),
    Why(lambda row, rival: row["dtype"] == "float64",
        "ours looks whether every number is finite and which are small, which by itself takes {} of the "
        "time of the usual formula; torch computes with vector instructions.",
        reading, 0.1),
]


def main():
    mp.mp.dps = 60
    case, errors, lost = ["function", "distributions", "shape", "dtype"], [], []
    judged = ["ours", "torch.distributions", *OTHERS[2:]]

    def speeds():
        for build, name, distance, shape, dtype, arguments in cases(np.random.default_rng(0)):
            calls, exact = build(*arguments)
            seconds = race(calls, SECONDS)
            row = [name, distance, str(shape), np.dtype(dtype).name]
            if exact:
                results = {contender: np.ravel(calls[contender]())[: len(exact)] for contender in judged}
                errors.append(row + [f"{largest_error(got, exact, dtype):.3g}" for got in results.values()])
            if exact and distance == "close":
                ours, *usual = (float(v) for v in errors[-1][len(row) :])
                lost.append(min(usual) / ours)
            ratios = [round(seconds[other] / seconds["ours"], 2) for other in OTHERS]
            yield [*row, round(seconds["ours"] * 1e6, 1), *ratios]

    accuracy = Why(
        lambda row, rival: row["distributions"] == "close",
        "where the distributions are close, every other form has an error at least {} times ours (next "
        "table); to see that and to mend it takes time.",
        lambda: min(lost),
        1000,
    )
    publish(__file__, [*case, "ours [µs]", *OTHERS], speeds(), SPEED, OTHERS, [accuracy, *WHYS])
    publish(Path(__file__).with_name("gradients_errors.py"), [*case, *judged], errors, ERRORS)


if __name__ == "__main__":
    main()

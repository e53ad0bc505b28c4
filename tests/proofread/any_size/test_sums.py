"""Statements about sums: what is proved for every size, and what is false and must not be."""

import pytest
import sympy as sp
from sympy import Derivative, Product, Sum, exp, log
from sympy import KroneckerDelta as D
from verdict import is_shown

from proofread.language.binders import MaxOver, Unless

h, i, j, k, l, m, n, t, K, T = sp.symbols("h i j k l m n t K T", integer=True, positive=True)  # noqa: E741
z, v, f, r, s, x, y = (sp.IndexedBase(name, real=True) for name in "z v f r s x y".split())
p, q, w, lam, rate = (sp.IndexedBase(name, positive=True) for name in "p q w lamda u".split())
a = sp.IndexedBase("a", positive=True)
c, theta = sp.symbols("c theta", real=True)
tau, rho = sp.symbols("tau rho", positive=True)
total = Sum(exp(z[l]), (l, 1, n))
normalised = sp.Eq(Sum(p[k], (k, 1, n)), 1)


def pi(index):
    return exp(z[index]) / total


def sigmoid(u):
    return 1 / (1 + exp(-u))


mean = Sum(pi(k) * f[k], (k, 1, n))
noise = K * q[i]
slope_of_nce = Derivative(Sum(p[i] * log(exp(z[i]) / (exp(z[i]) + noise)) + noise * log(
    noise / (exp(z[i]) + noise)), (i, 1, n)), z[j])


def value(time):
    """The learnt value after so many trials, with rho for 1 minus the learning rate."""
    return rho**time * c + (1 - rho) * Sum(rho ** (time - k) * r[k], (k, 1, time))


def remaining(first):
    return Sum(lam[l], (l, first, n))


TRUE = {
    "the score has mean zero": (Sum(pi(k) * Derivative(log(pi(k)), z[j]), (k, 1, n)), 0),
    "score function": (Derivative(mean, z[j]), Sum(pi(k) * f[k] * Derivative(log(pi(k)), z[j]), (k, 1, n))),
    "with a baseline": (Derivative(mean, z[j]), Sum(pi(k) * (f[k] - c) * (D(j, k) - pi(j)), (k, 1, n))),
    "as a covariance": (Derivative(mean, z[j]), pi(j) * (f[j] - mean)),
    "Fisher matrix": (Sum(pi(k) * (D(j, k) - pi(j)) * (D(m, k) - pi(m)), (k, 1, n)),
                      pi(j) * D(j, m) - pi(j) * pi(m)),
    "Fisher matrix by the Hessian": (-Sum(pi(k) * Derivative(log(pi(k)), z[j], z[m]), (k, 1, n)),
                                     pi(j) * (D(j, m) - pi(m))),
    "the gradient sums to zero": (Sum(Derivative(mean, z[j]), (j, 1, n)), 0),
    "swapped pairs": (Sum(Sum((f[j] - f[m]) * pi(j) * pi(m), (m, 1, n)), (j, 1, n)), 0),
    "variance by pairs": (Sum(pi(k) * f[k]**2, (k, 1, n)) - mean**2,
                          Sum(pi(j) * pi(m) * (f[j] - f[m])**2, (j, 1, n), (m, 1, n)) / 2),
    "gradient by pairs": (Derivative(mean, z[j]), Sum(pi(j) * pi(m) * (f[j] - f[m]), (m, 1, n))),
    "centred": (Sum((f[m] - Sum(f[l], (l, 1, n)) / n) * (1 - n * D(j, m)), (m, 1, n)),
                -n * (f[j] - Sum(f[l], (l, 1, n)) / n)),
    "gradient of NCE": (slope_of_nce, (p[j] - exp(z[j])) * K * q[j] / (exp(z[j]) + K * q[j])),
    "posterior of NCE": (p[i] / (p[i] + noise), sigmoid(log(p[i]) - log(noise))),
    "posteriors of NCE sum": (Sum(p[i] / (p[i] + noise) + noise / (p[i] + noise), (i, 1, n)), n),
    "all terms cancel but two": (Sum(r[t] - r[t + 1], (t, 1, T)), r[1] - r[T + 1]),
    "all terms cancel, backwards": (Sum(r[t - 1] - r[t], (t, 1, T)), r[0] - r[T]),
    "all factors cancel but four": (Product(w[t + 2] / w[t], (t, 1, T)), w[T + 1] * w[T + 2] / w[1] / w[2]),
    "products of neighbours cancel": (Sum(r[t] * r[t + 1] - r[t + 1] * r[t + 2], (t, 1, T)),
                                      r[1] * r[2] - r[T + 1] * r[T + 2]),
    "a factor e comes out": (log(Sum(exp(z[k] + c - 1), (k, 1, n))), log(Sum(exp(z[k]), (k, 1, n))) + c - 1),
    "negative samples": (Sum(log(sigmoid(-z[k])), (k, 1, K)), -Sum(log(1 + exp(z[k])), (k, 1, K))),
    "sigmoids": (Sum(y[k] * sigmoid(z[k]), (k, 1, n)) + Sum(y[k] * sigmoid(-z[k]), (k, 1, n)),
                 Sum(y[k], (k, 1, n))),
    "importance sampling": (Sum(q[k] * (p[k] / q[k]) * f[k], (k, 1, n)), Sum(p[k] * f[k], (k, 1, n))),
    "Plackett–Luce": (log(Product(lam[i] / remaining(i), (i, 1, n))),
                      Sum(log(lam[i]), (i, 1, n)) - Sum(log(remaining(i)), (i, 1, n))),
    "without the first": (remaining(1) - lam[1], Sum(lam[l], (l, 2, n))),
    "log-probability of a path": (log(Product(p[t], (t, 1, T))), Sum(log(p[t]), (t, 1, T))),
    "gradient along a path": (
        Derivative(log(Product(exp(theta * x[t]) / (1 + exp(theta * x[t])), (t, 1, T))), theta),
        Sum(x[t] * (1 - sigmoid(theta * x[t])), (t, 1, T))),
    "before and after": (Sum(r[t] * s[k], (k, 1, t), (t, 1, T)) + Sum(r[t] * s[k], (k, t + 1, T), (t, 1, T)),
                         Sum(r[t], (t, 1, T)) * Sum(s[t], (t, 1, T))),
    "two blocks": (Sum(z[i], (i, 1, m)) + Sum(z[i], (i, m + 1, n)), Sum(z[i], (i, 1, n)), [m < n]),
    "two blocks, told from the other side": (Sum(z[i], (i, m + 1, n)) + Sum(z[i], (i, 1, m)),
                                             Sum(z[i], (i, 1, n)), [n > m]),
    "two blocks, the second one maybe empty": (Sum(z[i], (i, 1, m)) + Sum(z[i], (i, m + 1, n)),
                                               Sum(z[i], (i, 1, n)), [m <= n]),
    "two blocks without what is between": (Sum(z[i], (i, m + 2, n)),
                                           Sum(z[i], (i, 1, n)) - Sum(z[i], (i, 1, m)) - z[m + 1], [m < n]),
    "the mean of two blocks": (Sum(w[i], (i, m + 1, n)) * (Sum(w[i] * z[i], (i, m + 1, n))
                                                           / Sum(w[i], (i, m + 1, n))),
                               Sum(w[i] * z[i], (i, 1, n)) - Sum(w[i] * z[i], (i, 1, m)), [m < n]),
    "a block of ones": (Sum(w[i] / Sum(w[k], (k, m + 1, n)), (i, m + 1, n)), 1, [m < n]),
    "Rescorla–Wagner": (value(t + 1), value(t) + (1 - rho) * (r[t + 1] - value(t))),
    "discounted return": (Sum(rho**(k - 1) * r[k], (k, 1, T + 1)),
                          Sum(rho**(k - 1) * r[k], (k, 1, T)) + rho**T * r[T + 1]),
    "telescope": (Sum(1 / (k * (k + 1)), (k, 1, n + 1)) - (1 - 1 / (n + 2)),
                  Sum(1 / (k * (k + 1)), (k, 1, n)) - (1 - 1 / (n + 1))),
    "entropy": (-Sum(pi(k) * log(pi(k)), (k, 1, n)), log(total) - Sum(pi(k) * z[k], (k, 1, n))),
    "temperature": (Derivative(log(Sum(exp(z[k] / tau), (k, 1, n))), tau),
                    -Sum(z[k] * exp(z[k] / tau), (k, 1, n)) / (tau**2 * Sum(exp(z[k] / tau), (k, 1, n)))),
    "variance of a law": (Sum(p[k] * (f[k] - Sum(p[l] * f[l], (l, 1, n)))**2, (k, 1, n)),
                          Sum(p[k] * f[k]**2, (k, 1, n)) - Sum(p[k] * f[k], (k, 1, n))**2, [normalised]),
    "one against the rest": (Sum(log(1 - pi(k)), (k, 1, n)),
                             Sum(log(total - exp(z[k])), (k, 1, n)) - n * log(total), [n >= 2]),
    "detailed balance": (Sum(Sum(w[j] * w[k] / (w[j] + w[k]), (j, 1, n)), (k, 1, n)),
                         Sum(Sum(w[j] * w[k] / (w[j] + w[k]), (k, 1, n)), (j, 1, n))),
    "pairs in both orders": (Sum(Sum(w[j] / (w[j] + w[k]), (j, 1, n)), (k, 1, n)), n**2 / 2),
    "summed out": (Sum(f[i] * a[i, j] / Sum(a[i, l], (l, 1, m)), (j, 1, m), (i, 1, n)), Sum(f[i], (i, 1, n))),
    "shift of a maximum": (MaxOver(z[i] + c, (i, 1, n)), MaxOver(z[i], (i, 1, n)) + c),
    "scale of a maximum": (MaxOver(tau * z[i], (i, 1, n)), tau * MaxOver(z[i], (i, 1, n))),
    "a shorter range that is not empty": (Sum(1, (i, 2, n - 1)), n - 2, [n >= 2]),
    "indices that differ, told": (D(j, k), 0, [sp.Ne(j, k)]),
    "left out, of several": (Sum(Unless(z[i], 0, i, k), (i, 1, n)), Sum(z[i], (i, 1, n)) - z[k]),
    "root of a positive": (sp.sqrt(w[k] ** 2), w[k]),
    "roots of numbers": (sp.sqrt(2) * sp.sqrt(6), 2 * sp.sqrt(3)),
}


@pytest.mark.parametrize("name", TRUE)
def test_proved_for_every_size(name):
    assert is_shown(*TRUE[name])


FALSE = {
    "one term too few": (Sum(r[t] - r[t + 1], (t, 1, T)), r[1] - r[T]),
    "the ends exchanged": (Sum(r[t - 1] - r[t], (t, 1, T)), r[T] - r[0]),
    "a sum and its neighbour": (Sum(exp(r[t + 1]), (t, 1, T)), Sum(exp(r[t]), (t, 1, T))),
    "a sum of neighbours": (Sum(r[t] * r[t + 1], (t, 1, T)), Sum(r[t]**2, (t, 1, T))),
    "another factor e": (log(Sum(exp(z[k] + c - 1), (k, 1, n))), log(Sum(exp(z[k]), (k, 1, n))) + c - 2),
    "an empty range": (Sum(1, (i, 2, n - 1)), n - 2),
    "two blocks of which nothing is told": (Sum(z[i], (i, 1, m)) + Sum(z[i], (i, m + 1, n)),
                                            Sum(z[i], (i, 1, n))),
    "two blocks, the wrong way round": (Sum(z[i], (i, 1, m)) + Sum(z[i], (i, m + 1, n)), Sum(z[i], (i, 1, n)),
                                        [n < m]),
    "two blocks that overlap": (Sum(z[i], (i, 1, m)) + Sum(z[i], (i, m, n)), Sum(z[i], (i, 1, n)), [m < n]),
    "a block that may be reversed": (Sum(z[i], (i, m + 3, n)), Sum(z[i], (i, 1, n)) - Sum(z[i], (i, 1, m))
                                     - z[m + 1] - z[m + 2], [m < n]),
    "a block that may be reversed, at m = n": (
        Sum(z[i], (i, m + 2, n)), Sum(z[i], (i, 1, n)) - Sum(z[i], (i, 1, m)) - z[m + 1], [m <= n]),
    "the total of a block that may be empty": (Sum(w[i] / Sum(w[k], (k, m + 1, n)), (i, m + 1, n)), 1,
                                               [m <= n]),
    "a third size of which nothing is told": (Sum(z[i], (i, 1, K)) + Sum(z[i], (i, K + 1, n)),
                                              Sum(z[i], (i, 1, n)), [m < n]),
    "a delta in a shorter range": (Sum(Sum(D(l, j) * z[l], (l, 1, i)), (i, 1, n)), n * z[j]),
    "a delta between two ranges": (Sum(D(i, l) * z[i], (i, 1, n), (l, 1, m)), Sum(z[i], (i, 1, n))),
    "an index that may be the last": (Sum((1 - D(i, n)) * z[i], (i, 1, n)), Sum(z[i], (i, 1, n))),
    "an index of another size": (Sum(D(i, j), (i, 1, n)) + Sum(z[l], (l, 1, m)) / z[j],
                                 1 + Sum(z[l], (l, 1, m)) / z[j]),
    "capture": (Sum(z[i] * Sum(w[i], (i, 1, n)), (i, 1, n)), Sum(z[i] * w[i], (i, 1, n)) * n),
    "the product of sums": (Sum(z[i], (i, 1, n)) * Sum(w[i], (i, 1, n)), Sum(z[i] * w[i], (i, 1, n))),
    "the logarithm of negatives": (log(z[j] * z[k]), log(z[j]) + log(z[k])),
    "the root of a square": (sp.sqrt(z[j] ** 2), z[j]),
    "the logarithm of 0 at n = 1": (
        log(1 - pi(k)), log(Sum((1 - D(i, k)) * exp(z[i]), (i, 1, n))) - log(total) + D(n, 1)),
    "entries transposed": (Sum(a[i, j], (i, 1, n)), Sum(a[j, i], (i, 1, n))),
    "an entry beyond the end": (Sum(z[i], (i, 1, n + 1)), Sum(z[i], (i, 1, n)) + z[n]),
    "indices that may be equal": (D(j, k), 0),
    "the size for the index": (Sum(D(i, l), (l, 1, j), (i, 1, n)), n),
    "normalised, but not told": (Sum(p[k], (k, 1, n)), 1),
    "a sum that is told of another vector": (Sum(q[k], (k, 1, n)), 1, [normalised]),
    "a sum that is told up to another size": (Sum(p[k], (k, 1, m)), 1, [normalised]),
    "a negative scale of a maximum": (MaxOver(c * z[i], (i, 1, n)), c * MaxOver(z[i], (i, 1, n))),
    "an index from 0": (Sum(sp.Abs(i - 3), (i, 0, n)), Sum(sp.Abs(i - 3), (i, 1, n))),
    "Derivative of another entry": (Derivative(total, z[j]), exp(z[k])),
    "δ(j, k) forgotten": (Derivative(pi(k), z[j]), -pi(k) * pi(j)),
}


@pytest.mark.parametrize("name", FALSE)
def test_not_proved(name):
    assert not is_shown(*FALSE[name])

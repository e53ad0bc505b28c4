r"""What the chapters have in common: symbols, and definitions that more than one chapter uses.

A chapter names what it takes, ``from softmaxnotes.vocabulary import i, k, n, pi, z``, and declares itself
what has another meaning there.  A definition is displayed by the chapter that introduces it; the others take
it from here and refer to its label.

============ ====================================================================================
``i, j, k``  classes, from 1 to ``n``
``n``        number of classes
``z``        logits: real numbers ``z[1]``, …, ``z[n]``
``w``        weights: positive numbers ``w[1]``, …, ``w[n]``
``t, x``     real numbers
``T``        temperature, positive
``half``     the number 1/2
``mu``       logits to which noise is added: real numbers ``mu[1]``, …, ``mu[n]``
``delta``    Kronecker's delta: ``delta(j, k)`` is 1 if ``j`` is ``k``, else 0
``pi``       softmax, ``eq-softmax``: :math:`\pi_k = e^{z_k} / \sum_{i=1}^n e^{z_i}`
``lse``      log-sum-exp, ``eq-lse``: :math:`\operatorname{lse}(z) = \log \sum_{i=1}^n e^{z_i}`
``q``        law of a target, ``eq-target-law``: :math:`q_k = w_k / \sum_{i=1}^n w_i`
``sigma``    sigmoid, ``eq-sigmoid``: :math:`\sigma(t) = 1 / (1 + e^{-t})`
``F``        Gumbel distribution function, ``eq-gumbel-cdf``: :math:`F(x) = e^{-e^{-x}}`
``f``        Gumbel density, ``eq-gumbel-density``: :math:`f(x) = e^{-x-e^{-x}}`
``lam``      rate of a clock, ``eq-rate``: :math:`\lambda_i = e^{\mu_i}`
``C``        sum of the weights, ``eq-partition``: :math:`C = \sum_{i=1}^n e^{\mu_i}`
``normal``   normal density with a mean and a variance, ``eq-normal-density``
``kl``       divergence of two normal laws with means and variances, ``eq-kl``
``h``        what a wrong scale costs, ``eq-scale-cost``: :math:`h(t) = (e^{2t} - 1)/2 - t`
============ ====================================================================================

A definition called with another number of arguments raises `TypeError`.

Examples
--------
>>> from proofread.latex import tex
>>> from softmaxnotes.vocabulary import j, lse, pi, z
>>> print(tex(z[j] - lse()))
z_{j} - \operatorname{lse}(z)
>>> pi(j).unfold()
exp(z[j])/Sum(exp(z[i]), (i, 1, n))
"""

from proofread import Definition, E, NormalLaw
from proofread import sympy as sp

__all__ = [
    "C", "F", "T", "delta", "f", "h", "half", "i", "j", "k", "kl", "lam", "lse", "mu", "n", "normal", "pi",
    "q", "sigma", "t", "w", "x", "z",
]

i, j, k, n = sp.symbols("i j k n", integer=True, positive=True)
t, x = sp.symbols("t x", real=True)
T = sp.Symbol("T", positive=True)
z, w = sp.IndexedBase("z", real=True), sp.IndexedBase("w", positive=True)
mu = sp.IndexedBase("mu", real=True)
half, delta = sp.Rational(1, 2), sp.KroneckerDelta

pi = Definition(r"\pi_{#1}", (k,), sp.exp(z[k]) / sp.Sum(sp.exp(z[i]), (i, 1, n)), label="eq-softmax",
                title="softmax")
lse = Definition(r"\operatorname{lse}(z)", (), sp.log(sp.Sum(sp.exp(z[i]), (i, 1, n))), label="eq-lse",
                 title="log-sum-exp", rows=["S0-009"])
q = Definition("q_{#1}", (k,), w[k] / sp.Sum(w[i], (i, 1, n)), label="eq-target-law",
               title="law of the target")
sigma = Definition(r"\sigma", (t,), 1 / (1 + sp.exp(-t)), label="eq-sigmoid", title="sigmoid",
                   rows=["S0-028"])
F = Definition("F", (x,), sp.exp(-sp.exp(-x)), label="eq-gumbel-cdf", title="Gumbel distribution function",
               rows=["S0-140"])
f = Definition("f", (x,), sp.exp(-x - sp.exp(-x)), label="eq-gumbel-density", title="Gumbel density",
               rows=["S0-140"])
lam = Definition(r"\lambda_{#1}", (i,), sp.exp(mu[i]), label="eq-rate", title="rate of a clock")
C = Definition("C", (), sp.Sum(sp.exp(mu[i]), (i, 1, n)), label="eq-partition", title="sum of the weights",
               rows=["S0-145"])

_mu, _mu_p, _mu_q = sp.symbols("mu mu_p mu_q", real=True)
_v, _v_p, _v_q = sp.symbols("v v_p v_q", positive=True)
normal = Definition(r"\mathcal{N}(#1;\, #2, #3)", (x, _mu, _v),
                    sp.exp(-(x - _mu)**2 / (2 * _v)) / sp.sqrt(2 * sp.pi * _v), label="eq-normal-density",
                    title="normal density")
kl = Definition(r"\mathrm{KL}\bigl(\mathcal{N}(#1, #2)\,\big\|\,\mathcal{N}(#3, #4)\bigr)",
                (_mu_p, _v_p, _mu_q, _v_q),
                E(sp.log(normal(x, _mu_p, _v_p)) - sp.log(normal(x, _mu_q, _v_q)),
                  NormalLaw("p", x, _mu_p, _v_p)),
                label="eq-kl", title="divergence of two normal laws")
h = Definition("h", (t,), half * (sp.exp(2 * t) - 1) - t, label="eq-scale-cost",
               title="what a wrong scale costs")

"""The chapter book/softmax/numerics: what must not pass on it."""

import pytest
from chapters.falsification import Falsified, Page

from softmaxnotes.proof import ProofError, Refuted

PAGE = Page("book/softmax/numerics", [
    Falsified("sp.exp(-c, evaluate=False) * sp.Sum(", "sp.exp(c, evaluate=False) * sp.Sum(", Refuted),
    Falsified("fraction(sp.exp(z[k] - top), sp.Sum(", "fraction(sp.exp(z[k] + top), sp.Sum(", Refuted),
    Falsified("top = MaxOver(z[i], (i, 1, n))", "top = MaxOver(z[i], (i, 2, n))", ProofError),
    Falsified("e = np.exp(x - np.exp(x).max())", "e = np.exp(x - x.max())", ValueError),
    Falsified("overflow = np.log(float(info.max)) - np.log1p(np.exp(-1))",
              "overflow = np.log(float(info.max))", AssertionError),
    Falsified("sp.exp((z[k] - top) / T)", "sp.exp(z[k] / T - top)", Refuted),
    Falsified('1 / (1 + sp.exp(-gap / T)), T, 0, "+"', '1 / (1 + sp.exp(-gap / T)), T, 0, "-"', Refuted),
    Falsified('ratio.step(z[j] - z[k], "', 'ratio.step(z[k] - z[j], "', Refuted),
    Falsified('relation="<=", attained={n: 1}', 'relation=">=", attained={n: 1}', Refuted),
    Falsified("sp.log(n * sp.exp(top), evaluate=False)",
              "sp.log((n + 1) * sp.exp(top), evaluate=False)", Refuted),
    Falsified("upper.step(top + sp.log(n),", "upper.step(top + n,", Refuted),
    Falsified("gradient.step(pi(j),", "gradient.step(pi(k),", Refuted),
    Falsified("hessian.step(pi(j) * (delta(j, k) - pi(k)),",
              "hessian.step(pi(j) * (delta(j, k) + pi(k)),", Refuted),
    Falsified("form.step(Var(v[k], softmax_law),", "form.step(Var(v[j], softmax_law),", Refuted),
    Falsified("others = sp.Sum((1 - delta(i, j)) *", "others = sp.Sum(", Refuted),
    Falsified("log_prob.step(z[k] - lse(),", "log_prob.step(z[k] + lse(),", Refuted),
    Falsified("online.step(sp.log(s * sp.exp(m) + sp.exp(x)),",
              "online.step(sp.log(s * sp.exp(m) + x),", Refuted),
])


@pytest.mark.parametrize("falsified", PAGE.falsified, ids=str)
def test_falsified(falsified):
    PAGE.fails(falsified)

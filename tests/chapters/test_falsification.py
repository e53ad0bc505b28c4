"""Chapters with one thing made wrong do not run through."""

import functools

import pytest

from softmaxnotes import proof
from tools import execute

REFUTED, ASSERTION, ERRATUM = proof.Refuted, AssertionError, ValueError

# chapter, what it says, what it shall not get away with, how the cell that finds out fails
NUMERICS = [
    ("sp.exp(-c, evaluate=False) * sp.Sum(", "sp.exp(c, evaluate=False) * sp.Sum(", REFUTED),
    ("fraction(sp.exp(z[k] - top), sp.Sum(", "fraction(sp.exp(z[k] + top), sp.Sum(", REFUTED),
    ("top = MaxOver(z[i], (i, 1, n))", "top = MaxOver(z[i], (i, 2, n))", proof.ProofError),
    ("e = np.exp(x - np.exp(x).max())", "e = np.exp(x - x.max())", ERRATUM),
    ("overflow = np.log(float(info.max)) - np.log1p(np.exp(-1))", "overflow = np.log(float(info.max))", ASSERTION),
    ("sp.exp((z[k] - top) / T)", "sp.exp(z[k] / T - top)", REFUTED),
    ('1 / (1 + sp.exp(-gap / T)), T, 0, "+"', '1 / (1 + sp.exp(-gap / T)), T, 0, "-"', REFUTED),
    ('ratio.step(z[j] - z[k], "', 'ratio.step(z[k] - z[j], "', REFUTED),
    ('relation="<=", attained={n: 1}', 'relation=">=", attained={n: 1}', REFUTED),
    ("sp.log(n * sp.exp(top), evaluate=False)", "sp.log((n + 1) * sp.exp(top), evaluate=False)", REFUTED),
    ("upper.step(top + sp.log(n),", "upper.step(top + n,", REFUTED),
    ("gradient.step(pi(j),", "gradient.step(pi(k),", REFUTED),
    ("hessian.step(pi(j) * (delta(j, k) - pi(k)),", "hessian.step(pi(j) * (delta(j, k) + pi(k)),", REFUTED),
    ("form.step(Var(v[k], softmax_law),", "form.step(Var(v[j], softmax_law),", REFUTED),
    ("others = sp.Sum((1 - delta(i, j)) *", "others = sp.Sum(", REFUTED),
    ("log_prob.step(z[k] - lse(),", "log_prob.step(z[k] + lse(),", REFUTED),
    ("online.step(sp.log(s * sp.exp(m) + sp.exp(x)),", "online.step(sp.log(s * sp.exp(m) + x),", REFUTED),
]
LOGITS = [
    ("two.step(1 / (1 + sp.exp(z2 - z1)),", "two.step(1 / (1 + sp.exp(z1 - z2)),", REFUTED),
    ("two.step(sigma(z1 - z2),", "two.step(sigma(z1 + z2),", REFUTED),
    ("linear.step(sp.Sum(x[i] * (theta1[i] - theta2[i])", "linear.step(sp.Sum(x[i] * (theta2[i] - theta1[i])", REFUTED),
    ("forms.step(sp.exp(t) / (sp.exp(t) + 1),", "forms.step(sp.exp(t) / (sp.exp(t) - 1),", REFUTED),
    ("mirror.step(1 - sigma(t),", "mirror.step(1 + sigma(t),", REFUTED),
    ("slope.step(sigma(t) * (1 - sigma(t)),", "slope.step(sigma(t) * (1 + sigma(t)),", REFUTED),
    ("ninety = np.log(9) / theta", "ninety = np.log(10) / theta", ASSERTION),
    ("sp.log(s / (1 - s))", "sp.log((1 - s) / s)", proof.ProofError),
    ("sp.Eq(s, (1 - s) * sp.exp(t))", "sp.Eq(s, (1 + s) * sp.exp(t))", REFUTED),
    ("logit_slope.step(1 / (s * (1 - s)),", "logit_slope.step(s * (1 - s),", REFUTED),
    ("class_logit.step(z[k] - sp.log(rest),", "class_logit.step(z[k] - sp.log(rest + sp.exp(z[k])),", REFUTED),
    ("stable.step(sp.Min(t, 0) -", "stable.step(sp.Max(t, 0) -", REFUTED),
    ("hyperbolic.step(2 * sigma(2 * t) - 1,", "hyperbolic.step(2 * sigma(t) - 1,", REFUTED),
]
LIKELIHOODS = [
    ("falling.step(-1 / p,", "falling.step(1 / p,", REFUTED),
    ("sigma(t)**w * (1 - sigma(t))**(1 - w)", "sigma(t)**w * (1 - sigma(t))**w", REFUTED),
    ("logistic.step(sp.log(1 + sp.exp(t)) - u * t,", "logistic.step(sp.log(1 + sp.exp(t)) + u * t,", REFUTED),
    ("bernoulli_gradient.step(sigma(t) - u,", "bernoulli_gradient.step(u - sigma(t),", REFUTED),
    ("regression.step(sp.Sum((sigma(score) - y[a]) * x[a, m]", "regression.step(sp.Sum((sigma(score) - y[a]) * x[m, a]",
     proof.ProofError),
    ("cross.step(-sp.Sum(y[k] * sp.log(pi(k))", "cross.step(-sp.Sum(pi(k) * sp.log(y[k])", proof.ProofError),
    ("categorical_gradient.step(pi(j) * mass - y[j],", "categorical_gradient.step(pi(j) - y[j],", REFUTED),
    ("gaussian.step(sp.exp(-(hat - yk)**2 / (2 * sd**2))", "gaussian.step(sp.exp(-(hat - yk)**2 / sd**2)", REFUTED),
    ("implied.step(sp.exp(2 * pi(j)),", "implied.step(sp.exp(pi(j)),", REFUTED),
    ("area.step(sp.sqrt(sp.pi),", "area.step(sp.sqrt(2 * sp.pi),", REFUTED),
    ("squared.step(2 * pi(j) * (err(j) -", "squared.step(2 * pi(j) * (err(j) +", REFUTED),
    ("square_two.step(-4 * sigma(t) *", "square_two.step(-2 * sigma(t) *", REFUTED),
    ("flat.step(0,", "flat.step(-1,", REFUTED),
    ("steep.step(-1,", "steep.step(0,", REFUTED),
    ("hump.step(16 * third**3 -", "hump.step(16 * third**2 -", REFUTED),
    ("expected.step(sp.Sum((pi(j) - q_(j))**2, (j, 1, n)) + 1", "expected.step(sp.Sum((pi(j) - q_(j))**2, (j, 1, n)) - 1",
     REFUTED),
    ("+ KL(target, model),", "+ KL(model, target),", REFUTED),
    ("(1 - 3 * sigma(t)),", "(1 - 2 * sigma(t)),", REFUTED),
]
FALSIFICATIONS = [(f"book/softmax/{name}", *case) for name, cases in
                  [("numerics", NUMERICS), ("logits", LOGITS), ("likelihoods", LIKELIHOODS)] for case in cases]


@functools.cache
def snapshots(name):
    """The cells of a chapter, each with the names that are known when it runs."""
    names, cells = {}, []
    for cell in execute.code_cells(execute.read(name)):
        cells.append((cell.source, dict(names)))
        exec(cell.source, names)
    return cells


@pytest.mark.parametrize(("name", "right", "wrong", "failure"), FALSIFICATIONS)
def test_falsified_chapter_fails(name, right, wrong, failure):
    cells = snapshots(name)
    places = [number for number, (source, _) in enumerate(cells) if right in source]
    assert len(places) == 1 and cells[places[0]][0].count(right) == 1, f"{name} says {right!r} {len(places)} times"
    names = dict(cells[places[0]][1])
    with pytest.raises(failure):
        for source, _ in cells[places[0]:]:
            exec(source.replace(right, wrong), names)

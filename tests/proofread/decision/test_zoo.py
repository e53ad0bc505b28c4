"""A zoo of wrong formulas: each is refuted with a witness, and its right version passes the same check.

Most were printed in a book or a package, or corrected there by a commit; ``where`` says so.  The others are
slips that every marker of exercises knows.
"""

from dataclasses import dataclass

import pytest

from proofread import Definition, Erratum, decide
from proofread import sympy as sp
from proofread.errors import Refuted
from proofread.evidence import enumeration
from proofread.language.sympy import (
    Abs,
    Derivative,
    EulerGamma,
    Integral,
    KroneckerDelta,
    MaxOver,
    Product,
    Rational,
    S,
    Sum,
    cos,
    exp,
    log,
    oo,
    sin,
)

x, y, a, m, theta = sp.symbols("x y a m theta", real=True)
s, p, gamma, lam = sp.symbols("s p gamma lambda", positive=True)
i, j, k, n, d = sp.symbols("i j k n d", integer=True)
z, f = sp.IndexedBase("z", real=True), sp.IndexedBase("f", real=True)
w, u, v = (sp.IndexedBase(name, positive=True) for name in "wuv")

PROBABILITY = (p > 0, p < 1)
SLIP = "a frequent slip"


def over(term, index=i):
    return Sum(term, (index, 1, n))


def softmax(index, base=z):
    return exp(base[index]) / over(exp(base[k]), k)


def normalised(base, index):
    return base[index] / over(base[k], k)


def sigma(t):
    return 1 / (1 + exp(-t))


# a joint distribution of two binary variables, as generic as can be
table = sp.symbols("t_(1:3)(1:3)", positive=True)
joint = {(r, c): table[2 * r + c] / sum(table) for r in (0, 1) for c in (0, 1)}
rows = [joint[r, 0] + joint[r, 1] for r in (0, 1)]
columns = [joint[0, c] + joint[1, c] for c in (0, 1)]


def entropy(masses):
    return -sum(q * log(q) for q in masses)


def mutual_information(weight):
    return sum(weight(r, c) * log(q / (rows[r] * columns[c])) for (r, c), q in joint.items())


information = entropy(rows) + entropy(columns) - entropy(joint.values())


def advantage(steps):
    """The generalised advantage from its recurrence A_t = delta_t + gamma lambda A_(t+1)."""
    total = S.Zero
    for delta in reversed([z[t] for t in range(1, steps + 1)]):
        total = delta + gamma * lam * total
    return total


def printed_advantage(steps, last):
    return sum((gamma * lam) ** t * z[t + 1] for t in range(steps - 1)) + (gamma * lam) ** last * z[steps]


four = range(1, 5)
weight = {q: w[q] / sum(w[r] for r in four) for q in four}


def ordered(first, second):
    return weight[first] * weight[second] / (1 - weight[first])


r1, r2, r3 = sp.symbols("r1:4", positive=True)
numbers = {key: Rational(*value) for key, value in
           {(0, 0): (1, 10), (0, 1): (1, 2), (1, 0): (1, 10), (1, 1): (3, 10)}.items()}
bits = sum(q * log(q / (sum(numbers[r, e] for e in (0, 1)) * sum(numbers[e, c] for e in (0, 1))), 2)
           for (r, c), q in numbers.items())


@dataclass(frozen=True)
class Specimen:
    name: str
    where: str
    left: object
    wrong: object
    right: object
    relation: str = "="
    options: dict = None
    status: str = "proved"  # of the right version


SPECIMENS = [
    Specimen("Gumbel recipe without the logarithm", "UvA DL notebooks, DL2/sampling/introduction.ipynb",
             normalised(w, i), exp(w[i]) / over(exp(w[k]), k), exp(log(w[i])) / over(exp(log(w[k])), k)),
    Specimen("mutual information with an expectation too many",
             "Dive into Deep Learning, information-theory.md",
             information, mutual_information(lambda r, c: rows[r] * columns[c] * joint[r, c]),
             mutual_information(lambda r, c: joint[r, c])),
    Specimen("mutual information with the sign reversed",
             "Dive into Deep Learning, information-theory.md, until 2020",
             information, -mutual_information(lambda r, c: joint[r, c]),
             mutual_information(lambda r, c: joint[r, c])),
    Specimen("mutual information of an example, in bits", "Dive into Deep Learning, information-theory.md",
             Abs(bits - Rational("0.7195")), Rational("0.00005"), None, relation="<="),
    *(Specimen(f"last exponent of the generalised advantage, {steps} steps", "labml, rl/ppo/gae.py",
               advantage(steps), printed_advantage(steps, steps + 1), printed_advantage(steps, steps - 1))
      for steps in (1, 2, 3, 4)),
    Specimen("sign of the Q-learning update", "Dive into Deep Learning, qlearning.md",
             (1 - p) * x + p * (y + gamma * a), x - p * (y + gamma * a - x), x + p * (y + gamma * a - x)),
    Specimen("ordered draw taken for a set", "UvA DL notebooks, DL2/sampling/subsets.ipynb",
             S.One, sum(ordered(q, r) for q in four for r in four if q < r),
             sum(ordered(q, r) for q in four for r in four if q != r)),
    Specimen("Gaussian KL of a VAE without the half", SLIP,
             (m**2 + s**2) / 2 - log(s) - S.Half, m**2 + s**2 - log(s**2) - 1,
             (m**2 + s**2 - log(s**2) - 1) / 2),
    Specimen("softmax Jacobian with the wrong index", SLIP, Derivative(softmax(i), z[j]),
             softmax(i) * (KroneckerDelta(i, j) - softmax(i)),
             softmax(i) * (KroneckerDelta(i, j) - softmax(j))),
    Specimen("softmax Jacobian without the delta", SLIP, Derivative(softmax(i), z[j]),
             softmax(i) * (1 - softmax(j)), softmax(i) * (KroneckerDelta(i, j) - softmax(j))),
    Specimen("softmax Jacobian with a sum over the wrong index", SLIP,
             over(Derivative(softmax(i), z[j]) * f[i]),
             softmax(j) * (f[j] - over(softmax(j) * f[i])), softmax(j) * (f[j] - over(softmax(i) * f[i]))),
    Specimen("derivative of the sigmoid", SLIP,
             Derivative(sigma(x), x), sigma(x) * (1 + sigma(x)), sigma(x) * (1 - sigma(x))),
    Specimen("sign of the binary cross-entropy", "UvA DL notebooks, corrected by a commit",
             -log(p**a * (1 - p) ** (1 - a)), a * log(p) + (1 - a) * log(1 - p),
             -a * log(p) - (1 - a) * log(1 - p),
             options={"given": PROBABILITY}),
    Specimen("sign of the logit", SLIP, log(sigma(x) / (1 - sigma(x))), -x, x),
    Specimen("log-sum-exp bound with n for log n", SLIP, log(over(exp(z[i]))), MaxOver(z[i], (i, 1, n)) + n,
             MaxOver(z[i], (i, 1, n)) + log(n), relation="<=", options={"attained": {z: 0}}),
    Specimen("log-sum-exp without the maximum added back", SLIP, log(over(exp(z[i]))),
             log(over(exp(z[i] - MaxOver(z[j], (j, 1, n))))),
             MaxOver(z[j], (j, 1, n)) + log(over(exp(z[i] - MaxOver(z[j], (j, 1, n)))))),
    Specimen("sign of the score-function gradient", SLIP, Derivative(over(softmax(i) * f[i]), z[j]),
             -over(softmax(i) * f[i] * Derivative(log(softmax(i)), z[j])),
             over(softmax(i) * f[i] * Derivative(log(softmax(i)), z[j]))),
    Specimen("sign in the rotary embedding", "labml, RoPE, corrected by a commit",
             x**2 + y**2, (x * cos(theta) + y * sin(theta)) ** 2 + (x * sin(theta) + y * cos(theta)) ** 2,
             (x * cos(theta) - y * sin(theta)) ** 2 + (x * sin(theta) + y * cos(theta)) ** 2),
    Specimen("variance of a sum, standard deviation for variance", "UvA DL notebooks, corrected twice",
             Sum(s**2, (i, 1, d)), s * d, s**2 * d),
    Specimen("cross-entropy taken for the divergence", SLIP, -over(normalised(u, i) * log(normalised(v, i))),
             over(normalised(u, i) * log(normalised(u, i) / normalised(v, i))),
             over(normalised(u, i) * log(normalised(u, i) / normalised(v, i))
                  - normalised(u, i) * log(normalised(u, i)))),
    Specimen("sign in the Gumbel distribution function", "UvA DL notebooks, corrected by a commit",
             exp(-x - exp(-x)), Derivative(exp(-exp(x)), x), Derivative(exp(-exp(-x)), x)),
    Specimen("location called the mean of a Gumbel variable", "distrax 0.1.9, gumbel.py",
             Integral((a - s * log(y)) * exp(-y), (y, 0, oo)), a, a + s * EulerGamma),
    Specimen("Gumbel-max with the noise subtracted", "chainerrl, corrected by #104", r1 / (r1 + r2 + r3),
             Integral(exp(-x / r1) / r1 * (1 - exp(-x / r2)) * (1 - exp(-x / r3)), (x, 0, oo)),
             Integral(r1 * exp(-(r1 + r2 + r3) * x), (x, 0, oo))),
    Specimen("entropy of a softmax with the sign reversed", SLIP, -over(softmax(i) * log(softmax(i))),
             log(over(exp(z[i]), i)) + over(softmax(i) * z[i]),
             log(over(exp(z[i]), i)) - over(softmax(i) * z[i])),
    Specimen("logarithmic derivative upside down", SLIP, Derivative(softmax(i), z[j]),
             Derivative(log(softmax(i)), z[j]) / softmax(i), Derivative(log(softmax(i)), z[j]) * softmax(i)),
    Specimen("last power of a geometric sum", SLIP,
             Sum(s**i, (i, 0, n)), (1 - s**n) / (1 - s), (1 - s ** (n + 1)) / (1 - s)),
    Specimen("independence for exclusive events", SLIP,
             1 - over(softmax(i)), Product(1 - softmax(i), (i, 1, n)), S.Zero),
    Specimen("hyperbolic tangent from the sigmoid", SLIP, sp.tanh(x), 2 * sigma(x) - 1, 2 * sigma(2 * x) - 1),
]

def name(specimen):
    return specimen.name


@pytest.mark.parametrize("specimen", SPECIMENS, ids=name)
def test_the_wrong_version_is_refuted_with_a_witness(specimen):
    verdict = decide(specimen.left, specimen.wrong, specimen.relation, **(specimen.options or {}))
    assert verdict.status == "refuted"
    assert "left" in verdict.witness
    assert "right" in verdict.witness


@pytest.mark.parametrize("specimen", [one for one in SPECIMENS if one.right is not None], ids=name)
def test_the_right_version_passes(specimen):
    verdict = decide(specimen.left, specimen.right, specimen.relation, **(specimen.options or {}))
    assert verdict.status == specimen.status, verdict


def test_the_zoo_is_large_and_every_specimen_says_where_it_lives():
    assert len(SPECIMENS) >= 25
    assert all(one.where for one in SPECIMENS)
    assert sum(one.where != SLIP for one in SPECIMENS) >= 12


def test_the_right_information_of_the_example_in_bits():
    assert decide(Abs(bits - Rational("0.0074")), Rational("0.00005"), "<=").status in ("proved", "agrees")


def test_jensen_holds_one_way_only():
    inside, outside = log(over(normalised(u, i) * v[i])), over(normalised(u, i) * log(v[i]))
    assert decide(inside, outside, "<=").status == "refuted"
    assert decide(inside, outside, ">=").status in ("proved", "agrees")


def test_a_loose_bound_is_true_and_only_the_claim_that_it_is_attained_is_refuted():
    loose = MaxOver(z[i], (i, 1, n)) + n
    assert decide(log(over(exp(z[i]))), loose, "<=").status in ("proved", "agrees")


EQUATIONS = [one for one in SPECIMENS if one.right is not None and one.relation == "="]


@pytest.mark.parametrize("specimen", EQUATIONS, ids=name)
def test_the_wrong_version_is_quoted_as_an_erratum_and_the_right_one_is_not(specimen):
    right = Definition("L", (), specimen.left, label="eq-right", title=specimen.name)
    given = (specimen.options or {}).get("given", ())
    options = {"correct": right, "consequence": "", "given": given}
    note = Erratum(specimen.where, (specimen.left, specimen.wrong), **options)
    assert note.entry().status == "refuted"
    assert note.printed in note.sentence()  # which was read back
    with pytest.raises(ValueError, match="is not refuted"):
        Erratum(specimen.where, (specimen.left, specimen.right), **options)


def nothing(value):
    return Definition("N", (), value, label="eq-n", title="a number")


def test_a_joint_distribution_that_sums_to_more_than_one_is_refused():
    # Dive into Deep Learning, information-theory.md: the example of the conditional entropy
    masses = {(0, 0): 0.1, (0, 1): 0.5, (1, 0): 0.2, (1, 1): 0.3}
    with pytest.raises(Refuted, match="4 outcomes sum to"):
        enumeration(lambda c: 0.0, masses.get, list(masses), 0.0, of=nothing(S.Zero), at={}, title="entropy",
                    bound=4, because="one sum")


@pytest.mark.parametrize("row", [(0, 5, 0.5), (1.5, -0.5)])
def test_a_row_that_is_no_distribution_is_refused(row):
    # quantecon 0.11.4, markov/core.py: a comma for a point in the example of a stochastic matrix
    with pytest.raises(Refuted, match="sum to"):
        enumeration(float, lambda c: row[c], range(len(row)), 0.5, of=nothing(S.Half), at={}, title="row",
                    bound=4, because="one sum")

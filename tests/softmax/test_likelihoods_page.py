"""The chapter book/softmax/likelihoods: what must not pass on it."""

from proofread.errors import ProofError, Refuted
from proofread.testing import Falsified, Page

UNDETERMINED = {
    "eq-linear-logits": r"s_{a,k} := \sum_{b=1}^{D} \theta_{k,b} x_{a,b}",
    "eq-example-target": r"\tau_{a,k} := \frac{w_{a,k}}{\sum_{i=1}^{n} w_{a,i}}",
}
UNCHECKED = [
    r"(\log f)' = f'/f", r"-\log\sigma(-t) = \log(1+e^t) = t - \log\sigma(t)", "2h", r"\arg\max", r"\arg\min",
    r"\int_0^\infty r^2 e^{-r}\,dr = \Gamma(3)",
    r"\log\pi_k = z_k - \operatorname{lse}(z)", r"\partial s_a / \partial\theta_c = x_{a,c}",
    r"\partial s_{a,j}/\partial\theta_{j,c} = x_{a,c}", r"\partial z_k / \partial z_j = \delta_{j,k}",
    r"\sqrt\pi/\sqrt\pi", r"e^t / (1 + e^t) = \sigma(t)", "k=j", "y = q", "y = w", r"|\hat y - y|",
]

PAGE = Page("book/softmax/likelihoods", [
    Falsified("falling.step(-(1 / L[m]),", "falling.step(1 / L[m],", Refuted),
    Falsified("least.step(-sp.log(MaxOver(", "least.step(sp.log(MaxOver(", Refuted),
    Falsified("by=bounds.largest(L[l], (l, 1, M), m).log())",
              "by=bounds.largest(L[l], (l, 1, N), m).log())", ProofError),
    Falsified("sigma(t)**u * (1 - sigma(t))**(1 - u)",
              "sigma(t)**u * (1 - sigma(t))**u", Refuted),
    Falsified("logistic.step(sp.log(1 + sp.exp(t)) - u * t,",
              "logistic.step(sp.log(1 + sp.exp(t)) + u * t,", Refuted),
    Falsified("bernoulli_gradient.step(sigma(t) - u,", "bernoulli_gradient.step(u - sigma(t),", Refuted),
    Falsified("terms = sp.Sum(sp.log(1 + sp.exp(odds(a))) - y[a] * odds(a), (a, 1, N))",
              "terms = sp.Sum(sp.log(1 + sp.exp(odds(a))) - odds(a), (a, 1, N))", ProofError),
    Falsified("regression.step(sp.Sum((sigma(odds(a)) - y[a]) * x[a, c]",
              "regression.step(sp.Sum((sigma(odds(a)) - y[a]) * x[c, a]", ProofError),
    Falsified("cross.step(-sp.Sum(y[k] * sp.log(pi(k))",
              "cross.step(-sp.Sum(pi(k) * sp.log(y[k])", ProofError),
    Falsified("categorical_gradient.step(pi(j) * mass - y[j],",
              "categorical_gradient.step(pi(j) - y[j],", Refuted),
    Falsified("terms = sp.Sum(goal(a, k) * sp.log(prob(a, k)), (k, 1, n), (a, 1, N))",
              "terms = sp.Sum(prob(a, k) * sp.log(goal(a, k)), (k, 1, n), (a, 1, N))", Refuted),
    Falsified("sp.Sum((prob(a, j) - goal(a, j)) * x[a, c]", "sp.Sum((goal(a, j) - prob(a, j)) * x[a, c]",
              Refuted),
    Falsified("balance.step(0,", "balance.step(1,", Refuted),
    Falsified("factor = sp.pi**(n / 2)", "factor = sp.pi**n", Refuted),
    Falsified("area.step(sp.sqrt(sp.pi),", "area.step(sp.sqrt(2 * sp.pi),", Refuted),
    Falsified("squares_gradient.step(2 * (guess[j] - y[j]),", "squares_gradient.step(2 * (y[j] - guess[j]),",
              Refuted),
    # the start of a chain
    Falsified("sp.Sum(sp.Product(pi(k)**delta(j, k), (k, 1, n)), (j, 1, n))",
              "sp.Sum(sp.Product(pi(k)**delta(j, k), (k, 1, n)), (j, 2, n))", ProofError),
    Falsified("total = sp.Sum(w[i] * sp.exp(t * v[i])", "total = sp.Sum(w[i] * sp.exp(-t * v[i])", Refuted),
    Falsified("laplace = Derivation(sp.Integral(sp.exp(-sp.Abs(r))",
              "laplace = Derivation(sp.Integral(sp.exp(-2 * sp.Abs(r))", Refuted),
    # laws that are none
    Falsified('phi = Definition(r"\\phi", (r,), sp.exp(-r**2) / sp.sqrt(sp.pi)',
              'phi = Definition(r"\\phi", (r,), sp.exp(-r**2) / sp.sqrt(2 * sp.pi)', Refuted),
    Falsified('tilted = Definition("g_{#1}", (k,), w[k] * sp.exp(t * v[k])',
              'tilted = Definition("g_{#1}", (k,), w[k] * sp.exp(2 * t * v[k])', Refuted,
              says="total weight"),
    # evidence for another equation
    Falsified("of=soft, at={z: some, w: parts}", "of=cross, at={z: some, y: drawn}", ValueError,
              says="no side of eq-categorical-nll"),
    Falsified("at={z: some, w: parts}", "at={z: some, w: parts[::-1]}", ValueError,
              says="no side of eq-cross-gradient"),
    # numbers, and what is compared with them
    Falsified("nudges = 1e-6 * np.eye(here.size)", "nudges = 10 * np.eye(here.size)", AssertionError),
    Falsified("softmax(ink @ weights.T) - goals)", "softmax(ink @ weights.T) + goals)", AssertionError),
    Falsified("softmax(ink @ weights.T) - goals).T @ ink / len(ink)",
              "softmax(ink @ weights.T) - goals).T @ ink / 64", AssertionError),
    Falsified("(cost(here + h * way) - cost(here - h * way)) / (2 * h)",
              "(cost(here + h * way) - cost(here)) / h", AssertionError),
    Falsified("penalty = 1e-3 * np.append(np.ones(64), 0)", "penalty = 1e-3 * np.append(np.ones(64), 1)",
              AssertionError),
    Falsified("reference = fit(train, l2=1e-3)", "reference = fit(train, l2=1e-2)", AssertionError),
    Falsified('"maxiter": 5000', '"maxiter": 50', AssertionError),
    Falsified("right = 1 - mistakes(best, test)", "right = mistakes(best, test)", AssertionError),
    Falsified("np.array([0.5, 0.5, 0.1, 0.0])", "np.array([0.5, 0.4, 0.1, 0.0])", NameError, says="refusal"),
    # targets of another sum, and noise with tails
    Falsified("weighed.step(sp.Sum(w[k], (k, 1, n)) * (pi(j) - q(j)),", "weighed.step(pi(j) - q(j),",
              Refuted),
    Falsified("sp.exp(-sp.Abs(r)) / laplace.end,", "sp.exp(-sp.Abs(r)) / 3,", Refuted,
              says="total weight"),
    Falsified("laplace_variance.step(2,", "laplace_variance.step(1,", Refuted),
    Falsified("counts_slope.step(sp.exp(t) - u,", "counts_slope.step(u - sp.exp(t),", Refuted),
    # relations in sentences, and what the symbols mean
    Falsified(r"- t\,u +", r"+ t\,u +", Refuted, sentence=True),
    Falsified(r"\pi \approx 3.14", r"\pi \approx 3.15", Refuted, sentence=True),
    Falsified('t: "log-odds, or another prediction", ', "", ValueError, says="t is not declared"),
    Falsified('eps: ("how much', 'sp.Symbol(r"\\phi"): "noise", eps: ("how much', ValueError,
              says="two meanings"),
], undetermined=UNDETERMINED, unchecked=UNCHECKED, mistakes=[
    ("ex-likelihoods-1", "u - exp(t)", "of the loss"),
    ("ex-likelihoods-1", "exp(t)", "becomes of the target"),
    ("ex-likelihoods-1", "exp(t) - u*t", "how steep"),
], exercises=1)

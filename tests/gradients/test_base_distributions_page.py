"""The chapter book/gradients/base_distributions: what must not pass on it, and its exercises."""

from proofread.errors import Misprinted, ProofError, Refuted
from proofread.testing import Falsified, Page

MISTAKES = [
    ("ex-base-pareto", "(1 - u)**(-1 / a)", "does it fall"),
    ("ex-base-pareto", "u**(-a)", "light or heavy"),
    ("ex-base-pareto", "u**(1 / a)", "above 1"),
    ("ex-falling-map", "-alpha*exp(-alpha*t)", "rise or fall"),
    ("ex-falling-map", "exp(-alpha*t)", "how steep"),
    ("ex-base-too-sure", "(1 - log(2)) / 2", "the first one"),
    ("ex-base-too-sure", "log(2) - 1 / 2", "in front of the bracket"),
    ("ex-base-two-clocks", "exp(-x) / (1 + exp(-x))**2", "the density"),
    ("ex-base-two-clocks", "1 / (1 + exp(x))", "rise or fall"),
    ("ex-base-two-clocks", "1 - exp(-x) / 2", "their logarithms|of their"),
]

QUOTATIONS = {
    "Xu (2019), other re-parameterizations, the second Laplace row":
        r"\mu - b \operatorname{sign}(u - \frac{1}{2}) \log(1 - 2 |u - \frac{1}{2}|)"
        r" = \mu - b \operatorname{sign}(u) \log(1 - 2 |u|)",
    "Xu (2019), other re-parameterizations, the first Laplace row":
        r"\int_{|x|}^{\infty} \tfrac{1}{2} e^{-S} \, dS = e^{-|x|}",
    "Xu (2019), other re-parameterizations, the first Gaussian row":
        r"\int_{0}^{1} \int_{0}^{1} (\sqrt{\log(\frac{1}{U_{1}})} \cos(2 \pi U_{2}))^{2}"
        r" \, dU_{1} \, dU_{2} = 1",
}

UNCHECKED = [
    "(-e^{-s})' = e^{-s}", r"(x - \mu)^\top(RR^\top)^{-1}(x - \mu)", r"1/\theta", "10^9", r"F^{-1}(u) \le x",
    r"P(x \mid z)\,P(z)", "R^{-1}R = I", "T_2 - T_1", r"\log(T_1/T_2)", r"\mathcal N(\mu, RR^\top)",
    r"\mathrm{KL}(p\,\|\,q)", r"\mu + R\varepsilon", r"\sqrt{\log(2/\alpha)/(2n)}",
    r"\tan(\alpha + \pi) = \tan\alpha", r"\tan\bigl(\pi(u - \tfrac12)\bigr)",
    r"\tfrac12 + \tfrac1\pi\arctan x", "a t^{-a-1}", "c = 0", "c = 1", r"u \le F(x)", r"x - \mu",
    "|(1/t)'| = t^{-2}", r"|\det R|", "|g'(u)|",
    r"\cos^2", r"\sqrt2",
    r"-\psi'(t)", r"-\log(U)/\alpha", "F' = f", r"R^\top(RR^\top)^{-1}R = I", r"X \ge \psi(y)",
    r"X \le \psi(y)", r"\det RR^\top = (\det R)^2", "|dx|", "|dy|",
]
UNDETERMINED = {
    "eq-distribution-function": r"F(x) := \int_{-\infty}^{x} f(v) \, dv",
}
ARGUED = {
    "eq-density-monotone": r"q(y)=f(\psi(y))|\psi'(y)|",
    "eq-base-inverse": r"\Pr(F^{-1}(\varepsilon) \le x) = F(x)",
}

PAGE = Page("book/gradients/base_distributions", [
    # the table as it is printed, and as it should be
    Falsified('"exponential": log(1 / u),', '"exponential": log(1 / u) / 2,', AssertionError),
    Falsified('"Cauchy": tan(pi * u),', '"Cauchy": tan(pi * u / 2),', AssertionError),
    Falsified("sqrt(log(1 / u)) * cos(2 * pi * v),",
              "sqrt(2 * log(1 / u)) * cos(2 * pi * v),", AssertionError),
    Falsified('"inverse gamma": 1 / rng.gamma(3, 1 / 2,',
              '"inverse gamma": 1 / rng.gamma(3, 2,', AssertionError),
    Falsified('reparameterise("laplace_ratio")', 'reparameterise("laplace", scale=2)', AssertionError),
    Falsified("stats.lognorm(0.5, scale=exp(1))", "stats.lognorm(0.5)", AssertionError),
    Falsified('("truth", grid, density)]',
              '("truth", grid, 1.1 * density)]', ValueError, says="is drawn at"),
    # maps
    Falsified("up.step(f(psi(y)) * sp.Derivative(psi(y), y),",
              "up.step(f(psi(y)) / sp.Derivative(psi(y), y),", Refuted),
    Falsified("1 - F(psi(y)), label", "F(psi(y)), label", Refuted),
    Falsified("down.step(-f(psi(y))", "down.step(f(psi(y))", Refuted),
    Falsified("scaled, increasing=True,", "scaled, increasing=False,", ProofError),
    Falsified("Distributed(m - sigma * xi,", "Distributed(m - xi / sigma,", ProofError),
    Falsified("normal(X, m, sigma**2), -sp.oo", "normal(X, m, sigma), -sp.oo", Refuted),
    Falsified("/ (2 * sp.pi * r * s)", "/ (2 * sp.pi * r)", ProofError),
    Falsified("inverse=(X1 / r, (X2 - ell * X1 / r) / s)",
              "inverse=(X1 / r, (X2 - ell * X1) / s)", ProofError),
    Falsified("* sp.sqrt(sp.Determinant(R)**2),", "* sp.Determinant(R)**2,", Refuted),
    # rows with one number
    Falsified("sp.log(1 / U), uniform, waiting, increasing=False",
              "sp.log(1 / U), uniform, waiting, increasing=True",
              Refuted, says="the density does not fit"),
    Falsified("Distributed(sp.tan(sp.pi * V), centred,",
              "Distributed(sp.tan(sp.pi * V / 2), centred,", Refuted),
    Falsified('1, -half, half)', '1, 0, 1)', ProofError),
    Falsified("turn = Derivation(sp.tan(sp.pi * (V + 1)),",
              "turn = Derivation(sp.tan(sp.pi * (V + half)),", Refuted),
    Falsified("(m - b * sp.log(1 - 2 * V), True))", "(m + b * sp.log(1 - 2 * V), True))", Refuted),
    Falsified("1 / (sp.pi * (1 + X**2))", "1 / (1 + X**2)", Refuted, says="total weight"),
    Falsified("below.step(m + b * sp.log(2 * w),", "below.step(m - b * sp.log(2 * w),", Refuted),
    Falsified("(one_formula, m - b * sp.sign(w) * sp.log(1 - 2 * abs(w)))",
              "(one_formula, m + b * sp.log(2 * w))", ValueError, says="is not refuted"),
    # two numbers
    Falsified("(-sp.log(U1 * U2), sp.log(U1 / U2)), pair", "(-sp.log(U1 * U2), sp.log(U2 / U1)), pair",
              Refuted),
    Falsified("gap.step(half * sp.exp(-abs(x)),", "gap.step(sp.exp(-abs(x)),", Refuted),
    Falsified("        (gap.start, sp.exp(-abs(x))), correct=gap",
              "        (gap.start, gap.end), correct=gap",
              ValueError, says="is not refuted"),
    Falsified("radius, angle = sp.sqrt(2 * sp.log(1 / U1)),",
              "radius, angle = sp.sqrt(sp.log(1 / U1)),", Refuted),
    Falsified("variance.step(2 * half,", "variance.step(half,", Refuted),
    Falsified("(second_moment(sp.sqrt(sp.log(1 / U1))), 1), correct=variance",
              "(second_moment(radius), 1), correct=variance", ValueError, says="is not refuted"),
    # other noise
    Falsified("affine.step(Scalar(noise.T * noise),",
              "affine.step(Scalar(noise.T * R * noise),", ProofError),
    Falsified("signs.step(half * h(-1) + half * h(1),", "signs.step(half * h(0) + half * h(1),", Refuted),
    Falsified("Distributed(sp.exp(X), located,", "Distributed(sp.exp(-X), located,", Refuted),
    Falsified("theta**k * t**(-k - 1) * sp.exp(-theta / t)",
              "theta**k * t**(-k - 1) * sp.exp(-1 / (theta * t))",
              Refuted),
    # figures
    Falsified("levels, grid = np.arange(1, 20) / 20,",
              "levels, grid = np.arange(1, 20) / 21,", AssertionError),
    Falsified("curves=[np.stack(rays, 1), ours.transform(fine - 0.5)", "curves=[np.stack(rays, 1), fine",
              ValueError, says="is drawn at"),
    Falsified("    r = sqrt(-2 * log(a))", "    r = sqrt(-log(a))", AssertionError),
    Falsified("curves=[ring.T, ring.T / sqrt(2)]",
              "curves=[ring.T, ring.T / 2]", ValueError, says="is drawn at"),
    # data
    Falsified("scale=log(ink).std()),", "scale=ink.std()),", AssertionError),
    Falsified('loc=ink.mean(), scale=ink.std()),', 'loc=ink.mean(), scale=2 * ink.std()),', AssertionError),
    # exercises and sentences
    Falsified("falls.solution(-sp.diff(", "falls.solution(sp.diff(", Refuted),
    Falsified("too_sure.solution(half * (half + 0 - 1 - sp.log(half)))",
              "too_sure.solution(half * (half + 0 - 1 + sp.log(half)))", Refuted),
    Falsified("pareto.solution(w**(-1 / a))", "pareto.solution(w**(-a))", Refuted),
    Falsified("stats.logistic.cdf, effect=0.02", "stats.norm.cdf, effect=0.02", ValueError,
              says="no side of eq-base-two-clocks"),
    Falsified("np.diff(log(rng.exponential(size=(2, n))), axis=0)[0]", "rng.normal(size=n)", Refuted),
    Falsified('r"\\mu = 0": "condition"', 'r"\\mu = 0": sp.Eq(b, 0)', Misprinted),
    Falsified('side: "side of a coin",', "", ValueError, says="is not declared"),
], exercises=4, argued=ARGUED, undetermined=UNDETERMINED,
    unchecked=UNCHECKED, mistakes=MISTAKES, quotations=QUOTATIONS)

"""The chapter book/gradients/base_distributions: what must not pass on it, and its exercises."""

from proofread.errors import ProofError, Refuted, Vacuous
from proofread.testing import Falsified, Page

MISTAKES = [
    ("ex-base-pareto", "(1 - u)**(-1 / a)", "does it fall"),
    ("ex-base-pareto", "u**(-a)", "light or heavy"),
    ("ex-base-pareto", "u**(1 / a)", "above 1"),
    ("ex-base-square", "exp(-t / 2) / sqrt(2 * pi * t) / 2", "How many values"),
    ("ex-base-square", "2 * exp(-t / 2) / sqrt(2 * pi)", "how fast"),
    ("ex-base-square", "exp(-t**2 / 2) / sqrt(2 * pi * t)", "At which noise"),
    ("ex-base-too-sure", "(1 - log(2)) / 2", "the first one"),
    ("ex-base-too-sure", "log(2) - 1 / 2", "in front of the bracket"),
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
    "(-e^{-s})' = e^{-s}", "-(x/b)^a", r"1/\sqrt n", "2^{-24}", "F' = p", r"F^{-1}(u) \le x",
    r"R^\top R", r"R^\top(RR^\top)^{-1}R = I", "T_2 - T_1", r"\cos^2", r"\det RR^\top = (\det R)^2",
    r"\mathcal{N}(0, RR^\top)", r"\mathrm{KL}(p\,\|\,q)", r"\mu - s\log(-\log u)", r"\pi(u - \tfrac12)",
    r"\sqrt2", r"\sqrt{\log(2/\alpha)/(2n)}",
    r"\varepsilon \le \psi(y)", r"\varepsilon^2", "f(1) - f(-1)",
    r"u \le F(x)", "x^{-a-1}e^{-b/x}", r"|\det R|", r"|\det g'|",
    "c = 0", "c = 1",
    r"-\psi", "-g", "-y", "1 - u", r"\log 2", "a t^{-a-1}", "p/q", "x^2",
]
UNDETERMINED = {
    "eq-distribution-function": r"F(x) := \int_{-\infty}^{x} p(v) \, dv",
}
ARGUED = {
    "eq-density-monotone": r"q(y)=p(\psi(y))|\psi'(y)|",
    "eq-base-inverse": r"\Pr(F^{-1}(\varepsilon) \le x) = F(x)",
}

PAGE = Page("book/gradients/base_distributions", [
    # nine samplers, and the test
    Falsified("torch.isposinf(-safe[0].log())", "torch.isposinf(-safe[1].log())", AssertionError),
    Falsified('"exponential": lambda: -scale * log(u),', '"exponential": lambda: -log(u) / scale,',
              AssertionError),
    Falsified('"Cauchy": lambda: loc + scale * tan(pi * u),',
              '"Cauchy": lambda: loc + scale * tan(pi * u / 2),',
              AssertionError),
    Falsified('"Laplace A": lambda: loc + scale * log(u / v),',
              '"Laplace A": lambda: loc + scale * log(u * v),',
              AssertionError),
    Falsified('"normal pair": lambda: noise @ R,', '"normal pair": lambda: noise @ R.T,', AssertionError),
    Falsified("loc + scale * sqrt(log(1 / u)) * cos(2 * pi * v)),",
              "loc + scale * sqrt(2 * log(1 / u)) * cos(2 * pi * v)),", AssertionError),
    Falsified("1 / Gamma(shape, scale).sample((n,)),", "1 / Gamma(shape, 1 / scale).sample((n,)),",
              AssertionError),
    Falsified("if not far[name] <= allowed]", "if far[name] > allowed]", AssertionError),
    Falsified("abs(after - cdf(places)),", "abs(after - 0.9 * cdf(places)),", AssertionError),
    Falsified("                   abs(before - cdf(left))])", "                   ])", AssertionError),
    Falsified("left = np.nextafter(places, -np.inf)", "left = places", AssertionError),
    Falsified("np.maximum(noise[:, 0].numpy(), 0)", "np.maximum(noise[:, 0].numpy(), -9)", AssertionError),
    Falsified("coin_peer = stats.kstest(draws[\"sign\"], coin.cdf).statistic", "coin_peer = far[\"sign\"]",
              AssertionError),
    Falsified("(stats.laplace.stats(moments=\"k\") + 2) / 4", "(stats.laplace.stats(moments=\"k\") + 2) / 2",
              AssertionError),
    Falsified("stats.lognorm(0.5, scale=np.e), stats.invgamma", "stats.lognorm(0.5), stats.invgamma",
              AssertionError),
    Falsified("curves=shown, shapes=filled,", "curves=shown[::-1], shapes=filled,", ValueError,
              says="is drawn at"),
    Falsified('"normal pair": lambda: noise @ R.T,', '"normal pair": lambda: noise @ R,', AssertionError),
    Falsified("scale * sign(u - 0.5) * log(1 - 2 * abs(u - 0.5))),",
              "scale * sign(u - 0.5) * log(1 - abs(u - 0.5))),", AssertionError),
    Falsified('reparameterise("laplace_ratio", **middle)', 'reparameterise("laplace_ratio", loc=1.0)',
              AssertionError),
    Falsified("free.sum(1), stats.norm(0, np.sqrt(10))", "free.sum(1), stats.norm(0, np.sqrt(6))",
              AssertionError),
    # maps
    Falsified("up.step(p(psi(y)) * sp.Derivative(psi(y), y),",
              "up.step(p(psi(y)) / sp.Derivative(psi(y), y),", Refuted),
    Falsified("scaled, increasing=True,", "scaled, increasing=False,", ProofError),
    Falsified("normal(X, m, sigma**2), -sp.oo", "normal(X, m, sigma), -sp.oo", Refuted),
    Falsified("lambda u: laplace(u, 0.505), target)", "lambda u: laplace(u, 0.5), target)", AssertionError),
    Falsified("log(1 - 2 * abs(u - 0.5)), target)", "log(1 - abs(u - 0.5)), target)", AssertionError),
    Falsified("laplace(u.clamp(1e-4, 1 - 1e-4)), target)", "laplace(u.clamp(1e-3, 1 - 1e-3)), target)",
              AssertionError),
    Falsified("mismatch(lambda u: -0.5 * log(u), D.Exponential(2.0))",
              "mismatch(lambda u: -0.5 * log(u), D.Exponential(0.5))", AssertionError),
    Falsified("    logarithm, negative, logarithm,", "    logarithm, negative, logarithm, negative,",
              AssertionError),
    # one number
    Falsified("sp.log(1 / U), uniform, waiting, increasing=False",
              "sp.log(1 / U), uniform, waiting, increasing=True",
              Refuted, says="the density does not fit"),
    Falsified("Distributed(sp.tan(sp.pi * V), centred,",
              "Distributed(sp.tan(sp.pi * V / 2), centred,", Refuted),
    Falsified('1, -half, half)', '1, 0, 1)', ProofError),
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
    Falsified("* sp.sqrt(sp.Determinant(Rd)**2),", "* sp.Determinant(Rd)**2,", Refuted),
    Falsified("L.T @ L, [[5, 1], [1, 1]]", "L.T @ L, [[4, 2], [2, 2]]", AssertionError),
    # gradients
    Falsified('"log-normal": lambda: exp(torch.normal(loc.expand(n), scale)),',
              '"log-normal": lambda: exp(loc + scale * noise[:, 0]),', AssertionError, slow=True),
    Falsified('"log-normal": lambda: exp(loc + scale * noise[:, 0]),',
              '"log-normal": lambda: exp(loc + scale**2 * noise[:, 0]),', AssertionError),
    Falsified("1 / Gamma(shape, scale).rsample((n,))}", "1 / Gamma(shape, 1 / scale).rsample((n,))}",
              AssertionError),
    Falsified("D.InverseGamma(shape, scale),", "D.InverseGamma(shape, scale.detach()),", AssertionError),
    Falsified('exact["sign"] = np.log(2) - np.log(10)', 'exact["normal"] = np.log(2) - np.log(10)',
              AssertionError),
    Falsified("signs.step((1 - chance_) * f(-1) + chance_ * f(1),",
              "signs.step(chance_ * f(-1) + (1 - chance_) * f(1),", Refuted),
    # rounding
    Falsified("waits = -log(ends)  ", "waits = -torch.log1p(-ends)  ", AssertionError),
    Falsified("sqrt(-2 * log(1 - low)) * cos(2 * pi * high)", "sqrt(-2 * log(low)) * cos(2 * pi * high)",
              AssertionError),
    # figures
    Falsified("levels, grid = np.arange(1, 20) / 20,",
              "levels, grid = np.arange(1, 20) / 21,", AssertionError),
    Falsified("curves=[np.stack(rays, 1), ours.transform(fine - 0.5)", "curves=[np.stack(rays, 1), fine",
              ValueError, says="is drawn at"),
    Falsified("    r = np.sqrt(-2 * np.log(a))", "    r = np.sqrt(-np.log(a))", AssertionError),
    Falsified("curves=[ring.T, ring.T / np.sqrt(2)]",
              "curves=[ring.T, ring.T / 2]", ValueError, says="is drawn at"),
    # exercises and sentences
    Falsified("two_pieces.step(sp.exp(-t / 2)", "two_pieces.step(half * sp.exp(-t / 2)", Refuted),
    Falsified("too_sure.solution(half * sp.log(2) - half * half)",
              "too_sure.solution(half * sp.log(2) + half * half)", Refuted),
    Falsified("pareto.solution(w**(-1 / a))", "pareto.solution(w**(-a))", Refuted),
    Falsified("    return scale * (-torch.log1p(-u)) ** (1 / shape)",
              "    return scale * (-torch.log1p(-u)) ** shape", Refuted, says="is the power the shape"),
    Falsified("    return scale * (-torch.log1p(-u)) ** (1 / shape)",
              "    return scale * (-log(u)) ** (1 / shape)", Refuted, says="can return 0"),
    Falsified('"the power is the shape": lambda u, a, b: b * wait(u)**a,',
              '"the power is the shape": lambda u, a, b: b * wait(u)**(1 / a),', Vacuous),
    Falsified('wait(u.sort().values)', 'wait(u)', Vacuous),
    Falsified('side: "side of a coin",', "", ValueError, says="is not declared"),
], exercises=4, argued=ARGUED, undetermined=UNDETERMINED,
    unchecked=UNCHECKED, mistakes=MISTAKES, quotations=QUOTATIONS)

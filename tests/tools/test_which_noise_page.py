"""The chapter book/tools/which_noise: what must not pass on it, and its exercises."""

from proofread.errors import Refuted, Vacuous
from proofread.testing import Falsified, Page

MISTAKES = [
    ("ex-gumbel-difference", "exp(x) / (exp(x) + 1)", "density is one step further"),
    ("ex-gumbel-difference", "exp(-x) * exp(-exp(-x))", "symmetric about 0"),
    ("ex-probit", "(1 + erf(d/sqrt(2*v)))/2", "variance of a difference"),
    ("ex-probit", "1/2 + erf(d/(2*v))/2", "not by its root"),
    ("ex-probit", "exp(d)/(1 + exp(d))", "two normal"),
    ("ex-subtracted", "1/(1 + 2*exp(-d))", "noise that is added"),
    ("ex-subtracted", "(exp(d) - 1)/(exp(d) + 1)", "away twice"),
]

QUOTATIONS = {
    "UvA Deep Learning Tutorials, Sampling Discrete Structures":
        r"\Pr(\arg\max_i (w_i + G_i) = k) = \frac{w_{k}}{\sum_{i=1}^{n} w_{i}}",
    "Xu (2019), how to sample a Gumbel":
        r"\Pr(\arg\max_i (\mu_i + \mathcal{G}) = k) = \frac{e^{\mu_{k}}}{\sum_{i=1}^{n} e^{\mu_{i}}}",
}

UNDETERMINED = {
    "eq-half-shared-noise": r"\tilde{G}(G, B) := \tfrac{1}{2} \left(G - \log 2\right) - \log B",
}
UNCHECKED = [
    "-d", "2v", "G + c", "G_1 - G_2", "G_1 - d", "G_2 - G_1", r"G_i - \mu_i", r"\arg\max_i\,(\log w_i + G_i)",
    r"\frac12(1 + \mathrm{erf}(x/\sqrt{2}))", r"\mathbb{E}\,e^{-s^2/(2B^2)} = e^{-s}", r"\mu_i + V_i",
    r"\mu_i + \beta G_i", r"\mu_i = w_i", r"\mu_i/\beta", r"\rho(0) = 1", r"\rho(a)\,\rho(b)\,\rho(-a-b)",
    r"\sigma(-d)", r"\sigma(1-\sigma)", r"\varphi(a)\,\varphi(-a)", "b = 0", "s = e^{-x}",
]
ARGUED = {
    "eq-rho-unit": r"\rho(a) \rho(-a) = 1",
}

PAGE = Page("book/tools/which_noise", [
    Falsified("win[1] / softmax(logits)[1]", "softmax(logits)[1] / win[1]", AssertionError),
    Falsified('found["scale 2 for all"] - softmax(logits / 2)',
              'found["scale 2 for all"] - softmax(logits * 2)', AssertionError),
    Falsified("sp.Heaviside(mu[k] - mu[i])", "sp.Heaviside(mu[i] - mu[k])", ValueError,
              says="no side of eq-shared-noise"),
    Falsified("gumbel((n, 1), rng=rng), axis=1),", "gumbel((n, 4), rng=rng), axis=1),", Refuted),
    Falsified("weights = Derivation(sp.exp(sp.log(w[k]))", "weights = Derivation(sp.exp(w[k])", Refuted),
    Falsified("(added(k), w[k] / sp.Sum(w[i], (i, 1, n)))",
              "(added(k), sp.exp(w[k]) / sp.Sum(sp.exp(w[i]), (i, 1, n)))",
              ValueError, says="is not refuted"),
    Falsified("correct=weights,", "correct=shared,", ValueError, says="no side in common"),
    Falsified("of=added, at={w: weight}", "of=added, at={w: np.log(weight)}", ValueError,
              says="w is positive"),
    Falsified('bars(wins["uniform"]), gid=', 'bars(wins["normal"]), gid=', ValueError, says="is drawn at"),
    Falsified("(shared(k), softmax_k)",
              "(shared(k), Without(sp.Product(sp.Heaviside(mu[k] - mu[i]), (i, 1, n)), k))",
              ValueError, says="is not refuted"),
    # location and logit
    Falsified("gumbel((n, 4), loc=logits, rng=rng), axis=1),", "gumbel((n, 4), rng=rng), axis=1),", Refuted),
    Falsified("softmax(2 * logits), effect=0.01, of=twice,", "softmax(logits), effect=0.01, of=twice,",
              ValueError, says="no side of eq-location-twice"),
    # noise that is half shared
    Falsified("sp.exp(-sp.exp(-2 * x) / (2 * B**2))",
              "sp.exp(-sp.exp(-2 * x) / B**2)", Refuted),
    Falsified("own = (gumbel(shape, rng=rng) - np.log(2)) / 2", "own = gumbel(shape, rng=rng) / 2", Refuted),
    Falsified("rng.normal(size=(shape[0], 1))", "rng.normal(size=shape)", Refuted),
    Falsified("softmax(2 * logits), effect=0.01, of=half_shared,",
              "softmax(logits), effect=0.01, of=half_shared,", ValueError,
              says="no side of eq-half-shared-draw"),
    Falsified("because=r\"the shared part cancels; the theorem with $2\\mu_i$\")\nhalf_shared",
              "because=\"\")\nhalf_shared", ValueError),
    # the table, and what two differences tell
    Falsified("test = stats.chisquare(drawn[name], draws * softmax(logits))",
              "test = stats.chisquare(drawn[name], draws * softmax(logits / 2))", AssertionError),
    Falsified("differences.step(1 / (1 + sp.exp(-(mu[3] - mu[1])) + sp.exp(-(mu[3] - mu[2]))),",
              "differences.step(1 / (1 + sp.exp(mu[3] - mu[1]) + sp.exp(mu[3] - mu[2])),", Refuted),
    Falsified("stats.logistic.cdf(1)", "stats.norm.cdf(1)", AssertionError),
    Falsified('"scale 2 for item 3": [stats.gumbel_r(scale=b) for b in (1, 1, 2, 1)]',
              '"scale 2 for item 3": [stats.gumbel_r(scale=b) for b in (1, 1, 1, 1)]', AssertionError),
    Falsified("difference.solution(sigmoid * (1 - sigmoid))", "difference.solution(sigmoid)", Refuted),
    Falsified("marks(np.exp(logits) / np.exp(logits).sum())[1]]", "marks(wins[\"uniform\"])[1]]", ValueError,
              says="is drawn at"),
    Falsified("noise_of(2 * x + sp.log(2) +", "noise_of(2 * x - sp.log(2) +", Refuted),
    Falsified("Derivation(E(F(2 * x + sp.log(2)", "Derivation(E(F(2 * x - sp.log(2)", Refuted),
    Falsified("known = sp.gamma(1 - sp.I * a)", "known = sp.gamma(1 + sp.I * a)", AssertionError),
    Falsified("wave = sp.exp(sp.I * c * a)", "wave = sp.exp(c * a)", AssertionError),
    Falsified("assert list(over) == [1, 4]", "assert list(over) == [2, 3]", AssertionError),
    Falsified("sp.sqrt(2 * v) / sp.sqrt(2))) / 2)", "sp.sqrt(v) / sp.sqrt(2))) / 2)", Refuted),
    Falsified("(1 + sp.exp(-d)) + both)", "(1 + sp.exp(-d)) - both)", Refuted),
    # in use, and any noise
    Falsified("if rng.random() < np.exp(logits[item] - best):",
              "if rng.random() < np.exp(2 * (logits[item] - best)):", AssertionError),
    Falsified("perturbed_argmax_probabilities(logits, stats.expon())",
              "perturbed_argmax_probabilities(logits, stats.gumbel_r())", AssertionError),
    Falsified("law.cdf(logit - np.delete(logits, item)[:, None] + x).prod(axis=0)",
              "law.cdf(np.delete(logits, item)[:, None] - logit + x).prod(axis=0)", Refuted,
              says="Gumbel noise"),
    Falsified('"pairwise wins, multiplied": pairwise,', '"pairwise wins, multiplied": by_quantiles(lead),',
              Vacuous),
    # the sentences
    Falsified(r"\sigma(\mu_1 - \mu_2)", r"\sigma(\mu_2 - \mu_1)", Refuted, sentence=True),
    Falsified(r"- (a+b)\,V_3", r"+ (a+b)\,V_3", Refuted, sentence=True),
    Falsified(r"m \to -\infty} e^m = 0", r"m \to \infty} e^{-m} = 1", Refuted, sentence=True),
    Falsified('"condition", rf"N =', '"obvious", rf"N =', ValueError, says="one of condition"),
    Falsified('mu: "logits", w: "weights",', 'mu: "logits",', ValueError, says="w is not declared"),
], exercises=4, undetermined=UNDETERMINED, argued=ARGUED, unchecked=UNCHECKED, mistakes=MISTAKES,
           quotations=QUOTATIONS)

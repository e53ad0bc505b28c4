"""The chapter book/unnormalised/negative_sampling: what must not pass on it, and its exercises."""

from proofread.errors import ProofError, Refuted
from proofread.testing import Falsified, Page

MISTAKES = [
    ("ex-ns-push", "exp(s)/(1 + exp(s))", "go up or down"),
    ("ex-ns-push", "1 - 1/(1 + exp(-s))", "inner sign"),
    ("ex-ns-push", "-exp(-s)/(1 + exp(-s))", "pushed the hardest"),
    ("ex-ns-uniform", "exp(s)", "for which"),
    ("ex-ns-uniform", "exp(s)/(1 + exp(s))", "being from the text"),
    ("ex-ns-uniform", "n*exp(s)/k", "More noise lowers"),
    ("ex-ns-noise", "1/k", "text itself has"),
    ("ex-ns-noise", "k + 1", "make it worse"),
    ("ex-ns-noise", "sqrt((k + 1)/k)", "standard deviation"),
]

QUOTATIONS = {
    "Xu (2019), NCE and negative sampling": r"\log(\frac{e^{s_{i}}}{\nu q_{i}}) = s_{i}",
}

UNCHECKED = [
    r"(\log\sigma)'(t) = \sigma(-t)", "-s", r"1 + 1/\nu", "N_j/N", r"\log u \le u - 1", r"\log(N_i/M_i)",
    r"\log(N_j/M_j)", r"\log\sigma", r"\log\sigma(-s)", r"\nu N", r"\nu q", r"\sigma' = \sigma(1 - \sigma)",
    r"\sigma(-t) = 1 - \sigma(t)", r"n \cdot \frac1n = 1", r"p_i/(\nu q_i)", r"p_j \nu q_j",
    r"u = \sigma(-s_i)/(1 - h_i)", r"u = \sigma(s_i)/h_i", "u/(1+u)",
    "B - 1", r"\log p", r"\log(B - 1)", r"\log(\nu q)", r"\log(p/(\nu q))", r"\nu/2", r"\nu/n", "n - 1",
    "n p_i", r"\log p_j", r"\log q_j", r"\log(p_j/(\nu q_j))", r"\log(p_j/q_j)",
    "p/(1 + p)", r"p/(p + \nu/n)", "p/q", "64", r"\log(p_j/(\nu q_j(1 - p_j)))", r"\log(n^2 P_{ij})",
]

PAGE = Page("book/unnormalised/negative_sampling", [
    # softmax
    Falsified("np.arange(1, 10**6 + 1), power", "np.arange(1, 10**6 - 1), power", AssertionError),
    Falsified("pushed.step(delta(i, j) - pi(j),", "pushed.step(delta(i, j) + pi(j),", Refuted),
    Falsified("pushed.step(delta(i, j) - pi(j),", "pushed.step(delta(i, j) - pi(i),", Refuted),
    Falsified('cancel.step(0, r"$\\delta$', 'cancel.step(1, r"$\\delta$', Refuted),
    # what is learnt
    Falsified("jac=slopes, options", "jac=lambda v: -slopes(v), options", AssertionError),
    Falsified("assert abs(total - 1.425) < 1e-6", "assert abs(total - 1) < 1e-6", AssertionError),
    Falsified("shifted_pmi([text], 5, noise)[0], atol",
              "shifted_pmi([text], 1, noise)[0], atol", AssertionError),
    Falsified("nu * q[i] * sp.log(sigma(-s[i]))\n", "nu * q[i] * sp.log(sigma(s[i]))\n", Refuted),
    Falsified("slope.step(p[j] * sigma(-s[j]) - nu", "slope.step(p[j] * sigma(-s[j]) + nu", Refuted),
    Falsified("slope.step(p[j] - (p[j] + nu * q[j]) * sigma(s[j]),",
              "slope.step(p[j] - (p[j] - nu * q[j]) * sigma(s[j]),", Refuted),
    Falsified("bend.step(-(p[j] + nu * q[j])", "bend.step((p[j] + nu * q[j])", Refuted),
    Falsified('are positive", relation="<="', 'are positive", relation=">="', Refuted),
    Falsified("sp.log(p[j] / (nu * q[j])), label=\"eq-ns-score\"",
              "sp.log(p[j]), label=\"eq-ns-score\"", Refuted),
    Falsified("attained={s: lambda j: sp.log(p[j] / (nu * q[j]))}",
              "attained={s: lambda j: sp.log(p[j] / q[j])}",
              Refuted),
    Falsified("/ (1 - share(i))).times(nu * q[i])", "/ (1 - share(i))).times(q[i])", ProofError),
    Falsified("p[j] / (p[j] + nu * q[j]), label", "p[j] / (p[j] + q[j]), label", ProofError),
    # noise contrast
    Falsified("other_label.step(1 / (1 + sp.exp(s[i])),", "other_label.step(1 / (1 + sp.exp(-s[i])),",
              Refuted),
    Falsified("same.step(nu * q[i] * sp.exp(s[i]) / (nu",
              "same.step(nu * q[i] * sp.exp(s[i]) / (1 + nu", Refuted),
    Falsified("offset.step(s_i - sp.log(nu * q_i),", "offset.step(s_i + sp.log(nu * q_i),", Refuted),
    Falsified("special = Derivation(sp.exp(s[i]) / (sp.exp(s[i]) + n * (1 / n)),",
              "special = Derivation(sp.exp(s[i]) / (sp.exp(s[i]) + nu * (1 / n)),", Refuted),
    Falsified("(sp.log(sp.exp(s_i) / (nu * q_i)), s_i),",
              "(sp.log(sp.exp(s_i) / (nu * q_i)), s_i - sp.log(nu) - sp.log(q_i)),", ValueError,
              says="is not refuted"),
    Falsified("correct=offset,", "correct=same,", ValueError, says="no side in common"),
    # what a score means
    Falsified("(of_two, np.log(text / noise), True)", "(of_two, np.log(text), True)", AssertionError),
    Falsified("(of_softmax, np.log(text), True)", "(of_softmax, np.log(text), False)", AssertionError),
    Falsified("(of_contrast, np.log(text), False)", "(of_contrast, np.log(text / noise), False)",
              AssertionError),
    Falsified("(of_two_less, np.log(text), True)", "(of_two_less, np.log(text / noise), True)",
              AssertionError),
    Falsified("5 * noise * (1 - text))), False)", "5 * noise)), False)", AssertionError),
    # pairs
    Falsified("shifted.step(pmi(i, j) - sp.log(nu)", "shifted.step(pmi(i, j) + sp.log(nu)", Refuted),
    Falsified("+ sp.log(of_word / q[j]),", "+ sp.log(q[j] / of_word),", Refuted),
    Falsified("index=j, of=best,", "index=j, of=pmi,", ValueError),
    Falsified("    return shifted_pmi([text], nu, noise)[0]",
              "    return shifted_pmi([text], 1, noise)[0]", Refuted),
    Falsified("curves=[ends - np.log(begun), found,",
              "curves=[ends, found,", ValueError,
              says="is drawn at"),
    Falsified("off = found - (ratio - np.log(begun))", "off = found - ratio", AssertionError),
    # pushes
    Falsified("balance.step(nu * q[j] * share(j),", "balance.step(q[j] * share(j),", Refuted),
    Falsified("balance.step(1 / (1 / p[j] + 1 / (nu * q[j])),",
              "balance.step(1 / (1 / p[j] + 1 / q[j]),", Refuted),
    Falsified("crowd.step(p[j],", "crowd.step(q[j],", Refuted),
    Falsified('"uniform": np.full(40, 1 / 40)}', '"uniform": np.full(40, 1 / 41)}', AssertionError),
    Falsified("assert moved[0] > moved[1] > 0 > moved[2]", "assert moved[0] > 0 > moved[1] > moved[2]",
              AssertionError),
    # drawing
    Falsified("sp.Sum((1 - t[i]) * delta(a[i], j), (i, 1, n))) / n", "sp.Sum(delta(a[i], j), (i, 1, n))) / n",
              ValueError, says="no side of eq-alias-law"),
    Falsified("a: others + 1}", "a: others}", ValueError, says="no side of eq-alias-law"),
    Falsified("four = NoiseSampler(noise)", "four = NoiseSampler(noise, power=0.75)", AssertionError),
    Falsified("shapes=[heights, (heights, np.ones(4))]", "shapes=[heights, (heights, heights)]", ValueError),
    Falsified("summed = np.diff(np.cumsum(million.probabilities), prepend=0)",
              "summed = million.table_law()", AssertionError),
    Falsified("pieces = heights + np.bincount(others, 1 - heights,",
              "pieces = heights + np.bincount(others, 1 - heights.astype(np.float32),", AssertionError),
    # the price
    Falsified("(by_noise == 11).all()", "(by_noise == sizes).all()", AssertionError),
    Falsified("price.step((1 - p[j]) / p[j] + (1 - q[j]) / (nu * q[j]),",
              "price.step((1 - p[j]) / p[j] + (1 - q[j]) / q[j],", Refuted),
    Falsified("limit = (1 - 0.15) / 0.15 + (1 - 0.3) / (5 * 0.3)",
              "limit = (1 - 0.15) / 0.15 + (1 - 0.3) / 0.3", AssertionError),
    # the sentences and the exercises
    Falsified('nu: "number of noise words for each word of the text",',
              "", ValueError, says="nu is not declared"),
    Falsified("evenly_.solution(many * (1 / size) * sp.exp(x))", "evenly_.solution(sp.exp(x))", Refuted),
    # in use, and the table that a reader builds
    Falsified("np.zeros(4)), 5 / 2)", "np.zeros(4)), 1)", AssertionError),
    Falsified("sign = 2 * torch.eye(len(scores)).to(scores) - 1", "sign = torch.eye(len(scores)).to(scores)",
              AssertionError),
    Falsified("neutral = 1 + np.exp(10)", "neutral = np.exp(9)", AssertionError),
    Falsified("        others[low] = high\n", "        others[high] = low\n", Refuted),
], exercises=4, unchecked=UNCHECKED, mistakes=MISTAKES, quotations=QUOTATIONS)

"""The chapter book/unnormalised/nce: what must not pass on it, and its exercises."""

from proofread.errors import ProofError, Refuted
from proofread.testing import Falsified, Page

QUOTATIONS = {
    "Xu (2019), posterior of the label":
        r"\Pr(Y = 1 \mid w, c) = \frac{p_{w} (1 / (1 + \nu))}"
        r"{p_{c} (1 / (\nu + 1)) + q_{w} (\nu / (1 + \nu))}",
    "Xu (2019), objective of noise-contrastive estimation":
        r"J_w = p_{w} \log(\sigma(d)) - \nu q_{w} \log(\sigma(d))",
    "Xu (2019), why un-normalised weights work":
        r"J = -\sum_{k=1}^{n} \log(1 + R_{k}) \pi_{k}"
        r" + \nu \sum_{k=1}^{n} \left(\log R_{k} - \log(1 + R_{k})\right) q_{k}",
}

UNDETERMINED = {
    "eq-nce-vectors":
        r"\Pr(k \mid c) := \frac{\exp\mathopen{}\left(\sum_{l=1}^{D} w_{k,l} c_{l}\right)}"
        r"{\sum_{i=1}^{n} \exp\mathopen{}\left(\sum_{l=1}^{D} w_{i,l} c_{l}\right)}",
    "eq-nce-item": r"J_w := p_{w} \log(\sigma(d)) + \nu q_{w} \log(1 - \sigma(d))",
}
UNCHECKED = [
    r"(\log(1-\sigma))' = -\sigma", r"(\log\sigma)' = 1 - \sigma", "2q", r"\log p", r"\log(m\,q_k)",
    r"\log\bigl(p_k/(\nu q_k)\bigr)", r"\nu h_x - \nu h_x", r"\sigma(\Delta_k) = 1/(1 + R_k)",
    r"e^{\log(\nu q_k)} = \nu q_k", "e^{z_k}/(m q_k)", r"m/\nu", r"p_k/(\nu q_k)",
    r"(p_w - \nu q_w)\log\sigma(d)", r"\log(1-\sigma)", r"\log\sigma", "5/3", r"\log(\nu q)",
    r"\log(\pi/\pi_{\text{ref}})",
    r"p_c = \tfrac15", r"p_w = \tfrac12", r"q_w = \tfrac1{10}",
]

PAGE = Page("book/unnormalised/nce", [
    # the attempt without a normaliser
    Falsified("lifted.step(1,", "lifted.step(n,", Refuted),
    Falsified("given=[one])\nlifted.step(", "given=[])\nlifted.step(", Refuted),
    Falsified("whole.step(1,", "whole.step(n,", Refuted),
    # prior and posterior
    Falsified('prior = Definition(r"\\Pr(Y = 1)", (), 1 / (1 + nu)',
              'prior = Definition(r"\\Pr(Y = 1)", (), nu / (1 + nu)', Refuted),
    Falsified("p_c * prior() / (p_c * prior() + q_w * others.end)",
              "p_c * prior() / (p_c * prior() + q_w * prior())", Refuted),
    Falsified("posterior.step(p_c / (p_c + nu * q_w),", "posterior.step(p_c / (p_c + q_w),", Refuted),
    Falsified("against.step(nu * q_w / (p_c + nu * q_w),", "against.step(q_w / (p_c + nu * q_w),", Refuted),
    Falsified("(chance(), p_w * (1 / (1 + nu))", "(chance(), p_c * (1 / (1 + nu))", ValueError,
              says="is not refuted"),
    Falsified("rng.random(25 * size) < 1 / (1 + ratio)", "rng.random(25 * size) < 1 / ratio", Refuted),
    Falsified("at={p_c: given[1, 0], q_w: noise[1], nu: ratio},",
              "at={p_c: given[1, 1], q_w: noise[1], nu: ratio},", ValueError,
              says="no side of eq-nce-posterior"),
    # the figure of data and noise
    Falsified("np.log(s / start_nu) / (1 - s**-2)", "np.log(s / start_nu)", AssertionError),
    Falsified("for s in (1.05, 1.5, width, 3, 4)]", "for s in (1.05, 1.5, width, 4, 3)]", AssertionError),
    Falsified("start_nu * normal(grid, width), label", "2 * normal(grid, width), label", ValueError,
              says="is drawn at"),
    Falsified("values(shape / (shape + wide), x)", "values(wide / (shape + wide), x)", ValueError,
              says="is drawn at"),
    # the classifier
    Falsified("logistic.step(-sp.Sum(y[i] * sp.log(sigma(a[i]))\n                      + (1",
              "logistic.step(-sp.Sum(y[i] * sp.log(sigma(a[i]))\n                      - (1", Refuted),
    Falsified("form.step(1 / (1 + sp.exp(-z[k] + sp.log(nu * q[k]))),",
              "form.step(1 / (1 + sp.exp(-z[k] - sp.log(nu * q[k]))),", Refuted),
    Falsified("(k,), z[k] - sp.log(nu * q[k]), label", "(k,), z[k] + sp.log(nu * q[k]), label", Refuted),
    Falsified("means.step(1 / N * of_data + M / N *", "means.step(1 / N * of_data + N / M *", Refuted),
    Falsified("return -nce_loss(*scores, 0.0, 0.0).item()", "return nce_loss(*scores, 0.0, 0.0).item()",
              Refuted),
    Falsified("return -nce_loss(*scores, 0.0, 0.0)", "return -nce_loss(*scores[::-1], 0.0, 0.0)", Refuted),
    Falsified("of=objective, bound=64,", "of=form, bound=64,", ValueError),
    Falsified("5000 < nce_loss(scores, scores, 0.0, 0.0) < 5001", "5001 < nce_loss(scores, scores, 0.0, 0.0)",
              AssertionError),
    Falsified("(at_item(), p_w * sp.log(sigma(d)) - nu * q_w * sp.log(sigma(d))),",
              "(at_item(), p_w * sp.log(sigma(d)) + nu * q_w * sp.log(1 - sigma(d))),", ValueError,
              says="is not refuted"),
    # the optimum
    Falsified("pull.step(p[j] * (1 - sigma(Delta(j))) -", "pull.step(p[j] * (1 - sigma(Delta(j))) +",
              Refuted),
    Falsified("pull.step(nu * q[j] * (p[j] - sp.exp(z[j])) /",
              "pull.step(nu * q[j] * (sp.exp(z[j]) - p[j]) /", Refuted),
    Falsified("nu * q[k] / sp.exp(z[k]), label=", "q[k] / sp.exp(z[k]), label=", Refuted),
    Falsified("p[k] * sp.log(1 / (1 + R_k(k)))", "p[k] * sp.log(R_k(k) / (1 + R_k(k)))", Refuted),
    Falsified("population.step(-sp.Sum(p[k] * sp.log(1 + R_k(k)),",
              "population.step(sp.Sum(p[k] * sp.log(1 + R_k(k)),", Refuted),
    Falsified("(1 / G(x) - 1 / (1 + G(x))),", "(1 / G(x) + 1 / (1 + G(x))),", Refuted),
    Falsified("functional_derivative(*unfold((inner, G(x), x)))",
              "functional_derivative(*unfold((-inner, G(x), x)))", AssertionError),
    Falsified("+ nu * h_x * sp.log(g / (1 + g)), rows", "+ nu * h_x * sp.log(1 / (1 + g)), rows", Refuted),
    Falsified("sign.step((nu * h_x - f_x * g)", "sign.step((f_x - nu * h_x * g)", Refuted),
    Falsified("star = nu * h_x / f_x\n", "star = h_x / f_x\n", Refuted),
    Falsified("-sp.Sum(sp.log(1 + R_k(k)) * pi(k),", "-sp.Sum(sp.log(1 + R_k(k)) * p[k],", ValueError,
              says="is not refuted"),
    Falsified("vacuous.step(R_k(k) * sp.Sum(", "vacuous.step(R_k(k) / sp.Sum(", Refuted),
    Falsified("best.step(adds(star),", "best.step(adds(1 / star),", ProofError),
    Falsified("bend.step(-f_x**3 /", "bend.step(f_x**3 /", Refuted),
    Falsified('bend.step(0, "minus a quotient of positive numbers", relation="<=")',
              'bend.step(0, "minus a quotient of positive numbers", relation=">=")', ProofError),
    Falsified("relation=\"<=\", attained={g: star}", "relation=\">=\", attained={g: star}", ProofError),
    Falsified("attained={g: star}", "attained={g: 1 / star}", ProofError),
    # the fits
    Falsified("np.bincount(data) / 100,", "np.bincount(data) / 50,", AssertionError),
    Falsified("log_kq = torch.log(torch.tensor(5 * q4))", "log_kq = torch.log(torch.tensor(q4))",
              AssertionError),
    Falsified("abs(weights - p4 * q4 / met)", "abs(weights - p4)", AssertionError),
    Falsified("(seen / drawn * many * q4)", "(seen / drawn * q4)", AssertionError),
    Falsified("missed += (seen == 0)", "missed += (seen <= 1)", AssertionError),
    Falsified("unreached(on_line), on_line[0])", "unreached(p4), p4[0])", AssertionError),
    Falsified("spreads[100], np.sqrt(100 / 5),", "spreads[100], 100 / 5,", AssertionError),
    Falsified("curves=list(shares_of.values())", "curves=list(shares_of.values())[::-1]", ValueError,
              says="is drawn at"),
    Falsified("other_q = np.array([0.17, 0.04, 0.63, 0.16])", "other_q = q4", AssertionError),
    Falsified("given=[p_c < 1, p_w < 1, q_w < 1],", "given=[p_c < 1, p_w < 1, sp.Eq(p_w, p_c)],", ValueError,
              says="is not refuted"),
    Falsified("torch.zeros(1), float(\"-inf\"), 0.0)", "torch.zeros(1), -1e9, 0.0)", NameError),
    Falsified("abs(slope - 0.8) < 1e-9", "abs(slope - 0.7) < 1e-9", AssertionError),
    Falsified('"slope only": feature}', '"slope only": with_constant}', AssertionError),
    Falsified("same.step(p_w / (p_w + q_w),", "same.step(q_w / (p_w + q_w),", Refuted),
    # exercises and sentences
    Falsified("wrong_ratio.solution(p_one / nu * m)", "wrong_ratio.solution(p_one * nu / m)", Refuted),
    Falsified("blunt.solution(sp.log(1 / (1 + nu)) +", "blunt.solution(sp.log(1 / (1 + nu)) -", Refuted),
    Falsified(r"\log v \le v - 1", r"\log v \le v - 2", Refuted, sentence=True),
    Falsified("Z_ring - 1) < 0.1", "Z_ring - 1.3) < 0.1", AssertionError),
    Falsified("circle = score(2 * torch", "circle = score(3 * torch", AssertionError),
    Falsified("score(at)[:, 0] - around.log_prob(at) - np.log(5)", "score(at)[:, 0] - around.log_prob(at)",
              AssertionError),
    Falsified("log_nu = np.log(len(noise) / len(data))", "log_nu = 0", Refuted),
    Falsified("curves=[few[:, 1]], shapes=[dense]", "curves=[few[:, 1]], shapes=[exact]", ValueError,
              says="counterpart"),
], exercises=4, undetermined=UNDETERMINED, unchecked=UNCHECKED, mistakes=[
    ("ex-nce-odds", "2/3", "as much noise as data"),
    ("ex-nce-odds", "2/nu", "Those are the odds"),
    ("ex-nce-odds", "2*nu/(2*nu + 1)", "more noise make data"),
    ("ex-nce-wrong-ratio", "p_k", "does not know"),
    ("ex-nce-wrong-ratio", "p_k*nu/m", "claim more noise"),
    ("ex-nce-value", "log(1/(1 + nu))", "what of the noise"),
    ("ex-nce-value", "0", "cost nothing"),
], quotations=QUOTATIONS)

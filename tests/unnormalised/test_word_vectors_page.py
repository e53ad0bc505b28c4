"""The chapter book/unnormalised/word_vectors: what must not pass on it, and its exercises."""

from proofread.errors import Refuted
from proofread.testing import Falsified, Page

MISTAKES = [
    ("ex-wv-work", "n/k", "have a score as well|score as well"),
    ("ex-wv-work", "2*n/2", "How many scores does"),
    ("ex-wv-work", "1/n + k/n", "Which of the two"),
    ("ex-wv-power", "2*alpha/2", "what is divided by what"),
    ("ex-wv-power", "0 - alpha", "probability in the text"),
    ("ex-wv-power", "-(1 - alpha)", "noise is uniform"),
    ("ex-wv-step", "u/(exp(u*v) + 1) + r/(exp(-r*v) + 1)", "move towards the noise"),
    ("ex-wv-step", "1/(exp(u*v) + 1) - 1/(exp(-r*v) + 1)", "that in the coordinate"),
    ("ex-wv-step", "u - u/(1 + exp(-u*v))", "And the noise word"),
]

UNDETERMINED = {
    "eq-wv-normaliser":
        r"Z_{c} := \sum_{i=1}^{n} q_{i} \exp\mathopen{}\left(\sum_{d=1}^{D} u_{i,d} v_{c,d}\right)",
}
UNCHECKED = [
    r"(1 - \sigma(uv))\,u", r"(\log\sigma)' = 1 - \sigma", "-r", r"\log p", r"\log(\nu q_w)",
    r"\log\sigma(uv) + \log\sigma(-rv)", r"\sqrt{m/N}", r"u_w^\top v_c",
]

PAGE = Page("book/unnormalised/word_vectors", [
    # the text
    Falsified("q[w] * sp.exp(product(w)) / Z(c)", "sp.exp(product(w)) / Z(c)", Refuted),
    Falsified("scores = v_true @ u_true.T + zipf.log_probabilities", "scores = v_true @ u_true.T",
              AssertionError),
    Falsified("pairs = of_context[:, None] * np.exp(truth)", "pairs = np.exp(truth) / 30", AssertionError),
    # the scores as they are
    Falsified("log_kq = np.log(5) + zipf.log_probabilities", "log_kq = np.log(4) + zipf.log_probabilities",
              AssertionError),
    Falsified("noise = 5 * of_context[:, None] * zipf.probabilities", "noise = 5 * pairs", AssertionError),
    Falsified("learnt = fit_word_vectors(fresh(3, True), pairs, noise)",
              "learnt = fit_word_vectors(fresh(2, True), pairs, noise)", AssertionError),
    Falsified("assert alike[0] < 0.95", "assert alike[0] > 0.95", AssertionError),
    Falsified("table_of.ravel()[shown],", "learnt.ravel()[shown],", ValueError,
              says="is drawn at"),
    # dimensions
    Falsified('aim.step(product(w) - sp.log(nu * Z(c)),',
              'aim.step(product(w) + sp.log(nu * Z(c)),', Refuted),
    Falsified('aim.step(product(w) - sp.log(nu * Z(c)),', 'aim.step(product(w) - sp.log(Z(c)),', Refuted),
    Falsified("full.step(product(w) + sp.log(q[w])", "full.step(product(w) - sp.log(q[w])", Refuted),
    Falsified("aim = Derivation(sp.log(truth_law(w, c) / (nu * q[w])),",
              "aim = Derivation(sp.log(truth_law(w, c) / nu),", Refuted),
    Falsified('((uniform,), np.log(5 / 100))', '((uniform,), np.log(5))', AssertionError),
    Falsified('"negative sampling": ((noise,), log_kq),',
              '"negative sampling": ((noise,), 0.0),', AssertionError),
    Falsified('"noise contrast": ((noise, log_kq), 0.0),', '"noise contrast": ((noise, log_kq), 1.0),',
              AssertionError),
    Falsified("((3, True), (4, False))]", "((3, True), (3, False))]", AssertionError),
    Falsified('goals["softmax"] = scores', 'goals["softmax"] = truth', AssertionError),
    # texts that end
    Falsified("sp.Trace(F * H.I * S * H.I), label", "sp.Trace(F * H.I * S), label", Refuted),
    Falsified("    return np.linalg.solve(H, S) @ np.linalg.solve(H, F)",
              "    return np.linalg.solve(H, S) @ np.linalg.solve(S, F)", Refuted),
    Falsified("count.step(m,", "count.step(m**2,", Refuted),
    Falsified("sp.Trace(F * F.I * F * F.I), label", "sp.Trace(F * F.I * F), label", Refuted),
    Falsified("of_u = np.einsum(\"wx,cd->cwxd\", np.eye(100), v)",
              "of_u = np.einsum(\"wx,cd->cwxd\", np.eye(100), 0 * v)", AssertionError),
    Falsified("    return table - (law[..., None] * table).sum(axis=1, keepdims=True)",
              "    return table", AssertionError),
    Falsified("assert free == 3 * (100 + 30) + 100 - 3 * 3 - 3 - 3 - 1",
              "assert free == 3 * (100 + 30) + 100", AssertionError),
    Falsified("H=products(pairs * (1 - share[..., 0]), all_slopes),", "H=products(pairs, all_slopes),",
              AssertionError),
    Falsified("met = rng.multinomial(5 * text.sum(axis=1), zipf.probabilities)",
              "met = rng.multinomial(text.sum(axis=1), zipf.probabilities)", AssertionError),
    Falsified('"softmax": np.sqrt(free / lengths)', '"softmax": np.sqrt(free / lengths) * 1.2',
              AssertionError),
    Falsified("error(fit_word_vectors(fresh(3, True), text, met) + log_kq))",
              "error(fit_word_vectors(fresh(3, True), text, met) + log_kq + 0.5))", AssertionError),
    Falsified("/ 5 / (1 - p_true).sum()", "/ (1 - p_true).sum()", AssertionError),
    Falsified("curves=list(prices.values())", "curves=list(prices.values())[::-1]", ValueError,
              says="is drawn at"),
    Falsified('(prices[flatter] < prices["frequencies"])', '(prices[flatter] > prices["frequencies"])',
              AssertionError),
    # steps
    Falsified("start=lkq[:, None])", "start=2 * lkq[:, None])", AssertionError),
    Falsified("return nce_loss(data, noise, lkq[w], lkq[other])", "return nce_loss(data, noise, 0.0, 0.0)",
              AssertionError),
    Falsified("curves=[np.log10(softmax_errors), np.log10(noise_errors)]",
              "curves=[np.log10(noise_errors), np.log10(softmax_errors)]", ValueError, says="is drawn at"),
    Falsified("all(1 < b / a < 2 for", "all(1 < a / b < 2 for", AssertionError),
    # neighbours, steps
    Falsified("close = np.argsort(-unit @", "close = np.argsort(unit @", AssertionError),
    Falsified('"two": "three"', '"two": "false"', AssertionError),
    Falsified("ways_share > starts_share > 1", "starts_share > ways_share > 1", AssertionError),
    Falsified("shapes=[cosines[::-1]]", "shapes=[cosines]", ValueError),
    Falsified("pull.step((1 - sigma(product(w))) * u[w, l],",
              "pull.step(sigma(product(w)) * u[w, l],", Refuted),
    Falsified("pull.step((1 - sigma(product(w))) * u[w, l],", "pull.step((1 - sigma(product(w))) * v[c, l],",
              Refuted),
    # the end of the page
    Falsified('D: "number of dimensions",', "", ValueError, says="D is not declared"),
    Falsified("slope.solution(towards(one) + towards(-other))",
              "slope.solution(towards(one) + towards(other))",
              Refuted),
    Falsified("sp.log(base / base**alpha)", "sp.log(base * base**alpha)", Refuted),
], undetermined=UNDETERMINED, unchecked=UNCHECKED, mistakes=MISTAKES)

"""The chapter book/language/decoding: what must not pass on it, and its exercises."""

from proofread.errors import ProofError, Refuted
from proofread.testing import Falsified, Page

UNDETERMINED = {"eq-on-kept": r"q_k:=\frac{w_k}{\sum_{i=1}^mw_i}"}
UNCHECKED = [
    "(0.5, 0.3, 0.15, 0.05)", r"(\sum_a w_a)^2/(N\sum_a w_a^2)", r"-\log \pi(S)", r"-\log c - \log h",
    r"-\log c_t", r"-\log p", "0.375", "0.625", "0.72", "1/0.8", "1/T", "1/Z", r"T\log(1/p)",
    r"\log C_k = \log(g_k/\ell_k) + \log Z", r"\log p", r"\log p_t", r"\log p_t - \log c_t",
    r"\pi_k = \pi(S)\,\pi^S_k", "ch", r"m\,(s/m)^{1/T}", "s/m",
]

PAGE = Page("book/language/decoding", [
    # what a cut costs
    Falsified("toll.step(KL(Q, CUT) - sp.log(c()),", "toll.step(KL(Q, CUT) + sp.log(c()),", Refuted),
    Falsified("toll.step(KL(Q, CUT) - sp.log(c()),", "toll.step(KL(CUT, Q) - sp.log(c()),", Refuted),
    Falsified("by=bounds.gibbs(other(k), cut(k), (k, 1, m)))",
              "by=bounds.gibbs(cut(k), other(k), (k, 1, m)))",
              ProofError),
    Falsified("attained={w: lambda j: sp.exp(z[j])}", "attained={w: lambda j: sp.exp(2 * z[j])}", Refuted),
    Falsified("price = Derivation(KL(CUT, PI)", "price = Derivation(KL(PI, CUT)", ProofError),
    Falsified("sp.log(1 / c()), (k, 1, m)), \"one ratio", "sp.log(c()), (k, 1, m)), \"one ratio", Refuted),
    Falsified("kept_two = np.log([0.5, 0.3, 0.15, 0.05]), softmax(truncate(",
              "kept_two = np.log([0.5, 0.3, 0.2, 0.0001]), softmax(truncate(", Refuted),
    Falsified("truncate(four, top_k=2)), of=price", "truncate(four, top_k=3)), of=price", ValueError,
              says="is no side of"),
    Falsified("moved.step(1 - c(),", "moved.step(c(),", Refuted),
    Falsified("pi(k) / c(), label=\"eq-cut\"", "pi(k), label=\"eq-cut\"", Refuted),
    # what is drawn, and what survives
    Falsified("over = (lines == 0).cumsum(axis=1) > (lines == 0)", "over = lines < 0", AssertionError),
    Falsified("cut_table = truncate(table, top_p=0.9)", "cut_table = truncate(table, top_p=1.0)",
              AssertionError),
    Falsified("assert greedy.count(\"better than is \") == 3",
              "assert greedy.count(\"better than is \") == 1",
              AssertionError),
    # the code to copy
    Falsified("cut = p.cumsum(-1) <= 1 - top_p", "cut = p.cumsum(-1) <= top_p", AssertionError),
    Falsified("cut[..., -1] = False               # the best one stays", "pass", AssertionError),
    Falsified("cut = cut.scatter(-1, order, cut)  # back into their places", "pass", AssertionError),
    Falsified("z = z.masked_fill(z < kth, -math.inf)", "z = z.masked_fill(z <= kth, -math.inf)",
              AssertionError),
    Falsified("z < best + math.log(min_p)", "z < best - min_p", AssertionError),
    Falsified("z = logits.float() / temperature", "z = logits.float() * temperature", AssertionError),
    Falsified("downwards != exact_count", "downwards == exact_count", AssertionError),
    # the temperature
    Falsified("lead.step((z[k] - z[j]) / T,", "lead.step((z[k] - z[j]) * T,", Refuted),
    Falsified("truncate(rows, min_p=0.1**T_)", "truncate(rows, min_p=0.1 * T_)", AssertionError),
    Falsified("assert first.sum() == 1 and last.sum() == 2", "assert first.sum() == last.sum()",
              AssertionError),
    # a text
    Falsified("given = {a: allowed[a] / through for a in begins}", "given = {a: begins[a] for a in begins}",
              AssertionError),
    Falsified("stepwise.step(sp.Product(p[t], (t, 1, L)) / sp.Product(c_t[t], (t, 1, L)),",
              "stepwise.step(sp.Product(p[t], (t, 1, L)) / sp.Sum(c_t[t], (t, 1, L)),", Refuted),
    Falsified("bill.step(KL(LOCAL, GIVEN) - sp.log(Z()),", "bill.step(KL(GIVEN, LOCAL) - sp.log(Z()),",
              Refuted),
    Falsified("bill.step(-sp.log(Z()), \"Gibbs' inequality\", relation=\">=\"",
              "bill.step(-sp.log(Z()), \"Gibbs' inequality\", relation=\"<=\"", Refuted),
    Falsified("attained={C: lambda j: sp.Integer(1) / 2}", "attained={C: lambda j: sp.Integer(1) / (j + 1)}",
              Refuted),
    Falsified("local(k) * C[k] / Z(), label", "local(k) / C[k] / Z(), label", Refuted),
    Falsified("of=bill, at={w: chosen, C: np.exp(log_C)", "of=bill, at={w: chosen, C: np.exp(-log_C)",
              ValueError, says="is no side of"),
    # lines
    Falsified("step[:, :, 0] = 0\n", "pass\n", AssertionError),
    Falsified("here = step.sum(axis=0)", "here = step.sum(axis=1)", AssertionError),
    Falsified("mass_by_length(obeys / mass), mass_by_length(obeys)",
              "mass_by_length(obeys), mass_by_length(obeys / mass)", AssertionError),
    Falsified("assert (pays > tolls).all()", "assert (pays < tolls).all()", AssertionError),
    Falsified("curves=each,", "curves=each[::-1],", ValueError, says="is drawn at"),
    Falsified("curves=[pays, tolls],", "curves=[tolls, pays],", ValueError, says="is drawn at"),
    Falsified("curves=[sticks(probs12, ~kept12)[1], sticks(probs12, kept12)[1]]",
              "curves=[sticks(probs12, kept12)[1], sticks(probs12, ~kept12)[1]]", ValueError,
              says="is drawn at"),
    # looking ahead
    Falsified("telescope.step(sp.Product(p[t], (t, 1, L)) * V[L] / V[0],",
              "telescope.step(sp.Product(p[t], (t, 1, L)) * V[0] / V[L],", Refuted),
    Falsified("for _ in range(left - 1):\n        V =", "for _ in range(left):\n        V =", AssertionError),
    Falsified("V = (move * may) @ V", "V = move @ V", AssertionError),
    Falsified("row = move * may * V", "row = move * may", AssertionError),
    Falsified("assert round(apart, 3) == 0.106", "assert round(apart, 3) == 0.016", AssertionError),
    # weights
    Falsified("return log_c.masked_fill(over, 0).sum(1)", "return log_c.sum(1)", AssertionError),
    Falsified("logits[:, prompt - 1 : -1].float()", "logits[:, prompt:].float()", AssertionError),
    Falsified("over = (new == end).cumsum(1) - (new == end).int() > 0", "over = (new == end).cumsum(1) > 0",
              AssertionError),
    Falsified("weights = np.exp(log_w)\n", "weights = np.exp(-log_w)\n", AssertionError),
    Falsified("mass_by_length(level_p * level_c).sum())", "mass_by_length(level_p).sum())", AssertionError),
    # exercises
    Falsified("m**(1 / T - 1)))", "m**(1 / T)))", Refuted),
    Falsified("both.solution(-sp.log(c_) - sp.log(h))", "both.solution(-sp.log(c_) + sp.log(h))", Refuted),
    Falsified("weights = np.exp(total - total.max())", "weights = np.exp(total)", Refuted),
], undetermined=UNDETERMINED, unchecked=UNCHECKED, mistakes=[
    ("ex-text-temperature", "1/(1 + ((1 - s)/s)**(1/T))", "one whole text"),
    ("ex-text-temperature", "1/(1 + (m*(1 - s)/s)**(1/T))", "How many such texts"),
    ("ex-two-cuts", "log(1/h)", "a row that was whole"),
    ("ex-two-cuts", "-2*log(c) - log(h)", "in the end"),
    ("ex-two-cuts", "log(c) + log(h)", "be negative"),
])

"""The chapter book/gumbel/truncated: what must not pass on it, and its exercises."""

from proofread.errors import ProofError, Refuted, Vacuous
from proofread.testing import Falsified, Page

MISTAKES = [
    ("ex-moved-median", "m - log(log(2))", "without the bound"),
    ("ex-moved-median", "m - log(exp(m - T) + 1/2)", "its logarithm"),
    ("ex-moved-scale", "exp(-T) - exp(-Z)", "for the scale 1; which"),
    ("ex-moved-scale", "(exp(-T) - exp(-Z))/beta", "belongs to keys"),
    ("ex-next-key", "exp(-C*(exp(-g) - exp(-T)))", "still run"),
    ("ex-next-key", "exp(-(C - c)*exp(-g))", "counts from time 0"),
]

QUOTATIONS = {
    "Xu (2019), Re-scale (1)": r"-F_{m,Z}(g) = -e^{m - Z} + e^{m - g}",
}

UNCHECKED = [
    "-750", "C - c", "T - Z", r"T - \log(1 + e^v)", r"T/\beta",
    r"Z/\beta", r"\log 0", "e^T W_i", "e^{-G_i} - e^{-Z}", "f(x)/F(x) = e^{-x}",
    "-u",
]

PAGE = Page("book/gumbel/truncated", [
    # pushed pairs, and pairs that happen to have the maximum
    Falsified("kept = [gap[abs(top - T) < width] for T in given]", "kept = [gap for T in given]",
              AssertionError),
    Falsified("ends = truncated_gumbel_icdf_gap(0.5,", "ends = truncated_gumbel_icdf_gap(0.4,",
              AssertionError),
    # one variable below a bound
    Falsified("F(sp.Min(g, T) - m) / F(T - m), label=", "F(sp.Max(g, T) - m) / F(T - m), label=", Refuted),
    Falsified("cut.step(sp.exp(-sp.exp(m - least)) / sp.exp(-sp.exp(m - T)),",
              "cut.step(sp.exp(-sp.exp(m - least)) / sp.exp(-sp.exp(T - m)),", Refuted),
    Falsified("m - sp.log(sp.exp(m - T) - sp.log(u)),", "m - sp.log(sp.exp(m - T) + sp.log(u)),", ProofError),
    Falsified("late = Distributed(-sp.log(sp.exp(-T) + W),", "late = Distributed(-sp.log(sp.exp(T) + W),",
              ProofError),
    Falsified("sp.exp(m - X) * F_T(m, T, X), -sp.oo, T)", "sp.exp(m - X) * F_T(m, T, X), -sp.oo, sp.oo)",
              ProofError),
    Falsified("truncated_gumbel(np.full(n, -0.5), 4.0, rng=rng),", "gumbel(n, loc=0.5, rng=rng),", Refuted),
    Falsified("of=F_T, at={m: -0.5, T: 4.0}", "of=F_T, at={m: 0.5, T: 4.0}", ValueError, says="no side of"),
    Falsified("cut_at = np.exp(-below) * truncated_gumbel_cdf(below, stops)",
              "cut_at = np.exp(gumbel_log_prob(below))", AssertionError),
    Falsified("values(sp.exp(-g) * F_T(0, stop, g), g)", "values(sp.exp(-g) * F_T(0, -stop, g), g)",
              ValueError, says="is drawn at"),
    Falsified("curves=[values(f(g), g), *(values", "curves=[values(F(g), g), *(values", ValueError,
              says="is drawn at"),
    # the move
    Falsified("-sp.log(sp.exp(-T) - sp.exp(-Z) + sp.exp(-g)), label=",
              "-sp.log(sp.exp(-Z) - sp.exp(-T) + sp.exp(-g)), label=", Refuted),
    Falsified("shift.step(m - sp.log(sp.exp(m - T) - sp.exp(m - Z) + sp.exp(m - g)),",
              "shift.step(m - sp.log(sp.exp(m - T) - sp.exp(m - Z) - sp.exp(m - g)),", ProofError),
    Falsified("(-F_T(m, Z, g), -sp.exp(m - Z) + sp.exp(m - g)), correct=shift,",
              "(-sp.log(F_T(m, Z, g)), -sp.exp(m - Z) + sp.exp(m - g)), correct=shift,", ValueError,
              says="is not refuted"),
    Falsified("in_time.step(sp.exp(-g) + (sp.exp(-T) - sp.exp(-Z)),",
              "in_time.step(sp.exp(-g) - (sp.exp(-T) - sp.exp(-Z)),", Refuted),
    Falsified('winner.step(T, r"$e^{-Z}$', 'winner.step(Z, r"$e^{-Z}$', Refuted),
    Falsified("rising.step(sp.exp(moved(g, Z, T) - g),", "rising.step(sp.exp(g - moved(g, Z, T)),", Refuted),
    Falsified("lag.step(sp.log(1 + sp.exp(T - g) * (1 - sp.exp(g - Z))),",
              "lag.step(sp.log(1 + sp.exp(T - g) * (1 - sp.exp(Z - g))),", ProofError),
    Falsified("of=lag, where={behind: Z - g}", "of=lag, where={behind: g - Z}", ValueError, says="no side"),
    Falsified("condition_on_maximum_gap([g, g + d], T)[0]",
              "condition_on_maximum([g, g + d], T)[0]", Refuted),
    # figures
    Falsified("after = condition_on_maximum(shown, told)", "after = shown + told - shown.max()",
              AssertionError),
    Falsified('arrows(ax, before, then, gid="hops",', 'arrows(ax, then, before, gid="hops",', ValueError,
              says="is drawn"),
    Falsified("bent.append(values(moved(g, 1, T_), g))", "bent.append(values(moved(g, T_, 1), g))",
              ValueError, says="is drawn at"),
    # the theorem
    Falsified("sp.exp(-lam(i) * (r + s[i])), (i, 1, n)), k)", "sp.exp(-lam(i) * s[i]), (i, 1, n)), k)",
              Refuted),
    Falsified("fresh.step(lam(k) / C() * sp.exp(-C() * t) * apart,",
              "fresh.step(lam(k) / C() * sp.exp(-lam(k) * t) * apart,", Refuted),
    Falsified("same = Derivation(F_T(m, Z, moved(g, T, Z)),", "same = Derivation(F_T(m, Z, moved(g, Z, T)),",
              Refuted),
    Falsified("lost_law.step(F_T(mu[i], T, g) * total,", "lost_law.step(F_T(mu[i], Z, g) * total,",
              ProofError),
    Falsified("back = condition_on_maximum([at_most, 1.5], z)[0]", "back = at_most", Refuted),
    # other noise, and floating point
    Falsified("return f(T - mu[i]) / F(T - mu[i])", "return f(T - mu[i]) * F(T - mu[i])", Refuted),
    Falsified("normal.logpdf(T - logits) - normal.logcdf(T - logits)",
              "normal.logpdf(T - logits) + normal.logcdf(T - logits)", AssertionError),
    Falsified("deep.step(moved(g, Z, T) - depth,", "deep.step(moved(g, Z, T) + depth,", Refuted),
    Falsified("return T - np.maximum(v, 0) - np.log1p(np.exp(-abs(v)))",
              "return T - np.log1p(np.exp(-abs(v)))", AssertionError),
    Falsified('"as it stands": as_it_stands, "in', '"as it stands": in_stable_form, "in', AssertionError),
    Falsified("np.log1p(np.exp(ahead) * 1e-5)", "np.exp(ahead) * 1e-4", AssertionError),
    Falsified("abs(spoilt - right)[:, ~wins].max()", "abs(spoilt - right).max()", AssertionError),
    Falsified("series = np.exp(far) * (np.exp(-logits) - np.exp(-2.0))",
              "series = np.exp(far) * (np.exp(-logits) + np.exp(-2.0))", AssertionError),
    # from the top
    Falsified("item = gumbel_max(left, rng=rng)", "item = gumbel_max(logits, rng=rng)", Refuted),
    Falsified("frequencies_agree(seconds, ordered.sum(axis=0) - ordered.diagonal(),",
              "frequencies_agree(seconds, first,", ValueError, says="no side of eq-runner-up"),
    # counterfactuals
    Falsified("    keys[item] = top\n", "", AssertionError),
    Falsified("top = logsumexp(logits) + rng.gumbel()", "top = logits[item] + rng.gumbel()", AssertionError),
    Falsified("stays = softmax(raised)[2] / softmax(logits)[2]", "stays = softmax(raised)[2]",
              AssertionError),
    Falsified("shared.clip(0) / softmax(logits)[:, None]", "shared.clip(0) / softmax(raised)[:, None]",
              AssertionError),
    Falsified("by_gumbel = {(raised + noise_behind(3,", "by_gumbel = {(raised + noise_behind(2,",
              AssertionError),
    Falsified("assert set(would) == {1, 2}", "assert set(would) == {0, 1, 2, 3}", AssertionError),
    # the exercise
    Falsified("        left[item] = -np.inf\n    others", "    others", Refuted, says="the list"),
    Falsified("fresh = logsumexp(left) + rng.gumbel()", "fresh = logsumexp(logits) + rng.gumbel()", Refuted,
              says="a later key"),
    Falsified('"around its own logit": from_top(lambda left, z, item: z[item]),',
              '"around its own logit": from_top(),', Vacuous),
    # the sentences
    Falsified("scaled.solution(sp.exp(-moved(g / beta, Z / beta, T / beta))",
              "scaled.solution(sp.exp(-moved(g / beta, Z, T))", Refuted),
    Falsified(r"\lambda_i = e^{\mu_i}", r"\lambda_i = e^{-\mu_i}", Refuted, sentence=True),
    Falsified('W: "a waiting time",', "", ValueError, says="W is not declared"),
], exercises=4, unchecked=UNCHECKED, mistakes=MISTAKES, quotations=QUOTATIONS)

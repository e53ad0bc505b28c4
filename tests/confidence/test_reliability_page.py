"""The chapter book/confidence/reliability: what must not pass on it, and its exercises."""

from races import one_seed

from proofread.errors import ProofError, Refuted, Vacuous
from proofread.testing import Falsified, Page

MISTAKES = [
    ("ex-reliability-1", "2*p - 2*p**2", "can two gaps cancel"),
    ("ex-reliability-1", "4*p**2 - 4*p**3", "each of the two examples"),
    ("ex-reliability-1", "p*(1 - p)", "one guess is right"),
    ("ex-reliability-2", "2 - 1", "larger than all others"),
    ("ex-reliability-2", "1 - 1/m", "How many places"),
    ("ex-reliability-2", "1 - 2/(m + 1)", "highest level"),
    ("ex-reliability-3", "h/(m + 1)*(1 - h/(m + 1))", "a single new image"),
    ("ex-reliability-3", "h/(m + 1)*(1 - h/(m + 1))/(m + 1)", "a mean of independent numbers"),
    ("ex-reliability-3", "(h**2 + h)/((m + 1)*(m + 2))", "mean square"),
]

UNDETERMINED = {
    "eq-calibration-error":
        r"\mathrm{ECE} := \frac{\sum_{b=1}^{B} \left|\sum_{a=1}^{N} s_{a,b} \left(r_{a} - "
        r"c_{a}\right)\right|}{N}",
}
UNCHECKED = [
    "80", "(m+1)(m+2)", r"0.95\,(m + 1)", "1.86", "1/(m + 1)", "152", "2 - 2p", "2p - 1", "5.48", "95",
    r"\Gamma(h)\,\Gamma(m+1-h)/\Gamma(m+1)", r"\Gamma(x + 1) = x\,\Gamma(x)", r"\sqrt{p(1-p)/L}", "h(h+1)",
    "h/(m + 1)", "h/(m+1)", "u^{h-1}(1-u)^{m-h}",
]

PAGE = Page("book/confidence/reliability", [
    # the measure
    Falsified("gap = sp.Sum(s[a, b] * (r[a] - c_[a]), (a, 1, N))",
              "gap = sp.Sum(s[a, b] * (r[a] + c_[a]), (a, 1, N))", ProofError),
    Falsified("sp.Sum(sp.Abs(gap), (b, 1, B)) / N,", "sp.Sum(sp.Abs(gap), (b, 1, B)) / B,", ProofError),
    Falsified("return np.abs(s.T @ (r - c)).sum() / len(r)",
              "return np.abs(s.T @ (r - c)).mean()", ProofError),
    Falsified("gaps = np.bincount(bins, right - confidence, n_bins)",
              "gaps = np.bincount(bins, right - confidence.mean(), n_bins)", AssertionError),
    Falsified("comes_true = np.repeat([0.75, 0.75], 40)", "comes_true = np.repeat([0.75, 0.65], 40)",
              AssertionError),
    # finer bins
    Falsified("relation=\"<=\", attained={e: lambda l: 1}",
              "relation=\">=\", attained={e: lambda l: 1}", Refuted),
    Falsified("parts.step(sp.Sum(sp.Abs(e[l]), (l, 1, L))**2,",
              "parts.step(sp.Sum(e[l]**2, (l, 1, L)),", Refuted),
    Falsified("assert np.all(np.diff(halvings) >= -1e-12)", "assert np.all(np.diff(halvings) <= 1e-12)",
              AssertionError),
    Falsified("halvings[-1] < alone", "halvings[-1] > alone", AssertionError),
    # true claims
    Falsified("single.step(2 * p * (1 - p),", "single.step(p * (1 - p),", Refuted),
    Falsified("lambda hit: 0.75 if hit else 0.25, [0, 1]",
              "lambda hit: 0.25 if hit else 0.75, [0, 1]", Refuted),
    Falsified("0.375, of=single, at={p: 0.75}", "0.375, of=single, at={p: 0.7}", ValueError),
    Falsified("root.step(sp.Sum(weight * x[l]**2, (l, 1, L)),",
              "root.step(sp.Sum(weight * x[l], (l, 1, L))**2,",
              Refuted),
    Falsified("by=bounds.jensen(lambda at: at**2, sp.Abs(x[l])", "by=bounds.jensen(lambda at: at**2, x[l]**2",
              ProofError),
    Falsified("drawn = [calibration_error(sure, (rng.random(len(sure)) < sure) * 1.0)",
              "drawn = [calibration_error(sure, (rng.random(len(sure)) < 0.9) * 1.0)", AssertionError),
    # before and after
    Falsified("after = softmax(z_test / fitted.temperature)", "after = softmax(z_test * fitted.temperature)",
              AssertionError),
    Falsified("assert now[3] < was[3] / 2", "assert now[3] > was[3] / 2", AssertionError),
    Falsified("ax.plot(many_bins, errors[\"after\"], label", "ax.plot(many_bins, errors[\"before\"], label",
              ValueError, says="is drawn at"),
    Falsified("for n in bins], np.array(no_fault)])", "for n in bins], np.array(no_fault) / 2])",
              ValueError, says="is drawn at"),
    # ten networks
    Falsified('falls = ten.less("one temperature", "as trained")',
              'falls = ten.less("as trained", "one temperature")', Refuted, says="is not less than"),
    Falsified('remains = ten.undecided("one temperature", "true claims")',
              'remains = ten.undecided("one temperature", "as trained")', Refuted, says="is seen"),
    Falsified('best="true claims"', 'best="no claims"', ValueError, says="expected best to be one of"),
    Falsified('record.recorded(CLAIMS), nothing', one_seed("record.recorded(CLAIMS)") + ", nothing",
              ValueError, says="expected 10 seeds at least"),
    Falsified('beyond["one temperature"] <= 3', 'beyond["one temperature"] > 3', AssertionError),
    # the promise
    Falsified("sp.Sum(1 / (m + 1), (j, 1, h)),", "sp.Sum(1 / m, (j, 1, h)),", Refuted),
    Falsified("covered.step(h / (m + 1),", "covered.step(h / m,", Refuted),
    Falsified("coverage=0.6)\n    return", "coverage=0.8)\n    return", Refuted),
    Falsified("root = Derivation(sp.Sum(weight * sp.Abs(x[l]), (l, 1, L))**2,",
              "root = Derivation(sp.Sum(weight * x[l], (l, 1, L))**2,", ProofError),
    Falsified("orders, 0.6, of=covered, at={h: 3, m: 4}",
              "orders, 0.6, of=covered, at={h: 3, m: 5}", ValueError,
              says="no side of eq-coverage"),
    Falsified("assert all(abs(row[1] - 0.95) < 0.03", "assert all(abs(row[1] - 0.85) < 0.03", AssertionError),
    # its law
    Falsified('typical.step(h / (m + 1), r"$', 'typical.step(h / (m + 2), r"$', Refuted),
    Falsified("stats.beta.pdf(u, 96, 5)", "stats.beta.pdf(u, 95, 6)", Refuted),
    Falsified("law_of_count = stats.betabinom(rest, h_, m_ + 1 - h_)",
              "law_of_count = stats.binom(rest, h_ / m_)",
              AssertionError),
    Falsified("assert chance.cdf(kept_now.sum()) < 1e-9",
              "assert chance.cdf(hits.sum()) < 1e-9", AssertionError),
    Falsified("confident = unseen.max(axis=-1)", "confident = rng.permutation(unseen.max(axis=-1))",
              AssertionError),
    Falsified("urn.cdf(covered_ones[doubtful].sum())", "urn.cdf(covered_ones[~doubtful].sum())",
              AssertionError),
    Falsified("law_of_count.cdf(np.floor(shares * rest + 1e-9))",
              "law_of_count.cdf(np.floor(shares * rest - 20))", AssertionError),
    Falsified("per_weight = sp.gamma(m + 1) /", "per_weight = sp.gamma(m + 2) /", Refuted),
    Falsified("held, fresh = slice(learned, 550), slice(550, None)",
              "held, fresh = slice(0, learned), slice(550, None)", AssertionError),
    Falsified("room)[:, :, :-1].reshape(-1, 64)", "room)[:, :, 1:].reshape(-1, 64)", AssertionError),
    Falsified("assert guessed < right.mean() / 2", "assert guessed > right.mean() / 2", AssertionError),
    Falsified("conformal_threshold(z_fresh, y_fresh, coverage=0.8)",
              "conformal_threshold(z_fresh, y_fresh, coverage=0.95)", AssertionError),
    Falsified("of_class = [covered_ones[y_unseen == digit]",
              "of_class = [covered_ones[rng.permutation(y_unseen) == digit]", AssertionError),
    # in use, and the program
    Falsified("place = int(np.ceil(coverage * (len(p_true) + 1)))  #",
              "place = int(np.ceil(coverage * (len(p_true) + 3)))  #", AssertionError),
    Falsified("ECE = calibration_error(p_test.max(axis=1), guess == y_test)",
              "ECE = calibration_error(p_test.max(axis=1), guess == guess)", AssertionError),
    Falsified("coverage * (len(own) + 1) - 1e-9))\n        if",
              "coverage * max(len(own), 1) - 1e-9))\n        if",
              Refuted, says="count the new example"),
    Falsified("kept[:, k_] = new[:, k_] >= own", "kept[:, k_] = new[:, k_] > own", Refuted,
              says="equal to that at the level"),
    Falsified("kept = np.ones(new.shape, bool)", "kept = np.zeros(new.shape, bool)", Refuted,
              says="without examples"),
    Falsified('by_group(lambda probs, labels: probs.argmax(axis=1)),', 'by_group(),', Vacuous),
    # the exercises, the symbols
    Falsified('pair = Exercise("ex-reliability-1", answer=2 * p**2 * (1 - p)',
              'pair = Exercise("ex-reliability-1", answer=2 * p * (1 - p)', ProofError),
    Falsified("answer=h * (m + 1 - h) / ((m + 1)**2 * (m + 2)), hints={",
              "answer=h * (m + 1 - h) / ((m + 1)**2 * (m + 1)), hints={", ProofError),
    Falsified("most.solution(1 - 1 / (m + 1))", "most.solution(1 - 1 / m)", Refuted),
    Falsified("scatter.solution(square - (h / (m + 1))**2)",
              "scatter.solution(square - h / (m + 1))", Refuted),
    Falsified('h: "place of the level"})', "})", ValueError, says="h is not declared"),
], undetermined=UNDETERMINED, unchecked=UNCHECKED, mistakes=MISTAKES, exercises=4)

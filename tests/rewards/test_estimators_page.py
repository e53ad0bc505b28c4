"""The chapter book/rewards/estimators: what must not pass on it, and its exercises."""

from races import one_seed

from proofread.errors import Refuted, Vacuous
from proofread.testing import Falsified, Page

MISTAKES = [
    ("ex-toy-even", "1 + (n + 1)/(2*n*R)", "the new mean"),
    ("ex-toy-even", "0", "The gradient does not"),
    ("ex-best-even", "(n - 1)/n**3", "the first term"),
    ("ex-best-even", "(n - 2)*(n - 1)/n**4", "as baseline"),
    ("ex-toy-price", "3*n**2/((n - 1)*(n + 1))", "quotient of the moments"),
    ("ex-toy-price", "3*n/(n - 2)", "depends on"),
]

UNCHECKED = [
    r"1 + \frac{k}{nR}", r"1 - \varpi", r"1 - n\varpi", r"\frac1n - \frac1{n^2}", r"\frac1{nR}",
    r"\sum_j (\delta_{jk} - \frac1n)^2 = 1 - \frac1n", r"\sum_k k = \frac12 n(n+1)",
    r"\sum_k k^2 = \frac16 n(n+1)(2n+1)", "n - k",
]


def exchanged(claim, one, other):
    """A sentence on two methods that says the contrary."""
    return Falsified(f'{claim}("{one}", "{other}")', f'{claim}("{other}", "{one}")', Refuted,
                     says="is not less than")


PAGE = Page("book/rewards/estimators", [
    Falsified('half + k / (n * R), label="eq-toy-payoff"', 'half + k / n, label="eq-toy-payoff"', Refuted),
    Falsified("sp.Sum(1, (i, k + 1, n)), (k, 1, n)) / (n * R)", "sp.Sum(1, (i, k, n)), (k, 1, n)) / (n * R)",
              Refuted),
    Falsified('"probabilities are positive", relation=">="', '"probabilities are positive", relation="<="',
              Refuted),
    Falsified("sp.Rational(1, 30)\n", "sp.Rational(1, 60)\n", AssertionError),
    Falsified("slope.step(pi(j) * (j - E(k, draw))", "slope.step(pi(j) * (j + E(k, draw))", Refuted),
    Falsified("noise.step((1 - 1 / n) * E(r[k]**2, even) / n - Var", "noise.step((1 - 1 / n) * E(r[k]**2, "
              "even) / n + Var", Refuted),
    Falsified("quiet.step((1 - 2 / n)", "quiet.step((1 - 1 / n)", Refuted),
    Falsified("level.step(half + (n + 1)", "level.step(half + (n - 1)", Refuted),
    Falsified("spread.step((n**2 - 1) / (12", "spread.step((n**2 + 1) / (12", Refuted),
    Falsified("calm = (1 - 2 / C) * var_f / C", "calm = (1 - 1 / C) * var_f / C", AssertionError),
    Falsified("sure.mean() > 0.5 > 0.2 >= best_arm", "sure.mean() > 0.5 > best_arm > 0.2", AssertionError),
    Falsified("(pi(k) / (1 - pi(j))) * r[k]", "pi(k) * r[k]", Refuted),
    Falsified("mixed = Derivation(pi(j) * r[j] +", "mixed = Derivation(", Refuted),
    Falsified("lead = (1 - np.exp(joint[pairs])) * (worth", "lead = (worth", AssertionError),
    Falsified("worst < 7 if unbiased", "worst < 0.1 if unbiased", AssertionError),
    Falsified("return ((1 - units**2) * outer_weights", "return ((1 - units) * outer_weights",
              AssertionError),
    Falsified("for got in (v, per_value[name])],", "for got in (per_value[name], v)],", ValueError,
              says="is drawn at"),
    Falsified("remembered.step(steady,", "remembered.step(steady**2,", Refuted),
    Falsified('method="reinforce", baseline=average)', 'method="reinforce")', AssertionError),
    Falsified("abs(per_value[\"ARSM\"] - calm)", "abs(per_value[\"ARSM\"] - 1.1 * calm)", AssertionError),
    Falsified("relax.estimate(np.zeros((20, C)))", "pass", AssertionError),
    Falsified("price = 3 if what.needs_slope else 1", "price = 1", AssertionError),
    Falsified('rows[name][1] == 1}', 'rows[name][1] >= 1}', AssertionError),
    Falsified('smallest == "unordered set, 8"', 'smallest == "arsm"', AssertionError),
    # the races: two methods exchanged, what is not alike, a rival that is missing, one seed
    exchanged("by_steps.less", "moving average", "no baseline"),
    exchanged("by_steps.less", "moving average", "RELAX"),
    Falsified('by_steps.undecided("leave-one-out, 4", "ARSM")', 'by_steps.undecided("AR", "ARSM")', Refuted,
              says="is seen"),
    exchanged("by_cost.less", "exact", "moving average"),
    exchanged("by_cost.less", "moving average", "no baseline"),
    exchanged("by_cost.less", "moving average", "RELAX"),
    exchanged("by_cost.less", "ARSM", "moving average"),
    Falsified('by_cost.undecided("leave-one-out, 4", "ARSM")', 'by_cost.undecided("no baseline", "ARSM")',
              Refuted, says="is seen"),
    Falsified('by_cost.undecided("moving average", "leave-one-out, 2")',
              'by_cost.undecided("exact", "leave-one-out, 2")', Refuted, says="is seen"),
    Falsified('nothing="no baseline", usual="moving average", best="exact",',
              'nothing="no baseline", usual="REBAR", best="exact",', ValueError, says="expected usual"),
    Falsified("record.recorded(AT_EQUAL_STEPS),", one_seed("record.recorded(AT_EQUAL_STEPS)") + ",",
              ValueError, says="expected 10 seeds at least"),
    Falsified("record.recorded(AT_EQUAL_COST),", one_seed("record.recorded(AT_EQUAL_COST)") + ",",
              ValueError, says="expected 10 seeds at least"),
    Falsified('reach["exact"] < reach["moving average"] <', 'reach["moving average"] < reach["exact"] <',
              AssertionError),
    Falsified("curves=[found[:, 0, at] for found in entries.values() for at in (0, 1)],",
              "curves=[found[:, 0, at] for found in entries.values() for at in (1, 0)],", ValueError,
              says="is drawn at"),
    Falsified("curves=[quantiles[name][1] for name in looks] * 2",
              "curves=[quantiles[name][0] for name in looks] * 2", ValueError, says="is drawn at"),
    Falsified("curves=[*drawn, 2 * top],", "curves=[*drawn, top],", ValueError, says="is drawn at"),
    Falsified("by_line += payoff(np.argmin(np.log(one) - by_line)) * (1 - one)",
              "by_line += payoff(np.argmin(np.log(one) - by_line)) * (1 - 2 * one)", AssertionError),
    Falsified("old.step(F * (1 - n * share[j]) / n + F * (1 - 1 / n)",
              "old.step(F * (1 - n * share[j]) / n + F * (1 + 1 / n)", Refuted),
    Falsified("(z[:, 0] == truth[problem]).astype(float)", "(z[:, 0] == truth[0]).astype(float)",
              AssertionError),
    Falsified("doubled.solution(E(1 + k / (n * R), even) - level.end)",
              "doubled.solution(E(1 + k / (n * R), even))", Refuted),
    Falsified("needle.solution((1 - 1 / n) *", "needle.solution((1 - 2 / n) *", Refuted),
    Falsified("price.solution((1 - 1 / n) / (4 * n)", "price.solution((1 - 1 / n) / (2 * n)", Refuted),
    # what is in use, and the exercise to program
    Falsified("return (paid - average) * torch.log_softmax(logits, dim=-1)[k]",
              "return (paid - average) * torch.softmax(logits, dim=-1)[k]", AssertionError),
    Falsified("    left = bias + noise.sum() * price / budget",
              "    left = (bias + noise.sum()) * price / budget",
              Refuted, says="smaller by averaging"),
    Falsified("bias = max((miss**2).sum() - noise.sum() / len(estimates), 0)", "bias = (miss**2).sum()",
              Refuted, says="taken for a bias"),
    Falsified("out=np.where(miss == 0, 0, np.inf))", "out=np.zeros(len(miss)))", Refuted,
              says="always wrong"),
    Falsified('"0 over 0": rough,', '"0 over 0": lambda *given: by_hand(*given)[:2],', Vacuous),
    Falsified("away, again = audit(drawn_again, exact.ravel(), 3, 64)",
              "away, again = audit(drawn_again, exact.ravel(), 64, 3)", AssertionError),
    # what holds of likely answers, and of the toy without its half
    Falsified("doubtful = chance[:, 0] < 0.5", "doubtful = chance[:, 0] > 0.5", AssertionError),
    Falsified("lambda k: payoff(k) - 0.5, np.zeros(C)", "payoff, np.zeros(C)", AssertionError),
    Falsified('r"n = 30": "choice"', 'r"n = 30": "obvious"', ValueError, says="one of condition"),
    Falsified('share: "shares", F: "a payoff"', 'share: "shares"', ValueError, says="F is not declared"),
], exercises=4, unchecked=UNCHECKED, mistakes=MISTAKES)

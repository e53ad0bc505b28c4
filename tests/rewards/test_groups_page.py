"""The chapter book/rewards/groups: what must not pass on it, and its exercises."""

from proofread.errors import ProofError, Refuted, Vacuous
from proofread.testing import Falsified, Page

MISTAKES = [
    ("ex-sample-deviation", "sqrt(K)/sqrt(K - 1)", "larger, or smaller"),
    ("ex-sample-deviation", "1 - 1/K", "of the variances"),
    ("ex-two-answers", "rho/2 - rho**2/2", "mean of the square"),
    ("ex-two-answers", "rho - rho**2 - rho**2*(1 - rho)**2", "each of the two"),
    ("ex-two-answers", "rho**2*(1 - rho)**2", "How often"),
    ("ex-groups-of-four", "3**(1/2)", "larger spread"),
    ("ex-groups-of-four", "(rho*(1 - rho))**(-1/2)", "limit of large"),
    ("ex-groups-of-four", "12*rho**2*(1 - rho)**2 + 4*sqrt(3)*rho*(1 - rho)*(1 - 2*rho + 2*rho**2)",
     "in front"),
]

UNDETERMINED = {
    "eq-binomial":
        r"B_{m}(K, \rho) := \frac{\Gamma(K + 1)}{\Gamma(m + 1) \Gamma(K - m + 1)} \rho^{m} \left(1 - "
        r"\rho\right)^{K - m}",
}
UNCHECKED = [
    r"(r_k - \mathbb E\,r)/L_k", r"-\nabla\rho/(1-\rho)", "1/K^2", "2/4", r"2\rho(1-\rho)", "K/(K-1)",
    r"\nabla\rho", r"\nabla\rho/\rho", r"\sqrt3/4", r"\sqrt{m(K-m)}/K",
    r"\sqrt{m(K-m)}\,\nabla\rho\,/\,(K\rho(1-\rho))", r"\tfrac12", "r_{y_m}/K", "1/K",
    r"\rho(1-\rho)/(K-1)", "(K-1)/K", r"\rho^K + (1-\rho)^K",
]

PAGE = Page("book/rewards/groups", [
    # steps
    Falsified("unbiased.step(pi(j) * (r[j] - mean),", "unbiased.step(pi(j) * r[j],", Refuted),
    Falsified("others = 1 / (K - 1) * (total - r[y[m]])", "others = 1 / K * total", Refuted),
    Falsified("pull = delta(j, y[m]) - pi(j)", "pull = pi(j) - delta(j, y[m])", Refuted),
    Falsified("(l, 1, K), (m, 1, K)) / (2 * K * (K - 1)),",
              "(l, 1, K), (m, 1, K)) / (K * (K - 1)),", Refuted),
    Falsified("loo_noise.step(at_mean / K + (Var", "loo_noise.step(at_mean / K - (Var", Refuted),
    Falsified("against_all.step((K - 1) / K * (r[y[m]] - others),",
              "against_all.step(r[y[m]] - others,", Refuted),
    Falsified("shrunk.step((K - 1) / K * pi(j)", "shrunk.step(K / (K + 1) * pi(j)", Refuted),
    Falsified("goal.step(1 / sp.sqrt(rho * (1 - rho)),", "goal.step(2 / sp.sqrt(rho * (1 - rho)),", Refuted),
    Falsified("by_length.step(pi(j) * ((r[j] - mean) / L[j] -",
              "by_length.step(pi(j) * ((r[j] - mean) / L[j] +", Refuted),
    Falsified("group = Draws(r\"\\pi^K\", y, (m, 1, K), draw)",
              "group = Draws(r\"\\pi^K\", y, (m, 1, K - 1), draw)", ProofError),
    Falsified("draw = Law(r\"\\pi\", k, pi(k), 1, n)",
              "draw = Law(r\"\\pi\", k, pi(k), 1, n - 1)", ProofError, says="weight"),
    # second routes
    Falsified("found += law[first] * law[second] * (rewards[k] - mean) * pull / 2",
              "found += law[first] * law[second] * rewards[k] * pull / 2", AssertionError),
    Falsified("of=factor, at={K: 5, rho: 0.3},", "of=factor, at={K: 5, rho: 0.4},", ValueError),
    Falsified("of=factor, at={K: 5, rho: 0.3},", "of=shrunk, at={K: 5},", ValueError),
    Falsified("@ (np.array(group) - 0.3) / 5", "@ (np.array(group) - 0.3) / 4", Refuted),
    Falsified("each = wins(m, K, rho) * sp.sqrt(m * (K - m))",
              "each = wins(m, K, rho) * m * (K - m)", ValueError),
    Falsified("orders * rho**m * (1 - rho)**(K - m),", "orders * rho**m * (1 - rho)**K,", ValueError),
    # numbers
    Falsified("assert np.allclose(found, exact / 2,", "assert np.allclose(found, exact,", AssertionError),
    Falsified("assert ways[3] < ways[2] < ways[1] < ways[0]", "assert ways[3] < ways[1] < ways[2] < ways[0]",
              AssertionError),
    Falsified("size=40_000,\n                               baseline=\"leave-one-out\"",
              "size=40_000,\n                               baseline=2.5", AssertionError),
    # reading: two methods exchanged, a rival that is missing, one seed
    Falsified('reading.less("penalties", "rewards")', 'reading.less("rewards", "penalties")', Refuted,
              says="is not less than"),
    Falsified('reading.less("leave-one-out", "exact")', 'reading.less("leave-one-out", "rewards")', Refuted,
              says="borne out too weakly"),
    Falsified('reading.undecided("leave-one-out", "rewards")', 'reading.undecided("penalties", "rewards")',
              Refuted, says="a difference of"),
    Falsified('given_up.more("penalties", "rewards")', 'given_up.more("rewards", "penalties")', Refuted,
              says="is not more than"),
    Falsified('given_up.more("leave-one-out", "exact")', 'given_up.more("leave-one-out", "rewards")', Refuted,
              says="borne out too weakly"),
    Falsified('not any(sum(lost["exact", lr])', 'not any(sum(lost["rewards", lr])', AssertionError),
    Falsified('runs = record.recorded(READING, "chance").at(2000)',
              'from dataclasses import replace\nmethods = {way: READING.methods[way] for way in '
              '("untrained", "leave-one-out", "rewards")}\n'
              'runs = record.recorded(replace(READING, methods=methods), "chance").at(2000)', Refuted,
              says="expected runs of the experiment|to report the best settings"),
    Falsified('runs = record.recorded(READING, "chance").at(2000)',
              'from dataclasses import replace\nruns = record.recorded(READING, "chance").at(2000)\n'
              'runs = replace(runs, seeds=(0,), values={way: one[:1] for way, one in runs.values.items()})',
              ValueError, says="seeds at least"),
    # one in K
    Falsified("versus.step(rho * (1 - K * rho) / (K - 1),", "versus.step(rho * (1 - rho) / (K - 1),",
              Refuted),
    Falsified("== (chances > 1 / size).tolist()", "== (chances > 1 / (size + 1)).tolist()", AssertionError),
    Falsified("larger = 16", "larger = 8", AssertionError),
    Falsified("quotient(*one_of_ten(at), 1, at)", "quotient(*one_of_ten(at), 16)", AssertionError),
    Falsified("(best < chances / 2)", "(best < chances)", AssertionError),
    Falsified('without["exact"][1] > 0.5 * without["exact"][0] > 0',
              'without["untrained"][1] > 0.5 * without["untrained"][0] > 0', AssertionError),
    Falsified("np.array([at] + [(1 - at) / 9] * 9), np.eye(10)[0]",
              "np.array([at] + [(1 - at) / 9] * 9), np.eye(10)[0] - 1", AssertionError),
    Falsified("curves=[np.log10(shown[size]) for shown in (many, ten) for size in groups]",
              "curves=[np.log10(shown[size]) for shown in (ten, many) for size in groups]", ValueError,
              says="drawn at"),
    Falsified("assert np.allclose(by_kind[\"mean\"], 3 / 4", "assert np.allclose(by_kind[\"mean\"], 4 / 3",
              AssertionError),
    Falsified("for size in (2, 4, 8, 16))\nassert", "for size in (2, 4, 8, 16, 32))\nassert", AssertionError),
    Falsified("assert fair[1] < 0 < skewed[1]", "assert skewed[1] < 0", AssertionError),
    Falsified("boldness = np.array([[-bold], [1 - bold], [1 - bold]])",
              "boldness = np.array([[-bold], [1 - bold], [-bold]])", AssertionError),
    # what is drawn
    Falsified("curves=[slope_of_rate, *by_kind.values(), np.ones(99), 3 / 4 * np.ones(99),",
              "curves=[slope_of_rate, *by_kind.values(), np.ones(99), np.ones(99),",
              ValueError, says="drawn at"),
    Falsified("in_units = values(factor(K, rho).unfold(), rho, K=4)",
              "in_units = values(factor(K, rho).unfold(), rho, K=5)", ValueError, says="drawn at"),
    # sentences
    Falsified('r"K \\ge 2": "condition",', 'r"K \\ge 2": K >= 3,', ProofError),
    Falsified('L: "lengths"})', '})', ValueError, says="not declared"),
    # exercises
    Falsified("sample.solution(1 / sp.sqrt(K / (K - 1)))",
              "sample.solution(sp.sqrt(K / (K - 1)))", Exception),
    Falsified("differ.step(rho * (1 - rho) / 2 -", "differ.step(rho * (1 - rho) / 4 -", Refuted),
    Falsified("fours.step(sp.sqrt(3) * (rho**2", "fours.step(sp.sqrt(2) * (rho**2", Refuted),
    Falsified("    sp.sqrt(3): \"Groups with two",
              "    sp.sqrt(3) * (1 - 2 * rho * (1 - rho)) + 3 * rho * (1 - rho): \"Groups with two",
              Exception, says="is equal to the answer"),
    # what is in use, and the exercise to program
    Falsified("return centred * K / (K - 1)  #", "return centred * (K - 1) / K  #", AssertionError),
    Falsified("np.sqrt(3 / 4))):", "1)):", AssertionError),
    Falsified("answer = logp.masked_fill(~mask, 0).sum(dim=1)", "answer = (logp * mask).sum(dim=1)", Refuted,
              says="must not count"),
    Falsified("    mean = (same @ rewards - rewards) / others.clamp(min=1)",
              "    mean = same @ rewards / same.sum(dim=1)", Refuted, says="part of the mean"),
    Falsified("    rewards = rewards.detach()\n", "", Refuted, says="passes through the rewards"),
    Falsified("advantage = torch.where(others > 0, rewards - mean, 0)", "advantage = rewards - mean", Refuted,
              says="is wrong"),
    Falsified('"the sign": slipped(0)', '"the sign": compared', Vacuous),
    Falsified("-torch.autograd.grad(expected, policy)", "torch.autograd.grad(expected, policy)",
              AssertionError),
], exercises=4, undetermined=UNDETERMINED, unchecked=UNCHECKED, mistakes=MISTAKES)

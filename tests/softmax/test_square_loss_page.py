"""The chapter book/softmax/square_loss: what must not pass on it."""

from races import one_seed

from proofread.errors import ProofError, Refuted
from proofread.testing import Falsified, Page

UNCHECKED = [
    "(1-s)/2", r"2(1-\sigma(t))", "-L", "2Jd", "64", r"\mathbb{E}\,\delta_{j,k} = q_j",
    r"\operatorname{softmax}(2\pi)",
    r"\partial\pi_k/\partial z_j = \pi_j(\delta_{j,k} - \pi_k)", r"\pm(1-\sigma)",
    r"\sigma' = \sigma(1-\sigma)", r"\sigma(t)<1", r"e^{-\text{loss}}", "e^{L}/8", "k=j",
    r"x_i x_i^\top",
]

PAGE = Page("book/softmax/square_loss", [
    Falsified("squared.step(2 * pi(j) * (err(j) -", "squared.step(2 * pi(j) * (err(j) +", Refuted),
    Falsified("square_two.step(-4 * sigma(t) *", "square_two.step(-2 * sigma(t) *", Refuted),
    Falsified("flat.step(0,", "flat.step(-1,", Refuted),
    Falsified("steep.step(-1,", "steep.step(0,", Refuted),
    Falsified("hump.step(16 * third**3 -", "hump.step(16 * third**2 -", Refuted),
    Falsified("own = 1 - sp.Sum(q(j)**2, (j, 1, n))", "own = -1 - sp.Sum(q(j)**2, (j, 1, n))", Refuted),
    Falsified("+ KL(target, model),", "+ KL(model, target),", Refuted),
    Falsified("(1 - 3 * sigma(t)),", "(1 - 2 * sigma(t)),", Refuted),
    Falsified("implied.step(sp.exp(2 * pi(j)),", "implied.step(sp.exp(pi(j)),", Refuted),
    # the start of a chain
    Falsified("squared = Derivation(sp.Derivative(brier(), z[j])",
              "squared = Derivation(sp.Derivative(brier(), z[k])", ProofError),
    Falsified("both_squares = (sigma(t) - 1)**2 +", "both_squares = (sigma(t) - 1)**2 -", ProofError),
    Falsified("bend = Derivation(sp.Derivative(both_squares, (t, 2))",
              "bend = Derivation(sp.Derivative(both_squares, t)", Refuted),
    Falsified("gap = Derivation(F(truth) - tangent,", "gap = Derivation(F(p) - tangent,", Refuted),
    Falsified("sp.log(p / (1 - p)) * (truth - p)", "sp.log(p / (1 - p)) * truth", Refuted),
    # laws that are none, and where equality holds
    Falsified('target = Law("q", k, q(k), 1, n)', 'target = Law("q", k, q(k), 2, n)', Refuted,
              says="total weight"),
    Falsified("attained={t: -sp.log(2)}", "attained={t: sp.log(2)}", ProofError),
    Falsified('relation=">=", attained={w: 1, z: 0})', 'relation="<=", attained={w: 1, z: 0})', Refuted),
    Falsified("by=bounds.gibbs(q(k), pi(k), (k, 1, n))", "by=bounds.gibbs(pi(k), q(k), (k, 1, n))",
              ProofError),
    # evidence for another equation
    Falsified("of=squared, index=j", "of=brier, index=j", ValueError, says="no side of eq-squared-loss"),
    # what is drawn, and numbers
    Falsified("values(-square_two.end, t)]", "values(-cross_two.end, t)]", ValueError, says="is drawn at"),
    Falsified("ax.plot(lead, -square_slope,", "ax.plot(lead, square_slope,", ValueError, says="is drawn at"),
    Falsified("curves=[values(-cross_two.end, t), ", "curves=[", ValueError, says="2 lines are drawn"),
    Falsified("np.isclose(totals[0], 3 * np.exp(-2 / 3))", "np.isclose(totals[0], 3 * np.exp(-1 / 3))",
              AssertionError),
    Falsified("np.exp(behind) / 8)", "np.exp(behind) / 4)", AssertionError),
    Falsified("z -= rate * loss(z, 0).gradient", "z -= 2 * rate * loss(z, 0).gradient", AssertionError),
    Falsified("z = z - rate * loss(z, np.zeros(3, int)).gradient",
              "z = z - rate * loss(z, np.ones(3, int)).gradient", AssertionError),
    Falsified("(-2 * p * (1 - p), 4 * p - 2)", "(-2 * p * (1 - p), 2 * p - 1)", AssertionError),
    Falsified("values(gap.end, truth, p=told)", "values(gap.end, truth, p=0.5)", AssertionError),
    Falsified("logs = np.log(frequencies) / 2", "logs = np.log(frequencies)", AssertionError),
    Falsified("step = 2 / np.linalg", "step = 40 / np.linalg", AssertionError),
    Falsified("zero_cross, zero_square, sure_cross, sure_square =",
              "zero_cross, sure_cross, zero_square, sure_square =", AssertionError),
    Falsified("runs[start, name][1:, 0] / runs[start, name][0, 0]", "runs[start, name][1:, 1]",
              AssertionError),
    Falsified("pull.step(3 * share * (1 - share)**2,", "pull.step(2 * share * (1 - share)**2,", Refuted),
    Falsified("extra.step(4 * eps,", "extra.step(-4 * eps,", Refuted),
    Falsified("2 * (true - told)**2)", "(true - told)**2)", AssertionError),
    # the races
    Falsified('stuck = wrong.less("square loss", "cross-entropy")',
              'stuck = wrong.less("cross-entropy", "square loss")', Refuted, says="is not less than"),
    Falsified('alike = early.undecided("square loss", "cross-entropy")',
              'alike = early.undecided("square loss", "untrained")', Refuted, says="is seen"),
    Falsified('wrong.more("square loss on logits, Adam", "square loss, Adam")',
              'wrong.more("square loss, Adam", "square loss on logits, Adam")', Refuted),
    Falsified('sturdy = noisy_race.more("square loss", "cross-entropy")',
              'sturdy = noisy_race.less("square loss", "cross-entropy")', Refuted),
    Falsified('stuck_adam = wrong.less("square loss, Adam"', 'stuck_adam = wrong.more("square loss, Adam"',
              Refuted),
    Falsified('plain = early.less("square loss on logits"', 'plain = early.more("square loss on logits"',
              Refuted),
    Falsified('usual="cross-entropy, Adam"', 'usual="cross-entropy, momentum"', ValueError,
              says="expected usual to be one of"),
    Falsified("record.recorded(MISLABELLED))", one_seed("record.recorded(MISLABELLED)") + ")", ValueError,
              says="expected 10 seeds at least"),
    # relations in sentences, and what the symbols mean
    Falsified(r"8\sigma(t) \le 8e^t", r"8\sigma(t) \ge 8e^t", Refuted, sentence=True),
    Falsified(r"(u-v)^2 \le 2(u^2+v^2)", r"(u-v)^2 \le u^2+v^2", Refuted, sentence=True),
    Falsified(r"-\log 0.2 \approx 1.609", r"-\log 0.2 \approx 1.619", Refuted, sentence=True),
    Falsified('eps: "probability of a wrong label"', 'i: "class"', ValueError, says="is not declared"),
], unchecked=UNCHECKED, mistakes=[
    ("ex-square-loss-3", "-4*varepsilon", "less sure"),
    ("ex-square-loss-3", "4*varepsilon*s", "differentiated"),
], exercises=1)

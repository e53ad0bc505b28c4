"""The chapter book/softmax/square_loss: what must not pass on it."""

from races import one_seed

from proofread.errors import ProofError, Refuted
from proofread.testing import Falsified, Page

UNCHECKED = [
    "(a, 1-a, 0)", r"\pi_k^\gamma(\pi - y)",
    r"(0, \frac12, \frac12)", "(0.01, 0.99)", "(0.1, 0.9)", r"(1 - \pi_k^\gamma)/\gamma",
    r"(1 - s^\gamma)/\gamma", "2(z - y)", "2/n", r"2\pi_j(1-\pi_j)(\pi_j - y_j)", r"2\pi_k",
    r"\pi - y", r"\sum_k |\pi_k - y_k|",
    r"2(1-\sigma(t))", "-h", "2Jd", r"\mathbb{E}\,\delta_{j,k} = q_j",
    r"\partial\pi_k/\partial z_j = \pi_j(\delta_{j,k} - \pi_k)", r"\pm(1-\sigma)",
    r"\sigma' = \sigma(1-\sigma)", r"e^{-\text{loss}}", "e^h/8",
    r"\sigma(-h)", r"1-\gamma", "k=j",
]

PAGE = Page("book/softmax/square_loss", [
    Falsified("squared.step(2 * pi(j) * (err(j) -", "squared.step(2 * pi(j) * (err(j) +", Refuted),
    Falsified("square_two.step(-4 * sigma(t) *", "square_two.step(-2 * sigma(t) *", Refuted),
    Falsified("own = 1 - sp.Sum(q(j)**2, (j, 1, n))", "own = -1 - sp.Sum(q(j)**2, (j, 1, n))", Refuted),
    Falsified("+ KL(target, model),", "+ KL(model, target),", Refuted),
    # the start of a chain
    Falsified("squared = Derivation(sp.Derivative(brier(), z[j])",
              "squared = Derivation(sp.Derivative(brier(), z[k])", ProofError),
    Falsified("both_squares = (sigma(t) - 1)**2 +", "both_squares = (sigma(t) - 1)**2 -", ProofError),
    # laws that are none, and where equality holds
    Falsified('target = Law("q", k, q(k), 1, n)', 'target = Law("q", k, q(k), 2, n)', Refuted,
              says="total weight"),
    Falsified('relation=">=", attained={w: 1, z: 0})', 'relation="<=", attained={w: 1, z: 0})', Refuted),
    Falsified("by=bounds.gibbs(q(k), pi(k), (k, 1, n))", "by=bounds.gibbs(pi(k), q(k), (k, 1, n))",
              ProofError),
    # evidence for another equation
    Falsified("of=squared, index=j", "of=brier, index=j", ValueError, says="no side of eq-squared-loss"),
    # what is drawn, and numbers
    Falsified("values(-square_two.end, t)]", "values(-cross_two.end, t)]", ValueError, says="is drawn at"),
    Falsified("ax.plot(lead, -square_slope,", "ax.plot(lead, square_slope,", ValueError, says="is drawn at"),
    Falsified("curves=[values(-cross_two.end, t), ", "curves=[", ValueError, says="2 lines are drawn"),
    Falsified("z = z - rate * loss(z, np.zeros(len(z), int)).gradient",
              "z = z - rate * loss(z, np.ones(len(z), int)).gradient", AssertionError),
    Falsified("outset=np.array([[0, 1, 0]]))[0]", "outset=np.array([[0, 1, 0.5]]))[0]", AssertionError),
    Falsified("(ideal * p_ideal**0.7)", "(ideal * p_ideal**0.3)", AssertionError),
    Falsified("return p < share / z.shape[-1]", "return p > share / z.shape[-1]", AssertionError),
    # the races
    Falsified('stuck = moved.less("square loss", "cross-entropy")',
              'stuck = moved.less("cross-entropy", "square loss")', Refuted, says="is not less than"),
    Falsified('stuck_adam = moved.less("square loss, Adam"', 'stuck_adam = moved.more("square loss, Adam"',
              Refuted),
    Falsified('convex = moved.more("square loss on logits, Adam", "square loss, Adam")',
              'convex = moved.more("square loss, Adam", "square loss on logits, Adam")', Refuted),
    Falsified('same = fresh.undecided("square loss, Adam", "cross-entropy, Adam")',
              'same = fresh.undecided("square loss, Adam", "untrained")', Refuted, says="is seen"),
    Falsified('same_logits = fresh.undecided("square loss on logits, Adam",',
              'same_logits = fresh.undecided("square loss on logits",', Refuted, says="is seen"),
    Falsified('rival="cross-entropy, Adam"', 'rival="cross-entropy, momentum"', ValueError,
              says="expected usual to be one of"),
    Falsified("Comparison(title, record.recorded(experiment),",
              "Comparison(title, " + one_seed("record.recorded(experiment)") + ",", ValueError,
              says="expected 10 seeds at least"),
    Falsified('crowded = crowd.less("square loss, Adam",', 'crowded = crowd.more("square loss, Adam",',
              Refuted, says="is not more than"),
    Falsified('clings = moved.less("generalised', 'clings = moved.more("generalised', Refuted),
    Falsified('smoothed = network.undecided("label smoothing, Adam", "cross',
              'smoothed = network.undecided("label smoothing, Adam", "generalised cross', Refuted),
    # the open code, and what it finds
    Falsified("errors = z.softmax(-1) - F.one_hot(y, z.shape[-1])", "errors = z.softmax(-1)", AssertionError),
    Falsified("return (errors**2).sum(-1).mean()", "return (errors**2).mean()", AssertionError),
    Falsified("return 4 * s * (1 - s)**2", "return 2 * s * (1 - s)**2", AssertionError),
    Falsified("t += 2 * move", "t += 4 * move", AssertionError),
    Falsified("np.exp(h) / 8,", "np.exp(h) / 4,", AssertionError),
    Falsified("corrected = torch.tensor([0, 1, 2, 8, 4, 5, 6, 7, 3, 9])",
              "corrected = torch.tensor([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])", AssertionError),
    Falsified("stalled, _ = fit(trained[0], square_loss,", "stalled, _ = fit(trained[0], F.cross_entropy,",
              AssertionError),
    Falsified("(y_old + shift) % 10, y_old)", "y_old, (y_old + shift) % 10)", AssertionError),
    Falsified("scale = 1 + (weight - 1) * hot", "scale = 1 + weight * hot", AssertionError),
    Falsified("repaired, _ = fit(stalled, F.cross_entropy,", "repaired, _ = fit(stalled, square_loss,",
              AssertionError),
    Falsified("return p.argsort()[:count]", "return p.argsort()[-count:]", AssertionError),
    Falsified("random_state=0)\nx, unseen", "random_state=1)\nx, unseen", AssertionError),
    Falsified("-torch.expm1(gamma * log_p) / gamma", "-torch.expm1(log_p) / gamma", AssertionError),
    # wrong labels, logits, and exercises
    Falsified("even.step(2 * n / (n - 1) *", "even.step(2 *", Refuted),
    Falsified("raw.step(own + sp.Sum((z[j] - q(j))**2", "raw.step(own + sp.Sum((z[j] + q(j))**2", Refuted),
    Falsified("flipped.step((1 - eta * n / (n - 1)) *", "flipped.step((1 - eta) *", Refuted),
    Falsified("steady.step(2 * n - 2,", "steady.step(2 * n,", Refuted),
    Falsified("sp.Sum(pi(i)**2, (i, 1, n)) + n - 2", "sp.Sum(pi(i)**2, (i, 1, n)) + n - 1", Refuted),
    Falsified("hedging.step(2 * a * (1 - a) *", "hedging.step(2 * a * (1 + a) *", Refuted),
    Falsified("between.step(sigma(t)**gamma * (1 - sigma(t))", "between.step(sigma(t)**gamma", Refuted),
    Falsified("expected = squared_loss(z, labels).gradient", "expected = categorical_nll(z, labels).gradient",
              Exception),
    # relations in sentences, and what the symbols mean
    Falsified(r"8\sigma(t) \le 8e^t", r"8\sigma(t) \ge 8e^t", Refuted, sentence=True),
    Falsified(r"2\cdot 0.9\cdot(-0.09) = -0.324", r"2\cdot 0.9\cdot(-0.09) = -0.162", Refuted, sentence=True),
    Falsified('eta: ("probability of a wrong label", eta < 1)', 'i: "class"', ValueError,
              says="is not declared"),
], undetermined={"eq-target-law": r"q_k := \frac{w_k}{\sum_{i=1}^n w_i}"}, unchecked=UNCHECKED, mistakes=[
    ("ex-square-loss-1", "a*(1 - a)*(2*a - 1)", "has a factor"),
    ("ex-square-loss-1", "2*a**2", "mean error"),
    ("ex-square-loss-1", "2*a**2*(1 - a)", "one sigmoid"),
    ("ex-square-loss-1", "4*a - 2", "derivative in"),
    ("ex-square-loss-1", "2*a*(1 - a)*(1 - 2*a)", "The sign"),
    ("ex-square-loss-2", "s**gamma", "factor lost"),
    ("ex-square-loss-2", "s**(gamma - 1)", "derivative in"),
    ("ex-square-loss-2", "1 - s", "tends to 0"),
    ("ex-square-loss-2", "-s**gamma*(1 - s)", "positive"),
], exercises=3)

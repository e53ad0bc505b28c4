"""The chapter book/language/speculative: what must not pass on it, and its exercises."""

from proofread.errors import Refuted, Vacuous
from proofread.testing import Falsified, Page

MISTAKES = [
    ("ex-two-tokens", "a*b + (1 - a)*(1 - b)", "independent noise"),
    ("ex-two-tokens", "(1 - Abs(a - b))/(1 + Abs(a - b))", "lower bound"),
    ("ex-two-tokens", "Min(a, b)", "one of two ways"),
    ("ex-two-tokens", "Abs(a - b)", "never agree"),
    ("ex-second-guess", "1 - (a - b)", "for one guess"),
    ("ex-second-guess", "1 - (a - b)**2", "not tested against p"),
    ("ex-second-guess", "1 - (a - b)*(1 - a)", "drawn from the draft"),
    ("ex-second-guess", "(1 - (a - b))*b", "after the first has failed"),
]

UNCHECKED = [
    r"(\gamma + 1, V)", r"1 + \alpha", r"1 + c\gamma", "1.8", "1.85", "1.9", r"128\,000", "30", "6.5", "70",
    "82", "85", "90", "E_k = t", "E_k/p_k", "E_k/q_k", r"\frac15", r"\frac{1}{1-\alpha}", r"\frac{3}{13}",
    r"\log p_k + G_k", r"\log q_k + G_k", r"\max(p_i, q_i)/\min(p_k, q_k)", r"\min(1, p_k/q_k)",
    r"\min(1-a, 1-b)", r"\sum_k p_k q_k", "ct", "i = k", "p_i/q_i", "p_k/q_k",
]

PAGE = Page("book/language/speculative", [
    # the first example
    Falsified("mixed = kept + (1 - kept.sum()) * p", "mixed = kept / kept.sum()", AssertionError),
    # the theorem
    Falsified("accept.step(sp.Min(p_[k], q_[k]),", "accept.step(sp.Max(p_[k], q_[k]),", Refuted),
    Falsified("half * (p_[k] + q_[k] - sp.Abs(p_[k] - q_[k]))",
              "half * (p_[k] + q_[k] + sp.Abs(p_[k] - q_[k]))",
              Refuted),
    Falsified("overlap.step(1 - TV(),", "overlap.step(1 - 2 * TV(),", Refuted),
    Falsified("sp.Max(p_[k] - q_[k], 0) / TV(),\n                         label",
              "sp.Max(q_[k] - p_[k], 0) / TV(),"
              "\n                         label", Refuted),
    Falsified("q_[k] * sp.Min(1, p_[k] / q_[k])\n    +", "q_[k] * sp.Min(1, q_[k] / p_[k])\n    +", Refuted),
    Falsified("sp.Min(p_[k], q_[k]) + TV() * residual_of(k),", "sp.Min(p_[k], q_[k]) + residual_of(k),",
              Refuted),
    Falsified("exact.step(p_[k], \"the common", "exact.step(q_[k], \"the common", Refuted),
    # the step
    Falsified("* q_at < p_at", "< p_at", AssertionError),
    Falsified(".long().cumprod(-1).sum(-1)", ".long().sum(-1) * 0", AssertionError),
    Falsified("rest = (p - q).clamp(min=0)", "rest = p", AssertionError),
    Falsified("late = place > accepted[..., None]", "late = place > accepted[..., None] + 1", AssertionError),
    Falsified("guesses = rng.choice(3, size=(size, 1), p=np.exp(log_q))",
              "guesses = rng.choice(3, size=(size, 1), p=np.exp(log_p))", Refuted),
    Falsified("lambda p, q: acceptance(np.log(p), np.log(q)), overlap.start",
              "lambda p, q: acceptance(np.log(p), np.log(p)), overlap.start", Refuted),
    Falsified("lambda p, q: np.exp(residual(np.log(p), np.log(q)))",
              "lambda p, q: residual(np.log(p), np.log(q))",
              Refuted),
    # what breaks it
    Falsified('"most probable, divided by 1": comes_out(one_hot, one_hot)',
              '"most probable, divided by 1": comes_out(one_hot, of_draft)', AssertionError),
    Falsified('comes_out(sharp, of_draft)', 'comes_out(sharp, sharp)', AssertionError),
    Falsified("(np.exp(log_p), np.exp(log_p) @ of_draft)", "(of_draft, np.exp(log_p) @ of_draft)",
              AssertionError),
    # couplings
    Falsified("sp.Min(sp.Sum(J[k, j], (j, 1, n)), sp.Sum(J[j, k], (j, 1, n)))",
              "sp.Min(sp.Sum(J[k, j], (j, 1, n)), sp.Sum(J[j, k], (j, 2, n)))", Refuted),
    Falsified("maximal_coupling(np.log(p), np.log(q))[int(row) - 1]",
              "maximal_coupling(np.log(q), np.log(p))[int(row) - 1]", Refuted),
    # shared noise
    Falsified("y = (q.log() + noise).argmax(-1)", "y = (q + noise).argmax(-1)", AssertionError),
    Falsified("sp.exp(-t) * Without(", "sp.exp(-2 * t) * Without(", Refuted),
    Falsified("larger = sp.Max(p_[i] / p_[k], q_[i] / q_[k])",
              "larger = sp.Max(p_[k] / p_[i], q_[k] / q_[i])",
              ValueError, says="no side"),
    Falsified("agreement.step(1 / sp.Sum(larger, (i, 1, n)),",
              "agreement.step(1 / (1 + sp.Sum(larger, (i, 1, n))),",
              Refuted),
    Falsified("size, rng=rng) == 1).all(axis=1)", "size, rng=rng) == 0).all(axis=1)", Refuted),
    Falsified("assert np.allclose(each, [1 / 5, 3 / 13, 1 / 5])",
              "assert np.allclose(each, [1 / 5, 1 / 3, 1 / 5])",
              AssertionError),
    Falsified("quad(lambda r: later(r) ** -2, *ends)[0]", "quad(lambda r: 1 / later(r), *ends)[0]",
              AssertionError),
    Falsified("shapes=[one[::-1] for one", "shapes=[one for one", ValueError, says="counterpart"),
    Falsified("outer.step(1 + TV(),", "outer.step(1 + TV() / 2,", Refuted),
    Falsified("least.step((1 - TV()) / (1 + TV()),", "least.step(1 - TV(),", Refuted),
    Falsified("sp.Min(p_[k], q_[k]) / sp.Sum(sp.Max(p_[i], q_[i]), (i, 1, n)), (k, 1, n)),",
              "sp.Max(p_[k], q_[k]) / sp.Sum(sp.Max(p_[i], q_[i]), (i, 1, n)), (k, 1, n)),", Refuted),
    Falsified("gumbel_agreement(np.log(p), np.log(q)), least.start",
              "acceptance(np.log(p), np.log(q)), least.start",
              Refuted),
    Falsified("clouds[size] = 1 - acceptance(*pair), gumbel_agreement(*pair)",
              "clouds[size] = 1 - acceptance(*pair), acceptance(*pair) ** 3", AssertionError),
    Falsified("+ [lambda far: 1 - far, lambda far: (1 - far) / (1 + far)]",
              "+ [lambda far: 1 - far, lambda far: 1 / (1 + far)]", ValueError, says="drawn"),
    Falsified("(np.log(left) + gumbels).argmax(axis=1))",
              "(np.log(left) - np.log(rng.exponential(size=gumbels.shape))).argmax(axis=1))", AssertionError),
    # tokens per call
    Falsified("(1 - alpha**(gamma + 1)) / (1 - alpha)", "(1 - alpha**gamma) / (1 - alpha)", Refuted),
    Falsified("2 / (1 / prose + 1 / code)", "(prose + code) / 2", AssertionError),
    Falsified("written += accepted + 1", "written += accepted", AssertionError),
    Falsified("p[seen], q[seen[:, :-1]], draft)", "p[seen], q[seen[:, 1:]], draft)", AssertionError),
    Falsified("lambda a, g: tokens_of_rates(a)", "lambda a, g: tokens_of_rates(a[::-1])", Refuted),
    Falsified("sp.Product(rate[u], (u, 1, s))", "sp.Product(rate[u], (u, 1, gamma))", Refuted),
    Falsified("lambda a, g: tokens_per_call(a, int(g))", "lambda a, g: tokens_per_call(a, int(g) + 1)",
              Refuted),
    Falsified("np.stack([lengths, in_the_long_run[window]], 1)", "np.stack([lengths, formula[window]], 1)",
              ValueError, says="drawn"),
    Falsified("/ (1 + cost * more) for window", "/ (1 + 2 * cost * more) for window", AssertionError),
    Falsified("share @ gumbel_agreement(tables[3], tables[window]), alphas[window]]",
              "share @ gumbel_agreement(tables[3], tables[3]), alphas[window]]", AssertionError),
    # figures
    Falsified("low, places = np.minimum(of_p, of_q)", "low, places = np.maximum(of_p, of_q)", AssertionError),
    Falsified('"lost": boxes(low, of_q)}', '"lost": boxes(low, of_p)}', AssertionError),
    # exercises
    Falsified("two.solution(1 / (1 + sp.Max(", "two.solution(1 / (1 + sp.Min(", Refuted),
    Falsified("second.solution(1 - (a - b) + (a - b) * b)", "second.solution(1 - (a - b) + (a - b) * a)",
              Refuted),
    Falsified('"all are written": lambda z, d, g: own_draws(z, g)',
              '"all are written": lambda z, d, g: as_far(own_draws(z, g), d)', Vacuous),
    Falsified("return own[:right.cumprod().sum() + 1]", "return own[:right.sum() + 1]", Refuted,
              says="nothing follows"),
    # sentences
    Falsified(r"p_k - \min(p_k, q_k) = \max(p_k - q_k, 0)", r"p_k - \min(p_k, q_k) = \max(q_k - p_k, 0)",
              Refuted,
              sentence=True),
], unchecked=UNCHECKED, mistakes=MISTAKES)

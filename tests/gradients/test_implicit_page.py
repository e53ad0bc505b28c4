"""The chapter book/gradients/implicit: what must not pass on it, and its exercises."""

from proofread.errors import Refuted, Vacuous
from proofread.testing import Falsified, Page

MISTAKES = [
    ("ex-implicit-jump", ("-2", "-2"), "How far does a draw move"),
    ("ex-implicit-jump", ("0", "0"), "write it down"),
    ("ex-implicit-jump", ("0", "2"), "more frequent"),
    ("ex-implicit-gap", "erf(d/sqrt(8))*sqrt(2*pi)*exp(d**2/8)", "where does the level rise"),
    ("ex-implicit-gap", "-2*erf(d/sqrt(8))*sqrt(2*pi)*exp(d**2/8)", "both halves"),
    ("ex-implicit-gap", "(1 - erf(d/sqrt(8)))/2*sqrt(2*pi)*exp(d**2/8)", "difference of"),
    ("ex-implicit-kumaraswamy", "-(1 - x**a) * log(1 - x**a) / (a * b * x**(a - 1))",
     "the sign of the logarithm"),
    ("ex-implicit-kumaraswamy", "log(1 - x**a) / (a * b * x**(a - 1))", "of the level is left"),
    ("ex-implicit-kumaraswamy", "(1 - x**a) * log(1 - x**a) / (b * x**(a - 1))", "the derivative of"),
    ("ex-implicit-log", "a * digamma(a) + 1", "its derivative is asked"),
    ("ex-implicit-log", "log(a) + 1", "at the mean"),
    ("ex-implicit-log", "digamma(a) + 1", "depends on"),
]

UNCHECKED = [
    "70", "32", "x^2", r"-0.5 \pm d/2",
    r"p\,h", r"f'\,p\,h", r"p\,v", "v + h", r"\mu + \sigma\varepsilon",
    "(1 - x^a)^{b-1}", "1 + n_k", r"\Gamma''/\Gamma - \psi^2 = \psi'",
    r"\Gamma'(a) = \int_0^\infty \log x\, x^{a-1}e^{-x}dx", r"\log\Gamma", r"\log q(x)", r"\log q",
    r"\partial F/\partial g", r"f'(x)\,\dot x",
    r"1.2\cdot 10^{-38}", "x - 4x", "1/2",
    r"\Gamma(a + 1) = a\,\Gamma(a)", r"\psi(a) + a\,\psi'(a)",
]

RUNS = "record.recorded(BELIEVING)"
FEWER = (f'__import__("dataclasses").replace({RUNS}, values='
         f'{{way: found for way, found in {RUNS}.values.items() if way != "implicit"}})')
ONE_SEED = (f'__import__("dataclasses").replace({RUNS}, seeds=(0,), values='
            f'{{way: found[:1] for way, found in {RUNS}.values.items()}})')

PAGE = Page("book/gradients/implicit", [
    # PyTorch, and parameters in the noise
    Falsified("assert derivative > 0 and not mixture.has_rsample",
              "assert derivative > 0 and mixture.has_rsample", AssertionError),
    Falsified("for at in (0.71, 0.69)))", "for at in (2.71, 2.69)))", AssertionError),
    Falsified("mean_move(shape) for shape in (0.3,", "mean_move(shape + 1) for shape in (0.3,",
              AssertionError),
    Falsified("assert above[1.01][0] > 1 + 3 *", "assert above[1.01][0] > 1 + 4 *", AssertionError),
    Falsified("for seed in (10, 31, 13)}", "for seed in (13, 31, 10)}", AssertionError),
    Falsified("bars(ax2, seven, means, errors)", "bars(ax2, seven, means, 2 * errors)", ValueError),
    # the level, by hand and in a picture
    Falsified("shift = gap / density_at_0", "shift = gap * density_at_0", AssertionError),
    Falsified("(w * stats.norm.pdf(x, -2) + (1 - w) * stats.norm.pdf(x, 1))",
              "(w * stats.norm.pdf(x, -2) + w * stats.norm.pdf(x, 1))", ValueError, says="is drawn at"),
    # three lines
    Falsified("    return x - (level - level.detach()) / density\n",
              "    return x + (level - level.detach()) / density\n", AssertionError),
    Falsified("    return x - (level - level.detach()) / density\n",
              "    return x - (level - level.detach())\n", AssertionError),
    Falsified("exact = [5.0 - 2.0,", "exact = [5.0 + 2.0,", AssertionError),
    Falsified("for q_of in (lambda a: D.Gamma(a, 1.0), D.Chi2,", "for q_of in (D.HalfNormal, D.Chi2,",
              AssertionError, says="can be differentiated"),
    Falsified("assert twice > 1.5 *", "assert twice < 1.5 *", AssertionError),
    # the theorem
    Falsified("moving_level.step(Partial(level, g(u, theta)) * sp.Derivative(g(u, theta), theta)\n"
              "                  +",
              "moving_level.step(Partial(level, g(u, theta)) * sp.Derivative(g(u, theta), theta)\n"
              "                  -", Refuted),
    Falsified("path.argue(sp.Integral(sp.Derivative(at_level_u, theta),",
              "path.argue(sp.Integral(-sp.Derivative(at_level_u, theta),", Refuted),
    Falsified("path.step(sp.Integral(Partial(at_level_u, g(u, theta)) *",
              "path.step(sp.Integral(Partial(at_level_u, g(u, theta)) /", Refuted),
    Falsified("+ sp.Derivative(-sp.Derivative(at_place, theta), place),",
              "+ sp.Derivative(sp.Derivative(at_place, theta), place),", Refuted),
    # mixtures
    Falsified("by_mean.step(share_1 * phi(place - m1) / total,", "by_mean.step(phi(place - m1) / total,",
              Refuted),
    Falsified("by_weight.step((Phi(place - m2) - Phi(place - m1)) / total,",
              "by_weight.step((Phi(place - m1) - Phi(place - m2)) / total,", Refuted),
    Falsified("implied = mean(2 * x * -gap / density)", "implied = mean(2 * x * gap / density)",
              AssertionError),
    Falsified("assert (noise[distances < 2, 0] <", "assert (noise[distances < 2, 0] >", AssertionError),
    Falsified("assert (2 * noise[:, 0] >", "assert (1 * noise[:, 0] >", AssertionError),
    Falsified("assert (noise[distances > 3.2, 0] >", "assert (noise[distances > 3.2, 0] <", AssertionError),
    Falsified("2 * each.sum(), 2 * 4 * d**2]", "2 * each.sum(), 2.2 * 4 * d**2]", AssertionError),
    Falsified("reached((2, 3), steps, lr=0.05)", "reached((-1, 2), steps, lr=0.05)", AssertionError),
    Falsified("assert abs(weights_at_end[from_each] - 0.3)", "assert abs(weights_at_end[implied] - 0.3)",
              AssertionError),
    Falsified("torch.tensor([0.3, 0.7])), parts)", "torch.ones(2)), parts)", AssertionError),
    Falsified("parted = fit(from_each, 0, (1, 1))", "parted = fit(implied, 0, (1, 1))", AssertionError),
    Falsified("+ [(4, 6)]", "+ [(-4, 6)]", AssertionError),
    Falsified('fitted.undecided("implicit", "draws of each")', 'fitted.undecided("implicit", "best normal")',
              Refuted, says="is seen"),
    Falsified('fitted.undecided("implicit", "each, shared noise")',
              'fitted.undecided("implicit", "best mixture")', Refuted, says="is seen"),
    Falsified("record.recorded(FITTING)", f"({RUNS.replace('BELIEVING', 'FITTING')}).at(800)", ValueError),
    Falsified("in ((narrow, 1), (copy, -3)):", "in ((narrow, 1), (copy, -2)):", AssertionError),
    Falsified("assert divergences.max() < one_normal.fun / 5",
              "assert divergences.max() < one_normal.fun / 50",
              AssertionError),
    Falsified("x = moving(q.sample((n_samples,)), q)\n", "x = q.sample((n_samples,))\n",
              RuntimeError, says="does not require grad"),
    Falsified("+ [by_sums(losses) for", "+ [by_sums(losses, 21)[:181] for", ValueError),
    # the gamma derivative
    Falsified("score.step((sp.log(w_) - sp.digamma(a))", "score.step((sp.log(w_) + sp.digamma(a))", Refuted),
    Falsified("sp.Integral((sp.digamma(a) - sp.log(w_)) * p(w_, a)",
              "sp.Integral((sp.log(w_) - sp.digamma(a)) * p(w_, a)",
              Refuted),
    Falsified("log_mean.step(sp.digamma(a),", "log_mean.step(sp.log(a),", Refuted),
    Falsified("      of=slope, count=8,", "      of=log_mean, count=8,", ValueError, says="is no side of"),
    Falsified("trigamma.step(sp.Derivative(sp.digamma(a), a),", "trigamma.step(1 / a,", Refuted),
    Falsified("special.polygamma(1, 2.5)), of=trigamma, at={a: 2.5}",
              "special.polygamma(1, 2.5)), of=trigamma, at={a: 2}",
              ValueError, says="no side of eq-implicit-trigamma"),
    Falsified("quadrature(lambda x: gamma_slope(x, 2.5) / x *",
              "quadrature(lambda x: gamma_slope(x, 2.5) *", Refuted),
    Falsified("assert 0 < (apart > 1e-3).sum() < 5", "assert 0 < (apart > 1e-4).sum() < 5", AssertionError),
    Falsified("zip(*map(single, (0.01, 0.03, 0.1)))", "zip(*map(single, (0.1, 0.03, 0.01)))",
              AssertionError),
    # shares
    Falsified("shares.step((delta(i, j) - parts[j] / sum_of_parts) / sum_of_parts,",
              "shares.step((delta(i, j) - parts[i] / sum_of_parts) / sum_of_parts,",
              Refuted),
    Falsified("gamma_slope(totals * x[i], alpha[i]) / totals", "gamma_slope(totals * x[i], alpha[i])",
              AssertionError),
    Falsified("arrows(ax, places, places + grow * velocities[:, k]",
              "arrows(ax, places, places - grow * velocities[:, k]", ValueError),
    # the belief
    Falsified("cost = fixed.log_prob(x) - (n_k * x.log()).sum(-1)",
              "cost = fixed.log_prob(x) - (x.log()).sum(-1)", AssertionError),
    Falsified("fixed = D.Dirichlet(belief.detach())", "fixed = D.Dirichlet(belief)", AssertionError),
    # two methods exchanged, a rival that is missing, one seed
    Falsified('beliefs.more("implicit, copy", "leave-one-out")',
              'beliefs.more("leave-one-out", "implicit, copy")', Refuted, says="is not more than"),
    Falsified('beliefs.more("leave-one-out", "implicit")', 'beliefs.more("implicit", "leave-one-out")',
              Refuted, says="is not more than"),
    Falsified('beliefs.converged("implicit", within=0.3)', 'beliefs.converged("leave-one-out", within=0.3)',
              Refuted, says="has not converged"),
    Falsified(RUNS, FEWER, ValueError, says="expected usual to be one of"),
    Falsified(RUNS, ONE_SEED, ValueError, says="seeds at least"),
    Falsified("loc[..., j].expand_as(logits)", "loc[:, j].expand_as(logits)", AssertionError),
    Falsified("+ moving(x.detach(), q) - x.detach()", "+ 0 * moving(x.detach(), q)", AssertionError),
    Falsified("return held_level - truth**2, picked", "return picked - truth**2, held_level", AssertionError),
    Falsified("- least(2) < 0.001", "- least(2) < 0.0005", AssertionError),
    Falsified("logits = logits + parts.log_prob(columns[-1][:, None])",
              "logits = logits + parts.log_prob(x[:, j, None])", AssertionError),
    # exercises and sentences
    Falsified("by_jump.step(-2,", "by_jump.step(2,", Refuted),
    Falsified("middle.step((1 - 2 * Phi(d / 2))", "middle.step((1 - Phi(d / 2))", Refuted),
    Falsified("moving(x, Positive(loc, scale))", "moving(x, D.Normal(loc, scale))", AssertionError,
              says="should move by"),
    Falsified("pressed.step((1 - v**a) * sp.log(1 - v**a)", "pressed.step(sp.log(1 - v**a)", Refuted),
    Falsified("x_log.step(a * sp.digamma(a + 1),", "x_log.step(sp.digamma(a + 1),", Refuted),
    Falsified("mean_slope.solution(sp.Derivative(x_log.end, a))", "mean_slope.solution(x_log.end)", Refuted),
    Falsified("    level = (normal.cdf(x) - cut) / (1 - cut)\n    density",
              "    level = normal.cdf(x) - cut\n    density", Refuted, says="should move by"),
    Falsified("for where in ((0.5, 0.8), (-0.7, 1.6), (2.0, 0.5)):", "for where in ((0.5, 0.8),):",
              Vacuous, says="the normaliser of one case"),
    Falsified('parts: "gamma variables",', "", ValueError, says="is not declared"),
], unchecked=UNCHECKED, mistakes=MISTAKES, exercises=5)

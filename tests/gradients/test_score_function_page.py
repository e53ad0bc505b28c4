"""The chapter book/gradients/score_function: what must not pass on it, and its exercises."""

from proofread.errors import ProofError, Refuted
from proofread.testing import Falsified, Page

MISTAKES = [
    ("ex-own-reward", "rho**2*(1 - rho)", "mixed term"),
    ("ex-own-reward", "3*rho**2*(1 - rho)**2", "pays nothing"),
    ("ex-own-reward", "rho*(1 - rho)**2", "mean square remains"),
]

QUOTATIONS = {
    "Xu (2019), derivative of a Gaussian distribution":
        r"\frac{\partial}{\partial \mu} \mathcal{N}(x; \mu, \sigma^{2})"
        r" = \frac{2 (x - \mu)}{\sigma^{2}} \frac{e^{-(x - \mu)^{2} / \sigma^{2}}}{\sqrt{2 \pi} \sigma}",
    "Xu (2019), reinforcement learning":
        r"p(\Pi) = d_{s_{1}} \prod_{t=1}^{T} \pi(a_{t} \mid s_{t}) P_{s_{t},a_{t},s_{t + 1}}",
}

UNDETERMINED = {
    "eq-path":
        r"p(\Pi) := d_{s_{1}} \left(\prod_{t=1}^{T} \pi(a_{t} \mid s_{t})\right) \prod_{t=1}^{T - 1} "
        "P_{s_{t},a_{t},s_{t + 1}}",
}
UNCHECKED = [
    r"(x-\mu)/\sigma^2", "-1/c", r"-\log p_k",
    r"\sum_t (G_t - b(s_t))\,\nabla\log\pi(a_t \mid s_t)", r"-\frac1c", r"-\tfrac12 + 1", "1/K", "1/c",
    r"\log\pi_k = z_k - \operatorname{lse}(z)",
    r"\partial_\theta q = q\,\partial_\theta\log q", r"\pi_kv_k", r"\sum_k p_k = 1",
    r"\sum_k r_k\pi_k", "c/2", r"p_k' = p_k\,(\log p_k)'", r"p_k\,(\log p_k)' = p_k'",
    r"\lvert f\,\partial_\theta q\rvert",
    r"\sigma^2/2", r"(r_k - \beta) + (\beta - b)", r"2(1-\rho)^2",
    r"(1-\rho)^2", r"(2\rho-1)^2", r"(r_k - b)^2", r"-\tfrac12", r"2\rho^2",
]

PAGE = Page("book/gradients/score_function", [
    # steps
    Falsified("bell_slope.step((x - mu) / sigma**2", "bell_slope.step((mu - x) / sigma**2", Refuted),
    Falsified("score.step(E(r[k] * sp.Derivative(sp.log(p(k)), theta), moving),",
              "score.step(E(r[k] * sp.Derivative(p(k), theta), moving),", Refuted),
    Falsified("rule = np.sqrt(spread / drawn)", "rule = spread / drawn", AssertionError),
    Falsified("centred.step(0,", "centred.step(theta,", Refuted),
    Falsified("one_hot.step(delta(j, k) - pi(j),", "one_hot.step(delta(j, k) - pi(k),", Refuted),
    Falsified("gradient.step(pi(j) * (r[j] - mean),", "gradient.step(pi(j) * (mean - r[j]),", Refuted),
    Falsified("passing.step(sp.Integral(at * f(x)", "passing.step(sp.Integral(2 * at * f(x)", Refuted),
    Falsified("           + end * (1 / end), ", "           + end, ", Refuted),
    Falsified("path_score.step(sp.Sum(delta(state[t], i) * (delta(action[t], j) - policy_of(i, j)),",
              "path_score.step(sp.Sum(delta(state[t], i) * delta(action[t], j) - policy_of(i, j),", Refuted),
    Falsified("kept.step(E(r[k] * sp.Derivative(", "kept.step(E(r[k]**2 * sp.Derivative(", Refuted),
    Falsified("noise.step(E((r[k] - b)**2 * length(k), draw) -",
              "noise.step(E((r[k] - b)**2 * length(k), draw) +", Refuted),
    Falsified("+ (b - best())**2 * E(length(k), draw),", "+ (b - mean)**2 * E(length(k), draw),", Refuted),
    # definitions and starts
    Falsified("1 - 2 * pi(k) + sp.Sum(pi(i)**2, (i, 1, n)),",
              "1 - pi(k) + sp.Sum(pi(i)**2, (i, 1, n)),", Refuted),
    Falsified("sp.Sum((pi(j) * (r[j] - mean))**2,", "sp.Sum((pi(j) * r[j])**2,", Refuted),
    Falsified("E(r[k] * length(k), draw) / E(length(k), draw),", "E(r[k], draw),", Refuted),
    Falsified("cross.step(best() * E(length(k), draw),", "cross.step(mean * E(length(k), draw),", Refuted),
    Falsified("p = Definition(r\"p_{#1}(\\theta)\", (k,), raw(k, theta) / sp.Sum(raw(i, theta), (i, 1, n)),",
              "p = Definition(r\"p_{#1}(\\theta)\", (k,), raw(k, theta),", Refuted, says="weight"),
    Falsified("of_two.step(2 * rho * (1 - rho) * (b - (1 - rho))**2,",
              "of_two.step(2 * rho * (1 - rho) * (b - rho)**2,", Refuted),
    # second routes
    Falsified("range(3), exact, of=gradient,", "range(3), exact, of=one_hot,", ValueError),
    Falsified("at={z: np.log(probs), r: rewards}, index=j,",
              "at={z: np.log(probs), r: 2 * rewards}, index=j,", ValueError),
    Falsified("return rewards[k] * (np.eye(3)[k] - softmax(np.log(probs)))",
              "return rewards[k] * (np.eye(3)[k] + softmax(np.log(probs)))", Refuted),
    Falsified("agree(lambda z, r: best_baseline(z, r), best(), of=best,",
              "agree(lambda z, r: best_baseline(z, 2 * r), best(), of=best,", Refuted),
    # numbers
    Falsified("np.isclose(pair[0.9][1], 64 *", "np.isclose(pair[0.9][1], 8 *", AssertionError),
    Falsified("for how in (0.0, np.dot(p, right))]", "for how in (0.0, 0.0)]", AssertionError),
    Falsified("for wrong in (1, 100)}", "for wrong in (100, 100)}", KeyError),
    Falsified('assert fast["moving average"] >', 'assert fast["moving average"] <', AssertionError),
    Falsified("for weight in (ratio, ratio * newer, ratio", "for weight in (ratio * newer, ratio, ratio",
              AssertionError),
    Falsified("ratio.detach() * newer)", "ratio * newer)", AssertionError),
    Falsified("even = np.full(3, 1 / 3)", "even = np.array([0.6, 0.2, 0.2])", AssertionError),
    Falsified("for at in (0.33, 0.35))", "for at in (0.35, 0.37))", AssertionError),
    Falsified("assert np.allclose(stairs[[0, -1]], [1.45, 3.4])",
              "assert np.allclose(stairs[[0, -1]], [1.3, 3.5])", AssertionError),
    Falsified("round(rule[-1], 3) == 0.015", "round(rule[-1], 3) == 0.01", AssertionError),
    Falsified("exactly_of[3] > 0.05", "exactly_of[3] < 0.05", AssertionError),
    Falsified('"constant 6": 6.0}', '"constant 6": 4.0}', AssertionError),
    Falsified("abs(tuned[0] - tuned[1]) < 0.01", "abs(tuned[0] - tuned[1]) > 0.01", AssertionError),
    Falsified("torch.tensor([-1.0, -2, -3])", "torch.tensor([1.0, 2, 3]).neg().exp()", AssertionError),
    Falsified('"constant 4": 4.0,', '"constant 4": 0.5,', AssertionError),
    Falsified("baseline=at).sum() for at in (1, 4, 6)}", "baseline=at - 1).sum() for at in (1, 4, 6)}",
              AssertionError),
    Falsified("np.all(none_of > average_of)", "np.all(none_of < average_of)", AssertionError),
    Falsified("assert mean_of_twenty(now + 1e-6) == mean_of_twenty(now)",
              "assert mean_of_twenty(now + 2) == mean_of_twenty(now)", AssertionError),
    Falsified("relative = np.eye(3)[2] - probs[2]", "relative = np.eye(3)[2] - probs", AssertionError),
    # the open code: the surrogate loss
    Falsified("loss = -(reward * policy.log_prob(ks)).mean()", "loss = (reward * policy.log_prob(ks)).mean()",
              AssertionError),
    Falsified("loss = -(reward * policy.log_prob(ks)).mean()",
              "loss = -(reward * policy.log_prob(ks).exp()).mean()", AssertionError),
    Falsified("policy = Categorical(logits=logits)", "policy = Categorical(logits.exp() + 0.1)",
              AssertionError),
    Falsified("policy_gradient(world, habits, 4)", "policy_gradient(world, habits, 3)", AssertionError),
    Falsified("np.isclose(quotient, 0.5)", "np.isclose(quotient, -0.5)", AssertionError),
    Falsified("lambda k: rewards[k] + 100,", "lambda k: rewards[k] * 100,", AssertionError),
    # the run
    Falsified('held.less("moving average", "no baseline")', 'held.less("no baseline", "moving average")',
              Refuted, says="is not less than"),
    Falsified('["lr"] == 0.3\n', '["lr"] == 1.0\n', AssertionError),
    Falsified('curves=[*waiting, *drawn_here], shapes=bands,',
              'curves=[*waiting, *drawn_here[::-1]], shapes=bands,', ValueError),
    # the training loop
    Falsified("to_go = reward.flip(1).cumsum(1).flip(1)", "to_go = reward.cumsum(1)", AssertionError),
    Falsified("return -(gain * on).sum(1).mean(),", "return (gain * on).sum(1).mean(),", AssertionError),
    Falsified("return -(gain * on).sum(1).mean(),", "return -(gain * on).mean(),", AssertionError),
    Falsified("    optimiser.zero_grad()\n    (gain_loss", "    (gain_loss", AssertionError),
    Falsified('race.less("no baseline", "untrained")', 'race.less("untrained", "no baseline")',
              Refuted, says="is not less than"),
    Falsified("seeds=range(100), tuning", "seeds=range(1), tuning", ValueError, says="seeds at least"),
    Falsified("step = (rewards[k] - b) * (np.eye(3)[k] - p)", "step = (rewards[k] - b) * np.eye(3)[k] * p",
              Refuted, says="borne out too weakly"),
    # what a source prints
    Falsified("printed = 2 * (x - mu) / sigma**2 * too_narrow",
              "printed = (x - mu) / sigma**2 * normal(x, mu, sigma**2)", ValueError, says="is not refuted"),
    Falsified("        correct=path, rows=", "        correct=policy_of, rows=", ValueError),
    # what is drawn
    Falsified("pulls = (rewards - base)[:, None] * (corners - probs)",
              "pulls = (rewards + 1)[:, None] * (corners - 2 * probs)", AssertionError),
    Falsified("curves=[total, [spent[base]]],", "curves=[total, [spent[least]]],", ValueError),
    # sentences
    Falsified(r'r"\rho < \tfrac23": "condition"', r'r"\rho < \tfrac23": rho < sp.Rational(2, 3)', ProofError),
    Falsified('end: "an end that moves", ', '', ValueError, says="not declared"),
    # exercises
    Falsified("    return (advantage * nll).mean()", "    return -(advantage * nll).mean()", Exception,
              says="downhill"),
    Falsified("    advantage = (rewards - baseline).detach()", "    advantage = rewards - baseline",
              Exception, says="detach it"),
    Falsified('"no actions": lambda z, a, r, b: -((r - b.detach()) * log_p(z, 0 * a + 2)).mean(),',
              '"no actions": lambda z, a, r, b: -((r - b.detach()) * log_p(z, a)).mean(),', Exception,
              says="no actions"),
    Falsified('* log_p(z, a)).sum() / z.size(-1)', '* log_p(z, a)).sum() / len(z)', Exception,
              says="divided by n"),
    Falsified("spared.step(rho**2 * (1 - rho) * (3 - 2 * rho),",
              "spared.step(rho**2 * (1 - rho) * (3 - rho),",
              Refuted),
    Falsified('"gains only": lambda z, a, r, b: -((r - b.detach()).relu()',
              '"gains only": lambda z, a, r, b: -((r - b.detach())', Exception, says="gains only"),
    Falsified('"the sign": lambda z, a, r, b: ((r', '"the sign": lambda z, a, r, b: -((r', Exception,
              says="the sign"),
], exercises=2, undetermined=UNDETERMINED, unchecked=UNCHECKED, mistakes=MISTAKES, quotations=QUOTATIONS)

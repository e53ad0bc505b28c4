"""The chapter book/gradients/reparameterisation: what must not pass on it, and its exercises."""

from proofread.errors import Misprinted, ProofError, Refuted
from proofread.testing import Falsified, Page

MISTAKES = [
    ("ex-slope-in-log-scale", "2*(mu + sigma*varepsilon)*varepsilon", "with respect to .* itself"),
    ("ex-slope-in-log-scale", "2*sigma**2", "mean over all draws"),
    ("ex-kink", "exp(-mu**2/2)/sqrt(2*pi)", "the \\*slope\\* of the function"),
    ("ex-kink", "(1 + erf(mu))/2", "scale of the error function"),
]

QUOTATIONS = {
    "Xu (2019), simple example, without any tricks":
        r"\int_{-\infty}^{\infty} z^{2} \frac{\partial}{\partial \theta} \mathcal{N}(z; a \theta + b, 1) "
        r"\, dz = \int_{-\infty}^{\infty} z^{2} \cdot 2 \left(z - \left(a \theta + b\right)\right) "
        r"\frac{e^{-\left(z - \left(a \theta + b\right)\right)^{2}}}{\sqrt{2 \pi}} a \, dz",
}

UNDETERMINED = {
    "eq-distribution-function": r"F_X(x) := \int_{-\infty}^{x} f_{X}(u) \, du",
}
UNCHECKED = [
    "-S'(t)", r"-\log(U)/\alpha", "1/h", r"2\mu\sigma\varepsilon", r"2\sigma^2", "2z", "F_X' = f_X",
    r"L^\top(LL^\top)^{-1}L = I", r"X \ge S(y)", r"X \le S(y)", r"\det LL^\top = (\det L)^2", r"\log\sigma",
    r"\mathbb{E}\,z^2", r"\mathbb{E}\max(z, 0)", r"\mu^2 + \sigma^2", r"\partial_\theta\log p = a(z - \mu)",
    r"|\det L|", "|dx|", "|dy|",
    r"\sqrt2",
]

ARGUED = {"eq-density-monotone": "q(y)=f_X(S(y))|S'(y)|"}

PAGE = Page("book/gradients/reparameterisation", [
    # a draw forgets
    Falsified("cost = law.sample((1000,))", "cost = law.rsample((1000,))", AssertionError),
    Falsified("outside.step(2 * mu,", "outside.step(0,", Refuted),
    Falsified("sp.Derivative(mu**2 + 1, mu), \"mean square", "sp.Derivative(mu**2 - mu, mu), \"mean square",
              Refuted),
    Falsified("inside.step(0,", "inside.step(2 * mu,", Refuted),
    Falsified("assert abs(mean.grad - 2)", "assert abs(mean.grad - 1)", AssertionError),
    Falsified("assert silent == [0, 0]", "assert min(silent) > 0", AssertionError),
    # the trick
    Falsified("density = p((z - mu) / sigma) / sigma", "density = p((z - mu) / sigma)", ProofError),
    Falsified("E(sp.Derivative(path, theta), base),", "E(-sp.Derivative(path, theta), base),", Refuted),
    Falsified("given=[mass_one], rows=[\"S0-096\"]", "rows=[\"S0-096\"]", ProofError),
    Falsified("abs(slope.mean - 2)", "abs(slope.mean - 1)", AssertionError),
    Falsified("values(z**2, z), before,", "values(z**3, z), before,", ValueError, says="is drawn at"),
    Falsified("one_says = {\"score\": lambda z: z**2 * (z - 1)", "one_says = {\"score\": lambda z: z**2 * z",
              AssertionError),
    Falsified("ax.plot([-5, 5], [2, 2], gid", "ax.plot([-5, 5], [1, 1], gid", ValueError, says="is drawn at"),
    Falsified("(m + seven)**2], 1) for m in (1, 1.5)", "(m + seven)**2], 1) for m in (1, 2)", ValueError),
    Falsified("            (before, np.stack(", "            (after, np.stack(", ValueError, says="drawn at"),
    # four routes
    Falsified("attained={theta: -b / a}", "attained={theta: b / a}", Refuted),
    Falsified("least.step(place**2 + 1,", "least.step(place**2 - 1,", Refuted),
    Falsified("closed.step(2 * a * (a * theta + b),", "closed.step(2 * (a * theta + b),", Refuted),
    Falsified("direct.step(2 * a * (a * theta + b),", "direct.step(a * (a * theta + b),", Refuted),
    Falsified("by_score.step(E(z**2 * a * (z - a * theta - b),",
              "by_score.step(E(z**2 * a * (z - a * theta),", Refuted),
    Falsified("by_path.step(E(2 * a * (a * theta + b + eps),", "by_path.step(E(2 * (a * theta + b + eps),",
              Refuted),
    Falsified("too_narrow = sp.exp(-(z - place)**2)", "too_narrow = sp.exp(-(z - place)**2 / 2)",
              AssertionError),
    Falsified("assert np.isclose(slip, 16 / np.sqrt(2))", "assert np.isclose(slip, 16)", AssertionError),
    Falsified("correct=direct,", "correct=many,", ValueError, says="no side in common"),
    Falsified("assert -15 < steep[0] and steep[-2] < 24 <", "assert -15 < steep[0] and steep[-3] < 10 <",
              AssertionError),
    Falsified("of=direct, at=there,", "of=by_path, at={a: 2, b: 3, theta: 1},", ValueError,
              says="no side of eq-slope-path"),
    Falsified("lambda e: 4 * (4 + e) *", "lambda e: 4 * (4 - 2 * e + e**2) *", Refuted),
    # steps
    Falsified("step_slope.step(normal(0, mu, 1),", "step_slope.step(0,", Refuted),
    Falsified("~(0.5 + noise > 0)", "~(0.5 - h + noise > 0)", AssertionError),
    Falsified('told = {"score": 30,', 'told = {"score": 12,', AssertionError),
    Falsified("exact = -far *", "exact = far *", AssertionError),
    Falsified("pathwise_gradient(lambda z: z > 0, at", "pathwise_gradient(lambda z: z**2, at",
              AssertionError),
    # exercises and sentences
    Falsified("waiting.solution(-sp.diff(", "waiting.solution(sp.diff(", Refuted),
    Falsified('r"t > 0": "condition"', 'r"t > 0": sp.Gt(t, 1)', Misprinted),
    Falsified('g: "how a draw is made of noise and parameter",\n', "\n", ValueError, says="not declared"),
], argued=ARGUED, undetermined=UNDETERMINED, unchecked=UNCHECKED, mistakes=MISTAKES, quotations=QUOTATIONS)

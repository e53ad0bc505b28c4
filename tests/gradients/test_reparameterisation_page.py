"""The chapter book/gradients/reparameterisation: what must not pass on it, and its exercises."""

from races import exchanged, one_seed

from proofread.errors import ProofError, Refuted, Vacuous
from proofread.testing import Falsified, Page

MISTAKES = [
    ("ex-slope-in-log-scale", "2*(mu + sigma*varepsilon)*varepsilon", "with respect to .* itself"),
    ("ex-slope-in-log-scale", "2*sigma**2", "mean over all draws"),
    ("ex-kink", "exp(-mu**2/2)/sqrt(2*pi)", "the \\*derivative\\* of the function"),
    ("ex-kink", "(1 + erf(mu))/2", "scale of the error function"),
    ("ex-four-routes", "2*a*(a*theta + b + varepsilon)", "the pathwise estimate"),
    ("ex-four-routes", "(a*theta + b + varepsilon)**2*varepsilon", "change with"),
    ("ex-four-routes", "2*a*(a*theta + b)", "mean over all draws"),
]

QUOTATIONS = {
    "Xu (2019), simple example, without any tricks":
        r"\int_{-\infty}^{\infty} x^{2} \frac{\partial}{\partial \theta} \mathcal{N}(x; a \theta + b, 1) "
        r"\, dx = \int_{-\infty}^{\infty} x^{2} \cdot 2 \left(x - \left(a \theta + b\right)\right) "
        r"\frac{e^{-\left(x - \left(a \theta + b\right)\right)^{2}}}{\sqrt{2 \pi}} a \, dx",
}

UNCHECKED = [
    r"2\mu\sigma\varepsilon", r"2\sigma^2", "2x", r"\log\sigma", r"\mathbb{E}\,x^2",
    r"\mathbb{E}\max(x, 0)",
    r"\mu^2 + \sigma^2", r"\partial_\theta\log p = a(x - \mu)", r"\sqrt2", "1/h",
    r"(\mu - 2)^2 + \sigma^2", r"\sigma^2", r"1 - \mu", r"a(x - \mu)",
    r"a\varepsilon", r"p((1 - \mu)/\sigma)/\sigma",
]

ROLES = 'roles = dict(\n    nothing="other lower halves",'
RACE = 'completing = Comparison("forecasts of lower halves", runs,'

PAGE = Page("book/gradients/reparameterisation", [
    # a draw forgets
    Falsified("cost = (dist.sample((1000,))", "cost = (dist.rsample((1000,))", AssertionError),
    Falsified("draws = dist.rsample((100_000,))", "draws = dist.sample((100_000,))", AssertionError),
    Falsified("mean.grad, torch.tensor(0.2)", "mean.grad, torch.tensor(2.2)", AssertionError),
    Falsified("outside.step(2 * mu,", "outside.step(0,", Refuted),
    Falsified("sp.Derivative(mu**2 + 1, mu), \"mean square", "sp.Derivative(mu**2 - mu, mu), \"mean square",
              Refuted),
    Falsified("inside.step(0,", "inside.step(2 * mu,", Refuted),
    # the trick
    Falsified("return mean + log_std.exp() * noise ", "return mean + log_std * noise ", AssertionError),
    Falsified("(2 * log_std).exp()).mean())", "log_std.exp()).mean())", AssertionError),
    Falsified("log_std.exp()).rsample((10,))", "log_std.exp()).rsample((9,))", AssertionError),
    Falsified("(factor @ noise[..., None])[..., 0]",
              "(factor.mT @ noise[..., None])[..., 0]", AssertionError),
    Falsified("wide.log_prob(wide.rsample((9,)))", "wide.log_prob(wide.sample((9,)))", AssertionError),
    Falsified("dim1=-2, dim2=-1).exp()", "dim1=-2, dim2=-1)", ValueError),
    Falsified("density = p((x - mu) / sigma) / sigma", "density = p((x - mu) / sigma)", ProofError),
    Falsified("pathwise.argue(sp.Integral(sp.Derivative(path, theta)",
              "pathwise.argue(sp.Integral(-sp.Derivative(path, theta)", Refuted),
    Falsified("pathwise.step(E(sp.Derivative(path, theta), base)", "pathwise.step(E(path, base)", Refuted),
    Falsified("given=[mass_one], rows=[\"S0-096\"]", "rows=[\"S0-096\"]", ProofError),
    Falsified("abs(slope.mean - 2)", "abs(slope.mean - 1)", AssertionError),
    Falsified("values(x**2, x), before,", "values(x**3, x), before,", ValueError, says="is drawn at"),
    Falsified("one_says = {\"score\": lambda x: x**2 * (x - 1)", "one_says = {\"score\": lambda x: x**2 * x",
              AssertionError),
    Falsified("ax.plot([-5, 5], [2, 2], gid", "ax.plot([-5, 5], [1, 1], gid", ValueError, says="is drawn at"),
    Falsified("(m + seven)**2], 1) for m in (1, 1.5)", "(m + seven)**2], 1) for m in (1, 2)", ValueError),
    Falsified("            (before, np.stack(", "            (after, np.stack(", ValueError, says="drawn at"),
    Falsified('told = {"score": 30,', 'told = {"score": 12,', AssertionError),
    Falsified("assert -15 < steep[0] and steep[-2] < 24 <", "assert -15 < steep[0] and steep[-3] < 10 <",
              AssertionError),
    # four routes
    Falsified("attained={theta: -b / a}", "attained={theta: b / a}", Refuted),
    Falsified("least.step(place**2 + 1,", "least.step(place**2 - 1,", Refuted),
    Falsified("direct.step(2 * a * (a * theta + b),", "direct.step(a * (a * theta + b),", Refuted),
    Falsified("by_score.step(E(x**2 * a * (x - a * theta - b),",
              "by_score.step(E(x**2 * a * (x - a * theta),", Refuted),
    Falsified("by_path.step(E(2 * a * (a * theta + b + eps),", "by_path.step(E(2 * (a * theta + b + eps),",
              Refuted),
    Falsified("too_narrow = sp.exp(-(x - place)**2)", "too_narrow = sp.exp(-(x - place)**2 / 2)",
              AssertionError),
    Falsified("assert np.isclose(slip, 16 / np.sqrt(2))", "assert np.isclose(slip, 16)", AssertionError),
    Falsified("correct=direct,", "correct=inside,", ValueError, says="no side in common"),
    Falsified("of=direct, at=there,", "of=by_path, at={a: 2, b: 3, theta: 1},", ValueError,
              says="no side of eq-slope-path"),
    Falsified("lambda e: 4 * (4 + e) *", "lambda e: 4 * (4 - 2 * e + e**2) *", Refuted),
    # forecasts
    Falsified("fit_forecast(stack(48, 32), noise_inside)", "(lambda seen, count: noise_inside("
              "stack(48, 32), seen, count).detach())", AssertionError),
    Falsified('quiet = completing.less("two heads", "score function")',
              'quiet = completing.less("score function", "two heads")', Refuted, says="is not less"),
    Falsified('spread = completing.less("two heads", "one guess")',
              'spread = completing.less("one guess", "two heads")', Refuted, says="is not less"),
    Falsified('leads = completing.less("noise inside", "two heads")',
              'leads = completing.less("two heads", "noise inside")', Refuted, says="is not less"),
    Falsified('clamped = completing.less("two heads, clamped", "two heads")',
              'clamped = completing.less("two heads", "two heads, clamped")', Refuted, says="is not less"),
    Falsified('together = pairing.less("noise inside", "noise inside, shuffled")',
              'together = pairing.less("noise inside, shuffled", "noise inside")',
              Refuted, says="is not less"),
    exchanged("clamped_inside = completing.less", "noise inside, clamped", "noise inside"),
    exchanged("ahead = completing.less", "noise inside, clamped", "two heads, clamped"),
    exchanged("apart_too = completing.less", "noise inside, clamped, shuffled", "two heads, clamped"),
    exchanged("often_zero = pairing.less", "two heads, clamped", "two heads"),
    exchanged("zero_inside = pairing.less", "noise inside, clamped", "noise inside"),
    exchanged("heads_first = pairing.less", "two heads, clamped", "noise inside"),
    exchanged("inside_first = pairing.less", "noise inside, clamped", "two heads, clamped"),
    exchanged("shuffled_first = pairing.less", "noise inside, clamped, shuffled", "two heads, clamped"),
    Falsified('fitted = completing.undecided("two heads, likelihood", "two heads")',
              'fitted = completing.undecided("two heads, clamped", "two heads")', Refuted, says="is seen"),
    Falsified('(record.recorded(of, "test") for of', '(record.recorded(of, "train") for of', KeyError),
    Falsified("shuffled_too(first.values | more.values,", "shuffled_too(first.values,", ValueError,
              says="expected usual to be one of"),
    Falsified('f"{name}, shuffled": dealt[name]', 'f"{name}, shuffled": values["two heads"]', Refuted,
              says="is not less"),
    Falsified('f"{name}, clamped"] > 10 * by_shuffling', 'f"{name}, clamped"] > 20 * by_shuffling',
              AssertionError),
    Falsified("assert (hidden == 0)", "assert (seen == 1)", AssertionError),
    Falsified(RACE, RACE.replace("runs", one_seed("runs")), ValueError, says="10 seeds at least"),
    Falsified(ROLES, ROLES.replace("other lower halves", "no forecast"), ValueError,
              says="expected nothing to be one of"),
    Falsified('abs(side_by_side(drawn_halves["two heads"])) < 0.01',
              'abs(side_by_side(drawn_halves["noise inside"])) < 0.01', AssertionError),
    Falsified('side_by_side(drawn_halves["noise inside"]) > 0.05',
              'side_by_side(drawn_halves["two heads"]) > 0.05', AssertionError),
    Falsified("quick = 900\n", "quick = 300\n", AssertionError),
    Falsified("np.ptp(level[8:]) < 0.015", "np.ptp(level[4:]) < 0.015", AssertionError),
    Falsified('dict(job.settings) == {"lr": 0.003})', 'dict(job.settings) == {"lr": 0.001})', AssertionError),
    Falsified("    drawn_curves.append(middle)",
              "    drawn_curves.append(high)", ValueError, says="is drawn at"),
    # steps
    Falsified("step_slope.step(normal(0, mu, 1),", "step_slope.step(0,", Refuted),
    Falsified("~(0.5 + normal_noise > 0)", "~(0.5 - h + normal_noise > 0)", AssertionError),
    Falsified("               quotients, np.zeros(6)],", "               exactly, np.zeros(6)],", ValueError,
              says="is drawn at"),
    Falsified("- (0.5 + e > 0)) / h\n", "- (0.5 + e > 0))\n", AssertionError),
    Falsified("push = (pushed(h) - pushed(-h)).item() / (2 * h)",
              "push = (pushed(h) - pushed(-h)).item() / h",
              AssertionError),
    Falsified("        torch.manual_seed(seed)      # the same noise each time\n", "", AssertionError),
    Falsified("    with torch.random.fork_rng():    # leaves", "    with torch.enable_grad():    # leaves",
              AssertionError),
    Falsified("weight * (x > 1).float()", "weight * (x - 1).relu()", AssertionError),
    Falsified("way = [w / length for w in way]", "way = [w for w in way]", AssertionError),
    Falsified("(torch.sign, torch.round, torch.floor,", "(torch.sign, torch.frac, torch.floor,",
              AssertionError),
    Falsified("(0.0001, False)):  # a tiny push", "(0.01, False)):  # a tiny push", AssertionError),
    Falsified("torch.where(x > 0, x + 1, 0),", "torch.where(x > 0, x, 0),", AssertionError),
    Falsified('"sign(x)": torch.sign,', '"sign(x)": torch.tanh,', AssertionError),
    Falsified("2 * edge, above + edge, 0.0)", "edge, above + edge, 0.0)", AssertionError),
    Falsified("(draw(net, inputs, 10**5).round() ** 2).mean()", "(draw(net, inputs, 10**5) ** 2).mean()",
              AssertionError),
    Falsified("- edge, variance(k * y * (1 - y)),", "- edge, variance(y * (1 - y)),", AssertionError),
    Falsified("variance((y - best) * fine_noise))", "variance(k * y * fine_noise))", AssertionError),
    # exercises and sentences
    Falsified("lambda m, l, e: paid(thrown(m, l, e)).mean(),",
              "lambda m, l, e: (paid(thrown(m, l, e)).detach() * scored(\n"
              "        m, l, thrown(m, l, e).detach())).mean(),",
              Vacuous),
    Falsified("stats.norm.sf(z) + at_edge, s *", "stats.norm.sf(z), s *", Refuted),
    Falsified("    x = (mean + log_std.exp() * noise).detach()\n", "    x = mean + log_std.exp() * noise\n",
              Refuted),
    Falsified("assert abs(differ[0] - differ[1]) > 0.2", "assert abs(differ[0] - differ[1]) < 0.2",
              AssertionError),
    Falsified('g: "how a draw is made of noise and parameter",', "", ValueError, says="not declared"),
], unchecked=UNCHECKED, mistakes=MISTAKES, quotations=QUOTATIONS, exercises=4)

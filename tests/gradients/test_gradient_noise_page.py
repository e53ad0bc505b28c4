"""The chapter book/gradients/gradient_noise: what must not pass on it, and its exercises."""

from proofread.errors import ProofError, Refuted
from proofread.testing import Falsified, Page

MISTAKES = [
    ("ex-mirrored-pair", "18*mu**2*sigma**2 + 9*sigma**4", "two independent draws"),
    ("ex-mirrored-pair", "9*sigma**4", "the variance of "),
    ("ex-resting-spread", "15*N", "not without noise"),
    ("ex-resting-spread", "4*N/15", "noisier one"),
    ("ex-fast-wave", "omega", "standard deviations"),
    ("ex-fast-wave", "omega**2/2", "other one tend"),
]

UNCHECKED = [
    "-0.65", r"-\varepsilon", r"1/\sqrt{\Lambda_{jj}}", r"18\mu^2\sigma^2 + 9\sigma^4", r"2a\varepsilon",
    r"3(\mu \pm \sigma\varepsilon)^2", r"3\mu^2 + 3\sigma^2\varepsilon^2", r"4a^2\eta^2/N", "6a^2",
    r"\mathbb{E}\cos\omega\varepsilon = e^{-\omega^2/2}", r"\mathcal{N}(a\theta + b, 1)", r"\mu^2 + 1",
    r"\operatorname{Var}\varepsilon = 1/N", r"\tfrac12\Lambda_{jj}\sigma_j^2 - \log\sigma_j",
    r"\tfrac12\omega^2", r"w = m + \sigma\varepsilon", r"x^\top w",
    r"\varepsilon^2", r"\log p - \log q", r"\log q", "d^2",
]

RUNS = "record.recorded(APPROXIMATION)"
FEWER = (f'__import__("dataclasses").replace({RUNS}, values='
         f'{{way: found for way, found in {RUNS}.values.items() if way != "pathwise"}})')
ONE_SEED = (f'__import__("dataclasses").replace({RUNS}, seeds=(0,), values='
            f'{{way: found[:1] for way, found in {RUNS}.values.items()}})')

PAGE = Page("book/gradients/gradient_noise", [
    # the race
    Falsified("contraction.step((1 - 2 * a**2 * eta) *", "contraction.step((1 - a**2 * eta) *", Refuted),
    Falsified("update = theta - eta * 2 * a *", "update = theta + eta * 2 * a *", Refuted),
    Falsified("rest = eta / (N * (1 - a**2 * eta))", "rest = eta / (N * (1 + a**2 * eta))", Refuted),
    Falsified("balance.step((1 - 2 * a**2 * eta)**2 * rest + 4 *",
              "balance.step((1 - 2 * a**2 * eta)**2 * rest + 2 *", Refuted),
    Falsified("rate=0.05, count=100", "rate=0.1, count=100", AssertionError),
    Falsified("rate=0.05, count=100", "rate=0.05, count=50", AssertionError),
    Falsified("again = races(pathwise_gradient, 20)", "again = races(score_function_gradient, 20)",
              AssertionError),
    Falsified("-1.5 + 2.5 * 0.6**steps", "-1.5 + 2.5 * 0.5**steps", AssertionError),
    Falsified("spread = 0.025 *", "spread = 0.05 *", AssertionError),
    Falsified("runs, [0.1, 0.5, 0.9], axis=0)", "runs, [0.9, 0.5, 0.1], axis=0)", AssertionError),
    Falsified("shapes=[(bands[name][0], bands[name][2])", "shapes=[(bands[name][1], bands[name][2])",
              ValueError, says="drawn at"),
    Falsified("curves=[paths[\"score\"][0], paths[\"pathwise\"][0]",
              "curves=[paths[\"pathwise\"][0], paths[\"score\"][0]", ValueError, says="is drawn at"),
    # one draw
    Falsified("noisy.step(2 * a**2 * (4 * mu**2 + 3) +", "noisy.step(2 * a**2 * (4 * mu**2 + 1) +", Refuted),
    Falsified("a**2 * (c - mu**2 - 3)**2,", "a**2 * (c - mu**2 - 1)**2,", Refuted),
    Falsified("quiet.step(4 * a**2,", "quiet.step(2 * a**2,", Refuted),
    Falsified("2**2 * noise.score.mean, 888)", "2**2 * noise.score.mean, 880)", AssertionError),
    Falsified("of=noisy, at={a: 2, mu: 3, c: 0}", "of=quiet, at={a: 2}", ValueError,
              says="no side of eq-noise-path"),
    Falsified("values(8 * (4 * mu**2 + 3), mu)(places)", "values(8 * (4 * mu**2 + 1), mu)(places)",
              AssertionError),
    Falsified("np.allclose([*plain.values()], [888, 3960, 60])",
              "np.allclose([*plain.values()], [888, 3960, 16])", AssertionError),
    Falsified("return 2 * way(f, Gaussian(m, 0.0)", "return way(f, Gaussian(m, 0.0)",
              AssertionError),
    Falsified("            *(np.log10(shown[name]) for name in routes)],",
              "            *(np.log10(shown[name]) + 1 for name in routes)],", ValueError,
              says="is drawn at"),
    Falsified("crowd.step((2 * (d + 2) + (beta - d - 2)**2)", "crowd.step((2 * (d + 2) + (beta - d)**2)",
              Refuted),
    Falsified('"leave-one-out": (widths + 2) / 2,', '"leave-one-out": (widths + 4) / 2,', AssertionError),
    Falsified("for part in (in_units[name], drawn_in[name])]",
              "for part in (drawn_in[name], in_units[name])]",
              ValueError, says="drawn at"),
    Falsified("def jitter(count, runs=200, rate=0.05)",
              "def jitter(count, runs=200, rate=0.1)", AssertionError),
    Falsified("noise = at_two.standard_normal((100, count))",
              "noise = 2 * at_two.standard_normal((100, count))",
              AssertionError),
    Falsified("alone.step(4 * Scalar(u.T * u)", "alone.step(4 * d * Scalar(u.T * u)", Refuted),
    # the wave
    Falsified("wave_path.step(omega**2 / 2 * (1 - sp.exp(-omega**2))**2,",
              "wave_path.step(omega**2 / 2 * (1 + sp.exp(-omega**2))**2,", Refuted),
    Falsified("half * (1 - (1 - 4 * omega**2)", "half * (1 - (1 + 4 * omega**2)", Refuted),
    Falsified("assert round(cross, 3) == 1.109", "assert round(cross, 3) == 1.190", AssertionError),
    Falsified("\"pathwise\": lambda e: 2 * np.cos(2 * e)}", "\"pathwise\": lambda e: np.cos(2 * e)}",
              AssertionError),
    Falsified("values(wave_path.end, omega)([2.0])[0], of=wave_path",
              "values(wave_path.end, omega)([2.0])[0], of=wave_score", ValueError, says="no side of"),
    # the pixel
    Falsified("split.step(sp.log(p_y * posterior(w) / q_of(w)) -",
              "split.step(sp.log(p_y * posterior(w) / q_of(w)) +", Refuted),
    Falsified("moved = m + sigma * eps", "moved = m + sigma**2 * eps", ProofError),
    Falsified("+ sp.log(sigma) + half *", "- sp.log(sigma) + half *", Refuted),
    Falsified("-np.log(np.diag(precision)) / 2)", "np.log(np.diag(exact_cov)) / 2)", AssertionError),
    Falsified("stats.norm.logpdf(residuals, 0, 0.7)", "stats.norm.logpdf(residuals, 0, 0.6)", AssertionError),
    # its race: two methods exchanged, a rival that is missing, one seed
    Falsified('posterior_race.less("leave-one-out", "no baseline")',
              'posterior_race.less("no baseline", "leave-one-out")', Refuted, says="is not less than"),
    Falsified('posterior_race.less("pathwise", "leave-one-out")',
              'posterior_race.less("leave-one-out", "pathwise")', Refuted, says="is not less than"),
    Falsified('posterior_race.less("leave-one-out, ratio", "leave-one-out")',
              'posterior_race.less("leave-one-out", "leave-one-out, ratio")', Refuted,
              says="is not less than"),
    Falsified('posterior_race.less("pathwise, ratio", "pathwise")',
              'posterior_race.undecided("pathwise, ratio", "pathwise")', Refuted, says="a difference of"),
    Falsified(RUNS, FEWER, ValueError, says="expected usual to be one of"),
    Falsified(RUNS, ONE_SEED, ValueError, says="seeds at least"),
    Falsified("(top**2 - 10 * top + sixth / 4)", "(0 * top**2 - 10 * top + sixth / 4)", AssertionError),
    # exercises and sentences
    Falsified("pair.solution((3 * sigma**2)**2 * 2)", "pair.solution((3 * sigma)**2 * 2)", Refuted),
    Falsified("fast.solution(omega**2 / 2 / half)", "fast.solution(omega**2 / 2)", Refuted),
    Falsified('u: "a direction", ', "", ValueError, says="not declared"),
], unchecked=UNCHECKED, mistakes=MISTAKES, seconds=300)

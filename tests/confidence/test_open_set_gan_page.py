"""The chapter book/confidence/open_set_gan: what must not pass on it, and its exercises."""

from races import one_seed

from proofread.errors import Refuted, Vacuous
from proofread.testing import Falsified, Page

MISTAKES = [
    ("ex-uneven-batches", "f/(f + g)", "more careful"),
    ("ex-uneven-batches", "m*f/(m*f + g)", "comes more often"),
    ("ex-price-of-doubt", "10/11", "share of the data"),
    ("ex-price-of-doubt", "3/4", "two classes and the weight 1"),
    ("ex-alarm-bell", "alpha*(1 - epsilon)", "and the ties"),
    ("ex-alarm-bell", "alpha - epsilon", "what should come out"),
]

UNDETERMINED = {
    "eq-step-one": r"V_D := \frac{\sum_{i=1}^{M} \left(\log a_{i} + \log(1 - b_{i})\right)}{M}",
    "eq-step-two": r"V_G := \frac{\sum_{i=1}^{M} \log(1 - b_{i})}{M} + \frac{\beta}{M} \sum_{i=1}^{M} h_{i}",
    "eq-step-three": r"V_\theta := \frac{\sum_{i=1}^{M} \left(\ell_{i} + \beta h_{i}\right)}{M}",
    "eq-odds": r"D^* := \frac{f}{f + g}",
}
UNCHECKED = [
    r"-(1 - \sigma(t))", r"-\log D", r"-\log\pi_{y_i}(x_i)", r"1 + 1/\rho = e^{\beta\kappa + c}",
    r"1 - \sigma(t) = \sigma(-t)", "10.8", "46.3", "49.0", "13.6", "13.7", "14.0", "33.01", "51.04",
    "95", "99.8",
    r"D(G(\zeta_i))",
    r"\alpha(1-\epsilon)", r"\alpha\epsilon + (1-\alpha)(1-\epsilon)", r"\beta(n-1) < n", r"\log(1 + 1/u)",
    r"\mathrm{KL}(U \| \pi)", r"\tfrac12", r"\tfrac34", r"f \log d + m g \log(1 - d)",
    r"f \log\frac{f}{f+g} + g \log\frac{g}{f+g}", "mg", "u = 1",
]

PAGE = Page("book/confidence/open_set_gan", [
    # the three steps
    Falsified("sp.log(1 - made[i]), batch) / M,", "sp.log(made[i]), batch) / M,", Refuted),
    Falsified("beta / M * sp.Sum(doubt[i], batch)", "beta * sp.Sum(doubt[i], batch)", Refuted),
    Falsified("sp.Sum(ell[i] + beta * doubt[i], batch) / M", "sp.Sum(beta * ell[i] + doubt[i], batch) / M",
              Refuted),
    Falsified("lambda a, b: -losses(a, b)[0]", "lambda a, b: losses(a, b)[0]", Refuted),
    # the discriminator
    Falsified('best = Definition("D^*", (), f / (f + g)', 'best = Definition("D^*", (), g / (f + g)',
              Refuted),
    Falsified("attained={chance: best()}", "attained={chance: f / (f + 2 * g)}", Refuted),
    Falsified('dies.step(-sigma(t),', 'dies.step(-sigma(-t),', Refuted),
    # the generator, and a classifier that is held
    Falsified("paid.step(-f * sp.log(1 + u),", "paid.step(-f * sp.log(1 - u),", Refuted),
    Falsified("attained={g: u * f}", "attained={g: f / u}", Refuted),
    Falsified("1 / (sp.exp(beta * kappa + c) - 1),", "1 / (sp.exp(beta * kappa + c) + 1),", Refuted),
    Falsified("cost - divergence[wanted > 1e-9]", "cost + divergence[wanted > 1e-9]", AssertionError),
    Falsified("settled > wanted[ring].sum() > 0.7", "settled < wanted[ring].sum()", AssertionError),
    Falsified('profile["truth"] / (profile["truth"] + profile["noise"]),',
              'profile["noise"] / (profile["truth"] + profile["noise"]),', ValueError, says="is drawn at"),
    Falsified("lead = 6 * grid.sum(axis=-1)", "lead = 6 * grid[..., 0] - 60", AssertionError),
    # the answer, and the game at rest
    Falsified("sp.KroneckerDelta(k, 1) + beta * u / n)", "sp.KroneckerDelta(k, 1) + beta * u)", Refuted),
    Falsified("- (n - 1) / n * sp.log(beta * u),", "- n * sp.log(beta * u),", Refuted),
    Falsified("-(n - beta * (n - 1) + 2 * beta * u", "-(n - beta * (n + 1) + 2 * beta * u", Refuted),
    Falsified('falls.step(0, r"$\\beta(n-1) < n$", relation="<=")', 'falls.step(0, r"wrong", relation=">=")',
              Refuted),
    Falsified("written.step(sp.log(1 + 1 / u) -", "written.step(sp.log(1 + 1 / u) +", Refuted),
    Falsified('fades.step(0, "both', 'fades.step(1, "both', Refuted),
    Falsified("rest.step((n + beta) / (n * (1 + beta)),", "rest.step(n / (n * (1 + beta)),", Refuted),
    # played
    Falsified('onward.converged("as printed", within=0.05)', 'onward.converged("as printed", within=0.01)',
              Refuted, says="has not converged"),
    Falsified('ending.undecided("as printed", "at rest")', 'ending.undecided("as published", "at rest")',
              Refuted, says="is seen"),
    Falsified('ending.more("as published", "at rest")', 'ending.more("at rest", "as published")', Refuted,
              says="is not more"),
    Falsified('outside.more("as printed", "at rest")', 'outside.more("at rest", "as printed")', Refuted,
              says="is not more"),
    Falsified('outside.undecided("as printed", "no doubt asked for")',
              'outside.more("as printed", "no doubt asked for")', Refuted, says="too weakly"),
    Falsified('games["confidence"].at(last_step), **asked',
              one_seed('games["confidence"].at(last_step)') + ", **asked", ValueError,
              says="expected 10 seeds at least"),
    Falsified('assert covers["as printed"][-1] >', 'assert covers["as published"][-1] >', AssertionError),
    Falsified("lines += [*found, mean]", "lines += [*found, mean[::-1]]", ValueError, says="is drawn at"),
    Falsified("predicted = (1 + onto / 2) / (1 + onto)", "predicted = 1 / (1 + onto)", AssertionError),
    Falsified("values(answer(1, u), u, beta=1, n=2)", "values(answer(1, u), u, beta=1, n=3)", ValueError,
              says="is drawn at"),
    Falsified("shapes=[shade]", "shapes=[1 - shade]", ValueError),
    # scores
    Falsified("sp.Heaviside(s[i] - r[j])", "sp.Heaviside(r[j] - s[i])", Refuted),
    Falsified("T * sp.log(sp.Sum(sp.exp(z[k] / T)", "sp.log(sp.Sum(sp.exp(z[k] / T)", Refuted),
    Falsified("is_density.step(v + sp.log(", "is_density.step(v * sp.log(", Refuted),
    # digits
    Falsified('assert tnr["energy"] > tnr["confidence"] + 0.1', 'assert tnr["confidence"] > tnr["energy"]',
              AssertionError),
    Falsified('helped = away_by.more("blends", "data alone")',
              'helped = away_by.more("data alone", "blends")', Refuted, says="is not more than"),
    Falsified('far_off = away_by.more("the unknown digits", "blends")',
              'far_off = away_by.more("noise", "data alone")', Refuted, says="too weakly"),
    Falsified('away_by.undecided("the game as printed", "data alone")',
              'away_by.undecided("the game as printed", "the unknown digits")', Refuted, says="is seen"),
    Falsified('level = away_by.undecided("blends", "regression")',
              'level = away_by.undecided("blends", "data alone")', Refuted, says="is seen"),
    Falsified('lower = areas.less("the game as published", "data alone")',
              'lower = areas.less("data alone", "the game as published")', Refuted),
    Falsified('"best": "the unknown digits"}', '"best": "the unknown letters"}', ValueError,
              says="expected best to be one of"),
    Falsified('told_by("confidence"),', one_seed('told_by("confidence")') + ",", ValueError,
              says="expected 10 seeds at least"),
    Falsified('same = score_race.undecided("data alone, energy"',
              'same = score_race.more("data alone, energy"', Refuted, says="too weakly"),
    Falsified('same_too = score_race.undecided("regression, energy"',
              'same_too = score_race.more("regression, energy"', Refuted, says="is not more than"),
    Falsified('behind = score_race.less("blends, energy"', 'behind = score_race.more("blends, energy"',
              Refuted, says="is not more than"),
    Falsified("lines.append(np.stack([values_here, share], axis=1))",
              "lines.append(np.stack([values_here, 1 - share], axis=1))", ValueError, says="is drawn at"),
    Falsified("(scores[name][kind] >= bars)", "(scores[name][kind] > bars - 0.1)", AssertionError),
    Falsified("curves.append(roc)", "curves.append(roc - [0, 0.05])", ValueError, says="is drawn at"),
    Falsified("assert strict[0] > strict[1] + 0.05", "assert strict[0] < strict[1]", AssertionError),
    # in use, and the program
    Falsified("auroc = roc_auc_score(ours, score)", "auroc = roc_auc_score(~ours, score)", AssertionError),
    Falsified("bar = np.quantile(valid, 0.05)", "bar = np.quantile(valid, 0.5)", AssertionError),
    Falsified("+ weight * F.cross_entropy(logits_out, uniform))",
              "+ weight * F.cross_entropy(uniform, logits_out))",
              AssertionError),
    Falsified("    return bar, (scores_out < bar).mean(), area",
              "    return bar, (scores_out <= bar).mean(), area",
              Refuted, says="those below 2"),
    Falsified('for side in ("left", "right"))', 'for side in ("right", "right"))', Refuted,
              says="one is a tie"),
    Falsified("share * len(ordered) - 1e-9)) - 1]", "share * len(ordered) - 1e-9))]", Refuted),
    Falsified("made_of(swap=True)", "made_of()", Vacuous),
    # exercises, sentences
    Falsified("m * g * sp.log(1 - chance),", "g * sp.log(1 - chance),", Refuted),
    Falsified("(alpha * eps + (1 - alpha) * (1 - eps)) / 2)", "(alpha * eps + (1 - alpha) * (1 - eps)))",
              Refuted),
    Falsified('"condition"))', '"obvious"))', ValueError, says="one of condition"),
    Falsified(', v: "a shift"', "", ValueError, says="v is not declared"),
], undetermined=UNDETERMINED, unchecked=UNCHECKED, mistakes=MISTAKES, exercises=4)

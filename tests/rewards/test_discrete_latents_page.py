"""The chapter book/rewards/discrete_latents: what must not pass on it, and its exercises."""

from races import one_seed

from proofread.errors import Refuted, Vacuous
from proofread.testing import Falsified, Page

MISTAKES = [
    ("ex-sure-code", "log(n)", "one variable"),
    ("ex-sure-code", "m*n", "nats tell"),
    ("ex-sure-code", "-m*log(n)", "not negative"),
    ("ex-half-landed", "1/4", "what is left"),
    ("ex-half-landed", "1/2", "its variance"),
]

UNCHECKED = [
    "0.0003", "10^{20}", "200", "256", "32", "512", "78.40", "87.15", r"\log(n\pi_k) = \log n + \log\pi_k",
    r"\log\frac{1}{1/n} = \log n",
]


def exchanged(claim, one, other):
    """A sentence on two methods that says the contrary."""
    return Falsified(f'{claim}("{one}", "{other}")', f'{claim}("{other}", "{one}")', Refuted,
                     says="is not less than")


PAGE = Page("book/rewards/discrete_latents", [
    Falsified("assert all(one is None for one in grads)", "assert all(one is not None for one in grads)",
              AssertionError),
    Falsified("without = (entr(share) + entr(1 - share)).sum()", "without = entr(share).sum()",
              AssertionError),
    Falsified("cost.step(sp.log(n) + E(", "cost.step(sp.log(n) - E(", Refuted),
    Falsified("pull.step(pi(j) * (sp.log(pi(j)) - E(", "pull.step(pi(j) * (sp.log(pi(j)) + E(", Refuted),
    Falsified("inside.step(pi(j) * (r[j] - E(r[k], draw))\n            - pi(j)",
              "inside.step(pi(j) * (r[j] - E(r[k], draw))\n            + pi(j)", Refuted),
    Falsified("(delta(j, k) - pi(j)), draw)", "(delta(j, k) + pi(j)), draw)", Refuted),
    Falsified("rest.step((1 - t) * r[k]", "rest.step((1 + t) * r[k]", Refuted),
    Falsified("left.step((1 - t)**2 * Var", "left.step((1 - t) * Var", Refuted),
    Falsified("(scores[:, None] - scores) / 2)\n    mean", "(scores[:, None] - scores))\n    mean",
              ValueError, says="landing.*is drawn at"),
    Falsified("inside - (1 - ts)**2 * outside", "inside - (1 - ts) * outside", AssertionError),
    Falsified("nine - log_softmax(t * nine) - np.log(9)", "nine + log_softmax(t * nine) - np.log(9)",
              AssertionError),
    Falsified("np.log10((1 - ts)**2 * closed)],", "np.log10((1 - ts) ** 4 * closed)],", ValueError,
              says="is drawn at"),
    Falsified("evidence = np.logaddexp.reduce(worth, axis=1) - np.log(9)",
              "evidence = np.logaddexp.reduce(worth, axis=1) - np.log(3)", AssertionError),
    Falsified("assert off.max() < 6", "assert off.max() < 0.1", AssertionError),
    Falsified("cost.end, of=cost", "cost.end, of=pull", ValueError),
    Falsified("(exact - of_cost)", "(exact + of_cost)", AssertionError),
    Falsified("found = apart * (scores", "found = abs(apart) * (scores", AssertionError),
    Falsified("decided(twice, pairs(full), bound_gradient)", "decided(twice, pairs(full), exact)",
              AssertionError),
    Falsified("full = worth - log_joint", "full = worth + log_joint", AssertionError),
    Falsified("2 * pull((law + at) / 2, slopes)", "pull((law + at) / 2, slopes)", AssertionError,
              says="reinmax"),
    Falsified("pull(law, slopes), exact),", "pull(at, slopes), exact),", AssertionError),
    Falsified("row[3] < 3 if known else row[3] > 3", "row[3] < 0.1 if known else row[3] > 3",
              AssertionError),
    Falsified("assert quieter < 1", "assert quieter > 1", AssertionError),
    Falsified("sure.solution(sp.Sum(sp.log(n) +", "sure.solution(sp.Sum(2 * sp.log(n) +", Refuted),
    Falsified("landed.solution(1 - (1 -", "landed.solution((1 -", Refuted),
    # the foot: codes of a codebook, and one draw with a memory
    Falsified("return output + (vector - output).detach(), index",
              "return output + vector - output.detach(), index", AssertionError),
    Falsified("((vector - output.detach())**2)", "((vector.detach() - output)**2)", RuntimeError),
    Falsified("torch.cdist(output, codebook).argmin(-1)", "torch.cdist(output, codebook).argmax(-1)",
              AssertionError),
    Falsified("    return (reward - average) * score, 0.9 * average + 0.1 * reward",
              "    average = 0.9 * average + 0.1 * reward\n    return (reward - average) * score, average",
              Refuted, says="a tenth is missing"),
    Falsified('"downhill": changed(sign=-1)', '"downhill": changed(sign=1)', Vacuous),
    Falsified("(worth - level)[..., None, None] * scores", "worth[..., None, None] * scores",
              AssertionError),
    Falsified('"t = 1": "condition"', '"t = 1": "obvious"', ValueError, says="one of condition"),
    Falsified('r: "any payoffs", m', 'm', ValueError, says="r is not declared"),
    Falsified('assert work["unordered set"] < work["leave-one-out"]',
              'assert work["unordered set"] > work["leave-one-out"]', AssertionError),
    Falsified("lead = (1 - chance[:, two]) *", "lead =", AssertionError),
    Falsified("= 2 - (chance**2).sum(axis=1).mean()", "= 2", AssertionError),
    Falsified('alone("one layer", 3000 // 46))\n', 'alone("two layers", 3000 // 46))\n', AssertionError),
    Falsified('0 < direction("straight-through") < 0.5', '0.5 < direction("straight-through")',
              AssertionError),
    # the races: two methods exchanged, a rival that is missing, one seed
    exchanged("one_layer.less", "moving average", "no baseline"),
    exchanged("one_layer.less", "moving average", "leave-one-out, 4"),
    exchanged("one_layer.less", "leave-one-out, 4", "ARSM"),
    exchanged("one_layer.less", "leave-one-out, 4", "leave-one-out, 46"),
    exchanged("one_layer.less", "straight-through", "moving average"),
    exchanged("two_layers.less", "leave-one-out, 4", "ARSM"),
    exchanged("two_layers.less", "Gumbel-softmax", "leave-one-out, 4"),
    Falsified('usual="straight-through",', 'usual="REBAR",', ValueError, says="expected usual"),
    Falsified("record.recorded(ONE_LAYER), rows", one_seed("record.recorded(ONE_LAYER)") + ", rows",
              ValueError, says="expected 10 seeds at least"),
    Falsified("record.recorded(TWO_LAYERS),\n", one_seed("record.recorded(TWO_LAYERS)") + ",\n",
              ValueError, says="expected 10 seeds at least"),
    Falsified("for pair in zip(lines, dots) for", "for pair in zip(dots, lines) for", ValueError,
              says="is drawn at"),
    Falsified("shapes=places,", "shapes=places[::-1],", ValueError),
    Falsified("assert closer < 0.95", "assert closer < 0.2", AssertionError),
], unchecked=UNCHECKED, mistakes=MISTAKES, seconds=300)

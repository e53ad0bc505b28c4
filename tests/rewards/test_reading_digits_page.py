"""The chapter book/rewards/reading_digits: what must not pass on it, and its exercises."""

from races import one_seed

from proofread.errors import ProofError, Refuted
from proofread.experiments.record import Stale
from proofread.testing import Falsified, Page

MISTAKES = [
    ("ex-paths-in-order", "L*L", "all paths"),
    ("ex-paths-in-order", "L**2 - L", "go back"),
    ("ex-paths-in-order", "(L**2 + L)/2", "twice"),
    ("ex-moving-average", "V - V*eta", "squares of the factors"),
    ("ex-moving-average", "V - 2*V*eta + V*eta**2", "one reward adds"),
    ("ex-moving-average", "V*(1 - eta)**2/(1 + eta**2)", "To which side"),
    ("ex-curious-attention", "1", "without the entropy"),
    ("ex-curious-attention", "8/10", "temperature 1"),
    ("ex-curious-attention", "exp(tau*log(4))/(1 + exp(tau*log(4)))", "level the attention"),
]

UNCHECKED = [
    r"(1-\eta)^2 V", "28", "24.3", "T n^2",
    r"\log 4", r"\tau\log\gamma_k", r"\tfrac15", r"\tfrac45",
    r"b \leftarrow \eta b + (1 - \eta) R",
    r"\eta^2",
]

PAGE = Page("book/rewards/reading_digits", [
    # steps
    Falsified("forward.step(Sum(later_ell[j] * Sum(pi(i) * ell[i] * onward(i, j),",
              "forward.step(Sum(later_ell[j] * Sum(pi(i) * onward(i, j),", Refuted),
    Falsified("                 + Var(base[m], guess) * E(sigma[k]**2, look),",
              "                 - Var(base[m], guess) * E(sigma[k]**2, look),", Refuted),
    Falsified("random_base.step(E((R[k] - E(base[m], guess))**2", "random_base.step(E((R[k] - base[m])**2",
              ProofError),
    Falsified("causal.step(0, ", "causal.step(R[k], ", Refuted),
    Falsified("causal = Derivation(E(R[k] * sp", "causal = Derivation(E(R[m] * sp", Refuted),
    Falsified("curious.step(most - tau * KL(look, Law", "curious.step(most - KL(look, Law", Refuted),
    Falsified("by=bounds.gibbs(pi(k), tempered(k), every).times(tau))",
              "by=bounds.gibbs(pi(k), tempered(k), every))", ProofError),
    Falsified("entropy_slope.step(-pi(j) * (log(pi(j)) + entropy),",
              "entropy_slope.step(-pi(j) * (log(pi(j)) - entropy),", Refuted),
    # definitions
    Falsified("(k,), ell[k]**(1 / tau) / Sum(\n    ell[i]**(1 / tau), (i, 1, n)), label=",
              "(k,), ell[k]**tau / Sum(\n    ell[i]**tau, (i, 1, n)), label=", Refuted),
    # second routes
    Falsified("listed, read = attention_bound(paths, rewards),",
              "listed, read = attention_bound(paths, 2 * rewards),", AssertionError),
    Falsified("paths = (first[:, -1, :, None] + second[:, :-1]).reshape",
              "paths = (first[:, 0, :, None] + second[:, :-1]).reshape", AssertionError),
    Falsified("np.exp(read.evidence[0, 0]), of=forward,", "np.exp(read.evidence[0, 0]), of=onward,",
              ValueError),
    Falsified("at={z: first[0, -1], x: second[0, :-1],", "at={z: first[0, 0], x: second[0, :-1],",
              ValueError),
    # numbers
    Falsified("(first_try < 0.4).all()", "(first_try < 0.04).all()", AssertionError),
    Falsified('"baseline": chance @ to_go}}', '"baseline": to_go}}', AssertionError),
    Falsified('own = chance @ (returns - chance @ returns)**2 / 19', 'own = chance @ returns**2 * 19',
              AssertionError),
    Falsified('assert noise["none"] > 4 *', 'assert noise["none"] < 4 *', AssertionError),
    Falsified("spoilt = glimpse_gradient(nine, to_go=True, baseline=to_go)",
              "spoilt = glimpse_gradient(nine, to_go=True, baseline=chance @ to_go)", AssertionError),
    Falsified("baseline=to_go - np.cumsum(", "baseline=0 * np.cumsum(", AssertionError),
    Falsified("assert 0.6 < missed.min() and", "assert 1.6 < missed.min() and", AssertionError),
    Falsified('draws = ("reinforce", "baseline", "swaps", "places")',
              'draws = ("reinforce", "baseline", "swaps", "gumbel")', AssertionError),
    Falsified("(6 / less > 2).all() and (sums < 0.5).all()", "(less > 6).all()", AssertionError),
    Falsified("(sums < 0.5).all()", "(sums > 0.5).all()", AssertionError),
    Falsified("(less > 1.2).all() and gain.argmax() == 0", "(less > 1.2).all() and gain.argmin() == 0",
              AssertionError),
    # what is said of the runs: two methods exchanged, a rival or seeds left out
    Falsified('race.more("exact bound", "REINFORCE")',
              'race.more("REINFORCE", "exact bound")', Refuted,
              says="is not more"),
    Falsified('race.more("moving average", "REINFORCE")',
              'race.more("REINFORCE", "moving average")', Refuted,
              says="is not more"),
    Falsified('likely.more("moving average, to go", "moving average")',
              'likely.more("moving average", "moving average, to go")', Refuted,
              says="is not more"),
    Falsified('likely.more("moving average, entropy", "moving average")',
              'likely.more("moving average", "moving average, entropy")', Refuted,
              says="is not more"),
    Falsified('likely.more("moving average, entropy, means", "moving average, entropy")',
              'likely.more("moving average, entropy", "moving average, entropy, means")', Refuted,
              says="is not more"),
    Falsified('likely.more("leave-one-out, 2", "moving average, to go")',
              'likely.more("moving average, to go", "leave-one-out, 2")', Refuted,
              says="is not more"),
    Falsified('likely.more("leave-one-out, 6", "swaps")',
              'likely.more("swaps", "leave-one-out, 6")', Refuted,
              says="is not more"),
    Falsified('likely.more("all places", "swaps")',
              'likely.more("swaps", "all places")', Refuted,
              says="is not more"),
    Falsified('likely.more("exact likelihood", "exact bound")',
              'likely.more("exact bound", "exact likelihood")', Refuted,
              says="is not more"),
    Falsified('likely.undecided("leave-one-out, 2", "swaps")', 'likely.undecided("all places", "swaps")',
              Refuted, says="is seen"),
    Falsified('likely.undecided("all places", "exact bound")', 'likely.more("exact bound", "all places")',
              Refuted, says="too weakly"),
    Falsified('likely.undecided("soft", "exact bound")', 'likely.more("soft", "exact bound")', Refuted,
              says="is not more"),
    Falsified('"best": "exact bound"', '"best": "bound"', ValueError, says="expected best to be one of"),
    Falsified("record.recorded(READERS).at(most), **roles", one_seed("record.recorded(READERS).at(most)")
              + ", **roles", ValueError, says="expected 10 seeds at least"),
    Falsified("record.recorded(READERS).at(most), **roles",
              "record.recorded(__import__('dataclasses').replace(READERS, methods={"
              "'swaps': READERS.methods['swaps']})).at(most), **roles", Stale),
    # what is drawn
    Falsified("shapes=sum(drawn, []),", "shapes=sum(drawn[::-1], []),", ValueError),
    Falsified('name="where-it-looked", shapes=shapes,',
              'name="where-it-looked", shapes=shapes[::-1],', ValueError),
    Falsified("curves=[np.log10(spread[method]) for method in draws],",
              "curves=[spread[method] for method in draws],", ValueError),
    Falsified("Both digits are right on {reinforce},", "Both digits are right on {likelihood},", KeyError),
    Falsified("canvases.places[:3]).all() == (row > 0)", "canvases.places[:3]).all() == (row > 1)",
              AssertionError),
    # sentences
    Falsified('tau: "weight of the entropy", ', '', ValueError, says="not declared"),
    # exercises
    Falsified("in_order.solution(Sum(L - k, (k, 1, L)))", "in_order.solution(Sum(k, (k, 1, L)))", Refuted),
    Falsified("moving_average.solution((1 - eta)**2 * V / (1 - eta**2))",
              "moving_average.solution((1 - eta)**2 * V)", Refuted),
    Falsified("curiosity.solution(1 / (1 + exp(-log(4) / tau)))",
              "curiosity.solution(1 / (1 + exp(log(4) / tau)))", Refuted),
    # in PyTorch, and by a recursion
    Falsified("log_names.detach().flip(1).cumsum(1).flip(1)", "log_names.detach().cumsum(1)", AssertionError),
    Falsified("(log_names + (to_go - baseline) * log_glances)",
              "(2 * log_names + (to_go - baseline) * log_glances)", AssertionError),
    Falsified("    state = log_first + log_names[0]\n", "    state = log_first\n", Refuted,
              says="instead of"),
], exercises=4, unchecked=UNCHECKED, mistakes=MISTAKES)

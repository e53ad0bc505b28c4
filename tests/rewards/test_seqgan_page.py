"""The chapter book/rewards/seqgan: what must not pass on it, and its exercises."""

from proofread.errors import ProofError, Refuted
from proofread.testing import Falsified, Page

MISTAKES = [
    ("ex-seqgan-silence", ["3*log(2)/2", "0"], "entropy of the second"),
    ("ex-seqgan-silence", ["log(3)", "log(2)"], "equally probable"),
    ("ex-seqgan-silence", ["3*log(2)/2", "4*log(2)/3"], "never says"),
    ("ex-seqgan-pull", "a/(a + x) - (1 - a)/(2 - a - x)", "slope in"),
    ("ex-seqgan-pull", "x*a/(a + x)", "lose"),
    ("ex-seqgan-pull", "x*(1 - x)*((1 - a)/(2 - a - x) - a/(a + x))", "Should it rise"),
    ("ex-seqgan-two-words", "x**2*(1 - x)**2*(1 - 2*x)", "difference of two logits"),
    ("ex-seqgan-two-words", "-4*x**2*(1 - x)**2*(1 - 2*x)", "concave"),
    ("ex-seqgan-two-words", "x*(1 - x)*(2*x - 1)", "whole bracket"),
]

UNDETERMINED = {
    "eq-after-noise":
        r"\pi_{k\mid m} := \frac{e^{z_{k} + \eta \left(\delta_{k,m} - \pi_{k}\right)}}{\sum_{i=1}^{n} "
        r"e^{z_{i} + \eta \left(\delta_{i,m} - \pi_{i}\right)}}",
}
UNCHECKED = [
    r"-\log p", r"-\log q", "1/N", "10.310", "5000", "8.736", "9.038", r"\delta_{km} - \pi_k",
    r"\eta(\delta_{km} - \pi_k)", r"\log 2", r"\log p", r"\log(1-D)", r"\log\pi",
    r"\partial\prod_t u_t = \prod_t u_t\,\sum_t\partial\log u_t", r"\partial_i\partial_j\pi_k",
    r"\partial_j\pi_k = \pi_k(\delta_{jk}-\pi_j)", r"\pi\,\partial\log\pi = \partial\pi",
    r"\pi_1(D_1 - \mathbb E D)", r"\sum_k\pi_k\ell_k", r"\tfrac12", r"\tfrac12(p + \pi)", r"\tfrac12\eta^2",
    r"\tfrac14", r"p_k/(p_k+\pi_k)", "p_k/m_k", "xD_1 + (1-x)D_2",
]

PAGE = Page("book/rewards/seqgan", [
    # steps
    Falsified("words.step(Sum(r[k] * whole * Sum(sp.Derivative(log(u(t, k, theta)), theta), (t, 1, T)),",
              "words.step(Sum(r[k] * whole * Sum(sp.Derivative(u(t, k, theta), theta), (t, 1, T)),", Refuted),
    Falsified("share.step(E(Sum(sp.Derivative(word(j, i), theta) * Q(i, j), (j, 1, n)), prefix),",
              "share.step(E(Sum(slope * Q(i, j), (j, 1, n)), prefix),", Refuted),
    Falsified("+ Sum((beta(k) - now(k)) * r[k], (k, 1, ways)),",
              "+ Sum((now(k) - beta(k)) * r[k], (k, 1, ways)),", Refuted),
    Falsified("E(Sum(r[y[s]] / N, (s, 1, N)), copies)", "E(Sum(r[y[s]], (s, 1, N)), copies)", Refuted),
    Falsified("bounds.log_tangent((1 - rho) / (1 - D(k))).times(pi(k))])",
              "bounds.log_tangent((1 - rho) / (1 - D(k))).times(p(k))])", ProofError),
    Falsified('"tangents of the logarithm",\n          relation="<=",',
              '"tangents of the logarithm",\n          relation=">=",',
              ProofError),
    Falsified("descends = Derivation(-sp.Derivative(KL(true, mixture), z[j]),",
              "descends = Derivation(-sp.Derivative(KL(said_law, mixture), z[j]),", Refuted),
    Falsified("descends.step(pi(j) * (D(j) - E(D(k), said_law)),",
              "descends.step(pi(j) * (E(D(k), said_law) - D(j)),", Refuted),
    Falsified("(1 - (one + 0.5) / 2)).sum()", "(1 - one / 2)).sum()", AssertionError),
    Falsified("KL(said_law, mixture) - log(4)", "KL(said_law, mixture) - log(2)", Refuted),
    Falsified("parts.step(E(-log(pi(k)), said_law) + KL(said_law, true),",
              "parts.step(E(-log(pi(k)), said_law) + KL(true, said_law),", Refuted),
    Falsified("reverse.step(E(-log(p(k)), true) + KL(true, said_law),",
              "reverse.step(E(-log(p(k)), true) + KL(said_law, true),", Refuted),
    Falsified("by=bounds.gibbs(p(k), pi(k), every))", "by=bounds.gibbs(pi(k), p(k), every))", ProofError),
    Falsified("cost.step(-log(pi(j)) + Sum(", "cost.step(-log(pi(j)) - Sum(", Refuted),
    Falsified("z[k] + eta * (delta(k, m) - pi(k))", "z[k] + eta * delta(k, m)", Refuted),
    Falsified("* pi(k) - 3 * pi(k)**2), said_law),", "* pi(k) - 2 * pi(k)**2), said_law),", Refuted),
    # a law that is none, and evidence for the wrong thing
    Falsified("c[k, i, j]\n                  / Sum(c", "c[k, i, j]\n                  * Sum(c", ProofError),
    Falsified("first[2], of=Q,", "first[2], of=share,", ValueError),
    Falsified("first[2], of=Q,", "first[3], of=Q,", ValueError),
    Falsified("range(5), one_row, of=drift,", "range(5), 2 * one_row, of=drift,", ValueError),
    # numbers
    Falsified("return np.ones(625)", "return np.zeros(625)", AssertionError),
    Falsified("oracle = 1.5 * np.random", "oracle = 15 * np.random", AssertionError),
    Falsified("as_decisions = policy_gradient(prefix_process(paid, 5, 4), start, 4)",
              "as_decisions = policy_gradient(prefix_process(paid, 5, 4), oracle, 4)", AssertionError),
    Falsified("n_rollouts=1, rollout_logits=0 * start, rng=0)", "n_rollouts=1, rng=0)", AssertionError),
    Falsified("fooled_table, fooled = follow(lambda found: paid)", "fooled_table, fooled = follow(ideal)",
              AssertionError),
    Falsified("assert falls[20] == 50 > falls[5] > 20", "assert falls[20] < 50", AssertionError),
    Falsified("flat = walk(constant, 0, baseline=\"leave-one-out\")", "flat = walk(constant, 0)",
              AssertionError),
    Falsified("walk(lambda table: constant(table) / 2, seed)", "walk(lambda table: constant(table), seed)",
              AssertionError),
    Falsified("100 * noise_drift(start, -sequence_log_probs(oracle))",
              "100 * noise_drift(start, sequence_log_probs(oracle))", AssertionError),
    Falsified("reward=reward, lr=1e-3, generator=1)",
              "reward=reward, lr=1e-3, generator=1, optimiser=torch.optim.SGD)", AssertionError),
    # which training is worth its cost: two methods exchanged, a rival that is missing, one seed
    Falsified('race.less("likelihood", "SeqGAN")', 'race.less("SeqGAN", "likelihood")', Refuted),
    Falsified('race.less("likelihood", "SeqGAN with a baseline")',
              'race.less("SeqGAN with a baseline", "likelihood")', Refuted),
    Falsified('race.undecided("SeqGAN", "stop")', 'race.less("SeqGAN", "stop")', Refuted),
    Falsified('race.undecided("SeqGAN", "constant reward")', 'race.less("constant reward", "SeqGAN")',
              Refuted),
    Falsified('rival = tried[job._replace(method="SeqGAN")]', 'rival = tried[job]', AssertionError),
    Falsified('backwards.less("likelihood", "SeqGAN")', 'backwards.less("SeqGAN", "likelihood")', Refuted),
    Falsified('backwards.converged("likelihood", within=0.05)',
              'backwards.converged("likelihood", within=1e-4)', Refuted),
    Falsified('nothing="stop", usual="likelihood", measured="score, in nats"',
              'nothing="stop", usual="scheduled", measured="score, in nats"', ValueError,
              says="expected usual to be one of"),
    Falsified('race = Comparison("what goes on after likelihood", record.recorded(RACE),',
              'from dataclasses import replace\nkept = record.recorded(RACE)\n'
              'kept = replace(kept, seeds=(0,), values={a: b[:1] for a, b in kept.values.items()})\n'
              'race = Comparison("what goes on after likelihood", kept,', ValueError, says="seeds at least"),
    Falsified("before_it = 3 * 64 * JUDGE_BEFORE", "before_it = 0 * JUDGE_BEFORE", AssertionError),
    Falsified('found["score"] < found["score 0"]', 'found["score"] > found["score 0"]', AssertionError),
    Falsified('other = tried[job._replace(method="SeqGAN")]', 'other = tried[job]', AssertionError),
    Falsified('by_reverse.less("at the end", "at the switch")',
              'by_reverse.less("at the switch", "at the end")', Refuted, says="is not less"),
    Falsified('by_score.undecided("at the end", "at the switch")',
              'by_score.less("at the end", "at the switch")', Refuted, says="too weakly"),
    Falsified('race.runs.chosen[later_way]["lr"] == min(', 'race.runs.chosen[later_way]["lr"] == max(',
              AssertionError),
    Falsified('(score_end["likelihood"] - score_end["the oracle itself"])',
              '(score_end["likelihood"] - score_end["the oracle itself"] + 0.1)', AssertionError),
    Falsified('"score", "reverse", f"reverse {PARTS // 2}"))', '"score", "reverse", "reverse 0"))',
              AssertionError),
    Falsified('settings=(("lr", 0.01),)', 'settings=(("lr", 0.03),)', AssertionError),
    # what is drawn
    Falsified("curves=lines, shapes=spans,", "curves=lines[::-1], shapes=spans,", ValueError),
    Falsified("curves=[path[:, [0, 2]], learned[:, [0, 2]],", "curves=[learned[:, [0, 2]], path[:, [0, 2]],",
              ValueError),
    Falsified("curves=[dots, *strokes],", "curves=[dots + 0.1, *strokes],", ValueError, says="is drawn at"),
    Falsified("weights.append(shares)", "weights.append(shares[::-1])", ValueError),
    # sentences
    Falsified('eta: "step size",', "", ValueError, says="not declared"),
    # exercises
    Falsified("silence.solution((log(2) / 2 + log(4) / 2, log(2)))",
              "silence.solution((log(2) / 2 + log(4) / 4, log(2)))", Exception),
    Falsified("two.solution(said_x * (1 - said_x) * (bracket(said_x) - bracket(1 - said_x)))",
              "two.solution(said_x * (1 - said_x) * (bracket(said_x) + bracket(1 - said_x)))", Exception),
    # with a price
    Falsified("reward = paid - price * nats", "reward = paid + price * nats", AssertionError),
    Falsified("paid / price)", "paid * price)", AssertionError),
    Falsified("-tilted @ np.log(tilted)", "-tilted @ log_p", AssertionError),
    Falsified("priced_scores[0.2][2] < before[2] - 0.2", "priced_scores[0.1][2] < before[2] - 0.2",
              AssertionError),
    Falsified("nats = (log_prob.detach() - torch.where", "nats = (log_prob - torch.where", Refuted,
              says="less the divergence"),
], exercises=4, undetermined=UNDETERMINED, unchecked=UNCHECKED, mistakes=MISTAKES, seconds=600)

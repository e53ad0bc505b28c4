"""The chapter book/choices/policies: what must not pass on it, and its exercises."""

from proofread.errors import Refuted
from proofread.testing import Falsified, Page

MISTAKES = [
    ("ex-left-products", "T*(T - 1)/2", "follows it at once"),
    ("ex-left-products", "T**2/2", "its own reward"),
    ("ex-idle-ratio", "3", "very long"),
    ("ex-idle-ratio", "(2*T**2 + 3*T + 1)/(6*T**2)", "the noisier one"),
    ("ex-discounted", "(1 - gamma**(T - t + 1))/(1 - gamma)", "from the action on"),
    ("ex-discounted", "(1 - gamma**T)/(1 - gamma)", "whole return"),
]

UNDETERMINED = {
    "eq-action": r"\pi_{j\mid i}(\theta) := \frac{u(j, i, \theta)}{\sum_{k=1}^{n} u(k, i, \theta)}",
}
UNCHECKED = [
    "0.03", r"\pi\,\partial\log\pi = \partial\pi",
    "T^2", r"\gamma^2",
]

PAGE = Page("book/choices/policies", [
    Falsified("assert own[0, 0] > 0 > exact[0, 0]", "assert own[0, 0] > 0 < exact[0, 0]", AssertionError),
    Falsified("before.step(E(b[i] * sp.Sum(sp.Derivative(act(j, i), theta)",
              "before.step(E(b[i] * sp.Sum(act(j, i)", Refuted),
    Falsified('before.step(0, "probabilities', 'before.step(1, "probabilities', Refuted),
    Falsified('to_go.step(mean(g[i, j, k] * score(j, i)), "what',
              'to_go.step(mean(b[i] * score(j, i)), "what', Refuted),
    Falsified("mean((b[i] + g[i, j, k]) * score(j, i))", "mean((b[i] * g[i, j, k]) * score(j, i))", Refuted),
    Falsified("theta) * Q(i, j), (j, 1, n)), past),", "theta) * g[i, j, 1], (j, 1, n)), past),", Refuted),
    Falsified("loud.step(T**3 * Var", "loud.step(T**2 * Var", Refuted),
    Falsified("calm.step(sp.Sum((T - t + 1)**2,", "calm.step(sp.Sum((T - t)**2,", Refuted),
    Falsified("calm.step(T * (T + 1) * (2 * T + 1) / 6", "calm.step(T * (T + 1) * (2 * T + 1) / 3", Refuted),
    Falsified("(idle_score[list(o)] @ [3, 2, 1])**2", "(idle_score[list(o)] @ [3, 3, 3])**2", Refuted,
              says="the sum over"),
    Falsified("of=calm, at={z: logits[0],", "of=loud, at={z: logits[0],", ValueError),
    Falsified("x: idle_score, T: 3}", "x: idle_score, T: 4}", ValueError),
    Falsified("after = np.cumsum(paid[:, ::-1], axis=1)[:, ::-1]", "after = np.cumsum(paid, axis=1)",
              AssertionError),
    Falsified('whole = np.einsum("n,ntsa->nsa", paths.returns, each)',
              'whole = np.einsum("n,ntsa->nsa", paths.returns - 1, each[:, :1])', AssertionError),
    Falsified("apart, each[some])\n        - np.einsum", "apart, each[some])\n        + np.einsum",
              AssertionError),
    Falsified('"xcj,xj->xc", found, 1 / 3 - shares)', '"xcj,xj->xc", found, 1 / 3 - 2 * shares)',
              AssertionError),
    Falsified("values.append(place.reward + place.transition @ worth)",
              "values.append(place.reward + 2 * place.transition @ worth)",
              AssertionError),
    Falsified("along[np.arange(len(paid)), now] += pulls[at][now]",
              "along[np.arange(len(paid)), now] += pulls[0][now]", AssertionError),
    Falsified("assert debt_noise == 0.5", "assert debt_noise == 0", AssertionError),
    Falsified('"leave-one-out, at each state": {"method": "leave-one-out", "n_branches": 3}',
              '"leave-one-out, at each state": {"method": "gumbel-rao", "n_branches": 3}', ValueError,
              says="method at branches to be"),
    Falsified("assert max(row[1] for row in rows.values()) < 7",
              "assert max(row[1] for row in rows.values()) < 0.5", AssertionError),
    Falsified('"reward to go": {},', '"reward to go": {"to_go": False},', AssertionError),
    Falsified('largest_gap("Acrobot-v1", Acrobot())', 'largest_gap("Acrobot-v1", Acrobot(hold=2))',
              AssertionError),
    Falsified("assert max(gaps) < 1e-13", "assert max(gaps) > 1e-13", AssertionError),
    Falsified("assert alone < 0.05 < 0.1 < held", "assert held < 0.05 < 0.1 < alone", AssertionError),
    Falsified("assert best_before > 180 > 100 > cart", "assert best_before > 180 > 50 > cart",
              AssertionError),
    Falsified("swaps[3] > 1.4 * pairs[3]", "swaps[3] < 1.4 * pairs[3]", AssertionError),
    Falsified('assert got["ARSM"][3] > got["leave-one-out"][3]',
              'assert got["ARSM"][3] < got["leave-one-out"][3]', AssertionError),
    Falsified('figure(*panels, name="cart", rows=["S3-17"], curves=drawn,',
              'figure(*panels, name="cart", rows=["S3-17"], curves=drawn[::-1],', ValueError,
              says="is drawn at"),
    Falsified('figure(*panels, name="links", rows=["S3-17"], curves=drawn, shapes=filled,',
              'figure(*panels, name="links", rows=["S3-17"], curves=drawn, shapes=filled[::-1],', ValueError),
    Falsified("left.solution(sp.Sum(T - t + 1,", "left.solution(sp.Sum(T - t,", Refuted),
    Falsified("ratio.solution(T**3 /", "ratio.solution(T**2 /", Refuted),
    Falsified("faded.solution(fade**(t - 1) *", "faded.solution(fade**t *", Refuted),
    Falsified('x: "scores", y: "actions drawn"', 'y: "actions drawn"', ValueError, says="x is not declared"),
], undetermined=UNDETERMINED, unchecked=UNCHECKED, mistakes=MISTAKES)

"""The chapter book/rewards/hard_attention: what must not pass on it, and its exercises."""

from proofread.errors import ProofError, Refuted
from proofread.testing import Falsified, Page

MISTAKES = [
    ("ex-glimpse-gap", "log(5) - log(8)", "log-likelihood; and the bound"),
    ("ex-glimpse-gap", "log(1/2)", "That is the bound"),
    ("ex-glimpse-gap", "-log(5/4)", "larger one"),
    ("ex-geometric-reading", "1/10", "hard attention"),
    ("ex-geometric-reading", "1/3", "not equal"),
    ("ex-geometric-reading", "sqrt(8)/(1 + 2*sqrt(8))", "first class"),
    ("ex-posterior-step", "Sum(exp(z[k])*(ell[k] - Sum(exp(z[i])*ell[i], (i, 1, n))/Sum(exp(z[i]), "
     "(i, 1, n)))**2, (k, 1, n))/Sum(exp(z[i]), (i, 1, n))", "divided by something"),
    ("ex-posterior-step", "Sum(exp(z[k])*ell[k]**2, (k, 1, n))/Sum(exp(z[k])*ell[k], (k, 1, n))", "all gain"),
    ("ex-posterior-step", "Sum(exp(z[k])*ell[k]**2, (k, 1, n))*Sum(exp(z[k]), (k, 1, n))"
     "/Sum(exp(z[k])*ell[k], (k, 1, n))**2 - 1", "in units"),
]

QUOTATIONS = {
    "A note on hard attention, soft and hard": r"\operatorname{Var}_{k\sim \alpha}[f_{k}] = 0",
    "A note on hard attention, a policy": r"\sum_{i=1}^{n} \delta_{i,k} = n",
    "A note on hard attention, the reward":
        r"\frac{\partial}{\partial z_{j}} \mathcal{L} = \alpha_{j} \left(\ell_{j} - p(y \mid a)\right)",
}

UNCHECKED = [
    "14", "512", "0.02", "0.8", "0.99", "0.99 + 0.02", r"\alpha_k' = \alpha_k\,(\log\alpha_k)'",
    r"\log(\alpha_k/\alpha_k^y) = \log p(y \mid a) - \log \ell_k", r"\tfrac14", r"\tfrac15\sqrt2",
    r"\tfrac58",
]

PAGE = Page("book/rewards/hard_attention", [
    # what averaging does
    Falsified("assert soft.argmax() == 1 and", "assert soft.argmax() == 4 and", AssertionError),
    Falsified("assert 0.05 < nowhere < 0.1", "assert 0.5 < nowhere < 1", AssertionError),
    Falsified('curves=[hard, soft],', 'curves=[soft, hard],', ValueError, says="is drawn at"),
    # steps
    Falsified("(m, 1, n)) / 2, \"the mean squared", "(m, 1, n)), \"the mean squared", Refuted),
    Falsified("def geometric(c): return sp.Product(read(k, c)**alpha(k), every)",
              "def geometric(c): return sp.Product(read(k, c), every)", Refuted),
    Falsified("gap.step(bound() + KL(look, looked),", "gap.step(bound() + KL(looked, look),", Refuted),
    Falsified("by=bounds.gibbs(alpha(k), after(k), every))", "by=bounds.gibbs(after(k), alpha(k), every))",
              ProofError),
    Falsified("+ E(KL(in_mean, at_place), look),", "+ E(KL(at_place, in_mean), look),", Refuted),
    Falsified("                  * d(prior(k)), every), \"product rule",
              "                  * prior(k), every), \"product rule", Refuted),
    Falsified("gradient.step(E(d(log(likely(k, theta))) + log(likely(k, theta)) * d(log(prior(k))),",
              "gradient.step(E(d(log(likely(k, theta))) + likely(k, theta) * d(log(prior(k))),", Refuted),
    Falsified("pull.step(alpha(j) * (log(ell[j]) - bound()),",
              "pull.step(alpha(j) * (log(ell[j]) + bound()),", Refuted),
    Falsified("true_pull.step(after(j) - alpha(j),", "true_pull.step(alpha(j) - after(j),", Refuted),
    Falsified("delta(s[t - 1], i) * (delta(s[t], j)", "delta(s[t], i) * (delta(s[t], j)", Refuted),
    Falsified('fewer.step(both / N, "independent', 'fewer.step(both / N**2, "independent', Refuted),
    Falsified("np.log(likelihoods * weights / three.posterior)", "np.log(likelihoods / three.posterior)",
              AssertionError),
    Falsified("half_mean.step(Var(looks[k], look) +", "half_mean.step(Var(reads[k], look) +", Refuted),
    Falsified('places_seen.step(1, "the', 'places_seen.step(2, "the', Refuted),
    Falsified("paid.step(alpha(j) * (ell[j] - evidence()),", "paid.step(alpha(j) * ell[j],", Refuted),
    Falsified("success.step(blank + rho / 200,", "success.step(blank - rho / 200,", Refuted),
    Falsified("bet.step((25 - 2352 * rho) / 10_000", "bet.step((25 + 2352 * rho) / 10_000", Refuted),
    # definitions
    Falsified("alpha(k) * ell[k] / evidence(),", "ell[k] / evidence(),", ProofError),
    # second routes
    Falsified("np.log([at_two, at_four]).mean", "np.array([at_two, at_four]).mean",
              AssertionError),
    Falsified("assert max(at_two[4], at_four[2]) < 1e-4", "assert max(at_two[1], at_four[1]) < 1e-4",
              AssertionError),
    Falsified("assert min(soft[2], soft[4]) > 0.1", "assert min(at_two[4], at_four[2]) > 0.1",
              AssertionError),
    Falsified("return sum(attention_bound(z, np.log(ell))[1:3])", "return sum(attention_bound(z, ell)[1:3])",
              Refuted),
    Falsified('== f"{three.gap:.4f}" == "0.3431"', '== f"{three.gap:.4f}" == "0.3432"', AssertionError),
    Falsified("assert three.posterior @ np.log(likelihoods) >", "assert weights @ np.log(likelihoods) >",
              AssertionError),
    Falsified('range(3), pulls["bound"], of=pull,', 'range(3), pulls["bound"], of=true_pull,', ValueError),
    Falsified("model.first, h: model.then, L: 3,", "model.first + np.arange(3), h: model.then, L: 3,",
              ValueError),
    Falsified("quotients = [(bound_at(flat + e) - bound_at(flat - e)) / 2e-5",
              "quotients = [(bound_at(flat + e) - bound_at(flat - e)) / 1e-5", AssertionError),
    Falsified("allowed = 5 * np.sqrt(", "allowed = 0.05 * np.sqrt(", AssertionError),
    # what the note prints
    Falsified("(Var(feature[k], look), sp.Integer(0)), correct=spread,",
              "(Var(feature[k], look), E(feature[k]**2, look) - E(feature[k], look)**2), correct=spread,",
              ValueError, says="is not refuted"),
    Falsified("        alpha(j) * (ell[j] - evidence())), correct=pull,",
              "        alpha(j) * (log(ell[j]) - bound())), correct=pull,", ValueError,
              says="is not refuted"),
    Falsified("correct=places_seen, given=[n >= 2],", "correct=places_seen, given=[n <= 1],", Exception),
    # what is drawn
    Falsified("            np.array([[centre, three.bound]])], shapes=[corners],",
              "            np.array([[centre, three.evidence]])], shapes=[corners],", ValueError),
    Falsified("assert [top[0] for top in tops] == [1, 0.01, 0]",
              "assert [top[0] for top in tops] == [0, 0, 0]", AssertionError),
    Falsified("peak, share = 25 / 2352,", "peak, share = 24 / 2352,", AssertionError),
    Falsified("tops = [(share[line(share).argmax()]", "tops = [(share[line(share).argmin()]",
              AssertionError),
    # sentences
    Falsified('s: "glimpses", N:', 'N:', ValueError, says="not declared"),
    # exercises
    Falsified("glimpse_gap.solution(log(sp.Rational(5, 8)) - log(sp.Rational(1, 4)) / 2)",
              "glimpse_gap.solution(log(sp.Rational(5, 8)) - log(sp.Rational(1, 4)))", Refuted),
    Falsified("step_up.solution(Sum(after(k) * ell[k], every) - evidence())",
              "step_up.solution(Sum(after(k) * ell[k], every))", Refuted),
    # losses in PyTorch
    Falsified("torch.logsumexp(log_attention + log_likelihood, dim=1)",
              "(log_attention.exp() * log_likelihood).sum(dim=1)", AssertionError),
    Falsified("reward = (log_likelihood - baseline)", "reward = (log_likelihood.exp() - baseline)",
              AssertionError),
    Falsified("    reward = log_likelihood.detach()\n", "    reward = log_likelihood\n", Refuted,
              says="is wrong"),
], exercises=4, unchecked=UNCHECKED, mistakes=MISTAKES, quotations=QUOTATIONS)

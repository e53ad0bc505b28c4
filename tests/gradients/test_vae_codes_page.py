"""The chapter book/gradients/vae_codes: what must not pass on it, and its exercises."""

from proofread.errors import Misprinted, ProofError, Refuted
from proofread.testing import Falsified, Page

MISTAKES = [
    ("ex-codes-threshold", ["4*log(2)", "8"], "half in front"),
    ("ex-codes-threshold", ["2*log(2)", "2"], "only the smaller direction"),
    ("ex-codes-threshold", ["log(5)/2", "8"], "not the rate of their mean"),
    ("ex-codes-threshold", ["log(10)/2", "8"], "not the variances"),
    ("ex-codes-same-loss", ["0", "log(m)"], "for nothing"),
    ("ex-codes-same-loss", ["log(m)", "2*log(m)"], "how far is a code"),
    ("ex-codes-same-loss", ["0", "0"], "Neither is free"),
]

UNCHECKED = [
    "1000", r"\log m", r"\tfrac14",
    r"q_{k\mid i}/\bar q_k = \bar q_{i\mid k}/\hat p_i", "1/K", r"-\tfrac12\log s",
    r"D(R) + \beta R", r"-\beta", "ds/(2v)",
    r"ds/(2v) - \tfrac\beta2 \log s", r"\tfrac12\log 8", r"\tfrac12\log 2",
]

PAGE = Page("book/gradients/vae_codes", [
    # steps
    Falsified("(log(enc(k, i) / mixed(k)) + log(mixed(k) / p(k))),",
              "(log(enc(k, i) / mixed(k)) - log(mixed(k) / p(k))),",
              Refuted),
    Falsified("surgery.step(E(KL(codes_of, together), images) + KL(together, prior),",
              "surgery.step(E(KL(codes_of, together), images) + KL(prior, together),", Refuted),
    Falsified("below.step(entropy + likelihood + E(KL(behind, decoded), together),",
              "below.step(entropy + likelihood - E(KL(behind, decoded), together),", Refuted),
    Falsified("total.step(entropy + E(KL(behind, decoded), together) + KL(together, prior),",
              "total.step(entropy + E(KL(behind, decoded), together) - KL(together, prior),", Refuted),
    Falsified("entropy = E(-log(data(i)), images)", "entropy = E(log(data(i)), images)", Refuted),
    Falsified("unbiased.step(E(w[k], code),", "unbiased.step(K * E(w[k], code),", Refuted),
    Falsified("above.step(E(log(w[k]), code),", "above.step(log(E(w[k], code)),", Refuted),
    Falsified('as the "\n            "logarithm is concave", relation="<=")',
              'as the "\n            "logarithm is concave", relation=">=")',
              Refuted),
    # laws that are none
    Falsified("Sum(raw_e[k, i], every),", "Sum(raw_e[k, i], (i, 1, m)),", ProofError),
    Falsified("data(i) * enc(k, i) / mixed(k),", "enc(k, i) / mixed(k),", ProofError),
    # which equation a route is evidence for, and with what
    Falsified("small.information + small.mismatch, of=surgery,", "small.information, of=surgery,",
              ValueError),
    Falsified("small.information + small.mismatch, of=surgery,",
              "small.information + small.mismatch, of=below,",
              ValueError),
    Falsified("joint.__getitem__, outcomes, small.entropy - small.distortion + small.gap,",
              "joint.__getitem__, outcomes, small.entropy - small.distortion,", ValueError),
    Falsified("data_logits=np.log(x_raw))", "data_logits=np.log(x_raw[::-1]))", ValueError),
    Falsified("exactly(3), of=above,", "exactly(2), of=above,", ValueError),
    Falsified("slope.step(d / (2 * v) - beta / (2 * s),", "slope.step(d / (2 * v) + beta / (2 * s),",
              Refuted),
    Falsified("told_rate.step(log(d / (beta * v)) / 2,", "told_rate.step(log(d / (beta * v)),", Refuted),
    # numbers
    Falsified("loss = (error + beta * kl.sum(dim=-1)).mean()", "loss = (error + kl.sum(dim=-1)).mean()",
              AssertionError),
    Falsified("kl = found[0][1]                       # needs no draws",
              "kl = found[0][1] / 2", AssertionError),
    Falsified("    return np.minimum(1, beta * noise / variances)", "    return beta * noise / variances",
              AssertionError),
    Falsified("return [a.numpy() for a in pair[0](held_out).chunk(2, dim=-1)]",
              "return [a.numpy() for a in pair[0](bits).chunk(2, dim=-1)][::-1]", AssertionError),
    Falsified("assert (np.diff(levels) > 0).all()", "assert (np.diff(levels) < 0).all()", AssertionError),
    Falsified("np.log(w_few[list(one)].mean())", "np.log(w_few[list(one)]).mean()", AssertionError),
    Falsified("importance_weighted_bound(in_library(models[1]), held_out,",
              "importance_weighted_bound(in_library(models[16]), held_out,", AssertionError),
    Falsified("(-own_bound(nodes, masses).sum()).backward()", "own_bound(nodes, masses).sum().backward()",
              AssertionError),
    Falsified("(widest < 0.5).all()", "(widest < 0.1).all()", AssertionError),
    Falsified("-0.8 < first_fall < last_fall < -0.2", "last_fall < -0.9", AssertionError),
    # ten runs each: two methods exchanged, a rival that is missing, one seed
    Falsified('short_race.more("weight ¼", "weight 1")', 'short_race.more("weight 1", "weight ¼")', Refuted),
    Falsified('short_race.more("weight 1", "no code")', 'short_race.more("no code", "weight 1")', Refuted),
    Falsified('long_race.more("weight 1", "weight ¼")', 'long_race.more("weight ¼", "weight 1")', Refuted),
    Falsified('counts_of.less("weight 2", "weight 1")', 'counts_of.less("weight 1", "weight 2")', Refuted),
    Falsified('counts_of.less("weight 4", "weight 2")', 'counts_of.less("weight 2", "weight 4")', Refuted),
    Falsified('linked.more("annealed", "weight 1")', 'linked.more("weight 1", "annealed")', Refuted),
    Falsified('linked.more("free bits", "weight 1")', 'linked.more("weight 1", "free bits")', Refuted),
    Falsified('linked.more("weight 1", "no code")', 'linked.more("no code", "weight 1")', Refuted),
    Falsified('linked.more("weight ½", "weight 1")', 'linked.more("weight 1", "weight ½")', Refuted),
    Falsified('linked.more("weight 1, longer", "weight 1")',
              'linked.more("weight 1", "weight 1, longer")', Refuted),
    Falsified('linked.undecided("annealed", "weight ½")', 'linked.more("annealed", "weight ½")', Refuted),
    Falsified('bounds_of.undecided("annealed", "weight 1")', 'bounds_of.more("annealed", "weight 1")',
              Refuted),
    Falsified('bounds_of.less("weight ½", "annealed")', 'bounds_of.less("annealed", "weight ½")', Refuted),
    Falsified("assert (ahead[:, :2] > 0).all()", "assert (ahead > 0).all()", AssertionError),
    Falsified('active_of.less("weight 2", "weight 1")', 'active_of.less("weight 1", "weight 2")', Refuted),
    Falsified('active_of.less("weight 4", "weight 2")', 'active_of.less("weight 2", "weight 4")', Refuted),
    Falsified('rates_of.less("weight 1", "annealed")', 'rates_of.less("annealed", "weight 1")', Refuted),
    Falsified('bounds_of.undecided("weight 1", "no code")', 'bounds_of.more("weight 1", "no code")', Refuted),
    Falsified('split.less("each for itself", "encoder")', 'split.less("encoder", "each for itself")',
              Refuted),
    Falsified('shown_before.less("each for itself", "encoder")',
              'shown_before.less("encoder", "each for itself")', Refuted),
    Falsified("(seen_gap < fit_gap).all()", "(seen_gap > fit_gap).all()", AssertionError),
    Falsified('roles = {"nothing": "no code",', 'roles = {"nothing": "no bits",', ValueError,
              says="expected nothing to be one of"),
    Falsified("runs = record.recorded(WEIGHTS)\n", "from dataclasses import replace\n"
              "runs = record.recorded(WEIGHTS)\nruns = replace(runs, seeds=(0,), "
              "values={a: b[:1] for a, b in runs.values.items()})\n", ValueError, says="seeds at least"),
    # what is drawn
    Falsified("shown.append(([low], [high]))", "shown.append(([low], [high + 1]))", ValueError),
    Falsified("lambda x: left / x", "lambda x: left / 2 / x", ValueError, says="is drawn at"),
    # sentences
    Falsified('said({', 'said({r"K = 1": sp.Eq(K, 2), ', Misprinted),
    Falsified('m: "number of images", ', "", ValueError, says="not declared"),
    # exercises
    Falsified("(4 * log(2), 8): \"The rate has", "(2 * log(2), 8): \"The rate has",
              Exception, says="is equal to the answer"),
    Falsified("threshold.solution((log(8) / 2 + log(2) / 2,", "threshold.solution((log(8) + log(2),",
              Exception),
    Falsified("kl_each(mu, log_var).mean(dim=0).clamp(max=free).sum()),",
              "kl_each(mu, log_var).mean(dim=0).clamp(min=free).sum()),", Exception),
    Falsified("return kl.mean(dim=0).clamp(min=free).sum()", "return kl.clamp(min=free).mean(dim=0).sum()",
              Exception),
], unchecked=UNCHECKED, mistakes=MISTAKES, exercises=3, seconds=900)

"""The chapter book/language/blocks: what must not pass on it, and its exercises."""

from proofread.errors import Misprinted, ProofError, Refuted, Vacuous
from proofread.testing import Falsified, Page

MISTAKES = [
    ("ex-begin-with-a-sink", "x/(1 + exp(l - s))", "large sink"),
    ("ex-begin-with-a-sink", "x", "takes a share"),
    ("ex-begin-with-a-sink", "x/(1 + exp(-l))", "the logit 0"),
    ("ex-records", "B/2", "block 100"),
    ("ex-records", "log(B)", "near it"),
    ("ex-records", "Sum(1/t, (t, 2, B))", "sets the maximum"),
]

UNCHECKED = [
    r"(-\infty, 0)", r"(3\cdot\frac53 + 7\cdot\frac{24}{7})/10", r"-\infty", "1/t", "24/7", "2^x", "2^{-24}",
    "5/3", "8192", r"8\log 2", r"\ell/\log 2", r"\operatorname{lse}(z) - z_y", r"\sqrt d", r"g\cdot o",
    r"g\cdot v_j", r"g\cdot v_k", "wo",
]

PAGE = Page("book/language/blocks", [
    # the attempt, and what a server did
    Falsified('"base 2": expit(gap / np.log(2))}', '"base 2": expit(gap * np.log(2))}', AssertionError),
    Falsified('"right": expit(gap),', '"right": expit(-gap),', AssertionError),
    Falsified("pointed = [two_parts(seed, pointing=0.5)", "pointed = [two_parts(seed, pointing=0.1)",
              AssertionError),
    Falsified("reported = 2.0326, 0.3719,", "reported = 2.0326, 0.9719,", AssertionError),
    Falsified("(slice(0, 1568), slice(1568, 3136))]", "(slice(0, 3072), slice(3072, 3136))]", AssertionError),
    # a block is a pair
    Falsified("total.step(sp.exp(ell(1, n)),", "total.step(sp.exp(ell(1, b)),", Refuted),
    Falsified("right * o(b + 1, n)) / (left + right),", "left * o(b + 1, n)) / (left + right),", Refuted),
    Falsified("vs[k_], (k_, b + 1, n))) / (left + right),",
              "vs[k_], (k_, b, n))) / (left + right),", Refuted),
    Falsified("merged.step(o(1, n),", "merged.step(o(1, b),", Refuted),
    Falsified("share.step(sigma(ell(1, b) - ell(b + 1, n)),", "share.step(sigma(ell(b + 1, n) - ell(1, b)),",
              Refuted),
    Falsified("outs = outs.masked_fill(lses == -math.inf, 0)", "outs = 1 * outs", AssertionError),
    Falsified("unit = lse.masked_fill(lse == -math.inf, 0)", "unit = lse", AssertionError),
    Falsified("(torch.exp(lses - unit) * outs).sum(0), lse", "(torch.exp(lses - unit) * outs).mean(0), lse",
              AssertionError),
    Falsified("slice(cut, None))]).mean[0]", "slice(cut + 1, None))]).mean[0]", Refuted),
    Falsified("weights4, values4 = np.array([1.0, 2, 4, 3])", "weights4, values4 = np.array([1.0, 2, 3, 4])",
              AssertionError),
    Falsified("[[2.9, base]]],", "[[2.8, base]]],", ValueError, says="is drawn at"),
    Falsified("odds.step(sp.exp(t / sp.log(2)),", "odds.step(sp.exp(t * sp.log(2)),", Refuted),
    Falsified("odds.step(sp.exp(t)**(1 / sp.log(2)),", "odds.step(sp.exp(t)**sp.log(2),", Refuted),
    Falsified("values(sigma(t), t), values(given, t),", "values(given, t), values(sigma(t), t),", ValueError,
              says="is drawn at"),
    # any order
    Falsified("zip(ws, means)) / sum(ws),", "zip(ws, means)) / ws[0],", Refuted),
    Falsified("grouped.step(both(one, both(two, three))[1],", "grouped.step(both(one, both(two, two))[1],",
              Refuted),
    Falsified('sp.Limit(both(one, two)[1], ws[1], 0, "+")', 'sp.Limit(both(one, two)[1], ws[0], 0, "+")',
              Refuted),
    Falsified("[merge_means(shuffled[at : at + 2])]", "[merge_means(shuffled[at : at + 1])]", AssertionError),
    # any reference
    Falsified("any_unit.step(sp.exp(m_new - m) * sums(m_new)[0]",
              "any_unit.step(sp.exp(m - m_new) * sums(m_new)[0]",
              Refuted),
    Falsified("acc, m = keep * acc + e @ v[..., part, :], new", "acc, m = acc + e @ v[..., part, :], new",
              AssertionError),
    Falsified("z = z.masked_fill(~mask[..., part], -math.inf)",
              "z = z.masked_fill(mask[..., part], -math.inf)",
              AssertionError),
    Falsified("unit = new.masked_fill(new == -math.inf, 0)  # nothing seen", "unit = new", AssertionError),
    Falsified('("inverse", lambda x: 1 / x)', '("inverse", lambda x: x)', AssertionError),
    Falsified("bool(top > reference + lag)", "bool(top > reference - lag)", AssertionError),
    Falsified("[step, tops], 1), stairs,", "[step, tops], 1), stairs + 1,", ValueError, says="is drawn at"),
    # backwards
    Falsified("dot = sp.Sum(g[c] * sp.Sum(pi(k_) * V[k_, c], (k_, 1, n)), (c, 1, d))",
              "dot = sp.Sum(g[c] * sp.Sum(pi(k_) * V[k_, c], (k_, 1, n)), (c, 2, d))", ProofError),
    Falsified("(c, 1, d)) - through),", "(c, 1, d)) + through),", Refuted),
    Falsified("(c, 1, d)) - dot), \"the sum", "(c, 1, d)) + dot), \"the sum", Refuted),
    Falsified("dz = scale * p * (g @ v_at.mT - mean)", "dz = scale * p * (g @ v_at.mT)", AssertionError),
    Falsified("p = torch.exp(scale * q @ k_at.mT - lse)", "p = torch.softmax(scale * q @ k_at.mT, -1)",
              AssertionError),
    # rounding, and memory
    Falsified('worse = race.more("one key after the other", "blocks of 64")',
              'worse = race.more("blocks of 64", "one key after the other")', Refuted),
    Falsified('least = race.more("blocks of 64", "a tree of pairs")',
              'least = race.more("a tree of pairs", "blocks of 64")', Refuted),
    Falsified("seeds=range(10), budgets=(2**7,", "seeds=range(1), budgets=(2**7,", ValueError,
              says="seeds at least"),
    Falsified('nothing=Without("no mean is no answer"),', 'nothing="no mean",', ValueError,
              says="expected nothing to be one of"),
    Falsified("np.exp(lse[1::2] - top)\n", "np.exp(lse[::2] - top)\n", Refuted),
    Falsified("peak(lambda: in_blocks(*arrays))", "peak(lambda: full(*arrays))", AssertionError),
    # draws, and a loss
    Falsified("* sp.exp(z[k_]) / sp.exp(ell(1, b)),", "* sp.exp(z[k_]) / sp.exp(ell(1, n)),", Refuted),
    Falsified("return merge_draws(blocks, rng=rng).draw", "return blocks[1][1]", Refuted),
    Falsified("return (lse - (x * w[labels]).sum(-1)).mean()", "return (lse - (x * w[labels]).sum(-1)).sum()",
              AssertionError),
    Falsified("lses = [checkpoint(chunk_lse, x, rows, use_reentrant=False)", "lses = [chunk_lse(x, rows)",
              AssertionError),
    # exercises
    Falsified("sink.solution((sp.exp(s) * 0 +", "sink.solution((sp.exp(s) +", Refuted),
    Falsified("records.solution(1 + sp.Sum(1 / (t_ + 1), (t_, 1, B - 1)))",
              "records.solution(sp.Sum(1 / (t_ + 1), (t_, 1, B)))", Refuted),
    Falsified("return lse, mean, (w * (variances + (means - mean)**2)).sum(0)",
              "return lse, mean, (w * variances).sum(0)", Refuted, says="not that of all keys"),
    Falsified('"only within": attempt(lambda w, m, v, mean: (w * v).sum(0)),',
              '"only within": attempt(total_variance),', Vacuous),
    Falsified("sp.Eq(pi(k_), sp.exp(z[k_] - ell(1, n)))",
              "sp.Eq(pi(k_), sp.exp(z[k_] + ell(1, n)))", Misprinted),
], unchecked=UNCHECKED, mistakes=MISTAKES)

"""The chapter book/gumbel/beam_search: what must not pass on it, and its exercises."""

from races import one_seed

from proofread.errors import Refuted, Vacuous
from proofread.testing import Falsified, Page

MISTAKES = [
    ("ex-second-key", "exp(-exp(-T)*(exp(d) - 1)/2)", "farther away has this probability"),
    ("ex-second-key", "1 - exp(-exp(d - T)/2)", "above \\$T\\$"),
    ("ex-how-often", "L*n**m", "at the root"),
    ("ex-how-often", "(n**m - 1)/(n - 1) + (L + 1 - m)*n**m", "leaves shown"),
    ("ex-rare-weight", "1/exp(kappa)", "count for less"),
    ("ex-rare-weight", "0", "so does what"),
]

UNCHECKED = [
    r"-\log 2", "1 + 3 + 3", r"1 + n + \dots + n^{m-1}", "25^4", "2a", "L - 1",
    r"\exp(-\sum_i e^{\phi_i - T})", r"\frac{d}{dv} e^{a} \log(1 - e^{-a-v}) = \frac{e^{-v}}{1 - e^{-a-v}}",
    r"\sum_i e^{\phi_i} h_i", r"\sum_i w_i h_i", r"\tfrac12", r"\tfrac12 e^{-\kappa}", "a + v",
    r"e^{\kappa}\, u/(1 - e^{-u})", r"f(g_i - \phi_i)/F(T - \phi_i)", "k + 1", "kL",
]

FRESH = """np.argsort(-np.where(
    np.isin(range(3), stochastic_beam_search(step, 2, 1, rng=rng).tokens)[:, None],
    np.log(two) + gumbel((3, 3), rng=rng), -np.inf).ravel())[:2]"""

PAGE = Page("book/gumbel/beam_search", [
    Falsified("path.step(sp.Sum(ell[s], (s, 1, L)),", "path.step(sp.Product(ell[s], (s, 1, L)),", Refuted),
    Falsified("sp.log(sp.Sum(sp.exp(phi[i]), (i, 1, N))),", "sp.Sum(phi[i], (i, 1, N)),", Refuted),
    Falsified("sp.exp(node() + sp.log(pi(k)))", "sp.exp(node() * pi(k))", Refuted),
    Falsified("inner.step(F(x - node()),", "inner.step(F(x + node()),", Refuted),
    Falsified("sp.Product(F(x - phi[i]), (i, 1, N)),", "sp.Product(F(phi[i] - x), (i, 1, N)),", Refuted),
    Falsified("heir = Derivation(f(T - node()) *", "heir = Derivation(f(T) *", Refuted),
    Falsified("heir.step(f(T - phi[k]) * others,", "heir.step(F(T - phi[k]) * others,", Refuted),
    Falsified("sp.exp(phi[k] - node()) * cut", "sp.exp(node() - phi[k]) * cut", Refuted),
    Falsified("sp.Product(f(g[i] - phi[i]) / F(T - phi[i]), (i, 1, N)), k)",
              "sp.Product(f(g[i] - phi[i]), (i, 1, N)), k)", Refuted),
    # the keys of the leaves: without moving them, or by a wrong parent
    Falsified("moved = condition_on_maximum(noisy, keys[-1])", "moved = noisy", AssertionError),
    Falsified("noisy = own + gumbel(", "noisy = law + gumbel(", Refuted),
    Falsified("total = np.logaddexp.reduce(shifted)", "total = shifted.max()", ValueError, says="no side of"),
    Falsified("at={phi: shifted}", "at={phi: leaf_law}", ValueError, says="no side of"),
    Falsified("axis=1)[:, -2]", "axis=1)[:, -1]", Refuted),
    Falsified("first / (1 - first) * sp.exp(phi[k])", "first * sp.exp(phi[k])", ValueError,
              says="no side of eq-second-leaf"),
    Falsified("key=lambda v: -keys[v])", "key=lambda v: keys[v])", AssertionError),
    Falsified("assert opened == 7", "assert opened == 9", AssertionError),
    # pairs of leaves: with fresh noise for the children of two prefixes, or in another order
    Falsified("stochastic_beam_search(step, 2, 2, rng=rng).tokens @ [3, 1]", FRESH, AssertionError),
    Falsified(".tokens @ [3, 1])] += 1", ".tokens[::-1] @ [3, 1])] += 1", AssertionError),
    Falsified("* ordered_pair(nine * np.isin(np.arange(9) // 3, beam))", "* ordered_pair(nine)",
              AssertionError),
    # the figure of the tree
    Falsified("shapes=[weights],", "shapes=[weights**2],", ValueError, says="the tree is drawn at"),
    Falsified("edges(lost), edges(nodes), dots[lost]", "edges(nodes), edges(lost), dots[lost]", ValueError),
    # the weights

    Falsified("sp.exp(phi[i]) / inside(i, x),", "inside(i, x) / sp.exp(phi[i]),", Refuted),
    Falsified("unbiased.step(sp.exp(phi[i]), ", "unbiased.step(sp.exp(-phi[i]), ", Refuted),
    Falsified("fixed.step(-half * sp.exp(a) *", "fixed.step(half * sp.exp(a) *", Refuted),
    Falsified("at_zero = mean_weight(0.5)", "at_zero = mean_weight(0.05)", AssertionError),
    # the network: windows that hold the token to be told, and spaces counted as ends
    Falsified("tokens, (4, 0))[t:t + 4])", "tokens, (4, 0))[t + 1:t + 5])", AssertionError),
    Falsified("length, [np.arange(25) == 0],", "length, [np.arange(25) == 24],", AssertionError),
    # the estimates: two methods exchanged, a rival that is missing, one seed
    Falsified('cold_entropy.less("stochastic beam", "with replacement")',
              'cold_entropy.less("with replacement", "stochastic beam")', Refuted),
    Falsified('cold_entropy.less("with replacement", "stochastic beam of a quarter")',
              'cold_entropy.less("stochastic beam of a quarter", "with replacement")', Refuted),
    Falsified('cold_entropy.less("with replacement", "beam search")',
              'cold_entropy.less("beam search", "with replacement")', Refuted),
    Falsified('cold_spaces.less("stochastic beam", "with replacement")',
              'cold_spaces.less("with replacement", "stochastic beam")', Refuted),
    Falsified('warm_entropy.undecided("stochastic beam", "with replacement")',
              'warm_entropy.less("stochastic beam", "with replacement")', Refuted),
    Falsified('"usual": "with replacement"', '"usual": "with repetition"', ValueError,
              says="expected usual to be one of"),
    Falsified("record.recorded(COLD), measured", one_seed("record.recorded(COLD)") + ", measured",
              ValueError, says="seeds at least"),
    # exercises and sentences
    Falsified("close.solution(1 - F(T - d + sp.log(2))", "close.solution(1 - F(T + d + sp.log(2))", Refuted),
    Falsified("moved = (T - np.logaddexp(0, v)).ravel()", "moved = noisy.ravel()", Refuted,
              says="another distribution"),
    Falsified("law = phi[:, None] + step(tokens)", "law = 0 * phi[:, None] + step(tokens)", Refuted,
              says="another distribution"),
    Falsified('"pushed": variant(pushed),', '"pushed": variant(),', Vacuous),
    Falsified("+ L * size**m - m * size**m)", "+ L * size**m)", Refuted),
    Falsified(r"z_k - \operatorname{lse}(z)", r"z_k + \operatorname{lse}(z)", Refuted, sentence=True),
    Falsified('g: "keys of children", ', "", ValueError, says="not declared"),
], exercises=4, unchecked=UNCHECKED, mistakes=MISTAKES)

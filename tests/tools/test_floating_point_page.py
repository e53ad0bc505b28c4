"""The chapter book/tools/floating_point: what must not pass on it, and its exercises."""

from proofread.errors import ProofError, Refuted, Vacuous
from proofread.testing import Falsified, Page

MISTAKES = [
    ("ex-gumbel-stream", "exp(mu) / exp(L)", "exceed 1"),
    ("ex-gumbel-stream", "exp(L) / (exp(L) + exp(mu))", "keeping"),
    ("ex-noise-width", "log(-1/log(1 - exp(-b*log(2))))", "the smallest one 0"),
    ("ex-noise-width", "-log(-log(1 - 2**(-b))) - log(b) - log(log(2))", "smallest value is negative"),
    ("ex-half-at-once", "0.5/q", "happen together"),
]

UNCHECKED = [
    "(1 - l/N)^a", r"(x - \mu)/\beta", r"-\log(u)/\pi_k", "1 - 2^{-b}", "1/N", "1/e", "2^{-11}",
    "2^{-23}", "2^{-24}", "2^{-33}", "2^{-8}", "2^{18} + 1", "2^{24}", "32", "797",
    r"F(r + \tfrac12) - F(r - \tfrac12)", "L + G", "[2^b c_{k-1}, 2^b c_k)",
    r"\Pr(T > t) = e^{-(1 - \pi_k)t}", r"\int_0^1 u^a\,du = 1/(1 + a)", r"t = -\log(u)/\pi_k", "u - 1/e",
    "1 - u", "1.8", "200", r"24\log 2", "2^{10}", "2^{60}",
]
ARGUED = {
    "eq-grid-share": r"\Pr_N(K = k) = \frac{\sum_{j=1}^{N - 1} (j / N)^{(1 - \pi_k) / \pi_k}}{N}",
    "eq-at-once": r"\Pr(\min_{i \le n} T_i = 0) = 1 - (1 - q)^{n}",
}

PAGE = Page("book/tools/floating_point", [
    Falsified("torch.empty(10**6).exponential_(generator=torch.Generator().manual_seed(0))",
              "-torch.log1p(-torch.rand(10**6, generator=torch.Generator().manual_seed(0)))", AssertionError),
    Falsified("recipe = Distributed(-sp.log(-sp.log(U)),",
              "recipe = Distributed(sp.log(-sp.log(U)),", Refuted),
    Falsified("gumbel_max(np.broadcast_to(large, (n, 4)), rng=rng),",
              "np.argmax(large + rng.gumbel(size=(n, 4)).astype(np.float32), axis=1),", Refuted),
    Falsified("held[rng.random(n) < np.exp(new - L)] = number",
              "held[rng.random(n) < np.exp(L - new)] = number", Refuted),
    Falsified("f((X - m) / beta) / beta, -sp.oo", "f((X - m) / beta), -sp.oo", Refuted, says="total weight"),
    Falsified("scaled, increasing=False,", "scaled, increasing=True,", ProofError),
    Falsified("of=Q, name=", "of=redo, name=", ValueError, says="no side of eq-quantile-right"),
    # inverting, line by line
    Falsified("inversion.step(sp.Eq(-sp.log(u), sp.exp(-g)),", "inversion.step(sp.Eq(-sp.log(u), sp.exp(g)),",
              ProofError),
    Falsified("inversion.step(sp.Eq(g, -sp.log(-sp.log(u))),", "inversion.step(sp.Eq(g, sp.log(-sp.log(u))),",
              ProofError),
    Falsified('redo.step(u, "the', 'redo.step(1 - u, "the', Refuted),
    # the end of the noise, and the grid
    Falsified("beyond.step(eps,", "beyond.step(1 - eps,", Refuted),
    Falsified("u_**((1 - pi(k)) / pi(k)),", "u_**(1 / pi(k)),", Refuted),
    Falsified("average.step(pi(k),", "average.step(1 - pi(k),", Refuted),
    Falsified("geometric.step((1 - sp.exp(-a)) / (N * (sp.exp(a / N) - 1)),",
              "geometric.step((1 - sp.exp(-a)) / (N * (sp.exp(a / N) + 1)),", Refuted),
    Falsified("np.exp(-ratio) / -np.expm1(-ratio)", "np.exp(-ratio)", AssertionError),
    Falsified("some_tail_wins(a, 1, values[1:])", "some_tail_wins(a, 1, values)", AssertionError),
    Falsified("some_tail_wins(18, TAILS, noise)", "some_tail_wins(17, TAILS, noise)", AssertionError),
    Falsified("shown += [curve_, np.log10(without)]", "shown += [np.log10(rare), np.log10(without)]",
              ValueError, says="is drawn at"),
    Falsified("steps = (2**24 - np.searchsorted(noise, places.astype(np.float32))) / 2**24",
              "steps = (2**24 - np.searchsorted(noise, places.astype(np.float32) - 1)) / 2**24",
              AssertionError),
    Falsified("ax.plot(places, log_steps,", "ax.plot(places, np.log10(true_tail),", ValueError,
              says="is drawn at"),
    Falsified("assert torch.finfo(dtype).eps == 2 * 2.0**-bits",
              "assert torch.finfo(dtype).eps == 2.0**-bits", AssertionError),
    # what is never drawn, and what should not be
    Falsified("(TAILS + 1) * np.log1p(-2.0**-23)", "(TAILS + 1) * np.log1p(-2.0**-27)", AssertionError),
    Falsified("rng.standard_exponential(TAILS + 1, np.float32)", "rng.standard_exponential(TAILS + 1)",
              AssertionError),
    Falsified("(0.5 if i > k else -0.5)", "(0.5 if i < k else -0.5)", AssertionError),
    Falsified("(below_top > high - low).mean()", "(below_top > high).mean()", AssertionError),
    Falsified("assert errors[0] < 1e-15 and errors[1] > 0.01",
              "assert errors[1] < 1e-15 and errors[0] > 0.01", AssertionError),
    Falsified("sp.ceiling(2**b * c(k - 1)),", "sp.floor(2**b * c(k - 1)),", Refuted),
    Falsified("inner = Distributed(-sp.log(U),", "inner = Distributed(1 - sp.log(U),", ProofError),
    Falsified("values(geometric.end, a, N=2**16)", "values(geometric.end, a, N=2**15)", AssertionError),
    Falsified("(np.diff(edges, 2) > 0).all()", "(np.diff(edges, 2) < 0).all()", AssertionError),
    Falsified("1 - 2**(-b))) + sp.log(-", "1 - 2**(-b))) - sp.log(-", Refuted),
    # what the source says, other libraries, and noise from 64 bits
    Falsified('"? -std::numeric_limits<T>::epsilon() / 2" in', '"? -std::numeric_limits<T>::epsilon()," in',
              AssertionError),
    Falsified("rest = torch.full((TAILS,), 2.0**-26)", "rest = torch.full((TAILS,), 2.0**-26).double()",
              AssertionError),
    Falsified("assert least == 2.0**-24", "assert least == 2.0**-23", AssertionError),
    Falsified("np.isclose(end, -np.log(-np.log1p(-2.0**-23))",
              "np.isclose(end, -np.log(-np.log1p(-2.0**-24))",
              AssertionError),
    Falsified("np.float32(1 - 2.0**-31) == 1", "np.float32(1 - 2.0**-31) < 1", AssertionError),
    Falsified("    u = np.minimum(u, one - np.float32(2.0**-24))\n    return -np.log(-np.log1p(-u))",
              "    u = np.minimum(u, one - np.float32(2.0**-24))\n    return -np.log(-np.log(1 - u))",
              Refuted),
    Falsified("    u = np.minimum(u, one - np.float32(2.0**-24))\n", "", Refuted, says="infinite or NaN"),
    Falsified('"53 bits": doubled(lambda bits: np.clip(fraction(bits), 2.0**-65, 1 - 2.0**-53)),',
              '"53 bits": lambda bits: falling(bits, 2.0**-65, 1 - 2.0**-53).astype(np.float32),', Vacuous),
    # the sentences
    Falsified(r"e^{40}} \approx 10^{-12}", r"e^{39}} \approx 10^{-12}", Refuted, sentence=True),
    Falsified('r"N = 2^b": "notation"', 'r"N = 2^b": sp.Eq(N, 2 * b)', ProofError),
    Falsified('m: "a location", beta: "a scale",', 'm: "a location",', ValueError,
              says="beta is not declared"),
], exercises=4, argued=ARGUED, unchecked=UNCHECKED, mistakes=MISTAKES)

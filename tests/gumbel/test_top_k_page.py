"""The chapter book/gumbel/top_k: what must not pass on it, and its exercises."""

from proofread.errors import Refuted, Vacuous
from proofread.testing import Falsified, Page

MISTAKES = [
    ("ex-left-out", "2*a*b", "with replacement"),
    ("ex-left-out", "2*a*b/(1 - a**2 - b**2 - (1 - a - b)**2)", "Starting anew"),
    ("ex-left-out", "a + b", "not the first one"),
    ("ex-reservoir", "-log(a) - log(-log(U))", "which side of the fraction"),
    ("ex-reservoir", "-log(-log(U))", "noise alone"),
    ("ex-last-bell", "k", "began anew"),
    ("ex-last-bell", "Sum(1/(n - j + 1), (j, 1, k))", "clocks are slower"),
]

QUOTATIONS = {
    "Xu (2019), Gumbel top-k trick (1)":
        r"\Pr(I_1 = k \mid Z_1 = y_1, \dots, Z_n = y_n) = \frac{e^{\mu_{k}}}{\sum_{i=1}^{n} e^{\mu_{i}}}",
}

UNCHECKED = [
    r"(A + B)\,e^{-x} = e^{-(x - \log(A + B))}", "(n - j + 1)/n", r"-\log(U)/a", "1 - a", "1 - a - b", "1/n",
    r"C e^{-x} = e^{-(x - \log C)}", r"C e^{-z} = e^{-(z - \log C)}", "F' = f", r"F(g - m) \to 0",
    r"F(z - \mu_i)", r"\mu + G", "n - j + 1", r"r \mapsto -\log(-\log r)",
    r"\chi^2", "10^{-14}",
]

PAGE = Page("book/gumbel/top_k", [
    # the wrong recipe
    Falsified("return (logits + noise).topk(k, dim=-1)", "return (logits - noise).topk(k, dim=-1)",
              AssertionError),
    Falsified("anew = p[pairs].prod(axis=1) / (1 - (p**2).sum())", "anew = p[pairs].prod(axis=1)",
              AssertionError),
    # maximum and arg max
    Falsified("f(x - mu[k]) * Without(sp.Product(F(x - mu[i]), (i, 1, n)), k)",
              "f(x - mu[k]) * sp.Product(F(x - mu[i]), (i, 1, n))", Refuted),
    Falsified("apart.step(sp.exp(-x + mu[k] - sp.Sum(", "apart.step(sp.exp(-x - mu[k] - sp.Sum(", Refuted),
    Falsified("apart.step(sp.exp(mu[k]) / C() * f(x - sp.log(C())),",
              "apart.step(sp.exp(mu[k]) / C() * f(x + sp.log(C())),", Refuted),
    Falsified('assert np.allclose(heights["Gumbel noise"], np.euler_gamma)',
              'assert np.allclose(heights["Gumbel noise"], 0)', AssertionError),
    Falsified("noise.cdf(grid[:, None] - mu), noise.pdf(grid[:, None] - mu)",
              "noise.cdf(grid[:, None] - mu), noise.pdf(grid[:, None] + mu)", AssertionError),
    # the next item
    Falsified("/ sp.exp(-C() * sp.exp(-z)),", "/ sp.exp(-C() * sp.exp(-g)),", Refuted),
    Falsified("(f(g - sp.log(C())) / F(z - sp.log(C()))),", "(f(g - sp.log(C())) / F(g - sp.log(C()))),",
              Refuted),
    Falsified("Bracket(F(g - m) / F(z - m), (g, -sp.oo, z))", "Bracket(f(g - m) / F(z - m), (g, -sp.oo, z))",
              Refuted),
    Falsified("sp.Product(sp.exp(mu[j]) / sp.Sum(sp.exp(mu[l]), (l, j, n)), (j, 1, k)),",
              "sp.Product(sp.exp(mu[j]) / sp.Sum(sp.exp(mu[l]), (l, 1, n)), (j, 1, k)),", Refuted),
    Falsified("sp.Product(after(j), (j, 1, k)), label=", "sp.Product(after(j), (j, 1, k - 1)), label=",
              Refuted),
    # the draws
    Falsified("noise = -torch.empty_like(logits).exponential_().log()",
              "noise = -torch.empty_like(logits).exponential_()", AssertionError),
    Falsified("draws = gumbel_top_k(np.broadcast_to(np.log(p), (600_000, 4)), 2, rng=0)",
              "draws = gumbel_top_k(np.broadcast_to(p, (600_000, 4)), 2, rng=0)", AssertionError),
    Falsified("effect=0.01, of=luce, at={mu: np.log(p), k: 2}, title=\"items 1 and 2\",",
              "effect=0.01, of=luce, at={mu: np.log(p), k: 3}, title=\"items 1 and 2\",", ValueError,
              says="no side of eq-gumbel-top-k"),
    Falsified("effect=0.01, of=luce, at={mu: np.log(p), k: 2}, title=\"items 1 and 2\",",
              "effect=0.01, of=apart, at={mu: np.log(p), k: 2}, title=\"items 1 and 2\",", ValueError),
    Falsified("return (gumbel_top_k(np.broadcast_to(np.log(p), (n, 4)), 2, rng=rng)",
              "return (gumbel_top_k(np.zeros((n, 4)), 2, rng=rng)", Refuted),
    Falsified("comes_second = np.bincount(pairs[:, 1], exact)",
              "comes_second = np.bincount(pairs[:, 0], exact)", AssertionError),
    # figures
    Falsified("figure(\n    fig, name=\"hexagon\", shapes=[*discs],",
              "figure(\n    fig, name=\"hexagon\", shapes=[*discs[::-1]],", ValueError, says="drawn"),
    Falsified("np.stack([ringed, row], 1)], shapes=[(5.2, 8.8)],",
              "np.stack([shown, row], 1)], shapes=[(5.2, 8.8)],", ValueError, says="drawn"),
    Falsified("np.stack([best, of_part + 1], 1)],", "np.stack([best, of_part], 1)],", ValueError,
              says="drawn"),
    # parts
    Falsified("merged.step(F(x - sp.log(A + B)),", "merged.step(F(x - sp.log(A * B)),", Refuted),
    Falsified("return found + 250_000 * number, keys", "return found, keys", AssertionError),
    Falsified("    return indices + start, keys", "    return indices, keys", Refuted),
    # what cannot be drawn
    Falsified("assert set(second) == {1}", "assert set(second) == {1, 2}", AssertionError),
    Falsified("draw_distinct(two_possible.log(), 3)", "draw_distinct(two_possible.log(), 2)", AssertionError),
    Falsified("torch.softmax(torch.tensor(deep), 0)", "torch.softmax(torch.tensor(deep).float(), 0)",
              AssertionError),
    Falsified("gumbel_top_k([0.0, -np.inf, -np.inf], 2)", "gumbel_top_k([0.0, -1e4, -1e4], 2)", NameError),
    # the erratum
    Falsified("(known(k), sp.exp(mu[k]) / sp.Sum(sp.exp(mu[i]), (i, 1, n))), correct=known,",
              "(known(k), Without(sp.Product(sp.Heaviside(y[k] - y[i]), (i, 1, n)), k)), correct=known,",
              ValueError, says="is not refuted"),
    # exercises and sentences
    Falsified("coat.solution(-sp.log(-sp.log(U ** (1 / a))))", "coat.solution(-sp.log(-sp.log(U ** a)))",
              Refuted),
    Falsified("out.solution(a * (b / (1 - a)) +", "out.solution(a * (b / (1 - b)) +", Refuted),
    Falsified("again = draw_distinct(weights.log(), 3)", "again = draw_distinct(weights, 3)", AssertionError),
    Falsified("again = draw_distinct(many.log(), 20_000)", "again = draw_distinct(many, 20_000)",
              AssertionError),
    Falsified("entry = np.log(weight) + rng.gumbel(), number, item",
              "entry = rng.random() ** (1 / weight), number, item", Refuted, says="1e-299"),
    Falsified("sorted(heap, reverse=True)]", "sorted(heap)]", Refuted, says="order of the draws"),
    Falsified("if len(heap) < k else heapq.heappushpop)(heap, entry)",
              "if True else heapq.heappushpop)(heap, entry)",
              Refuted, says="you return 400"),
    Falsified('"normal noise": best(lambda w, rng: np.log(w) + rng.normal()),',
              '"normal noise": best(lambda w, rng: np.log(w) + rng.gumbel()),', Vacuous),
    Falsified(r"= \log(U)/a", r"= a\log(U)", Refuted, sentence=True),
    Falsified('A: "weight of a part",', "", ValueError, says="A is not declared"),
], exercises=4, unchecked=UNCHECKED, mistakes=MISTAKES, quotations=QUOTATIONS)

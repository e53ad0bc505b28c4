"""Formulas at random, of every kind of node in every place: what is printed reads back as what was typed."""

import random

import pytest
import sympy

from proofread import KL, Definition, E, Law, NormalLaw, Var, settings
from proofread import sympy as sp
from proofread.language import typed
from proofread.language.binders import NormalMean, Unless
from proofread.language.notation import Partial, Scalar, Without
from proofread.language.sympy import MaxOver
from proofread.language.typed import unfold
from proofread.latex import round_trip, tex
from proofread.latex.reader import read

x, y, c = sp.symbols("x y c", real=True)
r, s, t = sp.symbols("r s t", positive=True)
k, n, q = sp.symbols("k n q", integer=True, positive=True)
BOUND = sp.symbols("i j l m", integer=True, positive=True)
z, w = sp.IndexedBase("z", real=True), sp.IndexedBase("w", positive=True)
f, F = sp.Function("f", real=True), sp.Function("F", real=True)
A, B = (sp.MatrixSymbol(name, q, q) for name in ("A", "Sigma_p"))
u, v = (sp.MatrixSymbol(name, q, 1) for name in "uv")
a, b = sp.symbols("a b", real=True)


def define(head, parameters, body):
    return Definition(head, parameters, body, label=f"eq-{len(head)}", title="a head")


def logistic(*arguments):
    return 1 / (1 + sp.exp(-sum(arguments[1:], arguments[0])))


#: heads with one slot, with two and with three, and bare ones; none hides what a sum could bind
ONE = [define(head, (a,), logistic(a)) for head in (
    r"\sigma", r"\phi(#1 - c)", r"\Pr(T > #1)", r"\Pr\left(\max_i Z_i \le #1\right)", r"h_{#1^2}", r"\bar{q}",
    r"\operatorname{logit}", r"\eta_h", r"\theta^{(1)}")]
TWO = [define(head, (a, b), logistic(a, 2 * b)) for head in (
    "V", r"g_{#1}(#2)", r"\varphi_{#2}(#1)", r"\Pr(T > #1 + #2 \mid T > #1)", r"\kappa_{#1,#2}")]
THREE = [define(head, (a, b, s), logistic(a, 2 * b, 3 * s)) for head in (
    "W", r"\mathcal{N}(#1;\, #2, {#3}^2)",
    r"\mathrm{KL}\bigl(\mathcal{N}(#1, #2)\,\big\|\,\mathcal{N}(0, #3)\bigr)")]
NONE = [define(head, (), logistic(x)) for head in ("C", r"\bar m", r"\operatorname{lse}(z)", r"\Pr(U = 0)")]
INDEXED = [define(head, (k,), w[k] / 2) for head in (r"\pi_{#1}", r"p_{#1}", r"\Pr(K = #1)", r"K_{#1}(z)")]
QUADRATIC = define("Q", (v, a), Scalar(v.T * v) * a)


def plain_of(typed):
    """Plain SymPy; but a sum without one index, and a mean of vectors, have a form only as they are typed."""
    plain = value(typed)
    return typed if plain is None or plain.has(Unless, NormalMean) else plain


class Typist:
    """Types formulas at random; ``free`` are the bound indices that may occur where it stands."""

    def __init__(self, seed):
        self.random = random.Random(f"{seed} {settings.fresh()}")

    def one_of(self, *choices):
        return self.random.choice(choices)

    def number(self, size, free=()):
        """A number, with about ``size`` nodes."""
        if size <= 1:
            return self.leaf(free)
        kinds = (self.operation, self.operation, self.function, self.operator, self.named, self.of_matrices,
                 self.mean)
        return self.one_of(*kinds)(size - 1, free)

    def parts(self, count, size, free):
        return [self.number(self.random.randint(1, max(1, size // count + 1)), free) for _ in range(count)]

    def leaf(self, free):
        return self.one_of(x, y, c, t, x, self.entry(free), self.literal(), f(x), NONE[0](), self.entry(free))

    def literal(self):
        return self.one_of(sp.Integer(2), sp.Integer(3), sp.Integer(-1), sp.Integer(-2), sp.Rational(1, 2),
                           sp.Rational(-2, 3), sp.pi, sp.E, sp.EulerGamma, sp.S.One)

    def index(self, free):
        return self.one_of(k, *free, *free) + self.one_of(0, 0, 0, 1)

    def entry(self, free):
        return self.one_of(z, w)[self.index(free)]

    def operation(self, size, free):
        p, o = self.parts(2, size, free)
        return self.one_of(
            lambda: p + o, lambda: p - o, lambda: p * o, lambda: p / o, lambda: -p, lambda: p * o,
            lambda: p ** self.one_of(2, 3, -1, -2, k, sp.Rational(1, 2)), lambda: p**o,
            lambda: plain_of(p),  # plain SymPy within what is typed: the printer gives it a form
        )()

    def function(self, size, free):
        p, o = self.parts(2, size, free)
        return self.one_of(
            lambda: sp.exp(p), lambda: sp.log(p), lambda: sp.sqrt(p), lambda: abs(p), lambda: sp.sin(p),
            lambda: sp.tanh(p), lambda: sp.sign(p), lambda: sp.floor(p), lambda: sp.ceiling(p),
            lambda: sp.erf(p), lambda: sp.Max(p, o), lambda: sp.Min(p, o), lambda: sp.gamma(p),
            lambda: sp.Heaviside(p), lambda: f(p), lambda: F(p, o),
            lambda: sp.KroneckerDelta(self.index(free), self.index(free)),
            lambda: sp.exp(p), lambda: sp.log(p), lambda: sp.Piecewise((p, x < y), (o, True)),
            lambda: sp.Piecewise((p, sp.And(x > 0, x <= c)), (1, y > 0), (o, True)),
        )()

    def new(self, free):
        """An index that is not bound yet, and those that are free within its range."""
        left = [index for index in BOUND if index not in free]
        return (left[0], (*free, left[0])) if left else (None, free)

    def operator(self, size, free):
        index, within = self.new(free)
        if index is None:
            return self.leaf(free)
        body, = self.parts(1, size, within)
        p, = self.parts(1, size, free)
        whole = (index, 1, n)
        return self.one_of(
            lambda: sp.Sum(body, whole), lambda: sp.Product(body, whole), lambda: MaxOver(body, whole),
            lambda: sp.Sum(body, (index, 1, self.index(free) + n)),
            lambda: Without(self.one_of(sp.Sum, sp.Product)(body, whole), k),
            lambda: self.double(body, index, within, size),
            lambda: sp.Integral(p * sp.exp(-r), (r, 0, self.one_of(1, sp.oo, y - 1))),
            lambda: sp.Integral((p - r) / sp.exp(r**2), (r, -sp.oo, sp.oo)),
            lambda: sp.Integral(p + r * s, (r, 0, s), (s, 0, 1)),
            lambda: sp.Derivative(p * self.one_of(x, 1), x), lambda: sp.Derivative(p * z[k], z[k]),
            lambda: sp.Derivative(p * x, x, y), lambda: sp.Derivative(p * x, (x, 2)),
            lambda: sp.Limit(p * r, r, self.one_of(0, sp.oo, -sp.oo)),
            lambda: sp.Limit(p * r, r, self.one_of(0, y), self.one_of("+", "-")),
            lambda: sp.Subs(p * r, r, self.parts(1, size, free)[0]), lambda: sp.Bracket(p * r, (r, 0, y)),
            lambda: sp.Derivative(f(x), x),
            lambda: sp.Derivative(f(x), (x, 2)),
            lambda: Partial(F(x, f(x), sp.Derivative(f(x), x)), self.one_of(f(x), sp.Derivative(f(x), x))),
            lambda: Partial(p * f(x) + x, f(x)),
        )()

    def double(self, body, index, within, size):
        other, both = self.new(within)
        if other is None:
            return body
        return sp.Sum(self.parts(1, size, both)[0], (other, 1, index), (index, 1, n))

    def mean(self, size, free):
        uniform = Law("u", k, 1 / n, 1, n)
        weighted = Law(r"\kappa_i", k, w[k] / sp.Sum(w[BOUND[0]], (BOUND[0], 1, n)), 1, n)
        waiting = Law(r"\mathrm{Exp}(1)", t, sp.exp(-t), 0, sp.oo)
        normal = NormalLaw(r"\mathcal{N}(0, 1)", v, u, A)
        p, = self.parts(1, size, free)
        return self.one_of(
            lambda: E(p * z[k], uniform), lambda: Var(p - z[k], uniform), lambda: KL(weighted, uniform),
            lambda: E(self.leaf(free) + t, waiting), lambda: E(Scalar(v.T * B * v), normal),
            lambda: E(p, weighted),
        )()

    def named(self, size, free):
        one, two, three = self.one_of(*ONE), self.one_of(*TWO), self.one_of(*THREE)
        return self.one_of(
            lambda: one(*self.parts(1, size, free)), lambda: one(*self.parts(1, size, free)),
            lambda: two(*self.parts(2, size, free)), lambda: three(*self.parts(3, size, free)),
            lambda: self.one_of(*INDEXED)(self.index(free)), lambda: self.one_of(*NONE)(),
            lambda: QUADRATIC(self.vector(size // 2), *self.parts(1, size, free)),
            lambda: sp.Derivative(one(x), x), lambda: sp.Derivative(two(y, x), (x, 2)),
        )()

    def of_matrices(self, size, free):
        M, g, h = self.square(size), self.vector(size // 2), self.vector(size // 2)
        return self.one_of(
            lambda: Scalar(g.T * h), lambda: Scalar(g.T * M * h), lambda: sp.Trace(M),
            lambda: sp.Determinant(M),
            lambda: A[0, 1], lambda: u[1, 0], lambda: Scalar(g.T * h + h.T * M * g),
        )()

    def square(self, size):
        if size <= 1:
            return self.one_of(A, B, A, B, sp.Identity(q))
        M, N = self.square(size // 2), self.square(size // 2)
        g, h = self.vector(size // 2), self.vector(size // 2)
        return self.one_of(
            lambda: M + N, lambda: M - N, lambda: M * N, lambda: -M, lambda: M.T, lambda: self.one_of(A, B).I,
            lambda: self.leaf(()) * M, lambda: g * h.T, lambda: M / self.one_of(2, t),
            lambda: M * N.T,
        )()

    def vector(self, size):
        if size <= 1:
            return self.one_of(u, v)
        g, h = self.vector(size // 2), self.vector(size // 2)
        return self.one_of(
            lambda: g + h, lambda: g - h, lambda: self.square(size // 2) * g, lambda: -g,
            lambda: self.leaf(()) * g, lambda: g / self.one_of(2, t, -t),
        )()

    def claim(self, size):
        p, o = self.parts(2, size, ())
        simple = self.one_of(sp.Eq, sp.Ne, sp.Lt, sp.Le, sp.Gt, sp.Ge)(p, o)
        return self.one_of(
            lambda: simple, lambda: simple, lambda: sp.And(simple, sp.Lt(x, y)),
            lambda: sp.Or(simple, sp.Lt(x, y)), lambda: sp.Implies(sp.Eq(x, 0), simple),
        )()

    def formula(self):
        """A formula; what cannot be typed, as a part that has no value, is typed anew."""
        size = self.random.randint(2, 9)
        try:
            return self.one_of(*5 * [self.number], self.square, self.vector, self.claim)(size)
        except ValueError:
            return self.formula()


COUNT = 300


@pytest.mark.parametrize("part", range(5))
def test_what_is_typed_at_random_is_read_as_it_was_meant(part):
    told = 0
    for seed in range(part * COUNT // 5, (part + 1) * COUNT // 5):
        typed = Typist(seed).formula()
        plain = value(typed)
        if plain is None:
            continue
        found = read(tex(typed), round_trip.vocabulary(typed))
        assert round_trip.same(found, plain), (
            f"seed {seed}: {tex(typed)} reads back as {found}, not as {plain}")
        told += 1
    assert told > 0.9 * COUNT / 5


def value(typed):
    """The plain expression; of a formula that stands for no number, such as a quotient by 1 - 1, nothing."""
    try:
        plain = unfold(typed)
    except (NotImplementedError, TypeError, ValueError):
        return None  # SymPy refuses, say, an order of imaginary numbers, or the larger of two integrals
    return None if plain.has(sympy.nan, sympy.zoo) else plain


def kinds(typed):
    """The kinds of nodes in a typed formula: not those within the body of a definition or a law."""
    return {type(part).__name__ for part in sympy.preorder_traversal(typed)}


def test_every_kind_of_node_of_the_book_is_typed():
    rare = {"Not", "loggamma", "beta", "binomial", "factorial", "digamma", "LambertW", "zeta", "DiagMatrix",
            "cos", "tan", "sinh", "cosh", "asin", "acos", "atan", "erfc", "ZeroMatrix"}
    own = {name for name, kind in vars(sp).items()
           if isinstance(kind, type) and issubclass(kind, (typed.Applied, typed.Related))}
    own |= {"Plus", "Minus", "Times", "Over", "Power", "Negative", "Entry", "Name", "Application", "Defined",
            "E", "Var", "KL", "Scalar", "Without", "Partial"}
    missing = own - rare - {"Applied", "Related"} - {"Lt", "Gt", "Le", "Ge"}
    for seed in range(3000):
        missing -= kinds(Typist(seed).formula())
        if not missing:
            return
    raise AssertionError(f"never typed: {missing}")

"""The reader: what stands on the page is read as a mathematician reads it, or not at all."""

import ast
import tomllib
from importlib.util import find_spec, resolve_name
from pathlib import Path

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp
from sympy import (
    Abs,
    Derivative,
    Determinant,
    Eq,
    Identity,
    Integral,
    Inverse,
    KroneckerDelta,
    Limit,
    MatAdd,
    MatMul,
    MatPow,
    Max,
    Min,
    Or,
    Product,
    Rational,
    Subs,
    Sum,
    Trace,
    Transpose,
    ZeroMatrix,
    cos,
    exp,
    log,
    oo,
    pi,
    sign,
    sin,
    sqrt,
    tanh,
)

from proofread.language.notation import Bracket, MaxOver, Without
from proofread.latex.reader import Ambiguous, Every, Unreadable, Vocabulary, read
from proofread.numeric.evaluation import evaluate, same

i, j, k, n, m, d = sp.symbols("i j k n m d", integer=True, positive=True)
x, y, t, s, a, b, c, T, eps, lam, m1 = sp.symbols("x y t s a b c T epsilon lambda m'", real=True)
mu, mu_p, sigma_p, bar, hat = sp.symbols(r"mu mu_p sigma_p \bar{m} yhat", real=True)
z, w, theta, muv = (sp.IndexedBase(name, real=True) for name in ("z", "w", "theta^{(1)}", "mu"))
f, F, J, h = (sp.Function(name, real=True) for name in "fFJh")
S, A, B = (sp.MatrixSymbol(name, d, d) for name in ("Sigma_p", "A", "B"))
v, u = (sp.MatrixSymbol(name, d, 1) for name in "vu")
prob, sig, dens, varied = (sp.Function(name, real=True) for name in ("prob", "sig", "dens", "varied"))
lse, tail, kl4, total = sp.Symbol("lse"), sp.Function("tail"), sp.Function("kl4"), sp.Symbol("total")
mean, variance, divergence, part = (sp.Function(name, real=True)
                                    for name in ("mean", "variance", "divergence", "part"))

applied = F(x, f(x), f(x).diff(x))
both = F(x, varied(eps, x), Derivative(varied(eps, x), x))
PAGE = Vocabulary(
    names={"i": i, "j": j, "k": k, "n": n, "m": m, "x": x, "y": y, "t": t, "s": s, "a": a, "b": b, "c": c,
           "T": T, "epsilon": eps, "lambda": lam, "m'": m1, "mu": (mu, muv), "mu_p": mu_p, "sigma_p": sigma_p,
           r"\bar m": bar, "yhat": hat, "z": z, "w": w, "theta^{(1)}": theta, "f": f, "F": F, "J": J, "h": h},
    templates=((r"\pi_{#1}", 1, prob), (r"\sigma", 1, sig), (r"\mathcal{N}(#1;\, #2, {#3}^2)", 3, dens),
               (r"g_{#1}(#2)", 2, varied), (r"\operatorname{lse}(z)", 0, lambda: lse),
               ("C", 0, lambda: total), (r"\Pr(T > #1)", 1, tail),
               (r"\mathrm{KL}\bigl(\mathcal{N}(#1, #2)\,\big\|\,\mathcal{N}(#3, #4)\bigr)", 4, kl4),
               (r"\frac{\delta J}{\delta f}", 0, lambda: sp.Symbol("slope"))),
    laws={"p": (x, mean, variance), r"\pi": (k, mean, variance), r"\prod_k p_k": (x, mean, variance)},
    divergence=lambda p, q: divergence(sp.Symbol(p), sp.Symbol(q)),
    ranges={"i": (1, n)},
    partials=((applied, f(x), part), (applied, f(x).diff(x), part), (both, varied(eps, x), part),
              (both, Derivative(varied(eps, x), x), part)),
    constants={r"\gamma": sp.EulerGamma},
)
MATRICES = Vocabulary({"d": d, "Sigma_p": S, "A": A, "B": B, "v": v, "u": u, "x": x, "i": i})


@pytest.mark.parametrize(("tex", "expected"), [
    # names, numbers, entries
    (r"\mu_p", mu_p),
    (r"\mu_{p} + \mu", mu_p + mu),
    (r"{\sigma_p}^2", sigma_p**2),
    (r"\bar{m} + \bar m", 2 * bar),
    (r"\hat y", hat),
    (r"m'", m1),
    (r"\varepsilon \epsilon", eps**2),
    (r"0.5 x", x / 2),
    (r"x^2y", x**2 * y),
    (r"2 \pi x", 2 * pi * x),
    (r"\pi_{k}", prob(k)),
    (r"\pi_k^{2}", prob(k) ** 2),
    (r"z_{k} + z_k + \mu_{k}", 2 * z[k] + muv[k]),
    (r"w_{j,i + 1}", w[j, i + 1]),
    (r"w_{k,z_{k}}", w[k, z[k]]),
    (r"\theta^{(1)}_{i} + \theta_{i}^{(1)}", 2 * theta[i]),
    (r"\gamma", sp.EulerGamma),
    (r"C", total),
    (r"\delta_{j k} + \delta_{j,k}", 2 * KroneckerDelta(j, k)),
    (r"\tfrac12 x", x / 2),
    (r"-\infty", -oo),
    # sums, products, quotients, powers
    (r"x - y + t", x - y + t),
    (r"- x y", -x * y),
    (r"-x^{2}", -(x**2)),
    (r"2 \cdot 3 x", 6 * x),
    (r"x y / T", x * y / T),
    (r"-x^{2} / \left(2 s^{2}\right)", -(x**2) / (2 * s**2)),
    (r"\frac{x}{y} t", x * t / y),
    (r"\bigl(x - y\bigr)^2", (x - y) ** 2),
    (r"\left[x - y\right] t", (x - y) * t),
    (r"e^{- x / T}", exp(-x / T)),
    (r"2 e \pi", 2 * sp.E * pi),
    (r"\sqrt{x^{2} + 1} + \sqrt[3]{t}", sqrt(x**2 + 1) + t ** Rational(1, 3)),
    (r"\left|{x}\right| \left\lfloor t\right\rfloor", Abs(x) * sp.floor(t)),
    # functions
    (r"\log x^{2}", log(x**2)),
    (r"\log\left(x\right) y", log(x) * y),
    (r"\log\mathopen{}\left(x\right) y", log(x) * y),
    (r"\sigma\mathopen{}\left(\frac{x}{y}\right) y", sig(x / y) * y),
    (r"y \log \pi_{k}", y * log(prob(k))),
    (r"\sin^{2}{\left(x\right)}", sin(x) ** 2),
    (r"\tanh x - \cos \left(t\right)", tanh(x) - cos(t)),
    (r"\max\left(0,\, t\right) + \min\left(0, t\right)", Max(0, t) + Min(0, t)),
    (r"\operatorname{sign}\left(x\right) \Gamma\left(t\right)", sign(x) * sp.gamma(t)),
    (r"f{\left(x\right)} + f\left(2 t\right)", f(x) + f(2 * t)),
    (r"F{\left(x,y,t\right)}", F(x, y, t)),
    (r"h^{2}{\left(x\right)}", h(x) ** 2),
    (r"f'\left(x\right) f''\left(x\right)", Derivative(f(x), x) * Derivative(f(x), (x, 2))),
    (r"\sigma\left(t\right)^{y}", sig(t) ** y),
    (r"\sigma'\left(t\right)", Derivative(sig(t), t)),
    (r"\mathcal{N}(x;\, \mu_{p}, {\sigma_p}^2)", dens(x, mu_p, sigma_p)),
    (r"\mathcal{N}\left(x; 0, {1}^{2}\right)", dens(x, 0, 1)),
    (r"\log\left(\mathcal{N}(x;\, m', {s}^2)\right)", log(dens(x, m1, s))),
    (r"\mathrm{KL}\bigl(\mathcal{N}(\mu, s^{2})\,\big\|\,\mathcal{N}(0, 1)\bigr)", kl4(mu, s**2, 0, 1)),
    (r"g_{\varepsilon}(x)", varied(eps, x)),
    (r"g_{\varepsilon}'(x)", Derivative(varied(eps, x), x)),
    (r"\operatorname{lse}(z) - x", lse - x),
    (r"\Pr(T > s + t)", tail(s + t)),
    # what reaches to the end of its product
    (r"\sum_{i=1}^{n} z_{i} x", Sum(z[i] * x, (i, 1, n))),
    (r"\sum_{i=1}^{n} \prod_{j=1}^{m} w_{i,j}", Sum(Product(w[i, j], (j, 1, m)), (i, 1, n))),
    (r"\sum_{\substack{1 \leq j \leq i - 1\\1 \leq i \leq n}} w_{i,j}",
     Sum(w[i, j], (j, 1, i - 1), (i, 1, n))),
    (r"\sum_{i\neq k} z_{i}", Without(Sum(z[i], (i, 1, n)), k)),
    (r"\prod_{i \ne k} z_i", Without(Product(z[i], (i, 1, n)), k)),
    (r"\max_{i} z_{i} + x", MaxOver(z[i], (i, 1, n)) + x),
    (r"\lim_{t \to 0}\left(\frac{x}{t}\right)", Limit(x / t, t, 0, "+-")),
    (r"\lim_{t \to 0^+} f\left(t\right)", Limit(f(t), t, 0, "+")),
    (r"\lim_{t \to 0^{-}} f\left(t\right)", Limit(f(t), t, 0, "-")),
    (r"\lim_{t \to -\infty} \left(t - x\right)", Limit(t - x, t, -oo)),
    (r"\int_{0}^{\infty} a x e^{- a x} \, dx", Integral(a * x * exp(-a * x), (x, 0, oo))),
    (r"y \int\limits_{a}^{b} f{\left(x\right)}\, dx", y * Integral(f(x), (x, a, b))),
    (r"\int_{a}^{b} \int_{0}^{c} x t \, dt \, dx", Integral(Integral(x * t, (t, 0, c)), (x, a, b))),
    (r"\int_{0}^{1} \sum_{i=1}^{n} z_{i} \, d\lambda", Integral(Sum(z[i], (i, 1, n)), (lam, 0, 1))),
    # derivatives
    (r"\frac{\partial}{\partial z_{j}} e^{z_{i}}", Derivative(exp(z[i]), z[j])),
    (r"\frac{\partial^{2}}{\partial z_{k}\partial z_{j}} \operatorname{lse}(z)", Derivative(lse, z[j], z[k])),
    (r"\frac{\partial^{2}}{\partial x^{2}} f\left(x\right)", Derivative(f(x), (x, 2))),
    (r"\frac{d^{2}}{d t^{2}} 2 \sigma\left(t\right)", Derivative(2 * sig(t), (t, 2))),
    (r"\frac{\partial F}{\partial f}", part(applied, f(x))),
    (r"\frac{\partial F}{\partial f'}", part(applied, f(x).diff(x))),
    (r"\frac{\partial F}{\partial g_{\varepsilon}'}", part(both, Derivative(varied(eps, x), x))),
    (r"\frac{\partial}{\partial f'} \left[\sqrt{x}\right]", part(sqrt(x), f(x).diff(x))),
    (r"\frac{\delta J}{\delta f}", sp.Symbol("slope")),
    (r"\left. x^{2} \right|_{x=3}", Subs(x**2, x, 3)),
    (r"\left. F\left(t, y\right)\right|_{t=x,\, y=f\left(x\right)}", Subs(F(t, y), (t, y), (x, f(x)))),
    (r"\left. t y\right|_{\substack{ t=x\\ y=2 }}", Subs(t * y, (t, y), (x, 2))),
    (r"\left[e^{- x}\right]_{x=0}^{\infty}", Bracket(exp(-x), (x, 0, oo))),
    # laws
    (r"\mathbb{E}_{x\sim p}\left[x^{2}\right] t", mean(x**2) * t),
    (r"\mathbb{E}_{x\sim p}[x^{2}] t", mean(x**2) * t),
    (r"\mathbb{E}_{x\sim p}\mathopen{}\left[\frac{x}{t}\right] t", mean(x / t) * t),
    (r"\mathrm{KL}(p\,\|\,\pi)", divergence(sp.Symbol("p"), sp.Symbol(r"\pi"))),
    (r"\operatorname{Var}_{k \sim \pi}\left[z_{k}\right]", variance(z[k])),
    (r"\mathbb E_{x \sim \prod_k p_k}\left[x\right]", mean(x)),
    (r"\mathrm{KL}\left(p\,\middle\|\,\pi\right)", divergence(sp.Symbol("p"), sp.Symbol(r"\pi"))),
    # pieces
    (r"\begin{cases} x & \text{if } x < y \\ t + 1 & \text{otherwise} \end{cases}",
     sp.Piecewise((x, x < y), (t + 1, True))),
    (r"2 \left(\begin{cases} x & \text{if } x \le 0 \\ t & \text{if } x < 1 \lor y > 2 \end{cases}\right)",
     2 * sp.Piecewise((x, x <= 0), (t, Or(x < 1, y > 2)))),
    # relations
    (r"x \le y^{2}", sp.Le(x, y**2, evaluate=False)),
    (r"x = 0 \implies \left(\forall t\colon\ f\left(t\right) = 0\right)",
     sp.Implies(Eq(x, 0), Every(Eq(f(t), 0), t), evaluate=False)),
    (r"\left(x < y\right) \lor x \neq t", Or(x < y, sp.Ne(x, t), evaluate=False)),
])
def test_read(tex, expected):
    assert read(tex, PAGE) == expected


@pytest.mark.parametrize(("tex", "expected"), [
    (r"v^{\top} v", Trace(MatMul(Transpose(v), v))),
    (r"{\left(v - u\right)^{\top}} \Sigma_{p}^{-1} \left(v - u\right)",
     Trace(MatMul(Transpose(MatAdd(v, MatMul(-1, u))), Inverse(S), MatAdd(v, MatMul(-1, u))))),
    (r"-v^{\top} v + v^{\top} A v", Trace(MatMul(Transpose(v), A, v)) - Trace(MatMul(Transpose(v), v))),
    (r"x A v", MatMul(x, A, v)),
    (r"A v v^{\top} u", MatMul(A, v, Transpose(v), u)),
    (r"A^{-\top} \left(A B\right)^{-1}", MatMul(Inverse(Transpose(A)), Inverse(MatMul(A, B)))),
    (r"A^{2}", MatPow(A, 2)),
    (r"\operatorname{tr}\left(A B\right) + \left|{\Sigma_{p}}\right|", Trace(MatMul(A, B)) + Determinant(S)),
    (r"\operatorname{tr}\left(I_{d}\right) + \det\left(A\right)", Trace(Identity(d)) + Determinant(A)),
    (r"A_{i,i} + v_{i}", A[i - 1, i - 1] + v[i - 1, 0]),
    (r"A v = 0", Eq(MatMul(A, v), ZeroMatrix(d, 1), evaluate=False)),
    (r"A \left(v^{\top} v\right)", MatMul(Trace(MatMul(Transpose(v), v)), A)),
])
def test_matrices(tex, expected):
    assert read(tex, MATRICES) == expected


ONE = Sum(z[i], (i, 1, n))
SLOPE = Derivative(log(prob(k)), z[j])
SLOPE_OF_ALL = Derivative(prob(k) * log(prob(k)), z[j])


@pytest.mark.parametrize(("tex", "expected", "wrong"), [
    (r"\sum_{i=1}^{n} z_{i} - z_{k}", ONE - z[k], Sum(z[i] - z[k], (i, 1, n))),
    (r"\sum_{i=1}^{n} \left(z_{i} - z_{k}\right)", Sum(z[i] - z[k], (i, 1, n)), ONE - z[k]),
    (r"\left(\sum_{i=1}^{n} z_{i} - z_{k}\right)^{2}", (ONE - z[k]) ** 2, ONE - z[k] ** 2),
    (r"\left(\sum_{i=1}^{n} z_{i}\right) z_{i}", ONE * z[i], Sum(z[i] * z[i], (i, 1, n))),
    (r"\sum_{i=1}^{n} z_{i}^{2}", Sum(z[i] ** 2, (i, 1, n)), ONE**2),
    (r"\prod_{i=1}^{n} z_{i} t", Product(z[i] * t, (i, 1, n)), Product(z[i], (i, 1, n)) * t),
    (r"\frac{\sum_{i=1}^{n} z_{i}}{n} x", ONE / n * x, Sum(z[i] * x, (i, 1, n)) / n),
    (r"\max_{i} z_{i} - x", MaxOver(z[i], (i, 1, n)) - x, MaxOver(z[i] - x, (i, 1, n))),
    (r"\pi_{k} \frac{\partial}{\partial z_{j}} \log \pi_{k}", prob(k) * SLOPE, SLOPE_OF_ALL),
    (r"\frac{\partial}{\partial z_{j}} \log \left(\pi_{k}\right) \pi_{k}", SLOPE_OF_ALL, prob(k) * SLOPE),
    (r"\left(\frac{\partial}{\partial z_{j}} \log \pi_{k}\right) \pi_{k}", prob(k) * SLOPE, SLOPE_OF_ALL),
    (r"\frac{\partial}{\partial x} x^{2} - x", Derivative(x**2, x) - x, Derivative(x**2 - x, x)),
    (r"\left(\frac{\partial}{\partial x} f\left(x\right)\right)^{2}", Derivative(f(x), x) ** 2,
     Derivative(f(x) ** 2, x)),
    (r"\lim_{t \to 0} x t + t", Limit(x * t, t, 0, "+-") + t, Limit(x * t + t, t, 0, "+-")),
    (r"\int_{0}^{1} x \, dx - x", Integral(x, (x, 0, 1)) - x, Integral(x - x, (x, 0, 1))),
    (r"\log x^{2}", log(x**2), log(x) ** 2),
    (r"\log^{2}\left(x\right)", log(x) ** 2, log(x**2)),
    (r"\log\left(x\right) y", log(x) * y, log(x * y)),
    (r"\log x + y", log(x) + y, log(x + y)),
    (r"-x^{2}", -(x**2), (-x) ** 2),
    (r"\left(-x\right)^{3}", (-x) ** 3, (-x) ** 2),
    (r"x - y - t", x - y - t, x - (y - t)),
    (r"x - \left(y - t\right)", x - (y - t), x - y - t),
    (r"x - y + t", x - y + t, x - (y + t)),
    (r"2 x^{y}", 2 * x**y, (2 * x) ** y),
    (r"x^{y t}", x ** (y * t), x**y * t),
    (r"x^{y} t", x**y * t, x ** (y * t)),
    (r"x y / T", x * y / T, x * (T / y)),
    (r"x - y / T", x - y / T, (x - y) / T),
    (r"\left(x - y\right) / T", (x - y) / T, x - y / T),
    (r"x / T - y", x / T - y, x / (T - y)),
    (r"e^{x} y", exp(x) * y, exp(x * y)),
    (r"e^{- e^{- x} y}", exp(-exp(-x) * y), exp(-exp(-x)) * y),
    (r"\sigma\left(t\right) y", sig(t) * y, sig(t * y)),
    (r"\left|x\right| \left|y - t\right|", Abs(x) * Abs(y - t), Abs(x * Abs(y) - t)),
    (r"\mathbb{E}_{x\sim p}\left[x\right]^{2}", mean(x) ** 2, mean(x**2)),
    (r"x \left. t \right|_{t=x} t", x * Subs(t, t, x) * t, x * Subs(t * t, t, x)),
    (r"x^2 \cdot 3", 3 * x**2, x**23),
    (r"{x + y}^{2}", x + y**2, (x + y) ** 2),  # braces do not show
    (r"\tfrac12 x", x / 2, 1 / (2 * x)),
])
def test_scope(tex, expected, wrong):
    assert read(tex, PAGE) == expected != wrong


def test_a_slope_elsewhere_is_the_slope_there():
    page = Vocabulary({"t": t}, ((r"\sigma", 1, lambda x: 1 / (1 + exp(-x))),))
    with mp.workdps(40):
        value = evaluate(read(r"\sigma'\left(2 t\right)", page), {t: mp.mpf(1) / 4})
        s = 1 / (1 + mp.exp(mp.mpf(-1) / 2))
        assert same(value, s * (1 - s))
    # what hides in the definition is not differentiated
    page = Vocabulary({"t": t}, ((r"\sigma", 1, lambda x: t * x),))
    assert evaluate(read(r"\sigma'\left(t\right)", page), {t: 3}) == 3


@pytest.mark.parametrize(("tex", "reason"), [
    (r"x +", "ends too early"),
    (r"\left(x", "not closed"),
    (r"x\right)", "closes none"),
    (r"\left(x\right]", "closes none"),
    (r"q", "no meaning is known for q"),
    (r"\log x y", "cannot follow"),
    (r"\log x / y", "cannot follow"),
    (r"x / y t", "cannot follow"),
    (r"x / y / t", "cannot follow"),
    (r"\frac{x}{y}^{2}", "cannot follow"),
    (r"2 3", "cannot follow"),
    (r"x 3", "cannot follow"),
    (r"x + - y", "cannot follow"),
    (r"x^{2}^{3}", "cannot follow"),
    (r"m'^{2}", "no meaning is known for m"),
    (r"\sum_{j} z_{j}", "range of j"),
    (r"\sum_{i=1}^{n} z_{i} \int_{0}^{1} x", "ends too early"),
    (r"f'", "arguments are missing"),
    (r"\sigma x", "arguments are missing"),
    (r"\left(x = y\right) t", "relation stands"),
    (r"\mathbb{E}_{t\sim p}\left[x\right]", "variable of this law"),
    (r"\mathbb{E}_{x\sim q}\left[x\right]", "no law"),
    (r"\frac{\partial^{2}}{\partial x} x", "orders"),
    (r"\frac{\partial F}{\partial x}", "no such derivative"),
    (r"\frac{\partial}{x} x", "neither a quotient nor a derivative"),
    (r"x^", "has no argument"),
    (r"", "missing"),
    (r"\left(\right)", "missing"),
    (r"x_{1}", "no meaning"),
    (r"\mathcal{N}(x;\, 0, {x + y}^2)", "needs brackets"),
    (r"\mathcal{N}(x;\, 0, {x^{2}}^2)", "needs brackets"),
    (r"\begin{cases} x & \text{if } x < y", "not closed"),
    (r"\begin{cases} x \\ t & \text{otherwise} \end{cases}", "where this piece holds"),
    (r"\begin{cases} x & x < y \\ t & \text{otherwise} \end{cases}", "where this piece holds"),
    (r"\begin{cases} x & \text{if } y \\ t & \text{otherwise} \end{cases}", "relation is expected"),
    (r"\begin{cases} x & \text{otherwise} \\ t & \text{if } x < y \end{cases}", "all the rest"),
    (r"\begin{cases} x & \text{unless } x < y \\ t & \text{otherwise} \end{cases}", "where this piece holds"),
    (r"\begin{cases} \end{cases}", "where this piece holds"),
    (r"\begin{cases} x & \text{if } x < y \right)", "closes none"),
])
def test_unreadable(tex, reason):
    with pytest.raises(Unreadable, match=reason):
        read(tex, PAGE)


@pytest.mark.parametrize("tex", ["A v v", "A + x", "A + v", r"v^{-1} x^{\top}", "e^{A}", r"\frac{x}{A}"])
def test_shapes_that_do_not_fit(tex):
    with pytest.raises(Unreadable):
        read(tex, MATRICES)


def test_the_message_points_at_the_place():
    with pytest.raises(Unreadable) as caught:
        read(r"x + q", PAGE)
    assert str(caught.value) == "no meaning is known for q here\n  x + q\n      ^"


@pytest.mark.parametrize(("tex", "names", "templates"), [
    (r"\log\left(x\right)^{2}", {"x": x}, ()),
    (r"\operatorname{tr}\left(A\right)^{2}", {"A": A}, ()),
    (r"J\left(x\right)", {"J": J, "x": x}, (("J", 0, lambda: total),)),
    (r"p(x)", {"p": (t, sp.Function("p")), "x": x}, ()),
    (r"z_{k}", {"z": z, "k": k, "z_k": y}, ()),
    (r"\frac{d}{d x} x", {"d": d, "x": x}, ()),
    (r"C", {"C": c}, (("C", 0, lambda: total),)),
    (r"\delta_{n - 1 k}", {"n": n, "k": k}, ()),
    (r"\epsilon", {"epsilon": eps, "varepsilon": t}, ()),
    (r"2 \frac{1}{2}", {}, ()),
    (r"\left. t\right|_{t=x}^{2}", {"t": t, "x": x}, ()),
])
def test_ambiguous(tex, names, templates):
    with pytest.raises(Ambiguous):
        read(tex, Vocabulary(names, templates))


def test_what_only_looks_ambiguous():
    assert read(r"\frac{d}{d x}", Vocabulary({"d": d, "x": x})) == 1 / x  # a derivative of nothing is none
    assert read(r"z_{1}", Vocabulary({"z_1": y})) == y
    # an index is an integer: here p is part of a name
    assert read(r"\mu_{p}", Vocabulary({"mu": muv, "p": t, "mu_p": mu_p})) == mu_p
    assert read("e^{x}", Vocabulary({"e": t, "x": x})) == t**x
    assert read(r"\pi x", Vocabulary({"pi": t, "x": x})) == t * x
    assert read(r"\max\left(0,\, d\right) \, d", Vocabulary({"d": d})) == d**2
    assert read(r"\int_{0}^{d} x d\, dx", Vocabulary({"d": d, "x": x})) == Integral(x * d, (x, 0, d))


# --- the reader by itself -------------------------------------------------------------------------------

PACKAGE = "proofread.latex.reader"


def sources(module):
    """The files of a module: of the package of the reader, each room."""
    found = Path(find_spec(module).origin)
    return sorted(found.parent.glob("*.py")) if module == PACKAGE else [found]


def imported(module):
    """The modules of this project that a module imports when it is loaded."""
    package = module if module == PACKAGE else module.rpartition(".")[0]
    for source in sources(module):
        for node in ast.parse(source.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ImportFrom) and (node.level or node.module.startswith("proofread")):
                base = resolve_name("." * node.level + (node.module or ""), package)
                is_package = Path(find_spec(base).origin).name == "__init__.py"
                inside = [f"{base}.{alias.name}" for alias in node.names]
                yield from [name for name in inside if is_package and find_spec(name)] or [base]


def test_the_reader_shares_nothing_with_the_printer():
    seen, todo = set(), [PACKAGE]
    while todo:
        module = todo.pop()
        if module not in seen and not module.startswith(f"{PACKAGE}."):
            seen.add(module)
            todo += imported(module)
    # what a formula is, and nothing of how it is shown or checked
    allowed = {f"proofread.{name}" for name in (
        "language.binders", "language.notation", "language.distributions", "language.typed")}
    assert seen - {PACKAGE} == allowed


def test_the_printer_shares_nothing_with_the_reader():
    assert not [module for module in imported("proofread.latex.printer") if module.startswith(PACKAGE)]


def test_the_grammar_is_in_the_wheel():
    project = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["tool"]["setuptools"]["package-data"][PACKAGE] == ["*.lark"]
    assert sources(PACKAGE)[0].with_name("grammar.lark").is_file()


# --- formulas at random, with brackets where they are needed -------------------------------------------

SUM, TERM, FACTOR = range(3)
ATOMS = st.sampled_from([(name, FACTOR, value) for name, value in (
    ("x", x), ("y", y), ("z_{i}", z[i]), (r"\pi_{k}", prob(k)))])


def bracketed(formula, level):
    tex, own, _ = formula
    return tex if own >= level else rf"\left({tex}\right)"


@st.composite
def composed(draw, parts):
    p, q = draw(parts), draw(parts)
    P, Q = p[2], q[2]

    def term(formula):
        return bracketed(formula, TERM)

    def factor(formula):
        return bracketed(formula, FACTOR)

    return draw(st.sampled_from([
        (f"{p[0]} + {term(q)}", SUM, P + Q),
        (f"{p[0]} - {term(q)}", SUM, P - Q),
        (f"-{term(p)}", SUM, -P),
        (f"{factor(p)} {factor(q)}", TERM, P * Q),
        (rf"\left({p[0]}\right) \cdot {factor(q)}", TERM, P * Q),
        (rf"\left({p[0]}\right)^{{{q[0]}}}", FACTOR, P**Q),
        (rf"e^{{{p[0]}}}", FACTOR, exp(P)),
        (rf"\log\left({p[0]}\right)", FACTOR, log(P)),
        (rf"f\left({p[0]}\right)", FACTOR, f(P)),
        (rf"{factor(p)} \sum_{{i=1}}^{{n}} {term(q)}", TERM, P * Sum(Q, (i, 1, n))),
        (rf"\frac{{\partial}}{{\partial y}} {term(p)}", TERM, Derivative(P, y)),
        (rf"\int_{{0}}^{{1}} {term(p)} \, dx", TERM, Integral(P, (x, 0, 1))),
    ]))


@settings(max_examples=150, derandomize=True)
@given(st.recursive(ATOMS, composed, max_leaves=12))
def test_whatever_is_written_is_read(formula):
    tex, _, value = formula
    assert read(tex, PAGE) == value

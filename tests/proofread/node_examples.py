"""An example of each kind of node, for the tests of several rooms."""

from proofread import KL, Argued, Definition, Draws, E, Law, NormalLaw, Var
from proofread import sympy as sp
from proofread.language import distributions, notation
from proofread.language.binders import Unless
from proofread.language.notation import Partial, Scalar, Without
from proofread.language.sympy import Bracket, MaxOver
from proofread.language.typed import unfold

x, y, c = sp.symbols("x y c", real=True)
t = sp.Symbol("t", positive=True)
i, j, k, n, d = sp.symbols("i j k n d", integer=True, positive=True)
z, w = sp.IndexedBase("z", real=True), sp.IndexedBase("w", positive=True)
f, F = sp.Function("f", real=True), sp.Function("F", real=True)
A, B = (sp.MatrixSymbol(name, d, d) for name in "AB")
u, m = (sp.MatrixSymbol(name, d, 1) for name in ("u", "m"))
slope = sp.Derivative(f(x), x)
uniform = Law("u", k, 1 / n, 1, n)
weights = Law("p", k, w[k] / sp.Sum(w[i], (i, 1, n)), 1, n)
normal = NormalLaw("q", u, m, A)
x_, K = sp.IndexedBase("X", integer=True, positive=True), sp.Symbol("K", integer=True, positive=True)
dice, loaded = (Draws(name, x_, (i, 1, K), law) for name, law in (("u^K", uniform), ("p^K", weights)))
sigma = Definition(r"\sigma", (x,), 1 / (1 + sp.exp(-x)), label="eq-s", title="sigmoid")
entry = Definition("a", (), z[j] + 1, label="eq-a", title="hides j")
small = Definition("small", (x,), sp.Lt(x, 1), label="eq-small", title="a property")
chance = Argued(r"\Pr(T > #1)", (t,), sp.exp(-t), label="eq-chance", title="chance",
                because="$T$ is exponential")

EXAMPLES = [
    x, z, A, sp.pi, z[k], A[0, 1], z[k + 1],
    x + y, x - y, x * y, x / y, x**y, -x, abs(x), x + 1 - y * 2,
    sp.exp(x), sp.log(sp.exp(x)), sp.sqrt(t), sp.Max(x, 0), sp.KroneckerDelta(j, k), sp.Heaviside(x),
    sp.gamma(t), sp.Piecewise((x, x < c), (y, True)), sp.Sum(z[i], (i, 1, n)),
    sp.Product(z[i], (i, 1, n)), sp.Integral(x**2, (x, 0, t)),
    sp.Derivative(x**2, x), sp.Derivative(f(x), (x, 2)), sp.Limit(1 / x, x, sp.oo),
    sp.Limit(1 / x, x, 0, "+"), sp.Subs(f(x), x, 0),
    MaxOver(z[i], (i, 1, n)), Bracket(sp.exp(-x), (x, 0, sp.oo)), Without(sp.Sum(z[i], (i, 1, n)), k),
    Without(sp.Sum(sp.Sum(z[i] * z[j], (j, 1, d)), (i, 1, n)), k),
    f(x), F(x, f(x), slope), Partial(F(x, f(x), slope), slope), Partial(x * f(x), f(x)),
    A.T, A.I, A * B, A + B, sp.Trace(A), sp.Determinant(A), sp.Identity(d), sp.ZeroMatrix(d, d),
    Scalar(u.T * A * u),
    E(z[k], uniform), Var(z[k], uniform), KL(weights, uniform), Var(E(z[k], uniform) + x * k, uniform),
    E(Scalar(u.T * A * u), normal), E(u * u.T, normal),
    sigma(x), sigma(x + y), entry(), chance(t),
    sp.Eq(x, y), sp.Lt(x, 1), sp.Ge(x, y), sp.Implies(sp.Eq(x, 0), sp.Or(sp.Lt(y, 0), sp.Gt(y, 0))), small(x),
    uniform, normal, dice, E(sp.Sum(z[x_[k]], (k, 1, K)), dice), KL(dice, loaded),
    unfold(E(sp.Sum(z[x_[k]], (k, 1, K)), dice)),
    unfold(MaxOver(z[i], (i, 1, n))), unfold(Bracket(sp.exp(-x), (x, 0, 1))),
    unfold(E(Scalar(u.T * A * u), normal)), unfold(E(u * u.T, normal)),
    Unless(unfold(z[i]), 0, unfold(i), unfold(k)), notation.HasLaw(x, uniform),
    distributions.JointLaw("O", 2 * sp.exp(-x - y), (x, 0, sp.oo), (y, x, sp.oo)),
]


def name(node):
    return f"{type(node).__name__}: {node}"[:60]

"""Every node keeps SymPy's contract: it can be rebuilt, replaced in, copied, pickled and simplified."""

import copy
import inspect
import pickle

import pytest
import sympy

from softmaxnotes.proof import (
    KL,
    Argued,
    Bracket,
    Definition,
    Draws,
    E,
    Law,
    MaxOver,
    NormalLaw,
    Partial,
    Scalar,
    Var,
    Without,
    definition,
    laws,
    nodes,
    notation,
    tex,
    unfold,
    written,
)
from softmaxnotes.proof import sympy as sp
from softmaxnotes.proof.decide import decide
from softmaxnotes.proof.nodes import Iterated, OverOrders, OverSubsets, Unless, bound_symbols, substitute
from softmaxnotes.proof.written import Formula, Notation

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
    Iterated(unfold(x + z[k]), unfold(x), unfold(k), 0, unfold(n)),
    OverOrders(unfold(z[x_[1]]), unfold(x_), unfold(n)),
    OverSubsets(unfold(w[k] ** x_[k]), unfold(x_), unfold(n)),
    unfold(MaxOver(z[i], (i, 1, n))), unfold(Bracket(sp.exp(-x), (x, 0, 1))),
    unfold(E(Scalar(u.T * A * u), normal)), unfold(E(u * u.T, normal)),
    Unless(unfold(z[i]), 0, unfold(i), unfold(k)), notation.HasLaw(x, uniform),
    laws.JointLaw("O", 2 * sp.exp(-x - y), (x, 0, sp.oo), (y, x, sp.oo)),
]


def name(node):
    return f"{type(node).__name__}: {node}"[:60]


def every_class():
    """The node classes of the machinery that can be made."""
    own = (written, notation, laws, nodes, definition, sp)
    classes = {c for module in own for _, c in inspect.getmembers(module, inspect.isclass)
               if issubclass(c, sympy.Basic) and c.__module__.startswith("softmaxnotes")}
    abstract = {written.Formula, written.Claim, written.Operation, written.Applied, written.Related,
                nodes.Ranged, nodes.Arranged, definition.Signature}
    return classes - abstract


def test_there_is_an_example_of_every_kind_of_node():
    made = {type(part) for example in EXAMPLES for part in sympy.preorder_traversal(example)}
    # made by `written`
    generic = {c for c in every_class() if c.__mro__[1] in (written.Applied, written.Related)}
    missing = every_class() - made - generic
    assert not missing, missing


@pytest.mark.parametrize("node", EXAMPLES, ids=name)
class TestContract:
    def test_it_is_rebuilt_from_its_parts(self, node):
        for part in sympy.preorder_traversal(node):
            if part.args:
                again = part.func(*part.args)
                assert again == part
                assert hash(again) == hash(part)

    def test_it_is_copied_and_pickled(self, node):
        assert copy.deepcopy(node) == node
        assert copy.copy(node) == node
        if not unfold(node).atoms(sympy.core.function.AppliedUndef):  # SymPy 1.14 cannot pickle its own
            assert pickle.loads(pickle.dumps(node)) == node

    def test_replacing_nothing_changes_nothing(self, node):
        nothing = sympy.Symbol("nowhere")
        assert node.xreplace({nothing: sympy.Integer(1)}) == node
        assert unfold(node.subs(nothing, 1)) == unfold(node)

    def test_replacing_is_what_it_is_in_plain_sympy(self, node):
        if not isinstance(node, Formula) or unfold(node).is_Matrix:
            return
        plain = substitute(unfold(node), {unfold(c): sympy.Integer(5), unfold(y): unfold(x) + 1})
        assert unfold(unfold(node.subs(c, 5)).subs({unfold(y): unfold(x) + 1})) == plain

    def test_sympy_can_work_with_it(self, node):
        if not isinstance(node, Notation) or not isinstance(node, sympy.Expr):
            return
        for work in (sympy.expand, sympy.factor, sympy.cancel, sympy.together, sympy.simplify):
            work(node) if not unfold(node).is_Matrix else node
        assert node.free_symbols == unfold(node).free_symbols
        str(node), repr(node)

    def test_it_prints(self, node):
        if isinstance(node, Notation):
            assert tex(node)


@pytest.mark.parametrize("example", [
    E(x * z[k], uniform), sp.Sum(x * z[i], (i, 1, n)), MaxOver(x + z[i], (i, 1, n)),
    KL(Law("p", k, x * w[k], 1, n), uniform), Without(sp.Sum(x * z[i], (i, 1, n)), k),
    sp.Integral(x * t, (t, 0, 1))], ids=name)
def test_a_variable_that_is_bound_captures_nothing(example):
    inside = next(s for part in sympy.preorder_traversal(unfold(example)) for s in bound_symbols(part))
    replaced = unfold(unfold(example.subs(x, inside)))
    assert inside in replaced.free_symbols


def test_a_definition_with_another_body_is_another_one():
    def define(power):
        return Definition("D", (x,), x**power, label="eq-d", title="D")

    square = define(2)
    assert decide(2 * square(x) + 1, 2 * x**2 + 1).status == "proved"
    cube = define(3)  # the cell is edited and run again
    assert decide(2 * cube(x) + 1, 2 * x**3 + 1).status == "proved"
    assert decide(2 * cube(x) + 1, 2 * x**2 + 1).status == "refuted"
    assert decide(2 * square(x) + 1, 2 * x**2 + 1).status == "proved"
    assert square(x) != cube(x)


def test_what_a_definition_hides_is_not_bound_later():
    hiding = Definition("a", (), z[k], label="eq-hiding", title="hides k")
    with pytest.raises(ValueError, match="make it an argument of the definition"):
        unfold(sp.Sum(w[k] * hiding(), (k, 1, n)))
    with pytest.raises(ValueError, match="make it an argument"):
        unfold(E(hiding(), uniform))
    with pytest.raises(ValueError, match="make it an argument"):
        decide(sp.Integral(entry() * sigma(x), (x, 0, 1)) + sp.Sum(hiding(), (k, 1, n)), 0)


def test_two_symbols_of_one_name_are_refused():
    other = sp.Symbol("i", real=True)
    with pytest.raises(ValueError, match="two different symbols are called i"):
        decide(sp.Sum(other * z[i], (i, 1, n)), other * sp.Sum(z[i], (i, 1, n)))
    with pytest.raises(ValueError, match="declare it once"):
        decide(sp.Derivative(x**2, x) * sp.Symbol("x", positive=True), 0)

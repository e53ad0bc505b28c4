"""Every node keeps SymPy's contract: it can be rebuilt, replaced in, copied, pickled and simplified."""

import copy
import inspect
import pickle

import pytest
import sympy
from node_examples import EXAMPLES, c, entry, i, k, n, name, sigma, t, uniform, w, x, y, z

from proofread import KL, Definition, E, Law
from proofread import sympy as sp
from proofread.decision.decide import decide
from proofread.language import binders, defined, distributions, notation, typed
from proofread.language.binders import bound_symbols, substitute
from proofread.language.notation import Without
from proofread.language.sympy import MaxOver
from proofread.language.typed import Formula, Notation, unfold
from proofread.latex import tex


def every_class():
    """The node classes of the machinery that can be made."""
    own = (typed, notation, distributions, binders, defined, sp)
    classes = {c for module in own for _, c in inspect.getmembers(module, inspect.isclass)
               if issubclass(c, sympy.Basic) and c.__module__.startswith("proofread")}
    abstract = {typed.Formula, typed.Claim, typed.Operation, typed.Applied, typed.Related,
                binders.Ranged, defined.Signature}
    return classes - abstract


def test_there_is_an_example_of_every_kind_of_node():
    made = {type(part) for example in EXAMPLES for part in sympy.preorder_traversal(example)}
    # made by `written`
    generic = {c for c in every_class() if c.__mro__[1] in (typed.Applied, typed.Related)}
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

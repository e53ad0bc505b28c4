"""Is a statement true for every size?  The normal form of the difference of its sides decides."""

import itertools
from dataclasses import dataclass, field

import sympy as sp

from proofread.budget import TooLong
from proofread.errors import NoRule
from proofread.fixed_size.zero_test import is_zero
from proofread.language.binders import Bracket, MaxOver, NormalMean, substitute
from proofread.language.conditions import Conditions
from proofread.language.intervals import KINKS
from proofread.language.parameters import Parameters
from proofread.language.typed import unfold

from .case_splits import MOST_SPLITS, differentiated, put, split_by_sign
from .context import FLAGS, NONNEGATIVE, UNKNOWN, Case, partitions
from .matrices import normal_form as matrices
from .normal_form import normal
from .rational_functions import canonical, split, vanishes
from .rules.derivatives import with_own_indices
from .rules.sums import over_all
from .substitution import Substitution
from .sums_of_squares import candidates

MOST_FREE = 4  #: the patterns of equal indices are gone through up to so many indices


@dataclass
class Proof:
    """What a proof for every size has come to.

    Attributes
    ----------
    holds : bool
    used : set
        The rules of the normal form that were used.
    left : tuple or None
        The first normal form that did not vanish, and the case in which.
    """

    holds: bool = False
    used: set = field(default_factory=set)
    left: tuple | None = None

    @property
    def rules(self):
        """The rules that were used, by name."""
        return tuple(sorted(f"{rule.__module__.rpartition('.')[2]}.{rule.__name__.strip('_')}"
                            for rule in self.used))

    @property
    def left_over(self):
        """What of the difference of the sides could not be cancelled, as text."""
        if self.holds or self.left is None:
            return ""
        form, case = self.left
        # in no other order than SymPy's own: to sort terms it would evaluate their integrals
        return sp.sstr(readable(case.back(canonical(form, case))), order="none")


def proves(left, right, relation="=", given=(), over=(), by=()):
    """Whether the normal form shows ``left relation right`` for every size and all indices: see `prove`.

    Examples
    --------
    >>> import sympy as sp
    >>> i, j, k, n = sp.symbols("i j k n", integer=True, positive=True)
    >>> z = sp.IndexedBase("z", real=True)
    >>> softmax = lambda k: sp.exp(z[k]) / sp.Sum(sp.exp(z[i]), (i, 1, n))
    >>> slope = sp.Derivative(softmax(k), z[j])
    >>> proves(slope, softmax(k) * (sp.KroneckerDelta(j, k) - softmax(j)))
    True
    >>> proves(slope, softmax(k) * (sp.KroneckerDelta(j, k) + softmax(j)))
    False
    """
    return prove(left, right, relation, given, over, by).holds


def prove(left, right, relation="=", given=(), over=(), by=()):
    """Try to show ``left relation right`` for every size and all indices, by the normal form.

    ``by`` are the `Bound` objects that show an inequality, whose gap must be the sum of theirs.  The free
    indices count from 1 to the size of what they index.  A `Proof` that does not hold decides nothing.

    Raises
    ------
    NoRule
        If some part has no sound rule.

    Examples
    --------
    >>> import sympy as sp
    >>> z, i, n = sp.IndexedBase("z", real=True), *sp.symbols("i n", integer=True, positive=True)
    >>> prove(sp.Sum(z[i] + 1, (i, 1, n)), sp.Sum(z[i], (i, 1, n))).left_over
    'n'
    """
    proof = Proof()
    proof.holds = bool(_shown(left, right, relation, given, over, by, proof))
    return proof


def _shown(left, right, relation, given, over, by, proof):
    left, right, given = unfold(left), unfold(right), Conditions(given)
    parameters = Parameters(left, right, *given, *over)
    about_matrices = parameters.matrices or any(e.has(NormalMean, sp.MatrixExpr) for e in (left, right))
    if relation == "=" and about_matrices:
        return _is_zero_of_matrices(left, right, given, proof)
    sides = left, right  # what cancels in a difference still says which values the indices have
    if relation == "=" and by:
        return _is_sum_of_equations(left - right, sides, given, by, proof)
    if relation == "=":
        return _is_zero(left - right, sides, given, proof)
    if relation == "∝":
        crossed = (_cross(left, right, s, s in parameters.indices) for s in over)
        return all(_is_zero(difference, sides, given, proof) for difference in crossed)
    gap = right - left if relation == "<=" else left - right
    if by:
        return _is_zero(gap - sp.Add(*(bound.gap for bound in by)), sides, given, proof, by)
    if any(all(_is_nonnegative(gap, {**names, **values}, case)
               for names, case in cases((*sides, gap), given, proof)) for values in _known(gap, given)):
        return True
    guesses = itertools.chain.from_iterable(map(candidates, dict.fromkeys((gap, differentiated(gap)))))
    return any(_is_gap_of(bound, gap, sides, given, proof) for bound in guesses)


def _is_sum_of_equations(difference, sides, given, by, proof):
    """Whether what is named are equations, and the difference of the sides is the sum of theirs."""
    if not all(isinstance(bound, Substitution) for bound in by):
        raise NoRule("a bound shows no equation")
    gap = sp.Add(*(bound.gap for bound in by))
    return any(_is_zero(difference - sign * gap, sides, given, proof, by) for sign in (1, -1))


def _is_gap_of(bound, gap, sides, given, proof):
    """Whether a bound that was guessed shows that a gap is not negative."""
    try:
        return _is_zero(gap - bound.gap, sides, given, proof, [bound])
    except NoRule:
        return False


def _is_zero_of_matrices(left, right, given, proof):
    try:
        return matrices.vanishes(left - right, given)
    except NoRule:  # a normal law of one variable needs no matrices
        return _is_zero(left - right, (left, right), given, proof)


def _cross(left, right, symbol, is_index):
    r"""What vanishes where :math:`\text{left}/\text{right}` does not depend on a symbol."""
    if is_index:
        other = {symbol: sp.Dummy(symbol.name, integer=True, positive=True)}
        return left * substitute(right, other) - right * substitute(left, other)
    if any(e.has(*KINKS) for e in (left, right)):
        raise NoRule("a derivative says nothing of what happens between pieces")
    return sp.Derivative(left, symbol) * right - left * sp.Derivative(right, symbol)


# --- cases ----------------------------------------------------------------------------------------


def cases(exprs, given, proof=None):
    """One substitution for each pattern of equal free indices that the conditions allow, and its `Case`."""
    parameters = Parameters(*exprs, *given)
    if len(parameters.indices) > MOST_FREE:
        raise NoRule(f"more than {MOST_FREE} free indices")
    entries = set().union(*(e.atoms(sp.Indexed) for e in exprs))
    for blocks in partitions(parameters.indices):
        names = {index: block[0] for block in blocks for index in block}
        if given.allow(names):
            tops = {block[0]: set().union(*(_tops(i, parameters, given, entries) for i in block))
                    for block in blocks}
            case = Case(tops, tops, parameters.sizes, given, proof)
            _learn_totals(case, given, names)
            yield {index: first for index, first in names.items() if index != first}, case


def _tops(index, parameters, given, entries):
    """The sizes that an index surely does not exceed: those of the vectors that it indexes."""
    if len(parameters.sizes) == 1:
        return set(parameters.sizes)
    return given.tops(index) & set(parameters.sizes) | {
        size for e in entries for axis, i in enumerate(e.indices) if i == index
        for size in parameters.sizes if parameters.axes.get((e.base, size)) == axis}


def _learn_totals(case, given, names):
    """Conditions that give a sum or an integral its value, such as that the p_k sum to 1."""
    for sides in given.sums:
        left, right = (normal(substitute(side, names), case) for side in sides)
        if left in case.contents:
            case.totals[left] = right
    case.memo.clear()  # what was normalised before does not know of them


# --- the test for zero ------------------------------------------------------------------------------


def _is_zero(expr, sides, given, proof, by=()):
    return all(_is_zero_in(case, expr, names, by) for names, case in cases((*sides, expr), given, proof))


def _is_zero_in(case, expr, names, by):
    """Whether an expression vanishes in one case, as it stands or with free numbers for confined ones."""
    problem = None
    for values in _known(sp.Add(expr, *(bound.gap for bound in by), evaluate=False), case.given):
        try:
            for bound in by:
                bound.check(case, {**names, **values})
            if _vanishes(put(expr, {**names, **values}), case):
                return True
        except NoRule as error:
            problem = error
    if problem:
        raise problem
    return False


def _known(expr, given):
    """Nothing, and values for the symbols that conditions confine, if there are such."""
    values = given.freed(expr)
    return ({}, values) if values else ({},)


def _vanishes(expr, case, splits=MOST_SPLITS):
    """Whether an expression vanishes, as a whole or in each case of a sign that it asks for."""
    problem = None
    try:
        if _vanishes_whole(normal(with_own_indices(expr), case), case):
            return True
    except NoRule as error:
        problem = error
    if signs := splits and split_by_sign(expr):
        return all(_vanishes(put(expr, values), case, splits - 1) for values in signs)
    if problem:
        raise problem
    return False


def _vanishes_whole(form, case):
    ways = vanishes, _vanishes_multiplied, _vanishes_rejoined, _vanishes_abstracted
    if any(vanishes_so(form, case) for vanishes_so in ways):
        return True
    case.proof.left = case.proof.left or (form, case)
    return False


def _vanishes_multiplied(form, case):
    r"""Whether terms cancel once the exponentials in each are one: of :math:`1/a` and :math:`1/b`, say."""
    monomials, _ = split(form, case)
    alike = {}
    for monomial in monomials:
        exponent, rest = sp.S.Zero, monomial
        for base, power in monomial.as_powers_dict().items():
            if isinstance(content := case.content(base), sp.exp):
                exponent, rest = exponent + power * content.args[0], rest / base**power
        exponent = canonical(normal(exponent, case), case)
        alike[exponent] = alike.get(exponent, 0) + rest
    return len(alike) < len(monomials) and all(vanishes(rest, case) for rest in alike.values())


def _vanishes_rejoined(form, case):
    """Whether sums over the same ranges cancel once they are one: a/(a + b) + b/(a + b) is 1."""
    monomials, _ = split(form, case)
    alike, rest = {}, sp.S.Zero
    for monomial in monomials:
        powers = monomial.as_powers_dict()
        sums = [s for s in case.generators(monomial) if powers[s] == 1 and _is_simple_sum(case.content(s))]
        if not sums:
            rest += monomial
            continue
        most = max(sums, key=lambda s: len(case.content(s).limits))
        ranges = tuple(sorted((limit[1:] for limit in case.content(most).limits), key=str))
        alike.setdefault(ranges, []).append((monomial / most, case.content(most)))
    sums = (_joined(ranges, parts, case) for ranges, parts in alike.items())
    return bool(alike) and vanishes(rest + sp.Add(*sums), case)


def _is_simple_sum(content):
    """Whether a content is a sum of which no range depends on another index of it."""
    if not isinstance(content, sp.Sum):
        return False
    indices = {limit[0] for limit in content.limits}
    return not any(end.free_symbols & indices for limit in content.limits for end in limit[1:])


def _joined(ranges, parts, case):
    """One sum for several, averaged over the orders in which indices of equal range can be taken."""
    slots = [case.bound(*ends) for ends in ranges]
    orders = [order for order in itertools.permutations(range(len(slots)))
              if all(ranges[a] == ranges[b] for a, b in enumerate(order))]
    body = sp.S.Zero
    for order in orders:
        for coefficient, content in parts:
            own = sorted(content.limits, key=lambda limit: str(tuple(limit[1:])))
            names = {limit[0]: slots[k] for limit, k in zip(own, order)}
            body += coefficient * normal(substitute(content.function, names), case)
    return over_all(sp.factor(sp.together(body)) / len(orders), slots, case)


def _vanishes_abstracted(form, case):
    """Whether SymPy shows it with a symbol for each sum: of integrals, absolute values and the like."""
    expr = case.back(canonical(form, case))
    if expr == 0:  # numbers that are generators, such as e and its logarithm
        return True
    if not expr.has(sp.Integral, Bracket, sp.Abs, sp.Max, sp.Min):
        return False
    symbols = {}

    def closed(e, bound=frozenset()):
        if isinstance(e, (sp.Sum, MaxOver, sp.Indexed)) and not e.free_symbols & bound:
            if case.sign(e) == UNKNOWN:
                raise NoRule(f"the sign of {e} is unknown")
            return symbols.setdefault(e, sp.Dummy("S", **FLAGS[case.sign(e)]))
        if not e.args or isinstance(e, (sp.Indexed, sp.IndexedBase)):
            return e
        if isinstance(e, (sp.Integral, Bracket)):
            inside = bound | {limit[0] for limit in e.limits}
            return e.func(closed(e.function, inside), *[(x, *(closed(end, inside) for end in ends))
                                                        for x, *ends in e.limits])
        return e.func(*(closed(a, bound) for a in e.args))

    expr = closed(expr)
    if expr.has(sp.Sum, sp.Indexed, MaxOver):
        return False
    try:
        return bool(is_zero(expr))
    except TooLong:
        return False


def _is_nonnegative(expr, names, case):
    """Whether an expression is nonnegative by the signs of its parts, as it stands or in normal form."""
    expr = with_own_indices(put(expr, names))
    if case.sign(expr) >= NONNEGATIVE:
        return True
    form = normal(expr, case)
    monomials, below = split(form, case)
    return all(m.is_nonnegative for m in monomials) and all(b.is_positive for b, _ in below)


def readable(expr):
    """An expression of the normal form with letters for its own indices, for an author to read."""
    own = sorted((s for s in expr.atoms(sp.Symbol) if isinstance(s, sp.Dummy) or s.name.startswith("i_")),
                 key=str)
    taken = {s.name for s in expr.atoms(sp.Symbol)}
    letters = (f"{letter}{number or ''}" for number in itertools.count() for letter in "ijklm")
    free = (letter for letter in letters if letter not in taken)
    return expr.xreplace({s: sp.Symbol(next(free), **s.assumptions0) for s in own if s.is_integer})

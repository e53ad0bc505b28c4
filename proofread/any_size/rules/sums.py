"""Rules for sums over ranges of any length, products, and the terms that they leave out."""

import itertools

import sympy as sp

from proofread.any_size.context import Delta, refuse_poles
from proofread.any_size.normal_form import normal, replaced, rule
from proofread.any_size.positivity import is_positive
from proofread.any_size.rational_functions import by_deltas, deltas, joined, split
from proofread.errors import NoRule
from proofread.language.binders import Unless, substitute

from .closed_forms import in_closed_form
from .elementary import exponential, logarithms

LONGEST = 20  #: a range between numbers is written out up to here
FARTHEST = 3  #: so many terms at an end of a range are split off
MOST_INDICES = 5  #: the orders of so many bound indices are compared
HIGHEST = 4  #: the power of a sum inside a sum that is multiplied out


# --- deltas ---------------------------------------------------------------------------------------


@rule(Delta)
def _delta(expr, case):
    return delta(*expr.args[:2], case)


@rule(Unless)
def _unless(expr, case):
    function, neutral, index, left_out = expr.args
    inside = normal(function, case)
    return inside + delta(index, left_out, case) * (normal(neutral, case) - inside)


def delta(a, b, case):
    """The delta of two indices; a bound one stands alone on one side, so that it can be contracted."""
    gap = sp.expand(a - b)
    if gap == 0:
        return sp.S.One
    if gap.is_Integer or (a in case.free and b in case.free):
        return sp.S.Zero
    for index in sorted(gap.free_symbols & set(case.ranges), key=str):
        if gap.coeff(index) in (1, -1):
            a, b = index, sp.expand(index - gap / gap.coeff(index))
            break
    return case.generator(Delta(*sorted((a, b), key=sp.default_sort_key)))


# --- sums -----------------------------------------------------------------------------------------


@rule(sp.Sum)
def _sum(expr, case):
    function, indices = entered(expr, case)
    form = normal(function, case)
    for index in reversed(indices):
        form = over(form, index, case)
    return form


def entered(expr, case):
    """The function of a sum or product with indices of its own, outermost first."""
    names, indices = {}, []
    for symbol, low, high in reversed(expr.limits):
        index = case.bound(substitute(low, names), substitute(high, names))
        names[symbol] = index
        indices.append(index)
    return substitute(expr.function, names), indices


def over(form, index, case):
    """The sum of a normal form over a bound index, with its range brought to 1 … size."""
    low, high = case.ranges[index]
    if low.is_Integer and high.is_Integer:
        if high - low > LONGEST:
            raise NoRule("a long range of numbers")
        return sp.Add(*(_at(form, index, k, case) for k in range(int(low), int(high) + 1)))
    _refuse_division_by_empty(form, index, case)
    if low == 1 and high.is_Symbol:
        return over_all(form, [index], case)
    if not case.reaches(low, high):
        raise NoRule(f"the range from {low} to {high} may be reversed")
    length = sp.expand(high - low + 1)
    if low != 1 and length.is_Symbol:
        return _over(form, index, 1, length, case, shift=low - 1)
    if low.is_Integer and 0 < abs(low - 1) <= FARTHEST:
        whole = _over(form, index, 1, high, case)
        return (whole - sp.Add(*(_at(form, index, k, case) for k in range(1, int(low))))
                + sp.Add(*(_at(form, index, k, case) for k in range(int(low), 1))))
    if not low.is_number:  # all but what comes before
        return _over(form, index, 1, high, case) - _over(form, index, 1, low - 1, case)
    shift, size = high.as_coeff_Add()
    if low == 1 and shift.is_Integer and 0 < abs(shift) <= FARTHEST and size.is_Symbol:
        whole = _over(form, index, 1, size, case)
        return (whole + sp.Add(*(_at(form, index, size + k, case) for k in range(1, int(shift) + 1)))
                - sp.Add(*(_at(form, index, size + k, case) for k in range(int(shift) + 1, 1))))
    return over_all(form, [index], case)


def _refuse_division_by_empty(form, index, case):
    r"""Refuse :math:`\sum_{l=1}^m w_l/\sum_{l=1}^m w_l`, which is 0 and not 1 where the range is empty.

    What a sum is divided by comes out of it, and there its terms may have no value.
    """
    if case.is_surely_filled(*case.ranges[index]):
        return
    for base, _ in split(form, case)[1]:
        if index not in case.depends(base) and not _is_never_zero(base, case):
            raise NoRule(f"division by {case.back(base)}, which may be 0 where a range is empty")


def _is_never_zero(base, case):
    """Whether a denominator is not 0, unless a number or an entry happens to make it 0."""
    counted = case.free | case.sizes | set(case.ranges)
    summed = any(case.content(s).has(sp.Sum) for s in case.generators(base))
    return (not summed and not base.free_symbols & counted
            or is_positive(base, case) or is_positive(-base, case))


def _at(form, index, value, case):
    return replaced(form, {index: sp.sympify(value)}, case)


def _over(form, index, low, high, case, shift=0):
    """The same over another range: with another index, for what is known of one never changes."""
    other = case.bound(sp.sympify(low), sp.sympify(high))
    return over(replaced(form, {index: other + shift}, case), other, case)


def over_all(form, indices, case):
    """The sum over several bound indices: distributed over the terms, each of which is simplified."""
    if len(indices) > MOST_INDICES:
        raise NoRule("too many bound indices")
    if not indices or form == 0:
        return form
    monomials, below = split(form, case)
    for found in deltas(joined(below), case):
        absent, present = (form.xreplace({found: sp.Integer(d)}) for d in (0, 1))
        return over_all(absent, indices, case) + over_all(found * (present - absent), indices, case)
    return sp.Add(*(_over_term(t, below, indices, case) for t in monomials))


def _over_term(monomial, below, indices, case):
    powers = monomial.as_powers_dict()
    for symbol in powers:
        content = case.content(symbol)
        if isinstance(content, Delta) and (found := _contractible(content, indices, case)):
            return _contracted(monomial / symbol ** powers[symbol] / joined(below), *found, indices, case)
    for symbol in powers:
        rest = monomial / symbol ** powers[symbol] / joined(below)
        if (told := _with_entries_told(rest, case.content(symbol), case)) is not None:
            return over_all(symbol * told, indices, case)
    for symbol, power in powers.items():
        content = case.content(symbol)
        inner = isinstance(content, sp.Sum) and content.free_symbols & set(indices)
        if inner and power.is_Integer and power > 0:
            if power > HIGHEST:
                raise NoRule("a high power of an inner sum")
            function, inner = entered(content, case)
            rest = monomial / symbol / joined(below)
            return over_all(rest * normal(function, case), [*indices, *inner], case)
    factors = [*powers.items(), *((base, -power) for base, power in below)]
    return _over_components(factors, indices, case)


def _contractible(content, indices, case):
    """The bound index that a delta fixes, and its value, if that surely lies in its range."""
    for index, target in (content.args, content.args[::-1]):
        if index in indices and case.within(target, index):
            return index, target
    return None


def _with_entries_told(form, content, case):
    r"""What a delta of an entry multiplies, with the value that it tells the entry, or None.

    :math:`\delta_{is}f(s)=\delta_{is}f(i)`.  None if the entry does not occur there.
    """
    if not isinstance(content, Delta):
        return None
    for entry, value in (content.args, content.args[::-1]):
        holding = [s for s in case.generators(form) if case.content(s).has(entry)]
        if isinstance(entry, sp.Indexed) and holding:
            told = {s: normal(substitute(case.content(s), {entry: value}), case) for s in holding}
            return refuse_poles(form.xreplace(told), "what a delta multiplies")
    return None


def _contracted(form, index, target, indices, case):
    """The sum over the other indices, those that ran to this one with a new range."""
    names, others = {index: target}, []
    for other in indices:
        if other != index:
            low, high = case.ranges[other]
            if (low.free_symbols | high.free_symbols) & set(names):
                names[other] = case.bound(substitute(low, names), substitute(high, names))
            others.append(names.get(other, other))
    return over_all(replaced(form, names, case), others, case)


def _over_components(factors, indices, case):
    """A sum whose factors share no index is a product of sums."""
    mine = set(indices)
    touched = {index: {index} | _in_range_of(index, case) & mine for index in indices}
    outside, parts = sp.S.One, []
    for base, power in factors:
        shared = (case.depends(base) | case.depends(power)) & mine
        if shared:
            parts.append((base, power, shared))
        else:
            outside *= base**power
    for group in _connected([*touched.values(), *(shared for *_, shared in parts)]):
        body = [(base, power) for base, power, shared in parts if shared <= group]
        outside *= _connected_sum(body, [i for i in indices if i in group], case)
    return outside


def _in_range_of(index, case):
    return set().union(*(bound.free_symbols for bound in case.ranges[index]))


def _connected(groups):
    merged = []
    for group in map(set, groups):
        for other in [m for m in merged if m & group]:
            group |= other
            merged.remove(other)
        merged.append(group)
    return merged


def _connected_sum(body, indices, case):
    """The generator of a sum that does not split; an index on which nothing depends only counts."""
    if (closed := in_closed_form(body, indices, case)) is not None:
        return closed
    used = set().union(*(case.depends(base) | case.depends(power) for base, power in body))
    for index in indices:
        others = [i for i in indices if i != index]
        if index not in used and not any(index in _in_range_of(i, case) for i in others):
            low, high = case.ranges[index]
            if not case.reaches(low, high):
                raise NoRule(f"the range from {low} to {high} may be reversed")
            return over_all(normal(sp.expand(high - low + 1), case) * joined(body), others, case)
    if len(indices) > 1 and (summed_out := _summed_out(body, indices, case)):
        return over_all(*summed_out, case)
    if len(indices) == 1 and (shift := _shift(body, indices[0], case)):
        return _shifted(joined(body), indices[0], shift, case)
    sign, content = _least(body, indices, case)
    return sign * case.generator(content)


def _summed_out(body, indices, case):
    r"""The sum over one index where it cancels, as over j in :math:`a_{ij}/\sum_j a_{ij}`."""
    for index in indices:
        others = [i for i in indices if i != index]
        if any(index in _in_range_of(i, case) for i in others) or not case.is_surely_filled(
                *case.ranges[index]):
            continue
        inside = [(base, power) for base, power in body if index in case.depends(base) | case.depends(power)]
        if not any(power < 0 for base, power in body if (base, power) not in inside and power.is_number):
            continue
        total = over_all(joined(inside), [index], case)
        if any(base == total and power.is_number and power < 0 for base, power in body):
            return joined(body) / joined(inside) * total, others
    return None


def _shift(body, index, case):
    r"""By how much the index is shifted at least, as by 1 in :math:`\sum_tq_{t+1}q_{t+2}`; 0 if it is not."""
    contents = [case.back(part) for pair in body for part in pair]
    places = {sp.expand(a) for c in contents for e in c.atoms(sp.Indexed) for a in e.indices if a.has(index)}
    shifts = {place - index for place in places}
    if case.to_size(index) is None or not case.reaches(*case.ranges[index]) or not shifts or not all(
            s.is_Integer and abs(s) <= FARTHEST for s in shifts):
        return 0
    slots = {place: sp.Dummy() for place in places}
    return 0 if any(c.xreplace(slots).has(index) for c in contents) else int(min(shifts))


def _shifted(form, index, shift, case):
    r"""The same sum without the shift: :math:`\sum_{t=1}^T q_{t+1}=\sum_{t=1}^T q_t-q_1+q_{T+1}`."""
    size = case.to_size(index)
    form = replaced(form, {index: index - shift}, case)
    before, after = (range(1, shift + 1), range(shift + 1, 1))
    return (over_all(form, [index], case)
            - sp.Add(*(_at(form, index, k, case) for k in before))
            + sp.Add(*(_at(form, index, size + k, case) for k in before))
            + sp.Add(*(_at(form, index, k, case) for k in after))
            - sp.Add(*(_at(form, index, size + k, case) for k in after)))


def _least(body, indices, case):
    """Of all orders of the indices, the sum that comes first: sums that differ in names only become equal."""
    contents = [(case.back(base), power) for base, power in body]
    height = max((case.height(c) for c, _ in contents), default=0)
    found = None
    for order in itertools.permutations(range(len(indices))):
        names = _canonical_names([indices[k] for k in order], height, case)
        if names is None:
            continue  # a range would come before the index on which it depends
        _carry_positive(body, names, case)
        sign, factors = 1, []
        for content, power in contents:
            turned, factor = _unsigned(substitute(content, names), power)
            sign *= turned
            factors.append(factor**power)
        limits = [(new, *case.ranges[new]) for new in names.values()][::-1]
        content = sp.Sum(sp.Mul(*factors), *limits)
        key = str(content)
        if found is None or key < found[0]:
            found = key, sign, content
    return found[1:]


def _canonical_names(indices, height, case):
    """Canonical names for bound indices in this order, outermost first."""
    names = {}
    for position, index in enumerate(indices):
        low, high = case.ranges[index]
        if _in_range_of(index, case) & (set(indices) - set(names)):
            return None
        names[index] = case.canonical_index(height, position, substitute(low, names), substitute(high, names))
    return names


def _unsigned(factor, power):
    """The sign of the power of a sum, and the sum with a positive term in front."""
    if factor.is_Add and power.is_Integer:
        first = min(factor.args, key=lambda a: str(a.as_coeff_Mul()[1]))
        if first.as_coeff_Mul()[0] < 0:
            return sp.Integer(-1) ** power, sp.Add(*(-a for a in factor.args))
    return 1, factor


def _carry_positive(body, names, case):
    """What is known to be positive of a content is known of it with other names for the same ranges."""
    for base, _ in body:
        for log in case.back(base).atoms(sp.log):
            if case.is_noted(log.args[0]):
                case.assume_positive(substitute(log.args[0], names))


# --- products -------------------------------------------------------------------------------------


@rule(sp.Product)
def _product(expr, case):
    """The exponential of a sum of logarithms, where all factors are surely positive."""
    function, indices = entered(expr, case)

    def logarithm(form):
        total, rest = logarithms(form, case)
        if rest != 1:
            raise NoRule("a product of factors that are not known to be positive")
        return total

    form = by_deltas(normal(function, case), case, logarithm)
    for index in reversed(indices):
        form = over(form, index, case)
    return exponential(form, case)

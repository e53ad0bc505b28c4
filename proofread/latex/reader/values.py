"""Values that are read, and what may be done with them: numbers, matrices and relations."""

import sympy as sp
from sympy.logic.boolalg import Boolean

from .errors import Unreadable


class Every(Boolean):
    r"""A relation, and the symbols for all values of which it holds: :math:`\forall x\colon\ f(x) = 0`."""

    def __new__(cls, relation, *symbols):
        return Boolean.__new__(cls, relation, *symbols)

    @property
    def free_symbols(self):
        return self.args[0].free_symbols - set(self.args[1:])


def is_matrix(value):
    """Whether a value has rows and columns."""
    return getattr(value, "is_Matrix", False)


def shape(value):
    """Rows and columns; of a number, nothing."""
    return value.shape if is_matrix(value) else ()


def is_relation(value):
    """Whether a value is true or false."""
    return isinstance(value, Boolean) and not isinstance(value, sp.Expr)  # for SymPy a symbol may be both


def scalar(value, at=0):
    """The value, which must be a number."""
    if is_relation(value) or is_matrix(value):
        raise Unreadable("a number is expected here", at)
    return value


def scalar_or_matrix(value, at=0):
    """The value, which must be a number or a matrix."""
    if is_relation(value):
        raise Unreadable("a relation stands where a number is expected", at)
    return value


def alike(a, b):
    """Two values that are added or compared: the zero of a matrix is a matrix."""
    a, b = scalar_or_matrix(a), scalar_or_matrix(b)
    if is_matrix(a) and b == 0:
        b = sp.ZeroMatrix(*a.shape)
    if is_matrix(b) and a == 0:
        a = sp.ZeroMatrix(*b.shape)
    if shape(a) != shape(b):
        raise Unreadable("a sum or a relation of two shapes")
    return a, b


def quotient(top, bottom, at=0):
    """Top, a number or a matrix, over bottom, a number."""
    return multiplied([top, 1 / scalar(bottom, at)])


def multiplied(factors):
    """The product; matrices keep their order, and a row times a column is a number."""
    numbers = [f for f in factors if not is_matrix(scalar_or_matrix(f))]
    chains = []
    for matrix in factors:
        if not is_matrix(matrix):
            continue
        if chains and chains[-1][-1].shape[1] == matrix.shape[0]:
            chains[-1].append(matrix)
        else:
            chains.append([matrix])
    rest = []
    for chain in chains:
        if (chain[0].shape[0], chain[-1].shape[1]) == (1, 1):
            numbers.append(sp.Trace(sp.MatMul(*chain)) if len(chain) > 1 else sp.Trace(chain[0]))
        else:
            rest.append(chain)
    if len(rest) > 1:
        raise Unreadable("a product of matrices whose shapes do not fit")
    number = sp.Mul(*numbers)
    if not rest:
        return number
    parts = rest[0] if number == 1 else [number, *rest[0]]
    return sp.MatMul(*parts) if len(parts) > 1 else parts[0]


def has_odd_index(value):
    """Whether a value is an entry with an index that need not be an integer: it may be part of a name."""
    return isinstance(value, sp.Indexed) and any(i.is_Symbol and not i.is_integer for i in value.indices)


def built(build, arguments, at):
    """What ``build`` makes of the arguments; those that SymPy refuses do not fit."""
    try:
        return build(*arguments)
    except (TypeError, ValueError, IndexError, AttributeError) as error:
        if isinstance(error, Unreadable):
            raise
        raise Unreadable(f"these arguments do not fit: {error}", at) from error


def slope(build, arguments, order, at):
    """The derivative by the last argument, there."""
    *others, last = arguments
    slot = sp.Dummy(real=True)
    value = built(build, [*others, slot], at)
    if isinstance(last, sp.Symbol) and last not in value.free_symbols:
        return sp.Derivative(built(build, arguments, at), (last, order))
    return sp.Subs(sp.Derivative(value, (slot, order)), slot, last)

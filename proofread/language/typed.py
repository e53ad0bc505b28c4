"""Formulas as they are typed.

SymPy orders, cancels and collects as soon as a formula is built: ``exp(x)*exp(-c)`` becomes ``exp(x - c)``,
and a reader would never see the step that is taught.  The nodes of this module keep what was typed: ``a + b``
is a node with the parts ``a`` and ``b``, in this order.  `unfold` gives the SymPy expression that it stands
for; checks look at that one, readers at what was typed.

The vocabulary, with SymPy's names, is the module `proofread.language.sympy`.
"""

from functools import lru_cache

import sympy as sp
from sympy.logic.boolalg import Boolean

from .binders import bound_symbols, substitute

FACTS = ("real", "positive", "negative", "nonnegative", "nonpositive", "zero", "integer", "finite",
         "extended_real")


class Notation:
    """A node that stands for a plain expression: ``unfold()`` gives it, and it answers SymPy's questions.

    How it is written in TeX, the printer knows, which gives it ``_latex``.
    """

    @property
    def free_symbols(self):
        # without this, SymPy differentiates notation to zero
        return unfold(self).free_symbols

    def doit(self, **hints):
        """The plain expression, evaluated."""
        return unfold(self).doit(**hints)

    def _eval_subs(self, old, new):
        # what is replaced may be hidden in what the notation stands for
        return substitute(unfold(self), {unfold(old): unfold(new)})

    def _eval_simplify(self, **options):
        plain = unfold(self)
        try:
            return sp.simplify(plain, **options)
        except StopIteration:
            # SymPy 1.14 looks for a sum in each factor of a product, and stumbles where there is none
            return plain

    def _sympystr(self, printer):
        # SymPy goes by names of classes, and these have the names of SymPy's own
        return f"{type(self).__name__}({', '.join(map(printer._print, self.args))})"

    def _pretty(self, printer):
        return printer._print(unfold(self))


class Formula(Notation, sp.Expr):
    """A number, a vector or a matrix, as it is typed."""

    _op_priority = 1000.0  # whatever stands on the other side of an operator
    is_commutative = True

    def __add__(self, other):
        return Plus(self, other)

    def __radd__(self, other):
        # Python's sum() begins with the int 0, which nobody has typed
        return self if isinstance(other, int) and other == 0 else Plus(other, self)

    def __sub__(self, other):
        return Minus(self, other)

    def __rsub__(self, other):
        return Minus(other, self)

    def __mul__(self, other):
        return Times(self, other)

    def __rmul__(self, other):
        return Times(other, self)

    __matmul__, __rmatmul__ = __mul__, __rmul__

    def __truediv__(self, other):
        return Over(self, other)

    def __rtruediv__(self, other):
        return Over(other, self)

    def __pow__(self, other):
        return Power(self, other)

    def __rpow__(self, other):
        return Power(other, self)

    def __neg__(self):
        return Negative(self)

    def __pos__(self):
        return self

    def __abs__(self):
        return Abs(self)

    def __lt__(self, other):
        return Less(self, other)

    def __le__(self, other):
        return AtMost(self, other)

    def __gt__(self, other):
        return Greater(self, other)

    def __ge__(self, other):
        return AtLeast(self, other)

    def __float__(self):
        return float(unfold(self))

    def diff(self, *symbols, **assumptions):
        """The derivative, computed: a plain expression."""
        return unfold(self).diff(*map(unfold, symbols), **assumptions)

    def _eval_derivative(self, symbol):
        return unfold(self).diff(symbol)

    @property
    def shape(self):
        """Rows and columns; of a number, nothing."""
        plain = unfold(self)
        return plain.shape if getattr(plain, "is_Matrix", False) else ()

    is_Matrix = property(lambda self: bool(getattr(unfold(self), "is_Matrix", False)))
    T = property(lambda self: Transpose(self))
    I = property(lambda self: Inverse(self))  # noqa: E741 -- SymPy's name

    def __getitem__(self, indices):
        return Entry(self, *(indices if isinstance(indices, tuple) else (indices,)))


for _fact in FACTS:
    setattr(Formula, f"_eval_is_{_fact}", lambda self, fact=_fact: getattr(unfold(self), f"is_{fact}", None))


class Claim(Notation, Boolean):
    """A relation, or a connection of relations, as it is typed."""

    def __bool__(self):
        raise TypeError(f"whether {self} is true is not known: it is a formula; `decide` would tell")


def is_claim(expr):
    """Whether an expression is true or false, and no number (SymPy's symbols may be either)."""
    return isinstance(expr, Boolean) and not isinstance(expr, sp.Symbol)


@lru_cache(maxsize=1 << 16)
def _unfolded(expr):
    return expr.unfold() if isinstance(expr, Notation) else _rebuilt(expr)


def _rebuilt(expr):
    arguments = [unfold(a) for a in expr.args]
    return expr if all(a is b for a, b in zip(arguments, expr.args)) else expr.func(*arguments)


def unfold(expr):
    """The plain SymPy expression that a typed one stands for; any other comes back as it is.

    Examples
    --------
    >>> from proofread import sympy as sp
    >>> x = sp.Symbol("x", real=True)
    >>> sp.log(sp.exp(x))
    log(exp(x))
    >>> unfold(sp.log(sp.exp(x)))
    x
    """
    if isinstance(expr, (list, tuple)) and not isinstance(expr, sp.Basic):
        return type(expr)(map(unfold, expr))
    expr = sp.sympify(expr)
    return _unfolded(expr) if isinstance(expr, sp.Basic) else expr


# --- names ----------------------------------------------------------------------------------------


class Name(Formula):
    """A symbol, a vector, a matrix or a constant: ``args`` holds SymPy's own."""

    def __new__(cls, plain):
        return sp.Expr.__new__(cls, plain)

    def unfold(self):
        return self.args[0]

    def _sympystr(self, printer):
        return printer._print(self.args[0])

    name = property(lambda self: str(self.args[0].name if hasattr(self.args[0], "name") else self.args[0]))
    assumptions0 = property(lambda self: self.args[0].assumptions0)

    def as_dummy(self):
        return Name(self.args[0].as_dummy())


class Entry(Formula):
    """An entry of a vector or a matrix."""

    def __new__(cls, base, *indices):
        return sp.Expr.__new__(cls, sp.sympify(base), *map(sp.sympify, indices))

    def unfold(self):
        base, *indices = map(unfold, self.args)
        return base[tuple(indices)] if len(indices) > 1 else base[indices[0]]

    def _sympystr(self, printer):
        return f"{printer._print(self.args[0])}[{', '.join(map(printer._print, self.args[1:]))}]"


# --- operations -----------------------------------------------------------------------------------


class Operation(Formula):
    """Two operands; subclasses say by which sign they are joined, and what they stand for."""

    sign = "?"
    level = 0

    def __new__(cls, *operands):
        return sp.Expr.__new__(cls, *(sp.sympify(o) for o in operands))

    def unfold(self):
        return self.meaning(*map(unfold, self.args))

    def _sympystr(self, printer):
        left, right = (printer._print(a) for a in self.args)
        if getattr(self.args[0], "level", 9) < self.level:
            left = f"({left})"
        if getattr(self.args[1], "level", 9) <= self.level:
            right = f"({right})"
        return f"{left}{self.sign}{right}"


class Plus(Operation):
    sign, level = " + ", 1
    meaning = staticmethod(lambda a, b: a + b)


class Minus(Operation):
    sign, level = " - ", 1
    meaning = staticmethod(lambda a, b: a - b)


class Times(Operation):
    sign, level = "*", 2
    meaning = staticmethod(lambda a, b: a * b)


class Over(Operation):
    sign, level = "/", 2
    meaning = staticmethod(lambda a, b: a / b)


class Power(Operation):
    sign, level = "**", 4
    meaning = staticmethod(lambda a, b: a**b)


class Negative(Operation):
    level = 1
    meaning = staticmethod(lambda a: -a)

    def _sympystr(self, printer):
        inner = printer._print(self.args[0])
        return f"-({inner})" if getattr(self.args[0], "level", 9) <= 1 else f"-{inner}"


# --- applied functions, sums, derivatives, relations ------------------------------------------------


class Applied(Formula):
    """One of SymPy's functions or operators, applied and not evaluated: the ``head`` of a subclass."""

    head = None

    def __new__(cls, *arguments):
        return sp.Expr.__new__(cls, *(_argument(a) for a in arguments))

    def unfold(self):
        plain = self.head(*map(unfold, self.args))
        refuse_capture(self, bound_symbols(plain))
        return plain

    @property
    def bound_symbols(self):
        """The variables that the node binds, as they were typed."""
        plain = bound_symbols(unfold(self))
        own = [s for a in self.args for s in (a.args if isinstance(a, sp.Tuple) else (a,))]
        return [s for s in own if unfold(s) in plain]

    limits = property(lambda self: self.args[1:])
    function = property(lambda self: self.args[0])


class Related(Claim):
    """Two sides, compared."""

    head = None

    def __new__(cls, *arguments):
        return Boolean.__new__(cls, *map(_argument, arguments))

    def unfold(self):
        return self.head(*map(unfold, self.args))

    lhs = property(lambda self: self.args[0])
    rhs = property(lambda self: self.args[1])


def refuse_capture(expr, bound):
    """Refuse a definition that hides a variable which is bound where the definition is used.

    ``a := z[k]`` inside a sum over ``k`` would be summed, though the reader sees no ``k`` in ``a``.
    """
    bound = set(bound)
    for part in (sp.preorder_traversal(expr) if bound else ()):
        if caught := getattr(part, "hidden", set()) & bound:
            raise ValueError(f"{part} hides {', '.join(map(str, caught))}, which is bound in {expr}: "
                             "make it an argument of the definition")


def _argument(value):
    """A limit such as ``(k, 1, n)`` is a tuple, a direction such as ``"+"`` a symbol, all else a formula."""
    if isinstance(value, str):
        return sp.Symbol(value)
    return sp.Tuple(*map(sp.sympify, value)) if isinstance(value, (tuple, list)) else sp.sympify(value)


def written(head, *, base=Applied, name=None):
    """A class of nodes that keep what was typed and stand for ``head`` of their arguments."""
    name = name or head.__name__
    doc = f"``{name}`` as in SymPy; nothing is evaluated, ordered or cancelled."
    return type(name, (base,), {"head": staticmethod(head), "__doc__": doc, "__module__": __name__})


Abs = written(sp.Abs)
Transpose = written(sp.Transpose)
Inverse = written(lambda matrix: matrix**-1, name="Inverse")
Less = written(sp.StrictLessThan, base=Related, name="Less")
Greater = written(sp.StrictGreaterThan, base=Related, name="Greater")
AtMost = written(sp.LessThan, base=Related, name="AtMost")
AtLeast = written(sp.GreaterThan, base=Related, name="AtLeast")


class Function:
    """An undefined function: called, it gives a typed application."""

    def __init__(self, name, **assumptions):
        self.plain = sp.Function(name, **assumptions)
        self.name, self.__name__ = name, name

    def __call__(self, *arguments):
        return Application(self.plain(*_places(len(arguments))), *arguments)

    def __eq__(self, other):
        return isinstance(other, Function) and self.plain == other.plain

    def __hash__(self):
        return hash(self.plain)

    def __repr__(self):
        return self.name


def _places(count):
    return [sp.Symbol(f"_{place}") for place in range(1, count + 1)]


class Application(Formula):
    """An undefined function at some places: which function, an application to standard places tells."""

    def __new__(cls, example, *arguments):
        return sp.Expr.__new__(cls, example, *map(sp.sympify, arguments))

    def unfold(self):
        return self.args[0].func(*map(unfold, self.args[1:]))

    def _sympystr(self, printer):
        return f"{self.args[0].func.__name__}({', '.join(map(printer._print, self.args[1:]))})"

    def __reduce__(self):
        example = self.args[0]
        return _application, (example.func.__name__, example.func._kwargs, self.args[1:])


def _application(name, assumptions, arguments):
    return Function(name, **assumptions)(*arguments)

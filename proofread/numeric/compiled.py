"""One compiler for all arithmetics: an expression becomes a function of an environment.

What is the same in all of them stands here: names, entries, loops over indices, cases.  An arithmetic, which
is a subclass, says what numbers and functions are, and how it differentiates and integrates.
"""

from functools import lru_cache, reduce
from operator import add, eq, ge, gt, le, lt, mul, ne

import sympy as sp

from proofread.budget import forgets
from proofread.errors import CannotEvaluate
from proofread.language.binders import MaxOver, Unless
from proofread.language.typed import Notation, unfold

from .environment import Environment, Point, names

MOST_PROGRAMS = 1 << 14

RELATIONS = {sp.StrictLessThan: lt, sp.LessThan: le, sp.StrictGreaterThan: gt, sp.GreaterThan: ge,
             sp.Equality: eq, sp.Unequality: ne}


class Arithmetic:
    """Makes functions of expressions.

    Attributes
    ----------
    number : callable
        Makes a number of the arithmetic from one of a point; a whole one stays what it is, to serve as an
        index.
    constant : callable
        The same from a rational number of SymPy, or a whole one.
    functions : dict
        From a class of SymPy to the function of numbers that it is.
    nodes : dict
        From a class to what makes a function of an environment from a node: ``handler(self, node)``.  A class
        goes for those beneath it; the first that fits is taken.
    dear : tuple of classes
        Nodes whose values are kept.

    Examples
    --------
    >>> class Whole(Arithmetic):
    ...     number = constant = staticmethod(int)
    >>> x, k = sp.symbols("x k")
    >>> Whole().value(sp.Sum(x * k, (k, 1, 4)), {x: 5})
    50
    """

    functions, nodes, dear = {}, {}, ()

    def __init__(self):
        self.program = forgets(lru_cache(MOST_PROGRAMS)(self._program))
        self._handler = lru_cache(None)(self._handler)

    def state(self):
        """On what values depend beside the environment: a precision."""

    def value(self, expr, point):
        """The value of an expression at a point, or in an environment of this arithmetic."""
        if not isinstance(point, Environment):
            point = (point if isinstance(point, Point) else Point(point)).environment(self.number)
        return self.program(expr)(point)

    # --- programs ---------------------------------------------------------------------------------

    def _program(self, expr):
        function = self._handler(type(expr))(self, expr)
        return self._kept(function, names(expr)) if isinstance(expr, self.dear) else function

    def _handler(self, kind):
        if kind in self.functions:
            return lambda self, expr: self.called(kind, expr.args)
        for nodes in (self.nodes, _NODES):
            if found := next((handler for base, handler in nodes.items() if issubclass(kind, base)), None):
                return found
        return lambda self, expr: self.unknown(expr)

    def unknown(self, expr):
        """A node that has no meaning here."""
        raise CannotEvaluate(f"no numerical meaning is known for {type(expr).__name__}")

    def called(self, kind, arguments):
        """One of `functions` at its arguments."""
        return self.applied(self.functions[kind], arguments)

    def applied(self, function, arguments):
        """A function of numbers at its arguments."""
        programs = [self.program(a) for a in arguments]
        if len(programs) == 1:
            argument, = programs
            return lambda environment: function(argument(environment))
        return lambda environment: function(*[argument(environment) for argument in programs])

    def _kept(self, function, of):
        state = self.state

        def kept(environment):
            known = environment.known(of)
            key = function, state(), *[(k, environment[k]) for k in environment.indices if k in of]
            if key not in known:
                known[key] = function(environment)
            return known[key]

        return kept

    # --- whole numbers ----------------------------------------------------------------------------

    def index(self, expr):
        """The function that gives a whole number: an index, an end of a range."""
        expr = unfold(expr)
        if expr.is_Integer:
            whole = int(expr)
            return lambda environment: whole
        if expr.is_Add or expr.is_Mul:
            parts, combine = [self.index(a) for a in expr.args], add if expr.is_Add else mul
            return lambda environment: reduce(combine, [part(environment) for part in parts])
        key = self.key(expr) if isinstance(expr, (sp.Symbol, sp.Indexed)) else None
        value = (lambda environment: environment[key(environment)]) if key else self.program(expr)

        def index(environment):
            found = value(environment)
            return found if type(found) is int else self.whole(found, expr)

        return index

    def whole(self, value, expr):
        """A number that is a whole one."""
        if value != int(value):
            raise CannotEvaluate(f"{expr} = {value} is used as an index or a bound and is not an integer")
        return int(value)

    def key(self, expr):
        """The function that gives the key of a symbol or an entry in an environment."""
        if not isinstance(expr, sp.Indexed):
            return lambda environment: expr
        base, indices = expr.base, [self.index(i) for i in expr.indices]
        if len(indices) == 1:
            index, = indices
            return lambda environment: (base, (index(environment),))
        return lambda environment: (base, tuple([i(environment) for i in indices]))

    # --- nodes ------------------------------------------------------------------------------------

    def symbol(self, expr):
        """A symbol or an entry."""
        constant = self.constant
        if expr.is_Symbol:
            def symbol(environment):
                value = environment[expr]
                return constant(value) if type(value) is int else value

            return symbol
        key = self.key(expr)

        def entry(environment):
            value = environment[key(environment)]
            return constant(value) if type(value) is int else value

        return entry

    def rational(self, expr):
        """A rational number, made when it is asked for: in the precision of that moment."""
        return lambda environment: self.constant(expr)

    def loop(self, expr, combine, empty):
        """Combines terms over index ranges; of SymPy's limits the first is the innermost."""
        function, limits = expr.function, expr.limits
        *inner, (index, low, high) = limits
        index = unfold(index)
        if unfold(high).is_infinite:
            return self.series(expr)
        term = self.program(expr.func(function, *inner) if inner else function)
        low, high = self.index(low), self.index(high)

        def loop(environment):
            places = range(low(environment), high(environment) + 1)
            before, total = environment.get(index, environment.NOTHING), empty
            environment.indices.append(index)
            try:
                for place in places:
                    environment[index] = place
                    value = term(environment)
                    total = value if total is None else combine(total, value)
            finally:
                environment.indices.pop()
                environment.restore(index, before)
            if total is None:
                raise CannotEvaluate(f"{expr} runs over nothing")
            return self.constant(total) if type(total) is int else total

        return loop

    def series(self, expr):
        """Infinitely many terms."""
        return self.unknown(expr)

    def unless(self, expr):
        function, neutral = (self.program(a) for a in expr.args[:2])
        index, left_out = (self.index(a) for a in expr.args[2:])
        return lambda environment: (
            neutral if index(environment) == left_out(environment) else function)(environment)

    def delta(self, expr):
        i, j = (self.index(a) for a in expr.args)
        return lambda environment: self.constant(int(i(environment) == j(environment)))

    def piecewise(self, expr):
        branches = [(self.program(value), self.program(condition)) for value, condition in expr.args]

        def piecewise(environment):
            for value, condition in branches:
                if condition(environment):
                    return value(environment)
            raise CannotEvaluate(f"no branch of {expr} applies")

        return piecewise

    def substitution(self, expr):
        function, places = self.program(expr.expr), [self.program(p) for p in expr.point]

        def substitution(environment):
            values = [place(environment) for place in places]
            return environment.at(dict(zip(expr.variables, values)), function)

        return substitution


def _connected(combine):
    def handler(self, expr):
        parts = [self.program(a) for a in expr.args]
        return lambda environment: combine(part(environment) for part in parts)

    return handler


def _relation(self, expr):
    left, right, compare = *(self.program(a) for a in expr.args), RELATIONS[type(expr)]
    return lambda environment: compare(left(environment), right(environment))


def _maximum(a, b):
    return max(a, b)


_NODES = {
    sp.Symbol: Arithmetic.symbol,
    sp.Indexed: Arithmetic.symbol,
    sp.Rational: Arithmetic.rational,
    sp.Add: lambda self, expr: self.applied(lambda *terms: reduce(add, terms), expr.args),
    sp.Mul: lambda self, expr: self.applied(lambda *factors: reduce(mul, factors), expr.args),
    sp.Sum: lambda self, expr: self.loop(expr, add, 0),
    sp.Product: lambda self, expr: self.loop(expr, mul, 1),
    MaxOver: lambda self, expr: self.loop(expr, _maximum, None),
    Unless: Arithmetic.unless,
    sp.KroneckerDelta: Arithmetic.delta,
    sp.Piecewise: Arithmetic.piecewise,
    sp.Subs: Arithmetic.substitution,
    type(sp.true): lambda self, expr: lambda environment: True,
    type(sp.false): lambda self, expr: lambda environment: False,
    sp.And: _connected(all),
    sp.Or: _connected(any),
    sp.Not: lambda self, expr: self.applied(lambda claim: not claim, expr.args),
    **dict.fromkeys(RELATIONS, _relation),
    Notation: lambda self, expr: self.program(unfold(expr)),
}

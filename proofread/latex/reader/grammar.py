"""Third pass: how atoms combine.  ``grammar.lark`` says which sequences do, this module what they mean."""

import pkgutil
from functools import cache

import sympy as sp
from lark import Lark, Token, Transformer, UnexpectedToken, v_args
from lark.lexer import Lexer

from .errors import Unreadable
from .values import Every, alike, is_matrix, is_relation, multiplied, quotient, scalar, scalar_or_matrix


@v_args(inline=True)
class _Combine(Transformer):
    """What the rules of the grammar mean."""

    def start(self, statement):
        return statement.value if isinstance(statement, Token) else statement

    def _value(self, thing):
        return thing.value if isinstance(thing, Token) else thing

    def product(self, *factors):
        factors = [self._value(f) for f in factors if not (isinstance(f, Token) and f.type == "DOT")]
        return factors[0] if len(factors) == 1 else multiplied(factors)

    product_before = product

    def quotient(self, top, slash, bottom):
        return quotient(top, self._value(bottom))

    def power(self, base, exponent):
        base, exponent = base.value, exponent.value
        if exponent == r"\top" or exponent == r"- \top":
            if not is_matrix(base):
                raise Unreadable("only a matrix can be transposed")
            return sp.Transpose(base) if exponent == r"\top" else sp.Inverse(sp.Transpose(base))
        if is_matrix(base):
            if not exponent.is_Integer:
                raise Unreadable("a power of a matrix is a whole number")
            return sp.Inverse(base) if exponent == -1 else sp.MatPow(base, exponent)
        return sp.Pow(scalar(base), scalar(exponent))

    def operate(self, operator, body):
        return operator.value(scalar_or_matrix(self._value(body)))

    def integrate(self, integral, body, differential):
        return sp.Integral(scalar(body), (differential.value, *integral.value))

    def negative(self, minus, term):
        return multiplied([sp.S.NegativeOne, term])

    def plus(self, left, plus, right):
        left, right = alike(left, right)
        return sp.MatAdd(left, right) if is_matrix(left) else left + right

    def minus(self, left, minus, right):
        return self.plus(left, None, multiplied([sp.S.NegativeOne, right]))

    def compare(self, left, relation, right):
        return relation.value(*alike(left, right), evaluate=False)

    def both(self, *relations):
        return self._joined(sp.And, relations)

    def either(self, *relations):
        return self._joined(sp.Or, relations)

    def implication(self, premise, _, claim):
        return self._joined(sp.Implies, (premise, claim))

    def equivalence(self, left, _, right):
        return self._joined(sp.Equivalent, (left, right))

    def every(self, symbols, relation):
        return Every(*self._relations((relation,)), *symbols.value)

    def _joined(self, kind, parts):
        return kind(*self._relations(parts), evaluate=False)

    def _relations(self, parts):
        parts = [part for part in parts if not isinstance(part, Token)]
        if not all(map(is_relation, parts)):
            raise Unreadable("a relation is expected here")
        return parts


class _Given(Lexer):
    """No lexer: the terminals come from the second pass."""

    def __init__(self, configuration):
        pass

    def lex(self, terminals):
        return iter(terminals)


@cache
def _parser():
    grammar = pkgutil.get_data(__package__, "grammar.lark").decode()
    return Lark(grammar, parser="lalr", lexer=_Given, transformer=_Combine(), strict=True)


def terminal(kind, value, at):
    """A terminal of the grammar with its value and its place."""
    terminal = Token(kind, "", start_pos=at)
    terminal.value = value
    return terminal


def parse(terminals, items):
    """The value of a sequence of terminals, which were read from some items."""
    try:
        return _parser().parse(terminals)
    except UnexpectedToken as error:
        if error.token.type == "$END":
            raise Unreadable("the formula ends too early", items[-1].at) from None
        raise Unreadable("this cannot follow what stands before it", error.token.start_pos) from None
    except Unreadable as error:
        raise error if error.at else type(error)(error.reason, items[0].at) from None

"""Words: the normal form of a matrix, and what is known of its letters.

A matrix is a sum of words with coefficients, and a word is a product of letters: symbols, transposed or
not, inverted or not.  Where a side inside a word has length 1 it is cut, and what lies between two cuts is a
number.
"""

from collections import namedtuple

import sympy as sp
from sympy.matrices.expressions.matexpr import MatrixElement

from proofread.errors import NoRule
from proofread.language.conditions import Conditions

Letter = namedtuple("Letter", "symbol transposed inverted")
Matrix = namedtuple("Matrix", "rows columns words")  # words: a dict from tuples of letters to coefficients

RULES = {}  #: type of a node -> its rule, a function of the node and of the `Words`


def rule(*types):
    """Register the rule for nodes of some types: what it gives is a `Matrix`, or a number."""
    def register(function):
        RULES.update(dict.fromkeys(types, function))
        return function

    return register


# --- letters and words ------------------------------------------------------------------------------


def rows(letter):
    return letter.symbol.shape[1 if letter.transposed else 0]


def columns(letter):
    return letter.symbol.shape[0 if letter.transposed else 1]


def are_square(word, size):
    """Whether all letters surely have that many rows and columns."""
    return all(rows(x) == size == columns(x) for x in word)


def inverted(letter):
    return letter._replace(inverted=not letter.inverted)


def holds(word, symbol):
    return any(x.symbol == symbol for x in word)


def order(word):
    """The key by which the least of some words is found."""
    return [(str(s), str(s.shape), transposed, inverse) for s, transposed, inverse in word]


def cancelled(word):
    """A word without neighbours that are each other's inverses."""
    out = []
    for letter in word:
        if out and out[-1] == inverted(letter):
            out.pop()
        else:
            out.append(letter)
    return tuple(out)


def cut(word):
    """The parts of a word, cancelled, between the places where a side has length 1."""
    word = cancelled(word)
    places = [0, *(k for k in range(1, len(word)) if rows(word[k]) == 1), len(word)]
    return [word[a:b] for a, b in zip(places, places[1:]) if a < b]


def rotations(word):
    return [word[k:] + word[:k] for k in range(len(word))]


class Words:
    """The normal forms of the parts of one expression, with what is known of its matrices.

    Attributes
    ----------
    given : tuple
        The conditions, of which those on matrices are used.
    bound : dict
        Normal vectors whose mean is being taken, and their means plus their errors.
    content, word, support : dict
        For each symbol that stands for a number left over: the expression; its kind and its word, if it has
        one; the matrices and scalars that it depends on.
    sums : dict
        Symbols for sums of words, of which the inverse is a letter.
    """

    def __init__(self, given=()):
        self.given, self.bound = Conditions(given), {}
        self.content, self.word, self.support, self.sums = {}, {}, {}, {}
        self._generators, self._bases = {}, {}

    def matrix(self, expr):
        """The normal form of a matrix."""
        if not isinstance(expr, sp.MatrixExpr) or type(expr) not in RULES:
            raise NoRule(f"no rule for the matrix {type(expr).__name__}")
        return RULES[type(expr)](expr, self)

    def scalar(self, expr):
        """The normal form of a number: plain SymPy, with symbols for what is left over of matrices."""
        if not expr.has(sp.MatrixExpr, sp.Sum, sp.Product):
            return expr
        if isinstance(expr, sp.MatrixExpr):
            raise NoRule("a matrix in the place of a number")
        if type(expr) in RULES:
            return RULES[type(expr)](expr, self)
        pointwise = isinstance(expr, (sp.Add, sp.Mul, sp.Pow, sp.Function))
        if pointwise and all(isinstance(a, sp.Expr) for a in expr.args):  # not those of a Piecewise
            return expr.func(*map(self.scalar, expr.args))
        if expr.has(sp.MatrixExpr):
            raise NoRule(f"no rule for matrices in {type(expr).__name__}")
        return expr

    # --- numbers that are left over

    def generator(self, key, content, parts, word=None, **signs):
        """The symbol for a number that is known by a key; taking it for independent is always sound."""
        if key not in self._generators:
            self._generators[key] = g = sp.Dummy("g", real=True, **signs)
            self.content[g], self.support[g] = content, set().union(*map(self.depends, parts))
            if word:
                self.word[g] = key[0], word
        return self._generators[key]

    def depends(self, part):
        """A matrix or a symbol, and what it is made of."""
        sides = set().union(*(side.free_symbols for side in getattr(part, "shape", ())))
        return {part} | sides | part.free_symbols | self.support.get(part, set())

    def parts(self, matrix):
        """The symbols in the words and the coefficients of a matrix."""
        return {x.symbol for w in matrix.words for x in w} | set().union(
            *(c.free_symbols for c in matrix.words.values()))

    def entry(self, symbol, i, j):
        """An entry, counted from 1; above a diagonal there is nothing, and on it something positive."""
        if symbol.shape == (1, 1):
            return self.form((Letter(symbol, False, False),))
        known = self.kind(symbol)
        if known == "triangular" and (j - i).is_positive:
            return sp.S.Zero
        positive = True if known != "any" and i == j else None
        name = sp.Dummy(symbol.name, real=True, positive=positive)
        return self._bases.setdefault((symbol, positive), sp.IndexedBase(name))[i, j]

    def expression(self, matrix):
        """A normal form as an expression, in which coefficients may hold symbols for other numbers."""
        return sp.MatAdd(*(c * self._written(w, matrix.rows) for w, c in matrix.words.items()))

    def _written(self, word, size):
        def factor(letter):
            plain = self.content.get(letter.symbol, letter.symbol)
            plain = sp.Transpose(plain) if letter.transposed else plain
            return sp.Inverse(plain) if letter.inverted else plain

        return sp.MatMul(*map(factor, word)) if word else sp.Identity(size)

    def back(self, expr):
        """The expression that a normal form stands for."""
        while found := expr.free_symbols & self.content.keys():
            expr = expr.xreplace({g: self.content[g] for g in found})
        symbols = {base: symbol for (symbol, _), base in self._bases.items()}
        return expr.replace(lambda e: isinstance(e, sp.Indexed) and e.base in symbols,
                            lambda e: MatrixElement(symbols[e.base], *(i - 1 for i in e.indices)))

    # --- what is known of a matrix

    def kind(self, symbol):
        """``"definite"``, ``"triangular"`` or ``"any"``."""
        if symbol in self.sums:
            return "definite" if self.definite(self.sums[symbol]) else "any"
        return self.given.kind(symbol) if symbol.shape[0] == symbol.shape[1] else "any"

    def symmetric(self, symbol):
        if symbol in self.sums:
            return self.transpose(self.sums[symbol]) == self.sums[symbol]
        return isinstance(symbol, sp.DiagMatrix) or symbol.shape == (1, 1) or self.kind(symbol) == "definite"

    def turned(self, word):
        """The transpose of a word; symmetric letters stay as they are."""
        return tuple(x if self.symmetric(x.symbol) else x._replace(transposed=not x.transposed)
                     for x in reversed(word))

    def semidefinite(self, word):
        """Whether a word is surely V K V^T, with a definite letter K or none."""
        middle = word[len(word) // 2].symbol if len(word) % 2 else None
        return self.turned(word) == word and (middle is None or self.kind(middle) == "definite")

    def definite(self, matrix):
        """Whether a sum is surely definite: V K V^T with positive coefficients, and one V that is regular."""
        return all(self.semidefinite(w) and c.is_positive for w, c in matrix.words.items()) and any(
            all(self.kind(x.symbol) != "any" for x in w) for w in matrix.words)

    # --- sums, products, transposes

    def collected(self, rows, columns, items):
        """The matrix of some words with coefficients; numbers inside a word go to its coefficient."""
        words = {}
        for word, c in items:
            parts = cut(word)
            numbers = [p for p in parts if _is_number(p)]
            word = sum((p for p in parts if not _is_number(p)), ())
            words[word] = sp.expand(words.get(word, 0) + sp.Mul(c, *map(self.form, numbers)))
        return Matrix(rows, columns, {w: c for w, c in words.items() if c != 0})

    def one(self, letter):
        """The matrix of a single letter."""
        return self.collected(rows(letter), columns(letter), [((letter,), sp.S.One)])

    def plus(self, a, b):
        if (a.rows, a.columns) != (b.rows, b.columns):
            raise NoRule("a sum of matrices whose shapes may differ")
        return self.collected(a.rows, a.columns, [*a.words.items(), *b.words.items()])

    def times(self, a, b):
        if a.columns != b.rows:
            raise NoRule("a product of matrices whose shapes may not fit")
        return self.collected(a.rows, b.columns, [
            (u + v, c * e) for u, c in a.words.items() for v, e in b.words.items()])

    def scaled(self, matrix, factor):
        scaled = [(w, factor * c) for w, c in matrix.words.items()]
        return self.collected(matrix.rows, matrix.columns, scaled)

    def transpose(self, matrix):
        return Matrix(matrix.columns, matrix.rows, {self.turned(w): c for w, c in matrix.words.items()})

    # --- inverses of letters

    def inverse_of_letter(self, letter):
        """The inverse, a matrix; that of the inverse of a sum is the sum."""
        if letter.symbol not in self.sums:
            return self.one(inverted(letter))
        whole = self.sums[letter.symbol]
        return self.transpose(whole) if letter.transposed else whole

    def letter_of_sum(self, matrix):
        """The letter that is the inverse of a sum."""
        for symbol, known in self.sums.items():
            if matrix in (known, self.transpose(known)):
                return Letter(symbol, matrix != known, True)
        symbol = sp.MatrixSymbol(sp.Dummy(f"sum {len(self.sums)}"), matrix.rows, matrix.columns)
        self.content[symbol] = self.expression(matrix)
        self.support[symbol] = set().union(*map(self.depends, self.parts(matrix)))
        self.sums[symbol] = matrix
        return Letter(symbol, False, True)

    # --- numbers that words make

    def form(self, word):
        """A word with one row and one column, which is a number: x^T A y = y^T A^T x."""
        word = min(word, self.turned(word), key=order)
        if not word:
            return sp.S.One
        signs = {"nonnegative": True} if self.semidefinite(word) else {}
        return self.generator(("form", word), sp.Trace(self._written(word, 1)), [x.symbol for x in word],
                              word, **signs)

    def trace(self, word, size):
        """The trace of a word: it may be turned around, rotated, and cut."""
        word = cancelled(word)
        while len(word) > 1 and word[0] == inverted(word[-1]):
            word = word[1:-1]
        if not word:
            return size
        for rotated in rotations(word):
            if rows(rotated[0]) == 1:
                return sp.Mul(*map(self.form, cut(rotated)))
        word = min((r for w in (word, self.turned(word)) for r in rotations(w)), key=order)
        return self.generator(("trace", word), sp.Trace(self._written(word, size)), [x.symbol for x in word],
                              word)

    def probed(self, matrix):
        """The number a^T M b for two new vectors, and these: it vanishes for all of them if M does."""
        row = sp.MatrixSymbol(sp.Dummy("row"), 1, matrix.rows)
        column = sp.MatrixSymbol(sp.Dummy("column"), matrix.columns, 1)
        one_by_one = self.times(self.times(self.one(Letter(row, False, False)), matrix),
                                self.one(Letter(column, False, False)))
        return one_by_one.words.get((), sp.S.Zero), row, column


def _is_number(word):
    return rows(word[0]) == 1 == columns(word[-1])

"""Matrices of every dimension, by a normal form of words.

A matrix is a sum of words with coefficients, and a word is a product of letters: symbols, transposed or not,
inverted or not.  Where a side inside a word has length 1 it is cut, for what lies between two cuts is a number.
Traces, quadratic forms and determinants that are left over become symbols, and the scalar normal form decides
the rest.  That takes such symbols for independent, which can miss a proof and never gives a false one.

What holds where all inverses exist is proved: they do almost everywhere, and both sides are continuous.
"""

from collections import namedtuple
from functools import cache, reduce

import sympy as sp
from sympy.matrices.expressions.matexpr import MatrixElement

from ..errors import NoRule
from ..matrices import kind
from ..nodes import NormalMatrixMean, NormalMean, substitute
from ..normal_form import is_zero

HIGHEST_POWER = 8  #: a power of a matrix is written out up to here
HIGHEST_DEGREE = 8  #: so many factors of a normal vector are paired
ROUNDS, MOST_RELATIONS = 2, 120  #: how far the inverse of a sum is followed up

Letter = namedtuple("Letter", "symbol transposed inverted")
Matrix = namedtuple("Matrix", "rows columns words")  # words: a dict from tuples of letters to coefficients


def vanishes(expr, given=()):
    """Whether the normal form shows that a scalar or a matrix is zero for every dimension.

    ``False`` decides nothing.  Of ``given`` only what it says of matrices is used: a definite one is symmetric,
    a triangular one has a positive diagonal.

    Raises
    ------
    NoRule
        If some part has no sound rule.
    TooSlow
        If the scalar normal form is cut off.

    Examples
    --------
    >>> import sympy as sp
    >>> d = sp.Symbol("d", integer=True, positive=True)
    >>> A, B = (sp.MatrixSymbol(name, d, d) for name in "AB")
    >>> vanishes(sp.Trace(A * B.T) - sp.Trace(A.T * B)), vanishes(sp.Trace(A * B) - sp.Trace(A.T * B))
    (True, False)
    >>> vanishes(sp.log(sp.Determinant(2 * A)) - d * sp.log(2) - sp.log(sp.Determinant(A)),
    ...          given=[sp.Q.positive_definite(A)])
    True
    """
    words = Words(given, {entry.parent for entry in expr.atoms(MatrixElement)})
    total = words.probed(words.matrix(expr))[0] if isinstance(expr, sp.MatrixExpr) else words.scalar(expr)
    total = words.solved(total)
    if total.has(sp.zoo, sp.nan, sp.oo, sp.MatrixExpr):
        raise NoRule("no number is left")
    return bool(is_zero(_named(total)))


def _named(total):
    """``total`` with a symbol for each sum over entries that is not inside another one."""
    if isinstance(total, sp.Sum):
        return _name(total)
    return total.func(*map(_named, total.args)) if total.has(sp.Sum) else total


@cache
def _name(total):
    return sp.Dummy(real=total.function.is_real)


# --- words ----------------------------------------------------------------------------------------


def one(letter):
    """The matrix of a single letter."""
    return Matrix(rows(letter), columns(letter), {(letter,): sp.S.One})


def rows(letter):
    return letter.symbol.shape[1 if letter.transposed else 0]


def columns(letter):
    return letter.symbol.shape[0 if letter.transposed else 1]


def order(word):
    """The key by which the least of some words is found."""
    return [(str(s), str(s.shape), transposed, inverted) for s, transposed, inverted in word]


def cancelled(word):
    """A word without neighbours that are each other's inverses."""
    out = []
    for letter in word:
        if out and out[-1] == letter._replace(inverted=not letter.inverted):
            out.pop()
        else:
            out.append(letter)
    return tuple(out)


def cut(word):
    """The parts of a word between the places where a side has length 1."""
    places = [0, *(k for k in range(1, len(word)) if rows(word[k]) == 1), len(word)]
    return [word[a:b] for a, b in zip(places, places[1:]) if a < b]


def rotations(word):
    return [word[k:] + word[:k] for k in range(len(word))]


@cache
def _multiple(symbol):
    return sp.Dummy(positive=True)


class Words:
    """The normal form of one expression, with what is known of its matrices.

    Attributes
    ----------
    entrywise : set
        The matrices of which single entries occur: only of these are traces and determinants written out.
    generators : dict
        What a symbol of the normal form stands for, and the symbol.
    content, word, support : dict
        For each of these symbols the expression; the kind and the word, if it is a trace or a form; and the
        matrices and scalars that it depends on.
    sums : dict
        Symbols for sums of words that are inverted: a letter is the inverse of the whole sum.
    """

    def __init__(self, given=(), entrywise=()):
        self.given, self.entrywise = tuple(given), set(entrywise)
        self.generators, self.content, self.word, self.support, self.sums = {}, {}, {}, {}, {}
        self._bases = {}  # of matrices whose entries occur
        self._bound = {}  # normal vectors whose mean is being taken: their means plus their errors
        self._matrices = {
            sp.MatrixSymbol: self._symbol, sp.DiagMatrix: self._of_diagonal,
            sp.Identity: lambda e: self._collected(*e.shape, [((), 1)]),
            sp.ZeroMatrix: lambda e: Matrix(*e.shape, {}),
            sp.MatAdd: lambda e: reduce(self._plus, map(self.matrix, e.args)), sp.MatMul: self._product,
            sp.Transpose: lambda e: self.transpose(self.matrix(e.arg)),
            sp.MatPow: self._power, sp.Inverse: self._power, NormalMatrixMean: self._matrix_mean}
        self._scalars = {
            sp.Trace: lambda e: self.trace(self.matrix(e.arg)),
            sp.Determinant: lambda e: self.determinant(self.matrix(e.arg)),
            NormalMean: self._mean, MatrixElement: self._entry, sp.Sum: self._sum, sp.Product: self._diagonal}

    def matrix(self, expr):
        """The normal form of a matrix."""
        if type(expr) not in self._matrices:
            raise NoRule(f"no rule for the matrix {type(expr).__name__}")
        return self._matrices[type(expr)](expr)

    def scalar(self, expr):
        """The normal form of a number: plain SymPy, with symbols for what is left over of matrices."""
        if not expr.has(sp.MatrixExpr, sp.Sum, sp.Product):
            return expr
        if type(expr) in self._scalars:
            return self._scalars[type(expr)](expr)
        pointwise = isinstance(expr, (sp.Add, sp.Mul, sp.Pow, sp.Function)) and not isinstance(expr, sp.Piecewise)
        if pointwise and all(isinstance(a, sp.Expr) and not isinstance(a, sp.MatrixExpr) for a in expr.args):
            return expr.func(*map(self.scalar, expr.args))
        if expr.has(sp.MatrixExpr):
            raise NoRule(f"no rule for matrices in {type(expr).__name__}")
        return expr

    def back(self, expr):
        """The expression that a normal form stands for."""
        while found := expr.free_symbols & self.content.keys():
            expr = expr.xreplace({g: self.content[g] for g in found})
        return expr

    def _generator(self, key, content, support, **signs):
        if key not in self.generators:
            self.generators[key] = g = sp.Dummy("g", real=True, **signs)
            self.content[g], self.support[g] = content, set().union(*map(self._depends, support))
        return self.generators[key]

    def _depends(self, part):
        """A matrix or a symbol, and what it is made of."""
        return {part} | getattr(part, "free_symbols", set()) | self.support.get(part, set()) | set().union(
            *(side.free_symbols for side in getattr(part, "shape", ())))

    def _expression(self, word):
        def factor(letter):
            plain = self.content.get(letter.symbol, letter.symbol)
            plain = sp.Transpose(plain) if letter.transposed else plain
            return sp.Inverse(plain) if letter.inverted else plain

        return sp.MatMul(*map(factor, word))

    # --- letters: what is known of a matrix

    def letter(self, symbol):
        return Letter(symbol, False, False)

    def kind(self, symbol):
        """``"definite"``, ``"triangular"`` or ``"any"``."""
        if symbol in self.sums:
            return "definite" if self.definite(self.sums[symbol]) else "any"
        return kind(symbol, self.given) if symbol.shape[0] == symbol.shape[1] else "any"

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
        def regular(word):
            return all(self.kind(x.symbol) != "any" for x in word)

        return all(self.semidefinite(w) and c.is_positive for w, c in matrix.words.items()) and any(
            map(regular, matrix.words))

    # --- sums, products, transposes

    def _symbol(self, expr):
        return self._bound[expr] if expr in self._bound else one(self.letter(expr))

    def _of_diagonal(self, expr):
        vector = expr.args[0]
        if not isinstance(vector, sp.MatrixSymbol) or vector in self._bound:
            raise NoRule("a diagonal that is no symbol")
        return one(self.letter(expr))

    def _collected(self, rows, columns, items):
        """A matrix of some words; numbers inside a word go to its coefficient."""
        words = {}
        for word, c in items:
            parts = cut(cancelled(word))
            numbers = [p for p in parts if self._is_number(p)]
            word = sum((p for p in parts if p not in numbers), ())
            words[word] = sp.expand(words.get(word, 0) + sp.Mul(c, *map(self.form, numbers)))
        return Matrix(rows, columns, {w: c for w, c in words.items() if c != 0})

    def _is_number(self, word):
        return rows(word[0]) == 1 == columns(word[-1])

    def _plus(self, a, b):
        if (a.rows, a.columns) != (b.rows, b.columns):
            raise NoRule("a sum of matrices whose shapes may differ")
        return self._collected(a.rows, a.columns, [*a.words.items(), *b.words.items()])

    def times(self, a, b):
        if a.columns != b.rows:
            raise NoRule("a product of matrices whose shapes may not fit")
        return self._collected(a.rows, b.columns, [
            (u + v, c * e) for u, c in a.words.items() for v, e in b.words.items()])

    def scaled(self, matrix, factor):
        return self._collected(matrix.rows, matrix.columns, [(w, factor * c) for w, c in matrix.words.items()])

    def _product(self, expr):
        matrices = [self.matrix(a) for a in expr.args if isinstance(a, sp.MatrixExpr)]
        if not matrices:
            raise NoRule("a matrix product without a matrix")
        factors = [self.scalar(a) for a in expr.args if not isinstance(a, sp.MatrixExpr)]
        return self.scaled(reduce(self.times, matrices), sp.Mul(*factors))

    def transpose(self, matrix):
        return Matrix(matrix.columns, matrix.rows, {self.turned(w): c for w, c in matrix.words.items()})

    # --- powers and inverses

    def _power(self, expr):
        matrix, k = self.matrix(expr.base), expr.exp
        if matrix.rows != matrix.columns:
            raise NoRule("a power of a matrix that may not be square")
        if not (k.is_Integer and abs(k) <= HIGHEST_POWER):
            raise NoRule("a power that is not written out")
        factor = self.inverse(matrix) if k < 0 else matrix
        return reduce(self.times, [factor] * abs(int(k)), self.matrix(sp.Identity(matrix.rows)))

    def inverse(self, matrix):
        """Of a word the inverses of its letters; of a sum a new letter, for which `relations` holds."""
        if not matrix.words:
            raise NoRule("the inverse of zero")
        if len(matrix.words) > 1:
            return self._inverse_of_sum(matrix)
        (word, c), = matrix.words.items()
        factors = [self._inverse_of_letter(x, matrix.rows) for x in reversed(word)]
        return self.scaled(reduce(self.times, factors, self.matrix(sp.Identity(matrix.rows))), 1 / c)

    def _inverse_of_letter(self, letter, size):
        if not rows(letter) == size == columns(letter):
            raise NoRule("the inverse of a product of matrices that are not square")
        if letter.symbol in self.sums:  # such a letter occurs inverted only
            whole = self.sums[letter.symbol]
            return self.transpose(whole) if letter.transposed else whole
        return one(letter._replace(inverted=not letter.inverted))

    def _inverse_of_sum(self, matrix):
        if not self._is_regular(matrix):
            raise NoRule("the inverse of a sum that may never have one")
        lead = matrix.words[min(matrix.words, key=order)]
        lead = lead if lead.is_nonzero else sp.S.One
        matrix = self.scaled(matrix, 1 / lead)
        for symbol, known in self.sums.items():
            for transposed, whole in enumerate((known, self.transpose(known))):
                if whole == matrix:
                    return self.scaled(one(Letter(symbol, bool(transposed), True)), 1 / lead)
        symbol = sp.MatrixSymbol(sp.Dummy(f"sum {len(self.sums)}"), matrix.rows, matrix.columns)
        self.sums[symbol] = matrix
        self.content[symbol] = sp.MatAdd(*(
            c * self._expression(w) if w else c * sp.Identity(matrix.rows) for w, c in matrix.words.items()))
        self.support[symbol] = set().union(*map(self._depends, self._parts(matrix)))
        return self.scaled(one(Letter(symbol, False, True)), 1 / lead)

    def _parts(self, matrix):
        return {x.symbol for w in matrix.words for x in w} | set().union(
            *(c.free_symbols for c in matrix.words.values()))

    def _is_regular(self, matrix):
        """Whether a sum has an inverse almost everywhere: with square letters at multiples of I, others near 0."""
        if self.definite(matrix):
            return True
        total, letters = sp.S.Zero, {x.symbol for w in matrix.words for x in w}
        if any(s in self.sums or isinstance(s, sp.DiagMatrix) for s in letters) or any(
                c.has(sp.Indexed, *self.content) for c in matrix.words.values()):
            return False  # these are not free to choose beside the letters
        for word, c in matrix.words.items():
            if all(rows(x) == matrix.rows == columns(x) for x in word):
                total += c * sp.Mul(*(_multiple(x.symbol) ** (-1 if x.inverted else 1) for x in word))
        return bool(total.is_positive or total.is_rational_function() and sp.cancel(total) != 0)

    # --- traces, forms, determinants

    def trace(self, matrix):
        if matrix.rows != matrix.columns:
            raise NoRule("the trace of a matrix that may not be square")
        return sp.Add(*(c * self.trace_of(w, matrix.rows) for w, c in matrix.words.items()))

    def trace_of(self, word, size):
        """The trace of a word: it may be turned around, rotated, and cut."""
        word = cancelled(word)
        while len(word) > 1 and word[0] == word[-1]._replace(inverted=not word[-1].inverted):
            word = word[1:-1]
        if not word:
            return size
        for rotated in rotations(word):
            if rows(rotated[0]) == 1:
                return sp.Mul(*map(self.form, cut(cancelled(rotated))))
        if (entries := self._entries_of_trace(word)) is not None:
            return entries
        word = min((r for w in (word, self.turned(word)) for r in rotations(w)), key=order)
        g = self._generator(("trace", word), sp.Trace(self._expression(word)), [x.symbol for x in word])
        self.word[g] = "trace", word
        return g

    def form(self, word):
        """A word with one row and one column, which is a number: x^T A y = y^T A^T x."""
        word = min(cancelled(word), self.turned(cancelled(word)), key=order)
        if not word:
            return sp.S.One
        if (entries := self._entries_of_form(word)) is not None:
            return entries
        signs = {"nonnegative": True} if self.semidefinite(word) else {}
        g = self._generator(("form", word), sp.Trace(self._expression(word)), [x.symbol for x in word], **signs)
        self.word[g] = "form", word
        return g

    def determinant(self, matrix):
        """c^d times the product over the letters; of a sum, or of factors that are not square, a symbol."""
        size = matrix.rows
        if size != matrix.columns:
            raise NoRule("the determinant of a matrix that may not be square")
        if size == 1:
            return self.trace(matrix)
        if not matrix.words:
            return sp.S.Zero
        if len(matrix.words) == 1:
            (word, c), = matrix.words.items()
            if all(rows(x) == size == columns(x) for x in word):
                return c**size * sp.Mul(*map(self._determinant_of_letter, word))
        key = min((matrix, self.transpose(matrix)), key=lambda m: sorted(map(order, m.words)))
        content = sp.Determinant(sp.MatAdd(*(
            c * self._expression(w) if w else c * sp.Identity(size) for w, c in key.words.items())))
        signs = {"positive": True} if self.definite(key) else {}
        return self._generator(("determinant", frozenset(key.words.items())), content, self._parts(key), **signs)

    def _determinant_of_letter(self, letter):
        symbol = letter.symbol
        if symbol in self.sums:
            return 1 / self.determinant(self.sums[symbol])
        if symbol in self.entrywise and self.kind(symbol) == "triangular":
            value = sp.exp(over(lambda i: sp.log(self._at(symbol, i, i)), symbol.shape[0]))
        else:
            signs = {"positive": True} if self.kind(symbol) != "any" else {}
            value = self._generator(("determinant", symbol), sp.Determinant(symbol), [symbol], **signs)
        return 1 / value if letter.inverted else value

    # --- entries

    def _entry(self, expr):
        symbol, i, j = expr.args
        if not isinstance(symbol, sp.MatrixSymbol) or symbol in self._bound or i.has(sp.MatrixExpr) or j.has(
                sp.MatrixExpr):
            raise NoRule("an entry of what is no symbol")
        return self._at(symbol, sp.expand(i + 1), sp.expand(j + 1))

    def _at(self, symbol, i, j):
        """An entry, counted from 1; above a diagonal there is nothing, and on it something positive."""
        if symbol.shape == (1, 1):
            return self.form((self.letter(symbol),))
        known = self.kind(symbol)
        if known == "triangular" and (j - i).is_positive:
            return sp.S.Zero
        positive = True if known != "any" and i == j else None
        base = self._bases.setdefault(
            (symbol, positive), sp.IndexedBase(sp.Dummy(symbol.name, real=True, positive=positive)))
        return base[i, j]

    def _entries_of_trace(self, word):
        """tr A = sum of A_ii, and tr A A^T = sum of A_ij^2, where such entries occur."""
        if all(isinstance(x.symbol, sp.DiagMatrix) and x.symbol.args[0] in self.entrywise for x in word):
            return over(lambda i: sp.Mul(*(self._along(x.symbol.args[0], i) ** (-1 if x.inverted else 1)
                                           for x in word)), rows(word[0]))
        symbol = word[0].symbol
        if symbol not in self.entrywise or any(x.inverted for x in word):
            return None
        if len(word) == 1:
            return over(lambda i: self._at(symbol, i, i), symbol.shape[0])
        if len(word) > 2 or word[1:] != self.turned(word[:1]):
            return None
        if self.kind(symbol) == "triangular":
            return over(lambda i: self._at(symbol, i, i) ** 2
                        + over(lambda j: self._at(symbol, i, j) ** 2, i - 1), symbol.shape[0])
        return over(lambda i: over(lambda j: self._at(symbol, i, j) ** 2, symbol.shape[1]), symbol.shape[0])

    def _entries_of_form(self, word):
        """x^T y = sum of x_i y_i, where entries of both occur."""
        if len(word) != 2 or any(x.symbol not in self.entrywise or x.inverted for x in word):
            return None
        return over(lambda i: sp.Mul(*(self._along(x.symbol, i) for x in word)), columns(word[0]))

    def _along(self, vector, i):
        return self._at(vector, i, 1) if vector.shape[1] == 1 else self._at(vector, 1, i)

    # --- sums over entries

    def _sum(self, expr):
        try:
            return over(*self._ranged(expr))
        except NoRule:
            if expr.has(sp.MatrixExpr):
                raise
            return expr

    def _diagonal(self, expr):
        """A product of positive factors is the exponential of a sum: so is a triangular determinant."""
        try:
            factor, size = self._ranged(expr)
            if factor(sp.Dummy(integer=True, positive=True)).is_positive:
                return sp.exp(over(lambda i: sp.log(factor(i)), size))
            raise NoRule("a product of factors whose sign is unknown")
        except NoRule:
            if expr.has(sp.MatrixExpr):
                raise
            return expr

    def _ranged(self, expr):
        """What is summed, as a function of an index that counts from 1, and the number of terms."""
        *inner, (symbol, low, high) = expr.limits
        size = sp.expand(high - low + 1)
        if not (low.is_Integer and size.is_nonnegative) or size.has(sp.MatrixExpr):
            raise NoRule("a range that may be reversed")  # the conventions differ there
        inside = expr.func(expr.function, *inner) if inner else expr.function

        def function(index):
            body = self.scalar(substitute(inside, {symbol: index + low - 1}))
            if any(index in self.support.get(g, ()) for g in body.free_symbols):
                raise NoRule("a trace or determinant that depends on the index of a sum")
            return body

        return function, size

    # --- normal means

    def _mean(self, expr):
        """The mean of a polynomial: the vector is its mean plus an error, and the errors are paired."""
        return self._expected(*self._shifted(expr, self.scalar))

    def _matrix_mean(self, expr):
        """The same for a matrix M, as the mean of a^T M b for any a and b."""
        shape = expr.args[0].shape

        def probed(function):
            return self.probed(self.matrix(function))

        (number, row, column), error, covariance = self._shifted(expr, probed)
        return self.unprobed(self._expected(number, error, covariance), row, column, shape)

    def _shifted(self, expr, read):
        function, vector, mean, covariance = expr.args
        mean, covariance = self.matrix(mean), self.matrix(covariance)
        size = vector.shape[0]
        if not isinstance(vector, sp.MatrixSymbol) or not (
                vector.shape == (mean.rows, mean.columns) == (size, 1)
                and covariance.rows == covariance.columns == size and self.transpose(covariance) == covariance):
            raise NoRule("a mean or a covariance that has not the right shape, or is not surely symmetric")
        error = sp.MatrixSymbol(sp.Dummy("error"), size, 1)
        outer, self._bound = self._bound, {**self._bound, vector: self._plus(mean, one(self.letter(error)))}
        try:
            return read(function), error, covariance
        finally:
            self._bound = outer

    def _expected(self, form, error, covariance):
        """The mean of a polynomial in the forms that hold the error."""
        total = sp.S.Zero
        for powers, c in self._monomials(sp.expand_log(form), {error}):
            words = [self.word[g][1] for g, k in powers for _ in range(k)]
            ends = [x.symbol for w in words for x in w].count(error)
            if ends > HIGHEST_DEGREE:
                raise NoRule("a moment of high degree")
            total += c * self._paired(words, error, covariance)
        return total

    def _monomials(self, form, symbols):
        """The terms of a polynomial in the forms that hold some symbols: pairs of (form, power), coefficient."""
        holding = [g for g in form.free_symbols if self.support.get(g, set()) & symbols]
        for g in holding:
            kind_, word = self.word.get(g, ("", ()))
            inside = set().union(*(self.support.get(x.symbol, set()) for x in word))
            if kind_ != "form" or inside & symbols:
                raise NoRule("the mean of what is no polynomial")
        if not holding:
            return [((), form)]
        try:
            terms = sp.Poly(form, *holding).terms()
        except sp.PolynomialError as error:
            raise NoRule("the mean of what is no polynomial") from error
        return [(tuple((g, k) for g, k in zip(holding, powers) if k), c) for powers, c in terms]

    def _paired(self, words, error, covariance):
        """The mean of a product of forms: each error is joined with each other one (Isserlis 1918)."""
        free = [w for w in words if error not in {x.symbol for x in w}]
        first, *others = [w if w[-1].symbol == error else self.turned(w) for w in words if w not in free] or [()]
        if not first:
            return sp.Mul(*map(self.form, free))

        def is_double(word):
            return len(word) > 1 and word[0].symbol == word[-1].symbol == error

        total = sp.S.Zero
        for between, c in covariance.words.items():
            if is_double(first):
                loop = self.trace_of(first[1:-1] + between, rows(self.letter(error)))
                total += c * loop * self._paired(free + others, error, covariance)
            for k, other in enumerate(others):
                rest = free + others[:k] + others[k + 1:]
                for end in [self.turned(other)] + ([other] if is_double(other) else []):
                    joined = cut(cancelled(first[:-1] + between + end[1:]))
                    total += c * self._paired(joined + rest, error, covariance)
        return total

    def probed(self, matrix):
        """The number a^T M b for two new vectors, and these vectors."""
        row = sp.MatrixSymbol(sp.Dummy("row"), 1, matrix.rows)
        column = sp.MatrixSymbol(sp.Dummy("column"), matrix.columns, 1)
        number = self.times(self.times(one(self.letter(row)), matrix), one(self.letter(column)))
        return self.trace(number), row, column

    def unprobed(self, number, row, column, shape):
        """The matrix M of which a^T M b is a number."""
        items = []
        for powers, c in self._monomials(sp.expand(number), {row, column}):
            words = [self.word[g][1] for g, _ in powers]
            left = next((w for w in words if row in {x.symbol for x in w}), None)
            if left is None:
                continue  # M is zero
            left = left if left[0].symbol == row else self.turned(left)
            if len(words) == 1:
                items.append((left[1:-1], c))
                continue
            right, = (w for w in words if column in {x.symbol for x in w})
            right = right if right[-1].symbol == column else self.turned(right)
            items.append((left[1:] + right[:-1], c))
        return self._collected(*shape, items)

    # --- the inverse of a sum

    def solved(self, total):
        """``total`` with words that hold the inverse of a sum expressed by others, as far as is seen."""
        values = {}
        for relation in self.relations(total):
            relation = sp.numer(sp.together(relation.xreplace(values)))
            inverted = [g for g in relation.free_symbols if g in self.word and self._inverted_sums(g)]
            for g in sorted(inverted, key=lambda g: (-len(self.word[g][1]), order(self.word[g][1]))):
                relation = sp.expand(relation)
                c = relation.coeff(g)
                if relation.subs(g, 0) + c * g - relation == 0 and self._is_surely_nonzero(c):
                    value = sp.expand(-relation.subs(g, 0) / c)
                    values = {h: sp.expand(v.xreplace({g: value})) for h, v in values.items()} | {g: value}
                    break
        return total.xreplace(values)

    def _inverted_sums(self, g):
        return [x for x in self.word[g][1] if x.symbol in self.sums]

    def _is_surely_nonzero(self, c):
        """Numbers, positive ones, and coefficients that hold nothing of matrices and do not cancel."""
        if c.has(sp.Indexed, *self.content):
            return bool(c.is_nonzero)
        return bool(c.is_nonzero or c.is_rational_function() and sp.cancel(c) != 0)

    def relations(self, total):
        """What P P^-1 = I = P^-1 P says of the words at hand, for each sum P: expressions that vanish."""
        found, seen, todo = {}, set(), total.free_symbols & self.word.keys()
        if not any(map(self._inverted_sums, todo)):
            return []
        for _ in range(ROUNDS):
            for g in sorted(todo, key=lambda g: order(self.word[g][1])):
                for left, inverse, right, before in self._places(*self.word[g]):
                    if len(found) < MOST_RELATIONS and (left, inverse, right, before) not in found:
                        found[left, inverse, right, before] = self._relation(
                            self.word[g][0], left, inverse, right, before)
            seen |= todo
            todo = set().union(*(r.free_symbols for r in found.values())) & self.word.keys() - seen
        return list(found.values())

    def _relation(self, kind_, left, inverse, right, before):
        def closed(word):
            if kind_ == "trace":
                return self.trace_of(word, rows(inverse))
            return sp.Mul(*map(self.form, cut(cancelled(word))))

        whole, = self._inverse_of_letter(inverse, rows(inverse)),
        return sum(c * closed(left + ((w + (inverse,)) if before else ((inverse,) + w)) + right)
                   for w, c in whole.words.items()) - closed(left + right)

    def _places(self, kind_, word):
        """Where P P^-1 or P^-1 P stands in a word up to one of the terms of P, or can be put in and cancels."""
        for rotated in rotations(word) if kind_ == "trace" else [word]:
            for k, letter in enumerate(rotated):
                if letter.symbol in self.sums and (kind_ == "form" or k == 0):
                    before, after = rotated[:k], rotated[k + 1:]
                    for term in self._inverse_of_letter(letter, rows(letter)).words:
                        if kind_ == "trace":
                            before, after = after, after
                        if (left := self._without(before, term, -1)) is not None:
                            yield left, letter, () if kind_ == "trace" else after, True
                        if (right := self._without(after, term, 1)) is not None:
                            yield () if kind_ == "trace" else before, letter, right, False
            for k in range(1, len(rotated)) if kind_ == "form" else [len(rotated)]:
                for symbol, whole in self.sums.items():
                    left, right, inverse = rotated[:k], rotated[k:], Letter(symbol, False, True)
                    if rows(inverse) == columns(left[-1]) and any(
                            len(cancelled(left[-1:] + term[:1])) < 2 for term in whole.words if term):
                        yield left, inverse, right, True

    def _without(self, word, term, side):
        """The word that a term would make ``word`` on one side, if it has an inverse or stands there."""
        size = len(term)
        if side < 0 and word[len(word) - size:] == term:
            return word[:len(word) - size]
        if side > 0 and word[:size] == term:
            return word[size:]
        if any(rows(x) != columns(x) or x.symbol in self.sums for x in term):
            return None
        undone = tuple(x._replace(inverted=not x.inverted) for x in reversed(term))
        return cancelled(word + undone if side < 0 else undone + word)


# --- sums over entries ------------------------------------------------------------------------------


def over(function, size):
    """The sum of a function of an index from 1 to ``size``, term by term, with what is constant in front."""
    index = sp.Dummy("i", integer=True, positive=True)
    total = sp.S.Zero
    for term in sp.Add.make_args(sp.expand(sp.expand_log(function(index)))):
        outside, inside = term.as_independent(index, as_Add=False)
        slot = _slot(1 + _height(inside))
        total += outside * (size if inside == 1 else sp.Sum(inside.xreplace({index: slot}), (slot, 1, size)))
    return total


def _height(expr):
    """How deep sums are nested: their indices have the same names wherever that is the same."""
    return max((1 + _height(s.function) for s in expr.atoms(sp.Sum)), default=0)


@cache
def _slot(height):
    return sp.Dummy(f"i{height}", integer=True, positive=True)

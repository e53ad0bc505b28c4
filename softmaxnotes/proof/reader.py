r"""The reader: TeX of the book, turned back into an expression.

What stands on the page is compared with what was checked; so the reader shares nothing with the printer,
neither code nor tables.  It reads in three passes.

1. The TeX becomes a tree of its brackets; spacing and the sizes of brackets are dropped, and so are braces
   that are no argument, for nobody sees them.
2. Each atom gets its meaning from the `Vocabulary`.  Where the page allows several meanings, all are
   followed.
3. ``grammar.lark`` says how atoms combine.

A formula with two readings that differ is `Ambiguous`, whichever of the two was meant.
"""

import re
from collections import Counter
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple

import sympy as sp
from lark import Lark, Token, Transformer, UnexpectedToken, v_args
from lark.lexer import Lexer
from sympy.core.function import AppliedUndef, UndefinedFunction
from sympy.logic.boolalg import Boolean


class Unreadable(ValueError):
    """TeX that is no formula of the book's language; the message points at the place."""

    def __init__(self, reason, at=0):
        super().__init__(reason)
        self.reason, self.at = reason, at

    def _pointed(self, tex):
        flat = re.sub(r"\s", " ", tex)
        start = max(0, self.at - 50)
        pointer = " " * (self.at - start) + "^"
        return type(self)(f"{self.reason}\n  {flat[start:self.at + 50]}\n  {pointer}", self.at)


class Ambiguous(Unreadable):
    """TeX with two readings whose expressions differ."""


class Every(Boolean):
    r"""A relation, and the symbols for all values of which it holds: :math:`\forall x\colon\ f(x) = 0`."""

    def __new__(cls, relation, *symbols):
        return Boolean.__new__(cls, relation, *symbols)

    @property
    def free_symbols(self):
        return self.args[0].free_symbols - set(self.args[1:])


@dataclass(frozen=True)
class Vocabulary:
    r"""What the names of a statement mean.

    Parameters
    ----------
    names : dict
        SymPy names, such as ``"mu_p"`` or ``"theta^{(1)}"``: each a ``Symbol`` (bound ones too), an
        ``IndexedBase``, a ``MatrixSymbol`` or an undefined function; or a tuple of these, such as a number
        and a vector of one name.
    templates : tuple
        Definitions, each a TeX head with ``#1``, ``#2``, …, the number of parameters, and what builds the
        expression from the arguments.  In a head without ``#1`` they follow in parentheses.
    laws : dict
        TeX name of a law to its variable and two callables, for the expectation and the variance of an
        expression.
    divergence : callable
        Makes the divergence of two laws from their names.
    ranges : dict
        Name of an index to its least and its largest value.
    partials : tuple
        Derivatives by an argument of a function, each the application, the argument, and what builds the
        expression from two such: for ``\frac{\partial F}{\partial f'}`` from these, for
        ``\frac{\partial}{\partial f'} [...]`` from what stands in the brackets and the argument.
    constants : dict
        TeX of a constant to its value.
    """

    names: dict = field(default_factory=dict)
    templates: tuple = ()
    laws: dict = field(default_factory=dict)
    divergence: object = None
    ranges: dict = field(default_factory=dict)
    partials: tuple = ()
    constants: dict = field(default_factory=dict)

    @cached_property
    def _meanings(self):
        """The meanings, by the first item of their TeX."""
        table = {}
        constants = (_Meaning(_tree(tex), lambda value=value: value) for tex, value in self.constants.items())
        for meaning in (*self._of_names(), *self._of_templates(), *constants):
            table.setdefault(_spelled(meaning.stem[:1]), []).append(meaning)
        return table

    @cached_property
    def _functions(self):
        """The undefined functions, by the TeX of their name."""
        return {_spelled(_tree(_tex_name(name))): thing for name, thing in self._things()
                if isinstance(thing, UndefinedFunction)}

    @cached_property
    def _laws(self):
        """The names of the laws as they were given, by their TeX without spacing."""
        return {_spelled(_tree(name)): name for name in self.laws}

    def _things(self):
        for name, things in self.names.items():
            for thing in things if isinstance(things, (tuple, list)) else (things,):
                yield name, thing

    def _of_names(self):
        for name, thing in self._things():
            stem = _tree(_tex_name(name))
            if isinstance(thing, sp.IndexedBase):
                def entry(*indices, base=thing):
                    return base[indices]

                yield _Meaning(stem, entry, "_")
                if (raised := next((i for i, item in enumerate(stem) if item.text == "^"), None)) is not None:
                    # the index may also stand below the superscript of the name
                    yield _Meaning(stem[:raised], entry, "_", after=stem[raised:])
            elif isinstance(thing, UndefinedFunction):
                yield _Meaning(stem, thing, "(")
            else:
                yield _Meaning(stem, lambda thing=thing: thing)
                if _is_matrix(thing):  # SymPy counts from 0
                    yield _Meaning(stem, lambda i, j=1, thing=thing: thing[i - 1, j - 1], "_")

    def _of_templates(self):
        for head, arity, build in self.templates:
            stem, slots = _tree(head), None
            if "#" not in head and arity:
                slots = _tree(",".join(f"#{k}" for k in range(1, arity + 1)))
            elif "#" in head and isinstance(stem[-1], _Group) and stem[-1].text == "(":
                *stem, last = stem
                stem, slots = tuple(stem), last.items
            yield _Meaning(stem, build, "(" if slots else "", slots)


def read(tex, vocabulary):
    r"""The expression that stands on the page.

    Parameters
    ----------
    tex : str
        One side of a formula: an expression, a relation, or relations that are joined by logic.
    vocabulary : Vocabulary
        What the names in it mean.

    Returns
    -------
    sympy.Expr or sympy.MatrixExpr or sympy.logic.boolalg.Boolean

    Raises
    ------
    Unreadable
        If the TeX is not in the language, or if a name in it has no meaning.
    Ambiguous
        If it has two readings whose expressions differ.

    Examples
    --------
    >>> import sympy as sp
    >>> i, n, x = sp.symbols("i n x", integer=True)
    >>> page = Vocabulary({"z": sp.IndexedBase("z"), "i": i, "n": n, "x": x})
    >>> read(r"\sum_{i=1}^{n} z_{i} x - x", page)
    -x + Sum(x*z[i], (i, 1, n))
    >>> read(r"\left(x - 1", page)
    Traceback (most recent call last):
    softmaxnotes.proof.reader.Unreadable: this bracket is not closed
      \left(x - 1
           ^
    """
    try:
        return _Reading(vocabulary).whole(_tree(tex))
    except Unreadable as error:
        raise error._pointed(tex) from None
    except (TypeError, ValueError, IndexError, AttributeError, ArithmeticError) as error:  # SymPy refuses
        raise Unreadable(f"this has no meaning: {error}")._pointed(tex) from error


# --- first pass: the tree of brackets ------------------------------------------------------------


class _Leaf(NamedTuple):
    text: str
    at: int


class _Group(NamedTuple):
    text: str  # the opening bracket
    items: tuple
    at: int


_SCAN = re.compile(r"\\[A-Za-z]+|\\.|\#\d|\d+(?:\.\d+)?|\s+|.", re.S)
_SPACING = {r"\,", r"\;", r"\:", r"\!", r"\ ", "~", r"\quad", r"\qquad", r"\limits", r"\displaystyle"}
_SIZES = {rf"\{size}{side}": kind for size in ("big", "Big", "bigg", "Bigg")
          for side, kind in (("l", "open"), ("r", "close"), ("", "plain"), ("m", "plain"))}
_SIZES |= {r"\left": "open", r"\right": "close", r"\middle": "plain"}
_ALIKE = {r"\varepsilon": r"\epsilon", r"\leq": r"\le", r"\geq": r"\ge", r"\ne": r"\neq", r"\times": r"\cdot",
          r"\tfrac": r"\frac", r"\dfrac": r"\frac", r"\Longleftrightarrow": r"\iff", r"\vert": "|",
          r"\Vert": r"\|"}
_ARGUMENTS = {"_": 1, "^": 1, r"\frac": 2} | dict.fromkeys((
    r"\sqrt", r"\mathrm", r"\mathbb", r"\mathcal", r"\mathbf", r"\mathsf", r"\boldsymbol", r"\operatorname",
    r"\text", r"\bar", r"\hat", r"\tilde", r"\vec", r"\dot", r"\overline", r"\substack"), 1)
_CLOSING = {"(": ")", "[": "]", "|": "|", ".": "|", "{": "}", r"\lfloor": r"\rfloor", r"\lceil": r"\rceil"}
_OPEN = {"(", "[", "{", r"\lfloor", r"\lceil"}
_CLOSE = {")", "]", "}", r"\rfloor", r"\rceil"}


class _Scanned(NamedTuple):
    text: str
    at: int
    kind: str  # "open", "close" or "plain"


def _scan(tex):
    size, spaced, last = None, False, ""
    for match in _SCAN.finditer(tex):
        text, at = match[0], match.start()
        if text.isspace():
            continue
        if text in _SPACING:
            spaced = text == r"\," and last not in (",", ";")
            continue
        if text in _SIZES:
            size = _SIZES[text]
            continue
        text = _ALIKE.get(text, text)
        kind = size or ("open" if text in _OPEN else "close" if text in _CLOSE else "plain")
        # after a thin space a d may belong to an integral; what it is in the end, the grammar decides
        yield _Scanned(r"\,d" if spaced and text == "d" else text, at, kind)
        size, spaced, last = None, False, text


@cache
def _tree(tex):
    tokens = list(_scan(tex))[::-1]  # the next one is the last
    return _items(tokens, None)


def _items(tokens, opening):
    """The items up to the bracket that closes ``opening``."""
    found = []
    while tokens:
        token = tokens.pop()
        if token.kind == "close":
            if opening is None or token.text != _CLOSING[opening.text]:
                raise Unreadable("this bracket closes none", token.at)
            return tuple(found)
        if token.kind == "open" and token.text == "{":
            found += _items(tokens, token)  # braces that are no argument do not show
        elif token.kind == "open":
            if token.text not in _CLOSING:
                raise Unreadable(f"{token.text} is no bracket", token.at)
            found.append(_Group(token.text, _items(tokens, token), token.at))
        else:
            found.append(_Leaf(token.text, token.at))
            if token.text == r"\sqrt" and tokens and tokens[-1].text == "[":
                found.append(_Group("[", _items(tokens, bracket := tokens.pop()), bracket.at))
            for _ in range(_ARGUMENTS.get(token.text, 0)):
                found.append(_argument(tokens, token))
    if opening is not None:
        raise Unreadable("this bracket is not closed", opening.at)
    return tuple(found)


def _argument(tokens, command):
    """The argument of a command, or a script: a group, or a single token without braces."""
    if not tokens or tokens[-1].kind == "close":
        raise Unreadable(f"{command.text} has no argument", command.at)
    token = tokens.pop()
    if token.text == "{" and token.kind == "open":
        return _Group("{", _items(tokens, token), token.at)
    if token.kind == "open" or token.text in ("_", "^"):
        raise Unreadable(f"{command.text} has no argument", command.at)
    if token.text[0].isdigit() and len(token.text) > 1:  # TeX takes one digit
        tokens.append(_Scanned(token.text[1:], token.at + 1, "plain"))
        token = token._replace(text=token.text[0])
    leaf = _Leaf(token.text, token.at)
    inner = tuple(_argument(tokens, token) for _ in range(_ARGUMENTS.get(token.text, 0)))
    return _Group("{", (leaf, *inner), token.at)


def _spelled(items):
    """The TeX of some items, the same for all spacings."""
    return " ".join(item.text if isinstance(item, _Leaf) else
                    f"{item.text} {_spelled(item.items)} {_CLOSING[item.text]}" for item in items)


def _split(items, mark):
    """The parts of some items between marks such as commas."""
    parts, start = [], 0
    for place, item in enumerate(items):
        if item.text == mark and isinstance(item, _Leaf):
            parts.append(items[start:place])
            start = place + 1
    return [*parts, items[start:]]


# --- how a SymPy name is spelled in TeX ----------------------------------------------------------


_GREEK = set("""
    alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi rho sigma
    tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega
    ell""".split())
_ACCENTS = {"hat": r"\hat", "bar": r"\bar", "tilde": r"\tilde", "vec": r"\vec", "dot": r"\dot"}


def _tex_name(name):
    r"""The TeX of a name.

    >>> [_tex_name(name) for name in ("mu_p", "z_12", "yhat", "theta^{(1)}", "m'", r"\bar m", "x1")]
    ['\\mu_{p}', 'z_{12}', '\\hat{y}', '\\theta^{(1)}', "m'", '\\bar m', 'x_{1}']
    """
    if "\\" in name:
        return name
    base, primes, scripts = re.fullmatch(r"([^_^']*)('*)(.*)", name, re.S).groups()
    if counted := re.fullmatch(r"([A-Za-z]+)(\d+)", base):
        return _tex_name(f"{counted[1]}_{counted[2]}{primes}{scripts}")
    pieces = re.findall(r"([_^])(\{[^{}]*\}|[^_^{}]+)", scripts)
    if "".join(mark + text for mark, text in pieces) != scripts:
        raise Unreadable(f"no spelling is known for the name {name!r}")
    scripts = "".join(f"{mark}{{{_letter(text.strip('{}'))}}}" for mark, text in pieces)
    return _letter(base) + primes + scripts


def _letter(word):
    if word in _GREEK:
        return "\\" + word
    for ending, accent in _ACCENTS.items():
        if word.endswith(ending) and len(word) > len(ending):
            return rf"{accent}{{{_letter(word.removesuffix(ending))}}}"
    return word


# --- second pass: what an atom means -------------------------------------------------------------


@dataclass(frozen=True)
class _Meaning:
    """A stretch of TeX and what it builds: a stem, perhaps with slots, and then indices or arguments."""

    stem: tuple
    build: object
    call: str = ""  # "_" for indices, "(" for arguments
    slots: tuple | None = None  # what stands in the brackets; by default any number of arguments
    after: tuple = ()  # a superscript that follows the indices


class _Filled(NamedTuple):
    """What stands in a slot; next to an operator or an exponent of the head only an atom may stand."""

    items: tuple
    atomic: bool


_APART = {",", ";", ":", "|", r"\|", r"\mid", r"\sim", r"\to", "=", "<", ">", r"\le", r"\ge", r"\neq"}


def _matches(pattern, items, at=0, inside=False, place=0):
    """Each way in which a pattern fits from ``at`` on: where it ends, and what is in its slots."""
    if place == len(pattern):
        if not inside or at == len(items):
            yield at, {}
        return
    this = pattern[place]
    if this.text.startswith("#"):
        beside = [pattern[p].text if 0 <= p < len(pattern) else "," if inside else ""
                  for p in (place - 1, place + 1)]
        for end in range(at + 1, len(items) + 1):
            filled = _Filled(items[at:end], not _APART.issuperset(beside))
            for stop, bound in _matches(pattern, items, end, inside, place + 1):
                if this.text not in bound or _spelled(bound[this.text].items) == _spelled(filled.items):
                    yield stop, {**bound, this.text: filled}
    elif at < len(items) and this.text == items[at].text and type(this) is type(items[at]):
        within = _matches(this.items, items[at].items, inside=True) if isinstance(this, _Group) else [(0, {})]
        for _, inner in within:
            for stop, bound in _matches(pattern, items, at + 1, inside, place + 1):
                yield stop, {**inner, **bound}


_SIGNS = {"+": "PLUS", "-": "MINUS", "/": "SLASH", r"\cdot": "DOT", r"\land": "AND", r"\lor": "OR",
          r"\implies": "IMPLIES", r"\iff": "IFF"}
_RELATIONS = {"=": sp.Eq, r"\le": sp.Le, r"\ge": sp.Ge, "<": sp.Lt, ">": sp.Gt, r"\neq": sp.Ne}
_FUNCTIONS = {r"\log": sp.log, r"\ln": sp.log, r"\exp": sp.exp,
              r"\sin": sp.sin, r"\cos": sp.cos, r"\tan": sp.tan,
              r"\sinh": sp.sinh, r"\cosh": sp.cosh, r"\tanh": sp.tanh,
              r"\arcsin": sp.asin, r"\arccos": sp.acos, r"\arctan": sp.atan}
#: always with brackets
_LETTERS = {r"\Gamma": sp.gamma, r"\psi": sp.digamma, r"\zeta": sp.zeta, "H": sp.Heaviside}
_ROUNDED = {r"\lfloor": sp.floor, r"\lceil": sp.ceiling}
_TOO_MANY = 200  # readings that are tried before the reader gives up


class _Reading:
    """One formula, or a part of it, with a vocabulary."""

    def __init__(self, vocabulary):
        self.vocabulary = vocabulary
        self.known = {}  # the choices at a place: several readings meet there

    def whole(self, items, at=0):
        """The value of some items, which must have one reading."""
        if not items:
            raise Unreadable("an expression is missing", at)
        values, failures, tried = [], [], 0
        open_ends = [(0, [])]
        while open_ends:
            tried += 1
            if tried > _TOO_MANY:
                raise Unreadable("there are too many ways to read this", items[0].at)
            try:
                value = _parse(self._terminals(items, *open_ends.pop(), open_ends), items)
            except Ambiguous:
                raise
            except Unreadable as failure:
                failures.append(failure)
                continue
            if value not in values:
                values.append(value)
            if len(values) > 1:
                raise Ambiguous(f"this can be read as {values[0]} and as {values[1]}", items[0].at)
        if not values:
            raise max(failures, key=lambda failure: failure.at)
        return values[0]

    def _terminals(self, items, at, terminals, open_ends):
        """The rest of one reading; where there is a choice, the others are put on the list of open ends."""
        while at < len(items):
            key = id(items), at
            if key not in self.known:
                # with the items, so that no other ones take their id
                self.known[key] = self._choices(items, at), items
            (end, kind, value), *others = self.known[key][0]
            open_ends += [(stop, [*terminals, _terminal(*other, items[at].at)]) for stop, *other in others]
            terminals = [*terminals, _terminal(kind, value, items[at].at)]
            at = end
        return terminals

    def _choices(self, items, at):
        """What can stand here: where it ends, which terminal of the grammar it is, and its value."""
        failures = []
        found = self._claimed(items, at, failures)
        if not found or items[at].text in (r"\frac", r"\mathrm", r"\,d"):
            # what the page defines goes before what everybody knows, but notation keeps its meaning
            try:
                found += [choice for choice in self._common(items, at) if choice not in found]
            except Ambiguous:
                raise
            except Unreadable as failure:
                failures.append(failure)
        if not found:
            raise max(failures, key=lambda failure: failure.at,
                      default=Unreadable("a variable is expected here", items[at].at))
        return found

    def _claimed(self, items, at, failures):
        """The choices that the vocabulary gives."""
        if items[at].text == r"\,d":
            items = (*items[:at], items[at]._replace(text="d"), *items[at + 1:])
        found = []
        for meaning in self.vocabulary._meanings.get(_spelled(items[at:at + 1]), ()):
            for end, bound in _matches(meaning.stem, items, at):
                try:
                    end, value = self._applied(meaning, items, end, bound)
                except Ambiguous:
                    raise
                except Unreadable as failure:
                    failures.append(failure)
                    continue
                cut = end < len(items) and (items[end].text in ("_", "'") or
                                            items[end].text == "^" and items[end - 1].text == "'")
                if not cut and (end, "ATOM", value) not in found:
                    found.append((end, "ATOM", value))
        likely = [choice for choice in found if not _odd_index(choice[2])]
        return likely or found

    def _applied(self, meaning, items, at, bound):
        """The value of a meaning whose stem ends at ``at``, and where its indices or arguments end."""
        primes, power = 0, None
        if meaning.call == "_":
            if at + 1 >= len(items) or items[at].text != "_":
                raise Unreadable("an index is missing", _place(items, at))
            arguments = [self.whole(part, items[at].at) for part in _split(items[at + 1].items, ",")]
            at += 2
            if _spelled(items[at:at + len(meaning.after)]) != _spelled(meaning.after):
                raise Unreadable(f"{_spelled(meaning.after)} is missing", _place(items, at))
            return at + len(meaning.after), _tried(meaning.build, arguments, items[at - 1].at)
        if meaning.call == "(":
            while at < len(items) and items[at].text == "'":
                at, primes = at + 1, primes + 1
            if at + 2 < len(items) and items[at].text == "^" and items[at + 2].text == "(":  # h^{2}(x)
                power, at = self._natural(items[at + 1]), at + 2
            if at == len(items) or items[at].text != "(":
                raise Unreadable("the arguments are missing", _place(items, at))
            if meaning.slots is None:
                arguments = [self.whole(part, items[at].at) for part in _split(items[at].items, ",")]
            else:
                fits = [{**bound, **more}
                        for _, more in _matches(meaning.slots, items[at].items, inside=True)]
                arguments = self._bound(fits, items[at].at)
            at += 1
        else:
            arguments = self._bound([bound], _place(items, at - 1))
        if primes:
            value = _slope(meaning.build, arguments, primes, items[at - 1].at)
        else:
            value = _tried(meaning.build, arguments, items[at - 1].at)
        return at, value if power is None else value**power

    def _bound(self, fits, at):
        """The arguments in the slots, for the one way of filling them that can be read."""
        read, failure = [], Unreadable("the arguments do not fit", at)
        for bound in fits:
            try:
                read.append([self._filled(bound[slot], at) for slot in sorted(bound)])
            except Ambiguous:
                raise
            except Unreadable as error:
                failure = error
        if not read:
            raise failure
        if any(arguments != read[0] for arguments in read):
            raise Ambiguous("these arguments can be told apart in two ways", at)
        return read[0]

    def _filled(self, filled, at):
        """The value of what stands in a slot."""
        items, atomic = filled
        whole = (kind for end, kind, _ in self._choices(items, 0) if end == len(items))
        if atomic and not {"ATOM", "NUMBER"}.intersection(whole):
            raise Unreadable("here an argument needs brackets", items[0].at)
        return self.whole(items, at)

    # --- what everybody knows

    def _common(self, items, at):
        """The choices of the common language."""
        item, here = items[at], items[at].at
        text = item.text
        if isinstance(item, _Group):
            return [self._bracket(items, at)]
        if text in _SIGNS:
            return [(at + 1, _SIGNS[text], None)]
        if text in _RELATIONS:
            return [(at + 1, "RELATION", _RELATIONS[text])]
        if text[0].isdigit():
            return [(at + 1, "NUMBER", sp.Rational(text))]
        if text == "^":
            return [(at + 2, "POWER", self._exponent(items[at + 1]))]
        if text in _FUNCTIONS:
            return [self._function(_FUNCTIONS[text], items, at, at + 1)]
        if text in _LETTERS and _text(items, at + 1) == "(":
            return [(at + 2, "ATOM", _LETTERS[text](self.number(items[at + 1].items, here)))]
        if handler := self._HANDLERS.get(text):
            return handler(self, items, at)
        if text in _CONSTANTS and _text(items, at + 1) not in ("_", "'"):
            return [(at + 1, "ATOM", _CONSTANTS[text])]
        raise Unreadable(f"no meaning is known for {_spelled(items[at:at + 1])} here", here)

    def _bracket(self, items, at):
        group, after = items[at], at + 1
        if group.text == "{":
            raise Unreadable("no meaning is known for this", group.at)
        if group.text == ".":
            return self._at_a_place(items, at)
        if group.text == "[" and _text(items, after) == "_":
            below, above, end = self._scripts(items, after)
            variable, low = self._equation(below)
            return end, "ATOM", _notation("Bracket")(
                self.number(group.items, group.at), (variable, low, self.number(above, group.at)))
        if _text(items, after) in ("_", "'"):
            raise Unreadable("a bracket has no index", items[after].at)
        value = self.whole(group.items, group.at)
        if group.text == "|":
            value = sp.Determinant(value) if _is_matrix(value) else sp.Abs(_scalar(value, group.at))
        elif group.text in _ROUNDED:
            value = _ROUNDED[group.text](_scalar(value, group.at))
        return after, "ATOM", value

    def _at_a_place(self, items, at):
        body = self.number(items[at].items, items[at].at)
        if _text(items, at + 1) != "_":
            raise Unreadable("the place is missing", items[at].at)
        if _text(items, at + 3) == "^":
            raise Ambiguous("a power, or a difference of two places?", items[at + 3].at)
        pairs = [self._equation(row) for row in _rows(items[at + 2].items)]
        return at + 3, "ATOM", _tried(sp.Subs, [body, *zip(*pairs)], items[at].at)

    def _function(self, function, items, at, after):
        """A function that may stand without brackets; in ``\\log^{2}(x)`` its value is raised."""
        if _text(items, after) == "^":
            power, inner = self._natural(items[after + 1]), function
            function, after = (lambda x: inner(x) ** power), after + 2
        if _text(items, after) != "(":
            return after, "FUNCTION", function
        if _text(items, after + 1) == "^":
            raise Ambiguous("a power of the argument, or of the function?", items[after + 1].at)
        return after + 1, "ATOM", function(self.whole(items[after].items, items[after].at))

    def _exponent(self, group):
        spelled = _spelled(group.items)
        if spelled in (r"\top", r"- \top"):
            return spelled
        return self.number(group.items, group.at)

    def _natural(self, group):
        value = self.whole(group.items, group.at)
        if not (value.is_Integer and value > 0):
            raise Unreadable("a whole number is expected here", group.at)
        return value

    def number(self, items, at):
        """The value of some items that must be a number, or a matrix."""
        return _scalar_or_matrix(self.whole(items, at), at)

    def symbol(self, items, at):
        """The symbol that some items name."""
        value = self.whole(items, at)
        if not isinstance(value, sp.Symbol):
            raise Unreadable("a symbol is expected here", at)
        return value

    def _equation(self, items):
        """The symbol and the value in ``x = a``."""
        variable, *value = _split(items, "=")
        if len(value) != 1:
            raise Unreadable("an equation is expected here", _place(items, 0))
        return self.symbol(variable, _place(items, 0)), self.number(*value, _place(items, 0))

    def _scripts(self, items, at):
        """The subscript and the superscript from ``at`` on, and where they end."""
        found = {}
        while _text(items, at) in ("_", "^") and items[at].text not in found:
            found[items[at].text] = items[at + 1].items
            at += 2
        return found.get("_", ()), found.get("^", ()), at

    def _range(self, index, at):
        ranges = self.vocabulary.ranges
        name = next((n for n, thing in self.vocabulary._things() if thing == index and n in ranges), None)
        if name is None:
            raise Unreadable(f"the range of {index} is not known", at)
        return index, *ranges[name]

    def _summed(self, kind):
        def handler(self, items, at):
            below, above, end = self._scripts(items, at + 1)
            here = items[at].at
            if not below:
                raise Unreadable("the range is missing", here)
            if above:
                limits = [(*self._equation(below), self.number(above, here))]
            elif len(sides := _split(below, r"\neq")) == 2:
                limit = self._range(self.symbol(sides[0], here), here)
                left_out = self.number(sides[1], here)
                return [(end, "OPERATOR", lambda body: _notation("Without")(kind(body, limit), left_out))]
            elif len(below) == 1 or below[0].text != r"\substack":
                limits = [self._range(self.symbol(below, here), here)]
            else:
                limits = [self._chain(row) for row in _rows(below)]
            return [(end, "OPERATOR", lambda body: kind(body, *limits))]

        return handler

    def _chain(self, items):
        """The index and its bounds in ``1 \\le i \\le n``."""
        parts = _split(items, r"\le")
        if len(parts) != 3:
            raise Unreadable("a range is expected here", _place(items, 0))
        low, index, high = parts
        here = _place(items, 0)
        return self.symbol(index, here), self.number(low, here), self.number(high, here)

    def _extreme(self, items, at):
        here, after = items[at].at, at + 1
        if _text(items, after) == "_" and items[at].text == r"\max":
            limit = self._range(self.symbol(items[after + 1].items, here), here)
            return [(after + 2, "OPERATOR", lambda body: _notation("MaxOver")(body, limit))]
        if _text(items, after) != "(":
            raise Unreadable("a range or a list is expected here", here)
        kind = sp.Max if items[at].text == r"\max" else sp.Min
        values = [self.number(part, here) for part in _split(items[after].items, ",")]
        return [(after + 1, "ATOM", kind(*values))]

    def _limit(self, items, at):
        below, _, end = self._scripts(items, at + 1)
        variable, *target = _split(below, r"\to")
        if len(target) != 1 or not target[0]:
            raise Unreadable("the place of the limit is missing", items[at].at)
        variable, target, side = self.symbol(variable, items[at].at), target[0], "+-"
        if len(target) > 2 and target[-2].text == "^" and _spelled(target[-1].items) in ("+", "-"):
            side, target = _spelled(target[-1].items), target[:-2]
        place = self.number(target, items[at].at)
        if place.is_infinite:
            return [(end, "OPERATOR", lambda body: sp.Limit(body, variable, place))]
        return [(end, "OPERATOR", lambda body: sp.Limit(body, variable, place, side))]

    def _integral(self, items, at):
        below, above, end = self._scripts(items, at + 1)
        ends = (self.number(below, items[at].at), self.number(above, items[at].at)) if end > at + 1 else ()
        return [(end, "INTEGRAL", ends)]

    def _differential(self, items, at):
        return [(end, "DIFFERENTIAL", value) for end, _, value in self._claimed(items, at + 1, [])
                if isinstance(value, sp.Symbol)] if at + 1 < len(items) else []

    def _root(self, items, at):
        if _text(items, at + 1) == "[":
            order, body, end = self._natural(items[at + 1]), items[at + 2], at + 3
        else:
            order, body, end = sp.Integer(2), items[at + 1], at + 2
        return [(end, "ATOM", sp.Pow(_scalar(self.whole(body.items, body.at), body.at), 1 / order))]

    def _every(self, items, at):
        colon = next((i for i in range(at, len(items)) if items[i].text in (r"\colon", ":")), None)
        if colon is None:
            raise Unreadable("a colon is missing", items[at].at)
        symbols = [self.symbol(part, items[at].at) for part in _split(items[at + 1:colon], ",")]
        return [(colon + 1, "EVERY", symbols)]

    # --- fractions, and derivatives, which look like fractions

    def _fraction(self, items, at):
        above, below = items[at + 1], items[at + 2]
        end, found, failure = at + 3, [], None
        sign = _text(above.items, 0)
        if sign in (r"\partial", "d") and _text(below.items, 0) == sign:
            rest = above.items[1:]
            if not rest or len(rest) == 2 and rest[0].text == "^":
                order = self._natural(rest[1]) if rest else 1
                try:
                    found.append((end, "OPERATOR", self._derivative(below, sign, order)))
                except Ambiguous:
                    raise
                except Unreadable as error:
                    failure = error
            elif sign == r"\partial":
                found.append((end, "ATOM", self._partial(rest, below.items[1:], above.at)))
        if sign != r"\partial":
            try:
                top, bottom = self.number(above.items, above.at), self.number(below.items, below.at)
                if at and items[at - 1].text[0].isdigit() and top.is_Integer and bottom.is_Integer:
                    raise Ambiguous("a product, or a mixed number?", items[at].at)
                found.append((end, "FRACTION", _quotient(top, bottom, below.at)))
            except Ambiguous:
                raise
            except Unreadable as error:
                failure = failure or error
        if not found:
            raise failure or Unreadable("this is neither a quotient nor a derivative", items[at].at)
        return found

    def _derivative(self, below, sign, order):
        """The operator whose denominator is ``\\partial x^{2} \\partial y``, with its total order."""
        counts, by = Counter(), None
        for part in _split(below.items, sign)[1:]:
            times = 1
            if len(part) > 2 and part[-2].text == "^":
                part, times = part[:-2], self._natural(part[-1])
            try:
                variable = self.whole(part, below.at)
            except Ambiguous:
                raise
            except Unreadable:
                variable = None
            if isinstance(variable, (sp.Symbol, sp.Indexed)):
                counts[variable] += times
            else:
                by = next(((argument, build) for application, argument, build in self.vocabulary.partials
                           if variable == argument or self._names(part, argument, application)), None)
                if by is None or order != 1:
                    raise Unreadable("a variable is expected here", _place(part, 0))
        if by is not None:
            return lambda body: by[1](body, by[0])
        if sum(counts.values()) != order:
            raise Unreadable("the orders of this derivative do not agree", below.at)
        return lambda body: sp.Derivative(body, *counts.items())

    def _partial(self, name, argument, at):
        r"""What ``\frac{\partial F}{\partial f'}`` stands for."""
        function = self.vocabulary._functions.get(_spelled(name))
        found = [build(application, by) for application, by, build in self.vocabulary.partials
                 if function is not None and getattr(_plain(application), "func", None) == function
                 and self._names(argument, by, application)]
        if not found:
            raise Unreadable("no such derivative is known", at)
        if any(value != found[0] for value in found):
            raise Ambiguous("several arguments have this name", at)
        return found[0]

    def _names(self, items, thing, application):
        """Whether some items are the name of an argument, which is written without its own arguments."""
        primes = sum(item.text == "'" for item in items)
        stem = items[:len(items) - primes]
        thing, application = _plain(thing), _plain(application)
        named = [part for part in thing.atoms(AppliedUndef)
                 if part.func == self.vocabulary._functions.get(_spelled(stem))]
        try:
            named.append(self.whole(stem))
        except Unreadable:
            pass
        # a definition whose last argument is left out: which one it is, the argument itself tells
        for meaning in self.vocabulary._meanings.get(_spelled(stem[:1]), ()):
            if meaning.call == "(" and len(meaning.slots or ()) == 1:
                for _, bound in _matches(meaning.stem, stem, inside=True):
                    given = self._bound([bound], items[0].at)
                    named += [meaning.build(*given, last) for last in thing.free_symbols]
        named = map(_plain, named)
        if primes:
            return any(sp.Derivative(value, (by, primes)) == thing for value in named
                       for by in value.free_symbols if isinstance(by, sp.Symbol))
        return any(value == thing for value in named)

    # --- names with more than one letter, and letters with a meaning

    def _operator(self, items, at):
        name, here, after = _spelled(items[at + 1].items).replace(" ", ""), items[at].at, at + 2
        if name == "Var":
            return [self._mean(items, at, 2)]
        if name not in _NAMED:
            raise Unreadable(f"no meaning is known for {name}", here)
        return [self._function(lambda x: _NAMED[name](x, here), items, at, after)]

    def _determinant(self, items, at):
        return [self._function(lambda x: _NAMED["det"](x, items[at].at), items, at, at + 1)]

    def _expectation(self, items, at):
        if _spelled(items[at + 1].items) != "E":
            raise Unreadable("no meaning is known for this", items[at].at)
        return [self._mean(items, at, 1)]

    def _mean(self, items, at, which):
        below, _, end = self._scripts(items, at + 2)
        variable, *law = _split(below, r"\sim")
        if len(law) != 1 or _text(items, end) != "[":
            raise Unreadable("a variable with its law, and square brackets, are expected here", items[at].at)
        known = self.vocabulary.laws[self._law(law[0], items[at].at)]
        if self.whole(variable, items[at].at) != known[0]:
            raise Unreadable(f"the variable of this law is {known[0]}", items[at].at)
        return end + 1, "ATOM", known[which](self.number(items[end].items, items[end].at))

    def _law(self, items, at):
        if (name := self.vocabulary._laws.get(_spelled(items))) is None:
            raise Unreadable(f"no law is known as {_spelled(items)}", at)
        return name

    def _divergence(self, items, at):
        if _spelled(items[at + 1].items) != "K L" or _text(items, at + 2) != "(":
            raise Unreadable("no meaning is known for this", items[at].at)
        names = [self._law(part, items[at].at) for part in _split(items[at + 2].items, r"\|")]
        if len(names) != 2:
            raise Unreadable("two laws are expected here", items[at].at)
        return [(at + 3, "ATOM", self.vocabulary.divergence(*names))]

    def _delta(self, items, at):
        if _text(items, at + 1) != "_":
            raise Unreadable("no meaning is known for this", items[at].at)
        inner = items[at + 2].items
        cuts = ([tuple(parts)] if len(parts := _split(inner, ",")) == 2 else
                [(inner[:cut], inner[cut:]) for cut in range(1, len(inner))])
        found = []
        for pair in cuts:
            try:
                found.append([self.number(part, items[at].at) for part in pair])
            except Ambiguous:
                raise
            except Unreadable:
                continue
        if len(found) > 1:
            raise Ambiguous("these two indices can be told apart in two ways", items[at].at)
        if not found:
            raise Unreadable("two indices are expected here", items[at].at)
        return [(at + 3, "ATOM", sp.KroneckerDelta(*found[0]))]

    def _identity(self, items, at):
        if _text(items, at + 1) != "_":
            raise Unreadable("no meaning is known for this", items[at].at)
        return [(at + 3, "ATOM", sp.Identity(self.number(items[at + 2].items, items[at].at)))]

    _HANDLERS = {
        r"\sum": lambda self, items, at: self._summed(sp.Sum)(self, items, at),
        r"\prod": lambda self, items, at: self._summed(sp.Product)(self, items, at),
        r"\max": _extreme, r"\min": _extreme, r"\lim": _limit, r"\int": _integral, r"\,d": _differential,
        r"\sqrt": _root, r"\forall": _every, r"\frac": _fraction,
        r"\operatorname": _operator, r"\det": _determinant, r"\mathbb": _expectation,
        r"\mathrm": _divergence, r"\delta": _delta, "I": _identity,
    }


_CONSTANTS = {r"\pi": sp.pi, "e": sp.E, r"\infty": sp.oo}
_NAMED = {
    "sign": lambda x, at: sp.sign(_scalar(x, at)),
    "erf": lambda x, at: sp.erf(_scalar(x, at)),
    "erfc": lambda x, at: sp.erfc(_scalar(x, at)),
    "tr": lambda x, at: sp.Trace(x) if _is_matrix(x) else _scalar(x, at),
    "det": lambda x, at: sp.Determinant(x) if _is_matrix(x) else _scalar(x, at),
    "diag": lambda x, at: sp.DiagMatrix(x),
}


def _text(items, at):
    return items[at].text if 0 <= at < len(items) else None


def _place(items, at):
    """Where the item stands in the TeX; after the last one, the place of the last."""
    return items[min(at, len(items) - 1)].at if items else 0


def _rows(items):
    """Conditions, one below the other or with commas between."""
    if items and items[0].text == r"\substack":
        return _split(items[1].items, r"\\")
    return _split(items, ",")


def _odd_index(value):
    """Whether a value is an entry with an index that need not be an integer: it may be part of a name."""
    return isinstance(value, sp.Indexed) and any(i.is_Symbol and not i.is_integer for i in value.indices)


def _tried(build, arguments, at):
    try:
        return build(*arguments)
    except (TypeError, ValueError, IndexError, AttributeError) as error:
        if isinstance(error, Unreadable):
            raise
        raise Unreadable(f"these arguments do not fit: {error}", at) from error


def _slope(build, arguments, order, at):
    """The derivative by the last argument, there."""
    *others, last = arguments
    slot = sp.Dummy(real=True)
    value = _tried(build, [*others, slot], at)
    if isinstance(last, sp.Symbol) and last not in value.free_symbols:
        return sp.Derivative(_tried(build, arguments, at), (last, order))
    return sp.Subs(sp.Derivative(value, (slot, order)), slot, last)


def _notation(name):
    from . import notation

    return getattr(notation, name)


def _plain(value):
    """What a definition stands for: only to find out which derivative a name means."""
    return _notation("unfold")(value)


# --- third pass: how atoms combine ---------------------------------------------------------------


def _is_matrix(value):
    return getattr(value, "is_Matrix", False)


def _shape(value):
    return value.shape if _is_matrix(value) else ()


def _is_relation(value):
    return isinstance(value, Boolean) and not isinstance(value, sp.Expr)  # for SymPy a symbol may be both


def _scalar(value, at=0):
    if _is_relation(value) or _is_matrix(value):
        raise Unreadable("a number is expected here", at)
    return value


def _scalar_or_matrix(value, at=0):
    if _is_relation(value):
        raise Unreadable("a relation stands where a number is expected", at)
    return value


def _alike(a, b):
    """Two values that are added or compared: the zero of a matrix is a matrix."""
    a, b = _scalar_or_matrix(a), _scalar_or_matrix(b)
    if _is_matrix(a) and b == 0:
        b = sp.ZeroMatrix(*a.shape)
    if _is_matrix(b) and a == 0:
        a = sp.ZeroMatrix(*b.shape)
    if _shape(a) != _shape(b):
        raise Unreadable("a sum or a relation of two shapes")
    return a, b


def _quotient(top, bottom, at=0):
    return _multiplied([top, 1 / _scalar(bottom, at)])


def _multiplied(factors):
    """The product; matrices keep their order, and a row times a column is a number."""
    numbers = [f for f in factors if not _is_matrix(_scalar_or_matrix(f))]
    chains = []
    for matrix in factors:
        if not _is_matrix(matrix):
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


@v_args(inline=True)
class _Combine(Transformer):
    """What the rules of the grammar mean."""

    def start(self, statement):
        return statement.value if isinstance(statement, Token) else statement

    def _value(self, thing):
        return thing.value if isinstance(thing, Token) else thing

    def product(self, *factors):
        factors = [self._value(f) for f in factors if not (isinstance(f, Token) and f.type == "DOT")]
        return factors[0] if len(factors) == 1 else _multiplied(factors)

    product_before = product

    def quotient(self, top, slash, bottom):
        return _quotient(top, self._value(bottom))

    def power(self, base, exponent):
        base, exponent = base.value, exponent.value
        if exponent == r"\top" or exponent == r"- \top":
            if not _is_matrix(base):
                raise Unreadable("only a matrix can be transposed")
            return sp.Transpose(base) if exponent == r"\top" else sp.Inverse(sp.Transpose(base))
        if _is_matrix(base):
            if not exponent.is_Integer:
                raise Unreadable("a power of a matrix is a whole number")
            return sp.Inverse(base) if exponent == -1 else sp.MatPow(base, exponent)
        return sp.Pow(_scalar(base), _scalar(exponent))

    def operate(self, operator, body):
        return operator.value(_scalar_or_matrix(self._value(body)))

    def integrate(self, integral, body, differential):
        return sp.Integral(_scalar(body), (differential.value, *integral.value))

    def negative(self, minus, term):
        return _multiplied([sp.S.NegativeOne, term])

    def plus(self, left, plus, right):
        left, right = _alike(left, right)
        return sp.MatAdd(left, right) if _is_matrix(left) else left + right

    def minus(self, left, minus, right):
        return self.plus(left, None, _multiplied([sp.S.NegativeOne, right]))

    def compare(self, left, relation, right):
        return relation.value(*_alike(left, right), evaluate=False)

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
        if not all(map(_is_relation, parts)):
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
    grammar = Path(__file__).with_name("grammar.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", lexer=_Given, transformer=_Combine(), strict=True)


def _terminal(kind, value, at):
    terminal = Token(kind, "", start_pos=at)
    terminal.value = value
    return terminal


def _parse(terminals, items):
    try:
        return _parser().parse(terminals)
    except UnexpectedToken as error:
        if error.token.type == "$END":
            raise Unreadable("the formula ends too early", items[-1].at) from None
        raise Unreadable("this cannot follow what stands before it", error.token.start_pos) from None
    except Unreadable as error:
        raise error if error.at else type(error)(error.reason, items[0].at) from None

"""A formula in plain text: ``typed.lark`` says how it is built, this module what that means.

What is typed is never executed: a name is one of the vocabulary, or a function of a list, or a stranger.
"""

import pkgutil
import re
from functools import cache, partial
from itertools import islice

import sympy
from lark import Lark, UnexpectedCharacters, UnexpectedInput

from proofread.language import sympy as sp
from proofread.language.typed import (
    Entry,
    Function,
    Minus,
    Name,
    Negative,
    Over,
    Plus,
    Power,
    Times,
    unfold,
)

LARGEST = 1000  #: number of which a power or a factorial is taken
DIGITS = 2000  #: binary ones, of a power of a number: SymPy computes it, and nothing could stop that

#: pasted or typed with a Greek keyboard, and what is read
SIGNS = str.maketrans({"−": "-", "–": "-", "·": "*", "⋅": "*", "×": "*", "÷": "/", "²": "^2", "³": "^3",
                        "√": " sqrt ", "∞": " oo ", "ℓ": " ell ", "\u00a0": " "})
_GREEK = dict(zip("αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΦΨΩ",
                  "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau "
                  "upsilon phi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega".split()))

_FUNCTIONS = {name: getattr(sp, name) for name in (
    "exp log sqrt sin cos tan asin acos atan sinh cosh tanh erf erfc gamma loggamma digamma factorial "
    "binomial sign floor ceiling Max Min Sum Product Integral Derivative KroneckerDelta").split()}
_FUNCTIONS |= {"ln": sp.log, "abs": sp.Abs, "Abs": sp.Abs, "psi": sp.digamma, "max": sp.Max, "min": sp.Min,
               "sum": sp.Sum, "prod": sp.Product, "int": sp.Integral, "delta": sp.KroneckerDelta,
               "Rational": Over, "polygamma": sp.written(sympy.polygamma)}
#: read in either case, but where a capital letter is another one
_SMALL = {name.lower(): kind for name, kind in _FUNCTIONS.items() if name not in ("psi", "delta")}
#: how a function is typed
NAMES = {kind: word for word, kind in reversed(_FUNCTIONS.items())} | {sp.KroneckerDelta: "delta"}
_GROW = (sp.factorial, sp.gamma, sp.binomial)
_BIND = {sp.Sum: "integer", sp.Product: "integer", sp.Integral: "real"}
_CONSTANTS = {"e": sp.E, "E": sp.E, "pi": sp.pi, "EulerGamma": sp.EulerGamma,
              **dict.fromkeys(("oo", "inf", "infty", "infinity"), sp.oo)}
_SHORT = {"eps": "epsilon"}
_VARIANT = re.compile(r"^var(?=(epsilon|theta|kappa|pi|rho|sigma|phi)(?![a-z]))")
_INSTEAD = {"|": "abs(x)", "!": "factorial(n)"}


def read(text, vocabulary):
    """The formulas of a text, and whether there are strangers in them.

    Parameters
    ----------
    text : str
    vocabulary : reading.Vocabulary

    Raises
    ------
    ValueError
        With what cannot be read, in words.
    """
    meaning = _Meaning(vocabulary)
    return tuple(map(meaning.of, _parsed(spelled(text), vocabulary).children)), meaning.strange


class _Meaning:
    """What the nodes of a tree mean."""

    def __init__(self, page):
        self.page, self.bound, self.strange = page, {}, False

    def of(self, node):
        return getattr(self, node.data)(*node.children)

    def plus(self, left, right):
        return Plus(self.of(left), self.of(right))

    def minus(self, left, right):
        return Minus(self.of(left), self.of(right))

    def times(self, left, right):
        return Times(self.of(left), self.of(right))

    def beside(self, left, right):
        if right.data == "number":
            raise ValueError(f"Is a sign of multiplication missing before {right.children[0]}?")
        return self.times(left, right)

    def over(self, left, right):
        return Over(self.of(left), self.of(right))

    def negative(self, inner):
        return Negative(self.of(inner))

    def power(self, base, exponent):
        base, exponent = self.of(base), self.of(exponent)
        number, power = unfold(base), unfold(exponent)
        if power.is_Rational:
            large = abs(power) > LARGEST
            if number.is_Rational:
                large |= abs(power) * max(number.p.bit_length(), number.q.bit_length()) > DIGITS
            if large:
                raise ValueError(f"A number is too large here: {base}^{exponent}.")
        return Power(base, exponent)

    def number(self, digits):
        return sympy.Rational(str(digits))

    def name(self, word):
        return self.named(str(word))

    def named(self, word):
        if word in self.bound:
            return self.bound[word]
        for known in spellings(word):
            if (thing := self.page.names.get(known)) is not None:
                return Name(thing) if isinstance(thing, sympy.Basic) else self.stranger(word)
            if (one := self.page.defined.get(known)) and not one.arguments:
                return one
        if word in _CONSTANTS:
            return _CONSTANTS[word]
        stem, _, below = word.partition("_")
        if below and (self.page.applicable(stem) or stem == "delta"):
            return self.entry(stem, *self.indices(below.strip("{}"), stem))
        return self.stranger(word)

    def stranger(self, word):
        """A name that nobody knows: the exercise will say which it knows."""
        self.strange = True
        return sp.Symbol(word.replace("{", "").replace("}", ""))

    def indices(self, text, stem):
        """What stands below a name; ``jk`` below a delta are two indices."""
        parts = [*text] if stem == "delta" and len(text) == 2 else text.split(",")
        return [self.of(_parsed(part, self.page).children[0]) for part in parts]

    def entry(self, stem, *indices):
        stem = str(stem)
        indices = [index if isinstance(index, sympy.Basic) else self.of(index) for index in indices]
        thing = self.page.names.get(stem)
        if isinstance(thing, sympy.IndexedBase):
            return Entry(Name(thing), *indices)
        if thing is not None:
            raise ValueError(f"`{stem}` has no entries here.")
        return self.called(stem, indices)

    def apply(self, head, *parts):
        head = str(head)
        kind = None if head in self.page.names or head in self.page.defined else function(head)
        if kind in _BIND and len(parts) == 2 and parts[1].data == "limits":
            return self.bind(kind, parts[0], *parts[1].children)
        return self.called(head, [self.of(part) for part in parts])

    def limits(self, *parts):
        return sympy.Tuple(*map(self.of, parts))

    def bind(self, kind, body, index, *ends):
        if index.data != "name":
            raise ValueError("What a sum runs over is a name, as in `Sum(p[k], (k, 1, n))`.")
        word, outer = str(index.children[0]), dict(self.bound)
        ends = [self.of(end) for end in ends]
        known = self.page.names.get(word)
        fact = _BIND[kind]
        own = known if getattr(known, f"is_{fact}", False) else sympy.Symbol(word, **{fact: True})
        self.bound = outer | {word: Name(own)}
        try:
            return kind(self.of(body), sympy.Tuple(Name(own), *ends))
        finally:
            self.bound = outer

    def called(self, word, arguments):
        thing, applied = self.page.names.get(word), self.page.defined.get(word)
        if thing is not None:
            kind = Function(thing.__name__, **thing._kwargs)
        elif applied is not None:
            kind = partial(type(applied), applied.signature)
        elif (kind := function(word)) is None:
            raise ValueError(f"`{word}` has no entries here.")
        if kind in _GROW and any(unfold(a).is_Rational and abs(unfold(a)) > LARGEST for a in arguments):
            raise ValueError(f"A number is too large here, in `{word}`.")
        try:
            if applied is not None and len(arguments) != len(applied.arguments):
                raise TypeError
            made = kind(*arguments)
            unfold(made)
            return made
        except (TypeError, ValueError, IndexError, AttributeError):
            raise ValueError(f"`{word}` has other arguments: {len(arguments)} do not fit.") from None


# --- names --------------------------------------------------------------------------------------------


def bare(name):
    """A name without marks and signs: ``m_1`` and ``m_{1}`` are shown alike."""
    return re.sub(r"[\W_]", "", name)


def typed(name):
    """How a name is typed: also of ``varepsilon`` its letter says enough."""
    name = _VARIANT.sub("", name)
    return name if re.fullmatch(r"[^\W_]+(_[^\W_]+)?", name) else bare(name)


def spellings(word):
    """The ways in which a name may be kept: ``epsilon`` and ``varepsilon`` are shown alike."""
    plainly = bare(_SHORT.get(word, word))
    return plainly, plainly.removeprefix("var"), f"var{plainly}"


def function(word):
    """What everybody knows as a function; None if nobody does."""
    return _FUNCTIONS.get(word) or _SMALL.get(word.lower())


def meant(text, names):
    """Of each word in a text that is none of these names, and no function, one that looks like it.

    Examples
    --------
    >>> meant("T + log2(sig) - t", ["sigma", "t"])
    {'T': 't', 'log2': 'log', 'sig': 'sigma'}
    """
    found, known = {}, {bare(name) for name in names}
    for word in re.findall(r"\\?[^\W\d_](?:[^\W_]|_(?=[^\W_]))*", text):
        if not (word[0] == "\\" or function(word) or word in _CONSTANTS or known & {*spellings(word)}):
            alike = (name for name in [*names, *_FUNCTIONS, *_CONSTANTS] if _alike(word, name))
            found |= {word: name for name in islice(alike, 1)}
    return found


def _alike(one, other):
    """Whether two words differ in their case, or one, of more letters than one, begins the other."""
    short, long = sorted((one.lower(), other.lower()), key=len)
    return short == long or len(short) > 1 and long.startswith(short)


# --- the text ----------------------------------------------------------------------------------------


def spelled(text):
    """Signs that other keyboards have, as the grammar spells them."""
    text = text.translate(SIGNS).replace("**", "^")
    text = re.sub(r"\b(sp|sympy|np|numpy|math|torch)\.(?=[A-Za-z])", "", text)  # as in a notebook
    return re.sub("|".join(_GREEK), lambda sign: f" {_GREEK[sign[0]]}", text)


@cache
def _parser():
    grammar = pkgutil.get_data(__package__, "typed.lark").decode()
    return Lark(grammar, parser="lalr", lexer="basic")


def _parsed(text, page):
    """The tree of a text in plain spelling."""
    try:
        tokens, parsing = [*_parser().lex(text)], _parser().parse_interactive()
        for token, follows in zip(tokens, [*tokens[1:], ""]):
            if token.type == "NAME":
                token.type = page.kind(str(token), follows)
            parsing.feed_token(token)
        return parsing.feed_eof(*tokens[-1:])
    except UnexpectedInput as error:
        raise ValueError(_trouble(error, text)) from None


def _trouble(error, text):
    """What is wrong with a text, in words."""
    if isinstance(error, UnexpectedCharacters):
        sign = text[error.pos_in_stream]
        instead = f": type `{_INSTEAD[sign]}`" if sign in _INSTEAD else ""
        return f"The sign `{sign}` has no meaning here{instead}."
    if error.token.type == "$END":
        opened = text.count("(") > text.count(")")
        return "The formula ends too early" + (": a bracket is not closed." if opened else ".")
    before = text[:error.token.start_pos].strip()
    return f"`{error.token}` cannot " + (f"follow `{before}`." if before else "begin a formula.")

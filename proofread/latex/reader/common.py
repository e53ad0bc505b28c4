"""What everybody knows: signs, brackets, functions, and letters with a meaning.

A function here is given the `Reading`, some items and the place of one of them.  It returns the choices for
what stands there: where it ends, which terminal of the grammar it is, and its value.
"""

import sympy as sp

from proofread.language.binders import Bracket

from .brackets import Group, place_of, rows, spelled, split, text_at
from .errors import Ambiguous, Unreadable, one_way
from .operators import OPERATORS
from .quotients import fraction
from .values import built, is_matrix, is_relation, scalar

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
_CONSTANTS = {r"\pi": sp.pi, "e": sp.E, r"\infty": sp.oo}


def common(reading, items, at):
    """The choices of the common language."""
    item, here = items[at], items[at].at
    text = item.text
    if isinstance(item, Group):
        return [_bracket(reading, items, at)]
    if text in _SIGNS:
        return [(at + 1, _SIGNS[text], None)]
    if text in _RELATIONS:
        return [(at + 1, "RELATION", _RELATIONS[text])]
    if text[0].isdigit():
        return [(at + 1, "NUMBER", sp.Rational(text))]
    if text == "^":
        return [(at + 2, "POWER", _exponent(reading, items[at + 1]))]
    if text in _FUNCTIONS:
        return [_function(reading, _FUNCTIONS[text], items, at, at + 1)]
    if text in _LETTERS and text_at(items, at + 1) == "(":
        return [(at + 2, "ATOM", _LETTERS[text](reading.number(items[at + 1].items, here)))]
    if handler := _HANDLERS.get(text):
        return handler(reading, items, at)
    if text in _CONSTANTS and text_at(items, at + 1) not in ("_", "'"):
        return [(at + 1, "ATOM", _CONSTANTS[text])]
    raise Unreadable(f"no meaning is known for {spelled(items[at:at + 1])} here", here)


# --- brackets, exponents and roots ------------------------------------------------------------------


def _bracket(reading, items, at):
    group, after = items[at], at + 1
    if group.text == "{":
        raise Unreadable("no meaning is known for this", group.at)
    if group.text == r"\begin{cases}":
        return after, "ATOM", _pieces(reading, group)
    if group.text == ".":
        return _at_a_place(reading, items, at)
    if group.text == "[" and text_at(items, after) == "_":
        below, above, end = reading.scripts(items, after)
        variable, low = reading.equation(below)
        return end, "ATOM", Bracket(
            reading.number(group.items, group.at), (variable, low, reading.number(above, group.at)))
    if text_at(items, after) in ("_", "'"):
        raise Unreadable("a bracket has no index", items[after].at)
    value = reading.whole(group.items, group.at)
    if group.text == "|":
        value = sp.Determinant(value) if is_matrix(value) else sp.Abs(scalar(value, group.at))
    elif group.text in _ROUNDED:
        value = _ROUNDED[group.text](scalar(value, group.at))
    return after, "ATOM", value


def _at_a_place(reading, items, at):
    body = reading.number(items[at].items, items[at].at)
    if text_at(items, at + 1) != "_":
        raise Unreadable("the place is missing", items[at].at)
    if text_at(items, at + 3) == "^":
        raise Ambiguous("a power, or a difference of two places?", items[at + 3].at)
    pairs = [reading.equation(row) for row in rows(items[at + 2].items)]
    return at + 3, "ATOM", built(sp.Subs, [body, *zip(*pairs)], items[at].at)


def _pieces(reading, group):
    """The value of ``\\begin{cases}``: each row a number and where it holds, with "otherwise" in the last."""
    *before, last = [_piece(reading, row, group.at) for row in split(group.items, r"\\")]
    if any(condition is sp.true for _, condition in before):
        raise Unreadable("a piece stands after what is said of all the rest", group.at)
    return sp.Piecewise(*before, last)


def _piece(reading, row, at):
    value, *where = split(row, "&")
    said = spelled(where[0][1].items) if len(where) == 1 and text_at(where[0], 0) == r"\text" else ""
    if said == "o t h e r w i s e" and len(where[0]) == 2:
        condition = sp.true
    elif said == "i f":
        condition = reading.whole(where[0][2:], at)
    else:
        raise Unreadable("where this piece holds is missing", place_of(row, 0) or at)
    if not is_relation(condition):
        raise Unreadable("a relation is expected here", where[0][0].at)
    return scalar(reading.number(value, at), at), condition


def _exponent(reading, group):
    """A number; or the sign of a transposed matrix, which the grammar has to know."""
    sign = spelled(group.items)
    return sign if sign in (r"\top", r"- \top") else reading.number(group.items, group.at)


def _root(reading, items, at):
    if text_at(items, at + 1) == "[":
        order, body, end = reading.natural(items[at + 1]), items[at + 2], at + 3
    else:
        order, body, end = sp.Integer(2), items[at + 1], at + 2
    return [(end, "ATOM", sp.Pow(scalar(reading.whole(body.items, body.at), body.at), 1 / order))]


# --- functions --------------------------------------------------------------------------------------

_NAMED = {
    "sign": lambda x, at: sp.sign(scalar(x, at)),
    "erf": lambda x, at: sp.erf(scalar(x, at)),
    "erfc": lambda x, at: sp.erfc(scalar(x, at)),
    "tr": lambda x, at: sp.Trace(x) if is_matrix(x) else scalar(x, at),
    "det": lambda x, at: sp.Determinant(x) if is_matrix(x) else scalar(x, at),
    "diag": lambda x, at: sp.DiagMatrix(x),
}


def _function(reading, function, items, at, after):
    """A function that may stand without brackets; in ``\\log^{2}(x)`` its value is raised."""
    if text_at(items, after) == "^":
        power, inner = reading.natural(items[after + 1]), function
        function, after = (lambda x: inner(x) ** power), after + 2
    if text_at(items, after) != "(":
        return after, "FUNCTION", function
    if text_at(items, after + 1) == "^":
        raise Ambiguous("a power of the argument, or of the function?", items[after + 1].at)
    return after + 1, "ATOM", function(reading.whole(items[after].items, items[after].at))


def _operator(reading, items, at):
    name, here, after = spelled(items[at + 1].items).replace(" ", ""), items[at].at, at + 2
    if name == "Var":
        return [_mean(reading, items, at, 2)]
    if name not in _NAMED:
        raise Unreadable(f"no meaning is known for {name}", here)
    return [_function(reading, lambda x: _NAMED[name](x, here), items, at, after)]


def _determinant(reading, items, at):
    return [_function(reading, lambda x: _NAMED["det"](x, items[at].at), items, at, at + 1)]


# --- laws -------------------------------------------------------------------------------------------


def _expectation(reading, items, at):
    if spelled(items[at + 1].items) != "E":
        raise Unreadable("no meaning is known for this", items[at].at)
    return [_mean(reading, items, at, 1)]


def _mean(reading, items, at, which):
    below, _, end = reading.scripts(items, at + 2)
    variable, *law = split(below, r"\sim")
    if len(law) != 1 or text_at(items, end) != "[":
        raise Unreadable("a variable with its law, and square brackets, are expected here", items[at].at)
    known = reading.vocabulary.laws[_law(reading, law[0], items[at].at)]
    drawn = reading.vocabulary.vector(variable) or reading.whole(variable, items[at].at)
    if drawn != known[0]:
        raise Unreadable(f"the variable of this law is {known[0]}", items[at].at)
    return end + 1, "ATOM", known[which](reading.number(items[end].items, items[end].at))


def _law(reading, items, at):
    if (name := reading.vocabulary.law(items)) is None:
        raise Unreadable(f"no law is known as {spelled(items)}", at)
    return name


def _divergence(reading, items, at):
    if spelled(items[at + 1].items) != "K L" or text_at(items, at + 2) != "(":
        raise Unreadable("no meaning is known for this", items[at].at)
    names = [_law(reading, part, items[at].at) for part in split(items[at + 2].items, r"\|")]
    if len(names) != 2:
        raise Unreadable("two laws are expected here", items[at].at)
    return [(at + 3, "ATOM", reading.vocabulary.divergence(*names))]


# --- letters with indices ---------------------------------------------------------------------------


def _delta(reading, items, at):
    if text_at(items, at + 1) != "_":
        raise Unreadable("no meaning is known for this", items[at].at)
    inner = items[at + 2].items
    cuts = ([tuple(parts)] if len(parts := split(inner, ",")) == 2 else
            [(inner[:cut], inner[cut:]) for cut in range(1, len(inner))])
    found, failures = [], [Unreadable("two indices are expected here", items[at].at)]
    for pair in cuts:
        with one_way(failures):
            found.append([reading.number(part, items[at].at) for part in pair])
    if len(found) > 1:
        raise Ambiguous("these two indices can be told apart in two ways", items[at].at)
    if not found:
        raise failures[0]  # why each single cut fails says nothing
    return [(at + 3, "ATOM", sp.KroneckerDelta(*found[0]))]


def _identity(reading, items, at):
    if text_at(items, at + 1) != "_":
        raise Unreadable("no meaning is known for this", items[at].at)
    return [(at + 3, "ATOM", sp.Identity(reading.number(items[at + 2].items, items[at].at)))]


_HANDLERS = OPERATORS | {
    r"\sqrt": _root, r"\frac": fraction, r"\operatorname": _operator, r"\det": _determinant,
    r"\mathbb": _expectation, r"\mathrm": _divergence, r"\delta": _delta, "I": _identity,
}

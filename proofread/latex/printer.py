"""TeX as a mathematician writes it: formulas in the order and form in which they were typed.

A typed formula is a tree, and each kind of node has a function here that prints it.  How tightly a node binds
is its *level*; an operand that binds less tightly than its place asks for is put in brackets, so brackets are
right for every node in every place.  A plain SymPy expression has lost the form in which it was typed:
`as_typed` gives it one.
"""

import re
from functools import singledispatch

import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.printing.latex import latex

from proofread.language import binders, typed
from proofread.language import sympy as vocabulary
from proofread.language.defined import Defined, DefinedClaim
from proofread.language.notation import KL, E, HasLaw, Partial, Scalar, Var, Without
from proofread.language.typed import (
    Application,
    Entry,
    Formula,
    Minus,
    Name,
    Negative,
    Notation,
    Over,
    Plus,
    Power,
    Related,
    Times,
    is_claim,
    unfold,
)

#: how tightly a node binds; a TAIL reaches to the end of its product
SUM, PRODUCT, TAIL, POWER, ATOM = range(1, 6)

#: within a fraction: quotients stand on the line, as they do in an exponent (where ``inline`` is True), but
#: the numbers before a product keep their form
WITHIN = "within a fraction"


def tex(expr):
    r"""The TeX of an expression in the book's style.

    Examples
    --------
    >>> from proofread import sympy as sp
    >>> z, j, k = sp.IndexedBase("z"), *sp.symbols("j k", integer=True)
    >>> print(tex((z[k] - z[j])**2 / 2))
    \frac{\left(z_{k} - z_{j}\right)^{2}}{2}
    """
    return _shown(expr, 0)


Notation._latex = lambda self, printer: tex(self)


def _shown(expr, level, *, last=True, inline=False):
    """``expr`` where at least ``level`` is asked for; ``last`` if nothing follows it in its product."""
    text, own = _node(as_typed(expr), last, inline)
    if own < level or (own == TAIL and not last):
        return rf"\left({text if last else _shown(expr, 0, inline=inline)}\right)"
    return text


# --- operations -----------------------------------------------------------------------------------


@singledispatch
def _node(expr, last, inline):
    """TeX and level of a typed node."""
    raise TypeError(f"{type(expr).__name__} has no TeX: {expr}")


@_node.register(Plus)
@_node.register(Minus)
def _sum(expr, last, inline):
    left, right = expr.args
    sign = "+" if isinstance(expr, Plus) else "-"
    return f"{_shown(left, SUM, inline=inline)} {sign} {_shown(right, PRODUCT, inline=inline)}", SUM


@_node.register(Negative)
def _negative(expr, last, inline):
    return f"-{_shown(expr.args[0], PRODUCT, last=last, inline=inline)}", SUM


@_node.register(Times)
@_node.register(Over)
def _product(expr, last, inline):
    sign, factors = _factors(expr)
    if not inline:
        factors = [part for factor in factors for part in _share(factor)]
    text = _juxtaposed(factors, last, inline)
    return (f"-{text}", SUM) if sign else (text, _level_of_product(factors, last, inline))


def _share(factor):
    """A sum of fractions over a number, as a share of that sum: so the fractions need not be flattened."""
    if isinstance(factor, Over) and _is_number(factor.args[1]) and unfold(factor.args[1]) > 1:
        top = as_typed(factor.args[0])
        if isinstance(top, (Plus, Minus)) and any(_is_fraction(part) for part in sp.preorder_traversal(top)):
            return [sp.Rational(1, unfold(factor.args[1])), top]
    return [factor]


def _is_fraction(part):
    return isinstance(part, Over) and not _is_number(part.args[1])


def _level_of_product(factors, last, inline):
    if len(factors) == 1 and isinstance(factors[0], Over) and not inline:
        return PRODUCT
    end = _node(as_typed(factors[-1]), True, inline)[1] if not isinstance(factors[-1], Over) else PRODUCT
    return TAIL if last and end == TAIL else PRODUCT


def _factors(expr):
    """A minus sign before a product, and its factors from left to right; a quotient is one of them."""
    expr = as_typed(expr)
    if isinstance(expr, Negative):
        return True, _factors(expr.args[0])[1] if not _factors(expr.args[0])[0] else [expr.args[0]]
    if isinstance(expr, Times):
        sign, before = _factors(expr.args[0])
        after = as_typed(expr.args[1])
        if isinstance(after, Times) and not _factors(after)[0]:
            return sign, [*before, *_factors(after)[1]]
        return sign, [*before, after]
    if isinstance(expr, Over):
        top = as_typed(expr.args[0])
        if isinstance(top, Negative) and not isinstance(as_typed(top.args[0]), Negative):
            return True, [Over(top.args[0], expr.args[1])]
        if isinstance(top, (Times, Over)) and _factors(top)[0]:
            return True, [Over(_without_sign(top), expr.args[1])]
    if expr.is_Rational and expr < 0:
        return True, [-expr]
    return False, [expr]


def _without_sign(expr):
    """A product that begins with a minus sign, without it."""
    expr = as_typed(expr)
    if isinstance(expr, Negative):
        return expr.args[0]
    if expr.is_Rational:
        return -expr
    return expr.func(_without_sign(expr.args[0]), expr.args[1])


def _juxtaposed(factors, last, inline):
    shown = []
    for place, factor in enumerate(factors):
        end = last and place == len(factors) - 1
        if isinstance(factor, Over):
            text = _quotient(factor, inline, small=len(factors) > 1)
            if inline and len(factors) > 1:
                text = rf"\left({text}\right)"
        else:
            if factor.is_Rational and factor.q > 1 and inline is not True:
                shown.append((r"\cdot " if shown else "") + rf"\tfrac{{{factor.p}}}{{{factor.q}}}")
                continue
            text = _shown(factor, PRODUCT if end else TAIL, last=end, inline=inline)
            if not end and _node(as_typed(factor), end, inline)[1] == PRODUCT and place:
                text = rf"\left({text}\right)"
        if shown and (text[0].isdigit() or text.startswith((r"\tfrac", r"\frac{1}{"))):
            text = r"\cdot " + text
        shown.append(text)
    return " ".join(shown)


def _quotient(expr, inline, small=False):
    """A fraction; where it would stand in another one, a quotient on one line."""
    top, bottom = expr.args
    if not inline:
        command = r"\tfrac" if small and _is_number(top) and _is_number(bottom) else r"\frac"
        return rf"{command}{{{_shown(top, 0, inline=WITHIN)}}}{{{_shown(bottom, 0, inline=WITHIN)}}}"
    # a quotient of quotients would be read from either end
    above = _shown(top, POWER if _is_quotient(top) else PRODUCT, last=False, inline=inline)
    return f"{above} / {_shown(bottom, POWER, last=False, inline=inline)}"


def _is_quotient(expr):
    expr = as_typed(expr)
    if isinstance(expr, Scalar):
        return _is_quotient(expr.args[0])
    return isinstance(expr, Over) or expr.is_Rational and expr.q > 1


def _is_number(expr):
    return as_typed(expr).is_Integer


@_node.register(Power)
def _power(expr, last, inline):
    base, exponent = expr.args
    base = _shown(base, ATOM, last=False, inline=inline)
    if "'" in base or "^" in base:
        bracketed = base.startswith(r"\left(") and base.endswith(r"\right)") and _one_bracket(base)
        base = base if bracketed else rf"\left({base}\right)"
    return f"{base}^{{{_shown(exponent, 0, inline=True)}}}", POWER


def _one_bracket(text):
    """Whether the bracket that opens a text is closed at its end."""
    depth = 0
    for found in re.finditer(r"\\left|\\right", text):
        depth += 1 if found[0] == r"\left" else -1
        if depth == 0:
            return found.end() >= len(text) - 1
    return False


# --- names and numbers ----------------------------------------------------------------------------


@_node.register(sp.Rational)
def _rational(expr, last, inline):
    size = abs(expr)
    if size.q == 1:
        text, level = str(size.p), ATOM
    elif inline:
        text, level = f"{size.p} / {size.q}", PRODUCT
    else:
        text, level = rf"\frac{{{size.p}}}{{{size.q}}}", PRODUCT
    return (f"-{text}", SUM) if expr < 0 else (text, level)


@_node.register(sp.Float)
def _float(expr, last, inline):
    text = latex(expr)
    return text, (SUM if expr < 0 else PRODUCT if "cdot" in text else ATOM)


@_node.register(Name)
def _name(expr, last, inline):
    plain = expr.args[0]
    if plain is sp.EulerGamma:
        return r"\gamma", ATOM
    if plain in (sp.pi, sp.E, sp.I):
        return {sp.pi: r"\pi", sp.E: "e", sp.I: "i"}[plain], ATOM
    if plain.is_infinite:
        return (r"\infty", ATOM) if plain is sp.oo else (r"-\infty", SUM)
    return name(plain), ATOM


def name(symbol):
    """TeX of the name of a symbol, a vector or a matrix."""
    text = str(symbol.label if isinstance(symbol, sp.IndexedBase) else symbol.name)
    return r"\varepsilon" if text == "epsilon" else latex(sp.Symbol(text)).strip()


@_node.register(Entry)
def _entry(expr, last, inline):
    base, *indices = expr.args
    plain = unfold(base)
    if isinstance(plain, sp.MatrixExpr):  # SymPy counts from 0
        indices = [unfold(i) + 1 for i in indices]
    inside = ",".join(_shown(i, 0, inline=True) for i in indices)
    return f"{_shown(base, ATOM)}_{{{inside}}}", ATOM


# --- functions ------------------------------------------------------------------------------------

_WORDS = {"log": r"\log", "sin": r"\sin", "cos": r"\cos", "tan": r"\tan", "sinh": r"\sinh", "cosh": r"\cosh",
          "tanh": r"\tanh", "asin": r"\arcsin", "acos": r"\arccos", "atan": r"\arctan",
          "Max": r"\max", "Min": r"\min",
          "gamma": r"\Gamma", "sign": r"\operatorname{sign}", "erf": r"\operatorname{erf}",
          "erfc": r"\operatorname{erfc}", "Trace": r"\operatorname{tr}", "DiagMatrix": r"\operatorname{diag}",
          "digamma": r"\psi", "zeta": r"\zeta", "LambertW": r"W", "beta": r"\mathrm{B}"}
#: may stand before an atom without brackets
_BARE = (r"\log", r"\sin", r"\cos", r"\tan", r"\sinh", r"\cosh", r"\tanh")


@_node.register(typed.Applied)
def _applied(expr, last, inline):
    kind = type(expr).__name__
    if handler := _SPECIAL.get(kind):
        return handler(expr, last, inline)
    if kind not in _WORDS:
        raise TypeError(f"{kind} has no TeX: {expr}")
    word = _WORDS[kind]
    if word in _BARE and last and len(expr.args) == 1:
        inner, level = _node(as_typed(expr.args[0]), False, inline)
        opens = inner.startswith((r"\left", r"\sqrt", r"\exp", r"\log"))
        if level >= POWER and not opens and "(" not in inner:
            return f"{word} {inner}", TAIL
    return word + _fenced(", ".join(_shown(a, 0, inline=inline) for a in expr.args)), POWER


def _fenced(inside, left="(", right=")"):
    r"""Arguments in their brackets, which stand close to the name before them.

    TeX sets a space before ``\left``, as if a product began; after ``\mathopen{}`` it does not.

    >>> _fenced("x"), _fenced(r"\frac{1}{x}")
    ('(x)', '\\mathopen{}\\left(\\frac{1}{x}\\right)')
    """
    return rf"\mathopen{{}}\left{left}{inside}\right{right}" if _is_tall(inside) else f"{left}{inside}{right}"


_TALL = (r"\frac", r"\tfrac", r"\sum", r"\prod", r"\int", r"\max_", r"\lim", r"\sqrt", r"\left[", r"\left.",
         r"\mathopen{}\left", r"\begin")


def _is_tall(text):
    """Whether brackets around a text have to grow: it has signs that are higher than a letter, or towers."""
    if any(sign in text for sign in _TALL):
        return True
    depth, above = 0, None  # of braces; and where the superscript began that is still open
    for found in re.finditer(r"\^\{?|[{}]", text):
        if found[0] == "}":
            depth -= 1
            above = None if depth == above else above
        elif found[0].startswith("^") and above is not None:
            return True
        elif found[0] == "^{":
            above = depth
        depth += found[0].endswith("{")
    return False


def _exp(expr, last, inline):
    exponent = as_typed(expr.args[0])
    if _fits_above(exponent):
        return f"e^{{{_shown(exponent, 0, inline=True)}}}", POWER
    return r"\exp" + _fenced(_shown(exponent, 0, inline=inline)), POWER


def _fits_above(exponent):
    """Whether an exponent is small enough to stand above the line."""
    inner = _unsigned(exponent)
    if type(inner).__name__ == "exp":  # the one tower: an exponential of a name, as in the law of Gumbel
        return isinstance(_unsigned(inner.args[0]), Name)
    for part in sp.preorder_traversal(exponent):
        part = as_typed(part) if isinstance(part, sp.Expr) else part
        if isinstance(part, Over) and _is_compound(part.args[1]):
            return False
        kind = type(part).__name__
        if kind in ("Sum", "Product", "Integral", "Limit", "Derivative", "Without", "Trace", "sqrt",
                    "Piecewise", "exp", "Inverse"):
            return False
    return True


def _unsigned(expr):
    """A typed formula without the minus sign before it."""
    expr = as_typed(expr)
    return as_typed(expr.args[0]) if isinstance(expr, Negative) else expr


def _is_compound(expr):
    return _node(as_typed(expr), False, True)[1] < POWER


def _sqrt(expr, last, inline):
    return rf"\sqrt{{{_shown(expr.args[0], 0, inline=inline)}}}", ATOM


def _size(expr, last, inline):
    return rf"\left|{_shown(expr.args[0], 0, inline=inline)}\right|", ATOM


def _floor(expr, last, inline):
    ends = ("floor" if type(expr).__name__ == "floor" else "ceil")
    return rf"\left\l{ends} {_shown(expr.args[0], 0, inline=inline)} \right\r{ends}", ATOM


def _delta(expr, last, inline):
    return rf"\delta_{{{','.join(_shown(a, 0, inline=True) for a in expr.args)}}}", ATOM


def _heaviside(expr, last, inline):
    return "H" + _fenced(_shown(expr.args[0], 0, inline=inline)), POWER


@_node.register(Application)
def _application(expr, last, inline):
    inside = ", ".join(_shown(a, 0, inline=inline) for a in expr.args[1:])
    return _name_of_function(expr) + _fenced(inside), ATOM


def _name_of_function(application):
    return name(sp.Symbol(application.args[0].func.__name__))


@_node.register(Defined)
@_node.register(DefinedClaim)
def _defined(expr, last, inline, primes=""):
    head = _closed_up(expr.signature.head)
    shown = [_shown(a, 0, inline=inline) for a in expr.arguments]
    if "#" not in head:
        return head + primes + (_fenced(", ".join(shown)) if shown else ""), ATOM
    if primes:
        head = re.sub(r"(\(#\d\))$", lambda m: primes + m[1], head)

    def argument(found):
        # beside an operator or an exponent of the head, an argument that is no atom seems to be part of it
        beside = re.search(rf"#{found[1]}\}}?\^|[-+]\s*#{found[1]}|#{found[1]}\s*[-+]", head)
        return _shown(expr.arguments[int(found[1]) - 1], ATOM if beside else 0, inline=inline)

    return re.sub(r"#(\d)", argument, head), ATOM


def _closed_up(head):
    r"""A head without a gap before its brackets, as in ``\Pr\left(#1\right)``."""
    return re.sub(r"(?<=[A-Za-z}])\\left(?=[(\[])", r"\\mathopen{}\\left", head)


# --- matrices -------------------------------------------------------------------------------------


def _transpose(expr, last, inline):
    inner = as_typed(expr.args[0])
    if type(inner).__name__ == "Inverse":
        return f"{_shown(inner.args[0], ATOM, last=False)}^{{-\\top}}", POWER
    return f"{_shown(inner, ATOM, last=False)}^{{\\top}}", POWER


def _inverse(expr, last, inline):
    return f"{_shown(expr.args[0], ATOM, last=False)}^{{-1}}", POWER


def _identity(expr, last, inline):
    return rf"I_{{{_shown(expr.args[0], 0)}}}", ATOM


def _zero_matrix(expr, last, inline):
    return "0", ATOM


@_node.register(Scalar)
def _scalar(expr, last, inline):
    return _node(as_typed(expr.args[0]), last, inline)


# --- what reaches to the end of its product ---------------------------------------------------------


def _body(expr, inline):
    return _shown(expr, PRODUCT, inline=inline)


def _ranged(expr, last, inline):
    sign = r"\sum" if type(expr).__name__ == "Sum" else r"\prod"
    ranges = [f"{sign}_{{{_shown(index, 0)}={_shown(low, 0, inline=True)}}}"
              f"^{{{_shown(high, 0, inline=True)}}}"
              for index, low, high in reversed(expr.limits)]
    return f"{' '.join(ranges)} {_body(expr.function, inline)}", TAIL


@_node.register(Without)
def _without(expr, last, inline):
    ranged, left_out = expr.args
    ranged = as_typed(ranged)
    sign = r"\sum" if type(ranged).__name__ == "Sum" else r"\prod"
    index = ranged.limits[0][0]
    return rf"{sign}_{{{_shown(index, 0)}\neq {_shown(left_out, 0)}}} {_body(ranged.function, inline)}", TAIL


def _max_over(expr, last, inline):
    indices = ", ".join(_shown(limit[0], 0) for limit in expr.limits)
    return rf"\max_{{{indices}}} {_body(expr.function, inline)}", TAIL


def _integral(expr, last, inline):
    signs = []
    for _, *ends in reversed(expr.limits):
        bounds = [_shown(end, 0, inline=True) for end in ends]
        signs.append(r"\int" + ("_{%s}^{%s}" % tuple(bounds) if bounds else ""))
    variables = " ".join(rf"\, d{_shown(limit[0], 0)}" for limit in expr.limits)
    return f"{' '.join(signs)} {_body(expr.function, inline)} {variables}", TAIL


def _limit(expr, last, inline):
    function, variable, place, *direction = expr.args
    sign = str(direction[0]) if direction else "+"  # as SymPy takes it
    side = f"^{{{sign}}}" if sign in ("+", "-") and unfold(place).is_finite else ""
    if side and _node(as_typed(place), True, True)[1] < ATOM:
        raise TypeError(f"the place of the limit {expr} has no sign")
    below = rf"{_shown(variable, 0)} \to {_shown(place, 0, inline=True)}{side}"
    return rf"\lim_{{{below}}} {_body(function, inline)}", TAIL


def _derivative(expr, last, inline):
    function, steps = as_typed(expr.args[0]), [_step(v) for v in expr.args[1:]]
    (variable, count), *more = steps
    if not more and count in (1, 2) and (primed := _primed(function, variable, count, inline)):
        return primed, ATOM
    order = sum(count for _, count in steps)
    partial = len(unfold(function).free_symbols) > 1 or not isinstance(variable, Name)
    sign = r"\partial" if partial else "d"
    above = sign if order == 1 else f"{sign}^{{{order}}}"
    # of derivatives one after the other the last stands first
    below = " ".join(f"{sign} {_shown(v, ATOM)}" + (f"^{{{c}}}" if c > 1 else "")
                     for v, c in reversed(steps))
    return rf"\frac{{{above}}}{{{below}}} {_body(function, inline)}", TAIL


def _step(variable):
    if isinstance(variable, sp.Tuple):
        return as_typed(variable[0]), int(variable[1])
    return as_typed(variable), 1


def _primed(function, variable, count, inline):
    """``f'(x)``, where the variable is the last argument and occurs in no other."""
    if isinstance(function, Application):
        arguments = function.args[1:]
        if len(arguments) != 1 or arguments[0] != variable:
            return None
        return _name_of_function(function) + count * "'" + _fenced(_shown(variable, 0, inline=inline))
    if not isinstance(function, Defined) or not function.arguments or function.arguments[-1] != variable:
        return None
    head, count_of = function.signature.head, len(function.arguments)
    closed = "#" not in head and count_of == 1 or head.endswith(f"(#{count_of})")
    others = set().union(*(unfold(a).free_symbols for a in function.arguments[:-1]), function.hidden)
    if not closed or unfold(variable) in others:
        return None
    return _defined(function, True, inline, primes=count * "'")[0]


def _at_place(expr, last, inline):
    function, variables, places = expr.args
    pairs = zip(*(a if isinstance(a, sp.Tuple) else (a,) for a in (variables, places)))
    where = r",\, ".join(f"{_shown(v, 0)}={_shown(p, 0, inline=True)}" for v, p in pairs)
    return rf"\left. {_shown(function, 0)} \right|_{{{where}}}", POWER


def _bracket(expr, last, inline):
    (variable, low, high), = expr.limits
    return (rf"\left[{_shown(expr.function, 0)}\right]"
            rf"_{{{_shown(variable, 0)}={_shown(low, 0, inline=True)}}}"
            rf"^{{{_shown(high, 0, inline=True)}}}"), ATOM


def _pieces(expr, last, inline):
    """One piece below the other; beside any sign they stand in brackets, for a row has no end to be seen."""
    rows = r" \\ ".join(f"{_shown(value, 0)} & {_where(unfold(condition), condition)}"
                        for value, condition in expr.args)
    return rf"\begin{{cases}} {rows} \end{{cases}}", 0


def _where(plain, condition):
    return r"\text{otherwise}" if plain is sp.true else rf"\text{{if }} {_shown(condition, 0)}"


@_node.register(Partial)
def _partial(expr, last, inline):
    function, argument = map(as_typed, expr.args)
    by = _bare_name(argument)
    if isinstance(function, Application):
        return rf"\frac{{\partial {_bare_name(function)}}}{{\partial {by}}}", PRODUCT
    return rf"\frac{{\partial}}{{\partial {by}}} \left[{_shown(function, 0)}\right]", PRODUCT


def _bare_name(expr):
    """As everybody writes it: the name of a function, or of its derivative, without arguments."""
    text, depth = _shown(expr, 0), 0
    if not text.endswith(")"):
        return text
    for place in range(len(text) - 1, -1, -1):
        depth += {")": 1, "(": -1}.get(text[place], 0)
        if depth == 0:
            break
    return re.sub(r"(\\mathopen\{\})?(\\left)?$", "", text[:place])


# --- laws -----------------------------------------------------------------------------------------


@_node.register(E)
def _expectation(expr, last, inline, sign=r"\mathbb{E}"):
    law = expr.law
    drawn, inside = rf"{_shown(law.variable, 0)}\sim {law.name}", _shown(expr.function, 0, inline=inline)
    return f"{sign}_{{{drawn}}}" + _fenced(inside, "[", "]"), ATOM


@_node.register(Var)
def _variance(expr, last, inline):
    return _expectation(expr, last, inline, sign=r"\operatorname{Var}")


@_node.register(KL)
def _divergence(expr, last, inline):
    p, q = (law.name for law in expr.laws)
    between = r"\middle\|" if _is_tall(p + q) else r"\|"
    return r"\mathrm{KL}" + _fenced(rf"{p}\,{between}\,{q}"), ATOM


_SPECIAL = {
    "exp": _exp, "sqrt": _sqrt, "Abs": _size, "Determinant": _size, "floor": _floor, "ceiling": _floor,
    "KroneckerDelta": _delta, "Heaviside": _heaviside, "Transpose": _transpose, "Inverse": _inverse,
    "Identity": _identity, "ZeroMatrix": _zero_matrix, "Sum": _ranged, "Product": _ranged,
    "MaxOver": _max_over, "Integral": _integral, "Limit": _limit, "Derivative": _derivative,
    "Subs": _at_place, "Bracket": _bracket, "Piecewise": _pieces,
}

# --- relations ------------------------------------------------------------------------------------

@_node.register(HasLaw)
def _has_law(expr, last, inline):
    if not isinstance(expr.value, sp.Tuple):
        return rf"{_shown(expr.value, 0)} \sim {expr.law.name}", 0
    return rf"\left({', '.join(_shown(v, 0) for v in expr.value)}\right) \sim {expr.law.name}", 0


_SIGNS = {"Eq": "=", "Ne": r"\neq", "Less": "<", "Greater": ">", "AtMost": r"\le", "AtLeast": r"\ge"}
_WORDS_OF_LOGIC = {"And": r" \land ", "Or": r" \lor ", "Implies": r" \implies "}


@_node.register(Related)
def _related(expr, last, inline):
    kind = type(expr).__name__
    if kind in _SIGNS:
        return f"{_shown(expr.lhs, 0)} {_SIGNS[kind]} {_shown(expr.rhs, 0)}", 0
    if kind in _WORDS_OF_LOGIC:
        return _WORDS_OF_LOGIC[kind].join(_clause(a) for a in expr.args), 0
    raise TypeError(f"{kind} has no TeX: {expr}")


def _clause(expr):
    text = _shown(expr, 0)
    return text if type(expr).__name__ in _SIGNS else rf"\left({text}\right)"


# --- plain expressions ----------------------------------------------------------------------------


def as_typed(expr):
    """A typed node with the value of a plain expression, in the order that a mathematician would choose.

    Of a typed node, the node itself: its parts are looked at when their turn comes.
    """
    if isinstance(expr, Notation) or (isinstance(expr, sp.Number) and not expr.is_infinite):
        return expr
    expr = sp.sympify(expr)
    if isinstance(expr, sp.Number) and not expr.is_infinite:
        return expr
    named = (sp.IndexedBase, sp.MatrixSymbol, sp.NumberSymbol)
    if expr.is_Symbol or isinstance(expr, named) or expr.is_infinite or expr is sp.I:
        return Name(expr)
    if isinstance(expr, (sp.Add, sp.MatAdd)):
        return _typed_sum(expr)
    if isinstance(expr, (sp.Mul, sp.MatMul)):
        return _typed_product(expr)
    if isinstance(expr, (sp.Pow, sp.MatPow)):
        return _typed_power(expr)
    if isinstance(expr, sp.Indexed):
        return Entry(Name(expr.base), *expr.indices)
    if isinstance(expr, sp.matrices.expressions.matexpr.MatrixElement):
        return Entry(Name(expr.args[0]), *expr.args[1:])
    if isinstance(expr, AppliedUndef):
        return typed.Function(expr.func.__name__, **expr.func._kwargs)(*expr.args)
    if is_claim(expr):
        return _typed_claim(expr)
    kind = type(expr).__name__
    if isinstance(expr, sp.Derivative):
        return vocabulary.Derivative(expr.expr, *((v, c) if c != 1 else v for v, c in expr.variable_count))
    if kind == "Subs":
        return vocabulary.Subs(*expr.args)
    head = getattr(vocabulary, kind, None)
    if isinstance(head, type) and issubclass(head, Formula):
        return head(*expr.args)
    if isinstance(expr, binders.Unless):
        raise TypeError(f"a sum without one index is printed as a whole: {expr}")
    raise TypeError(f"{kind} has no TeX: {expr}")


def _typed_claim(expr):
    names = {sp.Equality: "Eq", sp.Unequality: "Ne", sp.StrictLessThan: "Lt", sp.StrictGreaterThan: "Gt",
             sp.LessThan: "Le", sp.GreaterThan: "Ge", sp.And: "And", sp.Or: "Or", sp.Implies: "Implies"}
    return getattr(vocabulary, names[type(expr)])(*expr.args)


def _typed_sum(expr):
    polynomial = not expr.has(sp.Function, sp.Sum, sp.Integral)
    terms = latex_order(expr)
    # z - c, not -c + z; 1 + sum and z + log(...), not the other way round
    terms = sorted(terms, key=lambda t: (t.could_extract_minus_sign(), not polynomial and not t.is_number,
                                         not polynomial and t.has(sp.Function, sp.Sum, sp.Integral)))
    first, *rest = terms
    total = as_typed(first)
    for term in rest:
        total = Minus(total, -term) if term.could_extract_minus_sign() else Plus(total, term)
    return total


def latex_order(expr):
    """The terms of a sum, in the order in which SymPy prints them."""
    return list(expr.args) if isinstance(expr, sp.MatAdd) else list(expr.as_ordered_terms())


def _typed_product(expr):
    if isinstance(expr, sp.MatMul):
        coefficient, factors = expr.as_coeff_mmul()
        factors = list(factors.args) if isinstance(factors, sp.MatMul) else [factors]
        if coefficient.could_extract_minus_sign():
            size = -coefficient * sp.MatMul(*factors) if coefficient != -1 else _chain(factors)
            return Negative(size)
        return _chain([coefficient, *factors] if coefficient != 1 else factors)
    if expr.could_extract_minus_sign() and not isinstance(expr, sp.Number):
        return Negative(-expr)
    coefficient, rest = expr.as_coeff_Mul()
    if coefficient.is_Rational:
        above = [sp.Integer(coefficient.p)] if coefficient.p != 1 else []
        below = [sp.Integer(coefficient.q)] if coefficient.q != 1 else []
    else:
        above, below = [coefficient], []
    for factor in sorted(sp.Mul.make_args(rest), key=_place_in_product):
        base, power = factor.as_base_exp()
        if power.is_Rational and power < 0 and base is not sp.E:
            below.append(base**-power)
        else:
            above.append(factor)
    top = _chain(above) if above else sp.S.One
    return Over(top, _chain(below)) if below else top


def _place_in_product(factor):
    """Numbers, names, brackets, functions, sums."""
    base = factor.as_base_exp()[0]
    rank = (0 if factor.is_number else 1 if isinstance(base, (sp.Symbol, sp.Indexed)) else
            4 if factor.has(sp.Sum, sp.Product, sp.Integral, sp.Derivative, sp.Limit) else
            2 if isinstance(base, sp.Add) else 3)
    return rank, sp.default_sort_key(factor)


def _chain(factors):
    first, *rest = factors
    total = as_typed(first)
    for factor in rest:
        total = Times(total, factor)
    return total


def _typed_power(expr):
    base, exponent = expr.args
    if isinstance(expr, sp.MatPow) or isinstance(base, sp.MatrixExpr):
        return typed.Inverse(base) if exponent == -1 else Power(base, exponent)
    if exponent == sp.S.Half:
        return vocabulary.sqrt(base)
    if base is sp.E:
        return vocabulary.exp(exponent)
    if exponent.is_Rational and exponent < 0:
        if exponent == -1:
            return Over(sp.S.One, base)
        return Over(sp.S.One, vocabulary.sqrt(base) if exponent == -sp.S.Half else Power(base, -exponent))
    return Power(base, exponent)

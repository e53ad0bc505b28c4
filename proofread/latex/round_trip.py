"""What stands on the page, read back: the formula must have the value of the object that was checked."""

import re

import sympy as sp

from proofread.decision.decide import answer
from proofread.decision.question import Question
from proofread.errors import Misprinted
from proofread.language.defined import AppliedDefinition
from proofread.language.notation import KL, HasLaw, Partial
from proofread.language.statement import leaves
from proofread.language.typed import is_claim, unfold

from .reader import Every, Unreadable, Vocabulary, read
from .relations import blanked

#: relations of lines; those that bind the loosest, or hold another sign, come first
_SIGNS = {r":\iff": ":iff", ":=": ":=", r"\implies": "=>", r"\iff": "iff", r"\propto": "∝", r"\le": "<=",
          r"\ge": ">=", "=": "="}
_ROW = re.compile(r"(.*?)(?:(?:&&| )\\quad\\small(\\textbf\{argued: \})?\\text\{(.*)\})?\s*", re.DOTALL)


def compare(display, lines, where, given=()):
    """Refuse a displayed formula that does not read back as the lines that were checked.

    Parameters
    ----------
    display : str
        What stands between the double dollars.
    lines : sequence of Line
    where : str
        What it is, for the message.
    given : iterable of relations
        The conditions of the statement, for lines that were not decided.

    Raises
    ------
    Misprinted
    """
    rows = _rows(display)
    if len(rows) != len(lines):
        raise Misprinted(f"{where}: {len(lines)} lines were checked, and {len(rows)} are shown")
    for (left, sign, right, argued, reason), line in zip(rows, lines):
        if (sign, argued, reason) != (line.relation, line.argued, line.reason):
            raise Misprinted(f"{where}: a line with {line.relation!r} ({line.reason}) is shown with "
                             f"{sign!r} ({reason})")
        asked = line.question or Question(sp.true, sp.true, given=given)
        for text, side in ((left, line.left), (right, line.right)):
            if (text == "") != (side is None):
                raise Misprinted(f"{where}: a side is missing in {display}")
            if side is not None:
                _compare_side(text, side, where, asked)


def _rows(display):
    """Left side, relation, right side, argued and reason of each line that is shown."""
    table = re.fullmatch(r"\\begin\{aligned\}\n(.*)\n\\end\{aligned\}", display, re.DOTALL)
    rows = []
    for row in table[1].split(" \\\\\n") if table else [display]:
        text, argued, reason = _ROW.fullmatch(row).groups()
        left, sign, right = _split(text.replace(r"\Longleftrightarrow", ""))
        rows.append((left, sign, right, argued is not None, reason or ""))
    return rows


def _split(text):
    """The sides of a relation, which stands outside of all brackets."""
    outside = blanked(text)
    for sign in _SIGNS:
        if found := re.search(re.escape(sign) + ("(?![a-zA-Z])" if sign[-1].isalpha() else ""), outside):
            return _clean(text[:found.start()]), _SIGNS[sign], _clean(text[found.end():])
    return "", "", _clean(text)


def _clean(text):
    outside = blanked(text)  # inside of brackets a & is none of the table of lines
    kept = "".join(" " if sign == "&" else char for char, sign in zip(text, outside))
    return kept.replace(r"\quad", " ").strip()


def must_read_as(text, side, where, asked=None):
    """Refuse TeX that does not read as the formula ``side`` of what was asked."""
    try:
        found = read(text, vocabulary(side))
    except Unreadable as error:
        raise Misprinted(f"{where}: {text} cannot be read: {error}") from error
    if not same(found, unfold(side), asked):
        raise Misprinted(f"{where}: {text} reads as {found}, not as {unfold(side)}")


def _compare_side(text, side, where, asked):
    if isinstance(side, HasLaw):
        value, _, named = text.partition(r" \sim ")
        if named != side.law.name:
            raise Misprinted(f"{where}: the law {side.law.name} is shown as {named}")
        text, side = value, side.value
        if isinstance(side, sp.Tuple):
            return _compare_parts(text, side, where, asked)
    must_read_as(text, side, where, asked)


def _compare_parts(text, sides, where, asked):
    """The same for several sides, in brackets and with commas between."""
    inside = text.removeprefix(r"\left(").removesuffix(r"\right)")
    cuts = [-1, *(at for at, sign in enumerate(blanked(inside)) if sign == ","), len(inside)]
    parts = [inside[start + 1:end] for start, end in zip(cuts, cuts[1:])]
    if text != rf"\left({inside}\right)" or len(parts) != len(sides):
        raise Misprinted(f"{where}: {len(sides)} functions in brackets were checked; shown is {text}")
    for part, side in zip(parts, sides):
        _compare_side(part.strip(), side, where, asked)


def same(found, plain, asked=None):
    """Whether what was read has the value of what was checked, of which ``plain`` is the plain expression.

    What was ``asked`` says under which conditions, and has the points.
    """
    found, plain = _spread(_evaluated(unfold(found))), _spread(plain)
    if found == plain:
        return True
    if is_claim(plain) or is_claim(found):
        return (type(found) is type(plain) and len(found.args) == len(plain.args)
                and all(same(a, b, asked) for a, b in zip(found.args, plain.args)))
    if not _same_pieces(found, plain, asked):
        return False
    if isinstance(plain, sp.MatrixExpr) or isinstance(found, sp.MatrixExpr):
        return getattr(found, "shape", None) == getattr(plain, "shape", None) and _alike(found, plain, asked)
    return answer((asked or Question(found, plain)).of_equality(found, plain)).passes


def _same_pieces(found, plain, asked):
    """Whether the same functions in pieces occur: numbers alone may miss a piece, or where it begins."""
    pieces, others = (list(e.atoms(sp.Piecewise)) for e in (found, plain))
    return len(pieces) == len(others) and all(
        any(p == o or len(p.args) == len(o.args) and all(
            same(a, b, asked) for pair in zip(p.args, o.args) for a, b in zip(*pair)) for o in others)
        for p in pieces)


def _alike(found, plain, asked):
    """Whether two matrices of one shape are equal: their inner products with any third one are."""
    return same(probed(found), probed(plain), asked)


def probed(matrix):
    """The inner product with any matrix of that shape."""
    return sp.Trace(sp.MatrixSymbol("any", *matrix.shape).T * matrix)


def _evaluated(claim):
    """A claim as SymPy makes it; the reader keeps one that is always true as it stands."""
    if not is_claim(claim) or isinstance(claim, Every) or not claim.args:
        return claim
    return claim.func(*map(_evaluated, claim.args))


def _spread(expr):
    """``expr`` with products, transposes and traces of matrices as SymPy at times makes them by itself."""
    return expr.replace(lambda e: isinstance(e, (sp.Transpose, sp.MatMul, sp.MatAdd, sp.Trace)), _tidy)


def _tidy(expr):
    if isinstance(expr, sp.Trace):
        return _trace(expr.arg)
    try:
        return expr.doit(deep=False)
    except NotImplementedError:  # a factor that SymPy takes for one that does not commute, such as a limit
        return expr


def _trace(matrix):
    if isinstance(matrix, sp.MatAdd):
        return sp.Add(*map(_trace, matrix.args))
    if isinstance(matrix, sp.ZeroMatrix):
        return sp.S.Zero
    number, rest = matrix.as_coeff_mmul() if isinstance(matrix, sp.MatMul) else (1, matrix)
    return number * sp.Trace(rest)


def vocabulary(*sides, symbols=(), heads=()):
    """What the names in some sides mean, and further symbols, and definitions whose arguments do not matter.

    Two distributions of one name, or two ranges of one index, have no meaning at all.
    """
    parts, todo = [], [sp.sympify(side) for side in sides]
    while todo:  # everything that is shown: the arguments of definitions, not their bodies
        part = todo.pop()
        parts.append(part)
        todo += part.arguments if isinstance(part, AppliedDefinition) else part.args
    signatures = {p.signature: type(p) for p in (*parts, *heads) if isinstance(p, AppliedDefinition)}
    laws = _unique((law.name, law) for p in parts for law in getattr(p, "laws", ()))
    ranges = _unique((str(unfold(limit[0])), tuple(unfold(a) for a in limit[1:])) for p in parts
                     if type(p).__name__ in ("MaxOver", "Sum", "Product") for limit in p.limits
                     if len(limit) == 3)
    names = {}
    for leaf in leaves(*sides) | set(symbols):
        if isinstance(leaf, sp.IndexedBase):
            key = str(leaf.label)
        else:
            key = leaf.__name__ if isinstance(leaf, type) else leaf.name
        names.setdefault(key, []).append(leaf)
    return Vocabulary(
        names={key: found[0] if len(found) == 1 else tuple(found) for key, found in names.items()},
        templates=tuple((s.head, len(s.parameters),
                         lambda *a, s=s, kind=kind: kind(s, *map(_fitting, a, s.parameters)))
                        for s, kind in signatures.items()),
        laws={name: (unfold(law.variable), law.expect, _variance(law)) for name, law in laws.items()},
        divergence=lambda p, q: KL(laws[p], laws[q]),
        ranges=ranges,
        partials=tuple((p.args[0], p.args[1], Partial) for p in parts if isinstance(p, Partial)),
        constants={r"\gamma": sp.EulerGamma} if sp.EulerGamma in parts else {},
    )


def _unique(pairs):
    """A dictionary of the keys that have one value."""
    found = {}
    for key, value in pairs:
        if value not in (values := found.setdefault(key, [])):
            values.append(value)
    return {key: values[0] for key, values in found.items() if len(values) == 1}


def _fitting(argument, parameter):
    """A nought where a matrix is asked for, and a matrix with one entry where a number is."""
    if parameter.is_Matrix and argument == 0:
        return sp.ZeroMatrix(*parameter.shape)
    if not parameter.is_Matrix and argument.is_Matrix and argument.shape == (1, 1):
        return sp.Trace(argument)
    return argument


def _variance(law):
    return lambda f: law.expect(unfold(f) ** 2) - law.expect(f) ** 2

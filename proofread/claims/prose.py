"""The relations that stand in sentences: each is decided, or it is said what it is instead."""

import re
from collections import Counter
from decimal import Decimal, InvalidOperation
from itertools import product

import sympy as sp
from mpmath import mp

from proofread.decision.decide import answer, ask, decide
from proofread.decision.opinions import is_seen_positive
from proofread.errors import CannotEvaluate, Misprinted, Refuted, Undecided
from proofread.language.defined import defined_in
from proofread.language.statement import Statement, admissible, with_values
from proofread.language.typed import unfold
from proofread.latex.reader import Unreadable, read
from proofread.latex.relations import split
from proofread.latex.round_trip import must_read_as, same, vocabulary
from proofread.ledger import current
from proofread.numeric.evaluation import evaluate
from proofread.numeric.sampling import describe

from .base import Checked

#: what nothing decides: an assumption, a name for something, what somebody else wrote, a choice of numbers
UNDECIDED = ("condition", "notation", "quotation", "choice")
ARGUED = "by what is argued"  #: of a relation that was decided and uses a name for a claim that is argued
LOOSE = {"<": "<=", ">": ">=", "≠": ">="}  #: what is asked where sides must not be equal
TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
KINDS = {sp.Equality: "=", sp.Unequality: "≠", sp.LessThan: "<=", sp.GreaterThan: ">=",
         sp.StrictLessThan: "<", sp.StrictGreaterThan: ">"}
SIMPLE = (sp.S.Zero, sp.S.One, sp.S.NegativeOne, sp.S.Half, sp.Integer(2))  #: where sides often meet
MOST_APART = 2  #: symbols to which these are given one by one; more have the same value
_ORDERS = {"=": {"=", "<=", ">="}, "<=": {"<="}, ">=": {">="}, "∝": {"∝"}, ":=": {"="}}


def said(relations):
    r"""Decide the relations that stand in the sentences of a chapter.

    Parameters
    ----------
    relations : dict
        The TeX of each, as it stands between single dollars, and what it is: a relation of formulas, decided
        now, and for a chain a list of relations; a pair of these and the conditions under which they hold; a
        checked object of the page, of which it must be two sides; the value of what stands before
        ``\approx``, where each decimal that stands behind it must be right; or one of the words of
        `UNDECIDED`.

    Returns
    -------
    Said

    Raises
    ------
    Misprinted
        If the TeX does not read as what is given for it.
    Refuted, Undecided
    ValueError
        If the TeX holds no relation, or what is given for it is of none of these kinds.

    Examples
    --------
    >>> from proofread import sympy as sp
    >>> x = sp.Symbol("x", positive=True)
    >>> said({r"\log x \le x - 1": sp.log(x) <= x - 1, "x > 1": "condition"}).evidence()["findings"]
    ('1 relation in sentences is decided', 'condition: 1')
    >>> said({r"\log x \le x - 2": sp.log(x) <= x - 1})
    Traceback (most recent call last):
    proofread.errors.Misprinted: \log x \le x - 2: x - 2 reads as x - 2, not as x - 1
    """
    return Said(relations)


class Said(Checked):
    """What the relations in the sentences of a chapter are: made by `said`."""

    title = "relations in sentences"

    def __init__(self, relations):
        self.found = {tex: _found(tex, what) for tex, what in relations.items()}
        self._claims = [claim for what in relations.values() for claim in _claims(what)]

    def unfolded(self):
        return defined_in(*self._claims)

    def evidence(self):
        """How many were decided, and what the others are."""
        every = list(self.found.values())
        number = sum(words[0] not in UNDECIDED for words in every)
        told = ["1 relation in sentences is decided" if number == 1
                else f"{number} relations in sentences are decided"]
        counts = Counter(word for words in every for word in words)
        told += [f"{word}: {counts[word]}" for word in (*UNDECIDED, ARGUED) if word in counts]
        return {"kind": "said", "status": "proved" if number else "definition", "findings": tuple(told),
                "said": tuple(self.found)}

    def sentence(self):
        """A table of them."""
        shown = {tex: tex.replace(r"\|", r"\Vert ").replace("|", r"\vert ")  # a bar ends a cell of a table
                 for tex in self.found}
        rows = [f"| ${shown[tex]}$ | {' and '.join(words)} |" for tex, words in self.found.items()]
        return "\n".join(["| in a sentence | what it is |", "|---|---|", *rows])


def _found(tex, what):
    """What a relation is, in a word, or how each of a chain is known to be true."""
    texts, signs = split(tex)
    if not signs:
        raise ValueError(f"there is no relation in {tex}")
    if isinstance(what, str):
        if what not in UNDECIDED:
            raise ValueError(f"{tex} is a relation, a checked object, or one of {', '.join(UNDECIDED)}; "
                             f"got {what!r}")
        return (what,)
    if isinstance(what, Checked):
        return (_line_of(what, tex, texts, signs),)
    claims, given = _claims(what), what[1] if isinstance(what, tuple) else ()
    if len(claims) != len(signs):
        raise Misprinted(f"{tex} has {len(signs)} relations, and {len(claims)} are given")
    return tuple(dict.fromkeys(
        _decided(tex, (left, sign, right), part, given)
        for left, sign, right, part in zip(texts, signs, texts[1:], claims)))


def _claims(what):
    """The formulas that are given for a relation, or for each of a chain."""
    claim = what[0] if isinstance(what, tuple) else what
    return claim if isinstance(claim, list) else [] if isinstance(claim, (str, Checked)) else [claim]


def _decided(tex, shown, claim, given):
    left, sign, right = shown
    if sign == "≈":
        must_read_as(left, claim, tex)
        return rounded(tex, claim, right)
    sides = _sides(claim)
    if sides and sides[1] == TURNED.get(sign):  # Python turns 0 < x into x > 0
        sides = sides[2], sign, sides[0]
    if sides is None or sides[1] != sign:
        raise Misprinted(f"{tex} is shown, and {claim} is given for it")
    statement = stated(*sides, given)
    asked = ask(statement)
    for text, side in ((left, statement.left), (right, statement.right)):
        must_read_as(text, side, tex, asked)
    return decided(tex, sign, statement, asked)


def _sides(claim):
    """Left side, sign and right side of a relation of SymPy, typed or plain."""
    sign = KINDS.get(getattr(claim, "head", type(claim)))
    return sign and (claim.args[0], sign, claim.args[1])


def stated(left, sign, right, given=()):
    """The statement of a relation; of one that is strict, that of the loose one."""
    return Statement(left, LOOSE.get(sign, sign), right, given)


def decided(tex, sign, statement, asked):
    """How a relation is known to be true that was `stated`, in a word or two.

    Raises
    ------
    Refuted, Undecided
        Naming the relation by its TeX.
    """
    word = _strict(tex, sign, asked) if sign in LOOSE else _loose(tex, asked)
    claims = map(current().entries.get, defined_in(statement.left, statement.right))
    return ARGUED if word == "proved" and any(entry and entry.argued for entry in claims) else word


def _loose(tex, asked):
    verdict = answer(asked)
    if verdict.status == "refuted":
        raise Refuted(f"{tex} is false: {verdict.witness}", verdict.witness)
    if verdict.status == "undecided":
        raise Undecided(f"{tex} is undecided: {verdict.how}")
    return "proved" if verdict.status == "proved" else "numbers agree"


def _strict(tex, sign, asked):
    """A strict inequality: of both that are not strict one is proved, and the sides are nowhere equal."""
    gap = asked.right - asked.left if sign == "<" else asked.left - asked.right
    if any(is_seen_positive(way * gap, asked.given) for way in ((1, -1) if sign == "≠" else (1,))):
        return "proved"
    verdict = answer(asked)
    if sign != "≠" and verdict.status == "refuted":
        raise Refuted(f"{tex} is false: {verdict.witness}", verdict.witness)
    if place := _meeting(asked):
        raise Refuted(f"{tex} is false: {place}", place)
    raise Undecided(f"{tex} is undecided: SymPy does not see that the sides differ everywhere")


def _meeting(asked):
    """Where the sides are equal, in words, among simple numbers: random points miss such a place."""
    known = asked.parameters
    if known.functions or known.matrices:
        return ""
    whole = [*known.sizes, *known.indices, *(s for s in known.scalars if s.is_integer)]
    others = [*(s for s in known.scalars if not s.is_integer), *known.bases]
    apart = len(others) if len(others) <= MOST_APART else 1
    for number, *values in product((1, 2), *[SIMPLE] * apart):
        values = values if apart == len(others) else values * len(others)
        place = dict.fromkeys(whole, sp.Integer(number)) | dict(zip(others, values))
        if _equal_at(place, asked):
            return f"at {describe(place)} both sides are equal" if place else "both sides are equal"
    return ""


def _equal_at(place, asked):
    try:
        for symbol, value in place.items():
            admissible(symbol, value)
        met = all(with_values(c, place) == sp.true for c in asked.given)
        return met and decide(*(with_values(side, place) for side in asked.sides)).passes
    except ValueError:  # a value that a symbol cannot have
        return False


def rounded(tex, value, right):
    """How it is known that a value has the decimals that stand to the right of ``\\approx``.

    Raises
    ------
    Refuted, Undecided, ValueError
    """
    number = re.sub(r"\\(?:,|!|;)|\s|\{,\}", "", right)
    scientific = re.fullmatch(r"(?:(.+)\\cdot)?10\^\{?(-?\d+)\}?", number)
    try:
        shown = Decimal(f"{scientific[1] or 1}E{scientific[2]}" if scientific else number)
    except InvalidOperation:
        raise ValueError(rf"to the right of \approx stands a decimal number; got {right}") from None
    try:
        exact = evaluate(unfold(sp.sympify(value)), {}, 30)
    except CannotEvaluate as error:
        raise Undecided(f"{tex} is undecided: {error}") from error
    if abs(exact - mp.mpf(str(shown))) > mp.mpf(10) ** shown.as_tuple().exponent / 2:
        raise Refuted(f"{tex} is false: it is {mp.nstr(exact, 10)}", mp.nstr(exact, 10))
    return "numbers agree"


def _line_of(checked, tex, texts, signs):
    """The relation stands in a checked object: each of its sides is a side of it, and so are the signs."""
    sides, relations = chain(checked)
    name = checked.label or checked.title
    places = [[place for place, side in enumerate(sides) if _reads_as(text, side)] for text in texts]
    if [] in places:
        raise Misprinted(f"{tex}: {texts[places.index([])]} is no side of {name}")
    if not follow(signs, places, relations):
        raise Misprinted(f"{tex} does not stand in {name}")
    return named(checked)


def named(checked):
    """A reference to a checked object."""
    return f"[](#{checked.label})" if checked.label else checked.title


def chain(checked):
    """The sides of all lines, and the relations between one and the next: none where a line begins anew."""
    sides, relations = [], []
    for line in checked.lines():
        if line.left is not None:
            relations += [""] if sides else []
            sides.append(line.left)
        relations.append(line.relation)
        sides.append(line.right)
    return sides, relations


def follow(signs, places, relations):
    """Whether relations with these signs stand in a chain, for sides that stand at these places of it."""
    return all(any(_follows(sign, low, high, relations) for low in lows for high in highs)
               for sign, lows, highs in zip(signs, places, places[1:]))


def _follows(sign, low, high, relations):
    if low > high:
        low, high, sign = high, low, TURNED.get(sign, sign)
    return low < high and all(sign in _ORDERS.get(r, ()) for r in relations[low:high])


def _reads_as(text, side):
    try:
        return same(read(text, vocabulary(side)), unfold(side))
    except Unreadable:
        return False

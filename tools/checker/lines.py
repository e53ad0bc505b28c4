"""Derivations and equivalences, line by line: what a reader makes of one is judged by what decided it in the
book.
"""

from functools import cached_property

import sympy

from proofread.claims.equivalence import Equivalence
from proofread.decision.decide import answer, ask
from proofread.errors import ProofError, Refuted
from proofread.exercises.formula import _words
from proofread.language.binders import bound_symbols
from proofread.language.statement import RELATIONS, Statement, leaves
from proofread.language.sympy import Eq
from proofread.language.typed import unfold
from proofread.latex.printer import tex
from proofread.latex.relations import split

from .reading import Vocabulary, shown


class Chain:
    """A derivation, ready to be judged again.

    Parameters
    ----------
    label : str
    start : expression
    given : tuple
        Its conditions.
    steps : list
        Of each step: relation, right side, ``over``, ``attained``, and what shows it beside the normal form;
        this last is None where it cannot be judged again.
    definitions : list
        Of the page, each applied to its parameters.
    """

    def __init__(self, label, start, given, steps, definitions):
        self.sides = [start, *(right for _, right, *_ in steps)]
        self.given, self.definitions = given, definitions
        numbered = enumerate(zip(self.sides, steps), 1)
        self.lines = {f"{label}/{number}": Line(self, left, *step)
                      for number, (left, step) in numbered if step[-1] is not None}

    @cached_property
    def known(self):
        """Whatever has a name in it, free or bound; within definitions, what has a name of its own there."""
        parts = self.sides + list(self.given)
        typed, hidden = (sorted(leaves(*some), key=str) for some in (parts, map(unfold, parts)))
        names = {thing.name for thing in typed}
        return [*typed, *(thing for thing in hidden if thing.name not in names)]

    @cached_property
    def vocabulary(self):
        return Vocabulary((*self.sides, *self.given), self.known, self.definitions)

    @cached_property
    def words(self):
        """What one may type: the names of what is free."""
        return {shown for shown, _ in _words(*self.sides, *self.given)}

    def refuse_strangers(self, formulas):
        if strange := sorted({shown for shown, _ in _words(*formulas)} - self.words):
            raise ValueError(f"Your line uses {_quoted(strange)}; it is about {_quoted(self.words)}.")


class Solved(Chain):
    """An equivalence, ready to be judged again.

    Parameters
    ----------
    label, given, definitions
        As of a `Chain`.
    unknown, domain
        As of the `Equivalence`.
    equations : list of pairs
        The sides of each line.
    """

    def __init__(self, label, unknown, domain, given, equations, definitions):
        self.sides = [side for equation in equations for side in equation]
        self.unknown, self.domain, self.given, self.definitions = unknown, domain, given, definitions
        self.equations = equations
        self.lines = {f"{label}/{row}": Equation(self, row) for row in range(2, len(equations) + 1)}


class Line:
    """A line of a derivation: the side that a reader may change, and the other one."""

    def __init__(self, chain, left, relation, right, over, attained, by):
        self.chain, self.left, self.relation, self.right = chain, left, relation, right
        self.over, self.attained, self.by = over, attained, by

    @property
    def vocabulary(self):
        return self.chain.vocabulary

    @property
    def typed(self):
        """The formulas of which the text of the line consists."""
        return (self.right,)

    def read(self, text):
        """The formulas in a text: what stands on the right of the relation, which may be typed, too."""
        sides, signs = split(text)
        if strange := [sign for sign in signs if sign != self.relation]:
            raise ValueError(f"`{strange[0]}` cannot stand here: type what is on the right of "
                             f"${RELATIONS[self.relation]}$.")
        return self.vocabulary.read(sides[-1])

    def shown(self, formulas, text):
        """TeX of the line with such a side."""
        return f"{tex(self.left)} {RELATIONS[self.relation]} {shown(formulas, text)}"

    def judge(self, formulas):
        """The status of the line with such a side, and what is said of it.

        Raises
        ------
        ValueError
            If what is typed is not one formula in the symbols of the line.
        """
        if len(formulas) != 1:
            raise ValueError(f"One formula is asked for; you gave {len(formulas)}.")
        self.chain.refuse_strangers(formulas)
        try:
            changed = Statement(self.left, self.relation, self._apart(*formulas), self.chain.given, self.over,
                                self.attained)
            asked = ask(changed)
            return _told(answer(asked, self.by), asked.parameters.sizes)
        except Refuted as error:  # a law that is none
            return "refuted", f"✗ Refuted: {error}."
        except ProofError as error:
            return "undecided", f"Undecided: {error}."

    def _apart(self, formula):
        """The formula, with other names for bound variables of its own: they may be named alike."""
        plain = unfold(formula)
        bound = {s for node in sympy.preorder_traversal(plain) for s in bound_symbols(node)
                 if isinstance(s, sympy.Symbol) and s.name.strip("+-")}
        own = {s: s.as_dummy() for s in bound - set(self.chain.known)}
        return plain.xreplace(own) if own else formula


class Equation(Line):
    """A line of an equivalence: an equation, which a reader may change on both sides."""

    def __init__(self, chain, row):
        self.chain, self.row = chain, row
        self.is_last = row == len(chain.equations)

    @property
    def typed(self):
        return self.chain.equations[self.row - 1]

    def read(self, text):
        """The two sides of the equation in a text."""
        sides, signs = split(text)
        if signs != ["="]:
            raise ValueError("Type an equation: two sides, and `=` between them.")
        return tuple(side for part in sides for side in self.vocabulary.read(part))

    def shown(self, formulas, text):
        """TeX of the equation."""
        return " = ".join(map(tex, formulas))

    def judge(self, formulas):
        """Whether an equation has the one solution of the others; the last says what it is."""
        chain, unknown = self.chain, self.chain.unknown
        if len(formulas) != 2:
            raise ValueError("Type one equation; there is a comma in yours.")
        chain.refuse_strangers(formulas)
        before, last = (chain.equations[-2], formulas) if self.is_last else (formulas, chain.equations[-1])
        solution = f"${tex(unknown)} = {tex(last[1])}$"
        try:
            whole = Equivalence(Eq(*before), unknown=unknown, domain=chain.domain, label="It", title="",
                                given=chain.given)
            whole.step(Eq(*last), "")
        except Refuted as error:
            found = str(error).partition("does not solve it: ")[2]
            why = f"{solution} does not solve it: {found}" if found else _after_place(error)
            return "refuted", f"✗ Refuted: {why}."
        except ProofError as error:
            return "undecided", f"Undecided: {_after_place(error)}."
        except ValueError:
            raise ValueError(f"This is no equation for ${tex(unknown)}$.") from None
        if not whole.decided:
            raise ValueError(f"The last line says what ${tex(unknown)}$ is: ${tex(unknown)} = ...$")
        only_seen = whole.evidence()["status"] != "proved"
        where = " That it lies in the domain is seen at many places, and not proved." if only_seen else ""
        return "proved", f"✓ Proved: {solution} solves it, and nothing else there does.{where}"


def _after_place(error):
    """An error without the line that it is about."""
    return str(error).partition(": ")[2]


def _told(verdict, sizes):
    if verdict.status == "refuted":
        return "refuted", f"✗ Refuted: {verdict.witness if verdict.sides else verdict.how}."
    if verdict.status == "proved":
        every = " and ".join(f"${size}$" for size in sizes)
        of_sizes = verdict.scope or every and f"every {every}"
        by = f" by {' and '.join(verdict.evidence.by)}" if verdict.evidence.by else ""
        return "proved", (f"✓ Proved{of_sizes and f' for {of_sizes}'}{by}, and confirmed in "
                          f"{verdict.evidence.seen}.")
    agree = verdict.evidence and f"the sides agree in {verdict.evidence.seen}, but no proof was found"
    left = verdict.left_over and f" What was left of their difference: `{verdict.left_over}`."
    return "undecided", f"Undecided: {agree or verdict.problem}.{left}"


def _quoted(names):
    return ", ".join(f"`{name}`" for name in sorted(names)) or "no symbol"

"""A statement made ready to be decided: plain sides, what is free in them, and the points drawn so far."""

import itertools
from dataclasses import dataclass, field, replace
from functools import cached_property

import sympy as sp

from proofread.budget import begun_again
from proofread.language.binders import bound_symbols
from proofread.language.conditions import Conditions
from proofread.language.parameters import Parameters
from proofread.language.statement import DECIDABLE, Statement
from proofread.language.typed import unfold
from proofread.numeric.integrals.quadrature import are_nested
from proofread.numeric.sampling import FINE, points

from .algebra import for_every_size


@dataclass(frozen=True)
class Question:
    """Is a statement true?

    Attributes
    ----------
    left, right : expression
        Plain SymPy, as are all others.
    relation : str
    given : Conditions
    over : tuple
    attained : tuple of pairs or None
        As in `Statement`.

    Raises
    ------
    ValueError
        If there is no such relation to decide, or SymPy would confuse two names.
    """

    left: sp.Basic
    right: sp.Basic
    relation: str = "="
    given: Conditions = Conditions()
    over: tuple = ()
    attained: tuple | None = None
    _drawn: dict = field(default_factory=dict, repr=False, compare=False)

    def __post_init__(self):
        if self.relation not in DECIDABLE:
            raise ValueError(f"relation must be one of {', '.join(DECIDABLE)}; got {self.relation!r}")
        object.__setattr__(self, "given", Conditions(self.given))
        _refuse_confusion(self.left, self.right, self.given)

    @classmethod
    def of(cls, statement, more=()):
        """The question whether a statement is true, under further conditions if there are ``more``."""
        left, right, given = statement.plain()
        attained = statement.attained and tuple((unfold(s), unfold(v)) for s, v in statement.attained)
        over = tuple(map(unfold, statement.over))
        return cls(left, right, statement.relation, (*given, *more), over, attained)

    def changed(self, **parts):
        """The question with other parts; for the same symbols and conditions it has the same points."""
        return replace(self, **parts)

    def of_equality(self, left, right):
        """The question whether two other sides are equal."""
        return self.changed(left=left, right=right, relation="=", over=(), attained=None)

    @cached_property
    def parameters(self):
        """The free symbols by role."""
        return Parameters(self.left, self.right, *self.given, *self.over)

    @property
    def sides(self):
        return self.left, self.right

    @property
    def key(self):
        """All on which the answer depends."""
        return (self.left, self.right, *self.given, self.relation, self.over, self.attained)

    @cached_property
    def proof(self):
        """The proof for every size, or why there is none."""
        return for_every_size(self)

    @cached_property
    def is_nested(self):
        """Whether integrals stand within integrals."""
        return are_nested(*self.sides)

    def has(self, *kinds):
        """Whether a node of some kinds occurs in a side."""
        return any(side.has(*kinds) for side in self.sides)

    def points(self, count, grain=FINE, **options):
        """Random admissible points, as `sampling.points`; those that were drawn are not drawn again."""
        key = self.parameters.roles, self.given, grain, tuple(sorted(options.items())), begun_again()
        if key not in self._drawn:
            self._drawn[key] = _Drawn(points(self.parameters, self.given, None, grain=grain, **options))
        try:
            yield from itertools.islice(self._drawn[key], count)
        except GeneratorExit:
            raise
        except BaseException:  # a generator that has raised has ended
            self._drawn.pop(key, None)
            raise

    def points_at(self, choice, **options):
        """A point with these sizes and indices, if one is found."""
        yield from points(self.parameters, self.given, 1, choices=[choice], **options)


class _Drawn:
    """Items that are drawn once, as far as they are asked for."""

    def __init__(self, more):
        self.drawn, self.more = [], more

    def __iter__(self):
        for place in itertools.count():
            if place == len(self.drawn):
                try:
                    self.drawn.append(next(self.more))
                except StopIteration:
                    return
            yield self.drawn[place]


def question(left, right, relation="=", *, given=(), over=(), attained=None):
    """The question whether ``left relation right``; the sides may be typed."""
    return Question.of(Statement(left, relation, right, given, over, attained))


def _refuse_confusion(left, right, given):
    """Refuse names that SymPy would confuse."""
    bound = {s for e in (left, right) for part in sp.preorder_traversal(e) for s in bound_symbols(part)}
    vectors = {b.label for e in (left, right, *given) for b in e.atoms(sp.IndexedBase)}
    for clash in bound & vectors:
        raise ValueError(f"{clash} is bound in the statement, and a vector is called {clash} too: "
                         "SymPy takes them for one")
    given.refuse_bound(bound)

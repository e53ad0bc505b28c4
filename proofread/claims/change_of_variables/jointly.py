"""The law of several functions of several random variables, by the determinant of their derivatives."""

from functools import cached_property

import sympy as sp

from proofread.decision.decide import decide
from proofread.decision.verdict import Verdict
from proofread.language.binders import substitute
from proofread.language.distributions import JointLaw
from proofread.language.typed import unfold
from proofread.mutation.operators import chosen

from .distributed import Distributed


class Jointly(Distributed, several=True):
    """A one-to-one map of several variables, by the determinant of its derivatives."""

    def __init__(self, transform, source, target, *, inverse, label, title, given=(), rows=()):
        self._single = [[law] if isinstance(law, JointLaw) else list(law) for law in (source, target)]
        source, target = (law if isinstance(law, JointLaw) else JointLaw.independent(law)
                          for law in (source, target))
        transform = sp.Tuple(*map(sp.sympify, transform))
        self._inverse = [unfold(sp.sympify(x)) for x in inverse]
        limits = [[tuple(map(unfold, limit)) for limit in law.limits] for law in (source, target)]
        self._x, self._y = ([variable for variable, *_ in limit] for limit in limits)
        if len({len(self._x), len(self._y), len(transform), len(self._inverse)}) > 1:
            raise ValueError(f"{label}: there are as many functions as variables, on both sides; got "
                             f"{len(transform)} functions of {len(self._x)} variables, {len(self._y)} of the "
                             f"target, and {len(self._inverse)} functions in the inverse")
        self._limits = limits
        super().__init__(transform, source, target, label=label, title=title, given=given, rows=rows)

    def _laws(self):
        return self._single

    def _right(self):
        return [unfold(g) for g in self.transform], unfold(self.target.weight)

    @property
    def found(self):
        """What was checked, in words."""
        onto = ("onto but for a set of probability 0, as both densities have the total 1"
                if self._has_total_one else "onto")
        return f"change of variables by the Jacobian determinant; smooth, one-to-one by inverse, and {onto}"

    # -- checks ----------------------------------------------------------------------------------

    @property
    def _inside(self):
        return self._ranges(*self._limits[0])

    def _checks(self, transform, weight):
        put = dict(zip(self._y, transform))
        yield "the density does not fit", self._density(transform, substitute(weight, put))
        for g in transform:
            seen = self._inside.is_smooth(g)
            yield f"{g} is not smooth", Verdict("proved" if seen else "undecided",
                                                   problem="smoothness is not seen")
        for x, back in zip(self._x, self._inverse):
            yield f"the inverse does not give {x} back", self._inside.equal(substitute(back, put), x)
        yield from self._stays(self._limits[1], put, self._inside)
        if not self._has_total_one:
            yield from self._onto(transform)

    def _density(self, transform, at):
        return self._inside.equal(self._sign * at * self._slope(transform), unfold(self.source.weight))

    def _slope(self, transform):
        return sp.Matrix(transform).jacobian(self._x).det(method="berkowitz")

    @cached_property
    def _sign(self):
        """The sign of the determinant, from numbers; that it is the same everywhere, the check shows."""
        transform, weight = self._right()
        at = substitute(weight, dict(zip(self._y, transform)))
        verdict = decide(at * self._slope(transform), unfold(self.source.weight), given=self._inside.inside)
        return -1 if verdict.sides and verdict.sides[0] < 0 else 1

    def _stays(self, limits, put, inside):
        """Whether a map stays within some ranges."""
        for variable, *ends in limits:
            for end, sign in zip(ends, (1, -1)):
                if not end.is_infinite:
                    beyond = sign * (put[variable] - substitute(end, put))
                    yield f"{variable} goes beyond its end {end}", inside.not_negative(beyond)

    def _onto(self, transform):
        reached, back = self._ranges(*self._limits[1]), dict(zip(self._x, self._inverse))
        for y, g in zip(self._y, transform):
            yield f"{y} is not reached", reached.equal(substitute(g, back), y)
        yield from self._stays(self._limits[0], back, reached)

    # -- wrong versions --------------------------------------------------------------------------

    def _wrong(self):
        transform, weight = self._right()
        for place, g in enumerate(transform):
            for what, wrong in chosen(g):
                if wrong != g:
                    yield what, [*transform[:place], wrong, *transform[place + 1:]], weight
        for what, wrong in chosen(weight):
            if wrong != weight:
                yield what, transform, wrong

    def _same(self, transform, weight):
        right, density = self._right()
        inside, reached = self._inside, self._ranges(*self._limits[1])
        return (all(a == b or inside.equal(a, b).status == "proved" for a, b in zip(transform, right))
                and (weight == density or reached.equal(weight, density).status == "proved"))

    @property
    def statement(self):
        return self._implication(self.source.variables, self.transform, self.source, self.target)

"""The numerical opinion: a counter-example in high precision, looked for without SymPy's algebra."""

import random
from fractions import Fraction
from functools import cached_property

import sympy as sp
from mpmath import mp
from sympy.core.function import AppliedUndef
from sympy.functions.elementary.hyperbolic import HyperbolicFunction

from proofread.errors import CannotEvaluate, Unreal
from proofread.language.binders import Bracket
from proofread.language.parameters import NUMERIC_SIZES, Parameters
from proofread.language.statement import is_by_index
from proofread.language.typed import unfold
from proofread.numeric.balls import Proved
from proofread.numeric.environment import Point
from proofread.numeric.evaluation import evaluate
from proofread.numeric.precision import DIGITS, NESTED_DIGITS, same
from proofread.numeric.sampling import FINE, draw, steps
from proofread.settings import fresh

from .verdict import Counterexample, Evidence, sizes_of

POINTS = 12  #: random points at which a statement is looked at
GLANCE = 4  #: the same of a statement that has a proof for every size, one for each size
COSTLY_POINTS = 4  #: the same where an integral or a limit is evaluated
NEAR = Fraction(15, 16)  #: of the way to the place where a bound is attained
CORNERS = (-9, 4)  #: powers of two by which the numbers of a further point are larger
STEEP = (sp.exp, sp.log, HyperbolicFunction, sp.gamma, sp.erf)
MOST_STEPS = 3000  #: larger sizes are looked at where no side visits more nodes than these
PATIENCE = 50  #: draws for a point at a larger size
CLOSE_DIGITS = 100  #: compared where SymPy finds no proof: values may agree in many digits and differ
CLOSE_POINTS = 2


class Numbers:
    """The sides of a question, compared at points.

    Parameters
    ----------
    question : Question
    grain : int
        Into how many parts a range is divided, to draw from.
    """

    def __init__(self, question, grain=FINE):
        self.question, self.grain = question, grain
        self.tried, self._errors = [], "proved"

    @property
    def evidence(self):
        """What was seen at the points tried."""
        parameters = self.question.parameters
        return Evidence(digits=self.digits, points=len(self.tried),
                        sizes=sizes_of(parameters.sizes, self.tried),
                        random_functions=bool(parameters.functions),
                        errors=self._errors if self.question.has(sp.Integral) else "")

    @cached_property
    def digits(self):
        """How many digits are compared."""
        return NESTED_DIGITS if self.question.is_nested else DIGITS

    @cached_property
    def _is_costly(self):
        return self.question.has(sp.Integral, sp.Limit)

    # --- looking --------------------------------------------------------------------------------

    def glance(self, count=GLANCE):
        """The counterexample at one of a few random points, if there is one.

        A point at which a side has no value refutes nothing and shows nothing: the conditions should exclude
        it.

        Raises
        ------
        CannotEvaluate
            If some point has no value, and no other one refutes.
        """
        question, problem = self.question, None
        self.tried, self._errors = [], "proved"
        if self._is_costly:
            dear = question.parameters.functions or question.is_nested
            count = min(count, COSTLY_POINTS // 2 if dear else COSTLY_POINTS)
        for point in question.points(count, grain=self.grain):
            try:
                a, b, note = self._sides(point)
            except CannotEvaluate as error:
                if isinstance(error, Unreal) and (found := self._real_on_one_side(point)):
                    return found
                problem = error
                continue
            self.tried.append(point)
            if question.relation == "∝" and mp.im(a) == 0 and a <= 0:
                return self._at(point, a, b, " (the ratio of the sides, which has to be positive)")
            if not (same(a, b, self.digits) or ordered(a, b, question.relation)):
                return self._at(point, a, b, note)
        if problem:
            raise problem
        return None

    def counterexample(self, count=POINTS):
        """A counterexample, wherever the sides may differ.

        At more points, in corners, near the place where a bound is attained, at larger sizes.
        """
        if found := self.glance(count) or self._in_a_corner() or self._near_equality():
            return found
        for point in self._larger():
            if found := self._fails_at(point, DIGITS, DIGITS):
                return found
            self.tried.append(point)
        return None

    def close_look(self):
        """A counterexample in the digits that follow, where these are cheap, among points that agree."""
        vague = (sp.Integral, sp.Limit, Bracket, AppliedUndef)
        if self.question.relation == "∝" or self.question.has(sp.oo, -sp.oo, *vague):
            return None
        looked = (self._fails_at(point, CLOSE_DIGITS, CLOSE_DIGITS) for point in self.tried[:CLOSE_POINTS])
        return next(filter(None, looked), None)

    # --- at a point -----------------------------------------------------------------------------

    def _at(self, point, a, b, note):
        return Counterexample(mentioned(point, *self.question.sides), (a, b), note)

    def _fails_at(self, point, digits, compared, least=0):
        """The counterexample at a point, if the sides have values there, more than ``least`` apart."""
        try:
            a, b, note = self._sides(point, digits)
        except CannotEvaluate:
            return None
        if same(a, b, compared) or ordered(a, b, self.question.relation) or abs(a - b) < least:
            return None
        return self._at(point, a, b, note)

    def _real_on_one_side(self, point):
        """A counterexample where one side has a real value and the other one has none."""
        values = []
        for side in self.question.sides:
            try:
                values.append(evaluate(side, point))
            except Unreal:
                values.append(mp.nan)
            except CannotEvaluate:
                return None
        if mp.isnan(values[0]) == mp.isnan(values[1]):
            return None
        return self._at(point, *values, " (nan: it is not real there)")

    def _sides(self, point, digits=None):
        """The values that are compared, and what they are."""
        question = self.question
        if digits is None:
            # the errors of inner integrals add up
            digits = self.digits + 3 if question.is_nested else self.digits
        if question.relation != "∝":
            values = [evaluate(side, point, digits) for side in question.sides]
            if not all(isinstance(value, Proved) for value in values):
                self._errors = "estimated"
            return *values, ""
        self._errors = "estimated"
        rng = random.Random(repr(point))
        parameters = question.parameters
        top = min([point[s] for s in parameters.sizes], default=1)
        moved = {**point, **{s: rng.randint(1, top) if s in parameters.indices
                             else draw(s, question.given, rng) for s in question.over}}
        below = [evaluate(question.right, p) for p in (point, moved)]
        if 0 in below:
            ratio = f"the ratio of {question.left} and {question.right}"
            raise CannotEvaluate(f"{ratio} is not defined everywhere")
        ratios = [evaluate(question.left, p) / b for p, b in zip((point, moved), below)]
        return *ratios, " (the ratio of the sides, here and with the variables moved)"

    # --- further points -------------------------------------------------------------------------

    def _in_a_corner(self):
        """The counterexample far out or close to zero, if there is one."""
        # a difference quotient has no digits left where its value is tiny
        least = mp.mpf(10) ** -15
        looked = (self._fails_at(point, 2 * DIGITS, DIGITS, least) for point in self._corners())
        return next(filter(None, looked), None)

    def _corners(self):
        """Points far out and close to zero; there a side need not have a value."""
        parameters = self.question.parameters
        if not (parameters.scalars or parameters.bases) or parameters.functions or self._is_costly:
            return
        for reach in CORNERS:
            if reach > 0 and self.question.has(*STEEP):
                continue  # no precision is enough for exp(exp(x)) far out
            try:
                yield from self.question.points(1, grain=self.grain, reach=reach)
            except CannotEvaluate:
                continue

    def _near_equality(self):
        """The counterexample next to the place where a bound is attained, where a wrong one has no slack."""
        looked = (self._fails_at(point, DIGITS, DIGITS) for point in self._moved_to_equality())
        return next(filter(None, looked), None)

    def _moved_to_equality(self):
        """Random points of which what decides the equality has gone most of the way to it."""
        question, values = self.question, dict(self.question.attained or ())
        summed = {base for base, *_ in question.given.totals}
        if not values or question.parameters.functions or self._is_costly or summed & values.keys():
            return
        for point in question.points(POINTS, grain=self.grain):
            try:
                moved = Point(point | self._nearly(values, point))
                if all(evaluate(c, moved) for c in question.given.to_be_met):
                    yield moved
            except CannotEvaluate:
                continue

    def _nearly(self, values, point):
        """Numbers between those of a point and these ``values``, close to the latter."""
        rng = random.Random(repr(point))
        unknown = {v for v in values.values() if isinstance(v, sp.Symbol) and v not in point}
        there = Point(point | {v: draw(v, self.question.given, rng) for v in unknown})
        near = {}
        for key, drawn in point.items():
            symbol, indices = key if isinstance(key, tuple) else (key, ())
            if symbol in values and not symbol.is_integer:
                value = values[symbol]
                value = value(*map(sp.Integer, indices)) if is_by_index(value) else value
                near[key] = drawn + (Fraction(float(evaluate(unfold(value), there))) - drawn) * NEAR
        return near

    def _larger(self):
        """Points at larger sizes, as far as they cost little; there a side need not have a value."""
        parameters, given = self.question.parameters, self.question.given
        if not parameters.sizes:
            return
        left, right = self.question.sides
        rng = random.Random(f"{left} {right} {fresh()}")
        for choice in parameters.larger_choices(given, rng):
            size = max(choice[s] for s in parameters.sizes)
            most = max(steps(left, size), steps(right, size),
                       *((size + 2) ** rank for rank in parameters.bases.values()))
            if most > MOST_STEPS:
                continue
            try:
                yield from self.question.points_at(choice, grain=self.grain, draws=PATIENCE)
            except CannotEvaluate:
                continue


def ordered(a, b, relation):
    """Whether two different values are in the order that a relation asks for."""
    if relation not in ("<=", ">=") or mp.im(a) != 0 or mp.im(b) != 0:
        return False
    return mp.re(a) < mp.re(b) if relation == "<=" else mp.re(a) > mp.re(b)


def mentioned(point, *exprs):
    """The part of a point that some expressions use, entries up to the sizes chosen."""
    parameters = Parameters(*exprs)
    largest = max([point[s] for s in parameters.sizes], default=max(NUMERIC_SIZES))
    return {
        key: Fraction(value) if isinstance(value, mp.mpf) else value
        for key, value in point.items()
        if not isinstance(key, tuple) or all(1 <= i <= largest for i in key[1])
    }

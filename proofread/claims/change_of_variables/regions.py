"""Variables within their ranges: what algebra and numbers say of signs and of equalities there."""

from mpmath import mp

from proofread.budget import TooLong, within
from proofread.decision.decide import decide
from proofread.decision.verdict import Verdict
from proofread.fixed_size.zero_test import is_nonnegative
from proofread.language.intervals import Regions, put_in


class Ranges(Regions):
    """`Regions` of which questions are decided.

    Examples
    --------
    >>> import sympy as sp
    >>> x, y = sp.symbols("x y", positive=True)
    >>> ordered = Ranges([(x, 0, sp.oo), (y, x, sp.oo)])
    >>> ordered.not_negative(y - x).status, ordered.not_negative(x - y).status
    ('proved', 'refuted')
    >>> Ranges([(x, 0, 1)]).equal(sp.log(1 / x), sp.Abs(sp.log(x))).status
    'proved'
    """

    def equal(self, left, right):
        """The verdict on ``left = right`` everywhere inside."""
        verdict = decide(left, right, given=self.inside)
        # a side without a finite value has lost its digits there
        if verdict.status == "agrees" or not all(map(mp.isfinite, verdict.sides)):
            for put in self.written(left, right):
                other = decide(put_in(left, put), put_in(right, put), given=self.given)
                if other.status == "proved":
                    return other
        return verdict

    def not_negative(self, expr):
        """The verdict on ``expr >= 0`` everywhere inside."""
        if self.is_positive(expr) or any(self.has_sign(is_nonnegative, expr, put)
                                         for put in self.written(expr)):
            return Verdict("proved")
        return decide(expr, 0, ">=", given=self.inside)

    def has_sign(self, kind, expr, put):
        try:
            return within(lambda: super(Ranges, self).has_sign(kind, expr, put))
        except TooLong:
            return False

"""How many digits are compared."""

from mpmath import mp, mpf

DIGITS = 30  #: every comparison asks for this many significant digits
NESTED_DIGITS = 12  #: the same where integrals stand within integrals, which need as many nodes as both have


def same(a, b, digits=DIGITS):
    """Whether two numbers agree to ``digits`` significant digits (two infinities agree if equal)."""
    if mp.isinf(a) or mp.isinf(b):
        return a == b
    with mp.workdps(2 * digits + 30):
        return abs(a - b) <= max(abs(a), abs(b)) * mpf(10) ** -digits

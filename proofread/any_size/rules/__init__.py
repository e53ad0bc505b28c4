"""What the normal form makes of each kind of node: a rule enters itself where it is defined.

`elementary` are powers, exponentials, logarithms; `sums` those over an index, `closed_forms` sums of powers
and geometric ones; `integrals` also maxima and what a function gains between two ends; `piecewise` absolute
values and indicators; `derivatives`; `limits`; `expectations` means over independent draws.
"""

from . import (  # noqa: F401 -- they enter their rules
    closed_forms,
    derivatives,
    elementary,
    expectations,
    integrals,
    limits,
    piecewise,
    sums,
)

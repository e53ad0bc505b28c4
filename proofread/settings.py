"""What holds for every check: where randomness comes from, and how much work a question may cost.

Seeds are fixed, so that a page is reproducible, or fresh on demand.

With the environment variable ``PROOFREAD_FRESH_SEED`` set to an integer, every check draws from
another stream: the weekly run does this, so that no check rests on a lucky seed.
"""

import os

import sympy

#: of each question that is asked of numbers or of SymPy; ten million is the most that a chapter has been seen
#: to need, and not every chapter has been counted
MOST_STEPS = 300_000_000
MOST_SECONDS = 900  #: on the clock; who needs more learns that the machine is too slow, and no verdict


def fresh():
    """The fresh seed that was asked for, 0 if none was."""
    return int(os.environ.get("PROOFREAD_FRESH_SEED", "0"))


def reseed_sympy():
    """Make SymPy ask its assumptions in the same order whenever the same thing is decided.

    It draws that order, from a generator of its own: with some orders it sees a sign at once, with others
    after half a minute, or not at all.
    """
    sympy.core.random.seed(fresh())


reseed_sympy()  # formulas ask for signs when they are written, too

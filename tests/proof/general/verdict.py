"""What the normal form says of a statement, as a test asks it."""

from softmaxnotes.proof.errors import NoRule
from softmaxnotes.proof.general import proves


def is_shown(left, right, *given):
    """Whether an equality is proved; where there is no rule, it is not."""
    try:
        return proves(left, right, "=", *given)
    except NoRule:
        return False

"""What the normal form says of a statement, as a test asks it."""

from proofread.any_size import proves
from proofread.errors import NoRule


def is_shown(left, right, *given):
    """Whether an equality is proved; where there is no rule, it is not."""
    try:
        return proves(left, right, "=", *given)
    except NoRule:
        return False

"""Comparisons made wrong, for the falsifications of pages."""

from proofread.errors import Refuted
from proofread.testing import Falsified


def exchanged(claim, one, other):
    """A sentence on two methods, such as ``race.less``, that says the contrary."""
    says = f"is not {claim.rpartition('.')[2]} than"
    return Falsified(f'{claim}("{one}", "{other}")', f'{claim}("{other}", "{one}")', Refuted, says=says)


def one_seed(runs):
    """The first run of each method, as an expression in place of ``runs``, the source of one."""
    return (f"type({runs})({{name: of[:1] for name, of in {runs}.values.items()}}, "
            f"{runs}.seeds[:1], tuning={runs}.tuning)")

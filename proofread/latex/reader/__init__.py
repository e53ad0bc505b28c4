r"""The reader: TeX of the book, turned back into an expression.

What stands on the page is compared with what was checked; so the reader shares nothing with the printer,
neither code nor tables.  It reads in three passes, each with rooms of its own.

1. The TeX becomes a tree of its brackets (`brackets`); spacing and the sizes of brackets are dropped, and so
   are braces that are no argument, for nobody sees them.
2. Each atom gets its meaning (`reading`): from the `vocabulary` of the page, whose `names` are spelled in
   TeX, or from what everybody knows (`common`, `operators`, `quotients`).  Where the page allows several
   meanings, all are followed.
3. ``grammar.lark`` says how atoms combine, and `grammar` what this means for their `values`.

A formula with two readings that differ is `Ambiguous`, whichever of the two was meant.
"""

from .brackets import tree
from .errors import Ambiguous, Unreadable
from .reading import Reading
from .values import Every
from .vocabulary import Vocabulary

__all__ = ["Ambiguous", "Every", "Unreadable", "Vocabulary", "read"]


def read(tex, vocabulary):
    r"""The expression that stands on the page.

    Parameters
    ----------
    tex : str
        One side of a formula: an expression, a relation, or relations that are joined by logic.
    vocabulary : Vocabulary
        What the names in it mean.

    Returns
    -------
    sympy.Expr or sympy.MatrixExpr or sympy.logic.boolalg.Boolean

    Raises
    ------
    Unreadable
        If the TeX is not in the language, or if a name in it has no meaning.
    Ambiguous
        If it has two readings whose expressions differ.

    Examples
    --------
    >>> import sympy as sp
    >>> i, n, x = sp.symbols("i n x", integer=True)
    >>> page = Vocabulary({"z": sp.IndexedBase("z"), "i": i, "n": n, "x": x})
    >>> read(r"\sum_{i=1}^{n} z_{i} x - x", page)
    -x + Sum(x*z[i], (i, 1, n))
    >>> read(r"\left(x - 1", page)
    Traceback (most recent call last):
    proofread.latex.reader.errors.Unreadable: this bracket is not closed
      \left(x - 1
           ^
    """
    try:
        return Reading(vocabulary).whole(tree(tex))
    except Unreadable as error:
        raise error.pointed(tex) from None
    except (TypeError, ValueError, IndexError, AttributeError, ArithmeticError,
            NotImplementedError) as error:  # SymPy refuses
        raise Unreadable(f"this has no meaning: {error}").pointed(tex) from error

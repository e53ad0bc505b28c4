"""What a source prints differently, refuted by execution at the place where the book says so."""

import numpy as np

from . import ledger
from .decide import RELATIONS, decide
from .notation import tex


class Erratum(ledger.Checked):
    r"""A formula as a source prints it, with an executed refutation.

    Either the printed *statement* is false, and ``decide`` finds a witness; or it is true but useless as a
    *recipe*, and running the recipe shows it.

    Parameters
    ----------
    source : str
        Where it is printed.
    printed : (sympy.Expr, sympy.Expr) or sympy.Expr
        Both sides of the printed statement, or the printed recipe.
    correct : str
        Label of the right equation.
    consequence : str
        What goes wrong for someone who implements it as printed.
    relation, given
        Of the printed statement, as in `decide`.
    recipe, reference, at
        For a recipe: the printed one as a function, a right one, and an argument where they part.
    rows : iterable of str

    Raises
    ------
    ValueError
        If the refutation does not refute: the erratum itself is then wrong.

    Examples
    --------
    >>> import sympy as sp
    >>> x = sp.Symbol("x", real=True)
    >>> Erratum("a blackboard", ((x + 1)**2, x**2 + 1), correct="eq-square", consequence="").witness
    'at x = 777/512: left 6.338199615, right 3.303043365'
    """

    def __init__(self, source, printed, *, correct, consequence, relation="=", given=(), recipe=None,
                 reference=None, at=None, rows=()):
        self.source, self.correct, self.consequence, self.rows = source, correct, consequence, list(rows)
        if recipe is None:
            left, right = printed
            verdict = decide(left, right, relation, given=given)
            if verdict.status != "refuted":
                raise ValueError(f"the erratum of {source} is not refuted: {verdict.status}, {verdict.how}")
            self.printed, self.witness = f"{tex(left)} {RELATIONS[relation]} {tex(right)}", verdict.witness
            self.verdict = "Refuted by execution"
        else:
            with np.errstate(all="ignore"):
                wrong, right = np.asarray(recipe(at), float), np.asarray(reference(at), float)
            if np.isnan(right).any():
                raise ValueError(f"the reference for the recipe of {source} gives {right} at {at}")
            if np.allclose(wrong, right, rtol=1e-3, atol=0):
                raise ValueError(f"the recipe of {source} gives {wrong}, which is right at {at}")
            self.printed, self.verdict = tex(printed), "True as a formula, refuted as a recipe by running it"
            self.witness = f"at {_text(at)} the recipe gives {_text(wrong)}; right is {_text(right)}"

    def _entry(self):
        return ledger.Entry("erratum", "refuted", "", of=self.correct, title=f"erratum: {self.source}",
                            how=[f"{self.source} prints another form. {self.verdict}: {self.witness}"], rows=self.rows,
                            erratum={"source": self.source, "printed": self.printed, "correct_label": self.correct,
                                     "witness": f"{self.verdict}: {self.witness}", "consequence": self.consequence})

    def _markdown(self):
        return (f"> **Erratum.** {self.source} prints\n>\n> $$\n> {self.printed}\n> $$\n>\n"
                f"> {self.verdict}: {self.witness}.\n> {self.consequence}\n> Right is [](#{self.correct}).")


def _text(value):
    return np.array2string(np.asarray(value, float), precision=4, separator=", ")

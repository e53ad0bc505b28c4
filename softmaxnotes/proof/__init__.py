"""The checking machinery: what the reader sees is printed from the object that was checked.

`Derivation` and `Equivalence` chain steps that are decided one by one; `Distributed` is a statement about laws;
`Definition` introduces notation; `agree`, `enumeration` and `quadrature` are second routes, `mean_agrees`,
`frequencies_agree` and `cdf_agrees` statistical ones; `Erratum` refutes what a source prints, `Exercise` judges what
a reader answers; `report` closes a chapter.
"""

from .decide import Verdict, decide
from .definition import Definition
from .derivation import Derivation, Equivalence
from .distributed import Distributed
from .errors import CannotEvaluate, ProofError, Refuted, Undecided, Vacuous
from .erratum import Erratum
from .evaluate import evaluate
from .exercise import Exercise
from .ledger import report
from .notation import (
    KL, Bracket, E, Law, MatrixE, MaxOver, NormalLaw, Partial, Scalar, Var, Without, fraction, tex, unfold)
from .routes import agree, enumeration, quadrature
from .statistics import cdf_agrees, frequencies_agree, mean_agrees

__all__ = [
    "agree", "Bracket", "CannotEvaluate", "cdf_agrees", "decide", "Definition", "Derivation", "Distributed",
    "E", "enumeration", "Equivalence", "Erratum", "evaluate", "Exercise", "fraction", "frequencies_agree", "KL",
    "Law", "MatrixE", "MaxOver", "mean_agrees", "NormalLaw", "Partial", "ProofError", "quadrature", "Refuted",
    "report", "Scalar", "tex", "Undecided", "unfold", "Vacuous", "Var", "Verdict", "Without",
]

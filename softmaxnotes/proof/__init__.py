"""The checking machinery: what the reader sees is printed from the object that was checked.

`sympy` is SymPy's vocabulary for formulas that stay as they are typed.  `Derivation` and `Equivalence` chain
steps that are decided one by one; `Distributed` is a statement about laws; `Definition` introduces notation,
`Argued` a claim that no computer algebra can check; `agree`, `enumeration` and `quadrature` are second
routes, `mean_agrees`, `frequencies_agree` and `cdf_agrees` statistical ones; `Erratum` refutes what a source
prints, `Exercise` judges what a reader answers; `report` closes a chapter.
"""

from . import sympy
from .checked import report
from .decide import Verdict, decide
from .definition import Argued, Definition
from .derivation import Derivation
from .distributed import Distributed
from .equivalence import Equivalence
from .erratum import Erratum
from .errors import CannotEvaluate, Misprinted, ProofError, Refuted, Undecided, Vacuous
from .evaluate import evaluate, values
from .exercise import Exercise
from .general import bounds, substitution
from .jointly import JointlyDistributed
from .laws import Draws, JointLaw, Law, NormalLaw
from .meanings import symbols_mean
from .notation import KL, E, Partial, Scalar, Var, Without
from .printer import tex
from .routes import agree, enumeration, quadrature
from .said import said
from .statistics import cdf_agrees, frequencies_agree, mean_agrees
from .sympy import Bracket, MaxOver
from .written import unfold

__all__ = [
    "agree", "Argued", "bounds", "Bracket", "CannotEvaluate", "cdf_agrees", "decide", "Definition",
    "Derivation", "Distributed", "Draws", "E", "enumeration", "Equivalence", "Erratum", "evaluate",
    "Exercise", "frequencies_agree", "JointLaw", "JointlyDistributed", "KL", "Law", "MaxOver", "mean_agrees",
    "Misprinted", "NormalLaw", "Partial", "ProofError", "quadrature", "Refuted", "report", "said", "Scalar",
    "substitution", "symbols_mean", "sympy", "tex", "Undecided", "unfold", "Vacuous", "values", "Var",
    "Verdict", "Without",
]

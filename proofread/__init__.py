"""The checking machinery: what the reader sees is printed from the object that was checked.

`sympy` is SymPy's vocabulary for formulas that stay as they are typed.  `Derivation` and `Equivalence` chain
steps that are decided one by one; `Distributed` is a statement about laws; `Definition` introduces notation,
`Argued` a claim that no computer algebra can check; `agree`, `enumeration` and `quadrature` are second
routes, `mean_agrees`, `frequencies_agree` and `cdf_agrees` statistical ones; `Erratum` refutes what a source
prints, `Exercise` judges what a reader answers; `report` closes a chapter.
"""

from .any_size import bounds, substitution
from .claims.base import report
from .claims.change_of_variables.distributed import Distributed
from .claims.change_of_variables.jointly import JointlyDistributed
from .claims.definition import Argued, Definition
from .claims.derivation import Derivation
from .claims.equivalence import Equivalence
from .claims.erratum import Erratum
from .claims.evidence.routes import agree, enumeration, quadrature
from .claims.evidence.statistics import cdf_agrees, frequencies_agree, mean_agrees
from .claims.exercise import Exercise
from .claims.prose import said
from .claims.symbols import symbols_mean
from .decision.decide import Verdict, decide
from .errors import CannotEvaluate, Misprinted, ProofError, Refuted, Undecided, Vacuous
from .language import sympy
from .language.distributions import Draws, JointLaw, Law, NormalLaw
from .language.notation import KL, E, Partial, Scalar, Var, Without
from .language.sympy import Bracket, MaxOver
from .language.typed import unfold
from .latex.printer import tex
from .numeric.evaluation import evaluate, values

__all__ = [
    "agree", "Argued", "bounds", "Bracket", "CannotEvaluate", "cdf_agrees", "decide", "Definition",
    "Derivation", "Distributed", "Draws", "E", "enumeration", "Equivalence", "Erratum", "evaluate",
    "Exercise", "frequencies_agree", "JointLaw", "JointlyDistributed", "KL", "Law", "MaxOver", "mean_agrees",
    "Misprinted", "NormalLaw", "Partial", "ProofError", "quadrature", "Refuted", "report", "said", "Scalar",
    "substitution", "symbols_mean", "sympy", "tex", "Undecided", "unfold", "Vacuous", "values", "Var",
    "Verdict", "Without",
]

"""The checking machinery: what the reader sees is printed from the object that was checked.

`Derivation` and `Equivalence` chain steps that are decided one by one; `Definition` introduces notation;
`agree`, `enumeration` and `quadrature` are second routes, `mean_agrees`, `frequencies_agree` and `cdf_agrees`
statistical ones; `Erratum` refutes what a source prints; `report` closes a chapter.
"""

from .decide import Verdict, decide
from .definition import Definition
from .derivation import Derivation, Equivalence
from .errors import CannotEvaluate, ProofError, Refuted, Undecided, Vacuous
from .erratum import Erratum
from .evaluate import evaluate
from .ledger import report
from .notation import KL, E, Law, MaxOver, Var, fraction, tex, unfold
from .routes import agree, enumeration, quadrature
from .statistics import cdf_agrees, frequencies_agree, mean_agrees

__all__ = [
    "KL", "CannotEvaluate", "Definition", "Derivation", "E", "Equivalence", "Erratum", "Law", "MaxOver", "ProofError",
    "Refuted", "Undecided", "Vacuous", "Var", "Verdict", "agree", "cdf_agrees", "decide", "enumeration", "evaluate",
    "fraction", "frequencies_agree", "mean_agrees", "quadrature", "report", "tex", "unfold",
]

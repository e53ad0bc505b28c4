"""Mathematics that is checked as it is written: what a reader sees is printed from what was checked.

`sympy` is SymPy's vocabulary for formulas that stay as they are typed.  `Derivation` and `Equivalence` chain
steps that are decided one by one, some by `bounds`; `Distributed` is a statement about distributions;
`Definition` introduces notation, `Argued` a claim that no computer algebra can check; `evidence` are second
routes, such as a function that agrees with a formula; `Erratum` refutes what a source prints, `Exercise`
judges what a reader answers, `said` and `symbols_mean` account for what stands in sentences; `report` closes
a page.  `decide` says whether a statement is true.

What is needed less often stands in the rooms: `errors`, `language.notation`, `latex`, `numeric`.
"""

from importlib import import_module

from .any_size import bounds
from .claims.change_of_variables import Distributed
from .claims.definition import Argued, Definition
from .claims.derivation import Derivation
from .claims.equivalence import Equivalence
from .claims.erratum import Erratum
from .claims.exercise import Exercise
from .claims.prose import said
from .claims.report import report
from .claims.symbols import symbols_mean
from .decision.decide import decide
from .language import sympy
from .language.distributions import Draws, Law, NormalLaw
from .language.notation import KL, E, Var

__all__ = [
    "Argued", "bounds", "decide", "Definition", "Derivation", "Distributed", "Draws", "E", "Equivalence",
    "Erratum", "evidence", "Exercise", "KL", "Law", "NormalLaw", "report", "said", "symbols_mean", "sympy",
    "Var",
]


def __getattr__(name):
    if name == "evidence":  # it computes with NumPy and SciPy, and nothing else here does
        return import_module(f"{__name__}.evidence")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

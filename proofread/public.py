"""The public names, from the rooms where they live."""

# ruff: noqa: F401 -- `proofread` offers them

from .any_size import bounds
from .claims.change_of_variables import Distributed
from .claims.definition import Argued, Definition
from .claims.derivation import Derivation
from .claims.equivalence import Equivalence
from .claims.erratum import Erratum
from .claims.prose import said
from .claims.report import report
from .claims.symbols import symbols_mean
from .decision.decide import decide
from .exercises.formula import Exercise
from .exercises.program import ProgrammingExercise
from .language import sympy
from .language.distributions import Draws, Law, NormalLaw
from .language.notation import KL, E, Var

"""Mathematics that is checked as it is written: what a reader sees is printed from what was checked.

`sympy` is SymPy's vocabulary for formulas that stay as they are typed.  `Derivation` and `Equivalence` chain
steps that are decided one by one, some by `bounds`; `Distributed` is a statement about distributions;
`Definition` introduces notation, `Argued` a claim that no computer algebra can check; `evidence` are second
routes, such as a function that agrees with a formula; `Erratum` refutes what a source prints, `Exercise` and
`ProgrammingExercise` judge what a reader answers, `said` and `symbols_mean` tell what stands in sentences;
`report` closes a page.  `decide` says whether a statement is true.

What is needed less often stands in the rooms: `errors`, `language.notation`, `latex`, `numeric`.
"""

from importlib import import_module

__all__ = [
    "Argued", "bounds", "decide", "Definition", "Derivation", "Distributed", "Draws", "E", "Equivalence",
    "Erratum", "evidence", "Exercise", "KL", "Law", "NormalLaw", "ProgrammingExercise", "report", "said",
    "symbols_mean", "sympy", "Var",
]


def __getattr__(name):
    """A public name, when it is first asked for: pytest loads our plugin wherever we are installed."""
    if name == "evidence":  # it computes with NumPy and SciPy, and nothing else here does
        return import_module(f"{__name__}.evidence")
    if name in __all__:
        from . import public

        return getattr(public, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__():
    return sorted({*globals(), *__all__})

"""What the symbols of a chapter mean: each has one meaning, and each that is displayed has been declared."""

import re

import sympy as sp

from proofread.language.conditions import Conditions
from proofread.language.statement import leaves
from proofread.language.typed import Function, unfold
from proofread.latex.printer import name, tex
from proofread.ledger import current
from proofread.mutation.conditions import is_needed

from .base import Checked
from .definition import Argued, Definition

#: what an assumption of SymPy says of a symbol, the strongest first
DOMAINS = (("integer", "positive", "1, 2, …"), ("integer", "nonnegative", "0, 1, 2, …"),
           ("integer", "real", "whole"), ("real", "positive", "positive"),
           ("real", "nonnegative", "not negative"), ("real", "real", "real"))


def symbols_mean(meanings):
    r"""Declare what the symbols of a chapter mean, when all of its equations have been displayed.

    Parameters
    ----------
    meanings : dict
        Symbols, vectors, matrices and functions, and what each is: in words, or in a tuple of words and of
        the conditions that it meets on the whole page, its domain.

    Returns
    -------
    Meanings

    Raises
    ------
    ValueError
        If a symbol that is displayed has not been declared, if two different ones have one name, if one has
        the name of something that is defined, or if two definitions are written alike; if an equation has a
        condition that bounds one symbol by a number, is not in its domain, and is not needed: the equation
        holds just beyond it as well.

    Examples
    --------
    >>> from proofread import sympy as sp
    >>> rate, size = sp.Symbol("lambda", positive=True), sp.Symbol("n", integer=True, positive=True)
    >>> print(symbols_mean({rate: ("a rate", rate < 1), size: "how many items"}).sentence())
    | symbol | what it is | values |
    |---|---|---|
    | $\lambda$ | a rate | positive, $\lambda < 1$ |
    | $n$ | how many items | 1, 2, … |
    """
    return Meanings(meanings)


class Meanings(Checked):
    """The symbols of a chapter: made by `symbols_mean`."""

    title = "symbols"

    def __init__(self, meanings):
        told = {_plain(symbol): (said, ()) if isinstance(said, str) else (said[0], tuple(said[1:]))
                for symbol, said in meanings.items()}
        meanings = {symbol: words for symbol, (words, _) in told.items()}
        self.domains = {symbol: _domain(symbol, conditions) for symbol, (_, conditions) in told.items()}
        self.meanings = {symbol: (_tex(symbol), words, _values(symbol, conditions))
                         for symbol, (words, conditions) in told.items()}
        self.symbols = tuple(meanings)
        _refuse_second_meanings(meanings)
        for label, shown in current().statements.items():
            for leaf in sorted(_shown(shown), key=str):
                if leaf not in meanings:
                    same = [other for other in meanings if _tex(other) == _tex(leaf)]
                    raise ValueError(f"{label}: {_tex(leaf)} is another symbol than the one that is declared"
                                     if same else f"{label}: {_tex(leaf)} is not declared")
            self._refuse_other_domains(label, shown)

    def _refuse_other_domains(self, label, shown):
        """Refuse a bound of a symbol that is neither in its domain nor needed."""
        for bound in Conditions(getattr(shown, "given", ())).bounds:
            domain = self.domains.get(bound.symbol, Conditions())
            if not bound.end.is_number or bound in domain.bounds:
                continue
            lines = shown.comparisons()
            needed = any(is_needed(bound, line, domain) for line in lines) if lines else not domain
            if shown.lines() and not needed:
                known = ", ".join(map(str, domain)) or "which `symbols_mean` does not tell"
                raise ValueError(f"{label}: expected a condition that it needs, or the domain of "
                                 f"{bound.symbol}, {known}; got {_said(bound)}, "
                                 "and just beyond that it holds as well")

    def evidence(self):
        """What each symbol is."""
        told = {tex: ", ".join(filter(None, words)) for tex, *words in self.meanings.values()}
        return {"kind": "symbols", "status": "definition", "symbols": told,
                "findings": [f"${tex}$: {words}" for tex, words in told.items()]}

    def sentence(self):
        """A table of them."""
        rows = [f"| ${tex}$ | {words} | {values} |" for tex, words, values in self.meanings.values()]
        return "\n".join(["| symbol | what it is | values |", "|---|---|---|", *rows])


def _plain(symbol):
    return symbol.plain if isinstance(symbol, Function) else unfold(symbol)


def _tex(symbol):
    """TeX of the name of a symbol, a vector, a matrix or a function."""
    return name(sp.Symbol(symbol.__name__) if isinstance(symbol, type) else symbol)


def _domain(symbol, conditions):
    conditions = Conditions(conditions)
    if strange := [c for c in conditions if c.free_symbols != {symbol}]:
        raise ValueError(f"the domain of {symbol}: expected conditions on it alone, got {strange[0]}")
    return conditions


def _said(bound):
    return f"{bound.symbol} {'<' if bound.sign < 0 else '>'}{'' if bound.strict else '='} {bound.end}"


def _values(symbol, conditions=()):
    """From which numbers a symbol is taken."""
    return ", ".join(filter(None, [_assumed(symbol), *(f"${tex(c)}$" for c in conditions)]))


def _assumed(symbol):
    if isinstance(symbol, sp.MatrixSymbol):
        rows, columns = (str(size) if size.is_Integer else name(size) for size in symbol.shape)
        return rf"${rows} \times {columns}$"
    known = symbol._kwargs if isinstance(symbol, type) else symbol.assumptions0
    return next((words for kind, sign, words in DOMAINS if known.get(kind) and known.get(sign)), "")


def _shown(checked):
    """The symbols in the lines of an object that have a name of their own."""
    sides = [side for line in checked.lines() for side in (line.left, line.right) if side is not None]
    return {leaf for leaf in leaves(*sides)
            if not isinstance(leaf, sp.Dummy) and str(leaf).strip("_0123456789")}


def _refuse_second_meanings(meanings):
    taken, written = {}, {}
    for label, shown in current().statements.items():
        for head in _heads(shown):
            taken.setdefault(head, f"defined in {label}")
        if isinstance(shown, Definition) and not isinstance(shown, Argued):
            head = shown.signature.head
            if (other := written.setdefault((head, _kinds(shown)), label)) != label:
                raise ValueError(f"{label} is written as {other} is: {head}")
    for symbol in meanings:
        tex = _tex(symbol)
        if tex in taken:
            raise ValueError(f"{tex} has two meanings: it is {taken[tex]}, and a symbol")
        taken[tex] = "a symbol"


def _kinds(definition):
    """Which arguments are matrices: what is the same letter for a number and for a vector is told by them."""
    return tuple(isinstance(parameter, sp.MatrixSymbol) for parameter in definition.signature.parameters)


def _heads(checked):
    """The names that a definition takes."""
    signature = getattr(checked, "signature", None)
    head = getattr(signature, "head", None)
    return [re.split(r"[_^(#]", head, maxsplit=1)[0].strip()] if head else []

"""How checked lines stand on the page: as one numbered equation, with their reasons and their conditions."""

import re

import sympy as sp
from sympy.assumptions import AppliedPredicate

from proofread.language import typed
from proofread.language.conditions import KINDS
from proofread.language.defined import defined_in
from proofread.language.statement import RELATIONS, is_by_index, leaves
from proofread.language.typed import unfold
from proofread.ledger import Entry

from . import round_trip
from .printer import name, tex

_REASON = re.compile(r" (&&)?\\quad\\small(\\textbf\{argued: \})?\\text\{.*\}(?=( \\\\)?$)")

#: what a condition says of a matrix
_MATRICES = {"definite": r"\succ 0", "triangular": r"\ \text{lower triangular, diagonal positive}"}


def fields(checked, lines):
    """What an entry says of the lines of a checked object."""
    statement = checked.statement
    domain, meanings = getattr(checked, "domain", None), getattr(checked, "meanings", ())
    return {"tex": f"{tex(statement.left)} {RELATIONS[statement.relation]} {tex(statement.right)}",
            "display": formula(lines), "conditions": conditions(statement, domain, meanings),
            "rests_on": tuple(sorted(labels(checked) - {checked.label}))}


def labels(checked):
    """Labels of what the lines of a checked object use: definitions, claims, and what their bodies use."""
    sides = [side for line in checked.lines() for side in (line.left, line.right) if side is not None]
    return set(getattr(checked, "uses", ())) | defined_in(*sides)


def formula(lines):
    """TeX of the lines: one formula, or a table of lines."""
    if len(lines) == 1 and not lines[0].iff:
        line, = lines
        return f"{tex(line.left)} {RELATIONS[line.relation]} {tex(line.right)}{_reason(line, ' ')}"
    rows = [_row(line) for line in lines]
    return "\\begin{aligned}\n" + " \\\\\n".join(rows) + "\n\\end{aligned}"


def _row(line):
    if line.iff:
        mark = r"\Longleftrightarrow\quad " if line.reason else ""
        sign, reason = RELATIONS[line.relation], _reason(line, " &&")
        return rf"&{mark}&{tex(line.left)} &{sign} {tex(line.right)}{reason}"
    left = "" if line.left is None else f"{tex(line.left)} "
    return f"{left}&{RELATIONS[line.relation]} {tex(line.right)}{_reason(line, ' &&')}"


def _reason(line, before):
    if not line.reason:
        return ""
    mark = r"\textbf{argued: }" if line.argued else ""
    return rf"{before}\quad\small{mark}\text{{{line.reason}}}"


def conditions(statement, domain=None, meanings=()):
    """The conditions of a statement, in Markdown."""
    told = [f"${_condition(c)}$" for c in statement.given]
    if domain is not None:
        unknown, range_ = domain
        ends = "(" if range_.left_open else "[", ")" if range_.right_open else "]"
        told.append(f"${tex(unknown)} \\in {_interval(range_.start, range_.end, *ends)}$")
    free = unfold(statement.left).free_symbols | unfold(statement.right).free_symbols
    for sign, fact in ((">", "is_positive"), (r"\ge", "is_nonnegative")):
        known = [s for s in sorted(leaves(statement.left, statement.right), key=str)
                 if not isinstance(s, type) and not isinstance(s, sp.MatrixSymbol)
                 and getattr(s, fact) and not s.is_integer
                 and not (fact == "is_nonnegative" and s.is_positive)
                 and not statement.conditions.is_bounded_below(s) and _symbol(s) in free]
        if numbers := [name(s) for s in known if not isinstance(s, sp.IndexedBase)]:
            told.append(f"${', '.join(numbers)} {sign} 0$")
        if vectors := [_any_entry(s, statement) for s in known if isinstance(s, sp.IndexedBase)]:
            told.append(f"all ${', '.join(vectors)} {sign} 0$")
    told = [f"for {', '.join(told)}"] if told else []
    if statement.over:
        told.append("as functions of " + ", ".join(f"${tex(s)}$" for s in statement.over))
    if statement.attained:
        told.append("with equality at " + ", ".join(f"${_equal(s, v)}$" for s, v in statement.attained))
    told += [f"where ${law}$ has the density ${tex(weight)}$, "
             + ", ".join(rf"${tex(variable)} \in {_interval(low, high)}$" for variable, low, high in ranges)
             for law, weight, *ranges in meanings]
    return tuple(told)


def _any_entry(vector, statement):
    """An entry of a vector with a letter for its place, one that the statement itself has if possible."""
    shown = [part for side in (statement.left, statement.right) for part in sp.preorder_traversal(side)
             if isinstance(part, typed.Entry)]
    plain = sorted((part for side in (statement.left, statement.right)
                    for part in unfold(side).atoms(sp.Indexed)), key=str)
    entries = [part for part in (*map(unfold, shown), *plain)
               if isinstance(part, sp.Indexed) and part.base == vector]
    letters = [part.indices for part in entries
               if all(i.is_Symbol and not isinstance(i, sp.Dummy) for i in part.indices)]
    count = len(entries[0].indices) if entries else 1
    return tex(vector[letters[0] if letters else sp.symbols("i j k", integer=True)[:count]])


def _symbol(leaf):
    """What SymPy counts as free: of a vector, its label."""
    return leaf.label if isinstance(leaf, sp.IndexedBase) else leaf


def _condition(condition):
    if isinstance(condition, AppliedPredicate):
        return f"{name(condition.arg)} {_MATRICES[KINDS[condition.function]]}"
    return tex(condition)


def _interval(low, high, left="(", right=")"):
    return f"{left}{tex(low)}, {tex(high)}{right}"


def _equal(symbol, value):
    symbol = unfold(symbol)
    if isinstance(symbol, sp.IndexedBase):
        letters = "jk"[-len(value.variables):] if isinstance(value, sp.Lambda) else "k"
        places = sp.symbols(" ".join(letters), integer=True, positive=True, seq=True)
        value = value(*places) if is_by_index(value) else value
        return f"{name(symbol)}_{{{''.join(letters)}}} = {tex(value)}"
    return f"{tex(symbol)} = {tex(value)}"


def markdown(checked, lines, entry):
    """The numbered equation in Markdown, after it was read back; under it any conditions."""
    round_trip.compare(entry.display, lines, entry.label, checked.given)
    text = f"$$\n{entry.display}\n$$ ({entry.label})"
    return f"{text}\n\n{told(entry)}" if entry.conditions else text


def record(entries):
    """The formulas of the labelled equations among some entries, with their conditions and without reasons.

    It is the same on every machine, and a file with it is TeX whose conditions are comments.
    """
    parts = []
    for entry in entries:
        if entry.label and entry.display:
            lines = [_REASON.sub("", line) for line in entry.display.splitlines()]
            parts.append("\n".join([f"% {entry.label}", *lines, *(f"% {c}" for c in entry.conditions)]))
    return "\n".join(f"{part}\n" for part in parts)


def told(entry: Entry):
    """The conditions of an entry, one after the other."""
    return ", ".join(entry.conditions)

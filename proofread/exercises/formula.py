"""Exercises whose answer is a formula: any equal formula is right, a known wrong answer gets its hint."""

import re
import time
from dataclasses import replace

import sympy as sp
from mpmath import mp
from sympy.core.function import UndefinedFunction

from proofread.claims.base import Checked
from proofread.decision.decide import decide
from proofread.decision.verdict import PASSES
from proofread.errors import ProofError, Refuted, Undecided, Vacuous
from proofread.language.binders import bound_symbols
from proofread.language.defined import defined_in
from proofread.language.parameters import Parameters
from proofread.language.statement import leaves
from proofread.language.typed import Function, is_claim, unfold
from proofread.latex.printer import tex
from proofread.ledger import BY_CHECK

from .feedback import Feedback

WEAKEST_FIRST = ("refuted", "undecided", "agrees", "proved")


class Exercise(Checked):
    r"""An exercise whose answer is a formula, or several.

    Parameters
    ----------
    label : str
        Label of the exercise on the page, ``ex-…``.
    answer : sympy.Expr or tuple of sympy.Expr
        The right answer, a number for each value of its symbols.  Of an equation ask for one side, of a
        matrix for its trace, its determinant or a quadratic form.
    given : iterable of sympy relations
        Conditions on the symbols beside their own assumptions.
    hints : dict, optional
        Maps a wrong answer that readers are known to give to a sentence that leads on.
    variables : iterable, optional
        Symbols, vectors, matrices and functions that an attempt may use, beside those of ``answer``,
        ``hints`` and ``given``.

    Attributes
    ----------
    answer : tuple of sympy.Expr
    hints : list
        Pairs of a wrong answer, as such a tuple, and its hint.
    solved : tuple or None
        What `solution` accepted, and the verdict.

    Raises
    ------
    Undecided
        If `decide` cannot compare the answer with itself or with a wrong answer.
    Vacuous
        If a wrong answer is right, or equal to another one, whose hint nobody would see.
    ValueError
        If an answer is no formula, a wrong one has another number of formulas, or two symbols have one name.
    TypeError
        If a hint is no sentence.

    Examples
    --------
    >>> import sympy as sp
    >>> mu, sigma = sp.Symbol("mu", real=True), sp.Symbol("sigma", positive=True)
    >>> moment = Exercise("ex-second-moment", answer=mu**2 + sigma**2, hints={
    ...     sigma**2: "That is the second moment about the mean; about which point is it asked for?"})
    >>> moment.check(...)
    No answer yet: put your formula in place of `...`.
    >>> moment.check((mu + sigma)**2 - 2*mu*sigma)
    ✓ Right (symbolic; 30 digits at 4 random points).
    >>> moment.check("sigma^2")
    Not yet. That is the second moment about the mean; about which point is it asked for?
    >>> moment.check(mu**2 - sigma**2)  # doctest: +ELLIPSIS
    Not equal: at mu = 777/512, sigma = ... yours gives 2.298825979, the right value is 2.307260752.
    >>> moment.check("mu**2 + s**2")
    Your formula uses `s`; it should be in terms of `mu`, `sigma`.
    """

    def __init__(self, label, *, answer, given=(), hints=None, variables=()):
        began = time.process_time()
        self.label, self.answer, self.given = label, _formulas(answer), tuple(given)
        self.hints = [(_formulas(wrong), hint) for wrong, hint in dict(hints or {}).items()]
        self.solved = None
        wrongs = [(wrong, "a wrong answer") for wrong, _ in self.hints]
        for parts, what in [(self.answer, "the answer"), *wrongs]:
            if not parts or ... in parts:
                raise ValueError(f"{label}: {what} is missing")
        words = _words(*self.answer, *(part for wrong, _ in self.hints for part in wrong), *self.given)
        words |= {(_shown(thing), thing) for thing in map(_plain, variables)}
        self._words = dict(words)
        self._locals = {re.match(r"\w*", shown)[0]: thing for shown, thing in words}
        if len(self._locals) < len(words):
            names = sorted(shown for shown, _ in words)
            raise ValueError(f"{label}: different symbols have one name: {names}")
        self._scrutinise()
        self.seconds = time.process_time() - began

    def _scrutinise(self):
        """The answer is decidable, each wrong answer is wrong, and no two of them are the same."""
        if (verdict := self._compare(self.answer, self.answer)[0]).status not in PASSES:
            raise Undecided(f"{self.label}: the answer is undecided: {verdict.how}")
        known = [(self.answer, "the answer")]
        for wrong, hint in self.hints:
            if len(wrong) != len(self.answer):
                raise ValueError(f"{self.label}: the answer is of {len(self.answer)} formulas, "
                                 f"a wrong one of {len(wrong)}")
            if not (isinstance(hint, str) and hint.strip()):
                raise TypeError(f"{self.label}: a hint is a sentence; got {hint!r} for {wrong}")
            for other, what in known:
                verdict = self._compare(wrong, other)[0]
                if verdict.status in PASSES:
                    raise Vacuous(f"{self.label}: the wrong answer {_text(wrong)} is equal to {what}: "
                                  f"{verdict.how}")
                if verdict.status == "undecided":
                    raise Undecided(f"{self.label}: whether {_text(wrong)} is {what} is undecided: "
                                    f"{verdict.how}")
            known.append((wrong, f"the wrong answer {_text(wrong)}"))

    def check(self, attempt=...):
        """Say what is to be said about an attempt; a wrong one is a lesson and no error.

        Parameters
        ----------
        attempt : sympy.Expr, str, number, or a tuple of these
            A string is read by SymPy with the symbols of the exercise (``^`` is a power).  A symbol that has
            the name of one of the exercise, and other assumptions, is taken for that one, and the message
            says so.

        Returns
        -------
        Feedback
        """
        try:
            parts, note = self._read(attempt)
        except ValueError as error:
            return Feedback("unreadable", str(error))
        if parts is None:
            return Feedback("no answer", "No answer yet: put your formula in place of `...`.")
        try:
            feedback = self._judge(self._apart(parts))
        except (ProofError, ValueError) as error:  # a law that is none, two symbols of one name
            feedback = Feedback("undecided", f"It could not be decided whether this is right: {error}.")
        return replace(feedback, text=feedback.text + note)

    def solution(self, attempt):
        """Accept the solution that is published, or fail.

        Parameters
        ----------
        attempt
            As in `check`.

        Returns
        -------
        Exercise
            Itself; it shows the solution and how it was decided.

        Raises
        ------
        Refuted, Undecided
            If the solution is wrong, or that cannot be told.
        ValueError
            If it is missing, or no formula in the symbols of the exercise.
        """
        began = time.process_time()
        feedback = self.check(attempt)
        message = f"{self.label}, solution: {feedback.text}"
        if feedback.status in ("known", "wrong"):
            raise Refuted(message, feedback.verdict.witness)
        if feedback.verdict is None:
            raise ValueError(message)
        if feedback.verdict.status != "proved":
            raise Undecided(message)
        self.solved = self._read(attempt)[0], feedback.verdict
        self.seconds += time.process_time() - began
        return self

    # -- reading and judging ---------------------------------------------------------------------

    def _read(self, attempt):
        """The attempt in the symbols of the exercise (``None`` if missing), and a note on the reading."""
        parts = _formulas(attempt, self._locals)
        if ... in parts:
            return None, ""
        if len(parts) != len(self.answer):
            raise ValueError(
                f"The number of formulas asked for is {len(self.answer)}; you gave {len(parts)}.")
        used = _words(*parts)
        own = {thing.name for thing in self._words.values()}
        if loose := sorted({thing.name for _, thing in used if re.search(r"\W", thing.name)} - own):
            raise ValueError(f"A name holds letters, digits and underscores only; yours is {_quoted(loose)}.")
        if strange := sorted({shown for shown, _ in used} - set(self._words)):
            terms = f"in terms of {_quoted(sorted(self._words))}" if self._words else "a number"
            raise ValueError(f"Your formula uses {_quoted(strange)}; it should be {terms}.")
        taken = {thing: self._words[shown] for shown, thing in used if thing != self._words[shown]}
        if not taken:
            return parts, ""
        functions = [thing for thing in taken if isinstance(thing, UndefinedFunction)]
        parts = tuple(unfold(part).xreplace(taken) for part in parts)
        for function in functions:
            parts = tuple(part.replace(function, taken[function]) for part in parts)
        return parts, f" (Read with the assumptions of the exercise: {_quoted(sorted(map(_shown, taken)))}.)"

    def _apart(self, parts):
        """The parts, with other names for bound variables of their own: they may be named alike."""
        known = leaves(*self.answer, *(part for wrong, _ in self.hints for part in wrong), *self.given)
        plain = [unfold(part) for part in parts]
        bound = {s for part in plain for node in sp.preorder_traversal(part) for s in bound_symbols(node)
                 if isinstance(s, sp.Symbol) and s.name.strip("+-")}
        own = {s: s.as_dummy() for s in bound - known}
        return tuple(part.xreplace(own) for part in plain) if own else parts

    def _judge(self, parts):
        verdict, place = self._compare(parts, self.answer)
        if verdict.status == "proved":
            return Feedback("right", f"✓ Right ({verdict.how}).", verdict)
        if verdict.status == "agrees":
            return Feedback("right", f"✓ Right, as far as numbers can tell ({verdict.how}).", verdict)
        if verdict.status == "undecided":
            text = f"It could not be decided whether this is right: {verdict.how}."
            return Feedback("undecided", text, verdict)
        for wrong, hint in self.hints:
            if self._compare(parts, wrong)[0].status in PASSES:
                return Feedback("known", f"Not yet. {hint}", verdict)
        yours, right = (mp.nstr(value, 10) for value in verdict.sides)
        where = ", ".join(f"{name} = {value}" if value else name for name, value in verdict.point)
        formula = f"formula {place + 1}, " if len(parts) > 1 else ""
        text = (f"Not equal: {formula}{f'at {where} ' if where else ''}yours gives {yours}, "
                f"the right value is {right}.")
        if yours == right:
            text += (" They differ in later digits: are decimals in it that have an exact form, such as "
                     "`Rational(1, 3)` or `pi`?")
        return Feedback("wrong", text, verdict)

    def _compare(self, left, right):
        """The weakest verdict over the formulas, and which of them it is about."""
        verdicts = [decide(a, b, given=self.given) for a, b in zip(left, right, strict=True)]
        place = min(range(len(verdicts)), key=lambda i: (
            WEAKEST_FIRST.index(verdicts[i].status), not verdicts[i].scope))
        return verdicts[place], place

    # -- what is shown ---------------------------------------------------------------------------

    def unfolded(self):
        return defined_in(*self.answer)

    def evidence(self):
        if self.solved is None:
            raise ValueError(f"{self.label} has no solution yet: show what `check` or `solution` returns")
        _, verdict = self.solved
        status = "proved for some sizes" if verdict.scope else "proved"
        findings = [f"the solution equals the answer: {verdict.how}"]
        if self.hints:
            findings.append(f"known wrong answers that were refuted: {len(self.hints)}")
        return {"kind": "exercise", "status": status, "scope": verdict.scope, "label": "",
                "findings": findings,
                "title": f"exercise [{self.label.removeprefix('ex-')}](#{self.label})",
                "rejected": {BY_CHECK: len(self.hints)}, "seconds": round(self.seconds, 3)}

    def sentence(self):
        parts, verdict = self.solved
        return f"✓ {', '.join(f'${tex(part)}$' for part in parts)}: accepted ({verdict.how})."


def _formulas(value, names=None):
    """The formulas of an answer or an attempt; dots stay dots."""
    if isinstance(value, str):
        value = _parsed(value, names)
    parts = value if isinstance(value, (tuple, list, sp.Tuple)) else (value,)
    return tuple(part if part is ... else _formula(part, names) for part in parts)


def _formula(value, names):
    if isinstance(value, str):
        value = _parsed(value, names)
    try:
        formula = sp.sympify(value, strict=True)
    except sp.SympifyError:
        formula = None
    if is_claim(formula) and formula.args:
        raise ValueError(f"A formula is asked for, and `{formula}` is a relation: give one side of it.")
    if getattr(formula, "is_Matrix", False):
        raise ValueError(f"A number is asked for, and `{formula}` is a matrix: "
                         "take its trace, or an entry such as `[0, 0]`.")
    if not isinstance(formula, sp.Expr) or formula.has(sp.Lambda):
        raise ValueError(f"A formula is asked for, and this is none: `{value}`.")
    return formula


#: what a formula that is typed consists of, beside letters, digits and underscores
_SIGNS = set(" \t\n+-*/^()[]{},.=<>!|&~")
_LOOKALIKES = {"\u2212": "-", "\u2013": "-", "\u00b7": "*", "\u22c5": "*", "\u00d7": "*", "\u00f7": "/",
               "\u00b2": "^2", "\u00b3": "^3"}


def _parsed(text, names):
    for sign in text:
        # a sign that Python takes for a letter would become part of a name, and be lost
        if not (sign in _SIGNS or re.fullmatch(r"\w", sign) and sign not in _LOOKALIKES):
            instead = f"; type `{_LOOKALIKES[sign]}`" if sign in _LOOKALIKES else ""
            raise ValueError(f"SymPy cannot read `{text}`: it holds the sign `{sign}`{instead}.")
    try:
        return sp.sympify(text, locals=names)
    except Exception as error:  # the text is executed, so errors of every kind come out
        why = "is a sign of multiplication or a bracket missing?"
        raise ValueError(f"SymPy cannot read `{text}`: {why}") from error


def _plain(thing):
    return thing.plain if isinstance(thing, Function) else unfold(thing)


def _words(*exprs):
    """What is free in some formulas, as pairs of how it is shown and what it is."""
    free = Parameters(*exprs)
    things = [*free.sizes, *free.indices, *free.scalars, *free.bases, *free.matrices, *free.functions]
    return {(_shown(thing), thing) for thing in things}


def _shown(thing):
    """The name without the marks of TeX, as a reader would type it: ``theta``, ``z[…]``, ``f(…)``."""
    is_vector, is_function = isinstance(thing, sp.IndexedBase), isinstance(thing, UndefinedFunction)
    form = "[…]" if is_vector else "(…)" if is_function else ""
    return re.sub(r"\W", "", thing.name) + form


def _quoted(names):
    return ", ".join(f"`{name}`" for name in names)


def _text(parts):
    return ", ".join(map(str, parts))

"""Is a statement true?  Two opinions are asked for, and both must agree.

The symbolic opinion (`algebra`) proves the statement for every size, or instances of it; the numerical one
(`numbers`) looks for a counter-example in high precision, without SymPy's algebra.  A counter-example always
wins.  To decide changes nothing: what a statement made use of, a claim enters into the ledger.
"""

from dataclasses import asdict, replace

import sympy as sp

from proofread.budget import TooLong, within
from proofread.errors import CannotEvaluate, Unmet
from proofread.language.statement import Statement, admissible, with_values
from proofread.settings import reseed_sympy

from .algebra import for_every_size, for_some_sizes
from .cache import kept
from .laws import check_laws
from .numbers import Numbers
from .question import Question, question
from .verdict import Evidence, Verdict


def decide(left, right, relation="=", *, given=(), over=(), attained=None, by=()):
    """Decide ``left relation right`` for all admissible values of its symbols.

    Parameters
    ----------
    left, right : expression
        Typed or plain; may hold sums of symbolic size, derivatives, integrals and limits.
    relation : {"=", "<=", ">=", "∝"}
    given : iterable of relations
        Conditions on the symbols beside their own assumptions.
    over : iterable of symbols
        For ``"∝"``: the ratio of the sides must not depend on these.
    attained : dict, optional
        For an inequality: values (of sizes, symbols or whole vectors; for a vector a number, or a function of
        the index) at which the sides are equal.
    by : sequence of Bound
        How it is shown, where the normal form alone does not.

    Returns
    -------
    Verdict

    Raises
    ------
    ValueError
        If two different symbols have one name, or a name hides a variable that is bound.
    Refuted, Undecided
        If a distribution in the statement is none.

    Examples
    --------
    >>> from proofread import sympy as sp
    >>> x = sp.Symbol("x", real=True)
    >>> decide(sp.exp(x) * sp.exp(-x), 1).status
    'proved'
    >>> decide((x + 1) ** 2, x**2 + 1).witness
    'at x = 777/512: left 6.338199615, right 3.303043365'
    """
    return answer(ask(Statement(left, relation, right, given, over, attained)), by)


def ask(statement):
    """The question whether a statement is true, of which the distributions are checked first."""
    check_laws(statement)
    return Question.of(statement)


def answer(asked, by=()):
    """The verdict on a question, known from an earlier run or found now."""
    if by:  # the hypotheses of a named rule are no text by which its verdict could be kept
        return _found(asked, by)
    refused = []

    def accepted():
        verdict = _found(asked)
        if not verdict.passes:
            refused.append(verdict)
            return None
        return {"status": verdict.status, "evidence": asdict(verdict.evidence), "problem": verdict.problem,
                "left_over": verdict.left_over}

    known = kept("verdict", asked.key, accepted)
    return Verdict(**{**known, "evidence": _read(known["evidence"])}) if known else refused[0]


def _read(evidence):
    """Evidence from JSON, which knows lists only."""
    def frozen(value):
        return tuple(map(frozen, value)) if isinstance(value, (list, tuple)) else value

    return Evidence(**{name: frozen(value) for name, value in evidence.items()})


def _found(asked, by=()):
    """The verdict: numbers have the first word and the last one, the proof stands between."""
    reseed_sympy()
    numbers = Numbers(asked)
    try:
        try:
            found = within(numbers.glance)
        except CannotEvaluate:  # there may be a counterexample all the same
            found = within(numbers.counterexample)
        if not found and asked.attained is not None and not (touch := _touch(asked)).status == "proved":
            # before the proof: a looser bound is true as well
            return Verdict("refuted", problem="the bound is not attained where it is said to be",
                           witness=touch.witness or touch.how)
        if found:
            return Verdict.refuted_by(found)
        proof = for_every_size(asked, by) if by else asked.proof
        if not proof.holds:
            found = within(numbers.counterexample)
            if not found and not by:  # SymPy may think long, so numbers have the word before it
                other = for_some_sizes(asked)
                proof = other if other.holds else replace(proof, problem=_why(proof, other))
    except (CannotEvaluate, TooLong) as error:
        return Verdict("undecided", problem=f"no numerical opinion: {error}", unmet=isinstance(error, Unmet))
    if not proof.holds and (found := found or numbers.close_look()):
        return Verdict.refuted_by(found)
    evidence = replace(numbers.evidence, attained=asked.attained is not None)
    if proof.holds:
        names = tuple(dict.fromkeys(bound.name for bound in by))
        return Verdict("proved", replace(evidence, scope=proof.scope, rules=proof.rules, by=names))
    # random functions are of one kind: what they share may be false of others
    status = "undecided" if evidence.random_functions else "agrees"
    return Verdict(status, evidence, proof.problem, proof.left_over)


def _why(general, instance):
    """Why neither the normal form nor SymPy at some sizes has shown it."""
    return "; ".join(dict.fromkeys(filter(None, (instance.problem, general.problem))))


def _touch(asked):
    """The verdict on the equality of the sides where they are said to be equal."""
    values = dict(asked.attained)
    for symbol, value in values.items():
        admissible(symbol, value)
    left, right, *given = (with_values(e, values) for e in (*asked.sides, *asked.given))
    return answer(question(left, right, given=[c for c in given if c != sp.true]))

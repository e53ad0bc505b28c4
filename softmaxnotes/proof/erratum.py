"""What a source prints differently, refuted by execution at the place where the book says so."""

import re

import numpy as np
import sympy as sp

from . import ledger
from .decide import RELATIONS, _admissible, decide, plain_counterexample
from .notation import tex, unfold

_RELATIONS = {sp.Equality: "=", sp.LessThan: "<=", sp.GreaterThan: ">="}


class Erratum(ledger.Checked):
    r"""A formula as a source prints it, with an executed refutation.

    Either the printed *statement* is false, and ``decide`` finds a witness; or it is true but useless as a
    *recipe*, and running the recipe shows it.

    Parameters
    ----------
    source : str
        Where it is printed.
    printed : (sympy.Expr, sympy.Expr), sympy.Implies or sympy.Expr
        Both sides of the printed statement; a printed conclusion from a premise; or the printed recipe.
    correct : str
        Label of the right equation.
    consequence : str
        What goes wrong for someone who implements it as printed.
    relation, given
        Of the printed statement, as in `decide`.
    counterexample : dict, optional
        For a conclusion: what to put for symbols and for undefined functions (a `sympy.Lambda`), so that the premise
        holds (it is proved) and the conclusion, or each of its alternatives, does not (it is refuted).
    recipe, reference, at
        For a recipe: the printed one as a function, a right one, and an argument where they part.
    says : str
        How the source says it, where it isn't the formula itself.
    rows : iterable of str

    Raises
    ------
    ValueError
        If the refutation does not refute: the erratum itself is then wrong.

    Examples
    --------
    >>> import sympy as sp
    >>> x = sp.Symbol("x", real=True)
    >>> Erratum("a blackboard", ((x + 1)**2, x**2 + 1), correct="eq-square", consequence="").witness
    'at $x = -1$: left $0$, right $2$'
    """

    def __init__(self, source, printed, *, correct, consequence, relation="=", given=(), recipe=None,
                 reference=None, at=None, counterexample=None, says="prints", rows=()):
        self.source, self.says, self.correct, self.consequence, self.rows = source, says, correct, consequence, list(rows)
        checked = set(ledger._checked)
        if isinstance(printed, sp.Implies):
            self.printed, self.verdict = _implication(printed), "Refuted by a counterexample"
            self.witness = self._counterexample(printed, counterexample, given)
        elif recipe is None:
            left, right = printed
            verdict = decide(left, right, relation, given=given)
            if verdict.status != "refuted":
                raise ValueError(f"the erratum of {source} is not refuted: {verdict.status}, {verdict.how}")
            self.printed = f"{tex(left)} {RELATIONS[relation]} {tex(right)}"
            self.witness = _typeset(plain_counterexample(left, right, relation, given) or verdict.witness)
            self.verdict = "Refuted by execution"
        else:
            with np.errstate(all="ignore"):
                wrong, right = np.asarray(recipe(at), float), np.asarray(reference(at), float)
            if np.isnan(right).any():
                raise ValueError(f"the reference for the recipe of {source} gives {right} at {at}")
            if np.allclose(wrong, right, rtol=1e-3, atol=0):
                raise ValueError(f"the recipe of {source} gives {wrong}, which is right at {at}")
            self.printed, self.verdict = tex(printed), "True as a formula, refuted as a recipe by running it"
            self.witness = f"at {_text(at)} the recipe gives {_text(wrong)}; right is {_text(right)}"
        # of what a refuted formula uses, nothing is shown: a slip in a definition would be refuted as well
        ledger._checked.intersection_update(checked)

    def _counterexample(self, printed, values, given):
        premise, conclusion = printed.args
        if not values:
            raise ValueError("a conclusion is refuted by a counterexample={…}")
        functions = {k: v for k, v in values.items() if isinstance(v, sp.Lambda)}
        plain = {k: sp.sympify(v) for k, v in values.items() if k not in functions}
        if loose := premise.free_symbols - set(plain):
            raise ValueError(f"the counterexample must say what {', '.join(map(str, loose))} is in the premise")
        for symbol, value in plain.items():
            _admissible(symbol, value)
        for function, meaning in functions.items():
            if function(*meaning.variables).is_positive and not meaning.expr.is_positive:
                raise ValueError(f"{function} is positive, and SymPy does not see that {meaning.expr} is")
        if any(c.subs(plain) == sp.false for c in given):
            raise ValueError(f"the counterexample does not satisfy {given}")

        def statement(claim):
            sides = [unfold(side) for side in claim.args]
            for function, meaning in functions.items():
                sides = [side.replace(function, meaning) for side in sides]
            return *(side.subs(plain) for side in sides), _RELATIONS[type(claim)]

        for claim in _alternatives(premise, sp.And):
            if (verdict := decide(*statement(claim), given=given)).status != "proved":
                raise ValueError(f"the premise {claim} does not hold for the counterexample: {verdict.witness or verdict.how}")
        witnesses = []
        for claim in _alternatives(conclusion, sp.Or):
            verdict = decide(*statement(claim), given=given)
            if verdict.status != "refuted":
                raise ValueError(f"the conclusion {claim} is not refuted: {verdict.how}")
            witnesses.append(_typeset(plain_counterexample(*statement(claim), given) or verdict.witness))
        told = ", ".join(f"${tex(k)} = {tex(v)}$" for k, v in plain.items())
        told += ", ".join(f"${k.__name__ if len(k.__name__) == 1 else tex(sp.Symbol(k.__name__))}"
                          rf"({', '.join(map(tex, v.variables))}) = {tex(v.expr)}$" for k, v in functions.items())
        return f"with {told} the premise holds, and {'; '.join(witnesses)}"

    def _entry(self):
        return ledger.Entry("erratum", "refuted", "", of=self.correct, title=f"erratum: {self.source}",
                            how=[f"{self.source} says otherwise. {self.verdict}: {self.witness}"], rows=self.rows,
                            erratum={"source": self.source, "printed": self.printed, "correct_label": self.correct,
                                     "witness": f"{self.verdict}: {self.witness}", "consequence": self.consequence})

    def _markdown(self):
        return (f"> **Erratum.** {self.source} {self.says}\n>\n> $$\n> {self.printed}\n> $$\n>\n"
                f"> {self.verdict}: {self.witness}.\n> {self.consequence}\n> Right is [](#{self.correct}).")


def _alternatives(claim, kind):
    return claim.args if isinstance(claim, kind) else (claim,)


def _implication(printed):
    """TeX of a conclusion with its quantifiers: what the premise does not mention is meant for all."""
    premise, conclusion = printed.args
    claims = []
    for claim in _alternatives(conclusion, sp.Or):
        names = ", ".join(map(tex, sorted(claim.free_symbols - premise.free_symbols, key=str)))
        claims.append(rf"\left(\forall {names}\colon\ {tex(claim)}\right)" if names else tex(claim))
    return rf"{tex(premise)} \implies " + r" \lor ".join(claims)


def _typeset(witness):
    """A witness with formulas for its names and numbers, and no more digits than tell the sides apart."""
    def value(digits):
        def shortened(found):
            mantissa, _, power = f"{float(found[0]):.{digits}g}".partition("e")
            return f"${mantissa}" + (rf" \cdot 10^{{{int(power)}}}$" if power else "$")
        return shortened

    where, left, rest = witness.rpartition("left ")
    sides, short = (re.sub(r"-?\d+\.\d+(e[+-]?\d+)?", value(digits), rest) for digits in (10, 4))
    if len(set(re.findall(r"\$[^$]*\$", short))) == len(set(re.findall(r"\$[^$]*\$", sides))):
        sides = short
    where = re.sub(r"\b([A-Za-z]+(?:_\w+)?(?:,\d+)*) = (-?[\d./]+)\b", lambda m: f"${tex(sp.Symbol(m[1]))} = {m[2]}$", where)
    return where + left + sides


def _text(value):
    return np.array2string(np.asarray(value, float), precision=4, separator=", ")

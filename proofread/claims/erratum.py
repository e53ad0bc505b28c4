"""What a source prints differently, refuted by execution at the place where the book says so."""

import sympy as sp
from mpmath import mp
from sympy.core.function import AppliedUndef

from proofread.decision.decide import answer, ask, decide
from proofread.decision.opinions import plain_counterexample
from proofread.decision.question import question
from proofread.language.conditions import Conditions
from proofread.language.statement import RELATIONS, Line, Statement, admissible
from proofread.language.sympy import And, Eq, Ge, Implies, Le, Or
from proofread.language.typed import Function, unfold
from proofread.latex import round_trip
from proofread.latex.printer import name, tex

from .base import Checked, equation

_RELATIONS = {Eq: "=", Le: "<=", Ge: ">="}


class Erratum(Checked):
    r"""A formula as a source prints it, with an executed refutation.

    Either the printed *statement* is false, and ``decide`` finds a witness; or it is true but useless as a
    *recipe*, and running the recipe shows it.

    Parameters
    ----------
    source : str
        Where it is printed.
    printed : (left, right), Implies or expression
        Both sides of the printed statement; a printed conclusion from a premise; or the printed recipe.
    correct : checked object or str
        The right equation, or its label if it was displayed before.  A printed equation must have a side in
        common with it, up to equality, and a printed conclusion a formula (with or without the values of the
        counterexample), or `instead` says how the two hang together.
    consequence : str
        What goes wrong for someone who implements it as printed.
    relation, given
        Of the printed statement, as in `decide`.  The conditions of the right equation on what is printed
        hold as well: where its own hypothesis fails, nothing is refuted.
    counterexample : dict, optional
        For a conclusion: what to put for symbols and for undefined functions (a `sympy.Lambda`), so that the
        premise holds (it is proved) and the conclusion, or each of its alternatives, does not (it is
        refuted).
    recipe, reference, at : callable, callable, dict
        For a recipe: the printed one as a function, a right one, and the values of the vectors or symbols, in
        the order of the arguments, where they part.  The printed formula must be true, that is equal to a
        side of the right equation, and run in double precision as it is typed, it must give what the recipe
        gives.
    alive : dict, optional
        For a recipe: values at which it still works, and gives the exact value of the printed formula.
    index : symbol, optional
        A recipe gives a vector, the formula its entry ``index``.
    instead : str
        In words, how a printed statement that shares no side with the right one hangs together with it; of a
        printed conclusion, what may be concluded.
    says : str
        How the source says it, where it isn't the formula itself.
    rows : iterable of str

    Raises
    ------
    ValueError
        If the refutation does not refute: the erratum itself is then wrong.

    Examples
    --------
    >>> from proofread import Derivation, sympy as sp
    >>> x = sp.Symbol("x", real=True)
    >>> square = Derivation((x + 1)**2, label="eq-square", title="a square").step(x**2 + 2 * x + 1, "expand")
    >>> Erratum("a blackboard", ((x + 1)**2, x**2 + 1), correct=square, consequence="").witness
    'at $x = -1$: left $0$, right $2$'
    >>> Erratum("a blackboard", (2 * x, x), correct=square, consequence="")
    Traceback (most recent call last):
    ValueError: the erratum of a blackboard has no side in common with eq-square, which it is to correct
    """

    def __init__(self, source, printed, *, correct, consequence, relation="=", given=(), recipe=None,
                 reference=None, at=None, alive=None, index=None, counterexample=None, instead="",
                 says="prints", rows=()):
        self.source, self.says, self.consequence, self.rows = source, says, consequence, tuple(rows)
        self.right, self.instead = equation(correct), instead
        self.given = _conditions(printed, given, self.right)
        self.of, self.title = self.right.label, f"erratum: {source}"
        if isinstance(printed, Implies):
            self.verdict = "Refuted by a counterexample"
            self._printed = Line(printed.args[0], "=>", printed.args[1])
            self.witness = self._counterexample(printed, counterexample)
        elif recipe is None:
            self.verdict = "Refuted by execution"
            statement = Statement(printed[0], relation, printed[1], self.given)
            self._printed = Line(statement.left, relation, statement.right, question=ask(statement))
            self.witness = self._false(self._printed.question)
        else:
            self._printed = Line(None, "", sp.sympify(printed))
            self.verdict = "True as a formula, refuted as a recipe by running it"
            from .recipe import departure  # it runs on NumPy's arrays, and nothing else here does

            self.witness = departure(source, self._printed.right, recipe, reference, at, alive, index,
                                     self.given)
            if not instead and not self._is_a_side(unfold(printed)):
                raise ValueError(f"the recipe of {source} is no side of {self.of}: "
                                 "it is not true as a formula")

    # -- refuting --------------------------------------------------------------------------------

    def _false(self, asked):
        verdict = answer(asked)
        if verdict.status != "refuted":
            raise ValueError(f"the erratum of {self.source} is not refuted: {verdict.status}, {verdict.how}")
        if not self.instead and not self._shares_a_side(*asked.sides):
            raise ValueError(f"the erratum of {self.source} has no side in common with {self.of}, "
                             "which it is to correct")
        return self._told(plain_counterexample(asked), verdict)

    def _shares_a_side(self, *printed):
        """Whether one printed side is a side of the right equation, and the other one is none."""
        return sum(map(self._is_a_side, printed)) == 1

    def _is_a_side(self, printed):
        sides = [unfold(s) for line in self.right.lines() for s in (line.left, line.right) if s is not None]
        sides = [s for s in dict.fromkeys(sides) if isinstance(s, sp.Expr)]
        return printed in sides or any(
            decide(printed, s, given=self.given).status in ("proved", "agrees") for s in sides)

    def _counterexample(self, printed, values):
        premise, conclusion = printed.args
        if not values:
            raise ValueError("a conclusion is refuted by a counterexample={…}")
        for claims in (_alternatives(premise, And), _alternatives(conclusion, Or)):
            if len(set(map(unfold, claims))) < len(claims):
                raise ValueError(f"the erratum of {self.source} has the same claim twice: {claims}")
        functions = {k.plain: v for k, v in values.items() if isinstance(k, Function)}
        plain = {unfold(k): unfold(v) for k, v in values.items() if not isinstance(k, Function)}
        self._refuse_bad_values(premise, functions, plain)
        put = _Put(functions, plain)
        for claim in _alternatives(premise, And):
            if (verdict := decide(*put(claim), given=self.given)).status != "proved":
                why = verdict.witness or verdict.how
                raise ValueError(f"the premise {claim} does not hold for the counterexample: {why}")
        witnesses = []
        for claim in _alternatives(conclusion, Or):
            asked = question(*put(claim), given=self.given)
            verdict = answer(asked)
            if verdict.status != "refuted":
                raise ValueError(f"the conclusion {claim} is not refuted: {verdict.how}")
            witnesses.append(self._told(plain_counterexample(asked), verdict))
        if not self._shares_a_formula(printed, put):
            raise ValueError(f"the erratum of {self.source} has nothing in common with {self.of}, "
                             "which it is to correct")
        told = [f"${tex(k)} = {tex(v)}$" for k, v in plain.items()]
        told += [f"${name(sp.Symbol(k.__name__))}({', '.join(map(tex, v.variables))}) = {tex(v.expr)}$"
                 for k, v in functions.items()]
        return f"with {', '.join(told)} the premise holds, and {'; '.join(witnesses)}"

    def _shares_a_formula(self, printed, put):
        """Whether a side of a printed claim, as printed or for the counterexample, is a part of the right
        equation.
        """
        claims = [*_alternatives(printed.args[0], And), *_alternatives(printed.args[1], Or)]
        sides = {side for claim in claims for side in (*map(unfold, claim.args), *put(claim)[:2])}
        parts = {unfold(part) for line in self.right.lines() for side in (line.left, line.right)
                 if side is not None for part in sp.preorder_traversal(side) if isinstance(part, sp.Expr)}
        return any(side in parts for side in sides if not (side.is_Symbol or side.is_number))

    def _refuse_bad_values(self, premise, functions, plain):
        if loose := unfold(premise).free_symbols - set(plain):
            names = ", ".join(map(str, loose))
            raise ValueError(f"the counterexample must say what {names} is in the premise")
        for symbol, value in plain.items():
            admissible(symbol, value)
        for function, meaning in functions.items():
            if function(*meaning.variables).is_positive and not meaning.expr.is_positive:
                raise ValueError(f"{function} is positive, and SymPy does not see that {meaning.expr} is")
        if any(unfold(c).subs(plain) == sp.false for c in self.given):
            raise ValueError(f"the counterexample does not satisfy {list(self.given)}")

    # -- what is shown ---------------------------------------------------------------------------

    def _told(self, found, verdict):
        """A witness with formulas for its names and numbers, and no more digits than tell the sides apart."""
        point, sides = (found.point, found.sides) if found else (verdict.point, verdict.sides)
        digits = next((d for d in (4, 10) if _number(sides[0], d) != _number(sides[1], d)), 10)
        left, right = (_number(side, digits) for side in sides)
        where = ", ".join(f"${tex(sp.Symbol(key))} = {value}$" if value else key for key, value in point)
        return (f"at {where}: " if where else "") + f"left ${left}$, right ${right}$"

    @property
    def printed(self):
        """TeX of what the source prints."""
        line = self._printed
        if line.left is None:
            return tex(line.right)
        if line.relation == "=>":
            return _implication(line.left, line.right)
        return f"{tex(line.left)} {RELATIONS[line.relation]} {tex(line.right)}"

    def evidence(self):
        return {"kind": "erratum", "status": "refuted", "display": self.printed,
                "findings": [f"{self.source} says otherwise. {self.verdict}: {self.witness}"],
                "erratum": {"source": self.source, "says": self.says, "printed": self.printed,
                            "correct_label": self.of, "conclusion": self._printed.relation == "=>",
                            "instead": self.instead,
                            "witness": f"{self.verdict}: {self.witness}", "consequence": self.consequence}}

    def sentence(self):
        line = self._printed
        if line.relation != "=>":
            round_trip.compare(self.printed, [line], f"the erratum of {self.source}", self.given)
        else:
            Statement(line.left, "=>", line.right)
        right = f"[](#{self.of})"  # an equation, and so no correction of a conclusion: it tells what is
        right = f"what {right} shows" if line.relation == "=>" else right
        hang = f" {self.instead}" if self.instead else ""
        return (f"**Erratum.** {self.source} {self.says}\n\n$$\n{self.printed}\n$$\n\n"
                f"{self.verdict}: {self.witness}.\n{self.consequence}\nRight is {right}.{hang}")


def _conditions(printed, given, right):
    """What is given, and of the conditions of the right equation those on what is printed."""
    names = _free(*(printed if isinstance(printed, tuple) else [printed]), *given)
    return Conditions(dict.fromkeys([*Conditions(given), *(
        c for c in Conditions(getattr(right, "given", ())) if _free(c) <= names)]))


def _free(*exprs):
    """The free symbols of some expressions, and their undefined functions."""
    plain = [unfold(sp.sympify(e)) for e in exprs]
    return set().union(*(e.free_symbols | {applied.func for applied in e.atoms(AppliedUndef)} for e in plain))


class _Put:
    """A claim with values for its symbols and its undefined functions."""

    def __init__(self, functions, plain):
        self.functions, self.plain = functions, plain

    def __call__(self, claim):
        sides = [unfold(side) for side in claim.args]
        for function, meaning in self.functions.items():
            sides = [side.replace(function, meaning) for side in sides]
        return *(side.subs(self.plain) for side in sides), _RELATIONS[_kind(claim)]


def _kind(claim):
    return next(kind for kind in _RELATIONS if isinstance(claim, kind))


def _alternatives(claim, kind):
    return claim.args if isinstance(claim, kind) else (claim,)


def _implication(premise, conclusion):
    """TeX of a conclusion with its quantifiers: what the premise does not mention is meant for all."""
    claims = []
    for claim in _alternatives(conclusion, Or):
        free = sorted(unfold(claim).free_symbols - unfold(premise).free_symbols, key=str)
        names = ", ".join(map(tex, free))
        claims.append(rf"\left(\forall {names}\colon\ {tex(claim)}\right)" if names else tex(claim))
    return rf"{tex(premise)} \implies " + r" \lor ".join(claims)


def _number(value, digits):
    mantissa, _, power = f"{float(mp.re(value)):.{digits}g}".partition("e")
    return mantissa + (rf" \cdot 10^{{{int(power)}}}" if power else "")

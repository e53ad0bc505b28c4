"""Whether the probability laws in a statement are laws at all."""

from functools import lru_cache

import sympy as sp

from proofread.errors import Refuted, Undecided
from proofread.language.conditions import Conditions
from proofread.language.defined import AppliedDefinition
from proofread.language.notation import KL
from proofread.language.typed import unfold

from .cache import kept
from .opinions import opinion
from .question import question

POINTS = 100  #: at how many points the weight of a law must not be negative
KNOWN = 256  #: laws that are remembered as sound, with the conditions under which


def check_laws(statement):
    """Refuse a law that has not the weight 1, is somewhere negative, or has mass where another law has none.

    Raises
    ------
    Refuted, Undecided
    """
    todo, given = [statement.left, statement.right], statement.given
    while todo:
        for part in sp.preorder_traversal(todo.pop()):
            if isinstance(part, AppliedDefinition):
                todo.append(part.signature.body)
            for law in getattr(part, "laws", ()):
                _check_law(law, given)
            if isinstance(part, KL):
                _check_support(part.args, given)


@lru_cache(KNOWN)
def _check_law(law, given):
    law = getattr(law, "single", law)  # of independent draws
    if not hasattr(law, "weight"):  # a normal law: its density is known
        return
    weight, variable, low, high = (unfold(a) for a in (law.weight, law.variable, law.low, law.high))
    total = law.total(weight)
    known = Conditions(given).on({*total.free_symbols, variable})
    kept("law", (weight, variable, low, high, known), lambda: _refuse_bad_weight(law, known) or {})


def _refuse_bad_weight(law, known):
    weight, variable, low, high = (unfold(a) for a in (law.weight, law.variable, law.low, law.high))
    total = law.total(weight)
    verdict = opinion(question(total, sp.S.One, given=known))
    if verdict.status == "refuted":
        raise Refuted(f"the law {law.name} has not the total weight 1: {verdict.witness}", verdict.witness)
    if verdict.status == "undecided":
        raise Undecided(f"whether the law {law.name} has the total weight 1 is undecided: {verdict.how}")
    inside = [c for c in (variable >= low, variable <= high)
              if c not in (sp.true, sp.false) and not c.has(sp.oo)]
    sign = opinion(question(weight, sp.S.Zero, ">=", given=(*known, *inside)), POINTS)
    if sign.status == "refuted":
        raise Refuted(f"the law {law.name} is negative somewhere: {sign.witness}", sign.witness)


@lru_cache(KNOWN)
def _check_support(laws, given):
    p, q = (getattr(law, "single", law) for law in laws)
    (low, high), (q_low, q_high) = ((unfold(law.low), unfold(law.high)) for law in (p, q))
    if bool(unfold(p.variable).is_integer) != bool(unfold(q.variable).is_integer):
        raise Refuted(f"{p.name} and {q.name} are not laws of the same kind: "
                      "one has masses, the other a density")
    for what, a, b, relation in (("begins", q_low, low, "<="), ("ends", q_high, high, ">=")):
        if a == b:
            continue
        if a.is_infinite or b.is_infinite:
            within = a == (-sp.oo if relation == "<=" else sp.oo)
        else:
            known = Conditions(given).on(a.free_symbols | b.free_symbols)
            within = opinion(question(a, b, relation, given=known)).passes
        if not within:
            raise Refuted(f"{q.name} {what} at {a}, {p.name} at {b}: where {q.name} has no mass and "
                          f"{p.name} has some, the divergence is infinite")

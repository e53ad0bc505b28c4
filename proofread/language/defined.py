"""What a definition leaves in a formula: its name with arguments, which unfolds to what it stands for."""

import sympy as sp

from .binders import substitute
from .typed import Claim, Formula, unfold


class Signature(sp.Atom):
    """What makes a definition what it is: head, parameters, body and label; another body makes another."""

    def __new__(cls, head, parameters, body, label):
        self = sp.Atom.__new__(cls)
        self.head, self.parameters, self.body, self.label = head, tuple(parameters), body, label
        return self

    def _hashable_content(self):
        return self.head, self.parameters, self.body, self.label

    def __getnewargs__(self):
        return self._hashable_content()

    def __getstate__(self):
        return None

    def __setstate__(self, state):
        pass

    def _sympystr(self, printer):
        return self.label


class AppliedDefinition:
    """A defined symbol with its arguments."""

    signature = property(lambda self: self.args[0])
    arguments = property(lambda self: self.args[1:])

    def unfold(self):
        signature = self.signature
        values = dict(zip(signature.parameters, map(unfold, self.arguments)))
        return substitute(unfold(signature.body), values)

    @property
    def hidden(self):
        """The free symbols of the body that are no arguments: what the name does not show."""
        return unfold(self.signature.body).free_symbols - set(self.signature.parameters)

    def _eval_subs(self, old, new):
        if unfold(old).free_symbols & self.hidden:
            return substitute(unfold(self), {unfold(old): unfold(new)})
        return self.func(self.signature, *(a.subs(old, new) for a in self.arguments))

    def _xreplace(self, rule):
        if any(unfold(old) in self.hidden for old in rule):
            return unfold(self)._xreplace({unfold(old): unfold(new) for old, new in rule.items()})
        return super()._xreplace(rule)

    def _sympystr(self, printer):
        inside = ", ".join(map(printer._print, self.arguments))
        return f"{self.signature.label.removeprefix('eq-')}({inside})"


class Defined(AppliedDefinition, Formula):
    """A defined number or matrix."""


class DefinedClaim(AppliedDefinition, Claim):
    """A defined property."""


def redefined(expr, signature):
    """An expression in which a definition, wherever it is unfolded, has another body."""
    if isinstance(expr, AppliedDefinition):
        own = expr.signature
        if own.label == signature.label:
            own = signature
        elif signature.label in defined_in(own.body):
            own = Signature(own.head, own.parameters, redefined(own.body, signature), own.label)
        return expr.func(own, *(redefined(a, signature) for a in expr.arguments))
    arguments = [redefined(a, signature) for a in expr.args]
    return expr if all(a is b for a, b in zip(arguments, expr.args)) else expr.func(*arguments)


def defined_in(*exprs):
    """Labels of the definitions that some expressions use, and of those that their bodies use."""
    found, todo = set(), list(exprs)
    while todo:
        for part in sp.preorder_traversal(todo.pop()):
            if isinstance(part, AppliedDefinition) and part.signature.label not in found:
                found.add(part.signature.label)
                todo.append(part.signature.body)
    return found

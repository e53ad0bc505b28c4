"""What a check says when it does not pass."""


class ProofError(Exception):
    """A check that did not pass; the message says which one, and why."""


class Refuted(ProofError):
    """A statement is false, and ``witness`` is a point that shows it."""

    def __init__(self, message, witness=None):
        super().__init__(message)
        self.witness = witness


class Undecided(ProofError):
    """Neither a proof nor a counter-example was found; never counted as a pass."""


class Vacuous(ProofError):
    """The check let a wrong version of the statement pass, so it proves nothing."""


class CannotEvaluate(ProofError):
    """An expression has no trustworthy numerical value at a point."""


class Unreal(CannotEvaluate):
    """A logarithm or a broken power of a negative number: there is no real value."""


class Unmet(CannotEvaluate):
    """No point was found that meets the conditions."""


class Misprinted(ProofError):
    """What stands on the page does not read back as what was checked."""


class NoRule(ProofError):
    """The normal form for every size has no sound rule for an expression; that decides nothing."""

"""What was found out about a statement, as data; its words are made where they are shown."""

from dataclasses import dataclass

from mpmath import mp

from proofread.numeric.sampling import describe, described

PASSES = ("proved", "agrees")


@dataclass(frozen=True)
class Evidence:
    """What a statement that passed rests on.

    Attributes
    ----------
    scope : tuple of (str, tuple of int)
        The sizes for which there is a proof, by name; empty where it holds for every size.
    by : tuple of str
        The named rules that it was shown by, beside the normal form.
    rules : tuple of str
        The rules of the normal form that were used, such as ``"sums.over"``.
    digits : int
        In how many digits the sides were compared.
    points : int
        At how many points.
    sizes : tuple of (str, tuple of int)
        The sizes of these points, by name.
    attained : bool
        Whether the sides of an inequality are equal where that is said.
    random_functions : bool
        Whether random functions stood for undefined ones.
    errors : str
        Of integrals: whether the bound of their errors is "proved" or "estimated".
    """

    scope: tuple = ()
    by: tuple = ()
    rules: tuple = ()
    digits: int = 0
    points: int = 0
    sizes: tuple = ()
    attained: bool = False
    random_functions: bool = False
    errors: str = ""

    @property
    def seen(self):
        """The numbers that agree, in words."""
        places = f" at {self.points} random points" if self.points > 1 else ""
        sizes = f" with {in_words(self.sizes)}" if self.sizes else ""
        errors = {"proved": ", with a proved error bound", "estimated": ", with an estimated error"}.get(
            self.errors, "")
        return f"{self.digits} digits{places}{sizes}{', attained' if self.attained else ''}{errors}"

    @property
    def how_proved(self):
        """What the proof makes use of beside the normal form, in words."""
        scope = in_words(self.scope)
        return " ".join(filter(None, (self.by and f"by {' and '.join(self.by)}", scope and f"for {scope}")))


@dataclass(frozen=True)
class Verdict:
    """What was found out about a statement.

    Attributes
    ----------
    status : str
        ``"proved"`` (both opinions), ``"agrees"`` (numbers only), ``"refuted"`` or ``"undecided"``.
    evidence : Evidence
        Of a statement that passed, or of which the numbers agree.
    problem : str
        Why there is no proof, or no number.
    left_over : str
        What of the difference of the sides the normal form could not cancel.
    witness : str
        For a refuted statement, the point and the values of both sides there.
    sides : tuple
        For a refuted statement, the two values at the witness.
    point : tuple
        For a refuted statement, where the values were taken: pairs of a name and a value.
    unmet : bool
        Whether no point was found that meets the conditions.
    """

    status: str
    evidence: Evidence | None = None
    problem: str = ""
    left_over: str = ""
    witness: str = ""
    sides: tuple = ()
    point: tuple = ()
    unmet: bool = False

    @classmethod
    def refuted_by(cls, counterexample):
        """The verdict on a statement that fails at a point."""
        return cls("refuted", problem="a counter-example in high precision", witness=str(counterexample),
                   sides=counterexample.sides, point=counterexample.point)

    passes = property(lambda self: self.status in PASSES)
    evaluated = property(lambda self: self.evidence is not None, doc="Whether numbers were compared.")
    scope = property(lambda self: in_words(self.evidence.scope) if self.evidence else "",
                     doc="The sizes for which there is a proof, in words; empty for every size.")

    @property
    def how(self):
        """What it rests on, or what is missing, in a line."""
        if self.status == "proved" and self.evidence:
            return f"{' '.join(filter(None, ('symbolic', self.evidence.how_proved)))}; {self.evidence.seen}"
        if self.evidence:
            drawn = " with random functions" if self.evidence.random_functions else ""
            return f"{self.evidence.seen}{drawn}, but SymPy found no proof ({self.problem})"
        return self.problem

    @property
    def findings(self):
        """What a statement that passed rests on, one by one."""
        if self.status != "proved" or not self.evidence:
            return (self.how,)
        algebra = ", ".join(filter(None, ("proved by algebra", self.evidence.how_proved)))
        return algebra, f"confirmed in {self.evidence.seen}"

    @property
    def goal(self):
        """What remains to be shown, for an author whose line is undecided."""
        told = [self.how]
        if self.left_over:
            told.append(f"what is left of the difference of its sides: {self.left_over}")
        if self.evidence and self.evidence.sizes:
            least = [(name, values[:1]) for name, values in self.evidence.sizes]
            told.append(f"the numbers agree from {in_words(least)} on")
        return "\n  ".join(told)


@dataclass(frozen=True)
class Counterexample:
    """A point at which a statement fails."""

    values: dict
    sides: tuple
    note: str = ""

    @property
    def point(self):
        """The names and values as pairs, such as ``("z_1", "3/2")``."""
        return tuple(described(self.values))

    def __str__(self):
        left, right = (mp.nstr(v, 10) for v in self.sides)
        place = f"at {describe(self.values)}: " if self.values else ""
        apart = f" (they differ by {mp.nstr(self.sides[0] - self.sides[1], 2)})" if left == right else ""
        return f"{place}left {left}, right {right}{apart}{self.note}"


def sizes_of(symbols, choices):
    """The values that sizes or indices were given, by name."""
    return tuple((s.name, tuple(sorted({int(choice[s]) for choice in choices}))) for s in symbols)


def in_words(sizes):
    """Sizes in words, each of them: a gap is shown.

    >>> in_words([("n", (1, 2, 3)), ("m", (2, 5, 7))])
    'n = 1…3, m = 2, 5 and 7'
    """
    return ", ".join(f"{name} = {_listed(values)}" for name, values in sizes)


def _listed(values):
    *others, last = values
    if len(values) > 2 and list(values) == list(range(values[0], last + 1)):
        return f"{values[0]}…{last}"
    return " and ".join(filter(None, (", ".join(map(str, others)), str(last))))

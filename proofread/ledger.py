"""Entries: the only form in which evidence leaves a notebook, and the book in which a notebook keeps them.

An entry travels with the output that it speaks of, as metadata.  The tool that executes a chapter compares
the metadata with the book, so that a cell which writes metadata of its own passes nothing; the site reads the
entries off the published notebooks.
"""

from dataclasses import asdict, dataclass, fields

#: under what name an output has its entry in its metadata
METADATA = "proofread"

#: what rejects a wrong version: what decided the line, numbers at the places of the line, a function
BY_CHECK, BY_NUMBERS, BY_FUNCTION = "by the check", "by numbers at two to four points", "by the function"
STATUSES = ("proved", "proved for some sizes", "numbers agree", "argued", "definition", "measured", "refuted")
KINDS = ("derivation", "equivalence", "distributed", "definition", "argued", "agreement", "enumeration",
         "quadrature", "statistical", "erratum", "exercise", "figure", "said",
         "symbols", "comparison")


@dataclass(frozen=True)
class Entry:
    """One line of the ledger; the only form in which evidence leaves a notebook.

    Attributes
    ----------
    kind, status : str
        One of `KINDS` and of `STATUSES`.
    label : str
        Label of the equation, ``eq-…``; empty if the entry checks another one.
    of : str
        Label of the equation that the entry gives further evidence for.
    title : str
    tex : str
        The statement.
    display : str
        What stands between the double dollars on the page.
    conditions : tuple of str
        TeX of the conditions that the statement needs.
    scope : str
        The sizes for which a statement is proved that speaks of every size.
    findings : tuple of str
        The evidence, a sentence each.
    argued : int
        How many of the lines are argued.
    rejected : dict
        How many wrong versions were rejected, by what: `BY_CHECK`, `BY_NUMBERS` or `BY_FUNCTION`.
    rests_on : tuple of str
        Labels of the definitions, claims and equations that the checks made use of.
    rows : tuple of str
        The claims of the source documents that are treated, such as ``"S0-011"``.
    said : tuple of str
        TeX of the relations in sentences that the entry is about.
    symbols : dict
        TeX of each symbol that is declared or defined, and what it is.
    seconds : float
        What the check cost.
    erratum : dict
        Source, how it says it, printed formula, whether that is a conclusion, label of the right equation,
        what is right in words, witness and consequence.
    """

    kind: str
    status: str
    label: str = ""
    of: str = ""
    title: str = ""
    tex: str = ""
    display: str = ""
    conditions: tuple = ()
    scope: str = ""
    findings: tuple = ()
    argued: int = 0
    rejected: dict = None
    rests_on: tuple = ()
    rows: tuple = ()
    said: tuple = ()
    symbols: dict = None
    seconds: float = 0.0
    erratum: dict = None

    def __post_init__(self):
        if self.kind not in KINDS:
            raise ValueError(f"kind must be one of {', '.join(KINDS)}; got {self.kind!r}")
        if self.status not in STATUSES:
            raise ValueError(f"status must be one of {', '.join(STATUSES)}; got {self.status!r}")
        for f in fields(self):
            value = getattr(self, f.name)
            if f.type is tuple:
                value = tuple(value)
                if not all(isinstance(v, str) for v in value):
                    raise ValueError(f"{f.name} holds text only; got {value!r}")
            elif f.type is dict:
                value = dict(value or {})
            elif not isinstance(value, (int, float) if f.type is float else f.type):
                raise ValueError(f"{f.name} is {f.type.__name__}; got {value!r}")
            object.__setattr__(self, f.name, value)
        if self.status == "proved for some sizes" and not self.scope:
            raise ValueError("a proof for some sizes says for which")

    @classmethod
    def read(cls, data):
        """An entry from the metadata of an output; an unknown or missing field is an error."""
        if not isinstance(data, dict) or (strange := set(data) - {f.name for f in fields(cls)}):
            found = data if not isinstance(data, dict) else sorted(strange)
            raise ValueError(f"no entry of the ledger: {found}")
        if missing := {"kind", "status"} - set(data):
            raise ValueError(f"an entry of the ledger needs {', '.join(sorted(missing))}")
        return cls(**data)

    def as_dict(self):
        """The entry as metadata: what says nothing is left out."""
        return {k: list(v) if isinstance(v, tuple) else v for k, v in asdict(self).items()
                if v not in ("", (), {}, 0)}

    @property
    def mutants(self):
        """How many wrong versions were rejected."""
        return sum(self.rejected.values())

    @property
    def word(self):
        """The evidence in a word or two, for the place beside the equation number."""
        if self.status == "proved for some sizes":
            return f"proved for {self.scope}"
        return self.status


class Ledger:
    """The entries of a notebook, in order of first display."""

    def __init__(self):
        self.entries = {}
        self.statements = {}  # label -> the object that was displayed under it
        self.symbols = set()  # those whose meanings were displayed
        self.comparisons = {}  # what numbers may contradict where a definition is another, as an ordered set
        self.experiments = {}  # those of which a sentence speaks, as an ordered set
        self.attacked = {}  # label of a definition -> wrong versions: how many were rejected, which were not

    def add(self, entry):
        self.entries[entry.label or (entry.kind, entry.of, entry.title, entry.tex)] = entry


_current = Ledger()


def current():
    """The ledger of the running notebook."""
    return _current


def export():
    """The entries of the running notebook as metadata, for the tool that executes it to compare."""
    return [entry.as_dict() for entry in _current.entries.values()]

"""What was checked: every checked object that is displayed leaves an entry, and the entry travels with the output.

The site reads the entries off the published notebooks; `report` shows those of the running notebook.
"""

from abc import ABC, abstractmethod
from dataclasses import asdict, dataclass, field

STATUSES = ("proved", "proved in instances", "checked", "argued", "definition", "cited", "refuted")


@dataclass
class Entry:
    """One line of the ledger.

    Attributes
    ----------
    kind : str
        ``"derivation"``, ``"definition"``, ``"route"``, ``"statistical"``, ``"erratum"``.
    label : str or None
        Label of the equation, ``eq-…``; ``None`` if the entry checks another equation.
    of : str or None
        Label of the equation that the entry gives further evidence for.
    status : str
        One of `STATUSES`.
    badge : str
        A word or two for the place beside the equation number.
    how : list of str
        The evidence, in sentences that end up in the ledger.
    tex : str
        The statement.
    mutants : int
        Wrong versions that the check was seen to reject.
    rows : list of str
        The claims of the source documents that are treated, such as ``"S0-011"``.
    seconds : float
        What the check cost.
    erratum : dict or None
    """

    kind: str
    status: str
    badge: str
    label: str | None = None
    of: str | None = None
    title: str = ""
    tex: str = ""
    how: list = field(default_factory=list)
    mutants: int = 0
    rows: list = field(default_factory=list)
    seconds: float = 0.0
    erratum: dict | None = None


_entries: dict = {}  # by identity of what is displayed, in order of first display
_unused: dict = {}  # definitions that nothing has used yet
_checked: set = set()  # labels of definitions that some check has unfolded, other than to refute what uses them


class Checked(ABC):
    """Base of everything that is shown after a check."""

    @abstractmethod
    def _entry(self) -> Entry:
        """What the ledger says of it."""

    @abstractmethod
    def _markdown(self) -> str:
        """What the page shows of it."""

    def _repr_mimebundle_(self, include=None, exclude=None):
        entry = self._entry()
        if entry.status not in STATUSES:
            raise ValueError(f"status must be one of {STATUSES}; got {entry.status!r}")
        _entries[entry.label or (entry.kind, entry.of, entry.title, entry.tex)] = entry
        data = {"text/markdown": self._markdown(), "text/plain": entry.tex or entry.title}
        return data, {"softmaxnotes": {k: v for k, v in asdict(entry).items() if v not in (None, "", [])}}


class Report:
    """The table at the end of a chapter: made by `report`."""

    def __init__(self, entries):
        self.entries = entries

    def _repr_markdown_(self):
        lines = ["| equation | shown by | wrong versions rejected |", "|---|---|---|"]
        further = {}
        for e in self.entries:
            if e.of:
                further.setdefault(e.of, []).append(e)
        for e in self.entries:
            if e.of in {other.label for other in self.entries if other.label}:
                continue
            name = f"[]({'#' + e.label})" if e.label else ""
            title = f"{e.title[:1].upper()}{e.title[1:]}"
            joined = [e, *further.get(e.label, [])] if e.label else [e]
            how = "<br>".join(sentence for one in joined for sentence in one.how)
            if e.kind == "definition" and len(joined) == 1 and e.label not in _checked:
                how += "; no checked line uses it"
            lines.append(f"| {' '.join(filter(None, (title, name)))} | {how} | {sum(o.mutants for o in joined) or ''} |")
        return "\n".join(lines)


def report():
    """What was checked in this notebook, as a table.

    Raises
    ------
    ValueError
        If a definition was displayed that no later statement uses: a definition introduces a symbol
        that the page needs, and a claim is never a definition.
    """
    if _unused:
        raise ValueError(f"defined and never used: {', '.join(_unused)}")
    return Report(list(_entries.values()))

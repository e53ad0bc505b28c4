"""What is shown after a check leaves an entry; `report` gathers those of a chapter."""

from abc import ABC, abstractmethod

from proofread.latex import display
from proofread.ledger import METADATA, Entry, current
from proofread.mutation.definitions import Compared


class Checked(ABC):
    """Base of everything that is shown after a check."""

    label = title = of = ""
    rows = symbols = ()
    _rejected = {}

    @property
    def mutants(self):
        """How many wrong versions were rejected."""
        return sum(self._rejected.values())

    @abstractmethod
    def evidence(self):
        """The fields of the entry that say what was found: kind, status, findings and so on."""

    def lines(self):
        """What is displayed as an equation: `display.Line` objects; none for what shows a sentence."""
        return ()

    def sentence(self):
        """What is displayed if there are no lines, in Markdown."""
        return ""

    def comparisons(self):
        """What numbers may contradict where a definition in it is another: `Compared` and `Known` objects."""
        found, left, lines = [], None, list(self.lines())
        for line in lines:
            left = left if line.left is None else line.left
            if line.question is not None:
                solved = (lines[-1].left, lines[-1].right) if line.iff else ()
                found.append(Compared(left, line.right, line.question, solved))
            left = line.right
        return found

    def entry(self):
        """What the ledger says of it."""
        own = {"label": self.label, "of": self.of, "title": self.title, "rows": self.rows}
        fields_ = {**own, **self.evidence()}
        if lines := self.lines():
            fields_ = {**display.fields(self, lines), **fields_}
        return Entry(**fields_)

    def _repr_mimebundle_(self, include=None, exclude=None):
        entry, lines = self.entry(), self.lines()
        text = display.markdown(self, lines, entry) if lines else self.sentence()
        book = current()
        book.add(entry)
        book.symbols |= set(self.symbols)
        book.comparisons |= dict.fromkeys(self.comparisons())
        if self.label:
            book.statements[self.label] = self
        data = {"text/markdown": text, "text/plain": entry.tex or entry.title}
        return data, {METADATA: entry.as_dict()}


def equation(of):
    """The checked object itself, or the one that was displayed under a label."""
    if isinstance(of, Checked):
        return of
    found = current().statements.get(of)
    if found is None:
        raise ValueError(f"no equation {of!r} has been displayed before this route to it; "
                         "give the object itself")
    return found

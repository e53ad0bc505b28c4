"""What is shown after a check leaves an entry; `report` gathers those of a chapter."""

from abc import ABC, abstractmethod

from proofread.latex import display
from proofread.ledger import Entry, current


class Checked(ABC):
    """Base of everything that is shown after a check."""

    label = title = of = ""
    rows = ()
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

    def displayed(self):
        """Called when the object has been displayed."""

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
        current().add(entry)
        if self.label:
            current().statements[self.label] = self
        self.displayed()
        data = {"text/markdown": text, "text/plain": entry.tex or entry.title}
        return data, {"softmaxnotes": entry.as_dict()}


class Report:
    """The table at the end of a chapter: made by `report`."""

    def __init__(self, entries, checked):
        self.entries, self.checked = entries, checked

    def _repr_markdown_(self):
        rows = ["| equation | shown by | wrong versions rejected |", "|---|---|---|"]
        further = {}
        for e in self.entries:
            if e.of:
                further.setdefault(e.of, []).append(e)
        for e in self.entries:
            if e.of in {other.label for other in self.entries if other.label}:
                continue
            name = f"[](#{e.label})" if e.label else ""
            title = f"{e.title[:1].upper()}{e.title[1:]}"
            joined = [e, *further.get(e.label, [])] if e.label else [e]
            how = "<br>".join([f"**{e.word}**", *(finding for one in joined for finding in one.findings)])
            if e.kind == "definition" and len(joined) == 1 and e.label not in self.checked:
                how += "; no checked line uses it"
            what, mutants = " ".join(filter(None, (title, name))), sum(o.mutants for o in joined)
            rows.append(f"| {what} | {how} | {mutants or ''} |")
        return "\n".join(rows)


def report():
    """What was checked in this notebook, as a table.

    Raises
    ------
    ValueError
        If a definition was displayed that no later statement uses: a definition introduces a symbol
        that the page needs, and a claim is never a definition.
    """
    if current().unused:
        raise ValueError(f"defined and never used: {', '.join(current().unused)}")
    return Report(list(current().entries.values()), current().checked)

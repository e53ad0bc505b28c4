"""What was checked in a notebook, as a table at its end."""

from collections import Counter

from proofread.ledger import current


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
            rejected = sum((Counter(one.rejected) for one in joined), Counter())
            told = ", ".join(f"{number} {by}" for by, number in rejected.items())
            rows.append(f"| {' '.join(filter(None, (title, name)))} | {how} | {told} |")
        return "\n".join(rows)


def report():
    """What was checked in this notebook, as a table.

    Raises
    ------
    ValueError
        If a definition was displayed that no later statement uses: a definition introduces a symbol
        that the page needs, and a claim is never a definition.
    """
    if unused := [label for label, shown in current().statements.items() if not getattr(shown, "used", True)]:
        raise ValueError(f"defined and never used: {', '.join(unused)}")
    return Report(list(current().entries.values()), current().checked)

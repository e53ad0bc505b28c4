"""What was checked in a notebook, as a table at its end."""

from collections import Counter

from proofread.language.typed import is_claim, unfold
from proofread.ledger import BY_NUMBERS, current
from proofread.mutation.definitions import attacked

from .definition import Definition


class Report:
    """The table at the end of a chapter: made by `report`."""

    def __init__(self, entries, attacked):
        self.entries, self.attacked = entries, attacked

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
            rejected = sum((Counter(one.rejected) for one in joined), Counter())
            if e.label in self.attacked:
                number, passed = self.attacked[e.label]
                if passed or not number:
                    how += f"; wrong versions that nothing rejects: {len(passed) or 'any'}"
                rejected += Counter({BY_NUMBERS: number})
            told = ", ".join(f"{number} {by}" for by, number in rejected.items())
            rows.append(f"| {' '.join(filter(None, (title, name)))} | {how} | {told} |")
        return "\n".join(rows)


def report():
    """What was checked in this notebook, as a table.

    Wrong versions of each definition are put into the lines and routes that unfold it, and the table tells
    how many of them passed.  Before it stand the comparisons that sentences speak of and no cell has shown.

    Raises
    ------
    ValueError
        If a definition was displayed that no later statement uses: a definition introduces a symbol
        that the page needs, and a claim is never a definition.  Or if two comparisons have the same title.
    """
    if unused := [label for label, shown in current().statements.items() if not getattr(shown, "used", True)]:
        raise ValueError(f"defined and never used: {', '.join(unused)}")
    book = current()
    titles = Counter(experiment.title for experiment in book.experiments)
    if several := [title for title, number in titles.items() if number > 1]:
        raise ValueError("expected comparisons with titles of their own, got twice or more: "
                         + ", ".join(several))
    for experiment in book.experiments:
        if experiment.entry() not in book.entries.values():
            from IPython.display import display  # which the reader's page does not have

            display(experiment)
    for label, shown in book.statements.items():
        if type(shown) is Definition and not is_claim(unfold(shown.signature.body)):
            book.attacked[label] = attacked(shown.signature, shown.given, book.comparisons)
    return Report(list(book.entries.values()), book.attacked)

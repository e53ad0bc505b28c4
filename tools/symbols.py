"""``{symbols}``: what each symbol of the book means, as its chapters declare and define them."""

from docutils import nodes

from tools import book_map, ledger


class Symbols(ledger.BookDirective):
    """A table for each part of the book."""

    def render(self):
        book, head = self.env.softmaxnotes["entries"], ["symbol", "meaning", "where"]
        return [
            self.section(title, nodes.make_id(f"symbols-{title}"), self.table(head, rows))
            for title, pages in book_map.parts()
            if (rows := self.rows({page: book.get(page, []) for page in pages}))
        ]

    def rows(self, entries):
        """Symbols, declared or defined; chapters that give one the same meaning share its row."""
        declared, defined = {}, []
        for page, found in entries.items():
            for entry in found:
                if entry.kind == "symbols":
                    for text in entry.findings:
                        declared.setdefault(text, []).append(page)
                elif entry.kind == "definition" and entry.label:
                    head = entry.tex.partition(r" :\iff ")[0].partition(" := ")[0]
                    where = ledger.equation_reference(label=entry.label)
                    defined.append([nodes.math(head, head), entry.title, where])
        return [[*map(self.markdown, text.split(": ", 1)), ", ".join(map(ledger.chapter_title, pages))]
                for text, pages in declared.items()] + defined

    def markdown(self, text):
        return nodes.inline("", "", *ledger.inline(text))


def setup(app):
    app.add_directive("symbols", Symbols)

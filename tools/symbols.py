"""``{symbols}``: what each symbol of the book means, as its chapters declare and define them."""

from docutils import nodes

from proofread.sphinx import shown
from tools import book_map
from tools.ledger import BookDirective, chapter_title


class Symbols(BookDirective):
    """A table for each part of the book."""

    def render(self):
        return [
            self.section(title, nodes.make_id(f"symbols-{title}"), table)
            for title, pages in book_map.parts() if (table := shown.symbols(self.env, pages, chapter_title))
        ]


def setup(app):
    app.add_directive("symbols", Symbols, override=True)

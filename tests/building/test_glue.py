"""Signs stay with the short formula before them, and with no other."""

from docutils import nodes
from docutils.utils import new_document

from tools import cells


def test_a_sign_is_taken_from_where_it_stands():
    document, paragraph = new_document("page"), nodes.paragraph()
    document += paragraph
    for node in (nodes.reference("", "(2.4)"), nodes.Text("."), nodes.math("", "x = 1"), nodes.Text(".")):
        paragraph += node
    cells.glue(document)
    assert [node.astext() for node in paragraph] == ["(2.4)", ".", "x = 1.", ""]

"""What myst-nb shows of a cell: entries are noted, equations marked that stand as they were printed."""

from functools import wraps

from docutils import nodes
from myst_nb.core.render import NbElementRenderer

from proofread.ledger import METADATA, Entry

from . import entries


def mark_checked(render):
    """Make myst-nb mark the equations that are shown as the object of their entry printed them."""

    @wraps(render)
    def render_mime_type(self, data):
        result = render(self, data)
        env = self.renderer.sphinx_env
        if METADATA in data.output_metadata and hasattr(env, "proofread"):
            entry = Entry.read(dict(data.output_metadata[METADATA]))
            entries.note(env, entry)
            for node in result:
                if isinstance(node, nodes.Element):
                    _mark(node, entry)
        return result

    return render_mime_type


def _mark(node, entry: Entry) -> None:
    node["kind"], node["of"] = entry.kind, entry.of
    for block in node.findall(nodes.math_block):
        block["checked"] = block.astext().strip() == entry.display
        block["refuted"] = entry.kind == "erratum"
    if entry.display and entry.label and isinstance(node, nodes.paragraph):
        node["classes"].append("conditions")


def settle(app, config) -> None:
    """What cells print is read as the page is, so that equations get their labels and numbers."""
    config.nb_render_markdown_format = "myst"
    if "dollarmath" not in config.myst_enable_extensions:
        config.myst_enable_extensions = [*config.myst_enable_extensions, "dollarmath"]


def setup(app):
    if not hasattr(NbElementRenderer.render_mime_type, "__wrapped__"):  # by an earlier build of this process
        NbElementRenderer.render_mime_type = mark_checked(NbElementRenderer.render_mime_type)
    app.connect("config-inited", settle)

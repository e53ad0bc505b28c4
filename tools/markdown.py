"""MyST, read by the parser that the site uses, and written again as plain Markdown."""

from __future__ import annotations

from textwrap import indent

from docutils.parsers.rst.directives import misc
from markdown_it.renderer import RendererHTML
from markdown_it.tree import SyntaxTreeNode
from myst_parser.config.main import MdParserConfig
from myst_parser.parsers.directives import parse_directive_text
from myst_parser.parsers.mdit import create_md_parser
from sphinx.locale import admonitionlabels

RULES = {"text-align:left": ":--", "text-align:right": "--:", "text-align:center": ":-:"}
# What the site understands and few other programs do.
MYST = {"colon_fence", "dl", "footnote_block", "footnote_ref", "math_block_label", "myst_line_comment",
        "myst_role", "myst_target", "span", "substitution_block", "substitution_inline"}


class Plain:
    """Writes Markdown again; what depends on the book is in methods of their own."""

    def __init__(self, config: MdParserConfig):
        # what is escaped is a token of its own, and remains so
        self.parser = create_md_parser(config, RendererHTML).disable("text_join")

    def plain(self, text: str) -> str:
        return self.blocks(self.read(text))

    def words(self, text: str) -> str:
        """A text that stands in a line."""
        return self.inner(SyntaxTreeNode(self.parser.parseInline(text)))

    def read(self, text: str) -> list[SyntaxTreeNode]:
        return SyntaxTreeNode(self.parser.parse(text)).children

    def blocks(self, nodes: list[SyntaxTreeNode], gap: str = "\n\n") -> str:
        return gap.join(filter(None, map(self.write, nodes)))

    def inner(self, node: SyntaxTreeNode) -> str:
        parts = [self.write(child) for child in node.children]
        # no space before what shows nothing
        return "".join(part if after else part.rstrip(" ") for part, after in zip(parts, [*parts[1:], "."]))

    def write(self, node: SyntaxTreeNode) -> str:
        inner, mark = self.inner, node.markup
        match node.type:
            case "inline" | "paragraph" | "span":
                return inner(node)
            case "text" | "html_inline" | "html_block":
                return node.content.rstrip("\n")
            case "text_special":
                return mark
            case "hr":
                return "---"
            case "softbreak":
                return "\n"
            case "hardbreak":
                return "\\\n"
            case "em" | "strong":
                return f"{mark}{inner(node)}{mark}"
            case "code_inline":
                gap = " " * ("`" in (node.content[0], node.content[-1]))
                return f"{mark}{gap}{node.content}{gap}{mark}"
            case "math_inline":
                return f"${node.content}$"
            case "link" if "title" not in node.attrs:
                return self.link(inner(node), node.attrs["href"])
            case "myst_role":
                return self.role(node.meta["name"], node.content)
            case "heading":
                return self.heading(int(node.tag[1:]), inner(node))
            case "fence" | "colon_fence":
                return self.fence(node)
            case "blockquote":
                return quoted(self.blocks(node.children))
            case "bullet_list" | "ordered_list":
                tight = any(part.hidden for item in node.children for part in item.children)
                gap = "\n" if tight else "\n\n"
                return gap.join(self.item(item, gap) for item in node.children)
            case "table":
                rows = [row.children for part in node.children for row in part.children]
                lines = [[inner(cell).replace("|", "\\|") for cell in cells] for cells in rows]
                return table(lines, [RULES.get(cell.attrs.get("style"), "---") for cell in rows[0]])
            case "dl":
                return "".join(f"\n\n**{inner(part)}.**" if part.type == "dt" else
                               f"\n{self.blocks(part.children)}" for part in node.children).strip()
            case "myst_target":
                return self.target(node.content)
            case "myst_line_comment":
                return ""
        return self.fault(f"{node.type} {node.content or mark}".strip())

    def item(self, node: SyntaxTreeNode, gap: str) -> str:
        mark = f"{node.info}{node.markup} "
        return mark + indent(self.blocks(node.children, gap), " " * len(mark)).lstrip()

    def fence(self, node: SyntaxTreeNode) -> str:
        """Code, or a directive."""
        name, _, argument = node.info.partition(" ")
        if not name.startswith("{"):
            return f"{node.markup}{node.info}\n{node.content}{node.markup}"
        read = parse_directive_text(misc.TestDirective, argument.strip(), node.content)
        for warning in read.warnings:
            self.fault(f"{name}: {warning.msg}")
        return self.directive(name.strip("{}"), " ".join(read.arguments), read.options, "\n".join(read.body))

    # -- what depends on the book ----------------------------------------------------------------

    def heading(self, level: int, words: str) -> str:
        return f"{'#' * level} {words}"

    def link(self, words: str, address: str) -> str:
        return f"[{words}]({address})"

    def target(self, label: str) -> str:
        return f'<a id="{label}"></a>'

    def role(self, name: str, content: str) -> str:
        return self.fault(f"{{{name}}}`{content}`")

    def directive(self, name: str, argument: str, options: dict[str, str], body: str) -> str:
        match name:
            case "dropdown":
                return details(self.words(argument), self.plain(body))
            case "admonition":
                return quoted(f"**{self.words(argument)}.** {self.plain(body)}")
            case _ if name in admonitionlabels:  # whose text may begin in the line of its name
                title = str(admonitionlabels[name])
                return self.directive("admonition", title, options, f"{argument}\n{body}")
        return self.fault(f"the directive {name} {argument}".strip())

    def fault(self, what: str) -> str:
        """What is to be done about what has no form in plain Markdown; what it returns stands in its place.

        Raises
        ------
        ValueError
            If nothing else was said.
        """
        raise ValueError(f"expected what plain Markdown has, got {what}")

    # -- what must not remain --------------------------------------------------------------------

    def leftovers(self, text: str, known: set[str]) -> list[str]:
        """What only the site understands in Markdown that should be plain, and links to nowhere in it."""
        found = []
        for node in SyntaxTreeNode(self.parser.parse(text)).walk():
            if node.type in MYST or node.type == "fence" and node.info.startswith("{"):
                found.append(f"{node.type} {node.content or node.meta}")
            elif node.type == "link":
                page, _, label = node.attrs["href"].partition("#")
                if page.endswith(".md") or page.startswith(".") or not page and label not in known:
                    found.append(f"a link to {node.attrs['href']}")
        return found


def quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.split("\n"))


def details(summary: str, text: str) -> str:
    return f"<details>\n<summary>{summary}</summary>\n\n{text}\n\n</details>"


def table(rows: list[list[str]], rule: list[str]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in [rows[0], rule, *rows[1:]])

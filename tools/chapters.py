"""The chapters: which they are, how they are read, and the values and formulas in their text."""

from __future__ import annotations

import ast
import re
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

from proofread.latex import relations
from tools import settings

JUDGES = "proofread.claims.sentences"


def pages() -> list[str]:
    """The pages of ``_toc.yml``, in reading order."""
    return _pages((settings.ROOT / "_toc.yml").read_text("utf8"))[:]


@cache
def _pages(text: str) -> list[str]:
    def walk(item):
        if isinstance(item, list):
            return [page for child in item for page in walk(child)]
        if isinstance(item, dict):
            own = [item[key] for key in ("root", "file") if key in item]
            nested = [item.get(key, []) for key in ("parts", "chapters", "sections")]
            return own + [page for child in nested for page in walk(child)]
        return []

    return walk(yaml.safe_load(text))


def chapters() -> list[str]:
    """The pages that are notebooks, in reading order."""
    return [page for page in pages() if _is_notebook(source(page).read_text("utf8"))]


def parts() -> list[tuple[str, list[str]]]:
    """The parts of the book with their chapters, in reading order."""
    table = yaml.safe_load((settings.ROOT / "_toc.yml").read_text("utf8"))
    notebooks = set(chapters())
    found = [(part["caption"], [item["file"] for item in part["chapters"] if item["file"] in notebooks])
             for part in table.get("parts", ())]
    return [(caption, pages) for caption, pages in found if pages]


@cache
def _is_notebook(text: str) -> bool:
    from myst_nb.core.read import is_myst_markdown_notebook

    return is_myst_markdown_notebook(text)


def source(docname: str) -> Path:
    """The file a page is written in."""
    return settings.ROOT / f"{docname}.md"


def number(env, docname: str) -> str:
    """The number of a chapter on the site."""
    return ".".join(map(str, env.toc_secnumbers.get(docname, {}).get("", ())))


@dataclass(frozen=True)
class Front:
    """What the front matter of a page tells a reader, beside what Jupyter has to know."""

    needs: tuple[str, ...] = ()  # chapters to read before
    description: str = ""
    keywords: tuple[str, ...] = ()  # what one would search for
    was: tuple[str, ...] = ()  # its former addresses
    slides: tuple[str, ...] = ()  # labels of what its deck shows, in this order


def front(docname: str) -> Front:
    """The front matter of a page; what it needs stands before it in the book.

    Raises
    ------
    ValueError
        If it needs a page that is no chapter, or a later one.
    """
    told = _front(source(docname).read_text("utf8"))
    needs = [f"book/{name}" for name in told.get("needs", ())]
    known = pages()
    earlier = known[:known.index(docname)] if docname in known else known
    for name in needs:
        if name not in earlier:
            found = "a later one" if name in known else "a page that is not there"
            raise ValueError(f"{docname} needs {name}: expected a chapter before it, got {found}")
    was = tuple(f"book/{name}" for name in told.get("was", ()))
    return Front(tuple(needs), told.get("description", ""), tuple(told.get("keywords", ())), was,
                 tuple(told.get("slides", ())))


@cache
def _front(text: str) -> dict:
    return yaml.safe_load(text[4:].split("\n---\n")[0]) if text.startswith("---\n") else {}


def read(docname: str, text: str | None = None):
    """The chapter as a notebook without outputs, read as the site reads it; or ``text`` in its place."""
    return deepcopy(_read(source(docname), source(docname).read_text("utf8") if text is None else text))


@cache
def _read(path: Path, text: str):
    from myst_nb.core.read import read_myst_markdown_notebook
    from myst_parser.config.main import MdParserConfig

    extensions = _extensions((settings.ROOT / "_config.yml").read_text("utf8"))
    return read_myst_markdown_notebook(
        text, MdParserConfig(enable_extensions=extensions), add_source_map=True, path=path)


@cache
def _extensions(config: str) -> list[str]:
    return yaml.safe_load(config)["parse"]["myst_enable_extensions"]


def code_cells(notebook) -> list:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


# --- Values in the text ----------------------------------------------------------

# The role ``{eval}`` holds an expression; the site shows its value, and so does JupyterLab.
_EXPRESSION = re.compile(r"\{eval\}(?P<ticks>`+)(?P<expression>.+?)(?P=ticks)")


def expressions(notebook) -> list[tuple[int, str]]:
    """The expressions in the text, each with the number of the code cell that follows (the first is 1)."""
    found, number = [], 1
    for cell in notebook.cells:
        if cell.cell_type == "code":
            number += 1
        else:
            found += [(number, match["expression"]) for match in _EXPRESSION.finditer(cell.source)]
    return found


def fill_in(notebook, values: dict[str, dict]) -> None:
    """Give each cell of text the values of its expressions, as JupyterLab keeps them."""
    for cell in notebook.cells:
        found = [match["expression"] for match in _EXPRESSION.finditer(cell.source)]
        if found and cell.cell_type == "markdown":
            cell.metadata["user_expressions"] = [
                {"expression": expression, "result": values[expression]}
                for expression in found if expression in values]


def shown(text: str) -> str:
    """A value as a sentence says it: a text without its quotes, a number without its type, a minus that is
    no hyphen."""
    if text[0] in "'\"":
        text = ast.literal_eval(text)
    number = re.fullmatch(r"np\.\w+\((.*)\)", text)
    return re.sub(r"(?<![\w.)])-(?=[\d.])", "−", number[1] if number else text)


# --- Formulas in the text ----------------------------------------------------------


def sentences(notebook) -> list[str]:
    """The relations between single dollars in the text, each once."""
    return list(dict.fromkeys(tex for text in _texts(notebook) for _, tex in relations.relations(text)))


def line_of_sentence(docname: str, notebook, tex: str) -> int:
    """The line of the page that holds a relation, the first one that does."""
    lines = source(docname).read_text("utf8").splitlines()
    for cell, start in zip(notebook.cells, notebook.metadata.source_map):
        if cell.cell_type == "markdown":
            for line, other in relations.relations(cell.source):
                if other == tex:
                    return lines.index(cell.source.splitlines()[0], start) + line + 1
    raise ValueError(f"{docname} does not say {tex}")


def unchecked(notebook, entries) -> list[str]:
    """The formulas between single dollars that nothing on the page bears out."""
    from proofread.sphinx import sentences  # only now, for it brings the prover with it

    code = [cell.source for cell in code_cells(notebook)]
    code += [expression for _, expression in expressions(notebook)]
    return sentences.unchecked(_texts(notebook), code, entries)


def claims(notebook, entries) -> set[str]:
    """Those that are more than a name or a digit."""
    from proofread.sphinx import sentences

    return sentences.claims(_texts(notebook), entries)


def _texts(notebook) -> list[str]:
    return [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]

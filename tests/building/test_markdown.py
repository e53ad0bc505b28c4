"""MyST is written as plain Markdown that says the same; what has no plain form is told."""

import pytest
from markdown_it.renderer import RendererHTML
from myst_parser.config.main import MdParserConfig
from myst_parser.parsers.mdit import create_md_parser

from tools.markdown import Plain

CONFIG = MdParserConfig(enable_extensions={
    "attrs_inline", "colon_fence", "deflist", "dollarmath", "substitution"})

SAME = r"""*A* **word** with `code`, `` `a` ``, $a_1 * b_1*$, \* and \$, &nbsp;,<br>
[a $b$](https://example.org) and a line that\
ends, ![]

## A heading with `code`

1. One
2. Two
   - a
   - b

- Loose,

  in two paragraphs

- and last

> Quoted
> in two lines

| a | `b` |
|:-:|--:|
| $x \| y$ | c |

```python
# code
a = "`{eval}`"
```

***

<div>
$not math$
</div>
"""


def test_plain_markdown_stays():
    written = Plain(CONFIG).plain(SAME)
    html = create_md_parser(CONFIG, RendererHTML).render
    assert html(written + "\n") == html(SAME)
    assert Plain(CONFIG).plain(written) == written
    assert Plain(CONFIG).leftovers(written, set()) == []


@pytest.mark.parametrize(("myst", "plain"), [
    ("% a remark\nA word.", "A word."),
    ("(here)=\n# There", '<a id="here"></a>\n\n# There'),
    ("a *term*\n: means $b$", "**a *term*.**\nmeans $b$"),
    ("a [word](https://example.org){.door}", "a [word](https://example.org)"),
    (":::{note} One\ntwo.\n:::", "> **Note.** One\n> two."),
    (":::{admonition} So *it* is\nOne.\n\n- two\n:::", "> **So *it* is.** One.\n>\n> - two"),
    (":::{dropdown} More\n:open:\n\nHere.\n:::", "<details>\n<summary>More</summary>\n\nHere.\n\n</details>"),
    ("- in a list\n  :::{tip}\n  One.\n  :::", "- in a list\n  > **Tip.** One."),
])
def test_myst_has_a_plain_form(myst, plain):
    assert Plain(CONFIG).plain(myst) == plain


@pytest.mark.parametrize("myst", [
    "{kbd}`A`", "{{ name }}", "$$\nx\n$$ (eq-x)", "```{list-table}\n```", ":::{note}\n:a: 'b\n:::",
    "![](a.png)", "a[^1]\n\n[^1]: b", "[a](b.html 'c')",
])
def test_what_has_no_plain_form_is_told(myst):
    with pytest.raises(ValueError, match="expected what plain Markdown has, got"):
        Plain(CONFIG).plain(myst)


@pytest.mark.parametrize("myst", [
    "{kbd}`A`", "{{ name }}", "$$\nx\n$$ (eq-x)", "> ```{note}\n> ```", ":::{note}\n:::", "(here)=", "% no",
    "[a](#there)", "[a](b.md)", "[a](../b)", "a\n: b", "[a]{.door}",
])
def test_what_is_left_of_myst_is_found(myst):
    assert Plain(CONFIG).leftovers(myst, {"here"})


def test_what_only_looks_like_myst_is_left():
    text = "`{eval}`, $\\{x\\}`$, [a](#here), [b](https://b.org)\n\n```text\n:::{note}\n```"
    assert Plain(CONFIG).leftovers(text, {"here"}) == []

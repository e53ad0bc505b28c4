r"""The formulas in a text, and the relations that they state: what is seen of TeX before it is read."""

import re

SIGNS = {"=": "=", r"\le": "<=", r"\leq": "<=", r"\ge": ">=", r"\geq": ">=", "<": "<", ">": ">",
         r"\lt": "<", r"\gt": ">", r"\propto": "∝", r"\approx": "≈", r"\ne": "≠", r"\neq": "≠"}
_SIGN = re.compile("|".join(re.escape(s) + ("(?![a-zA-Z])" if s[0] == "\\" else "")
                            for s in sorted(SIGNS, key=len, reverse=True)))
_BRACKET = re.compile(r"\\(left|right)(?![a-zA-Z])\s*(?:\\[a-zA-Z]+|\\?.)|\\(?:begin|end)\{cases\}"
                      r"|[()\[\]{}]")
_OPENING = ("(", "[", "{", r"\begin{cases}")
# what is between single dollars, unless they stand in code
_FORMULA = re.compile(r"^(?P<fence>`{3,}).*?^(?P=fence)|(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`)|"
                      r"\$\$.+?\$\$|(?<!\\)\$(?P<tex>[^$]+)\$", re.DOTALL | re.MULTILINE)


def formulas(text):
    """All that stands between single dollars in a text in Markdown, each with its line, the first being 0.

    >>> formulas("A number $x$,\\nnot `$y$`,\\nand $x < 1$.")
    [(0, 'x'), (2, 'x < 1')]
    """
    return [(text.count("\n", 0, found.start()), found["tex"])
            for found in _FORMULA.finditer(text) if found["tex"]]


def relations(text):
    """Those of the formulas in a text that state a relation, with their lines."""
    return [(line, tex) for line, tex in formulas(text) if split(tex)[1]]


def split(tex):
    r"""The sides of a relation, or of a chain of them, and the signs between them.

    >>> split(r"0 \le x < \left|y\right| = z")
    (['0', 'x', '\\left|y\\right|', 'z'], ['<=', '<', '='])
    """
    found = list(_SIGN.finditer(blanked(tex)))
    starts, ends = [0, *(f.end() for f in found)], [*(f.start() for f in found), len(tex)]
    return [tex[a:b].strip() for a, b in zip(starts, ends)], [SIGNS[f[0]] for f in found]


def blanked(text):
    r"""The text with blanks for all that stands in brackets, so that places stay the same.

    >>> blanked(r"f(x = 1) = \left|y\right|")
    'f        =               '
    """
    kept, depth, start = [], 0, 0
    for bracket in _BRACKET.finditer(text):
        between = text[start:bracket.start()]
        kept.append((between if depth == 0 else " " * len(between)) + " " * len(bracket[0]))
        depth += 1 if bracket[0] in _OPENING or bracket[1] == "left" else -1
        start = bracket.end()
    return "".join(kept) + text[start:]

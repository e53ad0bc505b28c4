"""TeX in one form, so that texts that are set alike are alike."""

import re

_SPACE = re.compile(r"(?<!\\)\\(?:[,;:! ]|q?quad(?![a-zA-Z]))|[&~\s]")
_SIZE = re.compile(r"\\(?:left|right|middle|[bB]igg?[lrm]?|small)(?![a-zA-Z])|\\mathopen\{\}")
_SMALL_FRACTION = re.compile(r"\\[td]frac(?![a-zA-Z])")
_SINGLE = re.compile(r"(?<!\\)\{(\\[a-zA-Z]+|[^\\{}])\}")
_APART = re.compile(r"(\\[a-zA-Z]+)\s+(?=[a-zA-Z])")


def plain(tex):
    r"""TeX without spaces, sizes of brackets, and braces around one sign.

    What the braces hold together stays together: what differs in meaning differs afterwards.

    >>> plain(r"\tfrac{1}{2}\,\mathopen{}\left(x_{k} - \sigma t\right)")
    '\\frac12(x_k-\\sigma~t)'
    >>> plain(r"e^{-a} b") == plain(r"e^{-a b}"), plain(r"\sqrt{x}") == plain(r"\sqrt x")
    (False, True)
    """
    tex = _SMALL_FRACTION.sub(r"\\frac", _SIZE.sub(" ", tex))
    tex = _SINGLE.sub(r" \1 ", _SPACE.sub(" ", tex))
    # a space that ends the name of a command is part of it
    return re.sub(r"\s+", "", _APART.sub(r"\1~", tex))

"""How a SymPy name is spelled in TeX."""

import re

from .errors import Unreadable

_GREEK = set("""
    alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi rho sigma
    tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega
    ell""".split())
_ACCENTS = {"hat": r"\hat", "bar": r"\bar", "tilde": r"\tilde", "vec": r"\vec", "dot": r"\dot"}


def tex_name(name):
    r"""The TeX of a name.

    >>> [tex_name(name) for name in ("mu_p", "z_12", "yhat", "theta^{(1)}", "m'", r"\bar m", "x1")]
    ['\\mu_{p}', 'z_{12}', '\\hat{y}', '\\theta^{(1)}', "m'", '\\bar m', 'x_{1}']
    """
    if "\\" in name:
        return name
    base, primes, scripts = re.fullmatch(r"([^_^']*)('*)(.*)", name, re.S).groups()
    if counted := re.fullmatch(r"([A-Za-z]+)(\d+)", base):
        return tex_name(f"{counted[1]}_{counted[2]}{primes}{scripts}")
    pieces = re.findall(r"([_^])(\{[^{}]*\}|[^_^{}]+)", scripts)
    if "".join(mark + text for mark, text in pieces) != scripts:
        raise Unreadable(f"no spelling is known for the name {name!r}")
    scripts = "".join(f"{mark}{{{_letter(text.strip('{}'))}}}" for mark, text in pieces)
    return _letter(base) + primes + scripts


def _letter(word):
    if word in _GREEK:
        return "\\" + word
    for ending, accent in _ACCENTS.items():
        if word.endswith(ending) and len(word) > len(ending):
            return rf"{accent}{{{_letter(word.removesuffix(ending))}}}"
    return word

"""Names of a package that are imported when they are asked for, as what they need is large or missing."""

import importlib
import sys


def on_demand(package: str, modules: dict[str, list[str]]) -> tuple:
    """``__getattr__``, ``__dir__`` and the names of a package some of whose modules aren't imported with it.

    Parameters
    ----------
    package : str
        Its ``__name__``.
    modules : dict of str to list of str
        For each of these modules its public names.

    Returns
    -------
    getattr, dir : callable
        For the package, as module-level ``__getattr__`` and ``__dir__`` (PEP 562).
    names : list of str
        For its ``__all__``.

    Examples
    --------
    >>> attribute, listing, names = on_demand("json", {"decoder": ["JSONDecodeError"]})
    >>> attribute("JSONDecodeError").__name__, names, {"JSONDecodeError", "loads"} <= {*listing()}
    ('JSONDecodeError', ['JSONDecodeError'], True)
    >>> attribute("JSONEncodeError")
    Traceback (most recent call last):
        ...
    AttributeError: module 'json' has no attribute 'JSONEncodeError'
    """
    homes = {name: module for module, names in modules.items() for name in names}

    def attribute(name):
        if name in homes:
            return getattr(importlib.import_module(f"{package}.{homes[name]}"), name)
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    def listing():
        return sorted({*vars(sys.modules[package]), *homes})

    return attribute, listing, list(homes)

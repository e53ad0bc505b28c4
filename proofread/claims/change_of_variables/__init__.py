"""“Is distributed as”: the distribution of functions of random variables, by a change of variables."""

from . import jointly, monotone  # noqa: F401 -- the two kinds enter themselves
from .distributed import Distributed

__all__ = ["Distributed"]

"""Unnormalised models: the calculus of variations, maximum entropy."""

from .maximum_entropy import MaximumEntropy, entropy_level, maximum_entropy
from .variations import (
    Cycloid,
    DiscretisedFunctional,
    Minimiser,
    discretise,
    discretised_minimiser,
    euler_lagrange,
    fastest_wire,
    functional_derivative,
)

__all__ = [
    "Cycloid",
    "DiscretisedFunctional",
    "MaximumEntropy",
    "Minimiser",
    "discretise",
    "discretised_minimiser",
    "entropy_level",
    "euler_lagrange",
    "fastest_wire",
    "functional_derivative",
    "maximum_entropy",
]

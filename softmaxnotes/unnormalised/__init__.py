"""Unnormalised models: the calculus of variations, maximum entropy."""

from .maximum_entropy import MaximumEntropy, maximum_entropy
from .variations import (
    DiscretisedFunctional,
    Minimiser,
    discretise,
    discretised_minimiser,
    euler_lagrange,
    functional_derivative,
)

__all__ = [
    "DiscretisedFunctional",
    "MaximumEntropy",
    "Minimiser",
    "discretise",
    "discretised_minimiser",
    "euler_lagrange",
    "functional_derivative",
    "maximum_entropy",
]

"""Unnormalised models: the calculus of variations."""

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
    "Minimiser",
    "discretise",
    "discretised_minimiser",
    "euler_lagrange",
    "functional_derivative",
]

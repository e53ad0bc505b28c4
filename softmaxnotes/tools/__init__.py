"""Tools: the calculus of variations, and which noise makes a maximum a categorical draw."""

from .discretised import DiscretisedFunctional, Minimiser, discretise, discretised_minimiser
from .variations import euler_lagrange, functional_derivative
from .which_noise import perturbed_argmax_probabilities

__all__ = [
    "DiscretisedFunctional",
    "Minimiser",
    "discretise",
    "discretised_minimiser",
    "euler_lagrange",
    "functional_derivative",
    "perturbed_argmax_probabilities",
]

"""The value of a formula at a point, in any precision, without SymPy's algebra."""

from .evaluation import evaluate

__all__ = ["evaluate"]

"""Formulas as they stand on the page, and what stands on the page read back."""

from .printer import tex

__all__ = ["tex"]

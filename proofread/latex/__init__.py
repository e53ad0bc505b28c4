"""Formulas as they stand on the page, and what stands on the page read back."""

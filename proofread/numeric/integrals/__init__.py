"""Integrals as numbers: by which rule, to which error, and what lies beyond their ends."""

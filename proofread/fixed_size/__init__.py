"""SymPy's proof of a statement at the sizes 1, 2, 3 and 4."""

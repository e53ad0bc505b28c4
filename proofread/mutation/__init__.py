"""Wrong versions of a formula, and the check that they are put to."""

"""Whether a statement is true: two opinions, and both must agree."""

"""Second routes: an equation meets something that was not derived from it."""

"""What a reader answers, a formula or a function, and what is said of it."""

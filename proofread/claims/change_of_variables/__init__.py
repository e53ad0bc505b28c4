"""The law of a function of random variables."""

"""Experiments of the chapters on the Gumbel trick."""

"""Experiments of the part on language models."""

"""Experiments of the chapters on confidence."""

"""Experiments of the chapters on tools."""

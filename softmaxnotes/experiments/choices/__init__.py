"""Experiments of the chapters on choices."""

"""Experiments of the chapters on gradients of expectations."""

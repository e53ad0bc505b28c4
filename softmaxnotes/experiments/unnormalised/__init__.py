"""Experiments of the chapters on unnormalised models."""

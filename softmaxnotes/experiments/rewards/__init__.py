"""Experiments of the chapters on learning from rewards."""

"""Experiments of the chapters on softmax and its losses."""

"""Softmax in language models: attention, decoding, couplings of draws.

Probabilities are given as logits, classes on the last axis; leading axes broadcast.
"""

__all__: list[str] = []

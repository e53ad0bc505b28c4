r"""Word vectors: a score for each pair of a context and a word, from few numbers.

They are fitted by softmax, by noise-contrastive estimation (`softmaxnotes.unnormalised.nce`) or by negative
sampling (`softmaxnotes.unnormalised.negative_sampling`): step by step with their losses, or by
`fit_word_vectors`, to counts or probabilities of all pairs.
"""

import numpy as np
import torch
from torch.nn import functional

from ..arguments import as_real, check_entries, read_count, read_generator

__all__ = ["WordVectors", "fit_word_vectors"]


class WordVectors(torch.nn.Module):
    r"""Scores of words in contexts, by vectors: :math:`s_{cw} = u_w \cdot v_c + a_w + b_c`.

    Parameters
    ----------
    n_contexts, n_words, dim : int
        Numbers of contexts and words, and of coordinates of a vector.
    biases : bool
        Whether words and contexts have numbers :math:`a_w` and :math:`b_c` of their own, which are 0 at the
        start; else they are left out.
    sparse : bool
        Whether gradients hold the rows that were looked up, and no others.
    scale : float
        Standard deviation of the vectors at the start.
    generator : None, int or torch.Generator
        Of the vectors at the start.
    dtype : torch.dtype, optional

    Raises
    ------
    TypeError, ValueError
        A number isn't an integer from 1 on.

    Examples
    --------
    >>> model = WordVectors(n_contexts=3, n_words=5, dim=2, generator=0)
    >>> model(torch.tensor([0, 2]), torch.tensor([[1, 4, 4], [0, 1, 2]])).shape
    torch.Size([2, 3])
    >>> model.table().shape
    torch.Size([3, 5])
    """

    def __init__(self, n_contexts, n_words, dim, *, biases=True, sparse=False, scale=0.1, generator=None,
                 dtype=None):
        super().__init__()
        n_contexts, n_words = read_count("n_contexts", n_contexts), read_count("n_words", n_words)
        dim, generator = read_count("dim", dim), read_generator(generator)

        def rows(count, size):
            return torch.nn.Embedding(count, size, sparse=sparse, dtype=dtype)

        self.context, self.word = rows(n_contexts, dim), rows(n_words, dim)
        self.context_bias = rows(n_contexts, 1) if biases else None
        self.word_bias = rows(n_words, 1) if biases else None
        with torch.no_grad():
            for name, parameter in self.named_parameters():
                parameter.normal_(0, scale, generator=generator)
                if "bias" in name:
                    parameter.zero_()

    def forward(self, contexts, words):
        """Scores of words, integers of shape (...) or (..., m), in contexts of shape (...)."""
        if words.shape[: contexts.ndim] != contexts.shape or words.ndim > contexts.ndim + 1:
            raise ValueError(f"expected words of shape {tuple(contexts.shape)}, or with one more axis, "
                             f"got {tuple(words.shape)}")
        single = words.ndim == contexts.ndim
        words = words[..., None] if single else words
        scores = (self.word(words) @ self.context(contexts)[..., None])[..., 0]
        if self.word_bias is not None:
            scores = scores + self.word_bias(words)[..., 0] + self.context_bias(contexts)
        return scores[..., 0] if single else scores

    def table(self, contexts=slice(None)):
        """Scores of all words, in all contexts or in those given; shape (..., words)."""
        scores = self.context.weight[contexts] @ self.word.weight.T
        if self.word_bias is not None:
            scores = scores + self.word_bias.weight[:, 0] + self.context_bias.weight[contexts]
        return scores


def fit_word_vectors(model, data, noise=None, log_kq=0.0, *, steps=400):
    r"""Fit word vectors to how often pairs occur, in place.

    The sum over all pairs of :math:`N_{cw} \log\sigma(s_{cw} - \ell_{cw})
    + M_{cw} \log\sigma(\ell_{cw} - s_{cw})` is maximised, with :math:`\ell = \log(kq)`; without noise
    that of :math:`N_{cw} \log\operatorname{softmax}(s_c)_w`.
    Pairs may be counted, or have probabilities; then this is what infinitely much data would give.

    Parameters
    ----------
    model : WordVectors
    data : array_like, shape (contexts, words)
        Weights :math:`N_{cw}`, not negative.
    noise : array_like, shape (contexts, words), optional
        Weights :math:`M_{cw}` of pairs of a context and a noise word.
    log_kq : float or array_like, optional
        0 in negative sampling; in noise-contrastive estimation :math:`\log(kq)`, which broadcasts.
    steps : int
        Of L-BFGS, at most; there are fewer where the slopes vanish before.

    Returns
    -------
    ndarray, shape (contexts, words)
        The scores; for softmax the logarithms of the probabilities.

    Raises
    ------
    TypeError
        Weights aren't real numbers, or `steps` isn't an integer.
    ValueError
        A shape doesn't fit, or weights are negative, not finite or all zero.

    Notes
    -----
    The maximand isn't concave in the vectors, so that a start may lead to a lesser maximum.

    Examples
    --------
    >>> model = WordVectors(2, 2, 1, dtype=torch.float64, generator=0)
    >>> fit_word_vectors(model, [[3, 1], [1, 3]], [[2, 2], [2, 2]]).round(3)
    array([[ 0.405, -0.693],
           [-0.693,  0.405]])
    """
    kind, shape = model.word.weight, (model.context.num_embeddings, model.word.num_embeddings)

    def pairs(name, table):
        table = as_real(table, name)[0]
        if table.shape != shape:
            raise ValueError(f"expected {name} of shape {shape}, got {table.shape}")
        check_entries(name, table, np.isfinite(table) & (table >= 0), "to be finite and not negative")
        if not table.any():
            raise ValueError(f"no pairs: all weights of {name} are 0")
        return torch.as_tensor(table, dtype=kind.dtype, device=kind.device)

    steps, n, m = read_count("steps", steps), pairs("data", data), noise
    if noise is not None:
        m = pairs("noise", noise)
    offset = torch.as_tensor(log_kq, dtype=kind.dtype, device=kind.device)
    descent = torch.optim.LBFGS(model.parameters(), max_iter=steps, history_size=20, tolerance_grad=1e-9,
                                tolerance_change=1e-14, line_search_fn="strong_wolfe")

    def loss():
        descent.zero_grad()
        scores = model.table()
        if m is None:
            total = (n * torch.log_softmax(scores, dim=-1)).sum()
        else:
            logits = scores - offset
            total = (n * functional.logsigmoid(logits)).sum() + (m * functional.logsigmoid(-logits)).sum()
        total = -total / n.sum()
        total.backward()
        return total

    descent.step(loss)
    with torch.no_grad():
        scores = model.table()
        return (torch.log_softmax(scores, dim=-1) if m is None else scores).cpu().numpy()

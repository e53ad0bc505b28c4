"""How much of a table of word vectors one step of negative sampling moves."""

__all__ = ["touched_rows"]


def touched_rows(model):
    """How many words' vectors the gradient of a `WordVectors` would move.

    Examples
    --------
    >>> import torch
    >>> from softmaxnotes.unnormalised import WordVectors
    >>> model = WordVectors(n_contexts=1, n_words=9, dim=2, sparse=True)
    >>> model(torch.tensor([0]), torch.tensor([[4, 7, 7]])).sum().backward()
    >>> touched_rows(model)
    2
    """
    gradient = model.word.weight.grad
    if gradient is None:
        return 0
    if gradient.is_sparse:
        return gradient.coalesce().indices().shape[1]
    return int((gradient != 0).any(dim=1).sum())

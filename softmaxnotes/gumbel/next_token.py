"""Models of the next token, for the searches of `softmaxnotes.gumbel.beam_search`.

Each function returns a ``step``, which gives the log-probabilities of the next tokens, shape (B, V), after
prefixes of shape (B, t).
"""

from collections.abc import Callable

import numpy as np

from ..arguments import as_real, read_temperature

__all__ = ["hidden_markov_step", "step_of_causal_lm"]


def hidden_markov_step(initial, transition, emission) -> Callable:
    """The law of the next symbol of a hidden Markov model, given those before.

    The law of the state is moved forwards with each symbol, and mixes the rows of the emission.

    Parameters
    ----------
    initial : array_like, shape (S,)
        Probabilities of the first state.
    transition : array_like, shape (S, S)
        A row for each state, of probabilities of the next.
    emission : array_like, shape (S, V)
        A row for each state, of probabilities of the symbols.

    Returns
    -------
    callable
        A `step` for the searches; it raises a ValueError for a prefix that the model never shows.

    Raises
    ------
    ValueError
        The shapes don't fit, or a row isn't made of probabilities that add up to one.

    Examples
    --------
    >>> step = hidden_markov_step([1, 0], [[0.5, 0.5], [0, 1]], [[1, 0], [0, 1]])
    >>> np.exp(step(np.array([[0, 0], [0, 1]]))).round(3)
    array([[0.5, 0.5],
           [0. , 1. ]])
    """
    given = {"initial": initial, "transition": transition, "emission": emission}
    start, move, show = (as_real(v, name)[0].astype(np.float64) for name, v in given.items())
    states = start.size
    if start.shape != (states,) or move.shape != (states, states) or show.shape[:-1] != (states,):
        raise ValueError("expected shapes (S,), (S, S) and (S, V), "
                         f"got {start.shape}, {move.shape} and {show.shape}")
    for name, rows in zip(given, (start, move, show)):
        if not (np.all(rows >= 0) and np.allclose(rows.sum(axis=-1), 1, rtol=0, atol=1e-12)):
            raise ValueError(f"expected {name} of probabilities that add up to one, got {rows.tolist()}")

    def step(prefixes):
        prefixes = np.asarray(prefixes)
        belief = np.broadcast_to(start, (len(prefixes), states))
        for symbol in prefixes.T:
            belief = belief * show[:, symbol].T
            total = belief.sum(axis=1, keepdims=True)
            if not total.all():
                raise ValueError("expected prefixes that have a probability, "
                                 f"got {prefixes[np.argmin(total)].tolist()}")
            belief = belief / total @ move
        with np.errstate(divide="ignore"):
            law = belief @ show
            return np.log(law / law.sum(axis=1, keepdims=True))

    return step


def step_of_causal_lm(model: Callable, prompt, *, temperature: float = 1.0) -> Callable:
    """The law of the next token of a causal language model in torch, after a prompt.

    Parameters
    ----------
    model : callable
        ``model(input_ids=…).logits`` has the shape (B, t, V), as that of ``AutoModelForCausalLM`` of the
        library transformers does; put it into evaluation mode first.
    prompt : torch.Tensor of int, shape (t,) or (1, t)
        Tokens that come first, at least one, such as ``tokenizer(text, return_tensors="pt").input_ids``, on
        the device of the model.
    temperature : float
        Divides the logits.

    Returns
    -------
    callable
        A `step` for the searches; ``end=tokenizer.eos_token_id`` is what ends a sequence.

    Raises
    ------
    ValueError
        `prompt` has another shape, or `temperature` isn't one positive, finite number.

    Notes
    -----
    Gradients aren't recorded. The log-softmax is taken in ``float64``. All of a prefix is computed again for
    each token: a cache would save that, and would have to follow the beam.

    Examples
    --------
    >>> import torch
    >>> from types import SimpleNamespace
    >>> def repeats(input_ids):  # the last token is twice as likely as each other one
    ...     return SimpleNamespace(logits=np.log(2) * torch.nn.functional.one_hot(input_ids, 3))
    >>> step = step_of_causal_lm(repeats, torch.tensor([[0]]))
    >>> np.exp(step(np.array([[1], [2]])))
    array([[0.25, 0.5 , 0.25],
           [0.25, 0.25, 0.5 ]])
    """
    import torch

    prompt = torch.as_tensor(prompt)
    if prompt.ndim == 1:
        prompt = prompt[None]
    if prompt.ndim != 2 or len(prompt) != 1 or prompt.numel() == 0:
        raise ValueError(f"expected a prompt of shape (t,) or (1, t) with t > 0, got {tuple(prompt.shape)}")
    tau = read_temperature(temperature)

    @torch.no_grad()
    def step(prefixes):
        tokens = torch.as_tensor(prefixes, dtype=prompt.dtype, device=prompt.device)
        tokens = torch.cat([prompt.expand(len(tokens), -1), tokens], dim=1)
        logits = model(input_ids=tokens).logits[:, -1].double()
        return torch.log_softmax(logits / tau, dim=-1).cpu().numpy()

    return step

"""softmaxnotes.gumbel.next_token: models by enumeration, and with the interface of transformers."""

import itertools
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from softmaxnotes.gumbel import hidden_markov_step, step_of_causal_lm, stochastic_beam_search

MODEL = dict(initial=[0.8, 0.2], transition=[[0.9, 0.1], [0.2, 0.8]],
             emission=[[0.7, 0.2, 0.1], [0.1, 0.3, 0.6]])
markov = hidden_markov_step(**MODEL)


def test_hidden_markov_model_by_sums_over_states():
    start, move, show = (np.array(v) for v in MODEL.values())
    for sequence in itertools.product(range(3), repeat=3):
        log_p = sum(markov(np.array([sequence[:t]], int).reshape(1, t))[0, sequence[t]] for t in range(3))
        total = sum(start[s] * move[s, t] * move[t, u] * show[s, sequence[0]] * show[t, sequence[1]]
                    * show[u, sequence[2]] for s, t, u in itertools.product(range(2), repeat=3))
        assert abs(np.exp(log_p) / total - 1) < 1e-13


def test_prefixes_that_no_hidden_markov_model_shows_are_not_found():
    step = hidden_markov_step([1, 0], [[0.5, 0.5], [0, 1]], [[1, 0], [0, 1]])
    assert len(stochastic_beam_search(step, 9, 3, rng=0).tokens) == 3  # of eight only these are possible


class StandIn(torch.nn.Module):
    """The call signature of a causal language model of transformers."""

    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.embedding, self.out = torch.nn.Embedding(7, 5), torch.nn.Linear(5, 7)

    def forward(self, input_ids=None, attention_mask=None, **more):
        return SimpleNamespace(logits=self.out(torch.cumsum(self.embedding(input_ids), dim=1)))


def check_causal(model, vocabulary):
    prompt = torch.tensor([[1, 2]])
    step = step_of_causal_lm(model, prompt, temperature=0.7)
    found = stochastic_beam_search(step, 4, 3, rng=0, end=0)
    assert found.tokens.shape == (4, 3) and len(np.unique(found.tokens, axis=0)) == 4
    whole = torch.cat([prompt.expand(4, -1), torch.from_numpy(found.tokens)], dim=1)
    with torch.no_grad():
        logits = model(input_ids=whole).logits.double() / 0.7
    law = torch.log_softmax(logits, dim=-1)[:, 1:-1].numpy()
    for row, tokens in enumerate(found.tokens):
        last = np.argmax(tokens == 0) + 1 if (tokens == 0).any() else 3
        total = sum(law[row, t, tokens[t]] for t in range(last))
        assert abs(total - found.log_probs[row]) < 1e-4


def test_a_model_with_the_interface_of_transformers():
    check_causal(StandIn().eval(), 7)


def test_a_tiny_model_of_transformers():
    transformers = pytest.importorskip("transformers")
    config = transformers.GPT2Config(vocab_size=11, n_positions=16, n_embd=8, n_layer=1, n_head=2)
    check_causal(transformers.GPT2LMHeadModel(config).eval(), 11)

r"""Sequences that are judged when they are complete: exact gradients on a tree, and SeqGAN.

A generator draws a sequence of T words, one after the other, and a judge pays for the whole. With V words
the generator may be a table of logits, one row for each of the :math:`(V^T - 1)/(V - 1)` prefixes: row 0 is
the empty prefix, and row r followed by the word a is row :math:`r V + a + 1`. Of such a table everything is
exact:

    >>> import numpy as np
    >>> table, paid = np.zeros((3, 2)), np.array([0.0, 0.0, 0.0, 1.0])  # two words, twice
    >>> action_values(table, paid)[0]  # the first word
    array([0. , 0.5])
    >>> sequence_gradient(table, paid)[0]
    array([-0.125,  0.125])

`fit_seqgan` trains a table or a recurrent network against a judge that is trained as well. It needs torch.
"""

import copy
import math
from typing import NamedTuple

import numpy as np
import torch
from torch import nn

from softmaxnotes.arguments import read_count
from softmaxnotes.arrays import as_real
from softmaxnotes.gradients.estimate import GradientEstimate
from softmaxnotes.gradients.score_function import DecisionProcess
from softmaxnotes.softmax import log_softmax
from softmaxnotes.training import descend, train

__all__ = [
    "Judge",
    "Recurrent",
    "Scores",
    "Tabular",
    "action_values",
    "all_sequences",
    "fit_judge",
    "fit_likelihood",
    "fit_seqgan",
    "noise_drift",
    "prefix_process",
    "rollout_gradient",
    "rollout_values",
    "scores",
    "sequence_gradient",
    "sequence_log_probs",
]

_MANY = 10**6  # sequences that are enumerated at most


# --- A table of logits, exactly -----------------------------------------------------


def all_sequences(vocabulary, length):
    """All sequences of words 0, …, V − 1, in the order of a dictionary.

    Parameters
    ----------
    vocabulary, length : int
        V and T.

    Returns
    -------
    ndarray of int, shape (V**T, T)

    Raises
    ------
    ValueError
        There are more than a million.

    Examples
    --------
    >>> all_sequences(2, 2).tolist()
    [[0, 0], [0, 1], [1, 0], [1, 1]]
    """
    v, t = read_count("vocabulary", vocabulary), read_count("length", length)
    if v**t > _MANY:
        raise ValueError(f"expected at most {_MANY} sequences, got {v}**{t}")
    return np.stack(np.unravel_index(np.arange(v**t), (v,) * t), axis=-1)


def sequence_log_probs(logits):
    r"""Log-probabilities of all sequences, :math:`\sum_t \log \pi(y_t \mid y_1, \dots, y_{t-1})`.

    Parameters
    ----------
    logits : array_like, shape ((V**T - 1) / (V - 1), V)
        One row for each prefix; finite, or ``-inf``.

    Returns
    -------
    ndarray, shape (V**T,)

    Raises
    ------
    ValueError
        There are no such V and T, a logit is NaN or ``inf``, or a row is nothing but ``-inf``.

    Examples
    --------
    >>> np.exp(sequence_log_probs([[0, 0], [0, -np.inf], [0, 0]])).round(4)
    array([0.5 , 0.  , 0.25, 0.25])
    """
    logits, length = _table(logits)
    return _descend(log_softmax(logits, axis=-1), length)[-1].ravel()


def action_values(logits, rewards):
    r"""The mean reward of all completions of each prefix and word, by backward recursion.

    .. math:: Q(y_{1:t-1}, y_t) = \mathbb E\bigl[r(Y) \mid Y_{1:t} = y_{1:t}\bigr]

    Parameters
    ----------
    logits : array_like, shape ((V**T - 1) / (V - 1), V)
    rewards : array_like, shape (V**T,)
        Of all sequences, in the order of `all_sequences`.

    Returns
    -------
    ndarray, shape ((V**T - 1) / (V - 1), V)

    Raises
    ------
    ValueError
        As `sequence_log_probs`; or the rewards are not as many, or not finite.

    Notes
    -----
    Implements: eq-action-value

    Examples
    --------
    >>> action_values(np.zeros((3, 2)), [1.0, 2.0, 3.0, 6.0])
    array([[1.5, 4.5],
           [1. , 2. ],
           [3. , 6. ]])
    """
    logits, length = _table(logits)
    return _values(np.exp(log_softmax(logits, axis=-1)), _rewards(rewards, logits.shape[1]**length), length)


def sequence_gradient(logits, rewards):
    r"""Exact gradient of the mean reward in all logits of the table.

    Its entry for a prefix and a word is :math:`\Pr(\text{prefix})\,\pi(y \mid \text{prefix})\,(Q - V)` with
    the `action_values` Q and their mean V under the prefix.

    Parameters
    ----------
    logits, rewards
        As for `action_values`.

    Returns
    -------
    ndarray, shape ((V**T - 1) / (V - 1), V)
        Its rows add up to 0; a constant reward gives 0 exactly.

    Notes
    -----
    Implements: eq-word-share

    Examples
    --------
    >>> sequence_gradient(np.zeros((3, 2)), [5.0, 5.0, 5.0, 5.0]).any()
    np.False_
    """
    logits, length = _table(logits)
    policy, better, reached = _parts(logits, _rewards(rewards, logits.shape[1] ** length), length)
    return reached[:, None] * policy * better


def prefix_process(rewards, vocabulary, length):
    """The same problem as a decision process, in which a state is a prefix and an action a word.

    Parameters
    ----------
    rewards : array_like, shape (V**T,)
    vocabulary, length : int
        V and T.

    Returns
    -------
    DecisionProcess
        With the prefixes as states, to be walked T steps; the reward is paid for the last word.

    Examples
    --------
    >>> from softmaxnotes.gradients import policy_gradient
    >>> policy_gradient(prefix_process([0.0, 0.0, 0.0, 1.0], 2, 2), np.zeros((3, 2)), 2)[0]
    array([-0.125,  0.125])
    """
    v, t = read_count("vocabulary", vocabulary), read_count("length", length)
    paid = _rewards(rewards, v**t).reshape(-1, v)
    rows = sum(v**i for i in range(t))
    moves, last = np.zeros((rows, v, rows)), rows - len(paid)
    state = np.arange(last)[:, None]
    word = np.arange(v)
    moves[state, word, state * v + word + 1] = 1
    moves[last:, :, 0] = 1  # the sequence is complete
    reward = np.zeros((rows, v))
    reward[last:] = paid
    return DecisionProcess(np.eye(rows)[0], moves, reward)


def rollout_values(logits, sequences, rewards, *, n_rollouts, rollout_logits=None, rng=None):
    r"""Estimates of the action values along sequences, from completed copies of their prefixes.

    .. math:: \hat Q_t = \frac1N \sum_{n=1}^N r(Y^n), \quad Y^n_{1:t} = y_{1:t}, \qquad \hat Q_T = r(y)

    Parameters
    ----------
    logits : array_like, shape ((V**T - 1) / (V - 1), V)
    sequences : array_like of int, shape (M, T)
    rewards : array_like, shape (V**T,)
    n_rollouts : int
        N.
    rollout_logits : array_like, optional
        Of the policy that completes the copies, if it is another one. The estimates are then of its values.
    rng : None, int or numpy.random.Generator

    Returns
    -------
    ndarray, shape (M, T)

    Raises
    ------
    ValueError
        As `action_values`; or there is no such word.

    Notes
    -----
    Implements: eq-rollout-mean

    Examples
    --------
    >>> rollout_values(np.zeros((3, 2)), [[1, 1], [0, 1]], [0.0, 0.0, 0.0, 1.0], n_rollouts=4, rng=0)
    array([[0.25, 1.  ],
           [0.  , 0.  ]])
    """
    logits, length = _table(logits if rollout_logits is None else rollout_logits)
    v, n = logits.shape[1], read_count("n_rollouts", n_rollouts)
    rewards, sequences = _rewards(rewards, v**length), _words(sequences, v, length)
    ends = np.cumsum(np.exp(log_softmax(logits, axis=-1)), axis=-1)
    rng = np.random.default_rng(rng)
    found, row, last = np.empty(sequences.shape), np.zeros(len(sequences), int), len(logits)
    for t in range(length):
        row = row * v + sequences[:, t] + 1
        ahead = np.repeat(row, n)
        for _ in range(t + 1, length):
            u = rng.random(len(ahead)) * ends[ahead, -1]
            word = np.minimum((ends[ahead] <= u[:, None]).sum(axis=1), v - 1)
            ahead = ahead * v + word + 1
        found[:, t] = rewards[ahead - last].reshape(-1, n).mean(axis=1)
    return found


def rollout_gradient(logits, rewards, *, n_samples, n_rollouts=1, baseline=None, rollout_logits=None,
                     rng=None):
    r"""The policy gradient of SeqGAN, from drawn sequences and their rollouts.

    .. math:: \frac1M \sum_{m=1}^M \sum_{t=1}^T (\hat Q_t^m - b_t^m)\,
              \nabla \log \pi(y^m_t \mid y^m_{1:t-1})

    Parameters
    ----------
    logits : array_like, shape ((V**T - 1) / (V - 1), V)
    rewards : array_like, shape (V**T,)
    n_samples : int
        M, the sequences of one estimate.
    n_rollouts : int
        N for each prefix.
    baseline : None, float or "leave-one-out"
        :math:`b_t^m`: nothing, a number, or the mean of :math:`\hat Q_t` over the other sequences.
    rollout_logits, rng
        As for `rollout_values`.

    Returns
    -------
    GradientEstimate
        Unbiased if the rollouts follow the policy itself. ``n_evaluations`` counts rewards, of which
        M (N (T − 1) + 1) are asked for.

    Raises
    ------
    ValueError
        As `rollout_values`; or "leave-one-out" with a single sequence.

    Notes
    -----
    Implements: eq-word-share

    Examples
    --------
    A constant reward gives noise, unless the baseline takes it off:

    >>> flat = np.ones(4)
    >>> rollout_gradient(np.zeros((3, 2)), flat, n_samples=3, rng=0).gradient.any()
    np.True_
    >>> rollout_gradient(np.zeros((3, 2)), flat, n_samples=3, baseline="leave-one-out", rng=0).gradient.any()
    np.False_
    """
    logits, length = _table(logits)
    v, left_out = logits.shape[1], isinstance(baseline, str) and baseline == "leave-one-out"
    m, n = read_count("n_samples", n_samples, least=2 if left_out else 1), n_rollouts
    if not (left_out or baseline is None or np.isreal(baseline) and np.isfinite(baseline)):
        raise ValueError(f'expected a finite baseline, None or "leave-one-out", got {baseline!r}')
    rng = np.random.default_rng(rng)
    policy = np.exp(log_softmax(logits, axis=-1))
    ends, rows, row = np.cumsum(policy, axis=-1), np.empty((m, length), int), np.zeros(m, int)
    words = np.empty((m, length), int)
    for t in range(length):
        u = rng.random(m) * ends[row, -1]
        rows[:, t] = row
        words[:, t] = np.minimum((ends[row] <= u[:, None]).sum(axis=1), v - 1)
        row = row * v + words[:, t] + 1
    q = rollout_values(logits, words, rewards, n_rollouts=n, rollout_logits=rollout_logits, rng=rng)
    if left_out:
        q = q - q[:1]  # a constant becomes zero exactly
        q = (q - q.mean(axis=0)) * (m / (m - 1))
    else:
        q = q - (0.0 if baseline is None else float(baseline))
    gradient = np.zeros(logits.shape)
    np.add.at(gradient, (rows, words), q)
    np.add.at(gradient, rows, -q[..., None] * policy[rows])
    return GradientEstimate(gradient / m, m * (n * (length - 1) + 1))


def noise_drift(logits, values):
    r"""How fast the noise of a constant reward changes the mean of `values`.

    A step from one drawn sequence and the reward 1 moves the logits by :math:`\eta\,\nabla \log \pi`, which
    is zero on average. The mean of the values moves on average by :math:`\tfrac12 \eta^2 d + O(\eta^3)`, and
    with n independent sequences by an n-th of it. For one softmax

    .. math:: d = \sum_k \pi_k (f_k - \mathbb E f)\bigl((1 + 2 S) \pi_k - 3 \pi_k^2\bigr), \qquad
              S = \sum_k \pi_k^2,

    and for a table that of each row, with the `action_values` as f, times the square of the probability to
    come by.

    Parameters
    ----------
    logits : array_like, shape ((V**T - 1) / (V - 1), V)
        A single row is one softmax.
    values : array_like, shape (V**T,)

    Returns
    -------
    float
        d.

    Raises
    ------
    ValueError
        As `action_values`.

    Notes
    -----
    Implements: eq-noise-drift

    Examples
    --------
    Of ten words the probable one gains: its value is 0, that of the others 1.

    >>> noise_drift([[1.0] + 9 * [0.0]], [0.0] + 9 * [1.0]) < 0
    True
    """
    logits, length = _table(logits)
    values = _rewards(values, logits.shape[1] ** length)
    policy, better, reached = _parts(logits, values, length)
    square = (policy**2).sum(axis=1, keepdims=True)
    own = (policy * better * ((1 + 2 * square) * policy - 3 * policy**2)).sum(axis=1)
    return float(reached**2 @ own)


# --- Generators and a judge ---------------------------------------------------------


class _Generator(nn.Module):
    """What draws words one after the other.

    Subclasses have ``first(n)``, the logits of the first word, shape (n, V), and a state; and
    ``after(words, state)``, those of the next word after words of shape (n,), and the new state.
    """

    def log_prob(self, sequences):
        """Of each word, given those before it: (n, T) integers to (n, T) numbers."""
        logits, state = self.first(len(sequences))
        found = []
        for t, words in enumerate(sequences.T):
            found.append(torch.log_softmax(logits, -1).gather(1, words[:, None])[:, 0])
            if t + 1 < self.length:
                logits, state = self.after(words, state)
        return torch.stack(found, dim=1)

    @torch.no_grad()
    def sample(self, n, *, prefixes=None, generator=None):
        """n sequences, or n completions of each prefix, next to each other: shape (n or n * prefixes, T)."""
        logits, state = self.first(n if prefixes is None else len(prefixes))
        drawn = []
        if prefixes is not None:
            for words in prefixes.T:
                logits, state = self.after(words, state)
            logits, state = (_repeat(a, n) for a in (logits, state))
            drawn = list(prefixes.repeat_interleave(n, dim=0).T)
        while True:
            drawn.append(torch.multinomial(torch.softmax(logits, -1), 1, generator=generator)[:, 0])
            if len(drawn) == self.length:
                return torch.stack(drawn, dim=1)
            logits, state = self.after(drawn[-1], state)


class Tabular(_Generator):
    """A generator with one row of logits for each prefix.

    Parameters
    ----------
    logits : array_like, shape ((V**T - 1) / (V - 1), V)

    Examples
    --------
    >>> coins = Tabular(np.zeros((3, 2)))
    >>> coins.log_prob(torch.tensor([[0, 1]])).exp()
    tensor([[0.5000, 0.5000]], dtype=torch.float64, grad_fn=<ExpBackward0>)
    """

    def __init__(self, logits):
        super().__init__()
        logits, self.length = _table(logits)
        self.vocabulary = logits.shape[1]
        self.logits = nn.Parameter(torch.tensor(logits))

    def first(self, n):
        rows = torch.zeros(n, dtype=torch.long, device=self.logits.device)
        return self.logits[rows], rows

    def after(self, words, state):
        rows = state * self.vocabulary + words + 1
        return self.logits[rows], rows


class Recurrent(_Generator):
    """A generator with a long short-term memory; the settings are those of the SeqGAN paper.

    Parameters
    ----------
    vocabulary, length : int
    embedding, hidden : int
        Units.
    scale : float
        Standard deviation of all weights at the start: 1 for an oracle, 0.1 for a generator.
    generator : torch.Generator, optional

    Examples
    --------
    >>> Recurrent(7, 3, embedding=4, hidden=4).sample(5).shape
    torch.Size([5, 3])
    """

    def __init__(self, vocabulary=5000, length=20, *, embedding=32, hidden=32, scale=0.1, generator=None):
        super().__init__()
        self.vocabulary, self.length = vocabulary, length
        self.words = nn.Embedding(vocabulary, embedding)
        self.cell = nn.LSTMCell(embedding, hidden)
        self.out = nn.Linear(hidden, vocabulary)
        self.double()
        with torch.no_grad():
            for parameter in self.parameters():
                parameter.normal_(0, scale, generator=generator)

    def first(self, n):
        start = torch.zeros(n, dtype=torch.long, device=self.out.weight.device)
        return self.after(start, None)  # the paper begins with the word 0, too

    def after(self, words, state):
        state = self.cell(self.words(words), state)
        return self.out(state[0]), state


class Judge(nn.Module):
    """A convolutional discriminator: the logit of a sequence to be true.

    Parameters
    ----------
    vocabulary : int
    filters : mapping of int to int
        From the width of a window to the number of filters.
    embedding : int
    dropout : float
        Probability with which a response is left out of a step of training.
    generator : torch.Generator, optional
        Of the weights.

    Notes
    -----
    As in the SeqGAN paper: an embedding, windows of several widths, the largest response of each filter, a
    highway layer, dropout, one linear output.

    Examples
    --------
    >>> Judge(7, {1: 4, 2: 4})(torch.zeros(5, 3, dtype=torch.long)).shape
    torch.Size([5])
    """

    def __init__(self, vocabulary=5000, filters=None, *, embedding=64, dropout=0.25, generator=None):
        super().__init__()
        filters = filters or {**dict.fromkeys(range(2, 6), 200), **dict.fromkeys((1, *range(6, 11)), 100),
                              15: 160, 20: 160}
        total = sum(filters.values())
        self.words = nn.Embedding(vocabulary, embedding)
        self.widths = list(filters)
        self.windows = nn.ModuleList(nn.Linear(embedding * width, filters[width]) for width in self.widths)
        self.highway, self.gate = nn.Linear(total, total), nn.Linear(total, total)
        self.dropout, self.out = dropout, nn.Linear(total, 1)
        self.double()
        with torch.no_grad():
            for parameter in self.parameters():
                parameter.normal_(0, 1 / math.sqrt(max(1, parameter[0].numel())), generator=generator)

    def forward(self, sequences, *, generator=None):
        """Logits, shape (n,), for integers (n, T); with a generator parts of the evidence drop out."""
        x = self.words(sequences)
        x = torch.cat([torch.relu(window(x.unfold(1, width, 1).flatten(2))).amax(dim=1)
                       for width, window in zip(self.widths, self.windows)], dim=1)
        gate = torch.sigmoid(self.gate(x))
        x = gate * torch.relu(self.highway(x)) + (1 - gate) * x
        if generator is not None and self.dropout:
            kept = torch.rand(x.shape, generator=generator, dtype=x.dtype, device=x.device) >= self.dropout
            x = x * kept / (1 - self.dropout)
        return self.out(x)[:, 0]


# --- What a generator is worth ------------------------------------------------------


class Scores(NamedTuple):
    r"""What an oracle p says of a generator q, in nats for a whole sequence.

    Attributes
    ----------
    score : float
        :math:`\mathbb E_q[-\log p]`, which papers call the oracle's negative log-likelihood.
    entropy : float
        Of q. The score is this plus :math:`\mathrm{KL}(q\,\|\,p)`.
    reverse : float
        :math:`\mathbb E_p[-\log q]`.
    floor : float
        Entropy of p, the least possible ``reverse``. The score may be less.
    """

    score: float
    entropy: float
    reverse: float
    floor: float


@torch.no_grad()
def scores(oracle, model, *, n_samples=None, generator=None):
    """The score, and what it hides: exactly, over all sequences, or from draws of both.

    Parameters
    ----------
    oracle, model : Tabular or Recurrent
        Of the same vocabulary and length.
    n_samples : int, optional
        Of each; without it all sequences are enumerated.
    generator : torch.Generator, optional

    Returns
    -------
    Scores

    Raises
    ------
    ValueError
        The two do not fit, or there are more than a million sequences.

    Examples
    --------
    >>> one, other = Tabular(np.zeros((1, 2))), Tabular(np.log([[0.75, 0.25]]))
    >>> [round(a, 4) for a in scores(one, other)]
    [0.6931, 0.5623, 0.837, 0.6931]
    """
    shapes = [(a.vocabulary, a.length) for a in (oracle, model)]
    if shapes[0] != shapes[1]:
        raise ValueError(f"expected one vocabulary and length, got {shapes[0]} and {shapes[1]}")
    if n_samples is None:
        device = next(model.parameters()).device
        every = torch.as_tensor(all_sequences(*shapes[0]), device=device)
        log_p, log_q = (a.log_prob(every).sum(dim=1) for a in (oracle, model))
        p, q = log_p.exp(), log_q.exp()
        return Scores(*(-(weight * log).sum().item()
                        for weight, log in ((q, log_p), (q, log_q), (p, log_q), (p, log_p))))
    true, made = (a.sample(n_samples, generator=generator) for a in (oracle, model))
    return Scores(*(-judge.log_prob(what).sum(dim=1).mean().item()
                    for what, judge in ((made, oracle), (made, model), (true, model), (true, oracle))))


# --- Training -------------------------------------------------------------------------


def fit_likelihood(model, data, *, steps, batch=64, rate=0.01, optimiser=None, record=None, every=1,
                   generator=None, **options):
    """Maximum likelihood on sequences, in place: the pre-training of SeqGAN.

    Parameters
    ----------
    model : Tabular or Recurrent
    data : torch.Tensor of int, shape (N, T)
    steps, batch : int
    rate : float
    optimiser : callable, optional
        Of parameters and ``lr=``; by default Adam.
    record : callable, optional
        Of the model before step 0, ``every``, 2 ``every``, …: a tuple with field names; in between the last
        one is repeated.
    generator : torch.Generator, optional
        Of batches; by default one with the seed 0.
    **options
        Of `softmaxnotes.training.train`.

    Returns
    -------
    dict of ndarray, shape (steps,)
        ``loss`` for each word, and what was recorded.

    Examples
    --------
    >>> coins = Tabular(np.zeros((1, 2)))
    >>> losses = fit_likelihood(coins, torch.tensor([[0], [0], [1]]), steps=300)["loss"]
    >>> coins.logits.softmax(-1).detach().numpy().round(1)
    array([[0.7, 0.3]])
    """
    generator = generator or torch.Generator(device=data.device).manual_seed(0)
    descent = (optimiser or torch.optim.Adam)(model.parameters(), lr=rate)
    told = _Recorder(record, model, every)

    def step(i):
        said = told(i)
        chosen = data[torch.randint(len(data), (batch,), generator=generator, device=data.device)]
        loss = -model.log_prob(chosen).mean()
        descend(descent, loss)
        return {"loss": loss.item(), **said}

    parts = {"model": model, "descent": descent, "generator": generator, "told": told}
    return train(step, steps, parts=parts, **options)


def fit_seqgan(model, judge, data, *, steps, batch=64, rollouts=16, judge_steps=15, baseline=None,
               reward="judge", lag=0.8, rate=0.01, judge_rate=1e-4, optimiser=None, clip=5.0, record=None,
               every=1, generator=None, **options):
    r"""The adversarial part of SeqGAN, in place: steps of the generator between those of the judge.

    Parameters
    ----------
    model : Tabular or Recurrent
    judge : Judge
        Its step is taken on half a batch of data and half a batch of draws.
    data : torch.Tensor of int, shape (N, T)
    steps, batch : int
    rollouts : int
        N for each prefix; 0 pays the reward of the whole sequence to each of its words.
    judge_steps : int
        For each step of the generator. The paper trains on more: 15 times the data.
    baseline : None or "leave-one-out"
        What is taken off the reward of a word: nothing, as in the paper, or the mean of the others.
    reward : "judge" or float
        What the judge thinks, a probability; or this number, whatever it is shown.
    lag : float
        The policy :math:`\beta` that completes prefixes follows the generator :math:`\theta` by
        :math:`\beta \leftarrow \text{lag}\, \beta + (1 - \text{lag})\,\theta`; 0 is :math:`\beta = \theta`.
    rate, judge_rate : float
        Of the generator's and the judge's descent.
    optimiser : callable, optional
        Of the generator's parameters and ``lr=``; by default Adam. The judge has Adam.
    clip : float
        Largest norm of the generator's gradient, which is summed over the words of a batch and divided by the
        number of its sequences.
    record, every, generator, options
        As for `fit_likelihood`; the generator is of draws, too.

    Returns
    -------
    dict of ndarray, shape (steps,)
        ``reward``, the mean that the drawn sequences were paid, ``judge``, the loss of the judge, and what
        was recorded.

    Raises
    ------
    ValueError
        The reward or the baseline is none of these.

    References
    ----------
    L. Yu, W. Zhang, J. Wang and Y. Yu, "SeqGAN: Sequence generative adversarial nets with policy gradient",
    AAAI (2017), 10.1609/aaai.v31i1.10804.
    """
    if not (reward == "judge" or not isinstance(reward, str) and math.isfinite(reward)):
        raise ValueError(f'expected "judge" or a finite number as reward, got {reward!r}')
    if baseline not in (None, "leave-one-out"):
        raise ValueError(f'expected None or "leave-one-out" as baseline, got {baseline!r}')
    generator = generator or torch.Generator(device=data.device).manual_seed(0)
    ascent = (optimiser or torch.optim.Adam)(model.parameters(), lr=rate)
    descent = torch.optim.Adam(judge.parameters(), lr=judge_rate)
    follower, told = copy.deepcopy(model), _Recorder(record, model, every)
    pays = reward == "judge"

    def step(i):
        said = told(i)
        drawn = model.sample(batch, generator=generator)
        if pays:
            paid = _judged(judge, follower, drawn, rollouts, generator)
        else:
            paid = torch.full(drawn.shape, float(reward), dtype=torch.float64, device=drawn.device)
        worth = paid[:, -1].mean().item()
        if baseline is not None:
            paid = (paid - paid.mean(dim=0)) * (batch / (batch - 1))
        loss = -(paid * model.log_prob(drawn)).sum() / batch
        ascent.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), clip)
        ascent.step()
        with torch.no_grad():
            for ours, theirs in zip(follower.parameters(), model.parameters()):
                ours.mul_(lag).add_(theirs, alpha=1 - lag)
        wrong = 0.0
        for _ in range(judge_steps if pays else 0):
            wrong = _judge_step(judge, descent, model, data, batch, generator)
        return {"reward": worth, "judge": wrong, **said}

    parts = {"model": model, "judge": judge, "follower": follower, "ascent": ascent, "descent": descent,
             "generator": generator, "told": told}
    return train(step, steps, parts=parts, **options)


def fit_judge(judge, model, data, *, steps, batch=64, rate=1e-4, generator=None, **options):
    """Train the judge alone, in place, on as many true sequences as drawn ones.

    Parameters
    ----------
    judge, model, data
        As for `fit_seqgan`; the model stays as it is.
    steps, batch : int
    rate : float
        Of Adam.
    generator, options
        As for `fit_likelihood`.

    Returns
    -------
    dict of ndarray, shape (steps,)
        ``judge``, the mean cross-entropy: log 2 for a judge that cannot tell.

    Examples
    --------
    >>> first_word = Tabular([[-9.0, 9.0]])  # it says 1, the data 0
    >>> data = torch.zeros(9, 1, dtype=torch.long)
    >>> judge = Judge(2, {1: 4}, dropout=0, generator=torch.Generator().manual_seed(0))
    >>> bool(fit_judge(judge, first_word, data, steps=200, rate=0.01)["judge"][-1] < 0.1)
    True
    """
    generator = generator or torch.Generator(device=data.device).manual_seed(0)
    descent = torch.optim.Adam(judge.parameters(), lr=rate)
    parts = {"judge": judge, "descent": descent, "generator": generator}
    return train(lambda i: {"judge": _judge_step(judge, descent, model, data, batch, generator)}, steps,
                 parts=parts, **options)


def _judge_step(judge, descent, model, data, batch, generator):
    """One step of the judge, on as many true sequences as drawn ones; returns its loss."""
    true = data[torch.randint(len(data), (batch,), generator=generator, device=data.device)]
    shown = torch.cat([true, model.sample(batch, generator=generator)])
    logits = judge(shown, generator=generator)
    labels = torch.zeros_like(logits)
    labels[:batch] = 1
    loss = nn.functional.binary_cross_entropy_with_logits(logits, labels)
    descend(descent, loss)
    return loss.item()


@torch.no_grad()
def _judged(judge, follower, drawn, rollouts, generator):
    """What each word is paid, shape (n, T): the mean of completed copies, and the last the sequence's own."""
    last = torch.sigmoid(judge(drawn))
    paid = last[:, None].repeat(1, drawn.shape[1])
    if rollouts:
        whole = [follower.sample(rollouts, prefixes=drawn[:, :t], generator=generator)
                 for t in range(1, drawn.shape[1])]
        for t, copies in enumerate(whole):
            paid[:, t] = torch.sigmoid(judge(copies)).reshape(-1, rollouts).mean(dim=1)
    return paid


class _Recorder:
    """What was recorded last, kept with the rest of a run."""

    def __init__(self, record, model, every):
        self.record, self.model, self.every, self.last = record, model, every, {}

    def __call__(self, i):
        if self.record is not None and i % self.every == 0:
            self.last = {name: float(value) for name, value in self.record(self.model)._asdict().items()}
        return self.last

    def state_dict(self):
        return dict(self.last)

    def load_state_dict(self, state):
        self.last = dict(state)


def _repeat(state, n):
    if isinstance(state, tuple):
        return tuple(_repeat(one, n) for one in state)
    return state.repeat_interleave(n, dim=0)


# --- Arguments ----------------------------------------------------------------------


def _table(logits):
    """A table in ``float64``, and the length T of its sequences."""
    logits = as_real(logits)[0].astype(np.float64)
    rows, v = logits.shape if logits.ndim == 2 else (0, 0)
    length, total = 0, 0
    while total < rows:
        total, length = total + max(v, 1) ** length, length + 1
    if not (v and rows and total == rows):
        raise ValueError("expected logits of shape ((V**T - 1) / (V - 1), V), one row for each prefix, "
                         f"got {logits.shape}")
    if not (logits < np.inf).all() or (logits == -np.inf).all(axis=1).any():
        raise ValueError("expected logits that are finite, or -inf for words that never come")
    return logits, length


def _rewards(rewards, count):
    rewards = as_real(rewards)[0].astype(np.float64)
    if rewards.shape != (count,) or not np.isfinite(rewards).all():
        raise ValueError(f"expected {count} finite rewards, one for each sequence, got shape {rewards.shape}")
    return rewards


def _words(sequences, v, length):
    sequences = np.asarray(sequences)
    if sequences.dtype.kind not in "iu" or sequences.ndim != 2 or sequences.shape[1] != length:
        raise ValueError(f"expected integers of shape (M, {length}), got {sequences.dtype} of shape "
                         f"{sequences.shape}")
    if ((sequences < 0) | (sequences >= v)).any():
        raise ValueError(f"expected words from 0 to {v - 1}")
    return sequences


def _descend(log_policy, length):
    """Log-probabilities of all prefixes with one word, two words, …"""
    v, found, before, start = log_policy.shape[1], [], np.zeros(1), 0
    for t in range(length):
        found.append(before[:, None] + log_policy[start : start + v**t])
        before, start = found[-1].ravel(), start + v**t
    return found


def _parts(logits, rewards, length):
    """Of each prefix the probabilities of words, their values less the mean, and that it comes by."""
    log_policy = log_softmax(logits, axis=-1)
    policy = np.exp(log_policy)
    q = _values(policy, rewards - rewards[0], length)  # a constant becomes zero exactly
    reached = np.concatenate([[1.0], *(np.exp(a.ravel()) for a in _descend(log_policy, length)[:-1])])
    return policy, q - (policy * q).sum(axis=1, keepdims=True), reached


def _values(policy, rewards, length):
    v, found = policy.shape[1], np.empty(policy.shape)
    stop, worth = len(policy), rewards
    for t in reversed(range(length)):
        rows = slice(stop - v**t, stop)
        found[rows] = worth.reshape(-1, v)
        worth, stop = (policy[rows] * found[rows]).sum(axis=1), stop - v**t
    return found

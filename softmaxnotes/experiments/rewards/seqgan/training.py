"""The training of SeqGAN: by likelihood, then against a judge that is trained as well.  It needs torch."""

import copy

import torch
from torch import nn

from softmaxnotes.arguments import read_choice, read_count, read_number
from softmaxnotes.training import Trained, descend, own_generator, train

__all__ = ["fit_judge", "fit_likelihood", "fit_seqgan"]


def fit_likelihood(model, data, *, steps, batch=64, lr=0.01, optimiser=None, measure=None, every=1,
                   generator=None, checkpoint=None, title=None) -> Trained:
    """Maximum likelihood on sequences, in place: the pre-training of SeqGAN.

    Parameters
    ----------
    model : Tabular or Recurrent
    data : torch.Tensor of int, shape (N, T)
    steps, batch : int
    lr : float
    optimiser : callable, optional
        Of parameters and ``lr=``; by default Adam.
    measure : callable, optional
        Of the model before step 0, ``every``, 2 ``every``, …: a tuple with field names; in between the last
        one is repeated.
    every : int
    generator : None, int or torch.Generator
        Of batches.
    checkpoint, title
        As of `softmaxnotes.training.train`.

    Returns
    -------
    Trained
        The model itself; of each step the ``loss`` for each word, and what was measured.

    Examples
    --------
    >>> from softmaxnotes.experiments.rewards.seqgan import Tabular
    >>> coins = Tabular([[0.0, 0.0]])
    >>> model, record = fit_likelihood(coins, torch.tensor([[0], [0], [1]]), steps=300, generator=0)
    >>> model.logits.softmax(-1).detach().numpy().round(1)
    array([[0.7, 0.3]])
    """
    generator, batch = own_generator(generator, data.device), read_count("batch", batch)
    descent = (optimiser or torch.optim.Adam)(model.parameters(), lr=lr)
    told = _Measured(measure, model, every)

    def step(i):
        said = told(i)
        chosen = data[torch.randint(len(data), (batch,), generator=generator, device=data.device)]
        loss = -model.log_prob(chosen).mean()
        descend(descent, loss)
        return {"loss": loss.item(), **said}

    parts = {"model": model, "descent": descent, "generator": generator, "told": told}
    return Trained(model, train(step, steps, parts=parts, checkpoint=checkpoint, title=title))


def fit_seqgan(model, judge, data, *, steps, batch=64, n_rollouts=16, judge_steps=15, baseline=None,
               reward="judge", lag=0.8, lr=0.01, judge_lr=1e-4, optimiser=None, clip=5.0, measure=None,
               every=1, generator=None, checkpoint=None, title=None) -> Trained:
    r"""The adversarial part of SeqGAN, in place: steps of the generator between those of the judge.

    Parameters
    ----------
    model : Tabular or Recurrent
    judge : Judge
        Its step is taken on half a batch of data and half a batch of draws.
    data : torch.Tensor of int, shape (N, T)
    steps, batch : int
    n_rollouts : int
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
    lr, judge_lr : float
        Of the generator's and the judge's descent.
    optimiser : callable, optional
        Of the generator's parameters and ``lr=``; by default Adam. The judge has Adam.
    clip : float
        Largest norm of the generator's gradient, which is summed over the words of a batch and divided by the
        number of its sequences.
    measure, every, generator, checkpoint, title
        As for `fit_likelihood`; the generator is of draws, too.

    Returns
    -------
    Trained
        The model itself; of each step the ``reward``, the mean that the drawn sequences were paid, ``judge``,
        the loss of the judge, and what was measured.

    Raises
    ------
    ValueError
        The reward or the baseline is none of these; a number is too small, or a batch of one has nothing to
        leave out.

    References
    ----------
    L. Yu, W. Zhang, J. Wang and Y. Yu, "SeqGAN: Sequence generative adversarial nets with policy gradient",
    AAAI (2017), 10.1609/aaai.v31i1.10804.
    """
    pays = isinstance(reward, str) and reward == "judge"
    reward = None if pays else read_number("reward other than 'judge'", reward)
    left_out = read_choice("baseline", baseline, [None, "leave-one-out"]) is not None
    batch = read_count("batch", batch, least=2 if left_out else 1)
    n_rollouts = read_count("n_rollouts", n_rollouts, least=0)
    judge_steps = read_count("judge_steps", judge_steps, least=0)
    if not 0 <= read_number("lag", lag) <= 1:
        raise ValueError(f"expected lag from 0 to 1, got {lag}")
    clip = read_number("clip", clip, positive=True)
    generator = own_generator(generator, data.device)
    ascent = (optimiser or torch.optim.Adam)(model.parameters(), lr=lr)
    descent = torch.optim.Adam(judge.parameters(), lr=judge_lr)
    follower, told = copy.deepcopy(model), _Measured(measure, model, every)

    def step(i):
        said = told(i)
        drawn = model.sample(batch, generator=generator)
        if pays:
            paid = _judged(judge, follower, drawn, n_rollouts, generator)
        else:
            paid = torch.full(drawn.shape, reward, dtype=torch.float64, device=drawn.device)
        worth = paid[:, -1].mean().item()
        if left_out:
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
    return Trained(model, train(step, steps, parts=parts, checkpoint=checkpoint, title=title))


def fit_judge(judge, model, data, *, steps, batch=64, lr=1e-4, generator=None, checkpoint=None,
              title=None) -> Trained:
    """Train the judge alone, in place, on as many true sequences as drawn ones.

    Parameters
    ----------
    judge, model, data
        As for `fit_seqgan`; the model stays as it is.
    steps, batch : int
    lr : float
        Of Adam.
    generator, checkpoint, title
        As for `fit_likelihood`.

    Returns
    -------
    Trained
        The judge itself; of each step ``judge``, the mean cross-entropy: log 2 for a judge that cannot tell.

    Examples
    --------
    >>> from softmaxnotes.experiments.rewards.seqgan import Judge, Tabular
    >>> first_word = Tabular([[-9.0, 9.0]])  # it says 1, the data 0
    >>> data = torch.zeros(9, 1, dtype=torch.long)
    >>> judge = Judge(2, {1: 4}, dropout=0, generator=0)
    >>> judge, record = fit_judge(judge, first_word, data, steps=200, lr=0.01, generator=0)
    >>> bool(record["judge"][-1] < 0.1)
    True
    """
    generator, batch = own_generator(generator, data.device), read_count("batch", batch)
    descent = torch.optim.Adam(judge.parameters(), lr=lr)

    def step(_):
        return {"judge": _judge_step(judge, descent, model, data, batch, generator)}

    parts = {"judge": judge, "descent": descent, "generator": generator}
    return Trained(judge, train(step, steps, parts=parts, checkpoint=checkpoint, title=title))


def _judge_step(judge, descent, model, data, batch, generator):
    """One step of the judge, on as many true sequences as drawn ones; returns its loss."""
    true = data[torch.randint(len(data), (batch,), generator=generator, device=data.device)]
    shown = torch.cat([true, model.sample(batch, generator=generator)])
    logits = judge(shown, drop=True, generator=generator)
    labels = torch.zeros_like(logits)
    labels[:batch] = 1
    loss = nn.functional.binary_cross_entropy_with_logits(logits, labels)
    descend(descent, loss)
    return loss.item()


@torch.no_grad()
def _judged(judge, follower, drawn, n_rollouts, generator):
    """What each word is paid, shape (n, T): the mean of completed copies, and the last the sequence's own."""
    last = torch.sigmoid(judge(drawn))
    paid = last[:, None].repeat(1, drawn.shape[1])
    if n_rollouts:
        whole = [follower.sample(n_rollouts, prefixes=drawn[:, :t], generator=generator)
                 for t in range(1, drawn.shape[1])]
        for t, copies in enumerate(whole):
            paid[:, t] = torch.sigmoid(judge(copies)).reshape(-1, n_rollouts).mean(dim=1)
    return paid


class _Measured:
    """What was measured last, kept with the rest of a run."""

    def __init__(self, measure, model, every):
        self.measure, self.model, self.every, self.last = measure, model, read_count("every", every), {}

    def __call__(self, i):
        if self.measure is not None and i % self.every == 0:
            self.last = {name: float(value) for name, value in self.measure(self.model)._asdict().items()}
        return self.last

    def state_dict(self):
        return dict(self.last)

    def load_state_dict(self, state):
        self.last = dict(state)

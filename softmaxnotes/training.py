r"""A training loop that is reproducible, seen while it runs, and interrupted without loss.

What a chapter trains is a function ``step`` and the things that it changes, ``parts``:

    >>> import torch
    >>> from softmaxnotes.training import train
    >>> place = torch.nn.Parameter(torch.tensor(5.0))
    >>> descent = torch.optim.SGD([place], lr=0.25)
    >>> def step(i):
    ...     descent.zero_grad()
    ...     loss = (place - 1) ** 2
    ...     loss.backward()
    ...     descent.step()
    ...     return {"loss": loss.item()}
    >>> train(step, 3, parts={"place": torch.nn.ParameterList([place]), "descent": descent})
    {'loss': array([16.,  4.,  1.])}

Repetitions over seeds are a loop of such runs and go through `joblib`, so that a cluster is a matter of its
``backend``: ``Parallel(n_jobs=2)(delayed(run)(seed) for seed in range(10))``.
"""

import os
import signal
import threading
import warnings
from collections.abc import Callable, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch

from .arguments import read_count, read_generator

with warnings.catch_warnings():  # a notebook without widgets shows a bar of text
    warnings.filterwarnings("ignore", message="IProgress not found")
    from tqdm.auto import tqdm

__all__ = ["Trained", "train"]


class Trained(NamedTuple):
    """What learned, and what was recorded while it did.

    Attributes
    ----------
    model : object
    record : dict of ndarray
        By name; each trainer says which, and how often.
    """

    model: object
    record: dict[str, np.ndarray]


def own_generator(generator=None, device="cpu"):
    """A generator that a checkpoint can keep: the given one, or one of that seed."""
    return read_generator(int(torch.randint(2**62, ())) if generator is None else generator, device)


def rng_from(generator):
    """A generator of NumPy that is seeded by one of PyTorch."""
    seed = torch.randint(2**62, (), generator=generator, device=generator.device)
    return np.random.default_rng(int(seed))


def linear_stack(sizes, between, *, generator, dtype):
    """Linear layers with an activation in between; weights and biases uniform between ±1/√inputs."""
    layers, device = [], "cpu" if generator is None else generator.device
    for inputs, outputs in zip(sizes, sizes[1:]):
        layer = torch.nn.utils.skip_init(torch.nn.Linear, inputs, outputs, dtype=dtype, device=device)
        with torch.no_grad():
            for weights in (layer.weight, layer.bias):
                weights.uniform_(-inputs**-0.5, inputs**-0.5, generator=generator)
        layers += [layer, between]
    return torch.nn.Sequential(*layers[:-1])


def descend(optimiser, loss):
    """One step down the slope of a loss."""
    optimiser.zero_grad()
    loss.backward()
    optimiser.step()


def train(
    step: Callable[[int], Mapping[str, float]],
    steps: int,
    *,
    parts: Mapping[str, object] | None = None,
    checkpoint: str | Path | None = None,
    save_every: int = 1000,
    title: str | None = None,
) -> dict[str, np.ndarray]:
    """Take steps and gather what they report; with a checkpoint, go on where an earlier call stopped.

    Ctrl-C, or the stop button of a notebook, lets the step that runs come to its end, saves, and raises
    ``KeyboardInterrupt``; the same call made again then gives the numbers of a run that nobody interrupted.
    A second Ctrl-C does not wait. The bar that shows progress is silenced by ``TQDM_DISABLE=1``.

    Parameters
    ----------
    step : function of int
        Takes step ``i`` of 0, …, ``steps - 1`` and returns the numbers to record, by name, in each step the
        same names.
    steps : int
        Number of steps altogether, with those of earlier calls.
    parts : mapping
        All that steps change, by name: what has ``state_dict`` and ``load_state_dict`` (modules, optimisers,
        schedulers), and random generators of torch or NumPy. A generator that is not named here makes a
        resumed run differ from an uninterrupted one.
    checkpoint : path, optional
        File that keeps the state. It is written whole or not at all.
    save_every : int
        Steps between two saves.
    title : str, optional
        Words in front of the bar.

    Returns
    -------
    dict of ndarray, shape (steps,)
        What the steps reported.

    Raises
    ------
    ValueError
        If a step reports other names than the one before, or a checkpoint has other parts or more steps.
    TypeError
        If a part has no state that could be saved.
    """
    steps, save_every = read_count("steps", steps, least=0), read_count("save_every", save_every)
    parts = dict(parts or {})
    for name, part in parts.items():
        _state(name, part)
    path = None if checkpoint is None else Path(checkpoint)
    records: dict[str, list[float]] = {}
    done = 0
    if path is not None and path.exists():
        done, records = _load(path, parts, steps)

    with (
        _patience() as stopped,
        tqdm(total=steps, initial=done, desc=title, mininterval=0.5, leave=False) as bar,
    ):
        for i in range(done, steps):
            report = {name: float(value) for name, value in step(i).items()}
            if i and report.keys() != records.keys():
                raise ValueError(f"expected step {i} to report {sorted(records)} as those before, "
                                 f"got {sorted(report)}")
            for name, value in report.items():
                records.setdefault(name, []).append(value)
            bar.update()
            last = i + 1 == steps
            if path is not None and (stopped or last or (i + 1) % save_every == 0):
                _save(path, parts, i + 1, records)
            if stopped:
                raise KeyboardInterrupt(f"after step {i} of {steps}")
    return {name: np.array(values) for name, values in records.items()}


@contextmanager
def _patience():
    """A list that Ctrl-C fills; the second time it interrupts as ever. Only the main thread hears signals."""
    stopped: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield stopped
        return
    before = signal.getsignal(signal.SIGINT)

    def hear(number, frame):
        if stopped:
            raise KeyboardInterrupt
        stopped.append(number)

    signal.signal(signal.SIGINT, hear)
    try:
        yield stopped
    finally:
        signal.signal(signal.SIGINT, before)


def _state(name, part):
    if isinstance(part, torch.Generator):
        return part.get_state()
    if isinstance(part, np.random.Generator):
        return part.bit_generator.state
    if hasattr(part, "state_dict") and hasattr(part, "load_state_dict"):
        return part.state_dict()
    raise TypeError(
        f"expected part {name!r} to be a module, an optimiser or a random generator, "
        f"got {type(part).__name__}"
    )


def _restore(part, state):
    if isinstance(part, torch.Generator):
        part.set_state(state)
    elif isinstance(part, np.random.Generator):
        part.bit_generator.state = state
    else:
        part.load_state_dict(state)


def _save(path, parts, done, records):
    """Beside the file and then in its place, so that a process killed meanwhile harms nothing."""
    states = {name: _state(name, part) for name, part in parts.items()}
    beside = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        torch.save({"done": done, "records": records, "parts": states}, beside)
        os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)


def _load(path, parts, steps):
    kept = torch.load(path, weights_only=True)
    if kept["parts"].keys() != parts.keys():
        raise ValueError(f"expected {path} to keep {sorted(parts)}, got {sorted(kept['parts'])}")
    if kept["done"] > steps:
        raise ValueError(f"expected {path} to be at most {steps} steps on, got {kept['done']}")
    for name, part in parts.items():
        _restore(part, kept["parts"][name])
    return kept["done"], {name: list(values) for name, values in kept["records"].items()}

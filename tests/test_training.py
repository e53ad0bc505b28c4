"""A run that was interrupted goes on to the same numbers, and what cannot be gone on with is refused."""

import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
import torch

from softmaxnotes.training import own_generator, rng_from, train


class Fit:
    """A small regression with noise from both kinds of generators."""

    def __init__(self):
        torch.manual_seed(0)
        self.model = torch.nn.Linear(3, 1)
        self.descent = torch.optim.Adam(self.model.parameters(), lr=0.1)
        self.noise = torch.Generator().manual_seed(1)
        self.rng = np.random.default_rng(2)
        self.parts = {name: getattr(self, name) for name in ("model", "descent", "noise", "rng")}
        self.stop_at = None

    def step(self, i):
        x = torch.randn(8, 3, generator=self.noise)
        loss = ((self.model(x) - x.sum(1, keepdim=True) + self.rng.normal()) ** 2).mean()
        self.descent.zero_grad()
        loss.backward()
        self.descent.step()
        if i == self.stop_at:
            os.kill(os.getpid(), signal.SIGINT)
        return {"loss": loss.item(), "step": i}

    def train(self, steps, **options):
        return train(self.step, steps, parts=self.parts, **options)


def test_same_seed_same_numbers():
    a, b = Fit().train(20), Fit().train(20)
    assert np.array_equal(a["loss"], b["loss"]) and list(a["step"]) == list(range(20))
    assert a["loss"].shape == (20,)


def test_interrupted_and_resumed_is_uninterrupted(tmp_path):
    whole = Fit().train(30)
    kept, interrupted = tmp_path / "kept", Fit()
    interrupted.stop_at = 12
    with pytest.raises(KeyboardInterrupt, match="after step 12"):
        interrupted.train(30, checkpoint=kept, save_every=5)
    again = Fit()
    resumed = again.train(30, checkpoint=kept)
    assert np.array_equal(resumed["loss"], whole["loss"]) and np.array_equal(resumed["step"], whole["step"])
    assert list(tmp_path.iterdir()) == [kept]
    # Only that every state was kept makes the numbers agree.
    for name in interrupted.parts:
        kept.unlink(missing_ok=True)
        first, second = Fit(), Fit()
        del first.parts[name], second.parts[name]
        first.train(13, checkpoint=kept)
        assert not np.array_equal(second.train(30, checkpoint=kept)["loss"], whole["loss"]), name


def test_a_finished_run_is_not_run_again(tmp_path):
    first, again = Fit(), Fit()
    losses = first.train(10, checkpoint=tmp_path / "kept")["loss"]
    again.step = None
    assert np.array_equal(again.train(10, checkpoint=tmp_path / "kept")["loss"], losses)
    assert torch.equal(again.model.weight, first.model.weight)
    assert np.array_equal(Fit().train(15, checkpoint=tmp_path / "kept")["loss"], Fit().train(15)["loss"])


def test_the_handler_of_signals_is_given_back():
    before, fit = signal.getsignal(signal.SIGINT), Fit()
    fit.stop_at = 1
    with pytest.raises(KeyboardInterrupt):
        fit.train(5)
    assert signal.getsignal(signal.SIGINT) is before


def test_in_a_thread():
    found = []
    thread = threading.Thread(target=lambda: found.append(Fit().train(3)))
    thread.start()
    thread.join()
    assert found[0]["loss"].shape == (3,)


def test_a_killed_process_leaves_a_whole_file_and_says_nothing_where_it_is_silenced(tmp_path):
    script = (
        "import sys; sys.path[:0] = sys.argv[2:]\n"
        "from test_training import Fit\n"
        "Fit().train(10**7, checkpoint=sys.argv[1], save_every=1)\n"
    )
    kept = tmp_path / "kept"
    folders = [os.path.dirname(__file__), os.path.dirname(os.path.dirname(__file__))]
    process = subprocess.Popen(
        [sys.executable, "-c", script, kept, *folders], text=True, env={**os.environ, "TQDM_DISABLE": "1"},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )
    while not kept.exists():
        assert process.poll() is None
        time.sleep(0.01)
    process.kill()
    assert process.communicate() == ("", "")
    done = torch.load(kept, weights_only=True)["done"]
    assert np.array_equal(Fit().train(done + 3, checkpoint=kept)["loss"], Fit().train(done + 3)["loss"])


def test_progress_goes_to_stderr(capsys):
    Fit().train(3, title="fitting")
    seen = capsys.readouterr()
    assert not seen.out and "fitting" in seen.err


def test_what_is_refused(tmp_path):
    fit, kept = Fit(), tmp_path / "kept"
    fit.train(5, checkpoint=kept)
    with pytest.raises(ValueError, match="at most 3 steps on, got 5"):
        Fit().train(3, checkpoint=kept)
    with pytest.raises(ValueError, match="expected .* to keep .*got"):
        train(fit.step, 9, parts={"other": fit.model}, checkpoint=kept)
    with pytest.raises(TypeError, match="part 'x' to be a module, .* or a random generator, got int"):
        train(fit.step, 1, parts={"x": 3})
    with pytest.raises(ValueError, match="expected step 1 to report"):
        train(lambda i: {f"loss{i}": 0.0}, 2)
    with pytest.raises(ValueError, match="expected steps to be at least 0, got -1"):
        train(fit.step, -1)
    assert train(fit.step, 0) == {}


def test_a_generator_of_its_own_is_as_random_as_the_one_given():
    def draw(generator):
        return torch.rand((), generator=own_generator(generator)).item()

    assert draw(3) == draw(torch.Generator().manual_seed(3)) != draw(4)
    torch.manual_seed(5)
    first, other = draw(None), draw(None)
    torch.manual_seed(5)
    assert first == draw(None) != other
    given = torch.Generator().manual_seed(3)
    assert own_generator(given) is given
    assert rng_from(own_generator(3)).random() == rng_from(given).random() != rng_from(given).random()

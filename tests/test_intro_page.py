"""The page book/intro: what must not pass on it."""

from proofread.errors import Misprinted, Refuted
from proofread.testing import Falsified, Page

UNCHECKED = [r"\partial\pi_k/\partial z_j"]

PAGE = Page("book/intro", [
    Falsified("guess = logits.argmax(axis=-1)", "guess = logits.argmin(axis=-1)", LookupError),
    Falsified("(softmax(logits, temperature=T).argmax(axis=-1) == truth)",
              "(softmax(logits, temperature=-T).argmax(axis=-1) == truth)", Exception),
    Falsified("set(right) == {233}", "set(right) == {234}", AssertionError),
    Falsified("len(labels) == 239", "len(labels) == 252", AssertionError),
    Falsified("(shown.argmax(axis=-1) != true_class).sum()", "(shown.argmin(axis=-1) != true_class).sum()",
              AssertionError),
    Falsified("if kind[0] != kind[1]", "if kind[0] > kind[1]", AssertionError),
    # what is drawn
    Falsified("thumbnail(ax, laws[number],", "thumbnail(ax, laws[number][::-1],", ValueError,
              says="the picture is drawn at"),
    Falsified("ax.plot(*on_simplex(ways[-1]),", "ax.plot(*on_simplex(ways[0]),", ValueError,
              says="is drawn at"),
    Falsified('gid=f"digit{number}"', 'gid="digit"', ValueError, says="lines of different gid"),
    Falsified("step=0.05, value=0.5,", "step=0.05, value=0.52,", ValueError, says="whole number of steps"),
    # what an import gives
    Falsified("theirs, ours = usual(logits)[0], log_softmax(logits)[0]",
              "theirs, ours = usual(logits)[0], usual(logits)[0]", AssertionError),
    Falsified("logits = [0.0, -40.0]", "logits = [0.0, -30.0]", AssertionError),
    # the package refuses each of three versions, and not the fourth
    Falsified('"the δ dropped": -pi(k) * pi(j)}', '"none": pi(k) * (delta(j, k) - pi(j))}', AssertionError,
              says="a wrong version has passed"),
    Falsified("slope.step(pi(k) * (delta(j, k) - pi(j)),", "slope.step(pi(k) * (1 - pi(j)),", Refuted),
    Falsified(r"\frac{e^{z_k}}{\sum_i e^{z_i}}", r"\frac{e^{z_i}}{\sum_i e^{z_i}}", Misprinted),
], unchecked=UNCHECKED, exercises=0)

"""Experiments that compare methods: what is run, what is kept of it, and which sentences the runs bear out.

An `Experiment` says which methods run on which seeds with which budget, and how each was tuned; its `Runs`
are made at once, or read from a record that lies beside its module.  A `Comparison` of runs licenses
sentences: ``race.less("ours", "theirs")`` gives the words and the numbers, or refuses them.
"""

from .comparison import Comparison, Without
from .experiment import Experiment
from .runs import Runs

__all__ = ["Comparison", "Experiment", "Runs", "Without"]

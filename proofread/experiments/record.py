"""Runs that take longer than a page may: a small file of text, beside the module that made them.

Its first line says what was run and by which code; each other line is one run.  A record that is not whole,
was changed by hand, or was made by other code is refused.
"""

import hashlib
import json
import os
import sys
from pathlib import Path

import numpy as np
import scipy

from proofread.errors import Refuted
from proofread.settings import fresh

from .digest import digest
from .experiment import Job

AGAIN = "make record NAME={name}"  #: how a record is made
UNLIKELY = 1e-6  #: that a run repeated lies so far from the recorded ones


class Stale(Refuted):
    """A record is not that of the experiment as it stands."""


def path(experiment):
    """Where the record is: ``NAME.EXPERIMENT.jsonl`` beside ``NAME.py``, or a folder of fresh ones."""
    folder = os.environ.get("PROOFREAD_FRESH_RECORDS")
    return Path(folder) / home(experiment).name if fresh() and folder else home(experiment)


def home(experiment):
    """Where the record is whose seeds are those of the experiment."""
    module = Path(sys.modules[experiment.run.__module__].__file__)
    return module.with_name(f"{module.stem}.{experiment.name}.jsonl")


def trials(experiment):
    """The runs that choose settings, from the record at `home`: fresh seeds are for those that are reported.

    Raises
    ------
    Stale
    """
    results, _ = load(experiment, home(experiment), experiment.seeds)
    return {job: results[job] for job in experiment.trials()}


def write(experiment, results, chosen, place=None):
    """Keep all runs.

    Parameters
    ----------
    results : mapping of Job to dict
        Of `Experiment.trials` and `Experiment.reported`.
    chosen : mapping of str to tuple
        By `Experiment.choose`.
    """
    lines = [line(job, found) for job, found in sorted(results.items(), key=lambda pair: str(pair[0]))]
    head = {"experiment": experiment.name, "code": digest(experiment.run), "lines": _sum(lines),
            "chosen": {method: dict(setting) for method, setting in chosen.items()}}
    place = path(experiment) if place is None else place
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text("\n".join([json.dumps(head), *lines, ""]), "utf8")


def line(job, found):
    """A run as text."""
    return json.dumps({**job._asdict(), "settings": dict(job.settings), "found": found})


def _sum(lines):
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


def read_line(text):
    """A run from its text: what was run, and what was found."""
    data = json.loads(text)
    found = data.pop("found")
    return Job(**{**data, "settings": tuple(data["settings"].items())}), found


def load(experiment, place=None, seeds=None):
    """What a record holds, after all that can be checked without running.

    Parameters
    ----------
    place : Path, optional
        By default `path`.
    seeds : sequence of int, optional
        Of the runs that are reported; by default those of the experiment, or fresh ones.

    Returns
    -------
    results : dict of Job to dict
    chosen : dict of str to tuple

    Raises
    ------
    Stale
    """
    place = path(experiment) if place is None else place
    again = "; make it again: " + AGAIN.format(name=name_of(experiment))
    if not place.exists():
        raise Stale(f"expected a record of {experiment.name} in {place.name}, got no such file{again}")
    head, *lines = place.read_text("utf8").splitlines()
    head = json.loads(head)
    if head["lines"] != _sum(lines):
        raise Stale(f"expected the runs of {place.name} as they were written, got others{again}")
    if head["code"] != (now := digest(experiment.run)):
        raise Stale(f"expected {place.name} to be made by the code {now}, got {head['code']}{again}")
    results = dict(map(read_line, lines))
    trials = experiment.trials()
    if missing := [job for job in trials if job not in results]:
        raise Stale(f"expected {place.name} to have {len(trials)} runs that choose settings, "
                    f"got none of {_told(missing[0])}{again}")
    chosen = experiment.choose(results)
    if {method: dict(setting) for method, setting in chosen.items()} != head["chosen"]:
        raise Stale(f"expected {place.name} to report the best settings, got {head['chosen']}{again}")
    reported = experiment.reported(chosen, experiment.fresh_seeds() if seeds is None else seeds)
    if missing := [job for job in reported if job not in results]:
        raise Stale(f"expected {place.name} to have {len(reported)} runs, got none of "
                    f"{_told(missing[0])}{again}")
    if strange := results.keys() - {*trials, *reported}:
        raise Stale(f"expected runs of the experiment in {place.name}, "
                    f"got {_told(min(strange, key=str))}{again}")
    return results, chosen


def _told(job):
    return f"{job.method!r} with seed {job.seed} and {job.budget:,} of its budget"


def name_of(experiment):
    """The chapter and the experiment, as in ``gradients/score_function/baselines``."""
    _, _, module = experiment.run.__module__.rpartition("experiments.")
    return f"{module.replace('.', '/')}/{experiment.name}"


def recorded(experiment, measure=None):
    """The runs that a record holds, as `Runs`."""
    results, chosen = load(experiment)
    return experiment.gather(chosen, results, measure, experiment.fresh_seeds())


def seen(experiment, measure=None):
    """The same with the seeds that the experiment names, also where fresh ones are asked for.

    With these a page compares a run that it makes itself.
    """
    results, chosen = load(experiment, home(experiment), experiment.seeds)
    return experiment.gather(chosen, results, measure, experiment.seeds)


def repeat(experiment, number):
    """Do one recorded run again, and compare; ``number`` picks it.

    Raises
    ------
    Refuted
        If the result is another; where training amplifies rounding, if it lies where the recorded runs of the
        method would have one with probability `UNLIKELY` at most (a prediction interval of Student; by the
        spread of all methods where the runs of this one are equal).
    """
    results, chosen = load(experiment)
    jobs = sorted(results, key=str)
    job = jobs[number % len(jobs)]
    for name, found in experiment.do(job).items():
        kept = results[job][name]
        low = high = kept
        slack = 10.0 ** -(experiment.digits or 9) * max(abs(kept), np.finfo(float).tiny)
        if not experiment.digits and not abs(found - kept) <= slack:
            alike = [other[name] for key, other in results.items()
                     if key._replace(seed=0) == job._replace(seed=0)]
            low = high = float(np.mean(alike))
            spread = np.std(alike, ddof=1)
            if spread <= slack:  # at a ceiling all are equal, which says nothing of how far one may fall
                spread = np.std([other[name] for other in results.values() if name in other], ddof=1)
            slack = scipy.stats.t.isf(UNLIKELY / 2, len(alike) - 1) * spread * (1 + 1 / len(alike)) ** 0.5
        if not low - slack <= found <= high + slack:
            raise Refuted(f"expected {_told(job)} to give {kept!r} as in {path(experiment).name}, "
                          f"got {found!r}")
    return job

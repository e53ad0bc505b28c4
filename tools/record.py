"""Make the records of experiments that take longer than a page may.

    python -m tools.record gradients/score_function              # the experiments of a chapter
    python -m tools.record gradients/score_function/baselines    # one of them
    python -m tools.record                                       # all whose record is stale or missing

Runs go side by side, `JOBS` at a time; what has run is kept at once, so that an interrupted call goes on
where it stopped. With DASK=HOST:PORT they go to a cluster.
"""

import importlib
import os
import pkgutil
import sys
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path

from tools import settings

os.environ.update(settings.PROCESS_ENV)  # before NumPy is loaded, here and in the processes that are started

import joblib  # noqa: E402
from tqdm import tqdm  # noqa: E402

from proofread.experiments import Experiment, record  # noqa: E402
from proofread.experiments.digest import digest  # noqa: E402
from proofread.settings import fresh  # noqa: E402
from tools.errors import ChapterError, Unknown, told  # noqa: E402


def experiments(package: str = f"{settings.PACKAGE}.experiments") -> dict[str, Experiment]:
    """All experiments of the package, by name."""
    found = {}
    for module in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}."):
        for value in vars(importlib.import_module(module.name)).values():
            if isinstance(value, Experiment) and value.run.__module__ == module.name:
                found[record.name_of(value)] = value
    return found


def chosen(names: list[str], every: dict[str, Experiment]) -> dict[str, Experiment]:
    """Those that are named, or whose chapter is; without a name, those that need it."""
    if not names:
        return {name: one for name, one in every.items() if stale(record.load, one)}
    found = {}
    for name in names:
        these = {other: one for other, one in every.items() if f"{other}/".startswith(f"{name}/")}
        if not these:
            raise Unknown(f"no experiment {name}; there are {', '.join(every) or 'none'}")
        found |= these
    return found


def stale(read: Callable, experiment: Experiment) -> bool:
    """Whether there is no record to be read."""
    try:
        read(experiment)
    except record.Stale:
        return True
    return False


def make(name: str, experiment: Experiment, jobs: int) -> None:
    """Do all runs that are missing, then write the record."""
    kept = Kept(settings.STORE.parent / "records" / f"{name.replace('/', '.')}.jsonl", digest(experiment.run))
    if fresh() and not stale(record.trials, experiment):
        kept.results |= record.trials(experiment)
    kept.complete(f"{name}, settings", experiment, experiment.trials(), jobs)
    setting = experiment.choose(kept.results)
    reported = experiment.reported(setting, experiment.fresh_seeds())
    kept.complete(name, experiment, reported, jobs)
    wanted = {*experiment.trials(), *reported}
    if digest(experiment.run) != kept.code:
        raise ChapterError(f"the code of {name} was changed while it ran, and its runs are of both: "
                           "make it again")
    record.write(experiment, {job: kept.results[job] for job in wanted}, setting)
    kept.path.unlink(missing_ok=True)
    print(f"{record.path(experiment)}: {len(wanted)} runs")


class Kept:
    """Results in a file to which each is added when it is there; those of other code are forgotten."""

    def __init__(self, path: Path, code: str):
        self.path, self.code, self.results = path, code, {}
        lines = path.read_text("utf8").splitlines() if path.exists() else []
        if lines and lines[0] == code:
            self.results = dict(record.read_line(line) for line in lines[1:] if line.endswith("}"))
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"{code}\n", "utf8")

    def complete(self, title: str, experiment: Experiment, todo: list, jobs: int) -> None:
        missing = [job for job in todo if job not in self.results]
        run = joblib.Parallel(n_jobs=jobs, return_as="generator_unordered")
        made = run(joblib.delayed(_do)(experiment, job) for job in missing)
        with self.path.open("a", encoding="utf8") as file:
            for job, found in tqdm(made, desc=title, total=len(missing), disable=not missing):
                self.results[job] = found
                print(record.line(job, found), file=file, flush=True)


def _do(experiment, job):
    return job, experiment.do(job)


@told
def main(names: list[str]) -> int:
    jobs = int(os.environ.get("JOBS", "2"))
    try:
        with workers(os.environ.get("DASK")):
            for name, experiment in chosen(names, experiments()).items():
                make(name, experiment, jobs)
    except KeyboardInterrupt:
        print("\ninterrupted; the runs that were finished are kept", file=sys.stderr)
        return 130
    return 0


@contextmanager
def workers(address: str | None):
    """Where runs go: to processes here, or to the Dask cluster at an address."""
    if not address:
        with joblib.parallel_config(backend="loky"):
            yield
        return
    from distributed import Client

    with Client(address), joblib.parallel_config(backend="dask"):
        yield


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

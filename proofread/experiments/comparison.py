r"""Sentences that compare methods, licensed by runs.

Two methods are compared by Fisher's exact test: were they the same, then for each seed the two results might
as well be exchanged (paired runs), or all results might be dealt out anew.  The probability that then the
means differ by as much, in either direction, must be at most the error rate divided by the number of
sentences that the comparison licenses.
"""

import math
from dataclasses import dataclass

import numpy as np
import scipy  # its submodules load when they are used

from proofread.claims.base import Checked
from proofread.errors import Refuted
from proofread.ledger import current

FEW = 5  #: seeds that a comparison needs
ENOUGH = 10  #: so many need no reason
ALL = 2**18  #: so many exchanges of runs are all tried; of more a sample
SAMPLE = 99_999
ROLES = {"nothing": "starting point", "usual": "usual choice", "best": "best possible"}
CONTRADICTED = 1e-3  #: error rate at which seeds that nobody has seen contradict that no difference was seen


@dataclass(frozen=True)
class Without:
    """Why a comparison has no method of some role."""

    reason: str

    def __post_init__(self):
        if len(self.reason.split()) < 3:
            raise ValueError(f"expected a reason in a few words, got {self.reason!r}")


@dataclass(frozen=True, repr=False)
class Claim:
    """A sentence that the runs bear out: its words, and the check.

    A page that quotes it shows the words as a value, and no number in them is one that was typed.
    """

    words: str
    check: str
    rate: float | None = None  # probability under exchange; None if no test decides

    def __repr__(self):
        return self.words


class Comparison(Checked):
    """Methods that were run on the same seeds with the same budget, and what may be said of them.

    It shows a table of the methods: mean, standard error, and what part each plays.  One that licenses a
    sentence and is not shown by its page is shown by `report`, at the end of it.

    Parameters
    ----------
    title : str
        What is compared.
    runs : Runs
    nothing, usual, best : str or Without
        Which method is none at all (no training, no baseline, guessing), which one a practitioner would take,
        and which cannot be beaten (an exact value, an oracle); or why there is none.
    measured : str
        What the results are, such as ``"variance of the gradient"``.
    few : str
        Why there are fewer than ten seeds.
    error_rate : float
        With which, at most, one or more of the sentences would be licensed of methods that are the same.

    Examples
    --------
    >>> from proofread.experiments import Runs
    >>> runs = Runs({"guess": [5, 6, 7, 6, 5, 6, 7, 6], "rule": [3, 2, 3, 4, 3, 2, 3, 3],
    ...              "oracle": [1, 1, 1, 1, 1, 1, 1, 1]}, seeds=range(8), spent="questions", budgets=(20,),
    ...             tuning="nothing was tuned")
    >>> race = Comparison("guessing", runs, nothing="guess", usual="rule", best="oracle", measured="mistakes",
    ...                   few="a doctest is short")
    >>> print(race.less("rule", "guess"))
    2.88 ± 0.23 against 6.00 ± 0.27
    >>> race.less("guess", "rule")
    Traceback (most recent call last):
        ...
    proofread.errors.Refuted: guessing: 'guess' is not less than 'rule': 6.00 ± 0.27 against 2.88 ± 0.23
    """

    def __init__(self, title, runs, *, nothing, usual, best, measured, few="", error_rate=0.05, rows=()):
        self.title, self.runs, self.measured, self.rows = title, runs, measured, tuple(rows)
        self.few, self.error_rate, self.claims, self._shown = few, error_rate, [], False
        self.roles = {"nothing": nothing, "usual": usual, "best": best}
        for role, method in self.roles.items():
            if not isinstance(method, Without) and method not in runs.values:
                raise ValueError(f"{title}: expected {role} to be one of {', '.join(runs.values)}, "
                                 f"or Without(a reason), got {method!r}")
        if len(runs.values) < 2:
            raise ValueError(f"{title}: expected two methods at least, got {', '.join(runs.values)}")
        least = ENOUGH if not few else FEW
        if len(runs.seeds) < least:
            raise ValueError(f"{title}: expected {least} seeds at least{'' if few else ', or few=a reason'}, "
                             f"got {len(runs.seeds)}")
        if not runs.tuning:
            raise ValueError(f"{title}: expected runs that say how methods were tuned, got no word")
        if not 0 < error_rate < 1:
            raise ValueError(f"{title}: expected error_rate between 0 and 1, got {error_rate}")

    # --- Numbers --------------------------------------------------------------

    def results(self, method, budget=0):
        """The results of a method with each seed; ``budget`` counts from the smallest."""
        if method not in self.runs.values:
            raise ValueError(f"{self.title}: expected a method of {', '.join(self.runs.values)}, "
                             f"got {method!r}")
        return self.runs.values[method][:, budget]

    def mean(self, method):
        """Mean and standard error, as a sentence may quote them."""
        return plus_minus(self.results(method))

    def difference(self, one, other):
        """By how much the results of one method are larger, with the standard error, as a sentence may quote.

        Whether it is more than chance, `less` and `more` decide.
        """
        difference, error, _, _ = self._difference(one, other)
        return _told(difference, error)

    def _difference(self, one, other):
        """Difference of the means, its standard error, its degrees of freedom, and the test's probability."""
        a, b = self.results(one), self.results(other)
        rate, apart = by_exchange(a, b, paired=self.runs.paired), a.mean() - b.mean()
        if self.runs.paired:
            return apart, (a - b).std(ddof=1) / math.sqrt(len(a)), len(a) - 1, rate
        return apart, math.hypot(a.std(ddof=1), b.std(ddof=1)) / math.sqrt(len(a)), 2 * len(a) - 2, rate

    # --- Sentences ------------------------------------------------------------

    def less(self, one, other):
        """Licenses that one method has the smaller results.

        Raises
        ------
        Refuted
            If the means say otherwise, or the runs bear it out too weakly, or, now that there is one sentence
            more, bear out an earlier one too weakly.
        """
        return self._ordered(one, other, "less", -1)

    def more(self, one, other):
        """Licenses that one method has the larger results; refuses as `less` does."""
        return self._ordered(one, other, "more", 1)

    def _ordered(self, one, other, word, sign):
        words = f"{self.mean(one)} against {self.mean(other)}"
        difference, _, _, rate = self._difference(one, other)
        if not sign * difference > 0:
            raise Refuted(f"{self.title}: {one!r} is not {word} than {other!r}: {words}")
        return self._license(Claim(words, f"{one} {'<' if sign < 0 else '>'} {other}", rate))

    def undecided(self, one, other):
        """Licenses that no difference of two methods was seen, and says which one would have been."""
        difference, error, freedom, rate = self._difference(one, other)
        if rate <= (CONTRADICTED if self.runs.fresh else self.error_rate):
            raise Refuted(f"{self.title}: a difference of {one!r} and {other!r} is seen: {self.mean(one)} "
                          f"against {self.mean(other)}, by exchanging their runs {rate:.2g}")
        t = scipy.stats.t(freedom)
        seen = (t.isf(self.error_rate / 2) + t.isf(0.1)) * error
        words = (f"no difference was seen, {self.mean(one)} against {self.mean(other)}; one of {seen:.2g} "
                 "would have been, nine times in ten")
        return self._license(Claim(words, f"no difference of {one} and {other} seen"))

    def converged(self, method, within):
        """Licenses that the largest budget is enough: since half of it, the mean has moved by no more.

        Parameters
        ----------
        within : float
            What would still be no matter; the bound for the movement, at the error rate, must be smaller.
        """
        budgets = self.runs.budgets
        if len(budgets) < 2 or budgets[-1] < 2 * budgets[-2]:
            raise ValueError(f"{self.title}: expected a budget and twice that, got {budgets}")
        moved = self.results(method, -1) - self.results(method, -2)
        error = moved.std(ddof=1) / math.sqrt(len(moved))
        most = abs(moved.mean()) + scipy.stats.t.isf(self.error_rate / 2, len(moved) - 1) * error
        words = f"from {budgets[-2]:,} to {budgets[-1]:,} {self.runs.spent} it moves by {plus_minus(moved)}"
        if not (abs(moved.mean()) if self.runs.fresh else most) <= within:
            raise Refuted(f"{self.title}: {method!r} has not converged within {within:g}: {words}")
        return self._license(Claim(words, f"{method} has converged within {within:g}"))

    def _license(self, claim):
        if self._shown:
            raise ValueError(f"{self.title}: expected its sentences before it is shown, got {claim.check!r} "
                             "after that")
        if claim.check in [other.check for other in self.claims]:
            return claim
        claims = [*self.claims, claim]
        tested = [other for other in claims if other.rate is not None]
        allowed = self.error_rate / max(len(tested), 1)
        weak = [] if self.runs.fresh else [other for other in tested if other.rate > allowed]
        if weak:
            raise Refuted(f"{self.title}: {weak[0].check} is borne out too weakly: by exchanging runs so "
                          f"large a difference comes with probability {weak[0].rate:.2g}; {len(tested)} "
                          f"sentences at {self.error_rate:g} together allow {allowed:.2g}")
        self.claims = claims
        current().experiments[self] = None
        return claim

    # --- What is shown --------------------------------------------------------

    def evidence(self):
        self._shown = True
        runs, count = self.runs, len(self.runs.seeds)
        pairs = "runs of one seed are compared" if runs.paired else "runs are independent"
        told = [f"{len(runs.values)} methods, each with {count} seeds and "
                f"{' or '.join(f'{b:,}' for b in runs.budgets)} {runs.spent}; {pairs}",
                *([f"fewer than {ENOUGH} seeds, since {self.few}"] if count < ENOUGH else []),
                *(f"no {ROLES[role]}: {method.reason}" for role, method in self.roles.items()
                  if isinstance(method, Without)),
                runs.tuning]
        tested = sum(claim.rate is not None for claim in self.claims)
        if tested:
            told.append(f"sentences that compare: {tested}, at an error rate of {self.error_rate:g} "
                        "together, by exchanging runs")
        told += [claim.check + ("" if claim.rate is None else f": {claim.rate:.2g}") for claim in self.claims]
        return {"kind": "comparison", "status": "measured", "findings": told}

    def sentence(self):
        part = {method: ROLES[role] for role, method in self.roles.items() if isinstance(method, str)}
        several = len(self.runs.budgets) > 1
        heads = [f"{self.measured}, {budget:,} {self.runs.spent}" if several else self.measured
                 for budget in self.runs.budgets]
        lines = [f"| method | {' | '.join(heads)} | role |", "|:--" + "|--:" * len(heads) + "|:--|"]
        for method, results in self.runs.values.items():
            means = " | ".join(plus_minus(column).replace(" ", "\u00a0") for column in results.T)
            lines.append(f"| {method} | {means} | {part.get(method, '')} |")
        title = self.title[:1].upper() + self.title[1:]
        return "\n".join([*lines, "", f"{title}: mean ± standard error over {len(self.runs.seeds)} runs."])


def by_exchange(a, b, *, paired):
    """The probability that, were runs exchanged, the means would differ by as much, in either direction.

    All exchanges are tried, or a sample of them with that of the runs themselves.

    Examples
    --------
    >>> by_exchange(np.array([1.0, 2.0, 4.0]), np.array([0.0, 0.0, 0.0]), paired=True)
    0.25
    >>> by_exchange(np.array([1.0, 2.0, 4.0]), np.array([0.0, 0.5, 0.0]), paired=False)
    0.1
    """
    each = a - b if paired else np.concatenate([a, b]) - np.mean([a, b])
    least = abs(a.sum() - b.sum()) - 1e-12 * abs(each).sum()  # sums in another order are rounded otherwise
    if (2 ** len(a) if paired else math.comb(2 * len(a), len(a))) <= ALL:
        sums = _signed(each)
        return float(np.mean(abs(np.concatenate(sums) if paired else sums[len(a)]) >= least))
    rng, signs = np.random.default_rng(0), np.repeat([1.0, -1.0], len(a))
    signs = (rng.choice([1.0, -1.0], (SAMPLE, len(a))) if paired else
             rng.permuted(np.tile(signs, (SAMPLE, 1)), axis=1))
    return float((1 + np.count_nonzero(abs(signs @ each) >= least)) / (1 + SAMPLE))


def _signed(values):
    """The sums of some numbers with all signs, by how many of these are plus."""
    sums, none = [np.zeros(1)], np.empty(0)
    for value in values:
        minus, plus = [part - value for part in sums], [part + value for part in sums]
        sums = [np.concatenate(both) for both in zip([*minus, none], [none, *plus])]
    return sums


def plus_minus(results):
    """Mean and standard error of some results, to two digits of the error; of equal ones the mean.

    Examples
    --------
    >>> plus_minus([3.0, 5.0, 4.0]), plus_minus([1200.0, 1800.0]), plus_minus([1.0, 1.0])
    ('4.00 ± 0.58', '1,500 ± 300', '1')
    >>> plus_minus([-3.0, -5.0, -4.0])
    '−4.00 ± 0.58'
    """
    results = np.asarray(results, float)
    return _told(results.mean(), results.std(ddof=1) / math.sqrt(len(results)))


def _told(mean, error):
    if error == 0 or not error > 1e-12 * abs(mean):
        return (f"{mean:,.4g}" if abs(mean) < 1e4 else f"{mean:,.0f}").replace("-", "−")
    places = 1 - math.floor(math.log10(error))
    if float(f"{error:.1e}") >= 10.0 ** (2 - places):  # 0.0996 is 0.10
        places -= 1
    shown = [round(value, places) for value in (mean, error)]
    return " ± ".join(f"{value:,.{max(places, 0)}f}" for value in shown).replace("-", "−")

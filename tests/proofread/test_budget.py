"""Work is counted in steps: the same statement has the same verdict on every machine."""

import cProfile
import gc
import signal
import sys
import threading
import time
import weakref
from types import SimpleNamespace

import pytest
import sympy as sp

from proofread import Derivation, budget, decide, settings
from proofread.any_size import prover
from proofread.budget import TooLong, TooSlow, within
from proofread.decision import numbers
from proofread.errors import ProofError, Undecided
from proofread.fixed_size import zero_test
from proofread.fixed_size.zero_test import is_zero
from proofread.numeric import evaluation

x = sp.Symbol("x", real=True)
pythagoras = sp.sin(x) ** 2 + sp.cos(x) ** 2
i, k, n = sp.symbols("i k n", integer=True, positive=True)
z = sp.IndexedBase("z", real=True)
shares = sp.Sum(sp.exp(z[k]) / sp.Sum(sp.exp(z[i]), (i, 1, n)), (k, 1, n))


def _nothing():
    pass


def _for_ever(*_, **__):
    while True:
        _nothing()


def _calls(number):
    def work():
        for _ in range(number):
            _nothing()
        return number

    return work


@pytest.fixture
def few_steps(monkeypatch):
    monkeypatch.setattr(settings, "MOST_STEPS", 100_000)


@pytest.fixture(params=["short work is not counted", "everything is counted"])
def counting(request, monkeypatch):
    if request.param == "everything is counted":
        monkeypatch.setattr(budget, "signal", None)


# --- the count -----------------------------------------------------------------------------------


def test_a_step_is_the_call_of_a_function():
    assert within(_calls(999), 1000) == 999  # and one of the work itself
    with pytest.raises(TooLong, match="^cut off after 1,000 steps$"):
        within(_calls(1000), 1000)


def test_what_is_used_up_inside_is_used_up_outside():
    def both():
        within(_calls(600), 700)
        return _calls(300)()

    assert within(both, 1000) == 300
    with pytest.raises(TooLong, match="after 900 steps"):
        within(both, 900)


def test_the_outer_budget_goes_on_after_the_inner_one():
    seen = []

    def work():
        for most in (50, 100):
            with pytest.raises(TooLong, match=f"after {most} steps"):
                within(_for_ever, most)
            seen.append(most)
        within(_calls(10), 10**9)  # no more than is left outside
        _for_ever()

    with pytest.raises(TooLong, match="after 10,000 steps"):
        within(work, 10_000)
    assert seen == [50, 100] and sys.getprofile() is None


def test_what_the_collector_calls_is_no_step_and_does_not_end_the_count():
    class Node:
        pass

    calls = []

    def work():
        for _ in range(1000):
            node = Node()
            node.itself = node  # garbage that only the collector finds
            watched.append(weakref.ref(node, lambda _: calls.append(1)))
        gc.collect()
        _calls(1_000_000)()  # to the end, if the count was lost

    watched = []
    with pytest.raises(TooLong, match="after 500 steps"):
        within(work, 500)
    assert len(calls) >= 999


def test_a_small_budget_within_a_large_one_is_counted_though_the_large_one_is_not():
    def work():
        with pytest.raises(TooLong, match="after 1,000 steps"):
            within(_for_ever, 1000)
        return "done"

    assert within(work, 10**8) == "done"


def test_work_that_takes_long_begins_again_and_is_counted(monkeypatch):
    begun = []

    def work():
        begun.append((budget.begun_again(), sys.getprofile()))
        return _calls(1_500_000)()

    monkeypatch.setattr(budget, "SHORTEST", 0.01)
    assert within(work, 2_000_000) == 1_500_000  # 0.02 s are too few
    (times, profiler), (more, count) = begun
    assert profiler is None and isinstance(count, budget._Count) and more == times + 1
    with pytest.raises(TooLong, match="after 1,000,000 steps"):
        within(work, 1_000_000)


def test_errors_pass_and_leave_nothing_behind(counting):
    def fails():
        raise KeyError("mine")

    with pytest.raises(KeyError):
        within(fails)
    assert sys.getprofile() is None
    assert signal.getitimer(signal.ITIMER_PROF)[0] == 0


def test_handlers_timers_and_profilers_of_others_are_restored(few_steps):
    def mine(*_):
        raise AssertionError

    def profiler(*_):
        pass

    before = signal.signal(signal.SIGPROF, mine)
    sys.setprofile(profiler)
    try:
        with pytest.raises(TooLong):
            within(_for_ever)
        within(_nothing, 10**8)
        assert sys.getprofile() is profiler and signal.getsignal(signal.SIGPROF) is mine
    finally:
        sys.setprofile(None)
        signal.signal(signal.SIGPROF, before)
    assert signal.getitimer(signal.ITIMER_PROF)[0] == 0


def test_a_timer_of_others_goes_on():
    before = signal.signal(signal.SIGPROF, signal.SIG_IGN)
    signal.setitimer(signal.ITIMER_PROF, 1000)
    try:
        assert within(_calls(10), 10**8) == 10
        assert signal.getitimer(signal.ITIMER_PROF)[0] > 999
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def test_work_can_be_profiled(few_steps):
    profile = cProfile.Profile()
    profile.enable()
    try:
        within(_calls(10), 1000)
        _nothing()
    finally:
        profile.disable()
    assert any(entry.code is _nothing.__code__ for entry in profile.getstats())


def test_in_a_thread_everything_is_counted(few_steps):
    ended = []

    def work():
        try:
            within(_for_ever, 10**6)
        except TooLong as error:
            ended.append(str(error))
        ended.append(is_zero(sp.exp(x) * sp.exp(-x) - 1))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert ended == ["cut off after 1,000,000 steps", True]


# --- the clock -----------------------------------------------------------------------------------


def test_the_clock_ends_everything_and_says_that_it_is_no_verdict(monkeypatch):
    monkeypatch.setattr(settings, "MOST_SECONDS", 0.2)
    monkeypatch.setattr(zero_test.sp, "simplify", _for_ever)
    with pytest.raises(TooSlow, match=r"0\.2 s on the clock.*300,000,000 steps.*too slow"):
        decide(pythagoras, 1)
    assert not issubclass(TooSlow, (Exception, ProofError, TooLong))
    assert sys.getprofile() is None


# --- verdicts ------------------------------------------------------------------------------------


def test_who_uses_up_the_steps_is_undecided(few_steps, counting, monkeypatch):
    monkeypatch.setattr(zero_test.sp, "simplify", _for_ever)
    assert decide(pythagoras, 1).how.endswith("(SymPy was cut off after 100,000 steps)")
    with pytest.raises(Undecided, match=r"eq-long, step 1 \(Pythagoras\) is undecided.*after 100,000 steps"):
        Derivation(pythagoras, label="eq-long", title="long").step(sp.Integer(1), "Pythagoras")


def test_so_are_numbers(few_steps, counting, monkeypatch):
    monkeypatch.setattr(numbers, "evaluate", _for_ever)
    verdict = decide(x, x)
    assert (verdict.status, verdict.how) == ("undecided", "no numerical opinion: cut off after 100,000 steps")


def test_a_slow_machine_finds_the_same(counting, monkeypatch):
    slope = sp.Derivative(x**3, x)
    statements = [(pythagoras, 1), (shares, 1), (sp.exp(x) + 1, sp.exp(x)), (slope, 3 * x**2)]
    found = [decide(*statement) for statement in statements]

    def slowly(function):
        def slow(*arguments, **named):
            time.sleep(0.002)
            for _ in range(20_000):  # computing, without a call
                pass
            return function(*arguments, **named)

        return slow

    monkeypatch.setattr(prover, "normal", slowly(prover.normal))
    monkeypatch.setattr(numbers, "evaluate", slowly(evaluation.evaluate))
    assert [decide(*statement) for statement in statements] == found
    assert [verdict.status for verdict in found] == ["proved", "proved", "refuted", "proved"]


def test_the_steps_of_a_proof_hardly_change(monkeypatch):
    monkeypatch.setattr(budget, "signal", None)
    steps = []

    class Told(budget._Count):
        def __init__(self, *arguments):
            super().__init__(*arguments)
            steps.append(self)

    monkeypatch.setattr(budget, "_Count", Told)
    for _ in range(3):
        budget._begin_again()
        assert is_zero(pythagoras - 1)
    _, second, third = (count.made for count in steps)  # the first one imports as well
    assert 10_000 < second and abs(second - third) < second / 10  # the order of sets moves them a little


def test_a_strike_while_garbage_is_collected_waits_for_the_next():
    def work():
        strike = signal.getsignal(signal.SIGPROF)
        strike(signal.SIGPROF, SimpleNamespace(f_code=budget._note.__code__))  # an error would be lost there
        with pytest.raises(budget._Late):
            strike(signal.SIGPROF, SimpleNamespace(f_code=work.__code__))

    within(work)


@pytest.mark.parametrize("line", range(4))
def test_a_strike_when_the_work_is_done_leaves_no_limit_behind(line):
    """It strikes before one of the lines that come after the work; the last one is of `signal.signal`."""
    done, lines = [], []
    after = budget._uncounted_while_short.__code__, signal.signal.__code__

    def strike(frame, event, _):
        if done and event == "line" and frame.f_code in after:
            lines.append(frame.f_lineno)
            if len(lines) == line + 1:
                signal.getsignal(signal.SIGPROF)(signal.SIGPROF, frame)
        return strike

    before, tracing = signal.getsignal(signal.SIGPROF), sys.gettrace()
    sys.settrace(strike)
    try:
        within(lambda: done.append(1))
    finally:
        sys.settrace(tracing)
    assert len(lines) > line and len(done) == 1
    assert signal.getitimer(signal.ITIMER_PROF)[0] == 0 and signal.getsignal(signal.SIGPROF) == before
    assert budget._uncounted.get() == float("inf")  # else what comes next is not counted

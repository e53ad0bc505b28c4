"""The symbolic opinion, and the clock that stops it."""

import signal
import threading
import time

import pytest
import sympy as sp
from sympy import Abs, Max, Rational, exp, log

from proofread import Derivation, decide
from proofread.decision import decide as decide_module
from proofread.decision import numbers
from proofread.errors import Undecided
from proofread.fixed_size import zero_test
from proofread.fixed_size.zero_test import TooSlow, is_nonnegative, is_zero, normal, time_limit

x, y, c = sp.symbols("x y c", real=True)
p, q, tau = sp.symbols("p q tau", positive=True)


@pytest.mark.parametrize("zero", [
    log(1 + exp(x)) - x - log(1 + exp(-x)),
    exp(x + y) - exp(x) * exp(y),
    exp(x / 2) ** 2 - exp(x),
    exp(x / tau) / (exp(x / tau) + exp(y / tau)) - 1 / (1 + exp((y - x) / tau)),
    log(p * q) - log(p) - log(q),
    log(p**3 / q) - 3 * log(p) + log(q),
    p**x - exp(x * log(p)),
    log(6) - log(2) - log(3),
    log(exp(x) + exp(y)) - c - log(exp(x - c) + exp(y - c)),
    sp.tanh(x / 2) - (2 / (1 + exp(-x)) - 1),
    Max(x, y) + sp.Min(x, y) - x - y,
    Abs(x) - Max(x, -x),
    log(sp.sqrt(2 * sp.pi) * p) - log(2 * sp.pi) / 2 - log(p),
    exp(-Rational(3, 2) * x) * exp(x) - 1 / sp.sqrt(exp(x)),
])
def test_zero_in_disguise_is_recognised(zero):
    assert is_zero(zero) is True


@pytest.mark.parametrize("expr", [
    exp(x) - 1, log(1 + exp(x)) - x, log(x**2) - 2 * log(x), sp.sqrt(x**2) - x, Max(x, y) - x,
    log(p + q) - log(p) - log(q), exp(x * y) - exp(x) ** 2, Max(x - 10, 0), Rational(1, 10**40) * x,
    log(x * y) - log(x) - log(y),
])
def test_what_is_not_zero_is_never_called_zero(expr):
    assert is_zero(expr) is None
    assert normal(expr) != 0 or expr.has(Max)


@pytest.mark.parametrize("expr", [
    x**2, (x - y) ** 2, exp(x), p + q, log(1 + exp(x)), Max(x, y) - x, log(exp(x) + exp(y)) - Max(x, y),
])
def test_nonnegative_in_disguise_is_recognised(expr):
    assert is_nonnegative(expr) is True


@pytest.mark.parametrize("expr", [
    x, -exp(x), x**2 - 1, p - q, x - log(1 + exp(x)), Max(x, y) - log(exp(x) + exp(y)), x**3,
])
def test_what_may_be_negative_is_never_called_nonnegative(expr):
    assert is_nonnegative(expr) is None


def _for_ever(*_, **__):
    while True:  # computing: time that passes asleep is not counted
        pass


def test_a_slow_simplification_is_cut_off_and_the_step_is_undecided(monkeypatch):
    monkeypatch.setattr(zero_test.sp, "simplify", _for_ever)
    monkeypatch.setattr(zero_test, "SECONDS", 0.2)
    identity = sp.sin(x) ** 2 + sp.cos(x) ** 2
    began = time.process_time()
    assert decide(identity, 1).how.endswith("(SymPy was cut off after 0.2 s)")
    with pytest.raises(Undecided, match=r"eq-slow, step 1 \(Pythagoras\) is undecided.*cut off after 0.2 s"):
        Derivation(identity, label="eq-slow", title="slow").step(sp.Integer(1), "Pythagoras")
    assert time.process_time() - began < 5


def test_a_slow_numerical_opinion_is_cut_off_too(monkeypatch):
    monkeypatch.setattr(numbers, "evaluate", _for_ever)
    monkeypatch.setattr(decide_module, "NUMERIC_SECONDS", 0.2)
    verdict = decide(x, x)
    assert (verdict.status, verdict.how) == ("undecided", "no numerical opinion: cut off after 0.2 s")


def test_an_error_inside_sympy_is_no_proof(monkeypatch):
    def fails(*_):
        raise NotImplementedError("sign unknown")

    monkeypatch.setattr(zero_test.sp, "simplify", fails)
    verdict = decide(sp.sin(x) ** 2 + sp.cos(x) ** 2, 1)
    assert verdict.status == "agrees"
    assert "NotImplementedError: sign unknown" in verdict.how


def test_the_limit_restores_the_handler_of_others():
    def mine(*_):
        raise AssertionError

    before = signal.signal(signal.SIGPROF, mine)
    try:
        with time_limit(5):
            pass
        assert signal.getsignal(signal.SIGPROF) is mine
        with pytest.raises(TooSlow), time_limit(0.05):
            _for_ever()
        assert signal.getsignal(signal.SIGPROF) is mine
        assert signal.getitimer(signal.ITIMER_PROF)[0] == 0
    finally:
        signal.signal(signal.SIGPROF, before)


def test_limits_nest():
    with pytest.raises(TooSlow, match=r"after 0\.3 s"), time_limit(0.3):
        with pytest.raises(TooSlow, match=r"after 0\.1 s"), time_limit(0.1):
            _for_ever()
        with time_limit(60):
            pass
        _for_ever()
    assert signal.getitimer(signal.ITIMER_PROF)[0] == 0


def test_an_error_inside_the_block_stops_the_clock():
    with pytest.raises(KeyError), time_limit(0.1):
        raise KeyError
    assert signal.getitimer(signal.ITIMER_PROF)[0] == 0


def test_off_the_main_thread_the_block_runs_to_its_end():
    ended = []

    def work():
        with time_limit(0.01):
            time.sleep(0.1)
            ended.append(is_zero(exp(x) * exp(-x) - 1))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert ended == [True]

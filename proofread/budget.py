"""How much work a question may cost, counted in steps, so that no verdict depends on the speed of a machine.

A step is the call of a Python function, by whatever code: numbers, normal forms and SymPy are counted alike,
in every thread and on every platform.  To count makes work about twice as slow.  But no machine makes
`FASTEST` calls in a second, so that what is done before it could have used up its steps needs no counting:
only what takes longer is begun again, and counted.  What the collector of garbage calls is no step: when it
comes depends on all that was done before, and Python drops what is raised in it.
"""

import gc
import math
import sys
import time
from contextvars import ContextVar

from sympy.core.cache import clear_cache

from proofread import settings

try:
    import signal
except ImportError:  # then everything is counted from its beginning
    signal = None


FASTEST = 10**8  #: calls of Python functions in a second: an empty loop over an empty function makes half
SHORTEST = 0.05  #: seconds; timers are too coarse for less
LOOK = 2**14  #: at the clock, after so many steps


class TooLong(BaseException):
    """Raised inside work that has used up its steps (no ``Exception``: SymPy swallows those)."""


class TooSlow(BaseException):
    """The clock has run out before the steps: this says nothing of a statement, and ends what runs."""


class _Late(BaseException):
    """Work takes so long that it has to be counted."""


class Carried(ValueError):
    """What has ended work, on its way through a compiled library that lets nothing but values be wrong."""


def within(work, most=None):
    """What ``work()`` returns, unless that takes more than ``most`` steps.

    Budgets nest: what is used up inside is also used up outside.  Work that has to be counted is done twice,
    so it must not change anything but what is kept to be faster.

    Parameters
    ----------
    work : callable
        Without arguments.
    most : int, optional
        ``settings.MOST_STEPS`` if not told.

    Raises
    ------
    TooLong
        If the steps are used up.
    TooSlow
        If counted work takes more than ``settings.MOST_SECONDS`` on the clock.

    Examples
    --------
    >>> within(lambda: sum(range(10)), most=100)
    45
    >>> def for_ever():
    ...     while True:
    ...         (lambda: None)()
    >>> try:
    ...     within(for_ever, most=1000)
    ... except TooLong as error:
    ...     print(error)
    cut off after 1,000 steps
    """
    most = settings.MOST_STEPS if most is None else most
    outer = sys.getprofile()
    if isinstance(outer, _Count):
        return _counted(work, most, outer)
    if most >= _uncounted.get():  # of what goes on around it, which will be too long before this is
        return work()
    settings.reseed_sympy()
    if most >= FASTEST * SHORTEST and _has_timer():
        try:
            return _uncounted_while_short(work, most)
        except _Late:
            _begin_again()
    return _counted(work, most, outer)


_begun_again = 0


def begun_again():
    """How often work has begun again: a part of the key under which any value is kept.

    With nothing left of the work before, it costs the same steps, however far a machine came with it.
    """
    return _begun_again


def _begin_again():
    global _begun_again
    _begun_again += 1
    settings.reseed_sympy()
    clear_cache()
    for function in _forgetful:
        function.cache_clear()


_forgetful = []


def forgets(function):
    """The function, which keeps values, and forgets them when work begins again."""
    _forgetful.append(function)
    return function


# --- the count ------------------------------------------------------------------------------------

_collecting = False


def _note(phase, _):
    """Called by the collector of garbage, when it begins and when it ends."""
    global _collecting
    _collecting = phase == "start"


gc.callbacks.append(_note)


class _Count:
    """A profiler in the sense of `sys.setprofile` that stops the work when its steps are used up."""

    def __init__(self, most, deadline):
        self.most, self.deadline, self.made = most, deadline, 0

    def __call__(self, frame, event, argument):
        if event != "call" or _collecting or frame.f_code is _note.__code__:
            return
        self.made += 1
        if frame.f_code is _CARRIER:
            return
        if self.made > self.most:
            raise TooLong(f"cut off after {self.most:,} steps")
        if not self.made % LOOK and time.monotonic() > self.deadline:
            raise TooSlow(f"a line is given up after {settings.MOST_SECONDS:,} s on the clock, before its "
                          f"{self.most:,} steps were used up: this machine is too slow for it")


def _counted(work, most, outer):
    nested = isinstance(outer, _Count)
    left = min(most, outer.most - outer.made) if nested else most
    count = _Count(left, outer.deadline if nested else time.monotonic() + settings.MOST_SECONDS)
    try:
        sys.setprofile(count)
        return work()
    finally:
        sys.setprofile(None)  # before anything else is called
        if nested:
            outer.made += count.made
        if hasattr(outer, "enable"):  # one of cProfile
            outer.enable()
        else:
            sys.setprofile(outer)


# --- work that a compiled library calls -----------------------------------------------------------


def carrying(function):
    """The function, for a library that loses what is raised unless it is a ``ValueError``: it is `Carried`.

    Nothing of this module ends work within the wrapper itself, where it could not be caught.

    Examples
    --------
    >>> try:
    ...     carrying(sys.exit)()
    ... except Carried as error:
    ...     print(repr(error.args[0]))
    SystemExit()
    """
    def carrier(*given):
        try:
            return function(*given)
        except BaseException as error:
            raise Carried(error) from None
    return carrier


_CARRIER = carrying(None).__code__


# --- work that is done before it has to be counted ------------------------------------------------

_uncounted = ContextVar("uncounted", default=math.inf)  # the steps allowed, in each thread


def _has_timer():
    """Whether a timer of computing time can be had: in the main thread, if nobody else has set it."""
    if not hasattr(signal, "setitimer") or signal.getitimer(signal.ITIMER_PROF)[0]:
        return False
    try:
        signal.signal(signal.SIGPROF, signal.getsignal(signal.SIGPROF) or signal.SIG_DFL)
    except ValueError:  # another thread
        return False
    return True


def _uncounted_while_short(work, most):
    ends, lost = True, (_CARRIER, _note.__code__)  # there an error would be lost
    around = _uncounted_while_short.__code__

    def stop(_, frame):
        if ends and frame.f_code is not around and frame.f_code not in lost:
            raise _Late

    handler, reset = signal.signal(signal.SIGPROF, stop), _uncounted.set(most)
    try:
        # it strikes again, should something have swallowed the error
        signal.setitimer(signal.ITIMER_PROF, most / FASTEST, most / FASTEST)
        return work()
    finally:
        ends = False  # a strike that another thread has taken may come when the timer is off
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, handler)
        _uncounted.reset(reset)

"""The timer of the browser's Python, which has none: `proofread.budget` counts steps only where one rings.

What runs asks a buffer every so many instructions whether a signal has come; ours looks at the clock.
"""

import signal


def install(ring, now):
    """Give the module ``signal`` its interval timer.

    Parameters
    ----------
    ring : callable
        Called with a time in milliseconds, on the clock ``now``, at which SIGPROF is to come, and with the
        interval after which it comes again; with infinity it does not.
    now : callable
    """
    due = [float("inf"), 0.0]

    def setitimer(which, seconds, interval=0.0):
        due[:] = (now() + 1000 * seconds if seconds else float("inf")), 1000 * interval
        ring(*due)

    def getitimer(which):
        return (0.0 if due[0] == float("inf") else max(due[0] - now(), 1.0) / 1000), due[1] / 1000

    signal.ITIMER_PROF, signal.setitimer, signal.getitimer = 2, setitimer, getitimer

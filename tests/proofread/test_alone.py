"""The checker needs SymPy, mpmath and lark: it judges where nothing else is, as in WebAssembly."""

import subprocess
import sys
from pathlib import Path

PROGRAM = """
import signal, sys, threading
from importlib.abc import MetaPathFinder

class Blocked(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {blocked}:
            raise ImportError(f"{{name}} is blocked")

def no_thread(self):
    raise RuntimeError("no thread can be started")

sys.meta_path.insert(0, Blocked())
threading.Thread.start = no_thread
del signal.setitimer, signal.getitimer, signal.alarm

from proofread import Derivation, Exercise, Law, E, decide, report, symbols_mean
from proofread import sympy as sp
from proofread.errors import Refuted

mu, sigma = sp.Symbol("mu", real=True), sp.Symbol("sigma", positive=True)
moment = Exercise("ex-moment", answer=mu**2 + sigma**2, hints={{sigma**2: "About which point?"}})
print([moment.check(attempt).status for attempt in ("sigma^2 + mu^2", "sigma**2", "mu", "s")])

k, n = sp.symbols("k n", integer=True, positive=True)
x, t = sp.IndexedBase("x", real=True), sp.Symbol("t", positive=True)
spread = Derivation(sp.Sum((x[k] - mu)**2, (k, 1, n)), label="eq-spread", title="spread")
spread.step(sp.Sum(x[k]**2, (k, 1, n)) - 2 * mu * sp.Sum(x[k], (k, 1, n)) + n * mu**2, "expand")
spread._repr_mimebundle_()
try:
    spread.step(n * mu**2, "a slip")
except Refuted as error:
    print("refuted at", error.witness.partition("at ")[2][:5])
waiting = Derivation(E(t, Law("w", t, sp.exp(-t), 0, sp.oo)), label="eq-wait", title="waiting time")
print(waiting.step(1, "by parts").entry().status)
symbols_mean({{x: "numbers", k: "one", n: "how many", mu: "a place", t: "a time"}})
print(report()._repr_markdown_().count("**proved**"))
print(sorted({{name.partition(".")[0] for name in sys.modules}} & {blocked}))
"""
BLOCKED = {"numpy", "scipy", "matplotlib", "IPython", "softmaxnotes", "torch", "sklearn", "pandas", "flint",
           "gmpy2"}


def test_it_judges_an_exercise_and_a_derivation_with_all_else_blocked():
    root = Path(__file__).parents[2]
    program = PROGRAM.format(blocked=BLOCKED)
    paths = f"import sys; sys.path[:0] = {[str(root), *_paths()]!r}\n"
    done = subprocess.run([sys.executable, "-S", "-c", paths + program], capture_output=True, text=True,
                          cwd=root, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]
    judged, refuted, waiting, proved, imported = done.stdout.splitlines()
    assert judged == "['right', 'known', 'wrong', 'unreadable']"
    assert refuted.startswith("refuted at n = ")
    assert (waiting, proved, imported) == ("proved", "1", "[]")


def _paths():
    return [path for path in sys.path if path.endswith("site-packages")]


def test_what_needs_numpy_is_imported_where_it_is_asked_for():
    program = ("import sys, proofread; proofread.Derivation, proofread.Erratum; "
               "first = 'numpy' in sys.modules; proofread.evidence; print(first, 'numpy' in sys.modules)")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                          cwd=Path(__file__).parents[2], timeout=300)
    assert done.stdout.split() == ["False", "True"], done.stderr[-2000:]

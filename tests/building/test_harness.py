"""benchmarks/harness.py: what measures, and what is said of a row."""

import subprocess
import sys

from tools import settings

# apart from the other tests, since the harness fixes the number of threads
TRIED = """
import math
from harness import Why, explained, largest_error, race

rows = [{"function": "f", "shape": shape, "numpy": ratio}
        for shape, ratio in (("(1,)", 0.5), ("(9,)", 0.8), ("(99,)", 2.0))]
why = Why(lambda row, rival: row["shape"] == "(1,)", "it takes {} times as long.", lambda: 3.14159)
one, other = explained(rows, ["numpy"], [why])
assert one == "why: it takes 3.1 times as long."
assert other.startswith("Behind, and no reason known:") and "(9,)" in other and "(99,)" not in other
(doubted, _) = explained(rows, ["numpy"], [why._replace(measure=lambda: 0.5)])
assert doubted.endswith("(not borne out by this run)")
assert explained(rows[2:], ["numpy"], [why]) == []

assert largest_error([1.0, 1 + 2**-51], [1, 1], float) == 2
assert largest_error([math.nan], [1], float) == math.inf
calls = []
found = race({"one": lambda: calls.append(1), "other": lambda: None}, 0.01)
assert found.keys() == {"one", "other"} and calls
"""


def test_the_harness():
    subprocess.run([sys.executable, "-c", TRIED], cwd=settings.ROOT / "benchmarks", check=True, timeout=100)

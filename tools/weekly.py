"""What takes hours, stage by stage, and what came of it, for the page *Status*.

    python -m tools.weekly 7      # with the seed 7

A stage that fails does not keep the next ones from running.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from datetime import UTC, datetime

from tools import settings

STAGES = {  # targets of make, and what each does
    "compare": "all notebooks again, with all proofs made anew",
    "slow": "each notebook where only the package is installed, JupyterLab, long integrals, each line in the "
            "Python of the browser",
    "fuzz": "random formulas and integrals",
    "fresh": "all experiments and statistical checks with other seeds",
}
RESULT = settings.ROOT / "_build/weekly.json"


def main(seed: str, stages=tuple(STAGES)) -> int:
    begun = datetime.now(UTC)
    result = {"date": f"{begun:%Y-%m-%d}", "commit": commit(), "seed": int(seed), "stages": {}}
    for stage in stages:
        start = time.monotonic()
        passed = subprocess.run(["make", stage, f"SEED={seed}"], cwd=settings.ROOT).returncode == 0
        result["stages"][stage] = {"passed": passed, "minutes": round((time.monotonic() - start) / 60)}
        RESULT.parent.mkdir(exist_ok=True)
        RESULT.write_text(json.dumps(result, indent=1) + "\n", "utf8")  # at once: what follows takes hours
    failed = [stage for stage, told in result["stages"].items() if not told["passed"]]
    print(f"=== failed: {', '.join(failed)}" if failed else "=== all passed")
    return bool(failed)


def commit() -> str:
    """The commit that is checked, shortened; empty where there is no history."""
    command = ["git", "rev-parse", "--short", "HEAD"]
    return subprocess.run(command, cwd=settings.ROOT, capture_output=True, text=True).stdout.strip()


def told() -> dict | None:
    """The result of the last run here; None if there was none."""
    return json.loads(RESULT.read_text("utf8")) if RESULT.exists() else None


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

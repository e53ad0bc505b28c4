"""Execute the notebooks that the site offers again and compare every output with what they show.

    python -m tools.compare [notebook ...]
"""

import os
import sys

import pytest

from tools.execute import KERNEL_ENV, ROOT, locked, told


@told
def main(notebooks: list[str]) -> int:
    os.environ.update(KERNEL_ENV)  # the kernels inherit it
    # Options of its own: doctests, warnings and tests of pages are the business of the unit tests.
    options = ["-c", os.devnull, "--rootdir", str(ROOT), "--noconftest", "-p", "no:cacheprovider", "-q"]
    options += ["-p", "tools.compare"]  # for the processes of pytest-xdist, too
    options += ["--nbval", "--nbval-sanitize-with", str(ROOT / "tools/nbval.cfg")]
    # A notebook is one kernel, hence one worker.
    options += ["-n", os.environ.get("JOBS", "auto"), "--dist", "loadfile"]
    with locked(reading=True):
        return pytest.main(options + (notebooks or [str(ROOT / "_build/html/_sources")]))


def pytest_configure():
    """Have the kernels remember their cells: else a semicolon would keep no value back."""
    from nbval.kernel import RunningKernel

    RunningKernel.execute_cell_input = lambda self, code, allow_stdin=None: self.kc.execute(
        code, store_history=True, allow_stdin=allow_stdin, stop_on_error=False)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

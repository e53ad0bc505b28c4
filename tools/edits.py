"""Random wrong edits of a chapter: `proofread.testing.edits`, where a kernel would run the chapter.

    python -m tools.edits tests/gumbel/test_gumbel_max_page.py --count 60 --seed 1
"""

import os
import sys

from proofread.testing import edits
from tools import settings
from tools.testing import Chapters


def main():
    if any(os.environ.get(key) != value for key, value in settings.KERNEL_ENV.items()):
        # they are read when Python and NumPy start
        path = os.pathsep.join([str(settings.ROOT), str(settings.ROOT / "tests")])  # as for pytest
        os.execve(sys.executable, [sys.executable, "-m", "tools.edits", *sys.argv[1:]],
                  {**os.environ, **settings.KERNEL_ENV, "PYTHONPATH": path})
    vocabulary = settings.ROOT / "softmaxnotes/vocabulary.py"
    edits.main(notebooks=Chapters(), shared=vocabulary.read_text("utf8"))


if __name__ == "__main__":
    main()

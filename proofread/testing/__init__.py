"""A page with one thing made wrong must fail: tests of notebooks, and a plugin of pytest that collects them.

In a module of tests::

    from proofread.errors import Refuted
    from proofread.testing import Falsified, Page

    PAGE = Page("notes.md", [
        Falsified("slope.step(2 * x,", "slope.step(3 * x,", Refuted),
        Falsified("n = 400", "n = 4", AssertionError, says="too few"),
    ])

`page` says what a test states, `trial` judges it, `plugin` makes tests of it, and `notebooks` reads and runs
the pages; `rehearsal` and `exercises` work in the kernel of the notebook.  `edits` makes a page wrong at
random.  The kernel is forked, which Windows cannot do; what all this needs beside the package is the extra
``testing``.
"""

from .page import Falsified, Page

__all__ = ["Falsified", "Page"]

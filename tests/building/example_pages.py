"""Pages of the small book that `tree` is."""

from tools.testing import FRONT_MATTER

CHAPTER = FRONT_MATTER + """
# Title

```{code-cell} ipython3
from demo.part import f
f()
```

Text.

```{code-cell} ipython3
assert f() == 3
```
"""

SAYS = CHAPTER.replace("Text.", 'It is {eval}`f()`, or {eval}`f"{f():.2f}"`.').replace("== 3", "== 2")

CLAIMS = FRONT_MATTER + """
# Title

Here is a number $x$.

```{code-cell} ipython3
from proofread import said, symbols_mean
from proofread import sympy as sp
x = sp.Symbol("x", positive=True)
symbols_mean({x: "a number"})
```

It is so that
$\\log x \\le x - 1$, and `$x < x - 1$` is code.

```{code-cell} ipython3
said({"x > 1": "condition"})
```

It ends with $x > 1$.
"""

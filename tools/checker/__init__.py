"""The checker in the reader's page: what a reader types is judged there, by the book's own checker.

`export` takes the exercises of a chapter out of it, with all that judging needs.  `archive` makes the files
that a page loads at the first answer: Python for the browser, SymPy and `proofread`.  `reading` and `judging`
run there, behind ``worker.js``; `trial` has run every exercise in them when the site is built.
"""

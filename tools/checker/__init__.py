"""The checker in the reader's page: what a reader types is judged there, by the book's own checker.

`export` takes the exercises and derivations of a chapter out of it, with all that judging needs, and
`typeable` gives the text with which a line opens.  `archive` makes the files that a page loads when something
is first typed: Python for the browser, SymPy and `proofread`.  `reading`, `judging` and `lines` run there,
behind ``worker.js``; `trial` has run every exercise and every line in them when the site is built.
"""

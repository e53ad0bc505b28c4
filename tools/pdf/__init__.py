"""The book, its parts and chapters as PDF: built pages, joined to one document that Chromium prints.

``volumes`` says what is printed, ``join.js`` joins it, ``book.css`` adds to the site's rules for paper what
only a book has, ``press`` prints, ``check`` looks at what was printed, and ``offer`` has the site link to it.
"""

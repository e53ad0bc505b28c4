"""A Sphinx extension: displayed equations are printed from checked objects, and say how they were checked.

Put ``proofread.sphinx`` behind ``myst_nb`` in the ``extensions`` of ``conf.py``, or under ``sphinx:
extra_extensions`` in the ``_config.yml`` of a Jupyter Book.  Then

- a displayed equation that no checked object printed is a warning, which ``-W`` makes an error;
- under each checked equation stands in a word how it was checked, and unfolded what was found;
- ``{ledger}`` lists what was checked, ``{errata}`` what sources print wrongly, ``{symbols}`` what symbols
  mean, and ``{statement} eq-label`` shows an equation again, in a theorem.

The setting ``proofread_gates`` lists what a page must obey; by default that is ``["equations"]``.

- ``equations``: a displayed equation is printed from a checked object
- ``symbols``: a page with equations says by ``symbols_mean`` what its symbols mean
- ``relations``: a relation in a sentence of a page with checks was decided, or is listed by ``said``
- ``numbers``: a number of more than a digit in such a sentence is the value of an expression
- ``theorems``: a theorem ``thm-name`` states the equation ``eq-name``, or several ``eq-name-…``
- ``references``: a sentence that refers to an equation has a word of its title or label

With ``proofread_evidence = False`` a theme of your own says under the equations how they were checked.
"""


def setup(app):
    # Sphinx is needed where a site is built, and nowhere else
    from . import directives, entries, evidence, folds, gates, outputs

    app.setup_extension("myst_nb")
    app.add_config_value("proofread_gates", ["equations"], "env", [list, tuple])
    app.add_config_value("proofread_evidence", True, "html", [bool])
    for part in (entries, outputs, gates, folds, directives, evidence):
        part.setup(app)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

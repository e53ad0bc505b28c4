"""Comparisons made wrong, for the falsifications of pages."""


def one_seed(runs):
    """The first run of each method, as an expression in place of ``runs``, the source of one."""
    return (f"type({runs})({{name: of[:1] for name, of in {runs}.values.items()}}, "
            f"{runs}.seeds[:1], tuning={runs}.tuning)")

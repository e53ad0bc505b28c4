"""Where the book is, which packages decide what it prints, and in what environment it is executed."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
STORE = ROOT / "_build" / "executed"
PACKAGE = "softmaxnotes"
PACKAGES = (PACKAGE, "proofread")  # whose files decide what a chapter prints
GARBAGE = 200_000  # objects, and Python looks for garbage: at its 700 that takes a sixth of a proof's time

# Chapters, and processes that test, run side by side, one per core, so each keeps to one thread: with two, a
# fit to the digits took forty times as long beside another test. SymPy computes again what its cache of a
# thousand has dropped.
PROCESS_ENV = {
    **dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"),
    "SYMPY_CACHE_SIZE": "none",
}
# The hash seed fixes the order of sets, hence what a chapter prints; a page needs no bars of progress.
KERNEL_ENV = {**PROCESS_ENV, "PYTHONHASHSEED": "0", "TQDM_DISABLE": "1"}


def verdicts() -> Path:
    """The folder in which verdicts of checks are kept."""
    return STORE.parent / "verdicts"

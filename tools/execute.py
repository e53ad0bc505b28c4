"""Execute the chapters that are stale, in parallel.

    python -m tools.execute                          # all of them
    python -m tools.execute book/softmax/numerics    # this one
"""

import sys
import time

from tools import chapters, store
from tools.errors import told
from tools.lock import locked


@told
def main(names: list[str]) -> int:
    started = time.perf_counter()
    try:
        with locked():
            store.execute(names or chapters.chapters(), say=lambda text: print(text, flush=True))
    except KeyboardInterrupt:
        print("\ninterrupted; the chapters that were finished are kept", file=sys.stderr)
        return 130
    print(f"all outputs are up to date ({time.perf_counter() - started:.1f} s)")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Print the built site.

    python -m tools.pdf                       # the book and each part, into _build/pdf
    python -m tools.pdf softmax/numerics      # one chapter, or with softmax one part
"""

from __future__ import annotations

import hashlib
import sys
import time
from io import BytesIO
from pathlib import Path

import pikepdf

from tools import build, settings
from tools.errors import ChapterError, Unknown, told, writing
from tools.lock import locked
from tools.pdf import check, press
from tools.pdf.volumes import FOLDER, Volume, imprint, volumes

SITE = settings.ROOT / "_build/html"


def volume(name: str) -> tuple[str, Volume]:
    """The volume of a name as one types it, and its name."""
    if name in volumes():
        return name, volumes()[name]
    (page,) = build.known([name])
    return page.removeprefix("book/"), Volume([("", [page])], bare=True)


def key(volume: Volume) -> str:
    """Digest of all that decides what is printed."""
    digest = hashlib.sha256(press.skeleton(volume, imprint()).encode())
    digest.update(Path(press.__file__).read_bytes())
    for page in volume.pages:
        html = (SITE / f"{page}.html").read_text("utf8")
        digest.update(html[html.index("<article>"):html.index("</article>")].encode())
    return digest.hexdigest()


def known(path: Path) -> str:
    """The key under which a file was printed, if it was."""
    if not path.exists():
        return ""
    with pikepdf.open(path) as pdf:
        return str(pdf.docinfo.get(press.KEY, ""))


def publish(name: str, volume: Volume) -> None:
    """Print a volume that is not printed as it stands.

    Raises
    ------
    errors.ChapterError
        If something is wrong with what was printed, which is kept beside the place where it belongs.
    """
    path, begun = FOLDER / f"{name}.pdf", time.time()
    path.parent.mkdir(parents=True, exist_ok=True)
    if known(path) == (asked := key(volume)):
        print(f"{name}: as it was printed before")
        return
    print(f"{name}: {len(volume.pages)} chapter{'s' * (len(volume.pages) > 1)} …")
    printed = press.print_volume(volume, imprint(), SITE, asked)
    if found := check.faults(printed):
        path.with_suffix(".wrong.pdf").write_bytes(printed)
        raise ChapterError("\n".join([f"{path.with_suffix('.wrong.pdf')} was not printed well:", *found]))
    path.with_suffix(".part").write_bytes(printed)
    path.with_suffix(".part").replace(path)
    with pikepdf.open(BytesIO(printed)) as pdf:
        print(f"{path}: {len(pdf.pages)} pages, {len(printed) / 1e6:.2f} MB, {time.time() - begun:.0f} s")


@told
def main(names: list[str]) -> int:
    wanted = dict(map(volume, names)) if names else volumes()
    missing = [page for one in wanted.values() for page in one.pages if not (SITE / f"{page}.html").exists()]
    if missing:
        raise Unknown(f"{SITE} has no {', '.join(missing)}: make book")
    with locked(reading=True), writing(FOLDER):
        for name, one in wanted.items():
            publish(name, one)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Libraries of the browser's Python: fetched from where the owner of a site allows it, and from nowhere else.

``softmaxnotes_packages`` in ``_config.yml`` is the address of the folder that has them, as Pyodide's own:
https://cdn.jsdelivr.net/pyodide/v314.0.7/full/.  Which file it is, and which hash it has, is said by the list
that comes with Pyodide.  Where no address is given nobody is asked, and an exercise that needs one of them is
left to its notebook.
"""

from __future__ import annotations

import hashlib
import json
import os
from base64 import b64encode
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import urlopen

from sphinx.errors import ConfigError

from tools.errors import ChapterError, writing

from . import archive
from .programs import PACKAGES

TIMEOUT = 60  #: seconds that an address may take to answer


def read_address(address: str) -> str:
    """The address, if it is one of a folder; no address is ``""``.

    Raises
    ------
    ConfigError
        If it is anything else.

    Examples
    --------
    >>> read_address("https://example.org/pyodide/")
    'https://example.org/pyodide/'
    >>> read_address("example.org")
    Traceback (most recent call last):
        ...
    sphinx.errors.ConfigError: softmaxnotes_packages: expected a folder, as https://…/, got example.org
    """
    parts = urlsplit(address)
    whole = parts.scheme in ("https", "http") and parts.netloc and parts.path.endswith("/")
    if address and not (whole and set(address).isdisjoint("?#;,'\" ")):
        raise ConfigError(f"softmaxnotes_packages: expected a folder, as https://…/, got {address}")
    return address


def offered(page: dict, address: str) -> list[dict]:
    """The exercises of a page that it may offer."""
    return [one for one in page.get("exercises", ()) if address or not one.get("needs")]


def origin(address: str) -> str:
    """The host that a page must be allowed to ask."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}" if address else ""


def listed() -> dict[str, dict]:
    """What Pyodide's list says of these libraries, with the hash as a browser takes it."""
    whole = json.loads((archive.pyodide() / "pyodide-lock.json").read_text("utf8"))["packages"]
    return {name: whole[name] | {"integrity": integrity(whole[name]["sha256"])} for name in PACKAGES}


def integrity(digest: str) -> str:
    return f"sha256-{b64encode(bytes.fromhex(digest)).decode()}"


def fetched(address: str) -> dict[str, str]:
    """The files of all these libraries, by their names, kept where the files of Pyodide are.

    Raises
    ------
    ChapterError
        If one cannot be fetched, or is not the one that Pyodide lists.
    """
    return {one["file_name"]: _fetch(address, one["file_name"], one["sha256"]) for one in listed().values()}


def _fetch(address: str, name: str, digest: str) -> str:
    there = archive.folder() / "packages" / name
    if not there.exists():
        try:
            with urlopen(address + name, timeout=TIMEOUT) as answer:
                data = answer.read()
        except (URLError, TimeoutError) as error:
            raise ChapterError(f"softmaxnotes_packages: {address}{name} cannot be fetched: {error}") from None
        if hashlib.sha256(data).hexdigest() != digest:
            raise ChapterError(f"softmaxnotes_packages: {address}{name} is not the file that Pyodide "
                               f"{archive.PYODIDE} lists: its hash is another one")
        there.parent.mkdir(parents=True, exist_ok=True)
        part = there.with_suffix(f".{os.getpid()}.part")
        with writing(there):
            part.write_bytes(data)
            part.rename(there)
    return str(there)

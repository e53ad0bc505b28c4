"""How pages are read and run: notebooks in files, run by nbclient in the folder where they stand.

A project with a way of its own to run its notebooks makes a class like this one, and gives it to pytest:

    # conftest.py
    def pytest_proofread_notebooks(config):
        return MyNotebooks(config.rootpath)
"""

import os
import re
import tempfile
import uuid
from pathlib import Path


class PageError(Exception):
    """A page did not run through; says which cell failed, and how."""


def kernels():
    """How the next kernel is spoken to, as configuration of Jupyter: through files where that is possible.

    A port that was free when it was chosen may be taken before the kernel binds it.
    """
    import zmq
    from traitlets.config import Config

    file = Path(tempfile.gettempdir(), f"kernel-{uuid.uuid4()}.json")
    longest = file.with_name(f"{file.stem}-ipc-5")
    if not zmq.has("ipc") or len(os.fsencode(longest)) > zmq.IPC_PATH_MAX_LEN:
        return Config()
    return Config(KernelManager={"transport": "ipc", "connection_file": str(file)})


class Notebooks:
    """Notebooks in files: Jupyter's own, or any text that Jupytext reads.

    Parameters
    ----------
    root : Path
        The folder from which pages are named.

    Attributes
    ----------
    asked : dict
        What is asked of each page that says nothing else: arguments of `Page`.
    timeout : int
        Seconds that a cell may take.
    """

    asked = {}
    timeout = 600

    def __init__(self, root):
        self.root = Path(root)

    def path(self, name):
        """The file of a page."""
        return self.root / name

    def read(self, name):
        """A page as a notebook, without outputs."""
        import jupytext

        return jupytext.read(self.path(name))

    def cells(self, notebook):
        """The cells of a notebook that are run, in order: the first has the number 1."""
        return [cell for cell in notebook.cells if cell.cell_type == "code" and cell.source.strip()
                and "skip-execution" not in cell.metadata.get("tags", [])]

    def run(self, name, unseen):
        """Run a page from its first cell to its last.

        Parameters
        ----------
        name : str
        unseen : dict of int to str
            Code that is run before the cell of that number, in its kernel; the last but one past the end.

        Raises
        ------
        PageError
            If a cell fails.
        """
        self.execute(name, self.read(name), unseen)

    def execute(self, name, notebook, unseen):
        """Run a notebook in the place of a page, as `run` does."""
        import asyncio

        from jupyter_client.kernelspec import NoSuchKernel
        from nbclient import NotebookClient
        from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
        from nbformat.v4 import new_code_cell

        places, at = [], []
        cells = self.cells(notebook)
        notebook.cells = []
        for number, cell in enumerate([*cells, None], 1):
            places += [f"before code cell {number}", f"code cell {number}"]
            notebook.cells += [new_code_cell(unseen.get(number, "")), *([cell] if cell else [])]
        client = NotebookClient(
            notebook, timeout=self.timeout, config=kernels(),
            resources={"metadata": {"path": str(self.path(name).parent)}},
            kernel_name=notebook.metadata.get("kernelspec", {}).get("name", "python3"),
            on_cell_execute=lambda cell, cell_index: at.append(cell_index))
        try:
            # a loop of its own, closed afterwards: the synchronous call leaves one open
            asyncio.run(client.async_execute())
        except NoSuchKernel as error:
            raise PageError(f"{name} asks for a kernel that is not installed: {error}") from None
        except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
            told = re.sub(r"\x1b\[[\d;]*m", "", str(error)).strip()
            raise PageError(f"{name}: {places[at[-1]]} fails\n{told}") from None

    def sentences(self, notebook):
        """The relations in the text that are decided when the page has run, as TeX: here none."""
        return []

    def expressions(self, notebook):
        """The expressions of which the text shows the values: here none."""
        return []

    def formulas(self, name):
        """The file that keeps the formulas which a page shows, and its assertions."""
        return self.path(name).with_suffix(".tex")

    def unchecked(self, name):
        """The formulas in the sentences of a page that nothing on it bears out, sorted."""
        raise NotImplementedError("these notebooks do not tell which of their formulas nothing bears out")

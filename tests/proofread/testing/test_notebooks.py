"""How the kernels of pages are spoken to."""

import tempfile

import pytest
from nbformat.v4 import new_code_cell, new_notebook

from proofread.testing.notebooks import Notebooks

HOW = "from ipykernel import get_connection_info\nprint(get_connection_info(unpack=True)['transport'])"


@pytest.mark.parametrize(("folder", "transport"), [("short", "ipc"), ("long" * 25, "tcp")])
def test_kernels_are_spoken_to_through_files_where_their_names_are_short_enough(folder, transport, tmp_path,
                                                                                monkeypatch):
    """Two kernels that start at once may choose the same port; no two choose the same file."""
    short = tempfile.gettempdir() if folder == "short" else str(tmp_path / folder)
    (tmp_path / folder).mkdir()
    monkeypatch.setattr(tempfile, "tempdir", short)
    cell = new_code_cell(HOW)
    Notebooks(tmp_path).execute("page.ipynb", new_notebook(cells=[cell]), {})
    assert [output.text for output in cell.outputs] == [f"{transport}\n"]
    assert not list(tmp_path.glob("**/kernel-*"))

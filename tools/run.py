"""Execute a chapter in a kernel, and refuse what must not be printed."""

from __future__ import annotations

import asyncio
import json
import os
import re

from proofread.ledger import METADATA
from proofread.testing.notebooks import kernels
from tools import chapters, settings
from tools.chapters import JUDGES, code_cells
from tools.errors import ChapterError

CELL_TIMEOUT = 300
SECONDS = 90  # of computing that a chapter may take: a minute on two quiet cores, and runners are slower
ADVICE = ("A relation in a sentence holds for all values that its symbols may have; a condition, a notation, "
          "a choice or a quotation, and what holds under a condition, is listed in `said`.")

# Run after the last cell, and no part of the notebook: what becomes of the relations in the text, what the
# checks themselves have entered, and for how long the processor was busy with the chapter.
_BOOK = """from json import dumps
from time import process_time
from proofread import ledger
print(dumps([ledger.export(), JUDGED, process_time()]))"""


def run(docname: str, notebook, running: list | None = None, unseen: dict[int, str] | None = None):
    """Execute a notebook in place, in the folder of the chapter.

    Gives the seconds of computing, the values of the expressions in the text, and the entries of its
    sentences.

    Parameters
    ----------
    unseen : dict
        Code that is run before the code cell of that number (the first is 1, the last but one past the end),
        and leaves no trace in the notebook.
    """
    import nbformat
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

    at, numbers = [0], {id(cell): number for number, cell in enumerate(code_cells(notebook), start=1)}
    last = nbformat.v4.new_code_cell(_last(notebook))
    numbers[id(last)] = len(numbers) + 1

    values, asked = {}, chapters.expressions(notebook)

    async def before(cell, cell_index):
        at[0] = cell_index
        if numbers[id(cell)] == 1:
            await _aside(client, f"__import__('gc').set_threshold({settings.GARBAGE})")
        here = [expression for number, expression in asked if number == numbers[id(cell)]]
        for expression, value in (await _evaluated(client, here)).items():
            if values.setdefault(expression, value) != value:
                raise ChapterError(f"{docname}.md: {{eval}}`{expression}` has two values on the page")
            if value["status"] != "ok":
                raise ChapterError(f"{docname}.md: {{eval}}`{expression}` has no value: "
                                   f"{value['ename']}: {value['evalue']}")
        if code := (unseen or {}).get(numbers[id(cell)]):
            await _aside(client, code)

    client = NotebookClient(
        notebook,
        timeout=CELL_TIMEOUT,
        config=kernels(),
        kernel_name=notebook.metadata.kernelspec.name,
        resources={"metadata": {"path": str(chapters.source(docname).parent)}},
        on_cell_execute=before,
        record_timing=False,
        coalesce_streams=True,  # where two lines are printed slowly they are one output all the same
    )
    running = [] if running is None else running
    running.append(client)
    notebook.cells.append(last)
    try:
        # a loop of its own, closed afterwards: the synchronous call leaves one open in every thread
        environment = {**os.environ, **settings.KERNEL_ENV, "PROOFREAD_VERDICTS": str(settings.verdicts())}
        asyncio.run(client.async_execute(env=environment))
    except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
        raise ChapterError(_explain(docname, notebook, at[0], error)) from None
    finally:
        running.remove(client)
        notebook.cells.remove(last)
    printed = next(output.text for output in last.outputs if output.get("name") == "stdout")
    book, (found, failures), seconds = json.loads(printed)
    compare_entries(docname, notebook, book)
    refuse_sentences(docname, notebook, failures)
    refuse_leftovers(docname, notebook)
    if seconds > SECONDS:
        raise ChapterError(f"{docname}.md keeps the processor busy for {seconds:.0f} s, {SECONDS} are what a "
                           "chapter may take: make its checks cheaper, or split it")
    return seconds, values, found


def _last(notebook) -> str:
    texts = chapters.sentences(notebook)
    judged = f"__import__({JUDGES!r}, fromlist=['judged']).judged({texts!r})" if texts else "([], {})"
    return _BOOK.replace("JUDGED", judged)


async def _evaluated(client, asked: list[str]) -> dict[str, dict]:
    """The values of expressions, by the expressions."""
    if not asked:
        return {}
    reply = await _aside(client, "", dict(zip(map(str, range(len(asked))), asked)))
    return {expression: reply["user_expressions"][str(number)] for number, expression in enumerate(asked)}


async def _aside(client, code: str, asked: dict[str, str] | None = None) -> dict:
    """Run code in the kernel of a notebook, as no part of it; what the kernel answers."""
    from queue import Empty

    from nbclient.exceptions import DeadKernelError

    message = client.kc.execute(code, silent=True, store_history=False, user_expressions=asked)
    while True:
        try:
            reply = await client.kc.get_shell_msg(timeout=5)
        except Empty:
            if not await client.km.is_alive():
                raise DeadKernelError("Kernel died") from None
            continue
        if reply["parent_header"].get("msg_id") == message:
            break
    if reply["content"]["status"] != "ok":
        raise RuntimeError("\n".join(reply["content"].get("traceback", [reply["content"]["status"]])))
    return reply["content"]


# --- What is refused ---------------------------------------------------------------


def compare_entries(docname: str, notebook, book: list[dict]) -> None:
    """Refuse an output that declares what no check has entered: metadata can be written by any cell."""
    for cell in code_cells(notebook):
        for output in cell.get("outputs", []):
            declared = output.get("metadata", {}).get(METADATA)
            if declared is not None and dict(declared) not in book:
                line = next((text for text in cell.source.splitlines() if text.strip()), "")
                raise ChapterError(
                    f"{docname}.md: an output declares evidence that no check has entered: {line}")


def refuse_leftovers(docname: str, notebook) -> None:
    """Refuse a text that no reader wants: of an object that says its address, or of a part of a figure.

    It is the value of a last line that was written for what it does, such as ``ax.legend()``; a semicolon
    keeps it back.
    """
    for cell in code_cells(notebook):
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if set(data) == {"text/plain"} and re.search(r" at 0x[0-9a-f]+>|\bText\(", data["text/plain"]):
                raise ChapterError(f"{docname}.md: the value of a last line is shown, "
                                   f"{data['text/plain'][:60]!r}; end it with a semicolon: "
                                   f"{cell.source.splitlines()[-1]}")


def refuse_sentences(docname: str, notebook, failures: dict[str, str]) -> None:
    """Refuse relations in the text that the kernel did not accept, each with its line and the reason."""
    if failures:
        lines = {tex: chapters.line_of_sentence(docname, notebook, tex) for tex in failures}
        told = [f"{docname}.md:{lines[tex]}: ${tex}$ in a sentence: {reason}"
                for tex, reason in failures.items()]
        raise ChapterError("\n".join([*told, f"  {ADVICE}"]))


def _explain(docname: str, notebook, index: int, error: Exception) -> str:
    cell = notebook.cells[index]
    number = code_cells(notebook).index(cell) + 1
    output = next((o for o in cell.outputs if o.output_type == "error"), None)
    line, text = _line_of(docname, notebook, index, output)
    report = [f"{docname}.md:{line}: code cell {number} failed: {text}"]
    if output is None:
        report.append(f"  {type(error).__name__}: {error}")
    else:
        from myst_nb.core.render import strip_ansi

        trace = strip_ansi("\n".join(output.traceback)).splitlines()
        report += [f"  {output.ename}: {output.evalue}", *(f"  | {text}" for text in trace[-25:])]
    return "\n".join(report)


def _line_of(docname: str, notebook, index: int, output) -> tuple[int, str]:
    """The line of the page that failed, or that a cell without a traceback begins with, and what it says."""
    from myst_nb.core.render import strip_ansi

    code = notebook.cells[index].source.splitlines()
    lines = chapters.source(docname).read_text("utf8").splitlines()
    begin = lines.index(code[0], notebook.metadata.source_map[index]) + 1
    trace = strip_ansi("\n".join(output.traceback)) if output else ""
    failed = re.search(r"^Cell In\[\d+\], line (\d+)", trace, re.MULTILINE)
    at = int(failed[1]) - 1 if failed else 0
    return begin + at, code[at].strip()

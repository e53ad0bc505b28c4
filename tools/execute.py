"""Execute the chapters, in parallel, and keep what they printed.

The outputs of a chapter live in ``_build/executed/<docname>.ipynb`` together with a key:
a digest of everything that can change them.  A chapter whose key is unchanged is not run again.
We keep our own store because jupyter-cache looks at the cells alone: it would go on serving
the outputs of a library that has since been broken.

    python -m tools.execute                          # whatever is stale
    python -m tools.execute book/softmax/numerics    # this chapter, if stale
"""

from __future__ import annotations

import ast
import asyncio
import fcntl
import hashlib
import json
import os
import re
import shutil
import sys
import threading
import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager, suppress
from copy import deepcopy
from functools import cache, wraps
from importlib.metadata import version
from pathlib import Path

import yaml

from proofread.latex import relations
from proofread.ledger import METADATA, Entry

ROOT = Path(__file__).resolve().parent.parent
STORE = ROOT / "_build" / "executed"
PACKAGE = "softmaxnotes"
PACKAGES = (PACKAGE, "proofread")  # whose files decide what a chapter prints
CELL_TIMEOUT = 300
SECONDS = 90  # of computing that a chapter may take: a minute on two quiet cores, and runners are slower
GARBAGE = 200_000  # objects, and Python looks for garbage: at its 700 that takes a sixth of a proof's time
STATES_KEPT = 3  # states of the code whose verdicts are kept
ABANDONED = 3600  # seconds after which nobody goes on writing a file

# Chapters, and processes that test, run side by side, one per core, so each keeps to one thread: with two, a
# fit to the digits took forty times as long beside another test. SymPy computes again what its cache of a
# thousand has dropped.
PROCESS_ENV = {
    **dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"),
    "SYMPY_CACHE_SIZE": "none",
}
# The hash seed fixes the order of sets, hence what a chapter prints; a page needs no bars of progress.
KERNEL_ENV = {**PROCESS_ENV, "PYTHONHASHSEED": "0", "TQDM_DISABLE": "1"}


# --- The chapters ------------------------------------------------------------


def pages() -> list[str]:
    """The pages of ``_toc.yml``, in reading order."""
    return _pages((ROOT / "_toc.yml").read_text("utf8"))[:]


@cache
def _pages(text: str) -> list[str]:
    def walk(item):
        if isinstance(item, list):
            return [page for child in item for page in walk(child)]
        if isinstance(item, dict):
            own = [item[key] for key in ("root", "file") if key in item]
            nested = [item.get(key, []) for key in ("parts", "chapters", "sections")]
            return own + [page for child in nested for page in walk(child)]
        return []

    return walk(yaml.safe_load(text))


def chapters() -> list[str]:
    """The pages that are notebooks, in reading order."""
    return [page for page in pages() if _is_notebook(source(page).read_text("utf8"))]


@cache
def _is_notebook(text: str) -> bool:
    from myst_nb.core.read import is_myst_markdown_notebook

    return is_myst_markdown_notebook(text)


def source(docname: str) -> Path:
    """The file a page is written in."""
    return ROOT / f"{docname}.md"


def read(docname: str, text: str | None = None):
    """The chapter as a notebook without outputs, read as the site reads it; or ``text`` in its place."""
    return deepcopy(_read(source(docname), source(docname).read_text("utf8") if text is None else text))


@cache
def _read(path: Path, text: str):
    from myst_nb.core.read import read_myst_markdown_notebook
    from myst_parser.config.main import MdParserConfig

    extensions = _extensions((ROOT / "_config.yml").read_text("utf8"))
    return read_myst_markdown_notebook(
        text, MdParserConfig(enable_extensions=extensions), add_source_map=True, path=path)


@cache
def _extensions(config: str) -> list[str]:
    return yaml.safe_load(config)["parse"]["myst_enable_extensions"]


def code_cells(notebook) -> list:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


# --- Values in the text ----------------------------------------------------------

# The role ``{eval}`` holds an expression; the site shows its value, and so does JupyterLab.
_EXPRESSION = re.compile(r"\{eval\}(?P<ticks>`+)(?P<expression>.+?)(?P=ticks)")


def expressions(notebook) -> list[tuple[int, str]]:
    """The expressions in the text, each with the number of the code cell that follows (the first is 1)."""
    found, number = [], 1
    for cell in notebook.cells:
        if cell.cell_type == "code":
            number += 1
        else:
            found += [(number, match["expression"]) for match in _EXPRESSION.finditer(cell.source)]
    return found


def fill_in(notebook, values: dict[str, dict]) -> None:
    """Give each cell of text the values of its expressions, as JupyterLab keeps them."""
    for cell in notebook.cells:
        found = [match["expression"] for match in _EXPRESSION.finditer(cell.source)]
        if found and cell.cell_type == "markdown":
            cell.metadata["user_expressions"] = [
                {"expression": expression, "result": values[expression]}
                for expression in found if expression in values]


def shown(text: str) -> str:
    """A value as a sentence says it: a text without its quotes, a number without its type, a minus that is
    no hyphen."""
    if text[0] in "'\"":
        text = ast.literal_eval(text)
    number = re.fullmatch(r"np\.\w+\((.*)\)", text)
    return re.sub(r"(?<![\w.)])-(?=[\d.])", "−", number[1] if number else text)


# --- Relations in the text ---------------------------------------------------------


def sentences(notebook) -> list[str]:
    """The relations between single dollars in the text, each once."""
    return list(dict.fromkeys(tex for cell in notebook.cells if cell.cell_type == "markdown"
                              for _, tex in relations.relations(cell.source)))


def _line_of_sentence(docname: str, notebook, tex: str) -> int:
    """The line of the page that holds a relation, the first one that does."""
    lines = source(docname).read_text("utf8").splitlines()
    for cell, start in zip(notebook.cells, notebook.metadata.source_map):
        if cell.cell_type == "markdown":
            for line, other in relations.relations(cell.source):
                if other == tex:
                    return lines.index(cell.source.splitlines()[0], start) + line + 1
    raise ValueError(f"{docname} does not say {tex}")


# --- The key of a chapter ----------------------------------------------------


def key(notebook) -> str:
    """Digest of all that decides what the chapter prints, and what becomes of its sentences; of its text
    only the expressions and the relations do."""
    digest = hashlib.sha256()

    def add(*parts) -> None:
        for part in parts:
            data = part if isinstance(part, bytes) else str(part).encode()
            digest.update(b"%d:" % len(data) + data)

    add(sys.version_info[:3], os.environ.get("PROOFREAD_FRESH_SEED", ""))
    add((ROOT / "requirements.txt").read_bytes(), version("numpy"), version("sympy"))
    code = []
    for cell in code_cells(notebook):
        code.append(cell.source)
        add(cell.source, "raises-exception" in cell.metadata.get("tags", []))
    add(expressions(notebook), texts := sentences(notebook))
    if texts:
        code.append(f"import {_JUDGES}")
    for path in sorted(modules("\n".join(code))):
        add(path.relative_to(ROOT), path.read_bytes())
    return digest.hexdigest()


def modules(code: str) -> set[Path]:
    """The files of the packages that ``code`` imports, directly or through others."""
    files, data = _package()
    found, seen, text = set(), set(), cache(lambda path: path.read_text("utf8"))
    todo = list(_imports(code, package=""))
    while todo:
        module = todo.pop()
        if module in seen:
            continue
        seen.add(module)
        parent, _, name = module.rpartition(".")
        if path := files.get(module):
            package = module if path.name == "__init__.py" else parent
            found |= {path, *data[path.parent]}
            todo += [*_imports(text(path), package), parent]  # importing a.b runs a/__init__.py as well
        elif path := files.get(parent):
            asked = _on_demand(text(path)).items()
            todo += [f"{parent}.{module}" for module, names in asked if name in names]
    return found


def _package() -> tuple[dict[str, Path], dict[Path, set[Path]]]:
    """The files of the packages: their modules by name, and by folder the data that they may read."""
    files, data = {}, defaultdict(set)
    for path in sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*")):
        if path.suffix == ".py":
            place = path.parent if path.name == "__init__.py" else path.with_suffix("")
            files.setdefault(".".join(place.relative_to(ROOT).parts), path)
        elif path.suffix not in (".pyc", ".md") and path.is_file():
            data[path.parent].add(path)
    return files, data


@cache
def _on_demand(code: str) -> dict[str, list[str]]:
    """The names that a package takes from its modules when they are asked for (`softmaxnotes.lazy`)."""
    for node in ast.parse(code).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "_ON_DEMAND":
            return ast.literal_eval(node.value)
    return {}


@cache
def _imports(code: str, package: str) -> frozenset[str]:
    """Names of modules that ``code`` may import."""
    try:
        tree = ast.parse(code)
    except SyntaxError:
        tree = _without_magic(code)
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parent = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*parent, *filter(None, [base])])
            names |= {base, *(f"{base}.{alias.name}" for alias in node.names)}
    return frozenset(names)


def _without_magic(code: str) -> ast.AST:
    """What IPython makes of a cell that is no Python: lines such as ``%matplotlib inline`` become calls."""
    from IPython.core.inputtransformer2 import TransformerManager

    try:
        return ast.parse(TransformerManager().transform_cell(code))
    except SyntaxError:
        return ast.Module([], [])  # executing it will say so


# --- Execution ---------------------------------------------------------------


class ChapterError(Exception):
    """A chapter did not run through; says where and why."""


def entries(notebook) -> list[Entry]:
    """What the cells of an executed notebook declare of their outputs, and at the end what was found of its
    sentences; what is no entry is an error."""
    declared = [output.metadata[METADATA] for cell in code_cells(notebook)
                for output in cell.get("outputs", []) if METADATA in output.get("metadata", {})]
    declared += notebook.get("metadata", {}).get(PACKAGE, {}).get("sentences", [])
    return [Entry.read(dict(found)) for found in declared]


# Run after the last cell, and no part of the notebook: what becomes of the relations in the text, what the
# checks themselves have entered, and for how long the processor was busy with the chapter.
_BOOK = """from json import dumps
from time import process_time
from proofread import ledger
print(dumps([ledger.export(), JUDGED, process_time()]))"""
_JUDGES = "proofread.claims.sentences"


def _last(notebook) -> str:
    texts = sentences(notebook)
    judged = f"__import__({_JUDGES!r}, fromlist=['judged']).judged({texts!r})" if texts else "([], {})"
    return _BOOK.replace("JUDGED", judged)


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


ADVICE = ("A relation in a sentence holds for all values that its symbols may have; a condition, a notation, "
          "a choice or a quotation, and what holds under a condition, is listed in `said`.")


def refuse_sentences(docname: str, notebook, failures: dict[str, str]) -> None:
    """Refuse relations in the text that the kernel did not accept, each with its line and the reason."""
    if failures:
        told = [f"{docname}.md:{_line_of_sentence(docname, notebook, tex)}: ${tex}$ in a sentence: {reason}"
                for tex, reason in failures.items()]
        raise ChapterError("\n".join([*told, f"  {ADVICE}"]))


def stored(docname: str):
    """The executed notebook in the store, stale or not; None if there is none."""
    import nbformat

    path = STORE / f"{docname}.ipynb"
    # our own file: validating it again would take longer than all the rest of an idle build
    try:
        return nbformat.v4.reads(path.read_text("utf8"))
    except (FileNotFoundError, ValueError):  # what is no notebook was not written by us
        return None


def fresh(docname: str):
    """The executed notebook in the store if it is up to date, else None."""
    notebook = stored(docname)
    return notebook if notebook and notebook.metadata[PACKAGE]["key"] == key(read(docname)) else None


def executed(docname: str):
    """The executed notebook of a chapter, executed now if it has to be."""
    return fresh(docname) or again(docname)


def again(docname: str, *, running: list | None = None, unseen: dict[int, str] | None = None):
    """Execute a chapter; keep the outputs, or compare with those that are kept and up to date (`compare`).

    Raises
    ------
    ChapterError
        If a cell fails, or a value or the evidence of an output is not that which is kept.
    """
    import nbformat

    notebook = read(docname)
    digest, kept = key(notebook), fresh(docname)
    seconds, values, found = run(docname, notebook, running, unseen)
    if kept:
        compare(docname, kept, notebook, values)
        return kept
    notebook.metadata[PACKAGE] = {"key": digest, "seconds": seconds, "values": values, "sentences": found}
    _write(STORE / f"{docname}.ipynb", nbformat.writes(notebook))
    return notebook


def compare(docname: str, kept, notebook, values: dict[str, dict]) -> None:
    """Refuse what nbval does not see: other values in the text than those kept, and other evidence.

    Raises
    ------
    ChapterError
        Naming the expression that is something else, or the first cell with other evidence.
    """
    for expression, before in kept.metadata[PACKAGE]["values"].items():
        if before != values[expression]:
            now = values[expression]
            raise ChapterError(f"{docname}.md: {{eval}}`{expression}` has not again the value that is "
                               f"published:\n  published {before['data']}\n  now       {now['data']}")
    for number, pair in enumerate(zip(code_cells(kept), code_cells(notebook), strict=True), start=1):
        before, now = map(_evidence, pair)
        if before != now:
            line = next((text for text in pair[0].source.splitlines() if text.strip()), "")
            raise ChapterError(f"{docname}.md: code cell {number} has not again the evidence that is "
                               f"published: {line}\n  published {before}\n  now       {now}")


def _evidence(cell) -> list[dict]:
    """What the outputs of a cell declare, but for the time that it took."""
    declared = [dict(output.get("metadata", {}).get(METADATA, {})) for output in cell.outputs]
    return [{name: value for name, value in found.items() if name != "seconds"} for found in declared]


def cores() -> int:
    """Those that this process may use, or as many as JOBS says."""
    if given := os.environ.get("JOBS"):
        return int(given)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()


def execute(docnames: list[str], *, jobs: int | None = None, say=print) -> None:
    """Bring the store up to date for these chapters.

    Raises
    ------
    ChapterError
        With one paragraph for each chapter that failed; the others are stored.
    """
    _forget_old_verdicts()
    stale = [name for name in docnames if fresh(name) is None]
    failures, running = [], []
    width = max(map(len, stale), default=0)
    with ThreadPoolExecutor(jobs or cores()) as pool:
        work = {pool.submit(again, name, running=running): name for name in stale}
        try:
            for number, future in enumerate(as_completed(work), start=1):
                head = f"[{number}/{len(stale)}] {work[future]:{width}}"
                try:
                    say(f"{head}  {_summary(future.result())}")
                except ChapterError as error:
                    failures.append(str(error))
                    say(f"{head}  FAILED")
        except KeyboardInterrupt:
            # What is finished is stored; the kernels that still run would keep us waiting.
            pool.shutdown(wait=False, cancel_futures=True)
            for client in running:
                client.km.provisioner.process.kill()
            raise
    if failures:
        raise ChapterError("\n\n".join(failures))


def _forget_old_verdicts() -> None:
    """Keep what the last states of the code have decided."""
    folders = sorted((STORE.parent / "verdicts").glob("*"), key=lambda folder: folder.stat().st_mtime)
    for folder in folders[:-STATES_KEPT]:
        shutil.rmtree(folder, ignore_errors=True)


def _summary(notebook) -> str:
    checks = sum(entry.seconds for entry in entries(notebook))
    seconds = notebook.metadata[PACKAGE]["seconds"]
    return f"{len(code_cells(notebook)):3} cells, {seconds:5.1f} s of computing, checks {checks:5.1f} s"


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

    values, asked = {}, expressions(notebook)

    async def before(cell, cell_index):
        at[0] = cell_index
        if numbers[id(cell)] == 1:
            await _aside(client, f"__import__('gc').set_threshold({GARBAGE})")
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
        kernel_name=notebook.metadata.kernelspec.name,
        resources={"metadata": {"path": str(source(docname).parent)}},
        on_cell_execute=before,
        record_timing=False,
        extra_arguments=["--log-level=ERROR"],  # a kernel warns that this machine could listen to it
    )
    running = [] if running is None else running
    running.append(client)
    notebook.cells.append(last)
    try:
        # a loop of its own, closed afterwards: the synchronous call leaves one open in every thread
        environment = {**os.environ, **KERNEL_ENV, "PROOFREAD_VERDICTS": str(STORE.parent / "verdicts")}
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

    code, lines = notebook.cells[index].source.splitlines(), source(docname).read_text("utf8").splitlines()
    begin = lines.index(code[0], notebook.metadata.source_map[index]) + 1
    trace = strip_ansi("\n".join(output.traceback)) if output else ""
    failed = re.search(r"^Cell In\[\d+\], line (\d+)", trace, re.MULTILINE)
    at = int(failed[1]) - 1 if failed else 0
    return begin + at, code[at].strip()


def _write(path: Path, text: str) -> None:
    """Write all or nothing, so that an interruption at any moment leaves no half file.

    Raises
    ------
    ChapterError
        If there is no room for it, or no right to write it.
    """
    part = path.with_name(f"{path.name}.{os.getpid()}.{threading.get_ident()}.part")
    with writing(path):
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            part.write_text(text, "utf8")
            part.replace(path)
        except OSError:
            with suppress(OSError):
                part.unlink()
            raise


@contextmanager
def writing(path: Path):
    """Tell of trouble in the words of a reader: what could not be written, and why."""
    try:
        yield
    except OSError as error:
        raise ChapterError(f"{path} could not be written: {error.strerror}") from None


_held = {}  # the locks of this process: whether it only reads


@contextmanager
def locked(*, reading: bool = False):
    """While this process builds, no other one may build or read; many may read at a time.

    The same process may ask again, but who reads may not build.

    Raises
    ------
    ChapterError
        Naming the process that builds.
    """
    path = STORE.parent / "lock"
    if path in _held and (reading or not _held[path]):
        yield
        return
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        file = open(path, "a+b", buffering=0)
    with file:
        with writing(path):
            _lock(file, reading)
        if not reading:
            _sweep(STORE)
            _sweep(STORE.parent / "verdicts")
        _held[path] = reading
        try:
            yield
        finally:
            del _held[path]


def _lock(file, reading: bool) -> None:
    """The system takes it off, however the process ends."""
    try:
        fcntl.flock(file, (fcntl.LOCK_SH if reading else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        file.seek(0)
        holder = file.read().decode()
        who = f"process {holder} builds" if holder else "another process reads"
        raise ChapterError(f"{who} the book in {ROOT}: wait for it, or stop it") from None
    file.truncate(0)
    if not reading:
        file.write(b"%d" % os.getpid())


def _sweep(folder: Path) -> None:
    """Remove what processes that were killed did not finish to write."""
    for part in folder.glob("**/*.part"):
        if time.time() - part.stat().st_mtime > ABANDONED:
            part.unlink()


def told(main):
    """A program that says in a paragraph why it stops, without a traceback."""
    @wraps(main)
    def program(*arguments) -> int:
        try:
            return main(*arguments)
        except ChapterError as error:
            print(f"\n{error}", file=sys.stderr)
            return 1

    return program


@told
def main(names: list[str]) -> int:
    started = time.perf_counter()
    try:
        with locked():
            execute(names or chapters(), say=lambda text: print(text, flush=True))
    except KeyboardInterrupt:
        print("\ninterrupted; the chapters that were finished are kept", file=sys.stderr)
        return 130
    print(f"all outputs are up to date ({time.perf_counter() - started:.1f} s)")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

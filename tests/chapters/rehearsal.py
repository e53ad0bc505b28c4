"""Run a chapter cell by cell, and beside each cell what is to fail in its place.

A program of its own, so that nothing of it is seen by the tests, nor of them by the chapter:

    python -m chapters.rehearsal < request.json > outcome.json

Before a cell that is to be made wrong the process forks. The child inherits all that was computed so far,
runs the wrong cell and, if that one does not fail, the rest of the chapter; what it spoils, it spoils for
itself alone. Then the process runs the cell as it stands, in the same state: that is the control, and the way
to the next cell.
`falsification.py` writes the requests and judges the outcomes.
"""

import ast
import faulthandler
import json
import linecache
import os
import signal
import sys
import traceback
from collections import deque

CHILDREN = 2  # at a time
LIMIT = 300  # seconds for a cell of the chapter itself, as in tools/execute.py
REPRESENTATIONS = [f"_repr_{form}_" for form in ("mimebundle", "html", "markdown", "latex", "svg", "png")]


# --- A cell, as a notebook runs it -----------------------------------------------------


def show(*values):
    """Ask for all that a notebook would show: what is checked is checked when it is shown, too."""
    for value in values:
        for name in REPRESENTATIONS:
            if callable(method := getattr(value, name, None)) and not isinstance(value, type):
                method()
        repr(value)


def run_cell(chapter, number, source, names):
    """Run a cell and show the value of its last line."""
    filename, lines = f"<{chapter} cell {number}>", source.splitlines(keepends=True)
    linecache.cache[filename] = (len(source), None, lines, filename)  # so that a traceback shows them
    tree = ast.parse(source, filename)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, filename, "exec"), names)
    if last and (value := eval(compile(ast.Expression(last.value), filename, "eval"), names)) is not None:
        show(value)


def first_failure(chapter, cells, start, names):
    """Run cells until one fails, and say how; None if none does."""
    for number, source in enumerate(cells, start):
        try:
            run_cell(chapter, number, source, names)
        except (Exception, SystemExit) as error:
            trace = error.__traceback__
            while trace and trace.tb_frame.f_code.co_filename == __file__:
                trace = trace.tb_next  # from the cell on
            return {
                "cell": number,
                "kinds": [f"{kind.__module__}.{kind.__qualname__}" for kind in type(error).__mro__],
                "message": str(error)[:6000],
                "traceback": shortened("".join(traceback.format_exception(type(error), error, trace))),
            }
    return None


def shortened(text):
    """The cell is at the head of a traceback, the failure at its end; and a pipe holds 64 KiB."""
    return text if len(text) <= 6000 else f"{text[:2000]}\n…\n{text[-4000:]}"


# --- Children --------------------------------------------------------------------------


def limit(seconds, report):
    """End this process after so many seconds, by the clock, and tell `report` what it was doing."""
    faulthandler.register(signal.SIGALRM, file=report, all_threads=False, chain=True)
    signal.alarm(seconds)


def fork(task, seconds):
    """Begin a task in a child; gives its process and where it will report."""
    report, pipe = os.pipe()
    if child := os.fork():
        os.close(pipe)
        return child, report
    status = 1
    try:
        with open(pipe, "w", encoding="utf8", errors="backslashreplace") as file:
            limit(seconds, file)
            try:
                file.write(json.dumps(task(), ensure_ascii=False))
                status = 0
            except BaseException:
                file.write(shortened(traceback.format_exc()))
    finally:
        os._exit(status)


def collect(child, report, seconds):
    """What the task returned; if it did not come to its end, why not."""
    with open(report, encoding="utf8", errors="replace") as file:
        text = file.read()
    _, status = os.waitpid(child, 0)
    if status == 0 and text:
        return json.loads(text)
    if os.WIFEXITED(status):  # the last line of a traceback is the exception
        reason = text.strip().rpartition("\n")[2] or "the process ended by itself"
    elif os.WTERMSIG(status) == signal.SIGALRM:
        reason = f"not finished after {seconds} s"
    else:
        reason = f"the process was ended by signal {os.WTERMSIG(status)}"
    return {"cell": None, "kinds": [], "message": reason, "traceback": shortened(text)}


class Children:
    """Tasks in children, at most so many at a time, each with a key for its outcome."""

    def __init__(self, seconds):
        self.seconds, self.running, self.outcomes = seconds, deque(), {}

    def begin(self, key, task):
        if len(self.running) == CHILDREN:
            self.end_one()
        self.running.append((key, *fork(task, self.seconds)))

    def end_one(self):
        key, child, report = self.running.popleft()
        self.outcomes[key] = collect(child, report, self.seconds)

    def end(self):
        while self.running:
            self.end_one()
        return self.outcomes

    def abandon(self):
        for _, child, _ in self.running:
            os.kill(child, signal.SIGKILL)


# --- A chapter -------------------------------------------------------------------------


def fresh():
    """The names that a notebook knows before its first cell."""
    return {"__name__": "__main__", "display": show}


def walk(chapter, cells, names, before):
    """Run the cells as they stand, each after a call of ``before`` with its number; gives the failure."""
    for number, source in enumerate(cells, 1):
        before(number)
        signal.alarm(LIMIT)
        control = first_failure(chapter, [source], number, names)
        signal.alarm(0)
        if control:
            return control
    return None


def rehearse(chapter, cells, changes, seconds, examine=None):
    """Run a chapter, and its changes in children.

    Parameters
    ----------
    chapter : str
    cells : list of str
    changes : list
        Of the number of a cell (the first is 1), what it says, and what it is to say instead.
    seconds : int
        The limit for a child.
    examine : callable, optional
        Is told the names that are known before each cell and after the last, and gives tasks by their keys:
        functions that fail or do not, each of which is run in a child.

    Returns
    -------
    dict
        ``control`` is the failure of the chapter itself, ``outcomes`` are those of the changes in their
        order, and ``examined`` has those of the tasks by their keys; None stands for no failure.
    """
    names, states, children = fresh(), [], Children(seconds)

    def before(number):
        for key, (place, right, wrong) in enumerate(changes):
            if place == number:
                changed = [cells[number - 1].replace(right, wrong), *cells[number:]]
                children.begin(key, lambda: first_failure(chapter, changed, number, names))
        states.append(dict(names))

    if control := walk(chapter, cells, names, before):
        children.abandon()
        return {"control": control}
    outcomes = children.end()
    examinations = Children(seconds)
    for key, task in (examine([*states, names]) if examine else {}).items():
        examinations.begin(key, task)
    outcomes = [outcomes[key] for key in range(len(changes))]
    return {"control": None, "outcomes": outcomes, "examined": examinations.end()}


def quoted():
    """What the errata of the chapter print, by their sources."""
    from softmaxnotes import entries  # only now, for it is the chapter's

    found = (entry.erratum for entry in entries.current().entries.values() if entry.kind == "erratum")
    return {erratum["source"]: erratum["printed"] for erratum in found}


def main():
    """Answer one request, given and answered as JSON."""
    answer = os.dup(1)
    os.dup2(2, 1)  # what cells print is no part of the answer
    limit(LIMIT, sys.stderr)
    request = json.load(sys.stdin)
    examine = None
    if "Exercise(" in request["text"]:
        from chapters import exercises  # only now, for it imports SymPy

        def examine(states):
            return exercises.tasks(request["text"], request["cells"], states, request["mistakes"])

    sources = [cell["source"] for cell in request["cells"]]
    outcome = rehearse(request["chapter"], sources, request["changes"], request["seconds"], examine)
    outcome["quoted"] = quoted()
    with open(answer, "w", encoding="utf8") as file:
        json.dump(outcome, file)


if __name__ == "__main__":
    main()

"""Beside the statements of a page that is run, what is to fail in their place.

The kernel that runs a page is asked before a statement, unseen by the page, to go on from here with another
one. It forks: the child inherits all that was computed so far, runs the wrong statement and, if that one does
not fail, the rest of the page; what it spoils, it spoils for itself alone.
The statement as it stands is then run by the kernel itself, in the same state: that is the control.
`trial.py` writes the requests and judges the outcomes.
"""

import ast
import atexit
import faulthandler
import json
import linecache
import os
import signal
import sys
import traceback
from collections import defaultdict, deque
from functools import partial
from itertools import takewhile

from proofread import ledger

CHILDREN = 2  # at a time
REPRESENTATIONS = [f"_repr_{form}_" for form in ("mimebundle", "html", "markdown", "latex", "svg", "png")]


# --- A cell, as a notebook runs it -----------------------------------------------------


def show(*values):
    """Ask for all that a notebook would show: what is checked is checked when it is shown, too."""
    for value in values:
        for name in REPRESENTATIONS:
            if callable(method := getattr(value, name, None)) and not isinstance(value, type):
                method()
        repr(value)


def parsed(source, filename="<cell>"):
    """The statements of a cell; a line that is no Python, such as ``%matplotlib inline``, is a call."""
    try:
        return ast.parse(source, filename)
    except SyntaxError:
        from IPython.core.inputtransformer2 import TransformerManager

        return ast.parse(TransformerManager().transform_cell(source), filename)


def run_cell(page, number, source, names, begin=0):
    """Run a cell, without so many statements at its beginning, and show the value of its last line."""
    filename, lines = f"<{page} cell {number}>", source.splitlines(keepends=True)
    linecache.cache[filename] = (len(source), None, lines, filename)  # so that a traceback shows them
    tree = parsed(source, filename)
    del tree.body[:begin]
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, filename, "exec"), names)
    if last and (value := eval(compile(ast.Expression(last.value), filename, "eval"), names)) is not None:
        show(value)


def wrong_sentence(texts, names, kind=Exception):
    """How the first of some relations in sentences fails that does so in this way; None if none does."""
    from proofread.claims.sentences import Sentences  # only now, for it imports SymPy

    failed = Sentences(texts, names).failed if texts and ledger.current().entries else {}
    return next((failure(error) for error in failed.values() if isinstance(error, kind)), None)


def first_failure(page, cells, start, names, begin=0, may_fail=()):
    """Run cells until one fails that may not, and say how; None if none does. Of the first one so many
    statements are left out."""
    for number, source in enumerate(cells, start):
        try:
            run_cell(page, number, source, names, begin if number == start else 0)
        except (Exception, SystemExit) as error:
            if number in may_fail:
                continue
            trace = error.__traceback__
            while trace and trace.tb_frame.f_code.co_filename == __file__:
                trace = trace.tb_next  # from the cell on
            return failure(error.with_traceback(trace), number)
    return None


def failure(error, cell=None):
    """What is told of an exception."""
    return {
        "cell": cell,
        "kinds": [f"{kind.__module__}.{kind.__qualname__}" for kind in type(error).__mro__],
        "message": str(error)[:6000],
        "traceback": shortened("".join(traceback.format_exception(error))),
    }


def parting(source, other):
    """The number of the first statement in which two cells differ."""
    try:
        trees = [[ast.dump(node) for node in parsed(text).body] for text in (source, other)]
    except SyntaxError:  # whoever runs it will say so
        return 0
    alike = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(*trees)))
    return min(alike, len(trees[0]) - 1)


class Halts:
    """Transforms the next cell, so that something is called before some of its statements."""

    def __init__(self, call, statements):
        self.call, self.statements = call, statements

    def visit(self, tree):
        from IPython import get_ipython

        get_ipython().ast_transformers.remove(self)
        for place in sorted(self.statements, reverse=True):
            tree.body.insert(place, ast.parse(f"{self.call}({place})").body[0])
        return tree


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
    late = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGALRM
    if os.WIFEXITED(status):  # the last line of a traceback is the exception
        reason = text.strip().rpartition("\n")[2] or "the process ended by itself"
    elif late:
        reason = f"not finished after {seconds} s"
    else:
        reason = f"the process was ended by signal {os.WTERMSIG(status)}"
    return {"cell": None, "kinds": [], "message": reason, "traceback": shortened(text), "late": late}


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


# --- A page ----------------------------------------------------------------------------


class Rehearsal:
    """What is tried beside a page, in the kernel that runs it.

    Parameters
    ----------
    request : dict
        ``page``, its name; ``text``, all that its cells hold; ``cells``, the sources and metadata of those
        that are run; ``changes``, of the number of a cell (the first is 1), what it says, and what it is to
        say instead; ``sentences``, the relations in its text, which may be changed as a cell after the last
        one; ``mistakes`` that readers make in its exercises, and whether these are ``published``, as in
        `Page`; ``seconds``, the limit for a child.
    names : dict
        All that the cells define.
    """

    def __init__(self, request, names):
        self.request, self.names = request, names
        self.cells = [cell["source"] for cell in request["cells"]]
        self.may_fail = {number for number, cell in enumerate(request["cells"], 1)
                         if "raises-exception" in cell["metadata"].get("tags", [])}
        self.states, self.children = [], Children(request["seconds"])
        atexit.register(self.children.abandon)  # if the page itself fails

    def before(self, number):
        """Before a cell: halt at each of its statements that is changed."""
        from IPython import get_ipython

        self.states.append(dict(self.names))
        self.halts, source = defaultdict(list), self.cells[number - 1]
        for key, (place, right, wrong) in enumerate(self.request["changes"]):
            if place == number:
                changed = source.replace(right, wrong)
                cells = [changed, *self.cells[number:]]
                begin = parting(source, changed)
                self.halts[begin].append((key, partial(self._failure, cells, number, begin)))
        if self.halts:
            call = "__import__('proofread.testing.rehearsal').testing.rehearsal.halted"
            get_ipython().ast_transformers.append(Halts(call, self.halts))

    def halted(self, statement):
        """Before such a statement: try its changes."""
        for key, task in self.halts[statement]:
            self.children.begin(key, task)

    def _failure(self, cells, start, begin):
        alone(self.names)
        return (first_failure(self.request["page"], cells, start, self.names, begin, self.may_fail)
                or wrong_sentence(self.request["sentences"], self.names))

    def _try_sentences(self):
        """After the last cell: try the changes of a sentence."""
        for key, (place, right, wrong) in enumerate(self.request["changes"]):
            if place > len(self.cells):
                texts = [tex.replace(right, wrong) for tex in self.request["sentences"] if right in tex]
                self.children.begin(key, partial(wrong_sentence, texts, self.names))

    def end(self):
        """What happened.

        The failures of the changes in their order and of the exercises by their labels, None where there is
        none; what errata print, by their sources; what is only argued and what is not
        determined, by their labels; and the formulas that are shown.
        """
        self._try_sentences()
        outcomes = self.children.end()
        examinations = Children(self.request["seconds"])
        for label, task in self._exercises().items():
            examinations.begin(label, task)
        return {"outcomes": [outcomes[key] for key in range(len(outcomes))],
                "examined": examinations.end(), "quoted": quoted(), "argued": only_argued(),
                "undetermined": undetermined(), "formulas": formulas()}

    def _exercises(self):
        if "proofread.exercises" not in sys.modules:  # then the page has none
            return {}
        from . import exercises

        return exercises.tasks(self.request, [*self.states, dict(self.names)])


def alone(names):
    """In a child: nothing is sent to those who follow the page."""
    from IPython import get_ipython

    sys.stdout = sys.stderr = open(os.devnull, "w", encoding="utf8")
    get_ipython().display_pub.publish = lambda *data, **options: None
    names["display"] = show


def quoted():
    """What the errata of the page print, by their sources."""

    found = (entry.erratum for entry in ledger.current().entries.values() if entry.kind == "erratum")
    return {erratum["source"]: erratum["printed"] for erratum in found}


def only_argued():
    """The argued equations of the page that have no other support, by their labels.

    That is a wrong version which numbers refuted, a second route, or another line that rests on it.
    """
    found = list(ledger.current().entries.values())
    supported = {entry.of for entry in found} | {
        label for entry in found for label in entry.rests_on if label != entry.label}
    return {entry.label: entry.tex for entry in found
            if entry.status == "argued" and not entry.rejected and entry.label not in supported}


def undetermined():
    """The definitions of the page of which wrong versions were not rejected, by their labels."""
    book = ledger.current()
    return {label: book.entries[label].tex for label, (rejected, passed) in book.attacked.items()
            if passed or not rejected}


def formulas():
    """The formulas that the page shows, as they are kept."""
    if "proofread.latex.display" not in sys.modules:  # then the page has none
        return ""
    from proofread.latex.display import record

    return record(ledger.current().entries.values())


# --- As the kernel is asked ------------------------------------------------------------

_here = []  # the one rehearsal of a kernel


def begin(path):
    from IPython import get_ipython

    with open(path, encoding="utf8") as file:
        _here.append(Rehearsal(json.load(file), get_ipython().user_ns))


def before(number):
    _here[0].before(number)


def halted(statement):
    _here[0].halted(statement)


def end(path):
    with open(path, "w", encoding="utf8") as file:
        json.dump(_here[0].end(), file)

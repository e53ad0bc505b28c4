"""The entries of a site, kept from build to build, and what one says of another.

They stand in ``env.proofread["entries"]``, by page.  They are taken from the outputs as pages are read,
unless somebody who knows them beforehand has given them (`give`).
"""

from collections import Counter

from sphinx.util import logging

from proofread.ledger import Entry

log = logging.getLogger(__name__)

#: what is said of an equation, in one word in the ledger as beside its number, and what it means
MEANING = {
    "proved": "Every line is proved by algebra, for every size, and was confirmed in thirty digits, "
              "a nested integral in twelve.",
    "proved for some sizes": "Every line is proved for the sizes named, and was tested at larger ones.",
    "numbers agree": "Its sides agree in thirty digits at random points; no proof was found.",
    "given an argued line": "Every line is proved, but from an equation that was argued.",
    "argued": "A step of it is one that no algebra sees; its hypothesis is stated.",
    "definition": "It introduces a symbol, and claims nothing.",
}


# --- What there is ----------------------------------------------------------------


def of_page(env, docname: str) -> list[Entry]:
    return env.proofread["entries"].get(docname, [])


def of_book(env):
    """Pairs of page and entry."""
    return ((page, entry) for page, entries in env.proofread["entries"].items() for entry in entries)


def of_equation(env, label: str) -> list[Entry]:
    """The entry of an equation, followed by those of its other routes."""
    own = [entry for _, entry in of_book(env) if entry.label == label]
    return own + [entry for _, entry in of_book(env) if entry.of == label]


def rests_on(env, label: str) -> dict[str, Entry]:
    """The equations that an equation rests on, directly or through others, by label."""
    book = {entry.label: entry for _, entry in of_book(env) if entry.label}
    found, todo = {}, [label]
    while todo:
        for other in book[todo.pop()].rests_on if book else ():
            if other in book and other not in found and other != label:
                found[other] = book[other]
                todo.append(other)
    return found


def argued_below(env, label: str) -> list[str]:
    """Labels of the argued equations that an equation rests on."""
    return [other for other, entry in rests_on(env, label).items() if entry.argued]


def verdict(env, entry: Entry) -> str:
    """How an equation was checked: a key of `MEANING`."""
    given = entry.status not in ("argued", "definition") and entry.label and argued_below(env, entry.label)
    return "given an argued line" if given else entry.status


def word(env, entry: Entry) -> str:
    """The evidence of an equation in a word or two; what rests on an argued line says so."""
    given = verdict(env, entry) == "given an argued line"
    return f"{entry.word}, given an argued line" if given else entry.word


def counts(env, docname: str) -> dict[str, int]:
    """How many equations of a page have which verdict, in the order of `MEANING`."""
    found = Counter(verdict(env, entry) for entry in of_page(env, docname) if entry.label)
    return {word: found[word] for word in MEANING if word in found}


def titled_checks(entries: list[Entry]) -> list[Entry]:
    """Entries with a row of their own: equations, and checks that belong to no equation."""
    return [e for e in entries if e.label or (e.findings and not e.of)]


def rejected(entries: list[Entry]) -> Counter:
    """How many wrong versions were rejected, by what rejected them."""
    found = Counter()
    for entry in entries:
        found.update(entry.rejected)
    return found


# --- From build to build ----------------------------------------------------------


def give(env, entries: dict[str, list[Entry]]) -> bool:
    """Say beforehand, in reading order, what the pages hold; whether that is something else than before."""
    changed = entries != env.proofread["entries"]
    env.proofread.update(entries=entries, given=True, changed=changed)
    return changed


def note(env, entry: Entry) -> None:
    """An output of the page that is being read has this entry, in one form or in several."""
    here = env.proofread["entries"].setdefault(env.docname, [])
    if not env.proofread["given"] and entry not in here:
        here.append(entry)


def remember(app) -> None:
    """What the environment keeps from build to build."""
    if not hasattr(app.env, "proofread"):
        app.env.proofread = {"entries": {}, "given": False, "changed": True, "ledgers": {}, "readers": set(),
                             "faulty": set(), "stated": {}, "referred": {}}


OF_A_PAGE = ("ledgers", "stated", "referred")  # what is noted while a page is read


def forget(app, env, docname: str) -> None:
    memory = env.proofread
    for name in OF_A_PAGE:
        memory[name].pop(docname, None)
    for name in ("readers", "faulty"):
        memory[name].discard(docname)
    if not memory["given"]:
        memory["entries"].pop(docname, None)


def merge(app, env, docnames, other) -> None:
    """Take over what another process has read."""
    memory, theirs = env.proofread, other.proofread
    for name in (*OF_A_PAGE, *(() if memory["given"] else ("entries",))):
        memory[name].update({page: theirs[name][page] for page in docnames if page in theirs[name]})
    for name in ("readers", "faulty"):
        memory[name] |= theirs[name] & set(docnames)


def faulty(app, env, added, changed, removed) -> set[str]:
    """What was warned about is read again, or a build that failed would pass when repeated."""
    failed = {page for page, data in getattr(env, "nb_metadata", {}).items()
              if not data.get("exec_data", {}).get("succeeded", True)}
    return (env.proofread["faulty"] | failed) & env.found_docs


def begin(app, env, docnames) -> None:
    if not env.proofread["given"]:
        env.proofread["before"] = dict(env.proofread["entries"])


def finish(app, env) -> list[str]:
    """When all is read: are labels unique, and which pages are to be written again?"""
    memory = env.proofread
    check_labels(env)
    if not memory["given"]:
        memory["changed"] = memory.pop("before", None) != memory["entries"]
    return [*memory["readers"], *memory["entries"]] if memory["changed"] else []


def check_labels(env) -> None:
    """Two entries with one label would make the ledger ambiguous."""
    places = Counter(entry.label for _, entry in of_book(env) if entry.label)
    for name, entry in of_book(env):
        if places.get(entry.label, 0) > 1:
            log.warning("two checked objects have the label %s", entry.label, location=name,
                        type="proofread", subtype="ledger")
        if entry.of and entry.of not in places:
            log.warning("a check of %s, which no object prints", entry.of, location=name,
                        type="proofread", subtype="ledger")


def reading_order(env) -> list[str]:
    """The pages with entries, as the tables of contents have them."""
    found, todo = [], [env.config.root_doc]
    while todo:
        page = todo.pop(0)
        if page not in found:
            found.append(page)
            todo = [*env.toctree_includes.get(page, ()), *todo]
    entries = env.proofread["entries"]
    return [page for page in [*found, *(page for page in entries if page not in found)] if entries.get(page)]


def setup(app):
    app.connect("builder-inited", remember)
    app.connect("env-get-outdated", faulty)
    app.connect("env-before-read-docs", begin)
    app.connect("env-purge-doc", forget)
    app.connect("env-merge-info", merge)
    app.connect("env-updated", finish)

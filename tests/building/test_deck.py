"""What a deck shows is on its page."""

from tools import chapters, slides

PAGE = '<section id="a-section"><div class="statement" id="thm-a"></div><div id="equation-eq-a"></div>'


def test_what_is_listed_and_not_there_is_told(monkeypatch):
    told = []
    listed = chapters.Front(slides=("thm-a", "eq-a", "a-section", "eq-b"))
    monkeypatch.setattr(slides.log, "warning", lambda words, label, **at: told.append((words % label, at)))
    monkeypatch.setattr(chapters, "parts", lambda: [("A part", ["book/a"])])
    monkeypatch.setattr(chapters, "front", lambda name: listed)
    context = {"body": PAGE}
    slides.choose(None, "book/a", "page.html", context, None)
    assert context["slides"] == "thm-a eq-a a-section eq-b"
    assert told == [("slides: expected a label or a section of the page, got eq-b", {"location": "book/a"})]
    slides.choose(None, "book/b", "page.html", context := {}, None)
    assert context == {}

"""What no chapter changes is tested again where it was changed, and only there."""

import pytest

from tools import machinery, settings

PLACES = ["tests/prover", "tests/figures"]


@pytest.fixture
def house(tmp_path, monkeypatch):
    monkeypatch.setattr(machinery, "ROOT", tmp_path)
    monkeypatch.setattr(settings, "ROOT", tmp_path)
    monkeypatch.setattr(settings, "PACKAGES", ["demo"])
    files = {
        "tests/prover/test_it.py": "from demo.prover import f",
        "tests/figures/near/test_it.py": "",
        "tests/part/test_chapter.py": "",
        "tools/tool.py": "",
        "book/_assets/moving.js": "",
        "book/chapter.md": "",
        "conftest.py": "",
        "demo/__init__.py": "",
        "demo/prover.py": "from .deep import f",
        "demo/deep.py": "",
        "demo/chapter.py": "",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize(("name", "matters"), [
    ("tests/prover/test_it.py", True), ("tests/figures/near/test_it.py", True), ("tools/tool.py", True),
    ("book/_assets/moving.js", True), ("conftest.py", True), ("demo/prover.py", True), ("demo/deep.py", True),
    ("tests/part/test_chapter.py", False), ("book/chapter.md", False), ("demo/chapter.py", False)])
def test_a_chapter_does_not_matter_to_it(house, name, matters):
    before = machinery.state(PLACES)
    (house / name).write_text("# changed")
    assert (machinery.state(PLACES) != before) == matters
    (house / name).write_text("# changed")
    (house / name).rename(house / name.replace(".", "_again."))
    assert (machinery.state(PLACES) != before) == matters


def test_what_passed_is_not_tested_again_except_in_ci(house, monkeypatch):
    codes, asked = [1, 0, 0, 0], []
    monkeypatch.setattr(machinery.subprocess, "call",
                        lambda command: asked.append(command[-2:]) or codes.pop(0))
    monkeypatch.delenv("CI", raising=False)
    assert machinery.main(PLACES) == 1
    assert [machinery.main(PLACES) for _ in range(3)] == [0, 0, 0]
    assert asked == [PLACES] * 2
    (house / "tools/tool.py").write_text("# changed")
    assert machinery.main(PLACES) == 0 and len(asked) == 3
    monkeypatch.setenv("CI", "true")
    assert machinery.main(PLACES) == 0 and len(asked) == 4

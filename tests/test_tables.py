"""softmaxnotes.tables: what stands in a table, and what is no table."""

import numpy as np
import pytest

from softmaxnotes.tables import table


def cells(shown):
    """The cells of the lines of a table, without the line of dashes."""
    head, _, *lines = shown._repr_markdown_().splitlines()
    return [[cell.strip() for cell in line.strip("|").split(" |")] for line in (head, *lines)]


def test_numbers_are_rounded_and_words_and_integers_are_not():
    shown = table([["0.25", np.float32(0.25), np.int64(7), True], ["1e3", 1 / 3, 40, False]],
                  ["word", "number", "count", 5], ".3f")
    assert cells(shown) == [["word", "number", "count", "5"], ["0.25", "0.250", "7", "True"],
                            ["1e3", "0.333", "40", "False"]]
    assert repr(shown) == shown._repr_markdown_()


def test_each_column_has_its_format():
    assert cells(table(np.array([[0.5, 0.5, np.nan]]), "c {}", [".1f", ".0%", ""])) == [
        ["c 1", "c 2", "c 3"], ["0.5", "50%", "nan"]]


def test_names_stand_in_front():
    shown = table({"a": [1.0, 2.0], 3: np.zeros(2)}, ["x", "y"], ".1f", index="of")
    assert cells(shown) == [["of", "x", "y"], ["a", "1.0", "2.0"], ["3", "0.0", "0.0"]]


def test_columns_of_numbers_are_aligned_on_the_right():
    rule = repr(table([["a", 1, 0.5], ["b", "exact", 2]], ["", "x", "y"])).splitlines()[1]
    assert [part.endswith(":") for part in rule.strip("|").split("|")] == [False, False, True]


def test_a_bar_does_not_end_a_cell():
    assert r"$\|x\|$" in repr(table([["$|x|$"]], ["norm"]))


@pytest.mark.parametrize("arguments, message", [
    (([], ["a"]), "^no table without a row"),
    (({}, "c {}"), "^no table without a row"),
    (([[1, 2], [3]], ["a", "b"]), "row 2 to have 2 cells, .* got 1"),
    (({"a": [1, 2]}, ["x"]), "row 1 to have 1 cells, .* got 2"),
    (([[1.0, 2.0]], "c {}", [".1f"]), "fmt to have 2 cells, .* got 1"),
    (([[1.0]], ["a"], ".2q"), "the format of a number, got '.2q'"),
    (([["two\nlines"]], ["a"]), r"one line in a cell, got 'two\\nlines'"),
])
def test_what_is_no_table(arguments, message):
    with pytest.raises(ValueError, match=message):
        table(*arguments)

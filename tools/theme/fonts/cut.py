"""Cut the faces of the book to the glyphs and weights that it uses, and note what is left of KaTeX's.

    npm pack @fontsource-variable/source-serif-4@5.3.1 @fontsource-variable/source-code-pro@5.3.0
    python tools/theme/fonts/cut.py SERIF/package/files CODE/package/files    # needs fonttools and brotli

The cut faces travel inside the style sheet.  A glyph that is not among them is fetched from the whole face in
``book/_assets/katex/fonts``, or, in the text, taken from the reader's serif.
"""

import json
import sys
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

HERE = Path(__file__).parent
KATEX = HERE.parents[2] / "book/_assets/katex/fonts"

ASCII = "".join(map(chr, range(32, 127)))
TEXT = ASCII + "\u00a0©°±²³·½¼×÷ÄÅÇÉÖØÜßáäåçèéêëíïñóôöøúü–—‘’“”•…′−≤≥≠∞→←↑↓⁻⁰¹⁴⁵⁶⁷⁸⁹"
GREEK = "".join(map(chr, [*range(0x391, 0x3AA), *range(0x3B1, 0x3CA), 0x3D1, 0x3D5, 0x3D6, 0x3F1, 0x3F5]))
SIGNS = "¬±·×÷−∓∗∘∙√∝∞∠∣∥∧∨∩∪∫∼≃≅≈≍≠≡≤≥≪≫≺≻⊂⊃⊆⊇⊕⊗⊤⊥⋅⋆…⋮⋯⋱⌈⌉⌊⌋⟨⟩→←↑↓↔⇒⇐⇔⟶⟹⟺↦∂∇∈∉∋∀∃∅∖ℓℏ℘ℜℑ′†‡ˆ˜ˉ˙⃗\u20d7\ue020◯"

# file, what is kept of it (None: all), limits of the weight
TEXTS = {
    "text": ("serif", "source-serif-4-latin-wght-normal", TEXT, (400, 650)),
    # two of its weights for print, in which a face of many weights would become pictures of glyphs
    "text-regular": ("serif", "source-serif-4-latin-wght-normal", TEXT, 400),
    "text-bold": ("serif", "source-serif-4-latin-wght-normal", TEXT, 620),
    "text-italic": ("serif", "source-serif-4-latin-wght-italic", TEXT, 400),
    "code": ("code", "source-code-pro-latin-wght-normal", ASCII + "…−×·→≤≥’“”", 400),
}
MATHS = {
    "Main-Regular": ASCII + "\u00a0⇌" + GREEK + SIGNS,
    "Main-Bold": "x",
    "Math-Italic": None,
    "Math-BoldItalic": "θ",
    "AMS-Regular": "CEFINPQRVZ■□",
    "Caligraphic-Regular": "CDFGILNU",
    **{f"Size{n}-Regular": None for n in range(1, 5)},
}


def cut(font: TTFont, kept: str | None, target: Path) -> None:
    options = Options()
    options.flavor, options.hinting = "woff2", False
    options.name_IDs = [0, 7, 13, 14]  # whose it is and under which licence; the cut faces have other names
    options.layout_features = ["kern", "liga", "mark", "mkmk", "ccmp", "locl", "lnum", "tnum", "pnum"]
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=[*font.getBestCmap()] if kept is None else [*map(ord, kept)])
    subsetter.subset(font)
    font.flavor = "woff2"
    font.save(target)
    print(f"{target.name:32} {target.stat().st_size:6} bytes, {len(font.getBestCmap())} characters")


def main(serif: str, code: str) -> None:
    folders = {"serif": Path(serif), "code": Path(code)}
    for name, (folder, file, kept, weights) in TEXTS.items():
        font = TTFont(folders[folder] / f"{file}.woff2")
        cut(instantiateVariableFont(font, {"wght": weights}), kept, HERE / f"{name}.woff2")
    for name, kept in MATHS.items():
        cut(TTFont(KATEX / f"KaTeX_{name}.woff2"), kept, HERE / f"KaTeX_{name}.woff2")
    note()


def note() -> None:
    """Ranges of the cut faces, and how many characters KaTeX's whole ones have."""
    kept = {path.stem: sorted(TTFont(path).getBestCmap()) for path in sorted(HERE.glob("*.woff2"))}
    whole = {path.stem: len(TTFont(path).getBestCmap()) for path in sorted(KATEX.glob("*.woff2"))}
    text = json.dumps({"kept": kept, "whole": whole}, separators=(",", ":"))
    (HERE / "fonts.json").write_text(f"{text}\n", "utf8")


if __name__ == "__main__":
    main(*sys.argv[1:])

"""A panel as SVG inside a page: text stays text, in the type of the page and of its formulas."""

from __future__ import annotations

import io
import re
from collections import Counter
from html import escape

import matplotlib as mpl
import numpy as np
from matplotlib._mathtext_data import latex_to_bakoma, tex2uni
from matplotlib.backends.backend_mixed import MixedModeRenderer
from matplotlib.backends.backend_svg import RendererSVG
from matplotlib.colors import to_hex
from matplotlib.font_manager import weight_dict
from matplotlib.lines import Line2D
from matplotlib.text import Text

from softmaxnotes.figures.style import GROUND, STYLE

_ROMAN, _ITALIC = "font-family:KaTeX_Main,serif", "font-family:KaTeX_Math,serif;font-style:italic"
_PAGE = ""

# What the site, and JupyterLab, call the colour behind the text.
_GROUND = "var(--paper, var(--pst-color-background, var(--jp-layout-color0, #fff)))"


def _characters():
    """From a font of Computer Modern and its code to the character: the fonts are older than Unicode."""
    found = {}
    for name, (font, code) in latex_to_bakoma.items():
        character = chr(tex2uni[name[1:]]) if name[1:] in tex2uni else name if len(name) == 1 else None
        if character is not None:
            found.setdefault((font, code), character)
    return found | {("cmsy10", 107): "∥"}  # as the type of formulas has it


_CHARACTERS = _characters()


def _character(font, code):
    """A glyph as a character and the type that it is set in; None if it is drawn, such as a large sum."""
    family = font.family_name
    if family.startswith("DejaVu"):
        return chr(code), _PAGE
    if family.startswith("STIX"):
        return (chr(code), _ROMAN) if code < 0xE000 else None
    character = _CHARACTERS.get((family, code), chr(code) if 32 < code < 127 else None)
    if family not in ("cmr10", "cmmi10", "cmsy10") or character is None:
        return None
    return character, _ITALIC if family == "cmmi10" and character.isalpha() and character != "∂" else _ROMAN


def _runs(glyphs):
    """A formula in one line as pieces (text, type, size, dx, dy); None if glyphs stand above one another."""
    runs, end, level = [], None, 0.0
    for glyph in sorted(glyphs, key=lambda glyph: glyph[-2]):
        (font, size, code), (x, y) = glyph[:3], glyph[-2:]
        known = _character(font, code)
        if known is None:
            return None
        gap = 0.0 if end is None else x - end
        if gap < -0.12 * size:
            return None
        gap = gap if gap > 0.06 * size else 0.0
        character, style = known
        if runs and runs[-1][1:3] == [style, size] and not gap and y == level:
            runs[-1][0] += character
        else:
            runs.append([character, style, size, gap, level - y])
        level = y
        font.set_size(size, 72)
        end = x + font.load_char(code).linearHoriAdvance / 65536
    return runs


class _Renderer(RendererSVG):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.lines, self.pictures, self.inked = [], Counter(), False

    def draw_image(self, gc, x, y, im, transform=None):
        # Matplotlib names a picture after what it shows, and one may be drawn twice.
        self.pictures[shown := im.tobytes()] += 1
        if self.pictures[shown] > 1 and gc.get_gid() is None:
            gc.set_gid(f"again{self.pictures.total()}")
        if im[..., :3].any():
            return super().draw_image(gc, x, y, im, transform)
        # Pixels know no currentColor: what is black takes the ink of the page through a filter.
        if not self.inked:
            self.inked = True
            self.writer.start("filter", id="ink", x="0", y="0", width="1", height="1")
            self.writer.element("feFlood", attrib={"flood-color": "#000000"})
            self.writer.element("feComposite", attrib={"in2": "SourceAlpha", "operator": "in"})
            self.writer.end("filter")
        self.writer.start("g", filter="url(#ink)")
        super().draw_image(gc, x, y, im, transform)
        self.writer.end("g")

    def draw_text(self, gc, x, y, s, prop, angle, ismath=False, mtext=None):
        size = prop.get_size_in_points()
        if ismath:
            width, _, _, glyphs, rects = self._text2path.mathtext_parser.parse(s, 72, prop)
            runs = None if rects else _runs(glyphs)
        else:
            width = self.get_text_width_height_descent(s, prop, False)[0]
            runs = [[s, _PAGE, size, 0.0, 0.0]]
        if not runs:  # fractions, roots, accents, sums
            return super().draw_text(gc, x, y, s, prop, angle, ismath, mtext)
        # The type of the page has other widths: what was centred stays so.
        anchor = mtext.get_ha() if mtext is not None and angle == 0 else "center"
        share = {"left": 0, "center": 0.5, "right": 1}[anchor] * width
        turn = np.deg2rad(angle)
        x, y = x + share * np.cos(turn), y - share * np.sin(turn)
        style = [f"font-size:{size:g}px", "white-space:pre"]
        style += {"left": [], "center": ["text-anchor:middle"], "right": ["text-anchor:end"]}[anchor]
        weight = weight_dict.get(prop.get_weight(), prop.get_weight())
        style += [f"font-weight:{weight}"] * (weight != 400)
        style += ["font-style:italic"] * (prop.get_style() != "normal")
        colour = to_hex(gc.get_rgb()[:3])
        style += [f"fill:{colour}"] * (colour != "#000000")
        alpha = gc.get_alpha() if gc.get_forced_alpha() else gc.get_rgb()[3]
        style += [f"opacity:{alpha:g}"] * (alpha != 1)
        where = {"x": f"{x:.2f}", "y": f"{y:.2f}"}
        if angle:
            where = {"transform": f"translate({x:.2f} {y:.2f}) rotate({-angle:g})"}
        # Line breaks between the pieces of a line would be seen: they are put in when all is written.
        self.writer.element("text", f"@{len(self.lines)}@", {**where, "style": ";".join(style)})
        self.lines.append("".join(_piece(*run, size) for run in runs))


def _piece(text, style, size, dx, dy, usual):
    style = ";".join(filter(None, [style, "" if size == usual else f"font-size:{size:g}px"]))
    moved = {"dx": dx, "dy": dy}
    attributes = "".join(f' {key}="{value:.2f}"' for key, value in moved.items() if abs(value) > 5e-3)
    attributes += f' style="{style}"' if style else ""
    return f"<tspan{attributes}>{escape(text)}</tspan>" if attributes else escape(text)


def svg(fig, ident: str) -> str:
    """The panel as an ``<svg>`` that is the same in every run and takes the ink of its page."""
    buffer, dpi = io.StringIO(), fig.dpi
    with mpl.rc_context({**STYLE, "svg.hashsalt": ident, "svg.id": None}):
        for legend in filter(None, (ax.get_legend() for ax in fig.axes)):
            legend.set_frame_on(False)  # a white box on a dark page
        for text in fig.findobj(Text):
            text.set_math_fontfamily(STYLE["mathtext.fontset"])  # of what the page has added
        for line in fig.findobj(lambda artist: isinstance(artist, Line2D) and artist.get_gid()):
            line.get_path().should_simplify = False  # where the browser moves it, it draws each point
        for ax in fig.axes:
            ax.title.set_fontsize(STYLE["axes.titlesize"])  # Matplotlib would have it of its own size
        fig.dpi = 72
        try:
            width, height = fig.get_size_inches()
            inner = _Renderer(72 * width, 72 * height, buffer, image_dpi=dpi, metadata={"Date": None})
            renderer = MixedModeRenderer(fig, width, height, dpi, inner)
            fig.draw(renderer)
            renderer.finalize()
        finally:
            fig.dpi = dpi
    text = buffer.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"\s*<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = re.sub(r"(<text [^>]*>)@(\d+)@", lambda found: found[1] + inner.lines[int(found[2])], text)
    text = text.replace("#000000", "currentColor").replace(GROUND, _GROUND).replace(' id="guide"', "")
    # Ids are unique in the page: those that Matplotlib numbers carry the name of the panel.
    text = re.sub(r'(\bid="|xlink:href="#|url\(#)', rf"\g<1>{ident}-", text)
    # Text of 10 points is read at 1 inch = 6 rem, or what the page says; narrower screens shrink the panel.
    size = f"width: calc({fig.get_figwidth():g} * var(--figure-inch, 6rem)); max-width: 100%; height: auto"
    return re.sub(r'<svg [^>]*?viewBox="([^"]*)"[^>]*>', _tag(size), text, count=1, flags=re.DOTALL).strip()


def _tag(style: str) -> str:
    return (
        r'<svg viewBox="\1" xmlns="http://www.w3.org/2000/svg" '
        rf'xmlns:xlink="http://www.w3.org/1999/xlink" aria-hidden="true" fill="currentColor" style="{style}">'
    )

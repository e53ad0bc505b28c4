"""What is wrong with a page that a browser shows: everything is asked in one visit."""

import re

from axe_playwright_python.sync_playwright import Axe

# What would be seen if MyST or KaTeX had left something as it was typed.
RAW = re.compile(
    r"\$\$|\\(frac|begin|end|sum|log|mathbb|operatorname|text)\b|"
    r"\{(eq|cite|prf|ref|numref|row|math)\b[^}]*\}")

SHIFT = 0.01  # how far a page may move while it loads, as browsers measure it
CODE = 0.25  # of a chapter's height, what stands open where code is folded: more is a listing
LINE = (66, 72)  # characters of a line of text, on a desk
LABEL = 9  # pixels of the smallest label of a figure
APART = 8  # pixels between the middles of an equation's number and its mark, on a telephone

LOOK = """async () => {
  await document.fonts.ready;
  await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const right = node => node.getBoundingClientRect().right;
  const height = node => node.checkVisibility() ? node.getBoundingClientRect().height : 0;

  // Text on the page, without code and without what is kept for screen readers.
  const page = document.querySelector('main').cloneNode(true);
  all('pre, code, script, style, .katex', page).forEach(node => node.remove());

  // A formula that runs into its number or a reason.
  const apart = (a, b) =>
    a.right < b.left + 1 || b.right < a.left + 1 || a.bottom < b.top + 1 || b.bottom < a.top + 1;
  const meets = all('.eq').filter(box => box.checkVisibility()).filter(box => {
    const lines = all('.left > *, .right > *', box).flatMap(node => [...node.getClientRects()]);
    return all('.num, .reason', box).map(node => node.getBoundingClientRect())
      .some(there => lines.some(line => !apart(line, there)));
  });

  // The numbers stand at the right edge of the text, however wide their formulas are.
  const edge = right(all('article')[0]);
  const astray = all('section > .eqbox > .eq:not(.wide) > .num').filter(node => node.checkVisibility())
    .filter(node => Math.abs(right(node) - edge) > 1).map(node => node.textContent);

  // The sizes of the labels of figures, as they are drawn.
  const labels = all('figure svg text').filter(node => node.checkVisibility()).map(node => {
    const { a, b } = node.getScreenCTM();
    return [parseFloat(getComputedStyle(node).fontSize) * Math.hypot(a, b), node.textContent];
  });

  const middle = node => { const { top, bottom } = node.getBoundingClientRect(); return (top + bottom) / 2; };
  const numbered = all('.eqbox:has(> .eq > .num):has(> .how)').map(box =>
    [box.querySelector(':scope > .eq > .num'), box.querySelector(':scope > .how > summary')]);

  // Characters of a line: all words of the page's paragraphs are set once more, as one paragraph.
  function measure() {
    if (!document.querySelector('article section > p')) return null;
    const words = all('article section > p').map(p => {
      const copy = p.cloneNode(true);
      all('.katex, code', copy).forEach(node => node.remove());
      return copy.textContent;
    }).join(' ').replace(/\\s+/g, ' ');
    const probe = document.createElement('p'), range = document.createRange();
    probe.textContent = words;
    all('article section')[0].append(probe);
    range.selectNodeContents(probe);
    const lines = new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom))).size;
    probe.remove();
    return words.length / (lines - 0.5);  // the last one is half full
  }

  const ids = all('[id]').map(node => node.id);
  return {
    text: page.textContent,
    sideways: document.scrollingElement.scrollWidth - innerWidth,
    formulas: all('.formula').filter(box => box.checkVisibility() && box.scrollWidth > box.clientWidth + 1)
      .map(box => box.textContent.slice(-80)),
    meets: meets.map(box => box.textContent.slice(-80)),
    astray,
    outside: all('.formula .reason, .num, summary').filter(node => right(node) > innerWidth + 1)
      .map(node => node.textContent),
    wordless: all('main img, main svg')
      .filter(node => !node.closest('.katex, button'))
      .filter(node => !(node.getAttribute('alt') || node.closest('[aria-label]')))
      .map(node => node.outerHTML.slice(0, 200)),
    shift: window.shift,
    twice: ids.filter((id, i) => ids.indexOf(id) !== i),
    nowhere: all('a[href^="#"]').map(link => decodeURIComponent(link.hash.slice(1)))
      .filter(id => id && !document.getElementById(id)),
    code: all('div.code').reduce((sum, node) => sum + height(node), 0) / height(all('article')[0]),
    above: all('.eqbox:has(.chain)').filter(box => box.previousElementSibling?.matches('div.code, .listing'))
      .map(box => box.id),
    labels,
    unheaded: all('th').filter(node => !node.textContent.trim())
      .map(node => node.closest('table').textContent),
    apart: numbered.filter(([number, mark]) => number.checkVisibility() && mark.checkVisibility())
      .map(([number, mark]) => [Math.abs(middle(number) - middle(mark)), number.textContent]),
    line: measure(),
  };
}"""

# What paper cuts: what lies right of the sheet, what would have to be scrolled. What it should not have:
# what is folded or for the screen, what only who has the knobs can do, a ground of ink.
PAPER = """() => {
  const all = selector => [...document.querySelectorAll(selector)];
  const told = (what, nodes) => nodes.map(node => `${what} on paper: ${node.outerHTML.slice(0, 160)}`);
  const right = node => node.getBoundingClientRect().right;
  const asks = /(^|[.;] )(turn|move|draw|narrow|try)\\b|\\b(knob|slider)s?\\b/i;
  return [
    ...told('outside', all('main :is(p, pre, td, .reason, .num, figure)')
      .filter(node => right(node) > innerWidth + 1)),
    ...told('cut', all('main :is(pre, .scroll, .formula)')
      .filter(node => node.scrollWidth > node.clientWidth + 1)),
    ...told('folded', all('main details:not([open])').filter(node => node.checkVisibility())
      .filter(node => !node.closest('.tally'))),
    ...told('for the screen', all('.bar, .contents, footer, .turn, form, [role=status], .how, .report, ' +
      '.declared, .answer, .copy').filter(node => node.checkVisibility())),
    ...told('asks for a knob', all('figure.interactive figcaption')
      .filter(node => asks.test(node.innerText))),
    ...told('not white', all('body')
      .filter(node => getComputedStyle(node).backgroundColor !== 'rgb(255, 255, 255)')),
    ...told('breaks', all('main :is(h1, h2, h3, .eqbox, .statement, figure, table)')
      .filter(node => node.checkVisibility() && getComputedStyle(node).breakInside !== 'avoid')),
  ];
}"""
SHEET = 672  # pixels that A4 has between its margins

# Contrast takes most of an audit, also that of links with the text around them, and thousands of words look
# alike: three of each look are audited (one alone may lie where axe cannot judge it). A look is all that
# contrast depends on: the letters, what is painted behind them, and what sets a link off.
#
# What KaTeX draws is hidden from screen readers, which are given MathML: a box of the same size stands
# in for it, and its text for the MathML. Once their contrast is known, the words of code are joined.
# A page has far fewer elements then, all where they were. (Excluding them would cost more than auditing
# them: axe compares every element with everything excluded.) What follows in a visit sees no formulas.
AUDIT = """async () => {
  const behind = new Map([[null, '']]);
  function ground(node) {
    if (!behind.has(node)) {
      const style = getComputedStyle(node);
      const own = [style.backgroundColor, style.backgroundImage, style.opacity, style.position].join();
      const plain = own === 'rgba(0, 0, 0, 0),none,1,static';
      behind.set(node, ground(node.parentElement) + (plain ? '' : own + ';'));
    }
    return behind.get(node);
  }
  function look(node) {
    const style = getComputedStyle(node), link = node.closest('a');
    const off = link && [getComputedStyle(link).textDecoration, getComputedStyle(link.parentElement).color];
    return [style.color, style.fontSize, style.fontWeight, style.textShadow, ground(node), off].join();
  }
  const hasText = node => [...node.childNodes].some(child => child.nodeType === 3 && child.data.trim());

  // What is folded is audited as well: unfolded, a few of each kind.
  const kinds = new Map();
  for (const fold of document.querySelectorAll('details')) {
    kinds.set(fold.className, (kinds.get(fold.className) ?? 0) + 1);
    fold.open = kinds.get(fold.className) < 4;
  }

  const drawn = [...document.querySelectorAll('.katex-html')];
  const sizes = drawn.map(node => node.getBoundingClientRect());
  drawn.forEach((node, i) => {
    node.replaceChildren();
    node.style.cssText = `display: inline-block; width: ${sizes[i].width}px; height: ${sizes[i].height}px`;
  });
  for (const math of document.querySelectorAll('math')) math.textContent = math.textContent;

  const times = new Map(), shown = [...document.querySelectorAll('input, select, textarea')];
  for (const node of document.body.querySelectorAll('*')) {
    if (!hasText(node) || node.closest('script, style') || !node.checkVisibility()) continue;
    const seen = times.get(look(node)) ?? 0;
    if (seen < 3) shown.push(node.closest('a') ?? node);
    times.set(look(node), seen + 1);
  }

  const LOOKS = ['color-contrast', 'link-in-text-block'];
  // Nothing is fetched: by itself axe asks for the style sheets again, some at wrong addresses.
  const options = {preload: false, resultTypes: ['violations']};
  const found = (await axe.run({include: shown}, {...options, runOnly: LOOKS})).violations;
  for (const code of document.querySelectorAll('pre:not(:has(a, button))')) {
    code.textContent = code.textContent;
  }
  const others = {...options, rules: Object.fromEntries(LOOKS.map(rule => [rule, {enabled: false}]))};
  found.push(...(await axe.run(document, others)).violations);
  return found.filter(rule => ['serious', 'critical'].includes(rule.impact)).flatMap(rule =>
    rule.nodes.map(node => `${rule.id}: ${node.target}: ${node.failureSummary}`));
}"""


def faults(visit, *, chapter=False):
    """All that is wrong with how a page looks, on a desk also of its proportions if it is a chapter."""
    seen = visit.page.evaluate(LOOK)
    text, desk = seen["text"], visit.width == 1280
    found = {
        "from elsewhere": [url for url in visit.requests
                           if not url.startswith((visit.address, "data:", "blob:"))],
        "a whole face": [url for url in visit.requests if url.endswith(".woff2")],  # the cut ones have come
        "left as typed": [text[max(m.start() - 40, 0) : m.end() + 40] for m in RAW.finditer(text)],
        "scrolls sideways": [f"{seen['sideways']} px"] * (seen["sideways"] > 0),
        "formula cut": seen["formulas"] if visit.width >= 1280 else [],  # on a phone it scrolls
        "formula over its number": seen["meets"] if desk else [],
        "number off the edge": seen["astray"] if desk else [],
        "outside": seen["outside"],
        "picture without words": seen["wordless"],
        "small label": [f"{size:.1f} px: {words}" for size, words in seen["labels"] if size < LABEL - 0.05],
        "heading of nothing": [" ".join(words.split())[:80] for words in seen["unheaded"]],
        "mark off its number": [words for far, words in seen["apart"] if far > APART] * (visit.width == 390),
        "moves while it loads": [f"{seen['shift']:.3f}"] * (seen["shift"] > SHIFT),
        "id twice": seen["twice"],
        "leads nowhere": seen["nowhere"],
        "trouble": visit.troubles,
    }
    if chapter and desk:
        line = seen["line"]
        found |= {
            "code takes": [f"{seen['code']:.0%} of the height"] * (seen["code"] > CODE),
            "code above a derivation": seen["above"],
            "a line has": [f"{line:.1f} characters"] * (not LINE[0] <= line <= LINE[1]),
        }
    return [f"{kind}: {what}" for kind, whats in found.items() for what in whats]


def on_paper(visit):
    """All that a printed page loses."""
    visit.turn(width=SHEET, media="print")
    return visit.page.evaluate(PAPER)


def audit(visit):
    """What axe says of accessibility; this changes the page."""
    if visit.page.evaluate("() => !window.axe"):
        visit.page.evaluate(Axe().axe_script)
    return [f"accessibility: {what}" for what in visit.page.evaluate(AUDIT)]

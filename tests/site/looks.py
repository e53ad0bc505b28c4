"""What is wrong with a page that a browser shows: everything is asked in one visit."""

import re

from axe_playwright_python.sync_playwright import Axe

# What would be seen if MyST or KaTeX had left something as it was typed.
RAW = re.compile(
    r"\$\$|\\(frac|begin|end|sum|log|mathbb|operatorname|text)\b|"
    r"\{(eq|cite|prf|ref|numref|row|math)\b[^}]*\}")

LOOK = """async () => {
  await document.fonts.ready;
  const all = selector => [...document.querySelectorAll(selector)];
  const right = node => node.getBoundingClientRect().right;

  // Text on the page, without code and without what is kept for screen readers.
  const page = document.querySelector('.bd-article-container').cloneNode(true);
  page.querySelectorAll('pre, code, script, style, .katex').forEach(node => node.remove());

  return {
    text: page.textContent,
    sideways: document.scrollingElement.scrollWidth - innerWidth,
    formulas: all('.formula').filter(box => box.scrollWidth > box.clientWidth)
      .map(box => box.textContent.slice(-80)),
    reasons: all('.formula .reason').filter(node => right(node) > right(node.parentElement) + 1)
      .map(node => node.textContent),
    wordless: all('.bd-article img, .bd-article svg')
      .filter(node => !node.closest('.katex, button, a.headerlink, .sd-octicon'))
      .filter(node => !(node.getAttribute('alt') || node.closest('[aria-label]')))
      .map(node => node.outerHTML.slice(0, 200)),
  };
}"""

# Contrast takes most of an audit, and thousands of words look alike: three of each look are audited
# (one alone may lie where axe cannot judge it). A look is all that contrast depends on: the letters,
# and what is painted behind them.
#
# What KaTeX draws is hidden from screen readers, which are given MathML: a box of the same size stands
# in for it, and its text for the MathML. Once their contrast is known, the words of code are joined.
# A page has far fewer elements then, all where they were. (Excluding them would cost more than auditing
# them: axe compares every element with everything excluded.) This comes last in a visit.
AUDIT = """async everything => {
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
    const style = getComputedStyle(node);
    return [style.color, style.fontSize, style.fontWeight, style.textShadow, ground(node)].join();
  }
  const hasText = node => [...node.childNodes].some(child => child.nodeType === 3 && child.data.trim());

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
    if (seen < 3) shown.push(node);
    times.set(look(node), seen + 1);
  }

  // Nothing is fetched: by itself axe asks for the style sheets again, some at wrong addresses.
  const options = {preload: false, resultTypes: ['violations']};
  const found = (await axe.run({include: shown}, {...options, runOnly: ['color-contrast']})).violations;
  if (everything) {
    for (const code of document.querySelectorAll('pre:not(:has(a, button))')) {
      code.textContent = code.textContent;
    }
    const others = {...options, rules: {'color-contrast': {enabled: false}}};
    found.push(...(await axe.run(document, others)).violations);
  }
  return found.filter(rule => ['serious', 'critical'].includes(rule.impact)).flatMap(rule =>
    rule.nodes.map(node => `${rule.id}: ${node.target}: ${node.failureSummary}`));
}"""


def faults(visit, *, everything=True):
    """All that is wrong; of accessibility the contrast alone unless ``everything`` is wanted."""
    seen = visit.page.evaluate(LOOK)
    visit.page.evaluate(Axe().axe_script)
    text = seen["text"]
    found = {
        "from elsewhere": [url for url in visit.requests
                           if not url.startswith((visit.address, "data:", "blob:"))],
        "left as typed": [text[max(m.start() - 40, 0) : m.end() + 40] for m in RAW.finditer(text)],
        "scrolls sideways": [f"{seen['sideways']} px"] * (seen["sideways"] > 0),
        "formula cut": seen["formulas"] if visit.width == 1280 else [],  # on a phone it scrolls
        "reason cut": seen["reasons"],
        "picture without words": seen["wordless"],
        "accessibility": visit.page.evaluate(AUDIT, everything),
        "trouble": visit.troubles,
    }
    return [f"{kind}: {what}" for kind, whats in found.items() for what in whats]
